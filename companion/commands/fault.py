"""What counts as input that cannot be used: the errors that end a command with exit status 2."""

from __future__ import annotations

from pathlib import Path

from companion.config import AssetError, HomeError
from companion.rules.record import RecordError
from companion.rules.ruleset import RuleSetError
from companion.store.log import LogError
from companion.vision.fault import DeckError, ModelError, SourceError, why_unreadable
from companion.watch.taps import TapError

__all__ = ["FAULTS", "Fault", "unreadable"]


class Fault(Exception):  # noqa: N818 - named for what the user is told
    """Input that cannot be used; the message names it and what is wrong with it."""


def unreadable(path: Path, error: OSError) -> Fault:
    """Return what is said of a file that cannot be read."""
    return Fault(f"{path}: {why_unreadable(error)}")


FAULTS = (
    Fault,
    AssetError,
    DeckError,
    HomeError,
    LogError,
    ModelError,
    RecordError,
    RuleSetError,
    SourceError,
    TapError,
)
"""Every error whose message names an input and what is wrong with it."""
