"""From which side a card came, as arms, its path and its place tell."""

from __future__ import annotations

import numpy as np
import pytest

from companion.table.detection import Motion
from companion.tracking.approach import Arms

RESTS = 10.0
"""When the card came to rest, seconds."""


def arms(*seen: tuple[float, float, float], until: float = RESTS + 0.5) -> Arms:
    """What ten frames a second show: shares of the south and the north edge at some times, else nothing."""
    told = Arms()
    shares = {round(time, 1): (south, north) for time, south, north in seen}
    for step in range(80, int(until * 10) + 1):
        time = round(step / 10, 1)
        told.update(time, Motion(np.zeros((45, 80), bool), *shares.get(time, (0.0, 0.0))))
    return told


def test_before_the_first_frame_nothing_reaches_in() -> None:
    """Nor is anybody suspected."""
    none = Arms()

    assert (none.south, none.north) == (False, False)
    assert none.from_south(RESTS, 0.0, 0.0) == 0.5


@pytest.mark.parametrize(("share", "reaches"), [(0.01, False), (0.03, True)])
def test_an_arm_is_more_than_the_noise_at_an_edge(share: float, reaches: bool) -> None:
    """A hundredth of an edge flickers; a fingertip is three."""
    south, north = arms((RESTS, share, 0.0), until=RESTS), arms((RESTS, 0.0, share), until=RESTS)

    assert (south.south, south.north, north.south, north.north) == (reaches, False, False, reaches)
    assert (south.from_south(RESTS, 0.0, 0.0) > 0.9, north.from_south(RESTS, 0.0, 0.0) < 0.1) == (
        reaches,
        reaches,
    )


def test_an_arm_half_a_second_before_has_brought_the_card_very_likely() -> None:
    """One glimpse of it: about nineteen to one."""
    assert 0.93 < arms((RESTS - 0.5, 0.2, 0.0)).from_south(RESTS, 0.0, 0.0) < 0.96


@pytest.mark.parametrize(
    ("when", "tells"), [(-1.5, False), (-0.8, True), (0.0, True), (0.2, True), (0.6, False)]
)
def test_an_arm_long_before_or_after_tells_nothing(when: float, tells: bool) -> None:
    """It is there in the second before the card lies still, or just after; what comes later is another."""
    assert (arms((RESTS + when, 0.2, 0.0), until=RESTS + 0.9).from_south(RESTS, 0.0, 0.0) > 0.8) is tells


@pytest.mark.parametrize(("beside", "tells"), [(False, True), (True, False)])
def test_what_lay_under_the_arm_of_somebody_who_looks_on_was_brought_at_any_time(
    beside: bool, tells: bool
) -> None:
    """It comes into sight as that arm leaves: both players may have brought it since it came."""
    told = Arms()
    for step in range(80, 106):
        time = step / 10
        north, south = 0.2 * (8.5 <= time <= 8.9), 0.2 * (9.6 <= time <= 10.0)
        looks_on = 0.2 * (beside and 8.6 <= time <= 9.8)
        told.update(time, Motion(np.zeros((45, 80), bool), south, north, beside=looks_on))

    assert (told.from_south(RESTS, 0.0, 0.0) > 0.9) is tells
    assert told.from_south(RESTS, 0.0, 0.0) > 0.5
    assert told.beside is False


def test_who_looks_on_for_longer_than_arms_are_remembered_may_have_hidden_a_card_all_along() -> None:
    """Then nobody knows any more who reached in as it was laid: no side is told, but by its place."""
    told = Arms()
    for step in range(60, 130):
        time = step / 10
        north = 0.2 * (11.0 <= time <= 11.4)
        told.update(time, Motion(np.zeros((45, 80), bool), 0.0, north, beside=0.2 * (7.0 <= time <= 12.5)))

    assert told.from_south(12.6, 0.0, 0.0) == pytest.approx(0.5, abs=0.15)
    assert told.from_south(11.2, 0.0, 0.0) < 0.4


def test_a_card_laid_while_somebody_points_elsewhere_is_hardly_given_to_the_other_player() -> None:
    """South led long before, north has just answered: nobody is sure, and the order of play decides."""
    told = Arms()
    for step in range(70, 103):
        time = step / 10
        south, north = 0.2 * (7.4 <= time <= 8.8), 0.2 * (9.6 <= time <= 10.2)
        told.update(time, Motion(np.zeros((45, 80), bool), south, north, beside=0.2 * (time >= 7.5)))

    assert told.from_south(RESTS, 0.0, 0.0) < 0.5


def test_of_two_arms_the_one_nearer_in_time_brought_the_card() -> None:
    """North has just gathered, south leads: the earlier arm hardly counts."""
    assert arms((RESTS - 0.8, 0.0, 0.2), (RESTS - 0.1, 0.2, 0.0)).from_south(RESTS, 0.0, 0.0) > 0.95
    assert arms((RESTS, 0.2, 0.2)).from_south(RESTS, 0.0, 0.0) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("path", "place", "chance"), [(1.0, 0.0, 0.818), (5.0, 0.0, 0.924), (0.0, 1.0, 0.622), (0.0, 5.0, 0.668)]
)
def test_without_an_arm_path_and_place_hint_at_who_brought_a_card(
    path: float, place: float, chance: float
) -> None:
    """It goes away from whoever plays it and lies nearer to them; that is never worth an arm."""
    nobody = arms()

    assert nobody.from_south(RESTS, path, place) == pytest.approx(chance, abs=0.005)
    assert nobody.from_south(RESTS, -path, -place) == pytest.approx(1.0 - chance, abs=0.005)
