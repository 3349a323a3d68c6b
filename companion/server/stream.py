"""Server-sent events: each phone gets the newest snapshot, then every newer one."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Protocol

from companion.live.snapshot import Role, Snapshot, snapshot_for

__all__ = ["HEARTBEAT_S", "Feed", "stream"]

HEARTBEAT_S = 5.0
"""A stream is never silent longer than this, so that a page knows when it is cut off."""

_RETRY_MS = 1000


class Feed(Protocol):
    """Where the newest snapshot can be waited for."""

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""

    def wait(self, after: str, timeout_s: float) -> Snapshot | None:
        """Return the newest snapshot once its revision is not `after`; `None` when time is up."""


def stream(feed: Feed, role: Role, after: str) -> Iterator[str]:
    """Give the events for one phone until the feed closes or the phone goes away.

    Snapshots are whole, so whoever was away catches up with the next one, and a phone that
    reads slowly skips what is outdated. The `id` of an event is the snapshot's revision; a
    phone that comes back with the current one as `after` is sent a heartbeat only.

    Args:
        feed: Where snapshots come from.
        role: What the phone may see; the rest is cut before anything is sent.
        after: `Last-Event-ID` of the phone; empty for a new one.
    """
    yield f"retry: {_RETRY_MS}\n\n"
    wait_s = 0.0
    while not feed.closed:
        snapshot = feed.wait(after, wait_s)
        wait_s = HEARTBEAT_S
        if snapshot is None:
            yield "event: beat\ndata: {}\n\n"
            continue
        after = snapshot.revision
        text = json.dumps(snapshot_for(snapshot, role).to_json(), ensure_ascii=False, separators=(",", ":"))
        yield f"id: {after}\nevent: snapshot\ndata: {text}\n\n"
