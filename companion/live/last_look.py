"""When the table was seen last, and for how long it had not been before."""

from __future__ import annotations

from math import inf

from companion.live.hand import HandFold

__all__ = ["LastLook"]


class LastLook:
    """What a decoder that is made anew has to know of when somebody looked at the table."""

    def __init__(self) -> None:
        self._at: float | None = None
        """When it was seen last, all that was settled then being written down; `None`: not since the program
        was started."""
        self._away: float | None = None
        """The same, while a source has started that has not shown it yet; -inf: nobody has ever looked."""
        self._first: tuple[float, float] | None = None
        """Since when nobody had looked when it was seen first after that, and when that was, while no hand is
        on; `None`: what lay there then is written."""

    @property
    def is_known(self) -> bool:
        """Whether it has been seen since the program was started."""
        return self._at is not None

    @property
    def gap(self) -> tuple[float | None, float | None]:
        """When it was seen last and then first again, as a decoder resumes with."""
        return self._first or (self._away, None)

    def look(self, time: float, hand: HandFold | None) -> None:
        """It is seen at `time`, and all that was settled is written down in the current `hand`."""
        if hand is not None and not hand.state.over:
            self._first = None  # of this hand it is told already
        elif self._away is not None or self._at is None:
            self._first = -inf if self._away is None else self._away, time
        self._at, self._away = time, None

    def look_away(self, hand: HandFold | None) -> None:
        """Nobody looks any more until the next view.

        The program may have ended since: then it was seen last when the current `hand` was written to.
        """
        if self._first is not None:
            self._away = self._first[0]
        elif self._at is not None:
            self._away = self._at
        else:
            self._away = -inf if hand is None else hand.events[-1].time
        self._first = None
