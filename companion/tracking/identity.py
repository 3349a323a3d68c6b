"""What a track gathers, frame by frame, about which card it is."""

from __future__ import annotations

from collections import deque

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import CLASSES

__all__ = ["Identity"]

Log = NDArray[np.float64]

CLASS_COUNT = len(CLASSES)
MISREAD = 0.03
"""Share of frames in which the classifier's answer says nothing; it bounds what one frame can claim."""
INDEPENDENT_S = 0.15
"""Frames closer together than this show the same noise and count in proportion to their distance."""
MOST_WEIGHT = 4.0
"""Worth of a still card's frames together, in independent frames: a misreading that lasts stays one misreading."""
LASTING_MISREAD = 0.01
"""Share of still cards that are read wrong for as long as they lie; it bounds what a whole track can claim."""
RECENT = 4


class Identity:
    """Tempered sum of log-probabilities over the frames in which a card lay still.

    Frames of one card are not independent: close frames count less, and the sum stops
    growing at `MOST_WEIGHT`, where new frames push out old ones.
    """

    def __init__(self) -> None:
        self._sum: Log = np.zeros(CLASS_COUNT)
        self._weight = 0.0
        self._last: float | None = None
        self._recent: deque[tuple[float, Log]] = deque(maxlen=RECENT)

    def add(self, probs: NDArray[np.float32], time: float, trust: float = 1.0) -> None:
        """Take one frame's answer into the sum.

        Args:
            probs: (26,), sums to 1.
            time: Seconds.
            trust: 0 to 1, less for a card that is partly covered.
        """
        log_p = np.log((1.0 - MISREAD) * probs.astype(np.float64) + MISREAD / CLASS_COUNT)
        self._recent.append((time, log_p))
        since = INDEPENDENT_S if self._last is None else time - self._last
        weight = trust * min(1.0, max(0.0, since / INDEPENDENT_S))
        self._last = time
        self._sum = self._sum + weight * log_p
        self._weight += weight
        if self._weight > MOST_WEIGHT:
            self._sum = self._sum * (MOST_WEIGHT / self._weight)
            self._weight = MOST_WEIGHT

    def log_probs(self) -> Log:
        """(26,) normalised log-probabilities; no class ever falls to nothing."""
        top = self._sum - self._sum.max()
        probs = np.exp(top)
        probs /= probs.sum()
        return np.asarray(np.log((1.0 - LASTING_MISREAD) * probs + LASTING_MISREAD / CLASS_COUNT))

    @property
    def best(self) -> int:
        """Index into `CLASSES` of the likeliest answer so far."""
        return int(self._sum.argmax())

    def changed(self, run: int) -> Identity | None:
        """Return the identity of another card if the last `run` frames agree on one.

        A card that was exchanged in place looks like this; single misreadings do not.
        """
        if len(self._recent) < run or self._weight < 1.0:
            return None
        last = list(self._recent)[-run:]
        answers = {int(log_p.argmax()) for _, log_p in last}
        if len(answers) != 1 or (answer := answers.pop()) == self.best:
            return None
        if sum(float(log_p[answer] - log_p[self.best]) for _, log_p in last) < 2.0 * run:
            return None
        other = Identity()
        for time, log_p in last:
            other.add(np.exp(log_p).astype(np.float32), time)
        return other

    def recent_since(self, run: int) -> float:
        """Time of the first of the last `run` frames, seconds."""
        return list(self._recent)[-run][0]
