"""The four German suit signs, hearts, bells, acorns and leaves, in many hands."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.glyphs import pip_outline

__all__ = ["SignLook", "draw_sign"]

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]
Colour = tuple[int, int, int]
_SHIFT = 4


@dataclass(frozen=True, slots=True)
class SignLook:
    """How a pack draws its signs; colours are blue, green, red.

    Attributes:
        heart, leaf, nut, cup, bell, band: Fills.
        line: Of the outlines.
        thick: Their thickness, share of a sign's height.
        plump: Width of hearts and leaves, 1: as high as wide.
        veins: How many pairs of veins a leaf has.
        nut_up: Whether acorns stand on their cups.
        nut_long: Length of the nut, share of the sign.
        bands: How many bands a bell has.
        slit: Whether a bell shows its slit.
    """

    heart: Colour
    leaf: Colour
    nut: Colour
    cup: Colour
    bell: Colour
    band: Colour
    line: Colour
    thick: float
    plump: float
    veins: int
    nut_up: bool
    nut_long: float
    bands: int
    slit: bool

    @classmethod
    def random(cls, rng: np.random.Generator) -> SignLook:
        """Any pack's."""

        def near(*colour: int, far: int = 22) -> Colour:
            b, g, r = (int(np.clip(each + rng.normal(0, far), 0, 255)) for each in colour)
            return b, g, r

        nuts = ((40, 60, 200), (60, 170, 225), (60, 120, 170), (70, 130, 60), (90, 200, 230))
        cups = ((40, 110, 45), (40, 70, 110), (60, 140, 70), (50, 90, 60))
        bands = ((40, 40, 200), (60, 130, 60), (170, 100, 40), (40, 60, 120), (50, 120, 220))
        return cls(
            heart=near(40, 30, 205),
            leaf=near(55, 125, 45),
            nut=near(*nuts[int(rng.integers(len(nuts)))]),
            cup=near(*cups[int(rng.integers(len(cups)))]),
            bell=near(45, 180, 230),
            band=near(*bands[int(rng.integers(len(bands)))]),
            line=near(40, 40, 40, far=15),
            thick=float(rng.uniform(0.0, 0.05)),
            plump=float(rng.uniform(0.72, 1.05)),
            veins=int(rng.integers(0, 5)),
            nut_up=bool(rng.random() < 0.7),
            nut_long=float(rng.uniform(0.5, 0.68)),
            bands=int(rng.integers(1, 4)),
            slit=bool(rng.random() < 0.6),
        )


class _Pen:
    """Draws in a box from -0.5 to 0.5 about a point."""

    def __init__(
        self, canvas: Picture, centre: tuple[float, float], height: float, line: Colour, thick: float
    ) -> None:
        self.canvas, self.centre, self.height = canvas, np.array(centre), height
        self.line, self.thick = line, max(1, round(abs(height) * thick)) if thick * abs(height) > 0.5 else 0

    def px(self, points: Points) -> NDArray[np.int32]:
        return np.asarray(np.round((points * self.height + self.centre) * 2**_SHIFT), np.int32)

    def fill(self, points: Points, colour: Colour) -> None:
        cv2.fillPoly(self.canvas, [self.px(points)], colour, cv2.LINE_AA, _SHIFT)
        if self.thick:
            cv2.polylines(self.canvas, [self.px(points)], True, self.line, self.thick, cv2.LINE_AA, _SHIFT)

    def stroke(self, points: Points, colour: Colour, share: float) -> None:
        thick = max(1, round(abs(self.height) * share))
        cv2.polylines(self.canvas, [self.px(points)], False, colour, thick, cv2.LINE_AA, _SHIFT)


def draw_sign(
    canvas: Picture,
    suit: str,
    centre: tuple[float, float],
    height: float,
    look: SignLook,
    *,
    upside_down: bool = False,
) -> None:
    """Draw a suit sign on a (H, W, 3) canvas.

    Args:
        canvas: Is changed.
        suit: `H` hearts, `D` bells, `C` acorns or `S` leaves.
        centre: Pixels.
        height: Pixels.
        look: Of the pack.
        upside_down: As in the lower half of a card.

    Raises:
        KeyError: The suit is unknown.
    """
    pen = _Pen(canvas, centre, -height if upside_down else height, look.line, look.thick)
    {"H": _heart, "D": _bell, "C": _acorn, "S": _leaf}[suit](pen, look)


