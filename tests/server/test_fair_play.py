"""Fair play on the wire: what each role's raw stream holds through whole hands, in each mode."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Clock
from paired import ORIGIN, pair
from raw_wire import CARD, LOOKERS, MODES, PLAYERS
from scripted_table import HAND, PLAYED, ScriptedDecoders, dealt_and, random_hand, timed, view_at

from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.rules.cards import Card, Player
from companion.rules.event_form import event_to_json
from companion.rules.events import CardPlayed, Claimed, Dealt, Event, Exchanged, GivenUp, MarriageDeclared
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet
from companion.server.app import create_app
from companion.server.device_book import DeviceBook
from companion.store.album import Album
from companion.store.log import EventLog
from companion.table.entry import Asked, Unseen

ENDED = ("over", "given_up")
COUNTS = ("tricks", "cards", "marriages", "pending", "bonus", "total", "left")


def tricks(events: tuple[Event, ...]) -> int:
    """Tricks that are complete after `events`."""
    return sum(isinstance(event, CardPlayed) for event in events) // 2


def cards_of(events: tuple[Event, ...]) -> list[Card]:
    """The cards played in `events`."""
    return [event.card for event in events if isinstance(event, CardPlayed)]


def told_by(events: tuple[Event, ...]) -> set[str]:
    """Every card that a full account of `events` names."""
    (deal, *rest) = events
    named = {str(deal.turned_up)}
    for event in rest:
        match event:
            case CardPlayed(_, card):
                named.add(str(card))
            case MarriageDeclared(_, suit):
                named |= {f"K{suit.letter}", f"Q{suit.letter}"}
            case Exchanged():
                named.add(f"J{deal.turned_up.suit.letter}")
    return named


def allowed_cards(mode: str, role: Role, events: tuple[Event, ...], turned_up: str | None) -> set[str]:
    """Cards that may be named to `role` after `events`."""
    if mode == "broadcast" and not role.presses:
        old = events
        while tricks(old) > tricks(events) - 2 and old:
            old = old[:-1]
        return told_by(old) if old else set()
    plays = [str(event.card) for event in events if isinstance(event, CardPlayed)]
    lying, before = plays[2 * tricks(events) :], plays[: 2 * tricks(events)][-2:]
    up = [turned_up] if turned_up else []
    if mode == "own_count":
        return {*up, *lying}
    return {*up, *lying, *before} if mode == "last_trick" else set()


@pytest.mark.parametrize("mode", [mode for mode in MODES if mode != "training"])
def test_no_stream_holds_what_its_role_may_not_know(open_wire, mode: str) -> None:
    """Through a whole hand, byte for byte: cards beyond those allowed never cross the wire, nor do counts."""
    wire = open_wire(mode)
    named: dict[Role, set[str]] = {role: set() for role in Role}
    for step in range(1, len(PLAYED) + 1):
        wire.table.see(view_at(float(step)))
        full = wire.read(Role.REFEREE)["hand"]
        for role in (*PLAYERS, *LOOKERS):
            hand = wire.read(role)["hand"]
            cards = wire.cards()
            assert cards <= allowed_cards(mode, role, PLAYED[:step], full["turned_up"]), (role, step)
            named[role] |= cards
            if mode == "broadcast" and not role.presses:
                assert hand is None or tricks(PLAYED[: len(hand["events"])]) <= tricks(PLAYED[:step]) - 2
                continue
            for player, side in enumerate(hand["sides"]):
                if mode == "own_count" and role.seat == player:
                    assert side["total"] == full["sides"][player]["total"]
                else:
                    assert [side[name] for name in COUNTS] == [None] * len(COUNTS)
                assert side["working"] == side["may_show"] == []
            assert hand["events"] == hand["breaches"] == []
            if mode in ("tournament", "broadcast"):
                assert (hand.pop("checked"), hand.pop("asked")) == ("verified", 0)
                assert (hand.pop("unseen"), hand.pop("vouched")) == ([], [])
                told = {name for name, value in hand.items() if value not in (None, [], False) or value == 0}
                assert told <= {"trump", "on_lead", "to_play", "number", "dealer", "sides", *ENDED}
    silent = {"tournament": (*PLAYERS, *LOOKERS), "broadcast": PLAYERS}.get(mode, ())
    for role in (*PLAYERS, *LOOKERS):
        assert (named[role] == set()) is (role in silent)


def test_what_a_closed_stock_pays_by_is_seen_by_whose_points_they_are(open_wire) -> None:
    """Who closed lies on the table; what the other had then is told by that one's phone alone."""
    wire = open_wire("own_count", timed(dealt_and("JD", "AH", "KH", "AS", "JS", close=True)))
    wire.table.see(view_at(9.0))
    whole = wire.now(Role.REFEREE)["hand"]["closed"]
    assert whole["player"] == int(Player.NORTH)
    assert None not in whole.values()

    assert wire.now(Role.SOUTH)["hand"]["closed"] == whole
    for role in (Role.NORTH, Role.TABLE, *LOOKERS):
        closed = wire.now(role)["hand"]["closed"]
        assert closed == {**dict.fromkeys(whole), "player": whole["player"]}, role


