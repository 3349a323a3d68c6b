"""The motion gate: what moves, and from which side an arm reaches in."""

import numpy as np

from companion.table.detection import Frame
from companion.vision.motion import MotionGate
from tests.vision import mishaps

TABLE = np.full((360, 640, 3), (60, 110, 40), np.uint8)


def _with_arm(*, south: bool, reach: int) -> np.ndarray:
    picture = TABLE.copy()
    rows = slice(360 - reach, 360) if south else slice(0, reach)
    picture[rows, 250:330] = (120, 150, 200)
    return picture


def test_a_still_noisy_table_does_not_move():
    """Sensor noise alone is no motion."""
    rng = np.random.default_rng(1)
    gate = MotionGate()
    for step in range(10):
        noisy = np.clip(TABLE + rng.normal(0, 8, TABLE.shape), 0, 255).astype(np.uint8)
        motion = gate.update(noisy, step / 5)
        assert not motion.moved.any()
        assert motion.south == motion.north == 0


def test_a_lamp_that_dims_the_whole_picture_is_no_motion():
    """A change that is everywhere alike is light, not a hand."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    assert not gate.update((TABLE * 0.8).astype(np.uint8), 0.2).moved.mean() > 0.01


def test_a_lamp_moves_no_card_that_is_lighter_than_the_table():
    """White gains more grey levels from a lamp than a dark cloth does."""
    picture = TABLE.copy()
    picture[100:190, 200:260] = (225, 235, 240)
    gate = MotionGate()
    gate.update(picture, 0.0)
    motion = gate.update((picture * [0.38, 0.5, 0.62]).astype(np.uint8), 0.2)
    assert not motion.moved.any()
    assert motion.south == motion.north == 0


def test_bands_of_a_lamp_that_flickers_are_no_motion():
    """They go over the picture from frame to frame; a card that is taken away is seen through them."""
    frames = [Frame(TABLE, step / 6, step) for step in range(9)]
    taken = TABLE.copy()
    taken[100:190, 200:260] = (225, 235, 240)
    gate = MotionGate()
    moved = [gate.update(frame.bgr, frame.time).moved.any() for frame in mishaps.banded(frames)]
    assert not any(moved)
    later = next(iter(mishaps.banded([Frame(taken, 1.5, 9)])))
    assert gate.update(later.bgr, later.time).moved[12:24, 25:32].mean() > 0.5


def test_a_strip_of_a_picture_takes_no_more_memory_than_others():
    """Its cells are as many as those of a picture that somebody might take, whatever its shape asks for."""
    assert MotionGate().update(np.zeros((4000, 1, 3), np.uint8), 0.0).moved.size <= 80 * 640


def test_an_arm_is_seen_at_the_edge_it_comes_from():
    """South and north are told apart while the arm moves and a moment after."""
    for south in (True, False):
        gate = MotionGate()
        gate.update(TABLE, 0.0)
        for step, reach in enumerate((60, 120, 180), 1):
            motion = gate.update(_with_arm(south=south, reach=reach), step * 0.2)
        mine, other = (motion.south, motion.north) if south else (motion.north, motion.south)
        assert mine > 0.08
        assert other == 0


def _motion_from_the_left(*, top: int, bottom: int, most: int = 180):
    """What the gate says of something that reaches in from the left, further and further."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    for step, reach in enumerate((60, 120, 180), 1):
        picture = TABLE.copy()
        picture[top:bottom, : min(reach, most)] = (120, 150, 200)
        motion = gate.update(picture, step * 0.2)
    return motion


def test_an_arm_from_the_side_is_that_of_somebody_who_looks_on():
    """It reaches in over neither player's edge, and what only touches the rim is none."""
    arm = _motion_from_the_left(top=140, bottom=220)
    assert arm.beside > 0.08
    assert arm.south == arm.north == 0
    assert _motion_from_the_left(top=140, bottom=220, most=40).beside == 0


def test_the_arm_of_somebody_who_points_and_holds_still_is_there_for_seconds():
    """It hides what lies under it for as long."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    picture = TABLE.copy()
    picture[140:220, :180] = (120, 150, 200)
    told = [gate.update(picture, step * 0.2).beside > 0.08 for step in range(1, 40)]
    assert all(told[:14])
    assert not told[-1]


def _with_screen(step: int):
    """The table with a screen at its left edge that never stands still."""
    picture = TABLE.copy()
    picture[140:220, :180] = (120, 150, 200) if step % 2 else (40, 60, 160)
    return picture


def test_what_moves_at_a_side_edge_all_evening_is_no_arm_for_ever():
    """A screen that stands there is told as one until it is plain that it never pauses."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    told = [gate.update(_with_screen(step), step * 0.2).beside > 0.08 for step in range(1, 200)]
    assert all(told[:50])
    assert not any(told[120:])

    for step in range(200, 230):
        gate.update(_with_screen(199), step * 0.2)
    assert gate.update(_with_screen(230), 46.2).beside > 0.08, (
        "it paused, so what moves there now may be an arm"
    )


def test_a_screen_at_one_side_hides_no_arm_from_the_other():
    """Each edge has its own patience."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    for step in range(1, 150):
        told = gate.update(_with_screen(step), step * 0.2).beside
    assert told == 0
    for step, reach in enumerate((60, 120, 180), 150):
        screen = _with_screen(step)
        screen[150:230, screen.shape[1] - reach :] = (120, 150, 200)
        told = gate.update(screen, step * 0.2).beside
    assert told > 0.08


def test_an_arm_after_pictures_have_stood_still_is_an_arm():
    """Nobody knows of a pause in between; it has not moved all the time."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    for step in range(1, 11):
        gate.update(_with_screen(step), step * 0.2)
    assert gate.update(_with_screen(135), 27.0).beside > 0.08


def test_a_player_s_arm_that_touches_the_side_as_well_is_the_player_s():
    """Who leans on the corner of the table reaches in over two edges."""
    arm = _motion_from_the_left(top=200, bottom=360)
    assert arm.south > 0.08
    assert arm.beside == 0


def test_what_stays_becomes_part_of_the_table():
    """A won pile at the edge is no arm for ever."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    picture = _with_arm(south=True, reach=60)
    for step in range(1, 60):
        motion = gate.update(picture, step * 0.2)
    assert motion.south == 0


def test_a_new_picture_size_begins_anew():
    """A camera that changes its resolution moves nothing."""
    gate = MotionGate()
    gate.update(TABLE, 0.0)
    assert not gate.update(np.zeros((480, 640, 3), np.uint8), 0.2).moved.any()
