"""A part of a card to draw on, in coordinates of its own: the half of a court, a scene."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["LINE", "Panel"]

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Points = list[tuple[float, float]]

LINE: Colour = (45, 32, 28)
"""Blue, green, red of the outlines."""
_SHIFT = 4


class Panel:
    """A picture of its own; x from -1 to 1, y from 0 (top) to 1 (bottom).

    Attributes:
        picture: (height, width, 3) uint8, blue green red.
    """

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self.picture = np.empty((height, width, 3), np.uint8)
        self.picture[:] = ground
        self.w, self.h = width, height

    def _px(self, points: Points) -> NDArray[np.int32]:
        array = np.array(points, np.float64)
        x, y = (array[:, 0] + 1) / 2 * self.w, array[:, 1] * self.h
        return np.asarray(np.round(np.stack([x, y], axis=1) * 2**_SHIFT), np.int32)

    def fill(self, points: Points, colour: Colour, line: int = 3) -> None:
        """Fill an outline, and draw its line, `line` pixels thick."""
        px = self._px(points)
        cv2.fillPoly(self.picture, [px], colour, cv2.LINE_AA, _SHIFT)
        if line:
            cv2.polylines(self.picture, [px], True, LINE, line, cv2.LINE_AA, _SHIFT)

    def oval(self, x: float, y: float, rx: float, ry: float, colour: Colour, line: int = 3) -> None:
        """Fill an ellipse about (x, y)."""
        turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        self.fill([(x + rx * float(np.cos(t)), y + ry * float(np.sin(t))) for t in turn], colour, line)

    def stroke(self, points: Points, colour: Colour, thickness: int) -> None:
        """Draw an open line, `thickness` in pixels."""
        cv2.polylines(self.picture, [self._px(points)], False, colour, thickness, cv2.LINE_AA, _SHIFT)
