"""Many phones on one server: how long from a settled event to each of them, and what memory it takes.

    python -m companion.bench.crowd [--phones 60] [--seconds 600] [--every 1.0]

The table is told the recorded hand again and again, log and fold included. The phones are sockets in a
process of their own, so that their reading does not hold up the server's; each takes the whole snapshot
from the wire. Prints JSON Lines as `companion bench --json` does.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import selectors
import socket
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

from companion.bench.figure import Figure
from companion.bench.memory import resident_mib
from companion.config import asset
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.cards import Card, Player
from companion.rules.events import Dealt, Event
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.server.app import create_app
from companion.server.device_book import DeviceBook
from companion.server.pairing import COOKIE, Pairing
from companion.server.serving import serve
from companion.store.log import EventLog
from companion.table.entry import Entry, Settled
from companion.table.observation import TableView

__all__ = ["crowd_figures"]

_EVENING = 600
"""Events of some forty hands, told at speed before anything is measured: caches and pools are full then."""
_ROLES = (Role.SOUTH, Role.NORTH, Role.BOARD, Role.TABLE)


class _Teller:
    """A decoder that settles the next event of a hand with each view, and deals anew after the last."""

    def __init__(self, events: Sequence[Event], first_seq: int) -> None:
        self._events, self._seq, self._told = events, first_seq, 0

    def update(self, view: TableView) -> tuple[Entry, ...]:
        """Settle the next event."""
        event = self._events[self._told % len(self._events)]
        self._told, self._seq = self._told + 1, self._seq + 1
        return (Settled(self._seq - 1, view.time, event, 0.98),)

    def tell(self, event: Event, time: float, source: str) -> tuple[Entry, ...]:
        """Nobody presses anything here."""
        return ()

    def may_say(self, time: float) -> frozenset[Event]:
        """Nobody claims anything here."""
        return frozenset()

    def is_swept(self, time: float) -> bool:
        """No hand ends here."""
        return False

    def retract_last(self, time: float, source: str) -> tuple[Entry, ...]:
        """Nobody presses anything here."""
        return ()

    def finish(self, time: float) -> tuple[Entry, ...]:
        """Nothing is open."""
        return ()

    def resume(self, entries: Sequence[Entry], since: float | None = None, seen: float | None = None) -> None:
        """Go on with the next hand."""

    def leave(self, turn_up: Card | None, since: float) -> None:
        """Nothing lies there."""

    def revise(self, hand: Sequence[Settled], next_seq: int) -> bool:
        """Nobody corrects anything here."""
        return True


def crowd_figures(phones: int, seconds: float, every_s: float) -> Iterator[Figure]:
    """Milliseconds from before an event is settled until a phone has all of its snapshot.

    Memory of the server in MiB: when an evening has been played at speed, after half of the time, at the end.

    Args:
        phones: How many look on.
        seconds: For how long.
        every_s: Seconds from one event to the next.
    """
    record = Record.from_json(json.loads((asset("demo") / "truth.json").read_text("utf-8"))["hand"])
    events: list[Event] = [Dealt(Player(record.dealer), record.turned_up), *record.events]
    with tempfile.TemporaryDirectory(prefix="companion-crowd-") as folder:
        log = EventLog(Path(folder) / "table.sqlite")
        pairing = Pairing(DeviceBook(Path(folder) / "devices.sqlite"))
        cookies = [_cookie(pairing, _ROLES[place % len(_ROLES)]) for place in range(phones)]
        with (
            LiveTable(
                log,
                lambda rules, *, dealer, first_seq: _Teller(events, first_seq),
                rules=RuleSet(),
                source="bench",
            ) as table,
            serve(create_app(table, pairing, listens="127.0.0.1"), "127.0.0.1", 0) as serving,
        ):
            ours, theirs = multiprocessing.Pipe()
            crowd = multiprocessing.get_context("spawn").Process(
                target=_look_on, args=(serving.port, cookies, theirs), daemon=True
            )
            crowd.start()
            ours.recv()  # all are connected
            sent: dict[str, float] = {}
            for step in range(_EVENING):
                table.see(_view(step))
                time.sleep(0.05)
            memory = {"first": resident_mib()}
            begun = time.monotonic()
            for step in range(int(seconds / every_s)):
                started = time.monotonic()
                table.see(_view(_EVENING + step))
                newest = table.feed.wait("", 0.0)
                if newest is not None:
                    sent[newest.revision] = started
                if time.monotonic() - begun >= seconds / 2:
                    memory.setdefault("half", resident_mib())
                time.sleep(max(0.0, begun + (step + 1) * every_s - time.monotonic()))
            time.sleep(1.0)
            memory["last"] = resident_mib()
            ours.send("done")
            arrivals: list[tuple[str, float]] = ours.recv()
            table.feed.close()
            crowd.join()
    delays = sorted(1000 * (at - sent[revision]) for revision, at in arrivals if revision in sent)
    yield Figure("crowd.phones", float(phones), "phones")
    yield Figure("crowd.events", float(len(sent)), "events")
    yield Figure("crowd.missed", float(len(sent) * phones - len(delays)), "snapshots")
    for name, share in (("median", 0.5), ("p99", 0.99), ("most", 1.0)) if delays else ():
        yield Figure(f"crowd.delay.{name}", delays[min(len(delays) - 1, int(share * len(delays)))], "ms")
    for name, taken in memory.items():
        yield Figure(f"crowd.memory.{name}", taken, "MiB")


def _view(number: int) -> TableView:
    """Nothing to be seen; the teller needs no more."""
    return TableView(float(number + 1), (1280, 720), (), False, False, True)


def _cookie(pairing: Pairing, role: Role) -> str:
    admitted = pairing.admit(pairing.invite(role).token)
    if admitted is None:
        raise RuntimeError("a code was refused that was made just now")
    return f"{COOKIE}={admitted[1]}"


def _look_on(port: int, cookies: Sequence[str], pipe: Connection) -> None:
    """Be all phones: note when each has read the whole of each snapshot, by its revision."""
    os.nice(5)
    waiting = selectors.DefaultSelector()
    for cookie in cookies:
        line = socket.create_connection(("127.0.0.1", port))
        line.sendall(
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode("ascii")
        )
        line.setblocking(False)
        waiting.register(line, selectors.EVENT_READ, bytearray())
    pipe.send("here")
    arrivals: list[tuple[str, float]] = []
    while not pipe.poll():
        for key, _ in waiting.select(0.2):
            buffer: bytearray = key.data
            line = key.fileobj  # type: ignore[assignment]
            received = line.recv(65536)
            if not received:
                waiting.unregister(line)
                continue
            buffer += received
            *whole, rest = buffer.split(b"\n\n")
            now = time.monotonic()
            for event in whole:
                at = event.find(b"id: ")
                if at >= 0:
                    text = bytes(event[at + 4 : event.index(b"\n", at)]).decode("ascii")
                    arrivals.append((text.rpartition(".")[0], now))
            buffer[:] = rest
    pipe.send(arrivals)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m companion.bench.crowd", description=__doc__)
    parser.add_argument("--phones", type=int, default=60, help="how many look on (default: 60)")
    parser.add_argument("--seconds", type=float, default=600.0, help="for how long (default: 600)")
    parser.add_argument("--every", type=float, default=1.0, help="seconds between events (default: 1)")
    options = parser.parse_args()
    for figure in crowd_figures(options.phones, options.seconds, options.every):
        print(json.dumps(figure.to_json()), flush=True)


if __name__ == "__main__":
    main()
