"""Frame to reading: the motion gate decides whether the networks need to look."""

from __future__ import annotations

from collections import deque
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, Detection, Frame, Reading
from companion.table.quad import area
from companion.vision.motion import MotionGate

__all__ = ["CardSize", "Detector", "Reader"]

_AGAIN_S = 1.0
"""A still table is looked at again after this time."""
_MEMORY = 200
_SMALLEST, _LARGEST = 0.6, 1.6
"""A card at the far edge of a table seen from 50 degrees is about 0.7 of one in the middle."""
_STEADY_S = 0.8
"""After the last motion every frame is looked at for this long."""


class Detector(Protocol):
    """Anything that finds and names the cards of a picture."""

    def detect(self, bgr: NDArray[np.uint8], time: float = 0.0) -> tuple[Detection, ...]:
        """Find and name cards, surest first."""
        ...


class CardSize:
    """How large cards are on this table: one pack, one camera, one size.

    A coin or a plank of the table that looks a little like a card is much smaller or larger
    than one. The size is learnt from faces that are found and named with certainty, the last
    `_MEMORY` of them; such a face is never left out, whatever its size.
    """

    def __init__(self) -> None:
        self._seen: deque[float] = deque(maxlen=_MEMORY)

    def fitting(self, detections: tuple[Detection, ...]) -> tuple[Detection, ...]:
        """The detections that may be cards by their size."""
        self._seen.extend(_side(each) for each in detections if _is_sure_face(each))
        if not self._seen:
            return detections
        usual = float(np.median(self._seen))
        return tuple(
            each for each in detections if _is_sure_face(each) or _SMALLEST < _side(each) / usual < _LARGEST
        )


def _is_sure_face(detection: Detection) -> bool:
    return detection.best < BACK and detection.confidence > 0.9 and detection.score > 0.5


def _side(detection: Detection) -> float:
    """Square root of the outline's area, pixels: the same however the card is turned."""
    return float(np.sqrt(area(detection.corners)))


class Reader:
    """Reads frames in their order.

    Args:
        detector: Usually a `CardDetector`.
    """

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._gate = MotionGate()
        self._size = CardSize()
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
        self._last = self._size.fitting(self._detector.detect(frame.bgr, frame.time))
        self._looked = frame.time
        return Reading(frame.time, size, self._last, motion)
