"""Announcement buttons over time: when one says something, each once."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.decoding.evidence import Announced
from companion.table.observation import LyingButton, TableView

__all__ = ["Buttons", "Face"]

REACH = 2.0
"""How far a button lies from the middle of the lead at most, short sides of a card."""
TRICK_REACH = 3.0
"""And from the last card of a trick, where no lead lies."""
WITHIN_S = 8.0
"""How long before or after the lead it is laid at most."""
ALONE_S = 5.0
"""A button beside which no lead was laid for so long was laid with words alone."""
WAIT_S = 1.2
"""A button that is not read clearly yet is looked at for this long."""
CLEAR = 0.003
"""Probability that it is none, below which it is."""
LEAST = 0.001
"""Nobody is surer than this of what a button says."""


@dataclass(frozen=True, slots=True)
class Face:
    """A face that lies on the table: its track, its middle in pixels, and since when, seconds."""

    track: int
    x: float
    y: float
    since: float


class Buttons:
    """Turns what lies on the table into `Announced`."""

    def __init__(self) -> None:
        self._told: set[int] = set()
        self._trick_at: tuple[float, float] | None = None
        """Where the last card of a trick was laid; a button far from there was put aside."""

    def update(self, view: TableView, faces: Sequence[Face], unit: float) -> Iterator[Announced]:
        """Yield what is new.

        Args:
            view: The table now.
            faces: Cards of tricks that lie there.
            unit: Short side of a card, pixels.
        """
        if faces:
            latest = max(faces, key=lambda face: face.since)
            self._trick_at = latest.x, latest.y
        for button in view.buttons:
            lay_s = view.time - button.since
            other = 1.0 - button.twenty - button.forty
            if button.number in self._told or (other > CLEAR and lay_s < WAIT_S):
                continue
            near = {
                face.track: face.since
                for face in faces
                if math.hypot(face.x - button.x, face.y - button.y) <= REACH * unit
                and abs(face.since - button.since) <= WITHIN_S
            }
            if not near and (lay_s < ALONE_S or faces or not self._at_trick(button, unit)):
                continue
            self._told.add(button.number)
            twenty, forty, none = (math.log(max(LEAST, p)) for p in (button.twenty, button.forty, other))
            yield Announced(max((button.since, *near.values())), frozenset(near), (twenty, forty, none))

    def _at_trick(self, button: LyingButton, unit: float) -> bool:
        if self._trick_at is None:
            return False
        x, y = self._trick_at
        return math.hypot(x - button.x, y - button.y) <= TRICK_REACH * unit
