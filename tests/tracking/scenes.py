"""Small scenes for the tracker: which detections each frame shows, where something moves, who reaches in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.rules.cards import PACK_24, Card
from companion.table.detection import CLASSES, Detection, Motion, Reading
from companion.table.observation import Observation, TableView
from companion.tracking.tracker import Tracker

SIZE = (1280, 720)
FPS = 10.0


def box(x: float, y: float) -> np.ndarray:
    """Corners of an upright card centred at a place."""
    return np.array([[x - 48, y - 74], [x + 48, y - 74], [x + 48, y + 74], [x - 48, y + 74]], np.float32)


def seen(name: str, x: float, y: float, *, sure: float = 0.9, score: float = 0.9) -> Detection:
    """A detection of a card, read as `name` with probability `sure`."""
    index = PACK_24.index(Card.parse(name)) if len(name) == 2 else CLASSES.index(name)
    probs = np.full(len(CLASSES), (1.0 - sure) / (len(CLASSES) - 1), np.float32)
    probs[index] = sure
    return Detection(box(x, y), probs, score, 0.0)


@dataclass
class Frame:
    """One frame of a scene."""

    cards: Sequence[Detection] = ()
    south: float = 0.0
    north: float = 0.0
    moved: tuple[float, float] | None = None
    fresh: bool = True
    unwatched: float = 0.0
    """Seconds before it in which nobody looked."""
    below: int | None = None
    """Row of cells from which on the picture shows nothing, since the camera was moved."""
    beside: float = 0.0
    least: float = 0.0
    """Side below which nothing is a card."""


def watch(frames: Sequence[Frame], fps: float = FPS, tracker: Tracker | None = None) -> Iterator[TableView]:
    """Show frames to a tracker, a new one if none is given, so many a second."""
    tracker, unwatched = tracker or Tracker(), 0.0
    for number, frame in enumerate(frames):
        unwatched += frame.unwatched
        time = number / fps + unwatched
        cells = np.zeros((45, 80), dtype=bool)
        if frame.moved is not None:
            x, y = int(frame.moved[0] / 16), int(frame.moved[1] / 16)
            cells[max(0, y - 5) : y + 6, max(0, x - 4) : x + 5] = True
        shown = None
        if frame.below is not None:
            shown = np.ones_like(cells)
            shown[frame.below :] = False
        cards = tuple(Detection(card.corners, card.probs, card.score, time) for card in frame.cards)
        motion = Motion(
            cells if shown is None else cells | ~shown, frame.south, frame.north, shown, frame.beside
        )
        yield tracker.update(Reading(time, SIZE, cards, motion, fresh=frame.fresh, least=frame.least))


def last(frames: Sequence[Frame]) -> TableView:
    """The view after the last frame."""
    return list(watch(frames))[-1]


def name_of(card: Observation) -> str:
    """What a track is most likely."""
    return CLASSES[int(card.log_probs.argmax())]