def test_an_exchange_is_offered_on_lead_whoever_holds_the_jack(open_wire) -> None:
    """Where cards are hidden a phone does not tell by it what could be exchanged, only whose lead it is."""

    def offered(events: list[Event]) -> list[bool]:
        wire = open_wire("tournament", timed(events))
        wire.table.see(view_at(len(events) + 1.0))
        sides = [wire.now(role)["hand"]["sides"][role.seat] for role in (Role.SOUTH, Role.NORTH)]
        return ["exchange" in side["may"] for side in sides]

    assert offered(dealt_and("JD", "AH", "KH")) == [False, True]
    assert offered(dealt_and("AD", "AH", "KH", "AS")) == [False, False]
    assert offered(dealt_and("AD", "AH", "KH", close=True)) == [False, False]


def test_in_training_everybody_is_told_everything(open_wire) -> None:
    """Each stream has every event and both counts as the referee's has them."""
    wire = open_wire("training")
    wire.table.see(view_at(float(len(PLAYED))))
    full = wire.read(Role.REFEREE)["hand"]
    for role in (*PLAYERS, *LOOKERS):
        hand = wire.read(role)["hand"]
        assert [told["event"] for told in hand["events"]] == [event_to_json(event) for event in PLAYED]
        assert [side["total"] for side in hand["sides"]] == [side["total"] for side in full["sides"]]


@pytest.mark.parametrize("mode", MODES)
def test_the_claim_opens_the_hand_to_everybody(open_wire, mode: str) -> None:
    """After the claim each stream has both counts and the sum behind them, lookers-on of a broadcast too."""
    wire = open_wire(mode)
    wire.table.see(view_at(float(len(PLAYED))))
    claimant = int(HAND[-1].player)
    own = (Role.SOUTH, Role.NORTH)[claimant]
    assert wire.post(own, type="claim", player=claimant).status_code == 201
    for role in Role:
        hand = wire.read(role)["hand"]
        assert hand["verdict"]["player"] == claimant
        assert all(side["total"] for side in hand["sides"])
        assert len(hand["events"]) == len(HAND)


@pytest.mark.parametrize("mode", ["own_count", "last_trick", "tournament", "broadcast"])
def test_what_was_shown_at_the_end_cannot_be_unseen(open_wire, mode: str) -> None:
    """A claim is not taken back by a player who has seen both counts; a referee may."""
    wire = open_wire(mode)
    wire.table.see(view_at(float(len(PLAYED))))
    claimant = int(HAND[-1].player)
    wire.post(Role.TABLE, type="claim", player=claimant)
    events = wire.now(Role.REFEREE)["hand"]["events"]
    for role in PLAYERS:
        assert wire.now(role)["last"] is None
        for command in (
            {"type": "undo", "seq": events[-1]["seq"]},
            {"type": "correct", "seq": events[-1]["seq"], "event": None},
        ):
            answer = wire.post(role, **command)
            assert (answer.status_code, answer.get_json()["reason"]) == (409, "not_yours")
    assert wire.post(Role.REFEREE, type="undo", seq=events[-1]["seq"]).status_code == 201


@pytest.mark.parametrize("mode", ["own_count", "last_trick", "tournament", "broadcast"])
def test_a_claim_is_not_turned_into_another_end_by_who_has_seen_both_counts(open_wire, mode: str) -> None:
    """Neither given up nor the other player's: the hand would go on. A card may still be named rightly."""
    wire = open_wire(mode)
    wire.table.see(view_at(float(len(PLAYED))))
    claimant = int(HAND[-1].player)
    own = (Role.SOUTH, Role.NORTH)[claimant]
    wire.post(own, type="claim", player=claimant)
    events = wire.now(Role.REFEREE)["hand"]["events"]
    claim, play = events[-1]["seq"], next(told for told in events if told["event"]["type"] == "play")
    played = {getattr(event, "card", None) for event in HAND}
    unused = next(str(card) for card in RuleSet().pack if card not in played)
    for event in ({"type": "given_up"}, {"type": "claim", "player": 1 - claimant}):
        command = {"type": "correct", "seq": claim, "event": event}
        for answer in (wire.post(own, **command), wire.preview(own, **command)):
            assert (answer.status_code, answer.get_json()["reason"]) == (409, "not_yours")
    assert wire.now(Role.REFEREE)["hand"]["verdict"]["player"] == claimant
    named = {"type": "correct", "seq": play["seq"], "event": {**play["event"], "card": unused}, "key": "once"}
    assert [wire.post(own, **named).status_code for _ in range(2)] == [201, 201]
    given_up = {"type": "correct", "seq": claim, "event": {"type": "given_up"}}
    corrected = wire.now(Role.REFEREE)["hand"]["events"][-1]["seq"]
    assert wire.post(Role.REFEREE, **{**given_up, "seq": corrected}).status_code == 201


