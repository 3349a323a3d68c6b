"""A phone that lies beside the cards and shows the page, as the game goes on: its cards are none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.camera import Camera
from companion.synth.clutter import PX_MM, laid
from companion.synth.glyphs import draw_letters, draw_pip
from companion.synth.pack import rounded
from companion.synth.scene import Overlay

__all__ = ["SIZE_MM", "Page", "Phone", "pages"]

Picture = NDArray[np.uint8]
Ink = tuple[int, int, int]
SIZE_MM = (72.0, 150.0)
_THICK_MM = 8.0
_LATE_S = 1.0
"""So long after an event the page shows it."""
_POINTS = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
_DARK: tuple[Ink, Ink, Ink] = ((19, 24, 12), (31, 40, 22), (232, 241, 244))
_LIGHT: tuple[Ink, Ink, Ink] = ((232, 240, 238), (255, 255, 255), (30, 38, 24))
"""Ground, panels and text, blue green red."""
_GOLD: Ink = (78, 193, 242)
_GREEN: Ink = (60, 92, 15)
_PAPER, _OLD_PAPER, _BACK = (239, 248, 251), (184, 192, 190), (44, 30, 122)
_RED, _BLACK = (43, 24, 192), (30, 27, 27)


@dataclass(frozen=True, slots=True)
class Page:
    """What the page shows.

    Attributes:
        turn_up: `KH`; empty: nothing has been dealt.
        stock: Whether the stock lies there.
        covered: Whether it is closed.
        cards: The cards of the trick, or of the one before, south's and north's; empty: none.
        old: Whether that trick has been taken.
        points: What south and north have laid comes to.
    """

    turn_up: str = ""
    stock: bool = False
    covered: bool = False
    cards: tuple[str, str] = ("", "")
    old: bool = False
    points: tuple[int, int] = (0, 0)


def pages(timeline: Iterable[Mapping[str, Any]]) -> tuple[tuple[float, Page], ...]:
    """What the page shows from a time on, seconds, by what happened when (`Script.timeline`)."""
    page = Page()
    found = [(0.0, page)]
    for entry in timeline:
        page = _after(page, entry)
        found.append((float(entry["t"]) + _LATE_S, page))
    return tuple(found)


def _after(page: Page, entry: Mapping[str, Any]) -> Page:
    match entry["type"]:
        case "deal":
            return Page(str(entry["turned_up"]), stock=True)
        case "exchange":
            return replace(page, turn_up=f"J{page.turn_up[1:]}")
        case "close":
            return replace(page, covered=True)
        case "cleared":
            return Page()
        case "play":
            player, card = int(entry["player"]), str(entry["card"])
            cards = ["", ""] if page.old or all(page.cards) else list(page.cards)
            cards[player] = card
            points = list(page.points)
            points[player] += _POINTS.get(card[0], 0)
            return replace(page, cards=(cards[0], cards[1]), old=all(cards), points=(points[0], points[1]))
        case _:
            return page


@dataclass(eq=False)
class Phone:
    """A phone on the table.

    Attributes:
        place: Its middle, mm.
        turn: Radians.
        dark: Whether its page is dark.
        camera: Sees it.
    """

    place: tuple[float, float]
    turn: float
    dark: bool
    camera: Camera
    _drawn: dict[Page, Overlay] = field(default_factory=dict)

    def showing(self, page: Page) -> Overlay:
        """The phone with a page on it."""
        if page not in self._drawn:
            art = _draw(page, self.dark)
            self._drawn[page] = laid(art, self.place, self.turn, _THICK_MM, self.camera)
        return self._drawn[page]


def _draw(page: Page, dark: bool) -> Picture:
    """The phone from above, (H, W, 4) uint8."""
    w, h = (round(side * PX_MM) for side in SIZE_MM)
    ground, panel, ink = _DARK if dark else _LIGHT
    art = np.full((h, w, 3), 18, np.uint8)
    art[6 : h - 6, 5 : w - 5] = ground
    cv2.putText(art, "Partie 1 Spiel 1", (14, 26), cv2.FONT_HERSHEY_SIMPLEX, 0.32, ink, 1, cv2.LINE_AA)
    _panel(art, (12, 36, w - 24, 70), panel)
    if page.turn_up:
        draw_pip(art, page.turn_up[1], (38, 68), 26, _ink(page.turn_up[1], dark))
        if not page.covered:
            _card(art, page.turn_up, (70, 42, 40, 58), _PAPER)
        if page.stock:
            _panel(art, (100, 50, 58, 40), _PAPER)
            cv2.rectangle(art, (104, 54), (153, 85), _BACK, -1)
            for x in range(111, 152, 12):
                for y in (62, 78):
                    draw_pip(art, "D", (x, y), 12, (120, 150, 190))
    for side, card in enumerate(page.cards):
        x = 12 + side * (w // 2 - 9)
        _panel(art, (x, 112, w // 2 - 15, 236), panel)
        name = ("Anna", "Bert")[side]
        cv2.putText(art, name, (x + 8, 132), cv2.FONT_HERSHEY_DUPLEX, 0.42, ink, 1, cv2.LINE_AA)
        if card:
            _card(art, card, (x + 11, 164, 76, 108), _OLD_PAPER if page.old and side else _PAPER)
        digits = str(page.points[side])
        draw_letters(art, digits, (x + 8, 286, 15 * len(digits), 22), ink)
        cv2.putText(art, "Augen", (x + 44, 306), cv2.FONT_HERSHEY_SIMPLEX, 0.36, ink, 1, cv2.LINE_AA)
    for at in range(4):
        _panel(art, (12 + at * 49, h - 96, 44, 28), panel)
    _panel(art, (12, h - 62, w - 24, 46), _GOLD if dark else _GREEN)
    draw_letters(art, "Aus!", (w // 2 - 26, h - 50, 52, 18), (2, 21, 29) if dark else (255, 255, 255))
    return rounded(art, 0.1)


def _ink(suit: str, dark: bool) -> Ink:
    if suit in "HD":
        return _RED
    return (232, 241, 244) if dark else _BLACK


def _panel(art: Picture, box: tuple[int, int, int, int], colour: Ink) -> None:
    x, y, w, h = box
    part = art[y : y + h, x : x + w]
    mask = rounded(np.zeros((*part.shape[:2], 3), np.uint8), 0.06)[..., 3:].astype(np.float32) / 255
    part[:] = (np.array(colour) * mask + part * (1 - mask)).astype(np.uint8)


def _card(art: Picture, card: str, box: tuple[int, int, int, int], paper: Ink) -> None:
    """A card as the page draws it: a large letter, its sign beside it and once more below."""
    x, y, w, h = box
    _panel(art, box, paper)
    ink = _RED if card[1] in "HD" else _BLACK
    letters = {"T": "10", "Q": "D", "J": "B"}.get(card[0], card[0])
    wide = 0.25 * w * (1.7 if len(letters) > 1 else 1.0)
    draw_letters(
        art, letters, (x + 0.09 * w, y + 0.08 * h, wide, 0.21 * h), ink,
        font=cv2.FONT_HERSHEY_SIMPLEX, weight=2.0,
    )  # fmt: skip
    draw_pip(art, card[1], (x + 0.77 * w, y + 0.18 * h), 0.2 * h, ink)
    if card[0] in "KQJ":
        cap = np.array(
            [[0.3, 0.53], [0.3, 0.42], [0.41, 0.47], [0.5, 0.37], [0.59, 0.47], [0.7, 0.42], [0.7, 0.53]]
        )
        cv2.fillPoly(art, [np.round(cap * (w, h) + (x, y)).astype(np.int32)], ink, cv2.LINE_AA)
        draw_pip(art, card[1], (x + 0.5 * w, y + 0.74 * h), 0.3 * h, ink)
    else:
        draw_pip(art, card[1], (x + 0.5 * w, y + 0.66 * h), 0.42 * h, ink)
