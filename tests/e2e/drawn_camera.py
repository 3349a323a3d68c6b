"""A table drawn flat and cheaply, for a camera to which things happen, and a detector that knows the truth.

`plain_camera` gives readings; this gives pictures, so that the motion gate and the aligner work for their
living: a cloth with a weak weave, cards of random print, arms. Only the networks are left out.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import lru_cache

import cv2
import numpy as np

from companion.synth.script import Script
from companion.synth.style import View
from companion.table.detection import Detection, Frame
from tests.e2e import plain_camera
from tests.e2e.plain_camera import CARD_MM, SIZE
from tests.vision.mishaps import Path

PRINT = 4
"""Pixels of a card's print a millimetre."""
SKIN = (120, 150, 205)


class DrawnTable:
    """What a script's table looks like, and which cards lie where."""

    def __init__(self, script: Script, view: View, *, seed: int = 0) -> None:
        self._script = script
        self._scale = min(SIZE[0] / 2 / view.half_width_mm, SIZE[1] / (view.south_mm - view.north_mm))
        self._middle = (view.south_mm + view.north_mm) / 2
        self._cloth, self._noise = _bare(seed)

    def frames(self, fps: float = 8.0) -> Iterator[Frame]:
        """The table as a camera that nobody touches sees it; while nothing moves every fourth is the same."""
        moment, seen = None, dict[int, np.ndarray]()
        for number in range(int(self._script.duration * fps)):
            now, noise = self._script.at(number / fps), number % len(self._noise)
            if now != moment:
                moment, still, seen = now, self.picture(number / fps), {}
            if noise not in seen:
                seen[noise] = np.asarray(cv2.add(still, self._noise[noise], dtype=cv2.CV_8U), np.uint8)
            yield Frame(seen[noise], number / fps, number)

    def picture(self, time: float) -> np.ndarray:
        """The table at a time."""
        moment = self._script.at(time)
        bgr = self._cloth.copy()
        for laid in moment.cards:
            quad = plain_camera._quad(laid.pose, self._scale, self._middle)
            if laid.width > 0.2:
                _lay(bgr, laid.card if laid.pose.face_up else "back", quad)
        for hand in moment.hands:
            arm = plain_camera._arm(hand, self._scale, self._middle)
            cv2.fillConvexPoly(bgr, np.round(arm).astype(np.int32), SKIN, cv2.LINE_AA)
        return bgr

    def cards(self, time: float, rng: np.random.Generator) -> tuple[Detection, ...]:
        """What a good detector finds."""
        moment = self._script.at(time)
        quads = [plain_camera._quad(laid.pose, self._scale, self._middle) for laid in moment.cards]
        arms = [plain_camera._arm(hand, self._scale, self._middle) for hand in moment.hands]
        return tuple(
            plain_camera._detection(laid, quad, time, rng)
            for at, (laid, quad) in enumerate(zip(moment.cards, quads, strict=True))
            if laid.width > 0.5
            and plain_camera._inside(quad) - plain_camera._hidden(quad, [*quads[at + 1 :], *arms])
            >= plain_camera.SEEN
        )


class TrueDetector:
    """Finds what the camera shows, wherever it stands; nothing while it is covered or shakes."""

    def __init__(
        self, table: DrawnTable, path: Path, covered: tuple[float, float] | None = None, seed: int = 0
    ) -> None:
        self._table, self._path, self._covered = table, path, covered
        self._rng = np.random.default_rng(seed)

    def detect(self, bgr: np.ndarray, time: float = 0.0) -> tuple[Detection, ...]:
        """The cards of which most is in the picture."""
        if self._covered is not None and self._covered[0] <= time < self._covered[1]:
            return ()
        found = []
        for card in self._table.cards(time, self._rng):
            corners = cv2.perspectiveTransform(card.corners[None].astype(np.float64), self._path(time))[0]
            inside = ((corners > 0) & (corners < np.array(SIZE))).all(axis=1).mean()
            if inside >= plain_camera.SEEN:
                found.append(Detection(corners.astype(np.float32), card.probs, card.score, time))
        return tuple(found)


@lru_cache(maxsize=1)
def _bare(seed: int) -> tuple[np.ndarray, tuple[np.ndarray, ...]]:
    """A cloth, and the noise of a sensor, which comes round again."""
    rng = np.random.default_rng(seed)
    weave = cv2.resize(rng.normal(0, 2.0, (90, 160)).astype(np.float32), SIZE)
    fall = np.linspace(12, -12, SIZE[0], dtype=np.float32)[None]
    cloth = np.array([70, 110, 60], np.float32) + (weave + fall)[..., None]
    noise = tuple(rng.normal(0, 2.5, (*SIZE[::-1], 3)).astype(np.int16) for _ in range(4))
    return np.clip(cloth, 0, 255).astype(np.uint8), noise


@lru_cache(maxsize=64)
def _print(name: str) -> np.ndarray:
    """A card's face: the same for a name, another for each."""
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    width, height = (round(side * PRINT) for side in CARD_MM)
    face = np.full((height, width, 3), 240, np.uint8)
    if name in ("back", "stock"):
        face[:] = (90, 60, 150)
        face[:: PRINT * 4], face[:, :: PRINT * 4] = 200, 200
    else:
        for _ in range(16):
            x, y = rng.integers(12, width - 12), rng.integers(12, height - 12)
            colour = tuple(int(each) for each in rng.integers(0, 190, 3))
            cv2.circle(face, (int(x), int(y)), int(rng.integers(8, 26)), colour, -1, cv2.LINE_AA)
    cv2.rectangle(face, (0, 0), (width - 1, height - 1), (60, 60, 60), 2)
    return face


def _lay(bgr: np.ndarray, name: str, quad: np.ndarray) -> None:
    patch = _patch(name, quad.tobytes())
    if patch is not None:
        (x0, y0), part, inside = patch
        height, width = inside.shape
        cv2.copyTo(part, inside, bgr[y0 : y0 + height, x0 : x0 + width])


@lru_cache(maxsize=256)
def _patch(name: str, corners: bytes) -> tuple[tuple[int, int], np.ndarray, np.ndarray] | None:
    """What a card shows of itself, and where in the picture; kept, for most cards lie still."""
    face, quad = _print(name), np.frombuffer(corners, np.float32).reshape(4, 2)
    left, top = np.floor(quad.min(axis=0)).astype(int) - 1
    right, bottom = np.ceil(quad.max(axis=0)).astype(int) + 2
    x0, y0 = max(0, left), max(0, top)
    x1, y1 = min(SIZE[0], right), min(SIZE[1], bottom)
    if x0 >= x1 or y0 >= y1:
        return None
    height, width = face.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(flat, (quad - (x0, y0)).astype(np.float32))
    size = (x1 - x0, y1 - y0)
    part = cv2.warpPerspective(face, matrix, size, flags=cv2.INTER_AREA)
    inside = np.zeros(size[::-1], np.uint8)
    cv2.fillConvexPoly(inside, np.round((quad - (x0, y0)) * 16).astype(np.int32), 255, shift=4)
    return (x0, y0), part, inside
