"""The routes of pairing and of the paired devices; who may come in at all is decided by the guard.

`GET /pair?token=` shows a page that asks to be let in, and changes nothing; `POST /pair` (the page's own
form) lets in. `GET /api/me`: what this device is, and what the table is called. `GET /api/devices`: all of
them, numbers only for an owner. `POST /api/devices`, owners only: `{"type": "invite", "role": R}` gives a
code for another device as a link and a QR code; `{"type": "role", "device": N, "role": R}`;
`{"type": "revoke", "device": N}`.
A refusal that the page tells in its own words has a `reason`: `not_yours`, `no_device`, `not_recorded`.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, request

from companion.live.command import InvalidCommandError
from companion.live.permission import keeps_role
from companion.live.snapshot import Role, Snapshot
from companion.server.address import EVERYWHERE, lan_address, link_to, qr_picture, without_port
from companion.server.answer import Asked, answer, asked_fields, asking, asking_for, refusal
from companion.server.device_book import Device
from companion.server.pages import ASK_IN, KEEPS_ROLE, TOO_MANY, WRONG_TOKEN, own_page
from companion.server.pairing import COOKIE_SECONDS, Pairing
from companion.server.stream import OpenStreams
from companion.server.throttle import Throttle

__all__ = ["INVITED_MINUTES", "device_routes", "pair_routes"]

INVITED_MINUTES = 10.0
"""A code shown by an owner's phone holds for so long."""
WRONG_CODES = 10
"""Wrong codes from one address within `WRONG_CODES_S` seconds, before it has to wait."""
WRONG_CODES_S = 60.0

Newest = Callable[[], Snapshot | None]

_PLACES = {"table": "/", "board": "/board", "overlay": "/overlay", "setup": "/setup.html"}
"""Where a device goes that has been let in."""
_KINDS = ("iPhone", "iPad", "Android", "OBS", "Windows", "Macintosh", "CrOS", "Linux")


def pair_routes(pairing: Pairing, newest: Newest, unset: Callable[[], bool] = lambda: False) -> Blueprint:
    """Build the routes by which devices come in; they need no cookie.

    Args:
        pairing: Knows codes and devices.
        newest: Gives the whole of what could be shown now.
        unset: Whether the camera is still to be set up: then an owner is led there.
    """
    routes = Blueprint("pair", __name__)
    throttle = Throttle(WRONG_CODES, WRONG_CODES_S)

    def turned_away() -> Response | None:
        wait_s = throttle.wait_s(request.remote_addr or "")
        if not wait_s:
            return None
        refused = own_page(TOO_MANY, 429)
        refused.headers["Retry-After"] = str(int(wait_s) + 1)
        return refused

    def wrong(place: str | None) -> Response:
        where = _PLACES[place or "table"]
        if pairing.recognised(request.cookies) is not None:
            return Response(status=303, headers={"Location": where})  # it is in already: no guess
        throttle.note(request.remote_addr or "")
        return own_page(WRONG_TOKEN, 401, place=where)

    @routes.get("/pair")
    def ask() -> Response:
        if (refused := turned_away()) is not None:
            return refused
        token, place = request.args.get("token", ""), _place(request.args.get("to", ""))
        if not pairing.knows(token):
            return wrong(place)
        return own_page(ASK_IN, 200, token=token, to=place)

    @routes.post("/pair")
    def admit() -> Response:
        if (refused := turned_away()) is not None:
            return refused
        known = pairing.recognised(request.cookies)
        role = pairing.role_of(request.form.get("token", ""))
        if known is not None and role is not None and keeps_role(known.role, role, newest()):
            return own_page(KEEPS_ROLE, 409)
        name = _kind(request.headers.get("User-Agent", ""))
        admitted = pairing.admit(request.form.get("token", ""), name, known)
        place = _place(request.form.get("to", ""))
        if admitted is None:
            return wrong(place)
        device, cookie = admitted
        place = place or ("board" if device.role is Role.BOARD else "table")
        if place == "table" and device.owner and unset():
            place = "setup"
        response = Response(status=303, headers={"Location": _PLACES[place]})
        if cookie:
            response.set_cookie(
                pairing.cookie, cookie, max_age=COOKIE_SECONDS, httponly=True, samesite="Strict", path="/"
            )
        return response

    return routes


