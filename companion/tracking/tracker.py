"""Follows cards from frame to frame: `Reading` in, `TableView` out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, UNKNOWN, Detection, Motion, Reading
from companion.table.observation import Phase, TableView
from companion.table.quad import corner_distance, covered, overlap, short_side
from companion.tracking.approach import Arms
from companion.tracking.buttons import Buttons
from companion.tracking.identity import Identity
from companion.tracking.track import Track

__all__ = ["Tracker", "TrackerOptions"]


@dataclass(frozen=True, slots=True)
class TrackerOptions:
    """How a tracker associates and judges; distances in short card sides, times in seconds.

    Attributes:
        still_distance: Corners that stay so near to where they were lie still. Too small and
            jitter keeps cards moving for ever; too large and a slow push counts as rest.
        still_s: How long a card must not move to be STILL.
        match_still: Farthest a detection may be from a still card's place to be that card.
        match_moving: The same for a moving card.
        same_card: Overlap (intersection over union) from which two detections of one frame
            are the same card.
        gone_s: How long a place must be in clear view without its card to call the card GONE.
        gone_near_arm_s: The same while an arm reaches in somewhere, but nothing moves there.
        unmoved_s: The same where nothing has moved since the card was last read there: hardly anybody can
            have taken it, so it is the detector that lost it.
        bare_s: The same before another card was laid there: else it lies under that.
        lost_s: How long a moving card is remembered without being seen.
        covering: Share of a card that must lie under a newer one to explain that it is not seen.
        changed_run: Frames in a row that must agree on another card to call it exchanged.
        laid_on_s: How long before its last clear look a card may have been on its way that now
            lies on this one.
        leaving_s: How long the hand that laid a card may still move there; one that comes later may
            exchange it.
        came_s: How long ago something must have moved in a place for a card to have come there.
        again_s: How long ago a card must have been lost that lies exactly where it lay, to be the same one
            that nobody saw for a while; whoever gathers a card and lays one there needs longer.
    """

    still_distance: float = 0.1
    still_s: float = 0.12
    match_still: float = 0.4
    match_moving: float = 1.2
    same_card: float = 0.6
    gone_s: float = 0.45
    gone_near_arm_s: float = 2.0
    unmoved_s: float = 5.0
    bare_s: float = 0.15
    lost_s: float = 0.5
    covering: float = 0.25
    changed_run: int = 3
    laid_on_s: float = 1.5
    leaving_s: float = 0.45
    came_s: float = 2.0
    again_s: float = 4.0


TOUCHED = 0.35
"""Worth of a reading while something moves at the card: fingers lie on it, or it is on its way."""
UNSEEN_S = 0.6
"""Without a frame for this long, what moved was not seen."""
AT_FIRST_S = 0.5
"""What is seen so soon after the first frame may have been laid right before it; what is found later, where
nothing has moved since, lay there all day."""
AT_ONCE_S = 0.15
"""A card that lies still so soon after nobody looked was laid while nobody looked, by whom is not known."""
MOSTLY = 0.5
"""Share of a card's place that must be in sight to tell that nobody has taken it."""
SURELY, BEYOND_DOUBT = 0.75, 0.9
"""Mean probability of contradicting readings from which on they are not just spoilt ones, by a back and by a
face that lies on the card."""


