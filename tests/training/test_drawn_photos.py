"""Drawn photos are labelled as a person would label them, in the form that the evaluation reads."""

import json
from pathlib import Path

import numpy as np

from companion.evaluate.photos import read_labels
from companion.synth.scene import CardTruth
from companion.table.detection import BACK, CLASSES, UNKNOWN
from companion.training.drawn_photos import labels
from companion.training.tables import Sample


def _lies(mark: int, x: float, *, visible: float = 1.0, index: float = 1.0) -> CardTruth:
    corners = np.array([[x, 50], [x + 100, 50], [x + 100, 200], [x, 200]], np.float32)
    return CardTruth(CLASSES[mark], corners, visible, mark, corners.mean(axis=0), (index, 0.0))


def test_what_a_person_could_name_is_labelled(tmp_path: Path) -> None:
    """Whole cards, covered ones, strips with an index; no backs, no strangers, nothing out of the picture."""
    truth = [
        _lies(0, 100),
        _lies(1, 250, visible=0.4, index=0.0),
        _lies(2, 400, visible=0.1),
        _lies(3, 400, visible=0.1, index=0.5),
        _lies(4, 1000),
        _lies(BACK, 550),
        _lies(UNKNOWN, 700),
    ]
    sample = Sample(np.zeros((640, 960, 3), np.uint8), truth, [])
    entry = labels(sample, "a.jpg", "some pack")
    (tmp_path / "labels.json").write_text(json.dumps([entry]), encoding="utf-8")
    (photo,) = read_labels(tmp_path)

    assert photo.cards == tuple(sorted(CLASSES[:3]))
    assert photo.hidden == tuple(sorted(CLASSES[3:5]))
    assert [card["partial"] for card in entry["cards"]] == [False, True, True]
    assert photo.groups == ("condition:covered", "condition:strip", "deck:some pack")
