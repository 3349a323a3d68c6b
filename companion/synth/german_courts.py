"""Figures of German-suited packs: kings, Ober and Unter, and the scenes on their aces.

Who a figure is says where its suit sign stands, not what it wears, so everything else about it is
drawn by lot: hats, beards, what it holds, whom it rides.
"""

from __future__ import annotations

import numpy as np

from companion.synth.panel import LINE, Panel

__all__ = ["draw_figure", "draw_scene"]

Colour = tuple[int, int, int]
Cloths = tuple[Colour, ...]

_GOLD: Colour = (60, 190, 235)
_STEEL: Colour = (190, 190, 185)
_WOOD: Colour = (50, 100, 150)
_WHITE: Colour = (244, 247, 250)
_HAIRS: tuple[Colour, ...] = (
    (40, 110, 190), (60, 90, 130), (35, 45, 70), (120, 135, 145), (200, 205, 210), (30, 60, 160)
)  # fmt: skip


def draw_figure(half: Panel, rank: str, cloths: Cloths, rng: np.random.Generator) -> None:
    """Draw a half figure.

    Args:
        half: Is drawn on; the figure stands on its lower edge.
        rank: `K`, `Q` (Ober) or `J` (Unter); only a king wears a crown.
        cloths: Colours to dress it in.
        rng: Decides all else.
    """
    hair = _HAIRS[int(rng.integers(len(_HAIRS)))]
    tone = rng.uniform(0.82, 1.04)
    skin = (int(185 * tone), int(205 * tone), int(min(255, 242 * tone)))
    cloth = [cloths[int(number)] for number in rng.permutation(len(cloths))]
    lean = float(rng.normal(0, 0.08))
    y = float(rng.uniform(0.33, 0.42))
    wide = float(rng.uniform(0.16, 0.24))
    if rank == "K" and rng.random() < 0.4:
        _horse(half, cloth[3], rng)
        y -= 0.08
    _body(half, cloth, lean, y, rng)
    _held(half, cloth, lean, rng)
    _head(half, lean, y, wide, hair, skin, rng)
    if rank == "K":
        _crown(half, lean, y, wide, cloth, rng)
    else:
        _hat(half, lean, y, wide, cloth, rng)


def _body(half: Panel, cloth: list[Colour], x: float, y: float, rng: np.random.Generator) -> None:
    shoulder = float(rng.uniform(0.42, 0.7))
    low = float(rng.uniform(0.6, 1.0))
    half.fill(
        [(x - 0.16, y + 0.15), (x - shoulder, y + 0.28), (x - low, 1.02), (x + low, 1.02),
         (x + shoulder, y + 0.28), (x + 0.16, y + 0.15)],
        cloth[0],
    )  # fmt: skip
    kind = int(rng.integers(4))
    if kind == 0:
        half.fill([(x - 0.14, y + 0.17), (x - 0.25, 1.02), (x + 0.25, 1.02), (x + 0.14, y + 0.17)], cloth[1])
    elif kind == 1:
        for number in range(4):
            level = y + 0.27 + number * 0.1
            half.stroke([(x - 0.3, level), (x + 0.3, level)], cloth[1], 7)
    elif kind == 2:
        half.fill([(x, y + 0.2), (x + low, 1.02), (x, 1.02)], cloth[1])
    for number in range(int(rng.integers(0, 5))):
        half.oval(x, y + 0.3 + number * 0.09, 0.035, 0.022, _GOLD, 2)
    if rng.random() < 0.5:
        half.fill([(x - 0.3, y + 0.22), (x, y + 0.33), (x + 0.3, y + 0.22), (x, y + 0.17)], _WHITE)
    if rng.random() < 0.5:
        level = float(rng.uniform(0.82, 0.93))
        half.stroke([(x - low, level), (x + low, level)], cloth[2], 12)


