"""Where the table lies in the picture, while the camera is bumped, drifts, is turned, zoomed or covered.

The first frame's pixels are the table's own coordinates for as long as the source runs; every later
frame is mapped onto them. So a card that lies still keeps its place, whatever the camera does, and a
player keeps the side on which the first frame showed him, also when the picture is turned round.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.landmarks import Homography, Landmarks, Match, between_cells, farthest, shrunk
from companion.vision.size import same_shape

__all__ = ["Aligner", "Alignment", "Sight", "laid_over"]

_REST_PX = 1.2
"""Landmarks that lie within this of where they lay are at rest (pixels of a picture 640 wide)."""
_RESTING = 0.25
"""The camera has not moved while this share of the landmarks rests: arms hide most of the others."""
_EXACTLY = 0.12
"""Nor while this share lies exactly where it lay: a card that is pushed moves much, but not all."""
_FEWEST = 10
"""Fewer landmarks than this say nothing: nothing lies on a plain table, and nothing can be lost."""
_DRIFT_PX = 0.6
"""From here on drift is followed; less is noise."""
_DRIFTING = 0.5
"""So many of the landmarks must drift in one way, and few lie still: a card that is pushed is no drift."""
_JUMP_PX = 3.0
"""A camera that moved more than this must be seen twice in the same new place."""
_SAME_PLACE_PX = 2.5
_AGREEING, _ALIKE = 0.3, 0.5
"""Least share of the landmarks that follow a move, and of the picture that looks the same after it."""
_WORN = 0.7
"""Landmarks are taken anew when only this share of them is found: cards came and went."""
_GAINED = 1.5
_TAKE_AGAIN_S = 1.0
"""So often at most landmarks are taken anew."""
_STILL = 0.6
"""Share of the landmarks of a picture that rest from one frame to the next: it stands still."""
_CELLS = (80, 45)
_UNLIKE_LEVELS, _MORE_LIKE = 2.5, 0.4
"""Least difference of a plain table turned round from what it was, and the largest share of that by which it
differs from what it was turned round: then so was the camera."""
_STIRRED_LEVELS = 1.5
"""A plain table that differs more than this from the frame before is still on its way."""
_OTHER_LEVELS = 40.0
"""A cell that differs by so much shows something else."""
_STAYED, _STAYED_LEVELS = 1.2, 0.3
"""A move by which the picture differs so much more from what it was than without it did not happen."""
_STANDS_SHARE = 0.85
"""So much of a picture is as it was days ago where the camera stands as then: the table's edge shows it."""
_LIKE_LEVELS, _LIKE_SHARE, _LIGHT_LEVELS = 12.0, 0.5, 40.0


class Sight(Enum):
    """What the picture shows of the table."""

    STEADY = "steady"
    MOVED = "moved"
    """The camera has come to rest in another place, with this frame."""
    BLIND = "blind"
    """The table cannot be placed: the camera is on its way, or covered."""


@dataclass(frozen=True, slots=True, eq=False)
class Alignment:
    """How a frame lies over the table.

    Attributes:
        sight: See `Sight`.
        to_table: (3, 3) float64, from the frame's pixels to those of the first frame; `None`: they
            are the same. While blind, the last one known.
    """

    sight: Sight
    to_table: Homography | None

    @property
    def turned(self) -> bool:
        """Whether the picture stands on its head: its bottom edge is the table's north."""
        return self.to_table is not None and float(self.to_table[1, 1]) < 0.0


