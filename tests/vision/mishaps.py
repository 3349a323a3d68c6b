"""What happens to a camera: frames as it gives them while it is bumped, turned, zoomed, covered."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Frame

Homography = NDArray[np.float64]
Path = Callable[[float], Homography]
"""The way of the camera: from pixels as they would be to those as they are, at a time."""
Picture = NDArray[np.uint8]
SIZE = (1280, 720)


def turned(degrees: float, scale: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> Homography:
    """A turn and zoom about the middle of the picture, then a shift in pixels."""
    matrix = np.vstack([cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), degrees, scale), [0, 0, 1]])
    matrix[:2, 2] += shift
    return np.asarray(matrix, np.float64)


def moved(at: float, degrees: float, scale: float = 1.0, *, lasts: float = 0.4) -> Path:
    """From `at` on, for `lasts` seconds, the camera goes to another place and stays there."""

    def path(time: float) -> Homography:
        share = min(1.0, max(0.0, (time - at) / lasts))
        return turned(degrees * share, 1.0 + (scale - 1.0) * share)

    return path


def drifting(start: float, end: float, pixels: float, degrees: float = 0.0) -> Path:
    """A tripod that gives way slowly."""

    def path(time: float) -> Homography:
        share = min(1.0, max(0.0, (time - start) / (end - start)))
        return turned(degrees * share, 1.0, (pixels * share, 0.4 * pixels * share))

    return path


def filmed(frames: Iterable[Frame], path: Path) -> Iterator[Frame]:
    """The frames as the camera on its way gives them; the same pictures from the same place are the same."""
    latest = deque[tuple[Picture, bytes, Picture]](maxlen=4)
    for frame in frames:
        matrix = path(frame.time)
        if np.allclose(matrix, np.eye(3)):
            yield frame
            continue
        place = matrix.tobytes()
        seen = next((there for bgr, at, there in latest if bgr is frame.bgr and at == place), None)
        if seen is None:
            size = (frame.bgr.shape[1], frame.bgr.shape[0])
            bgr = cv2.warpPerspective(frame.bgr, matrix, size, borderMode=cv2.BORDER_REPLICATE)
            seen = np.asarray(bgr, np.uint8)
            latest.append((frame.bgr, place, seen))
        yield replace(frame, bgr=seen)


def covered(frames: Iterable[Frame], start: float, end: float, *, level: int = 20) -> Iterator[Frame]:
    """Something dark lies before the lens for a while; the sensor still has its noise."""
    rng = np.random.default_rng(1)
    for frame in frames:
        if start <= frame.time < end:
            noise = rng.normal(level, 4, (frame.bgr.shape[0] // 4, frame.bgr.shape[1] // 4, 3))
            size = (frame.bgr.shape[1], frame.bgr.shape[0])
            dark = cv2.resize(np.clip(noise, 0, 255).astype(np.uint8), size)
            yield replace(frame, bgr=np.asarray(dark, np.uint8))
        else:
            yield frame


def lit(frames: Iterable[Frame], at: float) -> Iterator[Frame]:
    """A second lamp goes on at one side: brighter and warmer there, a little everywhere."""
    light = None
    for frame in frames:
        if frame.time < at:
            yield frame
            continue
        if light is None:
            height, width = frame.bgr.shape[:2]
            columns, rows = np.meshgrid(np.linspace(0, 1, width), np.linspace(0, 1, height))
            glow = np.exp(-((columns - 0.15) ** 2 + (rows - 0.2) ** 2) / 0.25)[..., None]
            light = (1.08 + glow * np.array([0.25, 0.4, 0.5])).astype(np.float32)
        bgr = cv2.multiply(frame.bgr, light, dtype=cv2.CV_8U)
        yield replace(frame, bgr=np.asarray(bgr, np.uint8))


def dimmed(frames: Iterable[Frame], at: float) -> Iterator[Frame]:
    """One of two lamps goes off: half of the light is left, and it is warmer."""
    gain = np.array([0.38, 0.5, 0.62])
    for frame in frames:
        yield frame if frame.time < at else replace(frame, bgr=(frame.bgr * gain).astype(np.uint8))


def banded(frames: Iterable[Frame], depth: float = 0.06) -> Iterator[Frame]:
    """A lamp flickers with the mains, and the sensor's rows are exposed one after another."""
    for frame in frames:
        rows = np.linspace(0, 1, frame.bgr.shape[0])
        gain = 1 + depth * np.sin(2 * np.pi * (2.2 * rows + 3.3 * frame.time))
        bgr = np.clip(frame.bgr * gain[:, None, None], 0, 255)
        yield replace(frame, bgr=bgr.astype(np.uint8))


def frozen(frames: Iterable[Frame], start: float, end: float) -> Iterator[Frame]:
    """The camera gives the same picture again and again."""
    held = None
    for frame in frames:
        if not start <= frame.time < end:
            yield frame
            continue
        held = frame.bgr if held is None else held
        yield replace(frame, bgr=held)
