"""The search: can a player force a certain award, whatever the other does? All of it is compiled.

A position is asked about one question at a time: does the *attacker* get at least `terms[TARGET]` game
points (1, 2 or 3)? The value of a position follows from at most three such questions. A yes or no
lets whole branches be passed over, and it depends on card points in one direction only: what is
enough with some points is enough with more. So one entry of the memory answers for many counts.

Positions are seen by the player on lead: `hand` and `points` are that player's, `other` and `theirs` the
other player's. `marks` holds, from its lowest bit: the leader has a trick; the other player has one;
two bits with the leader's pending marriage points in twenties; two with the other player's.
`close` is 0, or 1 where the attacker closed, 2 where the defender did, and four times the stake (`awards`).
"""

from __future__ import annotations

from companion.solver.awards import (
    claim_pays,
    failed_pays,
    last_trick_bonus,
    last_trick_pays,
    stake_of_failure,
    stake_of_success,
)
from companion.solver.bits import BEATEN_BY, POINTS, answers, marriage_worth
from companion.solver.rights import CLOSE, EXCHANGE, may_close, may_exchange, may_exchange_at_close
from companion.solver.terms import (
    ACTS_DECLARED,
    ALWAYS_STRICT,
    BEATEN_FLAT,
    CLAIM_ANYBODY,
    CLAIM_DECLARED,
    CLAIM_LAST,
    CLOSE_EARLY,
    CLOSE_MIN,
    COUNTS,
    FIRST_TRICK,
    IMMEDIATELY,
    LOWEST,
    MARRY_CLOSED,
    MARRY_EXHAUSTED,
    MARRY_FIRST,
    NODES,
    NOTHING,
    SERIAL,
    SLOTS,
    STOCK_SIZE,
    TARGET,
)
from companion.solver.translate import Table, trailing_zeros

__all__ = ["ANY", "JUST_CLOSED", "LEADS", "SETTLED", "wins"]

# What the leader is asked to do, as bits of `moves`.
LEADS = 0xFFFFFF
ANY = LEADS | 1 << CLOSE | 1 << EXCHANGE
JUST_CLOSED = 1 << 26
"""The leader has closed with this lead: the other player may still exchange (clause 4.6)."""
SETTLED = 1 << 27
"""... and has decided about that."""
CLOSED_EARLY = 1 << 28
"""... before drawing: nothing was declared before it."""

_ENOUGH = 66
_REMEMBERED = 4  # fewer cards in hand are searched anew faster than found


