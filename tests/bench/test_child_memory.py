"""What is measured of commands that run in a process of their own, and of photos."""

from __future__ import annotations

import sys

import cv2
import numpy as np
import pytest

from companion.bench import recognizing
from companion.bench.memory import peak_of
from companion.bench.recognizing import photo_figures, recognize_figures
from companion.config import asset
from companion.vision.detector import PHOTO_SIDES, CardDetector

BARE = np.full((180, 320, 3), (60, 110, 70), np.uint8)


def test_the_most_memory_of_a_command_is_told_with_its_lines() -> None:
    """Also what it has given back by its end."""
    script = "text = b'x' * (400 << 20); del text; print('one'); print('two')"
    lines, peak = peak_of([sys.executable, "-c", script])

    assert lines == ["one\n", "two\n"]
    assert 400 < peak < 1200


def test_a_command_that_fails_is_named() -> None:
    """With its status: what it took says nothing then."""
    with pytest.raises(RuntimeError, match=r"exit\(3\) ended with status 3"):
        peak_of([sys.executable, "-c", "exit(3)"])


def test_photos_are_timed_as_recognize_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """At the sizes of photos and by their indices; on as many threads as the figure says."""
    made = []

    class Noted(CardDetector):
        def __init__(self, *args, **options) -> None:
            super().__init__(*args, **options)
            made.append(options)

    monkeypatch.setattr(recognizing, "CardDetector", Noted)
    monkeypatch.setattr(recognizing, "TIMES", 1)
    before = cv2.getNumThreads()
    figures = list(photo_figures(BARE, asset("models"), 2))
    cv2.setNumThreads(before)

    assert made == [{"threads": 2, "sides": PHOTO_SIDES, "by_index": True}]
    assert [figure.name for figure in figures] == ["photo.2_threads.median", "photo.2_threads.p95"]
    assert all(figure.value > 0 for figure in figures)


def test_the_memory_of_recognize_is_told() -> None:
    """One figure, of a process that has loaded the networks."""
    (figure,) = recognize_figures(BARE)

    assert (figure.name, figure.unit) == ("recognize.peak_memory", "MiB")
    assert 50 < figure.value < 5000
