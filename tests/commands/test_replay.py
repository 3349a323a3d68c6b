"""`companion replay` on both forms of records."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main
from companion.rules.notation import read

HANDS = """\
.hand 1
rules schnapsen+knock

hand north JD
1. close AD-QS
2. marriage-D KD-KC
3. QD-JS
claim

hand south QH
1. AS-KX
2. KC-JC

hand south QH
1. S:AS-KS

hand north TD
1. knock AD-JD
"""


def answers(capsys: pytest.CaptureFixture[str], path: Path) -> list[dict[str, object]]:
    """What `replay --json` prints."""
    assert main(["replay", str(path), "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("name", ["evening.hand", "evening.txt"])
def test_hands_in_the_text_notation_are_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Known by their first line; a damaged hand and an impossible one are told with their line."""
    path = tmp_path / name
    path.write_text(HANDS)

    first, damaged, impossible, last = answers(capsys, path)

    assert (first["winner"], first["game_points"], first["reason"]) == (0, 3, "claim")
    assert damaged == {"index": 1, "error": "line 11: 'AS-KX' is no word of a hand"}
    assert impossible == {"index": 2, "error": "line 14: events[0]: it is not south's turn"}
    assert (last["winner"], last["game_points"], last["reason"]) == (1, 3, "failed_close")


def test_both_forms_are_played_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same hand as text and as JSON gives the same line."""
    text = "\n".join(HANDS.splitlines()[:8])
    (part,) = read(text)
    (tmp_path / "one.hand").write_text(text)
    (tmp_path / "one.jsonl").write_text(json.dumps(part.hands[0].to_json()) + "\n")

    assert answers(capsys, tmp_path / "one.hand") == answers(capsys, tmp_path / "one.jsonl")


def test_people_are_shown_an_end_that_the_record_has_otherwise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside what the rules say stands the end that was written down, where it is another."""
    hand = ".hand 1\nhand north JD\n1. close AD-QS\n2. marriage-D KD-KC\n3. QD-JS\nclaim\n"
    right, wrong = "end south 3 67 0 claim", "end north 2 66 10..12 failed_close"
    path = tmp_path / "evening.hand"
    path.write_text(f"{hand}{right}\n{hand.removeprefix('.hand 1')}{wrong}\n")

    assert main(["replay", str(path)]) == 0

    said = "south wins 3 game points (claim), card points south 67, north 0"
    assert capsys.readouterr().out.splitlines() == [
        f"1: {said}",
        f"2: {said}",
        "   the record says: north wins 2 game points (failed close), card points south 66, north 10 to 12",
    ]


