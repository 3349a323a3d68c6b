"""One sitting at the table: log, live table and server together, as `serve` and `demo` need them."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING

from companion.commands.fault import Fault
from companion.config import Options, asset
from companion.rules.events import Claimed, Closed, Knocked, MarriageDeclared, RevokeCalled
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import preset
from companion.vision.fault import SourceError
from companion.watch.taps import Tap

if TYPE_CHECKING:
    from flask import Flask

    from companion.bundle.recorder import Recorder
    from companion.live.eyes import Eyes
    from companion.live.pipeline import FrameReader
    from companion.live.table import LiveTable
    from companion.live.witness import Witness
    from companion.server.mqtt import Publisher
    from companion.table.detection import Frame
    from companion.vision.deck import Deck
    from companion.vision.source import FrameSource

__all__ = ["Pressing", "Sitting", "opened", "sit_down"]


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table that phones can see.

    Attributes:
        table: The live table; closed when the sitting ends.
        link: What a phone opens to be let in.
        threads: Threads of the networks.
        witness: Keeps pictures of what happens.
        recorder: Keeps the whole sitting, where that was asked for.
        deck: The pack on the table, where it was enrolled.
        eyes: The camera, where a phone may set it up.
    """

    table: LiveTable
    link: str
    threads: int
    witness: Witness
    recorder: Recorder | None = None
    deck: Deck | None = None
    eyes: Eyes | None = None

    def show(self, camera: str, source: FrameSource, taps: Sequence[Tap] = ()) -> None:
        """Show the table what `source` sees until it ends, from the calling thread.

        A camera that fails is opened again. A file that fails has no second chance: what is open
        is decided, and the failure is raised.

        Args:
            camera: What `source` was opened from.
            source: Already open, so that whatever is wrong with it is said before anything is served.
            taps: What the players of a recording pressed; it is pressed again when its time comes.

        Raises:
            SourceError: The file ended before its end.
        """
        from companion.live.pipeline import run
        from companion.tracking.tracker import Tracker
        from companion.vision.source import is_live

        first: list[AbstractContextManager[Iterable[Frame]]] = [Pressing(source, taps, self.table)]

        def open_again() -> AbstractContextManager[Iterable[Frame]]:
            return first.pop() if first else opened(camera)

        make_reader = self._reader if self.recorder is None else self.recorder.reader(self._reader)
        try:
            run(open_again, make_reader, Tracker, self.table, stop=threading.Event(), retry=is_live(camera))
        except SourceError:
            self.table.finish()
            raise

    def _reader(self) -> FrameReader:
        from companion.live.witness import SeenReader
        from companion.vision.reader import Reader

        return SeenReader(Reader.of(asset("models"), threads=self.threads, deck=self.deck), self.witness)


class Pressing:
    """A recording together with what its players pressed on their phones."""

    def __init__(self, source: FrameSource, taps: Sequence[Tap], table: LiveTable) -> None:
        self._source = source
        self._taps = deque(sorted(taps, key=lambda tap: tap.time))
        self._table = table

    def __enter__(self) -> Pressing:
        self._source.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._source.__exit__(kind, error, trace)

    def __iter__(self) -> Iterator[Frame]:
        """Yield the recording's frames, and press what is due before each."""
        for frame in self._source:
            while self._taps and self._taps[0].time <= frame.time:
                self._press(self._taps.popleft())
            yield frame
        while self._taps:
            self._press(self._taps.popleft())

    def _press(self, tap: Tap) -> None:
        from companion.live.command import (
            CallRevoke,
            Claim,
            Close,
            Command,
            Declare,
            Knock,
            RefusedCommandError,
        )

        command: Command
        match tap.event:
            case Claimed(player):
                command = Claim(player)
            case Closed(player, before_draw):
                command = Close(player, before_draw)
            case MarriageDeclared(player, suit):
                command = Declare(player, suit)
            case Knocked(player):
                command = Knock(player)
            case RevokeCalled(player):
                command = CallRevoke(player)
        try:
            self._table.submit(command)
        except RefusedCommandError as error:
            print(f"companion: what was pressed at {tap.time:.1f} s was refused: {error}", file=sys.stderr)


