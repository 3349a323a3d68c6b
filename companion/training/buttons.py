"""Training data of the button reader: discs on drawn tables, and what else is round."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from companion.synth.button import draw_button
from companion.training.dataset import DrawnSet, to_tensor, worker_rng
from companion.training.letters import NUMBERS
from companion.training.tables import Tables
from companion.vision.button import LEAST, PRINTS, UPRIGHT, Disc, cut, frame_of, turned

__all__ = ["ButtonSet"]

A_PICTURE = 24
"""Discs on each table: a table costs more than a disc."""
ANNOUNCEMENTS = 0.7
"""Share of the discs with 20 or 40 on them."""
ANGLES = 4
"""Crops of each disc: in half of them an announcement is upright, in the others it is at another angle."""
GLARE = 0.2
"""Share of the discs on which a lamp is mirrored."""
BARE = 0.15
"""Share of the crops in which there is no disc."""
_FINE = 128
"""Diameter at which discs are drawn, pixels."""

_Crop = tuple[torch.Tensor, torch.Tensor]


class ButtonSet(DrawnSet):
    """Endless (crop (3, 48, 48) uint8, index into `PRINTS`).

    Discs are cut out as badly as their rims are found. Without letters, as in evaluation, numbers are drawn
    in strokes, which no training sees.
    """

    def __iter__(self) -> Iterator[_Crop]:
        cv2.setNumThreads(0)
        rng = worker_rng(self.seed)
        tables = Tables(self.packs, rng, size=(400, 320), card_px=(60, 240), letters=self.letters)
        while True:
            picture = tables.sample().picture
            for _ in range(A_PICTURE):
                yield from self._crops(picture, rng)

    def _crops(self, picture: NDArray[np.uint8], rng: np.random.Generator) -> Iterator[_Crop]:
        """Crops of one disc, at several angles."""
        long = float(np.exp(rng.uniform(*np.log([LEAST, 90.0]))))
        side = 2 * int(long) + 8
        h, w = picture.shape[:2]
        x, y = int(rng.integers(0, w - side + 1)), int(rng.integers(0, h - side + 1))
        patch = picture[y : y + side, x : x + side]
        middle = side / 2 + rng.uniform(-3, 3, 2)
        short = long * float(rng.uniform(0.6, 1.0))
        disc = Disc(float(middle[0]), float(middle[1]), long, short, float(rng.uniform(0, np.pi)))
        text = str(rng.choice(PRINTS[:2])) if rng.random() < ANNOUNCEMENTS else _other(rng)
        printed = float(rng.uniform(0, 2 * np.pi))
        if rng.random() >= BARE:
            glyph = self.letters.number(text, rng) if self.letters is not None and text else None
            patch = _laid(patch, disc, draw_button(rng, text, _FINE, glyph), printed, rng)
        else:
            text = ""
        for number in range(ANGLES):
            upright = text in PRINTS and number < ANGLES // 2
            least, most = (-UPRIGHT, UPRIGHT) if upright else (1.7 * UPRIGHT, 2 * np.pi - 1.7 * UPRIGHT)
            label = PRINTS.index(text) if upright else len(PRINTS) - 1
            crop = cut(patch, _as_found(disc, rng), printed + float(rng.uniform(least, most)))
            yield to_tensor(crop), torch.tensor(label)


def _other(rng: np.random.Generator) -> str:
    """What else is printed on round things; nothing on many."""
    return "" if rng.random() < 0.4 else str(rng.choice(NUMBERS[2:]))


def _laid(
    patch: NDArray[np.uint8], disc: Disc, art: NDArray[np.uint8], angle: float, rng: np.random.Generator
) -> NDArray[np.uint8]:
    """A patch of a table with a disc on it, its print at an angle, in some light."""
    across = frame_of(disc) @ turned(angle)
    corners = np.array([[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5]]) @ across.T + (disc.x, disc.y)
    size = art.shape[0]
    fine = cv2.GaussianBlur(art, (0, 0), max(0.1, size / disc.long / 3))
    matrix = cv2.getAffineTransform(
        np.array([[0, 0], [size, 0], [0, size]], np.float32), corners.astype(np.float32)
    )
    side = patch.shape[0]
    lying = cv2.warpAffine(fine, matrix, (side, side), flags=cv2.INTER_LINEAR).astype(np.float32)
    alpha = lying[..., 3:] / 255
    shadow = cv2.GaussianBlur(np.roll(alpha[..., 0], rng.integers(-2, 3, 2), (0, 1)), (0, 0), 1.5)[..., None]
    light = rng.uniform(0.45, 1.1) * (1 + rng.normal(0, 0.06, 3))
    ramp = np.linspace(-0.5, 0.5, side)
    fall = 1 + rng.normal(0, 0.25) * ramp[:, None, None] + rng.normal(0, 0.25) * ramp[None, :, None]
    picture = patch * (1 - rng.uniform(0, 0.5) * shadow * (1 - alpha))
    picture = picture * (1 - alpha) + lying[..., :3] * light * fall * alpha
    if rng.random() < GLARE:
        ys, xs = np.mgrid[:side, :side]
        x, y = rng.normal((disc.x, disc.y), disc.long / 3)
        spot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * (disc.long * rng.uniform(0.1, 0.4)) ** 2))
        picture = picture + spot[..., None] * rng.uniform(30, 140)
    blurred = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.3, 1.1)) * (1 + disc.long / 90))
    noisy = blurred + rng.normal(0, abs(rng.normal(0, 5)) + 0.1, picture.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8)


def _as_found(disc: Disc, rng: np.random.Generator) -> Disc:
    """A disc as its rim is found: an edge of it or a ring on it, a pixel or two off."""
    off = rng.normal(0, 0.4 + 0.012 * disc.long, 2)
    long = disc.long * float(rng.normal(1.02, 0.035))
    short = min(long, disc.short * float(rng.normal(1.02, 0.045)))
    return Disc(disc.x + off[0], disc.y + off[1], long, short, disc.turn + float(rng.normal(0, 0.1)))
