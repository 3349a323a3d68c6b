"""Frame to reading: the motion gate decides whether the networks need to look."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Detection, Frame, Reading
from companion.vision.motion import MotionGate

__all__ = ["Detector", "Reader"]

_AGAIN_S = 1.0
"""A still table is looked at again after this time."""
_STEADY_S = 0.8
"""After the last motion every frame is looked at for this long."""


class Detector(Protocol):
    """Anything that finds and names the cards of a picture."""

    def detect(self, bgr: NDArray[np.uint8], time: float = 0.0) -> tuple[Detection, ...]:
        """Find and name cards, surest first."""
        ...


class Reader:
    """Reads frames in their order.

    Args:
        detector: Usually a `CardDetector`.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._gate = MotionGate()
        self._last: tuple[Detection, ...] = ()
        self._looked = -np.inf
        self._moved = -np.inf

    def read(self, frame: Frame) -> Reading:
        """Read the next frame; on a still table the cards of the frame before still hold."""
        motion = self._gate.update(frame.bgr, frame.time)
        size = (int(frame.bgr.shape[1]), int(frame.bgr.shape[0]))
        if motion.moved.any():
            self._moved = frame.time
        still = frame.time - self._moved > _STEADY_S and frame.time - self._looked < _AGAIN_S
        if still:
            return Reading(frame.time, size, self._last, motion, fresh=False)
        self._last = self._detector.detect(frame.bgr, frame.time)
        self._looked = frame.time
        return Reading(frame.time, size, self._last, motion)
