"""Announcement buttons: discs with 20 or 40 on them, as players of tournaments lay beside their lead.

They stand for showing the marriage. There is no common make: any plate of wood, plastic or card with the
number on it serves, so colours, rims and type are drawn at random.
"""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.clutter import any_colour
from companion.synth.pack import Pack

__all__ = ["ACTED_MM", "HEIGHT_MM", "SIZE_MM", "button_name", "draw_button", "is_button", "with_buttons"]

SIZE_MM = (26.0, 45.0)
"""Least and greatest diameter."""
HEIGHT_MM = 4.0
ACTED_MM = 36.0
"""Diameter of the buttons of hands that are acted out."""
_LEAST_CONTRAST = 90.0
"""Between print and ground, in brightness: it is made to be read across a table."""
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)

Picture = NDArray[np.uint8]


def draw_button(rng: np.random.Generator, text: str, size: int, glyph: Picture | None = None) -> Picture:
    """Draw a disc with a number on it, (size, size, 4) uint8, blue green red alpha, upright.

    Args:
        rng: Decides colours, rim and type.
        text: What is printed; nothing where it is empty.
        size: Its diameter, pixels.
        glyph: The text as a mask, (h, w) uint8, 255 where there is ink; drawn in strokes without.
    """
    ground, ink = _two_colours(rng)
    art = np.zeros((size, size, 4), np.uint8)
    middle, radius = (size // 2, size // 2), size // 2 - 1
    cv2.circle(art, middle, radius, (*ground, 255), -1, cv2.LINE_AA)
    kind = rng.choice(["plain", "ring", "edge"], p=[0.4, 0.35, 0.25])
    if kind == "ring":
        at, wide = rng.uniform(0.8, 0.92), max(1, round(size * rng.uniform(0.01, 0.04)))
        cv2.circle(art, middle, int(radius * at), (*ink, 255), wide, cv2.LINE_AA)
    elif kind == "edge":
        wide = max(1, round(size * rng.uniform(0.03, 0.09)))
        cv2.circle(art, middle, radius - wide // 2, (*any_colour(rng), 255), wide, cv2.LINE_AA)
    if text:
        mask = _strokes(rng, text, size) if glyph is None else glyph
        _print(art, mask, ink, size * rng.uniform(0.5, 0.72))
    return art


def button_name(points: int) -> str:
    """Name, among the faces of a pack, of the button that says 20 or 40."""
    return f"button{points}"


def is_button(name: str) -> bool:
    """Whether something on the table is a button and no card."""
    return name.startswith("button")


def with_buttons(pack: Pack, rng: np.random.Generator) -> Pack:
    """A pack to which two buttons belong, so that hands in which they are laid can be acted out."""
    buttons = {button_name(points): draw_button(rng, str(points), 160) for points in (20, 40)}
    return replace(pack, faces={**pack.faces, **buttons})


def _two_colours(rng: np.random.Generator) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Ground and ink, far enough apart to be read."""
    while True:
        ground = any_colour(rng)
        ink = any_colour(rng) if rng.random() < 0.4 else ((15, 15, 15), (245, 245, 245))[rng.integers(2)]
        if abs(_brightness(ground) - _brightness(ink)) > _LEAST_CONTRAST:
            return ground, ink


def _brightness(colour: tuple[int, int, int]) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]


def _strokes(rng: np.random.Generator, text: str, size: int) -> Picture:
    """The text in lines of one width."""
    font = _FONTS[int(rng.integers(len(_FONTS)))]
    scale, wide = size / 50, max(2, round(size * rng.uniform(0.03, 0.08)))
    (w, h), below = cv2.getTextSize(text, font, scale, wide)
    mask = np.zeros((h + below + 2 * wide, w + 2 * wide), np.uint8)
    cv2.putText(mask, text, (wide, h + wide), font, scale, 255, wide, cv2.LINE_AA)
    ys, xs = np.nonzero(mask > 128)
    return mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]


def _print(art: Picture, mask: Picture, ink: tuple[int, int, int], wide: float) -> None:
    """Stamp a mask into the middle, `wide` pixels across."""
    size = art.shape[0]
    scale = min(wide / mask.shape[1], 0.6 * size / mask.shape[0])
    w, h = max(1, round(mask.shape[1] * scale)), max(1, round(mask.shape[0] * scale))
    alpha = cv2.resize(mask, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)[..., None] / 255
    x, y = (size - w) // 2, (size - h) // 2
    part = art[y : y + h, x : x + w, :3]
    part[:] = (part * (1 - alpha) + np.array(ink, np.float32) * alpha).astype(np.uint8)
