"""The book of score sheets: owns their log, takes what phones write, says where each sheet stands.

A sheet changes a few times an hour and costs microseconds, so the book has no thread of its own: whoever
writes does so under a lock. What is shown is in the log.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from companion.live.worker import TableClosedError
from companion.sheets.command import SheetCommand, entry_of
from companion.sheets.entry import Entry
from companion.sheets.fault import SheetError
from companion.sheets.sheet import Sheet, apply
from companion.store.log import LogDamagedError, LogError
from companion.store.sheets import Noted, SheetLog

__all__ = ["NoSheetError", "SheetBook", "SheetReceipt"]

MAX_SHEETS = 10_000
MAX_ENTRIES = 5_000
"""Entries of one sheet at most."""
_REMEMBERED_KEYS = 256

_log = logging.getLogger(__name__)


class NoSheetError(LookupError):
    """There is no sheet with that number."""


@dataclass(frozen=True, slots=True)
class SheetReceipt:
    """A command was done.

    Attributes:
        sheet: Number of the sheet.
        seq: Its newest entry.
        position: Entries on all sheets.
    """

    sheet: int
    seq: int
    position: int

    def to_json(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {"sheet": self.sheet, "seq": self.seq, "position": self.position}


class SheetBook:
    """All sheets of one log. The methods may be called from any thread.

    As a context manager the book closes its log at the end of the block.
    """

    def __init__(
        self,
        log: SheetLog,
        announce: Callable[[int], None] = lambda entries: None,
        *,
        today: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Take up the sheets that the log holds.

        Args:
            log: The log; closed together with the book.
            announce: Is told how many entries there are, now and after each more; phones ask then.
            today: Date and time of the wall clock.

        Raises:
            LogError: The log cannot be read.
            LogDamagedError: Its entries do not make sheets.
        """
        self._log = log
        self._announce = announce
        self._today = today
        self._lock = threading.Lock()
        """Guards the log, the sheets and what was done; phones are told without it."""
        self._done: OrderedDict[str, SheetReceipt] = OrderedDict()
        self._sheets: dict[int, Sheet] = {}
        self._entries: dict[int, list[Entry]] = {}
        try:
            keys = {position: key for key, position in log.keys(_REMEMBERED_KEYS).items()}
            for logged in log.read():
                noted = logged.item
                if key := keys.get(logged.position):
                    self._done[key] = SheetReceipt(noted.sheet, noted.entry.seq, logged.position)
                self._remember(noted, apply(self._sheets.get(noted.sheet), noted.entry))
        except SheetError as error:
            raise LogDamagedError(f"{log.path}: item {logged.position}: {error}") from error
        self._tell(log.last)

    def sheets(self) -> tuple[tuple[int, Sheet], ...]:
        """Return all sheets with their numbers, the newest first."""
        with self._lock:
            return tuple(reversed(self._sheets.items()))

    def sheet(self, number: int) -> Sheet:
        """Return sheet `number` as it stands.

        Raises:
            NoSheetError: There is none.
        """
        with self._lock:
            return self._find(number)

    def entries(self, number: int) -> tuple[Entry, ...]:
        """Return everything that was ever written on sheet `number`.

        Raises:
            NoSheetError: There is none.
        """
        with self._lock:
            self._find(number)
            return tuple(self._entries[number])

    def submit(self, command: SheetCommand, *, key: str = "", source: str = "phone:referee") -> SheetReceipt:
        """Do what a phone asks; returns when it is in the log and announced.

        Args:
            command: What is asked.
            key: Marks repetitions of one press: the same key is done once, and answered alike, also where the
                program was ended and started anew meanwhile.
            source: Who asks, for the record.

        Raises:
            NoSheetError: There is no such sheet.
            RecordError: A field is not what it should be.
            SheetError: It cannot be done; nothing has changed, and the message says why.
        """
        with self._lock:
            if key and key in self._done:
                return self._done[key]
            receipt = self._perform(command, source, key)
            if key:
                self._done[key] = receipt
                if len(self._done) > _REMEMBERED_KEYS:
                    self._done.popitem(last=False)
        self._tell(receipt.position)
        return receipt

    def close(self) -> None:
        """Close the log."""
        with self._lock:
            self._log.close()

    def __enter__(self) -> SheetBook:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _perform(self, command: SheetCommand, source: str, key: str) -> SheetReceipt:
        before = None if command.sheet is None else self._find(command.sheet)
        number = len(self._sheets) + 1 if command.sheet is None else command.sheet
        if number > MAX_SHEETS or (before is not None and before.seq >= MAX_ENTRIES):
            raise SheetError("full", "There is no room for more; open a new sheet, or a new data folder.")
        entry = entry_of(command, before, self._today().isoformat(timespec="seconds"))
        after = apply(before, entry)
        noted = Noted(number, entry, source)
        try:
            self._log.append([noted], key=key)
        except LogError as error:
            _log.exception("an entry of a score sheet could not be written down")
            raise SheetError("not_recorded", f"It could not be written down: {error}") from error
        self._remember(noted, after)
        return SheetReceipt(number, entry.seq, self._log.last)

    def _find(self, number: int) -> Sheet:
        if number not in self._sheets:
            raise NoSheetError(f"there is no sheet {number}")
        return self._sheets[number]

    def _remember(self, noted: Noted, sheet: Sheet) -> None:
        self._sheets[noted.sheet] = sheet
        self._entries.setdefault(noted.sheet, []).append(noted.entry)

    def _tell(self, entries: int) -> None:
        try:
            self._announce(entries)
        except TableClosedError:
            _log.info(
                "an entry of a score sheet was written while the table closed; phones will see it later"
            )
