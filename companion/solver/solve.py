"""Best play with open cards: the value of a position, of each action, and the play that follows."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules.cards import Player
from companion.solver import play
from companion.solver.engine import Engine
from companion.solver.position import Position
from companion.solver.tables import hand_table, name_of, numbering_of
from companion.solver.terms import terms_of

__all__ = ["Solution", "Solver"]


@dataclass(frozen=True, slots=True)
class Solution:
    """What a position is worth, in game points for south; negative: north wins them.

    Attributes:
        value: Under best play by both.
        actions: The same after each action of the player whose turn it is, as in `play:KH` (a marriage
            declared with its lead), `close`, `exchange`; only `claim` where there are 66 points.
    """

    value: int
    actions: Mapping[str, int]


class Solver:
    """Solves positions, one after the other; each thread needs its own."""

    def __init__(self) -> None:
        self.engine = Engine()

    def solve(self, position: Position) -> Solution:
        """Return the exact value of a position and of each action.

        Both know all cards, claim as soon as they have 66, and never with less.
        """
        terms, hand = self.tables(position)
        if play.due(terms, hand) >= 0:
            claimed = self.engine.value(terms, hand)
            return Solution(claimed, {"claim": claimed})
        values = self.engine.answers if position.led else self.engine.values
        sign = 1 if position.to_play is Player.SOUTH else -1
        found = values(terms, hand)
        actions = {name_of(action, position.trump): sign * value for action, value in found.items()}
        return Solution(sign * max(found.values()), actions)

    def tables(self, position: Position) -> tuple[array[int], array[int]]:
        """Return rules and hand as the engine has them, for a new beginning."""
        numbering = numbering_of(position.trump)
        stock = [numbering.number(card) for card in position.stock] if position.is_open else []
        terms = terms_of(position.rules, stock)
        self.engine.begin(terms)
        up = 1 << stock[-1] if stock else 0
        south, north = (numbering.hand(each) for each in position.hands)
        hand = hand_table(position, terms, (south, north), position.size, position.to_lead, up)
        return terms, hand
