"""A moment of a played hand as a puzzle: what the player saw there, and what was done."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from companion.review.course import Course
from companion.review.deals import Deals
from companion.review.moments import Moment, moments
from companion.solver.view import View

__all__ = ["Puzzle", "puzzles"]


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A player's turn.

    Attributes:
        moment: Whose turn it was, and what was done.
        view: What the player could know; own cards that nobody saw later are some that fit.
        known: Whether the player is known to have held these cards.
    """

    moment: Moment
    view: View
    known: bool


def puzzles(course: Course, *, seed: int = 0) -> Iterator[Puzzle]:
    """Yield every turn of a hand that may have left a choice; the same for the same hand and seed.

    Raises:
        DealError: Too little was recorded, or nothing fits it.
    """
    states = Deals(course, random.Random(seed)).draw()
    for moment in moments(course):
        hands = states[moment.at].hands
        if hands is not None and len(hands[moment.player]) > 1:
            hand = hands[moment.player]
            view = View.of(course.states[moment.at], moment.player, hand)
            yield Puzzle(moment, view, course.held(moment.at, moment.player) == hand)
