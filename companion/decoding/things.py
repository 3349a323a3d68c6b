"""What lies on the table and is no card: a phone that shows the page, a score sheet, a box."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from companion.decoding.known import Known
from companion.table.observation import Observation
from companion.table.quad import covered

__all__ = ["Things"]

START_S = 0.5
"""What is there in the first views may have lain there all day."""
MOST_THINGS = 12
"""So many things are kept in mind, those that were found last."""
ON_THING = 0.5
"""Share of a card that lies where a thing lies from which on it may be that thing."""


class Things:
    """Remembers where things lie that look like a card at times."""

    def __init__(self, known: Known) -> None:
        self._known = known
        self._began = np.inf
        self._places: deque[NDArray[np.float32]] = deque(maxlen=MOST_THINGS)

    def update(self, lying: Iterable[Observation], time: float) -> None:
        """Remember where things lie that were there before anything was played, and are no clear card."""
        self._began = min(self._began, time)
        for card in lying:
            known = self._known
            thing = self.lay_there(card) and not known.is_back(card) and known.is_doubtful(card)
            if thing and not self._lies_on_one(card):
                self._places.append(card.corners)

    def lay_there(self, card: Observation) -> bool:
        """Whether it may have lain there all day."""
        return card.first_seen <= self._began + START_S or not card.came

    def is_one(self, face: Observation) -> bool:
        """Whether a face is a thing that lay there all day: the page on a phone, a score sheet.

        Whoever reaches over it, or taps it, has it look like something else that has just come.
        """
        return self._known.is_doubtful(face) and (self.lay_there(face) or self._lies_on_one(face))

    def _lies_on_one(self, card: Observation) -> bool:
        return any(covered(card.corners, thing) >= ON_THING for thing in self._places)
