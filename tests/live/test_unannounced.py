"""A marriage that was declared without showing both cards is offered where a claim fails for want of it."""

from __future__ import annotations

from functools import cache

import pytest
from scripted_table import HAND, random_hand

from companion.live.hand import fold_hand
from companion.live.unannounced import unannounced
from companion.rules.cards import Player
from companion.rules.claim import Outcome
from companion.rules.events import CardPlayed, Claimed, Event, MarriageDeclared
from companion.rules.hand import ImpossibleEvent
from companion.rules.ruleset import RuleSet
from companion.table.entry import Settled

RULES = RuleSet()


def told(events: list[Event]) -> tuple[Settled, ...]:
    """The entries of a hand, numbered from 1."""
    return tuple(Settled(number, float(number), event, 1.0) for number, event in enumerate(events, 1))


@cache
def hands_short_of_a_marriage(first: int) -> list[tuple[int, list[Event], int]]:
    """Random hands whose right claim fails without one of their marriages, and where that was declared."""
    found = []
    for seed in range(first, first + 30):
        events = list(random_hand(seed, Player.SOUTH))
        if not isinstance(events[-1], Claimed):
            continue
        for at, event in enumerate(events):
            if not isinstance(event, MarriageDeclared) or event.player is not events[-1].player:
                continue
            hand = fold_hand(RULES, told(events[:at] + events[at + 1 :]))
            if hand.verdict is not None and hand.verdict.outcome is Outcome.REFUTED and not hand.unfit:
                found.append((seed, events, at))
    return found


FIRST = range(0, 300, 30)


@pytest.mark.parametrize("first", FIRST)
def test_what_was_said_and_not_shown_is_among_what_is_offered(first: int) -> None:
    """And each that is offered, right before a lead or the claim, would prove that."""
    hands = hands_short_of_a_marriage(first)
    assert len(hands) > 10
    for seed, events, at in hands:
        entries = told(events[:at] + events[at + 1 :])
        offered = unannounced(RULES, fold_hand(RULES, entries))

        assert events[at] in [each.event for each in offered], seed
        for each in offered:
            anew = [entry.event for entry in entries]
            anew.insert(each.after, each.event)
            verdict = fold_hand(RULES, told(anew)).verdict
            assert verdict is not None, seed
            assert verdict.outcome is Outcome.PROVEN, seed


def test_nothing_is_offered_for_a_claim_that_is_right() -> None:
    """Nor before anybody has claimed."""
    assert unannounced(RULES, fold_hand(RULES, told(list(HAND)))) == ()
    assert unannounced(RULES, fold_hand(RULES, told(list(HAND[:-1])))) == ()


def test_a_card_that_the_other_player_had_was_not_declared() -> None:
    """The partner was played by the other player: nobody had both."""
    tried = 0
    for _, events, at in (hand for first in FIRST for hand in hands_short_of_a_marriage(first)):
        marriage = events[at]
        assert isinstance(marriage, MarriageDeclared)
        lead = events[at + 1]
        if not isinstance(lead, CardPlayed) or lead.card is None:
            continue
        short = events[:at] + events[at + 1 :]
        for place, event in enumerate(short):
            if place <= at or not isinstance(event, CardPlayed) or event.player is marriage.player:
                continue
            other = [*short[:place], CardPlayed(event.player, lead.card.partner), *short[place + 1 :]]
            try:
                hand = fold_hand(RULES, told(other))
            except ImpossibleEvent:
                continue
            tried += not hand.unfit
            assert marriage not in [each.event for each in unannounced(RULES, hand)]
    assert tried
