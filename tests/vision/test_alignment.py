"""Bumped, drifting, turned, zoomed, covered: where the table lies in the picture all the while."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion.table.detection import BACK, CLASSES, Detection, Frame
from companion.vision.alignment import Aligner, Sight, laid_over
from companion.vision.constellation import moved_together
from companion.vision.landmarks import Landmarks, Match, plausible
from companion.vision.reader import Reader
from tests.vision import mishaps

SIZE = (1280, 720)
NOTHING = np.zeros((45, 80), bool)
PLACES = ((300, 200, 12), (700, 330, -35), (560, 480, 80), (930, 520, 5), (820, 180, 60))
"""Middle and turn of the cards that lie on the table."""


def outline(x: float, y: float, degrees: float) -> np.ndarray:
    """A card's corners."""
    box = np.array([[-40, -62], [40, -62], [40, 62], [-40, 62]], np.float64)
    turn = np.deg2rad(degrees)
    matrix = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    return (box @ matrix.T + (x, y)).astype(np.float32)


def table(places: tuple = PLACES, seed: int = 1, level: float = 110.0) -> np.ndarray:
    """A plain table with cards of random print on it."""
    bgr = np.full((SIZE[1], SIZE[0], 3), (0.6 * level, level, 0.5 * level), np.float32)
    for number, place in enumerate(places):
        rng = np.random.default_rng(100 * seed + number)
        card = np.full((124, 80, 3), 245, np.uint8)
        for _ in range(14):
            x, y = rng.integers(8, 72), rng.integers(8, 116)
            colour = tuple(int(each) for each in rng.integers(0, 200, 3))
            cv2.circle(card, (int(x), int(y)), int(rng.integers(3, 9)), colour, -1)
        flat = np.array([[0, 0], [80, 0], [80, 124], [0, 124]], np.float32)
        matrix = cv2.getPerspectiveTransform(flat, outline(*place))
        shape = cv2.warpPerspective(np.full((124, 80), 255, np.uint8), matrix, SIZE) > 127
        bgr[shape] = cv2.warpPerspective(card, matrix, SIZE)[shape]
    return np.asarray(bgr, np.uint8)


def seen(bgr: np.ndarray, time: float) -> np.ndarray:
    """A picture with its sensor's noise."""
    rng = np.random.default_rng(int(time * 1000))
    return np.clip(bgr + rng.normal(0, 3, bgr.shape), 0, 255).astype(np.uint8)


def through(matrix: np.ndarray, bgr: np.ndarray) -> np.ndarray:
    """A picture as a moved camera gives it."""
    return np.asarray(cv2.warpPerspective(bgr, matrix, SIZE, borderMode=cv2.BORDER_REPLICATE))


def off(to_table: np.ndarray | None, matrix: np.ndarray) -> float:
    """How far from their places the cards are put, pixels, at most."""
    back = np.eye(3) if to_table is None else to_table
    points = np.concatenate([outline(*place) for place in PLACES]).astype(np.float64)
    placed = cv2.perspectiveTransform(cv2.perspectiveTransform(points[None], matrix), back)[0]
    return float(np.hypot(*(placed - points).T).max())


def watched(pictures: list[np.ndarray], aligner: Aligner | None = None, start: float = 0.0) -> list:
    """What the aligner says of pictures, eight a second."""
    aligner = aligner or Aligner()
    return [
        aligner.update(seen(bgr, start + at / 8), start + at / 8, NOTHING) for at, bgr in enumerate(pictures)
    ]


def written(bgr: np.ndarray, second: int) -> np.ndarray:
    """A picture into which its camera writes the time and its name."""
    bgr = bgr.copy()
    for text, place in ((f"2026-11-27 20:15:{second:02d}", (20, 40)), ("IPCAM-01 Wohnzimmer", (900, 700))):
        cv2.putText(bgr, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (0, 0, 0), 5, cv2.LINE_AA)
        cv2.putText(bgr, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.0, (255, 255, 255), 2, cv2.LINE_AA)
    return bgr


@pytest.mark.parametrize("degrees", [5.0, 180.0])
def test_what_a_camera_writes_into_its_picture_does_not_hold_the_table(degrees: float) -> None:
    """Time and name rest wherever the camera goes: where the cards went counts."""
    matrix = mishaps.turned(degrees, 1.05)
    views = [table()] * 3 + [through(matrix, table())] * 5
    looks = watched([written(bgr, at) for at, bgr in enumerate(views)])
    assert all(look.sight is Sight.STEADY for look in looks[:3])
    assert looks[3].sight is Sight.BLIND
    assert looks[-1].sight is Sight.STEADY
    assert off(looks[-1].to_table, matrix) < 2.5


