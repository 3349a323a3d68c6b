"""What it costs that an answer was taken back, and another laid in its place."""

from __future__ import annotations

import pytest

from companion.decoding.evidence import Gone, Laid
from companion.decoding.explain import explain
from companion.decoding.likelihood import LOG_ALONE, LOG_LEFT_BEHIND, LOG_TAKEN_BACK, LOG_TAKEN_UP
from companion.decoding.reaches import Reach
from companion.decoding.story import Act, Story, Table
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Dealt
from companion.rules.ruleset import preset
from companion.table.observation import Phase
from tests.decoding.sighted import sight

SOUTH, NORTH = Player
LED, ANSWER, INSTEAD = 2, 3, 4


def answered() -> Story:
    """North has led the ten of clubs, and south has answered with the jack."""
    story = Story.begin(preset("schnapsen"), Act(Dealt(SOUTH, Card.parse("KH")), 0.0, 1))
    for track, player, name in ((LED, NORTH, "TC"), (ANSWER, SOUTH, "JC")):
        act = Act(CardPlayed(player, Card.parse(name)), float(track), track)
        table = Table(turn_up=1, led=LED, answer=ANSWER if track == ANSWER else None)
        grown = story.then(act, index=Card.parse(name).index, table=table)
        assert grown is not None
        story = grown
    return story


def ways_of_another(gone: bool, name: str = "QC") -> tuple[Story, list[Story]]:
    """The answer is out of sight, or known to have gone, and a card comes: what that may be."""
    sights = {
        1: sight("KH", 0.0, 9.0),
        LED: sight("TC", 2.0, 6.0),
        ANSWER: sight("JC", 3.0, 1.0, Phase.GONE if gone else Phase.HIDDEN),
        INSTEAD: sight(name, 7.0, 1.0),
    }
    before = answered()
    (story,) = explain(before, Gone(ANSWER, 4.2), sights) if gone else (before,)
    hands = (Reach(SOUTH, 3.5, 4.4), Reach(SOUTH, 6.4, 7.3))
    return before, list(explain(story, Laid(INSTEAD, 7.0, hands), sights))


@pytest.mark.parametrize("gone", [True, False])
def test_it_costs_the_same_whether_the_answer_was_seen_to_go_or_not(gone: bool) -> None:
    """What its going alone has cost is given back, and nothing else."""
    before, ways = ways_of_another(gone)
    (other,) = (
        way
        for way in ways
        if len(way.acts) == 2
        and way.acts[-1].event == CardPlayed(SOUTH, Card.parse("QC"))
        and way.readings.get(ANSWER) == Card.parse("JC").index
    )

    assert other.extra - before.extra == pytest.approx(LOG_TAKEN_BACK)


@pytest.mark.parametrize("gone", [True, False])
def test_a_lead_beside_what_is_left_of_a_trick_costs_that_the_other_went_alone(gone: bool) -> None:
    """Known to have gone or not: else whoever answers anew would be asked about what was led."""
    before, ways = ways_of_another(gone)
    (led,) = (way for way in ways if way.acts[-1].event == CardPlayed(NORTH, Card.parse("QC")))

    assert led.extra - before.extra == pytest.approx(LOG_LEFT_BEHIND + LOG_ALONE)


@pytest.mark.parametrize("gone", [True, False])
def test_an_answer_that_is_laid_again_while_its_lead_lies_there_was_not_gathered(gone: bool) -> None:
    """Its player has thought again for three seconds: no card of a trick is looked at, nor any counted."""
    before, ways = ways_of_another(gone, "JC")
    jack = Card.parse("JC").index
    (again,) = (way for way in ways if way.table.answer == INSTEAD and way.readings[INSTEAD] == jack)

    assert again.extra - before.extra == pytest.approx(LOG_TAKEN_UP)
    assert again.alone is None
