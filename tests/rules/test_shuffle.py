"""A shuffled pack, cut as it is dealt."""

from __future__ import annotations

import random

import pytest

from companion.rules.cards import Player
from companion.rules.hand import deal
from companion.rules.ruleset import PRESETS
from companion.rules.shuffle import shuffled


@pytest.mark.parametrize("name", PRESETS)
def test_a_shuffled_pack_is_a_deal_of_the_house(name: str) -> None:
    """Two whole hands and a stock, each card of the pack once; its last card is turned up."""
    rules = PRESETS[name]
    hands, stock = shuffled(rules, random.Random(1))

    assert sorted(map(str, (*hands[0], *hands[1], *stock))) == sorted(map(str, rules.pack))
    assert deal(rules, Player.SOUTH, None, hands, stock).turned_up == stock[-1]


def test_the_generator_alone_decides_how_a_pack_is_shuffled() -> None:
    """The same seed deals the same cards, and a second deal from one generator is another."""
    rules = PRESETS["schnapsen"]
    rng, again = random.Random(7), random.Random(7)
    first, second = shuffled(rules, rng), shuffled(rules, rng)

    assert shuffled(rules, again) == first
    assert second != first