@pytest.mark.parametrize(
    ("degrees", "scale"), [(5, 1.1), (-5, 0.9), (0, 1.3), (25, 1.0), (180, 1.0), (172, 0.95)]
)
def test_a_camera_that_was_moved_is_placed_anew(degrees: float, scale: float) -> None:
    """Bump, zoom, turn: blind at first, then in the new place to two pixels, and steady there."""
    matrix = mishaps.turned(degrees, scale)
    looks = watched([table()] * 3 + [through(matrix, table())] * 5)
    assert [look.sight for look in looks[:3]] == [Sight.STEADY] * 3
    assert looks[3].sight is Sight.BLIND
    assert looks[4].sight is Sight.MOVED
    assert looks[-1].sight is Sight.STEADY
    assert off(looks[-1].to_table, matrix) < 2.5
    assert looks[-1].turned == (abs(degrees) > 90)


def test_a_tripod_that_gives_way_slowly_is_followed() -> None:
    """Forty pixels in ten seconds: never blind, and the cards stay in their places."""
    path = mishaps.drifting(1.0, 11.0, 40, 2)
    aligner = Aligner()
    for step in range(96):
        time = step / 8
        look = aligner.update(seen(through(path(time), table()), time), time, NOTHING)
        assert look.sight is Sight.STEADY
        assert off(look.to_table, path(time)) < 3.0


def test_a_covered_camera_is_blind_and_finds_the_table_again() -> None:
    """While something dark lies before the lens nothing is claimed; afterwards all is as it was."""
    dark = np.full((SIZE[1], SIZE[0], 3), 25, np.uint8)
    looks = watched([table()] * 2 + [dark] * 4 + [table()] * 2)
    assert [look.sight for look in looks] == [Sight.STEADY] * 2 + [Sight.BLIND] * 4 + [Sight.STEADY] * 2
    assert off(looks[-1].to_table, np.eye(3)) < 1.0


def test_a_camera_moved_while_it_was_covered_is_placed_anew() -> None:
    """What lies there still is enough."""
    matrix = mishaps.turned(8, 1.05)
    dark = np.full((SIZE[1], SIZE[0], 3), 25, np.uint8)
    looks = watched([table()] * 2 + [dark] * 4 + [through(matrix, table(PLACES[:4]))] * 3)
    assert looks[-1].sight is Sight.STEADY
    assert off(looks[-1].to_table, matrix) < 3.0


def test_a_second_lamp_moves_nothing() -> None:
    """Light that falls from one side is no motion of the camera."""
    frames = [Frame(table(), at / 8, at) for at in range(6)]
    looks = watched([frame.bgr for frame in mishaps.lit(frames, 0.3)])
    assert {look.sight for look in looks} == {Sight.STEADY}
    assert all(off(look.to_table, np.eye(3)) < 1.0 for look in looks)


def test_a_lamp_that_goes_off_moves_nothing() -> None:
    """Half of the light is left: what is darker is where it was."""
    frames = [Frame(table(), at / 8, at) for at in range(6)]
    looks = watched([frame.bgr for frame in mishaps.dimmed(frames, 0.3)])
    assert {look.sight for look in looks} == {Sight.STEADY}
    assert all(off(look.to_table, np.eye(3)) < 1.0 for look in looks)


def test_an_arm_over_half_of_the_table_moves_nothing() -> None:
    """Landmarks under it are lost, not moved."""
    pictures = []
    for reach in (0, 120, 240, 330, 330, 240, 120, 0):
        bgr = table()
        bgr[SIZE[1] - reach :, 350:1000] = (120, 150, 200)
        pictures.append(bgr)
    assert {look.sight for look in watched(pictures)} == {Sight.STEADY}


@pytest.mark.parametrize(
    ("degrees", "scale", "shift", "may"),
    [
        (180.0, 1.0, (0.0, 0.0), True),
        (180.0, 1.0, (500.0, 0.0), False),  # about a pile at the edge
        (5.0, 1.1, (60.0, -30.0), True),
        (0.0, 0.6, (0.0, 0.0), True),
        (0.0, 1.8, (0.0, 0.0), True),
    ],
)
def test_a_camera_that_was_moved_still_shows_much_of_the_table(
    degrees: float, scale: float, shift: tuple[float, float], may: bool
) -> None:
    """A turn about one of two like piles would have most of the table out of the picture."""
    turn = np.eye(3)
    turn[:2] = cv2.getRotationMatrix2D((320.0, 180.0), degrees, scale)
    turn[:2, 2] += shift

    assert plausible(turn, (640, 360)) is may


