"""The camera module of a Raspberry Pi: what is asked of `rpicam-vid`, and what becomes of what it writes."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from patience import until

import companion.vision.raspberry as raspberry
from companion.live.command import InvalidCommandError
from companion.live.setting import Setting
from companion.vision.camera import CameraOptions, CameraState, LiveSource
from companion.vision.cameras import cameras
from companion.vision.fault import SourceError
from companion.vision.source import is_live, open_source

QUICK = CameraOptions(160, 120, first_frame_s=20.0, stall_s=1.0, back_off_s=0.05, back_off_limit_s=0.2)

TOOL = '''#!{python}
"""Stands for rpicam-vid: takes its options, tells of two modules, writes one grey picture after the other."""
import argparse, os, signal, sys, time
from pathlib import Path
import cv2, numpy as np

here = Path(__file__).parent
parser = argparse.ArgumentParser(allow_abbrev=False)
for name in ("list-cameras", "nopreview", "flush"):
    parser.add_argument("--" + name, action="store_true")
for name in ("camera", "timeout", "verbose", "quality", "width", "height", "framerate"):
    parser.add_argument("--" + name, type=float)
for name in ("codec", "output"):
    parser.add_argument("--" + name)
asked = parser.parse_args()
if asked.list_cameras:
    (here / "listed").open("a").write("x")
    print("Available cameras\\n-----------------")
    print("0 : imx708 [4608x2592 10-bit RGGB] (/base/soc/i2c0mux/i2c@1/imx708@1a)")
    print("    Modes: 'SRGGB10_CSI2P' : 1536x864 [120.13 fps - (768, 432)/3072x1728 crop]\\n")
    print("1 : imx219 [3280x2464 10-bit RGGB] (/base/soc/i2c0mux/i2c@0/imx219@10)")
    sys.exit()
if (here / "broken").exists():
    print("ERROR: *** " + (here / "broken").read_text() + " ***", file=sys.stderr)
    sys.exit(255)
assert (asked.codec, asked.output, asked.timeout) == ("mjpeg", "-", 0), asked
assert asked.nopreview and asked.flush and asked.framerate <= 15 and asked.quality >= 85, asked

def end(*_):
    (here / "released").write_text("by " + str(os.getpid()))
    os._exit(0)

signal.signal(signal.SIGTERM, end)
(here / "begun").open("a").write(str(os.getpid()) + "\\n")
number = 0
while not (here / "ends").exists():
    number += 1
    grey = np.full((int(asked.height), int(asked.width), 3), 100 * asked.camera + number % 90, np.uint8)
    data = cv2.imencode(".jpg", grey)[1].tobytes()
    data = data[: len(data) // 2] + b"\\xff\\xd9" if number % 3 == 0 else data
    for at in range(0, len(data), 301):
        sys.stdout.buffer.write(data[at : at + 301])
        sys.stdout.buffer.flush()
    time.sleep(0.02)
print("ERROR: *** the ribbon is loose ***", file=sys.stderr)
sys.exit(255)
'''


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a tool that the machine finds; files laid into it tell it what to do."""
    path = tmp_path / "rpicam-vid"
    path.write_text(TOOL.format(python=sys.executable))
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(raspberry, "_modules", raspberry._Modules())
    return tmp_path


def _is_gone(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return True
    return False


@pytest.mark.parametrize(("name", "grey"), [("rpicam", 0), ("rpicam:1", 100)])
def test_its_pictures_come_like_those_of_any_camera(tool: Path, name: str, grey: int) -> None:
    """In the size that was asked for, of the module that was named; what is damaged is left out."""
    with LiveSource(name, QUICK) as source:
        frames = iter(source)
        taken = [next(frames) for _ in range(6)]

    assert source.name == f"camera {name}"
    assert {frame.bgr.shape for frame in taken} == {(120, 160, 3)}
    assert all(frame.bgr.std() < 2 and grey < frame.bgr.mean() < grey + 92 for frame in taken)
    assert [frame.time for frame in taken] == sorted({frame.time for frame in taken})


def test_whoever_closes_it_lets_go_of_the_camera(tool: Path) -> None:
    """The tool is ended in order, so that whoever opens the camera next finds it free."""
    with LiveSource("rpicam", QUICK) as source:
        next(iter(source))
    until((tool / "released").exists)
    assert _is_gone(int((tool / "begun").read_text()))


def test_a_tool_that_does_not_end_when_asked_is_ended(tool: Path) -> None:
    """One that hangs would keep the camera, and each new start would find it in use."""
    text = TOOL.format(python=sys.executable)
    (tool / "rpicam-vid").write_text(
        text.replace("signal.SIGTERM, end", "signal.SIGTERM, signal.SIG_IGN").replace(
            "    time.sleep(0.02)", "    time.sleep(0.02 if number < 10 else 600)"
        )
    )
    with LiveSource("rpicam", QUICK) as source:
        next(iter(source))
        begun = int((tool / "begun").read_text())
    try:
        assert _is_gone(begun)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(begun, signal.SIGKILL)


def test_a_killed_process_leaves_no_tool_behind(tool: Path) -> None:
    """Nobody reads on: it cannot write any more, and ends."""
    with LiveSource("rpicam", QUICK) as source:
        next(iter(source))
        begun = int((tool / "begun").read_text())
        assert source.process_id is not None
        os.kill(source.process_id, signal.SIGKILL)
        until(lambda: _is_gone(begun))


def test_a_module_that_fails_is_started_anew(tool: Path) -> None:
    """What the tool says is told; the same iteration goes on once it gives pictures again."""
    lost: list[str] = []

    def note(why: str) -> None:
        lost.append(why)
        (tool / "ends").unlink()

    with LiveSource("rpicam", QUICK, note) as source:
        frames = iter(source)
        next(frames)
        (tool / "ends").touch()
        before = len(lost)
        while not lost or source.health.restarts == 0 or source.health.state is not CameraState.RUNNING:
            next(frames)
    assert (before, lost) == (0, ["camera rpicam: the ribbon is loose"])


def test_why_there_is_no_picture_is_said_in_the_words_of_the_tool(tool: Path) -> None:
    """Of a module that is not connected, or that another program has."""
    (tool / "broken").write_text("no cameras available")
    with pytest.raises(SourceError, match=r"^camera rpicam: no cameras available$") as refused:
        open_source("rpicam")
    assert refused.value.reason == "absent"


def test_a_machine_without_the_tool_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop has none; nothing is waited for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SourceError, match="camera rpicam: there is no rpicam-vid on this machine"):
        open_source("rpicam")


