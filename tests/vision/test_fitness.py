"""Whether a camera shows a table well enough: each fault, made in real pictures, is named first."""

import numpy as np
import pytest

from companion.config import asset
from companion.table.detection import Frame
from companion.vision.detector import CardDetector
from companion.vision.fitness import CARDS, LIGHT, SPEED, Fitness, Verdict, judged
from companion.vision.source import VideoSource
from tests.vision.fitness_trial import Fault, blurred, darkened, faded, glaring, noisy, shrunk

READ = (20, 80, 140)
"""Frames that are read."""


@pytest.fixture(scope="module")
def detector() -> CardDetector:
    """The shipped networks."""
    return CardDetector(asset("models"))


@pytest.fixture(scope="module")
def frames() -> list[Frame]:
    """Some frames of the shipped recording: three running, and three that are read."""
    with VideoSource(asset("demo") / "table.mp4") as source:
        return [frame for frame in source if frame.index in (*range(3), *READ)]


def examined(frames: list[Frame], detector: CardDetector, fault: Fault, degree: float) -> Fitness:
    """What is seen of the frames with a fault."""
    fitness, rng = Fitness(), np.random.default_rng(2)
    for frame in frames:
        seen = Frame(fault(frame.bgr, degree, rng), frame.time, frame.index)
        if frame.index in READ:
            fitness.read(seen, detector.detect(seen.bgr), 20.0)
        else:
            fitness.watch(seen)
    return fitness


def test_the_shipped_recording_is_fit(frames: list[Frame], detector: CardDetector):
    """Nothing in it is poor."""
    assert judged([*examined(frames, detector, shrunk, 1.0).checks()])[0].verdict is not Verdict.POOR


@pytest.mark.parametrize(
    ("fault", "degree", "first"),
    [
        (darkened, 0.1, "light"),
        (glaring, 0.16, "glare"),
        (faded, 0.05, "colour"),
        (noisy, 60.0, "noise"),
        (blurred, 9.0, "sharpness"),
        (shrunk, 0.25, "size"),
    ],
)
def test_a_fault_is_named_first(
    frames: list[Frame], detector: CardDetector, fault: Fault, degree: float, first: str
):
    """What it leads to, cards that are not read, comes after it."""
    worst = judged([*examined(frames, detector, fault, degree).checks()])[0]
    assert (worst.name, worst.verdict) == (first, Verdict.POOR)
    assert worst.advice


@pytest.mark.parametrize("mirrors", [False, True])
def test_a_camera_that_mirrors_is_named(detector: CardDetector, mirrors: bool):
    """Its cards are read with doubt, and that comes after it."""
    with VideoSource(asset("demo") / "table.mp4") as source:
        frames = [frame for frame in source if frame.index % 20 == 0]
    fitness = Fitness()
    for frame in frames:
        bgr, other = frame.bgr, np.ascontiguousarray(frame.bgr[:, ::-1])
        if mirrors:
            bgr, other = other, bgr
        fitness.watch(Frame(bgr, frame.time, frame.index))
        fitness.read(Frame(bgr, frame.time, frame.index), detector.detect(bgr), 20.0, detector.detect(other))
    found = {check.name: check for check in fitness.checks()}

    assert (found["mirror"].verdict is not Verdict.GOOD) == mirrors
    assert bool(found["mirror"].advice) == mirrors
    assert [*found].index("mirror") < [*found].index("recognition")


def test_a_camera_that_gives_few_pictures_or_moves_is_named():
    """Two pictures a second, each pushed by twenty pixels."""
    rng, fitness = np.random.default_rng(1), Fitness()
    table = rng.integers(60, 200, (90, 160, 3)).astype(np.uint8).repeat(8, axis=0).repeat(8, axis=1)
    for step in range(6):
        fitness.watch(Frame(np.roll(table, 20 * step, axis=1), 0.5 * step, step))
    poor = {check.name for check in fitness.checks() if check.verdict is Verdict.POOR}
    assert {"rate", "standing"} <= poor


def test_a_computer_that_is_slow_makes_no_slow_camera():
    """It watches one picture in ten of those that the camera gives: its number tells how many there were."""
    fitness = Fitness()
    for step in range(6):
        fitness.watch(Frame(np.full((720, 1280, 3), 90, np.uint8), 0.5 * step, 10 * step))
    (rate,) = (check for check in fitness.checks() if check.name == "rate")
    assert (rate.value, rate.verdict) == (20.0, Verdict.GOOD)


def test_a_table_without_cards_cannot_be_judged():
    """Somebody has to lay some down."""
    fitness = Fitness()
    frame = Frame(np.full((720, 1280, 3), 90, np.uint8), 0.0, 0)
    fitness.watch(frame)
    fitness.read(frame, (), 20.0)
    first = judged([*fitness.checks()])[0]
    assert (first.name, first.verdict) == ("recognition", Verdict.POOR)
    assert "face up" in first.advice


@pytest.mark.parametrize(
    ("limits", "good", "fair", "poor"), [(LIGHT, 31, 20, 10), (CARDS, 110, 60, 59), (SPEED, 120, 250, 251)]
)
def test_more_or_less_may_be_the_better(limits, good: float, fair: float, poor: float):
    """Light and large cards are good, a slow computer is not; the limits themselves still count."""
    told = [limits.judge(value).verdict for value in (good, fair, poor)]
    assert told == [Verdict.GOOD, Verdict.FAIR, Verdict.POOR]
