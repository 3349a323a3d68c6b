"""Hands at the stock: both draw from an open one after each trick, nobody from a closed one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from companion.decoding.at_stock import Stock
from companion.decoding.draws import Draws
from companion.decoding.evidence import AtStock, Laid, TurnedUp
from companion.decoding.explain import explain
from companion.decoding.likelihood import (
    LOG_DRAWN_THOUGH_CLOSED,
    LOG_DRAWN_UNANSWERED,
    LOG_GATHERED_UNANSWERED,
    LOG_NOT_DRAWN,
)
from companion.decoding.stock_place import StockPlace
from companion.decoding.story import Act, Story, Table
from companion.decoding.watcher import Watcher
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import CardPlayed, Closed, Dealt, Event, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.detection import BACK, CLASSES, Motion, Reading
from companion.table.observation import Observation, Phase, TableView
from companion.tracking.tracker import Tracker
from tests.decoding.acted import Acted
from tests.decoding.puppets import CELLS, HEIGHT, WIDTH, lying, quad
from tests.decoding.sighted import sight

RULES = preset("schnapsen")
SOUTH, NORTH = Player
KING = Card.parse("KH").index
BOTH, NOBODY = frozenset(Player), frozenset[Player]()


def told(*names: str, closed_after: int | None = None, before_draw: bool = False) -> Story:
    """North leads and wins all tricks of these cards; maybe it closes after so many of them."""
    rules = preset("sixty_six") if before_draw else RULES
    events: list[Event] = []
    for at, name in enumerate(names):
        if at % 2 == 0 and at // 2 == closed_after:
            events.append(Closed(NORTH, before_draw=before_draw))
        events.append(CardPlayed(Player(1 - at % 2), Card.parse(name)))
    story = Story.begin(rules, Act(Dealt(SOUTH, Card.parse("KH")), 0.0))
    for time, event in enumerate(events, start=1):
        grown = story.then(Act(event, float(time)))
        assert grown is not None
        story = grown
    return story


CARDS = ("TC", "JC", "AC", "QC", "TD", "JD", "AD")
"""Three tricks, and a lead."""


def reached(story: Story, taken: Sequence[int], rested: Sequence[int] = ()) -> float:
    """What it adds to a story that both came to the stock, or nobody, after these tricks; nats."""
    draws = story.draws
    for trick in taken:
        draws = draws.reached(trick, BOTH)
    for trick in rested:
        draws = draws.undisturbed(trick)
    return draws.log_p(story.state)


def test_a_stock_that_nobody_draws_from_is_closed() -> None:
    """Where it was seen that both drew after an earlier trick."""
    assert reached(told(*CARDS), [1], [2]) == LOG_NOT_DRAWN
    assert reached(told(*CARDS, closed_after=1), [1], [2]) == 0.0
    assert reached(told(*CARDS), [], [1, 2]) == 0.0


def test_a_stock_that_both_draw_from_is_open() -> None:
    """Each trick after the close says so; what was drawn before it says nothing."""
    assert reached(told(*CARDS), [1, 2, 3]) == 0.0
    assert reached(told(*CARDS, closed_after=2), [1, 2]) == 0.0
    assert reached(told(*CARDS, closed_after=2), [1, 2, 3]) == LOG_DRAWN_THOUGH_CLOSED
    assert reached(told(*CARDS, closed_after=1), [1, 2, 3]) == 2 * LOG_DRAWN_THOUGH_CLOSED


def test_one_hand_at_the_stock_says_nothing() -> None:
    """Whoever gathers a trick may come by; whoever takes one may draw for both."""
    for story in (told(*CARDS), told(*CARDS, closed_after=1)):
        draws = story.draws.reached(1, BOTH).reached(2, frozenset({NORTH})).undisturbed(2)
        assert draws.log_p(story.state) == 0.0


def test_whoever_closes_before_drawing_draws_no_more() -> None:
    """Clause 6.4: the stock lies untouched after the very trick after which it was closed."""
    assert reached(told(*CARDS, closed_after=2, before_draw=True), [1], [2]) == 0.0
    assert reached(told(*CARDS, closed_after=2), [1], [2]) == LOG_NOT_DRAWN


def test_what_comes_after_the_last_trick_says_nothing() -> None:
    """Everybody reaches everywhere once a hand is over, and nobody knows yet that it is."""
    assert reached(told(*CARDS[:6], closed_after=1), [1, 3]) == 0.0
    assert reached(told(*CARDS, closed_after=1), [1, 3]) == LOG_DRAWN_THOUGH_CLOSED


def noticed(*arms: Player, everywhere: bool) -> list[AtStock]:
    """What is told of hands at a stock where something moves, or everywhere, with each of these in turn."""
    tracker, watcher, told_of = Tracker(), Watcher(), list[AtStock]()
    cards = [(KING, quad(300, 360, 90)), (BACK, quad(225, 360, 0)), (BACK, quad(1100, 70, 8))]
    for number in range(80 + 20 * len(arms)):
        time, turn, within = number / 10, (number - 80) // 20, (number - 80) % 20
        moved, arm = np.zeros(CELLS, bool), arms[turn] if turn >= 0 and within < 8 else None
        if arm is not None:
            moved[15:30, :20] = True
            moved |= everywhere
        found = tuple(lying(index, corners, time) for index, corners in cards)
        motion = Motion(moved, 0.2 * (arm is SOUTH), 0.2 * (arm is NORTH))
        new = watcher.update(tracker.update(Reading(time, (WIDTH, HEIGHT), found, motion)))
        if any(isinstance(one, TurnedUp) for one in new):
            watcher.dealt(anew=True)
        told_of += [one for one in new if isinstance(one, AtStock)]
    return told_of


def test_each_hand_at_the_stock_is_told_once_it_has_left() -> None:
    """Whose it was shows the edge over which it reaches in."""
    both = noticed(NORTH, SOUTH, everywhere=False)
    assert [one.players for one in both] == [{NORTH}, {SOUTH}]
    assert [one.time for one in both] == pytest.approx([8.7, 10.7])


def test_where_everything_moves_no_hand_is_at_the_stock() -> None:
    """Somebody knocks against the camera, or a lamp flickers: that is told, and of nobody."""
    assert [one.players for one in noticed(NORTH, SOUTH, everywhere=True)] == [NOBODY, NOBODY]


@pytest.mark.parametrize("seed", range(3))
def test_a_stock_that_was_pushed_over_its_turn_up_and_is_drawn_from_was_not_closed(seed: int) -> None:
    """A sleeve did that: it is told as a close at first, and taken back once both go on drawing."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    table.trick(NORTH, "TD", "JD")
    table.push_over_turn_up(NORTH)
    for lead, answer in (("AC", "QC"), ("AD", "QD"), ("AS", "JS")):
        table.trick(NORTH, lead, answer)
    table.claim(NORTH)
    events, _ = table.watched()
    assert events == table.truth


