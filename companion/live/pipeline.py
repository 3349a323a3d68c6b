"""The whole flow on one screen: a frame is read, followed over time, decided, written down.

    source -Frame-> Reader -Reading-> Tracker -TableView-> LiveTable (decoder -Entry-> log -> phones)

`views` is that flow without a table, for commands that only watch; `run` keeps a live table
supplied and starts again what fails.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Protocol

from companion.live.health import Sight
from companion.live.table import LiveTable
from companion.live.worker import TableClosedError
from companion.table.detection import Frame, Reading
from companion.table.observation import TableView
from companion.vision.fault import DeckError, ModelError, SourceError

__all__ = ["REST_S", "FrameReader", "ViewTracker", "run", "views"]

REST_S = (1.0, 30.0)
"""First and longest rest before a source or stage that failed is started again; it doubles."""

_log = logging.getLogger(__name__)


class FrameReader(Protocol):
    """What is asked of vision; `companion.vision.reader.Reader` is one."""

    def read(self, frame: Frame) -> Reading:
        """Say which cards lie where in `frame`."""


class ViewTracker(Protocol):
    """What is asked of tracking; `companion.tracking.tracker.Tracker` is one."""

    def update(self, reading: Reading) -> TableView:
        """Say what lies on the table after `reading`."""


def views(frames: Iterable[Frame], reader: FrameReader, tracker: ViewTracker) -> Iterator[TableView]:
    """Give what lies on the table after each frame."""
    for frame in frames:
        reading = reader.read(frame)
        yield tracker.update(reading)


def run(
    open_source: Callable[[], AbstractContextManager[Iterable[Frame]]],
    make_reader: Callable[[], FrameReader],
    make_tracker: Callable[[], ViewTracker],
    table: LiveTable,
    *,
    stop: threading.Event,
    retry: bool = True,
    rest_s: tuple[float, float] = REST_S,
) -> None:
    """Show `table` what the source sees, until the source ends or `stop` is set.

    Runs in the calling thread; the table's own thread decodes and writes down. A source or
    stage that raises is logged, shown on the phones, and started again after a rest.

    Args:
        open_source: Opens the camera or file anew.
        make_reader: Makes a reader for a newly opened source.
        make_tracker: Makes a tracker for a newly opened source.
        table: Where views go. It stays open.
        stop: Ends the run at the next frame.
        retry: Whether to start again after a failure; else the failure is raised.
        rest_s: First and longest rest, seconds.

    Raises:
        Exception: Whatever a stage raised, without `retry`.
    """
    wait_s = rest_s[0]
    failed, said = False, ""
    while not stop.is_set():
        try:
            table.begin(again=failed)
            with open_source() as source:
                if stop.is_set():
                    return  # it took long to open; by now somebody else may look
                for view in views(_shifted(source, table), make_reader(), make_tracker()):
                    if stop.is_set():
                        return
                    table.see(view)
                    wait_s, said = rest_s[0], ""
            if stop.is_set():
                return
            table.finish()
            return
        except TableClosedError:
            return
        except Exception as error:
            if stop.is_set():
                return
            if not retry:
                raise
            if not isinstance(error, SourceError | DeckError | ModelError):
                _log.exception("the table is out of sight; looking again in %.0f s", wait_s)
            elif str(error) != said:  # once is enough: the code for the first phone stands above it
                said = str(error)
                _log.warning("%s; tried again from time to time", said)
            try:
                table.report(Sight.LOST, str(error))
            except TableClosedError:
                return
            failed = True
            stop.wait(wait_s)
            wait_s = min(2 * wait_s, rest_s[1])


def _shifted(frames: Iterable[Frame], table: LiveTable) -> Iterator[Frame]:
    """The frames on the log's clock: the first is of now, however long the source took to give it."""
    shift_s: float | None = None
    for frame in frames:
        shift_s = table.shift() if shift_s is None else shift_s
        yield replace(frame, time=frame.time + shift_s)
