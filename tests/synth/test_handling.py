"""Manners of handling cards that no random style has: each shows where it is asked for, else never."""

from __future__ import annotations

import math
from itertools import pairwise

from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Claimed, Closed
from companion.synth.players import random_record
from companion.synth.script import STOCK, Script
from companion.synth.style import View
from tests.synth.test_script import first_plays, lying, scripted, seed_with

ASKED = ((1.0, True), (0.0, False))
"""How often somebody has the manner, and whether it shows."""


def middle(script: Script, time: float, name: str) -> tuple[float, float] | None:
    """Where the middle of a card lies, mm; `None` where it does not."""
    laid = lying(script, time, name)
    return None if laid is None else (laid.pose.x_mm, laid.pose.y_mm)


def apart(script: Script, time: float, one: str, other: str) -> float:
    """How far the middles of two cards are from each other, mm; infinite where one is not there."""
    places = middle(script, time, one), middle(script, time, other)
    return math.inf if None in places else math.dist(*places)  # type: ignore[arg-type]


def still(script: Script, time: float, name: str) -> tuple[int, int] | None:
    """Where a card lies that does not move, in centimetres."""
    laid = lying(script, time, name)
    if laid is None or laid.moving:
        return None
    return round(laid.pose.x_mm / 10), round(laid.pose.y_mm / 10)


def steps(begin: float, end: float) -> list[float]:
    """Twenty moments a second between two times, seconds."""
    return [begin + step / 20 for step in range(int((end - begin) * 20))]


def hand_s(script: Script, player: Player, around: float) -> float:
    """For how long the hand is in the picture that a player has there at a time, seconds."""
    reach = next(
        each
        for each in script.reaches
        if each.player is player and each.keys[0][0] <= around <= each.keys[-1][0]
    )
    return reach.keys[-1][0] - reach.keys[0][0]


def test_whoever_draws_first_may_push_the_others_card_over() -> None:
    """It lies face down before the one who lost the trick, and goes from there."""
    for share, expected in ASKED:
        script = scripted(0, hands_over=share)
        _, (answered, _), (led, _) = first_plays(script, 3)
        winner = [e.player for e in random_record(0).events if isinstance(e, CardPlayed)][2]  # who leads next
        edge = View().edge(winner.other is Player.SOUTH)
        before = [
            each
            for time in steps(answered, led)
            for each in script.at(time).cards
            if each.card.startswith("hidden") and abs(each.pose.y_mm - edge) < 80 and not each.moving
        ]
        assert bool(before) is expected


def test_a_card_may_be_turned_over_upon_the_stock() -> None:
    """It lies there face up, all others under it, before it lies under them; no card is lost."""
    for share, expected in ASKED:
        script = scripted(0, turned_on_stock=share)
        name, dealt = str(script.records[0].turned_up), script.timeline[0]["t"]
        upon = [
            time
            for time in steps(0.0, dealt)
            if apart(script, time, STOCK, name) < 9.0
            and (card := lying(script, time, name))
            and card.pose.face_up
        ]
        assert bool(upon) is expected
        assert apart(script, dealt, STOCK, name) > 30.0
        assert sum(each.count for each in script.at(dealt).cards) == 10


def test_the_turn_up_may_be_put_wholly_under_the_stock() -> None:
    """Face down, so that nothing of it is seen."""
    seed = seed_with(Closed)
    for share, expected in ASKED:
        script = scripted(seed, closes_beneath=share)
        closed = next(e["t"] for e in script.timeline if e["type"] == "close")
        stock, turn_up = (
            lying(script, closed + 0.1, name) for name in (STOCK, str(script.records[0].turned_up))
        )
        assert stock is not None
        assert turn_up is not None
        assert not turn_up.pose.face_up
        assert (turn_up.layer < stock.layer) is expected


def test_a_closed_stock_may_be_pushed_aside() -> None:
    """Both move, and the card that was turned down stays upon it."""
    seed = seed_with(Closed)
    for share, expected in ASKED:
        script = scripted(seed, puts_aside=share)
        closed = next(e["t"] for e in script.timeline if e["type"] == "close")
        dealt = script.timeline[0]["t"]
        there, now = (middle(script, time, STOCK) for time in (dealt, closed + 0.1))
        assert there is not None
        assert now is not None
        assert (math.dist(there, now) > 25.0) is expected
        assert apart(script, closed + 0.1, STOCK, str(script.records[0].turned_up)) < 15.0


