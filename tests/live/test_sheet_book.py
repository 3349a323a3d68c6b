"""The book of score sheets: what was acknowledged is there, once, and every phone hears of it."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest
from scripted_table import newest

from companion.live.sheet_book import NoSheetError, SheetBook
from companion.sheets.command import read_command
from companion.sheets.fault import SheetError
from companion.store.log import LogDamagedError, LogFullError
from companion.store.sheets import Noted, SheetLog

OPEN = {
    "type": "open",
    "names": ["Anna", "Bert", "Clara", "Dora"],
    "dealer": 1,
    "agreement": {"game": "bauern"},
}
GANG = {"contract": "gang", "player": 0, "won": True}


def book_at(folder: Path, **more) -> SheetBook:
    """The book in `folder`."""
    return SheetBook(SheetLog(folder / "sheets.sqlite"), **more)


def say(book: SheetBook, kind: str, sheet: int = 1, key: str = "", **fields):
    """Send a command that follows what the sheet shows."""
    after = fields.pop("after", None)
    place = {"sheet": sheet, "after": book.sheet(sheet).seq if after is None else after}
    return book.submit(read_command({"type": kind, **place, **fields}), key=key)


def test_sheets_are_there_after_a_restart(tmp_path: Path) -> None:
    """Two sheets, a correction and an undo: the next book stands where the last one stood."""
    with book_at(tmp_path) as book:
        for _ in range(2):
            book.submit(read_command(OPEN))
        say(book, "hand", 2, hand=GANG)
        line = book.sheet(2).lines[0].seq
        say(book, "correct", 2, line=line, hand={**GANG, "won": False})
        say(book, "hand", 1, hand=GANG)
        say(book, "undo", 1)
        before = book.sheets()
    with book_at(tmp_path) as book:
        assert book.sheets() == before
        assert [number for number, _ in book.sheets()] == [2, 1]
        assert book.sheet(2).tally.totals == (0, 9)
        assert len(book.entries(1)) == 3


def test_a_sheet_that_is_not_there_is_named(tmp_path: Path) -> None:
    """Reading it and writing on it fail alike."""
    with book_at(tmp_path) as book:
        for ask in (
            lambda: book.sheet(1),
            lambda: book.entries(1),
            lambda: say(book, "close", after=0),
        ):
            with pytest.raises(NoSheetError, match="no sheet 1"):
                ask()


def test_a_repeated_press_is_done_once(tmp_path: Path) -> None:
    """A phone that did not hear the answer presses again with the same key; it gets the same answer."""
    with book_at(tmp_path) as book:
        first = book.submit(read_command(OPEN), key="a")
        assert book.submit(read_command(OPEN), key="a") == first
        receipt = say(book, "hand", key="b", hand=GANG)
        assert say(book, "hand", key="b", hand=GANG, after=1) == receipt
        assert len(book.sheets()) == 1
        assert book.sheet(1).tally.totals == (9, 0)
    with book_at(tmp_path) as book:  # nor by a program that was started anew
        assert book.submit(read_command(OPEN), key="a") == first
        assert say(book, "hand", key="b", hand=GANG, after=1) == receipt
        assert len(book.sheets()) == 1


def test_of_many_phones_that_note_one_hand_one_is_heard(tmp_path: Path) -> None:
    """They press at the same moment: the hand stands once, and all others are told."""
    with book_at(tmp_path) as book:
        book.submit(read_command(OPEN))
        start, refused = threading.Barrier(8), []

        def press() -> None:
            start.wait()
            try:
                say(book, "hand", hand=GANG, after=1)
            except SheetError as error:
                refused.append(error.reason)

        phones = [threading.Thread(target=press) for _ in range(8)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
        assert refused == ["too_late"] * 7
        assert book.sheet(1).tally.totals == (9, 0)


def test_entries_say_when_they_were_written(tmp_path: Path) -> None:
    """In the words of the wall clock."""
    today = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
    with book_at(tmp_path, today=lambda: today) as book:
        book.submit(read_command(OPEN))
        assert book.sheet(1).at == "2026-11-21T19:30:00+00:00"


def test_every_phone_hears_of_every_entry(tmp_path: Path, open_table) -> None:
    """The snapshot's `sheets` rises with each, goes out at once, and begins where the log stands."""
    table = open_table()
    with book_at(tmp_path, announce=table.announce_sheets) as book:
        assert newest(table).sheets == 0
        revision = newest(table).revision
        book.submit(read_command(OPEN))
        news = table.feed.wait(revision, 0.0)
        assert news.sheets == 1
        say(book, "hand", hand=GANG)
        assert newest(table).sheets == 2
    table.announce_sheets(1)
    assert newest(table).sheets == 2
    again = open_table()
    with book_at(tmp_path, announce=again.announce_sheets):
        assert newest(again).sheets == 2


