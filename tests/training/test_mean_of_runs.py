"""What is exported of a run, and of several."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.training.export import averaged  # noqa: E402
from companion.training.networks import ButtonReader  # noqa: E402


def _run(folder: Path, weight: float, steps: int) -> Path:
    """A run all of whose measured weights are `weight`."""
    network = ButtonReader()
    state = {
        name: torch.full_like(value, weight) if value.is_floating_point() else value + steps
        for name, value in network.state_dict().items()
    }
    folder.mkdir()
    torch.save({"average": state, "step": steps, "used": 60.0 * steps}, folder / "checkpoint.pt")
    return folder


def test_several_runs_are_exported_as_their_mean(tmp_path: Path) -> None:
    """Each weight is the mean of theirs; what was counted, and the steps, are the last run's."""
    network, steps, seconds = averaged(
        "button", [_run(tmp_path / "a", 0.25, 3), _run(tmp_path / "b", 0.75, 5)]
    )

    for name, value in network.state_dict().items():
        assert bool((value == (0.5 if value.is_floating_point() else 5)).all()), name
    assert (steps, seconds) == (5, 300.0)


def test_one_run_is_exported_as_it_is(tmp_path: Path) -> None:
    """Nothing is averaged with it."""
    network, steps, _ = averaged("button", [_run(tmp_path / "a", 0.25, 3)])

    assert bool((next(network.parameters()) == 0.25).all())
    assert steps == 3
