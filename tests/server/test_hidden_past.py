"""Where something is hidden: what players neither find out nor undo."""

from __future__ import annotations

from pathlib import Path

import pytest
from paired import ORIGIN, pair, pairing_in
from raw_wire import MODES
from scripted_table import HAND, PLAYED, ScriptedDecoders, dealt_and, timed, view_at
from staged_optics import StagedOptics, detection, table_picture

from companion.live.command import NewHand, NewMatch
from companion.live.eyes import Eyes
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.cards import Card, Player
from companion.rules.event_form import event_to_json
from companion.rules.events import CardPlayed, Dealt
from companion.rules.ruleset import RuleSet
from companion.server.app import create_app
from companion.store.log import EventLog
from companion.table.entry import Asked

SEATS = (Role.SOUTH, Role.NORTH)
CLAIMANT = int(HAND[-1].player)
WINS, LOSES = SEATS[CLAIMANT], SEATS[1 - CLAIMANT]
PLAYS = [at for at, event in enumerate(PLAYED) if isinstance(event, CardPlayed)]
UNPLAYED = [card for card in RuleSet().pack if all(getattr(event, "card", None) != card for event in HAND)]


def owner_of(wire, role: Role):
    """A device with `role` that lets in the others."""
    return pair(wire.app.test_client(), wire.pairing, role, owner=True)


def sent(client, **command):
    """What the table answers a device."""
    return client.post("/api/commands", json=command, headers=ORIGIN)


def is_refused(answer) -> bool:
    """Whether only others may do that."""
    return (answer.status_code, answer.get_json().get("reason")) == (409, "not_yours")


@pytest.mark.parametrize("mode", ["own_count", "tournament"])
def test_no_answer_of_a_player_opens_a_hand_again_that_everybody_has_seen(open_wire, mode: str) -> None:
    """As little as a correction: whoever lost a claim would play on. The referee's answer counts."""
    opened = 0
    for place in PLAYS[:6]:
        read = PLAYED[place]
        for other in UNPLAYED:
            asked = Asked(0, place + 1.5, "which_card", place + 1, (read, CardPlayed(read.player, other)))
            script = sorted([*timed(PLAYED), (place + 1.5, asked)], key=lambda each: each[0])
            wire = open_wire(mode, script)
            wire.table.see(view_at(len(PLAYED) + 0.5))
            wire.post(WINS, type="claim", player=CLAIMANT)
            before = wire.now(LOSES)
            if not before["questions"] or not before["hand"]["over"]:
                continue
            (question,) = before["questions"]
            answer = wire.post(LOSES, type="answer", seq=question["seq"], option=1)
            assert wire.now(LOSES)["hand"]["over"]
            if is_refused(answer):
                opened += 1
                judged = wire.post(Role.REFEREE, type="answer", seq=question["seq"], option=1)
                assert judged.status_code == 201
    assert opened


def test_a_player_who_renames_a_card_changes_no_other(open_wire) -> None:
    """That an earlier card must have been misread then is the referee's to say."""
    lead = PLAYS[-2]
    wire = open_wire("last_trick")
    wire.table.see(view_at(lead + 1.0))
    player = SEATS[PLAYED[lead].player]
    seq = wire.now(player)["last"]["seq"]
    earlier = event_to_json(CardPlayed(PLAYED[lead].player, PLAYED[PLAYS[0]].card))
    before = wire.table.standing().hand.events
    assert is_refused(wire.post(player, type="correct", seq=seq, event=earlier))
    assert wire.table.standing().hand.events == before
    free = event_to_json(CardPlayed(PLAYED[lead].player, UNPLAYED[0]))
    assert wire.post(player, type="correct", seq=seq, event=free).status_code == 201


def test_in_a_tournament_a_player_names_a_card_only_where_that_is_asked(open_wire) -> None:
    """The phone shows no card: nothing on it can be wrong."""
    lead = PLAYS[2]
    read = PLAYED[lead]
    named = event_to_json(CardPlayed(read.player, UNPLAYED[0]))
    wire = open_wire("tournament")
    wire.table.see(view_at(lead + 1.0))
    seq = wire.now(Role.TABLE)["last"]["seq"]
    assert is_refused(wire.post(Role.TABLE, type="correct", seq=seq, event=named))
    asked = Asked(0, lead + 1.2, "which_card", lead + 1, (read, CardPlayed(read.player, UNPLAYED[0])))
    wire = open_wire("tournament", sorted([*timed(PLAYED), (lead + 1.2, asked)], key=lambda each: each[0]))
    wire.table.see(view_at(lead + 1.5))
    (question,) = wire.now(Role.TABLE)["questions"]
    assert wire.post(Role.TABLE, type="correct", seq=question["about"], event=named).status_code == 201


