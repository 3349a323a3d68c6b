"""A camera that shows what a test puts before it, and readers that see what lies there."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.commands.optics import TableOptics
from companion.live.pipeline import FrameReader
from companion.live.setting import Setting
from companion.table.detection import CLASSES, Detection, Frame, Motion, Reading
from companion.table.observation import TableView
from companion.vision.deck import Deck, write_deck
from companion.vision.fault import SourceError
from companion.vision.rectify import CARD
from companion.vision.showing import Showing
from companion.vision.turning import Turned

SIZE = (640, 360)
"""Width and height of the camera's picture."""


def table_picture(
    corners: tuple[tuple[float, float], ...], floor: tuple[int, int, int] = (90, 70, 60)
) -> NDArray[np.uint8]:
    """A green table with its corners at shares of the picture, on a floor."""
    bgr = np.full((SIZE[1], SIZE[0], 3), floor, np.uint8)
    noise = np.random.default_rng(1).integers(-6, 7, bgr.shape)
    outline = (np.array(corners) * SIZE).round().astype(np.int32)
    cv2.fillPoly(bgr, [outline], (60, 110, 40))
    return np.asarray(np.clip(bgr + noise, 0, 255), np.uint8)


def detection(card: str, x: float, y: float, confidence: float = 0.98) -> Detection:
    """A card with its middle at (x, y) pixels."""
    probs = np.full(len(CLASSES), (1 - confidence) / (len(CLASSES) - 1), np.float32)
    probs[CLASSES.index(card)] = confidence
    box = np.array([[-20, -30], [20, -30], [20, 30], [-20, 30]], np.float32)
    return Detection(box + np.float32([x, y]), probs, 0.9, 0.0)


class StagedCamera:
    """Gives one picture again and again, twenty times a second, until it is closed."""

    def __init__(self, bgr: NDArray[np.uint8]) -> None:
        self._bgr, self.closed = bgr, threading.Event()

    def close(self) -> None:
        """End it."""
        self.closed.set()

    def __iter__(self) -> Iterator[Frame]:
        """Yield the picture, as a camera does."""
        number = 0
        while not self.closed.wait(0.05):
            yield Frame(self._bgr, number * 0.05, number)
            number += 1


class StagedReader:
    """Sees the cards that lie there."""

    def __init__(self, cards: tuple[Detection, ...]) -> None:
        self._cards = cards

    def read(self, frame: Frame) -> Reading:
        """Say what lies there."""
        height, width = frame.bgr.shape[:2]
        return Reading(frame.time, (width, height), self._cards, Motion(np.zeros((9, 16), bool), 0.0, 0.0))


class Glance:
    """A tracker that tells nothing but the time; `StagedOptics` notes what the table was shown."""

    def update(self, reading: Reading) -> TableView:
        """An empty table at that time."""
        return TableView(reading.time, reading.size, (), False, False, True)


class StagedOptics(TableOptics):
    """The real stages of a set-up, but for the camera and the networks.

    Attributes:
        pictures: By camera what it shows; a camera that is not among them cannot be opened.
        cards: What readers see.
        opens: The settings for which a camera was opened.
        laid: Cards that are laid down while a pack is learnt.
    """

    def __init__(self, data: Path, pictures: dict[str, NDArray[np.uint8]], *cards: Detection) -> None:
        super().__init__(data, 1, None)
        self.pictures, self.cards = pictures, cards
        self.opens: list[Setting] = []
        self.laid: queue.SimpleQueue[str] = queue.SimpleQueue()

    def opened(self, setting: Setting) -> Turned:
        """Open the camera."""
        self.opens.append(setting)
        if setting.camera not in self.pictures:
            reason = "address" if "://" in (setting.camera or "") else "absent"
            raise SourceError(f"camera {setting.camera}: no camera answers there", reason)
        return Turned(StagedCamera(self.pictures[setting.camera]), setting.turn)

    def reader(self, setting: Setting, then: object, found: Callable[[bool], None]) -> FrameReader:
        """Make a reader for the table."""
        return StagedReader(self.cards)

    def trial_reader(self, setting: Setting) -> FrameReader:
        """Make a reader for a trial."""
        return StagedReader(self.cards)

    def tracker(self) -> Glance:
        """Make what follows nothing."""
        return Glance()

    def _showings(self, frames: Iterable[Frame], lies: Callable[[bool], None]) -> Iterator[Showing]:
        """Each card that is put into `laid`, as soon as a picture has come."""
        for frame in frames:
            while not self.laid.empty():
                crop = np.zeros(CARD.shape, np.uint8)
                yield Showing(frame.time, (crop,), detection(self.laid.get(), 100, 100))

    def _keep(self, deck: Deck) -> tuple[tuple[str, str], ...]:
        """Keep it for the test; two cards are always hard to tell apart."""
        write_deck(self._decks, deck)
        return (("KH", "KD"),)

    def cameras(self) -> tuple[tuple[str, str], ...]:
        """The cameras of this machine."""
        return tuple((camera, f"Webcam {camera}") for camera in self.pictures)
