"""Where the table lies in the picture: found by its colour, or told; and what lies beside it left out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Frame, Reading
from companion.table.quad import mapped
from companion.vision.alignment import laid_over
from companion.vision.reader import Reader

__all__ = ["TabletopReader", "find_tabletop"]

Corners = NDArray[np.float32]
_WIDTH = 320
"""The table is looked for in a picture so wide."""
_LEAST_HEIGHT, _MOST_HEIGHT = 8, 1280
"""And so high at least and at most: a strip is drawn out or squashed, or it would take a gigabyte."""
_COLOURS = 4
_UNLIKE = 13.0
"""Least distance of a colour from the table's that is another thing; CIE L*a*b* with half the lightness."""
_LEAST_SOUND = 0.9
"""Least share that table and quadrilateral have in common, of both together."""
_BRIDGE = 5
"""What hangs together with the table by so few pixels only is another thing; more would round its corners."""
_TRIES_S, _AGAIN_S = 3.0, 2.0
"""At first the table is looked for in every picture, and after this time so often."""
_GAP = 0.06
"""Of the picture's width: cards, hands and glasses so wide do not part a table."""


def find_tabletop(bgr: NDArray[np.uint8]) -> Corners | None:
    """Find the table in the middle of a picture.

    The table is what has the colour of most of the picture's middle and hangs together with it.

    Args:
        bgr: (H, W, 3) uint8.

    Returns:
        (4, 2) float32, shares of the picture's width and height, clockwise from the top left; the whole
        picture's corners where the table fills it; `None` where no four corners fit what was found.
    """
    height = min(max(_LEAST_HEIGHT, round(_WIDTH * bgr.shape[0] / bgr.shape[1])), _MOST_HEIGHT)
    small = cv2.medianBlur(cv2.resize(bgr, (_WIDTH, height), interpolation=cv2.INTER_AREA), 5)
    lab = cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2LAB) * np.array([0.5, 1, 1], np.float32)
    table = _hull(_like_the_middle(np.asarray(lab, np.float32)))
    if table is None:
        return None
    frame = np.array([[0, 0], [_WIDTH - 1, 0], [_WIDTH - 1, height - 1], [0, height - 1]], np.float32)
    for corners in (frame, _four_corners(table)):
        if corners is not None and _in_common(table, corners, (height, _WIDTH)) >= _LEAST_SOUND:
            return np.asarray(corners / np.array([_WIDTH - 1, height - 1], np.float32), np.float32)
    return None


def _like_the_middle(lab: NDArray[np.float32]) -> NDArray[np.uint8]:
    """255 where the picture has the commonest colour of its middle, 0 elsewhere; gaps closed."""
    height, width = lab.shape[:2]
    middle = lab[height // 4 : -height // 4, width // 4 : -width // 4].reshape(-1, 3)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.5)
    cv2.setRNGSeed(1)  # the same picture gives the same table
    _, labels, centres = cv2.kmeans(
        np.ascontiguousarray(middle), _COLOURS, np.empty(0, np.int32), stop, 2, cv2.KMEANS_PP_CENTERS
    )
    colour = centres[int(np.bincount(labels.ravel()).argmax())]
    like = (np.linalg.norm(lab - colour, axis=2) < _UNLIKE).astype(np.uint8) * 255
    size = round(_GAP * width)
    around = cv2.copyMakeBorder(like, size, size, size, size, cv2.BORDER_REPLICATE)
    closed = cv2.morphologyEx(around, cv2.MORPH_CLOSE, _round(size))
    opened = cv2.morphologyEx(closed, cv2.MORPH_OPEN, _round(_BRIDGE))
    return np.asarray(opened[size:-size, size:-size], np.uint8)


def _round(size: int) -> NDArray[np.uint8]:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def _hull(like: NDArray[np.uint8]) -> Corners | None:
    """Convex hull of the largest piece, (N, 2) float32; `None` where there is none."""
    outlines, _ = cv2.findContours(like, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(outlines, key=cv2.contourArea, default=None)
    if largest is None:
        return None
    return np.asarray(cv2.convexHull(largest)[:, 0], np.float32)


def _four_corners(hull: Corners) -> Corners | None:
    """The hull made simpler until four corners are left, clockwise from the top left."""
    around = float(cv2.arcLength(hull, True))
    for share in np.arange(0.005, 0.12, 0.005):
        corners = cv2.approxPolyDP(hull, share * around, True)[:, 0]
        if len(corners) == 4:
            middle = corners.mean(axis=0)
            turned = np.argsort(np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0]))
            return np.asarray(corners[turned], np.float32)  # y points down: rising angles go clockwise
    return None


