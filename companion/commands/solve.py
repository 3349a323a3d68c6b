"""Best play with open cards: the exact value of positions and of everything the leader may do.

FILE holds positions as JSON Lines (docs/solver.md). Values are game points for south, the player at
the camera's bottom edge; negative: north wins them. A line that is no position is reported with its
number, and the rest is done; the exit status is 2 where the file cannot be read or holds no position.
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
from companion.rules.event_form import RecordError, event_to_json
from companion.rules.ruleset import RuleSetError
from companion.solver.position import Position, PositionError

NAME = "solve"
HELP = "best play from positions with open cards"

_MOST_LINE_BYTES = 1 << 20  # a position has a few hundred bytes; a longer line is none


def configure(parser: argparse.ArgumentParser) -> None:
    """Say which arguments there are."""
    parser.add_argument("file", metavar="FILE", type=Path, help="positions, one a line")
    parser.add_argument("--json", action="store_true", help="JSON Lines, one a position")
    parser.add_argument("--line", action="store_true", help="also the best play by both to the end")


def run(options: argparse.Namespace) -> int:
    """Solve every position; 2 where there was none."""
    progress = Progress("positions")
    solved = 0
    first_error = ""
    for answer in solutions(options.file, options.line):
        print_json(answer) if options.json else print(described(answer), flush=True)
        solved += "error" not in answer
        first_error = first_error or answer.get("error", "")
        progress.at(answer["index"] + 1)
    progress.done()
    if solved:
        return 0
    print(f"companion: {options.file}: {first_error or 'no position in it'}", file=sys.stderr)
    return 2


def solutions(path: Path, with_line: bool) -> Iterator[dict[str, Any]]:
    """The answer to each position of a file, in turn.

    Raises:
        Fault: The file cannot be read.
    """
    from companion.solver.line import best_line
    from companion.solver.solve import Solver

    solver = Solver()
    for index, (number, text) in enumerate(_lines(path)):
        try:
            position = Position.from_json(_parsed(text))
        except (PositionError, RecordError, RuleSetError) as error:
            yield {"index": index, "error": f"line {number}: {error}"}
            continue
        solution = solver.solve(position)
        answer = {"index": index, "value": solution.value, "actions": dict(solution.actions)}
        if with_line:
            answer["line"] = [event_to_json(event) for event in best_line(solver, position)]
        yield answer


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Each line that is not empty, with its number."""
    try:
        with path.open("rb") as file:
            lines, number = Lines(file, _MOST_LINE_BYTES), 0
            while line := lines.next():
                number += 1
                if number == 1 and is_binary(line):
                    raise Fault(f"{path}: the file holds no text")
                if line.strip():
                    yield number, line
    except OSError as error:
        raise unreadable(path, error) from error


def _parsed(text: bytes) -> object:
    try:
        return json.loads(text)
    except UnicodeDecodeError:
        raise PositionError("it is no text") from None
    except json.JSONDecodeError as error:
        raise PositionError(f"it is no JSON: {error.msg}, column {error.colno}") from None
    except RecursionError:
        raise PositionError("it is nested too deeply") from None
    except ValueError:  # a number of thousands of digits
        raise PositionError("it is no JSON: a number has too many digits") from None


def described(answer: dict[str, Any]) -> str:
    """An answer for people to read, its actions best first for whoever is on lead."""
    number = answer["index"] + 1
    if "error" in answer:
        return f"{number}: no position: {answer['error']}"
    actions = sorted(answer["actions"].items(), key=lambda each: (each[1] != answer["value"], each[0]))
    said = ", ".join(f"{name} {value:+d}" for name, value in actions)
    text = f"{number}: {_outcome(answer['value'])} ({said})"
    if "line" in answer:
        text += f"\n   {' '.join(_move(each) for each in answer['line'])}"
    return text


def _outcome(value: int) -> str:
    if value == 0:
        return "nobody scores"
    points = abs(value)
    return f"{'south' if value > 0 else 'north'} wins {points} game point{'s' if points != 1 else ''}"


def _move(event: dict[str, Any]) -> str:
    what = event.get("card") or event.get("suit") or ""
    kind = "" if event["type"] == "play" else event["type"] + ("-" if what else "")
    return f"{'SN'[event['player']]}:{kind}{what}"
