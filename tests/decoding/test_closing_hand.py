"""Whose hand was at a turn-up that is gone: whoever is on lead may close, the other may have covered it."""

from __future__ import annotations

import pytest

from companion.decoding.evidence import Gone
from companion.decoding.explain import explain
from companion.decoding.reaches import LOG_NO_HAND, Reach
from companion.decoding.story import Act, Story
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Dealt
from companion.rules.ruleset import preset
from companion.table.observation import Phase
from tests.decoding.sighted import sight
from tests.decoding.trial import played

RULES = preset("schnapsen")
SOUTH, NORTH = Player
TURN_UP = 1
SEEN_S, GONE_S = 10.0, 12.0


def price_of_close(*hands: Reach, dark: tuple[float, float] | None = None) -> float:
    """What it costs that north, who is on lead, has closed, with these hands in the picture lately; nats."""
    story = Story.begin(RULES, Act(Dealt(SOUTH, Card.parse("KH")), 0.0, TURN_UP))
    for time, player, name in ((4.0, NORTH, "TC"), (6.0, SOUTH, "JC")):
        grown = story.then(Act(CardPlayed(player, Card.parse(name)), time))
        assert grown is not None
        story = grown
    sights = {TURN_UP: sight("KH", 0.0, SEEN_S, Phase.GONE)}
    ways = explain(story, Gone(TURN_UP, GONE_S, hands, dark), sights)
    (closed,) = (way for way in ways if way.acts[-1].event == Closed(NORTH))
    return closed.extra - story.extra


@pytest.mark.parametrize(
    "hand",
    [Reach(NORTH, 10.5, 11.5), Reach(NORTH, 9.0, 10.2), Reach(NORTH, 11.9, 13.0)],
    ids=["meanwhile", "from before", "until later"],
)
def test_a_hand_of_whoever_closes_was_there(hand: Reach) -> None:
    """At some time between the last look at the turn-up and the first without it."""
    assert price_of_close(Reach(SOUTH, 6.0, 7.0), hand) == 0.0


def test_a_turn_up_that_went_by_the_other_hand_was_hardly_closed() -> None:
    """South drew last, and may have pushed the stock over it; north was there before, and later."""
    hands = (Reach(NORTH, 8.0, 9.0), Reach(SOUTH, 10.2, 11.2), Reach(NORTH, 13.0, 14.0))
    assert price_of_close(*hands) == LOG_NO_HAND


@pytest.mark.parametrize(
    ("dark", "price"), [((10.5, 11.8), 0.0), ((7.0, 9.0), LOG_NO_HAND)], ids=["then", "long before"]
)
def test_a_hand_that_nobody_could_see_may_have_been_there(dark: tuple[float, float], price: float) -> None:
    """The camera was covered when the turn-up went."""
    assert price_of_close(Reach(SOUTH, 6.0, 7.0), dark=dark) == price


def test_where_nobody_looks_for_hands_they_say_nothing() -> None:
    """A camera whose picture shows no arms."""
    assert price_of_close() == 0.0


def test_a_close_right_before_the_marriage_that_ends_the_hand_is_written() -> None:
    """Where hands count themselves: the turn-up is seen to be gone only when the hand is over already."""
    outcome, _ = played(2043, "clear", rules=preset("beginner_24"))
    assert outcome.untouched
