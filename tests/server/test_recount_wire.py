"""Counting again over the wire: who is heard, and who is told."""

from __future__ import annotations

import pytest
from raw_wire import MODES, PLAYERS
from scripted_table import HAND, view_at

from companion.live.command import Claim
from companion.live.snapshot import Role

CLAIMANT = HAND[-1].player
OTHER = CLAIMANT.other
OWN = {0: Role.SOUTH, 1: Role.NORTH}


@pytest.mark.parametrize("mode", MODES)
def test_who_asks_is_told_to_all_and_nobody_else_ends_it(open_wire, mode: str) -> None:
    """In every mode: lookers-on are not heard, and a phone cannot speak for the other player."""
    wire = open_wire(mode)
    claimant, other = OWN[CLAIMANT], OWN[OTHER]
    asked = {"type": "recount", "player": int(OTHER)}
    wire.table.see(view_at(len(HAND) + 1.0))
    assert wire.post(other, **asked).status_code == 409
    wire.table.submit(Claim(CLAIMANT))
    for role in (Role.SPECTATOR, Role.BOARD):
        assert wire.post(role, **asked).status_code == 403
    answer = wire.post(claimant, **asked)
    assert (answer.status_code, answer.json["reason"]) == (409, "not_yours")
    assert wire.now(other)["hand"]["recount"] is None
    assert wire.post(other, **asked).status_code == 201
    for role in (*PLAYERS, Role.REFEREE):
        assert wire.read(role)["hand"]["recount"] == {"player": int(OTHER), "right": False}
    for player in (CLAIMANT, OTHER):
        answer = wire.post(claimant, type="recount", player=int(player), right=True)
        assert (answer.status_code, answer.json["reason"]) == (409, "not_yours")
    assert wire.post(other, **asked, right=True).status_code == 201
    for role in (*PLAYERS, Role.REFEREE):
        assert wire.read(role)["hand"]["recount"]["right"] is True


def test_the_picture_of_a_question_is_for_whoever_is_asked(open_wire) -> None:
    """What is not asked, or not on this phone, has none there; a looker-on is refused."""
    wire = open_wire("training")
    for role in PLAYERS:
        answer = wire.clients[role].get("/api/corrections/questions/99/picture")
        assert (answer.status_code, "99" in answer.json["error"]) == (404, True)
    assert wire.clients[Role.SPECTATOR].get("/api/corrections/questions/99/picture").status_code == 403


def test_a_looker_on_is_told_but_sees_no_picture(open_wire) -> None:
    """A screen shows who counts again; the table's pictures are for those who play."""
    wire = open_wire("training")
    wire.table.see(view_at(len(HAND) + 1.0))
    wire.table.submit(Claim(CLAIMANT))
    assert wire.post(Role.TABLE, type="recount", player=int(OTHER)).status_code == 201
    seq = wire.now(Role.TABLE)["hand"]["events"][1]["seq"]
    for role in (Role.SPECTATOR, Role.BOARD):
        assert wire.read(role)["hand"]["recount"] == {"player": int(OTHER), "right": False}
        assert wire.clients[role].get(f"/api/corrections/{seq}/picture").status_code == 403
