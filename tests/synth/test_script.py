"""Choreography: what the script does on the table is what the record says."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from companion.rules.cards import Card, Player
from companion.rules.event_form import event_to_json
from companion.rules.events import CardPlayed, Claimed, Closed, Exchanged, HandShown, MarriageDeclared
from companion.rules.record import Record, replay
from companion.rules.ruleset import preset
from companion.synth.choreography import ScriptError, choreograph
from companion.synth.fan import FAN_LAYER
from companion.synth.players import random_record
from companion.synth.script import CARD_MM, LAYER_HELD, LAYER_STOCK, STOCK, Laid, Moment, Pose, Script
from companion.synth.style import Style, View

SEEDS = range(40)


def scripted(seed: int, **style: object) -> Script:
    """A random hand, acted out; `style` replaces what is given of an unhurried one."""
    chosen = Style(**style) if style else None  # type: ignore[arg-type]
    return choreograph([random_record(seed)], seed=seed, style=chosen)


def lying(script: Script, time: float, name: str) -> Laid | None:
    """The card at that time; `None` where it is not in the picture, or in a hand that the picture shows."""
    cards = [laid for laid in script.at(time).cards if laid.layer % LAYER_HELD < FAN_LAYER]
    return next((laid for laid in cards if laid.card == name), None)


def seed_with(kind: type) -> int:
    """A seed whose hand has an event of that kind."""
    return next(seed for seed in range(500) if any(isinstance(e, kind) for e in random_record(seed).events))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_timeline_tells_the_record_in_order(seed: int) -> None:
    """Between deal and clearing stand the events of the record, none missing, times rising."""
    script = scripted(seed)
    timeline = [dict(entry) for entry in script.timeline]
    times = [entry.pop("t") for entry in timeline]
    assert timeline[0] == {"type": "deal", "turned_up": str(script.records[0].turned_up)}
    assert timeline[-1] == {"type": "cleared"}
    assert timeline[1:-1] == [event_to_json(event) for event in script.records[0].events]
    assert times == sorted(times)
    assert times[-1] < script.duration


@pytest.mark.parametrize("seed", SEEDS)
def test_a_played_card_lies_face_up_when_the_timeline_says_so(seed: int) -> None:
    """At the time of a play the card rests on the table, and a moment later still unless it is taken."""
    script = scripted(seed, snatches=0.0)
    for entry in script.timeline:
        if entry["type"] != "play":
            continue
        for later in (0.02, 0.3):
            laid = lying(script, entry["t"] + later, entry["card"])
            assert laid is not None, entry
            assert not laid.moving, entry
            assert laid.pose.face_up, entry


@pytest.mark.parametrize("seed", SEEDS)
def test_the_table_is_empty_before_the_deal_and_after_the_clearing(seed: int) -> None:
    """A recording begins and ends with nothing but the table."""
    script = scripted(seed)
    for time in (0.0, script.duration):
        moment = script.at(time)
        assert moment.cards == ()
        assert moment.hands == ()


@pytest.mark.parametrize("seed", range(4))
def test_no_card_jumps(seed: int) -> None:
    """A card in the picture is at most a card's length away a twenty-fifth of a second later."""
    script = scripted(seed, dealt="carried", swept="carried")
    before: dict[str, Laid] = {}
    for step in range(round(script.duration * 25)):
        now = {laid.card: laid for laid in script.at(step / 25).cards}
        for name, laid in now.items():
            if name in before:
                old = before[name].pose
                assert abs(laid.pose.x_mm - old.x_mm) + abs(laid.pose.y_mm - old.y_mm) < 91, (name, step / 25)
        before = now


@pytest.mark.parametrize("seed", range(4))
def test_cards_come_and_go_beside_a_hand(seed: int) -> None:
    """What moves is within reach of somebody's hand, except what slides its last bit when thrown."""
    script = scripted(seed, dealt="carried", swept="carried")
    for step in range(round(script.duration * 8)):
        moment = script.at(step / 8)
        for laid in moment.cards:
            if laid.moving:
                assert moment.hands, (laid.card, step / 8)


def test_a_trick_goes_face_down_to_its_winners_edge() -> None:
    """After a trick both cards lie face down on the winner's half of the table."""
    for seed in SEEDS:
        script = scripted(seed, flip_late=bool(seed % 2))
        plays = [entry for entry in script.timeline if entry["type"] == "play"]
        if len(plays) < 3:
            continue
        first, second, third = plays[:3]
        for entry in (first, second):
            laid = lying(script, third["t"], entry["card"])
            assert laid is not None
            assert not laid.pose.face_up
            assert (laid.pose.y_mm > 0) == (third["player"] == Player.SOUTH)


def test_the_stock_shrinks_by_two_with_every_draw() -> None:
    """Nine face-down cards at the start, two fewer after each trick that is followed by a draw."""
    seed = next(
        seed
        for seed in range(500)
        if len([e for e in random_record(seed).events if isinstance(e, CardPlayed)]) > 12
        and not any(isinstance(e, Closed) for e in random_record(seed).events)
    )
    script = scripted(seed)
    leads = [entry["t"] for entry in script.timeline if entry["type"] == "play"][::2]
    counts = [laid.count if (laid := lying(script, time, STOCK)) else 0 for time in leads[:6]]
    assert counts == [9, 7, 5, 3, 1, 0]


def test_the_turn_up_sticks_out_from_under_the_stock() -> None:
    """The stock lies upon the turned-up card, beside its middle."""
    script = scripted(1)
    dealt = next(entry for entry in script.timeline if entry["type"] == "deal")
    up, stock = lying(script, dealt["t"] + 0.1, dealt["turned_up"]), lying(script, dealt["t"] + 0.1, STOCK)
    assert up is not None
    assert stock is not None
    assert up.layer < LAYER_STOCK == stock.layer
    assert stock.pose.z_mm >= CARD_MM
    assert 30 < ((up.pose.x_mm - stock.pose.x_mm) ** 2 + (up.pose.y_mm - stock.pose.y_mm) ** 2) ** 0.5 < 60