class Aligner:
    """Follows the camera over one source's frames. Deterministic: same frames, same alignments."""

    def __init__(self) -> None:
        self._key: Landmarks | None = None
        self._look: NDArray[np.float32] | None = None
        self._place: Homography | None = None
        """From the key's pixels to the table's, both shrunk; `None`: they are the same."""
        self._factor = 1.0
        self._taken = -np.inf
        self._candidate: Homography | None = None
        self._blind: Landmarks | None = None
        self._blind_look: NDArray[np.float32] | None = None
        self._still_since: float | None = None

    @property
    def still_since(self) -> float | None:
        """While blind: since when the picture stands still, seconds; `None`: it does not."""
        return self._still_since

    def update(self, bgr: NDArray[np.uint8], time: float, moved: NDArray[np.bool_]) -> Alignment:
        """Place the next frame.

        Args:
            bgr: (H, W, 3) uint8; a change of size begins anew.
            time: Seconds.
            moved: (h, w) bool over the picture, where something has just moved; no landmarks are
                taken there.
        """
        gray, self._factor = shrunk(bgr)
        look = _look(bgr)
        key = self._key
        if key is None or key.gray.shape != gray.shape:
            self._begin(gray, look, None, time)
            return self._aligned(Sight.STEADY)
        if len(key) < _FEWEST and self._turned_round(look):
            return self._upside_down(gray, look, time)
        match = key.followed(gray, rest_px=_REST_PX)
        if len(key) < _FEWEST or match.resting >= _RESTING or match.still >= _EXACTLY:
            self._candidate = self._blind = self._still_since = None
            self._follow(gray, look, match, time, moved)
            return self._aligned(Sight.STEADY)
        return self._search(key, gray, look, match, time, moved)

    def settle_for(self, bgr: NDArray[np.uint8], time: float, to_table: Homography | None) -> Alignment:
        """Go on from a picture that no landmark connects with those before.

        Args:
            bgr: (H, W, 3) uint8, as given to `update` last.
            time: Seconds.
            to_table: From its pixels to the table's, where that is known from elsewhere; else the
                last place known stays.
        """
        gray, self._factor = shrunk(bgr)
        place = self._place
        if to_table is not None:
            shrink = np.diag([self._factor, self._factor, 1.0])
            place = np.asarray(shrink @ to_table @ np.linalg.inv(shrink), np.float64)
        self._begin(gray, _look(bgr), place, time)
        return self._aligned(Sight.MOVED)

    def _turned_round(self, look: NDArray[np.float32]) -> bool:
        """Whether a table without landmarks stands on its head now: its light tells."""
        if self._look is None or self._look.shape != look.shape:
            return False
        unlike = _difference(self._look, look)
        return unlike > _UNLIKE_LEVELS and _difference(self._look[::-1, ::-1], look) < _MORE_LIKE * unlike

    def _upside_down(self, gray: NDArray[np.uint8], look: NDArray[np.float32], time: float) -> Alignment:
        """The table stands on its head; seen twice, that is its place."""
        height, width = gray.shape
        turn = np.array([[-1.0, 0.0, width - 1.0], [0.0, -1.0, height - 1.0], [0.0, 0.0, 1.0]])
        before, self._candidate = self._candidate, self._through(turn)
        if before is not None and np.allclose(before, self._candidate):
            self._begin(gray, look, self._candidate, time)
            return self._aligned(Sight.MOVED)
        return self._aligned(Sight.BLIND)

    def _follow(
        self,
        gray: NDArray[np.uint8],
        look: NDArray[np.float32],
        match: Match,
        time: float,
        moved: NDArray[np.bool_],
    ) -> None:
        """The camera stands where it stood, or drifts; take landmarks anew where they have worn out."""
        key = self._key
        if key is None:
            return
        size = (gray.shape[1], gray.shape[0])
        drifts = match.agreeing >= _DRIFTING and match.still < _EXACTLY and len(key) >= _FEWEST
        if match.transform is not None and drifts:
            away = farthest(match.transform, size)
            if _DRIFT_PX < away < _JUMP_PX:
                self._begin(gray, look, self._through(match.transform), time, moved)
                return
        if time - self._taken < _TAKE_AGAIN_S:
            return
        self._taken = time
        fresh = Landmarks(gray, moved)
        if len(fresh) >= _WORN * len(key) and (match.agreeing < _WORN or len(fresh) > _GAINED * len(key)):
            self._key, self._look = fresh, look

    def _search(
        self,
        key: Landmarks,
        gray: NDArray[np.uint8],
        look: NDArray[np.float32],
        match: Match,
        time: float,
        moved: NDArray[np.bool_],
    ) -> Alignment:
        """The landmarks are not where they were: find out where they went."""
        size = (gray.shape[1], gray.shape[0])
        told = _moved(key, gray, match)
        if told is None or self._stayed(told, look):
            calm = self._calm(gray, look)
            self._wait(gray, look, time)
            if calm and self._turned_round(look):
                return self._upside_down(gray, look, time)
            self._candidate = None
            if calm and self._look is not None and _alike(look, self._look):
                # the cards have gone, the table has not
                self._key, self._taken = Landmarks(gray, moved), time
                self._blind = self._still_since = None
                return self._aligned(Sight.STEADY)
            return self._aligned(Sight.BLIND)
        place = self._through(told)
        if farthest(told, size) <= _JUMP_PX:
            self._begin(gray, look, place, time, moved)
            return self._aligned(Sight.STEADY)
        before, self._candidate = self._candidate, place
        if before is not None and farthest(np.linalg.inv(place) @ before, size) < _SAME_PLACE_PX:
            self._begin(gray, look, place, time)
            return self._aligned(Sight.MOVED)
        self._wait(gray, look, time)
        return self._aligned(Sight.BLIND)

    def _stayed(self, transform: Homography, look: NDArray[np.float32]) -> bool:
        """Whether the picture is what it was in its place rather than after `transform`.

        The pattern of a back is the same turned round: landmarks on a pile alone tell of a camera that was
        turned about it. What else lies there, and the light on the table, are as they were.
        """
        before = self._look
        if before is None or before.shape != look.shape or self._key is None:
            return False
        height, width = self._key.gray.shape
        through = between_cells(transform, (width, height), _CELLS)
        moved = np.asarray(cv2.warpPerspective(before, through, _CELLS), np.float32)
        both = cv2.warpPerspective(np.ones_like(before[..., 0]), through, _CELLS) > 0.99
        if not both.any():
            return False
        here, there = (_unlikeness(one[both], look[both]) for one in (before, moved))
        return there > _STAYED * here + _STAYED_LEVELS

    def _calm(self, gray: NDArray[np.uint8], look: NDArray[np.float32]) -> bool:
        """Whether most of the picture is as it was in the frame before, blind too."""
        just, before = self._blind, self._blind_look
        if just is None or before is None:
            return False
        if len(just) < _FEWEST:
            return _difference(before, look) < _STIRRED_LEVELS
        return just.followed(gray, rest_px=_REST_PX).resting >= _RESTING

    def _wait(self, gray: NDArray[np.uint8], look: NDArray[np.float32], time: float) -> None:
        """Blind: note whether the picture stands still at least."""
        self._blind_look = look
        before, self._blind = self._blind, Landmarks(gray)
        resting = (
            before is not None
            and min(len(before), len(self._blind)) >= _FEWEST
            and before.followed(gray, rest_px=_REST_PX).resting >= _STILL
        )
        if not resting:
            self._still_since = None
        elif self._still_since is None:
            self._still_since = time

    def _through(self, transform: Homography) -> Homography:
        """Where a picture lies over the table to which the key's landmarks go by `transform`."""
        back = np.linalg.inv(transform)
        place = back if self._place is None else self._place @ back
        return np.asarray(place / place[2, 2], np.float64)

    def _begin(
        self,
        gray: NDArray[np.uint8],
        look: NDArray[np.float32],
        place: Homography | None,
        time: float,
        moved: NDArray[np.bool_] | None = None,
    ) -> None:
        self._key, self._look, self._place, self._taken = Landmarks(gray, moved), look, place, time
        self._candidate = self._blind = self._still_since = None

    def _aligned(self, sight: Sight) -> Alignment:
        if self._place is None:
            return Alignment(sight, None)
        grow = np.diag([1.0 / self._factor, 1.0 / self._factor, 1.0])
        return Alignment(sight, grow @ self._place @ np.linalg.inv(grow))


