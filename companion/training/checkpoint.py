"""The checkpoint of a run, from which it goes on: read, looked at and written."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import nn

from companion.training.fault import TrainingError
from companion.training.run import CHECKPOINT
from companion.vision.fault import why_unreadable

__all__ = ["read_checkpoint", "write_checkpoint"]


def read_checkpoint(
    folder: Path, device: torch.device | str = "cpu", *, of: nn.Module | None = None, parts: str = ""
) -> dict[str, Any]:
    """Read what a run has come to.

    Args:
        folder: Of the run.
        device: Where its weights are wanted.
        of: The network that it has to be of.
        parts: Names of the weights that are wanted of it, with spaces between.

    Returns:
        `step` and `used` (seconds), weights by `network` and `average`, and `optimiser`.

    Raises:
        TrainingError: There is none, it is damaged, or of another network.
    """
    path = folder / CHECKPOINT
    try:
        # what is not looked at stays on the disk
        saved = torch.load(path, map_location=device, weights_only=True, mmap=of is None)
    except OSError as error:
        raise TrainingError(f"{path}: {why_unreadable(error)}") from error
    except Exception as error:  # torch raises many kinds, of its own, of pickles and of archives
        raise TrainingError(f"{path}: is damaged, or no checkpoint of a run") from error
    told = [saved.get(key) for key in ("step", "used")] if isinstance(saved, dict) else [None]
    if not all(isinstance(each, int | float) for each in told):
        raise TrainingError(f"{path}: no checkpoint of a run: it does not say how far that came")
    if of is not None:
        for part in parts.split():
            _check_fits(path, saved.get(part), of, part)
    return dict(saved)


def write_checkpoint(folder: Path, state: Mapping[str, Any]) -> None:
    """Write what a run has come to, in the place of what was there.

    Raises:
        TrainingError: It cannot be written, as on a full disk.
    """
    path = folder / CHECKPOINT
    half = path.with_suffix(".part")
    try:
        torch.save(dict(state), half)
        half.replace(path)
    except (OSError, RuntimeError) as error:  # torch's own writer raises the second
        half.unlink(missing_ok=True)
        why = error.strerror or error if isinstance(error, OSError) else "the disk may be full"
        raise TrainingError(f"{path}: cannot be written: {why}") from error


def _check_fits(path: Path, weights: object, network: nn.Module, part: str) -> None:
    """Raise an error where weights are not those of a network."""
    if not isinstance(weights, Mapping):
        raise TrainingError(f"{path}: no checkpoint of a run: it has no weights ({part})")
    wanted, told = _shapes(network.state_dict()), _shapes(weights)
    for name in {**wanted, **told}:
        if told.get(name) != wanted.get(name):
            kind = type(network).__name__
            has, wants = told.get(name, "missing"), wanted.get(name, "none such")
            raise TrainingError(f"{path}: of another network than {kind}: {name} is {has}, expected {wants}")


def _shapes(weights: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(getattr(each, "shape", ())) for name, each in weights.items()}
