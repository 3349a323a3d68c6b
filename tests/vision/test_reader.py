"""What is looked at; and the size of cards: learnt from sure faces, and none of these is left out by it."""

import numpy as np
import pytest

from companion.table.detection import BACK, CLASSES, Detection, Frame
from companion.vision.reader import CardSize, Reader, _is_dark

KING = 3


def _detection(height: float, best: int = KING, confidence: float = 0.97, score: float = 0.7) -> Detection:
    probs = np.full(len(CLASSES), (1 - confidence) / (len(CLASSES) - 1), np.float32)
    probs[best] = confidence
    width = height / 1.5
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return Detection(corners, probs, score, 0.0)


def test_what_has_not_a_cards_size_is_left_out():
    """A coin or the far wall is no card."""
    size = CardSize()
    card, coin, wall = _detection(100), _detection(30, BACK), _detection(400, BACK)
    assert size.fitting((card, coin, wall)) == (card,)


def test_backs_do_not_teach_the_size():
    """Planks of a table taken for backs must not make the real cards look too small."""
    size = CardSize()
    planks = tuple(_detection(300, BACK, 0.99, 0.7) for _ in range(50))
    for _ in range(5):
        size.fitting(planks)
    doubtful = _detection(100, confidence=0.5)
    assert doubtful in size.fitting((*planks, doubtful))


def test_a_coin_that_reads_like_an_ace_is_left_out_once_backs_lie_there():
    """A two-euro piece was an ace with .99, in an outline of little heat, before any face was known."""
    size = CardSize()
    coin, back, face = (
        _detection(36, confidence=0.99, score=0.34),
        _detection(100, BACK),
        _detection(95, score=0.4),
    )
    assert size.fitting((coin,)) == (coin,)
    for _ in range(20):
        size.fitting((back,))
    assert size.fitting((back, coin, face)) == (back, face)


def test_a_sure_face_of_another_size_stays():
    """Somebody zoomed: the cards are what they are."""
    size = CardSize()
    size.fitting(tuple(_detection(100) for _ in range(20)))
    large = _detection(250)
    assert size.fitting((large,)) == (large,)


def test_the_picture_of_a_card_on_a_phone_is_left_out_once_cards_are_known():
    """It is as sure as a card, and far smaller; also where it was seen for long before any card was."""
    size = CardSize()
    pictured, card = _detection(44), _detection(100)
    for _ in range(150):
        size.fitting((pictured,))
    for _ in range(20):
        size.fitting((pictured, card))
    assert size.fitting((pictured, card)) == (card,)


def test_a_card_at_the_far_edge_of_a_steep_table_is_no_picture_of_one():
    """Seen from 50 degrees, it has half of the size of one that lies near."""
    size = CardSize()
    near, middle, far = _detection(140), _detection(100), _detection(74)
    for _ in range(50):
        size.fitting((near, middle, far))
    assert size.fitting((near, middle, far)) == (near, middle, far)


def test_that_something_is_too_small_for_a_card_is_known_once_faces_are():
    """Before, letters that are surely read as faces teach a size of their own; later the table's cards do."""
    size = CardSize()
    letter, card = _detection(30), _detection(100)
    size.fitting((letter,) * 9)
    assert size.least == 0.0
    size.fitting((letter,) * 50)
    assert size.least < 30 / np.sqrt(1.5)
    for _ in range(20):
        size.fitting((letter, card))
    assert 30 / np.sqrt(1.5) < size.least < 60 / np.sqrt(1.5)


class _Nothing:
    """A detector that finds nothing, and counts how often it looked."""

    def __init__(self) -> None:
        self.looks = 0

    def detect(self, bgr: np.ndarray, time: float = 0.0) -> tuple[Detection, ...]:
        self.looks += 1
        return ()


def _cloth(step: int, seed: int | None) -> Frame:
    """A cloth over which a hand goes from step 0 on, ten frames a second, with sensor noise or without."""
    bgr = np.full((360, 640, 3), 90, np.uint8)
    bgr[:, 40 * max(0, step) : 40 * max(0, step) + 80] = 200
    noise = 0 if seed is None else np.random.default_rng(seed).integers(0, 6, bgr.shape)
    return Frame((bgr + noise).astype(np.uint8), 0.1 * step, step)