@pytest.mark.parametrize("mode", ["own_count", "tournament"])
def test_a_hand_that_was_given_up_is_not_played_to_its_end_by_who_has_seen_the_next(
    open_wire, mode: str
) -> None:
    """A trick put into it would make it one that pays; whose cards it had stays hidden from players."""
    played = next(hand for hand in map(random_hand, range(300)) if not isinstance(hand[-1], Claimed))
    places = [place for place, event in enumerate(played) if isinstance(event, CardPlayed)]
    given_up = [event for place, event in enumerate(played) if place not in places[6:8]] + [GivenUp()]
    wire = open_wire(mode, [*timed(given_up), *timed(HAND, start=60.0)])
    wire.table.see(view_at(99.0))
    first = wire.table.standing().hands[0]
    assert first.state.given_up
    command = {"type": "insert_trick", "after": first.events[places[5]].seq}
    for answer in (wire.post(Role.SOUTH, **command), wire.preview(Role.SOUTH, **command)):
        assert (answer.status_code, answer.get_json()["reason"]) == (409, "not_yours")
    assert wire.table.standing().hands[0] == first
    assert wire.post(Role.REFEREE, **command).status_code == 201
    assert not wire.table.standing().hands[0].state.given_up


def test_players_may_say_that_a_claim_was_none_when_that_is_asked(open_wire) -> None:
    """The camera took it for said, and asks: the players' own phone has both answers."""
    end = float(len(HAND))
    script = [*timed(HAND), (end + 0.5, Asked(0, end + 0.5, "how_ended", len(HAND), (HAND[-1],)))]
    wire = open_wire("tournament", script)
    wire.table.see(view_at(end + 1.0))
    (question,) = wire.now(Role.TABLE)["questions"]
    assert wire.post(Role.TABLE, type="correct", seq=question["about"], event=None).status_code == 201
    assert wire.now(Role.REFEREE)["hand"]["verdict"] is None


def test_while_a_hand_is_hidden_a_card_that_lies_there_is_made_a_card_only(open_wire) -> None:
    """To say that it was a claim of the other player would end the hand, and show both counts."""
    wire = open_wire("last_trick")
    led = [n for n, event in enumerate(PLAYED) if isinstance(event, CardPlayed)][4]
    wire.table.see(view_at(led + 1.0))
    (laid,) = wire.now(Role.REFEREE)["hand"]["trick"]
    for event in ({"type": "claim", "player": 1 - laid["player"]}, {"type": "given_up"}):
        answer = wire.post(Role.TABLE, type="correct", seq=laid["seq"], event=event)
        assert (answer.status_code, answer.get_json()["reason"]) == (409, "not_yours")


def test_who_pressed_on_the_phone_in_the_middle_is_no_referee(open_wire) -> None:
    """A change is signed by the device that made it."""
    wire = open_wire("training")
    wire.table.see(view_at(float(len(PLAYED))))
    plays = [told for told in wire.now(Role.TABLE)["hand"]["events"] if told["event"]["type"] == "play"]
    played = {getattr(event, "card", None) for event in HAND}
    unused = [str(card) for card in RuleSet().pack if card not in played]
    for role, card in zip((Role.TABLE, Role.REFEREE), unused, strict=False):
        event = {**plays[-1]["event"], "card": card}
        assert wire.post(role, type="correct", seq=plays[-1]["seq"], event=event).status_code == 201
        plays = [told for told in wire.now(role)["hand"]["events"] if told["event"]["type"] == "play"]
        assert plays[-1]["source"] == f"phone:{role.value}"


@pytest.mark.parametrize("mode", ["own_count", "last_trick", "tournament", "broadcast"])
def test_nobody_undoes_what_he_may_not_look_back_at(open_wire, mode: str) -> None:
    """A card that lies there and an own word go back; a taken trick, the deal, and the other's word stay."""
    wire = open_wire(mode)
    refused = 0
    for step, event in enumerate(PLAYED, start=1):
        wire.table.see(view_at(float(step)))
        full = wire.now(Role.REFEREE)
        lies = any(laid["seq"] == full["last"]["seq"] for laid in full["hand"]["trick"])
        for role in (*PLAYERS, Role.TABLE):
            word = not isinstance(event, Dealt | CardPlayed) and role.seat in (None, event.player)
            assert (wire.now(role)["last"] is not None) is (lies or word), (role, event)
            if not (lies or word):
                answer = wire.post(role, type="undo", seq=full["last"]["seq"])
                assert (answer.status_code, answer.get_json()["reason"]) == (409, "not_yours")
                refused += 1
    assert refused
    lead = next(at for at, event in enumerate(PLAYED) if isinstance(event, CardPlayed))
    again = open_wire(mode)
    again.table.see(view_at(float(lead + 1)))
    last = again.now(Role.REFEREE)["last"]["seq"]
    assert again.post(Role.SOUTH, type="undo", seq=last).status_code == 201
    assert again.post(Role.SOUTH, type="undo", seq=again.now(Role.REFEREE)["last"]["seq"]).status_code == 409


