"""Asked for, begun, listed, deleted: sittings on their shelf, and the commands for them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from companion.bundle.archive import FORMAT, BundleReader, BundleWriter
from companion.bundle.consent import VARIABLE, asked_for, shelf
from companion.bundle.fault import BundleError
from companion.bundle.shelf import begin, delete, kept
from companion.cli import main
from companion.config import asset

AT = datetime(2026, 11, 21, 20, 30, 15, tzinfo=UTC)


def test_nothing_is_kept_unless_somebody_asked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Not by default, and not by a variable that says no."""
    for value in (None, "", "0", "no", "Off", "false"):
        if value is None:
            monkeypatch.delenv(VARIABLE, raising=False)
        else:
            monkeypatch.setenv(VARIABLE, value)
        assert asked_for(None, tmp_path) is None


def test_it_is_kept_where_it_was_asked_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The option goes before the variable; without a folder it is that of the records."""
    monkeypatch.delenv(VARIABLE, raising=False)
    assert asked_for("", tmp_path) == shelf(tmp_path)
    assert asked_for("films", tmp_path) == Path("films")
    with pytest.raises(BundleError, match="~nobody-here/films"):
        asked_for("~nobody-here/films", tmp_path)
    monkeypatch.setenv(VARIABLE, "1")
    assert asked_for(None, tmp_path) == shelf(tmp_path)
    monkeypatch.setenv(VARIABLE, "/films")
    assert asked_for(None, tmp_path) == Path("/films")
    assert asked_for("mine", tmp_path) == Path("mine")


def test_a_sitting_says_what_decided(tmp_path: Path) -> None:
    """Date, source, versions, and the checksums of the networks."""
    begin(tmp_path, source="camera 0", at=AT, models=asset("models")).close()
    (found,) = kept(tmp_path)
    assert (found.path.name, found.source, found.fault) == ("2026-11-21-203015.tar", "camera 0", "")
    with BundleReader(found.path) as bundle:
        assert set(bundle.header["versions"]) >= {"companion", "python", "numpy", "onnxruntime"}
        assert all(len(each) == 64 for each in bundle.header["models"].values())
        models = {
            "card-locator",
            "card-index",
            "card-refiner",
            "card-glyph",
            "card-classifier",
            "card-button",
        }
        assert bundle.header["models"].keys() == models


def test_two_sittings_of_one_second_are_two_files(tmp_path: Path) -> None:
    """Neither takes the other's name."""
    for _ in range(2):
        begin(tmp_path, source="x", at=AT).close()
    assert len(kept(tmp_path)) == 2


@pytest.mark.parametrize("below", ["", "films"])
def test_a_file_where_the_shelf_should_be_is_named(tmp_path: Path, below: str) -> None:
    """By its own name, not by that of a sitting inside it."""
    (tmp_path / "table.mp4").write_text("a film")
    folder = tmp_path / "table.mp4" / below
    with pytest.raises(BundleError, match="where a folder should be") as caught:
        begin(folder, source="x", at=AT)
    assert str(caught.value).startswith(f"{folder}: ")


def test_only_what_lies_on_the_shelf_can_be_deleted(tmp_path: Path) -> None:
    """A name that leads elsewhere is no sitting."""
    outside = tmp_path / "table.tar"
    outside.write_bytes(b"precious")
    bundle = begin(tmp_path / "sessions", source="x", at=AT)
    bundle.close()
    path = bundle.path
    for name in ("../table.tar", str(outside), "nothing.tar", ""):
        with pytest.raises(BundleError, match="no such"):
            delete(tmp_path / "sessions", name)
    assert delete(tmp_path / "sessions", path.name) == path
    assert not path.exists()
    assert outside.exists()


