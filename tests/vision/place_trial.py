"""How well the table is found again the next evening: tables of rendered films on the floors of others.

    python -m tests.vision.place_trial DIR

DIR holds hands of `companion.synth hands`. Each table's first picture is kept as a set-up keeps it; its last
is seen by a camera that stands elsewhere, under another lamp. Different tables must not be taken for one.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.alignment import laid_over
from companion.vision.source import VideoSource
from companion.vision.still import jpeg

Picture = NDArray[np.uint8]
SIZE = (1280, 720)
TABLES = (
    ((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85)),
    ((0.15, 0.12), (0.85, 0.12), (0.9, 0.88), (0.1, 0.88)),
    ((0.05, 0.2), (0.95, 0.2), (1.0, 1.0), (0.0, 1.0)),
)
EVENINGS = {
    "as then": (0, 1.0, 0, 1.0, 0.0),
    "a lamp at one side": (0, 1.0, 0, 0.5, 0.15),
    "pushed": (0, 1.0, 60, 1.0, 0.0),
    "a little otherwise": (2, 1.0, 15, 0.8, 0.05),
    "turned and nearer": (5, 1.1, 30, 1.0, 0.0),
    "turned and nearer, a lamp at one side": (5, 1.1, 30, 0.5, 0.15),
    "from the other side": (180, 1.0, 0, 1.0, 0.0),
}
"""Degrees, scale, push in pixels, light at the right edge and how much warmer it is."""


def main(folder: Path) -> None:
    """Print one line an evening."""
    films = [_ends(path) for path in sorted(folder.glob("*/video.mp4"))]
    floors = [cv2.GaussianBlur(first, (0, 0), 3) for first, _ in films]
    floors = floors[7:] + floors[:7]
    shapes = [np.array(TABLES[number % len(TABLES)]) for number in range(len(films))]
    kept = [
        _kept(_seen(first, floor, shape, EVENINGS["as then"])[0])
        for (first, _), floor, shape in zip(films, floors, shapes, strict=True)
    ]
    for name, evening in EVENINGS.items():
        found = wrong = 0
        for then, (_, last), floor, shape in zip(kept, films, floors, shapes, strict=True):
            now, corners = _seen(last, floor, shape, evening)
            over = laid_over(then, now)
            if over is not None:
                away = cv2.perspectiveTransform(shape[None], over)[0] - corners
                found, wrong = found + 1, wrong + bool(np.abs(away).max() > 0.02)
        print(f"{name}: {found} of {len(films)} found, {wrong} wrong")
    pairs = [(one, two) for one in kept for two in kept if one is not two]
    same = sum(laid_over(*pair) is not None for pair in pairs)
    print(f"other tables: {same} of {len(pairs)} taken for one")


def _ends(path: Path) -> tuple[Picture, Picture]:
    """The first picture of a film, and one a second before its end."""
    with VideoSource(path) as source:
        frames = [frame.bgr for frame in source]
    return frames[0], frames[-min(20, len(frames))]


def _kept(bgr: Picture) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(jpeg(bgr, 720), np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _seen(
    table: Picture, floor: Picture, shape: NDArray[np.float64], evening: tuple[float, ...]
) -> tuple[Picture, NDArray[np.float64]]:
    """The picture of a table on a floor, and its corners in it, shares of width and height."""
    degrees, scale, push, light, warm = evening
    move = np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, scale), [0, 0, 1]])
    move[0, 2] += push
    flat = np.array([[0, 0], [SIZE[0], 0], SIZE, [0, SIZE[1]]], np.float32)
    through = move @ cv2.getPerspectiveTransform(flat, (shape * SIZE).astype(np.float32))
    bgr = cv2.warpPerspective(floor, move, SIZE, borderMode=cv2.BORDER_REFLECT)
    on_it = cv2.warpPerspective(np.full(SIZE[::-1], 255, np.uint8), through, SIZE) > 127
    bgr[on_it] = cv2.warpPerspective(table, through, SIZE)[on_it]
    lit = bgr * np.linspace(1, light, SIZE[0])[None, :, None] * np.array([1 - warm, 1, 1 + warm])
    lit += np.random.default_rng(0).normal(0, 3, lit.shape)
    corners = cv2.perspectiveTransform(shape[None] * SIZE, move)[0] / SIZE
    return np.clip(lit, 0, 255).astype(np.uint8), corners


if __name__ == "__main__":
    main(Path(sys.argv[1]))
