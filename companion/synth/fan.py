"""The cards that players hold, where they hold them over the edge of what the camera sees."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from companion.rules.cards import Player
from companion.synth.script import Journey, Pose

__all__ = ["CARD_HIGH_MM", "FAN_LAYER", "Fan", "fan"]

CARD_HIGH_MM = 90.0
"""Height of a card, more or less: how hands move is written without knowing the pack that is filmed."""
_PIVOT_MM = 75.0
"""From the place about which a fan is spread to the middle of each card."""
_SPREAD = 0.21
"""Turn from one card to the next, radians."""
_ABOVE_MM = 50.0
"""So high over the table a fan is held."""
FAN_LAYER = 1e5
"""Over all that lies on the table, under what is carried."""
_MOVES_S = 0.4
_UNSTEADY_MM, _UNSTEADY = 4.0, 0.04
"""Standard deviations of how a hand that holds a fan moves from one act to the next: mm, radians."""


def fan(count: int, player: Player, x_mm: float, edge_mm: float, reach_mm: float, turn: float) -> list[Pose]:
    """Say where each of `count` cards is that a player holds.

    Args:
        count: How many.
        player: South's cards have their tops north, in the picture upwards.
        x_mm: Where the fan is.
        edge_mm: y of the picture's edge there.
        reach_mm: How far its middle card reaches in over the edge.
        turn: Of the whole fan, radians.
    """
    inward = -1.0 if player is Player.SOUTH else 1.0
    pivot = edge_mm + inward * (reach_mm - CARD_HIGH_MM / 2 - _PIVOT_MM)
    up = turn if player is Player.SOUTH else turn + math.pi
    poses = []
    for place in range(count):
        angle = up + _SPREAD * (place - (count - 1) / 2)
        x, y = x_mm + _PIVOT_MM * math.sin(angle), pivot - _PIVOT_MM * math.cos(angle)
        poses.append(Pose(x, y, angle, _ABOVE_MM))
    return poses


class Fan:
    """What one player holds, and how it has been seen so far."""

    def __init__(self, player: Player, x_mm: float, edge_mm: float, reach_mm: float) -> None:
        """Hold nothing yet; the numbers as in `fan`."""
        self._player, self._place = player, (x_mm, edge_mm, reach_mm)
        self._held: dict[str, Pose] = {}

    def hold(self, cards: Sequence[str], time: float, rng: np.random.Generator) -> list[Journey]:
        """Hold these cards from now on; how what is seen of them moves."""
        gone = [name for name in self._held if name not in cards]
        journeys = [Journey(name, ((time, self._held.pop(name)),), FAN_LAYER, leaves=True) for name in gone]
        x, edge, reach = self._place
        x, reach = (float(each + rng.normal(0, _UNSTEADY_MM)) for each in (x, reach))
        poses = fan(len(cards), self._player, x, edge, reach, float(rng.normal(0, _UNSTEADY)))
        for place, (name, pose) in enumerate(zip(cards, poses, strict=True)):
            was = self._held.get(name) or self._from_outside(pose)
            journeys.append(Journey(name, ((time, was), (time + _MOVES_S, pose)), FAN_LAYER + place))
            self._held[name] = pose
        return journeys

    def take(self, card: str) -> Pose | None:
        """Hold a card no more, which goes on from where it was held; `None`: it was not."""
        return self._held.pop(card, None)

    def _from_outside(self, pose: Pose) -> Pose:
        away = CARD_HIGH_MM if self._player is Player.SOUTH else -CARD_HIGH_MM
        return replace(pose, y_mm=pose.y_mm + away)
