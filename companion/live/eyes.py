"""The table's camera: watched for the table, tried out for whoever sets it up, changed for another.

One thread at a time looks. While a setting is tried out the table is told nothing: cards that are laid
down to see whether they are recognised are no hand.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.live.enrolling import Enrolling
from companion.live.health import Sight
from companion.live.look import WIDTH, Look
from companion.live.pipeline import FrameReader, ViewTracker, run
from companion.live.setting import Setting, picture_beside, write_setting
from companion.live.table import LiveTable
from companion.live.worker import TableClosedError
from companion.table.detection import Frame, Reading
from companion.vision.cameras import camera_shown
from companion.vision.fault import DeckError, SourceError
from companion.vision.picture import read_picture
from companion.vision.still import jpeg

__all__ = ["ClosableFrames", "Eyes", "Looking", "Optics"]

PATIENCE_S = 30.0
"""A trial that nobody has looked at for so long ends, and the table is watched as it was."""

ENROL_PATIENCE_S = 300.0
"""The same while a pack is learnt: both hands are on the cards, and a phone that nobody touches goes dark."""

LEFT_S = 5.0
"""A pack that is learnt waits so long for the page that was left: it may only be loaded anew."""

RETRY_S = 1.0
"""A camera that does not answer is tried again after this time."""

SILENT_S = 5.0
"""Whoever looks is told after so long without a picture; a camera that is started anew does not say so."""

LET_GO_S = 2.0
"""A camera that is open is let go of within this time."""

_log = logging.getLogger(__name__)


class ClosableFrames(Protocol):
    """Frames of a source that another thread may close: then they end."""

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames."""

    def close(self) -> None:
        """End a running iteration within a fraction of a second."""


class Optics(Protocol):
    """Makes the stages for a setting."""

    def opened(self, setting: Setting) -> ClosableFrames:
        """Open the camera, its picture turned.

        Raises:
            SourceError: It cannot be used.
        """

    def reader(
        self, setting: Setting, then: NDArray[np.uint8] | None, found: Callable[[bool], None]
    ) -> FrameReader:
        """Make what reads the table's frames.

        Args:
            setting: Of the camera.
            then: (H, W, 3) uint8, the picture in which the table's corners were set, where one was kept.
            found: Is told whether it is known where the table lies, whenever that changes.
        """

    def trial_reader(self, setting: Setting) -> FrameReader:
        """Make what reads frames of which the table is told nothing, the whole picture."""

    def tracker(self) -> ViewTracker:
        """Make what follows cards over time."""

    def cameras(self) -> tuple[tuple[str, str], ...]:
        """What each camera is called by and its name; the likeliest first."""

    def decks(self) -> tuple[str, ...]:
        """The packs that are enrolled."""

    def enrolling(self, name: str, nines: bool) -> Enrolling:
        """Make what learns a pack that is shown card by card.

        Raises:
            DeckError: The name is none.
        """


class Looking:
    """What the eyes do now.

    Attributes:
        setting: As which the camera is set up.
        trial: Whether the table is told nothing.
        failed: Why nothing is seen, in English; empty where something is, or may be soon.
        why: The same as a key: that of the `SourceError`, `deck`, or `other`; the page has a text for each.
        look: The newest picture; `None` before the first.
        enrolling: The pack that is being shown, where one is.
        asked: When somebody looked at it last, seconds of the monotonic clock.
        left: Whether nobody has looked at it since it was left.
    """

    def __init__(self, setting: Setting, *, trial: bool, enrolling: Enrolling | None = None) -> None:
        self.setting, self.trial, self.enrolling = setting, trial, enrolling
        self.failed = self.why = ""
        self.left = False
        self.look: Look | None = None
        self.stop = threading.Event()
        self.asked = self._seen_at = time.monotonic()
        self._source: ClosableFrames | None = None
        self._lock = threading.Lock()
        """Guards `_source` together with the setting of `stop`: what opens after the end is closed."""

    @property
    def forgotten(self) -> bool:
        """Whether it is a trial at which nobody has looked for long."""
        patience = PATIENCE_S if self.enrolling is None else LEFT_S if self.left else ENROL_PATIENCE_S
        return self.trial and time.monotonic() - self.asked > patience

    @property
    def learning(self) -> bool:
        """Whether cards of a pack are still to be shown, or are being learnt."""
        return self.enrolling is not None and not self.enrolling.progress.done

    def fail(self, error: Exception) -> None:
        """Note why nothing is seen."""
        self.failed = str(error) or type(error).__name__
        match error:
            case DeckError():
                self.why = "deck"
            case SourceError(reason=reason) if reason:
                self.why = reason
            case _:
                self.why = "other"

    def saw(self, look: Look) -> None:
        """Note the newest picture."""
        self.look, self.failed, self._seen_at = look, "", time.monotonic()

    def notice(self) -> None:
        """Note where no picture has come for a while after the last."""
        if self.look is not None and not self.failed and time.monotonic() - self._seen_at > SILENT_S:
            self.fail(SourceError("no picture comes any more", "stopped"))

    def begun(self, source: ClosableFrames) -> ClosableFrames:
        """Note what is looked through, so that it can be ended."""
        with self._lock:
            self._source = source
            if self.stop.is_set():
                source.close()
        return source

    def end(self) -> None:
        """End it, whatever it waits for."""
        with self._lock:
            self.stop.set()
            if self._source is not None:
                self._source.close()


