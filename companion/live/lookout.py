"""Keeps an eye on the pictures: whether they come at all, and whether they show the table."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import replace

from companion.live.health import Health, Record, Sight
from companion.table.observation import TableView

__all__ = ["LOST_AFTER_S", "Lookout"]

LOST_AFTER_S = 2.0
"""Sight counts as lost when no picture has come for so long. That is looked at once a second: the phones know
within three."""
BLIND_AFTER_S = 1.5
"""The same while pictures come that show nothing of the table; a bump is over sooner."""
UNSTEADY, STEADY, OBSERVED_S = 10, 3, 20.0
"""The picture is unsteady once the table was out of sight so often within so many seconds, and steady again
once it was less often than the second; a bump is one time or two."""
LATE_AFTER_S = 15.0
"""The same for a camera that is started: networks are loaded first."""
FAR_APART_S, AT_MOST_S = 0.6, 3.0
"""What moved between two looks further apart than the first was not seen: `tracking.motion_history` says so,
too. Of one such time no more than the second counts: a camera that stops once is told otherwise."""
SPARSE_S, DENSE_S = 8.0, 3.0
"""Looks are too sparse once so much of `OBSERVED_S` lies between such, and dense again once it is less than
the second: over Wi-Fi a camera falters now and then, and a slow computer keeps up while nothing moves."""


class Lookout:
    """How a table's eyes and memory are, as its own thread comes to know it.

    Attributes:
        health: How they are now.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        changed: Callable[[], None],
        *,
        camera: bool,
        is_kept: Callable[[], bool] = lambda: True,
    ) -> None:
        """Begin to look.

        Args:
            clock: Seconds that rise.
            changed: Called with each change of `health`.
            camera: Whether there is one.
            is_kept: Whether the sitting still is, where it was to be kept.
        """
        self.health = Health(Sight.STARTING if camera else Sight.NONE)
        self._clock = clock
        self._changed = changed
        self._is_kept = is_kept
        self._picture_at = clock()
        self._blind_since: float | None = None
        self._lost_at: deque[float] = deque(maxlen=UNSTEADY)
        """When the table was out of sight last, once for each time."""
        self._view_at: float | None = None
        self._far_apart: deque[tuple[float, float]] = deque()
        """When looks were far apart lately, and for how long nobody had looked."""

    def begin(self, *, again: bool = False) -> None:
        """A source of pictures starts; where the table lies in them is found anew.

        One that is started `again` after a failure is told as it was until a picture comes: it may fail anew.
        """
        self._picture_at = self._clock()
        started = self.health if again else replace(self.health, sight=Sight.STARTING, why="")
        self._view_at = None
        self._lost_at.clear()
        self._far_apart.clear()
        self._change(replace(started, table=True, steady=True, dense=True))

    def came(self) -> None:
        """A picture has come, whatever is made of it."""
        self._picture_at = self._clock()

    def saw(self, view: TableView) -> None:
        """Judge by what was made of a picture."""
        if not view.blind:
            self._blind_since = None
        elif self._blind_since is None:
            self._blind_since = view.time
            self._lost_at.append(view.time)
        lately = sum(time > view.time - OBSERVED_S for time in self._lost_at)
        steady = lately < (UNSTEADY if self.health.steady else STEADY)
        self._change(replace(self.health, steady=steady, dense=self._is_dense(view.time)))
        if self._blind_since is not None and view.time - self._blind_since >= BLIND_AFTER_S:
            self.report(Sight.LOST, "the camera is covered or was moved: it does not show the table")
        else:
            self.report(Sight.WATCHING)

    def _is_dense(self, now: float) -> bool:
        """Whether looks, the last one `now`, are near enough to each other."""
        gap = 0.0 if self._view_at is None else now - self._view_at
        self._view_at = now
        if gap > FAR_APART_S:
            self._far_apart.append((now, min(gap, AT_MOST_S)))
        while self._far_apart and self._far_apart[0][0] <= now - OBSERVED_S:
            self._far_apart.popleft()
        return sum(gap for _, gap in self._far_apart) < (SPARSE_S if self.health.dense else DENSE_S)

    def look(self) -> None:
        """Notice that no picture has come for a while, and that the sitting is kept no more."""
        if self.health.sitting_kept and not self._is_kept():
            self._change(replace(self.health, sitting_kept=False))
        silent = self._clock() - self._picture_at
        patience = {Sight.WATCHING: LOST_AFTER_S, Sight.STARTING: LATE_AFTER_S}.get(self.health.sight)
        if patience is not None and silent > patience:
            self.report(Sight.LOST, "no picture has come")

    def report(self, sight: Sight, why: str = "") -> None:
        """Take how the camera is from whoever knows."""
        known = self.health.table or sight is Sight.NONE  # without a camera nothing has to be found
        self._change(replace(self.health, sight=sight, why=why, table=known))

    def place(self, known: bool) -> None:
        """Take whether it is known where in the picture the table lies."""
        self._change(replace(self.health, table=known))

    def failed(self, why: str) -> None:
        """A stage failed and rests for a while."""
        self._change(replace(self.health, sight=Sight.LOST, why=why))

    def unrecorded(self) -> None:
        """What happens cannot be written down now."""
        self._change(replace(self.health, record=Record.FAILED))

    def recorded(self) -> None:
        """Something was written down; whoever writes shows that by itself."""
        self.health = replace(self.health, record=Record.KEPT)

    def _change(self, health: Health) -> None:
        if health != self.health:
            self.health = health
            self._changed()
