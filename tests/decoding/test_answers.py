"""Hands that a bad detector reads wrong, played at a live table where somebody answers what is asked."""

from __future__ import annotations

import pytest
from further import further
from trial import answered


@pytest.mark.parametrize(
    ("profile", "seed"),
    [
        ("lasting", 1005),  # a lead misread: asked about the answer to it, then about the lead
        ("lasting", 1008),  # an offered card is played a trick later
        ("lasting", 1017),  # answered after the next card was laid
        ("lasting", 1122),  # the card asked about had been read at another play
        ("lasting", 1285),  # a card without a name leaves open who took the trick, and then exchanged
        ("lasting", 1358),  # two misread
        ("lasting", 1409),  # the turn-up was taken for the card that is named
        ("lasting", 1479),  # another play had been read as the card that is named, after the hand
        ("lasting", 1627),  # a jack in an exchange was taken for the turn-up, and that is answered
        ("both", 1013),  # two cards came into sight at one moment, the other way round
        ("both", 1019),  # a marriage and the closing after it, both in the dark
        ("both", 1022),  # a marriage in the dark, answered after the claim
        ("both", 1024),  # two cards came into sight at one moment; either might have been the lead
        ("both", 1106),  # a marriage in the dark, after a trick that nobody saw taken
        ("both", 1174),  # the answer lay in the dark, and a claim came right after it
    ],
)
def test_a_hand_is_exact_once_what_was_asked_is_answered(profile: str, seed: int) -> None:
    """Each was wrong or open without answers; with true ones it is what was played, and none is refused."""
    outcome, refused = answered(seed, profile, looks_on_s=0.0)  # the film ends with the hand

    assert outcome.kind == "exact"
    assert outcome.questions
    assert not refused


@pytest.mark.parametrize("seed", [1022, *further(1174)])
def test_that_a_claim_came_next_is_taken_before_the_end_is_written(seed: int) -> None:
    """The camera looks on, the claim waits for what is asked about, and the answer is that it came.

    Whether a card that nobody saw was played before it is not said by that: then it is asked which.
    """
    outcome, refused = answered(seed, "both")

    assert outcome.kind == "exact"
    assert outcome.questions
    assert not refused


@pytest.mark.parametrize("seed", [1216, *further(1621)])
def test_an_exchange_right_before_a_claim_is_told(seed: int) -> None:
    """The claim is pressed while the jack has just come to lie: the exchange is put in before it."""
    outcome, _ = answered(seed, "frames")

    assert (outcome.kind, outcome.questions) == ("exact", 0)


@pytest.mark.parametrize("seed", [1735, *further(1206, 1895)])
def test_whether_the_stock_was_closed_is_not_asked_while_it_decides_itself(seed: int) -> None:
    """A stock that lies on though it was drawn, a card turned down and misread once, a turn-up back."""
    outcome, _ = answered(seed, "frames")

    assert (outcome.kind, outcome.questions) == ("exact", 0)


def test_a_card_played_in_the_dark_before_the_table_is_swept_is_asked_about() -> None:
    """The follower played, won the trick and claimed while nobody looked: that was no given-up hand."""
    outcome, _ = answered(1009, "both")

    assert outcome.kind == "exact"


@pytest.mark.parametrize(
    ("profile", "seed"),
    [
        ("lasting", 1751),  # the last trick was misread: it was the claimant's
        ("both", 1001),  # the last card was laid in the dark
    ],
)
def test_a_claim_is_taken_that_only_what_is_not_written_allows(profile: str, seed: int) -> None:
    """The button waits for what may have happened, not for what is certain; and the claim ended the hand."""
    outcome, refused = answered(seed, profile)

    assert outcome.kind in ("exact", "hidden")
    assert not refused
