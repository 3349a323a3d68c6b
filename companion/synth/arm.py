"""Arms and hands: rounded limbs drawn in perspective above the table.

A hand is built in its own plane, in millimetres: the origin at the fingertips, the fingers
pointing to -y, the elbow somewhere at +y. Limbs are tapered capsules at a height over the table,
shaded from their edges to a ridge, so that they look round under a lamp.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.synth.camera import Camera
from companion.synth.pack import with_alpha
from companion.synth.scene import Overlay
from companion.synth.script import Hand

__all__ = ["ArmLook", "draw_hand"]

Picture = NDArray[np.uint8]
Vector = NDArray[np.float64]
_SHADES = 7
_SHADOW = 16
"""The picture's width by this is room enough around an arm for its shadow."""
_NEAREST_MM = 40.0
"""Before the lens; what is nearer would be endlessly large."""


@dataclass(frozen=True, slots=True)
class ArmLook:
    """Colours and build of one player's arm.

    Attributes:
        skin: Blue, green, red of lit skin.
        sleeve: Blue, green, red of the cloth.
        sleeve_mm: From the fingertips to the cuff.
        build: Factor on all thicknesses.
        ring: Whether a ring is worn.
    """

    skin: tuple[float, float, float] = (140.0, 170.0, 215.0)
    sleeve: tuple[float, float, float] = (110.0, 70.0, 50.0)
    sleeve_mm: float = 230.0
    build: float = 1.0
    ring: bool = False

    @classmethod
    def random(cls, rng: np.random.Generator) -> ArmLook:
        """Any skin, any sleeve, long or short."""
        tone = float(rng.uniform(0.28, 1.05))
        skin = np.array([138, 168, 218]) * tone + rng.normal(0, 6, 3)
        sleeve = rng.integers(15, 235, 3)
        return cls(
            (float(skin[0]), float(skin[1]), float(skin[2])),
            (float(sleeve[0]), float(sleeve[1]), float(sleeve[2])),
            float(rng.choice([rng.uniform(185, 260), rng.uniform(330, 480)])),
            float(rng.uniform(0.88, 1.12)),
            bool(rng.random() < 0.25),
        )


@dataclass(frozen=True, slots=True)
class _Limb:
    """A capsule from `a` to `b` (x, y, z mm) with a radius at each end."""

    a: Vector
    b: Vector
    radii: tuple[float, float]
    colour: tuple[float, float, float]


def draw_hand(hand: Hand, look: ArmLook, camera: Camera) -> tuple[Overlay | None, Overlay | None]:
    """Draw an arm as two layers.

    Returns:
        What is below the card that the hand holds, and what is above it; `None` for nothing.
    """
    place = _Place(hand, look)
    fingers, thumb, arm = place.fingers(), place.thumb(), place.arm()
    if hand.grip == "pinch":
        return _paint([*arm, *fingers], camera), _paint(thumb, camera)
    return None, _paint([*thumb, *arm, *fingers], camera)


class _Place:
    """The hand's own plane on the table."""

    def __init__(self, hand: Hand, look: ArmLook) -> None:
        self.hand, self.look = hand, look
        self.tip = np.array([hand.x_mm, hand.y_mm])
        back = np.array(hand.seat_mm) - self.tip
        self.length = float(np.hypot(*back))
        self.back = back / self.length
        self.across = np.array([-self.back[1], self.back[0]]) * (-1 if hand.left else 1)

    def at(self, x: float, y: float, z: float) -> Vector:
        flat = self.tip + self.across * (x * self.look.build) + self.back * y
        return np.array([flat[0], flat[1], z + self.hand.z_mm])

    def limb(
        self,
        a: tuple[float, float, float],
        b: tuple[float, float, float],
        radii: tuple[float, float],
        colour: tuple[float, float, float] | None = None,
    ) -> _Limb:
        build = self.look.build
        return _Limb(self.at(*a), self.at(*b), (radii[0] * build, radii[1] * build), colour or self.look.skin)

    def fingers(self) -> list[_Limb]:
        limbs = []
        spread = 1.0 if self.hand.grip != "pinch" else 0.85
        for i, (reach, base) in enumerate(((16.0, 74.0), (1.0, 68.0), (0.0, 68.0), (9.0, 72.0))):
            x_tip, x_base = (i - 1.5) * 17.0 * spread, (i - 1.5) * 19.5
            bend = (x_tip + x_base) / 2
            knuckle = (reach + base) * 0.45
            limbs.append(self.limb((x_base, base, 24), (bend, knuckle, 19), (9.6, 8.8)))
            limbs.append(self.limb((bend, knuckle, 19), (x_tip, reach, 4), (8.8, 7.4)))
            nail = tuple(
                min(255.0, 0.55 * c + 0.45 * n) for c, n in zip(self.look.skin, (205, 200, 240), strict=True)
            )
            limbs.append(
                self.limb(
                    (x_tip, reach + 2.0, 9), (x_tip, reach - 2.5, 7), (4.3, 4.0), (nail[0], nail[1], nail[2])
                )
            )
            if self.look.ring and i == 1:
                gold = (70.0, 170.0, 215.0)
                limbs.append(
                    self.limb((x_base - 7, base - 16, 27), (x_base + 7, base - 16, 27), (2.4, 2.4), gold)
                )
        return limbs

    def thumb(self) -> list[_Limb]:
        if self.hand.grip == "pinch":
            return [
                self.limb((-36, 96, 30), (-27, 58, 26), (13, 10.5)),
                self.limb((-27, 58, 26), (-8, 24, 12), (10.5, 8.2)),
            ]
        return [
            self.limb((-34, 108, 24), (-52, 78, 18), (13, 10.5)),
            self.limb((-52, 78, 18), (-50, 44, 8), (10.5, 8.0)),
        ]

    def arm(self) -> list[_Limb]:
        end = self.length
        cuff = min(self.look.sleeve_mm, end - 20)
        limbs = [
            self.limb((0, 150, 34), (0, end, 60), (27, 40)),
            self.limb((-17, 82, 27), (-9, 138, 30), (20, 22)),
            self.limb((17, 82, 27), (9, 138, 30), (20, 22)),
            self.limb((0, 84, 27), (0, 148, 33), (23, 25)),
        ]
        sleeve = self.look.sleeve
        dark = (sleeve[0] * 0.75, sleeve[1] * 0.75, sleeve[2] * 0.75)
        width = 33 + 8 * (cuff - 180) / 250
        limbs.insert(1, self.limb((0, cuff, 42), (0, end, 62), (width, 48), sleeve))
        limbs.insert(2, self.limb((-width * 0.7, cuff, 42), (width * 0.7, cuff, 42), (7, 7), dark))
        return limbs


