"""The event log: what was acknowledged is there, whatever happens to process, disk and file."""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.bundle.archive import FORMAT
from companion.rules.cards import PACK_20, Card, Player, Suit
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Exchanged,
    GivenUp,
    MarriageDeclared,
)
from companion.rules.ruleset import RuleSet
from companion.store.coding import _FIELDS, CodingError, decode, encode
from companion.store.item import Answered, Corrected, MatchStarted, Pressed, SittingOpened, Vouched
from companion.store.log import (
    SCHEMA_VERSION,
    EventLog,
    LogBusyError,
    LogDamagedError,
    LogError,
    LogFullError,
    LogReader,
    LogTooNewError,
)
from companion.table.entry import Asked, Retracted, Settled, Unseen

PLAYERS = st.sampled_from(Player)
CARDS = st.none() | st.sampled_from(PACK_20)
EVENTS = st.one_of(
    st.builds(Dealt, PLAYERS, CARDS),
    st.builds(Exchanged, PLAYERS),
    st.builds(MarriageDeclared, PLAYERS, st.sampled_from(Suit)),
    st.builds(Closed, PLAYERS, st.booleans()),
    st.builds(CardPlayed, PLAYERS, CARDS),
    st.builds(Claimed, PLAYERS),
    st.just(GivenUp()),
)
SEQ = st.integers(1, 2**31)
TIME = st.floats(0, 1e7)
SOURCE = st.sampled_from(["camera", "phone:south", "phone:north", "phone:referee"])
MARKS = st.tuples(st.integers(0, 9), st.integers(0, 9))
ITEMS = st.one_of(
    st.builds(Settled, SEQ, TIME, EVENTS, st.floats(0, 1), SOURCE),
    st.builds(Retracted, SEQ, TIME, SEQ, SOURCE),
    st.builds(Unseen, SEQ, TIME, TIME),
    st.builds(
        Asked, SEQ, TIME, st.text(max_size=20), st.none() | SEQ, st.lists(EVENTS, max_size=3).map(tuple)
    ),
    st.builds(Vouched, TIME, st.lists(SEQ).map(tuple), SOURCE),
    st.builds(Answered, TIME, SEQ, st.integers(0, 5), SOURCE),
    st.builds(Pressed, TIME, EVENTS, SOURCE),
    st.builds(
        Corrected,
        st.text(max_size=30),
        TIME,
        SOURCE,
        SEQ,
        SEQ,
        st.none() | SEQ,
        st.none() | SEQ,
        st.none() | EVENTS,
        st.none() | EVENTS,
        st.none() | SEQ,
    ),
    st.builds(SittingOpened, st.text(max_size=30), st.text(max_size=30), st.text(max_size=10), TIME),
    st.builds(
        MatchStarted,
        st.text(max_size=30),
        st.builds(RuleSet, close_min_stock=st.sampled_from([2, 4]), match_target=st.sampled_from([7, 9, 11])),
        st.tuples(st.text(max_size=24), st.text(max_size=24)),
        st.none() | PLAYERS,
        MARKS,
        st.integers(1, 99),
    ),
)


@given(ITEMS)
@settings(derandomize=True, deadline=None)
def test_every_item_comes_back_as_it_was(item) -> None:
    """What is encoded decodes to the same item, of every kind and with every value."""
    assert decode(*encode(item)) == item


