"""Lights: where a band lies, and that those kept for measuring are none that training draws."""

import math

import numpy as np
import pytest

from companion.synth.camera import Camera
from companion.synth.scene import Band, Light, Scene
from companion.synth.setting import HELD_OUT_LIGHTS, LIGHTS, held_out_light, light_named

WHITE = np.full((90, 160, 3), 100, np.uint8)


def _lit(light: Light) -> np.ndarray:
    camera = Camera.above((160, 90), distance_mm=900, width_mm=600)
    return Scene(camera, WHITE[:64, :64], light).lit(WHITE)


def test_a_band_lights_its_part_of_the_table_alone():
    """From a tenth of the width right of the middle on it is darker and redder; its edge is soft."""
    lit = _lit(Light(bands=(Band(0.0, 0.1, 9.0, 0.05, (0.4, 0.5, 0.6)),))).astype(int)
    assert (lit[:, :88] == 100).all()
    assert np.abs(lit[:, 102:] - [40, 50, 60]).max() <= 1
    assert (np.diff(lit[40, 88:104, 0]) <= 0).all()
    turned = _lit(Light(bands=(Band(math.pi / 2, 0.1, 9.0, 0.001, (0.5, 0.5, 0.5)),)))
    assert (turned[:60] == 100).all()
    assert (turned[63:] == 50).all()


@pytest.mark.parametrize("name", LIGHTS)
def test_a_named_light_is_drawn_and_leaves_something_to_see(name):
    """None makes the table black or white."""
    for seed in range(5):
        assert 20 < _lit(light_named(name, np.random.default_rng(seed))).mean() < 200


def test_training_draws_none_of_the_lights_kept_for_measuring():
    """They have bands, and no light that training draws has one."""
    rng = np.random.default_rng(1)
    assert all(held_out_light(rng).bands for _ in range(20))
    assert not any(Light.random(rng).bands for _ in range(200))
    assert not any(light_named(name, rng).bands for name in LIGHTS if name not in HELD_OUT_LIGHTS)


def test_a_light_that_nobody_knows_is_named():
    """With those that there are."""
    with pytest.raises(ValueError, match=r"'moon'.*blinds"):
        light_named("moon", np.random.default_rng(0))
