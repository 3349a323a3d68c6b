"""How long a frame takes: locating, refining, classifying, all three, and the pipeline over a recording."""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.bench.figure import Figure, spread, timed
from companion.bench.latency import plays_of
from companion.rules.ruleset import RuleSet
from companion.vision.button import ButtonFinder
from companion.vision.detector import CardDetector
from companion.vision.network import session
from companion.vision.reader import Reader
from companion.vision.source import VideoSource
from companion.watch.watcher import Watcher

__all__ = ["SIZE", "stage_figures", "still_picture"]

SIZE = (1280, 720)
"""Width and height of the pictures that are timed, pixels."""
TIMES = 50
PIPELINE_FRAMES = 200


def still_picture(recording: Path, truth: Path) -> NDArray[np.uint8]:
    """The table just after the second play: stock, turn-up and two cards. (720, 1280, 3) uint8.

    Raises:
        SourceError: The recording cannot be read.
    """
    second = sorted(plays_of(truth).values())[1]
    with VideoSource(recording) as source:
        bgr = next(frame.bgr for frame in source if frame.time >= second + 0.2)
    return bgr if bgr.shape[1::-1] == SIZE else np.asarray(cv2.resize(bgr, SIZE), np.uint8)


def stage_figures(recording: Path, truth: Path, models: Path, threads: int) -> Iterator[Figure]:
    """Milliseconds a frame, median and 95th percentile, with `threads` threads for the networks."""
    cv2.setNumThreads(threads)
    name = f"{threads}_thread{'s' if threads > 1 else ''}"
    detector = CardDetector(models, threads=threads)
    buttons = ButtonFinder(models, threads=threads)
    bgr = still_picture(recording, truth)
    located = detector.locator.locate(bgr)
    yield Figure(f"still.{name}.outlines", float(len(located)), "cards")
    yield from spread(f"locate.{name}", timed(lambda: detector.locator.locate(bgr), TIMES), "ms")
    refined = detector.refined(bgr, located)
    yield from spread(f"refine.{name}", timed(lambda: detector.refined(bgr, located), TIMES), "ms")
    yield from spread(f"classify.{name}", timed(lambda: detector.named(bgr, refined), TIMES), "ms")
    took = timed(lambda: detector.detect(bgr), TIMES)
    yield from spread(f"detect.{name}", took, "ms")
    cards = detector.detect(bgr)
    yield from spread(f"buttons.{name}", timed(lambda: buttons.find(bgr, cards), TIMES), "ms")
    beside = timed(_yardstick(models, threads), TIMES)
    yield from spread(f"yardstick.{name}", beside, "ms")
    ratio = statistics.median(took) / statistics.median(beside)
    yield Figure(f"detect_per_yardstick.{name}", ratio, "ratio")
    yield from spread(f"pipeline.{name}", _pipeline(recording, detector, buttons), "ms")


def _yardstick(models: Path, threads: int) -> Callable[[], object]:
    """One run of a network as large as YOLOv8n (`companion.training.yardstick`) on a picture."""
    network = session((models / "yardstick.onnx").read_bytes(), threads)
    picture = np.random.default_rng(1).random((1, 3, 640, 640), np.float32)
    return lambda: network.run(None, {"picture": picture})


def _pipeline(recording: Path, detector: CardDetector, buttons: ButtonFinder) -> list[float]:
    """Milliseconds of each frame of a recording's beginning, from picture to settled events."""
    watcher = Watcher(Reader.through(detector, buttons), RuleSet())
    taken = []
    with VideoSource(recording) as source:
        for frame in itertools.islice(source, PIPELINE_FRAMES):
            started = time.perf_counter()
            watcher.see(frame)
            taken.append(1000 * (time.perf_counter() - started))
    return taken
