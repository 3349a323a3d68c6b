"""From which side a card came: arms and paths, as soft evidence."""

from __future__ import annotations

import math
from collections import deque
from math import inf

from companion.table.detection import Motion

__all__ = ["Arms"]

MEMORY_S = 3.0
"""How long arms are remembered; longer than any card is on its way."""
BEFORE_S, AFTER_S = 1.0, 0.3
"""How long before and after a card came to rest an arm may have been seen that brought it."""
FADE_S = 0.35
"""An arm so long before or after counts 1/e of one that is there as the card comes to rest."""
FOREIGN = 0.02
"""Shares below this are noise of the motion estimate."""
ARM_NATS = 4.5
"""Log-odds of the side from which alone an arm reached in."""
ONE_LOOK = 0.4
"""Share of that which one look at an arm tells, however short."""
PATH_NATS, MOST_PATH_NATS = 1.5, 2.5
"""Log-odds for each short card side that a card was seen to move, and at most."""
PLACE_NATS, MOST_PLACE_NATS = 0.5, 0.7
"""Log-odds for each short card side that a card lies nearer to one player, and at most."""


class Arms:
    """The last seconds of what reached in over the edges."""

    def __init__(self) -> None:
        self._history: deque[tuple[float, float, float, float]] = deque()
        """Times, and the shares of the bottom, the top and the side edges."""

    def update(self, time: float, motion: Motion) -> None:
        """Remember one frame's arms."""
        self._history.append((time, motion.south, motion.north, motion.beside))
        while self._history[0][0] < time - MEMORY_S:
            self._history.popleft()

    @property
    def south(self) -> bool:
        """Whether something reaches in over the bottom edge now."""
        return bool(self._history) and self._history[-1][1] > FOREIGN

    @property
    def north(self) -> bool:
        """The same for the top edge."""
        return bool(self._history) and self._history[-1][2] > FOREIGN

    @property
    def beside(self) -> bool:
        """The same for the left and the right edge: somebody who looks on."""
        return bool(self._history) and self._history[-1][3] > FOREIGN

    def from_south(self, since: float, path: float, place: float) -> float:
        """Probability that a card that lies still `since` then was brought from the south.

        Args:
            since: Time at which the card came to rest, seconds.
            path: How far it was seen to move towards north before it rested, in short card sides.
            place: How far south of the picture's centre it lies, in short card sides.
        """
        own = max(-MOST_PATH_NATS, min(MOST_PATH_NATS, PATH_NATS * path))
        own += max(-MOST_PLACE_NATS, min(MOST_PLACE_NATS, PLACE_NATS * place))
        ways = [self._reached_in(since, since)]
        came, left = self._hidden()
        if came < since <= left + AFTER_S:
            # it came to rest then, or came into sight as the arm of somebody who looks on left
            ways.append(self._reached_in(came, since))
        return sum(1.0 / (1.0 + math.exp(-nats - own)) for nats in ways) / len(ways)

    def _hidden(self) -> tuple[float, float]:
        """From when until when the arm of somebody who looks on reached in last; -inf: not remembered.

        One that was there at the first moment remembered may have come at any time before.
        """
        came, left = -inf, -inf
        for time, _, _, beside in reversed(self._history):
            if beside > FOREIGN:
                came, left = time, max(left, time)
            elif left > -inf:
                return came, left
        return -inf, left

    def _reached_in(self, first: float, last: float) -> float:
        """What arms say of a card that was laid between two times, nats; nothing where that is long ago."""
        lean, whole = 0.0, 0.0
        if not self._history or first < self._history[0][0]:
            return 0.0
        for time, south, north, _ in self._history:
            if first - BEFORE_S <= time <= last + AFTER_S and max(south, north) > FOREIGN:
                weight = math.exp(-max(first - time, time - last, 0.0) / FADE_S)
                lean += weight * (south - north) / (south + north)
                whole += weight
        return ARM_NATS * lean / whole * min(1.0, ONE_LOOK + whole) if whole else 0.0
