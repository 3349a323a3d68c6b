"""How long a decision takes, and what an evening of forty hands leaves in memory."""

from __future__ import annotations

import gc
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from companion.bench.figure import Figure, spread
from companion.bench.memory import resident_mib
from companion.decoding.decoder import Decoder
from companion.rules.ruleset import RuleSet
from companion.table.detection import Reading
from companion.tracking.tracker import Tracker
from companion.vision.reader import Reader
from companion.vision.source import VideoSource
from companion.watch.taps import Tap, read_taps

__all__ = ["Evening", "evening_figures"]

HANDS = 40
FILLED_BY = 10
"""Hands after which what is remembered has filled up."""
BETWEEN_S = 1.0


def evening_figures(recording: Path, taps: Path, models: Path, *, hands: int = HANDS) -> Iterator[Figure]:
    """Milliseconds a view, and the memory after ten hands and all, the recording's played again and again.

    The pictures are read once; tracker and decoder take them `hands` times in one sitting.
    """
    reader = Reader.of(models, threads=1)
    with VideoSource(recording) as source:
        readings = [reader.read(frame) for frame in source]
    evening = Evening(readings, read_taps(taps))
    played = [evening.play() for _ in range(min(hands, FILLED_BY))]
    filled = resident_mib(), _blocks()
    played += [evening.play() for _ in range(hands - len(played))]
    grown = _blocks() - filled[1]
    yield from spread("track", [each for hand in played for each in hand.track_ms], "ms")
    yield from spread("decide", [each for hand in played for each in hand.decide_ms], "ms")
    yield Figure("evening.hands", float(evening.ended), "hands")
    yield Figure("evening.memory.first", filled[0], "MiB")
    yield Figure("evening.memory.last", resident_mib(), "MiB")
    yield Figure("evening.growth_a_hand", grown / max(1, hands - FILLED_BY), "blocks")


def _blocks() -> int:
    """How many blocks of memory Python's objects take."""
    gc.collect()
    return sys.getallocatedblocks()


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
