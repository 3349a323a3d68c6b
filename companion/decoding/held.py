"""Cards that the players hold where the camera sees them: they do not lie on the table yet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import Quad, covered, short_side

__all__ = ["Held", "lie_beside"]

CUT = 0.02
"""Nobody plays a card so that a corner of it lies out of sight beyond a player's edge, this share of its
short side or more."""
AWAY, CLEAR = 1.0, 0.4
"""How far, in short card sides, a card that was held has come at least when it is played, or how far from the
edge it is by then."""
EDGE = 0.3
"""Hands are held over this share of the picture's height from a player's edge."""
FAN, PAIR = 3, 2
"""So many faces that lie side by side are a hand, not a trick: anywhere there, and right at the edge."""
BESIDE = 1.3
"""How far, in short card sides, the middles of two cards of a hand are from each other at most."""
RIGHT_AT = 1.2
"""How far, in short card sides, the middle of a card is from the edge at most that is right at it."""
REACH = 1.8
"""How far, in short card sides, the cards of a hand are from its middle at most."""
ARC = 0.8
"""How much farther from the edge, in short card sides, a card of a hand is than those that reach over it."""
REACHED_S = 0.5
"""Where nothing has reached over the edge for so long, the hand may have been laid down."""
UNDER = 0.15
"""So much of a turn-up at least lies under its stock."""
STAYS_S = 0.8
"""Two cards right at the edge that are held stay for so long at least; a marriage is carried over it."""
LIES_S = 4.0
"""A face alone that has lain still for so long, and not right at the edge, was played there: hands sway."""
LIES_NEAR_S = 1.0
"""Where nobody's hand is seen at that edge, a face with none beside it was played after so long."""
REMEMBERED_S = 4.0
"""For so long a hand whose cards are not read is still where it was."""


@dataclass(frozen=True, slots=True)
class _Hand:
    """What one player holds.

    Attributes:
        cards: The middle of each face by its track.
        seen: When it was seen last.
        rows: The first and last row of the picture in which the middles of its cards can be.
        reached: When one of its cards was seen last that reached over the edge.
    """

    cards: Mapping[int, NDArray[np.floating]]
    seen: float
    rows: tuple[float, float]
    reached: float

    def has(self, card: Observation) -> bool:
        """Whether a card is beside the others of the hand, which one that is carried away does not move."""
        if not self.rows[0] <= card.centre[1] <= self.rows[1]:
            return False
        others = [centre for track, centre in self.cards.items() if track != card.track]
        middle = np.mean(others or [*self.cards.values()], axis=0)
        return _near(card, middle, BESIDE if len(others) == 1 else REACH)


