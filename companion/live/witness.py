"""Remembers for a short while what the table looked like, so that a still of each event can be kept.

The camera's thread hands over each frame as it is read, the table's thread what was made of it. A
card is cut out when it comes to rest, and once more when nothing moves any more.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion.live.pipeline import FrameReader
from companion.rules.cards import PACK_24, Card
from companion.rules.events import CardPlayed, Dealt, Event
from companion.table.detection import BACK, Frame, Reading
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import inverse, mapped
from companion.vision.still import still

__all__ = ["Pictures", "SeenReader", "Witness"]

CUTS = 40
"""Cards remembered at most: what lies on a table and has lain there lately."""
WHOLE_EVERY_S = 1.0
WHOLES = 30
"""Pictures of the whole table remembered, one a second."""
NEXT_TO_S = 5.0
"""A picture from so long before or after an event shows something else: the camera was away, or off."""
RESTED_S = 0.15
SAME_S = 0.02
"""An event that a card brought about has the time at which the card came to rest."""
WITHIN = 9.0
"""Cards so many nats below the likeliest are not worth keeping."""


class Pictures(Protocol):
    """Where stills are kept; `companion.store.album.Album` is one."""

    def keep(self, time: float, picture: bytes, looks: Mapping[Card, float]) -> bool:
        """Keep a picture, unless there is one."""


@dataclass(slots=True)
class _Cut:
    """What one track looked like."""

    since: float
    picture: bytes
    quiet: bool
    card: Observation


class Witness:
    """Sees what the table sees, and keeps a still of what happened."""

    def __init__(self, pictures: Pictures) -> None:
        self._pictures = pictures
        self._frame: Frame | None = None
        self._to_frame: NDArray[np.float64] | None = None
        self._cuts: OrderedDict[int, _Cut] = OrderedDict()
        self._wholes: deque[tuple[float, bytes]] = deque(maxlen=WHOLES)

    def frame(self, frame: Frame, to_table: NDArray[np.float64] | None = None) -> None:
        """Take the picture that is looked at now.

        Args:
            frame: The picture.
            to_table: As in `Reading`: from the picture's pixels to those in which places are given.
        """
        self._frame = frame
        self._to_frame = inverse(to_table)

    def begin(self) -> None:
        """Begin anew with another source: its tracks have other numbers."""
        self._frame = None
        self._cuts.clear()

    def saw(self, view: TableView) -> None:
        """Take what was made of the last picture."""
        frame = self._frame
        if frame is None or abs(frame.time - view.time) > SAME_S:
            return
        quiet = view.quiet and not view.hands
        for card in view.cards:
            if card.phase is not Phase.STILL or card.best == BACK:
                continue
            cut = self._cuts.get(card.track)
            if cut is not None:
                cut.card = card
            if view.time - card.since < RESTED_S or (cut is not None and (cut.quiet or not quiet)):
                continue
            since = card.since if cut is None else cut.since
            self._cuts[card.track] = _Cut(since, still(frame.bgr, self._seen(card.corners)), quiet, card)
            if len(self._cuts) > CUTS:
                self._cuts.popitem(last=False)
        if not self._wholes or view.time - self._wholes[-1][0] >= WHOLE_EVERY_S:
            self._wholes.append((view.time, still(frame.bgr)))

    def _seen(self, corners: NDArray[np.float32]) -> NDArray[np.float32]:
        """Where corners on the table are in the picture."""
        return np.asarray(mapped(corners, self._to_frame), np.float32)

    def keep(self, time: float, event: Event) -> None:
        """Keep a still of `event`: of its card, else of the table next to `time`, if it was seen then."""
        cut = self._cut_of(time, event) if isinstance(event, CardPlayed | Dealt) else None
        if cut is not None:
            self._pictures.keep(time, cut.picture, _looks(cut.card))
        elif self._wholes:
            taken, picture = min(self._wholes, key=lambda each: abs(each[0] - time))
            if abs(taken - time) <= NEXT_TO_S:
                self._pictures.keep(time, picture, {})

    def _cut_of(self, time: float, event: CardPlayed | Dealt) -> _Cut | None:
        card = event.card if isinstance(event, CardPlayed) else event.turned_up
        lately = [cut for cut in self._cuts.values() if abs(cut.since - time) <= NEXT_TO_S]
        near = [cut for cut in lately if abs(cut.since - time) <= SAME_S]
        named = [cut for cut in near or lately if card is not None and PACK_24.index(card) == cut.card.best]
        found = named or near
        return min(found, key=lambda cut: abs(cut.since - time), default=None)


class SeenReader:
    """A reader whose frames a witness sees, too."""

    def __init__(self, reader: FrameReader, witness: Witness) -> None:
        self._reader = reader
        self._witness = witness

    def read(self, frame: Frame) -> Reading:
        """Say which cards lie where in `frame`."""
        reading = self._reader.read(frame)
        self._witness.frame(frame, reading.to_table)
        return reading


def _looks(card: Observation) -> dict[Card, float]:
    """The likeliest cards of a track, with their log-probabilities."""
    values = [float(value) for value in card.log_probs[:BACK]]
    top = max(values)
    return {PACK_24[at]: value for at, value in enumerate(values) if value >= top - WITHIN}
