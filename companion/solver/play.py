"""Whole hands in the fast core: what is legal, what follows, and hands played at random.

A hand is a table of whole numbers, at the places named here; players are 0 and 1. What may be done
is a number of bits, one an action: the cards by their numbers, then the words. It is the same game as
that of `companion.rules`, with both hands known and without knocking (clause 6.5); the tests hold the
two against each other, action by action. All of it is compiled.
"""

from __future__ import annotations

from array import array

from companion.solver.awards import (
    claim_pays,
    failed_pays,
    last_trick_bonus,
    last_trick_pays,
    scale,
    stake_of_failure,
    stake_of_success,
)
from companion.solver.bits import BEATEN_BY, PAIRS, POINTS, TRUMP, answers
from companion.solver.rights import CLOSE, EXCHANGE, may_close, may_exchange, may_exchange_at_close
from companion.solver.terms import (
    ACTS_DECLARED,
    ALWAYS_STRICT,
    ANYTHING,
    CLAIM_ANYBODY,
    CLAIM_AUTO,
    CLAIM_DECLARED,
    CLAIM_LAST,
    CLAIM_OWN_TRICK,
    CLOSE_EARLY,
    CLOSE_MIN,
    CLOSER_LITERAL,
    COUNTS,
    FALSE_AS_CLOSED,
    FALSE_CLAIM,
    FALSE_CLAIMANT,
    FALSE_FLAT_2,
    FALSE_MIRROR,
    FALSE_OPPONENT,
    FIRST_TRICK,
    FORCED,
    IMMEDIATELY,
    LOWEST,
    MARRY_CLOSED,
    MARRY_EXHAUSTED,
    MARRY_FIRST,
    NOTHING,
    STOCK_SIZE,
)
from companion.solver.translate import Table

# Places in the table of a hand; where two players have one each, the second follows the first.
HAND, HAS, PENDING, TRICKS = 0, 2, 4, 6
LEADER, LED, HELD, DRAWN, UP = 8, 9, 10, 11, 12
CLOSER, STAKE_OF_CLOSER, STAKE_OF_OTHER, TRICKS_AT_CLOSE = 13, 14, 15, 16
ANNOUNCED, ACTED, DREW, PHASE, WINNER, AWARD = 17, 18, 19, 21, 22, 23
_SIZE = 24

PLAYING, PLAYED_OUT, ENDED = 0, 1, 2

# What may be done: cards by their numbers, CLOSE and EXCHANGE, then these.
CLOSE_BEFORE_DRAW, EXCHANGE_AT_CLOSE, MARRIAGE, CLAIM = 26, 27, 28, 32
"""`MARRIAGE` of the first suit and `CLAIM` of player 0; those of the others follow."""
_ENOUGH = 66


def new_hand(south: int, north: int, size: int, leader: int, up: int) -> array[int]:
    """Return the table of a hand just dealt, with the turned-up card as a bit."""
    state = array("q", bytes(8 * _SIZE))
    dealt(state, south, north, size, leader, up)
    return state


# What follows is compiled


def dealt(state: Table, south: int, north: int, size: int, leader: int, up: int) -> int:
    """Make `state` a hand just dealt."""
    at = 0
    while at < _SIZE:
        state[at] = 0
        at += 1
    state[HAND], state[HAND + 1] = south, north
    state[LEADER], state[LED], state[HELD], state[UP] = leader, -1, size, up
    state[CLOSER], state[ANNOUNCED], state[WINNER] = -1, -1, -1
    return 0


def stock_left(terms: Table, state: Table) -> int:
    """Return how many cards are in the stock."""
    return terms[STOCK_SIZE] - state[DRAWN]


def legal(terms: Table, state: Table) -> int:
    """Return what may be done, as bits (sections 3 to 7)."""
    if state[PHASE] == ENDED:
        return 0
    claims = claimants(terms, state) << CLAIM
    if state[PHASE] == PLAYED_OUT:
        return claims
    leader = state[LEADER]
    left = stock_left(terms, state)
    is_open = state[CLOSER] < 0 and left > 0
    strict = terms[ALWAYS_STRICT] | (not is_open)
    if state[LED] >= 0:
        hand = state[HAND + 1 - leader]
        return claims | (answers(hand, state[LED]) if strict else hand)
    hand = state[HAND + leader]
    tricks = state[TRICKS] + state[TRICKS + 1]
    first = tricks == 0
    announced = state[ANNOUNCED]
    acts = 0
    undeclared = announced < 0
    if is_open and (undeclared or terms[ACTS_DECLARED] == ANYTHING):
        acts |= may_exchange(terms, hand, state[UP], left, first) << EXCHANGE
    if is_open and (undeclared or terms[ACTS_DECLARED] != NOTHING):
        acts |= may_close(terms, left, first) << CLOSE
    acts |= may_close_before_draw(terms, state) << CLOSE_BEFORE_DRAW
    if state[CLOSER] == leader and tricks == state[TRICKS_AT_CLOSE]:
        acts |= may_exchange_at_close(terms, state[HAND + 1 - leader], state[UP], left) << EXCHANGE_AT_CLOSE
    if announced >= 0:
        return claims | acts | hand & PAIRS[announced]
    silent = 0
    if may_marry(terms, state):
        suit = 0
        while suit < 4:
            if hand & PAIRS[suit] == PAIRS[suit]:
                acts |= 1 << MARRIAGE + suit
                silent |= PAIRS[suit]
            suit += 1
    return claims | acts | (hand & ~silent if terms[FORCED] else hand)


