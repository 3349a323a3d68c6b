"""Measure both models together on packs and table tops that training never drew.

    python -m companion.training.evaluate --art art --models models [--scenes 200] [--json]

Scenes are 1280x720, drawn from seed 7; a card counts where at least half of it shows and it
is at least 60 pixels high.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.synth.surface import HELD_OUT
from companion.table.detection import CLASSES, UNKNOWN
from companion.table.quad import aligned, overlap
from companion.training.tables import Tables, load_packs
from companion.vision.detector import CardDetector

__all__ = ["main", "measured"]


def measured(tables: Tables, detector: CardDetector, scenes: int) -> dict[str, float]:
    """Compare detections with the truth of `scenes` random tables."""
    cards = located = named = false = unknown_cards = unknown_named = 0
    corner_errors: list[float] = []
    confidences: list[float] = []
    rights: list[bool] = []
    for _ in range(scenes):
        sample = tables.sample()
        found = detector.detect(sample.picture)
        taken: set[int] = set()
        for truth in sample.truth:
            height = float(np.linalg.norm(truth.corners[1] - truth.corners[2]))
            overlaps = [
                (overlap(each.corners, truth.corners), i) for i, each in enumerate(found) if i not in taken
            ]
            best, which = max(overlaps, default=(0.0, -1))
            if best > 0.5:
                taken.add(which)
            if truth.visible < 0.5 or height < 60:
                continue
            right = best > 0.5 and CLASSES[found[which].best] == truth.name
            if truth.mark == UNKNOWN:
                unknown_cards += 1
                unknown_named += right
                continue
            cards += 1
            if best <= 0.5:
                continue
            located += 1
            named += right
            gap = np.abs(aligned(found[which].corners, truth.corners) - truth.corners)
            corner_errors.append(float(np.hypot(*gap.T).mean()) / height)
            confidences.append(found[which].confidence)
            rights.append(right)
        false += sum(
            1
            for i, each in enumerate(found)
            if i not in taken and each.best != UNKNOWN and each.confidence > 0.5
        )
    return {
        "scenes": scenes,
        "cards": cards,
        "located": located / max(1, cards),
        "located_and_named": named / max(1, cards),
        "named_of_located": named / max(1, located),
        "false_cards_per_scene": false / max(1, scenes),
        "unknown_caught": unknown_named / max(1, unknown_cards),
        "corner_error_median": float(np.median(corner_errors)) if corner_errors else float("nan"),
        "calibration_error": _calibration_error(np.array(confidences), np.array(rights)),
    }


def _calibration_error(confidence: NDArray[np.float64], right: NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error over equal-width bins."""
    if not len(confidence):
        return float("nan")
    which = np.minimum((confidence * bins).astype(int), bins - 1)
    total = 0.0
    for number in range(bins):
        mine = which == number
        if mine.any():
            total += abs(float(confidence[mine].mean()) - float(right[mine].mean())) * float(mine.mean())
    return total


def main() -> int:
    """Read the arguments and measure."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--art", type=Path, default=Path("art"))
    parser.add_argument("--models", type=Path, default=Path("models"))
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    packs = load_packs(args.art, held_out=True)
    tables = Tables(
        packs, np.random.default_rng(7), size=(1280, 720), card_px=(70, 330), kinds=HELD_OUT, tops=20
    )
    figures = measured(tables, CardDetector(args.models, args.threads), args.scenes)
    if args.json:
        print(json.dumps(figures))
    else:
        for name, value in figures.items():
            print(f"{name:24s} {value:.4f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
