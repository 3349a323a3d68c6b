"""What one frame shows: card outlines with probabilities, and motion."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import PACK_24, Card

__all__ = ["BACK", "CLASSES", "UNKNOWN", "Button", "Detection", "Frame", "Motion", "Reading"]

CLASSES: tuple[str, ...] = (*(str(card) for card in PACK_24), "back", "unknown")
"""The 26 answers of the classifier: `PACK_24` in order, face down, none of the pack's."""
BACK = 24
UNKNOWN = 25


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture with the time at which it was taken.

    Attributes:
        bgr: (H, W, 3) uint8, blue green red.
        time: Seconds since the first frame of the source.
        index: Number of the frame in its source, from 0; gaps mean dropped frames.
    """

    bgr: NDArray[np.uint8]
    time: float
    index: int


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """A card outline in one frame, with what the classifier says of it.

    Attributes:
        corners: (4, 2) float32, pixels of the frame (x right, y down), clockwise on screen.
            The first side (corner 0 to 1) is a short side. Cards that look alike turned by
            180 degrees may start at either end. A corner may lie outside the picture or
            under another card.
        probs: (26,) float32, sums to 1, in the order of `CLASSES`.
        score: 0 to 1, how sure the locator is that a card lies there.
        time: Seconds since the first frame of the source.
    """

    corners: NDArray[np.float32]
    probs: NDArray[np.float32]
    score: float
    time: float

    def __post_init__(self) -> None:
        if self.corners.shape != (4, 2):
            raise ValueError(f"corners must be (4, 2), got {self.corners.shape}")
        if self.probs.shape != (len(CLASSES),):
            raise ValueError(f"probs must be ({len(CLASSES)},), got {self.probs.shape}")

    @property
    def best(self) -> int:
        """Index into `CLASSES` of the likeliest answer."""
        return int(self.probs.argmax())

    @property
    def card(self) -> Card | None:
        """The likeliest answer as a card; `None` for face down and unknown."""
        return PACK_24[self.best] if self.best < BACK else None

    @property
    def confidence(self) -> float:
        """Probability of the likeliest answer."""
        return float(self.probs.max())


@dataclass(frozen=True, slots=True)
class Button:
    """Something round in one frame that may be an announcement button.

    Attributes:
        x, y: Its middle, pixels of the frame.
        size: Its diameter, pixels.
        twenty: Probability that it says 20.
        forty: Probability that it says 40; what is left to 1: that it is something else.
    """

    x: float
    y: float
    size: float
    twenty: float
    forty: float


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """Where the picture changed since the frame before, coarsely.

    Attributes:
        moved: (h, w) bool, about 1/16 of the frame's size in each direction; true where a cell changed.
        south: 0 to 1, share of the bottom edge's cells that belong to a moving or foreign
            region reaching in from there (an arm).
        north: The same for the top edge.
        seen: (h, w) bool, the cells that are in the picture, where the camera was moved; the others
            count as moved, since nobody sees that they are not. `None`: all are.
        beside: As `south`, of the left and the right edge: the arm of somebody who looks on.
    """

    moved: NDArray[np.bool_]
    south: float
    north: float
    seen: NDArray[np.bool_] | None = None
    beside: float = 0.0

    @property
    def quiet(self) -> bool:
        """Whether nothing in the picture moves."""
        return not bool((self.moved if self.seen is None else self.moved & self.seen).any())

    @property
    def fraction(self) -> float:
        """Share of the cells that changed."""
        return float(self.moved.mean()) if self.moved.size else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """All that vision says of one frame.

    Attributes:
        time: Seconds since the first frame of the source.
        size: Width and height of the frame in pixels.
        detections: Cards in view, surest first. Empty with `fresh` false: the frame was
            skipped by the motion gate and the cards of the frame before still hold.
        motion: What moved since the frame before.
        fresh: Whether the detector ran on this frame.
        blind: Nothing of the table can be seen: the camera is covered, or on its way. Then there
            are no detections, and everything may move.
        to_table: (3, 3) float64, from the frame's pixels to the table's, those of the source's first
            frame, in which all places are given; `None`: they are the same.
        buttons: Announcement buttons beside kings and queens, as far as they are looked for.
        least: Side of a card, root of its area in pixels, below which nothing on this table is one; 0: not
            known yet.
    """

    time: float
    size: tuple[int, int]
    detections: tuple[Detection, ...]
    motion: Motion
    fresh: bool = True
    blind: bool = False
    to_table: NDArray[np.float64] | None = None
    buttons: tuple[Button, ...] = ()
    least: float = 0.0
