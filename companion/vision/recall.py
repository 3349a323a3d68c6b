"""Cards face down that lay still are looked for where they lay.

The locator finds a card by its outline. A back laid across a back, as whoever closes does it, may leave none
that it knows; where a back lay before, what it looked like is known, and no outline is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, Detection
from companion.table.quad import mapped, overlap
from companion.vision.enrolment import Namer
from companion.vision.rectify import rectify

__all__ = ["Recall"]

_CERTAIN, _HEAT = 0.95, 0.5
"""Least sureness and heat of a back that is remembered."""
_LOOKS, _STILL_S = 5, 2.0
"""It has been found so often, over so long: a page of a phone is taken for one now and then."""
_BETWEEN_S = 1.5
"""What has been found less often is forgotten after this time."""
_KEPT_S = 8.0
"""What lay there is looked for so long after it was seen last: longer than an arm lies over it."""
_SAME_PLACE, _COVERED = 0.7, 0.3
"""Overlap from which on two outlines are of one place, and from which on something found lies in it."""
_NAMED, _ALIKE = 0.9, 0.45
"""Least sureness of what lies there, and least share of its colours that it has in common with what lay
there: cloth, too, is now and then named a back. A back across the same back has .6 to .98 in films, bare
cloth .32 at most beside 24 backs, other packs' backs .2 to .57."""
_LIGHTNESS, _HUE = 8, 12
"""Into how many steps lightness and each of both colour axes are told apart."""
_RECALLED = 0.3
"""Heat of what is recalled, no more than that of the faintest outline that is found."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """Where a back lay.

    Attributes:
        card: As it was found last, on the table.
        since: When it was found first, seconds.
        last: When it was seen last, found or recalled.
        looks: How often it was found.
        colours: As `_colours` has them, when it was found last.
    """

    card: Detection
    since: float
    last: float
    colours: NDArray[np.float32]
    looks: int = 1

    @property
    def lay_still(self) -> bool:
        """Whether it was found often enough to be looked for."""
        return self.looks >= _LOOKS and self.last - self.since >= _STILL_S

    def holds(self, time: float) -> bool:
        """Whether it is still remembered."""
        return time - self.last < (_KEPT_S if self.lay_still else _BETWEEN_S)


class Recall:
    """Remembers the backs of one table.

    Args:
        namer: Names crops.
    """

    def __init__(self, namer: Namer) -> None:
        self._namer = namer
        self._places: tuple[_Place, ...] = ()

    def lost(
        self,
        bgr: NDArray[np.uint8],
        found: Sequence[Detection],
        time: float,
        to_frame: NDArray[np.float64] | None = None,
    ) -> tuple[Detection, ...]:
        """Return the backs that lie where they lay and were not found.

        Args:
            bgr: (H, W, 3) uint8, the frame.
            found: What was found in it, where it lies on the table.
            time: Of the frame, seconds; it rises.
            to_frame: (3, 3), from the table's pixels to those of the frame; `None`: they are the same.
        """

        def cut(corners: NDArray[np.float32]) -> NDArray[np.uint8]:
            return rectify(bgr, np.asarray(mapped(corners, to_frame), np.float32))

        places = [place for place in self._places if place.holds(time)]
        for card in found:
            if _is_plain(card):
                at = next((place for place in places if _is_at(place, card)), None)
                since, looks = (time, 0) if at is None else (at.since, at.looks)
                now = _Place(card, since, time, _colours(cut(card.corners)), looks + 1)
                places = [*(place for place in places if place is not at), now]
        gone = [place for place in places if place.lay_still and not _is_taken(place, found)]
        crops = [cut(place.card.corners) for place in gone]
        recalled: list[Detection] = []
        for place, crop, look in zip(gone, crops, self._namer.classify(crops), strict=True):
            if look.probs[BACK] >= _NAMED and _in_common(_colours(crop), place.colours) >= _ALIKE:
                recalled.append(Detection(place.card.corners, look.probs, _RECALLED, time))
                places = [replace(each, last=time) if each is place else each for each in places]
        self._places = tuple(places)
        return tuple(recalled)


def _is_plain(detection: Detection) -> bool:
    """Whether it is a back beyond doubt."""
    return detection.best == BACK and detection.confidence >= _CERTAIN and detection.score >= _HEAT


def _is_at(place: _Place, card: Detection) -> bool:
    return overlap(place.card.corners, card.corners) > _SAME_PLACE


def _is_taken(place: _Place, found: Sequence[Detection]) -> bool:
    """Whether something was found there, the same back or what covers it."""
    return any(overlap(place.card.corners, each.corners) > _COVERED for each in found)


def _colours(crop: NDArray[np.uint8]) -> NDArray[np.float32]:
    """How much of a crop has which colour: float32, CIE L*a*b* in steps, sums to 1."""
    lab = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB)
    steps, ranges = [_LIGHTNESS, _HUE, _HUE], [0, 256, 64, 192, 64, 192]
    counts = cv2.calcHist([lab], [0, 1, 2], None, steps, ranges).reshape(_LIGHTNESS, -1)
    return np.asarray(counts / max(1.0, float(counts.sum())), np.float32)


def _in_common(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Share of their colours that two crops have in common."""
    return float(np.minimum(one, other).sum())
