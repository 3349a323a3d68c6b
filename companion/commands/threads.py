"""How many threads the networks of a command may use."""

from __future__ import annotations

import argparse

__all__ = ["add_threads"]

MOST = 64
"""More only wait for each other, and each takes memory."""


def add_threads(parser: argparse.ArgumentParser, usual: int) -> None:
    """Let a command be told how many threads the networks have."""
    parser.add_argument(
        "--threads",
        type=_count,
        default=usual,
        metavar="N",
        help=f"threads of the networks (default: {usual})",
    )


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is no number from 1 to {MOST}")
    return int(text)
