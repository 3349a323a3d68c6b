"""The pack that lies about on the table between two hands, to be mixed."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

import numpy as np
from numpy.typing import NDArray

from companion.table.observation import Observation

__all__ = ["Mixing", "lies_before_player"]

STREWN, FACE_DOWN = 6, 2
"""So many places where a card has come to lie and no hand is dealt to, so many of them with one face down,
are a pack that is mixed: of a deal there are turn-up and stock, and perhaps another pack, or hands that are
dealt far in; who counts what was won lays it open."""
APART = 0.5
"""Cards that lie this share of a card's short side apart lie in two places."""
GATHERED_S = 3.0
"""What lies open there so long after the rest has been pushed together lies there for something else."""
HAND_EDGE = 0.3
"""Hands that have been dealt, and not picked up, lie in this share of the height from an edge."""


class Mixing:
    """Whether the pack is mixed on the table, and what lay there then: nobody has played that.

    Attributes:
        now: Whether it lay about in the last view.
        began: When the first of what lay about came to lie there, seconds.
        tracks: All that has lain about.
    """

    def __init__(self) -> None:
        self.now = False
        self.began = inf
        self.tracks: frozenset[int] = frozenset()
        self._last = -inf

    def look(
        self,
        backs: Sequence[Observation],
        others: Sequence[Observation],
        *,
        time: float,
        size: tuple[int, int],
        unit: float,
    ) -> None:
        """Take a view.

        Args:
            backs: What has come to lie face down.
            others: What has come to lie there besides.
            time: Of the view, seconds.
            size: Width and height of the picture, pixels.
            unit: Short side of a card, pixels.
        """
        down = _places(backs, size, unit, ())
        self.now = len(down) >= FACE_DOWN and len(_places(others, size, unit, down)) >= STREWN
        if self.now:
            self.began = min(card.first_seen for card in (*backs, *others))
            self.tracks |= {card.track for card in (*backs, *others)}
            self._last = time

    def is_part(self, card: Observation, time: float) -> bool:
        """Whether a card has lain about just now, and may be yet to be pushed to the others."""
        return card.track in self.tracks and time - self._last < GATHERED_S


def lies_before_player(card: Observation, size: tuple[int, int]) -> bool:
    """Whether a card lies where hands are dealt to."""
    return card.is_at_edge(size[1], HAND_EDGE)


def _places(
    cards: Sequence[Observation],
    size: tuple[int, int],
    unit: float,
    known: Sequence[NDArray[np.float32]],
) -> list[NDArray[np.float32]]:
    """Return the places in the middle of the table where cards lie, each once, with those that are known."""
    places = list(known)
    for card in cards:
        apart = all(float(np.hypot(*(card.centre - place))) > APART * unit for place in places)
        if apart and not lies_before_player(card, size):
            places.append(card.centre)
    return places
