"""Somebody who sees a puppets' show and hears its taps: readings in, what a decoder writes out."""

from __future__ import annotations

from collections.abc import Iterable

from companion.decoding.decoder import Decoder
from companion.table.detection import Reading
from companion.table.entry import Entry
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import Show


class Spectator:
    """A new tracker and a decoder before one show.

    Attributes:
        decoder: May be replaced between two readings, as by a restart.
    """

    def __init__(self, show: Show, decoder: Decoder) -> None:
        self.decoder = decoder
        self._tracker = Tracker()
        self._taps = list(show.taps)
        self._end = show.end

    def see(self, reading: Reading) -> list[Entry]:
        """Hear what was pressed by then, and take the reading."""
        return [*self._hear(reading.time), *self.decoder.update(self._tracker.update(reading))]

    def finish(self) -> list[Entry]:
        """Hear the rest, and go."""
        return [*self._hear(self._end), *self.decoder.finish(self._end)]

    def watch(self, frames: Iterable[Reading]) -> list[Entry]:
        """All that is written of these readings to the end."""
        return [*(entry for reading in frames for entry in self.see(reading)), *self.finish()]

    def _hear(self, now: float) -> list[Entry]:
        written: list[Entry] = []
        while self._taps and self._taps[0][0] <= now:
            time, event = self._taps.pop(0)
            written.extend(self.decoder.tell(event, time, "phone:referee"))
        return written
