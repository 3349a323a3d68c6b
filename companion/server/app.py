"""The phone's server: a Flask application around one live table.

Views translate and decide nothing: a request becomes a command, a snapshot becomes JSON.
Nobody sees anything without a device cookie, no GET changes the game, and a request must
ask for this machine by its own name and come from its own page.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from flask import Flask, Response, g, request
from flask.json.provider import DefaultJSONProvider
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound, RequestEntityTooLarge

from companion.config import asset
from companion.live.audience import is_open, seen_as
from companion.live.beginning import changed_seats
from companion.live.command import (
    Answer,
    Command,
    Edit,
    InvalidCommandError,
    NewMatch,
    Receipt,
    RefusedCommandError,
    Undo,
    parse_command,
)
from companion.live.eyes import Eyes
from companion.live.offer import offered_rules
from companion.live.permission import allow, allow_outcome, explained
from companion.live.snapshot import Role, Snapshot
from companion.live.worker import TableClosedError
from companion.rules.events import GivenUp
from companion.server.address import NetworkNames
from companion.server.answer import StrictRequest, answer, asking, asking_for, press_key, refusal
from companion.server.answered import Answers
from companion.server.corrections import Pictures, ReviewedTable, correction_routes
from companion.server.device_book import Device, DeviceBookError
from companion.server.devices import device_routes, pair_routes
from companion.server.files import page_file
from companion.server.pages import NOT_PAIRED, own_page
from companion.server.pairing import Pairing
from companion.server.setup import setup_routes
from companion.server.sheets import ServedSheets, sheet_routes
from companion.server.stream import Feed, OpenStreams, Spoken, stream

__all__ = ["MAX_STREAMS", "ServedTable", "create_app"]

MAX_STREAMS = 80
"""Open event streams at most; the server's other threads stay free for commands and pages."""
MAX_STREAMS_EACH = 6
"""Open event streams of one device at most: a browser needs one, a few may not have noticed their end yet."""

_MAX_BODY_BYTES = 16 * 1024
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_log = logging.getLogger(__name__)


class ServedTable(ReviewedTable, Protocol):
    """What the server needs of a table; `companion.live.table.LiveTable` is one."""

    @property
    def feed(self) -> Feed:
        """Where snapshots come from."""

    def submit(self, command: Command, *, key: str = "", source: str = ...) -> Receipt:
        """Have `command` done by the table's own thread and return what came of it."""

    def done(self, key: str) -> Receipt | None:
        """Return what came of the press with this key, if it has been done."""


