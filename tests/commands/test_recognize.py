"""Photos on the command line: what was found can be looked at."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from shown_cards import Desk

from companion.cli import main
from companion.synth.drawn import drawn_pack


def test_what_was_found_is_drawn_into_a_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """The copy differs from the photo along the outline told; the photo stays as it was."""
    pack = drawn_pack(1003)
    photo = tmp_path / "photo.png"
    cv2.imwrite(str(photo), Desk(3).photo(pack.faces["KH"], size_mm=pack.size_mm))
    before = photo.read_bytes()

    assert main(["recognize", str(photo), "--json", "--draw", str(tmp_path / "drawn")]) == 0

    (card,) = json.loads(capsys.readouterr().out)["cards"]
    (copy,) = (tmp_path / "drawn").iterdir()
    drawn, plain = cv2.imread(str(copy)), cv2.imread(str(photo))
    changed = np.abs(drawn.astype(int) - plain).max(axis=2) > 60
    corners = np.array(card["corners"])
    middles = ((corners + np.roll(corners, -1, axis=0)) / 2).round().astype(int)
    assert all(changed[y - 2 : y + 3, x - 2 : x + 3].any() for x, y in middles)
    assert photo.read_bytes() == before


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """One line with the path, status 2; what the photo shows is told all the same."""
    photo, folder = tmp_path / "photo.png", tmp_path / "taken"
    cv2.imwrite(str(photo), Desk(3).photo())
    folder.write_text("a file", encoding="utf-8")

    assert main(["recognize", str(photo), "--draw", str(folder)]) == 2

    out, err = capsys.readouterr()
    assert str(folder) in err
    assert out == f"{photo}: no card\n"


def test_a_photo_of_a_folder_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Telephones take HEIC pictures; beside others they are not passed over in silence."""
    cv2.imwrite(str(tmp_path / "1.jpg"), Desk(3).photo())
    (tmp_path / "2.HEIC").write_bytes(b"\0\0\0\x18ftypheic" + bytes(40))

    assert main(["recognize", str(tmp_path), "--json"]) == 2

    out, err = capsys.readouterr()
    assert json.loads(out)["image"] == str(tmp_path / "1.jpg")
    assert "2.HEIC: HEIC pictures cannot be read" in err


@pytest.mark.parametrize("share", ["7", "-5", "nan", "much"])
def test_a_confidence_is_a_share(share: str, capsys: pytest.CaptureFixture[str]):
    """From 0 to 1; anything else would leave out every card or none without a word."""
    with pytest.raises(SystemExit) as end:
        main(["recognize", "photo.png", "--confidence", share])
    assert end.value.code == 2
    assert f"'{share}' is no number from 0 to 1" in capsys.readouterr().err


def test_an_empty_name_is_not_the_folder_one_is_in(capsys: pytest.CaptureFixture[str]) -> None:
    """As where a variable of a script is empty."""
    with pytest.raises(SystemExit, match="2"):
        main(["recognize", ""])
    assert "argument PATH: '' names no picture and no folder" in capsys.readouterr().err
