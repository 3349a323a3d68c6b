"""A training command that is given what it cannot use names it in one line and ends with exit status 2."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the train extra")

from companion.config import asset  # noqa: E402
from companion.training import __main__ as every  # noqa: E402
from companion.training import art, drawn_photos, evaluate, export, thaw, train, yardstick  # noqa: E402
from companion.training.checkpoint import read_checkpoint, write_checkpoint  # noqa: E402
from companion.training.fault import TrainingError  # noqa: E402
from companion.training.networks import ButtonReader, Refiner  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch's older way to ONNX
MODELS = asset("models")
Main = Callable[[list[str]], int]
MAINS: dict[str, Main] = {
    "art": art.main,
    "drawn_photos": drawn_photos.main,
    "evaluate": evaluate.main,
    "export": export.main,
    "thaw": thaw.main,
    "train": train.main,
    "yardstick": yardstick.main,
}


def refused(capsys: pytest.CaptureFixture[str], main: Main, *arguments: object) -> str:
    """The one line by which a command ends that cannot use what it was given."""
    try:
        status = main([str(each) for each in arguments])
    except SystemExit as end:
        status = int(end.code or 0)
    printed = capsys.readouterr()
    assert status == 2, printed.err
    (line,) = printed.err.splitlines()
    assert not printed.out
    return line


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run of the network that reads buttons, at its third step."""
    folder = tmp_path / "run"
    folder.mkdir()
    network = ButtonReader()
    weights, optimiser = network.state_dict(), torch.optim.AdamW(network.parameters())
    state = {"network": weights, "average": weights, "optimiser": optimiser.state_dict()}
    write_checkpoint(folder, {**state, "step": 3, "used": 1.0})
    return folder


