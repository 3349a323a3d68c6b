"""Finding hands of the log: by name, by what happened, by day."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest
from played_log import HAND, Log
from scripted_table import REVOKED, dealt_and, hand_with

from companion.history.search import KINDS, Wanted, kinds_of
from companion.rules.events import Exchanged, GivenUp, MarriageDeclared
from companion.rules.points import Reason


def numbers(log: Log, wanted: Wanted) -> list[int]:
    """Which hands are found."""
    return [hand.number for hand in wanted.among(log.hands())]


LOG = Log(
    *HAND,
    *hand_with(Exchanged, MarriageDeclared),
    *HAND[:6],
    GivenUp(),
    *dealt_and("TH", *REVOKED, close=True),
)
"""A false claim after a close, a hand with exchange and marriage, one given up, one with a revoke."""


@pytest.mark.parametrize(
    ("kind", "found"),
    [
        ("", [1, 2, 3, 4]),
        ("false_claim", [1]),
        ("closed", [1, 3, 4]),
        ("exchange", [2]),
        ("revoke", [4]),
        ("given_up", [3]),
        ("unfinished", [3, 4]),
        ("corrected", []),
    ],
)
def test_hands_are_found_by_what_happened(kind: str, found: list[int]) -> None:
    """How they ended, or what was in them."""
    assert numbers(LOG, Wanted(kind=kind)) == found


def test_whatever_a_hand_is_can_be_asked_for() -> None:
    """Each kind of each hand is among the kinds that are offered, and that hand is found by it."""
    asked = set()
    for hand in LOG.hands():
        for kind in kinds_of(hand):
            asked.add(kind)
            assert hand.number in numbers(LOG, Wanted(kind=kind))
    assert asked <= set(KINDS)
    assert asked == {
        "claim",
        "closed",
        "exchange",
        "false_claim",
        "given_up",
        "marriage",
        "revoke",
        "unfinished",
    }


@pytest.mark.parametrize("reason", get_args(Reason))
def test_hands_are_found_by_whatever_may_end_one(reason: Reason) -> None:
    """A drawn hand, and one that was won by more points, among them."""
    hand = LOG.hands()[0]
    award = replace(hand.fold.state.award, reason=reason)
    ended = replace(hand, fold=replace(hand.fold, state=replace(hand.fold.state, award=award)))
    assert Wanted(kind=reason).among([ended]) == [ended]


def test_hands_are_found_by_part_of_a_name() -> None:
    """In any case; of a name that nobody has there are none."""
    assert numbers(LOG, Wanted("ANN")) == [1, 2, 3, 4]
    assert numbers(LOG, Wanted("cilli")) == []


def test_hands_are_found_by_their_day() -> None:
    """The first and the last day count in."""
    day = LOG.hands()[0].began.date()
    assert numbers(LOG, Wanted(since=day, until=day)) == [1, 2, 3, 4]
    assert numbers(LOG, Wanted(since=day + timedelta(1))) == []
    assert numbers(LOG, Wanted(until=day - timedelta(1))) == []
