"""Cards that lie still tell where a moved camera stands, where the pictures themselves do not connect.

Two pictures from opposite sides of a table share hardly a feature, but the cards in them have names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, product

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
MUCH_BETTER = 0.5
"""A way with perspective leaves at most this share of the squared distances that one without leaves: from
cards that lie close together it is told by what the corners are wrong by, and misplaces all else."""

Way = NDArray[np.float64]
"""(3, 3), from the pixels of now to those of before."""
Pair = tuple[NDArray[np.float64], NDArray[np.float64]]
"""(4, 2) corners of a card as it is seen, and as it lay."""


@dataclass(frozen=True, slots=True, eq=False)
class _Told:
    """A way, and the cards that went it; the corners of each pair begin at the same end."""

    way: Way
    faces: tuple[Pair, ...]
    backs: tuple[Pair, ...]

    @property
    def agreeing(self) -> tuple[int, int]:
        """How much speaks for it: backs only decide between ways that as many faces went."""
        return len(self.faces), len(self.backs)


def moved_together(before: Sequence[Detection], now: Sequence[Detection]) -> Way | None:
    """Find the one way in which the cards lie in another place now.

    Args:
        before: As the cards lay, on the table.
        now: As they are seen.

    Returns:
        (3, 3), from the pixels of `now` to those of `before`; `None` where fewer than `FEWEST`
        named cards agree, or as much speaks for another way.
    """
    faces = [
        (_corners(seen), _corners(lay))
        for seen in now
        for lay in before
        if seen.best < BACK and seen.best == lay.best and min(seen.confidence, lay.confidence) >= SURE
    ]
    backs = [
        (_corners(seen), _corners(lay)) for seen in now for lay in before if seen.best == lay.best == BACK
    ]
    told = [_told(way, faces, backs) for way in _ways(faces)]
    best = max(told, key=lambda each: each.agreeing, default=None)
    if best is None or len(best.faces) < FEWEST:
        return None
    rivals = (each.way for each in told if each.agreeing == best.agreeing)
    if any(_apart(best.way, rival, best.faces) for rival in rivals):
        return None
    return _refined([*best.faces, *best.backs])


def _corners(detection: Detection) -> NDArray[np.float64]:
    return detection.corners.astype(np.float64)


def _ways(faces: Sequence[Pair]) -> Iterator[Way]:
    """The ways that two cards may have gone; which end of a card is which its corners do not tell."""
    for (seen, lay), (other, there) in combinations(faces, 2):
        if seen is not other and lay is not there:
            for one, two in product((0, 2), repeat=2):
                ends = [np.roll(lay, one, axis=0), np.roll(there, two, axis=0)]
                yield _similar(np.concatenate([seen, other]), np.concatenate(ends))


def _similar(one: NDArray[np.float64], two: NDArray[np.float64]) -> Way:
    """The turn, scale and shift from points to others that leaves the least squares."""
    middle, there = one.mean(axis=0), two.mean(axis=0)
    ahead, behind = ((points @ (1, 1j)) for points in (one - middle, two - there))
    turn = np.vdot(ahead, behind) / np.vdot(ahead, ahead)
    matrix = np.array([[turn.real, -turn.imag], [turn.imag, turn.real]])
    way = np.eye(3)
    way[:2, :2], way[:2, 2] = matrix, there - matrix @ middle
    return way


def _told(way: Way, faces: Sequence[Pair], backs: Sequence[Pair]) -> _Told:
    """A way, or the one with perspective that its cards went, if that has more of them."""
    told = _Told(way, _went(way, faces), _went(way, backs))
    if len(told.faces) < FEWEST:
        return told
    closer = _refined([*told.faces, *told.backs])
    return max(told, _Told(closer, _went(closer, faces), _went(closer, backs)), key=lambda one: one.agreeing)


def _went(way: Way, pairs: Sequence[Pair]) -> tuple[Pair, ...]:
    """The cards that lie where a way puts them."""
    moved = [_through(way, seen) for seen, _ in pairs]
    return tuple(
        (seen, _nearer(there, lay))
        for (seen, lay), there in zip(pairs, moved, strict=True)
        if corner_distance(there, lay) < NEAR * short_side(lay)
    )


def _refined(pairs: Sequence[Pair]) -> Way:
    """The way that all these cards went, with perspective where they show it."""
    one, two = (np.asarray(np.concatenate([pair[side] for pair in pairs]), np.float64) for side in (0, 1))
    similar = _similar(one, two)
    found, _ = cv2.findHomography(one, two, 0)
    if found is None:
        return similar
    full = np.asarray(found, np.float64)
    off, least = (float(((_through(way, one) - two) ** 2).sum()) for way in (similar, full))
    return full if least < MUCH_BETTER * off else similar


def _through(way: Way, corners: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray(cv2.perspectiveTransform(corners[None], way)[0], np.float64)


def _nearer(moved: NDArray[np.float64], corners: NDArray[np.float64]) -> NDArray[np.float64]:
    """`corners` from the end that `moved` begins at."""
    turned = np.roll(corners, 2, axis=0)
    straight = np.abs(moved - corners).sum() <= np.abs(moved - turned).sum()
    return corners if straight else turned


def _apart(one: Way, other: Way, pairs: Sequence[Pair]) -> bool:
    """Whether two ways put the same cards into different places."""
    return any(
        float(np.hypot(*(_through(one, seen) - _through(other, seen)).T).mean()) > NEAR * short_side(lay)
        for seen, lay in pairs
    )
