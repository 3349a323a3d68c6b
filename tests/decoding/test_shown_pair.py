"""King and queen that were shown, and that have both gone by the time that anybody knows of it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.decoding.evidence import Gone
from companion.decoding.explain import explain
from companion.decoding.likelihood import LOG_GATHERED_UNANSWERED, LOG_SHOWN_BRIEFLY, Sight
from companion.decoding.plays import plays
from companion.decoding.story import Act, Story, Table
from companion.decoding.unseen import answered_unseen
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import CardPlayed, Dealt, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.detection import CLASSES
from companion.table.observation import Phase

SOUTH, NORTH = Player.SOUTH, Player.NORTH
KING, QUEEN = Card.parse("KS"), Card.parse("QS")
DECLARED_S, DARK = 9.0, (11.0, 13.5)


def sight(card: Card, last_seen: float, phase: Phase = Phase.GONE, since: float = DECLARED_S) -> Sight:
    """A card that is read for certain."""
    log_p = np.full(len(CLASSES), -12.0)
    log_p[card.index] = 0.0
    return Sight(tuple(log_p), since, last_seen - since, phase, 0.01)


@pytest.fixture
def declared() -> Story:
    """North has taken a trick, and shown king (track 4) and queen (5) of spades."""
    told = Story.begin(preset("schnapsen"), Act(Dealt(SOUTH, Card.parse("TC")), 1.0, track=1))
    for track, (time, player, name) in enumerate(((5.0, NORTH, "AH"), (6.0, SOUTH, "KH")), start=2):
        told = told.then(Act(CardPlayed(player, Card.parse(name)), time, track))
    act = Act(MarriageDeclared(NORTH, Suit.SPADES), DECLARED_S)
    told = told.then(act, table=Table(turn_up=1, pair=(4, 5)))
    for track, card in ((4, KING), (5, QUEEN)):
        told.readings[track] = card.index
    return told


def led(declared: Story, king_until: float, queen_until: float) -> set[Card | None]:
    """What may have been led when both are known to have gone."""
    sights = {4: sight(KING, king_until), 5: sight(QUEEN, queen_until)}
    grown = explain(declared, Gone(4, 15.0), sights)
    return {
        act.event.card
        for story in grown
        if isinstance((act := story.acts[-1]).event, CardPlayed) and act is not declared.acts[-1]
    }


def test_the_card_that_lay_there_alone_was_led(declared: Story) -> None:
    """A hand that stayed, and then nobody looking, hid for how long the other was gone."""
    assert led(declared, king_until=10.0, queen_until=13.0) == {QUEEN}
    assert led(declared, king_until=13.0, queen_until=10.0) == {KING}


@pytest.mark.parametrize("later", [0.2, 0.8])
def test_what_went_nearly_together_was_taken_up_together(declared: Story, later: float) -> None:
    """So a hand ends in which 66 were said aloud: nothing was led, and nothing is asked."""
    assert led(declared, king_until=13.0, queen_until=13.0 + later) == set()


def test_what_was_led_before_nobody_looked_has_been_answered(declared: Story) -> None:
    """As any lead is that lay there before, and has gone since."""
    sights = {4: sight(KING, 10.0), 5: sight(QUEEN, 13.6)}
    answers = {
        (told.acts[-2].event, told.acts[-1].event)
        for story in explain(declared, Gone(4, 15.0), sights)
        if (told := answered_unseen(story, sights, 16.0, DARK)) is not None
        and told.extra > declared.extra - 4.0
    }

    assert answers == {(CardPlayed(NORTH, QUEEN), CardPlayed(SOUTH, None))}


def test_a_card_that_comes_long_after_both_have_gone_is_hardly_the_answer(declared: Story) -> None:
    """It costs what it costs after any lead that has gone."""
    answer = sight(Card.parse("TD"), 17.0, Phase.STILL, since=16.0)
    there = {4: sight(KING, 10.0), 5: sight(QUEEN, 16.5, Phase.STILL), 6: answer}
    gone = there | {5: sight(QUEEN, 13.0)}
    best = [
        max(
            story.extra
            for story in plays(declared, 6, 16.0, answer, sights)
            if story.acts[-2].event == CardPlayed(NORTH, QUEEN)
        )
        for sights in (there, gone)
    ]

    assert best[1] - best[0] == pytest.approx(LOG_GATHERED_UNANSWERED)


@pytest.mark.parametrize(("lay_s", "price"), [(0.2, LOG_SHOWN_BRIEFLY), (1.0, 0.0)])
def test_what_lay_there_for_a_blink_was_hardly_shown(declared: Story, lay_s: float, price: float) -> None:
    """It may have been the lead on its way, read in the hand that brought it."""
    sights = {4: sight(KING, 12.0, Phase.STILL), 5: sight(QUEEN, DECLARED_S + lay_s)}
    (extra,) = [
        story.extra for story in explain(declared, Gone(5, 12.0), sights) if story.acts[-1].track == 4
    ]

    assert extra - declared.extra == pytest.approx(price)