class Tracker:
    """Follows the cards on one table. Deterministic: same readings, same views."""

    def __init__(self, options: TrackerOptions | None = None) -> None:
        self._options = options or TrackerOptions()
        self._tracks: list[Track] = []
        self._lost: list[Track] = []
        """Cards that lay still and are gone, for as long as they may be seen again."""
        self._arms = Arms()
        self._buttons = Buttons()
        self._next = 1
        self._unit = 0.0
        self._moved_at: NDArray[np.float64] | None = None
        self._began = np.inf
        """Time of the first reading with motion."""
        self._looked = -np.inf
        """Time of the last reading with motion."""
        self._watching = -np.inf
        """Time since which somebody has looked without a break."""

    def update(self, reading: Reading) -> TableView:
        """Take one reading; times must not fall.

        A reading that is not fresh repeats the one before: time passes, nothing new is learnt.
        """
        self._arms.update(reading.time, reading.motion)
        self._remember(reading)
        arm = self._arms.south or self._arms.north
        for track in self._tracks:
            if _moves_at(reading.motion, reading.size, track.corners):
                track.disturbed = reading.time
        if reading.fresh:
            self._associate(_distinct(reading.detections, self._options.same_card), reading)
        else:
            for track in self._tracks:
                if track.seen_now:
                    track.last_seen = reading.time
        self._settle(reading)
        gone = self._vanish(reading, arm=arm)
        self._cover()
        cards = tuple(track.observation() for track in (*self._tracks, *gone))
        return TableView(
            time=reading.time,
            size=reading.size,
            cards=tuple(sorted(cards, key=lambda card: card.track)),
            south_arm=self._arms.south,
            north_arm=self._arms.north,
            quiet=not arm and reading.motion.quiet,
            blind=reading.blind,
            buttons=self._buttons.update(reading, partial(self._moved_since, reading)),
        )

    def _associate(self, detections: Sequence[Detection], reading: Reading) -> None:
        if detections:
            sizes = [short_side(detection.corners) for detection in detections]
            median = float(np.median(sizes))
            self._unit = median if self._unit == 0.0 else 0.95 * self._unit + 0.05 * median
        for track in self._tracks:
            track.seen_now = False
        pairs: list[tuple[float, int, int]] = []
        for d, detection in enumerate(detections):
            for t, track in enumerate(self._tracks):
                distance = track.distance(detection, self._unit)
                limit = (
                    self._options.match_moving if track.phase is Phase.MOVING else self._options.match_still
                )
                if distance <= limit:
                    clash = 0.0 if _agree(track.identity, detection) else 0.5 * limit
                    still = 0.0 if track.phase is not Phase.MOVING else 0.1
                    pairs.append((distance / limit * 0.5 + clash + still, d, t))
        taken_d: set[int] = set()
        taken_t: set[int] = set()
        for cost, d, t in sorted(pairs):
            track = self._tracks[t]
            if d in taken_d or t in taken_t or cost > 0.75:
                continue
            taken_d.add(d)
            taken_t.add(t)
            trust = self._trust(track, detections[d], reading)
            track.see(detections[d], self._unit, still_distance=self._options.still_distance, trust=trust)
        for track in self._tracks:
            if not track.seen_now:
                track.fresh_misses += 1
        for d, detection in enumerate(detections):
            if d not in taken_d:
                self._begin(detection, reading)

    def _remember(self, reading: Reading) -> None:
        """Note where something moves."""
        moved = reading.motion.moved
        if moved.ndim != 2 or moved.size == 0:
            return
        self._began = min(self._began, reading.time)
        if self._moved_at is None or self._moved_at.shape != moved.shape:
            # nothing is known of the time before, nor after a change of the picture's size
            self._moved_at = np.full(moved.shape, reading.time)
        self._moved_at[moved] = reading.time
        if reading.time - self._looked > UNSEEN_S:
            # nobody looked for a while: anything may have moved anywhere
            if self._looked > -np.inf:
                self._watching = reading.time
            self._moved_at[:] = reading.time
            for track in self._tracks:
                track.disturbed = reading.time
        self._looked = reading.time

    def _came(self, corners: NDArray[np.float32], reading: Reading) -> bool:
        """Whether something moved lately where a card appears, or could have right before the first frame."""
        since = reading.time - self._options.came_s
        if reading.time - self._began > AT_FIRST_S:
            since = max(since, float(np.nextafter(self._began, np.inf)))
        return self._moved_since(reading, corners, since)

    def _moved_since(self, reading: Reading, points: NDArray[np.float32], since: float) -> bool:
        """Whether something moved in the box around points since a time, or could have."""
        if self._moved_at is None:
            return True
        box = _cells(reading.size, self._moved_at.shape, points)
        return box is None or float(self._moved_at[box].max()) >= since

    def _begin(self, detection: Detection, reading: Reading) -> None:
        track = Track(self._next, detection)
        track.came = self._came(detection.corners, reading)
        track.identity.add(detection.probs, detection.time, self._trust(track, detection, reading))
        self._next += 1
        self._tracks.append(track)

    def _trust(self, track: Track, detection: Detection, reading: Reading) -> float:
        """How much a reading of a card counts that others cover in part, or a hand that moves over it."""
        hidden = 0.0
        for other in self._tracks:
            if other is not track and other.first_seen > track.first_seen and other.seen_now:
                hidden = max(hidden, covered(detection.corners, other.corners))
        touched = _moves_at(reading.motion, reading.size, detection.corners)
        return max(0.1, 1.0 - 1.5 * hidden) * (TOUCHED if touched else 1.0)

    def _settle(self, reading: Reading) -> None:
        """Let moving cards come to rest, and cards that changed in place become new ones."""
        for track in list(self._tracks):
            if track.phase is Phase.MOVING:
                rested = track.resting is not None and reading.time - track.resting >= self._options.still_s
                # a repeated reading does not know where a card is that moves
                known = track.seen_now and (reading.fresh or track.disturbed < reading.time)
                if known and rested and track.resting is not None:
                    track.rest(track.resting)
                    # a track may begin with a glimpse of something else, and the card come to it later
                    track.came = track.came or self._came(track.corners, reading)
                    self._find_again(track)
            elif track.seen_now and track.restless >= 2:
                track.stir(reading.time)
            elif reading.fresh and track.seen_now:
                self._exchange(track, reading.time)
            fresh = track.phase is Phase.STILL and reading.time - track.since <= 0.5
            if fresh and track.first_seen >= track.since - 2.0 * self._options.lost_s:
                track.from_south = self._brought_from_south(track, reading)

    def _find_again(self, track: Track) -> None:
        """Let a card that has come to rest be the one that was lost there a moment ago, if it looks so."""
        for old in self._lost:
            gap = track.since - old.last_seen
            near = corner_distance(track.corners, old.corners) <= self._options.match_still / 2.0 * self._unit
            if near and gap <= self._options.again_s and old.identity.best == track.identity.best:
                self._lost.remove(old)
                self._tracks[self._tracks.index(track)] = old
                old.find_again(track)
                return

    def _brought_from_south(self, track: Track, reading: Reading) -> float:
        """Probability that a card that has just come to rest was brought from the south."""
        at_once = self._watching <= track.first_seen and track.since <= self._watching + AT_ONCE_S
        if track.unseen or at_once:
            return 0.5
        centre = track.corners.mean(axis=0)
        path = float(track.start[1] - centre[1]) / self._unit
        place = float(centre[1] - reading.size[1] / 2.0) / self._unit
        return self._arms.from_south(track.since, path, place)

    def _exchange(self, track: Track, time: float) -> None:
        agreed, since = track.identity.agreed, track.identity.contradicted_since
        if since is None:
            return
        # it may have agreed a last time while the other was on its way
        if agreed >= self._watching and any(
            track.number in other.covers
            and other.first_seen >= agreed - self._options.laid_on_s
            and other.last_seen >= max(since, time - self._options.gone_s)
            and _spoils(other, track)
            for other in self._tracks
        ):
            return  # a card that was just laid on it is still there
        untouched = max(agreed - self._options.gone_s, track.laid + self._options.leaving_s)
        if track.disturbed < untouched:
            track.identity.accept()  # nothing has been near since it was laid, or looked like itself
            return
        found = track.identity.changed(self._options.changed_run)
        if found is None:
            return
        other, began = found
        successor = Track.__new__(Track)
        successor.__dict__.update(track.__dict__)
        successor.number = self._next
        self._next += 1
        successor.identity = other
        successor.first_seen = successor.since = successor.laid = began
        successor.start = successor.corners.mean(axis=0)
        successor.covers = ()
        successor.came = True
        successor.unseen = agreed < self._watching
        successor.from_south = 0.5 if successor.unseen else self._arms.from_south(began, 0.0, 0.0)
        self._tracks.append(successor)
        track.seen_now = False
        track.phase = Phase.GONE
        track.since, track.last_seen = began, agreed

    def _vanish(self, reading: Reading, *, arm: bool) -> list[Track]:
        """Decide for cards not seen whether they are hidden or gone; return those gone."""
        options, time = self._options, reading.time
        gone = [track for track in self._tracks if track.phase is Phase.GONE]
        for track in self._tracks:
            if track.seen_now or track.phase is Phase.GONE:
                continue
            if track.phase is Phase.MOVING:
                if time - track.last_seen > options.lost_s:
                    track.phase = Phase.GONE  # never lay still: forgotten without a word
                continue
            under = any(
                other is not track
                and other.first_seen > track.first_seen
                and other.phase in (Phase.STILL, Phase.MOVING)
                and covered(track.corners, other.corners) >= options.covering
                for other in self._tracks
            )
            if reading.fresh and not under and track.disturbed < time and not track.unmoved:
                track.look_bare(time)
            if under and track.bare is not None and track.bare[1] - track.bare[0] >= options.bare_s:
                track.phase, track.since = Phase.GONE, track.bare[0]
                gone.append(track)  # it had been taken away when the other was laid there
                continue
            if under or time - track.disturbed < 0.25:
                track.clear_since = None
                self._hide(track, time)
                continue
            if track.clear_since is None:
                track.clear_since = time
            patience = options.gone_near_arm_s if arm else options.gone_s
            if track.fresh_misses < 2:
                patience *= 3.0
            away = time - track.clear_since
            if away >= (options.unmoved_s if track.unmoved else patience):
                track.phase, track.since = Phase.GONE, track.clear_since
                gone.append(track)
            elif arm or away >= patience:
                self._hide(track, time)
        self._tracks = [track for track in self._tracks if track.phase is not Phase.GONE]
        self._lost = [
            track
            for track in (*self._lost, *gone)
            if time - track.last_seen <= self._options.again_s and track.identity.settled
        ]
        return gone

    @staticmethod
    def _hide(track: Track, time: float) -> None:
        if track.phase is Phase.STILL:
            track.phase, track.since = Phase.HIDDEN, time

    def _cover(self) -> None:
        lying = [track for track in self._tracks if track.phase in (Phase.STILL, Phase.HIDDEN)]
        for track in lying:
            track.covers = tuple(
                below.number
                for below in lying
                if below is not track
                and below.first_seen < track.first_seen
                and covered(below.corners, track.corners) > 0.05
            )