def laid_over(before: NDArray[np.uint8], bgr: NDArray[np.uint8]) -> Homography | None:
    """How a picture lies over one of the same table that may be days old.

    Nothing is known of the time between: landmarks must agree, or most of the picture look as it did.

    Args:
        before: (H, W, 3) uint8.
        bgr: (H, W, 3) uint8, of any size.

    Returns:
        (3, 3) float64, from shares of the older picture's width and height to those of `bgr`; `None`: nothing
        shows that both are of one table, or where it lies.
    """
    if not same_shape((bgr.shape[1], bgr.shape[0]), (before.shape[1], before.shape[0])):
        return None
    now = shrunk(bgr)[0]
    size = (now.shape[1], now.shape[0])
    old = shrunk(np.asarray(cv2.resize(before, size, interpolation=cv2.INTER_AREA), np.uint8))[0]
    key = Landmarks(old)
    if len(key) >= _FEWEST:
        match = key.followed(now, rest_px=_REST_PX)
        if match.resting >= _RESTING:
            return np.eye(3)
        told = _moved(key, now, match)
        if told is not None:
            shares = np.diag([old.shape[1], old.shape[0], 1.0])
            return np.asarray(np.linalg.inv(shares) @ told @ shares, np.float64)
    return np.eye(3) if _alike(_look(bgr), _look(before), _STANDS_SHARE) else None


