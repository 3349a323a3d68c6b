"""A table set up for a recording: camera, light, table top, pack, arms, things, and the camera's faults."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from companion.rules.cards import Player
from companion.synth.arm import ArmLook
from companion.synth.camera import Camera
from companion.synth.clutter import scatter
from companion.synth.pack import Pack
from companion.synth.phone import SIZE_MM as PHONE_MM
from companion.synth.phone import Phone
from companion.synth.scene import Band, Light, Overlay, Scene
from companion.synth.style import Style, View
from companion.synth.surface import ALIKE, KINDS, surface

__all__ = [
    "HELD_OUT_LIGHTS",
    "LIGHTS",
    "Setting",
    "held_out_light",
    "light_named",
    "random_setting",
    "view_of",
]

HELD_OUT_LIGHTS = ("lampshade", "two_lamps", "blinds")
"""Lights that training never draws, nor any like them: the edge of a lampshade, a cold and a warm lamp
from either side, sun through a blind."""
LIGHTS = ("even", "warm_lamp", "window", "dim", "glare", *HELD_OUT_LIGHTS)
"""Lights by name; the first five are much as `Light.random` draws them."""
_PHONES = 0.5
"""Share of the tables on which a phone lies that shows the page."""


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """Everything of a recording but what moves.

    Attributes:
        scene: Camera, table top, light.
        pack: The cards.
        arms: Of south and north.
        things: What else lies there.
        blur: Lens blur, standard deviation in pixels.
        noise: Sensor noise, grey levels.
        quality: JPEG quality of the camera's own compression.
        gamma: Exponent on the picture's values.
        shutter_s: Exposure time.
        samples: Pictures averaged over the exposure while something moves.
        flicker: Standard deviation of the brightness from frame to frame.
        names: What the truth file says of it.
        phone: One on the table that shows the page.
    """

    scene: Scene
    pack: Pack
    arms: tuple[ArmLook, ArmLook]
    things: tuple[Overlay, ...] = ()
    blur: float = 0.6
    noise: float = 2.5
    quality: int = 90
    gamma: float = 1.0
    shutter_s: float = 0.05
    samples: int = 3
    flicker: float = 0.002
    names: tuple[tuple[str, str | float], ...] = ()
    phone: Phone | None = None


def view_of(camera: Camera) -> View:
    """What a camera sees of the table: a rectangle that fits, with the edges of the picture's middle."""
    w, h = camera.size
    points = np.array([[0, 0], [w, 0], [0, h], [w, h], [w / 2, 0], [w / 2, h]], np.float64)
    flat = np.hstack([points, np.ones((6, 1))]) @ np.linalg.inv(camera.plane()).T
    mm = flat[:, :2] / flat[:, 2:]
    half = float(np.abs(mm[:4, 0]).min())
    return View(half, float(mm[4, 1]), float(mm[5, 1]))


def light_named(name: str, rng: np.random.Generator) -> Light:
    """Return a light.

    Raises:
        ValueError: The name is none of `LIGHTS`.
    """
    side = float(rng.choice([-1, 1]))
    tilt = (side * float(rng.uniform(0.2, 1.2)), float(rng.uniform(-1, 1)))
    if name == "even":
        return Light((1.0, 1.0, 1.0), (0.05, 0.05), (0.3, 0.2), 0.3, 0.008)
    if name == "warm_lamp":
        return Light((0.78, 0.96, 1.12), (side * 0.25, -0.15), tilt, 0.5, 0.004)
    if name == "window":
        return Light((1.08, 1.0, 0.93), (side * 0.45, 0.1), (side * 1.4, 0.3), 0.4, 0.009)
    if name == "dim":
        return Light((0.5, 0.56, 0.62), (0.1, side * 0.2), tilt, 0.45, 0.007)
    if name == "glare":
        spot = (0.5 + side * float(rng.uniform(0.05, 0.3)), float(rng.uniform(0.1, 0.4)), 0.09, 85.0)
        return Light((0.95, 0.97, 1.0), (0.1, 0.1), tilt, 0.4, 0.005, (spot,))
    if name in HELD_OUT_LIGHTS:
        return _banded(name, tilt, rng)
    raise ValueError(f"no light called {name!r}; known: {', '.join(LIGHTS)}")


