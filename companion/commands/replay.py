"""Play recorded hands through the rules: who won, what it paid, which rules were broken.

FILE holds hand records as JSON Lines, or one record over several lines. A record that cannot
have happened is reported, and the rest is done; the exit status is 2 where a file cannot be
read or none of its records could be played.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.commands.fault import Fault
from companion.commands.terminal import Progress, print_json
from companion.rules.cards import Player
from companion.rules.record import replay_json

NAME = "replay"
HELP = "hand records through the rules"

_MOST_LINE_BYTES = 1 << 20  # a record has a few kilobytes; a longer line is no record


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="hand records, JSON Lines")
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a record")
    parser.add_argument(
        "--legal",
        action="store_true",
        help="with --json and full information: what was allowed before each event",
    )


def run(options: argparse.Namespace) -> int:
    """Replay every record; 2 where a file held none that could be played."""
    progress = Progress("records")
    index = 0
    faults: list[str] = []
    for path in options.files:
        played = refused = 0
        for text in records(path):
            line = replay_json(text, index, options.legal)
            print_json(line) if options.json else print(described(line), flush=True)
            refused += "error" in line
            played += "error" not in line
            index += 1
            progress.at(index)
        if not played:
            faults.append(f"{path}: {'none of its records can be played' if refused else 'no record in it'}")
    progress.done()
    for fault in faults:
        print(f"companion: {fault}", file=sys.stderr)
    return 2 if faults else 0


def records(path: Path) -> Iterator[str]:
    """The texts of the records in a file, one a line; a file that is one JSON object is one record.

    Raises:
        Fault: The file cannot be read.
    """
    try:
        with path.open("rb") as file:
            first = file.readline(_MOST_LINE_BYTES + 1)
            if first.strip() == b"{" or (first.strip() and not first.rstrip().endswith((b"}", b"]"))):
                whole = first + file.read(_MOST_LINE_BYTES)
                if whole.rstrip().endswith(b"}"):
                    yield _text(path, whole)
                    return
            file.seek(0)
            while line := file.readline(_MOST_LINE_BYTES + 1):
                if line.strip():
                    yield _text(path, line)
    except OSError as error:
        raise Fault(f"{path}: {error.strerror or error}") from error


def _text(path: Path, line: bytes) -> str:
    if b"\0" in line:
        raise Fault(f"{path}: the file holds no text")
    return line.decode("utf-8", errors="replace").strip()


def described(line: dict[str, Any]) -> str:
    """A record's line for people to read."""
    number = line["index"] + 1
    if "error" in line:
        return f"{number}: cannot have happened: {line['error']}"
    south, north = (_points(each) for each in line["card_points"])
    reason = line["reason"].replace("_", " ")
    if line["winner"] is None:
        outcome = f"nobody scores ({reason})"
    else:
        points = line["game_points"]
        name = Player(line["winner"]).name.lower()
        outcome = f"{name} wins {points} game point{'s' if points != 1 else ''} ({reason})"
    broken = "".join(
        f"\n   rule {each['clause']} broken by {Player(each['player']).name.lower()}:"
        f" {each['breach'].replace('_', ' ')}"
        for each in line["breaches"]
    )
    return f"{number}: {outcome}, card points south {south}, north {north}{broken}"


def _points(value: int | list[int]) -> str:
    return f"{value[0]} to {value[1]}" if isinstance(value, list) else str(value)
