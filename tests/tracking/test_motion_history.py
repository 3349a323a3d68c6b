"""Where something moved last, and where it could have without anybody seeing it."""

from __future__ import annotations

import numpy as np
import pytest
from scenes import SIZE, box

from companion.table.detection import Motion, Reading
from companion.tracking.motion_history import MotionHistory, moves_at

HERE, RIGHT_OF_IT, BELOW_IT = box(600, 360), box(1400, 360), box(600, 900)


def reading(time: float, *, moved: bool = False, grid: tuple[int, ...] = (45, 80)) -> Reading:
    """A frame in which something moves at `HERE`, or nothing does."""
    cells = np.zeros(grid, bool)
    if moved:
        cells[grid[0] // 2, int(600 / SIZE[0] * grid[1])] = True
    return Reading(time, SIZE, (), Motion(cells, 0.0, 0.0))


def watched(*times: float, moved: float | None = None) -> MotionHistory:
    """A table that was looked at so often, at which something moved once."""
    history = MotionHistory()
    for time in times:
        history.update(reading(time, moved=time == moved))
    return history


@pytest.mark.parametrize(("gap", "unseen"), [(0.5, False), (0.8, True)])
def test_whatever_moved_while_nobody_looked_was_not_seen(gap: float, unseen: bool) -> None:
    """Half a second between two frames is a slow camera; after longer anything may have moved anywhere."""
    history = watched(0.0, 0.5, 1.0, 1.5)

    assert history.update(reading(1.5 + gap)) is unseen
    assert history.moved_since(HERE, 1.6) is unseen
    assert history.watching == (1.5 + gap if unseen else -np.inf)


def test_what_moves_is_remembered_for_its_place() -> None:
    """Of a card beside it nothing is known to have moved."""
    history = watched(*np.arange(20) / 10, moved=1.0)

    assert history.moved_since(HERE, 1.0)
    assert not history.moved_since(HERE, 1.1)
    assert not history.moved_since(box(800, 360), 1.0)


@pytest.mark.parametrize("place", [RIGHT_OF_IT, BELOW_IT])
def test_outside_the_picture_anything_may_have_moved(place: np.ndarray) -> None:
    """Nobody sees it; nor is it said to move now."""
    assert watched(*np.arange(20) / 10).moved_since(place, 1.9)
    assert not moves_at(reading(1.0, moved=True), place)


@pytest.mark.parametrize("grid", [(0, 0), (0, 80)])
def test_a_source_that_tells_no_motion_may_have_missed_some(grid: tuple[int, ...]) -> None:
    """Photos from a folder are compared with nothing: whatever lies there may have been laid."""
    history = MotionHistory()
    still = Reading(0.0, SIZE, (), Motion(np.zeros(grid, bool), 0.0, 0.0))

    assert not history.update(still)
    assert history.moved_since(HERE, 0.0)
    assert not moves_at(still, HERE)


def test_a_camera_of_another_size_begins_anew() -> None:
    """What moved before is not known in the new picture."""
    history = watched(*np.arange(20) / 10)
    history.update(reading(2.0, grid=(30, 40)))

    assert history.moved_since(HERE, 2.0)
    assert not history.moved_since(HERE, 2.1)
