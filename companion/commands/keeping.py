"""A sitting kept for as long as a command runs, where that was asked for; it says so."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import asset

if TYPE_CHECKING:
    from companion.bundle.recorder import Recorder

__all__ = ["add_keep", "keeping"]


def add_keep(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for it."""
    parser.add_argument(
        "--keep",
        nargs="?",
        const="",
        metavar="DIR",
        help="keep the sitting, with pictures, as one file (default: in the folder of the records)",
    )


@contextlib.contextmanager
def keeping(option: str | None, data: Path, source: str) -> Iterator[Recorder | None]:
    """Give what keeps the sitting; `None`: it is not kept.

    Args:
        option: What `--keep` said.
        data: The data folder.
        source: What is looked at.

    Raises:
        BundleError: It cannot be kept where it was asked for.
    """
    from companion.bundle.consent import asked_for

    folder = asked_for(option, data)
    if folder is None:
        yield None
        return
    from companion.bundle.recorder import Recorder
    from companion.bundle.shelf import begin

    bundle = begin(folder, source=source, at=datetime.now().astimezone(), models=asset("models"))
    print(f"companion: this sitting is kept, with pictures, in {bundle.path}", file=sys.stderr)
    try:
        yield Recorder(bundle)
    finally:
        bundle.close()
        if bundle.failed:
            print(f"companion: {bundle.path}: {bundle.failed}; it ends early", file=sys.stderr)
