"""Whether a camera gives the same picture once more instead of looking."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

__all__ = ["Stall"]

_SAMPLE = 4
"""Every fourth row and column tell whether a picture is another: no two have the same noise."""
_KNOWN = 10
"""So many pictures of a still table tell whether the camera has noise."""
_ALIKE = 0.1
"""Share of pictures of a still table that may be the same as the one before, if the camera has noise: while
it stalls, they are."""


class Stall:
    """Compares each picture with the one before.

    A sensor's noise makes each picture another, of a still table too. A film without noise, drawn or much
    compressed, gives the same picture whenever nothing moves: there, that means nothing.
    """

    def __init__(self) -> None:
        self._sample: NDArray[np.uint8] | None = None
        self._since = 0.0
        self._stirred = False
        self._still = self._alike = 0
        """How many pictures followed one in which nothing moved, and how many of them were the same."""

    def lasts(self, bgr: NDArray[np.uint8], time: float) -> float | None:
        """Say for how long a picture has been given that shows something moving.

        Args:
            bgr: (H, W, 3) uint8, the next picture.
            time: Its time, seconds.

        Returns:
            Seconds; `None`: it is another picture, or nothing moved in it, or it tells nothing.
        """
        alike = self._sample is not None and np.array_equal(bgr[::_SAMPLE, ::_SAMPLE], self._sample)
        if self._sample is not None and not self._stirred:
            self._still, self._alike = self._still + 1, self._alike + alike
        noisy = self._still >= _KNOWN and self._alike <= _ALIKE * self._still
        return time - self._since if alike and self._stirred and noisy else None

    def looked(self, bgr: NDArray[np.uint8], time: float, *, stirred: bool) -> None:
        """Remember a picture that is no repetition, and whether something moved in it.

        What is kept is a copy: a camera may write every picture into one place.
        """
        self._sample, self._since, self._stirred = bgr[::_SAMPLE, ::_SAMPLE].copy(), time, stirred
