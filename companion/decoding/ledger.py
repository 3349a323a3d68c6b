"""What has been said: settled entries of the hand, their numbers, and finished hands."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from math import isfinite

from companion.rules.events import Dealt, Event
from companion.rules.hand import HandState, ImpossibleEvent, apply, deal
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.table.entry import CAMERA, Asked, Entry, Retracted, Settled, Unseen

__all__ = ["Ledger"]


def _folded(rules: RuleSet, events: Sequence[Event]) -> tuple[HandState | None, list[Event]]:
    """Return the hand after `events`, the first of which deals, and those that count; `None` without a deal.

    What the rules take for impossible at its place has no effect, as wherever a hand is folded: a claim too
    early is none while a card that was played has a name, and ends the hand where that is open.
    """
    if not events or not isinstance(events[0], Dealt):
        return None, []
    state = deal(rules, events[0].dealer, events[0].turned_up)
    counted: list[Event] = [events[0]]
    for event in events[1:]:
        with suppress(ImpossibleEvent):
            state = apply(state, event)
            counted.append(event)
    return state, counted


class Ledger:
    """Numbers entries and keeps those of the current hand that nobody withdrew."""

    def __init__(self, rules: RuleSet, first_seq: int) -> None:
        self._rules = rules
        self._next = first_seq
        self._finished: list[Record] = []
        self.current: list[Settled] = []
        self._last: tuple[list[Event], tuple[HandState | None, list[Event]]] = ([], (None, []))
        """The hand at the last look, and what came of it: it is asked for with every view."""

    def settle(self, event: Event, time: float, confidence: float, source: str) -> Settled:
        """Write an event down."""
        entry = Settled(self._number(), time, event, confidence, source)
        self.current.append(entry)
        return entry

    def withdraw(self, time: float, source: str) -> Retracted:
        """Withdraw the last settled entry of the hand.

        Raises:
            IndexError: Nothing is settled.
        """
        return Retracted(self._number(), time, self.current.pop().seq, source)

    def ask(
        self,
        text: str,
        time: float,
        about: int | None,
        options: tuple[Event, ...],
        shows: float | None = None,
    ) -> Asked:
        """Write a question down; its parts are those of `Asked`."""
        return Asked(self._number(), time, text, about, options, shows)

    def drop(self, question: int, time: float) -> Retracted:
        """Withdraw the question with this number: another takes its place."""
        return Retracted(self._number(), time, question, CAMERA)

    def note_unseen(self, since: float, time: float) -> Unseen:
        """Write down from when until when nobody saw the table; -inf: nobody had looked before."""
        return Unseen(self._number(), time, since if isfinite(since) else None)

    def close_hand(self) -> None:
        """Keep the current hand as a record and begin an empty one."""
        record = self._record()
        if record is not None:
            self._finished.append(record)
        self.current = []

    @property
    def state(self) -> HandState | None:
        """The current hand as settled so far."""
        return self._fold()[0]

    @property
    def records(self) -> tuple[Record, ...]:
        """Finished hands, the current one included once it is over."""
        state = self.state
        record = self._record() if state is not None and state.over else None
        return (*self._finished, *((record,) if record is not None else ()))

    def resume(self, entries: Sequence[Entry]) -> None:
        """Take up a log: finished hands become records, the last one goes on.

        Raises:
            ImpossibleEvent: The log is not the log of a table.
        """
        withdrawn = {entry.withdraws for entry in entries if isinstance(entry, Retracted)}
        for entry in entries:
            self._next = max(self._next, entry.seq + 1)
            if not isinstance(entry, Settled) or entry.seq in withdrawn:
                continue
            if isinstance(entry.event, Dealt):
                self.close_hand()
            elif not self.current:
                raise ImpossibleEvent(f"entry {entry.seq} tells {entry.event} before any deal")
            self.current.append(entry)

    def revise(self, hand: Sequence[Settled], next_seq: int) -> None:
        """Take over the current hand as somebody corrected it."""
        self.current = list(hand)
        self._next = max(self._next, next_seq)

    def _record(self) -> Record | None:
        state, counted = self._fold()
        return None if state is None else Record.from_state(state, counted)

    def _fold(self) -> tuple[HandState | None, list[Event]]:
        events = [entry.event for entry in self.current]
        if events != self._last[0]:
            self._last = events, _folded(self._rules, events)
        return self._last[1]

    def _number(self) -> int:
        self._next += 1
        return self._next - 1
