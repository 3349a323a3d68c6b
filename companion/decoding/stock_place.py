"""Where the turn-up and the stock lie, also after they were pushed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK
from companion.table.observation import Observation, Phase
from companion.table.quad import covered

__all__ = ["StockPlace"]

STOCK_REACH = 1.9
"""How far, in short card sides, the stock's centre lies from the turn-up's at most."""
PUSHED_REACH = 0.5
"""How far, in short card sides, a stock that is pushed moves against its turn-up at most."""
PUSHED_LEAST = 0.15
"""How far, in short card sides, a stock that was pushed lies from where it lay at least."""
USUAL_REACH = 1.0
"""How far, in short card sides, a turn-up lies at most from where the one before lay, or would lie seen from
another side of the table."""
OUT_WITHIN = 0.15
"""What lies so near to the edge of the picture after a push, in short card sides, may lie half outside."""
ON_STOCK = 0.35
"""A card that lies on the stock lies so near to its middle, in short card sides; a turn-up never does."""
OVER_STOCK = 0.9
"""A card of a stock that is turned over lies at most so far from where that lay, in short card sides."""
COVERS = 0.25
"""Share of the turn-up's place that a face must cover to hide what lies there."""
ALIKE = 0.7
"""Share of each other that what is turned over on the spot, and what it was, cover at least."""
NOWHERE_PX = -1e6
"""Where the turn-up lies once it is drawn or covered: out of every picture."""


