"""Tricks that are played while the next deal is still looked for: it was missed, and a hand is on."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf

__all__ = ["Unfollowed"]

TRICKS = 2
"""After so many tricks that nobody followed a hand is on, whatever was made of its deal."""
ANSWERS_S = 0.3
"""Two cards that come to lie there at once are shown, or counted: nobody answers so soon."""


class Unfollowed:
    """Counts the tricks that are played in a row, two cards one after the other, and then none."""

    def __init__(self) -> None:
        self._tricks = 0
        self._trick: dict[int, float] = {}
        """When each card of the one that lies there came to rest, by track."""

    def begin(self) -> None:
        """A deal has been found."""
        self._tricks, self._trick = 0, {}

    def look(self, faces: Mapping[int, float]) -> bool:
        """Return whether a hand is on: enough tricks have been played, and no more than the next lead since.

        Args:
            faces: When each card came to rest that was laid since the hand before, by its track, seconds;
                those that lie there yet.
        """
        if faces:
            self._trick.update(faces)
        elif self._trick:
            # two cards, or both of a marriage and the answer
            *_, led, answered = -inf, *sorted(self._trick.values())
            whole = len(self._trick) in (2, 3) and answered - led >= ANSWERS_S
            self._tricks, self._trick = (self._tricks + 1 if whole else 0), {}
        return self._tricks >= TRICKS and len(self._trick) <= 1
