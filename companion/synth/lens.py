"""The faults of a camera: blur, noise, compression, tone."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["degrade"]

Picture = NDArray[np.uint8]


def degrade(
    picture: Picture,
    rng: np.random.Generator,
    *,
    blur: float = 0.6,
    noise: float = 3.0,
    quality: int = 85,
    gamma: float = 1.0,
    motion: tuple[float, float] = (0.0, 0.0),
) -> Picture:
    """Make a clean rendering look like a camera's picture.

    Args:
        picture: (H, W, 3) uint8.
        rng: For the noise.
        blur: Standard deviation of the lens blur, pixels.
        noise: Standard deviation of the sensor noise, grey levels.
        quality: JPEG quality, 1 to 100; 100 leaves compression out.
        gamma: Exponent on the picture's values.
        motion: Length of the motion blur, pixels, (x, y).
    """
    out = picture
    if gamma != 1.0:
        table = (np.power(np.arange(256) / 255, gamma) * 255).astype(np.uint8)
        out = np.asarray(cv2.LUT(out, table), np.uint8)
    length = int(np.hypot(*motion))
    if length >= 2:
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        dx, dy = motion[0] / 2, motion[1] / 2
        centre = length
        cv2.line(
            kernel, (round(centre - dx), round(centre - dy)), (round(centre + dx), round(centre + dy)), 1.0, 1
        )
        out = np.asarray(cv2.filter2D(out, -1, kernel / kernel.sum()), np.uint8)
    if blur > 0.2:
        out = np.asarray(cv2.GaussianBlur(out, (0, 0), blur), np.uint8)
    if noise > 0:
        grain = rng.normal(0, noise, out.shape[:2]).astype(np.float32)
        chroma = cv2.resize(
            rng.normal(0, noise, (out.shape[0] // 2 + 1, out.shape[1] // 2 + 1, 3)).astype(np.float32),
            (out.shape[1], out.shape[0]),
        )
        out = np.clip(out + grain[..., None] + chroma * 0.5, 0, 255).astype(np.uint8)
    if quality < 100:
        done, data = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, quality])
        if done:
            out = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return out
