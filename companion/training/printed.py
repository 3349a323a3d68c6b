"""Printed and written things that are no cards: newspapers, score sheets, boxes, beer mats, banknotes.

Much of a card is what these have too: a pale sheet with a straight edge, letters and figures in a
corner, a picture in a frame. Nothing of this is drawn where figures are measured.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.camera import Camera
from companion.synth.clutter import PX_MM, any_colour, laid
from companion.synth.pack import rounded, with_alpha
from companion.synth.scene import Overlay

__all__ = ["printed_thing"]

Picture = NDArray[np.uint8]
_Ink = tuple[int, int, int]
_FACES = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
    cv2.FONT_HERSHEY_SCRIPT_COMPLEX,
)
_SIGNS = "ABDEFGHJKLMNOPQRSTUVWXYZ0123456789"


def printed_thing(rng: np.random.Generator, x_mm: float, y_mm: float, camera: Camera) -> Overlay:
    """Lay something printed or written on the table, centred at `x_mm`, `y_mm`."""
    (width, height, thick), draw = _KINDS[int(rng.integers(len(_KINDS)))]
    size = float(rng.uniform(0.75, 1.3)) * PX_MM
    art = draw(rng, round(width * size), round(height * size))
    return laid(art, (x_mm, y_mm), float(rng.uniform(0, 2 * np.pi)), thick, camera)


def _paper(rng: np.random.Generator) -> _Ink:
    tone = rng.uniform(190, 255) - np.array([rng.uniform(0, 25), rng.uniform(0, 10), 0.0])
    return _ink(tone)


def _ink(values: NDArray[np.float64]) -> _Ink:
    b, g, r = (int(value) for value in np.clip(values, 0, 255))
    return b, g, r


def _write(
    rng: np.random.Generator, art: Picture, text: str, at: tuple[int, int], tall: float, ink: _Ink
) -> None:
    """Write a line whose capitals are `tall` pixels high, its lower left at `at`."""
    face = _FACES[int(rng.integers(len(_FACES)))]
    cv2.putText(art, text, at, face, tall / 21, ink, max(1, round(tall / rng.uniform(5, 12))), cv2.LINE_AA)


def _word(rng: np.random.Generator, least: int, most: int) -> str:
    return "".join(rng.choice(list(_SIGNS), int(rng.integers(least, most + 1))))


def _pictured(rng: np.random.Generator, art: Picture, x: int, y: int, w: int, h: int) -> None:
    """A photo or drawing in a frame: ellipses and boxes of any colours."""
    part = np.full((max(2, h), max(2, w), 3), any_colour(rng, 20, 250), np.uint8)
    for _ in range(int(rng.integers(3, 14))):
        centre = (int(rng.integers(0, max(1, w))), int(rng.integers(0, max(1, h))))
        axes = (int(rng.integers(2, max(3, w // 2))), int(rng.integers(2, max(3, h // 2))))
        fill = -1 if rng.random() < 0.7 else 2
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(part, centre, axes, turn, 0, 360, any_colour(rng, 0, 255), fill, cv2.LINE_AA)
    place = art[y : y + h, x : x + w]
    place[:] = part[: place.shape[0], : place.shape[1]]


def _newspaper(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.full((h, w, 3), _paper(rng), np.uint8)
    ink, columns = any_colour(rng, 10, 80), int(rng.integers(2, 6))
    wide, gap = w // columns, max(3, w // 60)
    top = int(h * rng.uniform(0.05, 0.2))
    _write(rng, art, _word(rng, 5, 12), (gap, top), top * 0.7, ink)
    line = int(rng.integers(4, 12))
    for column in range(columns):
        x, y = column * wide + gap, top + 2 * line
        while y < h - 2 * line:
            if rng.random() < 0.04:
                tall = int(rng.integers(2, 14)) * line
                _pictured(rng, art, x, y, wide - 2 * gap, min(tall, h - y - line))
                y += tall + line
            elif rng.random() < 0.06:
                _write(rng, art, _word(rng, 2, 8), (x, y + 2 * line), 2.0 * line, ink)
                y += 3 * line
            else:
                end = x + int((wide - 2 * gap) * (1 if rng.random() < 0.85 else rng.uniform(0.2, 1)))
                cv2.line(art, (x, y), (end, y), ink, max(1, line // 3))
                holes = rng.integers(x, max(x + 1, end), max(1, (end - x) // (2 * line)))
                for hole in holes.tolist():
                    cv2.line(art, (hole, y - line // 2), (hole, y + line // 2), art[0, 0].tolist(), 2)
                y += line
    return with_alpha(art, 255)


def _score_sheet(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.full((h, w, 3), _paper(rng), np.uint8)
    if rng.random() < 0.5:
        step, rule = int(rng.integers(10, 30)), any_colour(rng, 150, 235)
        for y in range(step, h, step):
            cv2.line(art, (0, y), (w, y), rule, 1)
        if rng.random() < 0.6:
            for x in range(step, w, step):
                cv2.line(art, (x, 0), (x, h), rule, 1)
    ink, columns = any_colour(rng, 5, 120), int(rng.integers(1, 5))
    tall = float(rng.uniform(12, 45))
    for column in range(columns):
        x, y = int(w * (column + rng.uniform(0.1, 0.4)) / columns), int(tall * 2)
        if rng.random() < 0.8:
            _write(rng, art, _word(rng, 1, 4), (x, y), tall, ink)
        if column:
            cv2.line(art, (w * column // columns, 0), (w * column // columns, h), ink, 2, cv2.LINE_AA)
        for _ in range(int(rng.integers(0, 9))):
            y += int(tall * 1.5)
            _write(rng, art, str(int(rng.integers(0, 67))), (x, y), tall, ink)
            if rng.random() < 0.1:
                cv2.circle(art, (x + int(tall / 2), y), int(tall / 4), ink, -1, cv2.LINE_AA)
    return with_alpha(art, 255)


def _box(rng: np.random.Generator, w: int, h: int) -> Picture:
    """A pack's box, a cigarette box, a book: a frame, a sign or picture, words."""
    low = 20 if rng.random() < 0.7 else 190
    art = np.full((h, w, 3), any_colour(rng, low, 250), np.uint8)
    ink = any_colour(rng, 0, 255)
    if rng.random() < 0.6:
        inset = int(rng.uniform(0.03, 0.12) * w)
        cv2.rectangle(art, (inset, inset), (w - inset, h - inset), ink, int(rng.integers(1, 6)), cv2.LINE_AA)
    if rng.random() < 0.6:
        side = rng.uniform(0.25, 0.7, 2) * (w, h)
        corner = (np.array([w, h]) - side) * rng.uniform(0.3, 0.7, 2)
        _pictured(rng, art, int(corner[0]), int(corner[1]), int(side[0]), int(side[1]))
    for _ in range(int(rng.integers(1, 5))):
        at = (int(rng.uniform(0.04, 0.5) * w), int(rng.uniform(0.1, 0.97) * h))
        _write(rng, art, _word(rng, 1, 9), at, float(rng.uniform(0.04, 0.16) * h), ink)
    return rounded(art, float(rng.uniform(0.01, 0.08)))