@pytest.mark.parametrize("mode", ["own_count", "tournament"])
def test_a_press_whose_answer_was_lost_is_answered_alike_though_it_would_not_pass_now(
    open_wire, mode: str
) -> None:
    """What is last by now may not be taken back; the same press takes nothing more back."""
    wire = open_wire(mode)
    lead = next(at for at, event in enumerate(PLAYED) if isinstance(event, CardPlayed))
    wire.table.see(view_at(float(lead + 1)))
    undo = {"type": "undo", "seq": wire.now(Role.REFEREE)["last"]["seq"]}
    first, again = (wire.post(Role.SOUTH, **undo, key="once") for _ in range(2))

    assert (first.status_code, again.status_code) == (201, 201)
    assert again.get_json() == first.get_json()
    assert wire.post(Role.SOUTH, **undo, key="another").status_code == 409


def test_a_match_is_not_ended_by_a_player_who_does_not_own_the_table(open_wire) -> None:
    """Nor turned into one in which everything is shown; the referee and the phone in the middle may."""
    wire = open_wire("tournament")
    wire.table.see(view_at(6.0))
    asked = {"type": "new_match", "fair": {"mode": "training"}}
    for role in PLAYERS:
        if role.seat is not None:
            answer = wire.post(role, **asked)
            assert (answer.status_code, answer.get_json()["reason"]) == (409, "not_yours")
    assert wire.post(Role.TABLE, type="new_hand").status_code == 201
    assert wire.post(Role.SOUTH, **asked).status_code == 409  # the match goes on without a hand, too
    assert wire.post(Role.REFEREE, **asked).status_code == 201


def test_a_hand_that_is_given_up_shows_nothing(open_wire) -> None:
    """Calling the next hand is no way to look at the counts of this one."""
    wire = open_wire("tournament")
    wire.table.see(view_at(8.0))
    assert wire.post(Role.TABLE, type="new_hand").status_code == 201
    text = wire.clients[Role.SOUTH].get("/api/snapshot").data
    assert CARD.findall(text) == []
    assert json.loads(text)["hand"] is None
    given_up = wire.now(Role.REFEREE)["last"]["seq"]
    assert wire.post(Role.SOUTH, type="undo", seq=given_up).status_code == 201
    assert CARD.findall(wire.clients[Role.SOUTH].get("/api/snapshot").data) == []


@pytest.mark.parametrize("mode", ["own_count", "tournament", "training"])
def test_no_player_breaks_off_a_hand_that_is_hidden(open_wire, mode: str) -> None:
    """Whoever is about to lose it would; before the first card anybody may, and once it is over."""
    for seconds, allowed in ((1.5, True), (8.0, mode == "training")):
        wire = open_wire(mode)
        owner = pair(wire.app.test_client(), wire.pairing, Role.NORTH, owner=True)
        wire.table.see(view_at(seconds))
        answer = wire.post(Role.SOUTH, type="new_hand")
        assert answer.status_code == (201 if allowed else 409)
        assert allowed or answer.get_json()["reason"] == "not_yours"
        assert owner.post("/api/commands", json={"type": "new_hand"}, headers=ORIGIN).status_code == 201
    claimed = open_wire(mode)
    claimed.table.see(view_at(float(len(PLAYED))))
    player = int(HAND[-1].player)
    claimed.post((Role.SOUTH, Role.NORTH)[player], type="claim", player=player)
    assert claimed.post((Role.NORTH, Role.SOUTH)[player], type="new_hand").status_code == 201


def test_questions_of_a_hand_that_is_given_up_are_not_put(open_wire) -> None:
    """Its options would name cards, and the hand may be taken up again; the referee has it all the same."""
    script = asking_script(2)
    wire = open_wire("tournament", script)
    wire.table.see(view_at(next(time for time, what in script if isinstance(what, Asked))))
    wire.post(Role.TABLE, type="new_hand")
    assert len(wire.now(Role.REFEREE)["questions"]) == 1
    for role in (*PLAYERS, *LOOKERS):
        assert CARD.findall(wire.clients[role].get("/api/snapshot").data) == []


def test_a_refusal_does_not_tell_which_cards_are_gone(open_wire) -> None:
    """What cannot be and what is not allowed now are refused in the same words, without a card."""
    wire = open_wire("tournament")
    wire.table.see(view_at(float(len(PLAYED))))
    leads = wire.now(Role.SOUTH)["hand"]["on_lead"]
    role = (Role.SOUTH, Role.NORTH)[leads]
    answers = [wire.post(role, type="marriage", player=leads, suit=suit) for suit in "HDCS"]
    refused = {answer.data for answer in answers if answer.status_code == 409}
    assert refused == {b'{"error":"not now","reason":"against_rules"}'}
    offered = wire.now(role)["hand"]["sides"][leads]
    assert offered["marriage_suits"] in (["H", "D", "C", "S"], [])


