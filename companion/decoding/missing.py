"""What is not there: the turn-up that its stock lies without, a table that is bare, what came back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from companion.decoding.evidence import Absent, Bare, Gone, Returned
from companion.decoding.reaches import Reaches
from companion.decoding.stock_place import StockPlace
from companion.table.detection import BACK, UNKNOWN
from companion.table.observation import Observation, Phase, TableView

__all__ = ["Missing"]

ABSENT_STEP_S, ABSENT_NEAR_ARM_S = 0.5, 0.8
"""So long after each other is told that the turn-up is not seen: with no hand in the picture, with one that
moves nothing at the stock."""
BACK_WITHIN_S = 8.0
"""A card that is seen again after longer than this may be another one, taken for it."""
BARE_S = 0.6
"""A table is bare once nothing has been seen on it for this long."""
NO_STOCK_S = 1.5
"""It has neither faces nor stock any more after this time: a stock that is drawn from is lost for less."""


class Missing:
    """Notices what was there and is not seen any more."""

    def __init__(self, place: StockPlace, reaches: Reaches) -> None:
        self._place = place
        self._reaches = reaches
        self._absent_since: float | None = None
        self._absent_next: float | None = None
        self._turn_up_seen = 0.0
        self._turn_up_touched = np.inf
        """Last time at which something moved at the turn-up's place, while its track lived."""
        self._bare_since: float | None = None
        self._no_stock_since: float | None = None
        self._bare_told = False
        self._no_stock_told = False
        self._away: dict[int, float] = {}
        """When a track was first said to be out of sight, until it is back."""

    @property
    def turn_up_in_view(self) -> bool:
        """Whether the turn-up was seen at its place in the last view."""
        return self._absent_since is None and self._place.turn_up is not None

    def begin(self) -> None:
        """Another hand has been dealt."""
        self._away = {}
        self._bare_told = self._no_stock_told = False

    def note(self, gone: Iterable[Gone], time: float) -> None:
        """Keep in mind what is told to be gone."""
        self._away.update((one.track, time) for one in gone)

    def lies_elsewhere(self, track: int, time: float) -> None:
        """A card has come to lie on the stock that may be the turn-up: it is not at its place."""
        self._away.update(dict.fromkeys(self._place.tracks - {track}, time))

    def update(self, view: TableView) -> Iterator[Absent | Bare]:
        """Tell of the turn-up, and of the whole table."""
        if not self._place.known:
            return
        seen = [card for card in view.cards if card.phase is not Phase.GONE and card.best != UNKNOWN]
        self._place.follow(seen, view.time)
        stock = [card for card in seen if card.best == BACK and self._place.near_stock(card)]
        yield from self._absent(view, seen, stock)
        yield from self._bare(view, seen, stock)

    def returned(self, view: TableView) -> Iterator[Returned]:
        """Tell of what was said to be gone, or the turn-up to be out of sight, and lies there as before."""
        for card in view.cards:
            if card.phase is Phase.STILL and (since := self._away.pop(card.track, None)) is not None:
                turn_up = self._place.is_turn_up(card)
                if not turn_up or view.time - since <= BACK_WITHIN_S:
                    yield Returned(view.time, card.track, turn_up)

    def _absent(
        self, view: TableView, seen: Sequence[Observation], stock: Sequence[Observation]
    ) -> Iterator[Absent]:
        """The turn-up that is not seen for another step, though its stock lies there in clear view."""
        time, place = view.time, self._place
        there = self._look_for_turn_up(view, seen)
        place.look(there, stock, time)
        lost = any(
            card.track in place.tracks and card.phase is Phase.HIDDEN and card.unmoved for card in seen
        )
        if there or lost or not stock or place.turn_up is None:
            self._absent_since = self._absent_next = None
            return
        out = place.pushed_out(stock, view.size, time) or place.is_covered(seen)
        if out or not _shows_place(view, stock):
            if self._absent_next is not None:
                self._absent_next = max(self._absent_next, time + ABSENT_STEP_S / 2)
            return
        step = _step(view)
        if self._absent_since is None or self._absent_next is None:
            self._absent_since, self._absent_next = time, time + step
        elif time >= self._absent_next:
            self._absent_next = time + step
            # whoever took it did so while something moved there
            since = min(self._absent_since, max(self._turn_up_touched, self._turn_up_seen))
            for track in place.tracks:
                self._away.setdefault(track, time)
            beneath = place.lies_beneath(stock, time)
            yield Absent(time, since, self._turn_up_seen, self._reaches.told(), beneath)

    def _look_for_turn_up(self, view: TableView, seen: Sequence[Observation]) -> list[Observation]:
        """Return what lies at the turn-up's place and may be it; note when it was seen, and touched, last."""
        place = self._place
        there = [
            card
            for card in seen
            if card.phase is not Phase.HIDDEN
            and (card.best != BACK or card.track in place.tracks)
            and card.track not in place.others
            and place.holds(card)
        ]
        touched = [
            card.disturbed for card in view.cards if card.track in place.tracks and card.disturbed is not None
        ]
        self._turn_up_touched = max(touched, default=self._turn_up_touched)
        # a face that one frame tells may be a card turned down, read wrong
        if any(card.phase is Phase.STILL or card.track in place.tracks for card in there):
            self._turn_up_seen = view.time
        return there

    def _bare(
        self, view: TableView, seen: Sequence[Observation], stock: Sequence[Observation]
    ) -> Iterator[Bare]:
        """A table without faces and stock for a while, and one without anything; each once."""
        time = view.time
        if stock or any(card.best != BACK for card in seen):
            self._bare_since = self._no_stock_since = None
            self._bare_told = self._no_stock_told = False
            return
        self._no_stock_since = time if self._no_stock_since is None else self._no_stock_since
        if view.clear and time - self._no_stock_since >= NO_STOCK_S and not self._no_stock_told:
            self._no_stock_told = True
            yield Bare(time, piles=True)
        if seen:
            self._bare_since = None
            return
        self._bare_since = time if self._bare_since is None else self._bare_since
        if view.clear and time - self._bare_since >= BARE_S and not self._bare_told:
            self._bare_told = True
            yield Bare(time, piles=False)


def _step(view: TableView) -> float:
    """How long after each other it is told that the turn-up is not seen, seconds."""
    return ABSENT_STEP_S if view.clear else ABSENT_NEAR_ARM_S


def _shows_place(view: TableView, stock: Sequence[Observation]) -> bool:
    """Whether the stock lies still in clear view; a hand that stays somewhere else hides nothing there."""
    if not any(card.phase is Phase.STILL for card in stock):
        return False
    return view.clear or all(_untouched_for(_step(view), card, view.time) for card in stock)


def _untouched_for(seconds: float, card: Observation, time: float) -> bool:
    """Whether nothing has moved at a card for so long."""
    return card.disturbed is not None and time - card.disturbed >= seconds
