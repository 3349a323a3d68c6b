"""The routes of the score sheets; who may come in at all is decided by the application's guard.

`GET /api/sheets`: the newest sheets, or those `?before=N`, and what each game usually agrees.
`GET /api/sheets/N`: one as phones show it.
`GET /api/sheets/N/export.json` and `.../export.txt`: the whole of it, to keep. `POST /api/sheets`: a command
of `companion.sheets.command`. News come through the event stream: `sheets` of the snapshot rises.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from flask import Blueprint, Response, request

from companion.live.sheet_book import NoSheetError, SheetReceipt
from companion.rules.event_form import RecordError
from companion.server.answer import answer, asking, asking_for, press_key, refusal
from companion.sheets.agreement import GAMES, usual
from companion.sheets.command import SheetCommand, read_command
from companion.sheets.entry import Entry
from companion.sheets.fault import SheetError
from companion.sheets.form import agreement_to_json, export
from companion.sheets.sheet import Sheet
from companion.sheets.text import sheet_text
from companion.sheets.view import sheet_view, summary_view

__all__ = ["LISTED", "ServedSheets", "sheet_routes"]

LISTED = 50
"""Sheets in one list at most."""


class ServedSheets(Protocol):
    """What the server needs of the sheets; `companion.live.sheet_book.SheetBook` is one."""

    def sheets(self) -> tuple[tuple[int, Sheet], ...]:
        """Return all sheets with their numbers, the newest first."""

    def sheet(self, number: int) -> Sheet:
        """Return one as it stands."""

    def entries(self, number: int) -> tuple[Entry, ...]:
        """Return everything that was ever written on one."""

    def submit(self, command: SheetCommand, *, key: str = "", source: str = "") -> SheetReceipt:
        """Have `command` done and return what came of it."""


def sheet_routes(book: ServedSheets) -> Blueprint:
    """Build the routes around `book`."""
    routes = Blueprint("sheets", __name__, url_prefix="/api/sheets")
    views, summaries = _Remembered(sheet_view), _Remembered(summary_view)

    @routes.get("")
    def index() -> Response:
        before = request.args.get("before", "")
        if before and not (before.isascii() and before.isdigit() and len(before) < 10):
            raise RecordError(f"before: {before!r:.80} is not a number")
        found = [(number, sheet) for number, sheet in book.sheets() if not before or number < int(before)]
        listed = [summaries.of(number, sheet) for number, sheet in found[:LISTED]]
        games = [agreement_to_json(usual(game)) for game in GAMES]
        seats = {game: usual(game).seats for game in GAMES}
        may_write = asking().role.presses
        return answer(
            {
                "sheets": listed,
                "older": len(found) > LISTED,
                "games": games,
                "seats": seats,
                "may_write": may_write,
            }
        )

    @routes.get("/<int:number>")
    def one(number: int) -> Response:
        may_write = asking().role.presses
        return answer({**views.of(number, book.sheet(number)), "may_write": may_write})

    @routes.get("/<int:number>/export.json")
    def export_json(number: int) -> Response:
        return _attached(answer(export(book.entries(number))), f"sheet-{number}.json")

    @routes.get("/<int:number>/export.txt")
    def export_text(number: int) -> Response:
        text = sheet_text(number, book.sheet(number))
        return _attached(Response(text, mimetype="text/plain"), f"sheet-{number}.txt")

    @routes.post("")
    def write() -> Response:
        device = asking()
        if not device.role.presses:
            return refusal(403, "this device may look on only")
        payload = asking_for()
        command, key = read_command(payload), press_key(payload)
        return answer(book.submit(command, key=key, source=f"phone:{device.role.value}").to_json(), 201)

    @routes.errorhandler(NoSheetError)
    def missing(error: NoSheetError) -> Response:
        return refusal(404, str(error))

    @routes.errorhandler(RecordError)
    def invalid(error: RecordError) -> Response:
        return refusal(400, str(error))

    @routes.errorhandler(SheetError)
    def refused(error: SheetError) -> Response:
        return answer({"error": str(error), "reason": error.reason, "details": error.details}, 409)

    return routes


class _Remembered:
    """Remembers how each sheet looks until it changes: all phones ask at the same moment."""

    def __init__(self, make: Callable[[int, Sheet], dict[str, Any]]) -> None:
        self._make = make
        self._kept: dict[int, tuple[Sheet, dict[str, Any]]] = {}

    def of(self, number: int, sheet: Sheet) -> dict[str, Any]:
        """Return the view of `sheet`, made once."""
        kept = self._kept.get(number)
        if kept is None or kept[0] is not sheet:
            if len(self._kept) >= 2 * LISTED:
                self._kept.clear()
            kept = self._kept[number] = (sheet, self._make(number, sheet))
        return kept[1]


def _attached(response: Response, name: str) -> Response:
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
