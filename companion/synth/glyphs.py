"""Outlines of suit signs and index letters, drawn as filled shapes on any canvas."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["draw_letters", "draw_pip", "pip_outline"]

Picture = NDArray[np.uint8]
Outline = NDArray[np.float64]
_SHIFT = 4
Colour = tuple[int, int, int]


def _circle(x: float, y: float, radius: float) -> Outline:
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)


def _curve(*points: tuple[float, float]) -> Outline:
    """A cubic Bezier curve through its end points."""
    t = np.linspace(0, 1, 24)[:, None]
    a, b, c, d = (np.array(point, np.float64) for point in points)
    return np.asarray((1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d)


def _mirrored(half: Outline) -> Outline:
    return np.vstack([half, half[::-1] * [-1, 1]])


def pip_outline(suit: str, waist: float = 0.0) -> tuple[Outline, ...]:
    """Outlines of a suit sign, (N, 2) each, in a box from -0.5 to 0.5; filled together they are the sign.

    Args:
        suit: `H`, `D`, `C` or `S`.
        waist: -1 to 1, how slim or plump the drawing is.

    Raises:
        ValueError: The suit is unknown.
    """
    foot = _mirrored(_curve((0.0, 0.12), (0.02, 0.32), (0.06, 0.44), (0.19, 0.5)))
    if suit == "H":
        half = np.vstack(
            [
                _curve((0, -0.27), (0.06, -0.5), (0.28, -0.52), (0.40, -0.40)),
                _curve((0.40, -0.40), (0.56 + waist * 0.04, -0.22), (0.40, 0.05), (0, 0.5)),
            ]
        )
        return (_mirrored(half),)
    if suit == "D":
        bow = 0.12 - waist * 0.06
        half = np.vstack(
            [
                _curve((0, -0.5), (bow, -0.28), (0.39 - bow, -0.12), (0.39, 0)),
                _curve((0.39, 0), (0.39 - bow, 0.12), (bow, 0.28), (0, 0.5)),
            ]
        )
        return (_mirrored(half),)
    if suit == "S":
        half = np.vstack(
            [
                _curve((0, -0.5), (0.12, -0.25), (0.48 + waist * 0.03, -0.08), (0.44, 0.14)),
                _curve((0.44, 0.14), (0.40, 0.36), (0.10, 0.33), (0.02, 0.16)),
            ]
        )
        return (_mirrored(half), foot)
    if suit == "C":
        radius = 0.225 + waist * 0.015
        stem = np.array([(-0.05, -0.12), (0.05, -0.12), (0.06, 0.2), (-0.06, 0.2)])
        return (
            _circle(0, -0.26, radius),
            _circle(-0.25, 0.08, radius),
            _circle(0.25, 0.08, radius),
            stem,
            foot,
        )
    raise ValueError(f"{suit!r} is none of H, D, C, S")


def draw_pip(
    canvas: Picture,
    suit: str,
    centre: tuple[float, float],
    height: float,
    colour: Colour,
    *,
    upside_down: bool = False,
    waist: float = 0.0,
) -> None:
    """Fill a suit sign on a (H, W, 3) canvas; `centre` and `height` in pixels."""
    for outline in pip_outline(suit, waist):
        points = outline * (-height if upside_down else height) + np.array(centre)
        cv2.fillPoly(canvas, [np.round(points * 2**_SHIFT).astype(np.int32)], colour, cv2.LINE_AA, _SHIFT)


def draw_letters(
    canvas: Picture,
    text: str,
    box: tuple[float, float, float, float],
    colour: Colour,
    *,
    font: int = cv2.FONT_HERSHEY_TRIPLEX,
    weight: float = 1.0,
) -> None:
    """Fit letters into a box (x, y, width, height in pixels) of a (H, W, 3) canvas."""
    thickness = max(1, round(8 * weight))
    (w, h), base = cv2.getTextSize(text, font, 4.0, thickness)
    stencil = np.zeros((h + base + 60, w + 60), np.uint8)
    cv2.putText(stencil, text, (30, h + 30), font, 4.0, 255, thickness, cv2.LINE_AA)
    ys, xs = np.nonzero(stencil)
    stencil = stencil[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    x, y, width, height = (round(value) for value in box)
    fitted = cv2.resize(stencil, (width, height), interpolation=cv2.INTER_AREA)
    region = canvas[y : y + height, x : x + width]
    share = fitted[: region.shape[0], : region.shape[1], None].astype(np.float32) / 255
    region[...] = (np.array(colour, np.float32) * share + region * (1 - share)).astype(np.uint8)