class StockPlace:
    """The place of one hand's turn-up and stock.

    Attributes:
        turn_up: (4, 2) float32 pixels of the table, corners of where the turn-up lies; `None`: not known.
        tracks: Under which the turn-up was seen.
        others: Tracks of cards that were pushed across it, and are not it.
        unit: Short side of a card, pixels.
    """

    def __init__(self) -> None:
        self.turn_up: NDArray[np.float32] | None = None
        self.tracks: set[int] = set()
        self.others: set[int] = set()
        self.unit = 1.0
        self._before: NDArray[np.float32] | None = None
        """Centre of the turn-up that was dealt last, as it was dealt."""
        self._stock: NDArray[np.float32] | None = None
        """Centre of a stock whose turn-up has not been recognised."""
        self._beside: NDArray[np.float32] | None = None
        """From the turn-up's centre to that of the stock, when both were seen last."""
        self._seen: NDArray[np.float32] | None = None
        """Corners of the turn-up then; `turn_up` is where it was laid."""

    @property
    def known(self) -> bool:
        """Whether anything has been dealt."""
        return self.turn_up is not None or self._stock is not None

    def dealt(self, face: Observation) -> None:
        """A turn-up begins a hand."""
        self._before = face.centre
        self.turn_up, self.tracks, self._stock = face.corners, {face.track}, None
        self.others, self._beside, self._seen = set(), None, None

    def dealt_without(self, stock: Observation) -> None:
        """A stock begins a hand; its turn-up is not recognised."""
        self.turn_up, self.tracks, self._stock = None, set(), stock.centre
        self.others, self._beside, self._seen = set(), None, None

    def lose(self) -> None:
        """No turn-up is left by which the hand would be known again."""
        self.turn_up = np.full((4, 2), NOWHERE_PX, np.float32)

    def lies_at(self, card: Observation, *, pushed: bool) -> None:
        """A card is the turn-up, maybe `pushed` to where it is now."""
        self.turn_up = card.corners if pushed or self.turn_up is None else self.turn_up
        self.tracks.add(card.track)

    def is_usual(self, face: Observation, size: tuple[int, int]) -> bool:
        """Whether a face lies where the turn-up before was dealt, or as that would for whoever deals now.

        Args:
            face: New on the table.
            size: Width and height of the picture, pixels.
        """
        if self._before is None:
            return False
        x, y = self._before
        width, height = size
        places = np.array([[x, y], [width - x, y], [width - x, height - y], [x, height - y]])
        return float(np.hypot(*(places - face.centre).T).min()) <= USUAL_REACH * self.unit

    def within_reach(self, one: Observation, other: Observation) -> bool:
        """Whether two cards lie as near to each other as a turn-up and its stock."""
        return float(np.hypot(*(one.centre - other.centre))) <= STOCK_REACH * self.unit

    def is_turn_up(self, card: Observation) -> bool:
        """Whether a card is known as the turn-up, face up."""
        return card.track in self.tracks and card.best != BACK

    def holds(self, card: Observation) -> bool:
        """Whether a card lies where the turn-up lies, or its stock where that is not known."""
        if self.turn_up is None:
            return self.near_stock(card)
        return covered(self.turn_up, card.corners) >= 0.4 and covered(card.corners, self.turn_up) >= 0.25

    def is_covered(self, cards: Sequence[Observation]) -> bool:
        """Whether a face lies across the turn-up's place, so that nothing can be said of what is under it."""
        place = self.turn_up
        return place is not None and any(
            card.best < BACK and card.phase is Phase.STILL and covered(place, card.corners) >= COVERS
            for card in cards
        )

    def near_stock(self, card: Observation) -> bool:
        """Whether a card lies where the stock may be."""
        middle = self._stock if self.turn_up is None else self.turn_up.mean(axis=0)
        return middle is not None and float(np.hypot(*(card.centre - middle))) <= STOCK_REACH * self.unit

    def look(self, there: Sequence[Observation], stock: Sequence[Observation], time: float) -> None:
        """Remember how the stock lies beside the turn-up.

        What is carried away is not seen for a moment before it is known to have gone.
        """
        if there and stock:
            nearest = min(stock, key=lambda card: float(np.hypot(*(card.centre - there[0].centre))))
            if there[0].last_seen >= time and nearest.last_seen >= time:
                self._beside, self._seen = nearest.centre - there[0].centre, there[0].corners

    def lies_on_stock(self, face: Observation, backs: Sequence[Observation]) -> bool:
        """Whether a face lies in the middle of the stock, and no stock is seen beside it."""
        middle = self._middle_of_stock
        if middle is None or float(np.hypot(*(face.centre - middle))) > ON_STOCK * self.unit:
            return False
        beside = [back for back in backs if back.phase is Phase.STILL and self.near_stock(back)]
        return all(float(np.hypot(*(back.centre - face.centre))) <= ON_STOCK * self.unit for back in beside)

    def lies_over_stock(self, face: Observation, backs: Sequence[Observation], time: float) -> bool:
        """Whether a face has come to lie where the stock lay, which is not seen there any more."""
        middle = self._middle_of_stock
        if middle is None or float(np.hypot(*(face.centre - middle))) > OVER_STOCK * self.unit:
            return False
        return not _lies_at(middle, [back for back in backs if back.last_seen >= time], self.unit)

    def follow(self, cards: Sequence[Observation], time: float) -> None:
        """Go with a turn-up that was pushed back to where it lay before."""
        for card in cards:
            lies = card.phase is Phase.STILL and card.last_seen >= time and self.is_turn_up(card)
            if lies and not self.holds(card):
                self.turn_up = card.corners

    def pushed_with(self, card: Observation, backs: Sequence[Observation]) -> bool:
        """Whether a back lies beside a card as the stock lay beside the turn-up."""
        if self._beside is None:
            return False
        off = [float(np.hypot(*(back.centre - card.centre - self._beside))) for back in backs]
        return min(off, default=np.inf) <= PUSHED_REACH * self.unit

    @property
    def _middle_of_stock(self) -> NDArray[np.float32] | None:
        """Where the stock lay beside the turn-up, shape (2,); `None` if the two were never seen together."""
        if self.turn_up is None or self._beside is None:
            return None
        middle: NDArray[np.float32] = self.turn_up.mean(axis=0) + self._beside
        return middle

    @property
    def seen_together(self) -> bool:
        """Whether it is known how the stock lies beside the turn-up."""
        return self._beside is not None

    def lies_beneath(self, stock: Sequence[Observation], time: float) -> bool:
        """Whether the stock has come to lie where the turn-up was seen last: that may lie under it.

        A back that lies just as the turn-up did, beside a stock that has stayed, is the turn-up turned down.
        """
        if self._seen is None or self._beside is None:
            return False
        if float(np.hypot(*self._beside)) <= ON_STOCK * self.unit:
            return False
        lying = [card for card in stock if card.last_seen >= time]
        middle = self._seen.mean(axis=0)
        if not _lies_at(middle, lying, self.unit):
            return False
        turned = any(
            covered(self._seen, card.corners) >= ALIKE and covered(card.corners, self._seen) >= ALIKE
            for card in lying
        )
        return not (turned and _lies_at(middle + self._beside, lying, self.unit))

    def pushed_out(self, stock: Sequence[Observation], size: tuple[int, int], time: float) -> bool:
        """Whether the stock was pushed so far that its turn-up may lie outside the picture, at least in part.

        Pushed to just where the turn-up lay it lies on that, as some close it.

        Args:
            stock: Backs that may be it.
            size: Width and height of the picture, pixels.
            time: Of the view, seconds; what was seen last before it may lie there no more.
        """
        lying = [card for card in stock if card.last_seen >= time]
        if self.turn_up is None or self._beside is None or self._seen is None or not lying:
            return False
        if self.lies_beneath(lying, time):
            return False
        middle = self._seen.mean(axis=0)
        ways = [card.centre - self._beside - middle for card in lying]
        away = min(ways, key=lambda way: float(np.hypot(*way)))
        there = self._seen + away
        margin = OUT_WITHIN * self.unit
        out = (there < margin).any() or (there > np.array(size) - margin).any()
        return bool(out) and float(np.hypot(*away)) > PUSHED_LEAST * self.unit


def _lies_at(place: NDArray[np.float32], cards: Sequence[Observation], unit: float) -> bool:
    """Whether the middle of a card lies at a place, (2,) pixels, as near as a card lies on the stock."""
    off = [float(np.hypot(*(card.centre - place))) for card in cards]
    return min(off, default=np.inf) <= ON_STOCK * unit
