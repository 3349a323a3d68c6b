"""`companion review`: its parts as JSON Lines, a text for the terminal, and every fault in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion.cli import main

ENDGAME = """
.hand 1
hand south JD
1. close AD-QS
2. marriage-D KD-KC
3. QD-JS
claim
"""
RECORD = {
    "dealer": 0,
    "turned_up": "QH",
    "events": [
        {"type": "play", "player": 1, "card": "AS"},
        {"type": "play", "player": 0, "card": "JS"},
        {"type": "claim", "player": 1},
    ],
}


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    """Exit status, stdout and stderr of one run."""
    status = main(["review", *map(str, arguments)])
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def test_a_hand_its_decisions_and_the_review_are_a_line_each(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """JSON Lines and nothing else: the story first, with what the rules alone show."""
    path = tmp_path / "hands.jsonl"
    path.write_text(json.dumps(RECORD) + "\n")

    status, out, _ = said(capsys, path, "--json")

    hand, *decisions, review = (json.loads(line) for line in out.splitlines())
    assert status == 0
    assert hand["type"] == "hand"
    assert [step["counts"][1]["total"] for step in hand["steps"]] == [0, 0, 13, 13]
    assert [each["kind"] for each in hand["found"]] == ["claim_early"]
    assert {each["type"] for each in decisions} == {"decision"}
    assert review["type"] == "review"
    assert "claim_early" in [each["kind"] for each in review["told"]]
    assert review["told"][0]["text"]["en"] or review["told"][0]["text"]["de"]


def test_the_terminal_gets_tricks_and_sentences(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Who led what, both counts after every trick, the award with its clause, and what there is to say."""
    path = tmp_path / "one.hand"
    path.write_text(ENDGAME.strip() + "\n")

    status, out, _ = said(capsys, path)

    assert status == 0
    assert "JD turned up, trumps diamonds" in out
    assert "north declares diamonds" in out
    assert "rule 8.1" in out
    assert "decisions with a choice" in out


def test_the_terminal_says_by_which_rules(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Modifiers and options of the house beside the preset: they decide what is judged."""
    path = tmp_path / "one.jsonl"
    rules = {"preset": "schnapsen", "modifiers": ["last_trick_10"], "false_claim_award": "flat_3"}
    path.write_text(json.dumps({**RECORD, "rules": rules}) + "\n")

    _, out, _ = said(capsys, path)

    assert out.startswith("Hand 1: schnapsen+last_trick_10 false_claim_award=flat_3, south deals")


def test_a_record_that_cannot_be_is_reported_and_the_rest_done(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """With its number and line; the exit status is that of the others."""
    path = tmp_path / "hands.jsonl"
    impossible = {**RECORD, "events": [RECORD["events"][0], {"type": "play", "player": 0, "card": "AS"}]}
    path.write_text("\n".join([json.dumps(impossible), "{broken", json.dumps(RECORD)]) + "\n")

    status, out, err = said(capsys, path, "--json")

    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert not err
    assert [line["index"] for line in lines if "error" in line] == [0, 1]
    assert "line 1" in lines[0]["error"]
    assert lines[-1]["index"] == 2


def test_a_file_without_hands_ends_with_one_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Status 2, the file by name, and what is wrong with it."""
    path = tmp_path / "none.jsonl"
    path.write_text("nothing\n")

    status, _, err = said(capsys, path, "--json")

    assert status == 2
    assert len(err.splitlines()) == 1
    assert "none.jsonl" in err


def test_an_unread_card_leaves_the_story(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """The solver has no say, and says why; what happened is told all the same."""
    path = tmp_path / "hands.jsonl"
    events = [RECORD["events"][0], {"type": "play", "player": 0, "card": None}]
    path.write_text(json.dumps({**RECORD, "events": events}) + "\n")

    status, out, _ = said(capsys, path, "--json")

    hand, review = (json.loads(line) for line in out.splitlines())
    assert status == 0
    assert hand["steps"][2]["table"][1] == {"player": 0, "card": None}
    assert "not all cards" in review["unjudged"]


def test_a_damaged_hand_in_the_text_notation_is_named_by_its_line_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The notation tells the line itself."""
    path = tmp_path / "new.hand"
    path.write_text(".hand 99\n")
    assert main(["review", str(path)]) == 2
    assert capsys.readouterr().err.count("line 1:") == 1
