"""Server-sent events: each phone gets the newest snapshot, then every newer one."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from companion.live.audience import seen_as, snapshot_for
from companion.live.snapshot import Role, Snapshot

__all__ = ["HEARTBEAT_S", "Feed", "OpenStreams", "Spoken", "stream"]

HEARTBEAT_S = 3.0
"""A stream is never silent longer than this, so that a page knows when it is cut off."""

LOOKED_S = 15.0
"""Whoever asks without a stream is taken to look on for so long."""

_RETRY_MS = 1000
_REMEMBERED = 16


class Feed(Protocol):
    """Where the newest snapshot can be waited for."""

    @property
    def closed(self) -> bool:
        """Whether nothing more will come."""

    def wait(self, after: str, timeout_s: float, *, late: bool = False) -> Snapshot | None:
        """Return the newest snapshot once its revision is not `after`; `None` when time is up."""

    def call(self) -> None:
        """Wake everyone who waits."""


class Spoken:
    """Snapshots as they go over the wire, each made once for all phones with the same role."""

    def __init__(self) -> None:
        self._events: OrderedDict[tuple[str, Role], bytes] = OrderedDict()
        self._lock = threading.Lock()

    def event(self, snapshot: Snapshot, role: Role) -> bytes:
        """Return the event of a stream that tells phones with `role` what they may see, UTF-8."""
        key = snapshot.revision, role
        with self._lock:
            if key not in self._events:
                text = json.dumps(
                    snapshot_for(snapshot, role).to_json(), ensure_ascii=False, separators=(",", ":")
                )
                self._events[key] = f"{_head(*key)}{text}\n\n".encode()
                if len(self._events) > _REMEMBERED:
                    self._events.popitem(last=False)
            return self._events[key]

    def text(self, snapshot: Snapshot, role: Role) -> bytes:
        """Return the JSON in that event, UTF-8."""
        return self.event(snapshot, role)[len(_head(snapshot.revision, role)) : -2]


def _head(revision: str, role: Role) -> str:
    """What stands before the JSON; ASCII."""
    return f"id: {revision}.{role.value}\nevent: snapshot\ndata: "


class OpenStreams:
    """Counts the open streams, all of them and by device, and knows who looked without one."""

    def __init__(self, most: int, most_each: int, clock: Callable[[], float] = time.monotonic) -> None:
        """Let `most` be open together, `most_each` of them on one device; `clock` gives rising seconds."""
        self._most, self._most_each, self._clock = most, most_each, clock
        self._open: Counter[str] = Counter()
        self._looked: dict[str, float] = {}
        self._lock = threading.Lock()

    def open(self, device: str) -> bool:
        """Note a new stream; false, and nothing noted, where there is no room."""
        with self._lock:
            if self._open.total() >= self._most or self._open[device] >= self._most_each:
                return False
            self._open[device] += 1
            return True

    def close(self, device: str) -> None:
        """Note that a stream has ended."""
        with self._lock:
            self._open[device] -= 1

    def looked(self, device: str) -> None:
        """Note that a device was told what there is, without a stream."""
        with self._lock:
            self._looked[device] = self._clock()

    def has(self, device: str) -> bool:
        """Say whether a device looks on now: it has a stream open, or asked a moment ago."""
        with self._lock:
            looked = self._looked.get(device)
            return self._open[device] > 0 or (looked is not None and self._clock() - looked < LOOKED_S)


def stream(
    feed: Feed,
    role: Role,
    after: str,
    spoken: Spoken,
    welcome: Callable[[], bool] = lambda: True,
    answered: Callable[[Snapshot], Iterable[bytes]] = lambda _: (),
    *,
    device: Role | None = None,
) -> Iterator[bytes]:
    """Give the events for one phone until the feed closes, the phone goes away or is sent away.

    Snapshots are whole, so whoever was away catches up with the next one, and a phone that
    reads slowly skips what is outdated. The `id` of an event is the snapshot's revision and the
    role for which it was cut; a phone that comes back with the current one is sent a heartbeat only.

    Args:
        feed: Where snapshots come from.
        role: What the phone may see; the rest is cut before anything is sent.
        after: `Last-Event-ID` of the phone; empty for a new one.
        spoken: Turns snapshots into events.
        welcome: Whether the phone may go on; asked before anything is sent.
        answered: Gives events that follow a snapshot: who has answered what it does not ask any more.
        device: What the phone is, where it shows what another may see.
    """
    yield f"retry: {_RETRY_MS}\n\n".encode()
    wait_s = 0.0
    known, _, cut = after.rpartition(".")
    known = known if cut == role.value else ""
    device = role if device is None else device
    while not feed.closed:
        snapshot = feed.wait(known, wait_s, late=not role.presses)
        wait_s = HEARTBEAT_S
        if not welcome():
            return
        if snapshot is None:
            yield b"event: beat\ndata: {}\n\n"
            continue
        known = snapshot.revision
        yield spoken.event(snapshot, seen_as(role, device, snapshot.match.fair.mode))
        yield from answered(snapshot)
