"""Logs that only grow: what happened, for ever, in one SQLite file each.

`EventLog` is that of the table; `companion.store.sheets` keeps the score sheets in another of the same make.

The log only grows; state is always the fold of what it holds (`Fold of the log`, live layer).
An item is acknowledged when `append` returns: from then on it survives a killed process and
a pulled plug (`journal_mode=WAL`, `synchronous=FULL`: every commit is synced). One writer has
the file, and it alone checkpoints; readers open it read-only and never stand in the way.
"""

from __future__ import annotations

import fcntl
import logging
import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Generic, Self, TypeVar

from companion.store.coding import CodingError, decode, encode
from companion.store.item import Item, Logged
from companion.store.private import keep_private

__all__ = [
    "SCHEMA_VERSION",
    "EventLog",
    "Form",
    "Log",
    "LogBusyError",
    "LogDamagedError",
    "LogError",
    "LogFullError",
    "LogReader",
    "LogTooNewError",
    "check_free",
]

SCHEMA_VERSION = 7
"""Format of the event log; rises with every change that an older version could not read.

2 has corrections and what phones may tell the players; 3 has when what a question shows came to rest;
4 has names that were corrected; 5 has times out of sight, and that nothing is missing of them;
6 has cards that lay dealt before anybody had looked; 7 has what players say that a hand paid."""

_log = logging.getLogger(__name__)

_LEAST_ROOM_BYTES = 32 * 1024  # the index of the write-ahead file grows by this

T = TypeVar("T")

_SCHEMA = """
CREATE TABLE log (
    position INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    key TEXT
) STRICT;
CREATE TRIGGER log_never_changes BEFORE UPDATE ON log
    BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
CREATE TRIGGER log_never_shrinks BEFORE DELETE ON log
    BEGIN SELECT RAISE(ABORT, 'the log only grows'); END;
"""


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """What a log holds, and how.

    Attributes:
        name: What the file is called in messages.
        application_id: Marks the file, so that no other database is taken for this log.
        version: Format of its items.
        encode: Gives kind and JSON text of an item; the same item always gives the same text.
        decode: Reads an item back; a `CodingError` says what is wrong with it.
    """

    name: str
    application_id: int
    version: int
    encode: Callable[[T], tuple[str, str]]
    decode: Callable[[str, str], T]


EVENTS: Form[Item] = Form("event log", 0x5363684E, SCHEMA_VERSION, encode, decode)
"""The table's own log; its mark reads `SchN`."""


class LogError(RuntimeError):
    """The log cannot be read or written; the message names the file and why."""


class LogBusyError(LogError):
    """Another process writes this log."""


class LogDamagedError(LogError):
    """The file is no log, or parts of it are destroyed."""


class LogFullError(LogError):
    """There is no room to write; what was handed over has not been recorded."""


class LogTooNewError(LogError):
    """A later version of the companion wrote this log."""


