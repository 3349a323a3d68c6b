"""Which detections of a photo are worth naming: what is more likely wrong than right is not told."""

from __future__ import annotations

from collections.abc import Iterable

from companion.table.detection import BACK, Detection
from companion.table.quad import area, covered

__all__ = ["LEAST_CONFIDENCE", "named"]

LEAST_CONFIDENCE = 0.5
"""A name less likely than this is more likely wrong than right."""
AGAIN = 6.0
"""By how much the odds of a name must be better that another card has already: one pack has no second."""
_ONE_CARD = 0.1
"""Outlines of one name that share more than this part of the smaller one are outlines of one card."""


def named(
    detections: Iterable[Detection], least: float = LEAST_CONFIDENCE, *, one_of_each: bool = False
) -> tuple[Detection, ...]:
    """Return the detections worth naming, surest name first.

    A face counts once, however often a part of it was outlined: in one pack no two cards of one
    name lie on each other. Where they lie apart there may be two packs; more often one is misread.

    Args:
        detections: All that was found in one picture.
        least: Least probability of a name that no other card has.
        one_of_each: The picture shows one pack, so each face is there once at most.
    """
    again = AGAIN * least / (1 - least + AGAIN * least)
    kept: list[Detection] = []
    for each in sorted(detections, key=lambda one: -one.score * one.confidence):
        if each.confidence < least:
            continue
        same = [other for other in kept if other.best == each.best < BACK]
        if same and (one_of_each or each.confidence < again):
            continue
        if all(_shared(each, other) < _ONE_CARD for other in same):
            kept.append(each)
    return tuple(sorted(kept, key=lambda one: -one.confidence))


def _shared(one: Detection, other: Detection) -> float:
    small, large = sorted((one.corners, other.corners), key=area)
    return covered(small, large)