@contextlib.contextmanager
def sit_down(
    options: Options,
    *,
    threads: int = 1,
    seen: Callable[[Flask], None] = lambda app: None,
    recorder: Recorder | None = None,
    deck: Deck | None = None,
    eyes: Callable[[LiveTable, Witness], Eyes] | None = None,
    mqtt: Publisher | None = None,
) -> Iterator[Sitting]:
    """Open log, table and server, and print where phones find it.

    Args:
        options: What was asked for.
        threads: Threads of the networks.
        seen: Is given the application before it is served.
        recorder: Keeps the whole sitting, where that was asked for.
        deck: The pack on the table, where it was enrolled.
        eyes: Makes the table's camera, where a phone may set it up.
        mqtt: Tells a broker what a screen beside the table shows, where that was asked for.

    Raises:
        Fault: The log or the address cannot be used.
    """
    from companion.commands.doorplate import Doorplate
    from companion.decoding.decoder import Decoder
    from companion.history.archive import Archive
    from companion.history.kept import KeptAnalyses
    from companion.live.sheet_book import SheetBook
    from companion.live.snapshot import Role
    from companion.live.table import LiveTable
    from companion.live.witness import Witness
    from companion.server.app import create_app
    from companion.server.device_book import Device, DeviceBook, DeviceBookError
    from companion.server.local_name import local_names
    from companion.server.pairing import Code, Pairing
    from companion.server.played import played_routes
    from companion.server.reviewer import Reviewer
    from companion.server.serving import ServingError, serve
    from companion.store.album import Album
    from companion.store.log import EventLog, LogError
    from companion.store.sheets import SheetLog

    rules = preset(options.rules)
    decoders = Decoder if recorder is None else recorder.decoders(Decoder)
    try:
        pairing = Pairing(DeviceBook(options.devices))
        log = EventLog(options.log) if recorder is None else recorder.log(options.log)
    except (DeviceBookError, LogError) as error:
        raise Fault(str(error)) from error
    with contextlib.ExitStack() as open_until_end:
        album = open_until_end.enter_context(Album(options.stills, anew=not log.last))
        witness = Witness(album)
        watched = options.camera or "none"
        is_kept = (lambda: True) if recorder is None else recorder.goes_on
        table = open_until_end.enter_context(
            LiveTable(
                log,
                decoders,
                rules=rules,
                fair=FairPlay(options.fair),
                source=watched,
                witness=witness,
                is_kept=is_kept,
                called=options.table,
            )
        )
        try:
            sheets = open_until_end.enter_context(SheetBook(SheetLog(options.sheets), table.announce_sheets))
        except LogError as error:
            raise Fault(str(error)) from error
        camera = None if eyes is None else open_until_end.enter_context(eyes(table, witness))
        app = create_app(
            table,
            pairing,
            sheets=sheets,
            pictures=album,
            eyes=camera,
            listens=options.host,
            hosts=local_names(options.table),
        )
        archive = open_until_end.enter_context(Archive(options.log))
        kept = open_until_end.enter_context(KeptAnalyses(options.analyses))
        reviewer = open_until_end.enter_context(Reviewer(kept))
        for routes in played_routes(table.feed, archive, reviewer, album):
            app.register_blueprint(routes)
        seen(app)
        try:
            serving = serve(app, options.host, options.port)
        except ServingError as error:
            raise Fault(str(error)) from error
        with (
            serving,
            nullcontext() if mqtt is None else mqtt.telling(table.feed),
            Doorplate(options.host, serving.port, options.table) as doorplate,
        ):

            def show_code() -> str:
                return doorplate.show(pairing.invite(Role.TABLE, owner=True).token)

            def used(code: Code, device: Device) -> None:
                if code.until is None:  # it was the one shown here
                    paired = device.name or "a device"
                    print(f"companion: {paired} is paired; for another device:", file=sys.stderr)
                    show_code()

            pairing.when_admitted(used)
            try:
                yield Sitting(table, show_code(), threads, witness, recorder, deck, camera)
            finally:
                table.feed.close()  # so that no phone holds up the server's end


def opened(camera: str) -> FrameSource:
    """Open a camera, or a recording that is played at its own speed.

    Raises:
        SourceError: It cannot be used.
    """
    from companion.vision.source import is_live, open_paced, open_source

    return open_source(camera) if is_live(camera) else open_paced(camera)
