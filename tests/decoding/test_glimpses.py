"""Answers that never come to rest: laid and gathered in one motion."""

from __future__ import annotations

import pytest

from companion.rules.cards import Player
from companion.rules.ruleset import preset
from tests.decoding.acted import Acted

RULES = preset("schnapsen")
SOUTH, NORTH = Player


@pytest.mark.parametrize("seed", range(6))
def test_whoever_wins_a_trick_may_take_it_in_one_motion(seed: int) -> None:
    """The answer is seen on its way only, under the hand that takes both: nothing is asked."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    for lead, answer in (("JC", "TC"), ("TS", "AS")):
        table.play(NORTH, lead)
        table.snatch(SOUTH, answer)
        table.trick(SOUTH, "QD" if lead == "JC" else "JD", "AD" if lead == "JC" else "TD")
    table.trick(NORTH, "AC", "KC")
    table.claim(NORTH)
    told, asked = table.watched()
    assert told == table.truth
    assert asked == []


@pytest.mark.parametrize("seed", range(6))
def test_a_card_that_is_carried_there_and_back_was_not_played(seed: int) -> None:
    """Whoever has to answer thinks better of it, and lays another."""
    table = Acted(RULES, seed)
    table.deal(SOUTH, "KH")
    table.play(NORTH, "TC")
    table.carry(SOUTH, "AC")
    table.play(SOUTH, "JC")
    table.gather()
    table.play(NORTH, "AS")
    table.carry(SOUTH, "TS")
    table.play(SOUTH, "JS")
    table.gather()
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AD", "TD")
    table.claim(NORTH)
    told, asked = table.watched()
    assert told == table.truth
    assert asked == []
