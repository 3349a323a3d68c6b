"""What else lies on a card table: a score sheet, a phone, a glass, coins, a coaster, a pen."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.camera import Camera
from companion.synth.pack import rounded
from companion.synth.scene import Overlay
from companion.synth.style import View

__all__ = ["KINDS", "PX_MM", "any_colour", "laid", "scatter", "thing"]

KINDS = ("sheet", "phone", "glass", "coin", "coaster", "pen")
"""Kinds of things."""
_SIZE_MM = {
    "sheet": (105.0, 148.0),
    "phone": (72.0, 150.0),
    "glass": (74.0, 74.0),
    "coin": (24.0, 24.0),
    "coaster": (93.0, 93.0),
    "pen": (10.0, 140.0),
}
_HEIGHT_MM = {"sheet": 0.1, "phone": 8.0, "glass": 110.0, "coin": 2.2, "coaster": 2.0, "pen": 5.0}
PX_MM = 3
"""Pixels of a drawn thing a millimetre."""
_RIM_MM = 5
_SHADOW = 16
"""The picture's width by this is room enough around a glass for its shadow."""

Picture = NDArray[np.uint8]
Points = NDArray[np.float64]


def thing(kind: str, rng: np.random.Generator, x_mm: float, y_mm: float, camera: Camera) -> Overlay:
    """Put a thing on the table.

    Args:
        kind: One of `KINDS`.
        rng: Decides colours, writing and turn.
        x_mm: Centre.
        y_mm: Centre.
        camera: Sees it; a glass stands up and leans away from the middle of the picture.

    Raises:
        ValueError: The kind is unknown.
    """
    if kind not in KINDS:
        raise ValueError(f"no thing called {kind!r}; known: {', '.join(KINDS)}")
    if kind == "glass":
        return _glass(rng, x_mm, y_mm, camera)
    width, height = _SIZE_MM[kind]
    art = _DRAWN[kind](rng, round(width * PX_MM), round(height * PX_MM))
    turn = float(rng.uniform(0, 2 * np.pi)) if kind != "sheet" else float(rng.normal(0, 0.5))
    return laid(art, (x_mm, y_mm), turn, _HEIGHT_MM[kind], camera)


def scatter(
    rng: np.random.Generator, camera: Camera, view: View, taken: Sequence[tuple[float, float]], count: int
) -> tuple[Overlay, ...]:
    """Lay things where no card will lie.

    Args:
        rng: Decides what and where.
        camera: Sees them.
        view: What is seen of the table; a thing may reach over its edge.
        taken: Middles of the places that stay free, mm.
        count: At most so many things.
    """
    things: list[Overlay] = []
    used = list(taken)
    for _ in range(count * 8):
        if len(things) == count:
            break
        x = float(rng.uniform(-1, 1) * (view.half_width_mm + 20))
        y = float(rng.uniform(view.north_mm, view.south_mm))
        kind = str(rng.choice(KINDS, p=[0.2, 0.15, 0.15, 0.25, 0.15, 0.1]))
        room = 62.0 + max(_SIZE_MM[kind]) / 2
        hidden = [(x, y), _hidden_by((x, y), _HEIGHT_MM[kind], camera)]
        if all(np.hypot(px - a, py - b) > room for px, py in hidden for a, b in used):
            things.append(thing(kind, rng, x, y, camera))
            used += hidden
    return tuple(things)


def _hidden_by(place: tuple[float, float], height_mm: float, camera: Camera) -> tuple[float, float]:
    """Where on the table the line of sight ends that passes the top of a thing, mm."""
    pixel = camera.project(np.array([[*place, height_mm]]))[0]
    x, y, w = np.linalg.inv(camera.plane()) @ [pixel[0], pixel[1], 1.0]
    return float(x / w), float(y / w)


def _with_rim(art: Picture) -> Picture:
    """Add a rim with the soft dark line where a thing touches the table, (H, W, 4)."""
    rim = _RIM_MM * PX_MM
    wide = cv2.copyMakeBorder(art, rim, rim, rim, rim, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
    alpha = wide[..., 3:].astype(np.float32) / 255
    dark = cv2.GaussianBlur(wide[..., 3], (0, 0), rim / 3)[..., None] * np.float32(0.5 / 255)
    total = alpha + dark * (1 - alpha)
    wide[..., :3] = (wide[..., :3] * (alpha / np.maximum(total, 1e-3))).astype(np.uint8)
    wide[..., 3:] = (total * 255).astype(np.uint8)
    return np.asarray(wide, np.uint8)


def laid(art: Picture, place: tuple[float, float], turn: float, height_mm: float, camera: Camera) -> Overlay:
    """Lay a flat thing on the table.

    Args:
        art: Seen from above, (H, W, 4) uint8, blue green red alpha, `PX_MM` to the millimetre.
        place: Its middle, mm.
        turn: Radians.
        height_mm: Of its upper side over the table.
        camera: Sees it.
    """
    art = _with_rim(art)
    h, w = art.shape[:2]
    c, s = np.cos(turn) / PX_MM, np.sin(turn) / PX_MM
    to_mm = np.array(
        [[c, -s, place[0] - c * w / 2 + s * h / 2], [s, c, place[1] - s * w / 2 - c * h / 2], [0, 0, 1]]
    )
    matrix = camera.plane(height_mm) @ to_mm
    corners = cv2.perspectiveTransform(np.array([[[0, 0], [w, 0], [w, h], [0, h]]], np.float64), matrix)[0]
    # what reaches to under the lens is endlessly large; what lies far outside is in no picture
    (x0, y0), size = _frame(np.clip(corners, -np.array(camera.size), 2 * np.array(camera.size)))
    shift = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1]], np.float64)
    picture = cv2.warpPerspective(art, shift @ matrix, size, flags=cv2.INTER_LINEAR)
    return Overlay(np.asarray(picture, np.uint8), (x0, y0))


