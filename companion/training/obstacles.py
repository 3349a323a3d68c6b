"""What lies or reaches in the way of cards: things that are none, hands, arms.

Everything is drawn from `rng` into pictures of `size`, width and height in pixels; `span` is what half
of the picture shows of the table, millimetres.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import Player
from companion.synth.arm import ArmLook, draw_hand
from companion.synth.camera import Camera
from companion.synth.scene import Overlay
from companion.synth.script import Hand

__all__ = ["arm", "flat_thing", "hand"]


def flat_thing(rng: np.random.Generator, size: tuple[int, int]) -> Overlay:
    """Something that is no card: a sheet with writing, a coaster, a coin, a phone, a glass."""
    w, h = size
    side = int(max(8, rng.uniform(0.1, 0.6) * min(w, h)))
    art = np.zeros((side, side, 4), np.uint8)
    colour = [int(c) for c in rng.integers(0, 256, 3)]
    kind = rng.choice(["sheet", "round", "box", "ring"])
    angle = float(rng.uniform(0, 180))
    if kind in ("sheet", "box"):
        if kind == "sheet":
            colour = [int(rng.integers(200, 256))] * 3
        box = cv2.boxPoints(
            ((side / 2, side / 2), (side * rng.uniform(0.3, 0.65), side * rng.uniform(0.3, 0.65)), angle)
        )
        cv2.fillConvexPoly(art, box.astype(np.int32), (*colour, 255), cv2.LINE_AA)
        if kind == "sheet":
            for i in range(1, 7):
                a = box[0] + (box[1] - box[0]) * i / 7 + (box[3] - box[0]) * 0.1
                b = box[0] + (box[1] - box[0]) * i / 7 + (box[3] - box[0]) * rng.uniform(0.3, 0.9)
                cv2.line(
                    art, a.astype(int).tolist(), b.astype(int).tolist(), (90, 60, 50, 255), 1, cv2.LINE_AA
                )
    else:
        radius = max(2, int(side * 0.42))
        cv2.circle(
            art,
            (side // 2, side // 2),
            radius,
            (*colour, 255),
            -1 if kind == "round" else max(1, side // 14),
            cv2.LINE_AA,
        )
        inner = [int(c) for c in rng.integers(0, 256, 3)]
        cv2.circle(
            art,
            (side // 2, side // 2),
            max(1, int(radius * rng.uniform(0.3, 0.8))),
            (*inner, 255),
            2,
            cv2.LINE_AA,
        )
    return Overlay(
        art,
        (int(rng.integers(-side // 2, w - side // 2)), int(rng.integers(-side // 2, h - side // 2))),
        0.4,
    )


def hand(
    rng: np.random.Generator,
    size: tuple[int, int],
    span: tuple[float, float],
    camera: Camera,
    tip: tuple[float, float],
) -> Overlay:
    """A player's hand as the films show it."""
    seat = (tip[0] + float(rng.normal(0, 90)), float(rng.choice([-1, 1]) * (span[1] + 350)))
    hand = Hand(Player.SOUTH, *tip, float(rng.uniform(0, 40)), seat, "over", bool(rng.random() < 0.5), True)
    drawn = draw_hand(hand, ArmLook.random(rng), camera)[1]
    return drawn if drawn is not None else flat_thing(rng, size)


def arm(rng: np.random.Generator, size: tuple[int, int], span: tuple[float, float]) -> Overlay:
    """A hand with an arm, from any side; or fingers alone."""
    w, h = size
    art = np.zeros((h, w, 4), np.uint8)
    px = w / (2 * span[0])
    tone = rng.uniform(0.25, 1.0)
    skin = np.array([130, 165, 215]) * tone + rng.normal(0, 8, 3)
    sleeve = rng.integers(0, 230, 3)
    finger = max(2, int(rng.uniform(14, 20) * px))
    tip = np.array([rng.uniform(0, w), rng.uniform(0, h)])
    way = rng.uniform(0, 2 * np.pi)
    reach = np.array([np.cos(way), np.sin(way)])
    across = np.array([-reach[1], reach[0]])
    palm = tip + reach * 95 * px

    def stroke(
        a: NDArray[np.float64], b: NDArray[np.float64], thick: int, colour: NDArray[np.float64]
    ) -> None:
        shade = np.clip(colour * rng.uniform(0.85, 1.1), 0, 255)
        p, q = (
            np.clip(a, -4000, 4000).astype(int).tolist(),
            np.clip(b, -4000, 4000).astype(int).tolist(),
        )
        cv2.line(
            art,
            p,
            q,
            (*np.clip(shade * 0.7, 0, 255).astype(int).tolist(), 255),
            thick + max(2, thick // 6),
            cv2.LINE_AA,
        )
        cv2.line(art, p, q, (*shade.astype(int).tolist(), 255), thick, cv2.LINE_AA)

    elbow = palm + reach * 400 * px
    stroke(palm, elbow, max(3, int(58 * px)), skin)
    stroke(palm + reach * 90 * px, elbow, max(3, int(80 * px)), sleeve.astype(np.float64))
    stroke(palm, palm + reach * 15 * px, max(3, int(80 * px)), skin)
    for i in range(4):
        end = tip + across * (i - 1.5) * finger * 1.15 + reach * rng.uniform(0, 25) * px
        stroke(palm + across * (i - 1.5) * finger * 1.1, end, finger, skin)
    stroke(palm + across * 3 * finger, palm + across * 4 * finger - reach * 45 * px, finger, skin)
    return Overlay(art, (0, 0), 0.4)
