"""A camera that needs no pictures: what a good detector says of a rendered table, straight from its script.

Hands hide what is under them, cards what they lie upon, and everything moves as it does in the
recordings; only the drawing and the networks are left out, so that a hand takes a second.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from companion.rules.cards import Player
from companion.synth.script import Hand, Laid, Pose, Script
from companion.synth.style import View
from companion.table.detection import BACK, CLASSES, Detection, Motion, Reading
from companion.table.quad import covered
from tests.frame_rate import FPS

SIZE = (1280, 720)
CELLS = (45, 80)
CARD_MM = (59.0, 91.0)
ARM_MM = 80.0
SEEN = 0.45
"""A card is found while this share of it can be seen."""


def readings(script: Script, view: View, *, fps: float = FPS, seed: int = 0) -> Iterator[Reading]:
    """Film a script: the readings of a detector that errs by a pixel, and in nothing else."""
    rng = np.random.default_rng(seed)
    scale = min(SIZE[0] / 2 / view.half_width_mm, SIZE[1] / (view.south_mm - view.north_mm))
    middle = (view.south_mm + view.north_mm) / 2
    lying: tuple[Laid, ...] = ()
    places: set[tuple[str, bytes]] = set()
    quads: list[np.ndarray] = []
    inside: list[float] = []
    hidden: list[float] = []
    for number in range(int(script.duration * fps)):
        time = number / fps
        moment = script.at(time)
        arms = [_arm(hand, scale, middle) for hand in moment.hands]
        moved = np.zeros(CELLS, bool)
        for hand, box in zip(moment.hands, arms, strict=True):
            if hand.moving or hand.player is not None:  # whoever plays is hardly ever quite still
                _mark(moved, box)
        if moment.cards != lying:
            before, lying = places, moment.cards
            quads = [_quad(laid.pose, scale, middle) for laid in lying]
            places = {(laid.card, quad.tobytes()) for laid, quad in zip(lying, quads, strict=True)}
            for _, place in before ^ places:
                _mark(moved, np.frombuffer(place, np.float32).reshape(4, 2))
            inside = [_inside(quad) for quad in quads]
            hidden = [_hidden(quad, quads[at + 1 :]) for at, quad in enumerate(quads)]
        reach, beside = [0.0, 0.0], 0.0
        for hand, box in zip(moment.hands, arms, strict=True):
            if hand.player is None:
                beside += float(np.ptp(box[:, 1])) / SIZE[1] / 2 if _reaches_in(box) else 0.0
            else:
                reach[hand.player] += float(np.ptp(box[:, 0])) / SIZE[0] if _touches_edge(hand, box) else 0.0
        detections = tuple(
            _detection(laid, quad, time, rng)
            for laid, quad, whole, under in zip(lying, quads, inside, hidden, strict=True)
            if laid.width > 0.5 and whole - max(under, _hidden(quad, arms)) >= SEEN
        )
        yield Reading(time, SIZE, detections, Motion(moved, *reach, beside=beside))


@lru_cache(maxsize=1024)
def _quad(pose: Pose, scale: float, middle: float) -> np.ndarray:
    """Where a card lies, (4, 2) pixels; most lie where they lay a moment before."""
    width, height = CARD_MM
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


def _reaches_in(box: np.ndarray) -> bool:
    """Whether the arm of somebody who looks on is in the picture at all."""
    return bool((box[:2, 0] > 0).all() if box[2:, 0].min() < 0 else (box[:2, 0] < SIZE[0]).all())


def _inside(quad: np.ndarray) -> float:
    """The share of a card's corners that lie in the picture."""
    return float(((quad > 0) & (quad < SIZE)).all(axis=1).mean())


def _hidden(quad: np.ndarray, above: list[np.ndarray]) -> float:
    """The largest share of a card that one thing above it hides."""
    return max((covered(quad, other) for other in above), default=0.0)


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
