"""The index reader is shown indices where it is told that they are, and what is none without a place."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.synth.drawn import drawn_pack  # noqa: E402
from companion.table.detection import CLASSES, UNKNOWN  # noqa: E402
from companion.training.glyphs import GlyphSet  # noqa: E402
from companion.training.networks import GlyphReader  # noqa: E402
from companion.training.train import glyph_loss  # noqa: E402
from companion.vision.glyph import GLYPH  # noqa: E402


def crops(count: int):
    """The first of a seed."""
    return list(itertools.islice(GlyphSet([drawn_pack(100)], 3), count))


def test_the_same_seed_shows_the_same_indices() -> None:
    """Data are made anew for each run and must not differ."""
    for (one, mark, place), (other, second, there) in zip(crops(30), crops(30), strict=True):
        assert torch.equal(one, other)
        assert (int(mark), place.tolist()) == (int(second), there.tolist())


def test_what_is_shown_fits_what_is_asked() -> None:
    """Crops of the reader's size; an index lies in its crop; what has no place is called unknown."""
    drawn = crops(400)
    for crop, mark, place in drawn:
        assert tuple(crop.shape) == (3, GLYPH.height, GLYPH.width)
        assert 0 <= int(mark) < len(CLASSES)
        assert int(mark) == UNKNOWN or place[2] == 1
        assert abs(place[0]) < 0.5
        assert abs(place[1]) < 0.5
    elsewhere = np.mean([float(place[2]) == 0 for _, _, place in drawn])
    assert 0.05 < elsewhere < 0.3


def test_the_loss_wants_name_and_place() -> None:
    """Less for the right name, less for the right place, and no place of what has none."""
    label = torch.tensor([3])
    right, wrong = torch.zeros(1, 26), torch.zeros(1, 26)
    right[0, 3], wrong[0, 4] = 9.0, 9.0
    there, none = torch.tensor([[0.1, 0.0, 1.0]]), torch.tensor([[0.0, 0.0, 0.0]])
    at, off = torch.tensor([[0.1, 0.0]]), torch.tensor([[-0.2, 0.3]])

    assert glyph_loss((right, at), label, there) < glyph_loss((wrong, at), label, there)
    assert glyph_loss((right, at), label, there) < glyph_loss((right, off), label, there)
    assert glyph_loss((right, at), label, none) == glyph_loss((right, off), label, none)


def test_the_network_answers_for_each_crop() -> None:
    """A name and a shift."""
    logits, shifts = GlyphReader()(torch.stack([crop for crop, _, _ in crops(4)]).float() / 255)
    assert logits.shape == (4, len(CLASSES))
    assert shifts.shape == (4, 2)