@pytest.mark.parametrize(
    ("command", "arguments", "named"),
    [
        ("train", "button --out OUT --minutes 0", "--minutes"),
        ("train", "button --out OUT --minutes nan", "--minutes"),
        ("train", "button --out OUT --minutes=-1", "--minutes"),
        ("train", "button --out OUT --minutes inf", "--minutes"),
        ("train", "button --out OUT --batch 0", "--batch"),
        ("train", "button --out OUT --rate nan", "--rate"),
        ("train", "button --out OUT --rate 0", "--rate"),
        ("train", "button --out OUT --seed=-1", "--seed"),
        ("train", "button --out OUT --seed 18446744073709551616", "--seed"),
        ("train", "button --out OUT --workers=-1", "--workers"),
        ("train", "button --out OUT --threads 0", "--threads"),
        ("train", "button --out OUT --times 0", "--times"),
        ("export", "button --run OUT --threshold nan", "--threshold"),
        ("export", "button --run OUT --crops 0", "--crops"),
        ("evaluate", "--scenes 0", "--scenes"),
        ("evaluate", "--packs german --scenes 4", "--scenes"),
        ("evaluate", "--photos=-1", "--photos"),
        ("evaluate", "--threads nan", "--threads"),
        ("drawn_photos", "--out OUT --packs german --scenes 4", "--scenes"),
        ("art", "--out OUT --npm OUT/none", "--npm"),
        ("art", "--out OUT --png-packs OUT/none", "--png-packs"),
        ("yardstick", "/proc/none/yardstick.onnx", "/proc/none"),
    ],
)
def test_an_argument_that_cannot_be_used_is_named(
    command: str, arguments: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is drawn."""
    given = arguments.replace("OUT", str(tmp_path)).split()
    line = refused(capsys, MAINS[command], *given)
    assert line.startswith(f"companion.training.{command}: ")
    assert named in line


@pytest.mark.parametrize("minutes", ["0", "nan", "-5", "inf", "soon"])
def test_minutes_of_all_networks_are_a_number_above_0(
    minutes: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is begun with others."""
    line = refused(capsys, every.main, f"--minutes={minutes}", "--runs", tmp_path)
    assert line.startswith("companion.training: argument --minutes: ")


def test_the_shortest_training_trains_every_network(tmp_path: Path) -> None:
    """None gets no time at all, which `train` would refuse."""
    commands = list(every.steps(tmp_path, tmp_path / "runs", tmp_path / "out", 0.01, fresh=False))
    trained = [command for command in commands if command[0] == "train"]
    assert all(float(command[command.index("--minutes") + 1]) > 0 for command in trained)


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("train", "button --out OUT"),
        ("thaw", "button --out OUT/new"),
        ("export", "button --run OUT --out OUT/models"),
        ("evaluate", ""),
        ("drawn_photos", "--out OUT/photos"),
    ],
)
def test_a_folder_without_packs_is_named(
    command: str, arguments: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """So is the command that makes them."""
    given = arguments.replace("OUT", str(run)).split()
    models = ["--models", MODELS] if command in ("thaw", "evaluate") else []
    nothing = tmp_path / "none"
    line = refused(capsys, MAINS[command], *given, *models, "--art", nothing)
    assert line.startswith(f"companion.training.{command}: {nothing}: no packs")


@pytest.mark.parametrize("command", ["train", "export"])
def test_the_checkpoint_of_another_network_is_named(
    command: str, run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And what of it is another's."""
    folder = ["--out", run] if command == "train" else ["--run", run, "--out", tmp_path]
    line = refused(capsys, MAINS[command], "refiner", *folder)
    assert f"{run / 'checkpoint.pt'}: of another network than Refiner" in line


@pytest.mark.parametrize("command", ["train", "export", "all"])
@pytest.mark.parametrize("content", [b"", b"no checkpoint", None], ids=["empty", "text", "cut off"])
def test_a_damaged_checkpoint_is_named(
    command: str,
    content: bytes | None,
    run: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """By whatever comes upon it; nothing is trained."""
    path = run / "checkpoint.pt"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if content is None else content)
    if command == "all":
        runs = run.rename(run.with_name("button")).parent
        (runs / "button" / "run.json").write_text(json.dumps({"starts": [], "file": "it"}))
        monkeypatch.setattr(every, "checksum", lambda file: "it")
        line = refused(capsys, every.main, "--runs", runs, "--art", runs)
        path = runs / "button" / "checkpoint.pt"
    else:
        folder = ["--out", run] if command == "train" else ["--run", run, "--out", run]
        line = refused(capsys, MAINS[command], "button", *folder)
    assert f"{path}: is damaged, or no checkpoint of a run" in line


@pytest.mark.parametrize(
    "state", [[], {"step": 3}, {"step": "3", "used": 1.0}, {"step": 3, "used": 1.0, "average": 7}]
)
def test_a_file_of_something_else_is_no_checkpoint(state: object, tmp_path: Path) -> None:
    """It is read by torch, and says nothing of a run."""
    torch.save(state, tmp_path / "checkpoint.pt")
    with pytest.raises(TrainingError, match=r"checkpoint\.pt: no checkpoint of a run"):
        read_checkpoint(tmp_path, of=Refiner(), parts="average")


def test_an_optimiser_that_does_not_fit_is_named(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a checkpoint whose weights do."""
    state = torch.load(run / "checkpoint.pt", weights_only=True)
    write_checkpoint(run, {**state, "optimiser": {"state": {}, "param_groups": []}})
    assert "checkpoint.pt: what the optimiser had come to does not fit" in refused(
        capsys, train.main, "button", "--out", run
    )


@pytest.mark.parametrize(
    "told", ["", "{", "[]", '{"starts": 3}', '{"starts": [], "mood": 1}', '{"starts": ["a"]}']
)
def test_a_damaged_run_file_is_named(told: str, run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What stands in it is not guessed."""
    (run / "run.json").write_text(told)
    line = refused(capsys, export.main, "button", "--run", run, "--out", run / "models")
    assert f"{run / 'run.json'}: does not tell of a run" in line


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda folder: (folder / "card-button.onnx").unlink(), "card-button.onnx: No such file"),
        (lambda folder: (folder / "card-button.onnx").write_text("text"), "card-button.onnx: is damaged"),
        (
            lambda folder: shutil.copy(folder / "card-glyph.onnx", folder / "card-button.onnx"),
            "card-button.onnx: of another network",
        ),
        (lambda folder: (folder / "card-button.toml").unlink(), "card-button.toml: No such file"),
        (lambda folder: (folder / "card-button.toml").write_text("="), "card-button.toml: not a model card"),
        (
            lambda folder: (folder / "card-button.toml").write_text("[training]\nsteps = 1"),
            "card-button.toml: not a model card",
        ),
    ],
)
def test_a_model_that_cannot_be_thawed_is_named(
    spoil: Callable[[Path], object],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Missing, damaged, or another network's; and the card beside it."""
    models = tmp_path / "models"
    shutil.copytree(MODELS, models)
    spoil(models)
    monkeypatch.setattr(thaw, "load_packs", lambda folder: [])
    monkeypatch.setattr(thaw, "Letters", lambda folder: None)
    monkeypatch.setattr(thaw, "_SEEN", 0)
    line = refused(capsys, thaw.main, "button", "--models", models, "--out", tmp_path / "run")
    assert line.startswith(f"companion.training.thaw: {models / said.split(':')[0]}: ")
    assert said in line


def test_a_checkpoint_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    """As where the disk is full; what was there before stays, and no half is left."""
    (tmp_path / "checkpoint.pt").mkdir()
    with pytest.raises(TrainingError, match=r"checkpoint\.pt: cannot be written"):
        write_checkpoint(tmp_path, {"step": 1})
    assert [path.name for path in tmp_path.iterdir()] == ["checkpoint.pt"]


def test_a_pack_of_no_cards_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its folder, where art is made of it."""
    cards, decks = tmp_path / "cards", tmp_path / "decks"
    cards.mkdir()
    decks.mkdir()
    (decks / "some.svgz").write_text("")
    monkeypatch.setattr(art, "AISLERIOT", decks)
    monkeypatch.setattr(art, "SHEETS", ("some",))
    monkeypatch.setattr(art.shutil, "which", lambda program: program)
    monkeypatch.setattr(art, "_rasterised", lambda svg, width: None)
    monkeypatch.setattr(art, "_cells", lambda sheet, rows, columns: iter(()))
    line = refused(capsys, art.main, "--out", tmp_path / "art", "--png-packs", cards)
    assert line == f"companion.training.art: {decks / 'some.svgz'}: 0 pictures of cards and no back"
