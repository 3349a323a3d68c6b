"""One table watched from its first frame to its last: frames and taps in, lines out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

from companion.decoding.decoder import Decoder
from companion.live.decoder import DecoderFactory
from companion.live.pipeline import FrameReader
from companion.rules.cards import Player
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.table.detection import Frame
from companion.table.entry import Entry
from companion.tracking.tracker import Tracker
from companion.watch.chronicle import Chronicle
from companion.watch.taps import Tap

__all__ = ["Watcher"]


class Watcher:
    """Runs reader, tracker and decoder over one source; same frames and taps, same lines."""

    def __init__(
        self,
        reader: FrameReader,
        rules: RuleSet,
        *,
        dealer: Player | None = None,
        taps: Sequence[Tap] = (),
        first_seq: int = 1,
        keep: Callable[[Sequence[Entry]], None] = lambda entries: None,
        make_decoder: DecoderFactory = Decoder,
    ) -> None:
        """Begin before the first frame.

        Args:
            reader: Has read nothing yet.
            rules: What is played.
            dealer: Who dealt first; `None`: as the cards show.
            taps: What was pressed, on the source's clock.
            first_seq: Number of the decoder's first entry.
            keep: Is given every batch of entries before their lines are given out.
            make_decoder: Makes the decoder.
        """
        self._reader = reader
        self._tracker = Tracker()
        self._decoder = make_decoder(rules, dealer=dealer, first_seq=first_seq)
        self._keep = keep
        self._chronicle = Chronicle(rules)
        self._taps = deque(sorted(taps, key=lambda tap: tap.time))
        self._time = 0.0
        self.frames = 0

    def see(self, frame: Frame) -> tuple[dict[str, Any], ...]:
        """Take the next frame, and whatever was pressed up to it; the lines that became certain."""
        entries = list(self._pressed(frame.time))
        self._time = frame.time
        self.frames += 1
        entries += self._decoder.update(self._tracker.update(self._reader.read(frame)))
        return self._told(entries)

    def finish(self) -> tuple[dict[str, Any], ...]:
        """The source has ended: the last lines."""
        entries = list(self._pressed(float("inf")))
        entries += self._decoder.finish(self._time)
        return self._told(entries)

    @property
    def records(self) -> tuple[Record, ...]:
        """The hands that have ended."""
        return self._chronicle.records

    @property
    def unseen(self) -> tuple[tuple[float | None, float], ...]:
        """From when until when nobody saw the table in mid-hand, seconds."""
        return tuple(self._chronicle.unseen)

    def _told(self, entries: Sequence[Entry]) -> tuple[dict[str, Any], ...]:
        """What is told has been kept before."""
        if entries:
            self._keep(entries)
        return self._chronicle.tell(entries)

    def _pressed(self, until: float) -> tuple[Entry, ...]:
        entries: tuple[Entry, ...] = ()
        while self._taps and self._taps[0].time <= until:
            tap = self._taps.popleft()
            entries += self._decoder.tell(tap.event, tap.time, tap.source)
        return entries