def _in_common(one: Corners, two: Corners, size: tuple[int, int]) -> float:
    """What two polygons share of what both cover."""
    first, second = (_filled(each, size) for each in (one, two))
    return float((first & second).sum() / max(1, (first | second).sum()))


def _filled(polygon: Corners, size: tuple[int, int]) -> NDArray[np.bool_]:
    """(h, w) bool: what lies in a polygon of pixels."""
    return np.asarray(cv2.fillPoly(np.zeros(size, np.uint8), [polygon.round().astype(np.int32)], 1), bool)


class TabletopReader:
    """A reader that knows where the table is: what lies or moves beside it is not told.

    The camera may stand elsewhere than when the corners were set. A picture of then tells where they are
    now; until they are found the whole picture is table: better a strange card too many than one too few.

    Args:
        reader: Reads the whole picture.
        corners: Four, shares of the picture's width and height, in order around the table.
        then: (H, W, 3) uint8, the picture in which they were set; `None`: they are as in the first frame.
        found: Is told whether it is known where the table is, once that is sure, and once it changes.
    """

    def __init__(
        self,
        reader: Reader,
        corners: Sequence[tuple[float, float]],
        then: NDArray[np.uint8] | None = None,
        found: Callable[[bool], None] = lambda known: None,
    ) -> None:
        self._reader = reader
        self._set = np.asarray(corners, np.float32)
        self._then, self._found = then, found
        self._corners = self._set if then is None else None
        """Shares of the first frame's width and height, as places of readings are; `None`: not found yet."""
        self._began: float | None = None
        self._tried = -np.inf
        self._lost = False
        """Whether it was said that the table is not found."""

    def read(self, frame: Frame) -> Reading:
        """Read `frame`, and leave out what is beside the table."""
        reading = self._reader.read(frame)
        if self._corners is None and self._then is not None and not reading.blind:
            self._corners = self._placed(self._then, frame, reading)
        if self._corners is None:
            return reading
        outline = self._corners * np.array(reading.size, np.float32)
        height, width = reading.motion.moved.shape
        table = _filled(self._corners * np.array([width, height], np.float32) - 0.5, (height, width))
        return replace(
            reading,
            detections=tuple(
                card for card in reading.detections if _is_inside(card.corners.mean(axis=0), outline)
            ),
            motion=replace(reading.motion, moved=reading.motion.moved & table),
            buttons=tuple(each for each in reading.buttons if _is_inside((each.x, each.y), outline)),
        )

    def _placed(self, then: NDArray[np.uint8], frame: Frame, reading: Reading) -> Corners | None:
        """Find the corners in a frame by the picture of then."""
        began = self._began = frame.time if self._began is None else self._began
        late = frame.time - began > _TRIES_S
        if late and not self._lost:
            self._lost = True
            self._found(False)
        if late and frame.time - self._tried < _AGAIN_S:
            return None
        self._tried = frame.time
        over = laid_over(then, frame.bgr)
        if over is None:
            return None
        self._found(True)
        size = np.array(reading.size, np.float32)
        corners = mapped(self._set, over) * size
        return mapped(corners, reading.to_table) / size


def _is_inside(place: Sequence[float] | NDArray[np.float32], outline: Corners) -> bool:
    return cv2.pointPolygonTest(outline, (float(place[0]), float(place[1])), False) >= 0
