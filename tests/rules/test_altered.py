"""Copies with some fields changed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from scripted_table import HAND

from companion.rules.altered import altered
from companion.rules.cards import Card, Player
from companion.rules.hand import apply, deal
from companion.rules.ruleset import RuleSet


@dataclass(frozen=True)
class Square:
    """Something that works out a field by itself."""

    side: int
    colour: str = "red"
    area: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "area", self.side**2)


def test_an_altered_hand_is_what_replace_gives() -> None:
    """At every moment of a hand; the hand itself stays as it was."""
    state = deal(RuleSet(), HAND[0].dealer, HAND[0].turned_up)
    for event in HAND[1:]:
        state = apply(state, event)
        before = repr(state)
        anew = altered(state, leader=Player.NORTH, seen=frozenset({Card.parse("AS")}))
        assert anew == replace(state, leader=Player.NORTH, seen=frozenset({Card.parse("AS")}))
        assert (anew.start, anew.told) == (state.start, state.told)
        assert repr(state) == before


def test_what_follows_from_a_field_follows_from_the_new_one() -> None:
    """And what was left as it was is as it was."""
    assert altered(Square(2, "blue"), side=3) == Square(3, "blue")
    assert altered(Square(2, "blue"), side=3).area == 9
