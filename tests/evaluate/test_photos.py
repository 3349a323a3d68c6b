"""Labels of photos: what may be written for a card and for a condition, and what is refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.evaluate.__main__ import main
from companion.evaluate.faces import cut_faces
from companion.evaluate.photos import LabelError, Photo, read_labels


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
