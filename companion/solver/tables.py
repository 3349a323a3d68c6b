"""A moment of a hand as the tables of the fast core."""

from __future__ import annotations

from array import array
from functools import cache

from companion.rules.cards import Player, Suit
from companion.solver import play
from companion.solver.awards import stake_of_failure, stake_of_success
from companion.solver.bits import Numbering
from companion.solver.position import Position
from companion.solver.rights import CLOSE, EXCHANGE
from companion.solver.view import View

__all__ = ["hand_table", "name_of", "numbering_of"]

_POINTS_THAT_MATTER = 120
"""More than these are as good, whoever the other player is: together there are no more than 220."""


@cache
def numbering_of(trump: Suit) -> Numbering:
    """Return the numbering for a trump suit."""
    return Numbering(trump)


def name_of(action: int, trump: Suit) -> str:
    """Return what an action is called, as in `play:KH`, `close`, `exchange`."""
    return {CLOSE: "close", EXCHANGE: "exchange"}.get(action) or f"play:{numbering_of(trump).card(action)}"


def hand_table(
    known: Position | View, terms: array[int], hands: tuple[int, int], size: int, leader: Player, up: int
) -> array[int]:
    """Return the table of a hand at a moment.

    Args:
        known: What was counted so far, and the close.
        terms: The rules.
        hands: Cards of south and north, as bits.
        size: How many cards each holds, or held before the card was led that lies there.
        leader: Who leads, or has led.
        up: The turned-up card, as a bit; 0 once the stock is closed or exhausted.
    """
    hand = play.new_hand(*hands, size, leader, up)
    for player in Player:
        hand[play.HAS + player] = min(known.card_points[player], _POINTS_THAT_MATTER)
        hand[play.TRICKS + player] = known.tricks_won[player]
        hand[play.PENDING + player] = known.pending[player]
    close = known.at_close
    if close is not None and known.closed_by is not None:
        hand[play.CLOSER] = known.closed_by
        hand[play.STAKE_OF_CLOSER] = stake_of_success(terms, close.card_points, close.has_trick)
        hand[play.STAKE_OF_OTHER] = stake_of_failure(terms, close.has_trick, bool(close.closer_has_trick))
        hand[play.TRICKS_AT_CLOSE] = -1
    if known.led is not None:
        hand[play.LED] = numbering_of(known.trump).number(known.led)
    return hand
