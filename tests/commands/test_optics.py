"""What `companion serve` lets a phone set up."""

from __future__ import annotations

from pathlib import Path

import pytest

import companion.commands.optics as module
from companion.commands.optics import TableOptics
from companion.live.witness import Witness

THERE = (("0", "HD Webcam"), ("rpicam", "imx708"))


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        (None, THERE),
        ("rpicam", (THERE[1], THERE[0])),
        ("http://10.0.0.9/video", (("http://10.0.0.9/video", ""), *THERE)),
    ],
)
def test_the_camera_that_was_named_comes_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str | None, expected: tuple
) -> None:
    """Whoever sets up the table begins with it; one of this machine keeps its name."""
    monkeypatch.setattr(module, "cameras", lambda: THERE)
    first = None if named is None else (named, object())
    optics = TableOptics(tmp_path, 1, Witness(object()), first=first)

    assert optics.cameras() == expected
