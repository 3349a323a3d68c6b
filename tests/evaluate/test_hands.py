"""A recording compared with what was played: the first difference is named, and only a right one passes."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.evaluate.__main__ import main
from companion.evaluate.hands import TruthError, difference, hand_folders, read_truth, withdrawn
from companion.rules.cards import Card, Player
from companion.rules.points import PointRange
from companion.rules.record import Record, Result

HAND: dict[str, Any] = {
    "hand": {
        "variant": "schnapsen",
        "dealer": 0,
        "turned_up": "QH",
        "events": [
            {"type": "exchange", "player": 1},
            {"type": "marriage", "player": 1, "suit": "S"},
            {"type": "play", "player": 1, "card": "KS"},
            {"type": "play", "player": 0, "card": "JD"},
            {"type": "claim", "player": 1},
        ],
        "result": {"winner": 0, "game_points": 3, "card_points": [0, 26], "why": "false_claim"},
    },
    "timeline": [
        {"t": 0.8, "type": "deal", "turned_up": "QH"},
        {"t": 9.5, "type": "claim", "player": 1},
        {"t": 10.0, "type": "cleared"},
    ],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder that holds one hand's truth."""
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "truth.json").write_text(json.dumps(HAND))
    return tmp_path


@pytest.fixture
def right(folder: Path) -> Record:
    """A record that says what the truth says."""
    hand = HAND["hand"]
    record = Record.from_json(
        {"dealer": 0, "turned_up": "QH", "events": hand["events"]},
    )
    points = (PointRange.of(0), PointRange.of(26))
    return replace(record, result=Result(Player.SOUTH, 3, points, "false_claim"))


def test_the_claims_of_the_timeline_are_taps(folder: Path) -> None:
    """What was pressed on the phone comes from the truth, at its time; what was seen does not."""
    truth = read_truth(folder / "one")

    assert [(tap.time, tap.player) for tap in truth.taps] == [(9.5, Player.NORTH)]
    assert [event["type"] for event in truth.hands[0].events] == ["exchange", "marriage", "play", "play"]


def test_a_right_record_has_no_difference(folder: Path, right: Record) -> None:
    """Plays, exchange, marriage and result as they were."""
    assert difference(read_truth(folder / "one"), (right,)) is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dealer": Player.NORTH}, "dealer: read 1, was 0"),
        ({"turned_up": Card.parse("KH")}, "turned_up: read KH, was QH"),
        ({"drop": 0}, "event 0: read marriage 1 S, was exchange 1"),
        ({"drop": 1}, "event 1: read play 1 KS, was marriage 1 S"),
        ({"drop": 3}, "event 3: nothing more was read, was play 0 JD"),
        ({"swap": 3}, "event 3: read play 1 JD, was play 0 JD"),
        (
            {"result": Result(Player.SOUTH, 2, (PointRange.of(0), PointRange.of(26)), "x")},
            "game_points: read 2",
        ),
        ({"result": Result(Player.SOUTH, 3, (PointRange.of(0), PointRange(6, 26)), "x")}, "card points"),
    ],
)
def test_the_first_difference_is_named(
    folder: Path, right: Record, change: dict[str, Any], words: str
) -> None:
    """Dealer, turn-up, an event missing, another player, another award: each is seen and named."""
    events = list(right.events)
    if "drop" in change:
        del events[change.pop("drop")]
    elif "swap" in change:
        at = change.pop("swap")
        events[at] = replace(events[at], player=Player.NORTH)
    wrong = replace(right, events=tuple(events), **change)

    assert words in (difference(read_truth(folder / "one"), (wrong,)) or "")


def test_another_number_of_hands_is_a_difference(folder: Path, right: Record) -> None:
    """No hand, or two, is not one."""
    truth = read_truth(folder / "one")

    assert difference(truth, ()) == "0 hands were read, not 1"
    assert difference(truth, (right, right)) == "2 hands were read, not 1"


def test_several_hands_are_compared_in_order(folder: Path, right: Record) -> None:
    """Each with its own truth; what is wrong says in which hand."""
    (folder / "one" / "truth.json").write_text(json.dumps({**HAND, "hands": [HAND["hand"]] * 2}))
    truth = read_truth(folder / "one")
    other = replace(right, dealer=right.dealer.other)

    assert difference(truth, (right, right)) is None
    assert (difference(truth, (right, other)) or "").startswith("hand 2: dealer: read")
    assert difference(truth, (right,)) == "1 hands were read, not 2"


def test_a_folder_may_be_one_hand_or_hold_many(folder: Path) -> None:
    """Both forms are found, and a folder without any is refused by name."""
    assert hand_folders(folder) == (folder / "one",)
    assert hand_folders(folder / "one") == (folder / "one",)
    with pytest.raises(TruthError, match="no hand in it"):
        hand_folders(folder / "two")


@pytest.mark.parametrize("content", ["{", "{}", '{"hand": {}, "timeline": []}'])
def test_a_truth_that_is_none_is_named(tmp_path: Path, content: str) -> None:
    """The file and what is missing stand in the message."""
    (tmp_path / "truth.json").write_text(content)

    with pytest.raises(TruthError, match=r"truth\.json"):
        read_truth(tmp_path)


def test_a_result_told_anew_is_no_withdrawn_event() -> None:
    """Claimed with the last trick, the hand ends by the claim; a play that is taken back was wrong."""
    lines = [{"type": "play", "seq": 1}, {"type": "result", "seq": 2}, {"type": "retract", "seq": 2}]

    assert withdrawn(lines) == 0
    assert withdrawn([*lines, {"type": "retract", "seq": 1}]) == 1


def test_a_trouble_that_nobody_knows_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is looked at, with the names of those that are known."""
    with pytest.raises(SystemExit) as ended:
        main(["hands", str(folder), "--trouble", "dim,fog"])

    assert ended.value.code == 2
    assert "'fog' is none of exposure, focus" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "it is nested too deeply"),
        ("{}", "'hand' is missing"),
        (
            '{"hand": {"dealer": 0, "turned_up": "QH", "events": [{"type": "play"}], "result": {}}}',
            "'player' is missing",
        ),
    ],
)
def test_a_truth_that_cannot_be_used_is_named_before_its_film_is_watched(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its file and what is wrong, in one line."""
    (tmp_path / "truth.json").write_text(text)
    assert main(["hands", str(tmp_path)]) == 2
    told = capsys.readouterr().err
    assert told == f"companion.evaluate: {tmp_path / 'truth.json'}: {said}\n"
