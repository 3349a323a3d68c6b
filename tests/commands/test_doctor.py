"""`companion doctor`: what is wrong with a set-up, the worst first, in words and as JSON."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.config import asset
from companion.synth.film import write_video
from companion.vision import cameras
from companion.vision.source import open_source

FILM = str(asset("demo") / "table.mp4")


def test_the_shipped_recording_is_fit(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A line a check, and what it comes to; on a computer that is busy nothing but its speed is poor."""
    assert main(["doctor", "--camera", FILM, "--data", str(tmp_path)]) == 0
    *checks, last = capsys.readouterr().out.splitlines()
    assert {line.split()[1] for line in checks} >= {
        "light",
        "sharpness",
        "size",
        "recognition",
        "speed",
        "disk",
    }
    poor = {line.split()[1] for line in checks if line.startswith("poor")}
    assert poor <= {"speed"}
    assert ("is not fit" in last) is bool(poor)


def test_a_photo_is_looked_at(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """What lasts no longer than is watched first is read at its end."""
    with open_source(FILM) as source:
        cv2.imwrite(str(tmp_path / "table.png"), next(iter(source)).bgr)
    assert main(["doctor", "--camera", str(tmp_path / "table.png"), "--data", str(tmp_path)]) == 0
    names = [line.split()[1] for line in capsys.readouterr().out.splitlines()]
    assert "speed" in names


def test_json_has_a_line_a_check_and_a_summary(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """Nothing else is on stdout."""
    assert main(["doctor", "--json", "--camera", FILM, "--data", str(tmp_path)]) == 0
    *checks, summary = map(json.loads, capsys.readouterr().out.splitlines())
    assert all({"check", "value", "unit", "verdict", "advice"} == set(check) for check in checks)
    fit = all(check["verdict"] != "poor" for check in checks)
    assert (summary["type"], summary["fit"], summary["camera"]) == ("summary", fit, FILM)


def test_what_to_change_comes_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    """A small picture of a dark table: its size, then the light; the command itself is done."""
    film, rng = tmp_path / "dark.mp4", np.random.default_rng(1)
    write_video(film, (rng.integers(0, 9, (180, 320, 3), dtype=np.uint8) for _ in range(50)), fps=10)
    assert main(["doctor", "--camera", str(film), "--data", str(tmp_path)]) == 0
    first, second, *_, last = capsys.readouterr().out.splitlines()
    assert first.startswith("poor  resolution")
    assert second.startswith("poor  light")
    assert last == "This set-up is not fit. What to change first: resolution."


def test_without_a_camera_there_is_nothing_to_look_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """Neither one that was set up, nor one of this machine, nor a file that is there."""
    monkeypatch.setattr(cameras, "cameras", tuple)
    assert main(["doctor", "--data", str(tmp_path)]) == 2
    assert main(["doctor", "--camera", str(tmp_path / "none.mp4"), "--data", str(tmp_path)]) == 2
    no_camera, no_file = capsys.readouterr().err.splitlines()
    assert "--camera" in no_camera
    assert "none.mp4" in no_file


@pytest.mark.parametrize("count", ["0", "-3", "99999", "many"])
def test_the_number_of_threads_has_a_bound(count: str, capsys: pytest.CaptureFixture[str]):
    """Thousands would take the memory of the machine."""
    with pytest.raises(SystemExit) as ended:
        main(["doctor", "--camera", FILM, "--threads", count])
    assert ended.value.code == 2
    assert "1 to 64" in capsys.readouterr().err
