"""Backs: any pattern, any ink, always a card with round corners."""

import cv2
import numpy as np
import pytest

from companion.synth.backs import PATTERNS, random_back


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_pattern_prints_its_ink(name):
    """Whatever the step, something is printed."""
    for step in (8, 20, 44):
        canvas = np.full((220, 150, 3), 250, np.uint8)
        PATTERNS[name](canvas, (40, 90, 160), step)
        assert (canvas != 250).any(axis=2).mean() > 0.02


def test_backs_differ_and_are_cut_round():
    """Training needs many; the corner of a card is not there."""
    rng = np.random.default_rng(1)
    backs = [random_back(rng, height_px=120, width_px=80) for _ in range(12)]
    assert len({back.tobytes() for back in backs}) == 12
    for back in backs:
        assert back.shape == (120, 80, 4)
        assert back[0, 0, 3] < 60
        assert back[60, 40, 3] == 255


def test_a_border_is_of_paper_and_can_be_left_out():
    """A back without one ends where its pattern does."""
    for bordered in (0.0, 1.0):
        backs = [random_back(np.random.default_rng(seed), motifs=1.0, bordered=bordered) for seed in range(8)]
        edges = [back[40:-40, 1, :3].min() for back in backs]
        assert (min(edges) > 200) == bool(bordered)


def test_a_fine_pattern_is_one_pale_colour_from_afar():
    """A twentieth as large, most others still show their pattern."""
    spread, shade = {}, {}
    for fine in (0.0, 1.0):
        backs = [
            random_back(np.random.default_rng(seed), fine=fine)[30:-30, 20:-20, :3] for seed in range(40)
        ]
        far = [cv2.resize(back, (8, 10), interpolation=cv2.INTER_AREA) for back in backs]
        spread[fine] = float(np.median([small.std(axis=(0, 1)).mean() for small in far]))
        shade[fine] = float(np.mean([small.mean() for small in far]))
    assert spread[1.0] < spread[0.0] / 3
    assert shade[1.0] > shade[0.0]


def test_the_same_seed_gives_the_same_back():
    """Data are made anew for each run and must not differ."""
    one, two = (random_back(np.random.default_rng(4)) for _ in range(2))
    assert np.array_equal(one, two)
