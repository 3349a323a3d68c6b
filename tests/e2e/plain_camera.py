"""A camera that needs no pictures: what a good detector says of a rendered table, straight from its script.

Hands hide what is under them, cards what they lie upon, and everything moves as it does in the
recordings; only the drawing and the networks are left out, so that a hand takes a second.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.rules.cards import Player
from companion.synth.script import Hand, Laid, Script
from companion.synth.style import View
from companion.table.detection import BACK, CLASSES, Detection, Motion, Reading
from companion.table.quad import covered

SIZE = (1280, 720)
CELLS = (45, 80)
CARD_MM = (59.0, 91.0)
ARM_MM = 80.0
FPS = 12.0
"""What is quick takes a quarter of a second: fewer frames a second show none of it."""
SEEN = 0.45
"""A card is found while this share of it can be seen."""


def readings(script: Script, view: View, *, fps: float = FPS, seed: int = 0) -> Iterator[Reading]:
    """Film a script: the readings of a detector that errs by a pixel, and in nothing else."""
    rng = np.random.default_rng(seed)
    scale = min(SIZE[0] / 2 / view.half_width_mm, SIZE[1] / (view.south_mm - view.north_mm))
    middle = (view.south_mm + view.north_mm) / 2
    before: dict[str, tuple[float, ...]] = {}
    for number in range(int(script.duration * fps)):
        time = number / fps
        moment = script.at(time)
        quads = [_quad(laid, scale, middle) for laid in moment.cards]
        arms = [_arm(hand, scale, middle) for hand in moment.hands]
        moved = np.zeros(CELLS, bool)
        for box in arms:
            _mark(moved, box)
        now = {laid.card: tuple(quad.ravel()) for laid, quad in zip(moment.cards, quads, strict=True)}
        for name in before.keys() | now.keys():
            if before.get(name) != now.get(name):
                for place in (before.get(name), now.get(name)):
                    if place is not None:
                        _mark(moved, np.array(place).reshape(4, 2))
        before = now
        reach = [0.0, 0.0]
        for hand, box in zip(moment.hands, arms, strict=True):
            reach[hand.player] += float(np.ptp(box[:, 0])) / SIZE[0] if _touches_edge(hand, box) else 0.0
        detections = tuple(
            _detection(laid, quad, time, rng)
            for at, (laid, quad) in enumerate(zip(moment.cards, quads, strict=True))
            if laid.width > 0.5 and _visible(quad, [*quads[at + 1 :], *arms]) >= SEEN
        )
        yield Reading(time, SIZE, detections, Motion(moved, reach[Player.SOUTH], reach[Player.NORTH]))


def _quad(laid: Laid, scale: float, middle: float) -> np.ndarray:
    pose, (width, height) = laid.pose, CARD_MM
    box = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (width / 2, height / 2)
    turn = np.array([[np.cos(pose.angle), -np.sin(pose.angle)], [np.sin(pose.angle), np.cos(pose.angle)]])
    centre = np.array([pose.x_mm, pose.y_mm - middle])
    return ((box @ turn.T + centre) * scale + np.array(SIZE) / 2).astype(np.float32)


def _arm(hand: Hand, scale: float, middle: float) -> np.ndarray:
    """The strip from the fingertips to the edge, (4, 2) pixels."""
    tip = np.array([hand.x_mm, hand.y_mm - middle])
    seat = np.array([hand.seat_mm[0], hand.seat_mm[1] - middle])
    away = (seat - tip) / np.linalg.norm(seat - tip)
    side = np.array([-away[1], away[0]]) * ARM_MM / 2
    tip = tip - away * 15.0
    corners = np.array([tip - side, tip + side, seat + side, seat - side])
    return (corners * scale + np.array(SIZE) / 2).astype(np.float32)


def _touches_edge(hand: Hand, box: np.ndarray) -> bool:
    """Whether a hand is in the picture at all."""
    return bool(box[:2, 1].min() < SIZE[1] if hand.player is Player.SOUTH else box[:2, 1].max() > 0)


def _visible(quad: np.ndarray, above: list[np.ndarray]) -> float:
    inside = ((quad > 0) & (quad < np.array(SIZE))).all(axis=1).mean()
    return float(inside) - max((covered(quad, other) for other in above), default=0.0)


def _mark(moved: np.ndarray, points: np.ndarray) -> None:
    left, top = np.clip(points.min(axis=0) / 16, 0, (CELLS[1], CELLS[0])).astype(int)
    right, bottom = np.clip(points.max(axis=0) / 16 + 1, 0, (CELLS[1], CELLS[0])).astype(int)
    moved[top:bottom, left:right] = True


def _detection(laid: Laid, quad: np.ndarray, time: float, rng: np.random.Generator) -> Detection:
    faces = laid.pose.face_up and laid.card in CLASSES
    probs = np.full(len(CLASSES), 0.08 / (len(CLASSES) - 1), np.float32)
    probs[CLASSES.index(laid.card) if faces else BACK] = 0.92
    corners = quad + rng.normal(0, 0.7, (4, 2))
    return Detection(corners.astype(np.float32), probs / probs.sum(), 0.9, time)
