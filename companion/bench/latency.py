"""How long after a card has come to rest the page has the event: the real server, over the loopback."""

from __future__ import annotations

import http.client
import json
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.bench.figure import Figure, spread
from companion.decoding.decoder import Decoder
from companion.live.pipeline import run
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.server.app import create_app
from companion.server.device_book import DeviceBook
from companion.server.pairing import COOKIE, Pairing
from companion.server.serving import serve
from companion.store.log import EventLog
from companion.table.detection import Frame
from companion.tracking.tracker import Tracker
from companion.vision.reader import Reader
from companion.vision.source import PacedSource, open_paced

__all__ = ["latency_figures", "plays_of"]

Play = tuple[int, str]


def plays_of(truth: Path) -> dict[Play, float]:
    """Player and card of each play, with the time at which the card had come to rest, from `truth.json`."""
    timeline = json.loads(truth.read_text(encoding="utf-8"))["timeline"]
    return {(each["player"], each["card"]): each["t"] for each in timeline if each["type"] == "play"}


def latency_figures(recording: Path, truth: Path, models: Path, *, threads: int = 2) -> Iterator[Figure]:
    """Milliseconds from the last frame of a moving card to the event on the page, over all plays.

    The recording is played at its own speed through camera pipeline, log and server; the time
    counts from when the frame was due in which the card lies at rest.
    """
    reader = Reader.of(models, threads=threads)
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        pairing = Pairing(DeviceBook(Path(folder) / "devices.sqlite"))
        log = EventLog(Path(folder) / "table.sqlite")
        with LiveTable(log, Decoder, rules=RuleSet(), source=str(recording)) as table:
            app = create_app(table, pairing)
            with serve(app, "127.0.0.1", 0) as serving:
                page = _Page(serving.port, _cookie(pairing))
                source = _Noted(open_paced(recording))
                run(lambda: source, lambda: reader, Tracker, table, stop=threading.Event(), retry=False)
                time.sleep(0.5)  # whatever is still on its way to the page
                table.feed.close()
                page.join()
    delays = [
        1000 * (page.seen[play] - (source.started + rest))
        for play, rest in plays_of(truth).items()
        if play in page.seen
    ]
    yield Figure("page.plays", float(len(delays)), "plays")
    if delays:
        yield from spread("page.delay", delays, "ms")


class _Noted:
    """A paced recording that notes when its first frame was given out."""

    def __init__(self, recording: PacedSource) -> None:
        self._recording = recording
        self.started = 0.0

    def __enter__(self) -> _Noted:
        return self

    def __exit__(self, *_: object) -> None:
        self._recording.close()

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._recording:
            if not self.started:
                self.started = time.monotonic() - frame.time
            yield frame


def _cookie(pairing: Pairing) -> str:
    """The cookie of a phone that is let in now."""
    admitted = pairing.admit(pairing.invite(Role.TABLE).token)
    if admitted is None:
        raise RuntimeError("a code was refused that was made just now")
    return f"{COOKIE}={admitted[1]}"


class _Page(threading.Thread):
    """What a paired phone does: follows the events, and notes when each play is there first."""

    def __init__(self, port: int, cookie: str) -> None:
        super().__init__(name="page", daemon=True)
        self.seen: dict[Play, float] = {}
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._connection.request("GET", "/api/events", headers={"Cookie": cookie})
        self._stream = self._connection.getresponse()
        if self._stream.status != 200:
            raise RuntimeError(f"the page was refused: {self._stream.status}")
        self.start()

    def run(self) -> None:
        """Read to the stream's end."""
        while line := self._stream.readline():
            if line.startswith(b"data: {") and (hand := json.loads(line[6:]).get("hand")):
                self._note(hand, time.monotonic())
        self._connection.close()

    def _note(self, hand: dict[str, Any], now: float) -> None:
        for told in hand["events"]:
            event = told["event"]
            if event["type"] == "play" and event["card"] is not None:
                self.seen.setdefault((event["player"], event["card"]), now)
