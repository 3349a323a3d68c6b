"""A French-suited pack of our own drawing: no art from elsewhere, any number of varieties."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.backs import PATTERNS
from companion.synth.courts import draw_court, draw_joker
from companion.synth.glyphs import draw_letters, draw_pip
from companion.synth.pack import Pack, finished

__all__ = ["INDICES", "DrawnStyle", "drawn_pack"]

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

INDICES = {
    "AKDB": {"A": "A", "T": "10", "K": "K", "Q": "D", "J": "B"},
    "AKQJ": {"A": "A", "T": "10", "K": "K", "Q": "Q", "J": "J"},
}
"""Index letters: A K D B (Ass, König, Dame, Bube) on Austrian tables, A K Q J elsewhere."""
_WIDTH, _HEIGHT = 360, 550
_FINE = 2
"""Everything is drawn at this multiple and shrunk."""
_PALETTE = np.array(
    [
        (40, 45, 195),
        (165, 85, 35),
        (35, 185, 235),
        (70, 130, 45),
        (120, 60, 120),
        (60, 120, 225),
        (150, 150, 40),
    ]
)
_BACK_INKS: tuple[Colour, ...] = (
    (40, 40, 175), (150, 70, 25), (70, 105, 30), (85, 35, 90), (60, 60, 60), (90, 60, 200)
)  # fmt: skip
_PIPS: dict[str, list[tuple[float, float]]] = {
    "A": [(0.0, 0.0)],
    "7": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5)],
    "8": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1), (0, -0.5), (0, 0.5)],
    "9": [(s, y) for s in (-1.0, 1.0) for y in (-1.0, -1 / 3, 1 / 3, 1.0)] + [(0.0, 0.0)],
    "T": [(s, y) for s in (-1.0, 1.0) for y in (-1.0, -1 / 3, 1 / 3, 1.0)] + [(0.0, -2 / 3), (0.0, 2 / 3)],
}


@dataclass(frozen=True, slots=True)
class DrawnStyle:
    """What differs from one drawn pack to another; colours are blue, green, red.

    Attributes:
        indices: Key of `INDICES`.
        inks: By suit letter.
        paper: Ground of the faces.
        index_height: Of an index letter, share of the card's height.
        pip_height: Share of the card's height.
        waist: See `companion.synth.glyphs.pip_outline`.
        font: OpenCV's number of the index font.
        weight: Thickness of the letters.
        cloths: Four colours of the courts' clothes.
        back_kind: Pattern of the back.
        back_ink: Its colour.
        frame: Whether a line frames the courts.
        corners: How many corners carry an index, 2 or 4.
    """

    indices: str
    inks: dict[str, Colour]
    paper: Colour
    index_height: float
    pip_height: float
    waist: float
    font: int
    weight: float
    cloths: tuple[Colour, Colour, Colour, Colour]
    back_kind: str
    back_ink: Colour
    frame: bool
    corners: int

    @classmethod
    def random(cls, seed: int) -> DrawnStyle:
        """Any pack."""
        rng = np.random.default_rng([seed, 0xD2A])
        red: Colour = (int(rng.integers(20, 60)), int(rng.integers(15, 45)), int(rng.integers(185, 225)))
        black: Colour = (int(rng.integers(15, 45)), int(rng.integers(15, 35)), int(rng.integers(15, 35)))
        inks = {"H": red, "D": red, "C": black, "S": black}
        if rng.random() < 0.25:
            inks["D"] = (20, 125, 235) if rng.random() < 0.5 else (190, 100, 20)
            inks["C" if rng.random() < 0.5 else "S"] = (50, 125, 25)
        palette = _PALETTE[rng.permutation(len(_PALETTE))].tolist()
        cloths = [(int(b), int(g), int(r)) for b, g, r in palette]
        fonts = (cv2.FONT_HERSHEY_TRIPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_COMPLEX)
        return cls(
            indices="AKDB" if rng.random() < 0.6 else "AKQJ",
            inks=inks,
            paper=(int(rng.integers(238, 252)), int(rng.integers(244, 253)), int(rng.integers(246, 255))),
            index_height=float(rng.uniform(0.072, 0.115)),
            pip_height=float(rng.uniform(0.105, 0.128)),
            waist=float(rng.uniform(-1, 1)),
            font=int(rng.choice(fonts)),
            weight=float(rng.uniform(1.0, 1.7)),
            cloths=(cloths[0], cloths[1], cloths[2], cloths[3]),
            back_kind=str(rng.choice(BACKS)),
            back_ink=_BACK_INKS[int(rng.integers(len(_BACK_INKS)))],
            frame=bool(rng.random() < 0.7),
            corners=4 if rng.random() < 0.25 else 2,
        )


def drawn_pack(seed: int, *, indices: str | None = None, height_px: int = _HEIGHT) -> Pack:
    """Draw a pack of 32 cards, sevens and eights among them, and `joker1`.

    Args:
        seed: Decides colours, sizes, glyphs, letters and the back.
        indices: Key of `INDICES`; else decided by the seed.
        height_px: Height of the pictures; they are 550 high when drawn.

    Returns:
        Faces and back, (height_px, W, 4) uint8 each.

    Raises:
        ValueError: The seed is below 0, or there are no such index letters.
    """
    if seed < 0:
        raise ValueError(f"the seed of a drawn pack is 0 or more, not {seed}")
    style = DrawnStyle.random(seed)
    chosen = indices or style.indices
    if chosen not in INDICES:
        raise ValueError(f"no index letters {chosen!r}; known: {', '.join(INDICES)}")
    letters = {**INDICES[chosen], "9": "9", "8": "8", "7": "7"}
    faces = {"joker1": finished(_joker(style), height_px)}
    for suit in "HDCS":
        for rank in "ATKQJ987":
            faces[rank + suit] = finished(_face(rank, suit, letters[rank], style), height_px)
    return Pack(f"drawn-{seed}", faces, finished(_back(style), height_px), (59.0, 59.0 * _HEIGHT / _WIDTH))


def _face(rank: str, suit: str, letters: str, style: DrawnStyle) -> Picture:
    w, h = _WIDTH * _FINE, _HEIGHT * _FINE
    canvas = np.empty((h, w, 3), np.uint8)
    canvas[:] = style.paper
    ink = style.inks[suit]
    if rank in "KQJ":
        inner = (round(w * 0.17), round(h * 0.075), round(w * 0.83), round(h * 0.925))
        draw_court(canvas, rank, suit, inner, style.cloths, ink, style.paper)
        if style.frame:
            cv2.rectangle(canvas, inner[:2], inner[2:], (90, 60, 40), 3, cv2.LINE_AA)
        pip = h * 0.10
        # both signs of a court stand beside the head, one to each end
        for turned in (False, True):
            x, y = inner[0] + pip * 0.62, inner[1] + pip * 0.72
            spot = (w - x, h - y) if turned else (x, y)
            draw_pip(canvas, suit, spot, pip, ink, upside_down=turned, waist=style.waist)
    else:
        pip = h * (0.30 if rank == "A" else style.pip_height)
        for x, y in _PIPS[rank]:
            spot = (w / 2 + x * w * 0.19, h / 2 + y * h * 0.345)
            draw_pip(canvas, suit, spot, pip, ink, upside_down=y > 0.01, waist=style.waist)
    _index(canvas, letters, suit, ink, style)
    turned_canvas = np.ascontiguousarray(canvas[::-1, ::-1])
    _index(turned_canvas, letters, suit, ink, style)
    return np.ascontiguousarray(turned_canvas[::-1, ::-1])


def _index(canvas: Picture, letters: str, suit: str, ink: Colour, style: DrawnStyle) -> None:
    h, w = canvas.shape[:2]
    tall = h * style.index_height
    wide = min(w * 0.125, tall * (0.72 if len(letters) == 1 else 0.95))
    y = h * 0.035
    for x in (w * 0.085, w * 0.915) if style.corners == 4 else (w * 0.085,):
        box = (x - wide / 2, y, wide, tall)
        draw_letters(canvas, letters, box, ink, font=style.font, weight=style.weight)
        draw_pip(canvas, suit, (x, y + tall + h * 0.045), h * 0.062, ink, waist=style.waist)


def _joker(style: DrawnStyle) -> Picture:
    w, h = _WIDTH * _FINE, _HEIGHT * _FINE
    canvas = np.empty((h, w, 3), np.uint8)
    canvas[:] = style.paper
    inner = (round(w * 0.19), round(h * 0.1), round(w * 0.81), round(h * 0.9))
    draw_joker(canvas, inner, style.cloths, style.paper)
    upright = np.ascontiguousarray(np.rot90(canvas, 1))
    for _ in range(2):
        box = (h * 0.64, w * 0.045, h * 0.27, w * 0.09)
        draw_letters(upright, "JOKER", box, style.inks["S"], font=cv2.FONT_HERSHEY_DUPLEX, weight=1.6)
        upright = np.ascontiguousarray(upright[::-1, ::-1])
    return np.ascontiguousarray(np.rot90(upright, -1))


BACKS = ("lattice", "dots", "tartan", "waves", "rosettes")
"""Patterns of the backs of drawn packs."""


def _back(style: DrawnStyle) -> Picture:
    w, h = _WIDTH * _FINE, _HEIGHT * _FINE
    canvas = np.full((h, w, 3), 250, np.uint8)
    PATTERNS[style.back_kind](canvas, style.back_ink, 44)
    border = round(w * 0.055)
    for edge in (canvas[:border], canvas[-border:], canvas[:, :border], canvas[:, -border:]):
        edge[...] = (248, 250, 250)
    cv2.rectangle(canvas, (border, border), (w - border, h - border), style.back_ink, 5, cv2.LINE_AA)
    return canvas