@pytest.mark.parametrize("mode", MODES)
def test_a_players_phone_speaks_for_its_player_only(open_wire, mode: str) -> None:
    """South's phone offers and sends south's words; the phone in the middle those of both."""
    wire = open_wire(mode)
    wire.table.see(view_at(float(len(PLAYED))))
    claimant = int(HAND[-1].player)
    own, other = (Role.SOUTH, Role.NORTH)[claimant], (Role.NORTH, Role.SOUTH)[claimant]
    for role, offered in ((own, True), (other, False), (Role.TABLE, True), (Role.REFEREE, True)):
        side = wire.now(role)["hand"]["sides"][claimant]
        assert ("claim" in side["may"]) is offered
    refused = wire.post(other, type="claim", player=claimant)
    assert (refused.status_code, refused.get_json()["reason"]) == (409, "not_yours")
    for role in LOOKERS:
        assert wire.post(role, type="claim", player=claimant).status_code == 403
    assert wire.post(Role.TABLE, type="claim", player=claimant).status_code == 201


def asking_script(about: int) -> list:
    """A hand whose play number `about` (from 0) is asked about when two more events have settled."""
    places = [place for place, event in enumerate(PLAYED) if isinstance(event, CardPlayed)]
    place = places[about]
    real = PLAYED[place]
    unused = [card for card in RuleSet().pack if CardPlayed(real.player, card) not in HAND]
    asked = Asked(0, place + 1.5, "which_card", place + 1, (real, CardPlayed(real.player, unused[0])))
    return sorted([*timed(PLAYED), (place + 1.5, asked)], key=lambda each: each[0])


def test_players_are_asked_about_the_card_that_lies_there_without_a_hint(open_wire) -> None:
    """The question has no options; the card is named from the pack; a card of an earlier trick waits."""
    script = asking_script(2)
    wire = open_wire("tournament", script)
    asked_at = next(time for time, what in script if isinstance(what, Asked))
    wire.table.see(view_at(asked_at))
    (full,) = wire.now(Role.REFEREE)["questions"]
    assert len(full["options"]) == 2
    text = wire.clients[Role.SOUTH].get("/api/snapshot").data
    (cut,) = json.loads(text)["questions"]
    assert (cut["seq"], cut["options"]) == (full["seq"], [])
    assert CARD.findall(text) == []
    assert wire.post(Role.SOUTH, type="answer", seq=full["seq"], option=0).get_json()["reason"] == "not_yours"
    assert wire.now(Role.SPECTATOR)["questions"] == []
    wire.table.see(view_at(asked_at + 3))
    assert wire.now(Role.SOUTH)["questions"] == []
    assert wire.post(Role.REFEREE, type="answer", seq=full["seq"], option=0).status_code == 201


def test_of_what_is_asked_players_see_the_card_and_never_the_whole_table(open_wire, tmp_path: Path) -> None:
    """A picture that was not cut out around a card may show a player's hand; the referee gets that, too."""
    script = asking_script(2)
    at = next(place for place, (_, what) in enumerate(script) if isinstance(what, Asked))
    asked_at, asked = script[at]
    script[at] = asked_at, replace(asked, shows=1.0)
    wire = open_wire("tournament", script)
    wire.table.see(view_at(asked_at))
    seq = wire.now(Role.REFEREE)["questions"][0]["seq"]

    def answered(album: Album) -> dict[Role, int]:
        app = create_app(wire.table, wire.pairing, pictures=album)
        phones = {role: pair(app.test_client(), wire.pairing, role) for role in (*PLAYERS, Role.REFEREE)}
        path = f"/api/corrections/questions/{seq}/picture"
        return {role: phone.get(path).status_code for role, phone in phones.items()}

    (shows,) = (each.shows for each in wire.table.standing().questions)
    with Album(tmp_path / "whole.sqlite", spare_bytes=0) as whole:
        whole.keep(shows, b"table", {})
        assert answered(whole) == {**dict.fromkeys(PLAYERS, 204), Role.REFEREE: 200}
    with Album(tmp_path / "cut.sqlite", spare_bytes=0) as cut:
        cut.keep(shows, b"card", {Card.parse("KH"): -0.1})
        assert set(answered(cut).values()) == {200}


def test_players_do_not_change_what_lies_under_other_cards(open_wire) -> None:
    """Naming an earlier card would tell which cards fit, to an owner too; the lying one is corrected."""
    wire = open_wire("last_trick")
    led = [n for n, event in enumerate(PLAYED) if isinstance(event, CardPlayed)][4]
    wire.table.see(view_at(led + 1.0))
    snapshot = wire.now(Role.REFEREE)
    first = next(told for told in snapshot["hand"]["events"] if told["event"]["type"] == "play")
    refused = wire.post(Role.NORTH, type="correct", seq=first["seq"], event=first["event"])
    assert refused.get_json()["reason"] == "not_yours"
    owner = pair(wire.app.test_client(), wire.pairing, Role.SOUTH, owner=True)
    unread = {"type": "correct", "seq": first["seq"], "event": {**first["event"], "card": None}}
    assert owner.post("/api/commands", json=unread, headers=ORIGIN).get_json()["reason"] == "not_yours"
    (laid,) = snapshot["hand"]["trick"]
    played = {getattr(event, "card", None) for event in HAND}
    unused = next(str(card) for card in RuleSet().pack if card not in played)
    event = {"type": "play", "player": laid["player"], "card": unused}
    assert wire.post(Role.NORTH, type="correct", seq=laid["seq"], event=event).status_code == 201


