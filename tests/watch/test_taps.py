"""Taps: what was pressed on the phone, read strictly."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.cards import Player, Suit
from companion.rules.events import Claimed, Closed, Knocked, MarriageDeclared, RevokeCalled
from companion.watch.taps import Tap, TapError, read_taps


def test_taps_come_in_the_order_of_their_times(tmp_path: Path) -> None:
    """Every word of the game is read, empty lines skipped, and the order is that of the clock."""
    path = tmp_path / "taps.jsonl"
    path.write_text(
        '{"t": 83.2, "type": "claim", "player": 1}\n\n'
        '{"t": 12, "type": "close", "player": 0}\n'
        '{"t": 40.5, "type": "marriage", "player": 1, "suit": "S"}\n'
        '{"t": 60, "type": "knock", "player": 0}\n'
        '{"t": 30, "type": "close", "player": 1, "before_draw": true}\n'
        '{"t": 90, "type": "revoke", "player": 0}\n'
    )

    assert read_taps(path) == (
        Tap(12.0, Player.SOUTH, Closed(Player.SOUTH)),
        Tap(30.0, Player.NORTH, Closed(Player.NORTH, before_draw=True)),
        Tap(40.5, Player.NORTH, MarriageDeclared(Player.NORTH, Suit.SPADES)),
        Tap(60.0, Player.SOUTH, Knocked(Player.SOUTH)),
        Tap(83.2, Player.NORTH, Claimed(Player.NORTH)),
        Tap(90.0, Player.SOUTH, RevokeCalled(Player.SOUTH)),
    )


def test_a_tap_names_its_source_as_the_log_does() -> None:
    """What came from north's phone is marked so."""
    assert Tap.from_json({"t": 1, "type": "claim", "player": 1}).source == "phone:north"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "JSON object"),
        ({"type": "claim", "player": 1}, "t: expected seconds"),
        ({"t": -1, "type": "claim", "player": 1}, "t: expected seconds"),
        ({"t": float("nan"), "type": "claim", "player": 1}, "t: expected seconds"),
        ({"t": True, "type": "claim", "player": 1}, "t: expected seconds"),
        ({"t": 1, "type": "claim", "player": True}, "player: expected"),
        ({"t": 1, "type": "claim"}, "player: expected"),
        ({"t": 1, "type": "claim", "player": 1.0}, "player: expected"),
        ({"t": 1, "type": "close", "player": 1, "before_draw": "yes"}, "before_draw: expected"),
        ({"t": 1, "player": 1}, "type: expected"),
        ({"t": 1, "type": "marriage", "player": 1, "suit": "X"}, "suit: expected"),
        ({"t": 1, "type": "marriage", "player": 1}, "suit: expected"),
    ],
)
def test_what_is_no_tap_is_named(value: object, words: str) -> None:
    """Each field that is missing or wrong is named with what was expected."""
    with pytest.raises(TapError, match=words):
        Tap.from_json(value)


def test_a_tap_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    """The file's name stands in the message."""
    with pytest.raises(TapError, match=r"gone\.jsonl: No such file"):
        read_taps(tmp_path / "gone.jsonl")
    with pytest.raises(TapError, match="is a folder, expected a file"):
        read_taps(tmp_path)


def test_a_tap_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """A video given by mistake is not read as taps."""
    path = tmp_path / "taps.mp4"
    path.write_bytes(bytes(range(256)))

    with pytest.raises(TapError, match="no text"):
        read_taps(path)


@pytest.mark.parametrize(
    "line",
    [
        '{"t": 1, "type": "marriage", "player": 1, "suit": ["H"]}',
        '{"t": 1' + "0" * 5000 + "}",
        "[" * 100_000,
    ],
    ids=["a suit that is a list", "a number of thousands of digits", "nested too deeply"],
)
def test_a_line_that_is_no_tap_is_named_whatever_it_is(tmp_path: Path, line: str) -> None:
    """File and line, as for any other."""
    path = tmp_path / "taps.jsonl"
    path.write_text(f'{{"t": 1, "type": "claim", "player": 1}}\n{line}\n', encoding="utf-8")
    with pytest.raises(TapError, match=r"taps\.jsonl, line 2: "):
        read_taps(path)


def test_a_line_ends_where_json_lines_end(tmp_path: Path) -> None:
    """Whatever an editor ends lines by; not within a text, as of a note that somebody has added."""
    path = tmp_path / "taps.jsonl"
    path.write_bytes(
        b'{"t": 1, "type": "claim", "player": 1, "note": "so\xe2\x80\xa8sagt er"}\r\n'
        b'{"t": 2, "type": "claim", "player": 1}\r\n'
    )
    assert [tap.time for tap in read_taps(path)] == [1.0, 2.0]


def test_a_mark_before_the_text_is_no_part_of_it(tmp_path: Path) -> None:
    """Some editors write one at the beginning of each file."""
    path = tmp_path / "taps.jsonl"
    path.write_text('{"t": 1, "type": "claim", "player": 1}\n', encoding="utf-8-sig")
    assert read_taps(path) == (Tap(1.0, Player.NORTH, Claimed(Player.NORTH)),)
