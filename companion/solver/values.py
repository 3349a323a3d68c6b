"""What each action of the player on lead is worth: the search asked until no question is left. Compiled."""

from __future__ import annotations

from companion.solver.rights import CLOSE, EXCHANGE, may_close, may_exchange
from companion.solver.search import wins
from companion.solver.terms import HIGHER_TOTAL, LAST_TRICK_BONUS, STOCK_SIZE, TARGET, UNCLAIMED
from companion.solver.translate import Table, trailing_zeros

__all__ = ["action_values", "value_of"]


def action_values(
    terms: Table,
    memo: Table,
    values: Table,
    hand: int,
    other: int,
    size: int,
    drawn: int,
    up: int,
    points: int,
    theirs: int,
    marks: int,
    closer: int,
    success: int,
    failure: int,
    flags: int,
) -> int:
    """Write what each action is worth to the player on lead into `values`, and return which there are.

    Args:
        terms: The rules and the stock.
        memo: The search's memory.
        values: By number of the action.
        hand: Cards of the player on lead; see `search` for this and what follows.
        other: Cards of the other player.
        size: Cards in each hand.
        drawn: Cards drawn.
        up: The turned-up card.
        points: Card points of the player on lead.
        theirs: Card points of the other player.
        marks: Tricks and pending marriages.
        closer: 1 where the player on lead closed, 2 where the other player did, else 0.
        success: What a close that succeeds pays; 0 where that is seen at the end.
        failure: What a close that fails pays; likewise.
        flags: `JUST_CLOSED` and `SETTLED`, right after a close with this lead.
    """
    moves = hand
    left = terms[STOCK_SIZE] - drawn
    if closer == 0 and left > 0:
        first = marks & 3 == 0
        moves |= may_exchange(terms, hand, up, left, first) << EXCHANGE
        moves |= may_close(terms, left, first) << CLOSE
    todo = moves
    while todo:
        move = todo & -todo
        todo ^= move
        values[trailing_zeros(move)] = value_of(
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
            closer,
            success,
            failure,
            move | flags,
        )
    return moves


def value_of(
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
    closer: int,
    success: int,
    failure: int,
    moves: int,
) -> int:
    """Return the value for the player on lead, who is held to `moves`."""
    close = closer + 4 * (success if closer == 1 else failure) if closer else 0
    target = 1
    while target < 4:
        terms[TARGET] = target
        if not wins(terms, memo, hand, other, size, drawn, up, points, theirs, marks, close, 1, moves):
            break
        target += 1
    if target > 1:
        return target - 1
    close = 3 - closer + 4 * (success if closer == 2 else failure) if closer else 0
    can_tie = terms[UNCLAIMED] == HIGHER_TOTAL or terms[UNCLAIMED] == LAST_TRICK_BONUS
    target = 1 if can_tie else 2
    while target < 4:
        terms[TARGET] = target
        if not wins(terms, memo, hand, other, size, drawn, up, points, theirs, marks, close, 0, moves):
            break
        target += 1
    return 1 - target