def test_lookers_on_of_a_broadcast_are_some_seconds_behind(open_wire, clock: Clock) -> None:
    """Nothing of the hand is on their wire before its time; then it comes, in its order."""
    wire = open_wire(FairPlay("broadcast", 30, "seconds"), clock=clock)
    counted = []
    for step in range(1, len(PLAYED) + 1):
        wire.table.see(view_at(float(step)))
        text = wire.clients[Role.BOARD].get("/api/snapshot").data
        hand = json.loads(text)["hand"]
        counted.append(0 if hand is None else len(hand["events"]))
        clock.now += 10
    assert counted[:3] == [0, 0, 0]
    assert counted[3:] == list(range(1, len(PLAYED) - 2))
    assert wire.clients[Role.SOUTH].get("/api/snapshot").get_json()["hand"]["events"] == []


def test_any_device_may_ask_for_the_boards_view_and_gets_no_more(open_wire) -> None:
    """A referee's browser that shows the overlay gets it late; a looker-on gets no more by asking."""
    wire = open_wire("broadcast")
    wire.table.see(view_at(float(len(PLAYED))))
    as_board = wire.clients[Role.BOARD].get("/api/snapshot").data
    assert wire.clients[Role.REFEREE].get("/api/snapshot?as=board").data == as_board
    assert wire.clients[Role.SPECTATOR].get("/api/snapshot?as=referee").get_json()["role"] == "spectator"
    stream = wire.clients[Role.REFEREE].get("/api/events?as=board").iter_encoded()
    next(stream)
    assert next(stream).partition(b"data: ")[2].strip() == as_board


@pytest.mark.parametrize("role", [Role.SOUTH, Role.NORTH])
def test_a_players_device_shows_no_more_of_a_broadcast_on_a_screen(open_wire, role: Role) -> None:
    """The board on it is cut as its own page is; once the hand has ended it shows everything."""
    wire = open_wire("broadcast")
    for step in range(1, len(PLAYED) + 1):
        wire.table.see(view_at(float(step)))
        asked = wire.clients[role].get("/api/snapshot?as=board")
        assert CARD.findall(asked.data) == []
    stream = wire.clients[role].get("/api/events?as=board").iter_encoded()
    next(stream)
    assert next(stream).partition(b"data: ")[2].strip() == asked.data
    hand = asked.get_json()["hand"]
    assert hand["events"] == []
    assert all(side["total"] is None for side in hand["sides"])
    wire.post(Role.TABLE, type="claim", player=int(HAND[-1].player))
    assert len(wire.clients[role].get("/api/snapshot?as=board").get_json()["hand"]["events"]) == len(HAND)


def test_a_start_in_the_middle_of_a_broadcast_hand_shows_no_hand(open_wire, tmp_path: Path) -> None:
    """A server that is started anew does not know what was shown; it shows lookers-on nothing too early."""
    wire = open_wire("broadcast")
    wire.table.see(view_at(9.0))
    wire.close()
    log = EventLog(tmp_path / "0" / "table.sqlite")
    with LiveTable(log, ScriptedDecoders(timed(PLAYED)), rules=RuleSet(), source="script") as table:
        client = pair(create_app(table, wire.pairing).test_client(), wire.pairing, Role.BOARD)
        text = client.get("/api/snapshot").data
        assert json.loads(text)["hand"] is None
        assert CARD.findall(text) == []
        assert table.standing().started.fair == MODES["broadcast"]


@pytest.mark.parametrize(
    "fair",
    [
        {"mode": "chess"},
        {"mode": "tournament", "delay": 2},
        {"mode": "broadcast"},
        {"mode": "broadcast", "delay": 13},
        {"mode": "broadcast", "delay": 601, "unit": "seconds"},
        {"mode": "broadcast", "delay": 2, "unit": "hands"},
        {"mode": "broadcast", "delay": True},
        {"mode": "training", "more": 1},
        {},
        "tournament",
    ],
)
def test_an_agreement_that_makes_no_sense_is_refused(open_wire, fair: object) -> None:
    """The boundary is strict; the message names what is wrong."""
    wire = open_wire("training")
    answer = wire.post(Role.TABLE, type="new_match", fair=fair)
    assert answer.status_code == 400
    assert answer.get_json()["error"].startswith("fair: ")


