"""A second, slow referee for every rule set, written from docs/rules.md and not from the code.

It reads a hand in which no rule was broken, from the JSON of its events alone, and keeps what a
player with pencil and paper would keep: two piles, declared marriages, a note at the close. Numbers
in brackets are clauses of the document.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WORTH = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0}
ORDER = "9JQKTA"


class Paper:
    """What stands on the paper; `award` is winner (`None`: nobody) and game points, once there is one."""

    def __init__(
        self, rules: Mapping[str, Any], turned_up: str, dealer: int, events: Sequence[Mapping[str, Any]]
    ) -> None:
        self.rules = rules
        self.trump = turned_up[1]
        self.lead = 1 - dealer
        self.piles: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
        self.declared: list[tuple[int, int, int]] = []
        self.table: list[tuple[int, str]] = []
        self.played = 0
        self.stock = rules["deck"] - 2 * rules["hand_size"]
        self.in_hand = rules["hand_size"]
        self.note: dict[str, Any] | None = None
        self.closer: int | None = None
        self.knocker: int | None = None
        self.spoken = False
        self.silent_since_trick = True
        self.award: tuple[int | None, int] | None = None
        for event in events:
            if self.award is not None and not self.cards_gone():
                raise ValueError(f"{event} after the end")
            self.write(event)

    # 1 and 2: cards, tricks, drawing

    def tricks(self, player: int) -> int:
        """How many tricks lie before a player."""
        return len({number for number, _ in self.piles[player]})

    def cards_gone(self) -> bool:
        """Whether nobody holds a card."""
        return self.in_hand == 0 and not self.table

    def points(self, player: int) -> int:
        """Card points (1.2) with the marriages that count (5.3) and the ten for the last trick (8.6)."""
        total = sum(WORTH[card[0]] for _, card in self.piles[player])
        for who, worth, tricks_before in self.declared:
            if who == player and self.counts(player, tricks_before):
                total += worth
        if self.rules["unclaimed_end"] == "last_trick_bonus_10" and self.closer is None and self.cards_gone():
            total += 10 * (self.lead == player)
        return total

    def counts(self, player: int, tricks_before: int) -> bool:
        """Whether a marriage declared after so many tricks counts by now (5.3)."""
        when = self.rules["marriage_counts"]
        if when == "immediately":
            return True
        if when == "first_trick":
            return self.tricks(player) > 0
        return any(number > tricks_before for number, _ in self.piles[player])

    # What is written down

    def write(self, event: Mapping[str, Any]) -> None:
        """Write down one event."""
        kind = event["type"]
        player = event.get("player")
        if kind == "marriage":
            worth = 40 if event["suit"] == self.trump else 20
            self.declared.append((player, worth, self.played))
            self.spoken = True
            self.by_arithmetic()
        elif kind == "exchange":
            self.silent_since_trick = False
        elif kind == "close":
            self.silent_since_trick = False
            self.closer = player
            self.note = self.remember(player)
            if event.get("before_draw"):
                self.in_hand -= 1
                self.stock += 2
        elif kind == "knock":
            self.knocker = player
            self.note = self.note or self.remember(player)
        elif kind == "play":
            self.play(player, event["card"])
        elif kind == "claim":
            self.claim(player)

    def remember(self, player: int) -> dict[str, Any]:
        """Note what the other player has at a close or a knock, and whether this one has a trick."""
        other = 1 - player
        return {
            "points": self.points(other),
            "tricks": self.tricks(other),
            "own_tricks": self.tricks(player),
        }

    def play(self, player: int, card: str) -> None:
        """Put a card down; two make a trick (2.2), then both draw (2.3)."""
        self.table.append((player, card))
        if len(self.table) == 1:
            return
        (first, led), (second, answer) = self.table
        if answer[1] == led[1]:
            taken = ORDER.index(answer[0]) > ORDER.index(led[0])
        else:
            taken = answer[1] == self.trump
        self.lead = second if taken else first
        self.played += 1
        self.table = []
        self.piles[self.lead].extend([(self.played, led), (self.played, answer)])
        self.spoken, self.silent_since_trick = False, True
        if self.closer is None and self.stock and self.knocker is None:
            self.stock -= 2
        else:
            self.in_hand -= 1
        if self.knocker is not None:
            self.award = self.after_knock(self.knocker)
        elif self.cards_gone():
            self.award = self.unclaimed()
        self.by_arithmetic()

    # 7: claims

    def by_arithmetic(self) -> None:
        """End the hand without a word where that is played (7.1)."""
        if self.rules["claim_mode"] != "auto" or self.knocker is not None:
            return
        for player in (self.lead, 1 - self.lead):
            if self.may_claim(player) and self.points(player) >= 66:
                self.claim(player)
                return

    def may_claim(self, player: int) -> bool:
        """Whether a claim is in time, with no card on the table (7.2 to 7.4)."""
        if self.cards_gone() and not self.rules["claim_after_last_trick"]:
            return False
        window = self.rules["claim_window"]
        if window == "any_player_between_tricks" and self.played:
            return True
        if player != self.lead:
            return False
        if self.spoken:
            return bool(self.rules["claim_on_declaration"])
        if window == "after_own_trick" and not self.silent_since_trick:
            return False
        return self.tricks(player) > 0

    def claim(self, player: int) -> None:
        """Settle a claim (7.5 to 7.8, 8.1, 8.3)."""
        if self.points(player) >= 66:
            self.award = player, self.right_claim(player)
        else:
            self.award = 1 - player, self.false_claim(player)

    @staticmethod
    def scale(points: int, tricks: int) -> int:
        """1, 2 or 3 against somebody with so much (7.5)."""
        if tricks == 0:
            return 3
        return 2 if points < 33 else 1

    def right_claim(self, player: int) -> int:
        """What 66 in time pays."""
        other = 1 - player
        if self.closer == other:
            return 2 if self.rules["beaten_closer_award"] == "flat_2" else self.failed(other)
        if self.closer == player and self.rules["close_win_basis"] == "at_close":
            assert self.note is not None
            return self.scale(self.note["points"], self.note["tricks"])
        return self.scale(self.points(other), self.tricks(other))

    def false_claim(self, player: int) -> int:
        """What a claim with too little pays the other (7.6 to 7.8)."""
        other = 1 - player
        pays = {
            "2_3_opponent": 2 if self.tricks(other) else 3,
            "2_3_claimant": 2 if self.tricks(player) else 3,
            "as_opponent_closed": self.scale(self.points(player), self.tricks(player)),
            "mirror": self.scale(self.points(other), self.tricks(other)),
            "flat_2": 2,
            "flat_3": 3,
        }[self.rules["false_claim_award"]]
        if self.closer == player and self.rules["closer_false_claim"] == "worse":
            return max(pays, self.failed(player))
        return pays

    # 8: other ends

    def failed(self, player: int) -> int:
        """What a failed close or knock of `player` pays the other (8.2)."""
        assert self.note is not None
        return {
            "2_3_at_close": 2 if self.note["tricks"] else 3,
            "2_3_at_end": 2 if self.tricks(1 - player) else 3,
            "2_3_closer": 2 if self.note["own_tricks"] else 3,
            "flat_1": 1,
            "flat_2": 2,
            "flat_3": 3,
        }[self.rules["failed_close_award"]]

    def after_knock(self, knocker: int) -> tuple[int, int]:
        """The trick that was knocked for decides (8.7)."""
        if self.lead == knocker and self.points(knocker) >= 66:
            return knocker, self.right_claim(knocker)
        return 1 - knocker, self.failed(knocker)

    def unclaimed(self) -> tuple[int | None, int]:
        """The cards are gone and nobody has said a word (8.2, 8.4 to 8.6)."""
        if self.closer is not None:
            return 1 - self.closer, self.failed(self.closer)
        end = self.rules["unclaimed_end"]
        if end == "last_trick_1":
            return self.lead, 1
        loser = 1 - self.lead
        if end == "last_trick_scaled":
            return self.lead, self.scale(self.points(loser), self.tricks(loser))
        south, north = self.points(0), self.points(1)
        if south == north:
            return None, 0
        winner = 0 if south > north else 1
        if end == "higher_total_1":
            return winner, 1
        return winner, self.scale(self.points(1 - winner), self.tricks(1 - winner))
