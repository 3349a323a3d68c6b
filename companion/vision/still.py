"""A small picture of a card where it lies, or of the whole table, to be looked at by people."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.quad import area

__all__ = ["STILL_SIZE", "jpeg", "still"]

STILL_SIZE = (480, 320)
"""Width and height of a still, pixels."""
_AROUND = 2.6
"""A still of a card is this many card lengths high."""
_QUALITY = 80
_INK = (78, 193, 242)


def still(bgr: NDArray[np.uint8], corners: NDArray[np.float32] | None = None) -> bytes:
    """Cut out the surroundings of a card with its outline drawn in, or take the whole picture.

    Args:
        bgr: (H, W, 3) uint8, not changed.
        corners: (4, 2) float32, pixels of the picture.

    Returns:
        JPEG of `STILL_SIZE`.
    """
    height, width = bgr.shape[:2]
    aspect = STILL_SIZE[0] / STILL_SIZE[1]
    if corners is None:
        high = float(max(height, width / aspect))
        middle = np.array([width / 2, height / 2])
    else:
        # a card is 1.5 times as long as wide, so its length follows from its area however it is turned
        high = min(float(height), _AROUND * float(np.sqrt(area(corners) * 1.5)))
        middle = corners.mean(axis=0)
    scale = STILL_SIZE[1] / max(high, 1.0)
    shift = np.array(STILL_SIZE) / 2 - middle * scale
    if corners is not None:
        room = np.array(STILL_SIZE) - np.array([width, height]) * scale
        # no more beside the picture than needed
        shift = np.where(room < 0, np.clip(shift, room, 0.0), room / 2)
    matrix = np.array([[scale, 0.0, shift[0]], [0.0, scale, shift[1]]])
    flags = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    out = cv2.warpAffine(bgr, matrix, STILL_SIZE, flags=flags)
    if corners is not None:
        outline = (corners * scale + shift).round().astype(np.int32)
        cv2.polylines(out, [outline], True, _INK, 2, cv2.LINE_AA)
    return jpeg(np.asarray(out, np.uint8))


def jpeg(bgr: NDArray[np.uint8], width: int = 0) -> bytes:
    """Write a picture, (H, W, 3) uint8, as JPEG, made smaller where it is wider than `width` (0: never)."""
    if 0 < width < bgr.shape[1]:
        height = max(1, round(width * bgr.shape[0] / bgr.shape[1]))
        bgr = np.asarray(cv2.resize(bgr, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    done, text = cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    if not done:
        raise ValueError(f"a picture of {bgr.shape[1]} x {bgr.shape[0]} pixels cannot be written as JPEG")
    return text.tobytes()
