"""What moves on the table and when: journeys of cards, reaches of hands, and what they meant.

A script is plain data on a clock; `companion.synth.choreography` writes it from a record and
`companion.synth.film` photographs it. Lengths are millimetres of the table (x right, y towards
south, z up), times seconds, angles radians clockwise in the picture.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from companion.rules.cards import Player
from companion.rules.record import Record

__all__ = [
    "CARD_MM",
    "LAYER_HELD",
    "LAYER_STOCK",
    "LAYER_TABLE",
    "STOCK",
    "Grip",
    "Hand",
    "Journey",
    "Laid",
    "Moment",
    "Pose",
    "Reach",
    "Script",
]

CARD_MM = 0.3
"""Thickness of a card."""
STOCK = "stock"
"""Name of the packet of face-down cards across the turn-up."""
LAYER_STOCK = 1.0
"""What lies lower is under the stock, what lies higher is on it or on the table beside it."""
LAYER_TABLE = 10.0
"""The lowest layer of cards that are played or won."""
LAYER_HELD = 1e6
"""What lies not lower is in somebody's hand."""
_LIFT = 0.12
"""Height of a carried card over the straight way, as a share of the way's length."""

Grip = Literal["over", "pinch", "empty"]
"""`over`: fingers upon the card; `pinch`: fingers under it, thumb upon it; `empty`."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a card is: its centre, its turn, its height, which side is up."""

    x_mm: float
    y_mm: float
    angle: float
    z_mm: float = 0.0
    face_up: bool = True


@dataclass(frozen=True, slots=True)
class Journey:
    """A card (or the stock) carried from place to place.

    Attributes:
        card: `KH`, or any other name for a card that never shows its face.
        keys: Times, rising, with the pose at each.
        layer: How high it lies at the end, compared with other cards.
        leaves: Whether it is gone from the picture after the last key.
    """

    card: str
    keys: tuple[tuple[float, Pose], ...]
    layer: float
    leaves: bool = False


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand that comes in, does something, and goes.

    Attributes:
        player: Whose hand; `None`: that of somebody who looks on.
        keys: Times, rising, with the fingertips' x and y.
        seat_mm: Where the elbow is, x and y.
        grip: See `Grip`.
        left: Whether it is the left hand.
    """

    player: Player | None
    keys: tuple[tuple[float, float, float], ...]
    seat_mm: tuple[float, float]
    grip: Grip = "over"
    left: bool = False


@dataclass(frozen=True, slots=True)
class Laid:
    """A card at one moment.

    Attributes:
        card: As `Journey.card`.
        pose: Where it is.
        layer: Cards of a higher layer cover those of a lower one.
        moving: Whether it is on its way.
        width: Share of its width that shows: below 1 while it is turned over.
        count: How many cards lie there as one packet.
    """

    card: str
    pose: Pose
    layer: float
    moving: bool
    width: float = 1.0
    count: int = 1


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand at one moment: fingertips, height, elbow."""

    player: Player | None
    x_mm: float
    y_mm: float
    z_mm: float
    seat_mm: tuple[float, float]
    grip: Grip
    left: bool
    moving: bool


@dataclass(frozen=True, slots=True)
class Moment:
    """Everything at one moment: cards from the lowest to the highest, and hands."""

    cards: tuple[Laid, ...]
    hands: tuple[Hand, ...]

    @property
    def quiet(self) -> bool:
        """Whether nothing moves."""
        return not self.hands and not any(card.moving for card in self.cards)


@dataclass(frozen=True, slots=True)
class Script:
    """A whole recording before it is drawn.

    Attributes:
        records: The hands played, in order.
        journeys: Of all cards, in the order in which they begin.
        reaches: Of all hands.
        counts: Cards in the stock packet from a time on.
        timeline: What happened when: `{"t", "type", ...}`, `t` being when it was complete on the
            table; a `claim`, `knock` or `revoke` is a press on the phone, `cleared` the table swept.
        duration: Seconds.
    """

    records: tuple[Record, ...]
    journeys: tuple[Journey, ...]
    reaches: tuple[Reach, ...]
    counts: tuple[tuple[float, int], ...]
    timeline: tuple[Mapping[str, Any], ...]
    duration: float
    _by_card: dict[str, list[Journey]] = field(default_factory=dict, compare=False, repr=False)

    def __post_init__(self) -> None:
        for journey in self.journeys:
            self._by_card.setdefault(journey.card, []).append(journey)

    def at(self, time: float) -> Moment:
        """Say where everything is at `time`."""
        laid = [at for journeys in self._by_card.values() if (at := self._laid(journeys, time)) is not None]
        laid.sort(key=lambda each: each.layer)
        hands = tuple(hand for reach in self.reaches if (hand := _hand(reach, time)) is not None)
        return Moment(tuple(laid), hands)

    def _laid(self, journeys: list[Journey], time: float) -> Laid | None:
        journey = next((each for each in reversed(journeys) if each.keys[0][0] <= time), None)
        if journey is None:
            return None
        count = 1
        if journey.card == STOCK:
            count = next((number for start, number in reversed(self.counts) if start <= time), 0)
            if count == 0:
                return None
        if time >= journey.keys[-1][0]:
            if journey.leaves:
                return None
            return Laid(journey.card, journey.keys[-1][1], journey.layer, False, 1.0, count)
        index = max(i for i, (start, _) in enumerate(journey.keys) if start <= time)
        (start, origin), (end, target) = journey.keys[index], journey.keys[index + 1]
        pose, width = _between(origin, target, (time - start) / (end - start))
        return Laid(journey.card, pose, LAYER_HELD + journey.layer, origin != target, width, count)


def _ease(share: float) -> float:
    return share * share * (3 - 2 * share)


def _between(origin: Pose, target: Pose, share: float) -> tuple[Pose, float]:
    s = _ease(min(1.0, max(0.0, share)))
    way = math.hypot(target.x_mm - origin.x_mm, target.y_mm - origin.y_mm)
    lift = min(25.0, _LIFT * way) * math.sin(math.pi * s)
    width, face_up = 1.0, origin.face_up
    if origin.face_up != target.face_up:
        width = max(0.04, abs(math.cos(math.pi * s)))
        face_up = origin.face_up if s < 0.5 else target.face_up
        lift += 20 * math.sin(math.pi * s)
    turn = math.remainder(target.angle - origin.angle, 2 * math.pi)
    pose = Pose(
        origin.x_mm + (target.x_mm - origin.x_mm) * s,
        origin.y_mm + (target.y_mm - origin.y_mm) * s,
        origin.angle + turn * s,
        origin.z_mm + (target.z_mm - origin.z_mm) * s + lift,
        face_up,
    )
    return pose, width


def _hand(reach: Reach, time: float) -> Hand | None:
    if not reach.keys[0][0] <= time < reach.keys[-1][0]:
        return None
    index = max(i for i, key in enumerate(reach.keys) if key[0] <= time)
    (start, x0, y0), (end, x1, y1) = reach.keys[index], reach.keys[index + 1]
    s = _ease((time - start) / (end - start))
    lift = min(25.0, _LIFT * math.hypot(x1 - x0, y1 - y0)) * math.sin(math.pi * s)
    x, y = x0 + (x1 - x0) * s, y0 + (y1 - y0) * s
    return Hand(reach.player, x, y, 2.0 + lift, reach.seat_mm, reach.grip, reach.left, (x0, y0) != (x1, y1))