def test_an_exchange_leaves_the_jack_under_the_stock() -> None:
    """After it the jack of trumps lies where the turned-up card lay, and that is gone."""
    seed = seed_with(Exchanged)
    for number in range(6):
        style = replace(Style.random(np.random.default_rng(number)), shoves=0.0, haste=0.0)
        script = choreograph([random_record(seed)], seed=number, style=style)
        time = next(entry["t"] for entry in script.timeline if entry["type"] == "exchange")
        up = script.records[0].turned_up
        assert up is not None
        before = lying(script, time - 6, str(up)) or lying(script, script.timeline[0]["t"], str(up))
        jack = lying(script, time + 0.05, f"J{up.suit.letter}")
        assert jack is not None
        assert before is not None
        assert jack.layer < LAYER_STOCK
        assert (jack.pose.x_mm, jack.pose.y_mm) == (before.pose.x_mm, before.pose.y_mm)
        assert lying(script, time + 0.05, str(up)) is None


@pytest.mark.parametrize("way", ["two_laid", "one_held"])
def test_a_marriage_shows_both_cards_and_leaves_one(way: str) -> None:
    """King and queen lie there together at the declaration; the one not led is gone at the next play."""
    seed = seed_with(MarriageDeclared)
    script = scripted(seed, marriage=way)
    index = next(i for i, entry in enumerate(script.timeline) if entry["type"] == "marriage")
    declared, led = script.timeline[index], script.timeline[index + 1]
    pair = {rank + declared["suit"] for rank in "KQ"}
    shown = {laid.card for laid in script.at(declared["t"] + 0.3).cards if laid.pose.face_up}
    assert pair <= shown
    if led["type"] == "play":
        answer = next((e for e in script.timeline[index + 2 :] if e["type"] == "play"), None)
        if answer is not None:
            (partner,) = pair - {led["card"]}
            assert lying(script, answer["t"], partner) is None


def test_a_closed_stock_has_its_turn_up_face_down_on_top() -> None:
    """After closing the turned-up card lies upon the stock with its back up, to the end."""
    seed = seed_with(Closed)
    script = scripted(seed)
    closed = next(entry["t"] for entry in script.timeline if entry["type"] == "close")
    up = str(script.records[0].turned_up)
    if any(isinstance(event, Exchanged) for event in script.records[0].events):
        up = "J" + up[1]
    laid, stock = lying(script, closed + 0.1, up), lying(script, closed + 0.1, STOCK)
    assert laid is not None
    assert stock is not None
    assert not laid.pose.face_up
    assert laid.layer > stock.layer
    assert laid.pose.z_mm >= stock.count * CARD_MM


def test_the_seed_alone_decides_the_script() -> None:
    """The same seed gives the same script, another seed another."""
    record = random_record(2)
    assert choreograph([record], seed=1) == choreograph([record], seed=1)
    assert choreograph([record], seed=1) != choreograph([record], seed=2)


def test_several_hands_follow_one_another_on_one_table() -> None:
    """The second hand is dealt after the first was cleared."""
    script = choreograph([random_record(1), random_record(2)], seed=1)
    kinds = [entry["type"] for entry in script.timeline]
    assert kinds.count("deal") == kinds.count("cleared") == 2
    assert kinds.index("cleared") < len(kinds) - 1 - kinds[::-1].index("deal")


@pytest.mark.parametrize("name", ["snapszer_24", "sixty_six", "santase", "schnapsen+knock"])
def test_hands_of_other_rules_are_told_whole(name: str) -> None:
    """With nines, early closings, late exchanges and knocks the timeline is still the record, in order."""
    for seed in range(12):
        record = random_record(seed, preset(name))
        script = choreograph([record], seed=seed)
        told = [{key: value for key, value in entry.items() if key != "t"} for entry in script.timeline]
        assert told[1:-1] == [event_to_json(event) for event in record.events]
        assert script.at(script.duration).cards == ()


def test_twenty_four_cards_leave_a_stock_of_twelve() -> None:
    """Eleven face-down cards upon the turned-up one, two fewer after each of six tricks."""
    record = next(
        record
        for record in (random_record(seed, preset("snapszer_24")) for seed in range(500))
        if len([e for e in record.events if isinstance(e, CardPlayed)]) > 14
        and not any(isinstance(e, Closed) for e in record.events)
    )
    script = choreograph([record], seed=0)
    leads = [entry["t"] for entry in script.timeline if entry["type"] == "play"][::2]
    counts = [laid.count if (laid := lying(script, time, STOCK)) else 0 for time in leads[:7]]
    assert counts == [11, 9, 7, 5, 3, 1, 0]


def sixty_six_with(first: type, then: type, **fields: object) -> Record:
    """A hand of Sixty-Six in which an event of one kind follows right after one of another kind."""
    for seed in range(2000):
        record = random_record(seed, preset("sixty_six"))
        for one, other in zip(record.events, record.events[1:], strict=False):
            fits = all(getattr(other, name, None) == value for name, value in fields.items())
            if isinstance(one, first) and isinstance(other, then) and fits:
                return record
    raise LookupError(f"no {then} after {first}")


