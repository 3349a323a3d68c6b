"""A German-suited pack of our own drawing, after the rules of the patterns that lie on Austrian tables.

The double-headed Tell pattern (doppeldeutsch) has no letters at all: its ten says X, an Ober's sign
stands high and an Unter's low, kings ride, aces show two signs and a season. The northern patterns
(Prussian, Altenburg) put letters into the corners.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.backs import random_back
from companion.synth.german_courts import draw_figure, draw_scene
from companion.synth.german_signs import SignLook, draw_sign
from companion.synth.glyphs import draw_letters
from companion.synth.pack import Pack, finished
from companion.synth.panel import LINE, Panel

__all__ = ["GermanStyle", "german_pack"]

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]

_WIDTH, _HEIGHT = 420, 660
_LETTERS = (
    {"A": "A", "K": "K", "Q": "O", "J": "U", "T": "10", "9": "9", "8": "8", "7": "7"},
    {"A": "D", "K": "K", "Q": "O", "J": "U", "T": "10", "9": "9", "8": "8", "7": "7"},
    {"A": "A", "K": "K", "Q": "O", "J": "U", "T": "X", "9": "IX", "8": "VIII", "7": "VII"},
)
_ROMAN = {"T": "X", "9": "IX", "8": "VIII", "7": "VII"}
_NAMES = ("FRÜHLING", "SOMMER", "HERBST", "WINTER", "TELL", "REDING", "FÜRST", "GESSLER", "HARRAS", "BERTHA")
_PALETTE = (
    (40, 45, 195), (165, 85, 35), (35, 185, 235), (70, 130, 45), (120, 60, 120), (60, 120, 225),
    (150, 150, 40), (60, 70, 90), (200, 190, 180),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GermanStyle:
    """What differs from one pack to another.

    Attributes:
        signs: How its suit signs look.
        letters: Which letters stand in the corners: an index of the three sets, or None.
        corners: How many corners carry them, 2 or 4.
        roman: Whether the numbers stand on the numeral cards in Roman figures.
        branches: Whether leaves and acorns hang on a stem.
        two_of_king: Whether a king has a sign in both upper corners, or in one.
        aces: `corners`, `column` or `pair`: how the two signs of an ace stand.
        captions: Whether courts and aces have a name printed.
        frame: Whether a line frames the picture.
        paper: Blue, green, red.
        pip: Height of a sign on a numeral card, share of the card's height.
        high: Height of an Ober's sign, shares of the card's half from its top.
        low: Height of an Unter's.
        left: Whether the courts' signs stand left (or right).
        cloths: Colours of the clothes.
    """

    signs: SignLook
    letters: int | None
    corners: int
    roman: bool
    branches: bool
    two_of_king: bool
    aces: str
    captions: bool
    frame: bool
    paper: Colour
    pip: float
    high: float
    low: float
    left: bool
    cloths: tuple[Colour, ...]

    @classmethod
    def random(cls, rng: np.random.Generator) -> GermanStyle:
        """Any pack's."""
        yellow = float(rng.beta(1.0, 1.6))
        letters = None if rng.random() < 0.6 else int(rng.integers(len(_LETTERS)))
        return cls(
            signs=SignLook.random(rng),
            letters=letters,
            corners=int(rng.choice([2, 4])),
            roman=bool(rng.random() < (0.85 if letters is None else 0.3)),
            branches=bool(rng.random() < 0.5),
            two_of_king=bool(rng.random() < 0.6),
            aces=str(rng.choice(["corners", "column", "pair"], p=[0.3, 0.35, 0.35])),
            captions=bool(rng.random() < 0.5),
            frame=bool(rng.random() < 0.7),
            paper=(round(250 - 42 * yellow), round(251 - 18 * yellow), round(252 - 6 * yellow)),
            pip=float(rng.uniform(0.12, 0.19)),
            high=float(rng.uniform(0.14, 0.24)),
            low=float(rng.uniform(0.72, 0.86)),
            left=bool(rng.random() < 0.8),
            cloths=tuple(_PALETTE[int(number)] for number in rng.permutation(len(_PALETTE))),
        )


def german_pack(seed: int, *, height_px: int = _HEIGHT) -> Pack:
    """Draw a pack of 32 cards, sevens and eights among them.

    Args:
        seed: Decides everything.
        height_px: Height of the pictures.

    Returns:
        Faces and back, (height_px, W, 4) uint8 each; Ober are named `Q`, Unter `J`; hearts `H`,
        bells `D`, acorns `C`, leaves `S`.

    Raises:
        ValueError: The seed is below 0.
    """
    if seed < 0:
        raise ValueError(f"the seed of a German pack is 0 or more, not {seed}")
    rng = np.random.default_rng([seed, 0x6E2])
    style = GermanStyle.random(rng)
    faces = {}
    for suit in "HDCS":
        for rank in "ATKQJ987":
            faces[rank + suit] = finished(_face(rank, suit, style, rng), height_px)
    back = cv2.resize(
        random_back(rng), (round(height_px * _WIDTH / _HEIGHT), height_px), interpolation=cv2.INTER_AREA
    )
    aspect = float(rng.uniform(1.5, 1.72))
    unindexed = frozenset(faces) if style.letters is None else frozenset()
    return Pack(f"german-{seed}", faces, np.asarray(back, np.uint8), (57.0, 57.0 * aspect), unindexed)