def wins(
    terms: Table,
    memo: Table,
    hand: int,
    other: int,
    size: int,
    drawn: int,
    up: int,
    points: int,
    theirs: int,
    marks: int,
    close: int,
    attacking: int,
    moves: int,
) -> int:
    """Say whether the attacker reaches the target, with the best play of both.

    Args:
        terms: The rules, the stock and the target.
        memo: What was found before; two numbers an entry.
        hand: Cards of the player on lead.
        other: Cards of the other player.
        size: Cards in each hand.
        drawn: Cards drawn from the stock that `terms` holds.
        up: The turned-up card, as a bit; 0 once there is none.
        points: Counted card points of the player on lead.
        theirs: Those of the other player.
        marks: Tricks and pending marriages, see above.
        close: Who closed and what that is worth, see above.
        attacking: Whether the player on lead is the attacker.
        moves: What the player on lead may try: actions by their numbers, as bits.
    """
    terms[NODES] += 1
    left = terms[STOCK_SIZE] - drawn
    lowest = terms[LOWEST]
    if moves & (JUST_CLOSED | SETTLED) == JUST_CLOSED and may_exchange_at_close(terms, other, up, left):
        swapped = other ^ lowest ^ up
        found = wins(
            terms,
            memo,
            hand,
            swapped,
            size,
            drawn,
            lowest,
            points,
            theirs,
            marks,
            close,
            attacking,
            moves | SETTLED,
        )
        if found != attacking:
            return found
    trick = marks & 1
    their_trick = marks >> 1 & 1
    ours = points if attacking else theirs
    against = theirs if attacking else points
    their_tricks = their_trick if attacking else trick
    too_much = terms[TARGET] == 3 or (terms[TARGET] == 2 and against >= 33)
    if close == 0 and their_tricks and too_much and moves != 1 << CLOSE:
        # Only by a close that fails could the defender still lose so much, and nobody has to close.
        return 0

    # What is known of these cards
    slot = -1
    key = 0
    likely = 0
    if size >= _REMEMBERED and moves == ANY:
        both = hand | other << 24 if attacking else other | hand << 24
        facts = attacking | marks << 1 | close << 7 | (up == lowest) << 11 | terms[TARGET] << 12
        key = both | facts << 48
        slot = (key * 0x9E3779B97F4A7C15 >> 40 & terms[SLOTS]) << 1
        if memo[slot] == key and memo[slot + 1] >> 40 == terms[SERIAL]:
            known = memo[slot + 1]
            if ours >= known & 255 and against <= known >> 8 & 255:
                return 1
            if ours <= known >> 16 & 255 and against >= known >> 24 & 255:
                return 0
            likely = 1 << (known >> 32 & 31)

    first = marks & 3 == 0
    is_open = close == 0 and left > 0
    result = 1 - attacking
    best = 31
    if is_open:
        if moves >> EXCHANGE & 1 and may_exchange(terms, hand, up, left, first):
            result = wins(
                terms,
                memo,
                hand ^ lowest ^ up,
                other,
                size,
                drawn,
                lowest,
                points,
                theirs,
                marks,
                0,
                attacking,
                ANY,
            )
        if result != attacking and moves >> CLOSE & 1 and may_close(terms, left, first):
            result = close_wins(
                terms, memo, hand, other, size, drawn, up, points, theirs, marks, attacking, 0
            )
    if result != attacking:
        strict = terms[ALWAYS_STRICT] | (not is_open)
        # what goes with the lead was declared before a close right before it, if that came after drawing
        marry = 1
        if first:
            marry = terms[MARRY_FIRST]
        elif close == 0 and left == 0:
            marry = terms[MARRY_EXHAUSTED]
        if close and not terms[MARRY_CLOSED]:
            before = moves & (JUST_CLOSED | CLOSED_EARLY) == JUST_CLOSED
            if not before or terms[ACTS_DECLARED] == NOTHING:
                marry = 0
        rest = hand & moves
        sure = 0
        todo = rest
        while todo:
            led = trailing_zeros(todo)
            todo &= todo - 1
            replies = answers(other, led) if strict else other
            if replies & BEATEN_BY[led] == 0:
                sure |= 1 << led
        while rest and result != attacking:
            if rest & likely:
                card = likely
            elif rest & sure:
                card = rest & sure
                while card & card - 1:
                    card &= card - 1
            else:
                card = rest & -rest
            rest ^= card
            led = trailing_zeros(card)
            result = lead_wins(
                terms,
                memo,
                hand,
                other,
                size,
                drawn,
                up,
                points,
                theirs,
                marks,
                close,
                attacking,
                led,
                marriage_worth(hand, led) if marry else 0,
                strict,
            )
            if result == attacking:
                best = led
    if slot >= 0:
        known = 255 << 24 | 255
        if memo[slot] == key and memo[slot + 1] >> 40 == terms[SERIAL]:
            known = memo[slot + 1] & 0xFFFFFFFF
        if result:
            known = known & 0xFFFF0000 | ours | against << 8
        else:
            known = known & 0xFFFF | ours << 16 | against << 24
        memo[slot] = key
        memo[slot + 1] = known | best << 32 | terms[SERIAL] << 40
    return result


def close_wins(
    terms: Table,
    memo: Table,
    hand: int,
    other: int,
    size: int,
    drawn: int,
    up: int,
    points: int,
    theirs: int,
    marks: int,
    closing: int,
    early: int,
) -> int:
    """Say whether the attacker reaches the target once the player on lead, the attacker or not, closes."""
    trick = marks & 1
    their_trick = marks >> 1 & 1
    if closing:
        stake = stake_of_success(terms, theirs, their_trick)
        most = stake
    else:
        stake = stake_of_failure(terms, their_trick, trick)
        most = 2 if stake == 1 and terms[BEATEN_FLAT] else stake  # the attacker may claim first (clause 8.3)
    if most and most < terms[TARGET]:
        return 0
    return wins(
        terms,
        memo,
        hand,
        other,
        size,
        drawn,
        up,
        points,
        theirs,
        marks,
        2 - closing + 4 * stake,
        closing,
        LEADS | JUST_CLOSED | early,
    )


