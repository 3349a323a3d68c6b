"""Analyses that were worked out once, kept beside the log. The file may be deleted at any time."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import sqlite3
import threading
from pathlib import Path
from typing import Any, Self

from companion.rules.record import Record
from companion.store.private import keep_private

__all__ = ["Analysed", "KeptAnalyses"]

JUDGED_BY = 2
"""Rises when decisions are judged otherwise; what was kept before is worked out anew."""

Analysed = tuple[list[dict[str, Any]], dict[str, Any]]
"""The decisions of a hand, and what there is to say of it, as `companion.review.form` writes them."""

_SCHEMA = "CREATE TABLE IF NOT EXISTS analysis (hand TEXT PRIMARY KEY, found TEXT NOT NULL) STRICT"
_log = logging.getLogger(__name__)


class KeptAnalyses:
    """Analyses by their record, for any thread. Where the file cannot be used, nothing is kept."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it."""
        self._path = path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            keep_private(path)
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=2.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute(_SCHEMA)
        except (OSError, sqlite3.Error) as error:
            _log.warning("%s: no analyses are kept: %s", path, error)
            self.close()

    def find(self, record: Record) -> Analysed | None:
        """Return what was kept of a hand."""
        with self._lock, contextlib.suppress(sqlite3.Error, ValueError, KeyError):
            if self._db is not None:
                row = self._db.execute(
                    "SELECT found FROM analysis WHERE hand = ?", (_key(record),)
                ).fetchone()
                if row is not None:
                    found = json.loads(row[0])
                    return found["decisions"], found["review"]
        return None

    def keep(self, record: Record, analysed: Analysed) -> None:
        """Keep what was worked out."""
        decisions, review = analysed
        text = json.dumps({"decisions": decisions, "review": review}, ensure_ascii=False)
        with self._lock:
            if self._db is None:
                return
            try:
                self._db.execute("INSERT OR REPLACE INTO analysis VALUES (?, ?)", (_key(record), text))
            except sqlite3.Error as error:
                _log.warning("%s: an analysis was not kept: %s", self._path, error)

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            if self._db is not None:
                self._db.close()
                self._db = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _key(record: Record) -> str:
    """Return what names a hand, and by what it was judged."""
    text = json.dumps([JUDGED_BY, record.to_json()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
