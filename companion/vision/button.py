"""Announcement buttons: discs that are found by their rim and read by a small network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import PACK_24
from companion.table.detection import UNKNOWN, Button, Detection
from companion.table.quad import short_side
from companion.vision.classify import probabilities
from companion.vision.network import ModelError, Network, to_batch

__all__ = [
    "BUTTON",
    "LEAST",
    "PRINTS",
    "UPRIGHT",
    "ButtonFinder",
    "Disc",
    "cut",
    "discs",
    "frame_of",
    "turned",
]

BUTTON = 48
"""Side of the square that a disc is read by, pixels."""
SIZES = (0.36, 0.95)
"""Least and greatest diameter of a disc in short sides of a card: 21 to 56 mm, and what perspective adds."""
PRINTS = ("20", "40", "other")
"""What the network tells apart."""
LEAST = 20.0
"""A disc of fewer pixels across cannot be read."""
FLATTEST = 0.5
"""Least share of its length that a disc is wide, seen from the side."""
_ROUND = 0.07
"""Most by which the area of a rim may differ from that of the ellipse through it, a share."""
_MARGIN = 0.12
"""Share of a disc's diameter that is seen beyond it on each side."""
_SAME = 0.3
"""Discs nearer than this, in diameters, are one."""
_EDGES = ((40, 110), (90, 220))
"""Thresholds of the edges: faint ones, and only clear ones where faint ones run together."""

REACH = 2.2
"""How far from a card's middle its button lies at most, in short sides of the card."""
_MARRIED = [at for at, card in enumerate(PACK_24) if card.rank.letter in "KQ"]
TURNS = 12
"""Angles at which a disc is read."""
UPRIGHT = np.pi / TURNS * 1.2
"""What stands no further from upright than this is to be read, radians."""
_USUAL = 0.6
"""Diameter of a button in short sides of a card, more or less."""
_MAYBE = 0.2
"""Least probability of a king or a queen beside which a button is looked for."""
_PRINTED = 0.8
"""Least probability of any other card of the pack inside whose outline what is round is printed."""
_SEEN = 0.3
"""Least probability of a button that is told."""

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Disc:
    """An ellipse in a picture, what is seen of something round.

    Attributes:
        x, y: Its middle, pixels.
        long, short: Its axes, whole, pixels.
        turn: Of the long axis, radians from the x axis, clockwise on screen.
    """

    x: float
    y: float
    long: float
    short: float
    turn: float


def discs(bgr: Picture, card: float) -> tuple[Disc, ...]:
    """Find what is round and of a button's size.

    Args:
        bgr: (H, W, 3) uint8.
        card: Short side of the cards in the picture, pixels.
    """
    least, most = max(LEAST, SIZES[0] * card), SIZES[1] * card
    if most <= least:
        return ()
    step = max(1, int(least / 24))
    small = cv2.resize(bgr, None, fx=1 / step, fy=1 / step, interpolation=cv2.INTER_AREA) if step > 1 else bgr
    kept: list[Disc] = []
    for disc in _rims(np.asarray(small, np.uint8), least / step, most / step):
        if _is_new(disc, kept):
            kept.append(disc)
    half = (step - 1) / 2
    return tuple(
        Disc(each.x * step + half, each.y * step + half, each.long * step, each.short * step, each.turn)
        for each in kept
    )


def _is_new(disc: Disc, known: Sequence[Disc]) -> bool:
    return all(np.hypot(disc.x - each.x, disc.y - each.y) > _SAME * each.long for each in known)


