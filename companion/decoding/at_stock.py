"""Notices when something moves at the stock, and when nothing does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.decoding.evidence import AtStock, Rested
from companion.decoding.stock_place import StockPlace
from companion.rules.cards import Player
from companion.table.detection import BACK
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import covered

__all__ = ["Stock"]

AWAY_S = 0.3
"""What moves again after a shorter time has not stopped."""
BENEATH = 0.25
"""Least share of a card that is covered by another under which it lies."""


class Stock:
    """Tells of hands at the stock, each time they have left it."""

    def __init__(self, place: StockPlace) -> None:
        self._place = place
        self._moved: float | None = None
        """When something moved there last, which is not told yet."""
        self._players: frozenset[Player] = frozenset()

    def update(self, view: TableView) -> Iterator[AtStock]:
        """Tell of what moved there, once it has stopped."""
        stock = self._lying(view)
        if any(_moves(card, view.time) for card in stock):
            self._moved = view.time
            if not _all_moves(view, stock):
                self._players |= view.hands
        elif self._moved is not None and view.time - self._moved >= AWAY_S:
            yield AtStock(self._moved, self._players)
            self._moved, self._players = None, frozenset()

    def rests(self, view: TableView, time: float) -> Iterator[Rested]:
        """Tell since when nothing has moved there, where all of it lies in sight or beneath what does."""
        stock = self._lying(view)
        shown = [card for card in stock if card.phase is Phase.STILL]
        since = [card.disturbed for card in shown if card.disturbed is not None]
        if shown and len(since) == len(shown) and all(_is_beneath(card, shown) for card in stock):
            yield Rested(time, max(since))

    def _lying(self, view: TableView) -> list[Observation]:
        """Cards that lie face down where the stock may be."""
        if not self._place.known:
            return []
        backs = (card for card in view.cards if card.best == BACK and card.phase is not Phase.GONE)
        return [card for card in backs if self._place.near_stock(card)]


def _is_beneath(card: Observation, shown: Sequence[Observation]) -> bool:
    """Whether a card is one of those that are shown, or lies under one: the stock was pushed, or closed."""
    return card in shown or any(covered(card.corners, above.corners) >= BENEATH for above in shown)


def _moves(card: Observation, time: float) -> bool:
    """Whether something moves at a card's place at a time."""
    return card.disturbed is not None and card.disturbed >= time


def _all_moves(view: TableView, but: Sequence[Observation]) -> bool:
    """Whether something moves at every card but these: the camera does, or the light."""
    stock = {card.track for card in but}
    others = [card for card in view.cards if card.track not in stock and card.phase is Phase.STILL]
    return bool(others) and all(_moves(card, view.time) for card in others)
