"""Follows cards from frame to frame: `Reading` in, `TableView` out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from companion.table.detection import BACK, Detection, Reading
from companion.table.observation import Phase, TableView
from companion.table.quad import corner_distance, covered, mean_side, short_side
from companion.tracking.approach import Arms
from companion.tracking.association import associated, distinct
from companion.tracking.buttons import Buttons
from companion.tracking.motion_history import MotionHistory, moves_at
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
        replaced_s: The same before another face was read just there: else that is one frame read wrong after
            a few that missed the card.
        lost_s: How long a moving card is remembered without being seen.
        covering: Share of a card that must lie under a newer one to explain that it is not seen.
        changed_run: Frames in a row that must agree on another card to call it exchanged.
        fades_s: How long after the hand has gone a card that was taken away may still be read, since it
            fades only slowly from the picture.
        faded_run: As `changed_run`, where the card was still read so.
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
    replaced_s: float = 0.25
    lost_s: float = 0.5
    covering: float = 0.25
    changed_run: int = 3
    fades_s: float = 1.2
    faded_run: int = 6
    laid_on_s: float = 1.5
    leaving_s: float = 0.45
    came_s: float = 2.0
    again_s: float = 4.0


UNIT_SHARE = 0.05
"""How much one frame's cards change what the short side of a card is taken to be."""
TOUCHED = 0.35
"""Worth of a reading while something moves at the card: fingers lie on it, or it is on its way."""
COVERED, LEAST_TRUST = 1.5, 0.1
"""What a reading loses for the share of the card that another lies on, and what it is worth at least."""
RESTLESS = 2
"""Frames in a row that must show a still card elsewhere: one may be a bad outline."""
ARM_TELLS_S = 0.5
"""So long after a card has come to rest its arm is looked at: it may be seen best as it leaves."""
ON_ITS_WAY_S = 1.0
"""A card that was seen for longer before it came to rest was on the table, and is pushed, not brought."""
AT_ONCE_S = 0.15
"""A card that lies still so soon after nobody looked was laid while nobody looked, by whom is not known."""
WHERE_IT_LAY = 0.2
"""A card found again lies so near to where it was lost, in short card sides."""
SURELY, BEYOND_DOUBT = 0.75, 0.9
"""Mean probability of contradicting readings from which on they are not just spoilt ones, by a back and by a
face that lies on the card."""
MOVED_LATELY_S = 0.25
"""So long after something moved at its place, a card that is not seen there may be under what moves."""
MISSES, FEW_MISSES_PATIENCE = 2, 3.0
"""Fresh readings without a card that count as a look at its place, and how many times longer it is waited for
before there were so many."""
LIES_ON = 0.05
"""Share of a card that another must cover to lie on it and not just beside it."""


