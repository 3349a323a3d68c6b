"""Table tops: they tile, and those kept for measuring are none of training's in another colour."""

import numpy as np
import pytest

from companion.synth.surface import ALIKE, HELD_OUT, KINDS, MORE, RECTANGLES, surface


@pytest.mark.parametrize("kind", HELD_OUT)
def test_a_table_top_kept_for_measuring_tiles(kind):
    """Across the seam neighbours differ no more than elsewhere."""
    for seed in range(4):
        top = surface(kind, np.random.default_rng(seed)).astype(int)
        for turned in (top, top.transpose(1, 0, 2)):
            inside = np.abs(np.diff(turned, axis=0)).mean(axis=(1, 2))
            seam = np.abs(turned[0] - turned[-1]).mean()
            assert seam <= 1.5 * inside.max() + 1


def _pattern(kind: str, seed: int) -> np.ndarray:
    """A table top without its colours, spread to one."""
    grey = surface(kind, np.random.default_rng(seed)).astype(float).mean(axis=2)
    return (grey - grey.mean()) / max(grey.std(), 1e-6)


def test_a_table_top_kept_for_measuring_is_none_of_training_in_another_colour():
    """From one seed linen is white cloth in a tint; what figures are measured on is like none of them."""
    assert abs((_pattern("linen", 3) * _pattern("white_cloth", 3)).mean()) > 0.95
    for kind in HELD_OUT:
        others = [
            abs((_pattern(kind, 3) * _pattern(other, 3)).mean()) for other in (*KINDS, *RECTANGLES, *ALIKE)
        ]
        assert max(others) < 0.3


def test_a_table_top_that_nobody_knows_is_named():
    """With those that there are: all of training's and all kept for measuring."""
    with pytest.raises(ValueError, match=r"no table top called 'lava'; known: ") as refused:
        surface("lava", np.random.default_rng(0))
    known = str(refused.value).partition("known: ")[2].split(", ")
    assert sorted(known) == sorted((*KINDS, *RECTANGLES, *MORE, *ALIKE, *HELD_OUT))
