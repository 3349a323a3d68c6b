"""What a player may want to know of many hands: points, claims, closings, time, and what decisions lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from companion.history.hands import PlayedHand
from companion.rules.cards import Player
from companion.rules.events import CardPlayed
from companion.table.entry import CAMERA

__all__ = ["Person", "people_of"]

LONGEST_S = 120.0
"""Whoever takes longer for a play has done something else meanwhile."""
_COUNTED = (
    *("hands", "won", "game_points", "matches", "matches_won", "marks"),
    *("claims", "wrong_claims", "closings", "closings_won", "marriages", "exchanges", "revokes", "decisions"),
)


@dataclass(slots=True)
class Person:
    """One player over many hands; without a name, whoever sat there.

    Attributes:
        name: The name; empty where none was given.
        seat: Where the player sat last.
        hands: Hands played to an end that pays.
        won: Those that paid this player.
        game_points: What they paid, with what ties before carried over.
        matches: Matches that one of these hands decided.
        matches_won: Those that this player won.
        marks: Bummerl marks that the others charged this player (clause 9.3).
        claims: Claims that were right.
        wrong_claims: Claims that were wrong.
        closings: How often this player closed.
        closings_won: ... and won.
        marriages: Marriages declared, but for those that the rules void.
        exchanges: Exchanges.
        revokes: Proven revokes.
        seconds: Seconds that each play took.
        decisions: Decisions that have been judged.
        lost: Game points that they lost.
        course: After each hand, its number and the game points won so far.
        losses: For each judged hand, its number and the game points lost a decision.
    """

    name: str
    seat: Player
    hands: int = 0
    won: int = 0
    game_points: int = 0
    matches: int = 0
    matches_won: int = 0
    marks: int = 0
    claims: int = 0
    wrong_claims: int = 0
    closings: int = 0
    closings_won: int = 0
    marriages: int = 0
    exchanges: int = 0
    revokes: int = 0
    seconds: list[float] = field(default_factory=list)
    decisions: int = 0
    lost: float = 0.0
    course: list[tuple[int, int]] = field(default_factory=list)
    losses: list[tuple[int, float]] = field(default_factory=list)

    @property
    def seconds_a_play(self) -> float | None:
        """Median seconds of a play; `None` without any."""
        return median(self.seconds) if self.seconds else None

    @property
    def lost_a_decision(self) -> float | None:
        """Mean game points lost in a decision; `None` without any."""
        return self.lost / self.decisions if self.decisions else None

    def to_json(self) -> dict[str, Any]:
        """Write as a page and the command show it."""
        seconds, lost = self.seconds_a_play, self.lost_a_decision
        return {
            "name": self.name,
            "seat": int(self.seat),
            **{name: getattr(self, name) for name in _COUNTED},
            "seconds_a_play": None if seconds is None else round(seconds, 1),
            "lost_a_decision": None if lost is None else round(lost, 3),
            "course": [list(each) for each in self.course],
            "losses": [[number, round(loss, 3)] for number, loss in self.losses],
        }


def people_of(
    hands: Iterable[PlayedHand],
    judged: Callable[[PlayedHand], Sequence[Mapping[str, Any]] | None] = lambda hand: None,
) -> list[Person]:
    """Count hands up, by player; whoever played most comes first.

    Args:
        hands: Oldest first; of several tables, too: a name is one person at all of them.
        judged: The decisions of a hand as `companion.review.form` writes them; `None` where nobody judged it.
    """
    people: dict[str | tuple[str, Player], Person] = {}
    for hand in hands:
        decisions = judged(hand)
        for player in Player:
            name = hand.names[player]
            person = people.setdefault(name or (hand.table, player), Person(name, player))
            person.seat = player
            _count(person, player, hand)
            if decisions is not None:
                _judge(person, player, hand, decisions)
    return sorted(people.values(), key=lambda each: -each.hands)


def _count(person: Person, player: Player, hand: PlayedHand) -> None:
    state = hand.fold.state
    award = hand.fold.award
    person.marriages += sum(each.player is player and not each.void for each in state.marriages)
    person.exchanges += state.exchanged_by is player
    person.revokes += sum(
        each.breach.is_revoke and each.player is player and not each.taken_back for each in state.breaches
    )
    person.seconds += _seconds(player, hand)
    if award is None:
        return
    won = award.winner is player
    person.hands += 1
    person.won += won
    person.game_points += award.game_points + hand.carried if won else 0
    claimed = state.claimed_by is player
    person.claims += claimed and award.reason == "claim"
    person.wrong_claims += claimed and award.reason == "false_claim"
    person.closings += state.closed_by is player
    person.closings_won += state.closed_by is player and won
    person.course.append((hand.number, person.game_points))
    match = hand.after
    if match.winner is not None:
        person.matches += 1
        person.matches_won += match.winner is player
        person.marks += 0 if match.winner is player else match.mark


def _seconds(player: Player, hand: PlayedHand) -> list[float]:
    """Return how long a player's plays took that the camera saw, each since what happened before it."""
    return [
        entry.time - before.time
        for before, entry in zip(hand.entries, hand.entries[1:], strict=False)
        if isinstance(entry.event, CardPlayed)
        and entry.event.player is player
        and entry.source == CAMERA
        and 0 < entry.time - before.time <= LONGEST_S
    ]


def _judge(person: Person, player: Player, hand: PlayedHand, decisions: Sequence[Mapping[str, Any]]) -> None:
    losses = [float(each["loss"]) for each in decisions if each["player"] == player]
    if losses:
        person.decisions += len(losses)
        person.lost += sum(losses)
        person.losses.append((hand.number, sum(losses) / len(losses)))
