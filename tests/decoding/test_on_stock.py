"""A turn-up that is laid face up on the stock: most who do that close. Or it is turned down where it lies."""

from __future__ import annotations

import pytest

from companion.rules.cards import Player
from companion.rules.events import Closed
from companion.rules.ruleset import preset
from companion.table.detection import BACK
from tests.decoding.acted import Acted
from tests.decoding.puppets import quad

RULES = preset("schnapsen")
SOUTH, NORTH = Player


def begun(seed: int) -> Acted:
    """South has dealt, and north has won the first trick and lays the turn-up on the stock."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    return table


def played_out(table: Acted, *, closed: bool = False) -> None:
    """North takes three tricks and claims; both draw between them unless north has closed the stock."""
    if closed:
        table._open = False
        table.truth[-1].append(Closed(NORTH))
    for lead, answer in (("AC", "QC"), ("AH", "TH"), ("AS", "JS")):
        table.trick(NORTH, lead, answer)
    table.claim(NORTH)


def is_told_or_asked(table: Acted) -> bool:
    """Whether all is told as it was, or it is asked whether north has closed the stock; once at most."""
    told, asked = table.watched()
    return len(asked) <= 1 and (told == table.truth or any(Closed(NORTH) in each.options for each in asked))


def lay_under_stock(table: Acted, index: int, degrees: float) -> None:
    """North takes what lies at the turn-up's place, and lays a card there, under the edge of the stock."""
    table._reach(NORTH, table.at, 1.0)
    table.turn_up.end = table.time - 0.5
    table.turn_up = table._put(index, quad(*table.turn_up_at, degrees), table.time - 0.4)
    at = table.show.items.index(table.stock)
    table.show.items.insert(at, table.show.items.pop())
    table.wait(1.0)


def laid_on_stock(table: Acted, degrees: float) -> None:
    """North takes the turn-up and lays it on the stock, face up."""
    table._reach(NORTH, table.at, 1.0)
    table.turn_up.end = table.time - 0.5
    table.turn_up = table._put(table.turn_up.index, quad(table.at[0] + 5, table.at[1] - 4, degrees))
    table.turn_up.start -= 0.4
    table.wait(1.0)


@pytest.mark.parametrize("degrees", [4.0, 88.0])
@pytest.mark.parametrize("seed", range(3))
def test_whether_the_stock_is_closed_so_is_asked(seed: int, degrees: float) -> None:
    """Along the stock or across it: the table says whether nobody draws any more."""
    table = begun(seed)
    laid_on_stock(table, degrees)
    played_out(table, closed=True)
    assert is_told_or_asked(table)


@pytest.mark.parametrize("degrees", [4.0, 88.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_turn_up_that_lies_under_the_stock_again_closes_nothing(seed: int, degrees: float) -> None:
    """It was laid there for a moment, or the close was taken back: nothing is asked."""
    table = begun(seed)
    laid_on_stock(table, degrees)
    table.wait(0.5)
    lay_under_stock(table, table.turn_up.index, 86)
    played_out(table)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", range(3))
def test_a_turn_up_that_lies_there_while_it_is_exchanged_closes_nothing(seed: int) -> None:
    """It is taken up once the jack lies in its place: nothing is asked, and no turn-up was misread."""
    table = begun(seed)
    table.exchange_aside(NORTH, table.at[0] + 5, table.at[1] - 4)
    played_out(table)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("degrees", [84.0, 89.0])
@pytest.mark.parametrize("seed", range(3))
def test_a_turn_up_that_is_turned_down_where_it_lies_closes_the_stock(seed: int, degrees: float) -> None:
    """The stock lies where it lay, and a card face down where the turn-up did: nothing is asked."""
    table = begun(seed)
    lay_under_stock(table, BACK, degrees)
    played_out(table, closed=True)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", range(3))
def test_cards_that_are_laid_down_across_the_turn_up_may_have_closed_it(seed: int) -> None:
    """A hand that somebody laid down while thinking looks much alike: the table says."""
    table = begun(seed)
    lay_under_stock(table, BACK, 4.0)
    played_out(table)
    assert is_told_or_asked(table)


@pytest.mark.parametrize("seconds", [3.0, 12.0])
def test_cards_that_are_laid_on_the_turn_up_and_taken_up_again_have_closed_nothing(seconds: float) -> None:
    """They lay there just as a turn-up does that is turned down; it comes into sight again, the same card."""
    table = begun(0)
    table._reach(NORTH, table.at, 1.0)
    down = table._put(BACK, quad(*table.turn_up_at, 86.0), table.time - 0.4)
    table.wait(seconds)
    table._reach(NORTH, table.at, 1.0)
    down.end = table.time - 0.5
    table.wait(1.0)
    played_out(table)
    assert table.watched() == (table.truth, [])
