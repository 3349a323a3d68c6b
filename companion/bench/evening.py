"""How long a decision takes, and what an evening of forty hands leaves in memory."""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.bench.figure import Figure, spread
from companion.decoding.decoder import Decoder
from companion.rules.ruleset import RuleSet
from companion.table.detection import Reading
from companion.tracking.tracker import Tracker
from companion.vision.detector import CardDetector
from companion.vision.reader import Reader
from companion.vision.source import VideoSource
from companion.watch.taps import Tap, read_taps

__all__ = ["Evening", "evening_figures"]

HANDS = 40
SETTLED_IN = 5
"""Hands after which what is remembered has filled up; so many are timed, and so many more come first."""
BETWEEN_S = 1.0
MIB = 1024 * 1024


def evening_figures(recording: Path, taps: Path, models: Path, *, hands: int = HANDS) -> Iterator[Figure]:
    """Milliseconds a view and MiB kept, over the recording's hand played again and again.

    The pictures are read once; tracker and decoder take them `hands` times in one sitting.
    """
    reader = Reader(CardDetector(models, threads=1))
    with VideoSource(recording) as source:
        readings = [reader.read(frame) for frame in source]
    evening = Evening(readings, read_taps(taps))
    first = [evening.play() for _ in range(min(hands, SETTLED_IN))]
    yield from spread("track", [each for hand in first for each in hand.track_ms], "ms")
    yield from spread("decide", [each for hand in first for each in hand.decide_ms], "ms")
    tracemalloc.start()  # slows everything, so what is timed comes before
    try:
        for _ in range(SETTLED_IN):
            evening.play()
        gc.collect()
        filled, _ = tracemalloc.get_traced_memory()
        more = max(1, hands - 2 * SETTLED_IN)
        for _ in range(more):
            evening.play()
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - filled
    finally:
        tracemalloc.stop()
    yield Figure("evening.hands", float(evening.ended), "hands")
    yield Figure("evening.memory", filled / MIB, "MiB")
    yield Figure("evening.growth_a_hand", grown / MIB / more, "MiB")


@dataclass(frozen=True, slots=True)
class Taken:
    """Milliseconds that each view of one hand took."""

    track_ms: tuple[float, ...]
    decide_ms: tuple[float, ...]


class Evening:
    """One tracker and one decoder that see the same hand again and again.

    Args:
        readings: Of one hand from the bare table to the bare table.
        taps: What was pressed meanwhile.
    """

    def __init__(self, readings: Sequence[Reading], taps: Iterable[Tap]) -> None:
        self._readings, self._taps = tuple(readings), tuple(taps)
        self._length = self._readings[-1].time + BETWEEN_S
        self._played = 0
        self._tracker, self._decoder = Tracker(), Decoder(RuleSet())

    @property
    def ended(self) -> int:
        """How many hands have ended, as far as the decoder knows."""
        return len(self._decoder.records)

    def play(self) -> Taken:
        """Play the hand once more."""
        later = self._played * self._length
        self._played += 1
        taps, track_ms, decide_ms = deque(self._taps), [], []
        for reading in self._readings:
            while taps and taps[0].time <= reading.time:
                tap = taps.popleft()
                self._decoder.tell(tap.event, tap.time + later, tap.source)
            moved = _later(reading, later)
            started = time.perf_counter()
            view = self._tracker.update(moved)
            tracked = time.perf_counter()
            self._decoder.update(view)
            track_ms.append(1000 * (tracked - started))
            decide_ms.append(1000 * (time.perf_counter() - tracked))
        return Taken(tuple(track_ms), tuple(decide_ms))


def _later(reading: Reading, seconds: float) -> Reading:
    detections = tuple(replace(one, time=one.time + seconds) for one in reading.detections)
    return replace(reading, time=reading.time + seconds, detections=detections)