def _frame(points: Points, margin: int = 2) -> tuple[tuple[int, int], tuple[int, int]]:
    """Origin and size of a box of whole pixels around points."""
    low = np.floor(points.min(axis=0)).astype(int) - margin
    high = np.ceil(points.max(axis=0)).astype(int) + margin + 1
    return (int(low[0]), int(low[1])), (int(high[0] - low[0]), int(high[1] - low[1]))


def _glass(rng: np.random.Generator, x_mm: float, y_mm: float, camera: Camera) -> Overlay:
    foot, rim = float(rng.uniform(22, 31)), float(rng.uniform(31, 37))
    high = _HEIGHT_MM["glass"] * float(rng.uniform(0.75, 1.0))
    level = float(rng.uniform(0.15, 0.8))
    around = np.linspace(0, 2 * np.pi, 48, endpoint=False)

    def ring(share: float, inset: float = 0.0) -> Points:
        radius = foot + (rim - foot) * share - inset
        flat = [x_mm + radius * np.cos(around), y_mm + radius * np.sin(around), np.full(48, share * high)]
        return camera.project(np.stack(flat, axis=1))

    origin, size = _frame(np.vstack([ring(0), ring(1)]), camera.size[0] // _SHADOW)
    fine = 4

    def pixels(points: Points) -> NDArray[np.int32]:
        return np.round((points - origin) * fine).astype(np.int32)

    art = np.zeros((size[1] * fine, size[0] * fine, 4), np.uint8)
    drink = any_colour(rng, 20, 220)
    cv2.fillConvexPoly(art, cv2.convexHull(pixels(np.vstack([ring(0), ring(1)]))), (214, 212, 208, 90))
    cv2.fillConvexPoly(art, cv2.convexHull(pixels(np.vstack([ring(0.06, 2), ring(level, 2)]))), (*drink, 215))
    pale = tuple(min(255, value + 45) for value in drink)
    cv2.fillConvexPoly(art, pixels(ring(level, 2)), (*pale, 225))
    line = max(fine, round(0.02 * float(np.ptp(ring(1)[:, 0])) * fine))
    cv2.polylines(art, [pixels(ring(0))], True, (150, 150, 150, 150), line)
    cv2.polylines(art, [pixels(ring(1))], True, (238, 240, 240, 235), line * 2)
    cv2.polylines(art, [pixels(ring(1, 2.5))[26:34]], False, (255, 255, 255, 255), line)
    side = np.stack([ring(0.15, 4)[30], ring(0.9, 4)[30]])
    cv2.polylines(art, [pixels(side)], False, (255, 255, 255, 190), line * 2)
    small = cv2.resize(art, size, interpolation=cv2.INTER_AREA)
    return Overlay(np.asarray(small, np.uint8), origin, 0.3)


def any_colour(rng: np.random.Generator, low: int = 0, high: int = 256) -> tuple[int, int, int]:
    """Blue, green and red, each from `low` up to but not `high`."""
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
    ink = (*any_colour(rng, 10, 110), 255)
    cv2.line(art, (w // 2, int(h * 0.06)), (w // 2, int(h * 0.8)), ink, 2, cv2.LINE_AA)
    cv2.line(art, (int(w * 0.08), int(h * 0.14)), (int(w * 0.92), int(h * 0.15)), ink, 2, cv2.LINE_AA)
    for column in (0.14, 0.6):
        left = 7
        row = 0.23
        while row < 0.8 and left > 0:
            cv2.putText(
                art,
                str(left),
                (int(w * column), int(h * row)),
                cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
                1.1,
                ink,
                2,
                cv2.LINE_AA,
            )
            left -= int(rng.integers(1, 4))
            row += 0.1
    return art


def _phone(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.full((h, w, 3), any_colour(rng, 10, 60), np.uint8)
    lit = rng.random() < 0.5
    screen = any_colour(rng, 120, 250) if lit else (18, 16, 15)
    cv2.rectangle(art, (8, 10), (w - 9, h - 11), screen, -1)
    if lit:
        for y in range(30, h - 60, 46):
            cv2.rectangle(
                art, (22, y), (w - 24 - int(rng.integers(0, 70)), y + 26), any_colour(rng, 60, 255), -1
            )
    cv2.circle(art, (w // 2, 20), 5, (5, 5, 5), -1, cv2.LINE_AA)
    return rounded(art, 0.11)


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
    a, b = any_colour(rng, 60, 240), any_colour(rng, 20, 200)
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
    colour = (*any_colour(rng, 10, 200), 255)
    cv2.rectangle(art, (w // 4, 0), (3 * w // 4, int(h * 0.88)), colour, -1)
    cv2.rectangle(art, (w // 4, 0), (w // 4 + 3, int(h * 0.88)), (235, 235, 235, 255), -1)
    tip = np.array([[w // 4, int(h * 0.88)], [3 * w // 4, int(h * 0.88)], [w // 2, h - 1]], np.int32)
    cv2.fillConvexPoly(art, tip, (120, 120, 125, 255), cv2.LINE_AA)
    return art


_DRAWN = {"sheet": _sheet, "phone": _phone, "coin": _coin, "coaster": _coaster, "pen": _pen}
