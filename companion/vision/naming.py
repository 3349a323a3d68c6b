"""Which detections of a photo are worth naming: what is more likely wrong than right is not told."""

from __future__ import annotations

from collections.abc import Iterable

from companion.table.detection import Detection

__all__ = ["LEAST_CONFIDENCE", "named"]

LEAST_CONFIDENCE = 0.5
"""A name that is less likely than this is more likely wrong than right. Probabilities are calibrated."""


def named(detections: Iterable[Detection], least: float = LEAST_CONFIDENCE) -> tuple[Detection, ...]:
    """Return the detections whose likeliest answer has at least the probability `least`, surest first."""
    sure = (each for each in detections if each.confidence >= least)
    return tuple(sorted(sure, key=lambda each: -each.confidence))