def _face(rank: str, suit: str, style: GermanStyle, rng: np.random.Generator) -> Picture:
    w, h = _WIDTH, _HEIGHT // 2
    half = Panel(w, h, style.paper)
    canvas = half.picture
    if rank in "KQJ":
        inner = Panel(int(w * 0.72), int(h * 0.92), style.paper)
        draw_figure(inner, rank, style.cloths, rng)
        canvas[h - inner.h :, (w - inner.w) // 2 : (w - inner.w) // 2 + inner.w] = inner.picture
        _signs_of_court(canvas, rank, suit, style)
    elif rank == "A":
        _ace(canvas, suit, style, rng)
    if rank in "AKQJ" and style.captions:
        _caption(canvas, style, rng)
    if style.letters is not None:
        _index(canvas, _LETTERS[style.letters][rank], suit, style)
    elif rank in _ROMAN and style.roman:
        tall = h * 0.1
        wide = tall * (0.8 if rank == "T" else 0.42 * len(_ROMAN[rank]))
        draw_letters(canvas, _ROMAN[rank], ((w - wide) / 2, h * 0.05, wide, tall), style.signs.line)
    whole = np.ascontiguousarray(np.vstack([canvas, canvas[::-1, ::-1]]))
    if rank in "KQJ":
        cv2.line(whole, (int(w * 0.1), h), (int(w * 0.9), h), LINE, 2, cv2.LINE_AA)
    if rank in "T987":
        _numeral(whole, rank, suit, style)
    if rank == "A" and style.aces == "column":
        for y, turned in ((0.29, False), (0.71, True)):
            draw_sign(whole, suit, (w / 2, h * 2 * y), h * 0.55, style.signs, upside_down=turned)
    if style.frame:
        edge = int(w * 0.035)
        cv2.rectangle(whole, (edge, edge), (w - edge, 2 * h - edge), style.signs.line, 2, cv2.LINE_AA)
    return whole


def _signs_of_court(canvas: Picture, rank: str, suit: str, style: GermanStyle) -> None:
    h, w = canvas.shape[:2]
    # letters in the corner push the sign inwards
    side = 0.17 if style.letters is None else 0.27
    tall = h * 0.21
    x = side if style.left else 1 - side
    if rank == "K":
        spots = [(side, style.high), (1 - side, style.high)] if style.two_of_king else [(x, style.high)]
    else:
        spots = [(x, style.high if rank == "Q" else style.low)]
    for across, down in spots:
        draw_sign(canvas, suit, (w * across, h * down), tall, style.signs)


def _ace(canvas: Picture, suit: str, style: GermanStyle, rng: np.random.Generator) -> None:
    h, w = canvas.shape[:2]
    if style.aces == "column":
        return
    scene = Panel(int(w * 0.7), int(h * 0.6), style.paper)
    draw_scene(scene, style.cloths, rng)
    canvas[h - scene.h :, (w - scene.w) // 2 : (w - scene.w) // 2 + scene.w] = scene.picture
    if style.aces == "corners":
        for x in (0.2, 0.8):
            draw_sign(canvas, suit, (w * x, h * 0.25), h * 0.32, style.signs)
    else:
        for x in (0.36, 0.64):
            draw_sign(canvas, suit, (w * x, h * 0.26), h * 0.36, style.signs)


def _caption(canvas: Picture, style: GermanStyle, rng: np.random.Generator) -> None:
    h, w = canvas.shape[:2]
    name = str(rng.choice(_NAMES)).replace("Ü", "UE")
    wide = w * float(rng.uniform(0.3, 0.5))
    draw_letters(canvas, name, ((w - wide) / 2, h * 0.04, wide, h * 0.05), style.signs.line)


def _index(canvas: Picture, letters: str, suit: str, style: GermanStyle) -> None:
    h, w = canvas.shape[:2]
    tall = h * 0.12
    wide = min(w * 0.13, tall * 0.6 * len(letters) + tall * 0.1)
    for x in (w * 0.09, w * 0.91) if style.corners == 4 else (w * 0.09,):
        draw_letters(canvas, letters, (x - wide / 2, h * 0.06, wide, tall), style.signs.line)
        draw_sign(canvas, suit, (x, h * 0.27), h * 0.11, style.signs)


def _numeral(whole: Picture, rank: str, suit: str, style: GermanStyle) -> None:
    h, w = whole.shape[:2]
    many = {"T": 10, "9": 9, "8": 8, "7": 7}[rank]
    rows = many // 2 if many % 2 == 0 else (many - 1) // 2
    top = 0.13 if style.letters is None else 0.17
    tall = min(h * style.pip, h * (1 - 2 * top) / rows * 1.02)
    stem = style.branches and suit in "CS"
    across = 0.24 if style.letters is None else 0.27
    spots = [
        (side * across, top + (1 - 2 * top) * row / (rows - 1)) for row in range(rows) for side in (-1, 1)
    ]
    if many % 2:
        spots.append((0.0, 0.5 if not stem else top))
    if stem:
        for way in (-1, 1):
            middle = h / 2 - way * h * 0.03
            cv2.line(
                whole,
                (w // 2, int(middle)),
                (w // 2, int(h / 2 - way * h * 0.34)),
                (40, 90, 60),
                4,
                cv2.LINE_AA,
            )
    for x, y in spots:
        spot = (w / 2 + x * w, y * h)
        if stem and x:
            root = (w // 2, int(spot[1] + (0.04 * h if y < 0.5 else -0.04 * h)))
            cv2.line(whole, root, (int(spot[0]), int(spot[1])), (50, 110, 60), 3, cv2.LINE_AA)
        draw_sign(whole, suit, spot, tall, style.signs, upside_down=y > 0.5)
