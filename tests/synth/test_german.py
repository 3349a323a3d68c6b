"""Drawn German-suited packs: the rules of the pattern hold whatever the hand that draws them."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.rules.cards import PACK_24
from companion.synth.camera import Camera
from companion.synth.german import GermanStyle, german_pack
from companion.synth.german_signs import SignLook, draw_sign
from companion.synth.scene import Placed, Scene

SEEDS = (1000, 1001, 1002)


def afar(picture: np.ndarray) -> np.ndarray:
    """The picture as a camera would see it."""
    return cv2.resize(picture[..., :3], (60, 92), interpolation=cv2.INTER_AREA).astype(float)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_card_can_be_told_from_every_other(seed: int) -> None:
    """Twenty-four faces, no two alike, each the same from both ends."""
    pack = german_pack(seed, height_px=260)
    names = [str(card) for card in PACK_24]

    assert set(names) <= pack.faces.keys()
    assert (
        min(np.abs(afar(pack.faces[a]) - afar(pack.faces[b])).mean() for a, b in combinations(names, 2)) > 1.0
    )
    for name in names:
        assert np.abs(afar(pack.faces[name]) - afar(pack.faces[name])[::-1, ::-1]).mean() < 12, name


def test_the_same_seed_draws_the_same_pack() -> None:
    """A measured pack can be measured again."""
    one, two = german_pack(1000, height_px=200), german_pack(1000, height_px=200)
    assert all(np.array_equal(one.faces[name], two.faces[name]) for name in one.faces)


def test_an_ober_has_its_sign_high_and_an_unter_low() -> None:
    """Nothing else tells them apart, in every pack."""
    styles = [GermanStyle.random(np.random.default_rng(seed)) for seed in range(60)]
    assert all(style.high < 0.3 < 0.6 < style.low for style in styles)


def test_two_thirds_of_the_packs_have_no_letters() -> None:
    """The Tell pattern has none, and it is the one that lies on Austrian tables."""
    styles = [GermanStyle.random(np.random.default_rng(seed)) for seed in range(200)]
    assert 0.45 < np.mean([style.letters is None for style in styles]) < 0.75


@pytest.mark.parametrize("suit", "HDCS")
def test_a_sign_fills_its_box_and_stands_on_its_head_when_told(suit: str) -> None:
    """The lower half of a card is the upper one turned."""
    look = SignLook.random(np.random.default_rng(4))
    upright, turned = (np.full((120, 120, 3), 250, np.uint8) for _ in range(2))
    draw_sign(upright, suit, (60, 60), 90, look)
    draw_sign(turned, suit, (60, 60), 90, look, upside_down=True)
    inked = (upright != 250).any(axis=2)

    assert 70 <= np.ptp(np.nonzero(inked)[0]) <= 100
    assert np.abs(upright.astype(int) - turned[::-1, ::-1]).mean() < 8


def test_a_seed_below_zero_is_refused() -> None:
    """It names no pack."""
    with pytest.raises(ValueError, match="-1"):
        german_pack(-1)


def test_corners_without_letters_do_not_say_which_card_it_is():
    """Of a pack without them no strip can be named, and the truth of a scene counts none as an index."""
    bare, lettered = german_pack(1003, height_px=120), german_pack(1000, height_px=120)
    assert bare.unindexed == frozenset(bare.faces)
    assert not lettered.unindexed
    scene = Scene(Camera.above((320, 240), distance_mm=700, width_mm=240), np.full((64, 64, 3), 90, np.uint8))
    for pack in (bare, lettered):
        placed = Placed("KH", pack.faces["KH"], 0, 0, 0.0, pack.size_mm, indexed="KH" not in pack.unindexed)
        _, (truth,) = scene.render([placed])
        assert truth.visible > 0.9
        assert (truth.index > 0.9) == (pack is lettered)
