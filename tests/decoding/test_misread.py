"""One card read as another for as long as it lies: what the rest of the hand tells of it."""

from __future__ import annotations

import pytest
from trial import played


@pytest.mark.parametrize("seed", [1125, 1135])
def test_a_marriage_of_which_one_card_is_misread(seed: int) -> None:
    """King or queen beside another card, one of the two taken back: a marriage all the same."""
    outcome, _ = played(seed, "lasting")

    assert outcome.kind == "exact"


def test_a_misread_turn_up_is_found_by_the_tricks() -> None:
    """Whose lead is whose fits no trump but another: the turn-up is written anew, and asked about."""
    outcome, _ = played(1091, "lasting")

    assert outcome.kind == "exact"
    assert outcome.questions


def test_a_misread_turn_up_or_a_misread_play() -> None:
    """Where either explains what is seen, both are asked about."""
    outcome, _ = played(1035, "lasting")

    assert outcome.kind == "asked"


def test_a_card_seen_twice_asks_one_question() -> None:
    """Which of two plays was misread is told by the answer what the later one was; the truth is offered."""
    outcome, _ = played(1008, "lasting")

    assert (outcome.kind, outcome.questions) == ("open", 1)


def test_an_exchange_whose_jack_is_misread() -> None:
    """The turn-up is played while another card lies under the stock: the exchange is put in where it was."""
    outcome, _ = played(1627, "lasting")

    assert outcome.kind == "exact"


@pytest.mark.parametrize("seed", [1643, 1671])
def test_a_claim_that_is_not_its_player_s_turn_shows_a_misread_trick(seed: int) -> None:
    """A phone offers the claim to nobody else: the last trick went to whoever claims, and is asked about."""
    outcome, _ = played(seed, "lasting")

    assert outcome.kind == "asked"
