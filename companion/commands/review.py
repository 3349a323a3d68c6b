"""A played hand afterwards: its story, what was missed, and what each decision was worth.

FILE holds hand records as `companion replay` reads them: JSON Lines, one record over several lines, or the
text notation `.hand`. Decisions are judged on what the player could know then (docs/review.md). A record that
is damaged or cannot have happened is reported with its line, and the rest is done; the exit status is 2 where
the file cannot be read or none of its records could be reviewed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from companion.commands.replay import records
from companion.commands.terminal import Progress, print_json
from companion.rules.hand import ImpossibleEvent
from companion.rules.record import Record, RecordError

NAME = "review"
HELP = "a played hand, analysed"


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument("file", metavar="FILE", type=Path, help="hand records, JSON Lines or .hand")
    parser.add_argument("--json", action="store_true", help="JSON Lines: the hand, its decisions, the review")


def run(options: argparse.Namespace) -> int:
    """Review every hand; 2 where there was none."""
    from companion.review.report import report

    progress = Progress("decisions")
    reviewed = judged = 0
    first_error = ""
    for index, (line, record) in enumerate(records(options.file)):
        try:
            for part in report(_read(record), index):
                judged += part.data["type"] == "decision"
                progress.at(judged)
                if options.json:
                    print_json(part.data)
                elif part.text:
                    progress.done()
                    print(f"{part.text}\n", flush=True)
            reviewed += 1
        except (RecordError, ImpossibleEvent) as error:
            said = str(error) if error is record else f"line {line}: {error}"  # a .hand tells its line
            first_error = first_error or said
            print_json({"index": index, "error": said}) if options.json else print(f"{index + 1}: {said}")
    progress.done()
    if reviewed:
        return 0
    print(f"companion: {options.file}: {first_error or 'no record in it'}", file=sys.stderr)
    return 2


def _read(record: str | Record | RecordError) -> Record:
    """Return a record read from a file.

    Raises:
        RecordError: It is damaged.
    """
    if isinstance(record, RecordError):
        raise record
    return Record.parse(record) if isinstance(record, str) else record
