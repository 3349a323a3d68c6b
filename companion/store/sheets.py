"""The score sheets' log: all sheets of this machine, entry by entry, beside the table's log."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from companion.rules.event_form import RecordError, read_object
from companion.sheets.entry import Entry
from companion.sheets.form import entry_from_json, entry_to_json, read_count
from companion.store.coding import CodingError
from companion.store.log import Form, Log

__all__ = ["SHEETS", "Noted", "SheetLog"]


@dataclass(frozen=True, slots=True)
class Noted:
    """An entry of one of the sheets.

    Attributes:
        sheet: Number of the sheet, from 1.
        entry: What was written on it.
        source: Who wrote it: `phone:referee`.
    """

    sheet: int
    entry: Entry
    source: str


def _encode(noted: Noted) -> tuple[str, str]:
    fields = {"sheet": noted.sheet, "source": noted.source, "entry": entry_to_json(noted.entry)}
    return "sheet", json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _decode(kind: str, text: str) -> Noted:
    names = ("sheet", "source", "entry")
    try:
        if kind != "sheet":
            raise RecordError(f"{kind!r} is no kind of item; known: sheet")
        read = read_object(json.loads(text), "sheet", names, names)
        if not isinstance(read["source"], str):
            raise RecordError(f"source: {read['source']!r:.80} is not a text")
        return Noted(read_count(read["sheet"], "sheet"), entry_from_json(read["entry"]), read["source"])
    except (ValueError, RecursionError) as error:
        raise CodingError(str(error)) from error


SHEETS: Form[Noted] = Form("log of score sheets", 0x53636842, 2, _encode, _decode)
"""Its mark reads `SchB`; format 2 has `zweier`."""


class SheetLog(Log[Noted]):
    """The writer of the score sheets' log. One thread at a time may use it."""

    def __init__(self, path: Path) -> None:
        """Open the log at `path`, or make it; errors as of `Log`."""
        super().__init__(path, SHEETS)