def test_a_camera_that_stalls_while_something_moves_has_not_looked():
    """Its picture is not read again, and after a while anything may have moved in it; then all goes on."""
    detector = _Nothing()
    reader = Reader(detector)
    for step in range(-15, 4):
        reader.read(_cloth(step, 15 + step))
    looks = detector.looks
    held = _cloth(3, 18)
    stalled = [reader.read(Frame(held.bgr, 0.1 * step, step)) for step in range(4, 10)]
    assert not any(reading.fresh for reading in stalled)
    assert not stalled[0].motion.moved.all()
    assert stalled[-1].motion.moved.all()
    assert detector.looks == looks
    assert reader.read(_cloth(10, 25)).fresh


@pytest.mark.parametrize("moving", [True, False])
def test_a_camera_that_stalls_for_more_than_a_second_shows_nothing_of_the_table(moving: bool):
    """Also where it began when nothing moved: cards may have been played. Then anything may have moved."""
    reader = Reader(_Nothing())
    for step in range(-15, 4 if moving else 0):
        reader.read(_cloth(step, 15 + step))
    held = _cloth(3 if moving else -1, 18)
    reader.read(held)
    stalled = [reader.read(Frame(held.bgr, held.time + 0.1 * step, step)) for step in range(1, 30)]
    assert [reading.blind for reading in stalled] == [step >= 10 for step in range(1, 30)]
    after = reader.read(_cloth(held.index + 30, 99))
    assert after.fresh
    assert not after.blind
    assert after.motion.moved.all()


def test_a_camera_that_seldom_gives_another_picture_does_not_stall():
    """A film that is much compressed: the picture of a still table comes again for seconds, often."""
    reader = Reader(_Nothing())
    readings = [reader.read(Frame(_cloth(0, step // 40).bgr, 0.1 * step, step)) for step in range(800)]
    assert not any(reading.blind for reading in readings)


def test_the_same_picture_of_a_still_table_is_no_stall():
    """A film that stands still, frame for frame the same, shows that nothing has moved."""
    reader = Reader(_Nothing())
    readings = [reader.read(Frame(_cloth(0, 0).bgr, 0.1 * step, step)) for step in range(10)]
    assert not any(reading.motion.moved.any() for reading in readings)


def test_a_film_without_noise_is_read_once_nothing_moves_any_more():
    """Its last moving picture comes again and again, and shows where everything came to lie."""
    detector = _Nothing()
    reader = Reader(detector)
    for step in range(-15, 4):
        reader.read(_cloth(step, None))
    rested = _cloth(3, None)
    readings = [reader.read(Frame(rested.bgr, 0.1 * step, step)) for step in range(4, 14)]
    assert readings[0].fresh
    assert not readings[0].motion.moved.any()
    assert not readings[-1].motion.moved.any()


def test_a_camera_that_writes_every_frame_into_one_place_has_looked():
    """What counts is what the picture shows, not where it is kept."""
    detector = _Nothing()
    reader = Reader(detector)
    place = np.empty((360, 640, 3), np.uint8)
    for step in range(8):
        place[:] = _cloth(step, step).bgr
        assert reader.read(Frame(place, 0.1 * step, step)).fresh
    assert detector.looks == 8


def test_once_the_light_is_out_the_table_is_out_of_sight():
    """A dim lamp is enough to look by; where paper is not brighter than the night, nothing is seen."""
    rng = np.random.default_rng(3)
    lit = rng.integers(60, 200, (240, 320, 3)).astype(np.float32)
    lit[40:120, 40:90] = 240.0
    reader, blind = Reader(_Nothing()), []
    for number, light in enumerate([*[1.0] * 6, *[0.2] * 6, *[0.05] * 10, *[1.0] * 6]):
        noisy = np.clip(lit * light + rng.normal(0, 2, lit.shape), 0, 255).astype(np.uint8)
        blind.append(reader.read(Frame(noisy, number / 5, number)).blind)

    assert not any(blind[:12])
    assert all(blind[18:22])
    assert not blind[-1]


@pytest.mark.parametrize("bright", range(12))
def test_the_light_is_out_where_hardly_a_pixel_is_bright(bright: int):
    """The verdict is that of the 99.8th percentile of what every eighth pixel shows, looked up or not."""
    picture = np.full((8 * 50, 8 * 80, 3), 20, np.uint8)
    for at in range(bright):
        picture[8 * at, 8 * at, at % 3] = 200
    percentile = float(np.percentile(picture[::8, ::8].max(axis=2), 99.8))
    assert _is_dark(picture) is (percentile < 30)
