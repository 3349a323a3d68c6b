"""From frames to the table: the flow, its failures, its restarts."""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from scripted_table import ScriptedDecoders, newest, random_hand, timed, view_at

from companion.live.command import NewHand
from companion.live.health import Sight
from companion.live.pipeline import run
from companion.live.table import LiveTable
from companion.rules.cards import Player
from companion.rules.ruleset import RuleSet
from companion.store.item import Pressed
from companion.store.log import EventLog
from companion.table.detection import Frame, Motion, Reading
from companion.vision.fault import DeckError, SourceError

EVENTS = random_hand(8)


class Source:
    """Black frames at the given times; then it ends, or fails."""

    def __init__(self, times: list[float], error: Exception | None = None) -> None:
        self.times, self.error = times, error

    @contextlib.contextmanager
    def open(self) -> Iterator[Iterator[Frame]]:
        """Open it."""
        yield self.frames()

    def frames(self) -> Iterator[Frame]:
        """Give the frames."""
        for index, time in enumerate(self.times):
            yield Frame(np.zeros((8, 8, 3), np.uint8), time, index)
        if self.error is not None:
            raise self.error


class BlackReader:
    """Reads no card in any frame."""

    def read(self, frame: Frame) -> Reading:
        """Read nothing."""
        return Reading(frame.time, (8, 8), (), Motion(np.zeros((1, 1), np.bool_), 0.0, 0.0))


class TimeTracker:
    """A tracker that only passes the time on."""

    def update(self, reading: Reading):
        """Say that nothing lies there."""
        return view_at(reading.time)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[LiveTable]:
    """A table whose camera sees a hand, one event a second."""
    log = EventLog(tmp_path / "t.sqlite")
    with LiveTable(log, ScriptedDecoders(timed(EVENTS)), rules=RuleSet(), source="test") as table:
        yield table


def test_a_recording_goes_through_to_its_end(table: LiveTable) -> None:
    """Every frame is read, tracked, decoded and written down; then the recording counts as over."""
    source = Source([float(time) for time in range(5)])
    run(source.open, BlackReader, TimeTracker, table, stop=threading.Event(), retry=False)
    snapshot = table.feed.wait("", 0.0)
    assert snapshot.health.sight is Sight.ENDED
    assert [told.event for told in snapshot.hand.events] == list(EVENTS)


def test_a_camera_that_fails_is_opened_again_and_times_go_on(table: LiveTable) -> None:
    """After a failure the next source continues the log's clock, and what it sees is settled."""
    sources = [Source([0.0, 1.0, 2.0], OSError("cable pulled")), Source([0.0, 1.0])]
    seen = []
    feed = table.feed.publish

    def note(snapshot) -> None:
        seen.append((snapshot.health.sight, snapshot.health.why))
        feed(snapshot)

    table.feed.publish = note
    run(
        lambda: sources.pop(0).open(),
        BlackReader,
        TimeTracker,
        table,
        stop=threading.Event(),
        rest_s=(0.01, 0.01),
    )
    assert (Sight.LOST, "cable pulled") in seen
    assert seen[-1][0] is Sight.ENDED
    times = [told.time for told in table.feed.wait("", 0.0).hand.events]
    assert times == sorted(times)


def test_a_camera_that_is_not_there_is_told_as_lost_until_a_picture_comes(
    table: LiveTable, caplog: pytest.LogCaptureFixture
) -> None:
    """It is tried again and again: phones would say in turn that it starts and that it is not there."""
    tried = []
    told = []
    table.feed.publish = lambda snapshot: told.append((snapshot.health.sight, snapshot.health.why))

    def opened() -> contextlib.AbstractContextManager[Iterator[Frame]]:
        tried.append(1)
        if len(tried) < 4:
            raise SourceError("no camera answers there", "absent")
        return Source([0.0]).open()

    run(opened, BlackReader, TimeTracker, table, stop=threading.Event(), rest_s=(0.0, 0.0))
    said = [record for record in caplog.records if record.name == "companion.live.pipeline"]
    assert ["no camera answers there" in record.getMessage() for record in said] == [True]
    assert not any(record.exc_info for record in said)  # a trace would scroll the first phone's code away
    sights = [sight for sight, _ in itertools.groupby(told)]
    assert sights == [(Sight.LOST, "no camera answers there"), (Sight.WATCHING, ""), (Sight.ENDED, "")]