def test_the_command_lists_and_deletes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What is somebody else's is listed with its fault, and stays, also when `all` are deleted."""
    begin(shelf(tmp_path), source="camera 0", at=AT).close()
    (shelf(tmp_path) / "a.tar").write_text("dear diary")
    (shelf(tmp_path) / "begun.tar").touch()
    assert main(["sessions", "--json", "--data", str(tmp_path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["name"] for line in lines] == ["2026-11-21-203015.tar", "a.tar", "begun.tar"]
    assert ["fault" in line for line in lines] == [False, True, True]
    assert main(["sessions", "--delete", "b.tar", "--data", str(tmp_path)]) == 2
    assert "b.tar: no such sitting; nothing was deleted" in capsys.readouterr().err
    assert main(["sessions", "--delete", "all", "--data", str(tmp_path)]) == 0
    assert [path.name for path in shelf(tmp_path).iterdir()] == ["a.tar"]
    assert main(["sessions", "--delete", "a.tar", "--data", str(tmp_path)]) == 2
    assert "a.tar: not a bundle" in capsys.readouterr().err
    assert (shelf(tmp_path) / "a.tar").read_text() == "dear diary"


def test_a_sitting_that_is_being_kept_is_not_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever keeps it would write on into a file without a name; once it has ended it can go."""
    begin(shelf(tmp_path), source="camera 0", at=AT).close()
    bundle = begin(shelf(tmp_path), source="camera 0", at=AT)
    name = bundle.path.name
    assert main(["sessions", "--delete", "2026-11-21-203015.tar", name, "--data", str(tmp_path)]) == 2
    assert f"{name}: is being written; nothing was deleted" in capsys.readouterr().err
    assert len(kept(shelf(tmp_path))) == 2
    with pytest.raises(BundleError, match="is being written"):
        delete(shelf(tmp_path), name)
    assert main(["sessions", "--delete", "all", "--data", str(tmp_path)]) == 0
    assert f"{name}: is being written" in capsys.readouterr().err
    assert [each.path.name for each in kept(shelf(tmp_path))] == [name]
    bundle.close()
    assert main(["sessions", "--delete", "all", "--data", str(tmp_path)]) == 0
    assert kept(shelf(tmp_path)) == ()


def test_watching_a_sitting_that_was_cut_off_ends_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Status 2; what could be read is summed up before."""
    bundle = BundleWriter(tmp_path / "a.tar", {})
    for _ in range(3):
        bundle.line({"is": "source"}, flush=True)
    bundle.close()
    data = (tmp_path / "a.tar").read_bytes()
    (tmp_path / "b.tar").write_bytes(data[:-1520])
    assert main(["watch", str(tmp_path / "b.tar"), "--json"]) == 2
    printed = capsys.readouterr()
    assert json.loads(printed.out.splitlines()[-1])["type"] == "summary"
    assert len(printed.err.splitlines()) == 1
    assert "b.tar: the bundle is cut off at byte" in printed.err


def test_watching_a_sitting_of_a_later_version_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, status 2, nothing told."""
    BundleWriter(tmp_path / "a.tar", {"format": FORMAT + 3}).close()
    assert main(["watch", str(tmp_path / "a.tar"), "--json"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "a.tar: written by a later version" in printed.err


def test_a_sitting_brings_its_own_taps(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Others beside them are refused, not passed over."""
    BundleWriter(tmp_path / "a.tar", {}).close()
    assert main(["watch", str(tmp_path / "a.tar"), "--dealer", "south"]) == 2
    assert "has its own taps" in capsys.readouterr().err


@pytest.mark.parametrize("told", [["--rules", "sixty_six"], ["--dealer", "south"]])
def test_a_kept_sitting_is_not_told_what_it_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], told: list[str]
) -> None:
    """Its rules and its dealer are those of then; to be told others is no use, and is said."""
    BundleWriter(tmp_path / "a.tar", {}).close()
    assert main(["watch", str(tmp_path / "a.tar"), *told]) == 2
    assert "has its own taps, dealer and rules" in capsys.readouterr().err
