"""What moves in the picture, and whether an arm reaches in."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Motion

__all__ = ["MotionGate"]

_MOST_ROWS = 640
"""Cells above each other at most: of a strip of a picture as many as its shape asks for take gigabytes."""
_GRID = 80
"""Cells side by side, whatever the picture; of one 1280 wide a cell is 16 pixels."""
_CHANGE = 7.0
"""Least change of a cell's mean, grey levels beyond the whole picture's, that is motion; about
three times what sensor noise leaves of it."""
_FOREIGN = 14.0
_BAND = 0.12
"""At most so much darker or brighter than the picture is a band that a flickering lamp leaves."""
_DEEP = 0.2
"""Least share of the picture's height that an arm reaches in: players hold their cards at its edge."""
_RECENT_S = 0.8
_ABSORB_S = 3.0
_GOES_ON_S = 20.0
"""What moves at a side edge for longer without a pause is a screen, a flag or a plant, and no arm."""


class MotionGate:
    """Compares each frame with the one before and with the empty-handed table.

    The table as it lies still is taken over into the background within seconds, so that what
    lies there is no arm; what is foreign, touches an edge and moved just now is one.
    """

    def __init__(self) -> None:
        self._before: NDArray[np.float32] | None = None
        self._background: NDArray[np.float32] | None = None
        self._moved_at: NDArray[np.float64] | None = None
        self._time = 0.0
        self._beside_since = np.full(2, np.nan)
        """Since when something reaches in over the left and the right edge without a pause."""

    @property
    def recent(self) -> NDArray[np.bool_]:
        """(h, w) bool: where something moved within the last `_RECENT_S` seconds."""
        if self._moved_at is None:
            return np.zeros((1, 1), bool)
        return np.asarray(self._time - self._moved_at < _RECENT_S, bool)

    def restart(self) -> None:
        """Begin anew with the next frame: the camera stands elsewhere, or the light is another."""
        self._before = None

    def update(self, bgr: NDArray[np.uint8], time: float) -> Motion:
        """Look at the next frame.

        Args:
            bgr: (H, W, 3) uint8; a change of size begins anew.
            time: Seconds.
        """
        h = min(max(2, round(_GRID * bgr.shape[0] / bgr.shape[1])), _MOST_ROWS)
        small = cv2.resize(bgr, (_GRID * 2, h * 2), interpolation=cv2.INTER_AREA)
        now = cv2.resize(small, (_GRID, h), interpolation=cv2.INTER_AREA).astype(np.float32)
        if (
            self._before is None
            or self._background is None
            or self._moved_at is None
            or self._before.shape != now.shape
        ):
            self._before, self._background = now, now.copy()
            self._moved_at = np.full(now.shape[:2], -np.inf)
            self._time, self._beside_since = time, np.full(2, np.nan)
            return Motion(np.zeros(now.shape[:2], bool), 0.0, 0.0)
        changed = (_difference(now, self._before) > _CHANGE).astype(np.uint8)
        # a lone cell is noise; whatever people do on a table is larger
        moved = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)).astype(bool)
        self._moved_at[moved] = time
        recent = time - self._moved_at < _RECENT_S
        foreign = (_difference(now, self._background) > _FOREIGN) | moved
        # who looks on and points holds still, until the background has taken the arm over
        south, north, beside = _arms(foreign, recent, time - self._moved_at < _ABSORB_S)
        paused = (beside == 0) | (time - self._time > _RECENT_S)
        self._beside_since[paused | np.isnan(self._beside_since)] = time
        beside[time - self._beside_since > _GOES_ON_S] = 0.0
        still = time - self._moved_at > _ABSORB_S
        share = np.float32(min(1.0, max(0.0, time - self._time)))
        self._background[still] += (now[still] - self._background[still]) * share
        self._before, self._time = now, time
        return Motion(moved, south, north, beside=float(beside.mean()))


def _difference(one: NDArray[np.float32], two: NDArray[np.float32]) -> NDArray[np.float32]:
    """Largest change over the colours, (h, w), less what a change of the light does everywhere.

    Another light multiplies: a white card gains more grey levels from it than a dark cloth. Lamps that
    flicker with the mains darken some rows of a picture whose rows are exposed one after another.
    """
    ratio = (one + 1) / (two + 1)
    whole = np.median(ratio.reshape(-1, 3), axis=0)
    rows = np.median(ratio, axis=1, keepdims=True)
    gain = np.clip(rows, whole * (1 - _BAND), whole * (1 + _BAND))
    expected = np.minimum(two * gain, 255.0)
    return np.asarray(np.abs(one - expected).max(axis=2), np.float32)


def _arms(
    foreign: NDArray[np.bool_], recent: NDArray[np.bool_], lately: NDArray[np.bool_]
) -> tuple[float, float, NDArray[np.float64]]:
    """Share of the bottom, the top, and the left and right edge over which something alive reaches in.

    What reaches in over the bottom or the top as well is a player's.
    """
    count, labels, stats, _ = cv2.connectedComponentsWithStats(foreign.astype(np.uint8), connectivity=8)
    if count <= 1:
        return 0.0, 0.0, np.zeros(2)
    deep = _DEEP * len(foreign)
    players = _among(labels, recent & foreign, count) & (stats[:, cv2.CC_STAT_HEIGHT] >= deep)
    others = _among(labels, lately & foreign, count) & (stats[:, cv2.CC_STAT_WIDTH] >= deep)
    others[np.unique(labels[[0, -1]])] = False
    south, north = (float(players[labels[row]].mean()) for row in (-1, 0))
    return south, north, others[labels[:, [0, -1]]].mean(axis=0)


def _among(labels: NDArray[Any], cells: NDArray[np.bool_], count: int) -> NDArray[np.bool_]:
    """Which of the regions have one of the cells; the first is what is no region."""
    found = np.zeros(count, bool)
    found[np.unique(labels[cells])] = True
    found[0] = False
    return found
