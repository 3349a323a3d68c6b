"""Ornamental aces of spades, as most English-pattern packs have them: a large sign, filigree, words.

The custom goes back to the duty ace of the English card tax. Every maker draws its own, so a
network that knows only those of its packs takes the next one for a club, or for no card at all.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.glyphs import draw_pip
from companion.synth.pack import with_alpha

__all__ = ["ornamented"]

Picture = NDArray[np.uint8]
_WORDS = (
    "PLAYING CARDS",
    "FINE CARDS",
    "LINEN FINISH",
    "CARD COMPANY",
    "MADE IN AUSTRIA",
    "SINCE 1824",
    "No. 36",
    "CLUB SPECIAL",
    "CASINO QUALITY",
)
_TYPES = (
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)


def ornamented(ace: Picture, ink: NDArray[np.float32], rng: np.random.Generator) -> Picture:
    """Draw another large sign in the middle of an ace of spades; its indices stay.

    Args:
        ace: (H, W, 4) uint8; not changed.
        ink: (3,) float32, the colour of the suit.
        rng: Decides size, filigree and words.
    """
    h, w = ace.shape[:2]
    canvas = np.ascontiguousarray(ace[..., :3])
    paper = np.median(ace[h // 3 : -h // 3, max(1, w // 28), :3], axis=0).tolist()
    cv2.rectangle(canvas, (int(w * 0.18), int(h * 0.16)), (int(w * 0.82), int(h * 0.84)), paper, -1)
    cv2.rectangle(canvas, (int(w * 0.1), int(h * 0.27)), (int(w * 0.9), int(h * 0.73)), paper, -1)
    size = w * rng.uniform(0.38, 0.72)
    middle = (w / 2, h * rng.uniform(0.44, 0.54))
    _sign(canvas, middle, size, ink, paper, rng)
    for _ in range(int(rng.integers(0, 4))):
        _words(canvas, middle, size, ink, rng)
    out = with_alpha(canvas, ace[..., 3])
    return np.ascontiguousarray(out[::-1, ::-1] if rng.random() < 0.5 else out)


def _sign(
    canvas: Picture,
    middle: tuple[float, float],
    size: float,
    ink: NDArray[np.float32],
    paper: list[float],
    rng: np.random.Generator,
) -> None:
    """A spade within a spade, the inner one filled with whatever a maker fancies."""
    light = np.array(paper)
    shade = rng.uniform(0.0, 0.6)
    black, white, grey = _bgr(ink), _bgr(light), _bgr(ink * (1 - shade) + light * shade)
    draw_pip(canvas, "S", middle, size, black)
    inner = size * rng.uniform(0.75, 0.94)
    if rng.random() < 0.8:
        draw_pip(canvas, "S", middle, inner, white)
        draw_pip(canvas, "S", middle, inner * rng.uniform(0.8, 0.96), grey)
    field = np.zeros(canvas.shape[:2], np.uint8)
    mask = np.zeros_like(canvas)
    draw_pip(mask, "S", middle, inner * 0.85, (255, 255, 255))
    for _ in range(int(rng.integers(3, 40))):
        spot = (np.array(middle) + rng.normal(0, size * 0.22, 2)).astype(int).tolist()
        axes = (int(1 + size * rng.uniform(0.01, 0.16)), int(1 + size * rng.uniform(0.01, 0.12)))
        thick = -1 if rng.random() < 0.25 else max(1, int(size * rng.uniform(0.005, 0.03)))
        start = float(rng.uniform(0, 360))
        cv2.ellipse(
            field,
            spot,
            axes,
            float(rng.uniform(0, 180)),
            start,
            start + float(rng.uniform(60, 360)),
            255,
            thick,
        )
    if rng.random() < 0.4:  # a figure, a crown, another sign
        cv2.circle(field, (int(middle[0]), int(middle[1])), int(size * rng.uniform(0.08, 0.2)), 255, -1)
    field[mask[..., 0] == 0] = 0
    canvas[field > 0] = white
    if rng.random() < 0.4:
        small = size * rng.uniform(0.1, 0.3)
        draw_pip(canvas, str(rng.choice(list("SHDC"))), middle, small, black)


def _bgr(colour: NDArray[np.floating[Any]]) -> tuple[int, int, int]:
    b, g, r = (int(value) for value in colour)
    return b, g, r


def _words(
    canvas: Picture,
    middle: tuple[float, float],
    size: float,
    ink: NDArray[np.float32],
    rng: np.random.Generator,
) -> None:
    """A line of small or large print above or below the sign."""
    h, w = canvas.shape[:2]
    text, face = str(rng.choice(_WORDS)), int(rng.choice(_TYPES))
    (wide, tall), _ = cv2.getTextSize(text, face, 1.0, 1)
    scale = min(w * rng.uniform(0.25, 0.55) / wide, h * 0.06 / tall)
    side = 1 if rng.random() < 0.6 else -1
    y = middle[1] + side * (size * 0.6 + h * rng.uniform(0.01, 0.1))
    place = (int(middle[0] - wide * scale / 2), int(y + tall * scale / 2))
    cv2.putText(canvas, text, place, face, scale, _bgr(ink), 1, cv2.LINE_AA)
