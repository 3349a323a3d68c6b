"""What people do at a kitchen table besides playing, acted out: the record is exact, or somebody is asked."""

from __future__ import annotations

import pytest

from companion.rules.ruleset import preset
from tests.e2e.scripted_trial import acted


@pytest.mark.parametrize("seed", [924, 929, 948, 949])
def test_whoever_turns_up_the_closed_card_to_see_what_is_trump_opens_nothing(seed: int) -> None:
    """In these four the close was lost, or became the other player's, and nobody was asked."""
    found = acted(seed, pressed=False, fps=8.0, snatches=0.0, peeks=0.6)
    assert found.differences == ()


@pytest.mark.parametrize("seed", [707, 711])
def test_a_card_that_sticks_to_the_lead_makes_no_marriage(seed: int) -> None:
    """One that nobody had declared was written for it, its partner being misread."""
    found = acted(seed, 2, pressed=False, fps=8.0, snatches=0.0, sticks=0.2)
    assert not [each for each in found.differences if "MarriageDeclared" in each.partition(";")[0]]


@pytest.mark.parametrize("seed", [600, 601, 606, 609])
def test_the_last_trick_may_be_looked_at_while_a_lead_lies_there(seed: int) -> None:
    """The lead was withdrawn for it: its cards were taken for won ones that are counted."""
    found = acted(seed, pressed=False, fps=8.0, snatches=0.0, looks_later=0.25)
    assert (found.differences, found.questions) == ((), ())


@pytest.mark.parametrize("seed", [607, 610])
def test_whoever_counts_won_cards_in_mid_hand_plays_none_of_them(seed: int) -> None:
    """The play by which the card was won was asked about: one of the two had to be misread."""
    found = acted(seed, pressed=False, fps=8.0, snatches=0.0, counts_early=0.3)
    assert (found.differences, found.questions) == ((), ())


@pytest.mark.parametrize("seed", [602, 605])
def test_a_trick_may_be_pushed_aside_and_taken_with_the_next_one(seed: int) -> None:
    """Its cards were led again, or counted; the next lead came beside a trick of which one card had gone."""
    found = acted(seed, pressed=False, fps=8.0, snatches=0.0, puts_by=0.4)
    assert (found.differences, found.questions) == ((), ())


@pytest.mark.parametrize("seed", [602, 607])
def test_a_card_that_is_dealt_face_up_has_not_been_led(seed: int) -> None:
    """It lies upon the hand that is dealt, before there is a stock; who dealt was asked."""
    found = acted(seed, pressed=False, fps=8.0, snatches=0.0, packets=True, exposes=1.0)
    assert (found.differences, found.questions) == ((), ())


def test_a_card_that_was_cut_and_shown_is_no_turn_up_though_the_real_one_lies_near_it() -> None:
    """The whole hand was told with another trump."""
    found = acted(605, pressed=False, fps=8.0, snatches=0.0, cut=True, shows_cut=1.0)
    assert found.differences == ()


def test_whoever_plays_before_himself_has_played_though_his_hand_is_held_right_there() -> None:
    """A marriage was lost silently: both its cards lay beside one that showed at the edge, and were held."""
    found = acted(646, pressed=False, fps=8.0, snatches=0.0, before_each=True)
    assert (found.differences, found.questions) == ((), ())


def test_of_two_cards_that_are_shown_side_by_side_none_is_a_turn_up() -> None:
    """The last two were laid open with a claim, a pile was put near them: a hand began that nobody dealt."""
    habits = {"throws_in": 0.3, "shows_cut": 0.1, "lets_lie": 0.2, "reopens": 0.2}
    found = acted(9914, 2, pressed=False, fps=8.0, snatches=0.0, **habits)
    assert (found.differences, found.questions) == ((), ())


def test_a_won_card_that_is_counted_beside_the_piles_is_no_turn_up() -> None:
    """The pack was not together yet; once it was, the card seemed to lie there alone, where turn-ups do."""
    found = acted(304, 3, rules=preset("snapszli_24"), fps=8.0, snatches=0.0)
    assert (found.differences, found.questions) == ((), ())


def test_whoever_takes_back_the_card_that_has_ended_the_hand_is_asked_about_it() -> None:
    """Where hands end by themselves: the one laid instead was silently taken for one that is shown."""
    found = acted(310, 3, rules=preset("beginner_24"), fps=8.0, snatches=0.0)
    (difference,) = found.differences
    assert "TEN" in difference
    assert len(found.questions) == 1


@pytest.mark.parametrize(("seed", "questions"), [(308, 1), (312, 0), (314, 0)])
def test_a_close_before_the_draw_is_told_from_one_after_it(seed: int, questions: int) -> None:
    """Once what moved at the stock had been drawn; in the others both drew first, and that was asked."""
    found = acted(seed, 3, rules=preset("sixty_six"), fps=8.0, snatches=0.0)
    assert (found.differences, len(found.questions)) == ((), questions)