def test_won_cards_may_be_put_in_another_place() -> None:
    """All of them together."""
    for share, expected in ASKED:
        script = scripted(0, moves_pile=share)
        (_, first), (answered, second), (led, _) = first_plays(script, 3)
        ways = {
            name: {place for time in steps(answered, led) if (place := still(script, time, name)) is not None}
            for name in (first, second)
        }
        assert [len(places) > 2 for places in ways.values()] == [expected, expected]


def test_an_answer_that_is_not_allowed_may_be_noted_once_the_trick_has_been_taken() -> None:
    """The lead lies face down, and face up again, before the card is laid that answers it."""
    for share, expected in ASKED:
        turned = 0
        for seed in range(12):
            script = scripted(seed, replays=share)
            plays = first_plays(script, 40)
            for (led, lead), (answered, _) in zip(plays[::2], plays[1::2], strict=False):
                faces = [card.pose.face_up for t in steps(led, answered) if (card := lying(script, t, lead))]
                turned += any(now and not before for before, now in pairwise(faces))
        assert bool(turned) is expected


def test_a_hand_may_stay_upon_the_card_that_it_has_played() -> None:
    """For a second at least."""
    for share, expected in ASKED:
        script = scripted(0, keeps_hand=share)
        players = [e.player for e in random_record(0).events if isinstance(e, CardPlayed)]
        stays = [
            hand_s(script, player, time - 0.05)
            for player, (time, _) in zip(players, first_plays(script, 8), strict=False)
        ]
        assert (sum(seconds > 1.9 for seconds in stays) >= 6) is expected


def test_the_trick_with_which_66_are_reached_may_be_left_lying() -> None:
    """Until the table is cleared; else it is taken before."""
    seed = next(
        seed
        for seed in range(500)
        if len(events := random_record(seed).events) > 2
        and isinstance(events[-1], Claimed)
        and isinstance(events[-2], CardPlayed)
    )
    for share, expected in ASKED:
        script = scripted(seed, leaves_last=share)
        claimed = next(e["t"] for e in script.timeline if e["type"] == "claim")
        last = next(e for e in reversed(script.timeline) if e["type"] == "play")
        laid = lying(script, claimed, last["card"])
        assert (laid is not None and laid.pose.face_up) is expected


def test_won_tricks_may_lie_face_up() -> None:
    """In the pile."""
    for share, expected in ASKED:
        script = scripted(0, faces_up=share)
        (_, first), _, (led, _) = first_plays(script, 3)
        laid = lying(script, led, first)
        assert laid is not None
        assert laid.pose.face_up is expected


def test_the_turn_up_may_lie_beside_the_stock() -> None:
    """Wholly, not under it."""
    for share, expected in ASKED:
        script = scripted(0, lies_apart=share)
        dealt = script.timeline[0]["t"]
        assert (apart(script, dealt, STOCK, str(script.records[0].turned_up)) > 70.0) is expected


def test_the_stock_may_be_lifted_off_the_turn_up() -> None:
    """It lies aside for a moment, and where it lay when the card is led."""
    for share, expected in ASKED:
        script = scripted(0, lifts_stock=share)
        dealt, (led, _) = script.timeline[0]["t"], first_plays(script, 1)[0]
        places = [place for time in steps(dealt, led) if (place := middle(script, time, STOCK)) is not None]
        assert any(math.dist(place, places[0]) > 15.0 for place in places) is expected
        assert math.dist(places[0], places[-1]) < 1.0


def test_somebody_who_looks_on_may_reach_in_from_the_side() -> None:
    """The hand is neither player's, comes in beside the table, points at what lies there, and goes."""
    for share, expected in ASKED:
        script = scripted(0, looks_on=share)
        theirs = [reach for reach in script.reaches if reach.player is None]
        assert bool(theirs) is expected
        for reach in theirs:
            xs = [abs(x) for _, x, _ in reach.keys]
            assert min(xs[0], xs[-1]) > View().half_width_mm > max(xs[1:-1])
            assert abs(reach.seat_mm[0]) > xs[0]
