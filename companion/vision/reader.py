"""Frame to reading: the motion gate decides whether the networks need to look."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, Button, Detection, Frame, Motion, Reading
from companion.table.quad import inverse, mapped, mean_side
from companion.vision.alignment import Aligner, Alignment, Sight
from companion.vision.button import ButtonFinder
from companion.vision.constellation import moved_together
from companion.vision.deck import Deck
from companion.vision.detector import CardDetector
from companion.vision.landmarks import between_cells
from companion.vision.motion import MotionGate
from companion.vision.recall import Recall
from companion.vision.stall import Stall

__all__ = ["Buttons", "CardSize", "Detector", "Reader"]

_AGAIN_S = 1.0
"""A still table is looked at again after this time."""
_MEMORY = 200
_SMALLEST, _LARGEST = 0.6, 1.6
"""A card at the far edge of a table seen from 50 degrees is about 0.7 of one in the middle."""
_PICTURED, _FEW = 0.52, 10
"""A face much smaller than the largest tenth of the sure ones, so many at least, is the picture of a card: on
a phone it has four tenths of its size."""
_HEAT = 0.5
"""Outlines with less heat may be of anything."""
_STEADY_S = 0.8
"""After the last motion every frame is looked at for this long."""
_STRANGE_S = 2.0
"""A picture that nothing connects with those before must stand still for so long before its cards count."""
_FROZEN_S, _STALLED_S = 0.3, 1.0
"""A camera that gives the same picture for so long has not looked, and for so long it is blind: cards may
have been played that nobody saw."""
_DARK, _PAPER = 30.0, 99.8
"""Where this percentile of the grey levels is below the first, the light is out: white paper would be
brighter. In three frames darkened to 33 and more two to five cards were read surely, at 29 and less one or
none."""
_LIGHT = 0.5
"""So much of the picture changes at once where the camera stands still: then it is the light."""
_PLACES = 6
"""Places of buttons that are kept in mind."""


class Detector(Protocol):
    """Anything that finds and names the cards of a picture."""

    def detect(self, bgr: NDArray[np.uint8], time: float = 0.0) -> tuple[Detection, ...]:
        """Find and name cards, surest first."""
        ...


class Buttons(Protocol):
    """Anything that finds announcement buttons; `companion.vision.button.ButtonFinder` is one."""

    def find(
        self, bgr: NDArray[np.uint8], cards: Sequence[Detection], before: Sequence[Button] = ()
    ) -> tuple[Button, ...]:
        """Find buttons beside `cards`, and where they were `before`."""


class CardSize:
    """How large cards are on this table: one pack, one camera, one size.

    A coin or a plank of the table that looks a little like a card is much smaller or larger
    than one. The size is learnt from faces that are found and named with certainty, the last
    `_MEMORY` of them. Such a face is left out only where it is much smaller than others of them:
    a card on the page of a phone is. Planks may be taken for backs, so until a face is known these
    only tell of what has little heat of its own that it is far too small.

    Attributes:
        least: Side below which nothing is a card, however sure its name; 0 while few faces are known.
    """

    def __init__(self) -> None:
        self._seen: deque[float] = deque(maxlen=_MEMORY)
        self._backs: deque[float] = deque(maxlen=_MEMORY)
        self.least = 0.0

    def fitting(self, detections: tuple[Detection, ...]) -> tuple[Detection, ...]:
        """The detections that may be cards by their size."""
        self._seen.extend(mean_side(each.corners) for each in detections if _is_sure_face(each))
        self._backs.extend(
            mean_side(each.corners) for each in detections if each.best == BACK and each.score > _HEAT
        )
        if not self._seen:
            least = (
                _SMALLEST * sorted(self._backs)[len(self._backs) // 2] if len(self._backs) >= _FEW else 0.0
            )
            return tuple(each for each in detections if each.score > _HEAT or mean_side(each.corners) > least)
        sizes = sorted(self._seen)
        largest = sizes[-max(_FEW, len(sizes) // 10)] if len(sizes) >= _FEW else 0.0
        real = [size for size in sizes if size >= _PICTURED * largest]
        usual = real[len(real) // 2]
        pictured, smallest = _PICTURED * largest, _SMALLEST * usual
        self.least = min(pictured, smallest)
        return tuple(
            each
            for each in detections
            if (mean_side(each.corners) >= pictured and _is_sure_face(each))
            or smallest < mean_side(each.corners) < _LARGEST * usual
        )


def _is_dark(bgr: NDArray[np.uint8]) -> bool:
    """Whether no card could be read for want of light; every eighth pixel tells."""
    blue, green, red = (bgr[::8, ::8, colour] for colour in range(3))
    levels = np.maximum(np.maximum(blue, green), red)
    if np.count_nonzero(levels >= _DARK) >= (1 - _PAPER / 100) * levels.size + 2:
        return False  # as most pictures are: the percentile, slow to find, lies among these
    return float(np.percentile(levels, _PAPER)) < _DARK


def _is_sure_face(detection: Detection) -> bool:
    return detection.best < BACK and detection.confidence > 0.9 and detection.score > _HEAT


class Reader:
    """Reads frames in their order.

    All places in a reading are the table's, wherever the camera went meanwhile (`Aligner`).

    Args:
        detector: Usually a `CardDetector`.
        buttons: Looks for announcement buttons; without, none are seen.
        recall: Looks for backs where they lay; without, only what the detector finds is seen.
    """

    def __init__(
        self, detector: Detector, buttons: Buttons | None = None, recall: Recall | None = None
    ) -> None:
        self._detector = detector
        self._finder = buttons
        self._recall = recall
        self._gate = MotionGate()
        self._aligner = Aligner()
        self._alignment = Alignment(Sight.STEADY, None)
        self._size = CardSize()
        self._last: tuple[Detection, ...] = ()
        self._buttons: tuple[Button, ...] = ()
        self._lay: deque[Button] = deque(maxlen=_PLACES)
        """Where buttons were found, pixels of the frame: whether one is gone must be looked for."""
        self._known: tuple[Detection, ...] = ()
        """The cards as they lay when the table was seen last."""
        self._looked = self._moved = self._tried = -np.inf
        self._unseen = 0
        """Frames running that did not show the table; a single one is passed over, not blind."""
        self._stall, self._stalled, self._dark = Stall(), False, False
        self._motion = Motion(np.zeros((0, 0), bool), 0.0, 0.0)
        """Of the last frame that was looked at, in the picture."""

    @classmethod
    def of(cls, models: Path, *, threads: int = 1, deck: Deck | None = None) -> Self:
        """A reader with the shipped networks.

        Args:
            models: Their folder.
            threads: Of each network.
            deck: The pack on the table, where it was enrolled.
        """
        return cls.through(CardDetector(models, threads, deck=deck), ButtonFinder(models, threads=threads))

    @classmethod
    def through(cls, detector: CardDetector, buttons: ButtonFinder) -> Self:
        """A reader with networks that are loaded already."""
        return cls(detector, buttons, Recall(detector.classifier))

    @property
    def blind(self) -> bool:
        """Whether the last frame showed nothing of the table."""
        return self._stalled or self._dark or self._alignment.sight is Sight.BLIND

    def read(self, frame: Frame) -> Reading:
        """Read the next frame; on a still table the cards of the frame before still hold."""
        size = (int(frame.bgr.shape[1]), int(frame.bgr.shape[0]))
        lasts = self._stall.lasts(frame.bgr, frame.time)
        self._stalled = lasts is not None and lasts >= _STALLED_S
        if lasts is not None:
            return self._frozen(frame.time, size, lasts)
        motion = self._motion = self._gate.update(frame.bgr, frame.time)
        stirred = bool(motion.moved.any())
        self._stall.looked(frame.bgr, frame.time, stirred=stirred)
        if stirred:
            self._moved = frame.time
        still = frame.time - self._moved > _STEADY_S and frame.time - self._looked < _AGAIN_S
        if still and not self._unseen:
            motion = _on_table(motion, size, self._alignment)
            return self._reading(frame.time, size, motion, fresh=False)
        self._looked = frame.time
        self._dark = _is_dark(frame.bgr)
        self._alignment = self._aligner.update(frame.bgr, frame.time, self._gate.recent)
        if self.blind and not self._unseen:
            self._unseen = 1
            motion = _on_table(motion, size, self._alignment)
            return self._reading(frame.time, size, motion, fresh=False)
        was_blind, self._unseen = self._unseen > 1, self._unseen + 1 if self.blind else 0
        if self.blind:
            self._last, self._buttons = (), ()
            self._look_for_cards(frame)
        everywhere = _everywhere(motion)
        if self.blind:
            return self._reading(frame.time, size, everywhere)
        if was_blind or self._alignment.sight is Sight.MOVED or motion.fraction > _LIGHT:
            self._gate.restart()
            motion = everywhere
        found = self._detector.detect(frame.bgr, frame.time)
        self._last = self._size.fitting(tuple(_placed(each, self._alignment) for each in found))
        if self._recall is not None:
            to_frame = inverse(self._alignment.to_table)
            self._last += self._recall.lost(frame.bgr, self._last, frame.time, to_frame)
        if self._last:
            self._known = self._last
        if self._finder is not None:
            seen = self._finder.find(frame.bgr, found, self._lay)
            self._lay.extend(each for each in seen if not any(_is_there(each, other) for other in self._lay))
            self._buttons = tuple(_placed_button(each, self._alignment) for each in seen)
        return self._reading(frame.time, size, _on_table(motion, size, self._alignment))

    def _reading(self, time: float, size: tuple[int, int], motion: Motion, *, fresh: bool = True) -> Reading:
        blind, to_table = fresh and self.blind, self._alignment.to_table
        return Reading(
            time, size, self._last, motion, fresh, blind, to_table, self._buttons, self._size.least
        )

    def _frozen(self, time: float, size: tuple[int, int], lasts: float) -> Reading:
        """Read the picture of the frame before once more.

        A film whose frames were doubled gives it twice, a camera or a network that stalls for longer.
        What has moved meanwhile nobody saw: cards in a hand that seem to rest there do not. After a
        second nothing of the table is seen.
        """
        motion = self._motion if lasts < _FROZEN_S else _everywhere(self._motion)
        if self._stalled:
            self._unseen, self._last, self._buttons = max(2, self._unseen), (), ()
            return self._reading(time, size, motion)
        return self._reading(time, size, _on_table(motion, size, self._alignment), fresh=False)

    def _look_for_cards(self, frame: Frame) -> None:
        """Find out whether a picture that nothing connects with those before shows the table.

        It must stand still. What covers the camera shows no cards. A table from another side does,
        and those that lie there as before say from which.
        """
        since = self._aligner.still_since
        if since is None or frame.time - since < _STRANGE_S or frame.time - self._tried < _AGAIN_S:
            return
        self._tried = frame.time
        found = self._detector.detect(frame.bgr, frame.time)
        if any(_is_sure_face(each) for each in found):
            way = moved_together(self._known, found)
            self._alignment = self._aligner.settle_for(frame.bgr, frame.time, way)


def _everywhere(motion: Motion) -> Motion:
    """Return a motion that says that anything may have moved."""
    return Motion(np.ones_like(motion.moved), 0.0, 0.0)


def _placed(detection: Detection, alignment: Alignment) -> Detection:
    """A detection where it lies on the table."""
    if alignment.to_table is None:
        return detection
    corners = cv2.perspectiveTransform(detection.corners[None].astype(np.float64), alignment.to_table)[0]
    return replace(detection, corners=corners.astype(np.float32))


def _is_there(one: Button, other: Button) -> bool:
    """Whether two buttons lie at one place."""
    return float(np.hypot(one.x - other.x, one.y - other.y)) < one.size / 2


def _placed_button(button: Button, alignment: Alignment) -> Button:
    """A button where it lies on the table."""
    if alignment.to_table is None:
        return button
    ends = np.array([[button.x, button.y], [button.x + button.size, button.y]])
    (x, y), end = mapped(ends, alignment.to_table)
    return replace(button, x=float(x), y=float(y), size=float(np.hypot(end[0] - x, end[1] - y)))


def _on_table(motion: Motion, size: tuple[int, int], alignment: Alignment) -> Motion:
    """Motion where it is on the table, and arms from the sides of the players.

    What lies outside the picture may move: nobody sees that it does not.
    """
    if alignment.to_table is None:
        return motion
    height, width = motion.moved.shape
    through = between_cells(alignment.to_table, size, (width, height))
    cells_of = [
        cv2.warpPerspective(
            each.astype(np.uint8), through, (width, height), flags=cv2.INTER_NEAREST, borderValue=outside
        ).astype(bool)
        for each, outside in ((motion.moved, 1), (np.ones_like(motion.moved), 0))
    ]
    south, north = (motion.north, motion.south) if alignment.turned else (motion.south, motion.north)
    return Motion(cells_of[0], south, north, cells_of[1], motion.beside)
