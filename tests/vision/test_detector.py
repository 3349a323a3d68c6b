"""One card, one outline: what lies inside another outline is no second card."""

import numpy as np

from companion.table.detection import CLASSES, Detection
from companion.vision.detector import _unnested


def _detection(x: float, y: float, height: float, confidence: float = 0.9, score: float = 0.7) -> Detection:
    probs = np.full(len(CLASSES), (1 - confidence) / (len(CLASSES) - 1), np.float32)
    probs[0] = confidence
    width = height / 1.5
    corners = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return Detection(corners, probs, score, 0.0)


def test_a_part_of_a_card_is_no_card():
    """The large sign of an ace looks like a small card."""
    card, part = _detection(0, 0, 300), _detection(50, 50, 90, score=0.5)
    assert _unnested([card, part]) == [card]


def test_two_sure_cards_beat_one_outline_around_them():
    """The same rule the other way round."""
    one, two, both = _detection(0, 0, 100), _detection(75, 0, 100), _detection(-20, -20, 260, 0.4, 0.3)
    assert _unnested([both, one, two]) == [one, two]


def test_a_card_on_another_stays():
    """Cards are of one size: one that lies on another never lies inside its outline."""
    below, above = _detection(0, 0, 150), _detection(10, 20, 140)
    assert len(_unnested([below, above])) == 2