class _Json(DefaultJSONProvider):
    """JSON that is nested too deeply is as wrong as any other: a request with it is answered by 400."""

    def loads(self, s: str | bytes, **kwargs: object) -> object:
        """Read a text.

        Raises:
            ValueError: It is no JSON, or nested too deeply.
        """
        try:
            return super().loads(s, **kwargs)
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def create_app(
    table: ServedTable,
    pairing: Pairing,
    *,
    sheets: ServedSheets | None = None,
    pictures: Pictures | None = None,
    web: Path | None = None,
    eyes: Eyes | None = None,
    listens: str = "0.0.0.0",
    hosts: tuple[str, ...] = (),
) -> Flask:
    """Build the phone's server around one live table.

    Routes: `/pair` and `/api/devices` (see `companion.server.devices`); `GET /` and the page's files,
    `/board` and `/overlay` among them; `GET /api/snapshot`; `GET /api/events` (server-sent events, resumed by
    `Last-Event-ID`), both with `as=board` as a lookers-on's screen has them (see `audience.seen_as`);
    `GET /api/rules` (what a new match may be played by);
    `POST /api/commands` (JSON, see `companion.live.command.parse_command`).
    Errors under `/api` are `{"error": text}` with a 4xx or 5xx status.

    Args:
        table: The table that is served.
        pairing: Knows who is let in.
        sheets: The score sheets, where there are any; their routes are in `companion.server.sheets`.
        pictures: What is kept of the table, shown where the record is corrected.
        eyes: The table's camera, where it can be set up; its routes are in `companion.server.setup`.
        web: Folder of the page; by default the shipped one.
        listens: The address on which the server listens.
        hosts: Further host names under which this server may be asked for.
    """
    app = Flask(__name__, static_folder=None)
    app.request_class = StrictRequest
    app.json = _Json(app)
    app.config["MAX_CONTENT_LENGTH"] = _MAX_BODY_BYTES
    folder = asset("web") if web is None else web
    names = NetworkNames(listens, *hosts)
    streams, spoken = OpenStreams(MAX_STREAMS, MAX_STREAMS_EACH), Spoken()
    answers, peeks = Answers(), _Peeks()

    def whole() -> Snapshot | None:
        return table.feed.wait("", 0.0)

    newest = whole()
    if newest is not None and newest.last is not None and isinstance(newest.last.event, GivenUp):
        peeks.note(newest)  # whether somebody looked before this start nobody knows

    @app.before_request
    def guard() -> Response | None:
        g.csp = _CSP
        if request.headers.get("Host", "") not in names:
            return refusal(421, "this server is asked for by its address only")
        if request.method == "POST" and not _same_origin():
            return refusal(403, "commands are taken from the companion's own page only")
        if request.blueprint == "pair":
            return None
        g.device = pairing.recognised(request.cookies)
        if g.device is not None:
            return None
        if _is_api():
            text = "this device is not paired: scan the QR code shown by the companion"
            return refusal(401, text, "not_paired")
        return own_page(NOT_PAIRED, 401)

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = g.get("csp", _CSP)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers.setdefault("Referrer-Policy", "no-referrer")
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.get("/")
    def index() -> Response:
        return page_file(folder, "index.html")

    @app.get("/board", endpoint="board")
    @app.get("/overlay", endpoint="overlay")
    def screen() -> Response:
        return page_file(folder, f"{request.endpoint}.html")

    @app.get("/<path:name>")
    def static_file(name: str) -> Response:
        return page_file(folder, name)

    @app.get("/api/snapshot")
    def snapshot() -> Response:
        role = _looking()
        newest = table.feed.wait("", 0.0, late=not role.presses)
        if newest is None:
            return refusal(503, "the table is not open yet")
        streams.looked(asking().number)
        cut = seen_as(role, asking().role, newest.match.fair.mode)
        return Response(spoken.text(newest, cut), mimetype="application/json")

    @app.get("/api/rules")
    def rules() -> Response:
        return answer(offered_rules())

    @app.get("/api/events")
    def events() -> Response:
        device, role = asking(), _looking()
        if not streams.open(device.number):
            most = f"{MAX_STREAMS_EACH} of one device, {MAX_STREAMS} of all"
            refused = refusal(503, f"too many pages are shown at once, at most {most}: close one")
            refused.headers["Retry-After"] = "5"
            return refused

        def welcome() -> bool:
            return pairing.book.device(device.number) == device

        after = request.headers.get("Last-Event-ID") or request.args.get("after", "")
        answered = answers.listener(device.number, role)
        told = stream(table.feed, role, after, spoken, welcome, answered, device=device.role)
        response = Response(told, mimetype="text/event-stream")
        response.call_on_close(lambda: streams.close(device.number))
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @app.post("/api/commands")
    def commands() -> Response:
        device = asking()
        role = device.role
        payload = asking_for()
        command, key = parse_command(payload), press_key(payload)
        before = table.done(key) if key else None
        if before is not None:
            # the answer was lost on its way; what the device is by now, and what it may, is of no account
            return answer(before.to_json(), 201)
        if not role.presses:
            return refusal(403, "this device may look on only", "not_yours")
        newest = whole()
        if newest is None:
            return refusal(503, "the table is not open yet")
        allow(command, role, newest, owner=device.owner)
        if isinstance(command, Undo) and peeks.bar(command) and not explained(newest.match.fair, role):
            raise RefusedCommandError("not_yours", "the table was shown since that hand was given up")
        try:
            _keep_ends(table, command, device, newest)
            with answers.giving(command, device.number, role, newest):
                done = table.submit(command, key=key, source=f"phone:{role.value}")
            if _took_phones_along(command, newest):
                pairing.book.change_seats()
                table.feed.call()
            return answer(done.to_json(), 201)
        except RefusedCommandError as error:
            if error.reason in ("against_rules", "impossible") and not explained(newest.match.fair, role):
                raise RefusedCommandError("against_rules", "not now") from None  # why would tell of cards
            raise

    _answer_failures(app)
    app.register_blueprint(pair_routes(pairing, whole, lambda: eyes is not None and eyes.setting is None))
    app.register_blueprint(device_routes(pairing, streams, table.feed.call, listens, whole))
    app.register_blueprint(correction_routes(table, pictures))
    if eyes is not None:
        app.register_blueprint(setup_routes(eyes, whole, peeks.note))
    if sheets is not None:
        app.register_blueprint(sheet_routes(sheets))
    return app


