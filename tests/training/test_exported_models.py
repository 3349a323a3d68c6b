"""What an export leaves in the folder of the models."""

from __future__ import annotations

import hashlib
import tomllib
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.training import export  # noqa: E402
from companion.training.networks import ButtonReader  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's older way to ONNX
NAMES = ["card-button.onnx", "card-button.toml"]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of the smallest network but one that has learnt nothing."""
    folder = tmp_path / "run"
    folder.mkdir()
    torch.manual_seed(1)
    weights = ButtonReader().state_dict()
    torch.save({"average": weights, "step": 3, "used": 90.0}, folder / "checkpoint.pt")
    (folder / "run.json").write_text('{"network": "button", "minutes": 1.5}')
    return folder


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A folder with an older file and its card."""
    folder = tmp_path / "models"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_text("old")
    return folder


def told(path: Path, kind: str, art: Path, crops: int):
    """Answers to four pictures, three of them right, however many were asked for."""
    return torch.eye(3)[[0, 1, 2, 2]] * 4, torch.tensor([0, 1, 2, 0])


def exported(run: Path, shipped: Path) -> None:
    """Export, in 16 bits: for 8 there would have to be art."""
    assert export.main(["button", "--run", str(run), "--out", str(shipped), "--bits", "16"]) == 0


def test_an_export_replaces_file_and_card(run: Path, shipped: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both are new, the card has the file's checksum, and nothing else is left there."""
    monkeypatch.setattr(export, "_answers", told)
    exported(run, shipped)

    assert sorted(path.name for path in shipped.iterdir()) == NAMES
    card = tomllib.loads((shipped / NAMES[1]).read_text())
    assert card["sha256"] == hashlib.sha256((shipped / NAMES[0]).read_bytes()).hexdigest()
    assert (card["training"]["steps"], card["training"]["minutes"]) == (3, 1.5)


@pytest.mark.parametrize("fault", [RuntimeError, KeyboardInterrupt])
@pytest.mark.parametrize("step", ["_write", "_halve", "_answers", "_commit"])
def test_an_export_that_fails_changes_nothing(
    step: str, fault: type[BaseException], run: Path, shipped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """File and card are as they were, wherever it was cut off, and what was made half is gone."""

    def fail(*args) -> None:
        raise fault(step)

    monkeypatch.setattr(export, "_answers", told)
    monkeypatch.setattr(export, step, fail)
    with pytest.raises(fault, match=step):
        exported(run, shipped)

    assert {path.name: path.read_text() for path in shipped.iterdir()} == dict.fromkeys(NAMES, "old")
