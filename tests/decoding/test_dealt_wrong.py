"""What looks like a deal and is none: a card exposed beforehand, and cards of a trick that lie face down."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed
from companion.rules.ruleset import preset
from companion.table.detection import BACK
from tests.decoding.acted import Acted
from tests.decoding.puppets import HEIGHT, WIDTH, quad

RULES = preset("schnapsen")
SOUTH, NORTH = Player


def exposed(table: Acted, place: tuple[float, float]) -> None:
    """South deals, and the third card for the other falls face up beside the two that lie there."""
    x, y = place
    packet = table.lay(BACK, x, y, SOUTH)
    own = table.lay(BACK, x, HEIGHT - 90, SOUTH)
    card = table.lay(Card.parse("QS").index, x + 70, y, SOUTH)
    table.wait(1.5)
    for player, items in ((NORTH, (packet, card)), (SOUTH, (own,))):
        table.take_up(player, items[0])
        for item in items:
            item.end = items[0].end


@pytest.mark.parametrize("later", [0.0, 3.0])
@pytest.mark.parametrize("place", [(WIDTH / 2, 90.0), (WIDTH / 2 - 80, HEIGHT / 2 - 30)])
def test_a_card_exposed_while_dealing_is_no_turn_up(place: tuple[float, float], later: float) -> None:
    """Under the stock, which is laid elsewhere, lies the card that was turned up after it."""
    table = Acted(RULES)
    table.wait(0.8)
    exposed(table, place)
    table.wait(later)
    table.deal(SOUTH, "KH")
    for lead, answer in (("TC", "JC"), ("AH", "TH"), ("AS", "JS")):
        table.trick(NORTH, lead, answer)
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


def drawn_out() -> Acted:
    """The stock has been drawn, north has won all tricks, and nothing but them lies there."""
    table = Acted(RULES)
    table.deal(SOUTH, "KH")
    for lead, answer in (("TC", "JC"), ("AC", "QC"), ("TD", "JD"), ("AD", "QD")):
        table.trick(NORTH, lead, answer)
    table.play(NORTH, "AS")
    table.play(SOUTH, "JS")
    table.gather()
    table.stock.end = table.turn_up.end = table.time - 0.9
    table._open = False
    table.wait(2.5)
    return table


@pytest.mark.parametrize("lies_s", [1.2, 2.0])
def test_an_answer_that_lies_face_down_at_first_is_no_stock(lies_s: float) -> None:
    """Beside a lead, after the stock has been drawn: it is turned over, and has answered."""
    table = drawn_out()
    led = table.play(NORTH, "TS")
    x, y = (float(each) for each in led.corners.mean(axis=0))
    item = table.lay(BACK, x + 60, y + 60, SOUTH)
    table.wait(lies_s)
    table._reach(SOUTH, (x + 60, y + 60), 0.8)
    item.end = table.time - 0.4
    answer = table._put(Card.parse("QS").index, item.corners, item.end)
    table._trick.append((SOUTH, Card.parse("QS"), answer))
    table.truth[-1].append(CardPlayed(SOUTH, Card.parse("QS")))
    table.wait(1.2)
    table.gather()
    table.trick(NORTH, "AH", "QH")
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


def test_a_trick_that_is_turned_down_where_it_lies_is_no_deal() -> None:
    """The lead, pushed a little before, lies unseen under the two, and they lie there for two seconds."""
    table = drawn_out()
    led = table.throw(NORTH, "TS")
    table.wait(0.9)
    table._reach(NORTH, (float(led.corners[:, 0].mean()), float(led.corners[:, 1].mean())), 0.7)
    led.end = table.time - 0.5
    pushed = table._put(led.index, (led.corners + np.float32([14, 8])).astype(np.float32), table.time - 0.3)
    table._trick[0] = (NORTH, Card.parse("TS"), pushed)
    table.wait(1.0)
    table.play(SOUTH, "QS")
    down = table.lay(BACK, *(float(each) for each in pushed.corners.mean(axis=0)), NORTH)
    for _, _, item in table._trick:
        item.end = down.start
    table.wait(2.0)
    down.end = table.time + 0.4
    table.gather()
    table.trick(NORTH, "AH", "QH")
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("down_s", [0.3, 0.8])
def test_a_trick_that_is_turned_down_as_it_is_taken_is_no_deal(down_s: float) -> None:
    """By whoever has answered, at once: a moment after the answer a back lies beside it, and nowhere else."""
    table = drawn_out()
    table._piles[NORTH].lost = ((0.0, 1e9),)
    table.play(NORTH, "QS")
    answer = table.throw(SOUTH, "TS")
    x, y = (float(each) for each in answer.corners.mean(axis=0))
    table._reach(SOUTH, (x, y), down_s)
    down = table._put(BACK, quad(x + 55, y + 12, 40), table.time - down_s)
    down.end = table.time
    table.gather()
    table.trick(SOUTH, "AH", "QH")
    table.claim(SOUTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("pile_seen", [True, False], ids=["pile seen", "pile out of the picture"])
@pytest.mark.parametrize("turn_up", ["KH", "AD"])
def test_hands_thrown_in_are_over_though_the_same_card_is_turned_up_next(
    turn_up: str, *, pile_seen: bool
) -> None:
    """The stock has been taken up with all else: how that hand ended is asked, and the next is read."""
    table = Acted(RULES)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    if not pile_seen:
        table._piles[NORTH].lost = ((0.0, 1e9),)
    table.wait(1.0)
    table.sweep()
    table.wait(9.0)
    table.deal(NORTH, turn_up)
    for lead, answer in (("TS", "JS"), ("AH", "TH"), ("AC", "QC")):
        table.trick(SOUTH, lead, answer)
    table.claim(SOUTH)
    told, asked = table.watched()
    assert [told[0][:-1], *told[1:]] == table.truth
    assert asked[0].text == "how_ended"


def test_a_stock_that_is_taken_away_and_put_back_is_no_deal() -> None:
    """With its turn-up, in mid-hand, for as long as it takes to wipe the table; won tricks are not seen."""
    table = Acted(RULES)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    table._piles[NORTH].lost = ((0.0, 1e9),)
    table.wait(1.0)
    table.sweep()
    table.wait(2.5)
    table._reach(SOUTH, table.at, 1.2)
    table.stock = table._put(BACK, quad(*table.at, 3), table.time - 0.5)
    table.turn_up = table._put(Card.parse("KH").index, quad(*table.turn_up_at, 88), table.time - 0.5)
    table.wait(1.5)
    for lead, answer in (("AC", "QC"), ("AS", "JS"), ("TS", "QS")):
        table.trick(NORTH, lead, answer)
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])
