"""One table watched from its first frame to its last: frames and taps in, lines out."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from companion.decoding.decoder import Decoder
from companion.rules.cards import Player, Rank
from companion.rules.events import CardPlayed, MarriageDeclared
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.table.detection import Frame
from companion.table.entry import Entry, Settled
from companion.tracking.tracker import Tracker
from companion.vision.detector import CardDetector
from companion.vision.reader import Reader
from companion.watch.chronicle import Chronicle
from companion.watch.taps import Tap

__all__ = ["Watcher"]


class Watcher:
    """Runs reader, tracker and decoder over one source; same frames and taps, same lines."""

    def __init__(
        self,
        models: Path,
        rules: RuleSet,
        *,
        dealer: Player | None = None,
        taps: Sequence[Tap] = (),
        threads: int = 1,
        first_seq: int = 1,
        keep: Callable[[Sequence[Entry]], None] = lambda entries: None,
    ) -> None:
        """Load the models.

        Args:
            models: Folder of the networks.
            rules: What is played.
            dealer: Who dealt first; `None`: as the cards show.
            taps: What was pressed, on the source's clock.
            threads: Threads of the networks.
            first_seq: Number of the decoder's first entry.
            keep: Is given every batch of entries before their lines are given out.
        """
        self._reader = Reader(CardDetector(models, threads=threads))
        self._tracker = Tracker()
        self._decoder = Decoder(rules, dealer=dealer, first_seq=first_seq)
        self._keep = keep
        self._chronicle = Chronicle(rules)
        self._taps = deque(sorted(taps, key=lambda tap: tap.time))
        self._undecided: list[Tap] = []
        self._time = 0.0
        self.frames = 0

    def see(self, frame: Frame) -> tuple[dict[str, Any], ...]:
        """Take the next frame, and whatever was pressed up to it; the lines that became certain."""
        entries = list(self._pressed(frame.time))
        self._time = frame.time
        self.frames += 1
        entries += self._decoder.update(self._tracker.update(self._reader.read(frame)))
        entries += self._decide(entries)
        return self._told(entries)

    def finish(self) -> tuple[dict[str, Any], ...]:
        """The source has ended: the last lines."""
        entries = list(self._pressed(float("inf")))
        entries += self._decide(entries)
        entries += self._decoder.finish(self._time)
        return self._told(entries)

    @property
    def records(self) -> tuple[Record, ...]:
        """The hands that have ended."""
        return self._decoder.records

    def _told(self, entries: Sequence[Entry]) -> tuple[dict[str, Any], ...]:
        """What is told has been kept before."""
        if entries:
            self._keep(entries)
        return self._chronicle.tell(entries)

    def _pressed(self, until: float) -> tuple[Entry, ...]:
        entries: tuple[Entry, ...] = ()
        while self._taps and self._taps[0].time <= until:
            tap = self._taps.popleft()
            if tap.event is None:
                self._undecided.append(tap)
            else:
                entries += self._decoder.tell(tap.event, tap.time, tap.source)
        return entries

    def _decide(self, entries: Sequence[Entry]) -> tuple[Entry, ...]:
        """A marriage pressed without its suit: the lead that follows tells it."""
        told: tuple[Entry, ...] = ()
        for tap in list(self._undecided):
            for entry in entries:
                match entry:
                    case Settled(event=CardPlayed(player, card)) if player is tap.player and card is not None:
                        self._undecided.remove(tap)
                        if card.rank in (Rank.KING, Rank.QUEEN):
                            said = MarriageDeclared(player, card.suit)
                            told += self._decoder.tell(said, tap.time, tap.source)
                        break
        return told
