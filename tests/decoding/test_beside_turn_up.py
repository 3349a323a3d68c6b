"""Where there is little room, a card that is shown may come to lie across the turn-up."""

from __future__ import annotations

from companion.rules.cards import Card, Player, Suit
from companion.rules.events import MarriageDeclared
from companion.rules.ruleset import preset
from tests.decoding.acted import Acted

SOUTH, NORTH = Player


def test_a_king_shown_upon_the_turn_up_is_not_exchanged_for_it() -> None:
    """The ace lies there still once the king has gone: nobody took it. What the king meant is asked."""
    table = Acted(preset("schnapsen"), 0)
    table.deal(NORTH, "AC")
    table.trick(SOUTH, "AH", "TH")
    x, y = table.turn_up_at
    king = table.lay(Card.parse("KS").index, x + 6, y + 4, SOUTH)
    table.time -= 0.9
    queen = table.play(SOUTH, "QS")
    queen.start = king.start
    marriage = MarriageDeclared(SOUTH, Suit.SPADES)
    table.truth[-1].insert(-1, marriage)
    table.wait(1.5)
    table.take_up(SOUTH, king)
    table.wait(1.0)
    table.play(NORTH, "TS")
    table.gather()
    table.trick(NORTH, "AS", "JD")
    table.claim(NORTH)
    told, asked = table.watched(fps=10.0)
    assert told == table.truth
    assert [one.options[0] for one in asked] == [marriage]
    told, asked = table.watched()
    assert told == table.truth
    assert marriage in [one.options[0] for one in asked]
