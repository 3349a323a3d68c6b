"""What looks like a deal and is none: a card exposed beforehand, and cards of a trick that lie face down."""

from __future__ import annotations

import pytest

from companion.rules.cards import Card, Player
from companion.rules.ruleset import preset
from companion.table.detection import BACK
from tests.decoding.acted import Acted
from tests.decoding.puppets import HEIGHT, WIDTH

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