def _head(
    half: Panel, x: float, y: float, wide: float, hair: Colour, skin: Colour, rng: np.random.Generator
) -> None:
    tall = wide * float(rng.uniform(0.62, 0.78))
    if rng.random() < 0.6:
        half.oval(x, y + 0.03, wide * 1.35, tall * 1.25, hair)
    half.fill([(x - 0.09, y + 0.08), (x - 0.1, y + 0.2), (x + 0.1, y + 0.2), (x + 0.09, y + 0.08)], skin, 2)
    half.oval(x, y, wide, tall, skin)
    look = float(rng.normal(0, 0.03))
    for side in (-1, 1):
        eye = x + look + side * wide * 0.4
        half.oval(eye, y - 0.02, 0.026, 0.013, LINE, 0)
        half.stroke([(eye - side * 0.04, y - 0.05), (eye + side * 0.04, y - 0.055)], hair, 4)
    half.stroke([(x + look, y - 0.01), (x + look + 0.03, y + 0.035), (x + look, y + 0.04)], LINE, 2)
    half.stroke([(x - 0.05, y + 0.075), (x, y + 0.083), (x + 0.05, y + 0.075)], (60, 50, 190), 4)
    if rng.random() < 0.5:
        half.fill(
            [
                (x - wide * 0.9, y + 0.04),
                (x, y + rng.uniform(0.18, 0.32)),
                (x + wide * 0.9, y + 0.04),
                (x, y + 0.1),
            ],
            hair,
        )


def _crown(
    half: Panel, x: float, y: float, wide: float, cloth: list[Colour], rng: np.random.Generator
) -> None:
    base, top = y - wide * 0.5, y - wide * 0.5 - float(rng.uniform(0.09, 0.16))
    peaks = int(rng.integers(3, 6))
    points = [(x - wide * 1.05, base)]
    for number in range(peaks):
        across = x + wide * 1.25 * (2 * number / (peaks - 1) - 1)
        points += [(across, top), (across + wide * 0.3, base - 0.05)]
    half.fill([*points[:-1], (x + wide * 1.05, base)], _GOLD)
    half.stroke([(x - wide * 1.05, base), (x + wide * 1.05, base)], cloth[2], 8)


def _hat(half: Panel, x: float, y: float, wide: float, cloth: list[Colour], rng: np.random.Generator) -> None:
    base = y - wide * 0.45
    kind = int(rng.integers(4))
    if kind == 0:  # beret with a feather
        half.oval(x, base - 0.02, wide * 1.4, 0.06, cloth[1])
        half.stroke(
            [(x, base - 0.03), (x + wide * 1.6, base - 0.14), (x + wide * 2.2, base - 0.05)], cloth[2], 12
        )
    elif kind == 1:  # pointed hat
        half.fill(
            [(x - wide * 1.2, base), (x + rng.normal(0, 0.1), base - 0.2), (x + wide * 1.2, base)], cloth[1]
        )
        half.stroke([(x - wide * 1.5, base), (x + wide * 1.5, base)], cloth[2], 10)
    elif kind == 2:  # helmet
        half.fill([(x - wide, base + 0.02), (x - wide * 0.8, base - 0.1), (x, base - 0.14),
                   (x + wide * 0.8, base - 0.1), (x + wide, base + 0.02)], _STEEL)  # fmt: skip
        half.stroke([(x, base - 0.14), (x + rng.normal(0, 0.15), base - 0.22)], cloth[2], 12)


