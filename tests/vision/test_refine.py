"""Loose outlines are mended, and nothing is lost where they cannot be."""

from __future__ import annotations

import numpy as np
import pytest
from shown_cards import Desk

from companion.config import asset
from companion.synth.drawn import drawn_pack
from companion.table.quad import aligned
from companion.vision.network import Network
from companion.vision.refine import Refiner

UNSEEN_PACK = 1003
"""Seed of a drawn pack that training never drew."""


def _off(corners: np.ndarray, true: np.ndarray) -> float:
    """Mean distance of the corners, as a share of the long side."""
    side = float(np.linalg.norm(true[1] - true[2]))
    return float(np.hypot(*(aligned(corners, true) - true).T).mean()) / side


def test_loose_outlines_come_closer_to_the_card():
    """Pushed, stretched and turned by as much as the locator errs, nine in ten come out far better."""
    rng = np.random.default_rng(2)
    desk, pack = Desk(4), drawn_pack(UNSEEN_PACK)
    refiner = Refiner(asset("models"))
    better = []
    for card in ("KH", "9S", "AD", "JC", "TH"):
        picture, (lying,) = desk.photo_and_truth(pack.faces[card], size_mm=pack.size_mm)
        truth = lying.corners
        side = float(np.linalg.norm(truth[1] - truth[2]))
        loose = [
            (truth + rng.normal(0, 0.04, 2) * side + rng.normal(0, 0.025, (4, 2)) * side).astype(np.float32)
            for _ in range(8)
        ]
        for before, after in zip(loose, refiner.refine(picture, loose), strict=True):
            better.append(_off(after, truth) < max(0.025, 0.5 * _off(before, truth)))
    assert sum(better) >= 0.9 * len(better)


def test_an_outline_that_would_fold_stays_as_it_was(monkeypatch: pytest.MonkeyPatch):
    """Whatever the network says, an outline stays a quadrilateral in the picture, and none is left out."""
    crossed = np.tile(np.array([0.7, 0, -0.7, 0, 0, 0, 0, 0], np.float32), (2, 1))
    monkeypatch.setattr(Network, "run", lambda self, batch: [crossed[: len(batch)]])
    outline = np.array([[100, 100], [160, 100], [160, 190], [100, 190]], np.float32)
    picture = np.zeros((300, 300, 3), np.uint8)
    refined = Refiner(asset("models")).refine(picture, [outline, outline + 5])
    assert np.array_equal(refined, [outline, outline + 5])


def test_no_outline_is_no_work():
    """A bare table has nothing to mend."""
    assert Refiner(asset("models")).refine(np.zeros((80, 80, 3), np.uint8), []) == []