@pytest.mark.parametrize("mode", ["training", "tournament"])
def test_the_other_devices_are_told_who_answered_and_what_they_may_know(open_wire, mode: str) -> None:
    """Once, and not the device that answered nor lookers-on; a card only where cards are shown."""
    place = next(n for n, event in enumerate(PLAYED) if isinstance(event, CardPlayed))
    real = PLAYED[place]
    unused = next(card for card in RuleSet().pack if card not in cards_of(HAND))
    asked = Asked(0, place + 1.5, "which_card", place + 1, (real, CardPlayed(real.player, unused)))
    wire = open_wire(mode, sorted([*timed(PLAYED), (place + 1.5, asked)], key=lambda each: each[0]))
    heard: dict[Role, list] = {role: [] for role in Role}
    wire.table.see(view_at(place + 1.7))
    (question,) = wire.read(Role.REFEREE)["questions"]
    for role in Role:
        wire.read(role)
    wire.post(Role.SOUTH, type="answer", seq=question["seq"], option=7)  # refused: nobody has answered
    event = {"type": "play", "player": int(real.player), "card": str(unused)}
    assert wire.post(Role.SOUTH, type="correct", seq=question["about"], event=event).status_code == 201
    for _ in range(2):
        for role in Role:
            wire.read(role)
            told = [part for part in wire.raw.split(b"\n\n") if part.startswith(b"event: answered")]
            heard[role] += [json.loads(part.partition(b"data: ")[2]) for part in told]
    whole = {"by": "south", "event": event}
    expected = whole if mode == "training" else {"by": "south"}
    assert heard.pop(Role.REFEREE) == [whole]
    assert heard.pop(Role.NORTH) == heard.pop(Role.TABLE) == [expected]
    assert not any(heard.values())


def test_a_players_phone_corrects_that_players_name_alone(open_wire) -> None:
    """In every hand, whatever is hidden; the phone in the middle and a referee correct both."""
    wire = open_wire("tournament")
    wire.table.see(view_at(3.0))
    asked = [(Role.SOUTH, 0), (Role.NORTH, 0), (Role.TABLE, 1), (Role.REFEREE, 0), (Role.SPECTATOR, 0)]
    statuses = [
        wire.post(role, type="rename", player=player, name=role.value).status_code for role, player in asked
    ]
    assert statuses == [201, 409, 201, 201, 403]
    assert wire.now(Role.BOARD)["match"]["names"] == ["referee", "table"]


def test_an_owner_may_end_a_match_whoever_plays_on_the_device(open_wire) -> None:
    """A player's phone may not in the middle of a tournament; an owner's may, and takes no more than that."""
    wire = open_wire("tournament")
    owner = pair(wire.app.test_client(), wire.pairing, Role.SOUTH, owner=True)
    wire.table.see(view_at(4.0))
    claim = {"type": "claim", "player": 1}
    assert owner.post("/api/commands", json=claim, headers=ORIGIN).get_json()["reason"] == "not_yours"
    assert wire.post(Role.SOUTH, type="new_match").get_json()["reason"] == "not_yours"
    assert wire.now(Role.SOUTH)["match"]["number"] == 1
    assert owner.post("/api/commands", json={"type": "new_match"}, headers=ORIGIN).status_code == 201
    assert wire.now(Role.SOUTH)["may_begin"] is False  # the hand goes on in the match that was begun


def test_when_nobody_looked_is_told_with_the_rest_of_a_hand_and_not_before(open_wire) -> None:
    """In the record of a hand that is played, too; and no player answers for it while it is hidden."""
    wire = open_wire("tournament", sorted([*timed(PLAYED), (4.5, Unseen(0, 4.5, 2.0))], key=lambda it: it[0]))
    wire.table.see(view_at(6.0))
    ((*gap, seq),) = json.loads(wire.clients[Role.REFEREE].get("/api/corrections").data)["hands"][0]["unseen"]
    assert gap == [4.5, 3]
    for role in PLAYERS:
        assert json.loads(wire.clients[role].get("/api/corrections").data)["hands"][0]["unseen"] == []
        assert wire.post(role, type="vouch", seq=seq, first=seq).get_json()["reason"] == "not_yours"
    assert wire.post(Role.REFEREE, type="vouch", seq=seq, first=seq).status_code == 201


