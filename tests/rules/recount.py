"""A second, slow referee for the preset `schnapsen`, written from docs/rules.md and not from the code.

It reads a hand in which no rule was broken, from the events alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Event, MarriageDeclared

VALUE = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
STRENGTH = "JQKTA"


class Recount:
    """Piles, marriages and the close, kept as a player with pencil and paper would."""

    def __init__(self, turned_up: Card, dealer: Player, events: Sequence[Event]) -> None:
        self.trump = str(turned_up)[1]
        self.piles: tuple[list[str], list[str]] = ([], [])
        self.marriages = [0, 0]
        self.table: list[tuple[int, str]] = []
        self.lead = 1 - int(dealer)
        self.closer: int | None = None
        self.close_note = (0, 0)
        self.cards_to_come = 20
        self.award: tuple[int, int] | None = None
        for event in events:
            self.note(event)

    def points(self, player: int) -> int:
        """Points of the pile, and of marriages if there is a pile (1.2, 5.3)."""
        pile = self.piles[player]
        return sum(VALUE[card[0]] for card in pile) + (self.marriages[player] if pile else 0)

    def note(self, event: Event) -> None:
        """Write down one event."""
        if isinstance(event, MarriageDeclared):
            self.marriages[event.player] += 40 if event.suit.letter == self.trump else 20
        elif isinstance(event, Closed):
            other = 1 - int(event.player)
            self.closer = int(event.player)
            self.close_note = (self.points(other), len(self.piles[other]))
            self.cards_to_come = 10
        elif isinstance(event, CardPlayed):
            self.play(int(event.player), str(event.card))
        elif isinstance(event, Claimed):
            self.claim(int(event.player))

    def play(self, player: int, card: str) -> None:
        """Put a card down; two make a trick (2.2), the last of all ends the hand (8.2, 8.4)."""
        self.table.append((player, card))
        self.cards_to_come -= 1
        if len(self.table) < 2:
            return
        (first, led), (second, answer) = self.table
        if led[1] == answer[1]:
            self.lead = second if STRENGTH.index(answer[0]) > STRENGTH.index(led[0]) else first
        else:
            self.lead = second if answer[1] == self.trump else first
        self.piles[self.lead].extend((led, answer))
        self.table = []
        if self.cards_to_come == 0:
            self.award = (self.lead, 1) if self.closer is None else self.failed_close()

    def failed_close(self) -> tuple[int, int]:
        """Give 2 to the closer's opponent, 3 if trickless at the close (8.2)."""
        assert self.closer is not None
        return 1 - self.closer, 2 if self.close_note[1] else 3

    def claim(self, player: int) -> None:
        """Settle a claim (7.5 to 7.8, 8.1, 8.3)."""
        other = 1 - player
        if self.points(player) >= 66:
            if self.closer == other:
                self.award = player, self.failed_close()[1]
                return
            points, cards = (
                self.close_note if self.closer == player else (self.points(other), len(self.piles[other]))
            )
            self.award = player, 3 if cards == 0 else 2 if points < 33 else 1
            return
        penalty = 2 if self.piles[other] else 3
        if self.closer == player:
            penalty = max(penalty, self.failed_close()[1])
        self.award = other, penalty
