"""What the end of a hand pays, as the fast core reckons it (docs/rules.md, sections 7 and 8).

Everything here is compiled. A close is remembered by who closed and by its `stake`: what it pays the
closer if it succeeds for the closer's own sake, or what it pays the other player if it fails; 0 where
the rules look at the end of the hand instead. Which of the two is meant is said with each function.
"""

from __future__ import annotations

from companion.solver.terms import (
    AT_END,
    BEATEN_FLAT,
    FAILED,
    FAILED_AT_CLOSE,
    FAILED_AT_END,
    FAILED_CLOSER,
    FAILED_FLAT_1,
    HIGHER_TOTAL,
    LAST_TRICK_1,
    LAST_TRICK_BONUS,
    LAST_TRICK_SCALED,
    UNCLAIMED,
)
from companion.solver.translate import Table

__all__ = ["claim_pays", "failed_pays", "last_trick_pays", "scale", "stake_of_failure", "stake_of_success"]


def scale(points: int, trick: int) -> int:
    """Return 1, 2 or 3 by the loser's card points and whether there is a trick (clause 7.5)."""
    if not trick:
        return 3
    return 1 if points >= 33 else 2


def stake_of_success(terms: Table, points: int, trick: int) -> int:
    """Return what a close pays the closer, by what the other player has at the close (clause 8.1)."""
    return 0 if terms[AT_END] else scale(points, trick)


def stake_of_failure(terms: Table, trick: int, closer_trick: int) -> int:
    """Return what a failed close pays the other player, by who has a trick at the close (clause 8.2)."""
    award = terms[FAILED]
    if award == FAILED_AT_CLOSE:
        return 2 if trick else 3
    if award == FAILED_AT_END:
        return 0
    if award == FAILED_CLOSER:
        return 2 if closer_trick else 3
    return award - FAILED_FLAT_1 + 1


def failed_pays(stake: int, trick: int) -> int:
    """Return what a failed close pays the other player, who may have a trick by now."""
    if stake:
        return stake
    return 2 if trick else 3


def claim_pays(
    terms: Table, closer: int, claimant: int, stake: int, trick: int, points: int, other_trick: int
) -> int:
    """Return what 66 in time pays (clauses 7.5, 8.1 and 8.3).

    Args:
        terms: The rules.
        closer: Who closed; -1 nobody.
        claimant: Who claims.
        stake: Of success if the claimant closed, of failure if the other player did.
        trick: Whether the claimant has a trick.
        points: Card points of the other player.
        other_trick: Whether the other player has a trick.
    """
    if closer < 0:
        return scale(points, other_trick)
    if closer == claimant:
        return stake if stake else scale(points, other_trick)
    if terms[BEATEN_FLAT]:
        return 2
    return failed_pays(stake, trick)


def last_trick_bonus(terms: Table) -> int:
    """Return what the winner of the last trick of an open hand has more (clause 8.6)."""
    return 10 if terms[UNCLAIMED] == LAST_TRICK_BONUS else 0


def last_trick_pays(terms: Table, points: int, other: int, other_trick: int) -> int:
    """Return what an open hand without a claim pays the winner of its last trick (clauses 8.4 to 8.6).

    Args:
        terms: The rules.
        points: Card points of the winner of the last trick, the bonus included.
        other: Card points of the other player.
        other_trick: Whether the other player has a trick.

    Returns:
        Game points; negative where the other player wins them, 0 for a tie.
    """
    rule = terms[UNCLAIMED]
    if rule == LAST_TRICK_1:
        return 1
    if rule == LAST_TRICK_SCALED:
        return scale(other, other_trick)
    if points == other:
        return 0
    if rule == HIGHER_TOTAL:
        return 1 if points > other else -1
    return scale(other, other_trick) if points > other else -scale(points, 1)
