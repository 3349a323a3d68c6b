"""Where on the table something moved last, and since when somebody has looked."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Reading

__all__ = ["MotionHistory", "moves_at"]

UNSEEN_S = 0.6
"""Without a frame for this long, what moved was not seen."""
AT_FIRST_S = 0.5
"""What is seen so soon after the first frame may have been laid right before it; what is found later, where
nothing has moved since, lay there all day."""
MOSTLY = 0.5
"""Share of a card's place that must be in sight to tell that nobody has taken it."""


class MotionHistory:
    """For each cell of the motion grid the time at which something last moved there, or could have."""

    def __init__(self) -> None:
        self._moved_at: NDArray[np.float64] | None = None
        self._size = (0, 0)
        """Of the last picture, pixels."""
        self._began = np.inf
        """Time of the first reading with motion."""
        self._looked = -np.inf
        """Time of the last reading with motion."""
        self.watching = -np.inf
        """Time since which somebody has looked without a break, seconds."""

    def update(self, reading: Reading) -> bool:
        """Note where something moves; whether nobody looked for a while before, so that anything may have."""
        self._size = reading.size
        moved = reading.motion.moved
        if moved.size == 0:
            return False
        self._began = min(self._began, reading.time)
        if self._moved_at is None or self._moved_at.shape != moved.shape:
            # nothing is known of the time before, nor after a change of the picture's size
            self._moved_at = np.full(moved.shape, reading.time)
        self._moved_at[moved] = reading.time
        unseen = reading.time - self._looked > UNSEEN_S
        if unseen:
            if self._looked > -np.inf:
                self.watching = reading.time
            self._moved_at[:] = reading.time
        self._looked = reading.time
        return unseen

    def moved_since(self, points: NDArray[np.float32], since: float) -> bool:
        """Whether something moved in the box around points, (N, 2) pixels, since a time, or could have."""
        if self._moved_at is None:
            return True
        box = _cells(self._size, self._moved_at.shape, points)
        return box is None or float(self._moved_at[box].max()) >= since

    def came(self, corners: NDArray[np.float32], time: float, within_s: float) -> bool:
        """Whether something moved lately where a card appears, or could have right before the first frame.

        Args:
            corners: Of the card, (4, 2) pixels.
            time: Now, seconds.
            within_s: How long ago is lately.
        """
        since = time - within_s
        if time - self._began > AT_FIRST_S:
            since = max(since, float(np.nextafter(self._began, np.inf)))
        return self.moved_since(corners, since)


def moves_at(reading: Reading, corners: NDArray[np.float32]) -> bool:
    """Whether something moves in the box around a card; of one mostly in sight, whether it does there.

    Where a camera was moved, what it does not show any more counts as moved at all times.
    """
    motion = reading.motion
    box = _cells(reading.size, motion.moved.shape, corners)
    if box is None:
        return False
    moved = motion.moved[box]
    if motion.seen is not None and float(motion.seen[box].mean()) >= MOSTLY:
        moved = moved & motion.seen[box]
    return bool(moved.any())


def _cells(
    size: tuple[int, int], grid: tuple[int, ...], corners: NDArray[np.float32]
) -> tuple[slice, slice] | None:
    """Rows and columns of the motion grid in the box around a card; `None` outside the picture."""
    height, width = grid
    across, down = zip(*corners.tolist(), strict=True)  # few points: arrays cost more than they save
    left, top, right, bottom = min(across), min(down), max(across), max(down)
    columns = slice(max(0, int(left * width / size[0])), max(0, int(right * width / size[0])) + 1)
    rows = slice(max(0, int(top * height / size[1])), max(0, int(bottom * height / size[1])) + 1)
    return (rows, columns) if rows.start < height and columns.start < width else None
