"""From the locator's grid to outlines."""

import numpy as np
import pytest

from companion.table.quad import aligned
from companion.vision.locate import outlines, to_input


def _grid(*cards: tuple[float, float, float], long_px: float = 80, short_px: float = 52) -> np.ndarray:
    """A grid that shows cards of a size at (x, y, angle), as a perfect locator would answer."""
    grid = np.zeros((9, 40, 60), np.float32)
    grid[0] = -8
    for x, y, angle in cards:
        row, column = int(y // 8), int(x // 8)
        grid[0, row, column] = 3
        grid[1:, row, column] = [
            x / 8 - column - 0.5,
            y / 8 - row - 0.5,
            np.log(long_px / 2 / 32),
            np.cos(2 * angle),
            np.sin(2 * angle),
            np.log(short_px / 2 / 32),
            np.cos(2 * angle + np.pi),
            np.sin(2 * angle + np.pi),
        ]
    return grid


@pytest.mark.parametrize("angle", np.linspace(0, np.pi, 13))
def test_an_outline_lies_where_the_grid_says_at_any_angle(angle: float):
    """Corners are exact, clockwise, and begin with a short side, whatever the turn."""
    (found,) = outlines(_grid((200, 150, angle)), 0.3)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    want = np.array([200, 150]) + np.array(
        [
            40 * along - 26 * across,
            40 * along + 26 * across,
            -40 * along + 26 * across,
            -40 * along - 26 * across,
        ]
    )
    assert np.abs(aligned(found.corners, want) - want).max() < 0.01
    assert np.linalg.norm(found.corners[0] - found.corners[1]) < np.linalg.norm(
        found.corners[1] - found.corners[2]
    )
    side = np.roll(found.corners, -1, axis=0) - found.corners
    assert side[0, 0] * side[1, 1] - side[0, 1] * side[1, 0] > 0


def test_two_peaks_of_one_card_are_one_outline():
    """Near copies are dropped; cards that overlap in part are kept."""
    assert len(outlines(_grid((200, 150, 0.3), (216, 150, 0.3)), 0.3)) == 2
    grid = _grid((200, 150, 0.3), (204, 166, 0.3))
    grid[1:3, 166 // 8, 204 // 8] += [-0.5, -2.0]
    assert len(outlines(grid, 0.3)) == 1


def test_heat_below_the_threshold_is_no_card():
    """The threshold is on the probability, not on the logit."""
    grid = _grid((200, 150, 0.3))
    grid[0, 150 // 8, 200 // 8] = -1
    assert outlines(grid, 0.3) == []
    assert len(outlines(grid, 0.2)) == 1


@pytest.mark.parametrize("size", [(720, 1280), (1080, 607), (100, 100), (3, 2000)])
def test_any_picture_is_padded_to_multiples_of_32(size: tuple[int, int]):
    """The long side is 640 pixels; nothing is cut off."""
    batch, factor = to_input(np.zeros((*size, 3), np.uint8))
    assert batch.shape[2] % 32 == batch.shape[3] % 32 == 0
    assert max(size) * factor == pytest.approx(640)
    assert batch.shape[2] >= round(size[0] * factor)
    assert batch.shape[3] >= round(size[1] * factor)