@pytest.mark.parametrize("role", [Role.SOUTH, Role.TABLE])
def test_no_preview_names_what_the_phone_does_not_show(open_wire, role: Role) -> None:
    """Neither to an owner who says what the hand paid nor to a player who takes a card back."""
    wire = open_wire("tournament")
    wire.table.see(view_at(PLAYS[2] + 1.0))
    owner = owner_of(wire, role)
    paid = {"type": "agreed", "winner": 0, "game_points": 1}
    for entry in wire.table.standing().hand.events:
        for event in (paid, None):
            edit = {"type": "correct", "seq": entry.seq, "event": event}
            answer = owner.post("/api/corrections/preview", json=edit, headers=ORIGIN)
            if answer.status_code == 200:
                assert [change["was"] for change in answer.get_json()["changes"]] == [None]
            else:
                assert is_refused(answer)
    last = wire.table.standing().hand.events[-1].seq
    edit = {"type": "insert", "after": last, "event": paid}
    assert owner.post("/api/corrections/preview", json=edit, headers=ORIGIN).status_code == 200


@pytest.mark.parametrize("claimed", [False, True])
def test_a_result_that_was_entered_is_not_turned_into_a_hand_that_goes_on(open_wire, claimed: bool) -> None:
    """By way of a hand given up, which may be taken up again: its owner has seen everything by then."""
    wire = open_wire("tournament")
    wire.table.see(view_at(len(PLAYED) + 0.5 if claimed else 6.0))
    owner = owner_of(wire, LOSES)
    last = wire.table.standing().hand.events[-1].seq
    paid = {"type": "agreed", "winner": 0, "game_points": 1}
    if claimed:
        wire.post(WINS, type="claim", player=CLAIMANT)
        claim = wire.table.standing().hand.events[-1].seq
        assert sent(owner, type="correct", seq=claim, event=paid).status_code == 201
    else:
        assert sent(owner, type="insert", after=last, event=paid).status_code == 201
    seq = wire.table.standing().hand.events[-1].seq
    assert is_refused(sent(owner, type="correct", seq=seq, event={"type": "given_up"}))
    assert is_refused(sent(owner, type="correct", seq=seq, event=None))
    assert wire.table.standing().hand.state.agreed


def test_the_loser_does_not_call_the_next_hand_while_the_winner_may_claim(open_wire) -> None:
    """Counts are hidden: nobody but the winner knows, and dealt cards would take it from him."""
    plays = dealt_and("JH", "AS", "TS", "AC", "TC", "AD", "TD", "KC", "JD", "TH", "KD", close=True)
    wire = open_wire("tournament", timed(plays))
    wire.table.see(view_at(len(plays) + 0.5))
    sides = wire.now(Role.REFEREE)["hand"]["sides"]
    (may,) = (player for player in Player if "claim" in sides[player]["may"])
    assert [wire.now(SEATS[each])["may_deal"] for each in (may, may.other)] == [True, False]
    assert is_refused(wire.post(SEATS[may.other], type="new_hand"))
    assert is_refused(sent(owner_of(wire, SEATS[may.other]), type="new_hand"))
    assert wire.post(SEATS[may], type="claim", player=int(may)).status_code == 201
    assert wire.now(SEATS[may.other])["may_deal"] is True
    assert wire.post(SEATS[may.other], type="new_hand").status_code == 201


def test_who_deals_next_does_not_tell_who_has_won(open_wire) -> None:
    """Where the winner deals, the phones of a hand that is not open yet do not say who."""
    wire = open_wire("tournament")
    wire.table.see(view_at(len(PLAYED) + 0.5))
    for role in (*SEATS, Role.TABLE, Role.SPECTATOR):
        assert wire.now(role)["match"]["next_dealer"] is None
    assert wire.now(Role.REFEREE)["match"]["next_dealer"] is not None
    wire.post(WINS, type="claim", player=CLAIMANT)
    assert wire.now(Role.SOUTH)["match"]["next_dealer"] is not None


def test_no_player_looks_at_everything_under_another_role(open_wire) -> None:
    """Neither by changing it and back, nor with another code; between hands both go."""
    wire = open_wire("tournament")
    owner = owner_of(wire, Role.SOUTH)
    number = owner.get("/api/me").get_json()["device"]

    def become(role: str):
        asked = {"type": "role", "device": number, "role": role}
        return owner.post("/api/devices", json=asked, headers=ORIGIN)

    wire.table.see(view_at(6.0))
    for role in ("referee", "north", "table"):
        assert is_refused(become(role))
    code = wire.pairing.invite(Role.REFEREE)
    assert owner.post("/pair", data={"token": code.token}, headers=ORIGIN).status_code == 409
    assert owner.get("/api/me").get_json()["role"] == "south"
    wire.table.see(view_at(len(PLAYED) + 0.5))
    wire.post(WINS, type="claim", player=CLAIMANT)
    assert owner.post("/pair", data={"token": code.token}, headers=ORIGIN).status_code == 303
    assert become("south").status_code == 201


