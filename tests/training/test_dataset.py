"""The drawn training data say the truth, and the losses know a right answer from a wrong one."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.synth.camera import Camera  # noqa: E402
from companion.synth.pack import Pack, rounded  # noqa: E402
from companion.synth.scene import CardTruth, Light, Placed, Scene  # noqa: E402
from companion.table.detection import CLASSES  # noqa: E402
from companion.table.quad import aligned  # noqa: E402
from companion.training.dataset import OutlineSet, index_target, locator_target, loose_outline, mends  # noqa: E402
from companion.training.tables import Tables  # noqa: E402
from companion.training.train import locator_loss, refiner_loss  # noqa: E402
from companion.vision.locate import outlines  # noqa: E402
from companion.vision.rectify import AROUND  # noqa: E402


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


def _grid(target: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a network would answer that answers right."""
    grid = target[:9].copy()
    heat = np.clip(grid[0], 1e-4, 1 - 1e-4)
    grid[0] = np.log(heat / (1 - heat))
    return grid


def test_a_perfect_locator_would_give_back_the_truth():
    """What training asks for is what inference reads: the two codings are one."""
    tables = _tables(1)
    checked = 0
    for _ in range(20):
        truth = [card for card in tables.sample().truth if card.visible > 0.6]
        for card in truth:
            target = locator_target([card], (256, 256))
            (found,) = outlines(_grid(target), 0.9)
            # an affine outline of a card seen in perspective is off by the perspective alone
            height = np.linalg.norm(card.corners[1] - card.corners[2])
            assert np.abs(aligned(found.corners, card.corners) - card.corners).max() < 0.06 * height
            checked += 1
    assert checked > 10


def _truth(height: float, visible: float, index: float) -> CardTruth:
    """A card upright in the middle of a 256x256 picture."""
    w, h = height / 1.5 / 2, height / 2
    corners = np.array([[-w, -h], [w, -h], [w, h], [-w, h]], np.float32) + 128
    return CardTruth("KH", corners, visible, 4, np.array([128, 128], np.float32), (index, 0.0))


def test_a_strip_with_an_index_is_a_card_and_one_without_is_none():
    """What a person can name in a fan is to be found; what nobody can is neither wanted nor punished."""
    with_index = locator_target([_truth(120, 0.1, 1.0)], (256, 256))
    without = locator_target([_truth(120, 0.1, 0.3)], (256, 256))
    assert with_index[0].max() == 1.0
    assert without[0].max() == 0.0
    assert without[9].min() == -1.0


def test_a_card_too_large_to_be_found_is_not_punished_but_its_pips_are():
    """A look at a smaller picture finds it; an ace's sign in a close-up is no card."""
    target = locator_target([_truth(400, 1.0, 1.0)], (256, 256))
    assert target[0].max() == 0.0
    assert target[9][16, 16] == -1.0
    assert target[9][2, 2] == 0.0


def test_what_shows_of_the_better_index_is_known():
    """Half a card over another leaves one index free, a card across both leaves none."""
    pack = _pack()
    camera = Camera.above((256, 256), distance_mm=600, width_mm=200)
    scene = Scene(camera, np.full((8, 8, 3), 90, np.uint8), Light(), 100.0, 0.0)
    below = Placed("KH", pack.faces["KH"], 0, 0, 0.0)
    aside = Placed("QS", pack.faces["QS"], 15, 0, 0.0)
    across = Placed("QS", pack.faces["QS"], 0, 0, 0.0, (90.0, 120.0))
    assert scene.render([below, aside])[1][0].index == 1.0
    assert scene.render([below, across])[1][0].index == 0.0


def test_each_index_that_shows_is_a_peak_from_which_the_card_is_found():
    """Of a strip one, of a card that lies free both; half an index is neither wanted nor punished."""
    strip, half, free = _truth(150, 0.1, 1.0), _truth(150, 0.1, 0.5), _truth(150, 1.0, 1.0)
    free = replace(free, indices=(1.0, 1.0))
    peaks = [int((index_target([card], (256, 256))[0] > 0.999).sum()) for card in (strip, half, free)]
    assert peaks == [1, 0, 2]
    assert index_target([half], (256, 256))[9].min() == -1.0

    (found,) = outlines(_grid(index_target([strip], (256, 256))), 0.9)
    assert np.abs(aligned(found.corners, strip.corners) - strip.corners).max() < 1.0
    assert (found.spot < 128).all()


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


def test_the_refiner_sees_the_corners_it_is_to_find():
    """Outlines are drawn as loose as the locator's, and yet nearly every true corner lies in the crop."""
    drawn = iter(OutlineSet([_pack()], seed=4))
    shifts = np.stack([next(drawn)[1].numpy() for _ in range(200)]).reshape(-1, 4, 2)
    where = AROUND.frame + shifts * (AROUND.width, AROUND.height)
    inside = ((where > 0) & (where < (AROUND.width, AROUND.height))).all(axis=2)
    assert np.abs(shifts).max() > 0.1
    assert inside.mean() > 0.95


@pytest.mark.parametrize("end", [0, 2])
def test_a_strip_s_outline_is_as_wrong_as_one_told_from_its_index(end: int):
    """The end that shows is nearly right, the hidden one need not be; a free card's are alike."""
    rng = np.random.default_rng(6)

    def off(card: CardTruth) -> tuple[float, float]:
        """Errors of the ends, that with the index first, shares of the long side, of the worst tenth."""
        true = np.roll(card.corners, end, axis=0)
        errors = [np.linalg.norm(loose_outline(card, true, rng) - true, axis=1) / 120 for _ in range(400)]
        near, far = np.quantile(np.roll(errors, -end, axis=1)[:, [0, 2]], 0.9, axis=0)
        return float(near), float(far)

    near, far = off(_truth(120, 0.1, 1.0))
    assert near < 0.06 < 1.5 * near < far
    near, far = off(_truth(120, 0.9, 1.0))
    assert 0.8 < near / far < 1.25


def test_the_refiner_is_taught_what_a_fan_shows_and_nothing_that_nobody_could_name():
    """A strip that shows its index, and no strip without."""
    with_index, without = _truth(120, 0.1, 1.0), _truth(120, 0.1, 0.3)
    assert mends(with_index)
    assert not mends(without)
    assert mends(_truth(120, 0.3, 0.0))


def test_the_refiner_gains_by_the_truth_and_by_owning_up():
    """The right corners cost least; of wrong ones those cost less that are said to be uncertain."""
    true = torch.tensor([[0.05, -0.02] * 4])
    sure, unsure = torch.full((1, 4), -5.0), torch.full((1, 4), -2.0)
    right, wrong = true.clone(), true + 0.2
    assert refiner_loss((right, sure), true) < refiner_loss((right, unsure), true)
    assert refiner_loss((wrong, unsure), true) < refiner_loss((wrong, sure), true)
    assert refiner_loss((right, sure), true) < refiner_loss((wrong, unsure), true)
