"""A camera that stops while a command looks on: nobody waits for it without a word."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.config import asset
from companion.table.detection import Frame
from companion.vision import source


class Stopping:
    """A camera that gives a few pictures, stops, and gives some more once it was started anew."""

    name, frames = "camera 0", None

    def __init__(self, lost: Callable[[str], None]) -> None:
        self._lost = lost
        self.closed = False

    def __enter__(self) -> Stopping:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True

    def __iter__(self) -> Iterator[Frame]:
        film = cv2.VideoCapture(str(asset("demo") / "table.mp4"))
        for index in range(6):
            if index == 3:
                self._lost("camera 0: no frame for 5 s")
            yield Frame(np.asarray(film.read()[1], np.uint8), index / 8, index)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Stopping]:
    """The cameras that commands open."""
    found: list[Stopping] = []

    def open_source(_: str, lost: Callable[[str], None]) -> Stopping:
        found.append(Stopping(lost))
        return found[-1]

    monkeypatch.setattr(source, "open_source", open_source)
    return found


def test_doctor_names_a_camera_that_stops(
    opened: list[Stopping], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever asks what is wrong with a camera is told that, and does not wait for it for ever."""
    assert main(["doctor", "--camera", "0", "--data", str(tmp_path), "--json"]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "companion: camera 0: no frame for 5 s\n")
    assert opened[0].closed


def test_watch_tells_of_a_camera_that_stops_and_goes_on(
    opened: list[Stopping], capsys: pytest.CaptureFixture[str]
) -> None:
    """On stderr; what comes after it was started anew is watched too."""
    assert main(["watch", "0", "--json"]) == 0
    out, err = capsys.readouterr()
    assert "companion: camera 0: no frame for 5 s; it is started anew\n" in err
    assert json.loads(out.splitlines()[-1])["frames"] == 6