def _rims(bgr: Picture, least: float, most: float) -> Iterator[Disc]:
    """Yield ellipses among the outlines of edges, the largest first: a disc's rim before a ring on it."""
    found: list[Disc] = []
    smooth = cv2.GaussianBlur(bgr, (0, 0), 0.8)
    for channel in cv2.split(cv2.cvtColor(smooth, cv2.COLOR_BGR2LAB)):
        for low, high in _EDGES:
            edges = cv2.Canny(channel, low, high)
            edges = cv2.morphologyEx(edges, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
            outlines, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
            found += [
                disc
                for outline in outlines
                if (disc := _disc(np.asarray(outline, np.int32), least, most)) is not None
            ]
    yield from sorted(found, key=lambda each: -each.long)


def _disc(outline: NDArray[np.int32], least: float, most: float) -> Disc | None:
    """The ellipse that an outline is, if it is one."""
    if len(outline) < 2 * least:
        return None
    w, h = cv2.boundingRect(outline)[2:]
    if not (FLATTEST * least < min(w, h) and least < max(w, h) < most * 1.05):
        return None
    hull = cv2.convexHull(outline)
    if len(hull) < 8:
        return None
    (cx, cy), axes, angle = cv2.fitEllipse(hull)
    short, long = min(axes), max(axes)
    if not (least <= long <= most and short >= FLATTEST * long):
        return None
    if abs(cv2.contourArea(hull) / (np.pi / 4 * short * long) - 1) > _ROUND:
        return None
    turn = np.radians(angle + (90 if axes[1] >= axes[0] else 0))
    return Disc(float(cx), float(cy), float(long), float(short), float(turn))


def turned(angle: float) -> NDArray[np.float64]:
    """(2, 2): the matrix that turns by an angle, radians, clockwise on screen."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]])


def frame_of(disc: Disc) -> NDArray[np.float64]:
    """(2, 2): from a circle of diameter 1 to the disc, stretched along its axes and not turned."""
    return turned(disc.turn) @ np.diag([disc.long, disc.short]) @ turned(-disc.turn)


def cut(bgr: Picture, disc: Disc, turn: float = 0.0) -> Picture:
    """Cut a disc out as if seen from above, (`BUTTON`, `BUTTON`, 3) uint8.

    Args:
        bgr: (H, W, 3) uint8.
        disc: In it.
        turn: Of the crop, radians: what is printed at this angle, clockwise on screen, comes out upright.
    """
    reach = 0.5 + _MARGIN
    ends = np.array([[-reach, -reach], [reach, -reach], [-reach, reach]])
    corners = ends @ (frame_of(disc) @ turned(turn)).T + (disc.x, disc.y)
    side = int(disc.long * (1 + 2 * reach)) + 2
    left, top = max(0, int(disc.x) - side), max(0, int(disc.y) - side)
    near = bgr[top : int(disc.y) + side, left : int(disc.x) + side]
    if disc.long > 2 * BUTTON:
        near = np.asarray(cv2.GaussianBlur(near, (0, 0), disc.long / BUTTON / 3), np.uint8)
    to = np.array([[0, 0], [BUTTON, 0], [0, BUTTON]], np.float32)
    matrix = cv2.getAffineTransform((corners - (left, top)).astype(np.float32), to)
    crop = cv2.warpAffine(near, matrix, (BUTTON, BUTTON), flags=cv2.INTER_LINEAR, borderValue=(114, 114, 114))
    return np.asarray(crop, np.uint8)


class ButtonFinder:
    """Finds discs beside kings and queens and reads what is on them.

    Args:
        models: Folder of `card-button.onnx` and its card.
        threads: Of the network.

    Raises:
        ModelError: The model tells other things apart than `PRINTS`.
    """

    def __init__(self, models: Path, *, threads: int = 1) -> None:
        self._network = Network(models, "card-button", threads=threads)
        if self._network.card.classes != PRINTS:
            raise ModelError(f"{models / 'card-button.toml'}: tells other things apart than {PRINTS}")

    def find(
        self, bgr: Picture, cards: Sequence[Detection], before: Sequence[Button] = ()
    ) -> tuple[Button, ...]:
        """Find what may be a button near a card that may be a king or a queen, or where one was before.

        Args:
            bgr: (H, W, 3) uint8.
            cards: What was found in it.
            before: Buttons that were found earlier: they may lie there, or not any more.

        Returns:
            Each disc once, those that are surely something else left out: so, too, what is printed on another
            card, as the acorns of an ace are.
        """
        found: list[Disc] = []
        for x, y, unit, reach in (*_near_cards(cards), *_near_buttons(before)):
            for disc in _around(bgr, x, y, unit, reach):
                if _is_new(disc, found) and not _is_printed(disc, cards):
                    found.append(disc)
        told = self.read(bgr, found)
        return tuple(
            Button(disc.x, disc.y, disc.long, float(twenty), float(forty))
            for disc, (twenty, forty, _) in zip(found, told, strict=True)
            if twenty + forty >= _SEEN
        )

    def read(self, bgr: Picture, found: Sequence[Disc]) -> NDArray[np.float32]:
        """Say what is printed on discs, (N, 3) float32, probabilities in the order of `PRINTS`.

        The network reads what stands upright; each disc is held before it at `TURNS` angles, and what it is
        taken for most surely at any of them counts.
        """
        if not found:
            return np.zeros((0, len(PRINTS)), np.float32)
        angles = np.arange(TURNS) * 2 * np.pi / TURNS
        crops = [cut(bgr, disc, float(angle)) for disc in found for angle in angles]
        (logits,) = self._network.run(to_batch(crops))
        over_other = (logits - logits[:, -1:]).reshape(len(found), TURNS, len(PRINTS))
        return probabilities(over_other.max(axis=1), self._network.card.temperature)


def _is_printed(disc: Disc, cards: Sequence[Detection]) -> bool:
    """Whether a disc is wholly inside the outline of a card beside which nothing is announced."""
    return any(
        1.0 - float(card.probs[_MARRIED].sum()) - float(card.probs[UNKNOWN]) >= _PRINTED
        and cv2.pointPolygonTest(card.corners.astype(np.float32), (disc.x, disc.y), True) >= disc.short / 2
        for card in cards
    )


_Place = tuple[float, float, float, float]
"""Middle, short side of a card there, and how far around it, pixels."""


def _near_cards(cards: Sequence[Detection]) -> Iterator[_Place]:
    for card in cards:
        if float(card.probs[_MARRIED].sum()) >= _MAYBE:
            unit = short_side(card.corners)
            x, y = card.corners.mean(axis=0)
            yield float(x), float(y), unit, REACH * unit


def _near_buttons(buttons: Sequence[Button]) -> Iterator[_Place]:
    for button in buttons:
        yield button.x, button.y, button.size / _USUAL, 1.5 * button.size


def _around(bgr: Picture, x: float, y: float, unit: float, reach: float) -> Iterator[Disc]:
    """Discs near a place, pixels of the whole picture."""
    left, top = max(0, int(x - reach)), max(0, int(y - reach))
    part = bgr[top : max(0, int(y + reach) + 1), left : max(0, int(x + reach) + 1)]
    if min(part.shape[:2]) < LEAST:
        return
    for disc in discs(part, unit):
        yield Disc(disc.x + left, disc.y + top, disc.long, disc.short, disc.turn)