def test_people_are_told_that_a_hand_is_not_decided(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A claim that a missed card decides (clause 7.9) is not one after which nobody scores."""
    path = tmp_path / "evening.hand"
    path.write_text(".hand 1\nhand north JD\n1. close AD-QS\n2. marriage-D KD-?\nS:claim\n")

    assert main(["replay", str(path)]) == 0
    replayed = capsys.readouterr().out
    assert main(["review", str(path)]) == 0

    assert replayed == "1: not decided, card points south 60 to 69, north 0\n"
    assert "does not decide who scores; card points south 60 to 69" in capsys.readouterr().out


def test_people_are_told_that_a_revoke_was_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A corrected play accuses nobody any more (clause 3.6)."""
    path = tmp_path / "evening.hand"
    path.write_text(
        ".hand 1\nrules schnapsen_casual\nhand north JD\n1. close AS-TH\n2. KH-JS\nS:revoke\nN:JS\n"
    )

    assert main(["replay", str(path)]) == 0

    (broken,) = capsys.readouterr().out.splitlines()[1:]
    assert broken == "   rule 3.2 broken by north: revoke not followed, taken back"


def test_a_damaged_line_of_json_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By the number of the line, also the first, and the rest is done; empty lines count as lines."""
    good = json.dumps({"dealer": 1, "turned_up": "JD", "events": []})
    path = tmp_path / "hands.jsonl"
    path.write_text(f'{{"dealer": 1, "turned\n\n{good}\n{{"version": 7}}\n{good}\n')

    torn, second, newer, fourth = answers(capsys, path)

    assert str(torn["error"]).startswith("line 1: not JSON")
    assert newer["error"] == "line 4: version: 7 is newer than 1, the newest that this program reads"
    assert second["reason"] == fourth["reason"] == "unfinished"


def test_a_line_that_a_power_cut_left_ends_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither zeros, nor a line without end: each is one damaged record, and the next is played."""
    dealt = {"rules": {"preset": "schnapsen"}, "dealer": 0, "turned_up": "QH", "events": []}
    good = json.dumps(dealt).encode()
    path = tmp_path / "hands.jsonl"
    path.write_bytes(b"\n".join([good, bytes(100), b"x" * (3 << 20), good]) + b"\n")
    told = answers(capsys, path)

    assert [line["index"] for line in told] == [0, 1, 2, 3]
    assert ["error" in line for line in told] == [False, True, True, False]
    assert "line 3" in str(told[2]["error"])


def test_a_picture_or_a_film_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is that, and not a thousand damaged records."""
    path = tmp_path / "film.mp4"
    for begins in (b"\0\0\0 ftypisom\n", b"\x89PNG\r\n\x1a\n\0\0\0\r"):
        path.write_bytes(begins * 10)
        for command in ("replay", "review", "solve"):
            assert main([command, str(path), "--json"]) == 2
            out, err = capsys.readouterr()
            assert (out, err) == ("", f"companion: {path}: the file holds no text\n")


def test_a_text_may_begin_with_remarks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever the file is called."""
    path = tmp_path / "evening.txt"
    path.write_text("# our evening\n\n# at Anna's\n" + HANDS)
    assert [line["index"] for line in answers(capsys, path)] == [0, 1, 2, 3]


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By its number, and nothing of it is played."""
    path = tmp_path / "new.hand"
    path.write_text(".hand 2\nhand north JD\n1. AD-QS\n")

    assert main(["replay", str(path), "--json"]) == 2
    out, err = capsys.readouterr()

    assert "version: 2 is newer than 1" in json.loads(out)["error"]
    assert str(path) in err


def test_what_no_hand_says_is_named_and_the_next_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reason that is no word, in a file with a mark before its text; every record has its answer."""
    told = {"dealer": 0, "turned_up": "QH", "events": [{"type": "play", "player": 1, "card": "AS"}]}
    result = {"winner": 1, "game_points": 2, "card_points": [0, 0], "reason": "\ud800"}
    lines = [json.dumps(each) for each in (told, told | {"result": result}, told)]
    path = tmp_path / "hands.jsonl"
    path.write_text("\n".join(lines), encoding="utf-8-sig")

    first, damaged, last = answers(capsys, path)

    assert "error" not in first
    assert "result.reason" in damaged["error"]
    assert "error" not in last


def test_a_file_that_is_not_there_is_named_and_the_next_is_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line for it, status 2, and the hands of the other."""
    path = tmp_path / "evening.hand"
    path.write_text(HANDS)

    assert main(["replay", str(tmp_path / "gone.jsonl"), str(path), "--json"]) == 2

    printed = capsys.readouterr()
    assert len(printed.out.splitlines()) == 4
    assert "gone.jsonl: No such file" in printed.err
    assert len(printed.err.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        '{\n"dealer": 1,\n"rules":\n{"preset": "schnapsen"},\n"turned_up": "JD", "events": []\n}\n',
        '\n \n{\n  "dealer": 1,\n  "turned_up": "JD",\n  "events": []\n}\n',
        '{"rules": {}\n, "dealer": 1, "turned_up": "JD", "events": []}',
    ],
    ids=["a brace at the beginning of a line", "empty lines first", "a line that ends with a brace"],
)
def test_a_record_over_several_lines_is_one_however_it_is_laid_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    """Lines mean nothing in JSON."""
    path = tmp_path / "one.json"
    path.write_text(text)

    (only,) = answers(capsys, path)

    assert only["reason"] == "unfinished"


def test_a_damaged_record_over_several_lines_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the line on which it begins."""
    path = tmp_path / "one.json"
    path.write_text('\n{\n  "dealer": 1,\n  "turned_up": JD,\n  "events": []\n}\n')

    assert main(["replay", str(path), "--json"]) == 2

    (only,) = capsys.readouterr().out.splitlines()
    assert json.loads(only)["error"].startswith("line 2: not JSON")


def test_a_hand_in_the_text_notation_may_begin_below_empty_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Empty lines mean nothing there, whatever the file is called."""
    path = tmp_path / "evening.txt"
    path.write_text("\n\n" + HANDS)

    first, damaged, *_ = answers(capsys, path)

    assert first["reason"] == "claim"
    assert str(damaged["error"]).startswith("line 13: ")