def _banded(name: str, tilt: tuple[float, float], rng: np.random.Generator) -> Light:
    """Return one of `HELD_OUT_LIGHTS`."""
    angle = float(rng.uniform(0, 2 * math.pi))
    if name == "lampshade":
        dark = float(rng.uniform(0.45, 0.75))
        gain = (dark * 1.1, dark * 1.03, dark)
        edge = Band(angle, float(rng.uniform(-0.25, 0.3)), 9.0, float(rng.uniform(0.01, 0.12)), gain)
        return Light((0.85, 1.0, 1.1), (0.1, -0.1), tilt, 0.55, 0.003, bands=(edge,))
    if name == "two_lamps":
        tint, middle, soft = (float(rng.uniform(*ends)) for ends in ((0.1, 0.3), (-0.2, 0.2), (0.15, 0.5)))
        warm = Band(angle, middle, 9.0, soft, (1 - tint, 1.0, 1 + tint / 2))
        cold = Band(angle + math.pi, -middle, 9.0, soft, (1 + tint / 2, 1.0, 1 - tint))
        return Light((0.92, 0.95, 0.95), (0.0, 0.1), tilt, 0.3, 0.008, bands=(warm, cold))
    step, bright = float(rng.uniform(0.08, 0.2)), float(rng.uniform(1.25, 1.8))
    stripe = float(rng.uniform(0.35, 0.65)) * step
    soft = float(rng.uniform(0.003, 0.02))
    starts = [(number - 4) * step for number in range(int(rng.integers(5, 10)))]
    bands = tuple(Band(angle, at, at + stripe, soft, (bright * 0.94, bright, bright * 1.04)) for at in starts)
    return Light((0.72, 0.72, 0.7), (0.15, 0.0), tilt, 0.45, 0.003, bands=bands)


def held_out_light(rng: np.random.Generator) -> Light:
    """Any of `HELD_OUT_LIGHTS`."""
    return light_named(str(rng.choice(HELD_OUT_LIGHTS)), rng)


def random_setting(
    pack: Pack,
    style: Style,
    *,
    seed: int,
    size: tuple[int, int] = (1280, 720),
    table: str | None = None,
    light: str | None = None,
) -> Setting:
    """Set up any table.

    Args:
        pack: The cards.
        style: Says where cards will lie, so that nothing else lies there.
        seed: Decides the rest.
        size: Of the picture, pixels.
        table: Kind of table top; any without.
        light: Name of a light; any without.

    Raises:
        ValueError: No such table top or light.
    """
    rng = np.random.default_rng([seed, 0x7AB1E])
    tilt = float(rng.uniform(0.0, math.radians(32)))
    camera = Camera.above(
        size,
        distance_mm=float(rng.uniform(700, 1300)),
        tilt=tilt,
        yaw=float(rng.normal(0, 0.06)),
        roll=float(rng.normal(0, 0.03)),
        width_mm=float(rng.uniform(600, 760)),
        target_mm=(float(rng.normal(0, 10)), float(rng.normal(0, 10))),
    )
    kind = table or str(rng.choice(KINDS + ALIKE))
    lamp = light_named(light, rng) if light else Light.random(rng)
    scene = Scene(camera, surface(kind, rng), lamp, float(rng.uniform(250, 700)), float(rng.normal(0, 0.15)))
    view = view_of(camera)
    places = _card_places(style, view)
    return Setting(
        scene,
        pack,
        (ArmLook.random(rng), ArmLook.random(rng)),
        scatter(rng, camera, view, places, int(rng.choice([0, 1, 2, 3]))),
        blur=float(rng.uniform(0.4, 0.9)),
        noise=float(rng.uniform(1.0, 4.0)),
        quality=int(rng.integers(60, 95)),
        gamma=float(rng.uniform(0.85, 1.15)),
        shutter_s=float(rng.choice([0.02, 0.035, 0.06, 0.09])),
        flicker=float(rng.choice([0.0, 0.003, 0.01])),
        names=(
            ("table", kind),
            ("deck", pack.name),
            ("light", light or "random"),
            ("tilt_deg", round(math.degrees(tilt), 1)),
        ),
        phone=_phone(np.random.default_rng([seed, 0x9403E]), camera, view, places),
    )


def _phone(
    rng: np.random.Generator, camera: Camera, view: View, places: Sequence[tuple[float, float]]
) -> Phone | None:
    """A phone at a player's hand, where no card will lie; it may reach out of the picture."""
    dark, wanted = bool(rng.random() < 0.5), bool(rng.random() < _PHONES)
    room = (PHONE_MM[0] + PHONE_MM[1]) / 4 + 50.0
    for _ in range(40):
        x = float(rng.uniform(-1, 1) * (view.half_width_mm + 10))
        y = float(rng.uniform(view.north_mm, view.south_mm))
        turn = float(rng.normal(0, 0.3) + rng.choice([0.0, math.pi / 2]) + (math.pi if y < 0 else 0.0))
        if wanted and all(math.hypot(x - a, y - b) > room for a, b in places):
            return Phone((x, y), turn, dark, camera)
    return None


def _card_places(style: Style, view: View) -> list[tuple[float, float]]:
    middle = (view.north_mm + view.south_mm) / 2
    stock = style.stock_side * style.stock_x * view.half_width_mm
    south, north = (style.pile_side(player) * style.pile_x * view.half_width_mm for player in Player)
    return [
        (stock, middle + style.stock_y),
        (stock + style.turn_up_way * 50, middle + style.stock_y),
        (north, view.north_mm + style.pile_inset_mm),
        (south, view.south_mm - style.pile_inset_mm),
        *((style.trick_x + dx, middle + dy) for dx in (-80, 0, 80) for dy in (-70, 0, 70)),
    ]
