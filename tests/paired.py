"""Phones that have been let in: what tests of server and page share."""

from __future__ import annotations

from pathlib import Path

from flask.testing import FlaskClient

from companion.live.snapshot import Role
from companion.server.device_book import DeviceBook
from companion.server.pairing import COOKIE, Pairing

ORIGIN = {"Origin": "http://localhost"}


def pairing_in(folder: Path) -> Pairing:
    """Pairing with the devices kept in `folder`."""
    return Pairing(DeviceBook(folder / "devices.sqlite"))


def pair(
    client: FlaskClient, pairing: Pairing, role: Role = Role.TABLE, *, owner: bool = False
) -> FlaskClient:
    """Let a client in as its page does; returns it."""
    code = pairing.invite(role, owner=owner)
    answer = client.post("/pair", data={"token": code.token}, headers=ORIGIN)
    if answer.status_code != 303:
        raise LookupError(f"not let in: {answer.status_code}")
    return client


def cookie_of(pairing: Pairing, role: Role = Role.TABLE, *, owner: bool = False) -> str:
    """The Cookie header of a device that has been let in."""
    admitted = pairing.admit(pairing.invite(role, owner=owner).token)
    if admitted is None:
        raise LookupError("a new code was refused")
    return f"{COOKIE}={admitted[1]}"
