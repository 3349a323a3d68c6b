"""From what degree on a fault of the camera costs cards, and what `companion.vision.fitness` says of it then.

    python -m tests.vision.fitness_trial

Frames of the shipped recording, from so far away that a card is some 90 pixels high, made worse by degrees;
the faces that are read in the untouched frames are what should be read.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.config import asset
from companion.table.detection import BACK, Detection, Frame
from companion.vision.detector import CardDetector
from companion.vision.fitness import Check, Fitness
from companion.vision.source import VideoSource

Picture = NDArray[np.uint8]
Fault = Callable[[Picture, float, np.random.Generator], Picture]
EVERY, COUNT = 40, 24
"""Of so many frames one, and so many of these."""
AFAR = 0.5
"""The share of its size at which the recording is seen."""
AT_ONCE = 6
"""So many frames running are watched for light and noise."""


def darkened(bgr: Picture, degree: float, rng: np.random.Generator) -> Picture:
    """Less light, and what noise a sensor has then."""
    noise = rng.normal(0, 2.5, bgr.shape)
    return np.clip(bgr * degree + noise, 0, 255).astype(np.uint8)


def blurred(bgr: Picture, degree: float, rng: np.random.Generator) -> Picture:
    """Out of focus; standard deviation in pixels."""
    return np.asarray(cv2.GaussianBlur(bgr, (0, 0), degree), np.uint8)


def noisy(bgr: Picture, degree: float, rng: np.random.Generator) -> Picture:
    """Sensor noise; standard deviation in grey levels."""
    return np.clip(bgr + rng.normal(0, degree, bgr.shape), 0, 255).astype(np.uint8)


def faded(bgr: Picture, degree: float, rng: np.random.Generator) -> Picture:
    """With less colour, down to none; the share that is left."""
    grey = cv2.cvtColor(cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    return np.asarray(cv2.addWeighted(bgr, degree, grey, 1.0 - degree, 0.0), np.uint8)


def glaring(bgr: Picture, degree: float, rng: np.random.Generator) -> Picture:
    """A lamp that shines back from the table; radius as a share of the width."""
    height, width = bgr.shape[:2]
    columns, rows = np.meshgrid(np.arange(width), np.arange(height))
    away = np.hypot(columns - 0.35 * width, rows - 0.5 * height) / (degree * width)
    return np.clip(bgr + 400 * np.exp(-(away**4))[..., None], 0, 255).astype(np.uint8)


def shrunk(bgr: Picture, degree: float, rng: np.random.Generator) -> Picture:
    """From further away: the table fills this share of the width."""
    height, width = bgr.shape[:2]
    small = cv2.resize(bgr, None, fx=degree, fy=degree, interpolation=cv2.INTER_AREA)
    out = np.full_like(bgr, bgr.reshape(-1, 3).mean(axis=0).astype(np.uint8))
    top, left = (height - small.shape[0]) // 2, (width - small.shape[1]) // 2
    out[top : top + small.shape[0], left : left + small.shape[1]] = small
    return out


FAULTS: dict[str, tuple[Fault, Sequence[float]]] = {
    "light": (darkened, (1.0, 0.6, 0.4, 0.25, 0.15, 0.1)),
    "sharpness": (blurred, (0.5, 1.0, 1.5, 2.0, 3.0, 4.0)),
    "colour": (faded, (1.0, 0.5, 0.3, 0.2, 0.1, 0.0)),
    "noise": (noisy, (2.0, 5.0, 10.0, 20.0, 30.0, 40.0)),
    "glare": (glaring, (0.02, 0.05, 0.08, 0.12, 0.16, 0.2)),
    "size": (shrunk, (1.0, 0.5, 0.4, 0.3, 0.25, 0.2)),
}
"""The check that should notice each, and by what degrees it is made worse."""


def frames(fault: Fault, degree: float) -> Iterator[tuple[Frame, bool]]:
    """The frames, made worse, and whether each is to be read."""
    rng = np.random.default_rng(1)
    with VideoSource(asset("demo") / "table.mp4") as source:
        for frame in source:
            turn, place = divmod(frame.index, EVERY)
            if turn == COUNT:
                return
            if place < AT_ONCE:
                bgr = frame.bgr if fault is shrunk else shrunk(frame.bgr, AFAR, rng)
                yield Frame(fault(bgr, degree, rng), frame.time, frame.index), place == 0


def examined(
    fault: Fault, degree: float, detector: CardDetector
) -> tuple[Fitness, list[tuple[Detection, ...]]]:
    """What is seen of the recording with a fault, and the cards of each frame that was read."""
    fitness, found = Fitness(), []
    for frame, read in frames(fault, degree):
        fitness.watch(frame)
        if read:
            found.append(detector.detect(frame.bgr))
            fitness.read(frame, found[-1], 20.0)
    return fitness, found


def names(cards: Sequence[Detection]) -> set[int]:
    """The faces that are read."""
    return {card.best for card in cards if card.best < BACK and card.confidence > 0.6}


def check_of(fitness: Fitness, name: str) -> Check | None:
    """What one check says."""
    return next((check for check in fitness.checks() if check.name == name), None)


def main() -> int:
    """Print a line for each degree of each fault."""
    detector = CardDetector(asset("models"), threads=2)
    _, clear = examined(shrunk, 1.0, detector)
    wanted = [names(cards) for cards in clear]
    print(f"{'fault':10} {'degree':>6} {'measured':>9} {'verdict':8} {'faces read':>10} {'read wrong':>10}")
    for name, (fault, degrees) in FAULTS.items():
        for degree in degrees:
            fitness, found = examined(fault, degree, detector)
            right = sum(len(names(cards) & want) for cards, want in zip(found, wanted, strict=True))
            wrong = sum(len(names(cards) - want) for cards, want in zip(found, wanted, strict=True))
            check = check_of(fitness, name)
            told = "" if check is None else f"{check.value:9.3f} {check.verdict.name.lower():8}"
            share = right / sum(len(want) for want in wanted)
            print(f"{name:10} {degree:6.2f} {told:18} {share:10.2f} {wrong:10d}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
