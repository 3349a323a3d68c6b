"""What the log holds of the match that is played, and the log's clock."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from companion import __version__
from companion.rules.cards import Player
from companion.rules.fair_play import TRAINING, FairPlay
from companion.rules.ruleset import RuleSet
from companion.store.item import Item, MatchStarted, Pressed, SittingOpened
from companion.store.log import EventLog
from companion.table.entry import Entry

__all__ = ["MOST_AWAY_S", "MatchLog"]

MOST_AWAY_S = 60.0
"""As if so long nobody had looked at most: whether it was a minute or a night decides nothing."""
CLOCK_SET_S = 60.0
"""A wall clock that goes so much ahead or behind has been set."""


class MatchLog:
    """The items of a match, each in the log before it is among them. One thread at a time may use it.

    Times rise through the whole log, over every start of the companion: the clock is that of the pictures,
    carried on between them.

    Attributes:
        items: What the log holds since the last `MatchStarted`, which is the first.
        last_seq: Largest number of an entry in the whole log; 0 before the first.
        time: Seconds on the log's clock of what was last written or seen.
    """

    def __init__(
        self,
        log: EventLog,
        *,
        clock: Callable[[], float] = time.monotonic,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Read the log.

        Args:
            log: Closed together with this.
            clock: Seconds that rise.
            today: Date and time of the wall clock.

        Raises:
            LogError: It cannot be read.
        """
        self.items: list[Item] = []
        self.last_seq = 0
        self.time = 0.0
        self._log = log
        self._clock = clock
        self._today = today
        self._sitting: SittingOpened | None = None
        self._opened = False
        self._written = 0.0
        """The latest time that is written: what is written anew of a time before was dated then."""
        self._noted_at = clock()
        for logged in log.read():
            self._remember(logged.item)

    def open(
        self,
        source: str,
        *,
        rules: RuleSet,
        names: tuple[str, str] = ("", ""),
        dealer: Player | None = None,
        fair: FairPlay = TRAINING,
    ) -> None:
        """Write down that the companion was started, looking at `source`; where there is none, begin a match.

        Raises:
            LogError: It cannot be written.
        """
        opening: list[Item] = [SittingOpened(self.today(), source, __version__, self.time + self._away_s())]
        if not self.items:
            opening.append(MatchStarted(self.today(), rules, names, dealer, fair=fair))
        for item in opening:
            self.append([item])
        self._opened = True

    @property
    def started(self) -> MatchStarted:
        """Rules, names and marks of the match."""
        started = self.items[0]
        if not isinstance(started, MatchStarted):
            raise TypeError(f"the log begins with {type(started).__name__}, not with a match")
        return started

    @property
    def position(self) -> int:
        """Position of the log's last item."""
        return self._log.last

    def keys(self, most: int) -> dict[str, int]:
        """Return the keys of the newest `most` presses that wrote something, with the last position of each.

        Raises:
            LogError: They cannot be read.
        """
        return self._log.keys(most)

    def append(self, items: Sequence[Item], *, key: str = "") -> None:
        """Write `items` down, all or none; `key` marks the press that they come of.

        Raises:
            LogError: They could not be written; nothing has changed.
        """
        items = [*self._dated_anew(items), *items]
        self._log.append(items, key=key)
        for item in items:
            self._remember(item)

    def saw(self, time: float) -> None:
        """Set the clock by a picture, taken at `time`."""
        self._set(max(self.time, time))

    def now(self) -> float:
        """Seconds on the log's clock."""
        return round(self.time + self._clock() - self._noted_at, 3)

    def today(self) -> str:
        """Date and time of the wall clock, ISO 8601."""
        return self._today().isoformat(timespec="seconds")

    def close(self) -> None:
        """Let go of the log."""
        self._log.close()

    def _remember(self, item: Item) -> None:
        if isinstance(item, MatchStarted):
            self.items = [item]
            return
        if isinstance(item, SittingOpened):
            self._sitting, at = item, item.starts
        else:
            self.items.append(item)
            if isinstance(item, Entry):
                self.last_seq = max(self.last_seq, item.seq)
            at = item.time
        self._written = max(self._written, at)
        if at > self.time:
            self._set(at)

    def _set(self, time: float) -> None:
        """Let the clock go on from `time`."""
        self.time, self._noted_at = time, self._clock()

    def _away_s(self) -> float:
        """For how long nobody may have looked before the start: the game went on meanwhile.

        Where the wall clock has been set back since nobody knows that.
        """
        away = self._ahead_s(self.time)
        return round(max(0.0, away) if -CLOCK_SET_S < away < MOST_AWAY_S else MOST_AWAY_S, 3)

    def _dated_anew(self, items: Iterable[Item]) -> list[Item]:
        """The sitting dated by the wall clock as it is by now, where that has been set since.

        A Raspberry Pi has none of its own, and learns the date from the network after the start. What is to
        be written happened a little earlier, and has the new date.
        """
        now = self.now()
        if self._sitting is None or not self._opened or abs(self._ahead_s(now)) < CLOCK_SET_S:
            return []
        new = (item.time for item in items if isinstance(item, Entry | Pressed))
        since = min((time for time in new if time > self._written), default=now)
        at = self._today() - timedelta(seconds=now - since)
        return [replace(self._sitting, at=at.isoformat(timespec="seconds"), starts=since)]

    def _ahead_s(self, time: float) -> float:
        """How much later it is by the wall clock than it was at `time`, seconds on the log's clock."""
        if self._sitting is None:
            return 0.0
        since = timedelta(seconds=time - self._sitting.starts)
        try:
            return (self._today() - (datetime.fromisoformat(self._sitting.at) + since)).total_seconds()
        except (TypeError, ValueError, OverflowError):  # no date, or none with a zone
            return 0.0
