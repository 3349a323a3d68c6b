"""Keeps what goes into the decoder and what comes out of it, while a table is watched.

Three doors are enough, and none of the stages knows that somebody listens: the reader (what the
camera showed), the decoder (what it was given, in which order), the log (what was written down).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import cv2

from companion.bundle.archive import BundleWriter
from companion.bundle.reading_form import reading_to_json
from companion.live.decoder import DecoderFactory, TableDecoder
from companion.live.pipeline import FrameReader
from companion.rules.cards import Card, Player
from companion.rules.event_form import event_to_json
from companion.rules.events import Event
from companion.rules.ruleset import RuleSet
from companion.store.coding import encode
from companion.store.item import Item, Logged, MatchStarted, SittingOpened
from companion.store.log import EventLog
from companion.table.detection import Frame, Reading
from companion.table.entry import Entry, Settled
from companion.table.observation import TableView
from companion.vision.cameras import camera_shown

__all__ = ["Recorder"]

PICTURE_EVERY_S = 0.19
"""Pictures of frames that were looked at are kept at most so often: about five a second."""
JPEG_QUALITY = 85

_log = logging.getLogger(__name__)


class Recorder:
    """Writes one bundle, from whichever thread calls.

    Nothing here may disturb a game: whatever fails ends the bundle, is logged, and is over.

    Args:
        bundle: Where everything goes; whoever opened it closes it.
    """

    def __init__(self, bundle: BundleWriter) -> None:
        self._bundle = bundle
        self._told: list[Entry] = []
        self._over = False

    def goes_on(self) -> bool:
        """Whether everything has been kept so far; it is over for good otherwise."""
        return not (self._over or self._bundle.failed)

    def reader(self, make: Callable[[], FrameReader]) -> Callable[[], FrameReader]:
        """Return what makes readers whose readings are kept; each stands for a source opened anew."""

        def made() -> FrameReader:
            self.note({"is": "source"}, flush=True)
            return _KeptReader(make(), self)

        return made

    def decoders(self, make: DecoderFactory) -> DecoderFactory:
        """Return what makes decoders whose calls are kept."""

        def made(rules: RuleSet, *, dealer: Player | None, first_seq: int) -> TableDecoder:
            seat = None if dealer is None else int(dealer)
            self.note({"is": "decoder", "rules": rules.to_json(), "dealer": seat, "first_seq": first_seq})
            return _KeptDecoder(make(rules, dealer=dealer, first_seq=first_seq), self)

        return made

    def log(self, path: Path) -> EventLog:
        """Open the event log at `path`, and keep what is written into it, and what its match holds already.

        Raises:
            LogError: As `EventLog`.
        """
        log = _KeptLog(path, self)
        items: list[Item] = []
        for logged in log.read():
            item = logged.item
            if isinstance(item, SittingOpened):  # earlier versions wrote down what lets in to a camera
                item = replace(item, source=camera_shown(item.source))
            items = [item] if isinstance(item, MatchStarted) else [*items, item]
        self.note({"is": "before", "items": [list(encode(item)) for item in items]}, flush=True)
        return log

    def wrote(self, items: Sequence[Item]) -> None:
        """Keep what is being written into the log; what the decoder said is marked as its own."""
        own = [at for at, item in enumerate(items) if any(item is entry for entry in self._told)]
        self._told = []
        self.note({"is": "log", "items": [list(encode(item)) for item in items], "own": own}, flush=True)

    def note(self, line: dict[str, Any], *, flush: bool = False) -> None:
        """Write a line."""
        if self._over:
            return
        try:
            self._bundle.line(line, flush=flush)
        except Exception as error:
            self._fail(error)

    def saw(self, frame: Frame, reading: Reading, before: Reading | None, *, picture: bool) -> None:
        """Keep a reading, and with `picture` the frame."""
        if self._over:
            return
        try:
            line = {"is": "reading", **reading_to_json(reading, before)}
            if picture:
                done, data = cv2.imencode(".jpg", frame.bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
                if done:
                    line["picture"] = self._bundle.picture(data.tobytes())
            self._bundle.line(line, flush=reading.fresh)
        except Exception as error:
            self._fail(error)

    def said(self, entries: tuple[Entry, ...]) -> None:
        """Remember what a decoder gave out, until it is written down."""
        self._told.extend(entries)

    def _fail(self, error: Exception) -> None:
        self._over = True
        _log.exception("the bundle ends here; the table goes on")
        self._bundle.fail(f"something could not be kept: {error}")


class _KeptLog(EventLog):
    def __init__(self, path: Path, recorder: Recorder) -> None:
        super().__init__(path)
        self._recorder = recorder

    def append(self, items: Sequence[Item], *, key: str = "") -> tuple[Logged[Item], ...]:
        """Write down, and keep what has been written."""
        logged = super().append(items, key=key)
        if items:
            self._recorder.wrote(items)
        return logged


class _KeptReader:
    def __init__(self, reader: FrameReader, recorder: Recorder) -> None:
        self._reader = reader
        self._recorder = recorder
        self._before: Reading | None = None
        self._pictured = -1e9

    def read(self, frame: Frame) -> Reading:
        """Read, and keep the reading."""
        reading = self._reader.read(frame)
        picture = reading.fresh and frame.time - self._pictured >= PICTURE_EVERY_S
        if picture:
            self._pictured = frame.time
        self._recorder.saw(frame, reading, self._before, picture=picture)
        self._before = reading
        return reading


class _KeptDecoder:
    def __init__(self, decoder: TableDecoder, recorder: Recorder) -> None:
        self._decoder = decoder
        self._recorder = recorder

    def update(self, view: TableView) -> tuple[Entry, ...]:
        """Keep that a view was taken in; which, the reading before tells."""
        self._recorder.note({"is": "update"})
        return self._kept(self._decoder.update(view))

    def tell(self, event: Event, time: float, source: str) -> tuple[Entry, ...]:
        """Keep a word."""
        self._recorder.note(
            {"is": "tell", "event": event_to_json(event), "time": time, "source": source}, flush=True
        )
        return self._kept(self._decoder.tell(event, time, source))

    def may_say(self, time: float) -> frozenset[Event]:
        """Keep nothing: this changes nothing."""
        return self._decoder.may_say(time)

    def is_swept(self, time: float) -> bool:
        """Keep nothing: this changes nothing."""
        return self._decoder.is_swept(time)

    def retract_last(self, time: float, source: str) -> tuple[Entry, ...]:
        """Keep a withdrawal."""
        self._recorder.note({"is": "retract", "time": time, "source": source}, flush=True)
        return self._kept(self._decoder.retract_last(time, source))

    def finish(self, time: float) -> tuple[Entry, ...]:
        """Keep the end."""
        self._recorder.note({"is": "finish", "time": time}, flush=True)
        return self._kept(self._decoder.finish(time))

    def resume(self, entries: Sequence[Entry], since: float | None = None, seen: float | None = None) -> None:
        """Keep what was settled before, and since when nobody had looked."""
        line: dict[str, Any] = {"is": "resume", "entries": [list(encode(each)) for each in entries]}
        line |= {"never": True} if since == -inf else {"since": since}
        self._recorder.note({**line, "seen": seen})
        self._decoder.resume(entries, since, seen)

    def leave(self, turn_up: Card | None, since: float) -> None:
        """Keep that what lies there may be left of another hand."""
        card = None if turn_up is None else str(turn_up)
        self._recorder.note({"is": "leave", "turned_up": card, "since": since})
        self._decoder.leave(turn_up, since)

    def revise(self, hand: Sequence[Settled], next_seq: int) -> bool:
        """Keep a correction."""
        line = {"is": "revise", "hand": [list(encode(each)) for each in hand], "next_seq": next_seq}
        self._recorder.note(line, flush=True)
        return self._decoder.revise(hand, next_seq)

    def _kept(self, entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
        self._recorder.said(entries)
        return entries
