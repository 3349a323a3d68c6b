"""Cards shown to a camera one after another: when one lies still, and when it is another one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, Detection, Frame
from companion.table.quad import aligned, area, covered
from companion.vision.deck import DeckError
from companion.vision.detector import CardDetector
from companion.vision.rectify import rectify

__all__ = ["Showing", "showings", "the_card"]

Crop = NDArray[np.uint8]
_EVERY_S = 0.15
"""Frames closer together than this are not looked at."""
_STILL_S = 0.45
"""A card that lies this long is shown."""
_NEAR = 0.04
"""Corners that move less than this, in card heights, lie still."""
_GONE_S = 0.4
"""A card that was not seen this long was taken away."""
_SAME = 0.97
"""Correlation of two crops from which they are of one card that was only nudged."""
_MOST_LOOKS = 64
"""Looks kept of one card that lies there."""
_CROPS = 3
"""Crops kept of one showing."""
_BACK = 0.5
"""What is told as a back so surely is none of the faces of a pack that is learnt."""


@dataclass(frozen=True, slots=True, eq=False)
class Showing:
    """One card, shown.

    Attributes:
        time: When it had come to rest, seconds since the first frame.
        crops: (144, 96, 3) uint8 each, spread over the showing.
        seen: What the detector said of it first.
    """

    time: float
    crops: tuple[Crop, ...]
    seen: Detection


def the_card(detector: CardDetector, bgr: NDArray[np.uint8]) -> Detection | None:
    """The one face of a picture, (H, W, 3) uint8; `None` where there is no card.

    Raises:
        DeckError: There are several of about one size, or backs alone, as which a cloth with an edge may be
            seen, too.
    """
    seen = detector.detect(bgr)
    found = [each for each in seen if each.best != BACK or each.confidence < _BACK]
    if not found:
        if seen:
            raise DeckError("a card's back is to be seen where its face is wanted")
        return None
    largest = max(found, key=lambda each: area(each.corners))
    beside = [
        each
        for each in found
        if area(each.corners) > 0.5 * area(largest.corners) and covered(each.corners, largest.corners) < 0.5
    ]
    if beside:
        raise DeckError(f"{1 + len(beside)} cards are to be seen where one is wanted")
    return largest


def showings(
    detector: CardDetector, frames: Iterable[Frame], lies: Callable[[bool], None] = lambda now: None
) -> Iterator[Showing]:
    """Each card that is laid down alone, or on the one before, and lies still; as soon as it is gone.

    Frames with several cards, or none, belong to no showing.

    Args:
        detector: Finds the card.
        frames: Looked at a few times a second.
        lies: Is told when a card lies there, and, after its showing, that it does no more.
    """
    before: Showing | None = None
    gone = True
    for lay in _lying(detector, frames, lies):
        gone = gone or lay.after_none
        ended = _ended(lay.looks)
        if ended is not None and not (before is not None and not gone and _alike(before, ended)):
            before, gone = ended, False
            yield ended
        lies(False)


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """One look at a card: the time in seconds, what was seen, and the card cut out of its picture."""

    time: float
    card: Detection
    crop: Crop


@dataclass(slots=True)
class _Lying:
    """Looks at a card that did not move between them, and whether none was to be seen before it."""

    looks: list[_Look]
    after_none: bool

    def add(self, look: _Look) -> None:
        """Take a look; of a card that lies there for long every other one is forgotten."""
        if len(self.looks) >= _MOST_LOOKS:
            self.looks = [*self.looks[:-1:2], self.looks[-1]]
        self.looks.append(look)


def _lying(detector: CardDetector, frames: Iterable[Frame], lies: Callable[[bool], None]) -> Iterator[_Lying]:
    last_look = last_seen = -1.0
    lying: _Lying | None = None
    for frame in frames:
        if frame.time - last_look < _EVERY_S:
            continue
        last_look = frame.time
        try:
            card = the_card(detector, frame.bgr)
        except DeckError:
            card = None
        if lying is not None and (card is None or _moved(lying.looks[-1].card, card) > _NEAR):
            yield lying
            lying = None
        if card is not None:
            if lying is None:
                lying = _Lying([], frame.time - last_seen > _GONE_S)
                lies(True)
            lying.add(_Look(frame.time, card, rectify(frame.bgr, card.corners)))
            last_seen = frame.time
    if lying is not None:
        yield lying


def _moved(one: Detection, two: Detection) -> float:
    """How far the corners went, in card heights."""
    tall = max(1.0, float(np.linalg.norm(one.corners[1] - one.corners[2])))
    return float(np.abs(aligned(two.corners, one.corners) - one.corners).max()) / tall


def _ended(shown: list[_Look]) -> Showing | None:
    if shown[-1].time - shown[0].time < _STILL_S:
        return None
    # its first and last looks may still show it being laid or lifted
    middle = shown[1:-1] or shown
    picked = [
        middle[round(share * (len(middle) - 1))] for share in np.linspace(0, 1, min(_CROPS, len(middle)))
    ]
    return Showing(shown[0].time, tuple(look.crop for look in picked), picked[0].card)


def _alike(one: Showing, two: Showing) -> bool:
    a, b = (_flat(each.crops[-1]) for each in (one, two))
    return max(float((a * b).mean()), float((a * _flat(two.crops[-1][::-1, ::-1])).mean())) > _SAME


def _flat(crop: Crop) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(crop, (0, 0), 1.5).astype(np.float32)
    return np.asarray((soft - soft.mean()) / (soft.std() + 1e-3), np.float32)
