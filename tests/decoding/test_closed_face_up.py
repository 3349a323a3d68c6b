"""A stock that is closed by the turn-up being laid on it, face up as it is."""

from __future__ import annotations

import pytest

from companion.rules.cards import Player
from companion.rules.events import Closed
from companion.rules.ruleset import preset
from tests.decoding.acted import Acted
from tests.decoding.puppets import quad

RULES = preset("schnapsen")
SOUTH, NORTH = Player


def begun(seed: int) -> Acted:
    """South has dealt, and north has won the first trick."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.trick(NORTH, "TC", "JC")
    return table


def lay_on_stock(table: Acted, player: Player, degrees: float) -> None:
    """The turn-up is laid face up on the stock."""
    table._reach(player, table.at, 1.0)
    table.turn_up.end = table.time - 0.5
    table.turn_up = table._put(table.turn_up.index, quad(table.at[0] + 5, table.at[1], degrees))
    table.wait(1.0)


@pytest.mark.parametrize(("seed", "degrees"), [(1, 3.0), (3, 90.0)])
def test_a_turn_up_laid_face_up_on_the_stock_closes_it(seed: int, degrees: float) -> None:
    """Nobody can draw from under it, and nobody takes it off."""
    table = begun(seed)
    lay_on_stock(table, NORTH, degrees)
    table._open = False
    table.truth[-1].append(Closed(NORTH))
    table.wait(3.0)
    table.trick(NORTH, "AC", "QC")
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("seed", [1, 3])
def test_a_turn_up_that_lay_on_the_stock_for_a_moment_was_not_closed_with(seed: int) -> None:
    """It is put back beside the stock, and the hand goes on as before."""
    table = begun(seed)
    lay_on_stock(table, NORTH, 3.0)
    table.wait(1.0)
    table._reach(NORTH, table.at, 0.9)
    table.turn_up.end = table.time - 0.5
    table.turn_up = table._put(table.turn_up.index, quad(*table.turn_up_at, 88))
    table.wait(1.0)
    table.trick(NORTH, "AC", "QC")
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])
