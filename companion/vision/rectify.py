"""A card's quadrilateral to an upright crop."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["CROP_SIZE", "crop_frame", "rectify"]

CROP_SIZE = (96, 144)
"""Width and height of a crop in pixels."""
MARGIN = 0.07
"""Share of the card's width and height that the crop shows beyond the card on each side."""


def crop_frame() -> NDArray[np.float32]:
    """(4, 2) float32: where the card's corners lie in the crop, clockwise from its top left."""
    w, h = CROP_SIZE
    x, y = w * MARGIN / (1 + 2 * MARGIN), h * MARGIN / (1 + 2 * MARGIN)
    return np.array([[x, y], [w - x, y], [w - x, h - y], [x, h - y]], np.float32)


def rectify(bgr: NDArray[np.uint8], corners: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Cut a card out of the picture.

    Args:
        bgr: (H, W, 3) uint8.
        corners: (4, 2) float32 pixels, clockwise on screen, the first side short. They may
            lie outside the picture; what is not there comes out grey.

    Returns:
        (144, 96, 3) uint8, the card with a small margin around it.
    """
    w, h = CROP_SIZE
    corners = np.asarray(corners, np.float32)
    # a card much larger than the crop is averaged down first, so that thin lines survive
    longest = max(
        float(np.linalg.norm(corners[1] - corners[2])), float(np.linalg.norm(corners[0] - corners[3]))
    )
    factor = h / max(longest, 1.0)
    if factor < 0.6:
        margin = 0.15 * longest
        x0, y0 = np.floor(corners.min(axis=0) - margin).astype(int)
        x1, y1 = np.ceil(corners.max(axis=0) + margin).astype(int)
        x0, y0 = max(0, int(x0)), max(0, int(y0))
        x1, y1 = min(bgr.shape[1], int(x1)), min(bgr.shape[0], int(y1))
        if x1 - x0 > 4 and y1 - y0 > 4:
            scale = min(1.0, factor * 1.25)
            part = cv2.resize(bgr[y0:y1, x0:x1], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            true_scale = np.array([part.shape[1] / (x1 - x0), part.shape[0] / (y1 - y0)], np.float32)
            bgr = np.asarray(part, np.uint8)
            corners = (corners - np.array([x0, y0], np.float32)) * true_scale
    matrix = cv2.getPerspectiveTransform(corners, crop_frame())
    crop = cv2.warpPerspective(
        bgr,
        matrix,
        (w, h),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(114, 114, 114),
    )
    return np.asarray(crop, np.uint8)
