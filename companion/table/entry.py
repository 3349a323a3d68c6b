"""What the decoder and the phones write down: entries of the log.

The hand is the fold of all entries that nobody withdrew, in the order of `seq`. A change in
the past withdraws everything from there on and writes it anew; nothing is ever rewritten.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import floor
from typing import TypeVar

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Event

__all__ = [
    "AT_ONCE_S",
    "CAMERA",
    "MOST_OPTIONS",
    "ONE_TRACK_S",
    "OPEN_CONFIDENCE",
    "UNSEEN_S",
    "Asked",
    "Entry",
    "Retracted",
    "Settled",
    "Unseen",
    "in_all",
    "phone_of",
    "played_elsewhere",
]

N = TypeVar("N", int, float)

CAMERA = "camera"
"""Source of what was seen; all others are phones."""
OPEN_CONFIDENCE = 0.5
"""Confidence of a play written without its card."""
UNSEEN_S = 1.0
"""Without sight of the table for this long, a card may have been played and gathered."""
AT_ONCE_S = 0.5
"""What is told so soon after the table came in sight again may have lain there before."""
ONE_TRACK_S = 0.05
"""Times that differ by less come from one track: they are one moment."""
MOST_OPTIONS = 3
"""Answers that a question offers."""


def phone_of(player: Player) -> str:
    """Source of what a player says."""
    return f"phone:{player.name.lower()}"


@dataclass(frozen=True, slots=True)
class Settled:
    """An event taken as happened.

    Attributes:
        seq: Number in the log, from 1, rising.
        time: Seconds on the source's clock at which it was complete on the table.
        event: What happened.
        confidence: 0 to 1.
        source: `camera`, or `phone:south`, `phone:north`, `phone:table`, `phone:referee`.
    """

    seq: int
    time: float
    event: Event
    confidence: float
    source: str = CAMERA


@dataclass(frozen=True, slots=True)
class Retracted:
    """The entry `withdraws` was wrong, and does not count any more."""

    seq: int
    time: float
    withdraws: int
    source: str = CAMERA


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for the table.

    Attributes:
        text: Key of the question's text (`which_card`, `who_dealt`, `how_ended`, ...).
        about: `seq` of the entry that the answer would change, or `None`.
        options: Possible answers, likeliest first.
        shows: Time at which what it is about came to rest on the table, seconds; `None`: nothing shows it.
    """

    seq: int
    time: float
    text: str
    about: int | None
    options: tuple[Event, ...]
    shows: float | None = None

    def is_of(self, entry: Settled) -> bool:
        """Whether an entry was complete on the table when what this question is about came to rest."""
        return self.shows is not None and abs(entry.time - self.shows) < ONE_TRACK_S


@dataclass(frozen=True, slots=True)
class Unseen:
    """Nobody saw the table while a hand was played: what happened there meanwhile may be missing.

    Attributes:
        seq: Number in the log.
        time: When it was in sight again, seconds on the source's clock.
        since: When it was seen last; `None`: nobody had looked before, and the cards lay dealt there.
    """

    seq: int
    time: float
    since: float | None

    @property
    def began(self) -> float:
        """From when on it is told: what was played before anybody had looked belongs to what is seen then."""
        return self.time if self.since is None else self.since

    @property
    def seconds(self) -> float | None:
        """For how long; `None`: nobody knows."""
        return None if self.since is None else self.time - self.since

    @property
    def whole_seconds(self) -> int | None:
        """The same as it is said, half a second up: wherever a sum of them is said, it is the same sum."""
        return None if self.seconds is None else floor(self.seconds + 0.5)


def in_all(seconds: Iterable[N | None]) -> N | None:
    """The sum of the seconds for which nobody saw the table each time; `None`: one of them nobody knows."""
    told = list(seconds)
    known = [each for each in told if each is not None]
    return sum(known) if len(known) == len(told) else None


Entry = Settled | Retracted | Asked | Unseen


def played_elsewhere(entries: Iterable[Settled], card: Card, besides: Settled) -> Settled | None:
    """Return another play than `besides` that is said to have been `card`; `None`: there is none."""
    for entry in entries:
        if entry.seq != besides.seq and isinstance(entry.event, CardPlayed) and entry.event.card == card:
            return entry
    return None
