"""Where an act goes that only the player on lead can do, and that is seen late."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.decoding.story import Act, Story
from companion.decoding.turn_up import on_lead
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Dealt
from companion.rules.ruleset import preset

RULES = preset("schnapsen")
SOUTH, NORTH = Player.SOUTH, Player.NORTH


def story(*plays: tuple[float, Player, str | None]) -> Story:
    """South dealt the ten of spades; then these plays, each on the track of its number."""
    told = Story.begin(RULES, Act(Dealt(SOUTH, Card.parse("TS")), 1.0, track=1))
    for track, (time, player, name) in enumerate(plays, start=2):
        card = None if name is None else Card.parse(name)
        grown = told.then(Act(CardPlayed(player, card), time, track))
        assert grown is not None
        told = grown
    return told


TWO_TRICKS = story((5.0, NORTH, "AH"), (6.0, SOUTH, "KH"), (12.0, NORTH, "AC"), (14.0, SOUTH, "KC"))


def closed(told: Story, *, since: float, last_seen: float) -> list[tuple[int, Player]]:
    """Where the stories that go on have the close, and by whom."""
    act = Act(Closed(SOUTH), since)
    grown = on_lead(told, act, None, replace(told.table, turn_up=None), last_seen)
    return [
        (at, done.event.player)
        for each in grown
        for at, done in enumerate(each.acts)
        if isinstance(done.event, Closed)
    ]


@pytest.mark.parametrize(
    ("since", "last_seen", "places"),
    [
        (10.0, 9.0, [(2, NORTH)]),  # nobody saw it before both cards of the trick lay there
        (13.0, 12.8, [(2, NORTH)]),  # it was still seen after the lead: closed with the lead on the table
        (16.0, 15.0, [(4, NORTH)]),
    ],
)
def test_a_close_comes_before_the_trick_that_followed_it(
    since: float, last_seen: float, places: list[tuple[int, Player]]
) -> None:
    """Only whoever is on lead closes: before a lead that came later, or after the trick."""
    assert closed(TWO_TRICKS, since=since, last_seen=last_seen) == places


@pytest.mark.parametrize(("last_seen", "places"), [(8.0, [(2, NORTH)]), (11.0, [])])
def test_a_lead_that_lies_there_for_long_was_led_with_an_open_stock(
    last_seen: float, places: list[tuple[int, Player]]
) -> None:
    """Nobody has answered it; whoever thinks again after six seconds has no right to."""
    told = story((1.0, NORTH, "AH"), (2.0, SOUTH, "KH"), (5.0, NORTH, "AC"))
    assert closed(told, since=last_seen + 0.5, last_seen=last_seen) == places


def test_whoever_took_a_trick_that_nobody_saw_may_have_closed() -> None:
    """Nobody knows who is on lead then."""
    told = story((5.0, NORTH, "AH"), (6.0, SOUTH, "KH"), (12.0, NORTH, None), (12.0, SOUTH, None))

    assert closed(told, since=14.0, last_seen=7.0) == [(4, SOUTH), (4, NORTH)]