def test_modules_are_listed_beside_other_cameras(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Devices that only make their pictures give none; the tool is asked once."""
    monkeypatch.setattr("sys.platform", "linux")
    names = (
        "rp1-cfe-csi2_ch0",
        "unicam-image",
        "pispbe-input",
        "bcm2835-isp-output0",
        "bcm2835-codec-decode",
    )
    for number, name in enumerate((*names, "rpivid", "rpi-hevc-dec", "HD Webcam")):
        place = tool / "devices" / f"video{number}"
        place.mkdir(parents=True)
        (place / "index").write_text("0\n")
        (place / "name").write_text(f"{name}\n")

    expected = (("7", "HD Webcam"), ("rpicam", "imx708"), ("rpicam:1", "imx219"))
    assert [cameras(tool / "devices") for _ in range(2)] == [expected, expected]
    assert (tool / "listed").read_text() == "x"


def test_a_tool_that_cannot_tell_is_asked_again_after_a_while(tool: Path) -> None:
    """Not before: one that hangs costs seconds, and the set-up page asks for the list with each touch."""
    now = 1000.0
    modules = raspberry._Modules(lambda: now)
    (tool / "rpicam-vid").write_text(f"#!/bin/sh\nprintf y >>{tool}/listed\nexit 1\n")
    assert [modules.all() for _ in range(3)] == [(), (), ()]
    assert (tool / "listed").read_text() == "y"
    (tool / "rpicam-vid").write_text(TOOL.format(python=sys.executable))
    now += raspberry._HOLDS_S - 0.1
    assert modules.all() == ()
    now += 0.2
    assert len(modules.all()) == 2
    assert (tool / "listed").read_text() == "yx"


def test_many_that_ask_at_once_wait_for_one_answer(tool: Path) -> None:
    """Two phones that set the camera up start the tool once."""
    (tool / "rpicam-vid").write_text(f"#!/bin/sh\nprintf y >>{tool}/listed\nsleep .3\nexit 1\n")
    with ThreadPoolExecutor(4) as phones:
        assert list(phones.map(lambda _: raspberry.raspberry_cameras(), range(4))) == [()] * 4
    assert (tool / "listed").read_text() == "y"


@pytest.mark.parametrize("name", ["rpicam", "rpicam:0", "rpicam:3"])
def test_a_phone_may_set_it_up(name: str) -> None:
    """As a camera like others, by its name."""
    assert Setting.from_json({"camera": name}).camera == name
    assert is_live(name)


@pytest.mark.parametrize(
    "name", ["rpicam:", "rpicam:10", "rpicam.mp4", "xrpicam", "rpicam:1 --output /etc/passwd"]
)
def test_nothing_else_is_taken_for_one(name: str) -> None:
    """What comes from a phone goes to no command line but as a digit."""
    with pytest.raises(InvalidCommandError):
        Setting.from_json({"camera": name})
    assert not is_live(name)


def test_its_colours_are_blue_green_red(tool: Path) -> None:
    """As everywhere else in the program."""
    blue = np.zeros((120, 160, 3), np.uint8)
    blue[..., 0] = 200
    (tool / "rpicam-vid").write_text(f"#!/bin/sh\nwhile cat {tool}/blue.jpg; do sleep .05; done\n")
    cv2.imwrite(str(tool / "blue.jpg"), blue)
    with LiveSource("rpicam", QUICK) as source:
        picture = next(iter(source)).bgr
    assert np.allclose(picture.mean(axis=(0, 1)), (200, 0, 0), atol=6)