class Held:
    """Knows which faces are held, from view to view."""

    def __init__(self) -> None:
        self._at: dict[int, Quad] = {}
        """Where each track reached out of the picture last."""
        self._hands: dict[bool, _Hand] = {}
        """What is held at the south edge (`True`) and at the north edge."""

    def without(self, view: TableView, told: Collection[int], *, dealing: bool = False) -> TableView:
        """A view without the faces that are held.

        Args:
            view: What is seen.
            told: Tracks that have been told to lie on the table; they stay.
            dealing: Whether cards may be dealt now: what a back that lies there covers may be the turn-up.
        """
        tracks = {card.track for card in view.cards}
        self._at = {track: quad for track, quad in self._at.items() if track in tracks}
        faces = [card for card in view.cards if card.best != BACK and card.track not in told]
        if dealing:
            # a pile in a hand that gathers what was shown covers it, too, and is no stock
            lying = [card for card in view.cards if card.phase is not Phase.MOVING]
            backs = [card.corners for card in lying if card.best == BACK]
            faces = [card for card in faces if not _is_under(card, backs)]
        now = [card for card in faces if card.phase is not Phase.MOVING or card.last_seen >= view.time]
        for south in (True, False):
            self._find(south, [card for card in now if _at_edge(card, south, view)], view)
        held = {
            card.track
            for card in faces
            if self._is_cut(card, faces, view) or self._is_in_hand(card, faces, view)
        }
        return replace(view, cards=tuple(card for card in view.cards if card.track not in held))

    def _find(self, south: bool, faces: Sequence[Observation], view: TableView) -> None:
        """Look for the hand of a player; once found it is followed down to its last card."""
        rows, reached = (-inf, inf), -inf
        if south in self._hands:
            known = self._hands[south]
            if view.time - known.reached <= REACHED_S:
                rows, reached = known.rows, known.reached
            hand = [card for card in faces if known.has(card)]
            if not hand and view.time - known.seen > REMEMBERED_S:
                del self._hands[south]
        else:
            right_at = [
                card
                for card in faces
                if _is_right_at(card, south, view) and view.time - card.first_seen >= STAYS_S
            ]
            hand = _most_beside(faces, FAN) or _most_beside(right_at, PAIR)
        cut = [card for card in hand if card.last_seen >= view.time and _cut(card.corners, view.size[1])]
        if cut:  # what lies before a hand that reaches out of the picture is not held in it
            reached = view.time
            ends = [card.centre[1] + (-ARC if south else ARC) * short_side(card.corners) for card in cut]
            rows = (min(ends), inf) if south else (-inf, max(ends))
            hand = [card for card in hand if rows[0] <= card.centre[1] <= rows[1]]
        if hand:
            self._hands[south] = _Hand({card.track: card.centre for card in hand}, view.time, rows, reached)

    def _is_in_hand(self, card: Observation, faces: Sequence[Observation], view: TableView) -> bool:
        for south, hand in self._hands.items():
            if _at_edge(card, south, view) and hand.has(card):
                alone = sum(hand.has(other) for other in faces) == 1
                still = card.phase is Phase.STILL and view.time - card.since >= LIES_S
                return not alone or not still or _is_right_at(card, south, view)
        return False

    def _lies_near(self, card: Observation, faces: Sequence[Observation], view: TableView) -> bool:
        """Whether a card lies close to its player's edge, where no hand is held."""
        still = card.phase is Phase.STILL and view.time - card.since >= LIES_NEAR_S
        south = bool(card.centre[1] > view.size[1] / 2)
        alone = not any(other is not card and lie_beside(card, other) for other in faces)
        return still and alone and south not in self._hands

    def _is_cut(self, card: Observation, faces: Sequence[Observation], view: TableView) -> bool:
        """Whether a card reaches out of the picture, or did and has not come away from there."""
        if _cut(card.corners, view.size[1]):
            self._at[card.track] = card.corners
            return True
        held = self._at.get(card.track)
        if held is None:
            return False
        way = float(np.hypot(*(card.centre - held.mean(axis=0))))
        inside = -_beyond(card.corners, view.size[1])
        if inside > 0.0 and self._lies_near(card, faces, view):
            return False
        return way < AWAY * short_side(card.corners) and inside < CLEAR * short_side(card.corners)


def _cut(corners: Quad, height: int) -> bool:
    """Whether a card reaches out of the picture over the edge of a player."""
    return _beyond(corners, height) > CUT * short_side(corners)


def _beyond(corners: Quad, height: int) -> float:
    """How far a card reaches over the edge of a player, pixels; below 0: how far it stays inside."""
    return max(-float(corners[:, 1].min()), float(corners[:, 1].max()) - height)


def _is_under(card: Observation, backs: Sequence[Quad]) -> bool:
    """Whether a card that lies still is covered in part by one that lies face down."""
    still = card.phase is Phase.STILL
    return still and any(covered(card.corners, back) >= UNDER for back in backs)


def _depth(card: Observation, south: bool, view: TableView) -> float:
    """How far the middle of a card is from a player's edge, pixels."""
    y = float(card.centre[1])
    return view.size[1] - y if south else y


def _is_right_at(card: Observation, south: bool, view: TableView) -> bool:
    return _depth(card, south, view) <= RIGHT_AT * short_side(card.corners)


def _at_edge(card: Observation, south: bool, view: TableView) -> bool:
    return _depth(card, south, view) <= EDGE * view.size[1]


def _near(card: Observation, place: NDArray[np.floating], reach: float) -> bool:
    return float(np.hypot(*(card.centre - place))) <= reach * short_side(card.corners)


def lie_beside(one: Observation, other: Observation) -> bool:
    """Whether two cards lie as near to each other as those of one hand do."""
    return _near(other, one.centre, BESIDE)


def _most_beside(faces: Sequence[Observation], least: int) -> list[Observation]:
    """The most cards that lie beside one of them, itself among them, where there are enough."""
    groups = ([other for other in faces if lie_beside(card, other)] for card in faces)
    return max((group for group in groups if len(group) >= least), key=len, default=[])
