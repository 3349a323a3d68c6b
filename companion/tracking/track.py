"""One card followed over frames."""

from __future__ import annotations

from copy import copy

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, Detection
from companion.table.observation import Observation, Phase
from companion.table.quad import aligned, corner_distance
from companion.tracking.identity import Identity

__all__ = ["Track"]

SMOOTHING, SMOOTHED_S = 0.3, 0.2
"""How much a frame moves a still card's place, and how far apart such frames are; closer ones move less."""

STIRRED = 2.0
"""How many times farther than a card that lies still one must be seen from its place to be restless."""


class Track:
    """The tracker's own, changing view of one card; `observation` gives the frozen one."""

    def __init__(self, number: int, detection: Detection) -> None:
        self.number = number
        self.corners = np.asarray(detection.corners, dtype=np.float32)
        self.identity = Identity()
        self.phase = Phase.MOVING
        self.since = self.first_seen = self.last_seen = detection.time
        self.start = self.corners.mean(axis=0)
        self.resting = detection.time
        """Time since which the corners have not moved, while still MOVING."""
        self._rests_at = self.corners
        """Where they were then: a card that is pushed slowly moves little from one frame to the next."""
        self.laid = detection.time
        """When it came to rest, however often it was hidden or pushed since."""
        self.restless = 0
        self.seen_now = True
        self.fresh_misses = 0
        self.clear_since: float | None = None
        self.bare: tuple[float, float] | None = None
        """From when until when its place was seen without it, and nothing moved there or lay on it."""
        self.disturbed = detection.time
        self.from_south = 0.5
        self.covers: tuple[int, ...] = ()
        self.came = True
        self.unseen = False
        """Whether it was brought while nobody looked, nobody knows by whom."""

    def distance(self, detection: Detection, unit: float) -> float:
        """Distance of a detection from the track's place, in `unit`s."""
        return corner_distance(detection.corners, self.corners) / unit

    def see(self, detection: Detection, unit: float, *, still_distance: float, trust: float) -> None:
        """Take the detection that the tracker matched to this track."""
        moving = self.phase is Phase.MOVING
        shift = corner_distance(detection.corners, self._rests_at if moving else self.corners) / unit
        corners = aligned(detection.corners, self.corners)
        passed = max(0.0, detection.time - self.last_seen)
        self.seen_now = True
        self.fresh_misses = 0
        self.clear_since = self.bare = None
        self.last_seen = detection.time
        if moving:
            self.corners = corners.astype(np.float32)
            if shift > still_distance:
                self.resting, self._rests_at = detection.time, self.corners
                if self.identity.settled:
                    return  # it was read as it lay; in the hand that takes it, it is read worse
                self.identity, self.laid = Identity(), detection.time
            self.identity.add(detection.probs, detection.time, trust)
            return
        self.restless = self.restless + 1 if shift > STIRRED * still_distance else 0
        share = min(SMOOTHING, 1.0 - (1.0 - SMOOTHING) ** (passed / SMOOTHED_S))
        self.corners = ((1 - share) * self.corners + share * corners).astype(np.float32)
        self.identity.add(detection.probs, detection.time, trust)
        if self.phase is Phase.HIDDEN and not self._shows_other_side():
            self.phase, self.since = Phase.STILL, detection.time

    def _shows_other_side(self) -> bool:
        """Whether what is seen there now is a back in place of a face, or a face in place of a back.

        It may be another card that comes by, or lies there now.
        """
        contradicting = self.identity.contradicting()
        return contradicting is not None and BACK in (contradicting, self.identity.best)

    def stir(self, time: float) -> None:
        """Turn from STILL to MOVING."""
        self.phase, self.since, self.restless = Phase.MOVING, time, 0
        self.resting, self._rests_at = time, self.corners

    def rest(self, since: float) -> None:
        """Turn from MOVING to STILL."""
        self.phase, self.since = Phase.STILL, since

    def hide(self, time: float) -> None:
        """Turn from STILL to HIDDEN; what is hidden stays so."""
        if self.phase is Phase.STILL:
            self.phase, self.since = Phase.HIDDEN, time

    def exchange(self, number: int, identity: Identity, began: float) -> Track:
        """Be gone, and return the track of the card that has lain exactly here since `began`."""
        other = copy(self)
        other.number, other.identity, other.phase = number, identity, Phase.STILL
        other.first_seen = other.since = other.laid = began
        other.start = other.corners.mean(axis=0)
        other.covers, other.came = (), True
        self.phase, self.seen_now = Phase.GONE, False
        self.since, self.last_seen = began, self.identity.agreed
        return other

    def find_again(self, other: Track) -> None:
        """Go on where it lay before it was lost, as `other` has been seen."""
        self.phase, self.since, self.last_seen = Phase.STILL, other.since, other.last_seen
        self.corners, self.disturbed = other.corners, other.disturbed
        self.seen_now, self.fresh_misses, self.restless = True, 0, 0
        self.clear_since = self.bare = None

    def look_bare(self, time: float) -> None:
        """Its place is seen without it, by a picture of its own."""
        since = time if self.bare is None else self.bare[0]
        self.bare = (since, time)

    @property
    def bare_s(self) -> float:
        """For how long its place has been seen without it, seconds."""
        return 0.0 if self.bare is None else self.bare[1] - self.bare[0]

    @property
    def unmoved(self) -> bool:
        """Whether nothing moved there since it was read: what was only seen there may be another card."""
        return self.disturbed < self.identity.agreed

    def observation(self) -> Observation:
        """Freeze the track as it stands."""
        log_probs: NDArray[np.float64] = self.identity.log_probs()
        return Observation(
            track=self.number,
            corners=self.corners,
            log_probs=log_probs.astype(np.float32),
            phase=self.phase,
            since=self.since,
            first_seen=self.first_seen,
            last_seen=self.last_seen,
            from_south=self.from_south,
            covers=self.covers,
            came=self.came,
            disturbed=self.disturbed,
            unmoved=self.unmoved,
            clarity=self.identity.clarity,
        )