class Log(Generic[T]):
    """The writer of a log. One thread at a time may use it.

    Attributes:
        path: The SQLite file.
    """

    def __init__(self, path: Path, form: Form[T], *, max_pages: int | None = None) -> None:
        """Open the log at `path`, or make it, with its folder.

        Args:
            path: The SQLite file.
            form: What it holds.
            max_pages: Most pages of 4096 bytes that the file may take; `None`: as the disk allows.

        Raises:
            LogBusyError: Another writer has it.
            LogTooNewError: Written by a later version.
            LogDamagedError: Not such a log, or destroyed in parts.
            LogFullError: No room to make it.
            LogError: The folder or file cannot be used.
        """
        self.path = path
        self._form = form
        self._lock = _lock(path)
        try:
            keep_private(path)
            self._db = _connect(path, "rwc")
            try:
                self._prepare(max_pages)
                self._last = _verify(self._db, path, form)
            except BaseException:
                self._db.close()
                raise
        except BaseException as error:
            os.close(self._lock)
            if isinstance(error, sqlite3.Error):
                raise _translated(error, path) from error
            raise

    def _prepare(self, max_pages: int | None) -> None:
        if _is_new(self._db):
            with self._db:
                self._db.executescript(f"BEGIN; {_SCHEMA} {self._marks()} COMMIT;")
        _check_version(self._db, self.path, self._form)
        if not self._db.execute("SELECT 1 FROM pragma_table_info('log') WHERE name = 'key'").fetchone():
            self._db.execute("ALTER TABLE log ADD COLUMN key TEXT")  # earlier versions read on past it
        was = _number(self._db, "user_version")
        if was < self._form.version:
            _log.warning(
                "%s: has format %d from now on; a companion that knows no more than format %d refuses it",
                self.path,
                self._form.version,
                was,
            )
            self._db.execute(f"PRAGMA user_version = {self._form.version:d}")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        if max_pages is not None:
            self._db.execute(f"PRAGMA max_page_count = {max_pages:d}")

    def _marks(self) -> str:
        form = self._form
        return f"PRAGMA application_id = {form.application_id:d}; PRAGMA user_version = {form.version:d};"

    @property
    def last(self) -> int:
        """Position of the last item; 0 while the log is empty."""
        return self._last

    def append(self, items: Sequence[T], *, key: str = "") -> tuple[Logged[T], ...]:
        """Write `items` down, all or none, and return them with their positions.

        They are on the disk when this returns, and with them that what `key` marks has been done.

        Raises:
            LogFullError: No room; nothing was recorded.
            LogError: The file cannot be written; nothing was recorded.
        """
        if not items:
            return ()
        logged = tuple(Logged(self._last + place, item) for place, item in enumerate(items, start=1))
        keys = (*[None] * (len(logged) - 1), key or None)
        rows = [
            (entry.position, *self._form.encode(entry.item), mark)
            for entry, mark in zip(logged, keys, strict=True)
        ]
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany(
                    "INSERT INTO log (position, kind, payload, key) VALUES (?, ?, ?, ?)", rows
                )
        except sqlite3.Error as error:
            raise _translated(error, self.path) from error
        self._last = logged[-1].position
        return logged

    def keys(self, most: int) -> dict[str, int]:
        """Return the newest `most` keys, the oldest of them first, with the last position that each wrote.

        Raises:
            LogError: The file cannot be read.
        """
        newest = "SELECT key, position FROM log WHERE key IS NOT NULL ORDER BY position DESC LIMIT ?"
        try:
            return dict(reversed(self._db.execute(newest, (most,)).fetchall()))
        except sqlite3.Error as error:
            raise _translated(error, self.path) from error

    def read(self, after: int = 0) -> Iterator[Logged[T]]:
        """Give what stands after position `after`, in order; errors as `LogReader.read`."""
        return _read(self._db, self.path, after, self._form)

    def close(self) -> None:
        """Fold the write-ahead file into the log and let go of it."""
        try:
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        except sqlite3.Error:
            # The write-ahead file stays; the next writer reads and folds it.
            pass
        finally:
            self._db.close()
            os.close(self._lock)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class EventLog(Log[Item]):
    """The writer of the table's log. One thread at a time may use it.

    >>> import tempfile
    >>> from companion.rules.events import Claimed
    >>> from companion.rules.cards import Player
    >>> from companion.table.entry import Settled
    >>> with tempfile.TemporaryDirectory() as folder, EventLog(Path(folder) / "log.sqlite") as log:
    ...     _ = log.append([Settled(1, 2.5, Claimed(Player.NORTH), 1.0, "phone:north")])
    ...     [logged.position for logged in log.read()]
    [1]
    """

    def __init__(self, path: Path, *, max_pages: int | None = None) -> None:
        """Open the log at `path`, or make it; arguments and errors as `Log`."""
        super().__init__(path, EVENTS, max_pages=max_pages)


