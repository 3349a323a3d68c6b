"""Films whose pictures another program traces: what it is told, and what is made of what it gives back."""

import json
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.record import Record
from companion.synth.__main__ import main
from companion.synth.choreography import choreograph
from companion.synth.film import FilmError
from companion.synth.pack import Pack, rounded
from companion.synth.players import random_record
from companion.synth.script import Script
from companion.synth.setting import Setting, random_setting, view_of
from companion.synth.style import Style
from companion.synth.traced import photographed, trace, write_moments

SIZE = (320, 180)
FPS = 2.0
TRACER = """#!{python}
import json, sys
from pathlib import Path
import cv2, numpy as np
folder = Path(sys.argv[-1])
told = json.loads((folder / "moments.json").read_text())
(folder / "traced").mkdir(exist_ok=True)
for number in range(len(told["moments"])):
    whole = np.full((told["size"][1], told["size"][0], 3), 90, np.uint8)
    part = whole if number == 0 else np.full((20, 30, 3), 200, np.uint8)
    cv2.imwrite(str(folder / "traced" / f"{{number:05d}}_{{0 if number == 0 else 40}}_0.png"), part)
"""
"""Stands in for the tracer: a grey table, and from the second moment on a pale part at its upper edge."""


def program(path: Path, text: str) -> str:
    """A program that can be started in place of a Python that has Blender."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.fixture(scope="module")
def setting() -> Setting:
    """Any table with a pack of plain colours, its camera tilted, without noise."""
    face = rounded(np.full((91, 59, 3), 220, np.uint8), 0.05)
    faces = {rank + suit: face for rank in "ATKQJ" for suit in "HDCS"}
    return random_setting(Pack("plain", faces, face), Style(), seed=5, size=SIZE)


@pytest.fixture(scope="module")
def script(setting: Setting) -> Script:
    """Any hand."""
    record: Record = random_record(3)
    return choreograph([record], seed=3, style=Style(), view=view_of(setting.scene.camera))


@pytest.fixture
def folder(setting: Setting, script: Script, tmp_path: Path) -> Path:
    """A folder with what the tracer needs."""
    write_moments(tmp_path, script, setting, fps=FPS, seed=5)
    return tmp_path


def test_the_camera_that_is_told_takes_the_films_pictures(setting, folder):
    """Focal length, axes and place, put together again, are the camera's matrix."""
    told = json.loads((folder / "moments.json").read_text())
    camera, (width, height) = told["camera"], told["size"]
    rotation = np.array(camera["rotation"])
    lens = np.array([[camera["focal_px"], 0, width / 2], [0, camera["focal_px"], height / 2], [0, 0, 1]])
    whole = lens @ np.hstack([rotation, -rotation @ np.array(camera["eye_mm"])[:, None]])
    assert np.allclose(whole, setting.scene.camera.projection, rtol=1e-6, atol=1e-3)
    assert np.allclose(rotation @ rotation.T, np.eye(3))


def test_cards_lie_upon_each_other_and_not_in_each_other(folder):
    """Of two cards that lie at about one place the later rests on the earlier."""
    moments = json.loads((folder / "moments.json").read_text())["moments"]
    stacked = 0
    for moment in moments:
        quiet = [card for card in moment["cards"] if card["width"] == 1.0]
        if moment["hands"]:
            continue
        for index, upper in enumerate(quiet):
            for lower in quiet[:index]:
                if abs(upper["x"] - lower["x"]) < 20 and abs(upper["y"] - lower["y"]) < 20:
                    assert upper["z"] >= lower["z"] + lower["thick_mm"] - 1e-6
                    stacked += 1
    assert stacked > 0


def test_every_frame_has_its_moment_and_each_face_its_picture(script, folder):
    """There are as many frames as the film has, in order, and no card without a picture."""
    told = json.loads((folder / "moments.json").read_text())
    assert len(told["frames"]) == round(script.duration * FPS) + 1
    assert told["frames"] == sorted(told["frames"])
    assert told["frames"][-1] == len(told["moments"]) - 1
    wanted = {card["picture"] for moment in told["moments"] for card in moment["cards"]}
    assert wanted == {path.name for path in (folder / "faces").iterdir()}


def test_what_is_traced_anew_stays_until_it_is_traced_again(setting, folder, tmp_path):
    """A part belongs where its name says, upon the picture before it."""
    trace(folder, program(tmp_path / "python", TRACER.format(python=sys.executable)))
    first, *_, last = photographed(folder, setting, seed=5)
    assert abs(float(first[5:15, 45:65].mean()) - float(first[100:].mean())) < 5
    assert float(last[5:15, 45:65].mean()) > float(last[100:].mean()) + 50


def test_a_film_is_traced_by_the_program_that_is_named(tmp_path):
    """The command writes a film of the tracer's pictures, with its truth."""
    python = program(tmp_path / "python", TRACER.format(python=sys.executable))
    size = ["--size", f"{SIZE[0]}x{SIZE[1]}", "--fps", "2"]
    hands = ["hands", "--seeds", "1", "--packs", "drawn:7", "--out", str(tmp_path / "films"), *size]
    assert main([*hands, "--tracer", python]) == 0
    film = tmp_path / "films" / "0001-drawn-7"
    assert (film / "truth.json").exists()
    capture = cv2.VideoCapture(str(film / "video.mp4"))
    assert capture.get(cv2.CAP_PROP_FRAME_COUNT) == len(
        json.loads((film / "moments.json").read_text())["frames"]
    )


def test_a_tracer_that_fails_is_named_with_what_it_said(folder, tmp_path):
    """The last line of what it said is the reason."""
    python = program(tmp_path / "python", "#!/bin/sh\necho 'ImportError: no bpy' >&2\nexit 1\n")
    with pytest.raises(FilmError, match=r"not traced by .*: ImportError: no bpy"):
        trace(folder, python)


def test_a_tracer_that_is_not_there_is_named(folder):
    """So is one that cannot be started."""
    with pytest.raises(FilmError, match="/no/python: cannot be started"):
        trace(folder, "/no/python")


@pytest.mark.parametrize("harm", ["missing", "damaged"])
def test_a_picture_that_was_not_traced_is_named(setting, folder, tmp_path, harm):
    """Where one is missing or damaged no film is made of the rest."""
    trace(folder, program(tmp_path / "python", TRACER.format(python=sys.executable)))
    part = next((folder / "traced").glob("00004_*"))
    part.unlink() if harm == "missing" else part.write_bytes(b"no picture")
    with pytest.raises(FilmError, match=r"traced/00004.*: was not traced"):
        list(photographed(folder, setting, seed=5))


@pytest.mark.parametrize("other", [{"fps": 3.0}, {"seed": 6}])
def test_the_pictures_of_another_film_are_not_taken_for_this_ones(setting, script, folder, other):
    """What was traced is kept, so a folder that was begun for another film is refused and stays as it is."""
    before = (folder / "moments.json").read_bytes()
    with pytest.raises(FilmError, match=r"moments.json: is of another film"):
        write_moments(folder, script, setting, **{"fps": FPS, "seed": 5, **other})
    assert (folder / "moments.json").read_bytes() == before
    write_moments(folder, script, setting, fps=FPS, seed=5)