def lead_wins(
    terms: Table,
    memo: Table,
    hand: int,
    other: int,
    size: int,
    drawn: int,
    up: int,
    points: int,
    theirs: int,
    marks: int,
    close: int,
    attacking: int,
    led: int,
    marriage: int,
    strict: int,
) -> int:
    """Say whether the attacker reaches the target after a lead, its marriage declared with it."""
    if marriage:
        if terms[COUNTS] == IMMEDIATELY or (terms[COUNTS] == FIRST_TRICK and marks & 1):
            points += marriage
            between = terms[CLAIM_ANYBODY] != 0 and marks & 3 != 0  # the card is not led yet (clause 7.3)
            if points >= _ENOUGH and (terms[CLAIM_DECLARED] or between):
                if not attacking:
                    return 0
                pays = claim_pays(terms, (close & 3) - 1, 0, close >> 2, marks & 1, theirs, marks >> 1 & 1)
                return pays >= terms[TARGET]
        else:
            marks += (2 if marriage == 40 else 1) << 2
    todo = answers(other, led) if strict else other
    taking = todo & BEATEN_BY[led]
    result = attacking
    while todo and result == attacking:
        card = taking & -taking if taking else todo & -todo
        taking &= ~card
        todo ^= card
        result = trick_wins(
            terms,
            memo,
            hand,
            other,
            size,
            drawn,
            up,
            points,
            theirs,
            marks,
            close,
            attacking,
            led,
            trailing_zeros(card),
        )
    return result


def trick_wins(
    terms: Table,
    memo: Table,
    hand: int,
    other: int,
    size: int,
    drawn: int,
    up: int,
    points: int,
    theirs: int,
    marks: int,
    close: int,
    attacking: int,
    led: int,
    answer: int,
) -> int:
    """Say whether the attacker reaches the target after a whole trick."""
    worth = POINTS[led] + POINTS[answer]
    hand ^= 1 << led
    other ^= 1 << answer
    if BEATEN_BY[led] >> answer & 1:
        attacking = 1 - attacking
        hand, other = other, hand
        points, theirs = theirs + worth + 20 * (marks >> 4), points
        marks = 1 | (marks & 1) << 1 | (marks >> 2 & 3) << 4
    else:
        points += worth + 20 * (marks >> 2 & 3)
        marks = 1 | marks & 2 | marks & 0x30
    left = terms[STOCK_SIZE] - drawn
    is_open = close == 0 and left > 0
    over = size == 1 and not is_open
    if over and close == 0:
        points += last_trick_bonus(terms)
    their_trick = marks >> 1 & 1
    if points >= _ENOUGH and (not over or terms[CLAIM_LAST]):
        if not attacking:
            return 0
        return claim_pays(terms, (close & 3) - 1, 0, close >> 2, 1, theirs, their_trick) >= terms[TARGET]
    if theirs >= _ENOUGH and terms[CLAIM_ANYBODY] and (not over or terms[CLAIM_LAST]):
        if attacking:
            return 0
        return claim_pays(terms, (close & 3) - 1, 0, close >> 2, their_trick, points, 1) >= terms[TARGET]
    if over:
        if close & 3 == 1:
            return 0
        if close:
            return failed_pays(close >> 2, 1 if attacking else their_trick) >= terms[TARGET]
        pays = last_trick_pays(terms, points, theirs, their_trick)
        return (pays if attacking else -pays) >= terms[TARGET]
    if not is_open:
        return wins(
            terms, memo, hand, other, size - 1, drawn, up, points, theirs, marks, close, attacking, ANY
        )
    if terms[CLOSE_EARLY] and left >= terms[CLOSE_MIN]:
        result = close_wins(
            terms, memo, hand, other, size - 1, drawn, up, points, theirs, marks, attacking, CLOSED_EARLY
        )
        if result == attacking:
            return result
    loser_draws = terms[drawn + 1] if left > 2 else up
    return wins(
        terms,
        memo,
        hand | terms[drawn],
        other | loser_draws,
        size,
        drawn + 2,
        up,
        points,
        theirs,
        marks,
        0,
        attacking,
        ANY,
    )
