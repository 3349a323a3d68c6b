"""Faces that a hand carries over the trick and that never come to rest.

Whoever answers and takes the trick in one motion lays the card for half a second, under the hand. No frame
shows it lying still; several show it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.decoding.likelihood import Sight
from companion.table.detection import BACK, CLASSES
from companion.table.observation import Observation, Phase, TableView

__all__ = ["Glimpses"]

LEAST_FRAMES, LEAST_S = 3, 0.25
"""In fewer frames, or for a shorter time, a card that moves is hardly read."""
AGREEING = 0.7
"""Share of the frames that must show the same card."""
CLEARLY = -0.7
"""Least log-probability of that card, all frames together."""
MOST_WEIGHT = 4
"""So many frames count at most."""
MISREAD = 0.05
"""Share of cards that are read wrong for as long as they move."""
NEAR = 2.5
"""Farthest from a card of the trick at which an answer is carried, in short sides of a card."""
CARRIED = 1.0
"""How far a card must have been carried to tell from whose side, or that nothing hid it, in the same unit."""
FROM_THERE = 0.9
"""How surely it came from the side it was carried from."""
TRICK = 2
"""Cards of a trick."""


@dataclass(slots=True)
class _Carried:
    """A card that moves, and what each frame showed."""

    start: NDArray[np.float32]
    first_seen: float
    last_seen: float
    centre: NDArray[np.float32]
    looks: list[NDArray[np.float32]] = field(default_factory=list)

    def see(self, card: Observation) -> None:
        """Take one more frame."""
        self.last_seen, self.centre = card.last_seen, card.centre
        self.looks.append(card.log_probs)


class Glimpses:
    """Remembers what moves, and tells of what has vanished."""

    def __init__(self) -> None:
        self._carried: dict[int, _Carried] = {}
        self._trick: deque[NDArray[np.float32]] = deque(maxlen=TRICK)
        self._brought: set[int] = set()
        """Tracks of cards that were seen on their way, and have come to rest."""

    def laid(self, card: Observation) -> None:
        """Note where a face has been laid down."""
        self._trick.append(card.centre)

    def brought(self, track: int) -> bool:
        """Whether a card was seen on its way to where it lies."""
        return track in self._brought

    def update(self, view: TableView, rested: Container[int], unit: float) -> Iterator[tuple[int, Sight]]:
        """Yield number and looks of each face that was carried near the trick and is seen no more.

        Args:
            view: What is seen now.
            rested: Tracks that have lain still some time.
            unit: Short side of a card, pixels.
        """
        moving = {
            card.track: card
            for card in view.cards
            if card.phase is Phase.MOVING and card.track not in rested and card.came
        }
        self._brought &= {card.track for card in view.cards}
        for track in [track for track in self._carried if track not in moving]:
            seen = self._carried.pop(track)
            if track in rested and unit and _apart(seen.start, seen.centre) >= CARRIED * unit:
                self._brought.add(track)
            sight = None if track in rested else self._sight(seen, unit)
            if sight is not None:
                yield track, sight
        for track, card in moving.items():
            if card.last_seen == view.time:
                seen = self._carried.setdefault(
                    track, _Carried(card.centre, card.first_seen, card.last_seen, card.centre)
                )
                seen.see(card)

    def _sight(self, seen: _Carried, unit: float) -> Sight | None:
        """What is known of a card that was carried; `None`: too little, or it was not a card of the trick."""
        if len(seen.looks) < LEAST_FRAMES or seen.last_seen - seen.first_seen < LEAST_S or not unit:
            return None
        if min((_apart(seen.centre, place) for place in self._trick), default=np.inf) > NEAR * unit:
            return None
        # frames of one card are not independent, nor are those of one in motion as good as others
        log_p = np.mean(seen.looks, axis=0) * min(len(seen.looks), MOST_WEIGHT)
        log_p = np.logaddexp(log_p - np.logaddexp.reduce(log_p), np.log(MISREAD / len(CLASSES)))
        log_p -= np.logaddexp.reduce(log_p)
        best = int(log_p.argmax())
        agreeing = sum(int(look.argmax()) == best for look in seen.looks)
        if best >= BACK or log_p[best] < CLEARLY or agreeing < AGREEING * len(seen.looks):
            return None
        return Sight(
            tuple(float(value) for value in log_p),
            seen.first_seen,
            seen.last_seen - seen.first_seen,
            Phase.GONE,
            _from_south(float(seen.start[1] - seen.centre[1]) / unit),
        )


def _apart(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    return float(np.linalg.norm(one - other))


def _from_south(path: float) -> float:
    """Probability that a card came from the south that was carried so far up the picture."""
    if abs(path) < CARRIED:
        return 0.5
    return FROM_THERE if path > 0 else 1.0 - FROM_THERE
