"""Which detection of a frame is which card of the frames before."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, UNKNOWN, Detection
from companion.table.observation import Phase
from companion.table.quad import overlap
from companion.tracking.identity import Identity
from companion.tracking.track import Track

__all__ = ["associated", "distinct"]

FAR = 0.5
"""Price of a detection as far from a card's place as that card may be."""
MOVES = 0.1
"""Price of a card that moves: of two at one place, the one that lies there is seen."""
CLASH = 0.5
"""Price of a face that the card cannot have, for each short side that it may be away: what lies there may be
misread, or exchanged in place; what moves may be anywhere, and its face is all that tells it."""
MOST = 0.75
"""A detection that costs more is another card: one that moves and reads otherwise must be where it was."""
DOUBTFUL = 0.6
"""Probability of its best answer below which one frame contradicts nothing."""
CLEARLY = -0.3
"""Log-probability, nats, of a card's look below which no frame contradicts it: it is not clear yet."""


def distinct(detections: Sequence[Detection], same_card: float) -> list[Detection]:
    """Drop double boxes on one card: of two that overlap nearly whole the surer one stays.

    Returned in an order of their own, whatever that of the detector.
    """
    kept: list[Detection] = []
    for detection in sorted(detections, key=_surest_first):
        if all(overlap(detection.corners, other.corners) < same_card for other in kept):
            kept.append(detection)
    return kept


def _surest_first(one: Detection) -> tuple[float, ...]:
    """What sorts by score, and those that are as sure by where they lie and what they look like."""
    return (-one.score, *one.corners.ravel().tolist(), *one.probs.tolist())


def associated(
    detections: Sequence[Detection],
    tracks: Sequence[Track],
    unit: float,
    *,
    still: float,
    moving: float,
    bare_s: float,
) -> list[tuple[int, int]]:
    """Pair detections with tracks, each at most once, the best pair first.

    Args:
        detections: Of one frame.
        tracks: Of the frames before.
        unit: Short side of a card, pixels.
        still: Farthest that a detection may be from a still card's place, in `unit`s.
        moving: The same for a moving card.
        bare_s: For how long a place must have been seen without its card, seconds, for another face there
            to be another card: a hand took the one away and laid the other.

    Returns:
        Places in `detections` and in `tracks`.
    """
    costs: list[tuple[float, int, int]] = []
    middles = [_middle(track.corners) for track in tracks]
    for d, detection in enumerate(detections):
        middle = _middle(detection.corners)
        for t, track in enumerate(tracks):
            moves = track.phase is Phase.MOVING
            limit = moving if moves else still
            if math.dist(middle, middles[t]) > limit * unit:
                continue  # corners lie apart at least as far as their middles, on average
            distance = track.distance(detection, unit)
            if distance <= limit:
                agrees = _agree(track.identity, detection)
                if not agrees and track.bare_s >= bare_s:
                    continue
                clash = 0.0 if agrees else CLASH * limit
                costs.append((distance / limit * FAR + clash + (MOVES if moves else 0.0), d, t))
    pairs: list[tuple[int, int]] = []
    free_d, free_t = set(range(len(detections))), set(range(len(tracks)))
    for cost, d, t in sorted(costs):
        if cost <= MOST and d in free_d and t in free_t:
            free_d.remove(d)
            free_t.remove(t)
            pairs.append((d, t))
    return pairs


def _middle(corners: NDArray[np.float32]) -> tuple[float, float]:
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = corners.tolist()
    return (ax + bx + cx + dx) / 4.0, (ay + by + cy + dy) / 4.0


def _agree(identity: Identity, detection: Detection) -> bool:
    """Whether a detection could be the card that the track has shown so far."""
    best, answer = identity.best, detection.best
    if best == answer or UNKNOWN in (best, answer):
        return True
    if BACK in (best, answer):
        return False
    return detection.confidence < DOUBTFUL or float(identity.log_probs()[best]) < CLEARLY
