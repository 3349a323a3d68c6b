"""The newest snapshot, for everyone who waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from companion.live.lateness import Lateness
from companion.live.snapshot import Snapshot

__all__ = ["Feed"]


class Feed:
    """Hands the newest snapshot from one thread to many.

    Only the newest is kept: a listener that comes late or reads slowly skips what is outdated
    and misses nothing that still holds. Lookers-on of a broadcast are handed older ones.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Open a feed; `clock` gives rising seconds."""
        self._changed = threading.Condition()
        """Guards all that follows but the clock; whoever waits is woken when any of it changes."""
        self._clock = clock
        self._newest: Snapshot | None = None
        self._late = Lateness()
        self._closed = False
        self._calls = 0

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def publish(self, snapshot: Snapshot) -> None:
        """Make `snapshot` the newest and wake everyone who waits."""
        with self._changed:
            self._newest = snapshot
            self._late.take(snapshot, self._clock())
            self._changed.notify_all()

    def wait(self, after: str, timeout_s: float, *, late: bool = False) -> Snapshot | None:
        """Return the newest snapshot as soon as its revision is not `after`.

        Returns `None` when `timeout_s` seconds have passed, the feed was closed, or all were
        called, before.

        Args:
            after: The revision that is known already; empty for none.
            timeout_s: How long to wait, in real seconds.
            late: Whether a broadcast is followed as lookers-on do, with its delay.
        """
        end = time.monotonic() + timeout_s
        with self._changed:
            calls = self._calls
            while True:
                newest = self._late.ripe(self._clock()) if late else self._newest
                if newest is not None and newest.revision != after:
                    return newest
                left = end - time.monotonic()
                if left <= 0 or self._closed or self._calls != calls:
                    return None
                due = self._late.next_in(self._clock()) if late else None
                self._changed.wait(left if due is None else min(left, max(due, 0.01)))

    def call(self) -> None:
        """Wake everyone who waits without news: something else has changed."""
        with self._changed:
            self._calls += 1
            self._changed.notify_all()

    def close(self) -> None:
        """End the feed; everyone who waits is woken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()
