"""What else lies on a card table: a score sheet, a phone, a glass, coins, a coaster, a pen."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.pack import rounded
from companion.synth.scene import Placed
from companion.synth.style import View

__all__ = ["CLUTTER", "KINDS", "scatter", "thing"]

KINDS = ("sheet", "phone", "glass", "coin", "coaster", "pen")
"""Kinds of things."""
CLUTTER = -2
"""`Placed.mark` of a thing that is no card."""
_SIZE_MM = {
    "sheet": (105.0, 148.0),
    "phone": (72.0, 150.0),
    "glass": (74.0, 74.0),
    "coin": (24.0, 24.0),
    "coaster": (93.0, 93.0),
    "pen": (10.0, 140.0),
}
_PX_MM = 3

Picture = NDArray[np.uint8]


def thing(kind: str, rng: np.random.Generator, x_mm: float, y_mm: float) -> Placed:
    """Put a thing on the table.

    Args:
        kind: One of `KINDS`.
        rng: Decides colours, writing and turn.
        x_mm: Centre.
        y_mm: Centre.

    Raises:
        ValueError: The kind is unknown.
    """
    if kind not in KINDS:
        raise ValueError(f"no thing called {kind!r}; known: {', '.join(KINDS)}")
    width, height = _SIZE_MM[kind]
    art = _DRAWN[kind](rng, round(width * _PX_MM), round(height * _PX_MM))
    turn = float(rng.uniform(0, 2 * np.pi)) if kind != "sheet" else float(rng.normal(0, 0.5))
    thick = {"phone": 0.45, "glass": 0.4, "coin": 0.4}.get(kind, 0.1)
    return Placed(kind, art, x_mm, y_mm, turn, (width, height), 0.0, thick, mark=CLUTTER)


def scatter(
    rng: np.random.Generator, view: View, taken: Sequence[tuple[float, float]], count: int
) -> tuple[Placed, ...]:
    """Lay things where no card will lie.

    Args:
        rng: Decides what and where.
        view: What is seen of the table; a thing may reach over its edge.
        taken: Middles of the places that stay free, mm.
        count: At most so many things.
    """
    things: list[Placed] = []
    used = list(taken)
    for _ in range(count * 8):
        if len(things) == count:
            break
        x = float(rng.uniform(-1, 1) * (view.half_width_mm + 20))
        y = float(rng.uniform(view.north_mm, view.south_mm))
        kind = str(rng.choice(KINDS, p=[0.2, 0.15, 0.15, 0.25, 0.15, 0.1]))
        room = 62.0 + max(_SIZE_MM[kind]) / 2
        if all(np.hypot(x - a, y - b) > room for a, b in used):
            things.append(thing(kind, rng, x, y))
            used.append((x, y))
    return tuple(things)


def _colour(rng: np.random.Generator, low: int = 0, high: int = 256) -> tuple[int, int, int]:
    b, g, r = (int(value) for value in rng.integers(low, high, 3))
    return b, g, r


def _sheet(rng: np.random.Generator, w: int, h: int) -> Picture:
    paper = int(rng.integers(222, 252))
    art = np.full((h, w, 4), (paper - 6, paper - 2, paper, 255), np.uint8)
    if rng.random() < 0.5:
        for y in range(0, h, 15):
            cv2.line(art, (0, y), (w, y), (225, 210, 190, 255), 1)
        for x in range(0, w, 15):
            cv2.line(art, (x, 0), (x, h), (225, 210, 190, 255), 1)
    ink = (*_colour(rng, 10, 110), 255)
    cv2.line(art, (w // 2, int(h * 0.06)), (w // 2, int(h * 0.8)), ink, 2, cv2.LINE_AA)
    cv2.line(art, (int(w * 0.08), int(h * 0.14)), (int(w * 0.92), int(h * 0.15)), ink, 2, cv2.LINE_AA)
    for column in (0.14, 0.6):
        left = 7
        y = 0.23
        while y < 0.8 and left > 0:
            cv2.putText(
                art,
                str(left),
                (int(w * column), int(h * y)),
                cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                1.1,
                ink,
                2,
                cv2.LINE_AA,
            )
            left -= int(rng.integers(1, 4))
            y += 0.1
    return art


def _phone(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.full((h, w, 3), _colour(rng, 10, 60), np.uint8)
    lit = rng.random() < 0.5
    screen = _colour(rng, 120, 250) if lit else (18, 16, 15)
    cv2.rectangle(art, (8, 10), (w - 9, h - 11), screen, -1)
    if lit:
        for y in range(30, h - 60, 46):
            cv2.rectangle(
                art, (22, y), (w - 24 - int(rng.integers(0, 70)), y + 26), _colour(rng, 60, 255), -1
            )
    cv2.circle(art, (w // 2, 20), 5, (5, 5, 5), -1, cv2.LINE_AA)
    return rounded(art, 0.11)


def _glass(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.zeros((h, w, 4), np.uint8)
    middle = (w // 2, h // 2)
    cv2.circle(art, middle, w // 2 - 2, (225, 225, 225, 150), -1, cv2.LINE_AA)
    drink = _colour(rng, 30, 220)
    cv2.circle(art, middle, int(w * 0.41), (*drink, 225), -1, cv2.LINE_AA)
    cv2.circle(art, middle, w // 2 - 4, (245, 245, 245, 255), 4, cv2.LINE_AA)
    cv2.ellipse(
        art, middle, (int(w * 0.33), int(w * 0.33)), 0, 190, 260, (255, 255, 255, 255), 4, cv2.LINE_AA
    )
    return art


def _coin(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.zeros((h, w, 4), np.uint8)
    gold, silver = (85, 160, 190, 255), (185, 188, 190, 255)
    outer, inner = (gold, silver) if rng.random() < 0.5 else (silver, gold)
    cv2.circle(art, (w // 2, h // 2), w // 2 - 1, outer, -1, cv2.LINE_AA)
    cv2.circle(art, (w // 2, h // 2), int(w * 0.36), inner, -1, cv2.LINE_AA)
    cv2.putText(
        art,
        str(int(rng.choice([1, 2]))),
        (w // 3, int(h * 0.66)),
        cv2.FONT_HERSHEY_DUPLEX,
        0.9,
        (70, 80, 90, 255),
        2,
        cv2.LINE_AA,
    )
    return art


def _coaster(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.zeros((h, w, 4), np.uint8)
    centre = (w // 2, h // 2)
    a, b = _colour(rng, 60, 240), _colour(rng, 20, 200)
    if rng.random() < 0.5:
        cv2.circle(art, centre, w // 2 - 1, (*a, 255), -1, cv2.LINE_AA)
    else:
        art = rounded(np.full((h, w, 3), a, np.uint8), 0.1)
    cv2.circle(art, centre, int(w * 0.4), (*b, 255), 6, cv2.LINE_AA)
    for i in range(5):
        end = (int(w / 2 + w * 0.28 * np.cos(i * 1.257)), int(h / 2 + h * 0.28 * np.sin(i * 1.257)))
        cv2.line(art, centre, end, (*b, 255), 9, cv2.LINE_AA)
    return art


def _pen(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.zeros((h, w, 4), np.uint8)
    colour = (*_colour(rng, 10, 200), 255)
    cv2.rectangle(art, (w // 4, 0), (3 * w // 4, int(h * 0.88)), colour, -1)
    cv2.rectangle(art, (w // 4, 0), (w // 4 + 3, int(h * 0.88)), (235, 235, 235, 255), -1)
    tip = np.array([[w // 4, int(h * 0.88)], [3 * w // 4, int(h * 0.88)], [w // 2, h - 1]], np.int32)
    cv2.fillConvexPoly(art, tip, (120, 120, 125, 255), cv2.LINE_AA)
    return art


_DRAWN = {"sheet": _sheet, "phone": _phone, "glass": _glass, "coin": _coin, "coaster": _coaster, "pen": _pen}
