"""What lookers-on are shown while a match is broadcast: the same snapshots, but later."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from companion.live.audience import is_open
from companion.live.snapshot import Snapshot
from companion.rules.events import CardPlayed

__all__ = ["Lateness"]

_KEPT = 4000
"""Snapshots that wait at most: more than ten minutes hold."""


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A snapshot that may be too new.

    `hand` is when its hand was dealt, seconds, which stays when another match is begun meanwhile;
    `None` where it keeps nothing from anybody.
    """

    time: float
    snapshot: Snapshot
    hand: float | None
    tricks: int


class Lateness:
    """Holds snapshots back until they are old enough; what has once been shown is never older again."""

    def __init__(self) -> None:
        self._waiting: deque[_Waiting] = deque(maxlen=_KEPT)
        self._shown: Snapshot | None = None

    def take(self, snapshot: Snapshot, now: float) -> None:
        """Take the newest snapshot, at `now` seconds; what it makes outdated is let go, looked at or not."""
        hand = snapshot.hand
        dealt = None if hand is None or is_open(snapshot) else hand.events[0].time
        plays = () if hand is None else (told for told in hand.events if isinstance(told.event, CardPlayed))
        self._waiting.append(_Waiting(now, snapshot, dealt, len(tuple(plays)) // 2))
        self.ripe(now)

    def ripe(self, now: float) -> Snapshot | None:
        """Return the newest snapshot that is old enough at `now`; `None` before the first snapshot.

        Where all are too new, as after a start in the middle of a hand, it is one without a hand.
        """
        if not self._waiting:
            return self._shown
        newest = self._waiting[-1]
        for place in range(len(self._waiting) - 1, -1, -1):
            if self._is_old(self._waiting[place], newest, now):
                self._shown = self._waiting[place].snapshot
                for _ in range(place + 1):
                    self._waiting.popleft()
                break
        if self._shown is None:
            revision = f"early-{newest.snapshot.revision}"
            return replace(newest.snapshot, revision=revision, hand=None, last=None, questions=())
        return self._shown

    def next_in(self, now: float) -> float | None:
        """Seconds until the next snapshot is old enough by the clock; `None` where tricks are counted."""
        if not self._waiting:
            return None
        fair = self._waiting[-1].snapshot.match.fair  # what is agreed by now holds for what waits, too
        return max(0.0, self._waiting[0].time + fair.delay - now) if fair.unit == "seconds" else None

    @staticmethod
    def _is_old(each: _Waiting, newest: _Waiting, now: float) -> bool:
        fair = newest.snapshot.match.fair
        if fair.mode != "broadcast":
            return True
        if fair.unit == "seconds":
            return now - each.time >= fair.delay
        return each.hand is None or each.hand != newest.hand or each.tricks + fair.delay <= newest.tricks
