"""The compiled search at work on a hand's tables: what actions are worth, and hands as they stand."""

from __future__ import annotations

from array import array
from functools import cache

from companion.solver import play
from companion.solver.bits import cards_in
from companion.solver.compiled import Machine, Native
from companion.solver.search import ANY, CLOSED_EARLY, JUST_CLOSED, LEADS
from companion.solver.terms import SERIAL, SLOTS
from companion.solver.values import action_values, value_of

__all__ = ["Engine", "after", "outcome", "settled"]

_ROOM = 16
"""Size of the memory, as a power of two: more finds hardly more, and less of it stays in the caches."""
_MOST_SERIAL = 1 << 22


@cache
def _compiled() -> tuple[Native, Native]:
    machine = Machine(action_values, value_of)
    return machine.function(action_values), machine.function(value_of)


class Engine:
    """Answers about one deal after the other; each thread needs its own.

    The tables are those of `companion.solver.terms` (the rules and the stock) and of
    `companion.solver.play` (the hand); cards and actions are numbers, players 0 and 1.
    """

    def __init__(self) -> None:
        self._action_values, self._value_of = _compiled()
        self._memo = array("q", bytes(16 << _ROOM))
        self._serial = 0
        self._values = array("q", bytes(8 * 26))

    def begin(self, terms: array[int]) -> None:
        """Begin with another deal: nothing that is remembered of others counts for `terms`."""
        self._serial += 1
        if self._serial == _MOST_SERIAL:
            self._memo = array("q", bytes(16 << _ROOM))
            self._serial = 1
        terms[SERIAL], terms[SLOTS] = self._serial, (1 << _ROOM) - 1

    def values(self, terms: array[int], hand: array[int], flags: int = 0) -> dict[int, int]:
        """Return what each action of the player on lead is worth to that player.

        Args:
            terms: The rules.
            hand: A hand with nothing led or declared, nobody having 66 in time.
            flags: `JUST_CLOSED` and `SETTLED` of `companion.solver.search`.
        """
        moves = self._action_values(terms, self._memo, self._values, *_view(hand), flags)
        return {action: value for action, value in enumerate(self._values) if moves >> action & 1}

    def worth(self, terms: array[int], hand: array[int], action: int) -> int:
        """Return what one action of the player on lead is worth to that player; see `values`."""
        return self._value_of(terms, self._memo, *_view(hand), 1 << action)

    def answers(self, terms: array[int], hand: array[int]) -> dict[int, int]:
        """Return what each answer to the card on the table is worth to the player who answers."""
        sign = 1 if hand[play.LEADER] else -1
        values = {}
        for card in cards_in(play.legal(terms, hand) & LEADS):
            answered = hand[:]
            play.act(terms, answered, card)
            values[card] = sign * self.value(terms, answered)
        return values

    def value(self, terms: array[int], hand: array[int], flags: int = 0) -> int:
        """Return what a hand with nothing led or declared is worth to player 0, whatever may be done now."""
        player = play.due(terms, hand)
        if player >= 0:
            return outcome(settled(terms, hand, player))
        if hand[play.PHASE] != play.PLAYING:
            return outcome(hand)
        best = self._value_of(terms, self._memo, *_view(hand), ANY | flags)
        early = after(terms, hand, play.CLOSE_BEFORE_DRAW)
        sign = -1 if hand[play.LEADER] else 1
        if early is not None:
            best = max(best, sign * self.value(terms, early, JUST_CLOSED | CLOSED_EARLY))
        return sign * best


def _view(hand: array[int]) -> tuple[int, ...]:
    """Return a hand as the search has it, seen by the player on lead."""
    leader = hand[play.LEADER]
    other = 1 - leader
    closer = hand[play.CLOSER]
    marks = int(hand[play.TRICKS + leader] > 0) | int(hand[play.TRICKS + other] > 0) << 1
    marks |= hand[play.PENDING + leader] // 20 << 2 | hand[play.PENDING + other] // 20 << 4
    return (
        hand[play.HAND + leader],
        hand[play.HAND + other],
        hand[play.HELD],
        hand[play.DRAWN],
        hand[play.UP],
        hand[play.HAS + leader],
        hand[play.HAS + other],
        marks,
        0 if closer < 0 else 1 if closer == leader else 2,
        hand[play.STAKE_OF_CLOSER],
        hand[play.STAKE_OF_OTHER],
    )


def after(terms: array[int], hand: array[int], action: int) -> array[int] | None:
    """Return the hand after an action; `None` where it is not legal."""
    if not play.legal(terms, hand) >> action & 1:
        return None
    changed = hand[:]
    play.act(terms, changed, action)
    return changed


def settled(terms: array[int], hand: array[int], claimant: int) -> array[int]:
    """Return the hand after a claim."""
    changed = hand[:]
    play.claim(terms, changed, claimant)
    return changed


def outcome(hand: array[int]) -> int:
    """Return what a hand that has ended pays player 0."""
    winner: int = hand[play.WINNER]
    return 0 if winner < 0 else hand[play.AWARD] if winner == 0 else -hand[play.AWARD]
