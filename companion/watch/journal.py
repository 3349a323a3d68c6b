"""What `companion watch --data` keeps: a watched recording in the log, as a match of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from companion import __version__
from companion.rules.cards import Player
from companion.rules.ruleset import RuleSet
from companion.store.item import MatchStarted, SittingOpened
from companion.store.log import EventLog
from companion.table.entry import Asked, Entry, Unseen

__all__ = ["Journal"]


class Journal:
    """Writes one run's entries behind whatever the log holds already; times and numbers go on rising."""

    def __init__(
        self, log: EventLog, rules: RuleSet, *, source: str, dealer: Player | None, at: datetime
    ) -> None:
        """Begin a match in the log.

        Args:
            log: Open; whoever opened it closes it.
            rules: What is played.
            source: What is watched.
            dealer: Who deals first, where it was said.
            at: Now, with a zone.

        Raises:
            LogError: The log cannot be read or written.
        """
        self._log = log
        self._starts = 0.0
        number = 0
        self.first_seq = 1
        for logged in log.read():
            item = logged.item
            if isinstance(item, MatchStarted):
                number = item.number
            elif isinstance(item, SittingOpened):
                self._starts = max(self._starts, item.starts)
            else:  # what was pressed and never settled has a time, too
                self._starts = max(self._starts, item.time)
                if isinstance(item, Entry):
                    self.first_seq = max(self.first_seq, item.seq + 1)
        now = at.isoformat(timespec="seconds")
        log.append(
            [
                SittingOpened(now, source, __version__, self._starts),
                MatchStarted(now, rules, dealer=dealer, number=number + 1),
            ]
        )

    def keep(self, entries: Sequence[Entry]) -> None:
        """Write entries down; they are on the disk when this returns.

        Raises:
            LogError: The log cannot be written.
        """
        self._log.append([_later(entry, self._starts) for entry in entries])


def _later(entry: Entry, by: float) -> Entry:
    """The same entry on a clock that is ahead."""
    match entry:
        case Asked() if entry.shows is not None:
            return replace(entry, time=entry.time + by, shows=entry.shows + by)
        case Unseen() if entry.since is not None:
            return replace(entry, time=entry.time + by, since=entry.since + by)
        case _:
            return replace(entry, time=entry.time + by)
