"""The folder of the records, as commands are told it."""

from __future__ import annotations

import argparse
from pathlib import Path

__all__ = ["add_data", "add_tables", "told_folder"]


def add_data(
    parser: argparse.ArgumentParser, told: str = "folder of the records", default: Path | None = None
) -> None:
    """Add the option that names it; `told` says in the help what for."""
    parser.add_argument("--data", type=told_folder, metavar="DIR", default=default, help=told)


def add_tables(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the folders of one table or of several; not given: `None`."""
    told = "folder of the records; of several tables each its own"
    parser.add_argument("--data", type=told_folder, metavar="DIR", nargs="+", action="extend", help=told)


def told_folder(text: str) -> Path:
    """A folder that is there, or may be made; an empty text would be the one that one is in."""
    if not text:
        raise argparse.ArgumentTypeError("'' names no folder")
    path = Path(text)
    try:
        there = next((each for each in (path, *path.parents) if each.exists()), path)
        is_file = there.exists() and not there.is_dir()
    except OSError as error:  # it lies where one may not look, or its name is too long
        raise argparse.ArgumentTypeError(f"{text}: {error.strerror or error}") from error
    if is_file:
        raise argparse.ArgumentTypeError(f"{there} is a file, expected a folder")
    return path