@given(st.lists(st.lists(ITEMS, max_size=4), max_size=6))
@settings(
    derandomize=True,
    deadline=None,
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
def test_a_log_gives_back_its_items_in_order_at_every_prefix(tmp_path: Path, batches) -> None:
    """After each batch, and after opening again, the log holds all items so far, numbered from 1."""
    path = tmp_path / "log.sqlite"
    path.unlink(missing_ok=True)
    written = []
    for batch in batches:
        with EventLog(path) as log:
            assert [logged.item for logged in log.append(batch)] == batch
            written += batch
            assert [logged.item for logged in log.read()] == written
    with EventLog(path) as log:
        assert [logged.position for logged in log.read()] == list(range(1, len(written) + 1))
        assert [logged.item for logged in log.read(after=2)] == written[2:]


def claim(seq: int) -> Settled:
    """Some entry."""
    return Settled(seq, float(seq), Claimed(Player.NORTH), 1.0, "phone:north")


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("settled", "{"),
        ("settled", "[]"),
        ("settled", '{"seq":1}'),
        ("settled", '{"seq":-1,"time":0,"event":{"type":"given_up"},"confidence":1,"source":"camera"}'),
        ("settled", '{"seq":1,"time":"0","event":{"type":"given_up"},"confidence":1,"source":"camera"}'),
        ("settled", '{"seq":1,"time":0,"event":{"type":"fold"},"confidence":1,"source":"camera"}'),
        ("settled", '{"seq":1,"time":0,"event":{"type":"given_up"},"confidence":1,"source":"camera","x":1}'),
        (
            "match",
            '{"at":"","rules":{"preset":"whist"},"names":["",""],"dealer":null,"marks":[0,0],"number":1}',
        ),
        ("match", '{"at":"","rules":{},"names":[""],"dealer":null,"marks":[0,0],"number":1}'),
        ("novel", "{}"),
        ("unseen", '{"seq":1,"time":2.0}'),
        ("unseen", '{"seq":1,"time":2.0,"since":"1"}'),
        ("settled", '{"seq":1,"time":NaN,"event":{"type":"given_up"},"confidence":1,"source":"camera"}'),
        ("settled", '{"seq":1,"time":1e999,"event":{"type":"given_up"},"confidence":1,"source":"camera"}'),
        ("settled", '{"seq":' + 5000 * "1" + "}"),
        ("settled", 100_000 * "["),
        (
            "settled",
            '{"seq":1,"time":' + 400 * "1" + ',"event":{"type":"given_up"},"confidence":1,"source":""}',
        ),
    ],
)
def test_what_is_no_item_is_refused(kind: str, text: str) -> None:
    """Missing, unknown and wrong fields and kinds are errors, never guesses."""
    with pytest.raises(CodingError):
        decode(kind, text)


def test_the_file_is_written_ahead_and_synced(tmp_path: Path) -> None:
    """The writer uses a write-ahead log and syncs every commit."""
    with EventLog(tmp_path / "log.sqlite") as log:
        assert log._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert log._db.execute("PRAGMA synchronous").fetchone() == (2,)


def test_the_log_only_grows(tmp_path: Path) -> None:
    """No statement changes or removes what stands, not even one that goes past this program."""
    with EventLog(tmp_path / "log.sqlite") as log:
        log.append([claim(1)])
    db = sqlite3.connect(tmp_path / "log.sqlite")
    for statement in ("UPDATE log SET payload = ''", "DELETE FROM log"):
        with pytest.raises(sqlite3.IntegrityError, match="only grows"):
            db.execute(statement)
    db.close()


def test_a_reader_sees_what_is_acknowledged_while_the_writer_writes(tmp_path: Path) -> None:
    """A reader beside the writer sees each batch once it is acknowledged, and cannot write."""
    path = tmp_path / "log.sqlite"
    with EventLog(path) as log, LogReader(path) as reader:
        for seq in range(1, 6):
            log.append([claim(seq)])
            assert [logged.item for logged in reader.read()][-1] == claim(seq)
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            reader._db.execute("INSERT INTO log VALUES (99, 'settled', '', NULL)")