def test_a_pack_that_is_gone_is_said_once(table: LiveTable, caplog: pytest.LogCaptureFixture) -> None:
    """And without a trace: whoever forgot it, or its damaged picture, is named; the code stands above it."""
    stop, tries = threading.Event(), itertools.count(1)

    def make_reader() -> BlackReader:
        if next(tries) == 3:
            stop.set()
        raise DeckError("no deck is called 'tell'")

    run(Source([0.0]).open, make_reader, TimeTracker, table, stop=stop, rest_s=(0.01, 0.01))

    assert [record.getMessage() for record in caplog.records] == [
        "no deck is called 'tell'; tried again from time to time"
    ]
    assert newest(table).health.why == "no deck is called 'tell'"


def test_another_camera_starts_whatever_was_wrong_with_the_one_before(table: LiveTable) -> None:
    """What is told of one is not told of the next, however long that takes to open."""
    table.report(Sight.LOST, "no camera answers there")
    starting = []

    def slow() -> contextlib.AbstractContextManager[Iterator[Frame]]:
        starting.append(newest(table).health)
        return Source([0.0]).open()

    run(slow, BlackReader, TimeTracker, table, stop=threading.Event())
    assert [(health.sight, health.why) for health in starting] == [(Sight.STARTING, "")]


def test_what_is_seen_is_later_than_what_was_told_while_the_camera_opened(open_table, clock) -> None:
    """A camera takes seconds to open, the networks to load; meanwhile somebody tells of a new deal."""
    table = open_table(timed(EVENTS), source="camera")
    table.see(view_at(0.5))
    seen, see = [], table.see
    table.see = lambda view: (seen.append(view.time), see(view))

    def slowly() -> contextlib.AbstractContextManager[Iterator[Frame]]:
        clock.now += 8.0
        table.submit(NewHand(Player.SOUTH))
        clock.now += 4.0
        return Source([0.0, 1.0]).open()

    run(slowly, BlackReader, TimeTracker, table, stop=threading.Event())
    told = [item.time for item in table._match_log.items if isinstance(item, Pressed)]
    assert told == [8.5]
    assert seen == [12.5, 13.5]


def test_a_source_that_opens_after_the_end_is_not_read(table: LiveTable) -> None:
    """Somebody else looks by then; what reads the old one would tell the table of where it was set up."""
    stop, made = threading.Event(), []

    def late() -> contextlib.AbstractContextManager[Iterator[Frame]]:
        stop.set()
        return Source([0.0, 1.0]).open()

    run(late, lambda: made.append(1) or BlackReader(), TimeTracker, table, stop=stop)
    assert not made


def test_without_retry_the_failure_is_raised(table: LiveTable) -> None:
    """A file that fails has no second chance; what came before it is in the log."""
    source = Source([0.0, 1.0, 2.0], OSError("cut off"))
    with pytest.raises(OSError, match="cut off"):
        run(source.open, BlackReader, TimeTracker, table, stop=threading.Event(), retry=False)
    assert len(table.feed.wait("", 0.0).hand.events) == 2


def test_stopping_ends_an_endless_source(table: LiveTable) -> None:
    """A camera never ends by itself; the run does when it is told to."""
    stop = threading.Event()

    class Endless(Source):
        def frames(self) -> Iterator[Frame]:
            for index in range(10**9):
                if index == 20:
                    stop.set()
                yield Frame(np.zeros((8, 8, 3), np.uint8), index / 10, index)

    run(Endless([]).open, BlackReader, TimeTracker, table, stop=stop)
    assert table.standing().hands


def test_a_table_that_is_closed_ends_the_run(table: LiveTable) -> None:
    """When the table goes, the eyes go, without an error."""
    source = Source([float(time) for time in range(5)])
    table.close()
    run(source.open, BlackReader, TimeTracker, table, stop=threading.Event(), retry=False)
    assert table.feed.closed