def _moved(key: Landmarks, gray: NDArray[np.uint8], match: Match) -> Homography | None:
    """Where the landmarks went that are not where they were; `None`: nothing tells for certain.

    One board of a table looks like the next, so what is found nearby may be wrong. Of two ways that both
    convince, the one after which more of the picture looks the same is right.
    """
    ways = [
        (key.alike(gray, told.transform), told.transform)
        for told in (match, key.matched(gray))
        if told.transform is not None and _convincing(key, gray, told)
    ]
    return max(ways, key=lambda way: way[0], default=(0.0, None))[1]


def _convincing(key: Landmarks, gray: NDArray[np.uint8], match: Match) -> bool:
    if match.transform is None or match.agreeing < _AGREEING or match.agreeing * len(key) < 8:
        return False
    return key.alike(gray, match.transform) >= _ALIKE


def _look(bgr: NDArray[np.uint8]) -> NDArray[np.float32]:
    return cv2.resize(bgr, _CELLS, interpolation=cv2.INTER_AREA).astype(np.float32)


def _difference(one: NDArray[np.float32], two: NDArray[np.float32]) -> float:
    """By how many grey levels a typical cell differs, less what the light does everywhere."""
    change = one - two
    change -= np.median(change.reshape(-1, 3), axis=0)
    return float(np.median(np.abs(change).max(axis=2)))


def _unlikeness(one: NDArray[np.float32], two: NDArray[np.float32]) -> float:
    """By how many grey levels (n, 3) cells differ in the mean, less what the light does everywhere.

    One that shows something else altogether counts as much as any other such cell.
    """
    change = one - two
    change -= np.median(change, axis=0)
    return float(np.minimum(np.abs(change).max(axis=1), _OTHER_LEVELS).mean())


def _alike(one: NDArray[np.float32], two: NDArray[np.float32], share: float = _LIKE_SHARE) -> bool:
    """Whether most of a coarse picture is as it was; the light may have changed a little."""
    change = one - two
    light = np.median(change.reshape(-1, 3), axis=0)
    if float(np.abs(light).max()) > _LIGHT_LEVELS:
        return False
    return float((np.abs(change - light).max(axis=2) < _LIKE_LEVELS).mean()) >= share
