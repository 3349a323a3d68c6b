"""A training run's folder: a checkpoint, and in `run.json` what was done with the run.

Older runs have the settings of their latest start alone there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from companion.training.fault import TrainingError
from companion.vision.fault import why_unreadable

__all__ = ["CHECKPOINT", "Run", "checksum", "make_folder", "starts_of"]

CHECKPOINT = "checkpoint.pt"
"""File of a run's folder from which it goes on."""
_RUN = "run.json"


@dataclass(frozen=True, slots=True)
class Run:
    """What was done with a run.

    Attributes:
        starts: The settings of every start, and `from_step`, the step at which it began; before them those
            of the file that the run began with.
        file: SHA-256 of that file, None where the run began from nothing.
        steps_before: Steps that the file had behind it.
        minutes_before: The minutes that these took, as far as its card says.
        exported: SHA-256 of the file that was made of the run last.
        exported_step: The step at which that was.
    """

    starts: Sequence[Mapping[str, Any]] = ()
    file: str | None = None
    steps_before: int = 0
    minutes_before: float = 0.0
    exported: str | None = None
    exported_step: int | None = None

    @classmethod
    def read(cls, folder: Path) -> Run:
        """Read what stands in a run's folder; nothing was done where nothing stands.

        Raises:
            TrainingError: It cannot be read, or does not tell of a run.
        """
        path = folder / _RUN
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(data, dict):
                raise TypeError("expected names with values")
            run = cls(**data) if "starts" in data else cls(starts_of(data))
            if not all(isinstance(start, dict) for start in run.starts):
                raise TypeError("a start has no settings")
            if not all(isinstance(each, int | float) for each in (run.steps_before, run.minutes_before)):
                raise TypeError("steps and minutes before are no numbers")
            return run
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise TrainingError(f"{path}: {why_unreadable(error)}") from error
        except (ValueError, TypeError) as error:
            raise TrainingError(f"{path}: does not tell of a run: {error}") from error

    def write(self, folder: Path) -> None:
        """Write it into a run's folder.

        Raises:
            TrainingError: It cannot be written.
        """
        path = folder / _RUN
        half = path.with_suffix(".part")
        try:
            half.write_text(json.dumps(asdict(self), indent=1) + "\n", encoding="utf-8")
            half.replace(path)
        except OSError as error:
            raise TrainingError(f"{path}: cannot be written: {error.strerror or error}") from error


def starts_of(settings: Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """The starts that a model card's settings tell of; older cards have those of the last alone.

    >>> starts_of({"seed": 1})
    ({'seed': 1},)
    """
    return (settings,) if isinstance(settings, Mapping) else tuple(settings)


def checksum(path: Path) -> str:
    """SHA-256 of a file, as model cards have it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def make_folder(parser: argparse.ArgumentParser, option: str, folder: Path) -> None:
    """Make the folder that an option of a command names, or end the command and say why it cannot be made."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{option} {folder}: cannot be made: {error.strerror or error}")
