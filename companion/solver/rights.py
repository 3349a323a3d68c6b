"""Whether the player on lead may exchange or close, as the fast core asks it. Compiled."""

from __future__ import annotations

from companion.solver.terms import (
    CLOSE_FIRST,
    CLOSE_MIN,
    EXCHANGE_FIRST,
    EXCHANGE_MIN,
    EXCHANGE_ON_CLOSE,
    LOWEST,
)
from companion.solver.translate import Table

__all__ = ["CLOSE", "EXCHANGE", "may_close", "may_exchange", "may_exchange_at_close"]

CLOSE, EXCHANGE = 24, 25
"""The numbers of the two as actions, behind those of the cards."""


def may_exchange(terms: Table, hand: int, up: int, left: int, first: int) -> int:
    """Say whether the player on lead may exchange, with the stock open (clauses 4.1 to 4.5).

    Args:
        terms: The rules.
        hand: The player's cards.
        up: The turned-up card, as a bit.
        left: Cards in the stock.
        first: Whether this is the first lead.
    """
    lowest = terms[LOWEST]
    if not hand & lowest or up == lowest or left < terms[EXCHANGE_MIN]:
        return 0
    return 0 if first and not terms[EXCHANGE_FIRST] else 1


def may_exchange_at_close(terms: Table, hand: int, up: int, left: int) -> int:
    """Say whether the closer's opponent may exchange before the next lead (clause 4.6)."""
    if not terms[EXCHANGE_ON_CLOSE] or left == 0:
        return 0
    return may_exchange(terms, hand, up, left, 0)


def may_close(terms: Table, left: int, first: int) -> int:
    """Say whether the player on lead may close, with the stock open (clauses 6.1 to 6.3)."""
    if left < terms[CLOSE_MIN]:
        return 0
    return 0 if first and not terms[CLOSE_FIRST] else 1
