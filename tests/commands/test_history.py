"""`companion history`: hands of a log listed, counted up, judged once, and written to files."""

from __future__ import annotations

import errno
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from played_log import HAND, Log
from scripted_table import random_hand

from companion.cli import main
from companion.rules.record import Record
from companion.store.album import Album
from companion.store.item import MatchStarted, SittingOpened
from companion.store.log import EventLog

MANY = tuple(event for seed in range(3) for event in random_hand(seed))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with four hands, the last a false claim."""
    with EventLog(tmp_path / "table.sqlite") as log:
        log.append([SittingOpened("2026-11-22T20:00:00+01:00", "script", "1"), *Log(*MANY, *HAND).items])
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of one run."""
    status = main(["history", *map(str, arguments)])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_each_hand_is_a_line(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    """Oldest first; with `--json` the record is in it. Listing makes no file."""
    status, out, _ = said(capsys, "--data", data, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert (status, [line["number"] for line in lines]) == (0, [1, 2, 3, 4])
    assert Record.from_json(lines[3]["record"]).events == HAND[1:]
    assert lines[3]["kinds"] == ["closed", "false_claim", "marriage"]
    _, out, _ = said(capsys, "--data", data, "--kind", "false_claim")
    assert out.count("\n") == 1
    assert "Anna wins 3 (false claim)" in out
    assert [path.name for path in data.glob("*.sqlite")] == ["table.sqlite"]
    assert said(capsys, "--data", data, "--find", "Meier") == (0, "", "companion: there is no such hand\n")


def test_figures_tell_of_each_player_and_what_was_judged_is_kept(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """Judged once: the second time the same figures are there without judging."""
    _, out, _ = said(capsys, "--data", data, "--hand", 4, "--figures", "--json")
    assert {line["decisions"] for line in map(json.loads, out.splitlines())} == {0}
    _, judged, _ = said(capsys, "--data", data, "--hand", 4, "--figures", "--judge", "--json")
    people = {line["name"]: line for line in map(json.loads, judged.splitlines())}
    assert people["Bert"]["wrong_claims"] == 1
    assert people["Bert"]["decisions"] > 0
    _, again, _ = said(capsys, "--data", data, "--hand", 4, "--figures", "--json")
    assert again == judged


def test_matches_are_told_instead_of_hands(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, data: Path
) -> None:
    """A line each with what stands after it, found by what was in their hands, written as a table."""
    _, out, _ = said(capsys, "--data", data, "--matches")
    assert "Anna - Bert: " in out
    assert "after 4 hands; Bummerl Anna 0, Bert 0" in out
    _, out, _ = said(capsys, "--data", data, "--matches", "--json", "--kind", "false_claim")
    assert [json.loads(line)["hands"] for line in out.splitlines()] == [[1, 2, 3, 4]]
    assert said(capsys, "--data", data, "--matches", "--find", "Meier")[2] == (
        "companion: there is no such match\n"
    )
    path = tmp_path / "matches.csv"
    assert said(capsys, "--data", data, "--matches", "--export", path)[1] == f"1 match in {path}\n"
    assert path.read_text(encoding="utf-8").splitlines()[0].startswith("match,began,south,north,")
    status, _, err = said(capsys, "--data", data, "--matches", "--export", tmp_path / "matches.hand")
    assert (status, err) == (
        2,
        f"companion: {tmp_path / 'matches.hand'}: matches are written as .jsonl or .csv\n",
    )


@pytest.fixture
def hall(tmp_path: Path) -> tuple[Path, Path]:
    """The folders of two tables: at one Anna and Bert, at the other Cora and Anna."""
    folders = tmp_path / "hall" / "tisch-1", tmp_path / "hall" / "tisch-2"
    for folder, names in zip(folders, (("Anna", "Bert"), ("Cora", "Anna")), strict=True):
        folder.mkdir(parents=True)
        with EventLog(folder / "table.sqlite") as log:
            log.append([SittingOpened("2026-11-22T20:00:00+01:00", "script", "1")])
            log.append(
                [
                    replace(item, names=names) if isinstance(item, MatchStarted) else item
                    for item in Log(*HAND).items
                ]
            )
    return folders


def test_several_tables_are_told_together(
    capsys: pytest.CaptureFixture[str], hall: tuple[Path, Path]
) -> None:
    """Each line tells its table; each counts its own; a name is one person at all of them."""
    _, out, _ = said(capsys, "--data", *hall, "--json")
    assert [(line["table"], line["number"]) for line in map(json.loads, out.splitlines())] == [
        ("tisch-1", 1),
        ("tisch-2", 1),
    ]
    _, out, _ = said(capsys, "--data", hall[0], "--data", hall[1], "--matches", "--json")
    told = [json.loads(line) for line in out.splitlines()]
    assert [(line["table"], line["match"], line["hands"]) for line in told] == [
        ("tisch-1", 1, [1]),
        ("tisch-2", 1, [1]),
    ]
    _, out, _ = said(capsys, "--data", *hall, "--matches", "--find", "Cora")
    assert out.startswith("tisch-2  match")
    assert out.count("\n") == 1
    _, out, _ = said(capsys, "--data", *hall, "--figures", "--judge", "--json")
    people = {line["name"]: line for line in map(json.loads, out.splitlines())}
    assert {name: person["hands"] for name, person in people.items()} == {"Anna": 2, "Bert": 1, "Cora": 1}
    assert people["Anna"]["decisions"] == people["Bert"]["decisions"] + people["Cora"]["decisions"]
    assert all((folder / "analyses.sqlite").exists() for folder in hall)


def test_tables_have_a_column_of_their_own(
    capsys: pytest.CaptureFixture[str], hall: tuple[Path, Path]
) -> None:
    """In a spreadsheet too; a number is that of one table's hand, and one table alone needs no name."""
    path = hall[0].parent / "all.csv"
    for what in ([], ["--matches"]):
        assert said(capsys, "--data", *hall, *what, "--export", path)[0] == 0
        heading, *rows = path.read_text(encoding="utf-8").splitlines()
        assert heading.startswith("table,")
        assert [row.split(",")[0] for row in rows] == ["tisch-1", "tisch-2"]
    status, _, err = said(capsys, "--data", *hall, "--hand", 1)
    assert (status, err) == (
        2,
        "companion: --hand 1: each table counts its own hands; name one with --data\n",
    )
    assert "table" not in json.loads(said(capsys, "--data", hall[0], hall[0], "--json")[1])


def test_folders_of_one_name_are_told_apart(
    capsys: pytest.CaptureFixture[str], hall: tuple[Path, Path]
) -> None:
    """As where each computer's records lie in a folder `records`: the whole path says whose."""
    for folder in hall:
        folder.rename(folder.parent / f"of-{folder.name}")
        folder.mkdir()
        (folder.parent / f"of-{folder.name}").rename(folder / "records")
    places = [folder / "records" for folder in hall]
    _, out, _ = said(capsys, "--data", *places, "--json")
    assert [json.loads(line)["table"] for line in out.splitlines()] == [str(place) for place in places]


def test_hands_are_written_in_the_form_that_the_ending_names(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    """`replay` reads the records again; a page has the pictures of its tricks."""
    for ending in ("jsonl", "hand"):
        path = data / f"all.{ending}"
        assert said(capsys, "--data", data, "--export", path)[0] == 0
        assert main(["replay", "--json", str(path)]) == 0
        told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert [line.get("error") for line in told] == [None] * 4
    with Album(data / "stills.sqlite", spare_bytes=0) as album:
        for second in range(100):
            album.keep(float(second), b"\xff\xd8", {})
    page = data / "one.html"
    assert said(capsys, "--data", data, "--hand", 4, "--export", page, "--lang", "en")[0] == 0
    assert page.read_text().count("data:image/jpeg") == 3
    assert "Anna wins 3 game points" in page.read_text()


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--kind", "anything"], "anything"),
        (["--hand", "9"], "--hand 9"),
        (["--export", "hands.doc"], "hands.doc"),
        (["--export", "all.html"], "all.html"),
        (["--export", "/nowhere/hands.csv"], "/nowhere/hands.csv"),
        (["--find", "nobody", "--export", "none.csv"], "none.csv"),
        (["--matches", "--find", "nobody", "--export", "none.csv"], "none.csv"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    capsys: pytest.CaptureFixture[str], data: Path, arguments: list[str], named: str
) -> None:
    """Exit status 2, and the line names it."""
    status, out, err = said(capsys, "--data", data, *arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert named in err


def test_an_export_that_does_not_fit_leaves_that_of_before(
    capsys: pytest.CaptureFixture[str], data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One line with the file; neither a half one nor an empty one is left."""

    def fill(part: Path, content: bytes) -> int:
        with part.open("wb") as file:
            file.write(content[:9])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = data / "all.csv"
    path.write_text("the export of last week")
    monkeypatch.setattr(Path, "write_bytes", fill)

    status, out, err = said(capsys, "--data", data, "--export", path)

    assert (status, out, err) == (2, "", f"companion: {path}: No space left on device\n")
    assert path.read_text() == "the export of last week"
    assert list(data.glob("all*")) == [path]


def test_without_a_log_there_is_no_history(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The line names the file that is missing; nothing is made."""
    status, _, err = said(capsys, "--data", tmp_path / "none")
    assert status == 2
    assert "table.sqlite" in err
    assert list(tmp_path.iterdir()) == []
