"""The log's entries as the lines that `companion watch --json` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.live.hand import by_hand, fold_hand
from companion.rules.event_form import event_to_json
from companion.rules.events import Claimed
from companion.rules.record import Record, result_of
from companion.rules.ruleset import RuleSet
from companion.table.entry import Asked, Entry, Retracted, Settled, Unseen

__all__ = ["Chronicle"]

Line = dict[str, Any]


class Chronicle:
    """Turns entries into lines, and adds the result of each hand when it stands.

    Every line but a retraction has its own number `seq`, from 1; a retraction's `seq` is the
    number of the line it withdraws. A result is derived from the events before it, so it is
    withdrawn and told anew when one of those changes.
    """

    def __init__(self, rules: RuleSet, *, first: int = 1) -> None:
        """Begin with a match.

        Args:
            rules: What is played.
            first: Number of the first line.
        """
        self._rules = rules
        self._next = first
        self._line_of: dict[int, int] = {}  # entry -> line
        self._standing: dict[int, Settled] = {}
        self._results: dict[int, tuple[int, Line]] = {}  # entry of the deal -> line and content
        self.unseen: list[tuple[float | None, float]] = []
        """From when until when nobody saw the table in mid-hand, seconds; `None`: nobody had looked."""

    @property
    def next(self) -> int:
        """Number of the next line."""
        return self._next

    @property
    def records(self) -> tuple[Record, ...]:
        """The hands as they stand now; the last one when it is over, or ended by a claim out of turn."""
        folded = [fold_hand(self._rules, tuple(events)) for events in self._hands()]
        return tuple(
            Record.from_state(hand.state, [entry.event for entry in hand.events])
            for hand in folded
            if hand.state.over or hand is not folded[-1] or isinstance(hand.events[-1].event, Claimed)
        )

    def tell(self, entries: Iterable[Entry]) -> tuple[Line, ...]:
        """Return the lines for new entries, in their order."""
        lines: list[Line] = []
        time = 0.0
        for entry in entries:
            time = entry.time
            lines.extend(self._line(entry))
        if lines:
            lines.extend(self._new_results(time))
        return tuple(lines)

    def _line(self, entry: Entry) -> Iterator[Line]:
        match entry:
            case Settled():
                self._standing[entry.seq] = entry
                yield {
                    "t": round(entry.time, 3),
                    **event_to_json(entry.event),
                    "confidence": round(entry.confidence, 4),
                    "seq": self._number(entry.seq),
                }
            case Retracted():
                self._standing.pop(entry.withdraws, None)
                if (line := self._line_of.pop(entry.withdraws, None)) is not None:
                    yield {"t": round(entry.time, 3), "type": "retract", "seq": line}
            case Asked():
                yield {
                    "t": round(entry.time, 3),
                    "type": "question",
                    "text": entry.text,
                    "options": [event_to_json(option) for option in entry.options],
                    "about": None if entry.about is None else self._line_of.get(entry.about),
                    "seq": self._number(entry.seq),
                }
            case Unseen():
                since = None if entry.since is None else round(entry.since, 3)
                self.unseen.append((since, round(entry.time, 3)))

    def _number(self, entry: int | None = None) -> int:
        number = self._next
        self._next += 1
        if entry is not None:
            self._line_of[entry] = number
        return number

    def _new_results(self, time: float) -> Iterator[Line]:
        """Compare the results that stand now with those told, and tell the difference."""
        now = dict(self._standing_results())
        for deal_entry, (line, told) in list(self._results.items()):
            if now.get(deal_entry) != told:
                del self._results[deal_entry]
                yield {"t": round(time, 3), "type": "retract", "seq": line}
        for deal_entry, result in now.items():
            if deal_entry not in self._results:
                number = self._number()
                self._results[deal_entry] = (number, result)
                yield {"t": round(time, 3), "type": "result", **result, "seq": number}

    def _standing_results(self) -> Iterator[tuple[int, Line]]:
        """Results of the hands that are over, by the entry of their deal."""
        for events in self._hands():
            folded = fold_hand(self._rules, tuple(events))
            if folded.state.over and not folded.unfit:  # unfit: being rewritten, the rest is still to come
                yield events[0].seq, result_of(folded.state).to_json()

    def _hands(self) -> Iterable[Sequence[Settled]]:
        """The entries that stand, hand by hand."""
        return by_hand([self._standing[seq] for seq in sorted(self._standing)])
