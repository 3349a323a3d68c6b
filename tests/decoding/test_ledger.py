"""What is written of a hand, where something in it cannot have been as it stands."""

from __future__ import annotations

from companion.decoding.ledger import Ledger
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Dealt
from companion.rules.ruleset import RuleSet

SOUTH, NORTH = Player.SOUTH, Player.NORTH


def test_what_cannot_have_been_where_it_stands_has_no_effect() -> None:
    """With the card named a claim was none; once nobody knows it, the claim ends the hand.

    So it is where the table folds the hand. Until now the decoder failed and began anew from the log.
    """
    ledger = Ledger(RuleSet(), first_seq=1)
    led = CardPlayed(NORTH, Card.parse("AH"))
    claim, play = Claimed(NORTH), CardPlayed(SOUTH, Card.parse("TH"))
    for at, event in enumerate([Dealt(SOUTH, Card.parse("JD")), led, CardPlayed(SOUTH, None), claim, play]):
        ledger.settle(event, float(at), 0.9, "camera")

    assert ledger.state is not None
    assert ledger.state.over
    assert ledger.state.claimed_by is NORTH
    (record,) = ledger.records
    assert record.events == (led, CardPlayed(SOUTH, None), claim)
    assert record.result is not None
