"""Answers that never come to rest: laid and gathered in one motion."""

from __future__ import annotations

import pytest

from companion.decoding.evidence import Glimpsed, TurnedUp
from companion.decoding.watcher import Watcher
from companion.rules.cards import PACK_24, Card, Player, Suit
from companion.rules.events import MarriageDeclared
from companion.rules.ruleset import preset
from companion.tracking.tracker import Tracker
from tests.decoding.acted import Acted
from tests.decoding.puppets import readings

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
    assert table.watched() == (table.truth, [])


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
    assert table.watched() == (table.truth, [])


@pytest.mark.parametrize("turned", [False, True])
def test_whose_card_it_was_follows_the_players_round_the_table(turned: bool) -> None:
    """They have changed seats: what is carried in from the bottom edge is north's."""
    table = Acted(RULES)
    table.deal(SOUTH, "KH")
    table.play(NORTH, "JC")
    table.snatch(SOUTH, "TC")
    table.show.end = table.time
    watcher, tracker = Watcher(), Tracker()
    if turned:
        watcher.turn_round()
    carried = []
    for reading in readings(table.show, seed=1):
        for seen in watcher.update(tracker.update(reading)):
            if isinstance(seen, TurnedUp):
                watcher.dealt()
            carried += [seen.track] if isinstance(seen, Glimpsed) else []
    (answer,) = carried
    sight = watcher.sights[answer]
    assert PACK_24[sight.best] == Card.parse("TC")
    assert (sight.from_south < 0.5) is turned


@pytest.mark.parametrize("player", Player)
def test_a_partner_that_is_only_carried_beside_its_lead_may_be_of_a_marriage(player: Player) -> None:
    """The hand that shows both hides the one that it keeps: told, or asked, and not passed over."""
    table = Acted(RULES)
    table.deal(player.other, "KH")
    table.throw(player, "QD")
    table.carry(player, "KD")
    table.play(player.other, "JD")
    table.gather()
    for lead, answer in (("AS", "JS"), ("AC", "QC"), ("TC", "JC")):
        table.trick(player, lead, answer)
    table.claim(player)
    table.truth[0].insert(1, MarriageDeclared(player, Suit.DIAMONDS))
    told, asked = table.watched()
    assert told == table.truth or MarriageDeclared(player, Suit.DIAMONDS) in [
        option for one in asked for option in one.options
    ]