def _beer_mat(rng: np.random.Generator, w: int, h: int) -> Picture:
    art = np.full((h, w, 3), any_colour(rng, 100, 255), np.uint8)
    centre, ink = (w // 2, h // 2), any_colour(rng, 0, 230)
    for share in sorted(rng.uniform(0.1, 0.48, int(rng.integers(1, 4))), reverse=True):
        fill = -1 if rng.random() < 0.5 else int(rng.integers(1, 8))
        cv2.circle(art, centre, int(share * w), any_colour(rng, 0, 255), fill, cv2.LINE_AA)
    _write(rng, art, _word(rng, 3, 7), (int(w * 0.15), int(h * rng.uniform(0.4, 0.7))), w * 0.13, ink)
    if rng.random() < 0.5:
        return rounded(art, float(rng.uniform(0.02, 0.2)))
    mask = np.zeros((h, w), np.uint8)
    cv2.circle(mask, centre, w // 2 - 1, 255, -1, cv2.LINE_AA)
    return with_alpha(art, mask)


def _banknote(rng: np.random.Generator, w: int, h: int) -> Picture:
    base = rng.uniform(120, 245, 3)
    art = np.full((h, w, 3), _ink(base), np.uint8)
    _pictured(rng, art, int(w * 0.3), int(h * 0.15), int(w * 0.4), int(h * 0.7))
    value = str(int(rng.choice([1, 2, 5, 10, 20, 50, 100])))
    ink = _ink(base * rng.uniform(0.2, 0.6))
    for at in ((0.04, 0.3), (0.75, 0.3), (0.04, 0.93), (0.75, 0.93)):
        _write(rng, art, value, (int(w * at[0]), int(h * at[1])), h * float(rng.uniform(0.12, 0.3)), ink)
    return with_alpha(art, 255)


_Draw = Callable[[np.random.Generator, int, int], Picture]
_KINDS: tuple[tuple[tuple[float, float, float], _Draw], ...] = (
    ((210.0, 300.0, 1.0), _newspaper),
    ((105.0, 148.0, 0.1), _score_sheet),
    ((75.0, 105.0, 0.1), _score_sheet),
    ((55.0, 90.0, 0.1), _score_sheet),
    ((63.0, 92.0, 20.0), _box),
    ((60.0, 90.0, 1.0), _box),
    ((130.0, 190.0, 15.0), _box),
    ((93.0, 93.0, 2.0), _beer_mat),
    ((140.0, 72.0, 0.1), _banknote),
)
"""Width, height and thickness, mm; and who draws it."""