@pytest.mark.parametrize("mode", ["own_count", "tournament"])
@pytest.mark.parametrize("over", [False, True])
def test_what_a_hand_paid_is_said_by_a_referee_or_the_owner(open_wire, mode: str, over: bool) -> None:
    """No player gives himself points, of this hand or of one that is said to be missing."""
    wire = open_wire(mode)
    owner = pair(wire.app.test_client(), wire.pairing, Role.SOUTH, owner=True)
    wire.table.see(view_at(float(len(PLAYED)) if over else 6.0))
    if over:
        wire.post((Role.SOUTH, Role.NORTH)[HAND[-1].player], type="claim", player=int(HAND[-1].player))
    result = {"type": "agreed", "winner": 0, "game_points": 3}

    def said() -> list[dict]:
        last = wire.table.standing().hand.events[-1].seq
        new = {"type": "insert_hand", "after": last if over else 0, "result": result}
        return [{"type": "insert", "after": last, "event": result}, new]

    points = wire.table.standing().match.won_points
    for command in said():
        for answer in (wire.post(Role.SOUTH, **command), wire.preview(Role.SOUTH, **command)):
            assert (answer.status_code, answer.get_json()["reason"]) == (409, "not_yours")
    assert wire.table.standing().match.won_points == points
    assert owner.post("/api/commands", json=said()[1], headers=ORIGIN).status_code == 201
    assert wire.table.standing().match.won_points == (points[0] + 3, points[1])
    noted = next(hand for hand in wire.table.standing().hands if hand.noted)
    if over:  # whoever has entered it takes it back
        again = {"type": "correct", "seq": noted.events[-1].seq, "event": None}
        assert owner.post("/api/commands", json=again, headers=ORIGIN).status_code == 201
        assert wire.table.standing().match.won_points == points
        assert owner.post("/api/commands", json=said()[1], headers=ORIGIN).status_code == 201
        noted = next(hand for hand in wire.table.standing().hands if hand.noted)
    strike = {"type": "correct", "seq": noted.events[-1].seq, "event": None}
    assert wire.post(Role.SOUTH, **strike).get_json()["reason"] == "not_yours"
    assert wire.post(Role.REFEREE, **strike).status_code == 201
    assert wire.table.standing().match.won_points == points


def test_a_match_that_is_begun_in_the_middle_shows_lookers_on_nothing_newer(open_wire) -> None:
    """The hand goes on in it, under other numbers: what lookers-on see of it is as late as before."""
    wire = open_wire("broadcast", [*timed(HAND), *timed(PLAYED, start=60.0)])
    for second in range(60 + len(PLAYED) - 2):
        wire.table.see(view_at(float(second)))
    before = wire.now(Role.SPECTATOR)["hand"]
    whole = len(wire.now(Role.REFEREE)["hand"]["events"])
    assert before is None or len(before["events"]) < whole
    assert wire.post(Role.REFEREE, type="new_match", names=["Anna", "Berta"]).status_code == 201
    assert len(wire.now(Role.REFEREE)["hand"]["events"]) == whole
    after = wire.now(Role.SPECTATOR)["hand"]

    assert before is not None
    assert (after and len(after["events"])) == (before and len(before["events"]))


def test_an_owner_who_plays_does_not_look_into_a_hand_and_play_on(open_wire) -> None:
    """What was said to end it shows it: a referee alone lets it go on, and no score is lost either."""
    wire = open_wire("tournament")
    owner = pair(wire.app.test_client(), wire.pairing, Role.NORTH, owner=True)
    wire.table.see(view_at(8.0))
    last = wire.table.standing().hand.events[-1].seq
    result = {"type": "agreed", "winner": 1, "game_points": 1}
    said = {"type": "insert", "after": last, "event": result}
    assert owner.post("/api/commands", json=said, headers=ORIGIN).status_code == 201
    back = {"type": "correct", "seq": wire.table.standing().hand.events[-1].seq, "event": None}
    assert owner.post("/api/commands", json=back, headers=ORIGIN).get_json()["reason"] == "not_yours"
    kept = {"type": "new_match", "keep_points": True, "fair": {"mode": "own_count"}}
    assert wire.post(Role.REFEREE, **kept).status_code == 201
    assert wire.table.standing().match.won_points == (0, 1)
    assert wire.now(Role.SOUTH)["match"]["begun"] is True
    assert wire.now(Role.SOUTH)["may_begin"] is False
    assert wire.post(Role.SOUTH, type="new_match").get_json()["reason"] == "not_yours"


@pytest.mark.parametrize(
    ("seen_s", "names", "moved"),
    [
        (100.0, ["Bert", "Anna"], True),
        (100.0, ["Anna", "Bert"], False),
        (100.0, ["Bert", "Cilli"], False),
        (4.0, ["Bert", "Anna"], False),
        (0.0, ["Bert", "Anna"], False),
    ],
    ids=["after a hand", "the same seats", "another player", "in mid-hand", "before the first hand"],
)
def test_whoever_changes_seats_takes_the_own_phone_along(
    open_wire, seen_s: float, names: list[str], moved: bool
) -> None:
    """It showed the other player's points: in a tournament to whom they are hidden from."""
    wire = open_wire("own_count", timed(HAND))
    wire.post(Role.REFEREE, type="new_match", names=["Anna", "Bert"])
    wire.table.see(view_at(seen_s))
    wire.post(Role.REFEREE, type="new_match", names=names)

    roles = {role: wire.clients[role].get("/api/me").get_json()["role"] for role in Role}
    there = {Role.SOUTH: "north", Role.NORTH: "south"} if moved else {}
    assert roles == {role: there.get(role, role.value) for role in Role}
    kept = DeviceBook(Path(wire.pairing.book.name)).devices()
    assert [one.role.value for one in kept] == list(roles.values())