def test_nobody_draws_before_an_early_close() -> None:
    """Closed before drawing, the stock keeps the two cards."""
    record = sixty_six_with(CardPlayed, Closed, before_draw=True)
    script = choreograph([record], seed=0)
    at = next(n for n, entry in enumerate(script.timeline) if entry["type"] == "close")
    tricks = sum(entry["type"] == "play" for entry in script.timeline[:at]) // 2
    stock = lying(script, script.timeline[at]["t"] + 0.1, STOCK)
    assert stock is not None
    assert stock.count == 11 - 2 * (tricks - 1)


def test_an_exchange_at_the_close_is_shown_upon_the_stock() -> None:
    """The other player's nine lies there face up for a while, then closed again; the old card is gone."""
    record = sixty_six_with(Closed, Exchanged)
    script = choreograph([record], seed=0)
    up = record.turned_up
    assert up is not None
    close, exchange = (
        next(entry["t"] for entry in script.timeline if entry["type"] == kind)
        for kind in ("close", "exchange")
    )
    steps = [close + step / 10 for step in range(round((exchange - close) * 10))]
    nine = [laid for time in steps if (laid := lying(script, time, f"9{up.suit.letter}")) is not None]
    open_s = sum(laid.pose.face_up and not laid.moving for laid in nine) / 10
    assert open_s >= 0.6
    closed, stock = lying(script, exchange + 0.1, f"9{up.suit.letter}"), lying(script, exchange + 0.1, STOCK)
    assert closed is not None
    assert stock is not None
    assert not closed.pose.face_up
    assert closed.layer > stock.layer
    assert lying(script, exchange + 0.1, str(up)) is None


def test_what_was_left_is_laid_open() -> None:
    """After the end a hand that is shown lies face up on its player's side."""
    record = next(
        r for r in map(random_record, range(99)) if isinstance(r.events[-1], Claimed) and r.hands is not None
    )
    left = tuple(replay(record).hands[Player.NORTH])
    shown = replace(record, events=(*record.events, HandShown(Player.NORTH, left)), result=None)
    script = choreograph([shown], seed=0)
    time = next(entry["t"] for entry in script.timeline if entry["type"] == "show")
    for card in left:
        laid = lying(script, time, str(card))
        assert laid is not None
        assert laid.pose.face_up
        assert laid.pose.y_mm < 0


def test_a_record_without_names_cannot_be_shown() -> None:
    """A play that nobody has named, and a turn-up that nobody saw, are refused by a clear error."""
    played = (CardPlayed(Player.SOUTH, None),)
    with pytest.raises(ScriptError, match="not named"):
        choreograph([Record(preset("schnapsen"), Player.NORTH, Card.parse("AH"), played)], seed=0)
    with pytest.raises(ScriptError, match="turned up"):
        choreograph([Record(preset("schnapsen"), Player.NORTH, None, ())], seed=0)


def test_a_pack_is_dealt_by_threes_and_twos() -> None:
    """Three cards lie face down before each player when the card is turned up, five when the stock comes."""
    script = scripted(3, packets=True)
    turned_up = str(script.records[0].turned_up)
    up = next(journey.keys[-1][0] for journey in script.journeys if journey.card == turned_up)
    stock = next(journey.keys[-1][0] for journey in script.journeys if journey.card == STOCK)
    played = next(entry["t"] for entry in script.timeline if entry["type"] == "play")
    for time, each in ((up, 3), (stock, 5), (played, 0)):
        down = [laid for laid in script.at(time).cards if laid.card.startswith("hidden")]
        south = sum(laid.pose.y_mm > 0 for laid in down)
        assert (south, len(down) - south) == (each, each)
        assert not any(laid.pose.face_up for laid in down)


def test_a_pack_is_cut_before_the_deal() -> None:
    """Two parts of it lie side by side, then nothing but the table, then the turn-up."""
    script = scripted(3, cut=True)
    turned_up = str(script.records[0].turned_up)
    dealt = next(journey.keys[0][0] for journey in script.journeys if journey.card == turned_up)
    before = [script.at(step / 10).cards for step in range(int(dealt * 10))]
    apart = [
        abs(cards[0].pose.x_mm - cards[1].pose.x_mm)
        for cards in before
        if len(cards) == 2 and not any(laid.moving for laid in cards)
    ]
    assert max(apart) > 60
    assert before[-1] == ()


def test_whoever_has_claimed_shows_and_counts() -> None:
    """All that was left in the hand and all that was won lies face up before the table is cleared."""
    seed = seed_with(Claimed)
    script = scripted(seed, shows=1.0, counts=1.0)
    state = replay(script.records[0])
    winner = state.claimed_by
    cleared = script.timeline[-1]["t"]
    up = {
        laid.card
        for step in range(200)
        for laid in script.at(cleared - step / 10).cards
        if laid.pose.face_up
        and not laid.moving
        and laid.pose.y_mm * (1 if winner is Player.SOUTH else -1) > 0
    }
    won = {str(card) for trick in state.tricks if trick.winner is winner for card in trick.cards}
    assert winner is not None
    assert state.hands is not None
    assert won | {str(card) for card in state.hands[winner]} <= up


@pytest.mark.parametrize(("late", "shown"), [(0.0, False), (1.0, True)])
def test_a_late_claim_is_pressed_once_the_hand_has_been_shown(late: float, shown: bool) -> None:
    """Until then what is laid open lies there, and no phone has been told."""
    script = scripted(seed_with(Claimed), shows=1.0, late=late)
    state = replay(script.records[0])
    assert state.claimed_by is not None
    assert state.hands is not None
    left = {str(card) for card in state.hands[state.claimed_by]}
    pressed = next(entry["t"] for entry in script.timeline if entry["type"] == "claim")
    lying_then = {laid.card for laid in script.at(pressed).cards if laid.pose.face_up and not laid.moving}
    assert left
    assert (left <= lying_then) is shown


