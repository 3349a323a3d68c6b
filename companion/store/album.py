"""Small pictures of what happened, and what the cards in them looked like, beside the log.

The game does not need them: whatever goes wrong here loses a picture and nothing else. The album stays
below a size, the oldest pictures making room, and takes none of the last room on the disk, which is the
log's. It may be deleted at any time; one that a power cut has damaged is set aside, and another begun.
"""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path

from companion.rules.cards import Card, NotationError
from companion.store.private import keep_private

__all__ = ["MOST_BYTES", "SPARE_BYTES", "Album"]

MOST_BYTES = 48 * 1024 * 1024
"""What all pictures may take: some forty hands, at about 40 KB a picture far more."""
SPARE_BYTES = 256 * 1024 * 1024
"""Below so much free room nothing is kept."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS still (
    time_ms INTEGER PRIMARY KEY, looks TEXT NOT NULL, picture BLOB NOT NULL
) STRICT
"""
_log = logging.getLogger(__name__)


class Album:
    """Pictures by the time of their event on the log's clock; may be used from any thread."""

    def __init__(
        self,
        path: Path,
        *,
        anew: bool = False,
        most_bytes: int = MOST_BYTES,
        spare_bytes: int = SPARE_BYTES,
    ) -> None:
        """Open the file, or make it, instead of a damaged one, too; where nothing works, keep nothing.

        Args:
            path: The SQLite file.
            anew: Whether the log begins: it counts its time anew, and the pictures there are of another.
            most_bytes: What all pictures may take.
            spare_bytes: What is left free on the disk.
        """
        self._path = path
        self._most, self._spare = most_bytes, spare_bytes
        self._lock = threading.Lock()
        """Guards the connection, and that `_times` are those of the pictures in it."""
        self._db: sqlite3.Connection | None = None
        self._times: set[int] = set()
        try:
            try:
                self._open()
            except sqlite3.DatabaseError as error:
                if not _is_damage(error):
                    raise
                self._set_aside(error)
                self._open()
        except (OSError, sqlite3.Error) as error:
            _log.warning("%s: no pictures are kept: %s", path, error)
            self.close()
        if anew:
            self._clear()

    def _set_aside(self, error: sqlite3.DatabaseError) -> None:
        self.close()
        aside = self._path.with_name(self._path.name + ".damaged")
        self._path.replace(aside)
        for ending in ("-wal", "-shm"):
            self._path.with_name(self._path.name + ending).unlink(missing_ok=True)
        _log.warning("%s: %s; it is %s now, and pictures are kept anew", self._path, error, aside.name)

    def _open(self) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        keep_private(self._path)
        self._db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=0.5)
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = OFF")  # a lost picture is no lost event
        self._db.execute(_SCHEMA)
        if (found := self._db.execute("PRAGMA quick_check(1)").fetchone()[0]) != "ok":
            raise _DamagedError(str(found).replace("\n", " "))
        self._times = {time for (time,) in self._db.execute("SELECT time_ms FROM still")}

    def keep(self, time: float, picture: bytes, looks: Mapping[Card, float]) -> bool:
        """Keep a picture, unless there is one; say whether it is kept.

        Args:
            time: Seconds on the log's clock.
            picture: JPEG.
            looks: Log-probabilities of the likeliest cards.
        """
        key = _key(time)
        text = json.dumps({str(card): round(value, 3) for card, value in looks.items()})
        with self._lock:
            if self._db is None or key in self._times:
                return key in self._times
            try:
                if shutil.disk_usage(self._path.parent).free < self._spare:
                    return False
                self._make_room(len(picture))
                self._db.execute("INSERT INTO still VALUES (?, ?, ?)", (key, text, picture))
            except (OSError, sqlite3.Error) as error:
                _log.warning("%s: a picture was not kept: %s", self._path, error)
                return False
            self._times.add(key)
            return True

    def _make_room(self, size: int) -> None:
        if self._db is None:
            return
        (taken,) = self._db.execute("SELECT coalesce(sum(length(picture)), 0) FROM still").fetchone()
        while taken + size > self._most and self._times:
            oldest = min(self._times)
            (freed,) = self._db.execute(
                "SELECT length(picture) FROM still WHERE time_ms = ?", (oldest,)
            ).fetchone()
            self._db.execute("DELETE FROM still WHERE time_ms = ?", (oldest,))
            self._times.discard(oldest)
            taken -= freed

    def has(self, time: float) -> bool:
        """Whether there is a picture of what happened at `time`."""
        return _key(time) in self._times

    def picture(self, time: float) -> bytes | None:
        """Return the picture of what happened at `time`, as JPEG."""
        row = self._row("picture", time)
        return bytes(row) if isinstance(row, bytes) else None

    def looks(self, time: float) -> Mapping[Card, float] | None:
        """Return what the card at `time` looked like: log-probabilities of the likeliest cards, if kept."""
        row = self._row("looks", time)
        try:
            found = {Card.parse(name): float(value) for name, value in json.loads(str(row)).items()}
        except (ValueError, AttributeError, NotationError):
            return None
        return found or None

    def _row(self, column: str, time: float) -> object:
        with self._lock:
            if self._db is None:
                return None
            with contextlib.suppress(sqlite3.Error):
                row = self._db.execute(
                    f"SELECT {column} FROM still WHERE time_ms = ?", (_key(time),)
                ).fetchone()
                return None if row is None else row[0]
        return None

    def _clear(self) -> None:
        """Throw all pictures away: their times are those of another log. Where that fails, none is shown."""
        with self._lock:
            self._times.clear()
            if self._db is None:
                return
            try:
                self._db.execute("DELETE FROM still")
            except sqlite3.Error as error:
                _log.warning("%s: those of another log stay, and none is shown: %s", self._path, error)
                self._db.close()
                self._db = None

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def __enter__(self) -> Album:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _DamagedError(sqlite3.DatabaseError):
    """Pages of the file are destroyed."""


def _is_damage(error: sqlite3.DatabaseError) -> bool:
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(error, _DamagedError) or (
        code is not None and code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
    )


def _key(time: float) -> int:
    return round(time * 1000)
