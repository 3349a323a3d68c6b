"""`companion deck`: photos or a film of a pack in, a pack that is read out; what is wrong is named."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import cv2
import pytest
from shown_cards import RATE, Desk

from companion.cli import main
from companion.rules.cards import PACK_24
from companion.synth.german import german_pack

TWENTY = [str(card) for card in PACK_24 if str(card)[0] != "9"]


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A photo of each of twenty cards, and one that is named by no card."""
    folder = tmp_path_factory.mktemp("photos")
    pack, desk = german_pack(1000, height_px=300), Desk(3)
    for card in TWENTY:
        cv2.imwrite(str(folder / f"{card}.jpg"), desk.photo(pack.faces[card], size_mm=pack.size_mm))
    cv2.imwrite(str(folder / "table.jpg"), desk.photo())
    return folder


@pytest.fixture(scope="module")
def data(photos: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder in which the pack is enrolled."""
    folder = tmp_path_factory.mktemp("data")
    assert main(["deck", "enrol", "tell", str(photos), "--data", str(folder)]) == 0
    return folder


def test_an_enrolled_pack_is_read_by_recognize(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Other photos of it than those it was learnt from."""
    pack, desk = german_pack(1000, height_px=300), Desk(11)
    for card in ("QS", "JS", "TC", "AD"):
        cv2.imwrite(str(tmp_path / f"{card}.jpg"), desk.photo(pack.faces[card], size_mm=pack.size_mm))

    assert main(["recognize", str(tmp_path), "--json", "--deck", "tell", "--data", str(data)]) == 0

    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {Path(line["image"]).stem: [card["card"] for card in line["cards"]] for line in lines} == {
        card: [card] for card in ("QS", "JS", "TC", "AD")
    }


def test_decks_are_listed_and_forgotten(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By name, as JSON Lines too."""
    assert main(["deck", "list", "--json", "--data", str(data)]) == 0
    line = json.loads(capsys.readouterr().out)
    assert (line["deck"], sorted(line["cards"])) == ("tell", sorted(TWENTY))

    assert main(["deck", "list", "--data", str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["deck", "forget", "tell", "--data", str(tmp_path)]) == 2
    assert "tell" in capsys.readouterr().err


def test_a_damaged_deck_hides_no_other(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named on stderr, and the list goes on."""
    for name in ("before", "damaged", "later"):
        shutil.copytree(data / "decks" / "tell", tmp_path / "decks" / name)
    (tmp_path / "decks" / "damaged" / "KH_1.png").write_bytes(b"")

    assert main(["deck", "list", "--json", "--data", str(tmp_path)]) == 2

    out, err = capsys.readouterr()
    assert [json.loads(line)["deck"] for line in out.splitlines()] == ["before", "later"]
    assert len(err.splitlines()) == 1
    assert "KH_1.png: is no crop of a card" in err


def test_a_film_of_the_pack_in_order_is_learnt(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each card laid down and taken away; a film that lacks one says how many it saw, and when."""
    pack = german_pack(1000, height_px=300)
    for name, cards in (("whole", TWENTY), ("short", TWENTY[:3])):
        film = cv2.VideoWriter(
            str(tmp_path / f"{name}.mp4"), cv2.VideoWriter_fourcc(*"mp4v"), RATE, (640, 480)
        )
        for frame in Desk(5).film([pack.faces[card] for card in cards], gap_s=0.5):
            film.write(frame.bgr)
        film.release()

    assert (
        main(["deck", "enrol", "film", str(tmp_path / "whole.mp4"), "--data", str(tmp_path), "--json"]) == 0
    )
    assert sorted(json.loads(capsys.readouterr().out)["cards"]) == sorted(TWENTY)

    assert main(["deck", "enrol", "short", str(tmp_path / "short.mp4"), "--data", str(tmp_path)]) == 2
    assert "3 cards were laid down, 20 are wanted" in capsys.readouterr().err


def test_a_card_that_was_not_shown_is_named(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is kept."""
    some = tmp_path / "some"
    some.mkdir()
    for card in TWENTY[:2]:
        (some / f"{card}.jpg").write_bytes((photos / f"{card}.jpg").read_bytes())
    assert main(["deck", "enrol", "half", str(some), "--data", str(tmp_path)]) == 2
    assert TWENTY[2] in capsys.readouterr().err
    assert not (tmp_path / "decks").exists()


def test_nines_that_were_asked_for_and_not_shown_are_named(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of twenty photos is no pack of twenty-four."""
    assert main(["deck", "enrol", "tell", str(photos), "--nines", "--data", str(tmp_path)]) == 2
    assert "not shown: 9H 9D 9C 9S" in capsys.readouterr().err


def test_a_photo_without_a_card_is_named(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its file."""
    (tmp_path / "KH.jpg").write_bytes((photos / "table.jpg").read_bytes())
    assert main(["deck", "enrol", "none", str(tmp_path), "--data", str(tmp_path)]) == 2
    assert "KH.jpg: no card is to be seen" in capsys.readouterr().err


def test_a_folder_without_named_photos_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It says how photos are to be named."""
    cv2.imwrite(str(tmp_path / "photo1.jpg"), Desk().photo())
    assert main(["deck", "enrol", "none", str(tmp_path), "--data", str(tmp_path)]) == 2
    assert "KH.jpg" in capsys.readouterr().err


def test_an_empty_source_is_not_the_folder_one_is_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A variable that is empty learns no pack from whatever lies there."""
    monkeypatch.chdir(tmp_path)
    Path("KH.jpg").touch()
    assert main(["deck", "enrol", "tell", "", "--data", str(tmp_path)]) == 2
    assert "'' names no camera, file or folder" in capsys.readouterr().err


def test_a_name_that_is_none_is_refused_before_any_card_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody lays twenty cards down for nothing."""
    assert main(["deck", "enrol", "Omas Karten", "there is none.mp4", "--data", str(tmp_path)]) == 2
    assert "a name has" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_refused_before_any_card_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, not the film that nobody opened."""
    enrol = ["deck", "enrol", "tell", "there is none.mp4", "--data", str(tmp_path)]
    with monkeypatch.context() as only_read:
        only_read.setattr(os, "access", lambda path, mode: False)
        assert main(enrol) == 2
    (tmp_path / "decks").write_text("no folder")
    assert main(enrol) == 2

    for error in capsys.readouterr().err.splitlines():
        assert f"{tmp_path / 'decks'}: cannot be written" in error


def test_a_deck_that_is_not_there_ends_recognize(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a picture is read."""
    assert main(["recognize", str(photos), "--deck", "nobody", "--data", str(tmp_path)]) == 2
    assert "nobody" in capsys.readouterr().err


def test_photos_that_are_named_by_no_card_are_said_to_be_left_out(
    photos: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A few of them by name: else a card would be missing and nobody knew why."""
    folder = tmp_path / "photos"
    folder.mkdir()
    for name in ("KH", "10H", "KH (2)", "table", "QH copy"):
        shutil.copy(photos / "KH.jpg", folder / f"{name}.jpg")
    assert main(["deck", "enrol", "tell", str(folder), "--data", str(tmp_path)]) == 2
    told = capsys.readouterr().err.splitlines()
    some = "10H.jpg, KH (2).jpg, QH copy.jpg and 1 more"
    why = "left out, not named by a card as KH.jpg or KH_2.jpg"
    assert told[0] == f"companion: {folder}: {why}: {some}"
    assert "not shown: AH TH" in told[1]
