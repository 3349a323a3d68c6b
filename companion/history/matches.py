"""The matches that hands were played in: who won which, how high, and whom its Bummerl is charged to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from companion.history.hands import PlayedHand
from companion.rules.cards import Player
from companion.rules.match import Match

__all__ = ["PlayedMatch", "matches_of"]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match of the log, as far as it was played.

    Attributes:
        hands: The hands of it that were dealt, oldest first; at least one.
    """

    hands: tuple[PlayedHand, ...]

    @property
    def match(self) -> Match:
        """Where it stands after the last of its hands."""
        return self.hands[-1].after

    @property
    def names(self) -> tuple[str, str]:
        """South's and north's name, as they sat at its end."""
        return self.hands[-1].names

    @property
    def table(self) -> str:
        """Where it was played, when several tables are told together."""
        return self.hands[-1].table

    @property
    def began(self) -> datetime | None:
        """When its first hand was dealt."""
        return self.hands[0].began

    @property
    def winner(self) -> Player | None:
        """Who has won it; `None` while it goes on, or where it was broken off."""
        return self.match.winner

    def to_json(self) -> dict[str, Any]:
        """Write as the command shows it: `mark` is what its loser is charged, `marks` what stands then."""
        match = self.match
        return {
            **({"table": self.table} if self.table else {}),
            "match": match.number,
            "names": list(self.names),
            "began": None if self.began is None else self.began.isoformat(timespec="seconds"),
            "rules": match.rules.title,
            "hands": [hand.number for hand in self.hands],
            "winner": match.winner,
            "points": list(match.won_points),
            "mark": match.mark,
            "marks": list(match.bummerl_marks),
            "series_winner": match.series_winner,
            "series": list(match.series_won),
        }


def matches_of(hands: Iterable[PlayedHand]) -> list[PlayedMatch]:
    """Gather hands by the match that they belong to.

    Args:
        hands: All hands of a log, oldest first; of several tables one table's after the other's.
    """
    matches: list[list[PlayedHand]] = []
    for hand in hands:
        last = matches[-1][-1] if matches else None
        if last is None or hand.hand == 1 or (hand.table, hand.match) != (last.table, last.match):
            matches.append([])
        matches[-1].append(hand)
    return [PlayedMatch(tuple(each)) for each in matches]
