"""The command `companion`: what there is, and how each failure ends in one line.

Exit status 0: done. 2: input that cannot be used, named in one line on stderr. 1: a fault of the
program itself, in one line too; with `COMPANION_DEBUG=1` the whole trace.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from typing import TextIO, cast

from companion import __version__
from companion.arguments import Parser
from companion.commands import (
    bench,
    deck,
    demo,
    doctor,
    history,
    recognize,
    replay,
    review,
    serve,
    sessions,
    solve,
    watch,
)
from companion.commands.fault import FAULTS
from companion.commands.terminal import Output, OutputError

__all__ = ["COMMANDS", "build_parser", "main"]

COMMANDS = (serve, demo, recognize, watch, sessions, history, replay, review, solve, deck, doctor, bench)
"""The commands there are, in the order of the help text; what each module holds: `companion.commands`."""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Keeps the paragraphs of a text, and each option on one line."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=32, width=100)


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    parser = Parser(
        prog="companion",
        description="Keeps score of Schnapsen played with real cards: a camera reads the table,"
        " phones show the game.",
        formatter_class=_Help,
    )
    parser.add_argument("-V", "--version", action="version", version=f"companion {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True, parser_class=Parser)
    for module in COMMANDS:
        command = commands.add_parser(
            module.NAME,
            help=module.HELP,
            description=module.__doc__,
            formatter_class=_Help,
        )
        module.configure(command)
        command.set_defaults(run=module.run)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status; see the module's text for what it means."""
    if sys.stderr is None:  # closed by who started this: what goes nowhere must not come out with the answers
        # nor into a file: the next to be opened would have this number
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        sys.stderr = open(2, "w", encoding="utf-8")  # noqa: SIM115 - as long as the process lives
    try:
        options = build_parser().parse_args(arguments)
        with contextlib.redirect_stdout(cast(TextIO, Output(sys.stdout))):
            status = int(options.run(options))
            sys.stdout.flush()
        return status
    except FAULTS as error:
        return _said(str(error), 2)
    except OutputError as error:
        _drop_output()
        return _said(str(error), 2)
    except BrokenPipeError:  # whoever read the output has enough
        _drop_output()
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        if os.environ.get("COMPANION_DEBUG"):
            raise
        if isinstance(error, PermissionError | NotADirectoryError) and error.filename is not None:
            return _said(f"{error.filename}: {error.strerror}", 2)
        return _said(f"failed: {type(error).__name__}: {error} (COMPANION_DEBUG=1 shows where)", 1)


def _drop_output() -> None:
    """Have what stdout still holds go nowhere: it would fail once more at the end of the process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _said(message: str, status: int) -> int:
    print(f"companion: {' '.join(message.split())}", file=sys.stderr)
    return status
