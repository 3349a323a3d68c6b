"""Table tops as textures: felt, wood, tablecloths, oilcloth, stone; drawn, not photographed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

__all__ = ["ALIKE", "HELD_OUT", "KINDS", "MORE", "RECTANGLES", "surface"]

KINDS = (
    "felt",
    "wood",
    "white_cloth",
    "check",
    "stripe",
    "damask",
    "oilcloth",
    "stone",
    "plain",
    "dark_wood",
)
"""Kinds of table top that training draws."""
RECTANGLES = ("tiles", "patchwork")
"""Kinds full of rectangles that are no cards; training draws them too."""
MORE = ("terrazzo", "wicker")
"""Kinds that training draws and no film: films are to stay as they were."""
ALIKE = ("linen", "planks")
"""Kinds that training never draws, yet they are its cloth in another tint and its wood with joints."""
HELD_OUT = ("herringbone", "slub")
"""Kinds that training never draws, nor anything drawn as they are; for measuring."""

Picture = NDArray[np.uint8]
Texture = NDArray[np.floating[Any]]
"""(512, 512, 3), blue green red, not yet cut off at 0 and 255."""
_SIZE = 512


@dataclass(frozen=True, slots=True, eq=False)
class _Grain:
    """What table tops are made of, (512, 512) each.

    Attributes:
        across: 0 at the left edge to 1 at the right one.
        fine: Independent noise of each pixel, standard deviation 1.
        weave: Threads of a cloth, -1 to 1.
    """

    across: NDArray[np.float32]
    fine: NDArray[np.float32]
    weave: NDArray[np.float32]

    @classmethod
    def of(cls, rng: np.random.Generator) -> Self:
        down, across = np.mgrid[0:_SIZE, 0:_SIZE].astype(np.float32) / _SIZE
        weave = np.sin(across * 2 * np.pi * 128) * np.sin(down * 2 * np.pi * 128)
        return cls(across, rng.normal(0, 1, (_SIZE, _SIZE)).astype(np.float32), weave)


def _noise(rng: np.random.Generator, cells: tuple[int, int], size: int = _SIZE) -> NDArray[np.float32]:
    """Smooth noise in [-1, 1], (size, size), that tiles."""
    coarse = rng.uniform(-1, 1, (max(2, cells[1]), max(2, cells[0]))).astype(np.float32)
    wrapped = np.pad(coarse, ((0, 1), (0, 1)), mode="wrap")
    big = cv2.resize(
        wrapped, (size + size // cells[0] + 1, size + size // cells[1] + 1), interpolation=cv2.INTER_CUBIC
    )
    return np.asarray(big[:size, :size], np.float32)


def _colour(rng: np.random.Generator, low: float = 30, high: float = 225) -> NDArray[np.float32]:
    hsv = np.array([[[rng.integers(0, 180), rng.integers(20, 200), rng.uniform(low, high)]]], np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def _wood(rng: np.random.Generator, base: NDArray[np.float32], planks: bool) -> NDArray[np.float32]:
    x = np.arange(_SIZE, dtype=np.float32)[None, :] / _SIZE
    warp = _noise(rng, (3, 16)) * 0.04 + _noise(rng, (2, 4)) * 0.05
    rings = np.sin((x + warp) * 2 * np.pi * rng.integers(4, 14) + _noise(rng, (2, 3)) * 2)
    grain = _noise(rng, (128, 6)) * 0.6 + _noise(rng, (256, 12)) * 0.4
    tone = rings * rng.uniform(0.03, 0.12) + grain * rng.uniform(0.03, 0.12)
    picture = base * (1 + tone[..., None])
    if planks:
        count = int(rng.integers(3, 7))
        for i in range(count):
            a, b = i * _SIZE // count, (i + 1) * _SIZE // count
            picture[:, a:b] *= rng.uniform(0.85, 1.12)
            picture[:, a : a + 3] *= 0.55
    return np.asarray(picture, np.float32)


def _tiles(rng: np.random.Generator, _: _Grain) -> Texture:
    """Stone tiles or boards of a terrace: rectangles of nearly one colour between dark joints."""
    columns, rows = int(rng.integers(2, 9)), int(rng.integers(2, 9))
    base, spread = _colour(rng, 40, 200), rng.uniform(0.02, 0.2)
    picture = np.empty((_SIZE, _SIZE, 3), np.float32)
    joint = base * rng.uniform(0.3, 1.4)
    picture[:] = joint
    gap = int(rng.integers(1, 5))
    for column in range(columns):
        offset = int(rng.integers(0, _SIZE)) if rng.random() < 0.5 else 0
        x0, x1 = column * _SIZE // columns, (column + 1) * _SIZE // columns - gap
        for row in range(rows):
            y0, y1 = row * _SIZE // rows, (row + 1) * _SIZE // rows - gap
            lines = (np.arange(y0, y1) + offset) % _SIZE
            picture[lines, x0:x1] = base * (1 + rng.normal(0, spread)) + rng.normal(0, 4, 3)
    streaks = _noise(rng, (int(rng.integers(3, 9)), int(rng.integers(20, 90)))) * rng.uniform(0, 0.12)
    return np.asarray(picture * (1 + streaks[..., None]), np.float32)


def _patchwork(rng: np.random.Generator, grain: _Grain) -> Texture:
    """Mats, magazines, books: rectangles of any size and turn on each other."""
    picture = np.empty((_SIZE, _SIZE, 3), np.float32)
    picture[:] = _colour(rng)
    for _ in range(int(rng.integers(4, 30))):
        sides = (float(rng.uniform(20, 260)), float(rng.uniform(20, 260)))
        centre = (float(rng.uniform(0, _SIZE)), float(rng.uniform(0, _SIZE)))
        box = cv2.boxPoints((centre, sides, float(rng.uniform(0, 90)))).astype(np.int32)
        cv2.fillConvexPoly(picture, box, _colour(rng, 20, 245).tolist(), cv2.LINE_AA)
        if rng.random() < 0.4:
            cv2.polylines(picture, [box], True, _colour(rng).tolist(), int(rng.integers(1, 6)), cv2.LINE_AA)
    return np.asarray(picture * (1 + (grain.weave * 0.02 + grain.fine * 0.02)[..., None]))


def _terrazzo(rng: np.random.Generator, grain: _Grain) -> Texture:
    """Chips of stone in cement, or pebbles: each pixel has the colour of the nearest seed, or the seams'."""
    seeds = int(rng.integers(60, 500))
    at = rng.uniform(0, _SIZE, (seeds, 2)).astype(np.float32)
    around = [at + np.array([dx, dy], np.float32) * _SIZE for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    # drawn coarse: distances of every pixel to every seed take long
    side = _SIZE // 4
    ys, xs = (np.mgrid[0:side, 0:side].astype(np.float32) + 0.5) * 4
    nearest = np.full((2, side, side), np.inf, np.float32)
    which = np.zeros((side, side), np.int32)
    for number, (x, y) in enumerate(np.concatenate(around)):
        far = np.hypot(xs - x, ys - y)
        closer = far < nearest[0]
        which[closer] = number % seeds
        nearest[1] = np.where(closer, nearest[0], np.minimum(nearest[1], far))
        nearest[0] = np.minimum(nearest[0], far)
    base, cement = _colour(rng), _colour(rng)
    chips = base * rng.normal(1, rng.uniform(0.03, 0.3), (seeds, 1)) + rng.normal(
        0, rng.uniform(2, 25), (seeds, 3)
    )
    seam = np.clip((nearest[1] - nearest[0]) / rng.uniform(2, 14), 0, 1)[..., None]
    picture = (chips[which] * seam + cement * (1 - seam)).astype(np.float32)
    chipped = cv2.resize(picture, (_SIZE, _SIZE), interpolation=cv2.INTER_CUBIC)
    return np.asarray(chipped * (1 + (grain.fine * 0.02)[..., None]))


def _wicker(rng: np.random.Generator, _: _Grain) -> Texture:
    """Bundles of cane or paper string over and under each other, each bundle round and lit from above."""
    count = int(rng.choice([8, 16, 32]))
    wide = _SIZE // count
    cells = np.arange(_SIZE) // wide
    inside = (np.arange(_SIZE, dtype=np.float32) % wide + 0.5) / wide
    span = int(rng.choice([1, 2]))
    over = (cells[:, None] // span + cells[None, :] // span) % 2 == 0
    bulge = np.where(over, np.sin(inside * np.pi)[None, :], np.sin(inside * np.pi)[:, None])
    strands = int(rng.integers(1, 4))
    lines = np.abs(np.sin(inside * np.pi * strands))
    gaps = np.where(over, lines[:, None], lines[None, :])
    tone = rng.normal(1, rng.uniform(0.02, 0.15), (2, count))
    shade = np.where(over, tone[0][cells][:, None], tone[1][cells][None, :])
    deep = rng.uniform(0.2, 0.6)
    light = (1 - deep + deep * bulge) * (0.75 + 0.25 * gaps) * shade + rng.normal(0, 0.03, (_SIZE, _SIZE))
    return np.asarray(_colour(rng, 70, 230) * light[..., None], np.float32)


def _herringbone(rng: np.random.Generator, _: _Grain) -> Texture:
    """Parquet: blocks of wood, four times as long as wide, each at right angles to the next."""
    cells = int(rng.choice([8, 16, 24]))
    at = (np.arange(_SIZE, dtype=np.float64) + 0.5) * cells / _SIZE
    x, y = at[None, :], at[:, None]
    column, row = np.broadcast_arrays(np.floor(x).astype(int), np.floor(y).astype(int))
    step = (column - row) % 8
    lies = step < 4
    # the cell in which a block begins tells blocks apart
    block = np.where(
        lies,
        (column - step) % cells + cells * (row % cells),
        column % cells + cells * ((row + step - 4) % cells),
    )
    number = np.unique(block, return_inverse=True)[1].reshape(block.shape) + len(block) * lies
    tone = rng.normal(0, rng.uniform(0.04, 0.14), number.max() + 1)
    hue = rng.normal(0, 0.03, (number.max() + 1, 3))
    along = np.where(lies, step + x - column, 7 - step + y - row)
    across = np.where(lies, y - row, x - column)
    fibre = rng.normal(0, 1, (64, number.max() + 1))
    streak = fibre[np.minimum((across * 64).astype(int), 63), number]
    flame = np.sin(
        along * rng.uniform(0.6, 1.6)
        + across * rng.uniform(4, 9)
        + 6.3 * rng.random(number.max() + 1)[number]
    )
    red, share = rng.uniform(90, 215), rng.uniform(0.55, 0.85)
    base = red * np.array([share * rng.uniform(0.5, 0.85), share, 1.0])
    grain = 1 + tone[number] + streak * rng.uniform(0.01, 0.05) + flame * rng.uniform(0.01, 0.06)
    picture = base * grain[..., None] * (1 + hue[number])
    joint = rng.uniform(0.02, 0.05)
    edge = (np.minimum(across, 1 - across) < joint) | (np.minimum(along, 4 - along) < joint)
    picture[edge] *= rng.uniform(0.45, 0.85)
    return np.asarray(picture, np.float32)


def _slub(rng: np.random.Generator, _: _Grain) -> Texture:
    """Coarse cloth of two colours: threads that are thick here and thin there, over and under each other."""
    threads = int(rng.choice([64, 128]))
    wide = _SIZE // threads

    def spun() -> NDArray[np.float32]:
        """(threads, _SIZE): how light each thread is along its way, with thick places here and there."""
        even = _noise(rng, (threads // 2, threads // 2), threads)
        long = cv2.resize(even, (_SIZE, threads), interpolation=cv2.INTER_CUBIC) * 0.12
        long += rng.normal(0, 0.06, (threads, 1)).astype(np.float32)
        for _ in range(int(rng.integers(threads // 2, threads * 2))):
            thread, start, length = (
                int(rng.integers(threads)),
                int(rng.integers(_SIZE)),
                int(rng.integers(12, 90)),
            )
            swell = np.sin(np.linspace(0, np.pi, length)).astype(np.float32) * float(rng.uniform(0.1, 0.35))
            long[thread, np.arange(start, start + length) % _SIZE] += swell * (
                1 if rng.random() < 0.7 else -1
            )
        return np.asarray(long, np.float32)

    weft, warp = np.repeat(spun(), wide, axis=0), np.repeat(spun(), wide, axis=0).T
    one = _colour(rng, 60, 235)
    other = one * rng.uniform(0.75, 1.1) if rng.random() < 0.5 else _colour(rng, 60, 235) * 0.5 + one * 0.5
    over = (np.arange(_SIZE)[:, None] // wide + np.arange(_SIZE)[None, :] // wide) % 2 == 0
    round_x = np.sin((np.arange(_SIZE) % wide + 0.5) / wide * np.pi).astype(np.float32)
    shade = np.where(over, round_x[:, None], round_x[None, :]) * rng.uniform(0.05, 0.25)
    tone = np.where(over, weft, warp) + shade
    return np.asarray(np.where(over[..., None], one, other) * (0.9 + tone[..., None]), np.float32)


def _felt(rng: np.random.Generator, grain: _Grain) -> Texture:
    base = _colour(rng, 50, 160)
    if rng.random() < 0.5:
        base = np.array([rng.uniform(50, 100), rng.uniform(90, 130), rng.uniform(20, 80)], np.float32)
    tone = cv2.GaussianBlur(grain.fine, (0, 0), 1.2) * 0.10 + _noise(rng, (6, 6)) * 0.05
    return np.asarray(base * (1 + tone[..., None]))


def _light_wood(rng: np.random.Generator, _: _Grain, *, planks: bool) -> Texture:
    base = np.array([rng.uniform(50, 130), rng.uniform(90, 170), rng.uniform(130, 215)], np.float32)
    return _wood(rng, base, planks)


def _dark_wood(rng: np.random.Generator, _: _Grain) -> Texture:
    base = np.array([rng.uniform(20, 50), rng.uniform(30, 70), rng.uniform(50, 110)], np.float32)
    return _wood(rng, base, rng.random() < 0.3)


def _cloth(rng: np.random.Generator, grain: _Grain, *, tint: tuple[float, float, float]) -> Texture:
    """A white cloth in soft folds, or one of a tint, blue green red."""
    base = np.array([rng.uniform(195, 245)] * 3, np.float32) + rng.uniform(-12, 8, 3).astype(np.float32)
    base *= np.array(tint, np.float32)
    folds = np.abs(np.sin(grain.across * np.pi * rng.integers(1, 4) + _noise(rng, (3, 3)) * 0.6)) ** 12
    tone = grain.weave * 0.03 + grain.fine * 0.015 - folds * 0.10 + _noise(rng, (5, 5)) * 0.03
    return np.asarray(base * (1 + tone[..., None]))


def _bands(rng: np.random.Generator, grain: _Grain, *, crossed: bool) -> Texture:
    """Stripes of two colours; crossed they make checks."""
    a, b = _colour(rng), _colour(rng)
    if rng.random() < 0.5:
        b = np.array([235, 235, 235], np.float32)
    n = int(rng.integers(4, 20))
    u = (np.floor(grain.across * n * 2) % 2).astype(np.float32)
    mix = ((u + (u.T if crossed else u)) / 2)[..., None]
    return np.asarray((a * mix + b * (1 - mix)) * (1 + (grain.weave * 0.04 + grain.fine * 0.02)[..., None]))


def _patterned(rng: np.random.Generator, grain: _Grain, *, woven: bool) -> Texture:
    """Figures printed on oilcloth; or woven into damask, where they are pale."""
    a, b = _colour(rng), _colour(rng)
    picture = np.full((_SIZE, _SIZE, 3), a, np.float32)
    for _ in range(int(rng.integers(10, 60))):
        centre = (int(rng.integers(0, _SIZE)), int(rng.integers(0, _SIZE)))
        axes = (int(rng.integers(5, 50)), int(rng.integers(5, 50)))
        colour = b if rng.random() < 0.7 else _colour(rng)
        thick = -1 if rng.random() < 0.6 else int(rng.integers(1, 5))
        cv2.ellipse(
            picture, centre, axes, float(rng.uniform(0, 180)), 0, 360, colour.tolist(), thick, cv2.LINE_AA
        )
    if woven:
        picture = a + (picture - a) * rng.uniform(0.1, 0.4)
    return np.asarray(picture * (1 + (grain.weave * 0.02)[..., None]))


def _stone(rng: np.random.Generator, grain: _Grain) -> Texture:
    base = _colour(rng, 60, 220) * 0.4 + rng.uniform(50, 140)
    veins = np.abs(_noise(rng, (5, 5)) + 0.5 * _noise(rng, (11, 11)) + 0.25 * _noise(rng, (23, 23)))
    return np.asarray(base * (1 - 0.3 * np.exp(-veins * 12) + grain.fine * 0.04)[..., None])


def _plain(rng: np.random.Generator, grain: _Grain) -> Texture:
    return np.asarray(
        _colour(rng, 20, 250) * (1 + (grain.fine * 0.01 + _noise(rng, (3, 3)) * 0.03)[..., None])
    )


_MAKERS: Mapping[str, Callable[[np.random.Generator, _Grain], Texture]] = {
    "felt": _felt,
    "wood": partial(_light_wood, planks=False),
    "white_cloth": partial(_cloth, tint=(1.0, 1.0, 1.0)),
    "check": partial(_bands, crossed=True),
    "stripe": partial(_bands, crossed=False),
    "damask": partial(_patterned, woven=True),
    "oilcloth": partial(_patterned, woven=False),
    "stone": _stone,
    "plain": _plain,
    "dark_wood": _dark_wood,
    "tiles": _tiles,
    "patchwork": _patchwork,
    "terrazzo": _terrazzo,
    "wicker": _wicker,
    "linen": partial(_cloth, tint=(0.78, 0.86, 0.92)),
    "planks": partial(_light_wood, planks=True),
    "herringbone": _herringbone,
    "slub": _slub,
}


def surface(kind: str, rng: np.random.Generator) -> Picture:
    """Draw a table top.

    Args:
        kind: One of `KINDS`, `RECTANGLES`, `MORE`, `ALIKE` or `HELD_OUT`.
        rng: Decides colours and pattern.

    Returns:
        (512, 512, 3) uint8, blue green red; tiles in both directions.

    Raises:
        ValueError: The kind is unknown.
    """
    maker = _MAKERS.get(kind)
    if maker is None:
        raise ValueError(f"no table top called {kind!r}; known: {', '.join(_MAKERS)}")
    return np.asarray(np.clip(maker(rng, _Grain.of(rng)), 0, 255), np.uint8)
