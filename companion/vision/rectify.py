"""A card's quadrilateral to an upright crop."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["AROUND", "CARD", "Crop", "rectify"]


@dataclass(frozen=True, slots=True)
class Crop:
    """How a card is cut out.

    Attributes:
        width, height: Of the crop, pixels.
        margin: Share of the card's width and height that it shows beyond the card on each side.
    """

    width: int
    height: int
    margin: float

    @property
    def shape(self) -> tuple[int, int, int]:
        """Of the picture cut out: height, width, colours."""
        return (self.height, self.width, 3)

    @property
    def frame(self) -> NDArray[np.float32]:
        """(4, 2) float32: where the card's corners lie in the crop, clockwise from its top left."""
        w, h = self.width, self.height
        x, y = (side * self.margin / (1 + 2 * self.margin) for side in (w, h))
        return np.array([[x, y], [w - x, y], [w - x, h - y], [x, h - y]], np.float32)

    def shifts(self, corners: NDArray[np.float32], true: NDArray[np.float32]) -> NDArray[np.float32]:
        """From the crop's frame to where the true corners lie in it, (4, 2) float32, shares of the crop.

        Args:
            corners: (4, 2) pixels of the picture, those the crop is cut with.
            true: (4, 2) pixels of the picture.
        """
        matrix = cv2.getPerspectiveTransform(np.asarray(corners, np.float32), self.frame)
        where = cv2.perspectiveTransform(np.asarray(true, np.float32)[None], matrix)[0]
        return np.asarray((where - self.frame) / (self.width, self.height), np.float32)

    def shifted(self, corners: NDArray[np.float32], shifts: NDArray[np.float32]) -> NDArray[np.float32]:
        """The inverse of `shifts`: where the true corners lie in the picture, (4, 2) float32."""
        matrix = cv2.getPerspectiveTransform(self.frame, np.asarray(corners, np.float32))
        where = self.frame + shifts * np.array([self.width, self.height], np.float32)
        return np.asarray(cv2.perspectiveTransform(where[None].astype(np.float32), matrix)[0], np.float32)


CARD = Crop(96, 144, 0.07)
"""What a card is named by."""
AROUND = Crop(96, 128, 0.22)
"""What a card's outline is mended by: the table around it, too."""


def rectify(bgr: NDArray[np.uint8], corners: NDArray[np.float32], crop: Crop = CARD) -> NDArray[np.uint8]:
    """Cut a card out of the picture.

    Args:
        bgr: (H, W, 3) uint8.
        corners: (4, 2) float32 pixels, clockwise on screen, the first side short. They may
            lie outside the picture; what is not there comes out grey.
        crop: What is cut out.

    Returns:
        Of `crop.shape`, uint8, the card upright with a margin around it.
    """
    w, h = crop.width, crop.height
    corners = np.asarray(corners, np.float32)
    # a card much larger than the crop is averaged down first, so that thin lines survive
    longest = max(
        float(np.linalg.norm(corners[1] - corners[2])), float(np.linalg.norm(corners[0] - corners[3]))
    )
    factor = h / max(longest, 1.0)
    if factor < 0.6:
        margin = (crop.margin + 0.08) * longest
        x0, y0 = np.floor(corners.min(axis=0) - margin).astype(int)
        x1, y1 = np.ceil(corners.max(axis=0) + margin).astype(int)
        x0, y0 = max(0, int(x0)), max(0, int(y0))
        x1, y1 = min(bgr.shape[1], int(x1)), min(bgr.shape[0], int(y1))
        if x1 - x0 > 4 and y1 - y0 > 4:
            scale = max(min(1.0, factor * 1.25), 1.0 / min(x1 - x0, y1 - y0))  # at least a pixel is left
            part = cv2.resize(bgr[y0:y1, x0:x1], None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            true_scale = np.array([part.shape[1] / (x1 - x0), part.shape[0] / (y1 - y0)], np.float32)
            bgr = np.asarray(part, np.uint8)
            corners = (corners - np.array([x0, y0], np.float32)) * true_scale
    matrix = cv2.getPerspectiveTransform(corners, crop.frame)
    cut = cv2.warpPerspective(
        bgr,
        matrix,
        (w, h),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(114, 114, 114),
    )
    return np.asarray(cut, np.uint8)