def _spoils(other: Track, track: Track) -> bool:
    """Whether a card laid on another may make it read as a third.

    Under the stock, where the turn-up is exchanged, only doubtful frames count as spoilt; under a face
    doubtful ones, and those that read its own name.
    """
    sure = track.identity.contradicted()
    if other.identity.best == BACK:
        return sure <= SURELY
    return sure <= BEYOND_DOUBT or track.identity.contradicting() == other.identity.best


def _agree(identity: Identity, detection: Detection) -> bool:
    """Whether a detection could be the card that the track has shown so far."""
    best, answer = identity.best, detection.best
    if best == answer or UNKNOWN in (best, answer):
        return True
    if BACK in (best, answer):
        return False
    return detection.confidence < 0.6 or float(identity.log_probs()[best]) < -0.3


def _distinct(detections: Sequence[Detection], same_card: float) -> list[Detection]:
    """Drop double boxes on one card: of two that overlap nearly whole the surer one stays."""
    kept: list[Detection] = []
    for detection in sorted(detections, key=lambda one: -one.score):
        if all(overlap(detection.corners, other.corners) < same_card for other in kept):
            kept.append(detection)
    return kept


def _moves_at(motion: Motion, size: tuple[int, int], corners: NDArray[np.float32]) -> bool:
    """Whether something moved in the box around a card; of one that is mostly in sight, whether it did there.

    Where a camera was moved, what it does not show any more counts as moved at all times.
    """
    if motion.moved.ndim != 2 or motion.moved.size == 0:
        return False
    box = _cells(size, motion.moved.shape, corners)
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
    left, top = corners.min(axis=0)
    right, bottom = corners.max(axis=0)
    columns = slice(max(0, int(left * width / size[0])), max(0, int(right * width / size[0])) + 1)
    rows = slice(max(0, int(top * height / size[1])), max(0, int(bottom * height / size[1])) + 1)
    return (rows, columns) if rows.start < height and columns.start < width else None