class Eyes:
    """The camera of one table; the public methods may be called from any thread."""

    def __init__(self, table: LiveTable, optics: Optics, kept: Path, setting: Setting | None) -> None:
        """Look at nothing yet.

        Args:
            table: Is told what is seen.
            optics: Makes the stages.
            kept: The file in which the setting is kept.
            setting: What was kept there; `None`: nothing, the set-up is still to be done.
        """
        self._table, self._optics, self._kept = table, optics, kept
        self._setting = setting
        self._lost = False
        """Whether the picture that is kept does not lead to the table."""
        self._now: Looking | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()
        """Guards that `_now` and `_thread` change together: one thread at a time looks."""
        self._keeping = threading.Lock()
        """Held while a setting is kept, so that what is watched is what stands in the file."""

    @property
    def setting(self) -> Setting | None:
        """What is kept; `None`: the set-up is still to be done."""
        return self._setting

    @property
    def now(self) -> Looking | None:
        """What the eyes do; `None`: nothing."""
        return self._now

    def glance(self) -> Looking | None:
        """What the eyes do, for somebody who looks at it."""
        now = self._now
        if now is not None:
            now.asked, now.left = time.monotonic(), False
            now.notice()
        return now

    def cameras(self) -> tuple[tuple[str, str], ...]:
        """What each camera is called by and its name; the likeliest first."""
        return self._optics.cameras()

    def decks(self) -> tuple[str, ...]:
        """The packs that are enrolled."""
        return self._optics.decks()

    def watch(self, after: Looking | None = None) -> None:
        """Watch the table as it is set up; without a camera, nothing is watched.

        Args:
            after: Only where this is still looked at.
        """
        setting = self._setting or Setting()
        self._turn_to(None if setting.camera is None else Looking(setting, trial=False), self._watch, after)

    def try_out(self, setting: Setting) -> None:
        """Look as `setting` says, and tell the table nothing."""
        self._turn_to(None if setting.camera is None else Looking(setting, trial=True), self._try)

    def leave(self) -> None:
        """Watch the table again; a pack that is learnt goes on where somebody soon looks at it again."""
        now = self._now
        if now is not None and now.learning:
            now.asked, now.left = time.monotonic(), True
        else:
            self.watch()

    def enrol(self, setting: Setting, name: str, nines: bool) -> None:
        """Look as `setting` says for the cards of a pack, shown one by one.

        Raises:
            DeckError: The name is none.
        """
        enrolling = self._optics.enrolling(name, nines)
        self._turn_to(Looking(setting, trial=True, enrolling=enrolling), self._enrol)

    def keep(self, setting: Setting) -> None:
        """Keep `setting`, and watch the table so.

        Raises:
            SettingError: It cannot be written down; then nothing has changed.
        """
        with self._keeping:
            before = self._setting
            same = before is not None and _place_of(before) == _place_of(setting)
            picture = self._picture_of(setting)
            if same and picture_beside(self._kept).exists() and (picture is None or not self._lost):
                write_setting(self._kept, setting)  # the picture is still that in which the corners were set
            else:
                write_setting(self._kept, setting, picture or b"")
            self._setting = setting
            self.watch()

    def _picture_of(self, setting: Setting) -> bytes | None:
        """The picture in which a table's corners are set; `None`: there is none."""
        now = self._now
        look = None if now is None else now.look
        if now is None or look is None or setting.table is None:
            return None
        same = (now.setting.camera, now.setting.turn) == (setting.camera, setting.turn)
        return jpeg(look.frame.bgr, WIDTH) if same else None

    def _found(self, known: bool) -> None:
        """Note whether the table is found by the picture that is kept, and tell the phones."""
        self._lost = not known
        self._table.report_place(known)

    def _table_reader(self, setting: Setting) -> FrameReader:
        """Make what reads the table's frames; corners without their picture may be of another place."""
        then = None if setting.table is None else self._picture_then()
        if then is None and setting.table is not None:
            self._found(False)
            setting = replace(setting, table=None)
        return self._optics.reader(setting, then, self._found)

    def _picture_then(self) -> NDArray[np.uint8] | None:
        """The picture that was kept with the setting."""
        try:
            return read_picture(picture_beside(self._kept))
        except SourceError as error:
            _log.warning("the whole picture is taken for the table: %s", error)
            return None

    def close(self) -> None:
        """Look no more."""
        self._turn_to(None, self._try)

    def __enter__(self) -> Eyes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _turn_to(
        self, looking: Looking | None, look: Callable[[Looking], None], after: Looking | None = None
    ) -> None:
        with self._lock:
            if after is not None and self._now is not after:
                return
            if self._now is not None:
                self._now.end()
            if self._thread is not None:
                self._thread.join(LET_GO_S)  # one that waits for a camera ends as soon as that answers
            self._now, self._thread = looking, None
            if (looking is None or looking.trial) and not self._table.feed.closed:
                self._blind()
            if looking is not None:
                self._thread = threading.Thread(target=look, args=(looking,), name="eyes", daemon=True)
                self._thread.start()
            if looking is not None and looking.trial:
                threading.Thread(target=self._mind, args=(looking,), name="patience", daemon=True).start()

    def _blind(self) -> None:
        try:
            self._table.report(Sight.NONE)
        except TableClosedError:
            _log.info("the table was closed before its eyes")

    def _watch(self, looking: Looking) -> None:
        setting = looking.setting

        def opened() -> AbstractContextManager[Iterable[Frame]]:
            try:
                source = self._optics.opened(setting)
            except SourceError as error:
                looking.fail(error)
                raise
            looking.failed = ""
            return closing(looking.begun(source))

        def reader() -> FrameReader:
            try:
                return _Seen(self._table_reader(setting), looking)
            except Exception as error:  # the pack may be gone, or damaged
                looking.fail(error)
                raise

        run(opened, reader, self._optics.tracker, self._table, stop=looking.stop)

    def _try(self, looking: Looking) -> None:
        def look(frames: Iterable[Frame]) -> None:
            reader = _Seen(self._optics.trial_reader(looking.setting), looking)
            for frame in frames:
                reader.read(frame)

        self._through(looking, look)

    def _enrol(self, looking: Looking) -> None:
        def look(frames: Iterable[Frame]) -> None:
            if looking.enrolling is not None:
                looking.enrolling.learn(_shown(frames, looking))

        self._through(looking, look)

    def _through(self, looking: Looking, look: Callable[[Iterable[Frame]], None]) -> None:
        """Look through the camera once it answers: whoever looked before may not have let go of it."""
        while not looking.stop.is_set():
            try:
                with closing(looking.begun(self._optics.opened(looking.setting))) as frames:
                    looking.failed = ""
                    look(frames)
                return
            except SourceError as error:
                self._fail(looking, error)
            except Exception as error:
                self._fail(looking, error)
                return
            looking.stop.wait(RETRY_S)

    def _mind(self, looking: Looking) -> None:
        """Wait until something else is looked at; when nobody cares any more, the table is watched again."""
        while not looking.stop.wait(min(1.0, PATIENCE_S)):
            if looking.forgotten:
                self.watch(looking)
                return

    @staticmethod
    def _fail(looking: Looking, error: Exception) -> None:
        if not looking.stop.is_set():
            shown, said = camera_shown(looking.setting.camera or ""), str(error)
            _log.warning("%s", said if shown in said else f"camera {shown}: {said}")
            looking.fail(error)


def _place_of(setting: Setting) -> tuple[object, ...]:
    """What says where the table lies in the picture."""
    return setting.camera, setting.turn, setting.table


class _Seen:
    """A reader whose pictures are kept to be looked at, the newest."""

    def __init__(self, reader: FrameReader, looking: Looking) -> None:
        self._reader, self._looking = reader, looking

    def read(self, frame: Frame) -> Reading:
        """Read `frame`, and keep both."""
        reading = self._reader.read(frame)
        self._looking.saw(Look(frame, reading))
        return reading


def _shown(frames: Iterable[Frame], looking: Looking) -> Iterator[Frame]:
    """The frames, each kept to be looked at; nothing is read in them here."""
    for frame in frames:
        looking.saw(Look(frame, None))
        yield frame
