"""Cards that are turned up once a hand is over: nobody has dealt them."""

from __future__ import annotations

from companion.decoding.decoder import Decoder
from companion.rules.cards import PACK_24, Card, Player
from companion.rules.events import Dealt
from companion.rules.ruleset import preset
from companion.table.entry import Settled
from tests.decoding.acted import Acted
from tests.decoding.puppets import HEIGHT, WIDTH, readings
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
SOUTH, NORTH = Player


def test_a_card_that_is_counted_where_a_turn_up_may_lie_is_none() -> None:
    """Nobody shuffles and deals in the three seconds since the last trick; what is claimed then is heard."""
    table = Acted(RULES, 0)
    table.deal(NORTH, "JH")
    table.close(SOUTH)
    for lead, answer in (("AH", "QD"), ("AS", "JS"), ("TH", "KD"), ("TS", "QC"), ("AC", "KC")):
        table.trick(SOUTH, lead, answer)
    for item in table.show.items:
        item.end = min(item.end, table.time - 0.5)
    x, y = table.turn_up_at
    table.wait(0.9)
    counted = table.lay(PACK_24.index(Card.parse("KC")), WIDTH - x, HEIGHT - y, SOUTH)
    table.wait(2.0)
    table.claim(SOUTH, counted, shuffles_s=1.0)
    decoder = Decoder(RULES)
    written = Spectator(table.show, decoder).watch(readings(table.show, seed=1))
    told = [entry.event for entry in written if isinstance(entry, Settled)]
    assert sum(isinstance(event, Dealt) for event in told) == 1
    assert [Dealt(NORTH, Card.parse("JH")), *decoder.records[0].events] == table.truth[0]