def test_a_pushed_stock_keeps_its_turn_up() -> None:
    """Both lie somewhere else afterwards, as far from each other as before."""
    seed = next(s for s in range(500) if sum(isinstance(e, CardPlayed) for e in random_record(s).events) > 12)
    script = scripted(seed, shoves=1.0)
    plays = [entry["t"] for entry in script.timeline if entry["type"] == "play"]
    places = []
    for time in plays[:7:2]:
        stock = lying(script, time, STOCK)
        under = [laid for laid in script.at(time).cards if laid.layer < LAYER_STOCK and laid.pose.face_up]
        assert stock is not None
        assert len(under) == 1
        x, y = stock.pose.x_mm, stock.pose.y_mm
        places.append((x, y, under[0].pose.x_mm - x, under[0].pose.y_mm - y))
    assert len({(round(x), round(y)) for x, y, _, _ in places}) == len(places)
    assert {(round(dx, 3), round(dy, 3)) for _, _, dx, dy in places} == {
        (round(places[0][2], 3), round(places[0][3], 3))
    }


def test_a_trick_looked_at_once_more_lies_face_down_again() -> None:
    """Its cards show after it was taken, and lie in the pile when the next one is led."""
    script = scripted(0, looks_back=1.0)
    plays = [entry for entry in script.timeline if entry["type"] == "play"]
    first, second, third = plays[:3]
    between = [script.at(second["t"] + step / 10) for step in range(int((third["t"] - second["t"]) * 10))]
    for entry in (first, second):
        ups = [laid.pose.face_up for moment in between for laid in moment.cards if laid.card == entry["card"]]
        turns = sum(one is not other for one, other in pairwise(ups))
        assert turns == 3  # down, up, down
        assert not ups[-1]


def at_rest(script: Script, time: float) -> dict[str, Pose]:
    """Where cards lie face up and still, by name."""
    cards = script.at(time).cards
    return {laid.card: laid.pose for laid in cards if laid.pose.face_up and not laid.moving}


def test_a_card_is_taken_back_and_another_played() -> None:
    """One of the hand lies there for a while before each play, and not when the play is made."""
    script = scripted(0, takes_back=1.0)
    (record,) = script.records
    plays = [entry for entry in script.timeline if entry["type"] == "play"]
    lead, answer = plays[:2]
    dealt = next(entry["t"] for entry in script.timeline if entry["type"] == "deal")
    before = [at_rest(script, dealt + step / 10) for step in range(int((lead["t"] - dealt) * 10))]
    tried = {card for each in before for card in each} - {str(record.turned_up), lead["card"]}
    tried -= {*at_rest(script, lead["t"])}  # what was exchanged for the turn-up still lies there

    assert [entry["card"] for entry in plays] == [
        str(e.card) for e in record.events if isinstance(e, CardPlayed)
    ]
    assert len(tried) == 1
    assert record.hands is not None
    assert tried < {str(card) for card in record.hands[lead["player"]]}
    assert not tried & {*at_rest(script, answer["t"] - 0.5), answer["card"]}


def test_a_card_that_was_played_is_straightened() -> None:
    """It lies a little elsewhere when the other answers, turned."""
    script = scripted(0, straightens=1.0, haste=0.0)
    lead, answer = [entry for entry in script.timeline if entry["type"] == "play"][:2]
    was, now = (at_rest(script, time)[lead["card"]] for time in (lead["t"] + 0.01, answer["t"] - 0.01))

    assert (was.x_mm, was.y_mm, was.angle) != (now.x_mm, now.y_mm, now.angle)
    assert np.hypot(was.x_mm - now.x_mm, was.y_mm - now.y_mm) < 20


def test_a_card_is_pushed_in_slowly() -> None:
    """It lies before its player first, and is on its way for more than a second."""
    script = scripted(0, slides=1.0)
    lead = next(entry for entry in script.timeline if entry["type"] == "play")
    way = [script.at(lead["t"] - step / 20) for step in range(200)]
    poses = [(laid.pose, laid.moving) for moment in way for laid in moment.cards if laid.card == lead["card"]]
    pushed = next(number for number, (_, moving) in enumerate(poses[1:]) if not moving)

    assert 20 < pushed < 120
    assert abs(poses[pushed + 1][0].y_mm) > abs(poses[0][0].y_mm) + 50


def test_a_pack_is_shuffled_between_two_hands() -> None:
    """The table is bare for some seconds."""
    script = choreograph([random_record(1), random_record(2)], seed=4)
    cleared = next(entry["t"] for entry in script.timeline if entry["type"] == "cleared")
    assert all(script.at(cleared + 1.0 + step / 10).cards == () for step in range(20))


def overlapping(script: Script) -> int:
    """How many hands of one player reach in while one of the other's is still there."""
    spans = sorted((reach.keys[0][0], reach.keys[-1][0], reach.player) for reach in script.reaches)
    return sum(two[0] < one[1] - 1e-9 and two[2] is not one[2] for one, two in pairwise(spans))


def test_hasty_players_do_not_wait_for_each_others_hands() -> None:
    """The next act begins while the hand before is on its way home; nobody has three hands."""
    assert overlapping(scripted(3, haste=0.0)) == 0
    hasty = scripted(3, haste=1.0)
    assert overlapping(hasty) > 5
    for player in Player:
        mine = sorted((r.keys[0][0], r.keys[-1][0]) for r in hasty.reaches if r.player is player)
        assert all(one[1] <= two[0] + 1e-9 for one, two in pairwise(mine))