LED, NEXT = 2, 3


def price_of_answer(
    *drawn: tuple[float, frozenset[Player]], answered: bool = False, phase: Phase = Phase.GONE
) -> float:
    """What a card costs as the answer to a lead last seen at 3 s, with hands at the stock then, nats.

    `answered`: as the answer to the lead after that, which lies there; the first was answered.
    """
    sights = {
        LED: sight("TC", 2.0, 1.0, phase, from_south=0.0),
        NEXT: sight("QC", 9.0, 1.0, from_south=1.0),
    }
    story = Story.begin(RULES, Act(Dealt(SOUTH, Card.parse("KH")), 0.0))
    lead = Act(CardPlayed(NORTH, Card.parse("TC")), 2.0, LED)
    grown = story.then(lead, index=Card.parse("TC").index, table=Table(led=LED))
    assert grown is not None
    before = grown
    for time, players in drawn:
        (grown,) = explain(grown, AtStock(time, players), sights)
    if answered:
        unseen = grown.then(Act(CardPlayed(SOUTH, None), 8.0))
        led = None if unseen is None else unseen.then(Act(CardPlayed(SOUTH, Card.parse("AD")), 8.5))
        assert led is not None
        grown = before = led
    event = CardPlayed(grown.state.to_play or SOUTH, Card.parse("QC"))
    (answer,) = (
        way
        for way in explain(grown, Laid(NEXT, 9.0, ()), sights)
        if way.acts[-1].event == event and len(way.acts) == len(grown.acts) + 1
    )
    return answer.extra - before.extra


