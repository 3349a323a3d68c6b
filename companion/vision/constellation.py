"""Cards that lie still tell where a moved camera stands, where the pictures themselves do not connect.

Two pictures from opposite sides of a table share hardly a feature, but the cards in them have names.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, Detection
from companion.table.quad import corner_distance, short_side

__all__ = ["moved_together"]

SURE = 0.85
FEWEST = 2
"""So many named cards at least must have moved in the same way."""
NEAR = 0.6
"""Farthest that a card may lie from where the others say, in its short sides."""


def moved_together(before: Sequence[Detection], now: Sequence[Detection]) -> NDArray[np.float64] | None:
    """Find the one way in which the cards lie in another place now.

    Args:
        before: As the cards lay, on the table.
        now: As they are seen.

    Returns:
        (3, 3), from the pixels of `now` to those of `before`; `None` where fewer than `FEWEST`
        named cards agree, or as many agree on another way.
    """
    pairs = [
        (seen.corners.astype(np.float64), lay.corners.astype(np.float64))
        for seen in now
        for lay in before
        if seen.best < BACK and seen.best == lay.best and min(seen.confidence, lay.confidence) >= SURE
    ]
    ways: list[tuple[int, NDArray[np.float64], list[NDArray[np.float64]]]] = []
    for seen, lay in pairs:
        for turn in (0, 2):
            way = _similar(seen, np.roll(lay, turn, axis=0))
            if way is not None:
                fits = [
                    np.stack([one, _nearer(_through(way, one), two)])
                    for one, two in pairs
                    if corner_distance(_through(way, one), two) < NEAR * short_side(two)
                ]
                ways.append((len(fits), way, fits))
    ways.sort(key=lambda each: -each[0])
    if not ways or ways[0][0] < FEWEST:
        return None
    best, way, fits = ways[0]
    rivals = (other for number, other, _ in ways[1:] if number == best)
    if any(_apart(way, other, fits) for other in rivals):
        return None
    one, two = (np.concatenate([fit[side] for fit in fits]).astype(np.float32) for side in (0, 1))
    refined, _ = cv2.findHomography(one, two, 0)
    return np.asarray(way if refined is None else refined, np.float64)


def _similar(one: NDArray[np.float64], two: NDArray[np.float64]) -> NDArray[np.float64] | None:
    matrix, _ = cv2.estimateAffinePartial2D(one, two, method=cv2.LMEDS)
    if matrix is None or not np.isfinite(matrix).all():
        return None
    return np.asarray(np.vstack([matrix, [0.0, 0.0, 1.0]]), np.float64)


def _through(way: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(corners[None], way)[0], np.float64)


def _nearer(moved: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """`corners` from the end that `moved` begins at."""
    turned = np.roll(corners, 2, axis=0)
    straight = np.abs(moved - corners).sum() <= np.abs(moved - turned).sum()
    return corners if straight else turned


def _apart(one: NDArray[np.float64], two: NDArray[np.float64], fits: Sequence[NDArray[np.float64]]) -> bool:
    """Whether two ways put the same cards into different places."""
    return any(
        float(np.hypot(*(_through(one, fit[0]) - _through(two, fit[0])).T).mean()) > NEAR * short_side(fit[1])
        for fit in fits
    )
