"""What is left of the stock is turned over once a hand has ended: nothing of it is played."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.rules.cards import Card, Player
from companion.rules.ruleset import preset
from tests.decoding.acted import Acted
from tests.decoding.puppets import Item

SOUTH, NORTH = Player
TRICKS = (("AS", "TS"), ("AD", "TD"), ("AC", "TC"), ("QS", "JS"))


def begun(tricks: Sequence[tuple[str, str]]) -> Acted:
    """A hand of which south has won every trick so far; hearts are trumps."""
    table = Acted(preset("schnapsen"), 0)
    table.deal(NORTH, "QH")
    for lead, answer in tricks:
        table.trick(SOUTH, lead, answer)
    return table


def turn_over(table: Acted, *names: str) -> None:
    """These cards come to lie in a row from where the stock lay, and are looked at for a while."""
    way = 1.0 if table.left else -1.0
    table.stock.end = table.time + 0.5
    laid: list[Item] = []
    for place, name in enumerate(names):
        x = table.at[0] + way * 62 * place
        laid.append(table.lay(Card.parse(name).index, x, table.at[1], NORTH))
        table.time -= 0.9 if place < len(names) - 1 else 0.0  # all at once
    since = max(item.start for item in laid)
    for item in laid:
        item.start = since
    table.wait(2.0)


@pytest.mark.parametrize("left", [("KS",), ("KS", "KC"), ("KS", "KC", "JC", "KH")])
def test_nobody_plays_a_card_of_the_stock(left: Sequence[str]) -> None:
    """It is turned over before the claim is pressed: nothing is led, and nothing asked."""
    table = begun(TRICKS)
    turn_over(table, *left)
    table.claim(SOUTH)
    told, asked = table.watched()
    assert (told, asked) == (table.truth, [])


def test_a_closed_stock_that_is_turned_over_was_closed() -> None:
    """The turn-up lies open again, beside the others: nobody exchanged it, nor was it lifted."""
    table = begun(TRICKS[:2])
    table.close(SOUTH)
    for lead, answer in TRICKS[2:]:
        table.trick(SOUTH, lead, answer)
    turn_over(table, "QH", "KS", "KC", "JC")
    table.claim(SOUTH)
    told, asked = table.watched()
    assert (told, asked) == (table.truth, [])


def test_a_turn_up_laid_on_the_stock_is_not_the_rest_of_it() -> None:
    """Whoever exchanges may lay it there for a moment: the hand goes on."""
    table = begun(TRICKS[:3])
    table.exchange_aside(SOUTH, table.at[0] + 4, table.at[1] + 3)
    table.trick(SOUTH, "QS", "JS")
    table.claim(SOUTH)
    told, asked = table.watched()
    assert (told, asked) == (table.truth, [])
