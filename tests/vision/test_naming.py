"""What is told of a photo: the likely, surest first."""

from __future__ import annotations

import numpy as np

from companion.table.detection import CLASSES, Detection
from companion.vision.naming import named


def detection(name: str, confidence: float) -> Detection:
    """A card named with that confidence."""
    probs = np.full(len(CLASSES), (1 - confidence) / (len(CLASSES) - 1), np.float32)
    probs[CLASSES.index(name)] = confidence
    corners = np.array([[0, 0], [2, 0], [2, 3], [0, 3]], np.float32)
    return Detection(corners, probs, 0.9, 0.0)


def test_what_is_more_likely_wrong_than_right_is_left_out() -> None:
    """At least one half, whatever the class; surest first."""
    seen = [detection("KH", 0.6), detection("QS", 0.49), detection("back", 0.9), detection("AD", 0.5)]

    assert [CLASSES[each.best] for each in named(seen)] == ["back", "KH", "AD"]


def test_the_bound_can_be_moved() -> None:
    """A caller that wants all gets all."""
    seen = [detection("KH", 0.3), detection("QS", 0.2)]

    assert len(named(seen, 0.0)) == 2
    assert len(named(seen, 0.25)) == 1