def may_marry(terms: Table, state: Table) -> int:
    """Say whether the player on lead may declare a pair (clauses 5.4 to 5.7)."""
    if state[TRICKS] + state[TRICKS + 1] == 0 and not terms[MARRY_FIRST]:
        return 0
    if state[CLOSER] >= 0 and not terms[MARRY_CLOSED]:
        return 0
    return 0 if stock_left(terms, state) == 0 and not terms[MARRY_EXHAUSTED] else 1


def may_close_before_draw(terms: Table, state: Table) -> int:
    """Say whether the winner of the last trick may close as if nobody had drawn yet (clause 6.4)."""
    tricks = state[TRICKS] + state[TRICKS + 1]
    if not terms[CLOSE_EARLY] or state[CLOSER] >= 0 or tricks == 0:
        return 0
    if state[ACTED] or state[ANNOUNCED] >= 0 or state[DREW] == 0:
        return 0
    return stock_left(terms, state) + 2 >= terms[CLOSE_MIN]


def claimants(terms: Table, state: Table) -> int:
    """Return who may claim, as bits (clauses 7.1 to 7.4)."""
    leader = state[LEADER]
    if state[PHASE] == ENDED or terms[CLAIM_AUTO]:
        return 0
    return may_claim(terms, state, leader) << leader | may_claim(terms, state, 1 - leader) << 1 - leader


def may_claim(terms: Table, state: Table, player: int) -> int:
    """Say whether `player` may claim, or is taken to (clause 7.1), at this moment."""
    if state[PHASE] == PLAYED_OUT and not terms[CLAIM_LAST]:
        return 0
    tricks = state[TRICKS] + state[TRICKS + 1]
    if state[LED] < 0 and terms[CLAIM_ANYBODY] and tricks:
        return 1
    if player != state[LEADER]:
        return 0
    if state[ANNOUNCED] >= 0:
        return terms[CLAIM_DECLARED]
    if state[LED] >= 0 or state[TRICKS + player] == 0:
        return 0
    return 0 if state[ACTED] and terms[CLAIM_OWN_TRICK] else 1


def act(terms: Table, state: Table, action: int) -> int:
    """Let the player whose turn it is do what is legal; returns 1 once the hand has ended."""
    leader = state[LEADER]
    if action < 24:
        if state[LED] < 0:
            state[LED] = action
            state[HAND + leader] ^= 1 << action
        else:
            answered(terms, state, action)
    elif action == CLOSE:
        close(terms, state)
    elif action == CLOSE_BEFORE_DRAW:
        state[HAND + leader] ^= state[DREW]
        state[HAND + 1 - leader] ^= state[DREW + 1]
        state[DRAWN] -= 2
        state[HELD] -= 1
        close(terms, state)
    elif action < MARRIAGE:
        player = leader if action == EXCHANGE else 1 - leader
        state[HAND + player] ^= terms[LOWEST] ^ state[UP]
        state[UP] = terms[LOWEST]
        state[ACTED] = 1
    elif action < CLAIM:
        declare(terms, state, action - MARRIAGE)
    else:
        claim(terms, state, action - CLAIM)
    if terms[CLAIM_AUTO] and state[PHASE] != ENDED:
        claimant = due(terms, state)
        if claimant >= 0:
            claim(terms, state, claimant)
    return state[PHASE] == ENDED


def due(terms: Table, state: Table) -> int:
    """Return who may claim and has 66, the player on lead before the other; -1: nobody."""
    leader = state[LEADER]
    if state[PHASE] == ENDED:
        return -1
    if may_claim(terms, state, leader) and total(terms, state, leader) >= _ENOUGH:
        return leader
    if may_claim(terms, state, 1 - leader) and total(terms, state, 1 - leader) >= _ENOUGH:
        return 1 - leader
    return -1


def total(terms: Table, state: Table, player: int) -> int:
    """Return the points of `player`, with the bonus for the last trick (clause 8.6)."""
    points = state[HAS + player]
    if state[HELD] == 0 and state[CLOSER] < 0 and player == state[LEADER]:
        points += last_trick_bonus(terms)
    return points