def test_a_table_that_closes_stops_no_entry(tmp_path: Path, open_table) -> None:
    """What is written while the companion ends is kept all the same."""
    table = open_table()
    with book_at(tmp_path, announce=table.announce_sheets) as book:
        table.close()
        book.submit(read_command(OPEN))
    with book_at(tmp_path) as book:
        assert len(book.sheets()) == 1


def test_what_could_not_be_written_down_is_not_shown(tmp_path: Path, monkeypatch) -> None:
    """A full disk is a refusal with its reason; the sheet stands as before and goes on later."""
    with book_at(tmp_path) as book:
        book.submit(read_command(OPEN))
        append = SheetLog.append

        def full(self, items, **_):
            raise LogFullError("sheets.sqlite: no room left")

        monkeypatch.setattr(SheetLog, "append", full)
        with pytest.raises(SheetError) as refused:
            say(book, "hand", hand=GANG)
        assert refused.value.reason == "not_recorded"
        assert book.sheet(1).lines == ()
        monkeypatch.setattr(SheetLog, "append", append)
        say(book, "hand", hand=GANG)
        assert book.sheet(1).tally.totals == (9, 0)


def test_entries_that_make_no_sheet_are_damage(tmp_path: Path) -> None:
    """A log whose entries do not fit each other is named with the place, and not shown in part."""
    with book_at(tmp_path) as book:
        book.submit(read_command(OPEN))
        opened = book.entries(1)[0]
    with SheetLog(tmp_path / "sheets.sqlite") as log:
        log.append([Noted(1, opened, "phone:referee")])
    with SheetLog(tmp_path / "sheets.sqlite") as log, pytest.raises(LogDamagedError, match="item 2"):
        SheetBook(log)


WRITER = """
import json, os, signal, sys
from pathlib import Path
from companion.live.sheet_book import SheetBook
from companion.sheets.command import read_command
from companion.store.sheets import SheetLog

book = SheetBook(SheetLog(Path(sys.argv[1])))
receipt = book.submit(read_command(json.loads(sys.argv[2])))
print(json.dumps(receipt.to_json()), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_server_killed_after_every_entry_loses_none(tmp_path: Path) -> None:
    """SIGKILL right after each answer: the next finds all entries, and the sheet goes on."""
    path = tmp_path / "sheets.sqlite"
    commands = [
        OPEN,
        {"type": "hand", "sheet": 1, "after": 1, "hand": GANG},
        {"type": "hand", "sheet": 1, "after": 2, "hand": {**GANG, "player": 3}},
        {"type": "correct", "sheet": 1, "after": 3, "line": 2, "hand": None},
        {"type": "undo", "sheet": 1, "after": 4},
        {"type": "close", "sheet": 1, "after": 5},
    ]
    for number, command in enumerate(commands, start=1):
        done = subprocess.run(
            [sys.executable, "-c", WRITER, str(path), json.dumps(command)],
            cwd=Path(__file__).resolve().parents[2],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == -signal.SIGKILL, done.stderr
        assert json.loads(done.stdout) == {"sheet": 1, "seq": number, "position": number}
        with SheetBook(SheetLog(path)) as book:
            assert len(book.entries(1)) == number
    assert book.sheet(1).tally.totals == (9, 9)
    assert book.sheet(1).closed
