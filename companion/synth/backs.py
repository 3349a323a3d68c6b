"""Backs of cards: patterns in one or two inks, as printed in any country."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.glyphs import draw_pip
from companion.synth.pack import rounded

__all__ = ["PATTERNS", "Pattern", "random_back"]

Picture = NDArray[np.uint8]
Colour = tuple[int, int, int]
Pattern = Callable[[Picture, Colour, int], None]
"""Fills a (H, W, 3) canvas with a pattern: canvas, ink (blue, green, red), step in pixels."""

_WHITE: Colour = (250, 250, 250)
_OVER = ("lattice", "dots", "waves", "lozenges", "arcs")
"""Patterns that leave room for the one below."""
_FINE = ("lattice", "dots", "waves", "lozenges", "checks", "arcs")
_TURNS = np.arange(8) * np.pi / 4
_POINTED = {
    "lozenge": np.array([[0.38, 0], [0, 0.55], [-0.38, 0], [0, -0.55]]),
    "star": np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1) * np.tile([[0.55], [0.18]], (4, 1)),
}
"""Corners of signs that no suit has, in shares of their size."""


def _lattice(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    for offset in range(-h, w + h, step):
        cv2.line(canvas, (offset, 0), (offset + h, h), ink, max(1, step // 7), cv2.LINE_AA)
        cv2.line(canvas, (offset, h), (offset + h, 0), ink, max(1, step // 7), cv2.LINE_AA)


def _dots(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    for row, y in enumerate(range(0, h + step, step)):
        for x in range((row % 2) * step // 2, w + step, step):
            cv2.circle(canvas, (x, y), max(1, step // 4), ink, -1, cv2.LINE_AA)


def _tartan(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    paint = np.array(ink, np.float32)
    for start in range(0, w, step * 2):
        part = canvas[:, start : start + step]
        part[...] = (part * 0.5 + paint * 0.5).astype(np.uint8)
    for start in range(0, h, step * 2):
        part = canvas[start : start + step]
        part[...] = (part * 0.5 + paint * 0.5).astype(np.uint8)
    for y in range(step // 2, h, step * 2):
        cv2.line(canvas, (0, y), (w, y), _WHITE, max(1, step // 14))


def _waves(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    xs = np.arange(0, w + 8, max(1, step // 5))
    for y in range(-step, h + step, max(1, step // 2)):
        line = np.stack([xs, y + np.sin(xs / step * np.pi) * step * 0.3], axis=1)
        cv2.polylines(canvas, [line.round().astype(np.int32)], False, ink, max(1, step // 8), cv2.LINE_AA)


def _rosettes(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    size = step * 2
    for row, y in enumerate(range(0, h + size, size)):
        for x in range((row % 2) * size // 2, w + size, size):
            for petal in range(6):
                turn = petal * np.pi / 3
                centre = (round(x + np.cos(turn) * size * 0.24), round(y + np.sin(turn) * size * 0.24))
                axes = (round(size * 0.22), round(size * 0.09))
                cv2.ellipse(canvas, centre, axes, float(np.degrees(turn)), 0, 360, ink, -1, cv2.LINE_AA)
            cv2.circle(canvas, (x, y), max(1, size // 14), _WHITE, -1, cv2.LINE_AA)


def _lozenges(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    for row, y in enumerate(range(0, h + step, step)):
        for x in range((row % 2) * step // 2, w + step, step):
            box = np.array([[x, y - step], [x + step // 2, y], [x, y + step], [x - step // 2, y]], np.int32)
            cv2.fillConvexPoly(canvas, box, ink if row % 2 else _paler(ink), cv2.LINE_AA)


def _checks(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    ys, xs = np.mgrid[0:h, 0:w] // max(1, step // 2)
    canvas[(ys + xs) % 2 == 0] = ink


def _chevrons(canvas: Picture, ink: Colour, step: int) -> None:
    h, w = canvas.shape[:2]
    ys, xs = np.mgrid[0:h, 0:w]
    fold = np.abs((xs % (2 * step)) - step)
    canvas[((ys + fold) // max(1, step // 2)) % 2 == 0] = ink


def _plain(canvas: Picture, ink: Colour, step: int) -> None:
    del step
    canvas[:] = ink


def _arcs(canvas: Picture, ink: Colour, step: int) -> None:
    """Overlapping circles that leave stars between them."""
    h, w = canvas.shape[:2]
    size = max(8, step * 3)
    for row, y in enumerate(range(0, h + size, size)):
        for x in range(0, w + size, size):
            shade = ink if (row + x // size) % 2 else _paler(ink)
            cv2.circle(canvas, (x, y), round(size * 0.7), shade, max(1, step // 5), cv2.LINE_AA)


def _shapes(canvas: Picture, ink: Colour, step: int) -> None:
    """A few large shapes, as backs that advertise something have."""
    h, w = canvas.shape[:2]
    canvas[:] = ink
    rng = np.random.default_rng([*(int(each) for each in ink), step, 1])
    for number in range(int(rng.integers(2, 7))):
        colour = _WHITE if number % 2 else _random_ink(rng)
        centre = rng.uniform([0.1 * w, 0.1 * h], [0.9 * w, 0.9 * h])
        count = int(rng.integers(3, 12))
        turns = np.sort(rng.uniform(0, 2 * np.pi, count))
        reach = rng.uniform(0.1, 0.5, count)[:, None] * w
        star = centre + np.stack([np.cos(turns), np.sin(turns)], axis=1) * reach
        cv2.fillPoly(canvas, [star.round().astype(np.int32)], colour, cv2.LINE_AA)


def _motifs(canvas: Picture, ink: Colour, step: int) -> None:
    """A few large signs in the panes of a lattice: as many pips, but no card's."""
    h, w = canvas.shape[:2]
    rng = np.random.default_rng([*(int(each) for each in ink), step, 2])
    canvas[:] = _random_ink(rng)  # on white paper they would be pips
    columns, rows = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    wide, high = w / columns, h / rows
    if rng.random() < 0.7:
        line = _random_ink(rng) if rng.random() < 0.5 else ink
        slope = high / wide
        for offset in np.arange(-columns - 2 * rows, columns + 2 * rows + 1, rng.choice([0.5, 1.0])):
            for way in (-1, 1):
                start = (round((offset + 0.5) * wide), 0)
                end = (round((offset + 0.5) * wide + way * h / slope), h)
                cv2.line(canvas, start, end, line, max(1, step // 10), cv2.LINE_AA)
    sign = str(rng.choice([*"HDCS", "lozenge", "ring", "star"], p=[0.1, 0.15, 0.1, 0.1, 0.25, 0.15, 0.15]))
    size = min(wide, high) * rng.uniform(0.45, 0.95)
    between = rng.random() < 0.6
    for row in np.arange(0.5, rows, 0.5 if between else 1.0):
        inset = 0.5 if float(row) % 1 == 0.5 else 1.0
        for column in np.arange(inset, columns, 1.0):
            _motif(canvas, sign, (float(column * wide), float(row * high)), float(size), ink)


def _motif(canvas: Picture, sign: str, centre: tuple[float, float], size: float, ink: Colour) -> None:
    middle = (round(centre[0]), round(centre[1]))
    if sign == "ring":
        cv2.circle(canvas, middle, max(1, round(size * 0.4)), ink, max(1, round(size * 0.16)), cv2.LINE_AA)
    elif sign in _POINTED:
        points = np.array(centre) + _POINTED[sign] * size
        cv2.fillPoly(canvas, [points.round().astype(np.int32)], ink, cv2.LINE_AA)
    else:
        draw_pip(canvas, sign, centre, size, ink, upside_down=centre[1] > canvas.shape[0] / 2)


def _scrolls(canvas: Picture, ink: Colour, step: int) -> None:
    """Ornament that is its own mirror image in both axes, as engraved backs are."""
    h, w = canvas.shape[:2]
    canvas[:] = ink
    rng = np.random.default_rng([int(each) for each in ink] + [step])
    for _ in range(60):
        centre = (int(rng.integers(0, w // 2 + 1)), int(rng.integers(0, h // 2 + 1)))
        axes = (int(rng.integers(2, step + 3)), int(rng.integers(2, step + 3)))
        begin = int(rng.integers(0, 360))
        colour = _WHITE if rng.random() < 0.7 else _paler(ink)
        cv2.ellipse(
            canvas,
            centre,
            axes,
            float(rng.uniform(0, 180)),
            begin,
            begin + int(rng.integers(90, 360)),
            colour,
            max(1, step // 12),
            cv2.LINE_AA,
        )
    quarter = canvas[: (h + 1) // 2, : (w + 1) // 2]
    canvas[: (h + 1) // 2, w // 2 :] = quarter[:, ::-1]
    canvas[h // 2 :] = canvas[: (h + 1) // 2][::-1]


PATTERNS: Mapping[str, Pattern] = {
    "lattice": _lattice,
    "dots": _dots,
    "tartan": _tartan,
    "waves": _waves,
    "rosettes": _rosettes,
    "lozenges": _lozenges,
    "checks": _checks,
    "chevrons": _chevrons,
    "plain": _plain,
    "scrolls": _scrolls,
    "arcs": _arcs,
    "shapes": _shapes,
    "motifs": _motifs,
}
"""Patterns by name."""


def random_back(
    rng: np.random.Generator,
    *,
    height_px: int = 260,
    width_px: int = 170,
    motifs: float = 0.0,
    fine: float = 0.0,
    bordered: float = 0.55,
) -> Picture:
    """Draw any back, (height_px, width_px, 4) uint8, blue green red alpha.

    Args:
        rng: Decides.
        height_px: Height.
        width_px: Width.
        motifs: Share with a few large signs, which look like faces, beside those that have them by lot.
        fine: Of the others, share with a pattern so fine that from afar it is a plain colour, most of them on
            white: a pale one.
        bordered: Share with a border of paper; a plain one always has it.
    """
    ink = _random_ink(rng)
    ground = _WHITE if rng.random() < 0.55 else _random_ink(rng)
    canvas = np.empty((height_px, width_px, 3), np.uint8)
    canvas[:] = ground
    kind = "motifs" if motifs and rng.random() < motifs else str(rng.choice(list(PATTERNS)))
    is_fine = kind != "motifs" and fine > 0 and rng.random() < fine
    if is_fine:
        kind = str(rng.choice(_FINE))
        canvas[:] = _WHITE if rng.random() < 0.8 else ground
    PATTERNS[kind](canvas, ink, int(np.exp(rng.uniform(*np.log([6, 14] if is_fine else [8, 64])))))
    if not is_fine and rng.random() < 0.3:
        PATTERNS[str(rng.choice(_OVER))](canvas, _random_ink(rng), int(rng.integers(16, 70)))
    if rng.random() < 0.25:  # a medallion, as of a company
        axes = (int(width_px * rng.uniform(0.12, 0.32)), int(width_px * rng.uniform(0.12, 0.4)))
        middle = (width_px // 2, height_px // 2)
        cv2.ellipse(canvas, middle, axes, 0, 0, 360, _random_ink(rng), -1, cv2.LINE_AA)
        cv2.ellipse(canvas, middle, axes, 0, 0, 360, _WHITE, 2, cv2.LINE_AA)
    if rng.random() < bordered or kind == "plain":  # without a border it would be any rectangle
        border = max(1, round(width_px * rng.uniform(0.02, 0.1)))
        paper = (int(rng.integers(225, 252)), int(rng.integers(235, 254)), int(rng.integers(240, 255)))
        for edge in (canvas[:border], canvas[-border:], canvas[:, :border], canvas[:, -border:]):
            edge[...] = paper
        if rng.random() < 0.6:
            corner = (width_px - 1 - border, height_px - 1 - border)
            cv2.rectangle(canvas, (border, border), corner, ink, int(rng.integers(1, 4)), cv2.LINE_AA)
    return rounded(canvas, float(rng.uniform(0.04, 0.08)))


def _random_ink(rng: np.random.Generator) -> Colour:
    hsv = np.array([[[rng.integers(0, 180), rng.integers(90, 256), rng.integers(50, 220)]]], np.uint8)
    if rng.random() < 0.15:
        hsv[..., 1] = 0
    b, g, r = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].tolist()
    return int(b), int(g), int(r)


def _paler(ink: Colour) -> Colour:
    b, g, r = ((value + 255) // 2 for value in ink)
    return b, g, r