def _oval(x: float, y: float, rx: float, ry: float) -> Points:
    turn = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    return np.stack([x + rx * np.cos(turn), y + ry * np.sin(turn)], axis=1)


def _lighter(colour: Colour, by: float = 0.35) -> Colour:
    b, g, r = (int(each + (255 - each) * by) for each in colour)
    return b, g, r


def _darker(colour: Colour, by: float = 0.4) -> Colour:
    b, g, r = (int(each * (1 - by)) for each in colour)
    return b, g, r


def _heart(pen: _Pen, look: SignLook) -> None:
    outline = pip_outline("H")[0] * [look.plump, 1.0]
    pen.fill(outline, look.heart)
    if look.veins > 2:
        pen.stroke(np.array([(-0.25, -0.25), (-0.3, -0.12), (-0.22, 0.05)]), _lighter(look.heart), 0.05)


def _leaf(pen: _Pen, look: SignLook) -> None:
    pen.stroke(np.array([(0.0, 0.2), (0.02, 0.4), (0.1, 0.5)]), _darker(look.leaf), 0.06)
    # a lime leaf: a heart that stands on its lobes
    pen.fill(pip_outline("H")[0] * [look.plump, -0.86] + [0.0, -0.06], look.leaf)
    vein = _lighter(look.leaf) if look.veins % 2 else _darker(look.leaf)
    if look.veins:
        pen.stroke(np.array([(0.0, -0.4), (0.0, 0.24)]), vein, 0.03)
    for number in range(look.veins):
        y = 0.18 - 0.42 * number / max(1, look.veins)
        for side in (-1, 1):
            reach = 0.28 * look.plump * (1 - 0.5 * number / max(1, look.veins))
            pen.stroke(np.array([(0.0, y), (side * reach, y - 0.12)]), vein, 0.02)


def _acorn(pen: _Pen, look: SignLook) -> None:
    way = 1 if look.nut_up else -1
    pen.stroke(np.array([(0.0, 0.3 * way), (0.04, 0.5 * way)]), _darker(look.cup), 0.07)
    long = look.nut_long
    top = -0.5 * way
    nut = _oval(0, top + way * long * 0.55, 0.25, long * 0.52)
    pen.fill(nut, look.nut)
    pen.stroke(np.array([(0.0, top), (0.0, top + way * 0.06)]), look.line, 0.04)
    pen.stroke(np.array([(-0.1, top + way * 0.16), (-0.12, top + way * 0.36)]), _lighter(look.nut), 0.05)
    rim = top + way * long * 0.78
    turn = np.linspace(0, np.pi, 20)
    deep = 0.4 - abs(rim) if abs(rim) < 0.3 else 0.22
    cup = np.stack([0.31 * np.cos(turn), rim + way * deep * np.sin(turn)], axis=1)
    brim = np.stack([0.31 * np.cos(turn[::-1]), rim - way * 0.07 * np.sin(turn[::-1])], axis=1)
    pen.fill(np.vstack([cup, brim]), look.cup)
    for x in (-0.15, 0.0, 0.15):
        pen.stroke(np.array([(x, rim), (x * 0.6, rim + way * deep * 0.8)]), _darker(look.cup), 0.02)


def _bell(pen: _Pen, look: SignLook) -> None:
    pen.fill(_oval(0, -0.44, 0.07, 0.06), _darker(look.bell, 0.2))
    pen.fill(_oval(0, 0.04, 0.44, 0.44), look.bell)
    for number in range(look.bands):
        y = 0.04 + (number - (look.bands - 1) / 2) * 0.2
        half = float(np.sqrt(max(0.0, 0.44**2 - (y - 0.04) ** 2)))
        bow = np.linspace(-1, 1, 9)
        pen.stroke(np.stack([half * bow, y + 0.05 * (1 - bow**2)], axis=1), look.band, 0.08)
    if look.slit:
        pen.stroke(np.array([(0.0, 0.2), (0.0, 0.42)]), look.line, 0.05)
        for x in (-0.14, 0.14):
            pen.fill(_oval(x, 0.28, 0.045, 0.045), look.line)
    pen.stroke(np.array([(-0.28, -0.08), (-0.22, -0.2), (-0.1, -0.28)]), _lighter(look.bell, 0.6), 0.05)
