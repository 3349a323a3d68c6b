"""The drawn training data say the truth, and the losses know a right answer from a wrong one."""

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.synth.pack import Pack, rounded  # noqa: E402
from companion.table.detection import CLASSES  # noqa: E402
from companion.table.quad import aligned  # noqa: E402
from companion.training.dataset import locator_target  # noqa: E402
from companion.training.tables import Tables  # noqa: E402
from companion.training.train import locator_loss  # noqa: E402
from companion.vision.locate import outlines  # noqa: E402


def _pack() -> Pack:
    rng = np.random.default_rng(3)
    faces = {
        name: rounded(np.full((180, 118, 3), rng.integers(0, 255, 3), np.uint8), 0.06)
        for name in CLASSES[:24]
    }
    return Pack("plain", faces, rounded(np.full((180, 118, 3), 90, np.uint8), 0.06))


def _tables(seed: int) -> Tables:
    return Tables([_pack()], np.random.default_rng(seed), size=(256, 256), card_px=(60, 120), tops=2)


def test_the_same_seed_draws_the_same_table():
    """Data are made anew for each run and must not differ."""
    one, two = _tables(5).sample(), _tables(5).sample()
    assert np.array_equal(one.picture, two.picture)
    assert [card.name for card in one.truth] == [card.name for card in two.truth]


def test_a_perfect_locator_would_give_back_the_truth():
    """What training asks for is what inference reads: the two codings are one."""
    tables = _tables(1)
    checked = 0
    for _ in range(20):
        truth = [card for card in tables.sample().truth if card.visible > 0.6]
        for card in truth:
            target = locator_target([card], (256, 256))
            grid = target[:9].copy()
            grid[0] = np.log(np.clip(grid[0], 1e-4, 1 - 1e-4) / (1 - np.clip(grid[0], 1e-4, 1 - 1e-4)))
            (found,) = outlines(grid, 0.9)
            # an affine outline of a card seen in perspective is off by the perspective alone
            height = np.linalg.norm(card.corners[1] - card.corners[2])
            assert np.abs(aligned(found.corners, card.corners) - card.corners).max() < 0.06 * height
            checked += 1
    assert checked > 10


def test_the_loss_prefers_the_truth():
    """A grid that says what is there costs less than an empty one."""
    tables = _tables(2)
    truth = []
    while not truth:
        truth = [card for card in tables.sample().truth if card.visible > 0.6]
    target = torch.from_numpy(locator_target(truth, (256, 256)))[None]
    right = target[:, :9].clone()
    right[:, 0] = torch.where(target[:, 0] > 0.999, 6.0, -6.0)
    empty = torch.zeros_like(right)
    empty[:, 0] = -6.0
    assert locator_loss(right, target) < 0.3 * locator_loss(empty, target)