def gathered_to(script: Script, player: Player) -> float:
    """Where from left to right a card lies that a player has won."""
    cleared = next(entry["t"] for entry in script.timeline if entry["type"] == "cleared")
    laid = {card.card: card.pose for card in script.at(cleared - 8.0).cards if not card.pose.face_up}
    state = replay(script.records[0])
    won = [str(card) for trick in state.tricks if trick.winner is player for card in trick.cards]
    return next(laid[card].x_mm for card in won if card in laid)


def test_piles_lie_crosswise_where_each_keeps_them_at_the_right_hand() -> None:
    """South's to the right in the picture, north's to the left."""
    seed = next(s for s in range(500) if {t.winner for t in replay(random_record(s)).tricks} == set(Player))
    crosswise = scripted(seed, crosswise=True)
    assert gathered_to(crosswise, Player.SOUTH) > 0 > gathered_to(crosswise, Player.NORTH)
    together = scripted(seed, crosswise=False)
    assert gathered_to(together, Player.SOUTH) > 0 < gathered_to(together, Player.NORTH)


def test_one_draws_for_both() -> None:
    """Both cards of the stock go the winner's way."""
    script = scripted(1, serves=1.0)
    drawn = [journey for journey in script.journeys if journey.card.startswith("hidden")][:2]
    south = [journey.keys[-1][1].y_mm > 0 for journey in drawn]
    assert south[0] is south[1]
    apart = [journey for journey in scripted(1, serves=0.0).journeys if journey.card.startswith("hidden")][:2]
    assert len({journey.keys[-1][1].y_mm > 0 for journey in apart}) == 2


def test_a_hand_that_is_laid_down_is_taken_up_before_the_next_card() -> None:
    """Face down before its player, as many cards as the hand has."""
    script = scripted(3, rests=1.0)
    plays = [entry for entry in script.timeline if entry["type"] == "play"]
    led, answer = plays[:2]
    resting = [card for card in script.at(led["t"] - 0.05).cards if card.card.startswith("hidden")]
    assert len(resting) == 5
    assert {card.pose.face_up for card in resting} == {False}
    names = {card.card for card in resting}
    assert not names & {card.card for card in script.at(answer["t"]).cards}


def test_a_hand_that_was_laid_down_is_not_laid_open_besides() -> None:
    """Whoever shows it takes it up first: no card lies there twice."""
    script = scripted(1, rests=1.0, shows=1.0)
    state = replay(script.records[0])
    assert state.hands is not None
    assert state.claimed_by is not None
    left = {str(card) for card in state.hands[state.claimed_by]}
    south = state.claimed_by is Player.SOUTH
    claimed = next(entry["t"] for entry in script.timeline if entry["type"] == "claim")

    def packet(moment: Moment) -> list[str]:
        """Cards that lie face down at the claimant's edge, and are no won ones."""
        at_edge = [
            card for card in moment.cards if abs(card.pose.y_mm) > 100 and (card.pose.y_mm > 0) is south
        ]
        return [card.card for card in at_edge if card.card.startswith("hidden")]

    assert packet(script.at(claimed))
    moments = (script.at(claimed + step / 10) for step in range(200))
    shown = next(m for m in moments if left <= {card.card for card in m.cards if not card.moving})
    assert not packet(shown)


def held(script: Script, time: float) -> dict[str, float]:
    """Cards held at a time that are seen, with y of their middles."""
    return {card.card: card.pose.y_mm for card in script.at(time).cards if card.layer >= FAN_LAYER}


def test_cards_that_players_hold_are_seen_over_the_edge() -> None:
    """Before the first play each has five, by the own edge, no more than so much of them in the picture."""
    script = scripted(0, holds=0.5)
    (record,) = script.records
    lead = next(entry for entry in script.timeline if entry["type"] == "play")
    dealt = next(entry["t"] for entry in script.timeline if entry["type"] == "deal")
    seen = held(script, dealt + 0.5)

    assert record.hands is not None
    assert set(seen) == {str(card) for hand in record.hands for card in hand}
    for player in Player:
        edge = View().edge(player is Player.SOUTH)
        mine = [seen[str(card)] for card in record.hands[player]]
        assert all(abs(y - edge) < 35 for y in mine)
    assert lead["card"] not in held(script, lead["t"] + 0.01)
    assert not held(script, script.duration)


def test_what_is_held_changes_nothing_that_is_played() -> None:
    """The same plays, whether the camera sees the hands or not."""
    plays = [
        [(entry["type"], entry.get("card")) for entry in scripted(3, holds=holds).timeline]
        for holds in (0.0, 0.8)
    ]

    assert plays[0] == plays[1]


def test_a_trick_may_be_taken_in_the_motion_that_answers_it() -> None:
    """Its winner lays the answer down, and half a second later both cards are under way to the pile."""
    quick, slow = scripted(0, snatches=1.0), scripted(0, snatches=0.0)
    lay = [moments_in_trick(script) for script in (quick, slow)]
    assert lay[0]
    assert lay[0].keys() == lay[1].keys()
    assert all(seconds < 0.5 for seconds in lay[0].values())
    assert all(seconds > 0.5 for seconds in lay[1].values())


def moments_in_trick(script: Script) -> dict[str, float]:
    """How long each answer that won its trick lay where it was played, seconds."""
    (record,) = script.records
    answers = {str(trick.followed) for trick in replay(record).tricks if trick.winner is not trick.leader}
    played = {each["card"]: each["t"] for each in script.timeline if each["type"] == "play"}
    found = {}
    for card in answers:
        there = lying(script, played[card], card)
        assert there is not None
        found[card] = next(
            step / 20
            for step in range(200)
            if (now := lying(script, played[card] + step / 20, card)) is None
            or abs(now.pose.x_mm - there.pose.x_mm) + abs(now.pose.y_mm - there.pose.y_mm) > 2
        )
    return found


