"""A bundle told again: the lines that watching it gives now, and whether they are those of then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.bundle.archive import BundleReader
from companion.bundle.replay import Batch, replayed
from companion.decoding.decoder import Decoder
from companion.live.decoder import DecoderFactory
from companion.live.pipeline import FrameReader
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.store.item import MatchStarted
from companion.table.entry import Entry
from companion.watch.chronicle import Chronicle

__all__ = ["Retelling"]


class Retelling:
    """Plays a bundle again from beginning to end, once.

    Attributes:
        frames: How many frames have been gone through.
        differs: What is written into the log now and was not then, or the other way round: the
            number of the first such batch, from 1; `None`: the logs are the same, byte for byte.
    """

    def __init__(
        self,
        bundle: BundleReader,
        *,
        anew: Callable[[], FrameReader] | None = None,
        make_decoder: DecoderFactory = Decoder,
    ) -> None:
        """Begin before the first line.

        Args:
            bundle: Open, at its beginning.
            anew: Makes readers that read the kept pictures again; else the readings of then hold.
            make_decoder: Makes the decoder.
        """
        self._batches = replayed(bundle, anew=anew, make_decoder=make_decoder)
        self._rules: RuleSet | None = None
        self._chronicle: Chronicle | None = None
        self._records: tuple[Record, ...] = ()
        self._unseen: tuple[tuple[float | None, float], ...] = ()
        self._earlier = 0
        self.frames = 0
        self.differs: int | None = None

    @property
    def records(self) -> tuple[Record, ...]:
        """The hands that have ended in the bundle's time."""
        return (*self._records, *self._current())[self._earlier :]

    @property
    def unseen(self) -> tuple[tuple[float | None, float], ...]:
        """From when until when nobody saw the table in mid-hand, seconds."""
        return (*self._unseen, *(() if self._chronicle is None else self._chronicle.unseen))

    def __iter__(self) -> Iterator[tuple[dict[str, Any], ...]]:
        """Yield the lines of each batch.

        Raises:
            BundleError: A line of the bundle is damaged.
        """
        for number, batch in enumerate(self._batches, 1):
            self.frames = batch.frames
            if not batch.same and self.differs is None:
                self.differs = number
            lines = self._told(batch)
            if batch.earlier:
                self._earlier = len(self.records)
                self._unseen = ()
                if self._chronicle is not None:
                    self._chronicle.unseen.clear()
            elif lines:
                yield lines

    def _told(self, batch: Batch) -> tuple[dict[str, Any], ...]:
        """Tell the entries of each match by its own chronicle: a hand may go on from one into the next."""
        if self._chronicle is None and batch.rules is not None:
            self._begin(batch.rules)
        lines: list[dict[str, Any]] = []
        entries: list[Entry] = []
        for item in batch.items:
            if isinstance(item, MatchStarted):
                lines += self._tell(entries)
                entries = []
                self._begin(item.rules)
            elif isinstance(item, Entry):
                entries.append(item)
        return (*lines, *self._tell(entries))

    def _tell(self, entries: list[Entry]) -> tuple[dict[str, Any], ...]:
        return () if self._chronicle is None or not entries else self._chronicle.tell(entries)

    def _begin(self, rules: RuleSet) -> None:
        """A match begins; its lines are numbered on."""
        self._records += self._current()
        self._unseen = self.unseen
        self._chronicle = Chronicle(rules, first=1 if self._chronicle is None else self._chronicle.next)

    def _current(self) -> tuple[Record, ...]:
        return () if self._chronicle is None else self._chronicle.records
