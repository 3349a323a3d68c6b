"""Other index letters on the cards of a pack: the same courts with A K D B, A K Q J or 1 R D V.

Packs with Austrian letters are few, and a network that saw each letter in three typefaces only
knows those three. So the corners of any French-suited face are papered over and printed anew.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from copy import copy
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.glyphs import draw_pip
from companion.synth.pack import ArtError, with_alpha

__all__ = ["FOLDER", "NUMBERS", "Letters", "ink_of", "sign_of", "write_letters"]

Picture = NDArray[np.uint8]
_PRINTED_SIGN = 0.8
"""Share of the indices whose suit sign is a typeface's or another pack's; the rest has our own."""
FOLDER = "letters"
"""Where in the folder of packs the letters lie."""
FAMILIES = (
    "C059",
    "DejaVu Sans",
    "DejaVu Serif",
    "DejaVu Serif Condensed",
    "Liberation Sans Narrow",
    "Liberation Serif",
    "Linux Libertine O",
    "Nimbus Roman",
    "Nimbus Sans",
    "Nimbus Sans Narrow",
    "Old Standard TT",
    "P052",
    "URW Bookman",
    "URW Gothic",
    "FreeSans",
    "FreeSerif",
    "Symbola",
    "STIX",
)
TEXTS = ("A", "K", "D", "B", "Q", "J", "R", "V", "1", "10", "9")
NUMBERS = ("20", "40", "2", "4", "0", "5", "24", "30", "42", "50", "60", "66", "80", "100")
"""What is printed on discs: the announcements first."""
SIGNS = {"sign-S": "\u2660", "sign-H": "\u2665", "sign-D": "\u2666", "sign-C": "\u2663"}
_SWAPPED = {("FreeSerif", "bold")}
"""Typefaces whose spade is a club, and the other way round."""
_SETS = (
    ({"A": "A", "T": "10", "K": "K", "Q": "D", "J": "B", "9": "9"}, 0.6),
    ({"A": "A", "T": "10", "K": "K", "Q": "Q", "J": "J", "9": "9"}, 0.3),
    ({"A": "1", "T": "10", "K": "R", "Q": "D", "J": "V", "9": "9"}, 0.1),
)


def write_letters(folder: Path) -> int:
    """Draw the letters in every typeface with `rsvg-convert`; returns how many typefaces there are.

    A family that is not installed is drawn in another one's shapes, which does no harm.

    Raises:
        ArtError: A letter cannot be drawn or written.
    """
    count = 0
    for family in FAMILIES:
        for weight in ("normal", "bold"):
            place = folder / f"{count:02d}"
            place.mkdir(parents=True, exist_ok=True)
            signs = {} if (family, weight) in _SWAPPED else SIGNS
            for name, text in {**{text: text for text in (*TEXTS, *NUMBERS)}, **signs}.items():
                svg = (
                    '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="160">'
                    '<rect width="300" height="160" fill="white"/>'
                    f'<text x="40" y="120" font-size="110" font-family="{family}" font-weight="{weight}">'
                    f"{text}</text></svg>"
                )
                png = subprocess.run(["rsvg-convert"], input=svg.encode(), check=False, capture_output=True)
                drawn = np.frombuffer(png.stdout, np.uint8)
                grey = cv2.imdecode(drawn, cv2.IMREAD_GRAYSCALE) if drawn.size else None
                if grey is None or not (grey < 128).any():
                    raise ArtError(f"typeface {family}: {text} drew no picture")
                ys, xs = np.nonzero(grey < 128)
                cut = grey[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
                if not cv2.imwrite(str(place / f"{name}.png"), cut):
                    raise ArtError(f"{place / f'{name}.png'}: cannot be written")
            count += 1
    return count


def ink_of(ace: Picture) -> NDArray[np.float32]:
    """The colour of a suit, (3,) float32: the ink of the sign in the middle of its ace."""
    h, w = ace.shape[:2]
    middle = ace[h // 3 : h - h // 3, w // 4 : w - w // 4, :3].reshape(-1, 3).astype(np.float32)
    far = np.abs(middle - np.median(ace[h // 3 : -h // 3, w // 14, :3], axis=0)).sum(axis=1)
    return np.asarray(np.median(middle[far >= max(60.0, 0.7 * far.max())], axis=0), np.float32)


def sign_of(ace: Picture) -> Picture | None:
    """The sign in the middle of an ace as a mask, (h, w) uint8, 255 where there is ink.

    None where it is no plain sign: an ornamental ace, or one that fills its card.
    """
    h, w = ace.shape[:2]
    paper = np.median(ace[h // 3 : -h // 3, max(1, w // 28), :3], axis=0)
    part = ace[int(h * 0.3) : int(h * 0.7), int(w * 0.2) : int(w * 0.8), :3].astype(np.float32)
    far = np.abs(part - paper).sum(axis=2)
    mask = np.clip(far / max(60.0, float(far.max()) * 0.8) * 255, 0, 255).astype(np.uint8)
    ys, xs = np.nonzero(mask > 128)
    if not len(xs):
        return None
    cut = mask[ys.min() : ys.max() + 1, xs.min() : xs.max() + 1]
    touches = ys.min() == 0 or xs.min() == 0 or ys.max() == len(mask) - 1 or xs.max() == mask.shape[1] - 1
    plain = 0.45 < float((cut > 128).mean()) < 0.85 and 0.6 < cut.shape[1] / cut.shape[0] < 1.5
    return cut if plain and not touches else None


class Letters:
    """Typefaces, and the printing of them on faces.

    Args:
        folder: As written by `write_letters`.

    Raises:
        ArtError: There is none.
    """

    def __init__(self, folder: Path) -> None:
        self._faces: list[Mapping[str, Picture]] = []
        self._signs: dict[str, list[Picture]] = {name[-1]: [] for name in SIGNS}
        for place in sorted(folder.iterdir()) if folder.is_dir() else []:
            read = {path.stem: cv2.imread(str(path), cv2.IMREAD_GRAYSCALE) for path in place.glob("*.png")}
            glyphs = {
                text: np.asarray(255 - grey, np.uint8) for text, grey in read.items() if grey is not None
            }
            if {*TEXTS, *NUMBERS} <= glyphs.keys():
                self._faces.append(glyphs)
            for suit, known in self._signs.items():
                known += [glyph for name, glyph in glyphs.items() if name == f"sign-{suit}"]
        if not self._faces:
            raise ArtError(f"{folder}: no letters; make them with python -m companion.training.art")

    def number(self, text: str, rng: np.random.Generator) -> Picture:
        """One of `NUMBERS` in any typeface, a mask, (h, w) uint8, 255 where there is ink."""
        return self._faces[int(rng.integers(len(self._faces)))][text]

    def with_signs(self, aces: Iterable[tuple[str, Picture]]) -> Letters:
        """The same typefaces and, beside theirs, the signs of aces that have a plain one.

        Args:
            aces: Suit and face, (H, W, 4) uint8.
        """
        richer = copy(self)
        richer._signs = {suit: list(signs) for suit, signs in self._signs.items()}
        for suit, ace in aces:
            sign = sign_of(ace)
            if sign is not None:
                # as often as the typefaces, which are more
                richer._signs[suit] += [sign, sign]
        return richer

    def printed(
        self,
        face: Picture,
        rank: str,
        suit: str,
        ink: NDArray[np.float32],
        rng: np.random.Generator,
        *,
        bare: bool = False,
    ) -> Picture:
        """Print another index on a face.

        Args:
            face: (H, W, 4) uint8; not changed.
            rank: One of A T K Q J 9.
            suit: One of H D C S.
            ink: (3,) float32, as of `ink_of`.
            rng: Decides letters, typeface, size and place.
            bare: Whether the face gets no index at all.
        """
        h, w = face.shape[:2]
        shares = np.array([share for _, share in _SETS])
        text = _SETS[int(rng.choice(len(_SETS), p=shares))][0][rank]
        glyph = self._faces[int(rng.integers(len(self._faces)))][text]
        tall = h * (rng.uniform(0.07, 0.11) if rng.random() < 0.85 else rng.uniform(0.13, 0.17))
        wide = min(w * 0.2, tall * glyph.shape[1] / glyph.shape[0] * rng.uniform(0.5, 1.05))
        pip = tall * rng.uniform(0.5, 0.9)
        left, top = w * rng.uniform(0.03, 0.055), h * rng.uniform(0.025, 0.045)
        gap = h * rng.uniform(0.008, 0.02)
        middle = left + max(wide, pip) / 2
        # the old index is papered over whole, also where the new one is smaller
        right = max(w * rng.uniform(0.135, 0.175), middle * 2 - left + w * 0.01)
        bottom = max(h * rng.uniform(0.2, 0.245), top + tall + gap + pip + h * 0.01)
        rgb = np.ascontiguousarray(face[..., :3])
        paper = np.median(face[h // 3 : -h // 3, max(1, w // 28), :3], axis=0)
        ink = np.clip(ink + rng.normal(0, 8, 3), 0, 255)
        signs = self._signs[suit]
        sign = signs[int(rng.integers(len(signs)))] if signs and rng.random() < _PRINTED_SIGN else None
        squeeze = float(rng.uniform(0.8, 1.1))
        for _ in range(2):
            corner = (int(w * 0.022), int(h * 0.018))
            cv2.rectangle(rgb, corner, (int(right), int(bottom)), paper.tolist(), -1)
            if not bare:
                _stamp(rgb, glyph, (middle - wide / 2, top, wide, tall), ink)
                at = (middle, top + tall + gap + pip / 2)
                if sign is None:
                    b, g, r = (int(value) for value in ink)
                    draw_pip(rgb, suit, at, pip, (b, g, r))
                else:
                    across = pip * sign.shape[1] / sign.shape[0] * squeeze
                    _stamp(rgb, sign, (at[0] - across / 2, at[1] - pip / 2, across, pip), ink)
            rgb = np.ascontiguousarray(rgb[::-1, ::-1])
        return with_alpha(rgb, face[..., 3])


def _stamp(
    rgb: Picture, glyph: Picture, box: tuple[float, float, float, float], ink: NDArray[np.float32]
) -> None:
    x, y, width, height = (max(1, round(value)) for value in box)
    fitted = cv2.resize(glyph, (width, height), interpolation=cv2.INTER_AREA)
    region = rgb[y : y + height, x : x + width]
    share = fitted[: region.shape[0], : region.shape[1], None].astype(np.float32) / np.float32(255)
    region[...] = (ink * share + region * (1 - share)).astype(np.uint8)
