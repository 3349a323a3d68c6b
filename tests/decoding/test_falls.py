"""A card that falls from a hand onto the table, face up, and is taken back: nobody played it."""

from __future__ import annotations

import pytest

from companion.rules.cards import PACK_24, Card, Player
from companion.rules.ruleset import preset
from tests.decoding.acted import Acted
from tests.decoding.puppets import HEIGHT, WIDTH

SOUTH, NORTH = Player


def falls(table: Acted, player: Player, name: str, lies_s: float) -> None:
    """A card lies beside the trick for so long until its player has it again."""
    y = HEIGHT / 2 + (90 if player is SOUTH else -90)
    fallen = table.lay(PACK_24.index(Card.parse(name)), WIDTH / 2 - 70, y, player)
    table.wait(lies_s)
    table.take_up(player, fallen)


@pytest.mark.parametrize("pause", [0.3, 0.6])
@pytest.mark.parametrize(("led", "kept"), [("KC", "QC"), ("QC", "KC")])
def test_what_falls_beside_a_marriage_is_no_answer_to_it(led: str, kept: str, pause: float) -> None:
    """It had been taken back when one card of the marriage went: they were not gathered together."""
    table = Acted(preset("schnapsen"), 0)
    table.deal(NORTH, "JH")
    shown = table.show_pair(SOUTH, led, kept)
    falls(table, NORTH, "TC", 1.2)
    table.wait(pause)
    table.take_up(SOUTH, shown)
    table.play(NORTH, "QH")
    table.gather()
    falls(table, SOUTH, kept, 0.6)
    table.wait(0.5)
    for lead, answer in (("AH", "TS"), ("AS", "TD"), ("TH", "KS"), ("TC", kept)):
        table.trick(NORTH, lead, answer)
    table.claim(NORTH)
    told, asked = table.watched(fps=10.0)
    assert told == table.truth
    assert len(asked) <= 1
    assert table.watched()[0] == table.truth  # at other rates more may be asked


def test_what_falls_from_the_hand_of_who_is_not_on_lead_is_no_trick() -> None:
    """Two of north's cards, each taken back before the other falls, while south is to lead."""
    table = Acted(preset("schnapsen"), 0)
    table.deal(NORTH, "JH")
    falls(table, NORTH, "JC", 1.2)
    table.wait(1.0)
    falls(table, NORTH, "QS", 1.2)
    table.wait(1.0)
    for lead, answer in (("AS", "JS"), ("AD", "QD"), ("AC", "JC"), ("TS", "QS"), ("TD", "KD")):
        table.trick(SOUTH, lead, answer)
    table.claim(SOUTH)
    told, _ = table.watched()
    assert told == table.truth


@pytest.mark.parametrize("lies_s", [1.0, 2.5, 4.0])
def test_who_leads_out_of_turn_takes_the_card_back(lies_s: float) -> None:
    """North has lost the trick, and lays a card as if to lead: nothing is asked, or told of it."""
    table = Acted(preset("schnapsen"), 0)
    table.deal(NORTH, "JH")
    table.trick(SOUTH, "AS", "JS")
    table.trick(SOUTH, "AD", "JD")
    falls(table, NORTH, "KC", lies_s)
    table.wait(1.0)
    for lead, answer in (("AC", "JC"), ("TS", "QS"), ("TD", "KD")):
        table.trick(SOUTH, lead, answer)
    table.claim(SOUTH)
    told, asked = table.watched()
    assert (told, asked) == (table.truth, [])


def test_a_turn_up_that_was_drawn_may_be_laid_out_of_turn() -> None:
    """Only who lost the last trick before the stock was used up can hold it: south leads another card."""
    table = Acted(preset("schnapsen"), 0)
    table.deal(NORTH, "JH")
    for lead, answer in (("AS", "JS"), ("AD", "JD"), ("AC", "JC"), ("TS", "QS"), ("TD", "QD")):
        table.trick(SOUTH, lead, answer)
    falls(table, NORTH, "JH", 1.5)
    table.wait(1.0)
    table.trick(SOUTH, "TC", "QC")
    table.claim(SOUTH)
    told, asked = table.watched()
    assert (told, asked) == (table.truth, [])
