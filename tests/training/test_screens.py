"""Screens that lie beside the cards: drawn in any size, from a seed, and with round corners."""

import numpy as np
import pytest

from companion.training.screens import screen


@pytest.mark.parametrize("size", [(210, 444), (450, 210), (720, 510), (60, 120), (24, 40)])
def test_a_screen_of_any_size_is_drawn(size: tuple[int, int]):
    """Whatever it shows, it fills its place but for the corners."""
    w, h = size
    for seed in range(40):
        art = screen(np.random.default_rng(seed), w, h)
        assert (art.shape, art.dtype) == ((h, w, 4), np.uint8)
        assert art[0, 0, 3] < 255 == art[h // 2, w // 2, 3]


def test_a_seed_decides_what_a_screen_shows():
    """The same seed draws the same screen, and another one another."""
    first, again, other = (screen(np.random.default_rng(seed), 200, 420) for seed in (5, 5, 6))
    assert (first == again).all()
    assert (first != other).any()
