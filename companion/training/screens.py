"""Screens of phones and tablets that lie beside the cards: this program's page among what they show.

A page that shows what has been played has pictures of cards on it, pale panels with a straight edge, large
figures and suit signs. None of it is a card. Nothing of this is drawn where figures are measured.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.camera import Camera
from companion.synth.clutter import PX_MM, any_colour, laid
from companion.synth.glyphs import draw_letters, draw_pip
from companion.synth.pack import rounded
from companion.synth.scene import Overlay

__all__ = ["Screen", "screen", "screen_thing"]

Picture = NDArray[np.uint8]
Ink = tuple[int, int, int]
_SUITS = "SHDC"
_RED: Ink = (42, 22, 190)
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX)
_WORDS = "ATOUTSTICHNORDAUGENHERZPIK0123456789"
_LETTERS = ("A", "10", "K", "D", "B", "Q", "J", "O", "U", "X", "9")
_SIZES_MM = ((70.0, 148.0), (76.0, 162.0), (66.0, 138.0), (150.0, 70.0), (135.0, 200.0), (240.0, 170.0))
_THICK_MM = 8.0
_OFF = 0.1
"""Share of the screens that are dark."""
_PICTURED = 0.15
"""Share of those that show one picture alone."""


def screen_thing(rng: np.random.Generator, x_mm: float, y_mm: float, camera: Camera) -> Overlay:
    """Lay a phone or tablet on the table, centred at `x_mm`, `y_mm`."""
    width, height = np.array(_SIZES_MM[int(rng.integers(len(_SIZES_MM)))]) * rng.uniform(0.95, 1.05) * PX_MM
    art = screen(rng, round(width), round(height))
    return laid(art, (x_mm, y_mm), float(rng.uniform(0, 2 * np.pi)), _THICK_MM, camera)


def screen(rng: np.random.Generator, w: int, h: int) -> Picture:
    """Draw a phone or tablet of a size in pixels, (h, w, 4) uint8."""
    body = any_colour(rng, 5, 60) if rng.random() < 0.8 else any_colour(rng, 150, 240)
    art = np.full((h, w, 3), body, np.uint8)
    rim = max(2, round(min(w, h) * rng.uniform(0.015, 0.07)))
    shown = art[rim : h - rim, rim : w - rim]
    if rng.random() < _OFF:
        shown[:] = any_colour(rng, 3, 28)
        x = int(rng.integers(0, w))
        cv2.line(shown, (x, 0), (x - w // 2, h), any_colour(rng, 30, 90), max(1, w // 12), cv2.LINE_AA)
    else:
        Screen(rng, shown).fill()
    return rounded(art, float(rng.uniform(0.02, 0.14)) * min(1.0, h / w))


class Screen:
    """What is lit: panels below each other.

    Args:
        rng: Decides what they are.
        art: (H, W, 3) uint8 BGR, drawn on.
    """

    def __init__(self, rng: np.random.Generator, art: Picture) -> None:
        self._rng, self._art = rng, art
        self._h, self._w = art.shape[:2]
        dark = rng.random() < 0.5
        self._ground = any_colour(rng, 5, 45) if dark else any_colour(rng, 215, 256)
        self._panel = any_colour(rng, 25, 70) if dark else any_colour(rng, 235, 256)
        self._ink = any_colour(rng, 190, 256) if dark else any_colour(rng, 0, 70)
        self._accent = any_colour(rng, 40, 256)
        self._unit = min(self._w, 0.6 * self._h) / 100

    def fill(self) -> None:
        """Fill the screen from above."""
        rng, pad = self._rng, round(3 * self._unit)
        self._art[:] = self._ground
        if rng.random() < _PICTURED:
            self._photo(0, 0, self._w, self._h)
            return
        y = round(rng.uniform(4, 14) * self._unit)
        self._write(pad * 2, y // 3, 4 * self._unit, 8)
        parts = (self._trump, self._sides, self._list, self._pack, self._text, self._photo, self._buttons)
        weights = np.array([0.2, 0.25, 0.15, 0.08, 0.12, 0.08, 0.12])
        while y < self._h - 8 * self._unit:
            part = parts[int(rng.choice(len(parts), p=weights))]
            most = 110 if part == self._sides else 70
            tall = round(rng.uniform(18, most) * self._unit)
            part(pad, y, self._w - 2 * pad, min(tall, self._h - y - pad))
            y += tall + pad

    def _box(self, x: int, y: int, w: int, h: int, colour: Ink, line: Ink | None = None) -> None:
        """A panel with round corners."""
        r = max(1, min(w, h) // 10)
        centres = [(x + r, y + r), (x + w - r, y + r), (x + w - r, y + h - r), (x + r, y + h - r)]
        turns = (180, 270, 0, 90)
        points = [
            point
            for centre, turn in zip(centres, turns, strict=True)
            for point in cv2.ellipse2Poly(centre, (r, r), turn, 0, 90, 15)
        ]
        outline = np.array(points, np.int32)
        cv2.fillPoly(self._art, [outline], colour, cv2.LINE_AA)
        if line is not None:
            cv2.polylines(self._art, [outline], True, line, max(1, round(self._unit)), cv2.LINE_AA)

    def _write(self, x: int, y: int, tall: float, most: int) -> None:
        """A word, its upper left at x, y."""
        text = "".join(self._rng.choice(list(_WORDS), int(self._rng.integers(2, most + 1))))
        font = _FONTS[int(self._rng.integers(len(_FONTS)))]
        at = (x, round(y + tall))
        cv2.putText(self._art, text, at, font, tall / 21, self._ink, max(1, round(tall / 7)), cv2.LINE_AA)

    def _number(self, x: int, y: int, tall: float) -> None:
        digits = str(int(self._rng.integers(0, 67)))
        if tall < 3:
            return
        draw_letters(self._art, digits, (x, y, 0.6 * tall * len(digits), tall), self._ink)

    def _card(self, x: int, y: int, w: int, h: int) -> None:
        """The picture of a card as a page draws it: a large letter, a sign beside it, one in the middle."""
        if w < 6 or h < 9:
            return
        rng = self._rng
        grey = rng.random() < 0.3
        paper = any_colour(rng, 150, 200) if grey else any_colour(rng, 225, 256)
        line = any_colour(rng, 60, 220) if rng.random() < 0.3 else None
        if rng.random() < 0.1:
            self._box(x, y, w, h, self._panel, line or self._ink)
            return
        self._box(x, y, w, h, paper, line)
        if rng.random() < 0.15:
            self._weave(x, y, w, h)
            return
        suit = str(rng.choice(list(_SUITS)))
        ink: Ink = _RED if suit in "HD" else (25, 22, 18)
        letters = str(rng.choice(_LETTERS))
        tall = 0.24 * h
        draw_letters(
            self._art, letters, (x + 0.08 * w, y + 0.06 * h, 0.24 * w * len(letters), max(2.0, tall)), ink,
            font=cv2.FONT_HERSHEY_SIMPLEX, weight=2.0,
        )  # fmt: skip
        draw_pip(self._art, suit, (x + 0.77 * w, y + 0.18 * h), 0.2 * h, ink)
        if letters in "KDBQJOU" and rng.random() < 0.8:
            cap = np.array(
                [[0.3, 0.52], [0.3, 0.38], [0.4, 0.45], [0.5, 0.36], [0.6, 0.45], [0.7, 0.38], [0.7, 0.52]]
            )
            points = np.round(cap * (w, h) + (x, y)).astype(np.int32)
            cv2.fillPoly(self._art, [points], ink, cv2.LINE_AA)
            draw_pip(self._art, suit, (x + 0.5 * w, y + 0.74 * h), 0.3 * h, ink)
        else:
            draw_pip(self._art, suit, (x + 0.5 * w, y + 0.66 * h), 0.4 * h, ink)

    def _weave(self, x: int, y: int, w: int, h: int) -> None:
        """The back of a card: diamonds in rows."""
        inset = max(1, w // 12)
        back = any_colour(self._rng, 20, 170)
        cv2.rectangle(self._art, (x + inset, y + inset), (x + w - inset, y + h - inset), back, -1)
        columns, rows = int(self._rng.integers(2, 5)), int(self._rng.integers(3, 7))
        for row in range(rows):
            for column in range(columns):
                centre = (x + w * (column + 0.5) / columns, y + h * (row + 0.5) / rows)
                draw_pip(self._art, "D", centre, 0.7 * h / rows, any_colour(self._rng, 150, 240))

    def _cards(self, x: int, y: int, w: int, h: int, most: int) -> None:
        """Cards beside each other that fill a place."""
        count = int(self._rng.integers(1, most + 1))
        wide = min(w // count, round(h / 1.4))
        for at in range(count):
            self._card(x + at * w // count, y, round(wide * 0.95), round(wide * 1.33))

    def _trump(self, x: int, y: int, w: int, h: int) -> None:
        """The trump, the turn-up under the stock, a number."""
        self._box(x, y, w, h, self._panel)
        suit = str(self._rng.choice(list(_SUITS)))
        draw_pip(self._art, suit, (x + 0.14 * w, y + 0.5 * h), 0.4 * h, self._accent)
        wide = round(min(0.6 * h, 0.25 * w))
        self._card(x + round(0.32 * w), y + round(0.08 * h), wide, round(1.38 * wide))
        if self._rng.random() < 0.8:
            left, top, tall = x + round(0.42 * w), y + round(0.25 * h), round(0.7 * wide)
            self._box(left, top, round(1.38 * tall), tall, any_colour(self._rng, 220, 256))
            self._weave(left, top, round(1.38 * tall), tall)
        self._number(x + round(0.85 * w), y + round(0.3 * h), 0.3 * h)

    def _sides(self, x: int, y: int, w: int, h: int) -> None:
        """Both players: a name, a card, a count."""
        gap = round(2 * self._unit)
        wide = (w - gap) // 2
        for side in range(2):
            left = x + side * (wide + gap)
            line = self._accent if self._rng.random() < 0.4 else None
            self._box(left, y, wide, h, self._panel, line)
            self._write(left + gap, y + gap, 5 * self._unit, 5)
            if self._rng.random() < 0.85:
                tall = min(0.6 * h, 1.1 * wide)
                at = (left + round(0.1 * wide), y + round(0.2 * h))
                self._card(*at, round(tall / 1.4), round(tall))
            self._number(left + gap, y + round(0.85 * h), 0.12 * h)

    def _list(self, x: int, y: int, w: int, h: int) -> None:
        """Lines, each with a small card or sign."""
        self._box(x, y, w, h, self._panel)
        step = round(self._rng.uniform(8, 15) * self._unit)
        for top in range(y + step // 4, y + h - step, max(4, step)):
            if self._rng.random() < 0.7:
                self._card(x + step // 3, top, round(0.6 * step), round(0.84 * step))
            self._write(x + round(1.4 * step), top + step // 4, 0.4 * step, 14)

    def _pack(self, x: int, y: int, w: int, h: int) -> None:
        """Rows of small cards."""
        step = round(self._rng.uniform(14, 26) * self._unit)
        for top in range(y, y + h - step, max(6, step)):
            self._cards(x, top, w, step, 6)

    def _text(self, x: int, y: int, w: int, h: int) -> None:
        tall = self._rng.uniform(2.5, 6) * self._unit
        for top in range(y, round(y + h - tall), max(3, round(1.7 * tall))):
            self._write(x, top, tall, max(3, int(w / (0.8 * tall))))

    def _photo(self, x: int, y: int, w: int, h: int) -> None:
        """A picture of anything: a table with what lies there, a face, a meadow."""
        part = self._art[y : y + h, x : x + w]
        part[:] = any_colour(self._rng, 20, 230)
        for _ in range(int(self._rng.integers(2, 10))):
            centre = (int(self._rng.integers(0, max(1, w))), int(self._rng.integers(0, max(1, h))))
            axes = (int(self._rng.integers(2, max(3, w // 2))), int(self._rng.integers(2, max(3, h // 2))))
            turn = float(self._rng.uniform(0, 180))
            cv2.ellipse(part, centre, axes, turn, 0, 360, any_colour(self._rng, 0, 256), -1, cv2.LINE_AA)

    def _buttons(self, x: int, y: int, w: int, h: int) -> None:
        """A row of buttons, or one that is wide."""
        count, tall = int(self._rng.integers(1, 5)), min(h, round(16 * self._unit))
        colour = self._accent if count == 1 else self._panel
        for at in range(count):
            left = x + at * w // count
            self._box(left, y, w // count - 2, tall, colour, any_colour(self._rng, 40, 200))
            self._write(left + round(2 * self._unit), y + tall // 3, 0.35 * tall, 7)
