"""Where the cards are: the locator's grid to outlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.quad import overlap
from companion.vision.network import Network

__all__ = [
    "INDEX",
    "LONG_SIDE",
    "ONE_INDEX",
    "STRIDE",
    "Located",
    "Locator",
    "one_spot",
    "outlines",
    "to_input",
]

STRIDE = 8
LONG_SIDE = 640
"""Length of the picture's long side, as the locator sees it, pixels."""
INDEX = (0.1, 0.135)
"""Middle of a card's index, rank and suit, in shares of its width and height."""
_MOST = 40
_MOST_INDICES = 120
_SAME = 0.75
"""Outlines that overlap more than this (intersection over union) are one card if seen at one spot."""
_EXACTLY = 0.9
"""Those that overlap more than this are one card wherever it is seen."""
_ONE_SPOT = 0.2
"""Spots nearer than this, in widths of the card, are one: a card of a fan shows a strip of its own."""
ONE_INDEX = 0.1
"""Indices nearer than this, in widths of the card, are one: strips narrower than that show none."""
_SAME_INDEXED = 0.5
"""Outlines of one index overlap by more than this, unless it is read both ways round."""


@dataclass(frozen=True, slots=True, eq=False)
class Located:
    """A card outline.

    Attributes:
        corners: (4, 2) float32 pixels of the picture, clockwise, the first side short.
        score: 0 to 1.
        spot: (2,) float32 pixels, about the middle of what can be seen of the card.
    """

    corners: NDArray[np.float32]
    score: float
    spot: NDArray[np.float32]


def to_input(bgr: NDArray[np.uint8], long_side: int = LONG_SIDE) -> tuple[NDArray[np.float32], float]:
    """Shrink or grow a picture and pad it to multiples of 32.

    Returns:
        (1, 3, H, W) float32 in 0 to 1, and the factor from picture to input pixels.
    """
    height, width = bgr.shape[:2]
    factor = long_side / max(height, width)
    size = (max(1, round(width * factor)), max(1, round(height * factor)))
    small = cv2.resize(bgr, size, interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    padded = np.full((-(-size[1] // 32) * 32, -(-size[0] // 32) * 32, 3), 114, np.uint8)
    padded[: size[1], : size[0]] = small
    return np.ascontiguousarray(padded.transpose(2, 0, 1)[None], np.float32) / np.float32(255), factor


def outlines(grid: NDArray[np.float32], threshold: float, *, by_index: bool = False) -> list[Located]:
    """Read the locator's answer.

    Args:
        grid: (9, h, w) float32 as `training.networks.Locator` describes; heat as a logit.
        threshold: Least heat of a peak, 0 to 1.
        by_index: Whether peaks are indices.

    Returns:
        Outlines in input pixels, surest first; of near copies only the surest.
    """
    heat = 1 / (1 + np.exp(-grid[0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > threshold))
    order = np.argsort(-heat[rows, columns], kind="stable")
    order = order[: _MOST_INDICES if by_index else _MOST]
    found: list[Located] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        dx, dy, long_log, long_cos, long_sin, short_log, short_cos, short_sin = grid[1:, row, column]
        centre = np.array([column + 0.5 + dx, row + 0.5 + dy]) * STRIDE
        long_axis = _half_axis(long_log, long_cos, long_sin)
        short_axis = _half_axis(short_log, short_cos, short_sin)
        # clockwise on screen (y down): from the top, right is a positive turn
        if long_axis[0] * short_axis[1] - long_axis[1] * short_axis[0] < 0:
            short_axis = -short_axis
        corners = np.stack(
            [
                centre + long_axis - short_axis,
                centre + long_axis + short_axis,
                centre - long_axis + short_axis,
                centre - long_axis - short_axis,
            ]
        ).astype(np.float32)
        if np.isfinite(corners).all():
            spot = (np.array([column + 0.5, row + 0.5]) * STRIDE).astype(np.float32)
            found.append(Located(corners, float(heat[row, column]), spot))
    return _surest(found, by_index)


def _surest(found: Sequence[Located], by_index: bool) -> list[Located]:
    """Non-maximum suppression: of the outlines of one card, or index, only the surest; surest first."""
    same = _one_index if by_index else _one_card
    kept: list[Located] = []
    for each in sorted(found, key=lambda one: -one.score):
        if not any(same(each, other) for other in kept):
            kept.append(each)
    return kept


def _one_card(one: Located, other: Located) -> bool:
    shared = overlap(one.corners, other.corners)
    return shared > _EXACTLY or (shared > _SAME and one_spot(one, other))


def _one_index(one: Located, other: Located) -> bool:
    return one_spot(one, other, ONE_INDEX) and overlap(one.corners, other.corners) > _SAME_INDEXED


def one_spot(one: Located, other: Located, near: float = _ONE_SPOT) -> bool:
    """Whether two outlines are of what is seen at the same place, nearer than `near` widths of the card."""
    wide = float(np.linalg.norm(one.corners[0] - one.corners[1]))
    return float(np.linalg.norm(one.spot - other.spot)) < near * wide


def _half_axis(log_length: float, cosine: float, sine: float) -> NDArray[np.float64]:
    length = 32.0 * float(np.exp(np.clip(log_length, -4, 4)))
    angle = 0.5 * float(np.arctan2(sine, cosine))
    return np.array([length * np.cos(angle), length * np.sin(angle)])


class Locator:
    """A shipped locator.

    Args:
        models: Folder of the ONNX file and its card.
        name: `card-locator` finds cards by what can be seen of them; `card-index` finds them by an index
            alone, which in a fan is all that keeps neighbours apart.
        threads: Of the network.
    """

    def __init__(self, models: Path, name: str = "card-locator", *, threads: int = 1) -> None:
        self._network = Network(models, name, threads=threads)
        self._by_index = name == "card-index"

    def locate(self, bgr: NDArray[np.uint8], sides: tuple[int, ...] = (LONG_SIDE,)) -> list[Located]:
        """Find the cards of a picture.

        Args:
            bgr: (H, W, 3) uint8.
            sides: Lengths of the picture's long side at which to look, pixels. The network
                knows cards up to some 190 pixels high: a close-up wants a smaller look too.

        Returns:
            Surest first, in the picture's own pixels; of near copies only the surest.
        """
        found: list[Located] = []
        for side in sides:
            batch, factor = to_input(bgr, side)
            grid = self._network.run(batch)[0][0]
            found += [
                Located(each.corners / np.float32(factor), each.score, each.spot / np.float32(factor))
                for each in outlines(grid, self._network.card.threshold, by_index=self._by_index)
            ]
        return _surest(found, self._by_index)