def test_cards_that_are_all_taken_away_move_nothing() -> None:
    """The table stays where it is, also a plain one without a single landmark of its own."""
    aligner = Aligner()
    looks = watched([table()] * 2 + [table(())] * 12, aligner)
    looks += watched([table(PLACES[:2], seed=2)] * 10, aligner, 2.0)
    assert Sight.MOVED not in {look.sight for look in looks}
    assert [look.sight for look in looks].count(Sight.BLIND) <= 1
    assert looks[-1].to_table is None


@pytest.mark.parametrize("truly", [True, False])
def test_landmarks_alone_turn_no_camera(truly: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a pile and of a king say that it was turned about them; the rest of the picture must agree."""
    turn = np.float64([[-1, 0, 650], [0, -1, 350], [0, 0, 1]])  # of the picture that is half as wide
    grow = np.diag([2.0, 2.0, 1.0])
    monkeypatch.setattr(Landmarks, "followed", lambda *_, **__: Match(None, 0.0, 0.0))
    monkeypatch.setattr(Landmarks, "matched", lambda *_: Match(turn, 0.8, 0.0))
    monkeypatch.setattr(Landmarks, "alike", lambda *_: 0.8)
    after = through(grow @ turn @ np.linalg.inv(grow), table()) if truly else table()

    assert any(look.turned for look in watched([table()] * 2 + [after] * 4)) is truly


def test_a_bare_plain_table_is_never_blind() -> None:
    """Where nothing lies there is nothing to be lost, and noise is no landmark."""
    assert {look.sight for look in watched([table(())] * 8)} == {Sight.STEADY}


def test_a_bare_table_turned_round_is_known_by_its_light() -> None:
    """Between two hands nothing lies there; the window at one side is at the other now."""
    fall = np.linspace(18, -18, SIZE[0])[None, :, None]
    bare = np.clip(table(()) + fall, 0, 255).astype(np.uint8)
    looks = watched([bare] * 3 + [np.ascontiguousarray(bare[::-1, ::-1])] * 4)
    assert looks[2].to_table is None
    assert Sight.MOVED in [look.sight for look in looks[3:]]
    assert looks[-1].sight is Sight.STEADY
    assert looks[-1].turned
    assert off(looks[-1].to_table, mishaps.turned(180)) < 3.0


class CardsThere:
    """Finds the cards where they truly are, in a camera that goes its way."""

    def __init__(self, path: mishaps.Path, places: tuple = PLACES) -> None:
        self.path, self.places = path, places

    def detect(self, bgr: np.ndarray, time: float = 0.0) -> tuple[Detection, ...]:
        """The cards, by the way of the camera."""
        found = []
        for number, place in enumerate(self.places):
            corners = cv2.perspectiveTransform(outline(*place)[None].astype(np.float64), self.path(time))[0]
            found.append(card(number, corners.astype(np.float32), time))
        return tuple(found)


def card(number: int, corners: np.ndarray, time: float = 0.0) -> Detection:
    """Card number `number` of the pack; `BACK`, too."""
    probs = np.full(len(CLASSES), 0.02 / (len(CLASSES) - 1), np.float32)
    probs[number] = 0.98
    return Detection(corners, probs, 0.9, time)


def test_readings_give_the_places_on_the_table_while_the_camera_is_turned() -> None:
    """Cards keep their places; meanwhile the reading is blind, without cards, and all may move."""
    path = mishaps.moved(1.0, 180, lasts=0.6)
    reader = Reader(CardsThere(path))
    frames = [Frame(seen(table(), at / 8), at / 8, at) for at in range(30)]
    readings = [reader.read(frame) for frame in mishaps.filmed(frames, path)]
    blind = [reading for reading in readings if reading.blind]
    assert 0.3 < blind[-1].time - blind[0].time < 1.2
    assert all(not reading.detections and reading.motion.moved.all() for reading in blind)
    for reading in readings:
        for number, found in enumerate(reading.detections):
            assert np.abs(found.corners - outline(*PLACES[number])).max() < 4.0
    assert len(readings[-1].detections) == len(PLACES)


def test_what_a_moved_camera_does_not_show_may_move_and_disturbs_no_quiet() -> None:
    """After a zoom the table's edges are out of the picture: nobody sees what happens there."""
    path = mishaps.moved(0.5, 0, 1.3, lasts=0.1)
    reader = Reader(CardsThere(path))
    frames = [Frame(seen(table(), at / 8), at / 8, at) for at in range(30)]
    motion = [reader.read(frame) for frame in mishaps.filmed(frames, path)][-1].motion
    assert motion.quiet
    assert motion.moved[0].all()
    assert motion.moved[:, -1].all()
    assert not motion.moved[10:35, 20:60].any()


def test_a_single_frame_that_shows_nothing_is_passed_over() -> None:
    """A flash, a broken frame: the cards of the frame before still hold, and nobody is blind."""
    reader = Reader(CardsThere(lambda time: np.eye(3)))
    dark = np.full((SIZE[1], SIZE[0], 3), 20, np.uint8)
    readings = [
        reader.read(Frame(seen(dark if at == 6 else table(), at / 8), at / 8, at)) for at in range(12)
    ]
    assert not any(reading.blind for reading in readings)
    assert not readings[6].fresh
    assert all(len(reading.detections) == len(PLACES) for reading in readings)


def test_an_arm_stays_that_of_its_player_when_the_picture_is_turned_round() -> None:
    """South reaches in over the picture's upper edge then."""
    path = mishaps.moved(0.5, 180, lasts=0.1)
    reader = Reader(CardsThere(path))
    arms = []
    for at in range(36):
        bgr = table()
        if at >= 28:
            bgr[SIZE[1] - 40 * (at - 27) :, 500:600] = (120, 150, 200)
        (frame,) = mishaps.filmed([Frame(seen(bgr, at / 8), at / 8, at)], path)
        motion = reader.read(frame).motion
        arms.append((motion.south, motion.north))
    assert max(south for south, _ in arms[29:]) > 0.05
    assert max(north for _, north in arms[29:]) == 0


def test_where_no_landmark_is_left_the_cards_tell_where_the_camera_stands() -> None:
    """The same cards in a picture that looks like another table: placed by their names."""
    path = mishaps.moved(0.5, 160, lasts=0.1)
    reader = Reader(CardsThere(path))
    readings = []
    for at in range(48):
        time = at / 8
        bgr = table() if time < 0.6 else through(path(time), table(seed=7, level=190))
        readings.append(reader.read(Frame(seen(bgr, time), time, at)))
    assert readings[10].blind
    assert not readings[-1].blind
    for number, found in enumerate(readings[-1].detections):
        assert np.abs(found.corners - outline(*PLACES[number])).max() < 4.0


def test_cards_that_moved_together_say_how() -> None:
    """Turned, zoomed and shifted, with one card more and one misread."""
    matrix = mishaps.turned(170, 0.9, (30, -20))
    before = [card(number, outline(*place)) for number, place in enumerate(PLACES)]
    now = list(CardsThere(lambda time: matrix).detect(np.zeros(0)))[:4]
    now += [card(BACK, outline(100, 100, 0)), card(20, outline(1100, 600, 0))]
    way = moved_together(before, now)
    assert way is not None
    assert off(way, matrix) < 1.0


@pytest.mark.parametrize("apart", [20, 60, 110])
def test_two_cards_that_lie_close_together_misplace_nothing_else(apart: int) -> None:
    """What their corners are wrong by is no perspective; a back tells which of two cards' ends is which."""
    matrix, rng = mishaps.turned(170, 0.9, (30, -20)), np.random.default_rng(apart)
    lay = [outline(620, 350, 10), outline(620 + apart, 350, -15), outline(1000, 360, 3)]
    before = [card(name, corners) for name, corners in zip((3, 7, BACK), lay, strict=True)]
    now = []
    for each in before:
        seen_at = cv2.perspectiveTransform(each.corners[None].astype(np.float64), matrix)[0]
        now.append(card(each.best, (seen_at + rng.normal(0, 1.5, (4, 2))).astype(np.float32)))
    way = moved_together(before, now)
    assert way is not None
    assert off(way, matrix) < 6.0


def test_cards_far_apart_agree_though_the_table_is_seen_aslant() -> None:
    """From the other side they are foreshortened the other way: no turn and scale leads there."""
    before = cv2.getPerspectiveTransform(
        np.array([[0, 0], [1280, 0], [1280, 720], [0, 720]], np.float32),
        np.array([[119, 64], [1161, 64], [1346, 702], [-66, 702]], np.float32),
    )
    after = before @ mishaps.turned(180)
    places = ((250, 150, 12), (1050, 580, 5), (300, 560, 60))
    lay, seen_at = (
        [
            card(number, cv2.perspectiveTransform(outline(*place)[None].astype(np.float64), view)[0])
            for number, place in enumerate(places)
        ]
        for view in (before, after)
    )
    way = moved_together(lay, seen_at)
    assert way is not None
    for one, other in zip(seen_at, lay, strict=True):
        placed = cv2.perspectiveTransform(one.corners[None], way)[0]
        assert np.abs(placed - other.corners).max() < 1.0


def test_two_cards_on_each_other_do_not_tell_which_way_round() -> None:
    """Turned about the place where they lie they look the same: nothing is told for certain."""
    before = [card(3, outline(620, 350, 10)), card(7, outline(632, 350, -15))]
    now = [card(3, outline(620, 350, 190)), card(7, outline(632, 350, 165))]
    assert moved_together(before, now) is None


def test_one_card_or_none_say_nothing() -> None:
    """A single card may have been turned or moved by a hand; backs have no names."""
    one = [card(0, outline(*PLACES[0])), card(BACK, outline(*PLACES[1]))]
    assert moved_together(one, [card(0, outline(500, 500, 10)), card(BACK, outline(*PLACES[1]))]) is None
    assert moved_together([], one) is None


def boards(lying: int = 0) -> np.ndarray:
    """A table of boards that look alike on a plain floor, with so many cards on it."""
    bgr = np.full((SIZE[1], SIZE[0], 3), (150, 175, 190), np.uint8)
    rng = np.random.default_rng(5)
    for left in range(200, 1000, 80):
        bgr[90:640, left : left + 80] = np.array([50, 60, 100]) + rng.integers(-4, 5)
        bgr[90:640, left : left + 4] = (20, 25, 40)
        for _ in range(3):  # knots
            x, y = left + int(rng.integers(15, 65)), int(rng.integers(110, 620))
            cv2.circle(bgr, (x, y), int(rng.integers(3, 8)), (25, 30, 60), -1)
    laid = table(PLACES[:lying])
    shows = np.abs(laid.astype(int) - laid[0, 0]).max(axis=2) > 20
    bgr[shows] = laid[shows]
    return bgr


@pytest.mark.parametrize(
    ("degrees", "scale", "dark"), [(0, 1.0, 0.6), (4, 1.05, 1.0), (-6, 0.9, 0.8), (180, 1.0, 1.0)]
)
def test_a_table_of_another_evening_is_found_by_the_picture_that_was_kept(
    degrees: float, scale: float, dark: float
) -> None:
    """Another place, another lamp, other cards: the corners are where they belong, to a few pixels."""
    matrix = mishaps.turned(degrees, scale)
    now = seen(through(matrix, (boards(lying=4) * dark).astype(np.uint8)), 1.0)
    small = cv2.resize(seen(boards(lying=2), 0.0), (720, 405), interpolation=cv2.INTER_AREA)
    over = laid_over(np.asarray(small, np.uint8), now)
    assert over is not None
    corners = np.array([[[200, 90], [1000, 90], [1000, 640], [200, 640]]], np.float64)
    placed = cv2.perspectiveTransform(corners / SIZE, over) * SIZE
    assert np.abs(placed - cv2.perspectiveTransform(corners, matrix)).max() < 4


@pytest.mark.parametrize("size", [(848, 480), (1366, 768), (640, 480), (1920, 1080), (480, 640)])
def test_the_table_is_found_in_pictures_of_any_size(size: tuple[int, int]) -> None:
    """What is kept of it is small, and rounded."""
    now = cv2.resize(boards(lying=3), size, interpolation=cv2.INTER_AREA)
    kept = cv2.resize(
        now, None, fx=min(1, 720 / size[0]), fy=min(1, 720 / size[0]), interpolation=cv2.INTER_AREA
    )
    over = laid_over(np.asarray(kept, np.uint8), seen(now, 1.0))
    assert over is not None
    assert np.allclose(over, np.eye(3))


def test_a_board_is_not_taken_for_the_next() -> None:
    """Pushed by most of a board, the camera is placed where it is, not where the boards look alike, too."""
    push = np.array([[1.0, 0.0, 58.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    looks = watched([boards(lying=3)] * 2 + [through(push, boards(lying=3))] * 3)
    assert looks[-1].sight is Sight.STEADY
    assert off(looks[-1].to_table, push) < 2.5


def test_another_table_is_not_found() -> None:
    """Nothing connects a green cloth with a table of boards, nor a plain table with itself pushed aside."""
    assert laid_over(boards(), seen(table(), 1.0)) is None
    assert laid_over(boards(), seen(table(), 1.0)[:, :900]) is None
    plain = np.full((SIZE[1], SIZE[0], 3), 200, np.uint8)
    plain[100:600, 200:900] = (60, 110, 40)
    assert laid_over(plain, seen(plain, 1.0)) is not None
    assert laid_over(plain, seen(np.roll(plain, 150, axis=1), 1.0)) is None
