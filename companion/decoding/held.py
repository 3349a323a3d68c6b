"""Cards that the players hold where the camera sees them: they do not lie on the table yet."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK
from companion.table.observation import Observation, TableView
from companion.table.quad import Quad, covered, short_side

__all__ = ["Held"]

CUT = 0.02
"""Nobody plays a card so that a corner of it lies out of sight beyond a player's edge, this share of its
short side or more."""
AWAY = 1.0
"""How far, in short card sides, a card that was held has come at least when it is played."""
EDGE = 0.3
"""Hands are held over this share of the picture's height from a player's edge."""
FAN = 3
"""So many faces there that cover each other are a hand, not a trick."""
REACH = 1.8
"""How far, in short card sides, the cards of a hand are from its middle at most."""
REMEMBERED_S = 4.0
"""For so long a hand whose cards are not read is still where it was."""


class Held:
    """Knows which faces are held, from view to view."""

    def __init__(self) -> None:
        self._at: dict[int, Quad] = {}
        """Where each track reached out of the picture last."""
        self._hands: dict[bool, tuple[NDArray[np.floating], float]] = {}
        """Middle of the hand at the south edge (`True`) and the north edge, and when it was seen last."""

    def without(self, view: TableView, told: Collection[int]) -> TableView:
        """A view without the faces that are held; what has been `told` to lie on the table stays."""
        tracks = {card.track for card in view.cards}
        self._at = {track: quad for track, quad in self._at.items() if track in tracks}
        faces = [card for card in view.cards if card.best != BACK and card.track not in told]
        for south in (True, False):
            self._find(south, [card for card in faces if _at_edge(card, south, view.size[1])], view.time)
        held = {card.track for card in faces if self._is_cut(card, view) or self._is_in_hand(card, view)}
        return replace(view, cards=tuple(card for card in view.cards if card.track not in held))

    def _find(self, south: bool, faces: Sequence[Observation], time: float) -> None:
        """Look for the hand of a player; once found it is followed down to its last card."""
        hand = max((_touching(card, faces) for card in faces), key=len, default=[])
        if south in self._hands:
            middle, since = self._hands[south]
            hand = [card for card in faces if _near(card, middle)]
            if not hand and time - since > REMEMBERED_S:
                del self._hands[south]
        elif len(hand) < FAN:
            return
        if hand:
            self._hands[south] = np.mean([card.centre for card in hand], axis=0), time

    def _is_in_hand(self, card: Observation, view: TableView) -> bool:
        return any(
            _at_edge(card, south, view.size[1]) and _near(card, middle)
            for south, (middle, _) in self._hands.items()
        )

    def _is_cut(self, card: Observation, view: TableView) -> bool:
        """Whether a card reaches out of the picture, or did and has not come away from there."""
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


def _at_edge(card: Observation, south: bool, height: int) -> bool:
    y = float(card.centre[1]) / height
    return (1.0 - y if south else y) <= EDGE


def _near(card: Observation, middle: NDArray[np.floating]) -> bool:
    return float(np.hypot(*(card.centre - middle))) <= REACH * short_side(card.corners)


def _touching(card: Observation, others: Sequence[Observation]) -> list[Observation]:
    """A card and those that it covers or that cover it."""
    return [other for other in others if other is card or covered(other.corners, card.corners) > 0.0]