def device_routes(
    pairing: Pairing,
    streams: OpenStreams,
    changed: Callable[[], None],
    listens: str,
    newest: Newest,
) -> Blueprint:
    """Build the routes of the paired devices.

    Args:
        pairing: Knows the devices.
        streams: Knows which of them look on now.
        changed: Called when a device was sent away or has another role.
        listens: The address on which the server listens.
        newest: Gives the whole of what could be shown now.
    """
    routes = Blueprint("devices", __name__, url_prefix="/api")

    @routes.get("/me")
    def me() -> Response:
        device, whole = asking(), newest()
        table = "" if whole is None else whole.table
        return answer(
            {"device": device.number, "role": device.role.value, "owner": device.owner, "table": table}
        )

    @routes.get("/devices")
    def index() -> Response:
        own = asking()
        return answer(
            {
                "devices": [_shown(each, own, streams.has(each.number)) for each in pairing.book.devices()],
                "roles": [role.value for role in Role],
                "owner": own.owner,
            }
        )

    @routes.post("/devices")
    def change() -> Response:
        if not asking().owner:
            return refusal(403, "only the owner's device lets others in and sends them away", "not_yours")
        asked = asked_fields(asking_for(), _ASKED)
        if asked["type"] == "invite":
            return answer(_invitation(asked, listens, pairing), 201)
        number = asked["device"]
        if not isinstance(number, str):
            raise InvalidCommandError(f"device: expected a text, got {number!r:.80}")
        if asked["type"] == "revoke":
            done = pairing.book.remove(number)
        else:
            role, device = _role(asked["role"]), pairing.book.device(number)
            if device is not None and keeps_role(device.role, role, newest()):
                return refusal(409, "while this hand is played a player's device keeps its role", "not_yours")
            done = pairing.book.change(number, role)
        if not done:
            return refusal(404, "there is no such device (any more)", "no_device")
        changed()
        return answer({"done": asked["type"]}, 201)

    return routes


def _invitation(asked: dict[str, Any], listens: str, pairing: Pairing) -> dict[str, Any]:
    role, owner, to = _role(asked["role"]), asked.get("owner", False), asked.get("to", "")
    if not isinstance(owner, bool):
        raise InvalidCommandError(f"owner: expected true or false, got {owner!r:.80}")
    if to and _place(to) is None:
        raise InvalidCommandError(f"to: {to!r:.80} is none of {', '.join(_PLACES)}")
    code = pairing.invite(role, owner=owner, minutes=INVITED_MINUTES)
    link = link_to(_reachable(request.host, listens), code.token, to)
    return {"link": link, "qr": qr_picture(link), "minutes": int(INVITED_MINUTES), "role": role.value}


def _reachable(host: str, listens: str) -> str:
    """The address under which another device in the network finds what this one found under `host`."""
    name = without_port(host)
    try:
        here = name.lower() == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        here = False
    if not here or listens not in EVERYWHERE:
        return host
    port = host[len(name) + (2 if host.startswith("[") else 0) :]
    return f"{lan_address()}{port}"


def _shown(device: Device, own: Device, here: bool) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "role": device.role.value,
        "name": device.name,
        "owner": device.owner,
        "here": here,
        "own": device.number == own.number,
    }
    return {"device": device.number, "since": device.since, **shown} if own.owner else shown


_ASKED: Asked = {
    "invite": ({"role"}, {"owner", "to", "key"}),
    "revoke": ({"device"}, {"key"}),
    "role": ({"device", "role"}, {"key"}),
}


def _role(value: object) -> Role:
    try:
        return Role(value)
    except ValueError:
        raise InvalidCommandError(
            f"role: {value!r:.80} is none of {', '.join(role.value for role in Role)}"
        ) from None


def _place(value: object) -> str | None:
    return value if isinstance(value, str) and value in _PLACES else None


def _kind(agent: str) -> str:
    return next((kind for kind in _KINDS if re.search(rf"\b{kind}\b", agent)), "")
