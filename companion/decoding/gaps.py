"""For how long nobody saw the table: in mid-hand, or while the cards were dealt."""

from __future__ import annotations

from math import inf

from companion.decoding.evidence import Dark
from companion.decoding.watcher import Watcher
from companion.table.entry import AT_ONCE_S, UNSEEN_S
from companion.table.observation import TableView

__all__ = ["Gaps"]

LAY_THERE_S = 600.0
"""What lies dealt at a start after a longer time may have lain there for hours."""


class Gaps:
    """Tells each time for which nobody saw the table once."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._unwatched: float | None = None
        """Since when nobody had looked when a log was taken up; `inf`: not known."""
        self._resumed: Dark | None = None
        """From when until when nobody looked, before the first view after a log was taken up."""
        self._missed: float | None = None
        """Since when nobody had followed what was played, where the deal of this hand was missed."""
        self._told = inf
        """Since when nobody saw the table when that was told last with a deal."""

    def resume(self, since: float | None) -> None:
        """A log is taken up, of a table that was seen last at `since`; `None`: it was never out of sight."""
        self._unwatched = inf if since is None else since

    def begin_hand(self, missed: float | None) -> None:
        """A hand has begun; `missed`: since when nobody followed what was played, its deal being missed."""
        self._missed = missed

    def ended(self, view: TableView) -> Dark | None:
        """Return from when until when nobody saw the table, where this view ends that."""
        if view.blind:
            return None
        gap = self._watcher.regained
        if self._unwatched is not None:
            gap = self._resumed = self._unwatched, view.time
            self._unwatched = None
        return None if gap is None or gap[1] - gap[0] < UNSEEN_S else gap

    def of_deal(self, dealt: float, now: float, *, resuming: bool) -> Dark | None:
        """Return the same where the cards lay dealt when the table came in sight again.

        Where the deal was missed, that was until now. It is told once, however often who dealt is corrected.

        Args:
            dealt: When the deal was, as it is told now, seconds.
            now: Time of the view, seconds.
            resuming: Whether a log has just been taken up.
        """
        gap = self._resumed if resuming else self._watcher.dark(now)
        if self._missed is not None:
            gap = self._missed, now
        elif gap is not None and gap[1] <= dealt - AT_ONCE_S:
            gap = None  # the deal itself was seen
        elif gap is not None and resuming and not UNSEEN_S <= gap[1] - gap[0] <= LAY_THERE_S:
            gap = None
        if gap is None or gap[0] == self._told:
            return None
        self._told = gap[0]
        return gap
