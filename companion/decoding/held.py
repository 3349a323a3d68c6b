"""Cards that the players hold where the camera sees them: they do not lie on the table yet."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from companion.table.detection import BACK
from companion.table.observation import Observation, TableView
from companion.table.quad import Quad, short_side

__all__ = ["Held"]

CUT = 0.02
"""Nobody plays a card so that a corner of it lies out of sight beyond a player's edge, this share of its
short side or more."""
AWAY = 1.0
"""How far, in short card sides, a card that was held has come at least when it is played."""


class Held:
    """Knows which faces are held, from view to view."""

    def __init__(self) -> None:
        self._at: dict[int, Quad] = {}
        """Where each track was held last."""

    def without(self, view: TableView, told: Collection[int]) -> TableView:
        """A view without the faces that are held; what has been `told` to lie on the table stays."""
        tracks = {card.track for card in view.cards}
        self._at = {track: quad for track, quad in self._at.items() if track in tracks}
        return replace(
            view,
            cards=tuple(card for card in view.cards if card.track in told or not self._holds(card, view)),
        )

    def _holds(self, card: Observation, view: TableView) -> bool:
        if card.best == BACK:
            return False
        if _cut(card.corners, view.size[1]):
            self._at[card.track] = card.corners
            return True
        held = self._at.get(card.track)
        if held is None:
            return False
        way = float(np.hypot(*(card.centre - held.mean(axis=0))))
        return way < AWAY * short_side(card.corners)


def _cut(corners: Quad, height: int) -> bool:
    """Whether a card reaches out of the picture over the edge of a player."""
    out = max(-float(corners[:, 1].min()), float(corners[:, 1].max()) - height)
    return out > CUT * short_side(corners)
