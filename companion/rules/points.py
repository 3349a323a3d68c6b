"""Card points that may be known only between bounds, and what a hand pays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from companion.rules.cards import Player

__all__ = ["Award", "PointRange", "Reason"]

Reason = Literal[
    "claim", "false_claim", "failed_close", "last_trick", "higher_total", "drawn", "revoke", "agreed"
]


@dataclass(frozen=True, slots=True)
class PointRange:
    """Card points between two bounds, both possible as far as anybody saw; equal when all was seen."""

    low: int
    high: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high:
            raise ValueError(f"card points must rise from 0, got {self.low} to {self.high}")

    @classmethod
    def of(cls, points: int) -> PointRange:
        """Return a number of points without doubt."""
        return cls(points, points)

    @property
    def exact(self) -> bool:
        """Whether the bounds are equal."""
        return self.low == self.high

    def __add__(self, other: PointRange) -> PointRange:
        return PointRange(self.low + other.low, self.high + other.high)

    def __str__(self) -> str:
        return str(self.low) if self.exact else f"{self.low} to {self.high}"


@dataclass(frozen=True, slots=True)
class Award:
    """What a hand pays.

    Attributes:
        winner: Who scores; `None` after a drawn hand.
        game_points: 1, 2 or 3; 0 after a drawn hand.
        reason: What ended the hand.
        clause: The clause of docs/rules.md that gave the award, as in `7.5`.
        card_points: Points of south and north at the end, counted marriages included; what was seen of
            them where it was agreed what the hand paid.
    """

    winner: Player | None
    game_points: int
    reason: Reason
    clause: str
    card_points: tuple[PointRange, PointRange]
