"""What a live table needs of a decoder, so that another one, or a scripted one, may take its place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from companion.rules.cards import Card, Player
from companion.rules.events import Event
from companion.rules.ruleset import RuleSet
from companion.table.entry import Entry, Settled
from companion.table.observation import TableView

__all__ = ["DecoderFactory", "TableDecoder"]


class TableDecoder(Protocol):
    """What the table needs of a decoder; `companion.decoding.decoder.Decoder` is one."""

    def update(self, view: TableView) -> tuple[Entry, ...]:
        """Take in what lies on the table now; return what is settled by it."""

    def tell(self, event: Event, time: float, source: str) -> tuple[Entry, ...]:
        """Take an event for certain that a player has pressed."""

    def may_say(self, time: float) -> frozenset[Event]:
        """Return which claims and calls may be made at `time` by what the decoder thinks, written or not."""

    def is_swept(self, time: float) -> bool:
        """Return whether all cards were played and taken up by `time`, long enough for a claim."""

    def retract_last(self, time: float, source: str) -> tuple[Entry, ...]:
        """Withdraw the last event."""

    def finish(self, time: float) -> tuple[Entry, ...]:
        """Decide what is open: nothing more will be seen."""

    def resume(self, entries: Sequence[Entry], since: float | None = None, seen: float | None = None) -> None:
        """Take up what was settled before this decoder was made; at first that is nothing.

        `since`: when the table was seen last, where nobody looked for a while; -inf: nobody ever had; `None`:
        it was looked at all the time. `seen`: when it was seen first after that; `None`: it has not been yet.
        """

    def leave(self, turn_up: Card | None, since: float) -> None:
        """Take what lies there for what a hand has left that was over at `since`, if its turn-up does."""

    def revise(self, hand: Sequence[Settled], next_seq: int) -> bool:
        """Take over what somebody corrected; `hand`: the current one as it stands.

        Returns `False` where it cannot go on from there, and has to be made anew.
        """


class DecoderFactory(Protocol):
    """Makes a decoder for a match; the class `Decoder` itself is one."""

    def __call__(self, rules: RuleSet, *, dealer: Player | None, first_seq: int) -> TableDecoder:
        """Return a decoder that has seen nothing yet."""
