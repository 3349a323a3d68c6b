"""The newest snapshot, for everyone who waits for it."""

from __future__ import annotations

import threading

from companion.live.snapshot import Snapshot

__all__ = ["Feed"]


class Feed:
    """Hands the newest snapshot from one thread to many.

    Only the newest is kept: a listener that comes late or reads slowly skips what is outdated
    and misses nothing that still holds.
    """

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._newest: Snapshot | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""
        return self._closed

    def publish(self, snapshot: Snapshot) -> None:
        """Make `snapshot` the newest and wake everyone who waits."""
        with self._changed:
            self._newest = snapshot
            self._changed.notify_all()

    def wait(self, after: str, timeout_s: float) -> Snapshot | None:
        """Return the newest snapshot as soon as its revision is not `after`.

        Returns `None` when `timeout_s` seconds have passed, or the feed was closed, before.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._is_news(after), timeout_s)
            return self._newest if self._is_news(after) else None

    def close(self) -> None:
        """End the feed; everyone who waits is woken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def _is_news(self, after: str) -> bool:
        return self._newest is not None and self._newest.revision != after
