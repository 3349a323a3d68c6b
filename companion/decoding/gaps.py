"""For how long nobody saw the table: in mid-hand, or while the cards were dealt."""

from __future__ import annotations

from math import inf

from companion.decoding.evidence import Dark
from companion.decoding.watcher import Watcher
from companion.table.entry import AT_ONCE_S, UNSEEN_S
from companion.table.observation import TableView

__all__ = ["Gaps"]

LAY_THERE_S = 60.0
"""For how long what lies dealt at a start has lain there nobody can say after a longer time."""


class Gaps:
    """Tells each time for which nobody saw the table once; from -inf on where nobody had looked before."""

    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher
        self._before: float | None = -inf
        """When the table was seen last before the first view; `None`: it was never out of sight."""
        self._first: Dark | None = None
        """From when until the first view nobody had looked; `None`: there was no view yet."""
        self._looks = False
        """Whether there has been a view that shows the table."""
        self._missed: float | None = None
        """Since when nobody had followed what was played, where the deal of this hand was missed."""
        self._told = inf
        """Since when nobody saw the table when that was told last."""

    def resume(self, since: float | None, seen: float | None) -> None:
        """A table is looked at again that was seen last at `since`; `None`: it was never out of sight.

        `seen`: when it was seen first after that, if it was, and nothing that lay there then is written yet.
        """
        self._before, self._looks = since, False
        self._first = None if since is None or seen is None else (since, seen)

    def begin_hand(self, missed: float | None) -> None:
        """A hand has begun; `missed`: since when nobody followed what was played, its deal being missed."""
        self._missed = missed

    def ended(self, view: TableView) -> Dark | None:
        """Return from when until when nobody saw the table, where this view ends that."""
        if view.blind:
            return None
        gap, looked, self._looks = self._watcher.regained, self._looks, True
        if not looked:
            gap = None
            if self._first is None:
                gap = self._first = view.time if self._before is None else self._before, view.time
        return None if gap is None or gap[1] - gap[0] < UNSEEN_S else gap

    def told(self, gap: Dark) -> None:
        """A time was told of the hand that was on before it: whatever was dealt meanwhile bears it, too."""
        self._told = gap[0]

    def of_deal(self, dealt: float, now: float) -> Dark | None:
        """Return the same where the cards lay dealt when the table came in sight again.

        Where the deal was missed, that was until now. It is told once, however often who dealt is corrected.

        Args:
            dealt: When the deal was, as it is told now, seconds.
            now: Time of the view, seconds.
        """
        begun = dealt if self._missed is None else self._missed
        lay_there = self._first is not None and begun < self._first[1] + AT_ONCE_S
        gap = _at_start(self._first) if lay_there else self._watcher.dark(now)
        if self._missed is not None:
            gap = gap[0] if lay_there and gap else self._missed, now
        if gap is None or gap[1] <= dealt - AT_ONCE_S or gap[0] == self._told:
            return None
        self._told = gap[0]
        return gap if gap[0] > -inf else (-inf, dealt)


def _at_start(first: Dark | None) -> Dark | None:
    """From when until when nobody saw what lay there at the first look, if longer than for a moment."""
    if first is None or first[1] - first[0] < UNSEEN_S:
        return None
    return first if first[1] - first[0] <= LAY_THERE_S else (-inf, first[1])
