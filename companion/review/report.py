"""A whole review, part after part: the story at once, each decision as it is judged, then the mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from companion.review.course import Course
from companion.review.deals import DealError
from companion.review.form import decision_to_json, hand_to_json, review_to_json
from companion.review.judging import Judge, Layouts
from companion.review.reviewed import ranked
from companion.review.text import hand_text, told_text
from companion.rules.record import Record

__all__ = ["Part", "report"]


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a review.

    Attributes:
        data: As JSON; its `type` is `hand`, then `decision` for each, then `review`.
        text: What a terminal shows of it; empty for a decision.
        done: Decisions looked at so far.
        total: Decisions that there are.
    """

    data: dict[str, Any]
    text: str
    done: int
    total: int


def report(
    record: Record, index: int = 0, *, seed: int = 0, layouts: Layouts | None = None
) -> Iterator[Part]:
    """Yield the parts of a review; the same for the same record and seed.

    Args:
        record: The hand.
        index: Its number among others, from 0.
        seed: Of the layouts that are drawn.
        layouts: How many.

    Raises:
        ImpossibleEvent: The hand cannot have happened.
    """
    course = Course.of(record)
    yield Part({"index": index, **hand_to_json(course, ranked(course))}, hand_text(course, index), 0, 0)
    decisions, unjudged, total = [], "", 0
    try:
        judge = Judge(course, seed=seed, layouts=layouts)
        total = len(judge.moments)
        for number, decision in enumerate(judge.decisions(), 1):
            decisions.append(decision)
            yield Part({"index": index, **decision_to_json(decision)}, "", number, total)
    except DealError as error:
        unjudged = str(error)
    told = ranked(course, decisions)
    data = {"index": index, **review_to_json(told, decisions, unjudged)}
    yield Part(data, told_text(told, decisions, unjudged), total, total)
