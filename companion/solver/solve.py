"""Best play with open cards: the value of a position, of each action, and the play that follows."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.rules.cards import Player, Suit
from companion.solver import play
from companion.solver.awards import stake_of_failure, stake_of_success
from companion.solver.bits import Numbering
from companion.solver.engine import Engine
from companion.solver.position import Position
from companion.solver.rights import CLOSE, EXCHANGE
from companion.solver.terms import terms_of

__all__ = ["Solution", "Solver", "numbering_of"]


@dataclass(frozen=True, slots=True)
class Solution:
    """What a position is worth, in game points for south; negative: north wins them.

    Attributes:
        value: Under best play by both.
        actions: The same after each action of the player on lead, as in `play:KH` (a marriage declared
            with it), `close`, `exchange`; only `claim` where there are 66 points.
    """

    value: int
    actions: Mapping[str, int]


@cache
def numbering_of(trump: Suit) -> Numbering:
    """Return the numbering for a trump suit."""
    return Numbering(trump)


class Solver:
    """Solves positions, one after the other; each thread needs its own."""

    def __init__(self) -> None:
        self.engine = Engine()

    def solve(self, position: Position) -> Solution:
        """Return the exact value of a position and of each action.

        Both know all cards, claim as soon as they have 66, and never with less.
        """
        numbering = numbering_of(position.trump)
        terms, hand = self.tables(position)
        if play.due(terms, hand) >= 0:
            claimed = self.engine.value(terms, hand)
            return Solution(claimed, {"claim": claimed})
        sign = 1 if position.to_lead is Player.SOUTH else -1
        actions = {
            _NAMES.get(action) or f"play:{numbering.card(action)}": sign * value
            for action, value in self.engine.values(terms, hand).items()
        }
        return Solution(sign * max(sign * value for value in actions.values()), actions)

    def tables(self, position: Position) -> tuple[array[int], array[int]]:
        """Return rules and hand as the engine has them, for a new beginning."""
        numbering = numbering_of(position.trump)
        stock = [numbering.number(card) for card in position.stock] if position.is_open else []
        terms = terms_of(position.rules, stock)
        self.engine.begin(terms)
        return terms, _hand_of(position, terms, numbering)


_NAMES = {CLOSE: "close", EXCHANGE: "exchange"}


def _hand_of(position: Position, terms: array[int], numbering: Numbering) -> array[int]:
    """Return a position as the table of a hand."""
    south, north = (numbering.hand(each) for each in position.hands)
    up = 1 << numbering.number(position.stock[-1]) if position.is_open else 0
    hand = play.new_hand(south, north, len(position.hands[0]), position.to_lead, up)
    for player in Player:
        hand[play.HAS + player] = position.card_points[player]
        hand[play.TRICKS + player] = position.tricks_won[player]
        hand[play.PENDING + player] = position.pending[player]
    close = position.at_close
    if close is not None and position.closed_by is not None:
        hand[play.CLOSER] = position.closed_by
        hand[play.STAKE_OF_CLOSER] = stake_of_success(terms, close.card_points, close.has_trick)
        hand[play.STAKE_OF_OTHER] = stake_of_failure(terms, close.has_trick, bool(close.closer_has_trick))
        hand[play.TRICKS_AT_CLOSE] = -1
    return hand
