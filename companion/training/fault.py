"""How a training command ends that was given what cannot be used: in one line, as all others."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import ParamSpec

from companion.synth.pack import ArtError
from companion.vision.fault import DeckError, ModelError, SourceError, why_unreadable

__all__ = ["TrainingError", "in_one_line"]

_P = ParamSpec("_P")


class TrainingError(ValueError):
    """A run, a file or a folder that training cannot use; the message names it and what is wrong."""


def in_one_line(command: str) -> Callable[[Callable[_P, int]], Callable[_P, int]]:
    """Have a command's `main` name in one line what it cannot use, and end with 2.

    Args:
        command: Its name within `companion.training`, empty for the package's own.
    """
    name = ".".join(["companion.training", *filter(None, [command])])

    def ending(main: Callable[_P, int]) -> Callable[_P, int]:
        @functools.wraps(main)
        def ended(*arguments: _P.args, **named: _P.kwargs) -> int:
            try:
                return main(*arguments, **named)
            except (ArtError, DeckError, ModelError, SourceError, TrainingError) as error:
                said = str(error)
            except OSError as error:
                if error.filename is None:
                    raise
                said = f"{error.filename}: {why_unreadable(error)}"
            print(f"{name}: {' '.join(said.split())}", file=sys.stderr)
            return 2

        return ended

    return ending