def test_a_log_on_a_disk_that_takes_nothing_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A card out of another machine, say: nothing is laid beside it, and all of it is there."""
    path = tmp_path / "log.sqlite"
    with EventLog(path) as log:
        log.append([claim(1), claim(2)])
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr("companion.store.log.os.access", lambda *_: False)
    with LogReader(path) as reader:
        assert [logged.item for logged in reader.read()] == [claim(1), claim(2)]
        assert sorted(tmp_path.iterdir()) == before


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    """Two companions cannot write one log; when the first has closed it, the second may."""
    path = tmp_path / "log.sqlite"
    with EventLog(path), pytest.raises(LogBusyError, match=r"log\.sqlite"):
        EventLog(path)
    EventLog(path).close()


def test_an_older_version_is_kept_from_kinds_of_items_that_it_cannot_read() -> None:
    """Whoever adds a kind or a field raises the format of logs and bundles: else they are called damaged."""
    told = hashlib.sha256(json.dumps(_FIELDS, sort_keys=True).encode()).hexdigest()[:8]
    assert (SCHEMA_VERSION, FORMAT, told) == (7, 5, "afade959")


def test_a_log_of_a_later_version_is_refused_by_name(tmp_path: Path) -> None:
    """The message names the file, its format and what this version can read; the file stays as it is."""
    path = tmp_path / "log.sqlite"
    EventLog(path).close()
    db = sqlite3.connect(path)
    db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    for opening in (EventLog, LogReader):
        with pytest.raises(LogTooNewError, match=rf"log\.sqlite: has format {SCHEMA_VERSION + 1}"):
            opening(path)


def test_a_file_that_is_no_log_is_refused(tmp_path: Path) -> None:
    """A text file, and a database of something else, are named and left alone."""
    text = tmp_path / "notes.sqlite"
    text.write_text("milk, bread, two lemons\n" * 200)
    other = tmp_path / "other.sqlite"
    db = sqlite3.connect(other)
    db.execute("CREATE TABLE photos (id INTEGER)")
    db.close()
    for path in (text, other):
        before = path.read_bytes()
        with pytest.raises(LogDamagedError, match=path.name):
            EventLog(path)
        assert path.read_bytes() == before


def test_a_damaged_file_is_noticed_when_it_is_opened(tmp_path: Path) -> None:
    """Bytes overwritten in the middle of the file are an error that names it, never a shorter evening."""
    path = tmp_path / "log.sqlite"
    with EventLog(path) as log:
        for seq in range(1, 400):
            log.append([claim(seq)])
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 4096] = b"\x5a" * 4096
    path.write_bytes(data)
    with pytest.raises(LogDamagedError, match=r"log\.sqlite: (?!\*)"):
        EventLog(path)


def test_a_missing_item_is_noticed(tmp_path: Path) -> None:
    """A gap between two positions is damage."""
    path = tmp_path / "log.sqlite"
    with EventLog(path) as log:
        log.append([claim(1), claim(2), claim(3)])
    db = sqlite3.connect(path)
    db.execute("DROP TRIGGER log_never_shrinks")
    db.execute("DELETE FROM log WHERE position = 2")
    db.commit()
    db.close()
    with pytest.raises(LogDamagedError, match="item 2 is missing"):
        EventLog(path)


def test_without_room_nothing_is_acknowledged_and_nothing_is_lost(tmp_path: Path) -> None:
    """When the file cannot grow, appending fails as a whole; what was acknowledged is all there."""
    path = tmp_path / "log.sqlite"
    acknowledged = 0

    def fill(log: EventLog) -> None:
        nonlocal acknowledged
        for seq in range(1, 5000):
            log.append([claim(2 * seq), claim(2 * seq + 1)])
            acknowledged += 2

    with EventLog(path, max_pages=12) as log:
        with pytest.raises(LogFullError, match=r"log\.sqlite.*nothing was recorded"):
            fill(log)
        assert log.last == acknowledged
    with EventLog(path) as log:
        assert len(list(log.read())) == acknowledged > 0
        assert log.append([claim(1)])[0].position == acknowledged + 1


@pytest.mark.parametrize(("free", "kind"), [(0, LogFullError), (1 << 30, LogError)])
def test_a_failure_of_a_full_disk_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, kind: type[LogError]
) -> None:
    """What SQLite calls an I/O error is no room where there is none, and stays one where there is."""
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorcode = sqlite3.SQLITE_IOERR_SHMSIZE

    def connect(*_: object, **__: object) -> sqlite3.Connection:
        raise fault

    monkeypatch.setattr(sqlite3, "connect", connect)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))

    with pytest.raises(LogError, match=r"log\.sqlite") as raised:
        EventLog(tmp_path / "log.sqlite")
    assert raised.type is kind


def test_a_batch_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    """An item in the middle that cannot be written leaves nothing of its batch behind."""
    path = tmp_path / "log.sqlite"
    endless = Settled(2, float("nan"), Claimed(Player.SOUTH), 1.0)
    with EventLog(path) as log:
        with pytest.raises(ValueError, match="not JSON compliant"):
            log.append([claim(1), endless, claim(3)])
        assert list(log.read()) == []


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    """A file where the folder should be is a clear error; so is reading a log that is not there."""
    (tmp_path / "data").write_text("")
    with pytest.raises(LogError, match="data"):
        EventLog(tmp_path / "data" / "log.sqlite")
    with pytest.raises(LogError, match="no such log"):
        LogReader(tmp_path / "nowhere.sqlite")


def test_a_copy_taken_while_the_writer_works_is_whole(tmp_path: Path) -> None:
    """File and write-ahead file, copied as a crash would leave them, hold everything acknowledged."""
    path = tmp_path / "log.sqlite"
    with EventLog(path) as log:
        log.append([claim(seq) for seq in range(1, 50)])
        (tmp_path / "copy").mkdir()
        for part in tmp_path.glob("log.sqlite*"):
            shutil.copy(part, tmp_path / "copy")
    with EventLog(tmp_path / "copy" / "log.sqlite") as log:
        assert [logged.item for logged in log.read()] == [claim(seq) for seq in range(1, 50)]


def test_unnamed_cards_are_kept_as_unnamed(tmp_path: Path) -> None:
    """A play that nobody could name, and a deal whose card was not seen, stay so."""
    items = [
        Settled(1, 0.5, Dealt(Player.SOUTH, None), 0.5),
        Settled(2, 1.5, CardPlayed(Player.NORTH, None), 0.5),
        Settled(3, 2.5, CardPlayed(Player.SOUTH, Card.parse("KH")), 0.9),
    ]
    with EventLog(tmp_path / "log.sqlite") as log:
        log.append(items)
        assert [logged.item for logged in log.read()] == items


def test_what_a_key_marks_is_known_for_as_long_as_there_is_the_log(tmp_path: Path) -> None:
    """The newest keys with the last position that each wrote; a file from before keys takes them."""
    path = tmp_path / "log.sqlite"
    with EventLog(path) as log:
        log.append([claim(1)])
    with sqlite3.connect(path) as file:
        file.execute("ALTER TABLE log DROP COLUMN key")
    with EventLog(path) as log:
        assert log.keys(9) == {}
        log.append([claim(2), claim(3)], key="one")
        log.append([claim(4)])
        log.append([claim(5)], key="two")
    with EventLog(path) as log:
        assert list(log.keys(9).items()) == [("one", 3), ("two", 5)]
        assert log.keys(1) == {"two": 5}


def test_a_log_of_the_format_before_is_read_and_marked_when_it_is_written(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """An evening from before corrections goes on; an older companion is kept from it, which is said once."""
    path = tmp_path / "log.sqlite"
    with EventLog(path) as log:
        log.append([claim(1)])
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA user_version = 1")
    with LogReader(path) as reader:
        assert [logged.item for logged in reader.read()] == [claim(1)]
    assert not caplog.messages
    with EventLog(path) as log:
        log.append([claim(2)])
    EventLog(path).close()
    assert caplog.messages == [
        f"{path}: has format {SCHEMA_VERSION} from now on;"
        " a companion that knows no more than format 1 refuses it"
    ]
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    with LogReader(path) as reader:
        assert [logged.item for logged in reader.read()] == [claim(1), claim(2)]
