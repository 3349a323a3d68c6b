"""Follows announcement buttons from frame to frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import astuple

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Button, Reading
from companion.table.observation import LyingButton

__all__ = ["Buttons"]

SAME_PLACE = 0.4
"""A button nearer than this to where one lay is the same, in diameters."""
PUSHED = 2.5
"""Nearer than this to where one lies no more, it is that one, pushed aside."""
STILL_S = 0.3
"""How long it must lie there to be told."""
LOOKS = 2
"""Frames in which it must be seen before it is told."""
BROUGHT_S = 3.0
"""So shortly before it is found something must have moved at its place for it to have been brought."""
CLEAR_S = 1.0
"""Not seen for so long while nothing moved at its place, it is gone."""
MOST_TOLD = 4.0
"""Frames of one button are not independent: more of them than this add no certainty."""
_LEAST = 0.01
"""One frame is never surer than this that it is not."""

MovedSince = Callable[[NDArray[np.float32], float], bool]


class _Track:
    def __init__(self, number: int, button: Button, time: float) -> None:
        self.number = number
        self.x, self.y, self.size = button.x, button.y, button.size
        self.since = self.last_seen = time
        self.looks = 0
        self.log_p = (0.0, 0.0, 0.0)
        """Of 20, of 40, of anything else, added up over all looks, nats."""
        self.brought = True

    def distance(self, button: Button) -> float:
        return math.hypot(button.x - self.x, button.y - self.y) / max(self.size, button.size)

    def see(self, button: Button, time: float) -> None:
        self.x, self.y, self.size, self.last_seen = button.x, button.y, button.size, time
        self.looks += 1
        told = (button.twenty, button.forty, 1.0 - button.twenty - button.forty)
        twenty, forty, other = (
            total + math.log(max(_LEAST, p)) for total, p in zip(self.log_p, told, strict=True)
        )
        self.log_p = twenty, forty, other

    def observation(self) -> LyingButton:
        """What all frames together say."""
        weight = min(1.0, MOST_TOLD / self.looks)
        sums = [weight * each for each in self.log_p]
        most = max(sums)
        twenty, forty, other = (math.exp(each - most) for each in sums)
        total = twenty + forty + other
        return LyingButton(self.number, self.x, self.y, twenty / total, forty / total, self.since)


class Buttons:
    """The tracker's view of the buttons on the table; few lie there, and most of them long."""

    def __init__(self) -> None:
        self._tracks: list[_Track] = []
        self._next = 1

    def update(self, reading: Reading, moved_since: MovedSince) -> tuple[LyingButton, ...]:
        """Take one reading, and return the buttons that were brought and lie still.

        Args:
            reading: What was read.
            moved_since: Whether something moved in the box around points, (N, 2) pixels, since a time.
        """
        if reading.fresh:
            self._match(reading.buttons, reading.time, moved_since)
        return tuple(
            track.observation()
            for track in self._tracks
            if track.brought and track.looks >= LOOKS and reading.time - track.since >= STILL_S
        )

    def _match(self, buttons: Sequence[Button], time: float, moved_since: MovedSince) -> None:
        left = list(self._tracks)
        elsewhere: list[Button] = []
        for button in sorted(buttons, key=astuple):  # whatever the order in which they were found
            near = min(left, key=lambda track: track.distance(button), default=None)
            if near is None or near.distance(button) > SAME_PLACE:
                elsewhere.append(button)
            else:
                left.remove(near)
                near.see(button, time)
        for button in elsewhere:  # only now is it known which lie no more where they lay
            self._begin(button, time, moved_since).see(button, time)
        gone = [
            track
            for track in left
            if time - track.last_seen > CLEAR_S and not moved_since(_box(track), time - CLEAR_S)
        ]
        self._tracks = [track for track in self._tracks if track not in gone]

    def _begin(self, button: Button, time: float, moved_since: MovedSince) -> _Track:
        pushed = next(
            (
                track
                for track in self._tracks
                if track.last_seen < time and SAME_PLACE < track.distance(button) < PUSHED
            ),
            None,
        )
        if pushed is not None:
            pushed.since = time
            return pushed
        track = _Track(self._next, button, time)
        track.brought = moved_since(_box(button), time - BROUGHT_S)
        self._next += 1
        self._tracks.append(track)
        return track


def _box(button: Button | _Track) -> NDArray[np.float32]:
    """Two corners of the square around a button."""
    half = button.size / 2
    return np.array([[button.x - half, button.y - half], [button.x + half, button.y + half]], np.float32)
