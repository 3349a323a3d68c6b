"""What was recognised, drawn into the picture."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, CLASSES, Detection

__all__ = ["drawn", "outlined"]

Colour = tuple[int, int, int]
_FACE: Colour = (90, 200, 255)
_NO_FACE: Colour = (190, 190, 190)
_DARK: Colour = (20, 20, 20)


def drawn(bgr: NDArray[np.uint8], detections: Iterable[Detection]) -> NDArray[np.uint8]:
    """A picture, (H, W, 3) uint8, with the detections; grey what is no face."""
    for each in detections:
        words = f"{CLASSES[each.best]} {each.confidence:.2f}"
        bgr = outlined(bgr, [(each.corners, words)], _FACE if each.best < BACK else _NO_FACE)
    return bgr


def outlined(
    bgr: NDArray[np.uint8], outlines: Iterable[tuple[NDArray[np.float32], str]], colour: Colour
) -> NDArray[np.uint8]:
    """A picture with outlines and words in it; lines and letters grow with the picture.

    Args:
        bgr: (H, W, 3) uint8; not changed.
        outlines: Corners, (4, 2) pixels, and what stands at the first of them.
        colour: Blue, green, red.
    """
    out = bgr.copy()
    unit = max(out.shape[:2]) / 1280
    for corners, words in outlines:
        cv2.polylines(
            out, [corners.round().astype(np.int32)], True, colour, max(1, round(2 * unit)), cv2.LINE_AA
        )
        # inside the picture, whatever the card does
        x = int(np.clip(corners[:, 0].min(), 2, out.shape[1] - 90 * unit))
        y = int(np.clip(corners[:, 1].min() - 6 * unit, 18 * unit, out.shape[0] - 4))
        for thick, ink in ((4, _DARK), (1, colour)):
            thickness = max(1, round(thick * unit))
            cv2.putText(out, words, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6 * unit, ink, thickness, cv2.LINE_AA)
    return np.asarray(out, np.uint8)
