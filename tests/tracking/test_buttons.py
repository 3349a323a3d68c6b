"""An announcement button is told when it was brought and lies still, and once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from companion.table.detection import Button, Motion, Reading
from companion.table.observation import LyingButton, TableView
from companion.tracking.tracker import Tracker

SIZE = (1280, 720)
HERE, ASIDE = (640.0, 360.0), (760.0, 380.0)
SAYS = (0.95, 0.03)
"""What each frame says of a button: 20, 40."""


Cells = tuple[slice, slice]
EVERYWHERE: Cells = (slice(20, 26), slice(35, 50))
"""Where a hand moves that lays a button or covers it."""


def _reading(time: float, places: list[tuple[float, float]], moved: bool | Cells = False) -> Reading:
    cells = np.zeros((45, 80), bool)
    if moved:
        cells[EVERYWHERE if moved is True else moved] = True
    buttons = tuple(Button(x, y, 60.0, *SAYS) for x, y in places)
    return Reading(time, SIZE, (), Motion(cells, 0.0, 0.0), buttons=buttons)


def _told(frames: list[tuple[list[tuple[float, float]], bool | Cells]]) -> list[tuple[LyingButton, ...]]:
    tracker = Tracker()
    views: Iterator[TableView] = (
        tracker.update(_reading(number / 10, places, moved)) for number, (places, moved) in enumerate(frames)
    )
    return [view.buttons for view in views]


QUIET = [([], False)] * 40
BROUGHT = [([], True)] * 4 + [([HERE], False)] * 10


def test_a_button_that_is_brought_is_told_once_it_lies_still() -> None:
    """Not in the first moment, and then with a certainty that grows."""
    told = _told([*QUIET, *BROUGHT])
    assert not any(told[:46])
    assert [len(each) for each in told[-6:]] == [1] * 6
    assert told[-1][0].twenty > 0.98
    assert len({each[0].number for each in told[-6:]}) == 1


def test_what_always_lay_there_is_no_announcement() -> None:
    """A coaster that is found late was not brought now."""
    assert not any(_told([*QUIET, *[([HERE], False)] * 20]))


def test_a_button_pushed_aside_is_the_same_button() -> None:
    """Or the hand that makes room announces once more."""
    told = _told([*QUIET, *BROUGHT, ([], True), *[([ASIDE], False)] * 10])
    assert told[-1][0].number == told[48][0].number
    assert told[-1][0].x == ASIDE[0]


def test_a_button_taken_away_and_laid_again_is_another() -> None:
    """The next marriage is announced with the same plate."""
    told = _told([*QUIET, *BROUGHT, *[([], True)] * 3, *[([], False)] * 20, *BROUGHT])
    assert not told[-15]
    assert told[-1][0].number != told[48][0].number


def test_a_button_that_trembles_lies_still() -> None:
    """By a quarter of its width: its outline is not sharp."""
    trembles = [([(640.0 + 15 * (step % 2), 360.0)], False) for step in range(10)]
    told = _told([*QUIET, *[([], True)] * 4, *trembles])
    assert [len(each) for each in told[-6:]] == [1] * 6


def test_a_button_pushed_a_little_is_told_when_it_lies_still_again() -> None:
    """It was on its way: nobody looks at it there."""
    told = _told([*QUIET, *BROUGHT, *[([(680.0, 360.0)], False)] * 6])
    assert [len(told[at]) for at in (53, 54, 55, -1)] == [1, 0, 0, 1]
    assert told[-1][0].number == told[53][0].number


def test_a_button_laid_elsewhere_is_another() -> None:
    """Nobody pushes one four widths away; whoever does announces."""
    far = (880.0, 360.0)
    told = _told(
        [*QUIET, *BROUGHT, ([], True), *[([far], (slice(20, 26), slice(52, 58)))] * 2, *[([far], False)] * 9]
    )
    assert told[-1][0].number != told[52][0].number


@pytest.mark.parametrize("found", [[HERE, ASIDE], [ASIDE, HERE]])
def test_two_buttons_side_by_side_are_two(found: list[tuple[float, float]]) -> None:
    """Each marriage has its own; one that lies there was not pushed to the next, whichever is found first."""
    told = _told([*QUIET, *BROUGHT, *[(found, True)] * 2, *[(found, False)] * 8])
    first, second = told[-1]
    assert (first.number, first.x, second.x) == (told[52][0].number, HERE[0], ASIDE[0])
    assert first.since < second.since


def test_a_button_that_lies_half_on_another_is_another() -> None:
    """Both are told."""
    on_it = (661.0, 360.0)
    told = _told([*QUIET, *BROUGHT, *[([HERE, on_it], True)] * 2, *[([HERE, on_it], False)] * 8])
    assert {one.x for one in told[-1]} == {HERE[0], on_it[0]}


def test_what_one_frame_takes_for_a_button_is_none() -> None:
    """It is never told, not even later."""
    assert not any(_told([*QUIET, *[([], True)] * 4, ([HERE], False), *[([], False)] * 8]))


@pytest.mark.parametrize(
    ("moved", "told"),
    [(True, True), ((slice(22, 23), slice(38, 39)), True), ((slice(22, 23), slice(36, 37)), False)],
)
def test_a_button_found_two_seconds_after_a_hand_was_there_was_brought(
    moved: bool | Cells, told: bool
) -> None:
    """There, and not beside it."""
    frames = [*QUIET, *[([], moved)] * 3, *[([], False)] * 17, *[([HERE], False)] * 6]
    assert bool(_told(frames)[-1]) is told


def test_a_button_that_is_not_found_for_a_moment_goes_on_lying_there() -> None:
    """Its reader misses it for half a second, or a hand lies on it for two: the same announcement."""
    missed = _told([*QUIET, *BROUGHT, *[([], False)] * 6, ([HERE], False)])
    hidden = _told([*QUIET, *BROUGHT, *[([], True)] * 20, *[([HERE], False)] * 6])
    for told in (missed, hidden):
        assert {each[0].number for each in told[50:] if each} == {told[50][0].number}
        assert all(told[50:])


def test_a_button_that_is_not_found_for_long_where_nothing_moves_is_gone() -> None:
    """There never was one, or it was taken away before nobody looked."""
    assert not _told([*QUIET, *BROUGHT, *[([], False)] * 20])[-1]


def test_a_skipped_frame_takes_no_button_away() -> None:
    """It repeats the one before, however often."""
    tracker = Tracker()
    for number, (places, moved) in enumerate([*QUIET, *BROUGHT]):
        tracker.update(_reading(number / 10, places, moved))
    for number in range(54, 80):
        again = replace(_reading(number / 10, []), fresh=False)
        assert len(tracker.update(again).buttons) == 1


@pytest.mark.parametrize(("says", "forty"), [((0.6, 0.3), (0.03, 0.08)), ((1.0, 0.0), (0.5e-8, 2e-8))])
def test_frames_of_one_button_never_make_it_certain(
    says: tuple[float, float], forty: tuple[float, float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it lies there: what one frame says wrongly all may."""
    monkeypatch.setitem(globals(), "SAYS", says)
    (button,) = _told([*QUIET, *BROUGHT, *[([HERE], False)] * 40])[-1]
    assert forty[0] < button.forty < forty[1]
