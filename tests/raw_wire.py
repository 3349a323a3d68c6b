"""A table whose raw streams are read, one for every role: what crosses the wire, byte for byte."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from paired import ORIGIN, pair, pairing_in
from scripted_table import Script, ScriptedDecoders

from companion.live.command import NewMatch
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet
from companion.server.app import create_app
from companion.server.pairing import Pairing
from companion.store.log import EventLog

CARD = re.compile(rb"(?<![A-Za-z0-9])[AKQJT9][HDCS](?![A-Za-z0-9])")
PLAYERS = (Role.SOUTH, Role.NORTH, Role.TABLE)
LOOKERS = (Role.SPECTATOR, Role.BOARD)
MODES = {
    "training": FairPlay(),
    "own_count": FairPlay("own_count"),
    "last_trick": FairPlay("last_trick"),
    "tournament": FairPlay("tournament"),
    "broadcast": FairPlay("broadcast", 2, "tricks"),
}


class Wire:
    """A table, and a raw stream of every role that is read event by event."""

    def __init__(self, folder: Path, fair: FairPlay, script: Script, **more) -> None:
        log = EventLog(folder / "table.sqlite")
        self.table = LiveTable(log, ScriptedDecoders(script), rules=RuleSet(), source="script", **more)
        self.table.submit(NewMatch(fair=fair))
        self.pairing: Pairing = pairing_in(folder)
        self.app = create_app(self.table, self.pairing)
        self.clients = {role: pair(self.app.test_client(), self.pairing, role) for role in Role}
        self.streams = {role: self.clients[role].get("/api/events").iter_encoded() for role in Role}
        self.newest: dict[Role, dict[str, Any]] = {}
        self.raw = b""

    def close(self) -> None:
        """Close the table."""
        self.table.close()

    def read(self, role: Role) -> dict[str, Any]:
        """Read the raw stream of `role` as far as there is any; returns the newest snapshot on it."""
        self.raw = b""
        for chunk in self.streams[role]:
            if b"event: beat" in chunk:
                return self.newest[role]
            self.raw += chunk
            if b"event: snapshot" in chunk:
                self.newest[role] = json.loads(chunk.partition(b"data: ")[2])
        raise LookupError("the stream has ended")

    def cards(self) -> set[str]:
        """Every card that is named in what was read last, wherever it stands."""
        return {code.decode() for code in CARD.findall(self.raw)}

    def now(self, role: Role) -> dict[str, Any]:
        """What a phone with `role` gets that asks once."""
        return json.loads(self.clients[role].get("/api/snapshot").data)

    def preview(self, role: Role, **edit: object):
        """Ask as a phone with `role` what an edit would come to."""
        return self.clients[role].post("/api/corrections/preview", json=edit, headers=ORIGIN)

    def post(self, role: Role, **command: object):
        """Press as a phone with `role`."""
        return self.clients[role].post("/api/commands", json=command, headers=ORIGIN)
