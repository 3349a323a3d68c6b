"""Spots of a picture that are found again in another: how one picture maps onto the other.

A table, its cloth and the cards that lie on it are one plane, so two pictures of it differ by a
homography, wherever the camera went. Everything here is in pixels of the picture shrunk to
`WIDTH` (`shrunk`).
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["WIDTH", "Homography", "Landmarks", "Match", "between_cells", "farthest", "plausible", "shrunk"]

Gray = NDArray[np.uint8]
Homography = NDArray[np.float64]

WIDTH = 640
_COLUMNS, _ROWS, _PER_CELL = 10, 6, 5
"""Spots are spread over a grid, so that the print of one card does not outvote the table."""
_LEAST_EIGEN = 1.2e-3
"""Least strength of a corner (smaller eigenvalue of the gradients, picture in 0 to 1, blurred by one pixel);
sensor noise of six grey levels gives a third of it."""
_WRITTEN = 0.1
"""Cameras write the time and their name into the picture, so far from its upper and lower edge, as a share of
its height at most: that rests wherever the camera goes."""
_ENOUGH = 10
"""Where there are fewer spots without what may be written, those there count, too."""
_WINDOW = (17, 17)
_LEVELS = 3
_BACK_PX = 0.7
"""A spot followed there and back again comes out where it began, or it was lost."""
_FIT_PX = 1.5
_STILL_PX = 0.4
"""A landmark of a camera that stands is found again to this, in spite of noise."""
_ORB_FEATURES = 1200
_ORB_FIT_PX = 4.0
_SHRINK, _GROW = 0.4, 2.5
_SHOWS = 0.4
"""So much of the smaller of the pictures before and after a move the other shows as well, at least."""
_EVEN_PX = 25
"""Light is even over a part of the picture so wide."""
_EVEN_LEVELS = 5
"""Less contrast than this is noise, and is not raised."""
_EVEN_GAIN = 32.0
_NCC_CELL = 32
_NCC_TEXTURE = 5.0
_NCC_ALIKE = 0.55


def shrunk(bgr: NDArray[np.uint8]) -> tuple[Gray, float]:
    """Grey picture at most `WIDTH` wide, slightly blurred, and the factor from the picture to it."""
    factor = min(1.0, WIDTH / bgr.shape[1])
    gray = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    if factor < 1.0:
        gray = cv2.resize(gray, (WIDTH, max(2, round(bgr.shape[0] * factor))), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(gray, (3, 3), 0), np.uint8), factor


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """Where the landmarks of one picture lie in another.

    Attributes:
        transform: (3, 3) float64, from the landmarks' picture to the other; `None`: no transform
            that many of them agree on.
        agreeing: Share of the landmarks that follow it.
        resting: Share of the landmarks that lie where they lay, or near it.
        still: Share that lies there to `_STILL_PX`.
    """

    transform: Homography | None
    agreeing: float
    resting: float
    still: float = 0.0


class Landmarks:
    """The landmarks of one picture.

    Args:
        gray: (h, w) uint8 as `shrunk` gives it.
        without: (rows, columns) bool over the picture; no landmarks are taken where it is true.
    """

    def __init__(self, gray: Gray, without: NDArray[np.bool_] | None = None) -> None:
        self._gray = gray
        self._even: Gray | None = None
        self._spots = _spread(gray, without)
        self._orb: tuple[NDArray[np.float32], NDArray[np.uint8]] | None = None

    def __len__(self) -> int:
        return len(self._spots)

    @property
    def gray(self) -> Gray:
        """The picture."""
        return self._gray

    def followed(self, gray: Gray, *, rest_px: float) -> Match:
        """Look for each landmark near where it was: for steady cameras, small bumps and drift.

        Args:
            gray: Another picture of the same size.
            rest_px: Landmarks within this distance of where they were lie still.
        """
        if not len(self._spots):
            return Match(None, 0.0, 0.0)
        if self._even is None:
            self._even = _evened(self._gray)
        even = _evened(gray)
        there, found = _flow(self._even, even, self._spots)
        away = np.hypot(*(there - self._spots).T)
        resting, still = (float((found & (away < most)).mean()) for most in (rest_px, _STILL_PX))
        transform, inliers = _fitted(self._spots[found], there[found], _FIT_PX)
        if transform is None or not plausible(transform, (gray.shape[1], gray.shape[0])):
            return Match(None, 0.0, resting, still)
        if resting < 0.5 * inliers / len(self._spots):
            return self._refined(even, transform)  # far away, the flow alone is not exact
        return Match(transform, inliers / len(self._spots), resting, still)

    def matched(self, gray: Gray) -> Match:
        """Look for the landmarks anywhere, turned and zoomed: for cameras that were moved."""
        if self._orb is None:
            self._orb = _described(self._gray)
        here, mine = self._orb
        there, other = _described(gray)
        if len(here) < 8 or len(there) < 8:
            return Match(None, 0.0, 0.0)
        pairs = cv2.BFMatcher(cv2.NORM_HAMMING, crossCheck=True).match(mine, other)
        one = np.array([here[pair.queryIdx] for pair in pairs], np.float32)
        two = np.array([there[pair.trainIdx] for pair in pairs], np.float32)
        coarse, inliers = _fitted(one, two, _ORB_FIT_PX)
        if coarse is None or inliers < 12 or not plausible(coarse, (gray.shape[1], gray.shape[0])):
            return Match(None, 0.0, 0.0)
        return self._refined(_evened(gray), coarse)

    def _refined(self, even: Gray, coarse: Homography) -> Match:
        """Follow the landmarks to an evened picture from where a coarse transform puts them."""
        size = (even.shape[1], even.shape[0])
        warped = np.asarray(
            cv2.warpPerspective(self._gray, coarse, size, borderMode=cv2.BORDER_REPLICATE), np.uint8
        )
        expected = cv2.perspectiveTransform(self._spots[None], coarse)[0]
        inside = ((expected > 8) & (expected < np.array(size) - 8)).all(axis=1)
        if inside.sum() < 8:
            return Match(None, 0.0, 0.0)
        there, found = _flow(_evened(warped), even, np.ascontiguousarray(expected[inside], np.float32))
        transform, inliers = _fitted(self._spots[inside][found], there[found], _FIT_PX)
        if transform is None or not plausible(transform, size):
            return Match(None, 0.0, 0.0)
        return Match(transform, inliers / int(inside.sum()), 0.0)

    def alike(self, gray: Gray, transform: Homography) -> float:
        """Share of the textured parts of the picture that look the same after `transform`, 0 to 1."""
        size = (gray.shape[1], gray.shape[0])
        warped = cv2.warpPerspective(self._gray, transform, size).astype(np.float32)
        inside = cv2.warpPerspective(np.full_like(self._gray, 255), transform, size)
        now = gray.astype(np.float32)
        same = counted = 0
        for top in range(0, size[1] - _NCC_CELL + 1, _NCC_CELL):
            for left in range(0, size[0] - _NCC_CELL + 1, _NCC_CELL):
                part = (slice(top, top + _NCC_CELL), slice(left, left + _NCC_CELL))
                if int(inside[part].min()) < 255 or float(warped[part].std()) < _NCC_TEXTURE:
                    continue
                counted += 1
                score = cv2.matchTemplate(now[part], warped[part], cv2.TM_CCOEFF_NORMED)
                same += float(score[0, 0]) > _NCC_ALIKE
        return same / counted if counted >= 6 else 0.0


def between_cells(transform: Homography, size: tuple[int, int], cells: tuple[int, int]) -> Homography:
    """Return a transform of pictures as one of the cells into which they are divided.

    Args:
        transform: (3, 3), from pixels to pixels.
        size: Width and height of the pictures, pixels.
        cells: How many there are side by side and above each other.
    """
    shrink = np.diag([cells[0] / size[0], cells[1] / size[1], 1.0])
    middle = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])  # of a cell, not its corner
    through = np.linalg.inv(middle) @ shrink @ transform @ np.linalg.inv(shrink) @ middle
    return np.asarray(through, np.float64)


def farthest(transform: Homography, size: tuple[int, int]) -> float:
    """How far a transform moves the picture's content, pixels: the most of nine places over it."""
    width, height = size
    grid = np.array([[x * width, y * height] for x in (0.1, 0.5, 0.9) for y in (0.1, 0.5, 0.9)], np.float64)
    moved = cv2.perspectiveTransform(grid[None], transform)[0]
    return float(np.hypot(*(moved - grid).T).max())


