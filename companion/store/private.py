"""SQLite files that are their owner's alone: who played what with whom, and pictures of the room."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

__all__ = ["keep_private"]


def keep_private(path: Path) -> None:
    """See that nobody but its owner may read the file at `path`; where there is none an empty one is made.

    What SQLite lays beside it from then on is as private. Where this cannot be done, as on a stick whose file
    system knows no owners, the file is used as it is: SQLite says what is wrong with one that cannot be used.
    """
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    for each in (path, *(path.with_name(path.name + ending) for ending in ("-wal", "-shm"))):
        if each.is_file():
            with contextlib.suppress(OSError):
                each.chmod(0o600)