def close(terms: Table, state: Table) -> int:
    """Let the leader close."""
    leader = state[LEADER]
    other = 1 - leader
    state[CLOSER] = leader
    state[STAKE_OF_CLOSER] = stake_of_success(terms, state[HAS + other], state[TRICKS + other])
    state[STAKE_OF_OTHER] = stake_of_failure(terms, state[TRICKS + other], state[TRICKS + leader])
    state[TRICKS_AT_CLOSE] = state[TRICKS] + state[TRICKS + 1]
    state[ACTED] = 1
    return 0


def declare(terms: Table, state: Table, suit: int) -> int:
    """Let the leader declare king and queen of a suit (clause 5.3)."""
    leader = state[LEADER]
    worth = 40 if suit == TRUMP else 20
    state[ANNOUNCED] = suit
    if terms[COUNTS] == IMMEDIATELY or (terms[COUNTS] == FIRST_TRICK and state[TRICKS + leader]):
        state[HAS + leader] += worth
    else:
        state[PENDING + leader] += worth
    return 0


def answered(terms: Table, state: Table, answer: int) -> int:
    """Let the other player answer: the trick is taken, counted, and cards are drawn."""
    led = state[LED]
    winner = state[LEADER]
    state[HAND + 1 - winner] ^= 1 << answer
    if BEATEN_BY[led] >> answer & 1:
        winner = 1 - winner
    loser = 1 - winner
    state[HAS + winner] += POINTS[led] + POINTS[answer] + state[PENDING + winner]
    state[PENDING + winner] = 0
    state[TRICKS + winner] += 1
    state[LEADER], state[LED], state[ANNOUNCED], state[ACTED] = winner, -1, -1, 0
    left = stock_left(terms, state)
    if state[CLOSER] < 0 and left > 0:
        first = terms[state[DRAWN]]
        second = terms[state[DRAWN] + 1] if left > 2 else state[UP]
        state[HAND + winner] |= first
        state[HAND + loser] |= second
        state[DREW], state[DREW + 1] = first, second
        state[DRAWN] += 2
        return 0
    state[DREW] = 0
    state[HELD] -= 1
    if state[HELD] == 0:
        state[PHASE] = PLAYED_OUT
        played_out(terms, state)
    return 0


def played_out(terms: Table, state: Table) -> int:
    """Settle a hand whose cards are gone; a claim may still change it (clauses 8.2 and 8.4)."""
    winner = state[LEADER]
    loser = 1 - winner
    closer = state[CLOSER]
    if closer >= 0:
        other = 1 - closer
        return settle(state, other, failed_pays(state[STAKE_OF_OTHER], state[TRICKS + other]))
    pays = last_trick_pays(
        terms, total(terms, state, winner), total(terms, state, loser), state[TRICKS + loser]
    )
    if pays == 0:
        return settle(state, -1, 0)
    return settle(state, winner, pays) if pays > 0 else settle(state, loser, -pays)


def settle(state: Table, winner: int, award: int) -> int:
    """Write down who wins how much."""
    state[WINNER], state[AWARD] = winner, award
    return 0


def claim(terms: Table, state: Table, player: int) -> int:
    """End the hand by the claim of `player`, right or wrong."""
    other = 1 - player
    points = total(terms, state, other)
    if total(terms, state, player) >= _ENOUGH:
        stake = state[STAKE_OF_CLOSER] if state[CLOSER] == player else state[STAKE_OF_OTHER]
        pays = claim_pays(
            terms, state[CLOSER], player, stake, state[TRICKS + player], points, state[TRICKS + other]
        )
        settle(state, player, pays)
    else:
        settle(state, other, false_claim_pays(terms, state, player, points))
    state[PHASE] = ENDED
    return 0


def false_claim_pays(terms: Table, state: Table, player: int, others: int) -> int:
    """Return what a claim of `player` with fewer than 66 pays the other player (clauses 7.6 to 7.8)."""
    other = 1 - player
    rule = terms[FALSE_CLAIM]
    if rule == FALSE_OPPONENT:
        pays = 2 if state[TRICKS + other] else 3
    elif rule == FALSE_CLAIMANT:
        pays = 2 if state[TRICKS + player] else 3
    elif rule == FALSE_AS_CLOSED:
        pays = scale(total(terms, state, player), state[TRICKS + player])
    elif rule == FALSE_MIRROR:
        pays = scale(others, state[TRICKS + other])
    else:
        pays = 2 if rule == FALSE_FLAT_2 else 3
    if state[CLOSER] == player and not terms[CLOSER_LITERAL]:
        failed = failed_pays(state[STAKE_OF_OTHER], state[TRICKS + other])
        if failed > pays:
            return failed
    return pays
