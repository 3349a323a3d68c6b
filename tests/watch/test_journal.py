"""What `watch --data` keeps: a match of its own behind what the log holds."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Dealt
from companion.rules.ruleset import RuleSet
from companion.store.item import MatchStarted, Pressed, SittingOpened
from companion.store.log import EventLog, LogReader
from companion.table.entry import Asked, Entry, Settled, Unseen
from companion.watch.journal import Journal

NOW = datetime(2026, 11, 21, 20, 15, tzinfo=UTC)


def watch_once(path: Path) -> int:
    """Keep a deal and a lead as one run would; the number of the first entry."""
    with EventLog(path) as log:
        journal = Journal(log, RuleSet(), source="a.mp4", dealer=Player.SOUTH, at=NOW)
        first = journal.first_seq
        entries: list[Entry] = [
            Settled(first, 1.0, Dealt(Player.SOUTH, Card.parse("QH")), 0.9),
            Settled(first + 1, 5.0, CardPlayed(Player.NORTH, Card.parse("KC")), 0.9),
        ]
        journal.keep(entries)
    return first


def test_two_runs_are_two_matches_in_one_log(tmp_path: Path) -> None:
    """Numbers and times go on rising over the runs, and each run is a match."""
    path = tmp_path / "table.sqlite"

    assert watch_once(path) == 1
    assert watch_once(path) == 3

    with LogReader(path) as log:
        items = [logged.item for logged in log.read()]
    entries = [item for item in items if isinstance(item, Settled)]
    assert [item.number for item in items if isinstance(item, MatchStarted)] == [1, 2]
    assert [item.starts for item in items if isinstance(item, SittingOpened)] == [0.0, 5.0]
    assert [entry.seq for entry in entries] == [1, 2, 3, 4]
    assert [entry.time for entry in entries] == [1.0, 5.0, 6.0, 10.0]


def test_a_run_begins_after_what_was_pressed_last(tmp_path: Path) -> None:
    """Times rise through the whole log: a press that never settled is later than all that did."""
    path = tmp_path / "table.sqlite"
    watch_once(path)
    with EventLog(path) as log:
        log.append([Pressed(40.0, Dealt(Player.NORTH, None), "phone:north")])
    assert watch_once(path) == 3

    with LogReader(path) as log:
        items = [logged.item for logged in log.read()]
    assert [item.starts for item in items if isinstance(item, SittingOpened)] == [0.0, 40.0]
    assert [item.time for item in items if isinstance(item, Settled)] == [1.0, 5.0, 41.0, 45.0]


def test_all_times_of_a_later_run_are_on_the_clock_of_the_log(tmp_path: Path) -> None:
    """Also when what is asked about came to rest, and since when nobody saw the table."""
    path = tmp_path / "table.sqlite"
    watch_once(path)
    lead = CardPlayed(Player.NORTH, Card.parse("KC"))
    with EventLog(path) as log:
        journal = Journal(log, RuleSet(), source="b.mp4", dealer=Player.SOUTH, at=NOW)
        journal.keep([Asked(3, 4.0, "which_card", None, (lead,), 2.0), Unseen(4, 9.0, 6.0)])

    with LogReader(path) as reader:
        asked, unseen = (logged.item for logged in list(reader.read())[-2:])
    assert (asked.time, asked.shows) == (9.0, 7.0)
    assert (unseen.time, unseen.since) == (14.0, 11.0)
