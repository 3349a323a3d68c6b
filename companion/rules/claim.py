"""A claim of 66 and its verdict (docs/rules.md, section 7)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.rules.cards import Player
from companion.rules.course import resolved
from companion.rules.points import Award, PointRange
from companion.rules.scoring import ENOUGH, award_of_claim, count
from companion.rules.state import HandState

__all__ = ["Outcome", "Verdict", "verify"]


class Outcome(Enum):
    """The three answers to a claim."""

    PROVEN = "proven"
    REFUTED = "refuted"
    OPEN = "open"
    """What was missed decides; the table must say which card it was."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What can be said of a claim; never more than was seen.

    Attributes:
        outcome: Proven only when even the lower bound is 66, refuted only when the upper is not.
        points: What the claimant has.
        working: The sum behind `points.low`, line by line, as in `KS+TS = 14`.
        award: What it pays; `None` while that is open, which may be so of a proven claim when the
            other player's points are not known well enough.
        clause: Clause of docs/rules.md behind the award, else the clause of the three answers.
    """

    outcome: Outcome
    points: PointRange
    working: tuple[str, ...]
    award: Award | None
    clause: str


def verify(state: HandState, player: Player) -> Verdict:
    """Judge a claim of 66 by `player` from what was seen, and never from more than was seen.

    The answer is the same before and after the claim was applied: whoever claims between tricks
    says to have won the last one, unless the rules let anybody claim. Whether `player` may claim at
    all at this moment is asked of `companion.rules.hand.check`.
    """
    state = resolved(state, player, claiming=True)
    counted = count(state, player)
    if counted.total.low >= ENOUGH:
        outcome = Outcome.PROVEN
    elif counted.total.high < ENOUGH:
        outcome = Outcome.REFUTED
    else:
        outcome = Outcome.OPEN
    award = award_of_claim(state, player)
    return Verdict(outcome, counted.total, counted.working, award, award.clause if award else "7.9")
