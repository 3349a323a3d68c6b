"""Whether a camera gives the same picture once more instead of looking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Stall"]

_SAMPLE = 4
"""Every fourth row and column tell whether a picture is another: no two have the same noise."""
_KNOWN = 10
"""So many other pictures of a still table tell that the camera has noise."""
_SELDOM = 0.1
"""Times that a picture came again, to other pictures of a still table, if the camera has noise: while it
stalls, it does."""


class Stall:
    """Compares each picture with the one before.

    A sensor's noise makes each picture another, of a still table too. A film without noise, drawn or much
    compressed, gives the same picture whenever nothing moves: there, that means nothing.
    """

    def __init__(self) -> None:
        self._sample: NDArray[np.uint8] | None = None
        self._since = 0.0
        self._stirred = self._again = self._stalls = False
        self._others = self._agains = 0
        """How many pictures of a still table were others than the one before, and how often one came again,
        once or many times."""

    def lasts(self, bgr: NDArray[np.uint8], time: float) -> float | None:
        """Say for how long a picture has been given.

        Args:
            bgr: (H, W, 3) uint8, the next picture.
            time: Its time, seconds.

        Returns:
            Seconds; `None`: it is another picture, or it tells nothing.
        """
        again = self._sample is not None and np.array_equal(bgr[::_SAMPLE, ::_SAMPLE], self._sample)
        if again and not self._again:
            self._stalls = self._others >= _KNOWN and self._agains <= _SELDOM * self._others
            self._agains += 1
        elif not again and self._sample is not None and not self._stirred:
            self._others += 1
        self._again = again
        return time - self._since if again and self._stalls else None

    def looked(self, bgr: NDArray[np.uint8], time: float, *, stirred: bool) -> None:
        """Remember a picture that is no repetition, and whether something moved in it.

        What is kept is a copy: a camera may write every picture into one place.
        """
        self._sample, self._since, self._stirred = bgr[::_SAMPLE, ::_SAMPLE].copy(), time, stirred
