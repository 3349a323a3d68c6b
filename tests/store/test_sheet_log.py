"""The log of score sheets: of the same make as the table's, and never taken for it."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.sheets.agreement import Contract, usual
from companion.sheets.entry import (
    Closed,
    ContractsAgreed,
    Corrected,
    DealerNamed,
    Opened,
    Renamed,
    Undone,
    Written,
)
from companion.sheets.hand import ContractHand, TuteHand
from companion.store.coding import CodingError
from companion.store.log import EventLog, LogDamagedError, LogReader, LogTooNewError
from companion.store.sheets import SHEETS, Noted, SheetLog

AT = "2026-11-21T19:00:00+00:00"
SEQ = st.integers(1, 5000)
SEAT = st.integers(0, 3)
HANDS = st.one_of(
    st.builds(
        ContractHand,
        SEAT,
        st.sampled_from(["game", "Großer Gang"]),
        SEAT,
        st.booleans(),
        st.integers(1, 99),
        st.sampled_from([1, 2, 4, 8]),
        st.none() | SEAT,
    ),
    st.builds(
        TuteHand,
        SEAT,
        st.tuples(st.integers(0, 120), st.integers(0, 120)),
        st.none() | SEAT,
        st.just(((40,), (20, 20))),
        st.none() | SEAT,
    ),
)
NAMES = st.lists(st.sampled_from(["", "Anna", "Ödön"]), min_size=2, max_size=4).map(tuple)
ENTRIES = st.one_of(
    st.builds(
        Opened, SEQ, st.just(AT), st.sampled_from(["bauern", "negyes", "tute"]).map(usual), NAMES, SEAT
    ),
    st.builds(Written, SEQ, st.just(AT), HANDS),
    st.builds(Corrected, SEQ, st.just(AT), SEQ, st.none() | HANDS),
    st.builds(DealerNamed, SEQ, st.just(AT), SEAT),
    st.builds(Renamed, SEQ, st.just(AT), NAMES),
    st.builds(ContractsAgreed, SEQ, st.just(AT), st.just((Contract("Gang", (9,)), Contract("game", (1, 2))))),
    st.builds(Closed, SEQ, st.just(AT)),
    st.builds(Undone, SEQ, st.just(AT), SEQ),
)
NOTED = st.builds(Noted, st.integers(1, 99), ENTRIES, st.just("phone:referee"))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(NOTED, max_size=12))
def test_what_was_written_comes_back(tmp_path_factory: pytest.TempPathFactory, notes: list[Noted]) -> None:
    """Every entry is read back as it was, in order, by the next who opens the log."""
    path = tmp_path_factory.mktemp("log") / "sheets.sqlite"
    with SheetLog(path) as log:
        for noted in notes:
            log.append([noted])
    with SheetLog(path) as log:
        assert [logged.item for logged in log.read()] == notes


def test_the_two_logs_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """Whoever mixes up the files is told so; neither file changes."""
    EventLog(tmp_path / "table.sqlite").close()
    SheetLog(tmp_path / "sheets.sqlite").close()
    for opening, name in ((SheetLog, "table"), (EventLog, "sheets"), (LogReader, "sheets")):
        path = tmp_path / f"{name}.sqlite"
        before = path.read_bytes()
        with pytest.raises(LogDamagedError, match=rf"{name}\.sqlite"):
            opening(path)
        assert path.read_bytes() == before


def test_a_log_of_a_later_version_is_refused(tmp_path: Path) -> None:
    """With its format and the newest that can be read."""
    path = tmp_path / "sheets.sqlite"
    SheetLog(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {SHEETS.version + 1}")
    db.close()
    with pytest.raises(LogTooNewError, match=f"format {SHEETS.version + 1}"):
        SheetLog(path)


@pytest.mark.parametrize(
    ("kind", "text", "says"),
    [
        ("settled", "{}", "settled"),
        ("sheet", "{", "Expecting"),
        ("sheet", "[]", "object"),
        ("sheet", '{"sheet":1,"source":"p"}', "entry"),
        ("sheet", '{"sheet":-1,"source":"p","entry":{"type":"closed","seq":1,"at":""}}', "sheet"),
        ("sheet", '{"sheet":1,"source":7,"entry":{"type":"closed","seq":1,"at":""}}', "source"),
        ("sheet", '{"sheet":1,"source":"p","entry":{"type":"closed","seq":1}}', "at"),
        ("sheet", '{"sheet":1,"source":"p","entry":{"type":"burned","seq":1,"at":""}}', "burned"),
    ],
)
def test_what_is_no_entry_is_refused_by_name(kind: str, text: str, says: str) -> None:
    """A damaged row says what is wrong with it."""
    with pytest.raises(CodingError, match=says):
        SHEETS.decode(kind, text)
