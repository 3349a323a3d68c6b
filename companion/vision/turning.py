"""A camera's picture turned by quarters, so that south's side of the table is at its bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

import cv2
import numpy as np

from companion.table.detection import Frame

__all__ = ["Turned"]

_CODES = {1: cv2.ROTATE_90_CLOCKWISE, 2: cv2.ROTATE_180, 3: cv2.ROTATE_90_COUNTERCLOCKWISE}


class Closable(Protocol):
    """Frames that can be ended."""

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames."""

    def close(self) -> None:
        """Let go of what is held."""


class Turned:
    """Frames of `source`, each turned clockwise by `quarters`, 0 to 3."""

    def __init__(self, source: Closable, quarters: int) -> None:
        if not 0 <= quarters <= 3:
            raise ValueError(f"quarters must be 0 to 3, got {quarters}")
        self._source, self._quarters = source, quarters

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames, turned."""
        frames: Iterable[Frame] = self._source
        for frame in frames:
            yield self._turned(frame)

    def _turned(self, frame: Frame) -> Frame:
        if not self._quarters:
            return frame
        return replace(frame, bgr=np.asarray(cv2.rotate(frame.bgr, _CODES[self._quarters]), np.uint8))
