"""Play recorded hands through the rules: who won, what it paid, which rules were broken.

FILE holds hand records as JSON Lines, one record over several lines, or hands in the text notation
`.hand`. A record that is damaged or cannot have happened is reported with its line, and the rest
is done; the exit status is 2 where a file cannot be read or none of its records could be played.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.commands.fault import Fault, unreadable
from companion.commands.lines import Lines, is_binary
from companion.commands.terminal import Progress, print_json
from companion.rules.cards import Player
from companion.rules.notation import read_each
from companion.rules.record import Record, RecordError, replay_json, replay_record

NAME = "replay"
HELP = "hand records through the rules"

_MOST_LINE_BYTES = 1 << 20  # a record has a few kilobytes; a longer line is no record


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", type=Path, help="hand records, JSON Lines or .hand"
    )
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a record")
    parser.add_argument(
        "--legal",
        action="store_true",
        help="with --json and full information: what was allowed before each event",
    )


def run(options: argparse.Namespace) -> int:
    """Replay every record of every file; 2 where one cannot be read, or held none that could be played."""
    progress = Progress("records")
    index = 0
    faults: list[str] = []
    for path in options.files:
        played = refused = 0
        try:
            for line in replayed(path, index, options.legal):
                print_json(line) if options.json else print(described(line), flush=True)
                refused += "error" in line
                played += "error" not in line
                index += 1
                progress.at(index)
        except Fault as error:
            faults.append(str(error))
            continue
        if not played:
            faults.append(f"{path}: {'none of its records can be played' if refused else 'no record in it'}")
    progress.done()
    for fault in faults:
        print(f"companion: {fault}", file=sys.stderr)
    return 2 if faults else 0


def replayed(path: Path, first: int, legal: bool) -> Iterator[dict[str, Any]]:
    """What `companion.rules.record.replay_record` says of each record in a file, in turn.

    Args:
        path: A file of either form.
        first: Number of its first record.
        legal: Whether to say what was allowed.

    Raises:
        Fault: The file cannot be read.
    """
    for index, (line, record) in enumerate(records(path), first):
        if isinstance(record, RecordError):
            yield {"index": index, "error": str(record)}
            continue
        if isinstance(record, Record):
            answer = replay_record(record, index, legal)
        else:
            answer = replay_json(record, index, legal)
        if "error" in answer:
            answer["error"] = f"line {line}: {answer['error']}"
        yield answer


def records(path: Path) -> Iterator[tuple[int, str | Record | RecordError]]:
    """The records in a file, each with the number of its first line.

    Those in the text notation have been read; of JSON it is the text, one a line, or of the whole
    file where that is one JSON object.

    Raises:
        Fault: The file cannot be read.
    """
    try:
        with path.open("rb") as file:
            lines = Lines(file, _MOST_LINE_BYTES, twice=True)
            begins, first = 1, lines.next()
            while first and (not first.strip() or first.lstrip().startswith(b"#")):
                begins, first = begins + 1, lines.next()
            if is_binary(first):
                raise Fault(f"{path}: the file holds no text")
            if path.suffix == ".hand" or first.split()[:1] == [b".hand"]:
                lines.begin_again()
                yield from _hands(lines)
                return
            if first and not _is_object(first):
                whole = first
                while len(whole) <= _MOST_LINE_BYTES and (line := lines.next()):
                    whole += line
                if _is_object(whole) or _is_laid_out(first, whole):
                    yield begins, _text(whole)
                    return
            lines.begin_again()
            number = 0
            while line := lines.next():
                number += 1
                if line.strip():
                    yield number, _text(line)
    except OSError as error:
        raise unreadable(path, error) from error


def _is_object(text: bytes) -> bool:
    try:
        return isinstance(json.loads(text.decode("utf-8", errors="replace")), dict)
    except (ValueError, RecursionError):
        return False


def _is_laid_out(first: bytes, whole: bytes) -> bool:
    """Whether a text that is no JSON was to be one object over several lines, and no lines of objects."""
    begun = first.strip() == b"{" or not first.rstrip().endswith((b"}", b"]"))
    return begun and whole.rstrip().endswith(b"}") and b"\n{" not in whole


def _hands(lines: Lines) -> Iterator[tuple[int, Record | RecordError]]:
    for read in read_each(_text(line) for line in iter(lines.next, b"")):
        if isinstance(read.what, Record | RecordError):
            yield read.line, read.what


def _text(line: bytes) -> str:
    return line.decode("utf-8", errors="replace").strip()


def described(line: dict[str, Any]) -> str:
    """A record's line for people to read."""
    number = line["index"] + 1
    if "error" in line:
        return f"{number}: cannot be played: {line['error']}"
    broken = "".join(
        f"\n   rule {each['clause']} broken by {Player(each['player']).name.lower()}:"
        f" {each['breach'].replace('_', ' ')}{', taken back' if 'taken_back' in each else ''}"
        for each in line["breaches"]
    )
    other = f"\n   the record says: {_outcome(line['recorded'])}" if "recorded" in line else ""
    return f"{number}: {_outcome(line)}{broken}{other}"


def _outcome(result: dict[str, Any]) -> str:
    """How a hand ended, by the rules or by its record."""
    south, north = (_points(each) for each in result["card_points"])
    reason = result["reason"].replace("_", " ")
    if result["winner"] is None:
        outcome = "not decided" if reason == "open" else f"nobody scores ({reason})"
    else:
        points = result["game_points"]
        name = Player(result["winner"]).name.lower()
        outcome = f"{name} wins {points} game point{'s' if points != 1 else ''} ({reason})"
    return f"{outcome}, card points south {south}, north {north}"


def _points(value: int | list[int]) -> str:
    return f"{value[0]} to {value[1]}" if isinstance(value, list) else str(value)
