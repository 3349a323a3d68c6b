"""How long a photo takes as `companion recognize` reads it, and how much memory that command takes."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.bench.figure import Figure, spread, timed
from companion.bench.memory import peak_of
from companion.vision.detector import PHOTO_SIDES, CardDetector
from companion.vision.still import jpeg

__all__ = ["photo_figures", "recognize_figures"]

TIMES = 20


def photo_figures(bgr: NDArray[np.uint8], models: Path, threads: int) -> Iterator[Figure]:
    """Milliseconds for a picture in which cards may have any size and lie in fans, (H, W, 3) uint8.

    A table under a camera is looked at once, a photo at three sizes for cards and at two for indices.
    """
    cv2.setNumThreads(threads)
    detector = CardDetector(models, threads=threads, sides=PHOTO_SIDES, by_index=True)
    name = f"photo.{threads}_thread{'s' if threads > 1 else ''}"
    yield from spread(name, timed(lambda: detector.detect(bgr), TIMES), "ms")


def recognize_figures(bgr: NDArray[np.uint8]) -> Iterator[Figure]:
    """Peak memory of `companion recognize` on one picture, one thread.

    Raises:
        RuntimeError: The command failed.
    """
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        photo = Path(folder) / "photo.jpg"
        photo.write_bytes(jpeg(bgr))
        _, peak = peak_of([sys.executable, "-m", "companion", "recognize", "--json", str(photo)])
    yield Figure("recognize.peak_memory", peak, "MiB")
