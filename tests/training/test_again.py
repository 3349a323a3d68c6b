"""The order in which the models are made again."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch", reason="training needs the train extra")

from companion.training.__main__ import steps


def _of(network: str, commands: list[list[str]]) -> list[list[str]]:
    return [command for command in commands if len(command) > 1 and command[1] == network]


def test_training_goes_on_from_the_shipped_files(tmp_path: Path) -> None:
    """Art where there is none, then thaw, train and export of each network, figures last."""
    commands = list(steps(tmp_path / "art", tmp_path / "runs", tmp_path / "out", 100, fresh=False))

    assert [command[0] for command in commands[:4]] == ["art", "thaw", "train", "export"]
    assert [command[0] for command in _of("classifier", commands)] == ["thaw", "train", "export"]
    assert commands[-1][0] == "evaluate"
    minutes = [
        float(command[command.index("--minutes") + 1]) for command in commands if command[0] == "train"
    ]
    assert sum(minutes) == pytest.approx(100, abs=0.1)


def test_a_fresh_run_begins_from_nothing(tmp_path: Path) -> None:
    """Only what finds indices begins from what finds cards, the one that was made just now."""
    out = tmp_path / "out"
    commands = list(steps(tmp_path, tmp_path / "runs", out, 100, fresh=True))

    thawed = [command for command in commands if command[0] == "thaw"]
    assert [(command[1], command[command.index("--of") + 1]) for command in thawed] == [("index", "locator")]
    assert thawed[0][thawed[0].index("--models") + 1] == str(out)


def test_a_run_that_was_begun_goes_on(tmp_path: Path) -> None:
    """It is not thawed again, which would lose what it has learnt."""
    begun = tmp_path / "runs" / "refiner" / "checkpoint.pt"
    begun.parent.mkdir(parents=True)
    begun.touch()
    commands = list(steps(tmp_path, tmp_path / "runs", tmp_path / "out", 100, fresh=False))

    assert [command[0] for command in _of("refiner", commands)] == ["train", "export"]