def plausible(transform: Homography, size: tuple[int, int]) -> bool:
    """Whether a camera over a table can have moved like this: not mirrored, zoomed within reason.

    It still shows much of what it showed. The pattern of a back is the same turned round, and of two piles
    on a plain cloth one looks like the other, turned about a place between them.
    """
    width, height = size
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)
    depths = corners @ transform[2, :2] + transform[2, 2]
    if not np.isfinite(transform).all() or depths.min() * depths.max() <= 0 or abs(depths).min() < 1e-6:
        return False
    moved = cv2.perspectiveTransform(corners[None], transform)[0]
    ahead = np.roll(moved, -1, axis=0) - moved
    turns = ahead[:, 0] * np.roll(ahead[:, 1], -1) - ahead[:, 1] * np.roll(ahead[:, 0], -1)
    if not (turns > 0).all():
        return False
    sides = np.hypot(*ahead.T) / np.array([width, height, width, height])
    if sides.min() <= _SHRINK or sides.max() >= _GROW:
        return False
    two = corners.astype(np.float32), moved.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(*two)
    return bool(shared >= _SHOWS * min(cv2.contourArea(each) for each in two))


def _spread(gray: Gray, without: NDArray[np.bool_] | None) -> NDArray[np.float32]:
    """The strongest corners of each part of the picture, (n, 2)."""
    strength = np.asarray(cv2.cornerMinEigenVal(gray.astype(np.float32) / 255.0, 5, ksize=3), np.float32)
    peaks = (strength >= cv2.dilate(strength, np.ones((9, 9), np.uint8))) & (strength > _LEAST_EIGEN)
    peaks[:8], peaks[-8:], peaks[:, :8], peaks[:, -8:] = False, False, False, False
    if without is not None and without.any():
        size = (gray.shape[1], gray.shape[0])
        peaks &= cv2.resize(without.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) == 0
    spots = _strongest(strength, peaks & _unwritten(gray))
    return spots if len(spots) >= _ENOUGH else _strongest(strength, peaks)


