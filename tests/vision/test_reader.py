"""The size of cards is learnt from sure faces, and nothing sure is ever left out by it."""

import numpy as np

from companion.table.detection import BACK, CLASSES, Detection
from companion.vision.reader import CardSize

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


def test_a_sure_face_of_another_size_stays():
    """Somebody zoomed: the cards are what they are."""
    size = CardSize()
    size.fitting(tuple(_detection(100) for _ in range(20)))
    large = _detection(250)
    assert size.fitting((large,)) == (large,)
