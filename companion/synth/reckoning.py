"""How a hand ends on the table: what was left is laid open, what was won is counted."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.rules.cards import Player
from companion.synth.script import CARD_MM, Pose
from companion.synth.stage import Stage

__all__ = ["count", "lay_open"]

_SHOWN_INSET_MM = 60.0
_SHOWN_APART_MM = 34.0
"""Cards of a hand laid open overlap, and show more than their index."""
_COUNTED_INSET_MM = 120.0
_COUNTED_APART_MM = 22.0


def lay_open(stage: Stage, player: Player, cards: Sequence[str]) -> None:
    """What was left in a hand, laid side by side before the player."""
    stage.wait(0.4, 1.2)
    laid = _row(stage, player, cards, _SHOWN_INSET_MM, _SHOWN_APART_MM, 0.0)
    if laid:
        stage.carry(player, laid)


def count(stage: Stage, player: Player, won: Sequence[str]) -> None:
    """The won cards turned up in a row, so that each index shows."""
    stage.wait(0.4, 1.2)
    moves = _row(stage, player, won, _COUNTED_INSET_MM, _COUNTED_APART_MM, CARD_MM)
    stage.shift(player, moves, joined=False, late=False)
    stage.wait(0.5, 2.5)


def _row(
    stage: Stage, player: Player, names: Sequence[str], inset_mm: float, apart_mm: float, z_mm: float
) -> list[tuple[str, Pose, float]]:
    """Places side by side before a player, each card above the one before."""
    y = stage.inside(player, inset_mm)
    left = stage.style.trick_x - apart_mm * (len(names) - 1) / 2
    angle = 0.0 if player is Player.SOUTH else math.pi
    return [
        (name, Pose(left + apart_mm * place, y, angle, z_mm), stage.next_layer())
        for place, name in enumerate(names)
    ]
