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
from companion.solver.compiled import Machine, Native
from companion.solver.position import Position
from companion.solver.rights import CLOSE, EXCHANGE
from companion.solver.terms import SERIAL, SLOTS, terms_of
from companion.solver.values import action_values

__all__ = ["Solution", "Solver", "claim_value", "numbering_of", "outcome"]

_ROOM = 16
"""Size of the memory, as a power of two: more finds hardly more, and less of it stays in the caches."""
_MOST_SERIAL = 1 << 22


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
def _native() -> Native:
    return Machine(action_values).function(action_values)


@cache
def numbering_of(trump: Suit) -> Numbering:
    """Return the numbering for a trump suit."""
    return Numbering(trump)


class Solver:
    """Solves positions, one after the other; each thread needs its own."""

    def __init__(self) -> None:
        self._action_values = _native()
        self._memo = array("q", bytes(16 << _ROOM))
        self._serial = 0
        self._values = array("q", bytes(8 * 26))

    def solve(self, position: Position) -> Solution:
        """Return the exact value of a position and of each action.

        Both know all cards, claim as soon as they have 66, and never with less.
        """
        numbering = numbering_of(position.trump)
        terms, state = self.tables(position)
        sign = 1 if position.to_lead is Player.SOUTH else -1
        claimed = claim_value(terms, state)
        if claimed is not None:
            return Solution(claimed, {"claim": claimed})
        actions = {
            _NAMES.get(action) or f"play:{numbering.card(action)}": sign * value
            for action, value in self.values_at(terms, state).items()
        }
        return Solution(sign * max(sign * value for value in actions.values()), actions)

    def tables(self, position: Position) -> tuple[array[int], array[int]]:
        """Return the rules and the hand as tables; what was remembered of other positions is forgotten."""
        numbering = numbering_of(position.trump)
        stock = [numbering.number(card) for card in position.stock] if position.is_open else []
        terms = terms_of(position.rules, stock)
        self._serial += 1
        if self._serial == _MOST_SERIAL:
            self._memo = array("q", bytes(16 << _ROOM))
            self._serial = 1
        terms[SERIAL], terms[SLOTS] = self._serial, (1 << _ROOM) - 1
        return terms, _state_of(position, terms, numbering)

    def values_at(self, terms: array[int], state: array[int], flags: int = 0) -> dict[int, int]:
        """Return what each action of the player on lead is worth to that player.

        Args:
            terms: The rules.
            state: A hand with nothing led or declared, nobody having 66 in time.
            flags: `JUST_CLOSED` and `SETTLED` of `search`.
        """
        leader = state[play.LEADER]
        other = 1 - leader
        closer = state[play.CLOSER]
        moves = self._action_values(
            terms,
            self._memo,
            self._values,
            state[play.HAND + leader],
            state[play.HAND + other],
            state[play.HELD],
            state[play.DRAWN],
            state[play.UP],
            state[play.HAS + leader],
            state[play.HAS + other],
            _marks(state, leader),
            0 if closer < 0 else 1 if closer == leader else 2,
            state[play.STAKE_OF_CLOSER],
            state[play.STAKE_OF_OTHER],
            flags,
        )
        return {action: value for action, value in enumerate(self._values) if moves >> action & 1}


_NAMES = {CLOSE: "close", EXCHANGE: "exchange"}


def _marks(state: array[int], leader: int) -> int:
    """Return tricks and pending marriages as the search has them."""
    other = 1 - leader
    marks = int(state[play.TRICKS + leader] > 0) | int(state[play.TRICKS + other] > 0) << 1
    return marks | state[play.PENDING + leader] // 20 << 2 | state[play.PENDING + other] // 20 << 4


def _state_of(position: Position, terms: array[int], numbering: Numbering) -> array[int]:
    """Return a position as the table of a hand."""
    south, north = (numbering.hand(hand) for hand in position.hands)
    up = 1 << numbering.number(position.stock[-1]) if position.is_open else 0
    state = play.new_hand(south, north, len(position.hands[0]), position.to_lead, up)
    for player in Player:
        state[play.HAS + player] = position.card_points[player]
        state[play.TRICKS + player] = position.tricks_won[player]
        state[play.PENDING + player] = position.pending[player]
    close = position.at_close
    if close is not None and position.closed_by is not None:
        state[play.CLOSER] = position.closed_by
        state[play.STAKE_OF_CLOSER] = stake_of_success(terms, close.card_points, close.has_trick)
        state[play.STAKE_OF_OTHER] = stake_of_failure(terms, close.has_trick, bool(close.closer_has_trick))
        state[play.TRICKS_AT_CLOSE] = -1
    return state


def claim_value(terms: array[int], state: array[int]) -> int | None:
    """Return what a claim pays player 0 that comes before anything else; `None`: nobody has 66 in time."""
    player = play.due(terms, state)
    if player < 0:
        return None
    settled = state[:]
    play.claim(terms, settled, player)
    return outcome(settled)


def outcome(state: array[int]) -> int:
    """Return what a hand that has ended pays player 0."""
    winner: int = state[play.WINNER]
    return 0 if winner < 0 else state[play.AWARD] if winner == 0 else -state[play.AWARD]
