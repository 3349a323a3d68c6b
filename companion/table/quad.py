"""Card outlines as quadrilaterals: size, distance, overlap.

All functions take corners as in `Detection.corners`: (4, 2), pixels, clockwise on screen,
the first side a short one. They are plain geometry and know nothing of cards.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Quad",
    "aligned",
    "area",
    "corner_distance",
    "covered",
    "inverse",
    "is_in_view",
    "mapped",
    "mean_side",
    "overlap",
    "short_side",
]

Quad = NDArray[np.floating[Any]]
Points = list[Sequence[float]]

_OTHER_END = [2, 3, 0, 1]
"""The order of the corners that begins at a card's other end."""


def _points(quad: Quad) -> Points:
    points: Points = quad.tolist()  # four corners: arrays cost more than they save
    return points


def _polygon_area(points: Points) -> float:
    total = 0.0
    (ax, ay), *others = points
    for bx, by in (*others, points[0]):
        total += ax * by - bx * ay
        ax, ay = bx, by
    return total / 2.0


def area(quad: Quad) -> float:
    """Area in square pixels.

    >>> area(np.array([[0, 0], [2, 0], [2, 3], [0, 3]]))
    6.0
    """
    return abs(_polygon_area(_points(quad)))


def mean_side(quad: Quad) -> float:
    """Square root of the area in pixels: the same however a card is turned."""
    return math.sqrt(area(quad))


def short_side(quad: Quad) -> float:
    """Mean length of the two short sides in pixels, the unit of distances on the table."""
    a, b, c, d = _points(quad)
    first = math.dist(a, b) + math.dist(c, d)
    second = math.dist(b, c) + math.dist(d, a)
    return min(first, second) / 2.0


def aligned(quad: Quad, reference: Quad) -> Quad:
    """Return `quad` started at the end nearer to `reference`'s start (a card has two ends)."""
    turned = quad[_OTHER_END]
    straight = float(np.abs(quad - reference).sum())
    return quad if straight <= float(np.abs(turned - reference).sum()) else turned


def is_in_view(quad: Quad, shape: tuple[int, ...]) -> bool:
    """Whether corners are of a convex quadrilateral of some size that reaches into a picture.

    Args:
        quad: As above.
        shape: Of the picture: height, width, and whatever follows.
    """
    corners = np.asarray(quad, np.float64)
    ahead = np.roll(corners, -1, axis=0) - corners
    turn = ahead[:, 0] * np.roll(ahead[:, 1], -1) - ahead[:, 1] * np.roll(ahead[:, 0], -1)
    if not (turn > 4).all():
        return False
    centre = corners.mean(axis=0)
    reach = np.abs(corners - centre).max(axis=0)
    return bool((centre + reach > 0).all() and (centre - reach < [shape[1], shape[0]]).all())


def inverse(through: NDArray[np.float64] | None) -> NDArray[np.float64] | None:
    """Return the homography that leads back, (3, 3); `None`, as in `mapped`, leads nowhere else."""
    return None if through is None else np.asarray(np.linalg.inv(through), np.float64)


def mapped(quad: Quad, through: NDArray[np.float64] | None) -> Quad:
    """Return where the corners lie after a homography, (3, 3); `None`: where they are.

    >>> mapped(np.array([[1, 2], [3, 2], [3, 5], [1, 5]]), np.diag([2.0, 2.0, 1.0]))[0].tolist()
    [2.0, 4.0]
    """
    if through is None:
        return quad
    across = np.c_[quad.astype(np.float64), np.ones(len(quad))] @ through.T
    placed: Quad = (across[:, :2] / across[:, 2:]).astype(np.float32)
    return placed


def corner_distance(one: Quad, two: Quad) -> float:
    """Mean distance of corresponding corners in pixels, whichever end either starts at."""
    ours, theirs = _points(one), _points(two)
    turned = ours[2:] + ours[:2]
    if _steps(turned, theirs) < _steps(ours, theirs):
        ours = turned
    return sum(map(math.dist, ours, theirs)) / len(theirs)


def _steps(one: Points, two: Points) -> float:
    """Sum over the corners of how far they lie apart along x and along y."""
    total = 0.0
    for (ax, ay), (bx, by) in zip(one, two, strict=True):
        total += abs(ax - bx) + abs(ay - by)
    return total


def _intersection(subject: Points, clip: Points) -> float:
    """Area of the overlap of two convex polygons (Sutherland and Hodgman, 1974)."""
    if _polygon_area(clip) < 0:
        clip = clip[::-1]
    out = subject
    for (ax, ay), (bx, by) in zip(clip, clip[1:] + clip[:1], strict=True):
        if not out:
            return 0.0
        sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in out]
        kept: Points = []
        for i, point in enumerate(out):
            j = (i + 1) % len(out)
            if sides[i] >= 0:
                kept.append(point)
            if (sides[i] >= 0) != (sides[j] >= 0):
                share = sides[i] / (sides[i] - sides[j])
                x = point[0] + share * (out[j][0] - point[0])
                y = point[1] + share * (out[j][1] - point[1])
                kept.append((x, y))
        out = kept
    return abs(_polygon_area(out)) if len(out) > 2 else 0.0


def _apart(one: Points, two: Points) -> bool:
    """Whether the boxes around two outlines have nothing in common; most cards on a table lie apart."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = one
    (ex, ey), (fx, fy), (gx, gy), (hx, hy) = two
    if max(ax, bx, cx, dx) <= min(ex, fx, gx, hx) or max(ex, fx, gx, hx) <= min(ax, bx, cx, dx):
        return True
    return max(ay, by, cy, dy) <= min(ey, fy, gy, hy) or max(ey, fy, gy, hy) <= min(ay, by, cy, dy)


def covered(below: Quad, above: Quad) -> float:
    """Share of `below`'s area that lies under `above`, 0 to 1.

    >>> square = np.array([[0, 0], [2, 0], [2, 2], [0, 2]])
    >>> covered(square, square + 1)
    0.25
    """
    ours, theirs = _points(below), _points(above)
    if _apart(ours, theirs):
        return 0.0
    whole = abs(_polygon_area(ours))
    return _intersection(ours, theirs) / whole if whole else 0.0


def overlap(one: Quad, two: Quad) -> float:
    """Intersection over union, 0 to 1."""
    ours, theirs = _points(one), _points(two)
    if _apart(ours, theirs):
        return 0.0
    shared = _intersection(ours, theirs)
    union = abs(_polygon_area(ours)) + abs(_polygon_area(theirs)) - shared
    return shared / union if union > 0.0 else 0.0