def _held(half: Panel, cloth: list[Colour], x: float, rng: np.random.Generator) -> None:
    side = float(rng.choice([-1, 1]))
    at = x + side * float(rng.uniform(0.5, 0.75))
    kind = int(rng.integers(7))
    if kind == 0:  # halberd
        half.stroke([(at, 0.12), (at, 1.0)], _WOOD, 9)
        half.fill([(at, 0.2), (at - side * 0.2, 0.16), (at - side * 0.22, 0.3), (at, 0.28)], _STEEL)
        half.fill([(at - 0.03, 0.16), (at, 0.04), (at + 0.03, 0.16)], _STEEL)
    elif kind == 1:  # sword
        half.fill([(at - 0.04, 0.75), (at - 0.02, 0.2), (at + 0.02, 0.2), (at + 0.04, 0.75)], _STEEL)
        half.stroke([(at - 0.13, 0.74), (at + 0.13, 0.74)], _GOLD, 10)
    elif kind == 2:  # flag
        half.stroke([(at, 0.06), (at, 1.0)], _WOOD, 8)
        for number in range(3):
            top = 0.08 + number * 0.09
            half.fill(
                [(at, top), (at - side * 0.5, top), (at - side * 0.46, top + 0.09), (at, top + 0.09)],
                cloth[number],
            )
    elif kind == 3:  # drum
        half.fill([(x - 0.3, 0.78), (x - 0.26, 0.98), (x + 0.26, 0.98), (x + 0.3, 0.78)], cloth[2])
        half.oval(x, 0.78, 0.3, 0.045, _WHITE)
    elif kind == 4:  # horn
        half.fill([(x, 0.5), (at, 0.34), (at + side * 0.16, 0.42), (at, 0.47)], _GOLD)
    elif kind == 5:  # bow and arrow
        turn = np.linspace(-1.2, 1.2, 12)
        half.stroke(
            [(at + side * 0.2 * float(np.cos(t)) - side * 0.2, 0.55 + 0.35 * float(np.sin(t))) for t in turn],
            _WOOD,
            8,
        )
        half.stroke([(at - 0.3, 0.55), (at + 0.3, 0.55)], LINE, 4)
    else:  # staff with a ball
        half.stroke([(at, 0.3), (at - side * 0.1, 1.0)], _GOLD, 9)
        half.oval(at, 0.28, 0.09, 0.05, cloth[3])


def _horse(half: Panel, colour: Colour, rng: np.random.Generator) -> None:
    side = float(rng.choice([-1, 1]))
    coat = ((70, 110, 150), _WHITE, (50, 60, 70), (90, 90, 95), colour)[int(rng.integers(5))]
    half.oval(0.0, 0.9, 0.85, 0.2, coat)
    half.fill([(side * 0.45, 0.85), (side * 0.55, 0.5), (side * 0.8, 0.42), (side * 0.98, 0.6),
               (side * 0.92, 0.66), (side * 0.75, 0.62), (side * 0.8, 0.95)], coat)  # fmt: skip
    half.stroke([(side * 0.5, 0.5), (side * 0.42, 0.78)], LINE, 9)


def draw_scene(panel: Panel, cloths: Cloths, rng: np.random.Generator) -> None:
    """Draw what the aces show between their signs: a season, a shield, a wreath, a beast, or nothing."""
    kind = int(rng.integers(5))
    if kind == 0:
        return
    if kind == 1:
        panel.fill([(-0.6, 0.2), (0.6, 0.2), (0.6, 0.6), (0, 0.9), (-0.6, 0.6)], cloths[0])
        panel.fill([(-0.4, 0.3), (0.4, 0.3), (0.4, 0.55), (0, 0.75), (-0.4, 0.55)], cloths[1])
        return
    if kind == 2:
        for turn in np.linspace(0, 2 * np.pi, 14, endpoint=False):
            panel.oval(
                0.55 * float(np.cos(turn)), 0.5 + 0.33 * float(np.sin(turn)), 0.13, 0.07, (60, 140, 60)
            )
        return
    ground = ((70, 150, 80), (235, 238, 240), (60, 150, 200))[int(rng.integers(3))]
    sky = ((235, 220, 190), (220, 225, 228), (200, 225, 240))[int(rng.integers(3))]
    panel.fill([(-0.9, 0.1), (0.9, 0.1), (0.9, 0.9), (-0.9, 0.9)], sky)
    level = [(float(x), 0.62 + 0.12 * float(rng.normal())) for x in np.linspace(-0.9, 0.9, 5)]
    panel.fill([*level, (0.9, 0.9), (-0.9, 0.9)], ground)
    for _ in range(int(rng.integers(1, 4))):
        x = float(rng.uniform(-0.7, 0.7))
        panel.stroke([(x, 0.8), (x, 0.5)], _WOOD, 10)
        panel.oval(x, 0.42, 0.2, 0.14, ((50, 130, 60), (40, 120, 200), (230, 235, 240))[int(rng.integers(3))])
    if kind == 4:
        small = Panel(max(8, panel.w // 3), max(8, panel.h // 2), sky)
        draw_figure(small, "J", cloths, rng)
        x0, y0 = int(panel.w * rng.uniform(0.15, 0.5)), int(panel.h * 0.35)
        panel.picture[y0 : y0 + small.h, x0 : x0 + small.w] = small.picture