def _answer_failures(app: Flask) -> None:
    """Have failures answered in JSON, by a status that says whose they are; the log has the unexpected."""

    @app.errorhandler(InvalidCommandError)
    def invalid(error: InvalidCommandError) -> Response:
        return refusal(400, str(error))

    @app.errorhandler(RefusedCommandError)
    def refused(error: RefusedCommandError) -> Response:
        clause = {} if error.clause is None else {"clause": error.clause}
        return answer({"error": str(error), "reason": error.reason, **clause}, 409)

    @app.errorhandler(DeviceBookError)
    def unwritten(error: DeviceBookError) -> Response:
        _log.error("devices: %s", error)
        return refusal(503, "the devices cannot be written down; the log says why", "not_recorded")

    @app.errorhandler(TableClosedError)
    def closed(error: TableClosedError) -> Response:
        return refusal(503, str(error))

    @app.errorhandler(RequestEntityTooLarge)
    def too_large(_: RequestEntityTooLarge) -> Response:
        given = "more" if request.content_length is None else str(request.content_length)
        return refusal(413, f"the request has {given} bytes, at most {_MAX_BODY_BYTES} are taken")

    @app.errorhandler(NotFound)
    def unknown(_: NotFound) -> Response:
        return refusal(404, f"there is nothing at {request.path:.80}")

    @app.errorhandler(MethodNotAllowed)
    def other_method(error: MethodNotAllowed) -> Response:
        allowed = ", ".join(sorted(error.valid_methods or ()))
        refused = refusal(405, f"{request.method} is not taken at {request.path:.80}, expected {allowed}")
        refused.headers["Allow"] = allowed
        return refused

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        return refusal(error.code or 500, error.description or error.name)

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        _log.exception("request failed: %s %s", request.method, request.path, exc_info=error)
        return refusal(500, "the companion failed; its log says why")


class _Peeks:
    """Remembers the hand that was given up before a player saw the camera's picture: it stays given up."""

    def __init__(self) -> None:
        self._given_up: int | None = None

    def note(self, snapshot: Snapshot) -> None:
        """Note that a player is shown the table as the camera sees it."""
        if not is_open(snapshot) and snapshot.last is not None:
            self._given_up = snapshot.last.seq

    def bar(self, command: Undo) -> bool:
        """Whether `command` would take that hand up again."""
        return command.seq == self._given_up


def _keep_ends(table: ServedTable, command: Command, device: Device, snapshot: Snapshot) -> None:
    """Refuse a change by which a hand would not have ended as it did, where `device` may not make it."""
    if isinstance(command, Edit | Answer) and not explained(snapshot.match.fair, device.role):
        try:
            proposal = table.propose(command)
        except RefusedCommandError:
            return  # the table says why, or answers once more what has been done by this press
        allow_outcome(command, proposal, device.role, snapshot, owner=device.owner)


def _took_phones_along(command: Command, before: Snapshot) -> bool:
    """Whether two who have played go on with changed seats; before a first hand they were called wrongly."""
    if not isinstance(command, NewMatch) or command.names is None or before.hand is None:
        return False
    return before.hand.over and changed_seats(before.match.names, command.names)


def _looking() -> Role:
    """For whom a snapshot is cut: the device that asks, or a screen that all may see."""
    return Role.BOARD if request.args.get("as") == "board" else asking().role


def _is_api() -> bool:
    return request.path.startswith("/api/") or request.method != "GET"


def _same_origin() -> bool:
    origin = urlsplit(request.headers.get("Origin", ""))
    return origin.scheme in ("http", "https") and origin.netloc == request.headers.get("Host", "")
