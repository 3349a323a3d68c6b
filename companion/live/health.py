"""How the table's eyes and memory are: shown on every phone."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

__all__ = ["Health", "Record", "Sight"]


class Sight(Enum):
    """What the camera does."""

    NONE = "none"
    """There is no camera: the phones tell everything."""
    STARTING = "starting"
    WATCHING = "watching"
    LOST = "lost"
    """No picture has come for a while, or a stage failed; it is tried again."""
    ENDED = "ended"
    """A recording has come to its end."""


class Record(Enum):
    """Whether what happens is written down."""

    KEPT = "kept"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Health:
    """How the table's eyes and memory are.

    Attributes:
        sight: What the camera does.
        why: What failed, in English as in the log file; empty while nothing does.
        record: Whether events are written down.
        table: Whether it is known where in the picture the table lies; else the camera stands otherwise than
            when that was set, or nobody can tell, and the whole picture counts as table.
        steady: False while the picture shakes, or drops out, so often that much of what happens is not seen.
        dense: False while looks at the table are again and again so far apart that what happens in between is
            missed: the computer does not keep up, or the camera gives too few pictures.
        sitting_kept: False once a sitting that was to be kept as a file is kept no more.
    """

    sight: Sight = Sight.NONE
    why: str = ""
    record: Record = Record.KEPT
    table: bool = True
    steady: bool = True
    dense: bool = True
    sitting_kept: bool = True
