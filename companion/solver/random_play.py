"""Hands dealt and played at random, many at a time: for speed, and for whoever wants statistics.

Both players choose among all that is legal with equal chances, except that nobody claims with fewer
than 66 points, and whoever may claim with 66 does.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from functools import cache

from companion.rules.ruleset import RuleSet
from companion.solver.compiled import Machine, Native
from companion.solver.play import AWARD, CLAIM, WINNER, act, dealt, due, legal, new_hand
from companion.solver.terms import STOCK_SIZE, terms_of
from companion.solver.translate import Table, trailing_zeros

__all__ = ["Tally", "play_hands"]

_LEGAL, _PLAYS = 3, 4
_MASK = (1 << 62) - 1


@dataclass(frozen=True, slots=True)
class Tally:
    """What became of hands played at random.

    Attributes:
        hands: How many were played.
        game_points: What the first and the second leader won together.
        drawn: How many nobody won.
        choices: How many legal actions there were to choose from, over all hands.
        actions: How many were taken.
    """

    hands: int
    game_points: tuple[int, int]
    drawn: int
    choices: int
    actions: int


def play_hands(rules: RuleSet, hands: int, seed: int = 0) -> Tally:
    """Deal and play `hands` hands; the same for the same seed. Knocking is not played."""
    stock = range(rules.stock_size)
    terms, state = terms_of(rules, stock), new_hand(0, 0, 0, 0, 0)
    pack = array("q", range(24 - rules.deck, 24))
    found = array("q", bytes(8 * 5))
    _native()(terms, state, pack, found, hands, int(rules.deck), int(rules.hand_size), seed + 1)
    return Tally(hands, (found[0], found[1]), found[2], found[_LEGAL], found[_PLAYS])


@cache
def _native() -> Native:
    return Machine(_play_hands).function(_play_hands)


# What follows is compiled


def _play_hands(
    terms: Table, state: Table, pack: Table, found: Table, hands: int, deck: int, size: int, seed: int
) -> int:
    """Play `hands` hands, player 0 leading, and count in `found`; returns the last random number."""
    while hands:
        hands -= 1
        seed = _deal(terms, state, pack, deck, size, seed)
        over = 0
        while not over:
            claimant = due(terms, state)
            actions = legal(terms, state) & (1 << CLAIM) - 1
            if claimant >= 0:
                over = act(terms, state, CLAIM + claimant)
            elif actions:
                seed = _next(seed)
                many = _count(actions)
                found[_LEGAL] += many
                over = act(terms, state, _pick(actions, (seed >> 24 & 0xFFFFFF) * many >> 24))
            else:
                over = 1
            found[_PLAYS] += 1
        winner = state[WINNER]
        if winner < 0:
            found[2] += 1
        else:
            found[winner] += state[AWARD]
    return seed


def _next(seed: int) -> int:
    """Return the next random number (a linear congruential generator; its high bits are used)."""
    return seed * 6364136223846793005 + 1442695040888963407 & _MASK


def _count(bits: int) -> int:
    """Return how many bits are set."""
    count = 0
    while bits:
        bits &= bits - 1
        count += 1
    return count


def _pick(bits: int, which: int) -> int:
    """Return the place of one of the bits set, counted from 0."""
    while which:
        bits &= bits - 1
        which -= 1
    return trailing_zeros(bits)


def _deal(terms: Table, state: Table, pack: Table, deck: int, size: int, seed: int) -> int:
    """Shuffle and deal; the suit of the turned-up card changes places with the trumps."""
    at = deck
    while at > 1:
        seed = _next(seed)
        other = (seed >> 24 & 0xFFFFFF) * at >> 24
        at -= 1
        pack[at], pack[other] = pack[other], pack[at]
    trump = pack[deck - 1] & 3
    south, north = 0, 0
    at = 0
    while at < deck:
        card = pack[at]
        if card & 3 == trump:
            card |= 3
        elif card & 3 == 3:
            card = card & ~3 | trump
        if at < size:
            south |= 1 << card
        elif at < 2 * size:
            north |= 1 << card
        else:
            terms[at - 2 * size] = 1 << card
        at += 1
    dealt(state, south, north, size, 0, terms[terms[STOCK_SIZE] - 1])
    return seed
