"""The stages before a table, made as its camera is set up."""

from __future__ import annotations

import functools
import logging
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from companion.config import asset
from companion.vision.cameras import cameras
from companion.vision.deck import DECKS, Deck, deck_name, deck_names, read_deck, write_deck

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from companion.bundle.recorder import Recorder
    from companion.live.enrolling import Enrolling
    from companion.live.eyes import ClosableFrames
    from companion.live.pipeline import FrameReader
    from companion.live.setting import Setting
    from companion.live.witness import Witness
    from companion.table.detection import Frame
    from companion.tracking.tracker import Tracker
    from companion.vision.reader import Reader
    from companion.vision.showing import Showing

__all__ = ["TableOptics", "told_lost"]

_log = logging.getLogger(__name__)


def told_lost(why: str) -> None:
    """Say on the terminal that a camera gives no picture any more; it is started anew."""
    _log.warning("%s", why)


class TableOptics:
    """Opens cameras and loads networks; `companion.live.eyes.Optics`.

    Args:
        data: Folder of the records, the decks among them.
        threads: Threads of the networks.
        witness: Is shown what the table is shown.
        recorder: Keeps the sitting, where that was asked for.
        first: The camera that was named as the program was started, and its source, open already.
    """

    def __init__(
        self,
        data: Path,
        threads: int,
        witness: Witness,
        recorder: Recorder | None = None,
        first: tuple[str, ClosableFrames] | None = None,
    ) -> None:
        self._decks = data / DECKS
        self._threads, self._witness, self._recorder, self._first = threads, witness, recorder, first
        self._named = None if first is None else first[0]

    def opened(self, setting: Setting) -> ClosableFrames:
        """Open the camera, its picture turned."""
        from companion.vision.camera import LiveSource
        from companion.vision.turning import Turned

        first, self._first = self._first, None
        if first is not None and first[0] == setting.camera:
            return Turned(first[1], setting.turn)
        if first is not None:
            first[1].close()
        return Turned(LiveSource(setting.camera or "", lost=told_lost), setting.turn)

    def reader(
        self, setting: Setting, then: NDArray[np.uint8] | None, found: Callable[[bool], None]
    ) -> FrameReader:
        """Make what reads the table's frames, and shows them to the witness."""
        make = functools.partial(self._table_reader, setting, then, found)
        return make() if self._recorder is None else self._recorder.reader(make)()

    def trial_reader(self, setting: Setting) -> Reader:
        """Make what reads the whole picture."""
        from companion.vision.reader import Reader

        deck = None if setting.deck is None else read_deck(self._decks, setting.deck)
        return Reader.of(asset("models"), threads=self._threads, deck=deck)

    def tracker(self) -> Tracker:
        """Make what follows cards over time."""
        from companion.tracking.tracker import Tracker

        return Tracker()

    def cameras(self) -> tuple[tuple[str, str], ...]:
        """What each camera is called by and its name; first the one that was named at the start."""
        there = cameras()
        if self._named is None:
            return there
        others = (each for each in there if each[0] != self._named)
        return ((self._named, dict(there).get(self._named, "")), *others)

    def decks(self) -> tuple[str, ...]:
        """The packs that are enrolled."""
        return deck_names(self._decks)

    def enrolling(self, name: str, nines: bool) -> Enrolling:
        """Make what learns a pack that is shown card by card."""
        from companion.live.enrolling import Enrolling

        return Enrolling(deck_name(name), nines, self._showings, self._keep)

    def _table_reader(
        self, setting: Setting, then: NDArray[np.uint8] | None, found: Callable[[bool], None]
    ) -> FrameReader:
        from companion.live.witness import SeenReader
        from companion.vision.tabletop import TabletopReader

        whole = self.trial_reader(setting)
        reader = whole if setting.table is None else TabletopReader(whole, setting.table, then, found)
        return SeenReader(reader, self._witness)

    def _showings(self, frames: Iterable[Frame], lies: Callable[[bool], None]) -> Iterator[Showing]:
        from companion.vision.detector import PHOTO_SIDES, CardDetector
        from companion.vision.showing import showings

        detector = CardDetector(asset("models"), threads=self._threads, sides=PHOTO_SIDES)
        return showings(detector, frames, lies)

    def _keep(self, deck: Deck) -> tuple[tuple[str, str], ...]:
        from companion.vision.classify import Classifier
        from companion.vision.enrolment import EnrolledClassifier

        known = EnrolledClassifier(Classifier(asset("models"), threads=self._threads), deck)
        write_deck(self._decks, deck)
        return known.alike
