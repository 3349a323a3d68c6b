"""Plays that an arm hides, or that nobody sees, and what follows them."""

from __future__ import annotations

import numpy as np
import pytest

from companion.decoding.story import Act, Story, Table
from companion.decoding.unseen import answered_unseen
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import CardPlayed, Dealt, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.observation import Phase
from tests.decoding.acted import Acted
from tests.decoding.puppets import HEIGHT, WIDTH, Reach
from tests.decoding.sighted import sight

RULES = preset("schnapsen")
SOUTH, NORTH = Player


def begun(seed: int, turn_up: str = "KH") -> Acted:
    """South has dealt, and north has won the first trick."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, turn_up)
    table.trick(NORTH, "TC", "JC")
    return table


def answer_beside(table: Acted, name: str, x: float, y: float) -> None:
    """South answers at a place where no arm of the leader is."""
    answer = table.throw(SOUTH, name)
    aside = np.array([x, y], np.float32) - answer.corners.mean(axis=0)
    answer.corners, answer.moving_from = answer.corners + aside, None
    table.show.reaches[-1].target = (x, y)


@pytest.mark.parametrize("seed", [3, 4])
def test_a_lead_under_its_players_arm_came_before_the_answer_that_is_seen_first(seed: int) -> None:
    """The arm rests on the card until it is answered: what was laid meanwhile was laid by the other."""
    table = begun(seed)
    start = table.time
    lead = table.throw(NORTH, "AC")
    x, y = (float(each) for each in lead.corners.mean(axis=0))
    table.wait(1.5)
    answer_beside(table, "QC", x + 150.0, y + 80.0)
    table.wait(1.2)
    table.show.reaches.append(Reach(NORTH, (x - 10, y + 30), start + 0.3, table.time))
    table.wait(1.2)
    table.gather()
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", [3, 4])
def test_an_answer_to_a_lead_that_an_arm_hides_is_no_hand_laid_open(seed: int) -> None:
    """Only the answer is seen lying, and is gathered seconds before the claim: it came with no claim."""
    table = begun(seed)
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "TS")
    start = table.time
    x, y = (float(each) for each in table.throw(NORTH, "AD").corners.mean(axis=0))
    table.wait(1.5)
    answer_beside(table, "QD", x + 150.0, y + 80.0)
    table.wait(1.2)
    table.show.reaches.append(Reach(NORTH, (x - 10, y + 30), start + 0.3, table.time + 1.2))
    table.gather()
    table.wait(1.0)
    table.claim(NORTH)
    told, asked = table.watched()
    led = CardPlayed(NORTH, Card.parse("AD"))
    assert led in told[0] or any(led in each.options for each in asked)
    assert len(told[0]) == len(table.truth[0])


def test_whoever_took_a_trick_by_a_card_that_nobody_saw_may_exchange() -> None:
    """The lead is gone, and the jack lies where the turn-up lay: it is no answer to what is gathered."""
    table = begun(1, "QH")
    table.play(NORTH, "KS")
    table.throw(SOUTH, "TH").lost = ((0.0, 1e9),)
    table.wait(0.6)
    table.gather()
    table.exchange(SOUTH)
    table.trick(SOUTH, "QH", "KH")
    table.trick(NORTH, "AC", "QC")
    table.claim(NORTH)
    told, asked = table.watched()
    unnamed = [CardPlayed(SOUTH, None) if at == 4 else event for at, event in enumerate(table.truth[0])]
    assert told == [unnamed]
    assert {each.text for each in asked} == {"which_card"}


def rests(table: Acted, player: Player, place: tuple[float, float], since: float) -> None:
    """An arm lies there from `since` until now."""
    table.show.reaches.append(Reach(player, place, since, table.time))


@pytest.mark.parametrize("seed", [3, 4])
def test_a_lead_under_the_others_arm_came_before_the_answer_that_is_seen_first(seed: int) -> None:
    """The arm of who answers hides it from the first moment on: its leader's hand came meanwhile."""
    table = begun(seed)
    start = table.time - 0.5
    lead = table.throw(NORTH, "AC")
    lead.moving_from = None
    x, y = (float(each) for each in lead.corners.mean(axis=0))
    table.wait(1.0)
    answer_beside(table, "QC", x - 150.0 if table.left else x + 150.0, y + 80.0)
    table.wait(0.6)
    rests(table, SOUTH, (x, y - 70), start)
    table.wait(1.4)
    table.gather()
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH)
    told, asked = table.watched()
    led = CardPlayed(NORTH, Card.parse("AC"))
    assert told == table.truth or any(led in each.options for each in asked)


@pytest.mark.parametrize("seed", [3, 4])
def test_a_marriage_under_the_others_arm_is_asked_about(seed: int) -> None:
    """All that is seen is the king that was led, when the arm leaves: its queen has been taken up again."""
    table = begun(seed)
    table.trick(NORTH, "AS", "JS")
    start = table.time
    table.wait(0.3)
    kept = table.show_pair(NORTH, "KD", "QD")
    _, _, lead = table._trick[0]
    table.take_up(NORTH, kept)
    x, y = (float(each) for each in lead.corners.mean(axis=0))
    for at in (x, x + 112.0):
        rests(table, SOUTH, (at, y - 80), start)
    table.wait(1.5)
    table.play(SOUTH, "JD")
    table.gather()
    table.trick(NORTH, "AH", "TH")
    table.claim(NORTH)
    told, asked = table.watched()
    declared = MarriageDeclared(NORTH, Suit.DIAMONDS)
    assert declared in told[0] or any(declared in each.options for each in asked)


@pytest.mark.parametrize("seed", [3, 4])
def test_a_king_that_is_seen_on_its_way_is_no_half_of_a_marriage_under_an_arm(seed: int) -> None:
    """The other's arm leaves just as it comes to lie, and its leader's hand had come before: not asked."""
    table = begun(seed)
    table.trick(NORTH, "AS", "JS")
    start = table.time
    table.wait(0.3)
    table._reach(NORTH, (WIDTH / 2, 180.0), 0.8)
    table.wait(1.2)
    table.throw(NORTH, "KD")
    rests(table, SOUTH, (WIDTH - table.at[0], HEIGHT - 120.0), start)
    table.wait(1.2)
    table.play(SOUTH, "JD")
    table.gather()
    table.trick(NORTH, "AH", "TH")
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


LED = 7


def price_of_hidden_answer(first: Act) -> float:
    """What it costs that nobody saw the answer in the second trick, nats; `first` answered in the first."""
    story = Story.begin(RULES, Act(Dealt(SOUTH, Card.parse("KH")), 0.0))
    second = Act(CardPlayed(NORTH, Card.parse("AS")), 6.0, LED)
    for act in (Act(CardPlayed(NORTH, Card.parse("AC")), 2.0, 5), first, second):
        grown = story.then(act, index=0, table=Table(led=act.track))
        assert grown is not None
        story = grown
    answered = answered_unseen(story, {LED: sight("AS", 6.0, 1.0, Phase.GONE)}, 12.0, None)
    assert answered is not None
    return answered.acts[-1].prior


def test_whoever_hides_one_answer_hides_another() -> None:
    """A second one that no frame shows is likelier than the first was."""
    seen = Act(CardPlayed(SOUTH, Card.parse("JC")), 4.0, 6)
    said = Act(CardPlayed(SOUTH, None), 4.0, source="phone:south")
    hidden = Act(CardPlayed(SOUTH, None), 4.0)
    assert price_of_hidden_answer(hidden) > price_of_hidden_answer(seen) == price_of_hidden_answer(said)