class Tracker:
    """Follows the cards on one table. Deterministic: same readings, same views."""

    def __init__(self, options: TrackerOptions | None = None) -> None:
        self._options = options or TrackerOptions()
        self._tracks: list[Track] = []
        self._lost: list[Track] = []
        """Cards that lay still and are gone, for as long as they may be seen again."""
        self._arms = Arms()
        self._buttons = Buttons()
        self._motion = MotionHistory()
        self._next = 1
        self._unit = 0.0
        """Short side of a card, pixels; 0 before the first."""

    def update(self, reading: Reading) -> TableView:
        """Take one reading; times must not fall.

        A reading that is not fresh repeats the one before: time passes, nothing new is learnt.
        """
        self._arms.update(reading.time, reading.motion)
        unseen = self._motion.update(reading)
        arm = self._arms.south or self._arms.north or self._arms.beside
        for track in self._tracks:
            if unseen or moves_at(reading, track.corners):
                track.disturbed = reading.time
        if reading.fresh:
            self._see(distinct(reading.detections, self._options.same_card), reading)
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
            buttons=self._buttons.update(reading, self._motion.moved_since),
            beside_arm=self._arms.beside,
        )

    def _see(self, detections: Sequence[Detection], reading: Reading) -> None:
        """Give each detection to the card that it shows, or let it be a new one."""
        if detections:
            side = median(short_side(detection.corners) for detection in detections)
            self._unit = side if self._unit == 0.0 else (1 - UNIT_SHARE) * self._unit + UNIT_SHARE * side
        for track in self._tracks:
            track.seen_now = False
        options, tracks = self._options, self._tracks
        pairs = associated(
            detections,
            tracks,
            self._unit,
            still=options.match_still,
            moving=options.match_moving,
            bare_s=options.replaced_s,
        )
        seen = {tracks[t]: detections[d] for d, t in pairs}
        trusts = {track: _trust(track, seen, reading) for track in seen}
        for track, detection in seen.items():
            track.see(detection, self._unit, still_distance=options.still_distance, trust=trusts[track])
        for track in tracks:
            if not track.seen_now:
                track.fresh_misses += 1
        shown = {d for d, _ in pairs}
        for d, detection in enumerate(detections):
            if d not in shown:
                self._begin(detection, reading)

    def _begin(self, detection: Detection, reading: Reading) -> None:
        track = Track(self._next, detection)
        track.came = self._came(track, reading)
        track.identity.add(detection.probs, detection.time, _trust(track, {track: detection}, reading))
        self._next += 1
        self._tracks.append(track)

    def _came(self, track: Track, reading: Reading) -> bool:
        return self._motion.came(track.corners, reading.time, self._options.came_s)

    def _settle(self, reading: Reading) -> None:
        """Let moving cards come to rest, and cards that changed in place become new ones."""
        for track in list(self._tracks):
            if track.phase is Phase.MOVING:
                rested = reading.time - track.resting >= self._options.still_s
                # a repeated reading does not know where a card is that moves
                known = track.seen_now and (reading.fresh or track.disturbed < reading.time)
                if known and rested:
                    track.rest(track.resting)
                    # a track may begin with a glimpse of something else, and the card come to it later
                    track.came = track.came or self._came(track, reading)
                    self._find_again(track)
            elif track.restless >= RESTLESS:
                track.stir(reading.time)
            elif reading.fresh and track.seen_now:
                self._exchange(track, reading.time)
            fresh = track.phase is Phase.STILL and reading.time - track.since <= ARM_TELLS_S
            if fresh and track.first_seen >= track.since - ON_ITS_WAY_S:
                track.from_south = self._brought_from_south(track, reading)

    def _find_again(self, track: Track) -> None:
        """Let a card that has come to rest be the one that was lost there a moment ago, if it looks so."""
        for old in self._lost:
            near = corner_distance(track.corners, old.corners) <= WHERE_IT_LAY * self._unit
            if near and old.identity.best == track.identity.best:
                self._lost.remove(old)
                self._tracks[self._tracks.index(track)] = old
                old.find_again(track)
                return

    def _brought_from_south(self, track: Track, reading: Reading) -> float:
        """Probability that a card that has just come to rest was brought from the south."""
        watching = self._motion.watching
        at_once = watching <= track.first_seen and track.since <= watching + AT_ONCE_S
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
        if agreed >= self._motion.watching and any(
            track.number in other.covers
            and other.first_seen >= agreed - self._options.laid_on_s
            and other.last_seen >= max(since, time - self._options.gone_s)
            and _spoils(other, track)
            for other in self._tracks
        ):
            return  # a card that was just laid on it is still there
        options = self._options
        left = track.laid + options.leaving_s
        if track.disturbed < max(agreed - options.fades_s, left):
            track.identity.accept()  # nothing has been near since it was laid, or looked like itself
            return
        # where it still looked like itself after the hand had gone, in light so dim that pictures fade
        # into each other, more frames must agree
        faded = track.disturbed < agreed - options.gone_s
        found = track.identity.changed(options.faded_run if faded else options.changed_run)
        if found is None:
            return
        other, began = found
        successor = track.exchange(self._next, other, began)
        self._next += 1
        successor.unseen = agreed < self._motion.watching
        successor.from_south = 0.5 if successor.unseen else self._arms.from_south(began, 0.0, 0.0)
        self._tracks.append(successor)

    def _vanish(self, reading: Reading, *, arm: bool) -> list[Track]:
        """Decide for cards not seen whether they are hidden or gone; return those gone."""
        time = reading.time
        gone = [track for track in self._tracks if track.phase is Phase.GONE]
        for track in self._tracks:
            if track.seen_now or track.phase is Phase.GONE:
                continue
            if track.phase is Phase.MOVING:
                if time - track.last_seen > self._options.lost_s:
                    track.phase = Phase.GONE  # never lay still: forgotten without a word
                continue
            since = self._gone_since(track, reading, arm=arm)
            if since is not None:
                track.phase, track.since = Phase.GONE, since
                gone.append(track)
        self._tracks = [track for track in self._tracks if track.phase is not Phase.GONE]
        self._lost = [
            track
            for track in (*self._lost, *gone)
            if time - track.last_seen <= self._options.again_s and track.identity.settled
        ]
        return gone

    def _gone_since(self, track: Track, reading: Reading, *, arm: bool) -> float | None:
        """Since when a card that lay still and is not seen is gone; `None`: it seems to lie there yet."""
        options, time = self._options, reading.time
        if reading.fresh and mean_side(track.corners) < reading.least:
            return time  # letters or a coin, taken for a card before the size of cards was known
        under = self._lies_under(track)
        if reading.fresh and not under and track.disturbed < time and not track.unmoved:
            track.look_bare(time)
        if under and track.bare is not None and track.bare_s >= options.bare_s:
            return track.bare[0]  # it had been taken away when the other was laid there
        if under or time - track.disturbed < MOVED_LATELY_S:
            track.clear_since = None
            track.hide(time)
            return None
        if track.clear_since is None:
            track.clear_since = time
        patience = options.gone_near_arm_s if arm else options.gone_s
        if track.fresh_misses < MISSES:
            patience *= FEW_MISSES_PATIENCE
        away = time - track.clear_since
        if away >= (options.unmoved_s if track.unmoved else patience):
            return track.clear_since
        if arm or away >= patience:
            track.hide(time)
        return None

    def _lies_under(self, track: Track) -> bool:
        """Whether a newer card covers enough of its place to explain that it is not seen."""
        return any(
            other.first_seen > track.first_seen
            and other.phase in (Phase.STILL, Phase.MOVING)
            and covered(track.corners, other.corners) >= self._options.covering
            for other in self._tracks
        )

    def _cover(self) -> None:
        lying = [track for track in self._tracks if track.phase in (Phase.STILL, Phase.HIDDEN)]
        for track in lying:
            track.covers = tuple(
                below.number
                for below in lying
                if below.first_seen < track.first_seen and covered(below.corners, track.corners) > LIES_ON
            )


def _trust(track: Track, seen: Mapping[Track, Detection], reading: Reading) -> float:
    """How much a reading of a card counts that others cover in part, or a hand that moves over it.

    Args:
        track: Of the card.
        seen: What this frame shows of each track.
        reading: The frame.
    """
    corners = seen[track].corners
    newer = [one.corners for other, one in seen.items() if other.first_seen > track.first_seen]
    hidden = max((covered(corners, other) for other in newer), default=0.0)
    return max(LEAST_TRUST, 1.0 - COVERED * hidden) * (TOUCHED if moves_at(reading, corners) else 1.0)


def _spoils(other: Track, track: Track) -> bool:
    """Whether a card laid on another may make it read as a third.

    Under the stock, where the turn-up is exchanged, only doubtful frames count as spoilt, and so it is where
    either of the two lies face down, or is read so: no face shows through a back, nor a back on a face. Else
    all that are not beyond doubt count, and those that read the name of the card that was laid.
    """
    sure, contradicting = track.identity.contradicted(), track.identity.contradicting()
    sides = (other.identity.best, contradicting, track.identity.best)
    if contradicting == other.identity.best != BACK:
        return True
    return sure <= (SURELY if BACK in sides else BEYOND_DOUBT)
