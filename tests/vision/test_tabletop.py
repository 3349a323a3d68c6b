"""Where the table lies: found in a picture, or told; what lies beside it is left out."""

from __future__ import annotations

import tracemalloc

import cv2
import numpy as np
import pytest
from staged_optics import SIZE, StagedReader, detection, table_picture

from companion.table.detection import Frame, Motion, Reading
from companion.vision.cameras import cameras
from companion.vision.tabletop import TabletopReader, find_tabletop

WHOLE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
SQUARE = ((0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75))


@pytest.mark.parametrize(
    "corners",
    [
        ((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85)),
        ((0.5, 0.05), (0.95, 0.5), (0.5, 0.95), (0.05, 0.5)),
        ((0.0, 0.2), (1.0, 0.2), (1.0, 1.0), (0.0, 1.0)),
        WHOLE,
    ],
)
def test_a_table_is_found_wherever_it_stands(corners) -> None:
    """Its corners come clockwise from the top left, within two hundredths of the picture."""
    found = find_tabletop(table_picture(corners))
    starts = [np.roll(found, turn, axis=0) for turn in range(4)]
    assert min(float(np.abs(each - np.array(corners)).max()) for each in starts) < 0.02


def test_cards_on_the_table_do_not_part_it() -> None:
    """Bright things in its middle belong to it."""
    picture = table_picture(((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85)))
    for x in range(200, 420, 60):
        picture[150:210, x : x + 34] = 240
    found = find_tabletop(picture)
    assert np.allclose(found, [(0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85)], atol=0.02)


def test_what_is_no_four_cornered_table_is_not_found() -> None:
    """The corners of a round table are left to whoever sets up."""
    round_one = [(0.5 + 0.3 * np.cos(a), 0.5 + 0.45 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40)]
    assert find_tabletop(table_picture(tuple(round_one))) is None


def test_cards_and_motion_beside_the_table_are_left_out() -> None:
    """A card on the chair and somebody who walks by are not told; the table's are."""
    cards = (detection("KH", 320, 180), detection("AS", 60, 60))
    moved = np.ones((9, 16), bool)

    class Restless(StagedReader):
        def read(self, frame: Frame) -> Reading:
            whole = super().read(frame)
            return Reading(whole.time, whole.size, whole.detections, Motion(moved, 0.0, 0.0))

    frame = Frame(np.zeros((SIZE[1], SIZE[0], 3), np.uint8), 0.0, 0)
    reading = TabletopReader(Restless(cards), SQUARE).read(frame)
    assert [str(each.card) for each in reading.detections] == ["KH"]
    assert reading.motion.moved[4, 8]
    assert not reading.motion.moved[0].any()
    assert not reading.motion.moved[:, 0].any()


def test_the_table_is_where_the_camera_shows_it_now() -> None:
    """The camera stands elsewhere than when the corners were set: a picture of then leads to them."""
    then = np.full((360, 640, 3), 200, np.uint8)
    then[90:270, 160:480] = (60, 110, 40)
    rng = np.random.default_rng(3)
    for _ in range(60):
        x, y = rng.integers(20, 600), rng.integers(20, 330)
        cv2.circle(then, (int(x), int(y)), 4, tuple(int(each) for each in rng.integers(0, 255, 3)), -1)
    now = np.roll(then, (40, -120), axis=(0, 1))
    cards = (detection("KH", 200, 220), detection("AS", 460, 120))
    said: list[bool] = []
    reader = TabletopReader(StagedReader(cards), SQUARE, then, said.append)
    reading = reader.read(Frame(now, 0.0, 0))
    assert [str(each.card) for each in reading.detections] == ["KH"]
    assert said == [True]
    blind = TabletopReader(StagedReader(cards), SQUARE)
    assert [str(each.card) for each in blind.read(Frame(now, 0.0, 0)).detections] == ["KH", "AS"]


def test_where_the_table_is_not_found_nothing_is_left_out_and_that_is_said() -> None:
    """Of another table's picture the corners say nothing; once the old table comes back they hold."""
    then = table_picture(((0.2, 0.1), (0.8, 0.15), (0.95, 0.9), (0.05, 0.85)))
    other = np.roll(table_picture(WHOLE), 90, axis=0)
    cards = (detection("KH", 320, 180), detection("AS", 60, 60))
    said: list[bool] = []
    reader = TabletopReader(StagedReader(cards), SQUARE, then, said.append)
    for number in range(50):
        reading = reader.read(Frame(other, number / 10, number))
        assert len(reading.detections) == 2
    assert said == [False]
    reading = reader.read(Frame(then, 8.0, 50))
    assert [str(each.card) for each in reading.detections] == ["KH"]
    assert said == [False, True]


def test_cameras_are_listed_by_what_the_system_tells(tmp_path, monkeypatch) -> None:
    """One entry for each camera in the order of their indices, with its name; second files are left out."""
    monkeypatch.setattr("sys.platform", "linux")
    for number, index, name in ((10, 0, "Phone"), (2, 0, "HD Webcam"), (3, 1, "HD Webcam")):
        place = tmp_path / f"video{number}"
        place.mkdir()
        (place / "index").write_text(f"{index}\n")
        (place / "name").write_text(f"{name}\n")
    assert cameras(tmp_path) == (("2", "HD Webcam"), ("10", "Phone"))
    assert cameras(tmp_path / "nothing") == ()


@pytest.mark.parametrize("size", [(1, 5000), (40, 8000), (2, 640), (1, 1), (3, 2), (5000, 1), (8000, 40)])
def test_a_strip_of_a_picture_is_looked_at_like_any_other(size: tuple[int, int]) -> None:
    """Whatever is found there, it is not looked for in a picture of more than a megapixel."""
    strip = np.random.default_rng(0).integers(0, 256, (*size, 3), dtype=np.uint8)
    tracemalloc.start()
    try:
        corners = find_tabletop(strip)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert corners is None or corners.shape == (4, 2)
    assert most < 60e6