def first_plays(script: Script, count: int) -> list[tuple[float, str]]:
    """When the first cards were played, seconds, and which."""
    plays = [(entry["t"], entry["card"]) for entry in script.timeline if entry["type"] == "play"]
    return plays[:count]


def led_from_marriage(**style: object) -> tuple[Script, Mapping[str, Any], Mapping[str, Any]]:
    """The first hand in which a marriage is shown and led from, with both entries of its timeline."""
    scripts = (scripted(seed, **style) for seed in range(500))
    return next(
        (script, entry, after)
        for script in scripts
        for entry, after in pairwise(script.timeline)
        if entry["type"] == "marriage" and after["type"] == "play"
    )


def after_last(script: Script) -> list[float]:
    """Ten moments a second between the last event of a hand and the clearing of the table, seconds."""
    ended, cleared = (entry["t"] for entry in script.timeline[-2:])
    return [ended + step / 10 for step in range(int((cleared - ended) * 10))]


def draws(script: Script, after: float) -> list[float]:
    """When cards were drawn after a time, seconds."""
    counts = pairwise(script.counts)
    return [time for (_, before), (time, left) in counts if left == before - 1 and time > after]


def lie_so(script: Script, time: float, cards: Sequence[str], *, face_up: bool = True) -> list[bool]:
    """Whether each of these cards lies still at a time, and face up, or down."""
    there = [lying(script, time, card) for card in cards]
    return [one is not None and one.pose.face_up is face_up and not one.moving for one in there]


def test_a_trick_may_lie_open_until_both_have_drawn() -> None:
    """Else it is gathered first."""
    for share, expected in ((1.0, [True, True]), (0.0, [False, False])):
        script = scripted(0, draws_first=share)
        (_, led), (answered, answer) = first_plays(script, 2)
        second = draws(script, answered)[1]
        assert lie_so(script, second, [led, answer]) == expected


@pytest.mark.parametrize(("habit", "before"), [("draws_late", 1), ("leads_early", 0)])
def test_some_draw_once_the_next_card_is_led(habit: str, before: int) -> None:
    """Whoever lost the trick, or both, the winner after leading; else both have drawn by then."""
    for share, expected in ((1.0, before), (0.0, 2)):
        script = scripted(0, **{habit: share})
        _, (answered, _), (led, _), (next_answer, _) = first_plays(script, 4)
        drawn = [time for time in draws(script, answered) if time < next_answer]
        assert len(drawn) == 2
        assert sum(time < led for time in drawn) == expected


def test_the_cards_of_a_trick_may_be_taken_one_after_the_other() -> None:
    """The one lies in the pile while the other lies where it was played; else they go together."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, one_by_one=share)
        (_, led), (answered, answer), (next_lead, _) = first_plays(script, 3)
        times = (answered + step / 20 for step in range(int((next_lead - answered) * 20)))
        down = [lie_so(script, time, [led, answer], face_up=False) for time in times]
        assert any(one is not other for one, other in down) is expected


def test_king_and_queen_may_be_shown_half_upon_each_other() -> None:
    """Else side by side."""
    seed = seed_with(MarriageDeclared)
    for share, least, most in ((1.0, 15.0, 45.0), (0.0, 55.0, 75.0)):
        script = scripted(seed, fans=share)
        shown = next(entry for entry in script.timeline if entry["type"] == "marriage")
        one, other = (lying(script, shown["t"], rank + shown["suit"]) for rank in "KQ")
        assert one is not None
        assert other is not None
        assert least < math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm) < most


def test_king_and_queen_may_both_be_taken_back_before_one_is_led() -> None:
    """For a moment neither lies there; else the one that is led stays."""
    for share, expected in ((1.0, True), (0.0, False)):
        script, shown, led = led_from_marriage(both_back=share)
        times = [shown["t"] + step / 20 for step in range(5, int((led["t"] - shown["t"]) * 20))]
        pair = [rank + shown["suit"] for rank in "KQ"]
        assert any(not any(lie_so(script, time, pair)) for time in times) is expected


def test_the_turn_up_may_be_turned_down_where_it_lies() -> None:
    """Half under the stock; else on it."""
    seed = seed_with(Closed)
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(seed, turns_there=share)
        closed = next(entry["t"] for entry in script.timeline if entry["type"] == "close")
        (turned,) = (each for each in script.journeys if each.keys[-1][0] == pytest.approx(closed, abs=0.01))
        (_, before), *_, (_, after) = turned.keys
        assert (before.face_up, after.face_up) == (True, False)
        assert (math.hypot(after.x_mm - before.x_mm, after.y_mm - before.y_mm) < 1.0) is expected


def test_the_lowest_trump_may_be_laid_upon_the_turn_up_before_it_takes_its_place() -> None:
    """Both lie open there; then the one is taken, and the other pushed under the stock."""
    script = scripted(seed_with(Exchanged), lays_beside=1.0)
    done = next(entry["t"] for entry in script.timeline if entry["type"] == "exchange")
    old = script.timeline[0]["turned_up"]
    pair = [old, "J" + old[-1]]
    times = [done - step / 10 for step in range(60)]
    assert any(lie_so(script, time, pair) == [True, True] for time in times)
    assert lie_so(script, done + 1.0, pair) == [False, True]


def test_a_trick_may_be_turned_down_where_it_lies() -> None:
    """Both cards lie face down in the middle before they come to lie in the pile."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, turns_first=share)
        (_, led), (answered, answer), (next_lead, _) = first_plays(script, 3)
        times = [answered + step / 20 for step in range(int((next_lead - answered) * 20))]
        down = [time for time in times if all(lie_so(script, time, [led, answer], face_up=False))]
        middles = [abs(card.pose.x_mm) < 120 for card in [lying(script, down[0], led)] if card is not None]
        assert middles == [expected]


