"""What a view adds to what is known: cards laid, gone, turned up, piled, swept away; buttons."""

from __future__ import annotations

from dataclasses import dataclass

from companion.decoding.reaches import Reach
from companion.rules.cards import Player

__all__ = [
    "Absent",
    "Announced",
    "AtStock",
    "Bare",
    "Dark",
    "Evidence",
    "Glimpsed",
    "Gone",
    "Laid",
    "Lingered",
    "Piled",
    "Rested",
    "Returned",
    "TurnedUp",
    "Unturned",
]

Dark = tuple[float, float]
"""From when until when nobody saw the table, seconds."""


@dataclass(frozen=True, slots=True)
class TurnedUp:
    """A face lies where the turn-up lies; `deal`: beside a stock that was not there before.

    `reaches`, `dark`, `on_stock`: as of `Laid`; `instead`: what seemed to be the deal before, of a hand in
    which nobody has a trick, has gone.
    """

    track: int
    time: float
    deal: bool
    reaches: tuple[Reach, ...] = ()
    dark: Dark | None = None
    on_stock: bool = False
    instead: bool = False


@dataclass(frozen=True, slots=True)
class Unturned:
    """A stock lies there since `time`, a card was played, and no turn-up has been recognised.

    `missed`: since when nobody has followed what was played before, seconds; `None`: this is the first card.
    """

    time: float
    missed: float | None = None


@dataclass(frozen=True, slots=True)
class Laid:
    """A face lies still elsewhere on the table since `time`.

    `reaches`: whose hands reached in lately; `dark`: from when until when nobody saw the table last;
    `on_stock`: it lies on the stock; `brought`: it was seen on its way there; `over_stock`: it lies where the
    stock lay, which is not seen any more; `near_stock`: it lies no farther from the turn-up than a stock;
    `at_edge`: it lies before a player, and not where cards are played; `unpiled`: whose won tricks, seen a
    moment before, are not seen now.
    """

    track: int
    time: float
    reaches: tuple[Reach, ...] = ()
    dark: Dark | None = None
    on_stock: bool = False
    brought: bool = False
    over_stock: bool = False
    near_stock: bool = False
    at_edge: bool = False
    unpiled: frozenset[Player] = frozenset()


@dataclass(frozen=True, slots=True)
class Glimpsed:
    """A face was carried to the trick until `time`, and has never lain still; `reaches`: as of `Laid`."""

    track: int
    time: float
    reaches: tuple[Reach, ...] = ()


@dataclass(frozen=True, slots=True)
class Lingered:
    """The hand of these players that was there when a face was laid has stayed until `time`.

    `again`: it had left, and came back to what lies there; nothing that it took looked like the other card of
    a marriage.
    """

    track: int
    time: float
    players: frozenset[Player]
    again: bool = False


@dataclass(frozen=True, slots=True)
class Announced:
    """An announcement button was laid and lies still since `time`, near the faces `near`.

    `log_p`: of 20, of 40, and of its being no button, nats.
    """

    time: float
    near: frozenset[int]
    log_p: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Gone:
    """A card that lay still is no longer there since `time`; `reaches` and `dark`: as of `Laid`."""

    track: int
    time: float
    reaches: tuple[Reach, ...] = ()
    dark: Dark | None = None


@dataclass(frozen=True, slots=True)
class Piled:
    """A face-down card lies near an edge, away from the stock."""

    track: int
    time: float
    south: bool


@dataclass(frozen=True, slots=True)
class AtStock:
    """Something moved at the stock until `time`.

    `players`: whose hands were in the picture meanwhile, unless everything moved.
    """

    time: float
    players: frozenset[Player]


@dataclass(frozen=True, slots=True)
class Rested:
    """The stock lay in sight when a card was laid at `time`, and nothing had moved there since `since`."""

    time: float
    since: float


@dataclass(frozen=True, slots=True)
class Absent:
    """The stock lies there in clear view without its turn-up for another half second.

    It was last seen at `last_seen`, and nothing moved there since `since`; `reaches`, `dark`: as of `Laid`;
    `beneath`: the stock lies where the turn-up lay, which may lie under it.
    """

    time: float
    since: float
    last_seen: float
    reaches: tuple[Reach, ...] = ()
    beneath: bool = False
    dark: Dark | None = None


@dataclass(frozen=True, slots=True)
class Returned:
    """A card that was `Gone`, or a turn-up that was `Absent`, lies at its place again, under its number."""

    time: float
    track: int
    turn_up: bool


@dataclass(frozen=True, slots=True)
class Bare:
    """Nothing lies on the table any more (`piles`: nothing but won piles), or all of it is mixed there."""

    time: float
    piles: bool


Evidence = (
    TurnedUp
    | Unturned
    | Laid
    | Glimpsed
    | Lingered
    | Announced
    | Gone
    | Piled
    | AtStock
    | Rested
    | Absent
    | Returned
    | Bare
)
