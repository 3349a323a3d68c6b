"""The order in which the models are made again."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.training import __main__ as training  # noqa: E402
from companion.training.__main__ import steps  # noqa: E402
from companion.training.run import Run, checksum  # noqa: E402
from companion.training.train import KINDS  # noqa: E402

HOUR = 60
"""Minutes in all of the trainings here."""


@pytest.fixture(autouse=True)
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of shipped files, each of which says what it is."""
    folder = tmp_path / "shipped"
    folder.mkdir()
    for network in KINDS:
        (folder / f"card-{network}.onnx").write_text(network)
    monkeypatch.setattr(training, "_SHIPPED", folder)
    return folder


def _run(folder: Path, used: float, run: Run) -> None:
    """A run at its hundredth step that has used a share of its time."""
    folder.mkdir(parents=True)
    torch.save({"step": 100, "used": used * KINDS[folder.name].share * HOUR * 60}, folder / "checkpoint.pt")
    run.write(folder)


def _begun(shipped: Path, runs: Path, network: str, used: float = 0.4) -> None:
    """A run that goes on from a shipped file."""
    _run(runs / network, used, Run(file=checksum(shipped / f"card-{network}.onnx")))


def _finished(shipped: Path, runs: Path, network: str) -> None:
    """A run whose time is used and that has taken its file's place."""
    made = Run(file="older", exported=checksum(shipped / f"card-{network}.onnx"), exported_step=100)
    _run(runs / network, 1.01, made)


def _commands(tmp_path: Path, *, fresh: bool = False) -> list[list[str]]:
    """What is done with the runs in `runs`."""
    return list(steps(tmp_path, tmp_path / "runs", tmp_path / "out", HOUR, fresh=fresh))


def _figures(commands: list[list[str]]) -> list[tuple[str, str, int]]:
    """Packs, photos a card and scenes of each evaluation."""
    flags = [
        dict(zip(command[1::2], command[2::2], strict=True))
        for command in commands
        if command[0] == "evaluate"
    ]
    return [(each["--packs"], each["--photos"], int(each["--scenes"])) for each in flags]


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


def test_figures_of_all_packs_are_kept_beside_the_runs(tmp_path: Path) -> None:
    """French, German, and enrolled; what is a few minutes old is measured on a few scenes, but all of it."""
    commands = _commands(tmp_path)
    quick = list(steps(tmp_path, tmp_path / "runs", tmp_path / "out", 2, fresh=False))

    assert _figures(commands) == [("french", "0", 300), ("german", "0", 150), ("german", "3", 150)]
    assert _figures(quick) == [("french", "0", 20), ("german", "0", 20), ("german", "3", 20)]
    assert [command[0] for command in commands[-4:]] == ["export"] + 3 * ["evaluate"]
    assert all(str(tmp_path / "runs" / "figures") in command for command in commands[-3:])


def test_a_fresh_run_begins_from_nothing(tmp_path: Path) -> None:
    """Only what finds indices begins from what finds cards, the one that was made just now."""
    out = tmp_path / "out"
    commands = list(steps(tmp_path, tmp_path / "runs", out, 100, fresh=True))

    thawed = [command for command in commands if command[0] == "thaw"]
    assert [(command[1], command[command.index("--of") + 1]) for command in thawed] == [("index", "locator")]
    assert thawed[0][thawed[0].index("--models") + 1] == str(out)


def test_a_run_that_was_begun_goes_on(shipped: Path, tmp_path: Path) -> None:
    """It is not thawed again, which would lose what it has learnt."""
    _begun(shipped, tmp_path / "runs", "refiner")

    assert [command[0] for command in _of("refiner", _commands(tmp_path))] == ["train", "export"]


def test_what_is_finished_waits_for_what_was_interrupted(
    shipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is neither trained nor exported again, and that is said; a run without its file is exported."""
    runs = tmp_path / "runs"
    _finished(shipped, runs, "button")
    _begun(shipped, runs, "glyph", used=1.01)
    _begun(shipped, runs, "locator")
    commands = _commands(tmp_path)

    assert _of("button", commands) == []
    assert [command[0] for command in _of("glyph", commands)] == ["train", "export"]
    assert [command[0] for command in _of("classifier", commands)] == ["thaw", "train", "export"]
    assert f"{runs / 'button'} is finished: it stays as it is" in capsys.readouterr().err


def test_a_finished_training_is_gone_on_from_the_shipped_files(
    shipped: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every network is thawed anew; its run is kept beside, under a name that is free."""
    runs = tmp_path / "runs"
    for network in KINDS:
        _finished(shipped, runs, network)
    (runs / "button.1").mkdir()
    commands = _commands(tmp_path)

    for network in KINDS:
        assert [command[0] for command in _of(network, commands)] == ["thaw", "train", "export"]
    assert (runs / "button.2" / "checkpoint.pt").exists()
    assert (runs / "glyph.1" / "checkpoint.pt").exists()
    assert not (runs / "glyph").exists()
    assert f"{runs / 'button'} is finished: it is kept as {runs / 'button.2'}" in capsys.readouterr().err


def test_more_minutes_go_on_with_a_finished_run(shipped: Path, tmp_path: Path) -> None:
    """Its time is not used any more, and its file is the one that ships."""
    for network in KINDS:
        _finished(shipped, tmp_path / "runs", network)
    commands = list(steps(tmp_path, tmp_path / "runs", tmp_path / "out", 2 * HOUR, fresh=False))

    assert [command[0] for command in _of("button", commands)] == ["train", "export"]


@pytest.mark.parametrize("run", [Run(file="another"), Run(({"seed": 1},))], ids=["another", "older"])
def test_a_run_of_another_file_is_not_exported_over_the_shipped_one(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nor is one that does not say of which: it is kept beside, and training begins with what ships."""
    runs = tmp_path / "runs"
    _run(runs / "locator", 0.4, run)
    commands = _commands(tmp_path)

    assert [command[0] for command in _of("locator", commands)] == ["thaw", "train", "export"]
    assert (runs / "locator.1" / "checkpoint.pt").exists()
    assert f"{runs / 'locator'} was not begun from the file that ships now" in capsys.readouterr().err


def test_a_fresh_run_that_is_finished_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is left as it is, and what begins anew is said; one that was interrupted goes on."""
    runs = tmp_path / "runs"
    _run(runs / "button", 1.01, Run(exported="made", exported_step=100))
    _run(runs / "glyph", 0.4, Run())
    _run(runs / "locator", 0.4, Run(file="thawed"))
    commands = _commands(tmp_path, fresh=True)

    assert _of("button", commands) == _of("locator", commands) == []
    assert [command[0] for command in _of("glyph", commands)] == ["train", "export"]
    told = capsys.readouterr().err
    assert f"{runs / 'button'} is finished: it stays as it is; to begin anew" in told
    assert f"{runs / 'locator'} was not begun from nothing" in told
    assert "--runs" in told