def _before_lens(limb: _Limb, camera: Camera) -> _Limb | None:
    """The part of a limb that a camera can see: who sits under it has an arm that reaches past it."""
    far_a, far_b = camera.depth(np.array([limb.a, limb.b])) - _NEAREST_MM
    if far_a < 0 and far_b < 0:
        return None
    if far_a >= 0 and far_b >= 0:
        return limb
    share = far_a / (far_a - far_b)
    cut = limb.a + (limb.b - limb.a) * share
    radius = limb.radii[0] + (limb.radii[1] - limb.radii[0]) * share
    if far_a < 0:
        return replace(limb, a=cut, radii=(radius, limb.radii[1]))
    return replace(limb, b=cut, radii=(limb.radii[0], radius))


def _paint(limbs: list[_Limb], camera: Camera) -> Overlay | None:
    width, height = camera.size
    limbs = [part for limb in limbs if (part := _before_lens(limb, camera)) is not None]
    if not limbs:
        return None
    ends = np.array([point for limb in limbs for point in (limb.a, limb.b)])
    px = camera.project(ends)
    aside = camera.project(ends + np.array([1.0, 0.0, 0.0]))
    scale = np.hypot(*(aside - px).T)
    radii = np.array([radius for limb in limbs for radius in limb.radii]) * scale
    margin = width // _SHADOW
    low = np.floor((px - radii[:, None]).min(axis=0)).astype(int) - margin
    high = np.ceil((px + radii[:, None]).max(axis=0)).astype(int) + margin
    x0, y0 = max(-margin, int(low[0])), max(-margin, int(low[1]))
    x1, y1 = min(width + margin, int(high[0])), min(height + margin, int(high[1]))
    if x1 - x0 <= 2 * margin or y1 - y0 <= 2 * margin:
        return None
    colour = np.zeros((y1 - y0, x1 - x0, 3), np.uint8)
    alpha = np.zeros((y1 - y0, x1 - x0), np.uint8)
    for i, limb in enumerate(limbs):
        a, b = px[2 * i] - [x0, y0], px[2 * i + 1] - [x0, y0]
        ra, rb = float(radii[2 * i]), float(radii[2 * i + 1])
        _capsule(alpha, a, b, ra, rb, (255.0,))
        for step in range(_SHADES):
            share = step / (_SHADES - 1)
            shrink = math.sqrt(1 - share * share * 0.9)
            light = 0.52 + 0.5 * share
            shift = np.array([-0.18, -0.22]) * share
            tone = tuple(min(255.0, c * light) for c in limb.colour)
            _capsule(colour, a + shift * ra, b + shift * rb, ra * shrink, rb * shrink, tone)
    soft = cv2.GaussianBlur(colour, (0, 0), max(0.8, float(scale.mean()) * 1.1))
    return Overlay(with_alpha(soft, alpha), (x0, y0), 0.45)


def _capsule(picture: Picture, a: Vector, b: Vector, ra: float, rb: float, colour: tuple[float, ...]) -> None:
    way = b - a
    length = float(np.hypot(*way))
    across = np.array([-way[1], way[0]]) / length if length > 1e-6 else np.array([1.0, 0.0])
    quad = np.array([a + across * ra, b + across * rb, b - across * rb, a - across * ra])
    cv2.fillConvexPoly(picture, np.round(quad * 8).astype(np.int32), colour, cv2.LINE_AA, 3)
    for centre, radius in ((a, ra), (b, rb)):
        spot = (round(float(centre[0]) * 8), round(float(centre[1]) * 8))
        cv2.circle(picture, spot, max(1, round(radius * 8)), colour, -1, cv2.LINE_AA, 3)
