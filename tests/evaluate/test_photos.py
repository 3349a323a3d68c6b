"""Labels of photos: what may be written for a card and for a condition, and what is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from companion.evaluate.__main__ import main
from companion.evaluate.faces import cut_faces
from companion.evaluate.photos import LabelError, Photo, judged, read_labels
from companion.evaluate.tally import Verdict, tallied
from companion.table.detection import CLASSES, Detection
from companion.vision.still import jpeg


def _labelled(folder: Path, *cards: object, **more: object) -> dict[str, Any]:
    """Write the labels of two photos, the second with these cards; returns its entry."""
    entry = {"path": "b.jpg", "cards": [{"card": card} for card in cards], **more}
    labels = [{"path": "a.jpg", "cards": []}, entry]
    (folder / "labels.json").write_text(json.dumps(labels), encoding="utf-8")
    return entry


def _read(folder: Path) -> Photo:
    """The second photo."""
    return read_labels(folder)[1]


@pytest.mark.parametrize(
    ("label", "card"),
    [
        ("TH", "TH"),
        ("10H", "TH"),
        ("10♥", "TH"),
        ("kh", "KH"),
        (" Qs ", "QS"),
        ("ace of clubs", "AC"),
        ("Ober_H", "QH"),
        ("unter diamonds", "JD"),
        ("9S", "9S"),
    ],
)
def test_a_card_may_be_written_in_several_ways(label: str, card: str, tmp_path: Path) -> None:
    """It counts as the card that it is, so that what is read there is right."""
    _labelled(tmp_path, label)
    assert _read(tmp_path).cards == (card,)


def test_other_ranks_do_not_count(tmp_path: Path) -> None:
    """A seven is a card, but not of the pack; with its rank asked for it counts. A joker has no suit."""
    _labelled(tmp_path, "7D", "2c", "joker", "back", "AH")
    assert _read(tmp_path).cards == ("AH",)
    assert read_labels(tmp_path, "7")[1].cards == ("7D",)


class _Sees:
    """Finds the same cards in every picture."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def detect(self, bgr: NDArray[np.uint8], time: float = 0.0) -> tuple[Detection, ...]:
        """Side by side."""
        return tuple(_card(name, 150.0 * place, time) for place, name in enumerate(self.names))


def _card(name: str, x: float, time: float) -> Detection:
    probs = np.zeros(len(CLASSES), np.float32)
    probs[CLASSES.index(name)] = 1
    corners = np.array([[x, 0], [x + 100, 0], [x + 100, 150], [x, 150]], np.float32)
    return Detection(corners, probs, 0.9, time)


def test_a_card_hardly_in_sight_may_be_told_or_not(tmp_path: Path) -> None:
    """Once: it is neither missed nor wrong, a second of its name is."""
    _labelled(tmp_path, "AH", hidden=["KD", "joker"])
    for name in ("a.jpg", "b.jpg"):
        (tmp_path / name).write_bytes(jpeg(np.zeros((64, 64, 3), np.uint8)))
    photos = read_labels(tmp_path)[1:]

    exact = {
        names: [verdict.exact for verdict in judged(photos, _Sees(*names))]  # type: ignore[arg-type]
        for names in [("AH",), ("AH", "KD"), ("AH", "KD", "KD"), ("KD",), ("AH", "QC")]
    }
    assert exact == {
        ("AH",): [True],
        ("AH", "KD"): [True],
        ("AH", "KD", "KD"): [False],
        ("KD",): [False],
        ("AH", "QC"): [False],
    }


def test_how_surely_cards_are_told_is_measured() -> None:
    """Three of four names told with .9 are right: .15 too sure. Of a few names nothing is said."""
    told = Verdict("a.jpg", ("KH", "QS", "AD"), ("AD", "JC", "KH", "QS"), sure=(0.9,) * 4)
    (tally,) = tallied([told] * 30)
    assert tally.calibration_error == pytest.approx(0.15)
    assert tallied([told] * 2)[0].calibration_error is None
    assert tallied([Verdict("a.jpg", ("KH",), ("KH",))] * 200)[0].calibration_error is None


@pytest.mark.parametrize("label", ["", " ", "Jokers", "K", "11H", "KX", "H10", "ace of the clubs", None, 7])
def test_what_names_no_card_is_refused(
    label: object, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the entry and the text, in one line."""
    _labelled(tmp_path, "AH", label)
    assert main(["photos", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert f"labels.json, entry 1: {label!r} is no card" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("conditions", "groups"),
    [
        ("overlap", ("condition:overlap",)),
        (["dark", "small"], ("condition:dark", "condition:small")),
        ({"light": "lamp"}, ("condition:light=lamp",)),
        (None, ()),
    ],
)
def test_conditions_may_be_one_text_a_list_or_names_with_values(
    conditions: object, groups: tuple[str, ...], tmp_path: Path
) -> None:
    """Each is one group, whatever its letters are."""
    _labelled(tmp_path, conditions=conditions)
    assert _read(tmp_path).groups == groups


def test_conditions_of_another_kind_are_refused(tmp_path: Path) -> None:
    """With the entry that has them."""
    _labelled(tmp_path, conditions=7)
    with pytest.raises(LabelError, match=r"labels\.json, entry 1: conditions 7 "):
        read_labels(tmp_path)


def test_an_entry_that_says_so_is_left_out(tmp_path: Path) -> None:
    """Whatever else it has: no photo is read of it, and no face cut out."""
    _labelled(tmp_path, "Jokers", skip=True)
    assert [photo.name for photo in read_labels(tmp_path)] == ["a.jpg"]
    with pytest.raises(LabelError, match="no whole picture"):
        cut_faces(tmp_path, "b.jpg", None)  # type: ignore[arg-type]


def test_an_entry_that_is_no_photo_is_refused(tmp_path: Path) -> None:
    """With its number."""
    (tmp_path / "labels.json").write_text('["a.jpg"]', encoding="utf-8")
    with pytest.raises(LabelError, match=r"labels\.json, entry 0: "):
        read_labels(tmp_path)


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--threads", "0"),
        ("--threads", "many"),
        ("--confidence", "nan"),
        ("--confidence", "2"),
        ("--ranks", ""),
    ],
)
def test_an_option_that_cannot_be_used_is_named(
    option: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, before labels are read."""
    with pytest.raises(SystemExit, match="2"):
        main(["photos", str(tmp_path), f"{option}={value}"])
    told = capsys.readouterr().err
    assert f"companion.evaluate photos: argument {option}: {value!r} is no" in told
    assert told.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ('[{"path": "a\\u0000.jpg", "cards": []}]', "entry 0: path 'a\\x00.jpg' names no file"),
        ('[{"skip": true}]', "every photo is to be skipped"),
        ('[{"cards": []}]', "entry 0: 'path' is missing"),
        (None, "No such file"),
    ],
)
def test_labels_that_cannot_be_used_are_named(
    text: str | None, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By their file and what is wrong, in one line."""
    if text is not None:
        (tmp_path / "labels.json").write_text(text)
    assert main(["photos", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"companion.evaluate: {tmp_path / 'labels.json'}")
    assert said in told
    assert told.count("\n") == 1
