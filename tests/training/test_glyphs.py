"""The index reader is shown indices where it is told that they are, and what is none without a place."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.synth.drawn import drawn_pack  # noqa: E402
from companion.table.detection import BACK, CLASSES, UNKNOWN  # noqa: E402
from companion.training.glyphs import GlyphSet  # noqa: E402
from companion.training.networks import GlyphReader  # noqa: E402
from companion.vision.glyph import GLYPH  # noqa: E402


def crops(count: int):
    """The first of a seed."""
    return list(itertools.islice(GlyphSet([drawn_pack(100)], 3), count))


def test_the_same_seed_shows_the_same_indices() -> None:
    """Data are made anew for each run and must not differ."""
    for (one, mark), (other, second) in zip(crops(30), crops(30), strict=True):
        assert torch.equal(one, other)
        assert int(mark) == int(second)


def test_what_is_shown_fits_what_is_asked() -> None:
    """Crops of the reader's size, most of them faces, none a back, and some of what is no index."""
    drawn = crops(400)
    assert {tuple(crop.shape) for crop, _ in drawn} == {(3, GLYPH.height, GLYPH.width)}
    marks = np.array([int(mark) for _, mark in drawn])
    assert set(marks) <= {*range(BACK), UNKNOWN}
    assert 0.05 < (marks == UNKNOWN).mean() < 0.3


def test_crops_bear_the_name_of_their_card() -> None:
    """Those that are named hearts and diamonds are the redder ones."""
    drawn = [(crop.float(), int(mark)) for crop, mark in crops(1600) if int(mark) != UNKNOWN]
    red = [crop for crop, mark in drawn if CLASSES[mark][1] in "HD"]
    black = [crop for crop, mark in drawn if CLASSES[mark][1] in "CS"]
    warmth = [float(torch.stack(each).mean(dim=(0, 2, 3)).diff()[1]) for each in (red, black)]
    assert warmth[0] > warmth[1]


def test_the_network_answers_for_each_crop() -> None:
    """With as many numbers as there are names."""
    (logits,) = GlyphReader()(torch.stack([crop for crop, _ in crops(4)]).float() / 255)
    assert logits.shape == (4, len(CLASSES))
