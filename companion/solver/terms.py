"""The rules as a table of whole numbers, as the fast core reads them.

The table holds the stock first (each card as its bit, top first), then one number for each option.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from companion.rules.ruleset import RuleSet

__all__ = ["terms_of"]

# Places in the table. The names are those of the options where there is one.
STOCK_SIZE = 12
LOWEST = 13
EXCHANGE_MIN = 14
EXCHANGE_FIRST = 15
EXCHANGE_ON_CLOSE = 16
CLOSE_MIN = 17
CLOSE_FIRST = 18
CLOSE_EARLY = 19
ALWAYS_STRICT = 20
MARRY_FIRST = 21
MARRY_CLOSED = 22
MARRY_EXHAUSTED = 23
COUNTS = 24
CLAIM_DECLARED = 25
CLAIM_LAST = 26
CLAIM_ANYBODY = 27
AT_END = 28
FAILED = 29
BEATEN_FLAT = 30
UNCLAIMED = 31
ACTS_DECLARED = 32
CLAIM_OWN_TRICK = 33
CLAIM_AUTO = 34
FALSE_CLAIM = 35
CLOSER_LITERAL = 36
FORCED = 37
# What the search keeps there of its own.
TARGET = 38
SERIAL = 39
NODES = 40
SLOTS = 41
_SIZE = 42

FIRST_TRICK, NEXT_TRICK, IMMEDIATELY = 0, 1, 2
FAILED_AT_CLOSE, FAILED_AT_END, FAILED_CLOSER, FAILED_FLAT_1 = 0, 1, 2, 3
LAST_TRICK_1, LAST_TRICK_SCALED, HIGHER_TOTAL, LAST_TRICK_BONUS = 0, 1, 2, 3
ANYTHING, ONLY_CLOSE, NOTHING = 0, 1, 2

_FALSE = ("2_3_opponent", "2_3_claimant", "as_opponent_closed", "mirror", "flat_2", "flat_3")
FALSE_OPPONENT, FALSE_CLAIMANT, FALSE_AS_CLOSED, FALSE_MIRROR, FALSE_FLAT_2 = 0, 1, 2, 3, 4
_ACTS = {"any": ANYTHING, "close_only": ONLY_CLOSE, "none": NOTHING}
_COUNTS = {"first_trick": FIRST_TRICK, "next_trick": NEXT_TRICK, "immediately": IMMEDIATELY}
_FAILED = {
    "2_3_at_close": FAILED_AT_CLOSE,
    "2_3_at_end": FAILED_AT_END,
    "2_3_closer": FAILED_CLOSER,
    "flat_1": FAILED_FLAT_1,
    "flat_2": FAILED_FLAT_1 + 1,
    "flat_3": FAILED_FLAT_1 + 2,
}
_UNCLAIMED = {
    "last_trick_1": LAST_TRICK_1,
    "last_trick_scaled": LAST_TRICK_SCALED,
    "higher_total_1": HIGHER_TOTAL,
    "last_trick_bonus_10": LAST_TRICK_BONUS,
}


def terms_of(rules: RuleSet, stock: Sequence[int] = ()) -> array[int]:
    """Return the table for `rules`, with the numbers of the cards in the stock, top first."""
    terms = array("q", bytes(8 * _SIZE))
    for place, number in enumerate(stock):
        terms[place] = 1 << number
    terms[STOCK_SIZE] = len(stock)
    terms[LOWEST] = 1 << (7 if rules.exchange_rank == "J" else 3)
    terms[EXCHANGE_MIN] = rules.exchange_min_stock
    terms[EXCHANGE_FIRST] = rules.exchange_first_lead
    terms[EXCHANGE_ON_CLOSE] = rules.exchange_on_close
    terms[CLOSE_MIN] = rules.close_min_stock
    terms[CLOSE_FIRST] = rules.close_first_lead
    terms[CLOSE_EARLY] = rules.close_before_draw
    terms[ALWAYS_STRICT] = rules.follow == "always_strict"
    terms[MARRY_FIRST] = rules.marriage_first_lead
    terms[MARRY_CLOSED] = rules.marriage_after_close
    terms[MARRY_EXHAUSTED] = rules.marriage_after_exhausted
    terms[COUNTS] = _COUNTS[rules.marriage_counts]
    terms[CLAIM_DECLARED] = rules.claim_on_declaration
    terms[CLAIM_LAST] = rules.claim_after_last_trick
    terms[CLAIM_ANYBODY] = rules.claim_window == "any_player_between_tricks"
    terms[AT_END] = rules.close_win_basis == "at_end"
    terms[FAILED] = _FAILED[rules.failed_close_award]
    terms[BEATEN_FLAT] = rules.beaten_closer_award == "flat_2"
    terms[UNCLAIMED] = _UNCLAIMED[rules.unclaimed_end]
    terms[ACTS_DECLARED] = _ACTS[rules.acts_after_marriage]
    terms[CLAIM_OWN_TRICK] = rules.claim_window == "after_own_trick"
    terms[CLAIM_AUTO] = rules.claim_mode == "auto"
    terms[FALSE_CLAIM] = _FALSE.index(rules.false_claim_award)
    terms[CLOSER_LITERAL] = rules.closer_false_claim == "literal"
    terms[FORCED] = rules.marriage_declaration == "forced"
    return terms
