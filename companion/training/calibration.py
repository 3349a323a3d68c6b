"""How far what is told can be trusted: of names told with .9, nine of ten should be right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

__all__ = ["Bin", "calibration_error", "reliability"]

_BINS = 10

Bin = tuple[float, float, float]
"""Names told about as surely: their mean confidence, the share that is right, their share of all names."""


def reliability(told: Iterable[tuple[float, bool]]) -> list[Bin]:
    """Sort names into ten bins of equal width; those that stay empty are left out.

    Args:
        told: Confidence of each name, 0 to 1, and whether it is right.
    """
    confidence, right = np.array(list(told), np.float64).reshape(-1, 2).T
    which = np.minimum((confidence * _BINS).astype(int), _BINS - 1)
    return [
        (
            float(confidence[which == number].mean()),
            float(right[which == number].mean()),
            float((which == number).mean()),
        )
        for number in sorted(set(which.tolist()))
    ]


def calibration_error(bins: Sequence[Bin]) -> float:
    """Expected calibration error: how far confidence and share right are apart, weighed by bin.

    The measure of Naeini, Cooper and Hauskrecht, "Obtaining well calibrated probabilities using
    Bayesian binning", 2015.

    >>> round(calibration_error(reliability([(0.95, True)] * 9 + [(0.95, False)])), 2)
    0.05
    """
    return sum(share * abs(sure - right) for sure, right, share in bins)