FIRST_SOUTH, THEN_NORTH = (5.0, frozenset({SOUTH})), (6.0, frozenset({NORTH}))


def test_a_lead_after_which_both_have_drawn_was_answered() -> None:
    """A card that is laid then hardly answers it: that costs more than that the lead has gone before."""
    assert price_of_answer(FIRST_SOUTH, THEN_NORTH) == LOG_GATHERED_UNANSWERED + LOG_DRAWN_UNANSWERED
    assert price_of_answer((5.0, BOTH)) == LOG_GATHERED_UNANSWERED + LOG_DRAWN_UNANSWERED


@pytest.mark.parametrize(
    "drawn",
    [(), (FIRST_SOUTH,), ((1.0, frozenset({SOUTH})), THEN_NORTH)],
    ids=["nobody", "one alone", "one before the lead had gone"],
)
def test_a_lead_after_which_not_both_have_drawn_may_be_answered_late(
    drawn: Sequence[tuple[float, frozenset[Player]]],
) -> None:
    """One hand may come by; and what was drawn before says nothing."""
    assert price_of_answer(*drawn) == LOG_GATHERED_UNANSWERED


def test_drawing_while_the_lead_is_only_out_of_sight_says_nothing() -> None:
    """A hand may lie on it."""
    assert price_of_answer(FIRST_SOUTH, THEN_NORTH, phase=Phase.HIDDEN) == 0.0


def test_what_was_drawn_after_an_answer_that_nobody_saw_says_nothing_of_the_next() -> None:
    """It belongs to the trick before."""
    assert price_of_answer(FIRST_SOUTH, THEN_NORTH, answered=True) == price_of_answer(answered=True)


@pytest.mark.parametrize(
    ("visits", "drew"),
    [
        ((2, 2, 3), True),
        ((2, 3, 1), False),
        ((2, 2, 0), False),
        ((2, 2, 2), None),
        ((1, 2, 1), None),
        ((1,), None),
    ],
    ids=[
        "twice and the close",
        "the close alone",
        "not even seen",
        "one missed",
        "seen badly before",
        "first",
    ],
)
def test_how_often_something_moved_at_the_stock_tells_of_a_draw_before_it_was_closed(
    visits: Sequence[int], drew: bool | None
) -> None:
    """Two draw one after the other, and one closes; how well that is seen the tricks before tell."""
    draws = Draws()
    for taken, often in enumerate(visits, 1):
        for _ in range(often):
            draws = draws.visited(taken)

    assert draws.drew_before_close(len(visits)) is drew


def test_nobody_declares_before_having_drawn() -> None:
    """Rules by which the marriage may end the hand: no lead comes any more that would tell."""
    waits = told(*CARDS[:6])
    declares = waits.then(Act(MarriageDeclared(NORTH, Suit.SPADES), 9.0))

    assert declares is not None
    assert reached(waits, (1, 2), (3,)) == 0.0
    assert reached(declares, (1, 2), (3,)) == LOG_NOT_DRAWN


def back(track: int, x: float, phase: Phase) -> Observation:
    """A card face down at the stock, where something moved last two seconds ago."""
    log_probs = np.full(len(CLASSES), -9.0, np.float32)
    log_probs[BACK] = 0.0
    return Observation(track, quad(x, 360.0, 0.0), log_probs, phase, 1.0, 1.0, 5.0, disturbed=3.0)


@pytest.mark.parametrize(
    ("apart", "rests"), [(8.0, True), (90.0, False)], ids=["under the other", "under a hand beside it"]
)
def test_a_stock_that_is_covered_by_the_card_that_closed_it_rests(apart: float, rests: bool) -> None:
    """Nothing of it shows, and nobody draws from beneath; from one under a hand somebody may."""
    place = StockPlace()
    lower, upper = back(1, 300.0, Phase.HIDDEN), back(2, 300.0 + apart, Phase.STILL)
    place.unit = 60.0
    place.dealt_without(lower)
    view = TableView(5.0, (WIDTH, HEIGHT), (lower, upper), False, False, True)

    assert [one.since for one in Stock(place).rests(view, 5.0)] == [3.0] * rests
