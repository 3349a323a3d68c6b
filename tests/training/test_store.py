"""Samples that are shown again: which are kept, and that their truth turns with them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.synth.scene import CardTruth  # noqa: E402
from companion.training.dataset import locator_target  # noqa: E402
from companion.training.store import Store, crops, lit, mirrored, outlines, shown_again, tables  # noqa: E402
from companion.vision.rectify import AROUND  # noqa: E402

SIDE = 128


def card(corners: np.ndarray) -> CardTruth:
    """A card that lies whole in the picture."""
    spot = corners.mean(axis=0).astype(np.float32)
    return CardTruth("AH", corners.astype(np.float32), 1.0, 0, spot, (1.0, 1.0))


def test_the_newest_samples_are_kept_and_drawn_with_their_truth() -> None:
    """A full store forgets the oldest; what is drawn together was added together."""
    store = Store(6, torch.device("cpu"))
    for first in (0, 4, 8):
        numbers = torch.arange(first, first + 4)
        store.add([numbers.view(-1, 1), numbers * 10])

    picture, truth = store.draw(200)

    assert len(store) == 6
    assert set(picture.flatten().tolist()) == set(range(6, 12))
    assert torch.equal(picture.flatten() * 10, truth)


def test_samples_are_shown_so_often_and_no_more() -> None:
    """What was drawn is shown `times` times on the average; then, as nothing more is drawn, it ends."""
    drawn = [[torch.arange(first, first + 10)] for first in range(0, 100, 10)]

    shown = list(shown_again(drawn, 6, 20, 1e6, torch.device("cpu")))

    assert [len(batch[0]) for batch in shown] == [20] * 30
    assert set(shown[-1][0].tolist()) <= set(range(100))


def test_what_drawing_raises_is_heard_of() -> None:
    """A sample that cannot be drawn ends training with the error, and does not leave it waiting."""

    def broken() -> Iterator[list[torch.Tensor]]:
        yield [torch.arange(4)]
        raise ValueError("no such pack")

    with pytest.raises(ValueError, match="no such pack"):
        for _ in shown_again(broken(), 2, 100, 1e6, torch.device("cpu")):
            pass


def test_a_turned_table_has_the_target_of_its_turned_cards() -> None:
    """Each quarter of a batch is turned by another right angle, and so are centres and axes."""
    corners = np.array([[30, 25], [50, 35], [35, 65], [15, 55]], float)
    target = torch.from_numpy(locator_target([card(corners)], (SIDE, SIDE)))
    blank = torch.zeros(4, 3, SIDE, SIDE)

    _, turned = tables([blank, target.repeat(4, 1, 1, 1)])

    for told in turned:
        wanted = locator_target([card(corners)], (SIDE, SIDE))
        np.testing.assert_allclose(told.numpy(), wanted, atol=1e-5)
        corners = np.stack([corners[:, 1], SIDE - corners[:, 0]], axis=1)


def test_a_mirrored_table_has_the_target_of_its_mirrored_cards() -> None:
    """Pictures and targets of half a batch are mirrored together; as many as are not are turned alone."""
    torch.manual_seed(0)
    corners = np.array([[30, 25], [50, 35], [35, 65], [15, 55]], float)
    target = torch.from_numpy(locator_target([card(corners)], (SIDE, SIDE)))
    picture = torch.zeros(1, 3, SIDE, SIDE)
    picture[:, :, 25:65, 15:50] = 1

    shown, told = mirrored([picture.repeat(40, 1, 1, 1), target.repeat(40, 1, 1, 1)])

    ways = set()
    for number, (x, y) in enumerate(zip(shown, told, strict=True)):
        for flip in (False, True):
            lies = corners
            for _ in range(number // 10):
                lies = np.stack([lies[:, 1], SIDE - lies[:, 0]], axis=1)
            if flip:
                lies = np.stack([SIDE - lies[:, 0], lies[:, 1]], axis=1)[::-1]
            wanted = locator_target([card(lies)], (SIDE, SIDE))
            if np.allclose(y.numpy(), wanted, atol=1e-5):
                middle = lies.mean(axis=0).round().astype(int)
                assert x[0, middle[1], middle[0]] > 0.5
                ways.add((number // 10, flip))
                break
        else:
            raise AssertionError(number)
    assert len(ways) == 8


def test_an_outline_from_the_other_end_leads_to_the_same_corners() -> None:
    """Half of the crops are turned; their shifts still lead from the crop's frame to the card."""
    torch.manual_seed(0)
    rng = np.random.default_rng(1)
    wrong = np.array([[20, 10], [80, 15], [75, 110], [18, 100]], np.float32)
    true = (wrong + rng.normal(0, 3, (4, 2))).astype(np.float32)
    shifts = torch.from_numpy(AROUND.shifts(wrong, true).reshape(1, 8).astype(np.float32))
    other = AROUND.shifts(np.roll(wrong, 2, axis=0), np.roll(true, 2, axis=0)).reshape(8)

    _, told = outlines([torch.zeros(40, 3, 8, 6), shifts.repeat(40, 1)])

    kinds = {
        "same"
        if np.allclose(one, shifts[0], atol=1e-3)
        else "other"
        if np.allclose(one, other, atol=1e-3)
        else "?"
        for one in told.numpy()
    }
    assert kinds == {"same", "other"}


def test_light_and_pushes_change_the_picture_but_little() -> None:
    """What a crop shows can still be seen, from either end; its name stays."""
    torch.manual_seed(0)
    picture = torch.nn.functional.avg_pool2d(torch.rand(1, 3, 144, 96), 15, 1, 7).repeat(20, 1, 1, 1)
    label = torch.arange(20)

    shown, told = crops([picture, label])
    relit, _ = lit([picture, label])

    assert torch.equal(told, label)
    assert shown.min() >= 0
    assert shown.max() <= 1
    same, turned = (shown - picture).abs().mean((1, 2, 3)), (shown - picture.flip(2, 3)).abs().mean((1, 2, 3))
    assert torch.minimum(same, turned).max() < 0.15
    assert 0 < (turned < same).sum() < 20
    assert 0 < (relit - picture).abs().mean() < 0.1
