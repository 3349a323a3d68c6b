"""The name of a card by its index alone: rank and suit sign, cut out where an index is seen."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import CLASSES
from companion.vision.classify import probabilities
from companion.vision.locate import INDEX, Located
from companion.vision.network import ModelError, Network, to_batch
from companion.vision.rectify import Crop, rectify

__all__ = ["GLYPH", "GlyphReader", "ends", "glyph_area"]

GLYPH = Crop(48, 72, 0.0)
"""What an index is read by."""
_LEFT, _TOP, _RIGHT, _BOTTOM = -0.08, -0.06, 0.3, 0.34
"""Of the card's width and height, what is cut out: the index, and what a bad outline shifts it by."""

Quad = NDArray[np.float32]


def ends(corners: Quad) -> Quad:
    """Where a card has its indices, (2, 2) float32 pixels: that at the first corner, and the other.

    Args:
        corners: (4, 2) float32 pixels, clockwise on screen, the first side short.
    """
    return _within(corners, np.array([INDEX, (1 - INDEX[0], 1 - INDEX[1])]))


def glyph_area(corners: Quad, spot: NDArray[np.floating]) -> Quad:
    """What to cut out to read the index that is seen at a spot, (4, 2) float32 pixels.

    The outline tells size and turn alone: one that is right but for a strip's width shows the neighbour's
    index where its own should be.

    Args:
        corners: (4, 2) float32 pixels, clockwise on screen, the first side short; of its indices that is
            meant which is nearer to the spot.
        spot: (2,) pixels.
    """
    known = ends(corners)
    nearer = int(np.argmin(np.linalg.norm(known - spot, axis=1)))
    area = np.array([[_LEFT, _TOP], [_RIGHT, _TOP], [_RIGHT, _BOTTOM], [_LEFT, _BOTTOM]])
    return _within(np.roll(corners, 2 * nearer, axis=0), area) + np.asarray(spot - known[nearer], np.float32)


def _within(corners: Quad, shares: NDArray[np.float64]) -> Quad:
    """Points of a card given in shares of its width and height, (N, 2) float32 pixels."""
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    matrix = cv2.getPerspectiveTransform(unit, np.asarray(corners, np.float32))
    return np.asarray(cv2.perspectiveTransform(shares[None].astype(np.float32), matrix)[0], np.float32)


class GlyphReader:
    """The shipped reader of indices.

    Args:
        models: Folder of `card-glyph.onnx` and its card.
        threads: Of the network.

    Raises:
        ModelError: The model names other classes than `CLASSES`.
    """

    def __init__(self, models: Path, *, threads: int = 1) -> None:
        self._network = Network(models, "card-glyph", threads=threads)
        if self._network.card.classes != CLASSES:
            raise ModelError(f"{models / 'card-glyph.toml'}: names other classes than the companion knows")

    def read(self, bgr: NDArray[np.uint8], outlines: Sequence[Located]) -> list[NDArray[np.float32]]:
        """Name cards, (26,) float32 probabilities each, in the order of `CLASSES`.

        Args:
            bgr: (H, W, 3) uint8.
            outlines: Those that tell of an index; at which end it is, their `spot` says.
        """
        if not outlines:
            return []
        crops = [rectify(bgr, glyph_area(each.corners, each.spot), GLYPH) for each in outlines]
        (logits,) = self._network.run(to_batch(crops))
        return list(probabilities(logits, self._network.card.temperature))
