"""What is typed after a command: read in one way by all of them, and refused in one line."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import NoReturn

__all__ = ["Parser", "add_threads", "amount", "share", "whole"]

_MOST_THREADS = 64
"""More only wait for each other, and each takes memory."""
_SHOWN = 20
"""So much of what cannot be read is repeated."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong with the arguments in one line."""

    def error(self, message: str) -> NoReturn:
        """End the command with exit status 2."""
        name = self.prog.removeprefix("python -m ")
        self.exit(2, f"{name}: {' '.join(message.split())} (see {self.prog} --help)\n")


def whole(least: int, most: int | None = None) -> Callable[[str], int]:
    """Read a whole number of at least `least`, and at most `most`.

    >>> whole(1, 64)("8")
    8
    """
    span = f"from {least} on" if most is None else f"from {least} to {most}"

    def read(text: str) -> int:
        # `int` takes what nobody means as a number, and of ten thousand digits takes its time
        number = int(text) if text.isdecimal() and len(text) <= _SHOWN else -1
        if number < least or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{text[:_SHOWN]!r} is no number {span}")
        return number

    return read


def amount(what: str, most: float | None = None) -> Callable[[str], float]:
    """Read a number above 0, of `minutes` for example, and up to `most`.

    >>> amount("minutes")("2.5")
    2.5
    """
    span = "above 0" if most is None else f"up to {most:g}"

    def read(text: str) -> float:
        number = _number(text)
        if not 0 < number < math.inf or (most is not None and number > most):
            raise argparse.ArgumentTypeError(f"{text[:_SHOWN]!r} is no {what} {span}")
        return number

    return read


def share(text: str) -> float:
    """Read a number from 0 to 1."""
    number = _number(text)
    if not 0 <= number <= 1:
        raise argparse.ArgumentTypeError(f"{text[:_SHOWN]!r} is no number from 0 to 1")
    return number


def add_threads(parser: argparse.ArgumentParser, usual: int) -> None:
    """Let a command be told how many threads the networks have."""
    parser.add_argument(
        "--threads",
        type=whole(1, _MOST_THREADS),
        default=usual,
        metavar="N",
        help=f"threads of the networks (default: {usual})",
    )


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return math.nan