def test_whoever_lost_a_trick_may_lay_a_card_out_of_turn() -> None:
    """For a while it lies there; else no card does between trick and lead."""
    events = ((seed, random_record(seed).events[:3]) for seed in range(50))
    seed = next(seed for seed, first in events if all(isinstance(each, CardPlayed) for each in first))
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(seed, out_of_turn=share)
        (_, led), (answered, answer), (next_lead, lead) = first_plays(script, 3)
        hands = script.records[0].hands
        assert hands is not None
        mine = [str(card) for hand in hands for card in hand if str(card) not in (led, answer, lead)]
        times = [answered + step / 10 for step in range(int((next_lead - answered) * 10))]
        assert any(any(lie_so(script, time, mine)) for time in times) is expected


def test_the_face_of_a_card_that_is_drawn_may_show() -> None:
    """Of each card that leaves the stock; else of none but the turn-up."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, flashes=share)
        (_, _), (answered, _) = first_plays(script, 2)
        (first, *_) = draws(script, answered)
        leaving = [each for each in script.journeys if each.leaves and each.keys[0][0] == first]
        assert [each.keys[-1][1].face_up for each in leaving] == [expected]


def test_the_turn_up_may_be_laid_once_all_else_is_dealt() -> None:
    """The stock lies there before it; else after it."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, turned_last=share, dealt="carried")
        turned_up = script.timeline[0]["turned_up"]
        first = {
            name: next(j.keys[-1][0] for j in script.journeys if j.card == name)
            for name in (turned_up, STOCK)
        }
        assert (first[STOCK] < first[turned_up]) is expected


def test_what_is_left_of_the_stock_may_be_turned_over() -> None:
    """All its cards lie open once the hand is over, those of a closed one as well; else none does."""
    seed = seed_with(Closed)
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(seed, turns_over=share)
        record = script.records[0]
        left = [str(card) for card in replay(record).stock or ()]
        assert len(left) > 1
        assert any(all(lie_so(script, time, left)) for time in after_last(script)) is expected


def test_whoever_lost_the_hand_may_lay_the_rest_open() -> None:
    """The cards that were left in that hand lie there, face up, before the table is cleared."""
    seed = next(seed for seed in range(500) if isinstance(random_record(seed).events[-1], Claimed))
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(seed, loser_shows=share)
        state = replay(script.records[0])
        assert state.hands is not None
        assert state.claimed_by is not None
        left = [str(card) for card in state.hands[state.claimed_by.other]]
        times = after_last(script)
        assert any(all(lie_so(script, time, left)) for time in times if left) is expected


def test_a_second_pack_may_lie_there_all_evening() -> None:
    """Twenty cards face down in one corner, from the first moment to the last."""
    for share, expected in ((1.0, 20), (0.0, 0)):
        script = scripted(0, second_pack=share)
        moments = [script.at(time).cards for time in (0.05, script.duration / 2, script.duration - 0.1)]
        corners = [
            [each.card for each in cards if abs(each.pose.y_mm) > 100 and abs(each.pose.x_mm) > 200]
            for cards in moments
        ]
        always = set(corners[0]) & set(corners[1]) & set(corners[2])
        assert len(always) == expected


def test_a_trick_may_lie_there_while_the_next_is_led() -> None:
    """Both its cards lie where they were played when the next lead has come; else they are gone by then."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, lets_lie=share)
        (_, led), (_, answer), (next_lead, lead) = first_plays(script, 3)
        assert all(lie_so(script, next_lead + 0.02, [led, answer])) is expected
        places = [lying(script, next_lead + 0.02, name) for name in (led, lead)]
        if expected:
            apart = [laid.pose.x_mm for laid in places if laid is not None]
            assert abs(apart[0] - apart[1]) > 40


def test_a_card_of_a_marriage_may_mark_the_pile() -> None:
    """It lies face up in the pile of whoever showed the marriage, and won that trick."""
    for share, expected in ((1.0, True), (0.0, False)):
        for seed in range(200):
            record = random_record(seed)
            shown = next((at for at, e in enumerate(record.events) if isinstance(e, MarriageDeclared)), None)
            rest = record.events[shown:] if shown is not None else ()
            plays = [e for e in rest if isinstance(e, CardPlayed)]
            if shown is None or len(plays) < 3 or plays[0].player is not plays[2].player:
                continue
            script = scripted(seed, marks=share)
            later = next(e["t"] for e in script.timeline if e.get("card") == str(plays[2].card))
            marked = lying(script, later, str(plays[0].card))
            assert marked is not None
            assert marked.pose.face_up is expected
            break
        else:
            pytest.fail("no marriage that won its trick")


def test_a_card_may_land_face_down() -> None:
    """It lies so for a moment, and is turned over where it lies before it counts as played."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, lands_down=share)
        for time, card in first_plays(script, 2):
            before = [lying(script, time - step / 50, card) for step in range(1, 100)]
            down = [laid for laid in before if laid and not laid.pose.face_up and not laid.moving]
            assert bool(down) is expected


