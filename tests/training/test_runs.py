"""What is written down of a run, from the file it begins with to the file that is made of it."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.config import asset  # noqa: E402
from companion.synth.pack import ArtError  # noqa: E402
from companion.training import export, thaw, train  # noqa: E402
from companion.training.run import Run, checksum  # noqa: E402
from companion.training.train import KINDS, Settings  # noqa: E402

SHIPPED = asset("models") / "card-button.onnx"
CARD = tomllib.loads(SHIPPED.with_suffix(".toml").read_text())["training"]
SETTINGS = Settings("button", 0.005, batch=2, workers=0)
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's older way to ONNX


class Noise(torch.utils.data.IterableDataset):
    """Discs on which nothing is printed."""

    def __init__(self, packs, seed, letters) -> None:
        self._seed = seed

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        drawn = torch.Generator().manual_seed(self._seed)
        while True:
            picture = torch.randint(0, 256, (3, 48, 48), generator=drawn, dtype=torch.uint8)
            yield picture, torch.tensor(2)


@pytest.fixture(autouse=True)
def without_art(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is drawn of packs."""
    monkeypatch.setitem(KINDS, "button", replace(KINDS["button"], data=Noise))
    for module in (thaw, train):
        monkeypatch.setattr(module, "load_packs", lambda art: [])
        monkeypatch.setattr(module, "Letters", lambda folder: None)


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that begins with the shipped file."""
    folder = tmp_path / "button"
    assert thaw.main(["button", "--models", str(SHIPPED.parent), "--out", str(folder)]) == 0
    return folder


def trained(run: Path, seed: int, minutes: float) -> None:
    """Train until the run has taken so long."""
    train.train(replace(SETTINGS, seed=seed, minutes=minutes), Path("art"), run)


def test_a_thawed_run_knows_the_file_and_what_it_had_behind_it(run: Path) -> None:
    """Its checksum, its steps and minutes, and with which settings they were made."""
    found = Run.read(run)

    assert found.file == checksum(SHIPPED)
    assert (found.steps_before, found.minutes_before) == (CARD["steps"], CARD["minutes"])
    assert list(found.starts) == [json.loads(CARD["settings"])]


def test_every_start_of_a_run_is_kept(run: Path) -> None:
    """A later start takes the place of none; each says at which step it began."""
    trained(run, 77, 0.005)
    between = torch.load(run / "checkpoint.pt", weights_only=True)["step"]
    trained(run, 1, 0.01)

    starts = Run.read(run).starts
    assert [start["seed"] for start in starts[-2:]] == [77, 1]
    assert [start["from_step"] for start in starts[-2:]] == [CARD["steps"], between]


def test_the_card_counts_what_was_before_and_what_was_measured(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Steps and minutes are all there were, those of the file apart; crops are those that were looked at."""
    monkeypatch.setattr(
        export, "_answers", lambda *_: (torch.eye(3).repeat(17, 1), torch.arange(3).repeat(17))
    )
    trained(run, 77, 0.005)
    export.main(["button", "--run", str(run), "--out", str(tmp_path), "--bits", "16", "--crops", "30"])

    card = tomllib.loads((tmp_path / "card-button.toml").read_text())
    training = card["training"]
    assert training["began_with"] == checksum(SHIPPED)
    assert training["steps"] > training["steps_before"] == CARD["steps"]
    assert training["minutes_before"] == CARD["minutes"] <= training["minutes"]
    assert [start["seed"] for start in json.loads(training["settings"])] == [1, 77]
    assert card["figures"]["held_out_crops"] == 51


def test_minutes_of_the_file_count_in_the_card(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten minutes of a run are added to those before."""
    monkeypatch.setattr(export, "_answers", lambda *_: (torch.eye(3), torch.arange(3)))
    checkpoint = run / "checkpoint.pt"
    torch.save({**torch.load(checkpoint, weights_only=True), "used": 600.0}, checkpoint)
    export.main(["button", "--run", str(run), "--out", str(tmp_path), "--bits", "16"])

    card = tomllib.loads((tmp_path / "card-button.toml").read_text())
    assert card["training"]["minutes"] == pytest.approx(CARD["minutes"] + 10)


def test_a_run_whose_time_is_used_is_not_trained(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Not by one step; that is said, and no start is written down."""
    trained(run, 77, 0.005)
    before, starts = checksum(run / "checkpoint.pt"), Run.read(run).starts
    trained(run, 77, 0.005)

    assert checksum(run / "checkpoint.pt") == before
    assert Run.read(run).starts == starts
    assert f"the 0.005 minutes of {run} are used" in capsys.readouterr().err


def test_a_start_without_art_is_none(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing was trained by it, and the card of what is made of the run does not tell of it."""

    def no_packs(art: Path) -> None:
        raise ArtError(f"{art}: no packs")

    monkeypatch.setattr(train, "load_packs", no_packs)
    starts = Run.read(run).starts
    with pytest.raises(ArtError, match="no packs"):
        trained(run, 77, 0.005)
    assert Run.read(run).starts == starts


def test_a_run_knows_the_file_that_was_made_of_it(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file's checksum and the run's step, beside what was known of it."""
    monkeypatch.setattr(export, "_answers", lambda *_: (torch.eye(3), torch.arange(3)))
    before = Run.read(run)
    export.main(["button", "--run", str(run), "--out", str(tmp_path), "--bits", "16"])

    made = checksum(tmp_path / "card-button.onnx")
    assert Run.read(run) == replace(before, exported=made, exported_step=CARD["steps"])


def test_an_older_run_has_the_settings_of_its_latest_start(tmp_path: Path) -> None:
    """They stay the first that is known, and what the run began with is unknown."""
    (tmp_path / "run.json").write_text(json.dumps(asdict(SETTINGS)))
    found = Run.read(tmp_path)

    assert found == Run((asdict(SETTINGS),))
    found.write(tmp_path)
    assert [*Run.read(tmp_path).starts] == [asdict(SETTINGS)]


def test_a_run_that_was_never_started_has_nothing_behind_it(tmp_path: Path) -> None:
    """No file is asked for."""
    assert Run.read(tmp_path) == Run()


def test_a_folder_that_cannot_be_made_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything is drawn, trained or exported."""
    with pytest.raises(SystemExit, match="2"):
        thaw.main(["button", "--models", str(SHIPPED.parent), "--out", "/proc/button"])
    assert "--out /proc/button: cannot be made" in capsys.readouterr().err