def _unwritten(gray: Gray) -> NDArray[np.bool_]:
    """Where in the picture nothing is written by the camera, (h, w)."""
    there = np.ones(gray.shape, bool)
    edge = round(_WRITTEN * len(gray))
    there[:edge], there[len(gray) - edge :] = False, False
    return there


def _strongest(strength: NDArray[np.float32], peaks: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The strongest peaks of each part of the picture, (n, 2)."""
    rows, columns = np.nonzero(peaks)
    order = np.argsort(-strength[rows, columns], kind="stable")
    height, width = strength.shape
    room: dict[tuple[int, int], int] = {}
    kept: list[tuple[int, int]] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        cell = (int(row) * _ROWS // height, int(column) * _COLUMNS // width)
        if room.get(cell, 0) < _PER_CELL:
            room[cell] = room.get(cell, 0) + 1
            kept.append((int(column), int(row)))
    return np.array(kept, np.float32).reshape(-1, 2)


def _evened(gray: Gray) -> Gray:
    """Return the picture without its light, (h, w) uint8: a lamp that is switched on or off moves nothing.

    The flow of Lucas and Kanade takes a spot to be as bright as it was. What stays under another light is
    how much each pixel differs from those around it, measured by how much they differ at all.
    """
    size = (_EVEN_PX, _EVEN_PX)
    mean = cv2.blur(gray, size)
    spread = cv2.convertScaleAbs(cv2.blur(cv2.absdiff(gray, mean), size), beta=_EVEN_LEVELS)
    away = cv2.subtract(gray, mean, dtype=cv2.CV_16S)
    even = cv2.divide(away, spread, scale=_EVEN_GAIN, dtype=cv2.CV_16S)
    return np.asarray(cv2.convertScaleAbs(even, beta=128), np.uint8)


def _flow(one: Gray, two: Gray, spots: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
    """Where spots went from one evened picture to the next, and which were found there and back."""
    start = np.ascontiguousarray(spots[:, None])
    room = np.zeros_like(start)
    there, ahead, _ = cv2.calcOpticalFlowPyrLK(one, two, start, room, winSize=_WINDOW, maxLevel=_LEVELS)
    again, back, _ = cv2.calcOpticalFlowPyrLK(
        two, one, there, np.zeros_like(start), winSize=_WINDOW, maxLevel=_LEVELS
    )
    error = np.hypot(*(np.asarray(again)[:, 0] - spots).T)
    found = (np.asarray(ahead).ravel() == 1) & (np.asarray(back).ravel() == 1) & (error < _BACK_PX)
    return np.asarray(there, np.float32)[:, 0], np.asarray(found, bool)


def _fitted(
    one: NDArray[np.float32], two: NDArray[np.float32], within_px: float
) -> tuple[Homography | None, int]:
    """The transform that most pairs follow, and how many do.

    A similarity where it explains nearly as much as a homography: with few pairs that lie close
    together the latter invents perspective where nothing shows it.
    """
    if len(one) < 6:
        return None, 0
    similar, mask = cv2.estimateAffinePartial2D(
        one, two, method=cv2.RANSAC, ransacReprojThreshold=within_px, maxIters=2000, confidence=0.999
    )
    like = 0 if similar is None or mask is None else int(mask.sum())
    full, mask = cv2.findHomography(one, two, cv2.USAC_MAGSAC, within_px, maxIters=2000)
    whole = 0 if full is None or mask is None else int(mask.sum())
    if like and whole < 1.15 * like:
        return np.vstack([similar, [0.0, 0.0, 1.0]]).astype(np.float64), like
    return (np.asarray(full, np.float64), whole) if whole else (None, 0)


def _described(gray: Gray) -> tuple[NDArray[np.float32], NDArray[np.uint8]]:
    points, descriptors = cv2.ORB.create(nfeatures=_ORB_FEATURES, fastThreshold=8).detectAndCompute(
        gray, _unwritten(gray).astype(np.uint8)
    )
    if descriptors is None:
        return np.zeros((0, 2), np.float32), np.zeros((0, 32), np.uint8)
    return np.array([point.pt for point in points], np.float32), np.asarray(descriptors, np.uint8)
