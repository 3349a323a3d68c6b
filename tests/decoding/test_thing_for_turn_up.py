"""Where the turn-up lay lies what can hardly be read: a thing, or the lowest trump that was exchanged."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.decoding.evidence import Absent, Gone, Returned, TurnedUp
from companion.decoding.explain import explain
from companion.decoding.likelihood import LOG_MOVED, LOG_THING_FOR_TURN_UP, Sight
from companion.decoding.story import Act, Story, Table
from companion.decoding.turn_up import MOST_ABSENT
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Dealt, Exchanged
from companion.rules.ruleset import preset
from companion.table.observation import Phase
from tests.decoding.sighted import sight

SOUTH, NORTH = Player
TURN_UP, LED, ANSWER, INSTEAD = 1, 2, 3, 4


def before(turn_up: Phase) -> tuple[Story, dict[int, Sight]]:
    """South has won the first trick and may exchange; in place of the turn-up something looks like a jack."""
    story = Story.begin(preset("schnapsen"), Act(Dealt(NORTH, Card.parse("KH")), 0.0, TURN_UP))
    for track, player, name in ((LED, SOUTH, "AC"), (ANSWER, NORTH, "QC")):
        act = Act(CardPlayed(player, Card.parse(name)), float(track), track)
        table = Table(turn_up=TURN_UP, led=LED, answer=ANSWER if track == ANSWER else None)
        grown = story.then(act, index=Card.parse(name).index, table=table)
        assert grown is not None
        story = grown
    sights = {
        TURN_UP: sight({"KH": -0.01}, 0.0, 9.0, turn_up, clarity=-0.1),
        LED: sight({"AC": -0.01}, 2.0, 2.0, Phase.GONE, clarity=-0.1),
        ANSWER: sight({"QC": -0.01}, 3.0, 1.0, Phase.GONE, clarity=-0.1),
        INSTEAD: sight({"JD": -0.4, "JS": -1.6, "JH": -4.0}, 12.0, 2.0, Phase.STILL, clarity=-0.8),
    }
    return story, sights


def thing(stories: list[Story]) -> Story:
    """The one in which it is no card of the hand, and nothing else happened."""
    (found,) = (story for story in stories if INSTEAD in story.noise and len(story.acts) == 2)
    return found


def test_what_lies_there_once_the_turn_up_has_gone_is_the_lowest_trump() -> None:
    """However little it looks like that: things do not come to lie just there."""
    story, sights = before(Phase.GONE)
    ways = list(explain(story, TurnedUp(INSTEAD, 12.0, deal=False), sights))
    best = max(ways, key=lambda way: way.log_p(sights))
    assert best.acts[-1].event == Exchanged(SOUTH)
    assert thing(ways).extra == pytest.approx(-1.0 + LOG_THING_FOR_TURN_UP)


@pytest.mark.parametrize("turn_up", [Phase.STILL, Phase.HIDDEN])
def test_beside_a_turn_up_a_thing_is_a_thing(turn_up: Phase) -> None:
    """While that lies there, as far as is known, nothing has been exchanged for it."""
    story, sights = before(turn_up)
    ways = list(explain(story, TurnedUp(INSTEAD, 12.0, deal=False), sights))
    assert thing(ways).extra == pytest.approx(-1.0)
    best = max(ways, key=lambda way: way.log_p(sights))
    assert best.acts[-1].event != Exchanged(SOUTH)


def test_it_costs_the_same_whichever_is_noticed_first() -> None:
    """That the turn-up has gone may be known only when something else lies there already."""
    story, sights = before(Phase.STILL)
    found = thing(list(explain(story, TurnedUp(INSTEAD, 12.0, deal=False), sights)))
    _, sights = before(Phase.GONE)
    gone = thing(list(explain(found, Gone(TURN_UP, 12.5), sights)))
    assert gone.extra == pytest.approx(-1.0 + LOG_THING_FOR_TURN_UP)


def test_what_it_costs_leaves_a_missing_turn_up_as_dear_as_without_it() -> None:
    """Whoever closes beside a thing that lies there has closed no less surely."""
    story, sights = before(Phase.GONE)
    found = thing(list(explain(story, TurnedUp(INSTEAD, 12.0, deal=False), sights)))
    for without in (story, found):
        missed = without
        for at in range(4):
            seen = Absent(13.0 + at / 2, 13.0, 9.0)
            missed = next(way for way in explain(missed, seen, sights) if len(way.acts) == 2)
        assert missed.extra - without.extra == pytest.approx(MOST_ABSENT)


def test_a_turn_up_that_was_only_hidden_gives_it_back() -> None:
    """An arm lay there for a while."""
    story, sights = before(Phase.GONE)
    found = thing(list(explain(story, TurnedUp(INSTEAD, 12.0, deal=False), sights)))
    (back,) = explain(found, Returned(15.0, TURN_UP, turn_up=True), sights)
    assert back.extra == pytest.approx(-1.0)


@pytest.mark.parametrize(("came", "price"), [(True, LOG_MOVED), (False, 0.0)], ids=["by a hand", "by nobody"])
def test_the_same_turn_up_under_another_number_was_moved_if_a_hand_brought_it(
    came: bool, price: float
) -> None:
    """What a hand lays there is likelier the lowest trump than the turn-up, pushed and read otherwise now."""
    story, sights = before(Phase.GONE)
    sights[INSTEAD] = replace(sights[INSTEAD], came=came)
    ways = explain(story, TurnedUp(INSTEAD, 12.0, deal=False), sights)
    king = Card.parse("KH").index
    (again,) = (way for way in ways if way.readings.get(INSTEAD) == king and len(way.acts) == 2)
    assert again.extra == pytest.approx(price)
