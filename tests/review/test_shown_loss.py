"""When a loss is called a mistake (docs/review.md, "When something is called a mistake")."""

from __future__ import annotations

import math

import pytest

from companion.review.judging import shown
from companion.solver.comparison import Gap

NONE = Gap(0.0, 0.0)


@pytest.mark.parametrize(
    ("mean", "error", "believed"), [(0.9, 0.3, True), (0.9, 0.31, False), (3.0, 1.1, False)]
)
def test_a_loss_is_three_times_its_standard_error(mean: float, error: float, believed: bool) -> None:
    """However large it is."""
    assert shown([Gap(mean, error)]) == (Gap(mean, error) if believed else NONE)


@pytest.mark.parametrize(("mean", "told"), [(0.5, True), (0.49, False), (-2.0, False)])
def test_a_loss_is_worth_half_a_game_point(mean: float, told: bool) -> None:
    """Even where there is no doubt about it."""
    assert shown([Gap(mean, 0.0)]) == (Gap(mean, 0.0) if told else NONE)


@pytest.mark.parametrize(("against", "believed"), [(0, True), (1, True), (2, False)])
def test_a_loss_holds_with_nineteen_of_twenty_hands(against: int, believed: bool) -> None:
    """Where nobody saw the player's hand, whatever the loss is on the average."""
    gaps = [Gap(2.0, 0.1)] * (20 - against) + [Gap(-0.1, 0.1)] * against

    assert (shown(gaps).mean > 1) is believed


def test_hands_that_differ_much_are_as_doubtful_as_layouts_that_do() -> None:
    """The error is that of the layouts, or that of the hands among each other: the larger."""
    alike, apart = [Gap(1.0, 0.4)] * 4, [Gap(0.1, 0.0), Gap(3.9, 0.0)]

    assert shown(alike) == Gap(1.0, pytest.approx(math.sqrt(4 * 0.4**2) / 4))
    assert shown(apart) == NONE
