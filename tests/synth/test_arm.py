"""Arms reach in from their own side, end at the fingertips, and look like limbs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.cards import Player
from companion.synth.arm import ArmLook, draw_hand
from companion.synth.camera import Camera
from companion.synth.scene import Overlay
from companion.synth.script import Hand

SIZE = (640, 360)
STRAIGHT = Camera.above(SIZE)
SOUTH = Hand(Player.SOUTH, 0.0, 20.0, 2.0, (0.0, 600.0), "over", False, True)
NORTH = Hand(Player.NORTH, 0.0, -20.0, 2.0, (0.0, -600.0), "over", False, True)
LOOK = ArmLook(skin=(140.0, 170.0, 215.0), sleeve=(200.0, 30.0, 30.0), sleeve_mm=200.0)


def laid(overlay: Overlay | None, size: tuple[int, int] = SIZE) -> np.ndarray:
    """What lies over the frame, (H, W, 4); nothing for no overlay."""
    frame = np.zeros((size[1], size[0], 4), np.uint8)
    if overlay is not None:
        (x, y), (h, w) = overlay.origin, overlay.picture.shape[:2]
        x0, y0, x1, y1 = max(0, x), max(0, y), min(size[0], x + w), min(size[1], y + h)
        frame[y0:y1, x0:x1] = overlay.picture[y0 - y : y1 - y, x0 - x : x1 - x]
    return frame


def covered(hand: Hand, camera: Camera = STRAIGHT, look: ArmLook = LOOK) -> np.ndarray:
    """Where the frame is covered by the hand and its arm, (H, W) bool."""
    under, over = draw_hand(hand, look, camera)
    return (laid(under)[..., 3] > 127) | (laid(over)[..., 3] > 127)


@pytest.mark.parametrize("grip", ["over", "pinch", "empty"])
@pytest.mark.parametrize("tilt", [0.0, 0.6])
def test_an_arm_comes_from_its_players_edge_and_from_no_other(grip: str, tilt: float) -> None:
    """South's arm crosses the bottom edge of the picture, north's the top edge."""
    camera = Camera.above(SIZE, tilt=tilt)
    for hand, own, others in ((SOUTH, -1, 0), (NORTH, 0, -1)):
        mask = covered(replace(hand, grip=grip), camera)
        assert mask[own].any()
        assert not mask[others].any()
        assert not mask[:, [0, -1]].any()


@pytest.mark.parametrize("x_mm", [-120.0, 0.0, 150.0])
def test_the_fingers_end_where_they_should(x_mm: float) -> None:
    """The longest finger ends at the place given, and nothing of the hand lies beyond."""
    hand = replace(SOUTH, x_mm=x_mm, seat_mm=(x_mm, 600.0))
    ys, xs = np.nonzero(covered(hand))
    top = ys.min()
    tip = STRAIGHT.project(np.array([[x_mm, hand.y_mm, 6.0]]))[0]
    per_mm = SIZE[0] / 600
    assert abs(top - tip[1]) < 10 * per_mm
    assert abs(xs[ys == top].mean() - tip[0]) < 20 * per_mm


def test_a_left_hand_is_the_mirror_of_a_right_hand() -> None:
    """Only the thumb's side tells them apart."""
    right, left = covered(SOUTH), covered(replace(SOUTH, left=True))
    assert (right == left[:, ::-1]).mean() > 0.99
    assert (right == left).mean() < 0.99


def test_a_pinched_card_goes_between_fingers_and_thumb() -> None:
    """Fingers are drawn below the card and the thumb above it; else all is above."""
    under, over = draw_hand(replace(SOUTH, grip="pinch"), LOOK, STRAIGHT)
    fingers, thumb = laid(under)[..., 3] > 127, laid(over)[..., 3] > 127
    assert 0 < thumb.sum() < 0.4 * fingers.sum()
    assert draw_hand(SOUTH, LOOK, STRAIGHT)[0] is None


def test_a_hand_outside_the_picture_is_not_drawn() -> None:
    """A hand that has not come in yet covers nothing."""
    away = replace(SOUTH, y_mm=400.0)
    assert draw_hand(away, LOOK, STRAIGHT) == (None, None)


def test_an_arm_has_a_hand_of_skin_and_a_sleeve_of_cloth() -> None:
    """Fingers have the colour of the skin, the arm beyond the cuff that of the sleeve."""
    hand = replace(SOUTH, y_mm=-120.0)
    picture = laid(draw_hand(hand, LOOK, STRAIGHT)[1]).astype(int)
    knuckles, sleeve = (
        STRAIGHT.project(np.array([[0.0, y, 30.0]]))[0].round().astype(int) for y in (-40.0, 130.0)
    )
    assert picture[knuckles[1], knuckles[0], 2] > picture[knuckles[1], knuckles[0], 0] + 30
    assert picture[sleeve[1], sleeve[0], 0] > picture[sleeve[1], sleeve[0], 2] + 30


def test_limbs_are_shaded_round() -> None:
    """A forearm is darker along both its edges than between them."""
    hand = replace(SOUTH, y_mm=-120.0)
    picture = laid(draw_hand(hand, LOOK, STRAIGHT)[1])
    row = picture[-20]
    across = np.nonzero(row[:, 3] > 250)[0]
    value = row[across, 0].astype(float)
    assert value.max() > 1.2 * max(value[:4].mean(), value[-4:].mean())
    assert len(value) * 0.1 < value.argmax() < len(value) * 0.9


def test_the_nearer_the_camera_the_larger_the_hand() -> None:
    """A raised hand covers more of the picture than one upon the table."""
    low, high = (covered(replace(SOUTH, z_mm=z)).any(axis=0).sum() for z in (0.0, 150.0))
    assert high > 1.1 * low


def test_arms_differ_by_seed_and_only_by_seed() -> None:
    """A seed stands for one arm."""
    looks = [ArmLook.random(np.random.default_rng(seed)) for seed in (1, 1, 2)]
    pictures = [laid(draw_hand(SOUTH, look, STRAIGHT)[1]) for look in looks]
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])


def test_an_arm_that_reaches_past_the_lens_is_drawn_to_there() -> None:
    """Who sits under a tilted camera has an arm behind it: it enters at the lower edge, and is no larger."""
    tilted = Camera.above(SIZE, distance_mm=450, tilt=0.9)
    near = replace(SOUTH, seat_mm=(0.0, 560.0))
    assert tilted.depth(np.array([[0.0, 560.0, 60.0]]))[0] < 40

    under, over = draw_hand(near, LOOK, tilted)
    seen = laid(over)[..., 3] > 127

    assert under is None
    assert seen[-1].any()
    assert not seen[0].any()
    assert seen.mean() < 0.5
    assert draw_hand(replace(near, y_mm=900.0, seat_mm=(0.0, 1400.0)), LOOK, tilted) == (None, None)
