"""Kings, queens and jacks: half figures drawn once and turned over, as on double-headed cards."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.panel import LINE as _LINE
from companion.synth.panel import Panel

__all__ = ["draw_court", "draw_joker"]

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Cloths = tuple[Colour, Colour, Colour, Colour]
_SKIN: Colour = (185, 210, 245)
_GOLD: Colour = (60, 190, 235)
_WHITE: Colour = (246, 248, 250)
_HAIR: dict[str, Colour] = {"H": (40, 110, 190), "D": (60, 90, 130), "C": (35, 45, 70), "S": (120, 135, 145)}


def draw_court(
    canvas: Picture,
    rank: str,
    suit: str,
    box: tuple[int, int, int, int],
    cloths: Cloths,
    ink: Colour,
    paper: Colour,
) -> None:
    """Draw a court figure into a box of a (H, W, 3) canvas.

    Args:
        canvas: Is changed.
        rank: `K`, `Q` or `J`.
        suit: Decides which cloth goes where, and the hair.
        box: Left, top, right, bottom in pixels.
        cloths: Colours of the clothes.
        ink: Of the suit.
        paper: Ground.

    Raises:
        KeyError: No such court card.
    """
    shift = "HDCS".index(suit)
    turned = (*cloths[shift:], *cloths[:shift])
    half = Panel(box[2] - box[0], (box[3] - box[1]) // 2, paper)
    figure = {"K": _king, "Q": _queen, "J": _jack}[rank]
    figure(half, (turned[0], turned[1], turned[2], turned[3]), _HAIR[suit], ink)
    _set_twice(canvas, half, box)


def draw_joker(canvas: Picture, box: tuple[int, int, int, int], cloths: Cloths, paper: Colour) -> None:
    """Draw a jester, as `draw_court` draws the others."""
    half = Panel(box[2] - box[0], (box[3] - box[1]) // 2, paper)
    _jester(half, cloths)
    _set_twice(canvas, half, box)


def _set_twice(canvas: Picture, half: Panel, box: tuple[int, int, int, int]) -> None:
    x0, y0, x1, y1 = box
    middle = y0 + half.h
    canvas[y0:middle, x0:x1] = half.picture
    lower = half.picture[::-1, ::-1]
    canvas[y1 - lower.shape[0] : y1, x0:x1] = lower
    cv2.line(canvas, (x0, middle), (x1, middle), _LINE, 3, cv2.LINE_AA)


def _robe(half: Panel, cloths: Cloths, *, wide: float, neck: float) -> None:
    half.fill(
        [(-neck, 0.56), (-wide, 0.70), (-1.0, 1.02), (1.0, 1.02), (wide, 0.70), (neck, 0.56)], cloths[0]
    )
    half.fill([(-0.2, 0.58), (-0.34, 1.02), (0.34, 1.02), (0.2, 0.58)], cloths[1])
    for i in range(4):
        y = 0.68 + 0.1 * i
        half.fill([(0, y - 0.04), (0.12, y), (0, y + 0.04), (-0.12, y)], _GOLD, 2)
    for side in (-1, 1):
        half.stroke([(side * 0.26, 0.6), (side * 0.42, 1.02)], _GOLD, 8)
        for i in range(3):
            half.oval(side * (0.58 + 0.09 * i), 0.78 + 0.08 * i, 0.045, 0.026, cloths[2], 2)


def _head(half: Panel, hair: Colour, *, y: float = 0.37, wide: float = 0.24) -> None:
    half.fill([(-0.11, y + 0.08), (-0.13, y + 0.22), (0.13, y + 0.22), (0.11, y + 0.08)], _SKIN, 2)
    half.oval(0, y, wide, 0.15, _SKIN)
    for side in (-1, 1):
        eye = side * wide * 0.42
        half.oval(eye, y - 0.022, 0.034, 0.013, _WHITE, 2)
        half.oval(eye, y - 0.022, 0.014, 0.012, _LINE, 0)
        half.stroke([(eye - side * 0.05, y - 0.052), (eye + side * 0.04, y - 0.056)], hair, 4)
    half.stroke([(0.0, y - 0.02), (0.035, y + 0.045), (0.0, y + 0.05)], _LINE, 2)
    half.stroke([(-0.06, y + 0.088), (0.0, y + 0.096), (0.06, y + 0.088)], (60, 50, 190), 5)


def _king(half: Panel, cloths: Cloths, hair: Colour, ink: Colour) -> None:
    _robe(half, cloths, wide=0.72, neck=0.3)
    half.fill(
        [(-0.36, 0.54), (-0.76, 0.68), (-0.7, 0.75), (0, 0.62), (0.7, 0.75), (0.76, 0.68), (0.36, 0.54)],
        _WHITE,
    )
    for x, y in ((-0.55, 0.67), (-0.34, 0.62), (0.34, 0.62), (0.55, 0.67)):
        half.stroke([(x, y - 0.015), (x, y + 0.02)], _LINE, 6)
    for side in (-1, 1):
        half.fill([(side * 0.2, 0.28), (side * 0.34, 0.34), (side * 0.36, 0.52), (side * 0.2, 0.48)], hair)
    _head(half, hair)
    half.fill(
        [
            (-0.23, 0.41),
            (-0.16, 0.56),
            (-0.06, 0.64),
            (0.06, 0.64),
            (0.16, 0.56),
            (0.23, 0.41),
            (0.1, 0.455),
            (-0.1, 0.455),
        ],
        hair,
    )
    half.stroke([(-0.06, 0.478), (0.06, 0.478)], (60, 50, 190), 5)
    crown = [
        (-0.31, 0.25),
        (-0.36, 0.08),
        (-0.18, 0.16),
        (0.0, 0.04),
        (0.18, 0.16),
        (0.36, 0.08),
        (0.31, 0.25),
    ]
    half.fill(crown, _GOLD)
    half.fill([(-0.31, 0.25), (-0.32, 0.205), (0.32, 0.205), (0.31, 0.25)], ink)
    for x, y in ((-0.36, 0.08), (0.0, 0.04), (0.36, 0.08)):
        half.oval(x, y, 0.045, 0.027, cloths[2], 2)
    half.stroke([(0.78, 0.16), (0.62, 1.0)], _LINE, 14)
    half.stroke([(0.78, 0.16), (0.62, 1.0)], _GOLD, 9)
    half.oval(0.79, 0.14, 0.09, 0.055, cloths[3])
    half.stroke([(0.79, 0.04), (0.79, 0.1)], _GOLD, 8)
    half.oval(0.67, 0.78, 0.11, 0.05, _SKIN)


def _queen(half: Panel, cloths: Cloths, hair: Colour, ink: Colour) -> None:
    half.fill(
        [(-0.62, 0.62), (-0.42, 0.13), (0, 0.08), (0.42, 0.13), (0.62, 0.62), (0.3, 0.66), (-0.3, 0.66)],
        cloths[3],
    )
    half.oval(0, 0.36, 0.37, 0.24, hair)
    _robe(half, (cloths[1], cloths[0], cloths[2], cloths[3]), wide=0.6, neck=0.22)
    half.fill([(-0.2, 0.54), (0.0, 0.74), (0.2, 0.54)], _SKIN, 2)
    _head(half, hair, wide=0.22)
    half.stroke([(-0.16, 0.57), (0.0, 0.645), (0.16, 0.57)], _WHITE, 7)
    half.oval(0, 0.655, 0.04, 0.026, ink, 2)
    half.fill(
        [(-0.24, 0.235), (-0.28, 0.13), (-0.12, 0.18), (0, 0.10), (0.12, 0.18), (0.28, 0.13), (0.24, 0.235)],
        _GOLD,
    )
    for x in (-0.28, 0.0, 0.28):
        half.oval(x, 0.13 if x else 0.10, 0.03, 0.02, _WHITE, 2)
    half.stroke([(-0.72, 0.44), (-0.62, 0.82)], (60, 120, 50), 8)
    for petal in range(5):
        turn = petal * 2 * np.pi / 5
        half.oval(
            -0.73 + 0.085 * float(np.cos(turn)), 0.41 + 0.05 * float(np.sin(turn)), 0.065, 0.038, ink, 2
        )
    half.oval(-0.73, 0.41, 0.05, 0.03, _GOLD, 2)
    half.oval(-0.62, 0.80, 0.10, 0.048, _SKIN)


def _jack(half: Panel, cloths: Cloths, hair: Colour, ink: Colour) -> None:
    _robe(half, (cloths[2], cloths[3], cloths[0], cloths[1]), wide=0.64, neck=0.26)
    half.fill([(-0.3, 0.55), (-0.44, 0.62), (0, 0.70), (0.44, 0.62), (0.3, 0.55), (0, 0.60)], _WHITE)
    for side in (-1, 1):
        half.fill([(side * 0.18, 0.26), (side * 0.33, 0.32), (side * 0.36, 0.46), (side * 0.22, 0.49)], hair)
    _head(half, hair, wide=0.23)
    half.fill([(-0.4, 0.25), (-0.34, 0.13), (0.06, 0.09), (0.42, 0.16), (0.38, 0.25), (0, 0.225)], cloths[0])
    half.fill([(-0.36, 0.27), (-0.38, 0.235), (0.38, 0.235), (0.36, 0.27), (0, 0.25)], cloths[1])
    half.fill([(0.3, 0.17), (0.42, 0.02), (0.66, 0.02), (0.74, 0.09), (0.56, 0.10), (0.42, 0.2)], ink)
    half.stroke([(0.36, 0.17), (0.5, 0.07), (0.68, 0.06)], _WHITE, 3)
    half.stroke([(-0.73, 0.38), (-0.62, 1.0)], _LINE, 13)
    half.stroke([(-0.73, 0.38), (-0.62, 1.0)], (60, 110, 160), 8)
    half.fill([(-0.74, 0.54), (-0.93, 0.58), (-0.95, 0.44), (-0.76, 0.42)], (200, 200, 195))
    half.fill([(-0.69, 0.53), (-0.53, 0.50), (-0.57, 0.45), (-0.71, 0.42)], (200, 200, 195))
    half.fill([(-0.78, 0.42), (-0.745, 0.31), (-0.69, 0.42)], (200, 200, 195))
    half.oval(-0.65, 0.77, 0.11, 0.05, _SKIN)


def _jester(half: Panel, cloths: Cloths) -> None:
    _robe(half, cloths, wide=0.62, neck=0.24)
    _head(half, _HAIR["D"], wide=0.23)
    half.stroke([(-0.13, 0.43), (-0.07, 0.47), (0.07, 0.47), (0.13, 0.43)], (60, 50, 190), 5)
    for side, cloth in ((-1, cloths[2]), (1, cloths[3])):
        horn = [(0, 0.29), (0.3, 0.3), (0.44, 0.22), (0.74, 0.36), (0.56, 0.08), (0, 0.1)]
        half.fill([(side * x, y) for x, y in horn], cloth)
        half.oval(side * 0.75, 0.38, 0.08, 0.048, _GOLD)
        for x in (0.1, 0.32):
            half.fill([(side * (x - 0.12), 0.56), (side * (x + 0.12), 0.56), (side * x, 0.72)], cloth)
