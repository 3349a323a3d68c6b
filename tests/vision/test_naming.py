"""What is told of a photo: the likely, surest first."""

from __future__ import annotations

import numpy as np

from companion.table.detection import CLASSES, Detection
from companion.vision.naming import named


def detection(name: str, confidence: float, *, x: float = 0.0, score: float = 0.9) -> Detection:
    """A card named with that confidence, its left edge at `x`."""
    probs = np.full(len(CLASSES), (1 - confidence) / (len(CLASSES) - 1), np.float32)
    probs[CLASSES.index(name)] = confidence
    corners = np.array([[0, 0], [2, 0], [2, 3], [0, 3]], np.float32)
    return Detection(corners + np.float32([x, 0]), probs, score, 0.0)


def test_what_is_more_likely_wrong_than_right_is_left_out() -> None:
    """Whatever the class; what is left, surest first."""
    seen = [detection("KH", 0.7), detection("QS", 0.49), detection("back", 0.9), detection("AD", 0.5)]

    assert [CLASSES[each.best] for each in named(seen)] == ["back", "KH", "AD"]


def test_the_bound_can_be_moved() -> None:
    """A caller that wants all gets all."""
    seen = [detection("KH", 0.3), detection("QS", 0.2)]

    assert len(named(seen, 0.0)) == 2
    assert len(named(seen, 0.25)) == 1


def test_two_outlines_of_one_card_are_one_card() -> None:
    """Outlines of one name that share a part are one card, told by the better outline."""
    seen = [detection("KH", 0.9, x=0.0, score=0.9), detection("KH", 0.95, x=1.0, score=0.5)]

    (only,) = named(seen)
    assert only is seen[0]


def test_cards_apart_or_of_other_names_are_cards_of_their_own() -> None:
    """Two packs may lie in one photo, and a card may lie on another."""
    apart = [detection("KH", 0.95), detection("KH", 0.92, x=5.0)]
    stacked = [detection("KH", 0.9), detection("QH", 0.8, x=1.0)]
    backs = [detection("back", 0.9), detection("back", 0.8, x=1.0)]

    assert len(named(apart)) == len(named(stacked)) == len(named(backs)) == 2
    assert len(named(apart, one_of_each=True)) == 1
    assert len(named(stacked, one_of_each=True)) == len(named(backs, one_of_each=True)) == 2


def test_a_second_card_of_one_name_must_be_surer() -> None:
    """In most pictures lies one pack, so it is more likely that one of the two is misread."""
    doubtful = [detection("KH", 0.95), detection("KH", 0.85, x=5.0), detection("QS", 0.85, x=10.0)]

    assert [CLASSES[each.best] for each in named(doubtful)] == ["KH", "QS"]
    assert len(named(doubtful, 0.0)) == 3
