"""Whether a camera shows a table so that its cards can be read: figures, verdicts, what to change.

The limits are founded in docs/decisions/0022-is-the-set-up-fit.md, `python -m tests.vision.fitness_trial`
measures them again.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, UNKNOWN, Detection, Frame

__all__ = ["Check", "Fitness", "Limits", "Verdict", "judged"]

Grey = NDArray[np.uint8]
_BURNT = 250
"""Grey levels from which on nothing can be told any more."""
_SMALL = (320, 180)
"""Of the pictures in which light and standing still are measured, pixels."""
_DOUBTFUL = 0.9
"""A card named with less is doubtful."""
_BLUR_WINDOW = 9
_FEWEST, _SAME_PLACE = 5, 0.25
"""So many faces at least tell whether a picture is mirrored; the same face is within so much of its width."""
_CARD_PX = 96
"""Height to which a card is brought before its blur is measured: what is finer nobody reads."""


class Verdict(IntEnum):
    """How good something is; the worse, the smaller."""

    POOR = 0
    FAIR = 1
    GOOD = 2


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: One word, as in `sharpness`.
        value: What was measured.
        unit: Of it; empty: a share.
        verdict: See `Verdict`.
        advice: What to change; empty where it is good.
    """

    name: str
    value: float
    unit: str
    verdict: Verdict
    advice: str = ""

    def to_json(self) -> dict[str, Any]:
        """As one line of `companion doctor --json`."""
        return {
            "check": self.name,
            "value": round(self.value, 3),
            "unit": self.unit,
            "verdict": self.verdict.name.lower(),
            "advice": self.advice,
        }


@dataclass(frozen=True, slots=True)
class Limits:
    """From where on a value is no longer good, and poor; the more the better, if `fair` is above `poor`.

    Attributes:
        name: Of the check.
        unit: See `Check`.
        fair: The last value that is good.
        poor: The last value that is fair.
        advice: What to change.
    """

    name: str
    unit: str
    fair: float
    poor: float
    advice: str

    def judge(self, value: float) -> Check:
        """Judge a value."""
        sign = 1.0 if self.fair >= self.poor else -1.0
        reached = sum(sign * value >= sign * limit for limit in (self.fair, self.poor))
        verdict = Verdict(reached)
        return Check(self.name, value, self.unit, verdict, "" if verdict is Verdict.GOOD else self.advice)


WIDTH = Limits("resolution", "pixels", 1280, 640, "choose a larger picture, 1280 x 720 or more")
RATE = Limits(
    "rate", "frames/s", 8, 4, "the camera gives few pictures: more light, another cable, a nearer network"
)
LIGHT = Limits("light", "grey levels", 30, 14, "it is dark: put another lamp on the table")
GLARE = Limits(
    "glare",
    "",
    0.02,
    0.08,
    "parts of the picture are burnt out: move the lamp so that it does not shine back",
)
FLICKER = Limits(
    "flicker", "", 0.02, 0.08, "the light flickers: choose 50 Hz in the camera's settings, or another lamp"
)
COLOUR = Limits(
    "colour",
    "levels",
    40,
    20,
    "the picture has hardly any colour, and suits are told apart by it: switch night mode off, more light",
)
NOISE = Limits("noise", "grey levels", 16, 30, "the picture is grainy: more light on the table")
STILL = Limits("standing", "pixels", 2, 8, "the camera moves: fasten it")
CARDS = Limits("size", "pixels", 110, 60, "the cards are small in the picture: bring the camera nearer")
SHARPNESS = Limits(
    "sharpness", "", 0.6, 0.7, "the cards are out of focus: focus on the table, or clean the lens"
)
MIRRORED = Limits(
    "mirror", "", 0.17, 0.25, "the picture is mirrored: switch that off in the camera's app or its settings"
)
READ = Limits(
    "recognition", "", 0.1, 0.3, "cards are read with doubt: change what is named above, or learn this pack"
)
SPEED = Limits(
    "speed", "ms", 120, 250, "this computer is slow for it: close other programs, or give more --threads"
)
NO_CARDS = Check(
    "recognition",
    0.0,
    "cards",
    Verdict.POOR,
    "no card is found: lay some face up, in the middle and at the edges",
)