class LogReader:
    """A reader beside the writer: sees everything acknowledged, changes nothing."""

    def __init__(self, path: Path) -> None:
        """Open the log at `path`.

        Raises:
            LogError: It is not there or cannot be read.
            LogTooNewError: Written by a later version.
            LogDamagedError: Not a log.
        """
        self.path = path
        if not path.is_file():
            raise LogError(f"{path}: no such log")
        try:
            self._db = _connect(path, _reading(path))
            _check_version(self._db, path, EVENTS)
        except sqlite3.Error as error:
            raise _translated(error, path) from error

    def read(self, after: int = 0) -> Iterator[Logged[Item]]:
        """Give what stands after position `after`, in order.

        Raises:
            LogDamagedError: An item cannot be read, or one is missing between two others.
        """
        return _read(self._db, self.path, after, EVENTS)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> LogReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def check_free(path: Path) -> None:
    """Make sure that the log at `path` could be opened now, and change nothing in it.

    Raises:
        LogBusyError: Another writer has it.
        LogError: The folder cannot be used.
    """
    os.close(_lock(path))


def _lock(path: Path) -> int:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path.with_name(path.name + ".lock"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise LogError(f"{error.filename or path}: cannot be made: {error.strerror or error}") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise LogBusyError(f"{path}: another companion keeps this log open") from error
    return handle


def _reading(path: Path) -> str:
    """How a log is read: SQLite lays files beside it, which a folder that nobody writes to cannot take."""
    beside = path.with_name(f"{path.name}-wal")
    return "ro" if os.access(path.parent, os.W_OK) or beside.exists() else "ro&immutable=1"


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=5.0,
    )


def _number(db: sqlite3.Connection, pragma: str) -> int:
    return int(db.execute(f"PRAGMA {pragma}").fetchone()[0])


def _is_new(db: sqlite3.Connection) -> bool:
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    return tables == 0 and _number(db, "application_id") == 0 and _number(db, "user_version") == 0


def _check_version(db: sqlite3.Connection, path: Path, form: Form[T]) -> None:
    if _number(db, "application_id") != form.application_id:
        raise LogDamagedError(f"{path}: not the companion's {form.name}")
    version = _number(db, "user_version")
    if version > form.version:
        raise LogTooNewError(
            f"{path}: has format {version}, this version of the companion reads up to {form.version}"
        )


def _verify(db: sqlite3.Connection, path: Path, form: Form[T]) -> int:
    """Return the last position, having read every page and every item once."""
    if (found := db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
        lines = str(found).splitlines()  # a heading with stars may come first
        raise LogDamagedError(f"{path}: {next((line for line in lines if line[:1] != '*'), lines[0])}")
    last = 0
    for logged in _read(db, path, 0, form):
        last = logged.position
    return last


def _read(db: sqlite3.Connection, path: Path, after: int, form: Form[T]) -> Iterator[Logged[T]]:
    expected = after + 1
    try:
        for position, kind, payload in db.execute(
            "SELECT position, kind, payload FROM log WHERE position > ? ORDER BY position", (after,)
        ):
            if position != expected:
                raise LogDamagedError(f"{path}: item {expected} is missing")
            expected += 1
            yield Logged(position, form.decode(kind, payload))
    except CodingError as error:
        raise LogDamagedError(f"{path}: item {expected - 1}: {error}") from error
    except sqlite3.Error as error:
        raise _translated(error, path) from error


def _has_room(folder: Path) -> bool:
    """Whether as much is free as SQLite takes at a time for its files beside the log."""
    try:
        return shutil.disk_usage(folder).free >= _LEAST_ROOM_BYTES
    except OSError:
        return True


def _translated(error: sqlite3.Error, path: Path) -> LogError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    if primary == sqlite3.SQLITE_FULL or (primary == sqlite3.SQLITE_IOERR and not _has_room(path.parent)):
        return LogFullError(f"{path}: no room left on the disk; nothing was recorded")
    if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
        return LogDamagedError(f"{path}: {error}")
    return LogError(f"{path}: {error}")
