"""The verdicts of the trial of the decoder."""

from __future__ import annotations

from trial import verdict

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Dealt, Event


def hand(*cards: str | None) -> list[Event]:
    """A deal and plays, south first."""
    plays = [
        CardPlayed(Player(at % 2), None if card is None else Card.parse(card))
        for at, card in enumerate(cards)
    ]
    return [Dealt(Player.NORTH, Card.parse("KC")), *plays]


TRUE = hand("AH", "TS", "QD")


def test_exact_open_and_wrong() -> None:
    """A card left open where something was asked is right as far as it goes; a wrong name is wrong."""
    assert verdict(TRUE, hand("AH", "TS", "QD"), 0) == "exact"
    assert verdict(TRUE, hand("AH", None, "QD"), 1) == "open"
    assert verdict(TRUE, hand("AH", "TC", "QD"), 1) == "wrong"
    assert verdict(TRUE, hand("AH", "TS"), 1) == "wrong"


def test_silent_or_hidden() -> None:
    """Nothing asked: silent where the card it was taken for shows too, hidden where it never does."""
    assert verdict(TRUE, hand("AH", "TC", "QD"), 0) == "hidden"
    assert verdict(TRUE, hand("AH", "KC", "QD"), 0) == "silent"
    assert verdict(TRUE, hand("AH", None, "QD"), 0) == "silent"
    assert verdict(TRUE, hand("AH", "TS"), 0) == "silent"
