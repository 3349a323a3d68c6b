"""The phone's server: a Flask application around one live table.

Views translate and decide nothing: a request becomes a command, a snapshot becomes JSON.
Nobody sees anything without a device cookie, no GET changes the game, and a request must
ask for this machine by its own name and come from its own page.
"""

from __future__ import annotations

import logging
import secrets
import threading
from pathlib import Path
from typing import Protocol
from urllib.parse import urlsplit

from flask import Flask, Response, g, request, send_from_directory
from werkzeug.exceptions import HTTPException

from companion.config import Secrets, asset
from companion.live.command import Command, InvalidCommandError, Receipt, RefusedCommandError, parse_command
from companion.live.offer import offered_rules
from companion.live.snapshot import Role, snapshot_for
from companion.live.table import TableClosedError
from companion.server.address import NetworkNames
from companion.server.answer import answer, asking, press_key, refusal
from companion.server.pages import LET_IN, NOT_PAIRED, WRONG_TOKEN
from companion.server.pairing import COOKIE, COOKIE_SECONDS, Pairing
from companion.server.sheets import ServedSheets, sheet_routes
from companion.server.stream import Feed, stream

__all__ = ["MAX_STREAMS", "ServedTable", "create_app"]

MAX_STREAMS = 56
"""Open event streams at most; the server's other threads stay free for commands and pages."""

_MAX_BODY_BYTES = 16 * 1024
_CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_log = logging.getLogger(__name__)


class ServedTable(Protocol):
    """What the server needs of a table; `companion.live.table.LiveTable` is one."""

    @property
    def feed(self) -> Feed:
        """Where snapshots come from."""

    def submit(self, command: Command, *, key: str = "") -> Receipt:
        """Have `command` done by the table's own thread and return what came of it."""


def create_app(
    table: ServedTable,
    known: Secrets,
    *,
    sheets: ServedSheets | None = None,
    web: Path | None = None,
    hosts: tuple[str, ...] = (),
) -> Flask:
    """Build the phone's server around one live table.

    Routes: `GET /pair?token=` sets the device cookie; `GET /` and the page's files;
    `GET /api/snapshot`; `GET /api/events` (server-sent events, resumed by `Last-Event-ID`);
    `GET /api/rules` (what a new match may be played by);
    `POST /api/commands` (JSON, see `companion.live.command.parse_command`).
    Errors under `/api` are `{"error": text}` with a 4xx or 5xx status.

    Args:
        table: The table that is served.
        known: This machine's token and key.
        sheets: The score sheets, where there are any; their routes are in `companion.server.sheets`.
        web: Folder of the page; by default the shipped one.
        hosts: Further host names under which this server may be asked for.
    """
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = _MAX_BODY_BYTES
    folder = asset("web") if web is None else web
    pairing = Pairing(known)
    names = NetworkNames(*hosts)
    streams = threading.BoundedSemaphore(MAX_STREAMS)

    @app.before_request
    def guard() -> Response | None:
        g.csp = _CSP
        if request.headers.get("Host", "") not in names:
            return refusal(421, "this server is asked for by its address only")
        if request.method == "POST" and not _same_origin():
            return refusal(403, "commands are taken from the companion's own page only")
        if request.endpoint == "pair":
            return None
        g.device = pairing.recognise(request.cookies.get(COOKIE))
        if g.device is not None:
            return None
        if _is_api():
            return refusal(401, "this device is not paired: scan the QR code shown by the companion")
        return _page(NOT_PAIRED, 401)

    @app.after_request
    def harden(response: Response) -> Response:
        response.headers["Content-Security-Policy"] = g.get("csp", _CSP)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["X-Frame-Options"] = "DENY"
        response.headers.setdefault("Cache-Control", "no-store")
        return response

    @app.get("/pair")
    def pair() -> Response:
        device = pairing.admit(request.args.get("token", ""))
        if device is None:
            return _page(WRONG_TOKEN, 401)
        response = _page(LET_IN, 200)
        response.set_cookie(
            COOKIE, pairing.cookie(device), max_age=COOKIE_SECONDS, httponly=True, samesite="Strict", path="/"
        )
        return response

    @app.get("/")
    def index() -> Response:
        return send_from_directory(folder, "index.html", max_age=0)

    @app.get("/<path:name>")
    def static_file(name: str) -> Response:
        return send_from_directory(folder, name, max_age=0)

    @app.get("/api/snapshot")
    def snapshot() -> Response:
        newest = table.feed.wait("", 0.0)
        if newest is None:
            return refusal(503, "the table is not open yet")
        return answer(snapshot_for(newest, asking().role).to_json())

    @app.get("/api/rules")
    def rules() -> Response:
        return answer(offered_rules())

    @app.get("/api/events")
    def events() -> Response:
        if not streams.acquire(blocking=False):
            refused = refusal(503, f"{MAX_STREAMS} phones are connected already")
            refused.headers["Retry-After"] = "5"
            return refused
        after = request.headers.get("Last-Event-ID") or request.args.get("after", "")
        response = Response(stream(table.feed, asking().role, after), mimetype="text/event-stream")
        response.call_on_close(streams.release)
        response.headers["X-Accel-Buffering"] = "no"
        return response

    @app.post("/api/commands")
    def commands() -> Response:
        if asking().role is Role.SPECTATOR:
            return refusal(403, "this device may look on only")
        if not request.is_json:
            return refusal(415, "expected a JSON object")
        payload = request.get_json()
        receipt = table.submit(parse_command(payload), key=press_key(payload))
        return answer(receipt.to_json(), 201)

    @app.errorhandler(InvalidCommandError)
    def invalid(error: InvalidCommandError) -> Response:
        return refusal(400, str(error))

    @app.errorhandler(RefusedCommandError)
    def refused(error: RefusedCommandError) -> Response:
        return answer({"error": str(error), "reason": error.reason}, 409)

    @app.errorhandler(TableClosedError)
    def closed(error: TableClosedError) -> Response:
        return refusal(503, str(error))

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        return refusal(error.code or 500, error.description or error.name)

    @app.errorhandler(Exception)
    def unexpected(error: Exception) -> Response:
        _log.exception("request failed: %s %s", request.method, request.path, exc_info=error)
        return refusal(500, "the companion failed; its log says why")

    if sheets is not None:
        app.register_blueprint(sheet_routes(sheets))

    def _page(body: str, status: int) -> Response:
        nonce = secrets.token_urlsafe(12)
        g.csp = _CSP.replace("style-src 'self'", f"style-src 'nonce-{nonce}'")
        return Response(body.replace("{nonce}", nonce), status, mimetype="text/html")

    return app


def _is_api() -> bool:
    return request.path.startswith("/api/") or request.method != "GET"


def _same_origin() -> bool:
    origin = urlsplit(request.headers.get("Origin", ""))
    return origin.scheme in ("http", "https") and origin.netloc == request.headers.get("Host", "")