def test_the_stock_may_be_spread_and_counted() -> None:
    """Its cards lie apart for a moment, and together when the next card is drawn; else they never do."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, spreads=share)
        _, (answered, _), (led, _) = first_plays(script, 3)
        times = [step / 10 for step in range(int(answered * 10))]
        places = [
            {round(each.pose.x_mm / 8) for each in script.at(time).cards if each.card.startswith("hidden")}
            for time in times
        ]
        assert any(len(there) >= 5 for there in places) is expected
        assert not any(each.card.startswith("hidden") for each in script.at(led).cards)


@pytest.mark.parametrize("habit", ["mixes", "mixes_there"])
def test_the_pack_may_be_mixed_on_the_table(habit: str) -> None:
    """Between two hands all its cards lie there, apart, and none of them jumps; then the table is bare."""
    records = [random_record(0), random_record(1)]
    for share, expected in ((1.0, True), (0.0, False)):
        style = Style(**{habit: share}, throws_in=1.0)  # type: ignore[arg-type]
        script = choreograph(records, seed=0, style=style)
        deal = [entry["t"] for entry in script.timeline if entry["type"] == "deal"][1]
        ended = [entry["t"] for entry in script.timeline if entry["t"] < deal and entry["type"] != "cleared"]
        moments = [script.at(ended[-1] + step / 10) for step in range(int((deal - ended[-1]) * 10))]
        most = max(moments, key=lambda moment: len(moment.cards))
        assert (sum(each.count for each in most.cards) == 20 and len(most.cards) == 20) is expected
        assert any(not moment.cards for moment in moments)


def test_the_hand_of_who_lost_may_be_thrown_in() -> None:
    """What is left of it lies on the table, face down, before it is cleared."""
    seed = next(seed for seed in range(500) if isinstance(random_record(seed).events[-1], Claimed))
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(seed, throws_in=share)
        state = replay(script.records[0])
        assert state.hands is not None
        assert state.claimed_by is not None
        left = len(state.hands[state.claimed_by.other])
        said, *later = after_last(script)
        before = {each.card for each in script.at(said).cards}
        came = [{each.card for each in script.at(time).cards} - before for time in later]
        assert (max(len(names) for names in came) == left) is expected


def test_both_cards_of_a_marriage_may_stay_until_the_trick_is_taken() -> None:
    """The other one lies there when the lead has been answered, and is gone when the next card is led."""
    for share, expected in ((1.0, True), (0.0, False)):
        scripts = (scripted(seed, stays_shown=share) for seed in range(500))
        script, shown, (_, answer, after) = next(
            (script, entry, plays)
            for script in scripts
            for place, entry in enumerate(script.timeline)
            if entry["type"] == "marriage"
            and len(plays := [e for e in script.timeline[place:] if e["type"] == "play"][:3]) == 3
        )
        pair = [rank + shown["suit"] for rank in "KQ"]
        assert all(lie_so(script, answer["t"], pair)) is expected
        assert not any(lie_so(script, after["t"], pair))


def test_a_deal_may_be_gathered_in_and_dealt_anew() -> None:
    """Stock and turn-up lie there twice, and nothing does between; else once."""
    for share, expected in ((1.0, 2), (0.0, 1)):
        script = scripted(0, deals_twice=share)
        led = first_plays(script, 1)[0][0]
        stocks = [
            any(each.count == 9 for each in script.at(step / 10).cards) for step in range(int(led * 10))
        ]
        bare = [not script.at(step / 10).cards for step in range(int(led * 10))]
        assert sum(now and not before for before, now in pairwise(stocks)) == expected
        assert sum(now and not before for before, now in pairwise([False, *bare])) == expected


def test_an_answer_may_push_the_lead_aside() -> None:
    """The lead lies elsewhere when it has been answered."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, nudges=share)
        (led_at, led), (answered, _) = first_plays(script, 2)
        poses = [laid.pose for time in (led_at, answered + 0.2) if (laid := lying(script, time, led))]
        assert (poses[0] != poses[1]) is expected


def test_the_turn_up_may_hardly_stick_out() -> None:
    """Less than half of its length from under the stock."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, tucks=share)
        dealt = script.timeline[0]["t"]
        stock, turn_up = (lying(script, dealt, name) for name in (STOCK, str(script.records[0].turned_up)))
        assert stock is not None
        assert turn_up is not None
        apart = math.hypot(stock.pose.x_mm - turn_up.pose.x_mm, stock.pose.y_mm - turn_up.pose.y_mm)
        assert (apart < 20.0) is expected


def test_the_pack_may_be_shuffled_over_the_table() -> None:
    """Before the deal two halves of it move about in somebody's hand, now apart, now together."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, shuffles=share)
        dealt = min(key[0] for each in script.journeys for key in each.keys if each.card == STOCK)
        moments = [script.at(step / 10) for step in range(int(dealt * 10))]
        held = [moment for moment in moments if len(moment.cards) == 2 and moment.hands]
        apart = {round(abs(one.cards[0].pose.x_mm - one.cards[1].pose.x_mm) / 20) for one in held}
        assert (len(held) > 5 and len(apart) > 1) is expected


def test_the_cards_may_be_gathered_into_a_pack_that_lies_there() -> None:
    """All of them, in one place, before the table is cleared; else that never happens."""
    for share, expected in ((1.0, True), (0.0, False)):
        script = scripted(0, squares=share)
        moments = [script.at(time).cards for time in after_last(script)]
        still = [cards for cards in moments if not any(each.moving for each in cards)]
        whole = [cards for cards in still if sum(each.count for each in cards) == 20]
        places = [{(each.pose.x_mm, each.pose.y_mm) for each in cards} for cards in whole]
        assert any(len(place) == 1 for place in places) is expected


def test_the_other_of_a_marriage_may_be_shown_once_the_lead_lies_there() -> None:
    """The lead lies alone for a while first; else both come together."""
    for share, expected in ((1.0, True), (0.0, False)):
        script, shown, led = led_from_marriage(shows_after=share)
        pair = [rank + shown["suit"] for rank in "KQ"]
        before = [lie_so(script, shown["t"] - step / 20, pair) for step in range(1, 60)]
        alone = [there.count(True) == 1 for there in before]
        assert any(alone) is expected
        assert all(lie_so(script, shown["t"] + 0.1, pair))
        assert led["card"] in pair
