"""An announcement button is told when it was brought and lies still, and once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.table.detection import Button, Motion, Reading
from companion.table.observation import LyingButton, TableView
from companion.tracking.tracker import Tracker

SIZE = (1280, 720)
HERE, ASIDE = (640.0, 360.0), (760.0, 380.0)


def _reading(time: float, places: list[tuple[float, float]], moved: bool = False) -> Reading:
    cells = np.zeros((45, 80), bool)
    if moved:
        cells[20:26, 35:50] = True
    buttons = tuple(Button(x, y, 60.0, 0.95, 0.03) for x, y in places)
    return Reading(time, SIZE, (), Motion(cells, 0.0, 0.0), buttons=buttons)


def _told(frames: list[tuple[list[tuple[float, float]], bool]]) -> list[tuple[LyingButton, ...]]:
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