@dataclass
class Fitness:
    """Gathers what is seen of a table, and judges it."""

    _watched: list[tuple[float, int]] = field(default_factory=list)
    """Time and number of each frame."""
    _small: list[NDArray[np.float32]] = field(default_factory=list)
    _noise: list[float] = field(default_factory=list)
    _burnt: list[float] = field(default_factory=list)
    _colours: list[float] = field(default_factory=list)
    _heights: list[float] = field(default_factory=list)
    _blurs: list[float] = field(default_factory=list)
    _doubtful: list[bool] = field(default_factory=list)
    _surer_mirrored: list[float] = field(default_factory=list)
    _took_ms: list[float] = field(default_factory=list)
    _width = 0
    _before: NDArray[np.int16] | None = None

    def watch(self, frame: Frame) -> None:
        """See a frame as it comes from the camera."""
        self._watched.append((frame.time, frame.index))
        self._width = int(frame.bgr.shape[1])
        grey = cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY)
        self._small.append(cv2.resize(grey, _SMALL, interpolation=cv2.INTER_AREA).astype(np.float32))
        self._burnt.append(float((frame.bgr.min(axis=2) >= _BURNT).mean()))
        self._colours.append(_most_colour(frame.bgr))
        now = grey[::4, ::4].astype(np.int16)
        if self._before is not None and self._before.shape == now.shape:
            # of two pictures of a table most shows the same: what differs there is noise
            self._noise.append(float(np.median(np.abs(now - self._before))) * 1.4826 / np.sqrt(2))
        self._before = now

    def read(
        self, frame: Frame, cards: Sequence[Detection], took_ms: float, mirrored: Sequence[Detection] = ()
    ) -> None:
        """Take what the networks say of a frame, how long they took, and what they say of it mirrored."""
        grey: Grey = np.asarray(cv2.cvtColor(frame.bgr, cv2.COLOR_BGR2GRAY), np.uint8)
        self._took_ms.append(took_ms)
        for card in cards:
            sides = np.linalg.norm(card.corners - np.roll(card.corners, 1, axis=0), axis=1)
            self._heights.append(float(sides.max()))
            if card.best not in (BACK, UNKNOWN):
                self._doubtful.append(card.confidence < _DOUBTFUL)
                if (part := _cut_out(grey, card)) is not None:
                    self._blurs.append(blur(part))

        self._surer_mirrored += _surer(cards, mirrored, frame.bgr.shape[1])

    def checks(self) -> Iterator[Check]:
        """Everything that can be judged, causes before what they cause."""
        yield WIDTH.judge(self._width)
        if len(self._watched) > 1:
            (began, first), (ended, last) = self._watched[0], self._watched[-1]
            # those that nobody had time to watch count: the camera gave them, it is the computer that is slow
            yield RATE.judge((last - first) / max(1e-3, ended - began))
        means = [float(small.mean()) for small in self._small]
        yield LIGHT.judge(statistics.median(means))
        yield GLARE.judge(statistics.median(self._burnt))
        yield FLICKER.judge(_flicker(means))
        if self._doubtful:  # a table without cards may have none
            yield COLOUR.judge(statistics.median(self._colours))
        if self._noise:
            yield NOISE.judge(statistics.median(self._noise))
        yield STILL.judge(_shift(self._small[0], self._small[-1]) * self._width / _SMALL[0])
        if self._heights:
            yield CARDS.judge(statistics.median(self._heights))
        if self._blurs:
            yield SHARPNESS.judge(statistics.median(self._blurs))
        if len(self._surer_mirrored) >= _FEWEST:
            yield MIRRORED.judge(statistics.fmean(self._surer_mirrored))
        yield READ.judge(statistics.fmean(self._doubtful)) if self._doubtful else NO_CARDS
        if self._took_ms:
            yield SPEED.judge(statistics.median(self._took_ms))


def judged(checks: Sequence[Check]) -> tuple[Check, ...]:
    """The worst first; of two as bad that which may be the other's cause."""
    return tuple(sorted(checks, key=lambda check: check.verdict))


def blur(grey: Grey) -> float:
    """How blurred a picture is, 0 to 1: how little of what changes from pixel to pixel more blur takes away.

    F. Crete, T. Dolmiere, P. Ladret, M. Nicolas: The blur effect, SPIE 2007.
    """
    values = grey.astype(np.float32)
    found = []
    for axis, size in ((0, (1, _BLUR_WINDOW)), (1, (_BLUR_WINDOW, 1))):
        smooth = cv2.blur(values, size)
        sharp, soft = np.abs(np.diff(values, axis=axis)), np.abs(np.diff(smooth, axis=axis))
        total = float(sharp.sum())
        found.append(1.0 if total == 0 else (total - float(np.maximum(0, sharp - soft).sum())) / total)
    return max(found)


def _surer(cards: Sequence[Detection], mirrored: Sequence[Detection], width: int) -> Iterator[float]:
    """By how much each face is named more surely in the mirrored picture, -1 to 1."""
    faces, others = ([one for one in found if one.best < BACK] for found in (cards, mirrored))
    for face in faces:
        x, y = face.corners.mean(axis=0)
        size = float(np.linalg.norm(face.corners[1] - face.corners[0]))
        for other in others:
            away = other.corners.mean(axis=0) - (width - 1 - x, y)
            if float(np.hypot(*away)) < _SAME_PLACE * size:
                yield other.confidence - face.confidence


def _cut_out(grey: Grey, card: Detection) -> Grey | None:
    """The box around a card, as far as it is in the picture; `None`: too little of it."""
    height, width = grey.shape
    left, top = np.maximum(0, card.corners.min(axis=0)).astype(int)
    right, bottom = np.minimum([width, height], card.corners.max(axis=0)).astype(int)
    part = grey[top:bottom, left:right]
    if min(part.shape) <= 2 * _BLUR_WINDOW:
        return None
    scale = _CARD_PX / float(np.linalg.norm(card.corners[1] - card.corners[2]))
    return np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)


def _most_colour(bgr: NDArray[np.uint8]) -> float:
    """By how much the channels differ where a picture has most colour, but for half a percent of it."""
    small = cv2.resize(bgr, _SMALL, interpolation=cv2.INTER_AREA)
    return float(np.percentile(np.ptp(small, axis=2), 99.5))


def _flicker(means: Sequence[float]) -> float:
    """How much brightness changes from picture to picture, as a share; arms change it more slowly."""
    if len(means) < 2:
        return 0.0
    return float(np.median(np.abs(np.diff(means)))) / max(1.0, statistics.median(means))


def _shift(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """How far a picture has been pushed against another, pixels; 0 where nothing tells."""
    window = cv2.createHanningWindow(_SMALL, cv2.CV_32F)
    (x, y), response = cv2.phaseCorrelate(one, other, window)
    return float(np.hypot(x, y)) if response > 0.1 else 0.0
