"""`companion solve`: positions in, values out; what is no position is told with its line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main

LAST_TWO: dict[str, Any] = {
    "rules": {"preset": "schnapsen"},
    "trump": "D",
    "to_lead": 1,
    "hands": [["KH", "TS"], ["QS", "AD"]],
    "stock": [],
    "card_points": [20, 53],
    "tricks_won": [2, 6],
    "pending_marriage_points": [0, 0],
    "closed_by": None,
    "opponent_at_close": None,
}


def changed(**fields: object) -> str:
    """The position with some fields changed, as a line."""
    return json.dumps(LAST_TWO | fields)


def test_each_position_is_answered_in_a_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The ace of trumps makes 66 at once; after the queen south's ten makes 33 before it comes."""
    path = tmp_path / "positions.jsonl"
    path.write_text(changed() + "\n\n" + changed(to_lead=0, hands=[["KH", "AD"], ["QS", "TS"]]) + "\n")

    assert main(["solve", str(path), "--json"]) == 0

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == {"index": 0, "value": -2, "actions": {"play:QS": -1, "play:AD": -2}}
    assert (second["index"], set(second["actions"])) == (1, {"play:KH", "play:AD"})


def test_the_line_is_told_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The best play by both, as events of a record."""
    path = tmp_path / "positions.jsonl"
    path.write_text(changed(card_points=[20, 40]))

    assert main(["solve", str(path), "--json", "--line"]) == 0

    line = json.loads(capsys.readouterr().out)["line"]
    assert [(event["player"], event["card"]) for event in line] == [
        (1, "QS"),
        (0, "TS"),
        (0, "KH"),
        (1, "AD"),
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "it is no JSON: Expecting property name"),
        ("[1]", "is not an object"),
        (changed(trump="X"), "trump: 'X' is none of H, D, C, S"),
        (changed(hands=[["KH"], ["QS", "AD"]]), "hands of 1 and 2 cards"),
        (changed(hands=[["KH", "QS"], ["QS", "AD"]]), "QS is there twice"),
        (changed(hands=[["KH", "9S"], ["QS", "AD"]]), "9S is not in a pack of 20"),
        (changed(hands=[[], []]), "hands of 0 cards"),
        (changed(stock=["AC", "JD"]), "hands of 2 cards with the stock open, not 5"),
        (changed(rules={"preset": "bridge"}), "no rules are called 'bridge'"),
        (changed(card_points=[20]), "card_points: 1 values, not one for each player"),
        (changed(card_points=[20, -1]), "card_points[1]: -1 is no whole number from 0"),
        (changed(card_points=[20, 221]), "card points of [20, 221]"),
        (changed(tricks_won=[2, 10**30]), "tricks won: [2, 1000000000000000000000000000000]"),
        (changed(led="AH"), "hands of 2 and 2 cards, with a card to be answered"),
        (changed(pending_marriage_points=[0, 10]), "pending marriage points of [0, 10]"),
        (changed(closed_by=1), "closed_by and opponent_at_close go together"),
        (changed(closed_by=2), "closed_by: 2 is neither 0 (south) nor 1 (north)"),
        (changed(surprise=1), "'surprise' is no known field"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_position_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    """The others are solved all the same; alone in a file it is the command's own error."""
    path = tmp_path / "positions.jsonl"
    path.write_text(changed() + "\n" + text + "\n" + changed())

    assert main(["solve", str(path), "--json"]) == 0

    first, wrong, last = map(json.loads, capsys.readouterr().out.splitlines())
    assert (first["value"], last["value"], last["index"]) == (-2, -2, 2)
    assert wrong["index"] == 1
    assert wrong["error"].startswith("line 2: ")
    assert said in wrong["error"]

    path.write_text(text)
    assert main(["solve", str(path)]) == 2
    complaint = capsys.readouterr().err
    assert complaint.count("\n") == 1
    assert f"{path}: line 1: " in complaint
    assert said in complaint


def test_a_file_that_is_not_there_or_empty_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, exit status 2."""
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")

    assert main(["solve", str(empty)]) == 2
    assert main(["solve", str(tmp_path / "nowhere.jsonl")]) == 2

    first, second = capsys.readouterr().err.splitlines()
    assert "empty.jsonl: no position in it" in first
    assert "nowhere.jsonl: No such file or directory" in second


def test_people_read_who_wins_what(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without --json: the outcome, then every action with its value."""
    path = tmp_path / "positions.jsonl"
    path.write_text(changed())

    main(["solve", str(path)])

    assert capsys.readouterr().out == "1: north wins 2 game points (play:AD -2, play:QS -1)\n"


def test_a_number_of_thousands_of_digits_is_no_position(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told as such, and the position after it is solved."""
    path = tmp_path / "positions.jsonl"
    path.write_text("9" * 5000 + "\n" + changed() + "\n")

    main(["solve", str(path), "--json"])

    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert "no JSON" in first["error"]
    assert second["value"] == -2
