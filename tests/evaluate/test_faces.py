"""A pack cut out of labelled photos: whole cards, the largest of each, and what is missing by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.evaluate.__main__ import main
from companion.evaluate.faces import cut_faces, write_pack
from companion.evaluate.photos import LabelError
from companion.rules.cards import PACK_20, PACK_24, Card
from companion.synth.drawn import drawn_pack
from companion.synth.pack import Pack, load_art_pack
from companion.table.detection import CLASSES, Detection

TABLE = np.full((700, 1300, 3), (60, 110, 70), np.uint8)
NAMES = [str(card) for card in PACK_20]


@cache
def pack() -> Pack:
    """A pack, drawn for who needs it."""
    return drawn_pack(1007, height_px=280)


class Table:
    """Photos of cards that lie upright, and what a detector finds in them, which is where they lie."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.labels: list[dict[str, Any]] = []
        self.found: dict[bytes, list[Detection]] = {}

    def lay(self, name: str, places: Mapping[str, tuple[int, int, int]]) -> None:
        """Take a photo of cards, each at (x, y) of its corner and so high."""
        photo, cards, found = TABLE.copy(), [], []
        for card, (x, y, high) in places.items():
            face = pack().faces[card][..., :3]
            wide = round(high * face.shape[1] / face.shape[0])
            photo[y : y + high, x : x + wide] = cv2.resize(face, (wide, high), interpolation=cv2.INTER_AREA)
            corners = np.array([[x, y], [x + wide, y], [x + wide, y + high], [x, y + high]], np.float32)
            probs = np.full(len(CLASSES), 1e-4, np.float32)
            probs[PACK_24.index(Card.parse(card))] = 1.0 - 1e-4 * (len(CLASSES) - 1)
            found.append(Detection(corners, probs, 0.9, 0.0))
            cards.append({"card": card, "box": [x, y, wide, high], "partial": False})
        cv2.imwrite(str(self.folder / name), photo)
        self.labels.append({"path": name, "cards": cards})
        self.found[photo.tobytes()] = found
        (self.folder / "labels.json").write_text(json.dumps(self.labels), encoding="utf-8")

    def detect(self, bgr: NDArray[np.uint8], time: float = 0.0) -> tuple[Detection, ...]:
        """What lies in a photo."""
        return tuple(self.found[bgr.tobytes()])


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Two photos of ten cards each, apart from each other."""
    made = Table(tmp_path)
    for part, names in enumerate((NAMES[:10], NAMES[10:])):
        rows = {name: (20 + 250 * (at % 5), 20 + 340 * (at // 5), 280) for at, name in enumerate(names)}
        made.lay(f"ours_{part}.png", rows)
    return made


def likeness(one: NDArray[np.uint8], name: str) -> float:
    """How much a face that was cut out correlates with the one that was drawn."""
    drawn = cv2.resize(pack().faces[name][..., :3], one.shape[1::-1], interpolation=cv2.INTER_AREA)
    return float(np.corrcoef(one[..., :3].ravel(), drawn.ravel())[0, 1])


def test_the_pack_shows_what_lay_on_the_table(table: Table, tmp_path: Path) -> None:
    """Written and read as any pack is, each face under its name."""
    faces = cut_faces(table.folder, "ours", table)
    back = tmp_path / "back.jpg"
    cv2.imwrite(str(back), np.full((40, 30, 3), 200, np.uint8))
    write_pack(tmp_path / "pack", faces, back)
    pack: Pack = load_art_pack(tmp_path / "pack")

    assert sorted(pack.faces) == sorted(NAMES)
    assert min(likeness(pack.faces[name], name) for name in NAMES) > 0.9


def test_the_largest_picture_of_a_card_is_taken(table: Table) -> None:
    """A small one in another photo changes nothing, a larger one does."""
    table.lay("ours_small.png", {"KH": (20, 20, 90)})
    assert cut_faces(table.folder, "ours", table)["KH"].photo.startswith("ours_0")
    table.lay("ours_large.png", {"KH": (20, 20, 600)})
    assert cut_faces(table.folder, "ours", table)["KH"].photo == "ours_large.png"


@pytest.mark.parametrize(
    "places",
    [{"KH": (20, 20, 600), "QH": (250, 20, 600)}, {"KH": (0, 20, 600)}],
    ids=["covered", "cut by the edge"],
)
def test_what_is_not_wholly_seen_is_not_cut_out(
    table: Table, places: dict[str, tuple[int, int, int]]
) -> None:
    """However large it is."""
    table.lay("ours_large.png", places)
    assert cut_faces(table.folder, "ours", table)["KH"].photo.startswith("ours_0")


def test_missing_faces_are_named(table: Table) -> None:
    """A pack of nineteen is none."""
    with pytest.raises(LabelError, match="no whole picture of AH, TH"):
        cut_faces(table.folder, "ours_1", table)


def test_a_back_that_is_no_picture_is_named(
    tmp_path: Path, table: Table, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, and with the exit code of bad input."""
    with pytest.raises(LabelError, match=r"nothing\.png: no picture"):
        write_pack(tmp_path / "pack", {}, tmp_path / "nothing.png")
    nothing = tmp_path / "nothing.png"
    arguments = ["faces", str(tmp_path / "none"), "--source", "x", "--back", str(nothing), "--out", "z"]
    assert main(arguments) == 2
    assert capsys.readouterr().err == f"companion.evaluate: {nothing}: no such file or folder\n"


@pytest.mark.parametrize("box", ["wide", [1, 2, 3], [1, 2, 3, "4 px"]])
def test_a_box_that_is_none_is_named(table: Table, box: object) -> None:
    """With the entry that has it."""
    table.labels[1]["cards"][0]["box"] = box
    (table.folder / "labels.json").write_text(json.dumps(table.labels), encoding="utf-8")
    with pytest.raises(LabelError, match=r"labels\.json, entry 1: "):
        cut_faces(table.folder, "ours", table)


def test_a_pack_that_cannot_be_written_is_named(table: Table, tmp_path: Path) -> None:
    """A folder that is a file, and a picture whose place is taken: a pack that lacks a face is no pack."""
    back = tmp_path / "back.png"
    cv2.imwrite(str(back), np.full((40, 30, 3), 200, np.uint8))
    faces = cut_faces(table.folder, "ours", table)
    with pytest.raises(LabelError, match=r"back\.png: "):
        write_pack(back, faces, back)
    (tmp_path / "pack" / "KH.png").mkdir(parents=True)
    with pytest.raises(LabelError, match=r"KH\.png: cannot be written"):
        write_pack(tmp_path / "pack", faces, back)
