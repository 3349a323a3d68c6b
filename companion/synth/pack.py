"""Packs of cards as pictures, ready to be laid on a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["ArtError", "Pack", "finished", "load_art_pack", "rounded", "with_alpha"]

Picture = NDArray[np.uint8]


class ArtError(ValueError):
    """A folder that holds no usable pack; the message names it and what is missing."""


@dataclass(frozen=True, slots=True, eq=False)
class Pack:
    """Pictures of every card of a pack and of its back.

    Attributes:
        name: Name for truth files and figures.
        faces: Face pictures by name (`KH`, `TD`; also `7H`, `joker1`, which are none of the
            game's), (H, W, 4) uint8, blue green red alpha, corners transparent.
        back: The back, as the faces.
        size_mm: Width and height of a card in millimetres.
        unindexed: Names of the faces whose corners do not say which card it is.
    """

    name: str
    faces: Mapping[str, Picture]
    back: Picture
    size_mm: tuple[float, float] = (59.0, 91.0)
    unindexed: frozenset[str] = frozenset()


def rounded(picture: NDArray[np.uint8], radius: float) -> Picture:
    """Return the picture with an alpha channel whose corners are cut round.

    Args:
        picture: (H, W, 3 or 4) uint8; an alpha channel it has is kept where the card is.
        radius: Corner radius as a share of the width.
    """
    height, width = picture.shape[:2]
    scale = 4
    mask = np.zeros((height * scale, width * scale), np.uint8)
    r = round(radius * width * scale)
    w, h = width * scale - 1, height * scale - 1
    cv2.rectangle(mask, (r, 0), (w - r, h), 255, -1)
    cv2.rectangle(mask, (0, r), (w, h - r), 255, -1)
    for x in (r, w - r):
        for y in (r, h - r):
            cv2.circle(mask, (x, y), r, 255, -1)
    alpha = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    return with_alpha(picture[..., :3], alpha)


def with_alpha(picture: NDArray[Any], alpha: NDArray[Any] | int) -> Picture:
    """Return a picture (H, W, 3) with an alpha channel, (H, W) or the same everywhere, as (H, W, 4) uint8."""
    out = np.empty((*picture.shape[:2], 4), np.uint8)
    out[..., :3], out[..., 3] = picture, alpha
    return out


def finished(canvas: Picture, height_px: int) -> Picture:
    """A drawn card, (H, W, 3) uint8, at its final size, with a cut edge and round corners."""
    width_px = round(height_px * canvas.shape[1] / canvas.shape[0])
    small = np.asarray(cv2.resize(canvas, (width_px, height_px), interpolation=cv2.INTER_AREA), np.uint8)
    small[[0, -1], :] = small[:, [0, -1]] = (175, 178, 180)
    return rounded(small, 0.055)


def load_art_pack(folder: Path, *, height_px: int | None = None) -> Pack:
    """Read a pack from a folder of PNG files named by card, with one or more `back*.png`.

    Args:
        folder: As written by `python -m companion.training.art`.
        height_px: Shrink the pictures to this height (smaller is faster to draw).

    Raises:
        ArtError: The folder is missing, or lacks cards of the twenty.
    """
    pictures: dict[str, Picture] = {}
    for path in sorted(folder.glob("*.png")):
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
            raise ArtError(f"{path}: not a PNG with an alpha channel")
        if height_px is not None and picture.shape[0] > height_px:
            width = round(picture.shape[1] * height_px / picture.shape[0])
            picture = cv2.resize(picture, (width, height_px), interpolation=cv2.INTER_AREA)
        pictures[path.stem] = np.ascontiguousarray(picture, dtype=np.uint8)
    missing = [rank + suit for suit in "HDCS" for rank in "ATKQJ" if rank + suit not in pictures]
    if missing:
        raise ArtError(
            f"{folder}: no picture of {', '.join(missing[:5])}" + (" ..." if len(missing) > 5 else "")
        )
    backs = [name for name in pictures if name.startswith("back")]
    if not backs:
        raise ArtError(f"{folder}: no back.png")
    back = pictures[backs[0]]
    faces = {name: picture for name, picture in pictures.items() if name not in backs}
    aspect = back.shape[0] / back.shape[1]
    return Pack(folder.name, faces, back, (59.0, 59.0 * aspect))
