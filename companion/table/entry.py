"""What the decoder and the phones write down: entries of the log.

The hand is the fold of all entries that nobody withdrew, in the order of `seq`. A change in
the past withdraws everything from there on and writes it anew; nothing is ever rewritten.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.events import Event

__all__ = ["Asked", "Entry", "Retracted", "Settled"]


@dataclass(frozen=True, slots=True)
class Settled:
    """An event taken as happened.

    Attributes:
        seq: Number in the log, from 1, rising.
        time: Seconds on the source's clock at which it was complete on the table.
        event: What happened.
        confidence: 0 to 1.
        source: `camera`, or `phone:south`, `phone:north`, `phone:referee`.
    """

    seq: int
    time: float
    event: Event
    confidence: float
    source: str = "camera"


@dataclass(frozen=True, slots=True)
class Retracted:
    """The entry `withdraws` was wrong, and does not count any more."""

    seq: int
    time: float
    withdraws: int
    source: str = "camera"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for the table.

    Attributes:
        text: Key of the question's text (`which_card`, `who_won`, `how_ended`, ...).
        about: `seq` of the entry that the answer would change, or `None`.
        options: Possible answers, likeliest first.
    """

    seq: int
    time: float
    text: str
    about: int | None
    options: tuple[Event, ...]


Entry = Settled | Retracted | Asked