def test_whoever_asks_without_a_stream_is_listed_as_looking_on(open_wire) -> None:
    """Nobody looks on unnoticed."""
    wire = open_wire("tournament")
    code = wire.pairing.invite(Role.REFEREE)
    quiet = wire.app.test_client()
    quiet.post("/pair", data={"token": code.token}, headers=ORIGIN)
    here = [each["here"] for each in quiet.get("/api/devices").get_json()["devices"] if each["own"]]
    quiet.get("/api/snapshot")
    now = [each["here"] for each in quiet.get("/api/devices").get_json()["devices"] if each["own"]]
    assert (here, now) == ([False], [True])


def test_a_hand_is_not_taken_up_again_after_a_look_through_the_camera(tmp_path: Path) -> None:
    """Given up, looked at and taken up again would be a look into it; without a look it is taken up."""
    optics = StagedOptics(
        tmp_path,
        {"0": table_picture(((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85)))},
        detection("KH", 320, 180),
    )
    for looks in (False, True):
        folder = tmp_path / str(looks)
        folder.mkdir()
        log = EventLog(folder / "table.sqlite")
        with LiveTable(log, ScriptedDecoders(timed(PLAYED)), rules=RuleSet()) as table:
            table.submit(NewMatch(fair=MODES["tournament"]))
            pairing = pairing_in(folder)
            eyes = Eyes(table, optics, folder / "setup.json", None)
            app = create_app(table, pairing, eyes=eyes)
            owner = pair(app.test_client(), pairing, Role.TABLE, owner=True)
            table.see(view_at(6.0))
            assert owner.get("/api/setup/look").status_code == 403
            assert sent(owner, type="new_hand").status_code == 201
            if looks:
                assert owner.get("/api/setup/look").status_code == 200
            seq = owner.get("/api/snapshot").get_json()["last"]["seq"]
            assert sent(owner, type="undo", seq=seq).status_code == (409 if looks else 201)


def test_nor_after_a_restart_before_which_somebody_may_have_looked(tmp_path: Path) -> None:
    """What was looked at is written down nowhere; a referee knows whether it matters."""
    path, script = tmp_path / "table.sqlite", timed(PLAYED)
    with LiveTable(EventLog(path), ScriptedDecoders(script), rules=RuleSet()) as table:
        table.submit(NewMatch(fair=MODES["tournament"]))
        table.see(view_at(6.0))
        table.submit(NewHand())
    with LiveTable(EventLog(path), ScriptedDecoders([]), rules=RuleSet()) as table:
        pairing = pairing_in(tmp_path)
        app = create_app(table, pairing)
        owner, referee = (
            pair(app.test_client(), pairing, role, owner=role is Role.TABLE)
            for role in (Role.TABLE, Role.REFEREE)
        )
        seq = owner.get("/api/snapshot").get_json()["last"]["seq"]
        assert sent(owner, type="undo", seq=seq).status_code == 409
        assert sent(referee, type="undo", seq=seq).status_code == 201


def test_a_hand_given_up_opens_with_the_next_deal_on_every_page(open_wire) -> None:
    """Its course and its review tell it from the same moment on."""
    hands = [*timed(PLAYED), *timed([Dealt(Player.NORTH, Card.parse("QS"))], 101.0)]
    wire = open_wire("tournament", hands)
    wire.table.see(view_at(6.0))
    wire.post(Role.TABLE, type="new_hand")
    seq = wire.table.standing().hands[0].events[1].seq
    path = f"/api/corrections/{seq}"
    missed = f"{path}/missed"
    assert [wire.clients[Role.SOUTH].get(each).status_code for each in (path, missed)] == [403, 403]
    wire.table.see(view_at(102.0))
    assert len(wire.table.standing().hands) == 2
    found = wire.clients[Role.SOUTH].get(path)
    assert (found.status_code, wire.clients[Role.SOUTH].get(missed).status_code) == (200, 200)
    first, second, *_ = (each.seq for each in wire.table.standing().hands[0].events)
    assert (found.json["before"], seq) == (first, second)
    assert wire.clients[Role.SOUTH].get(f"/api/corrections/{first}").json["before"] is None
