"""Fans of packs never trained on: what the locator cannot keep apart is read by its indices."""

from __future__ import annotations

import numpy as np
import pytest

from companion.config import asset
from companion.synth.camera import Camera
from companion.synth.drawn import drawn_pack
from companion.synth.scene import Light, Placed, Scene
from companion.table.detection import BACK, CLASSES
from companion.vision.detector import PHOTO_SIDES, CardDetector

HELD_OUT = (1000, 1001, 1002, 1003)
"""Seeds of drawn packs that training never used."""
COUNT = 9


def fan(seed: int) -> tuple[np.ndarray, set[str]]:
    """A photo of nine cards in a fan, and their names."""
    pack = drawn_pack(seed)
    order = np.random.default_rng(seed).permutation(BACK)
    names = [CLASSES[number] for number in order[:COUNT]]
    cards = []
    for at, name in enumerate(names):
        turn = float(np.radians(-28 + 7 * at))
        cards.append(
            Placed(name, pack.faces[name], 150 * float(np.sin(turn)), 120 - 150 * float(np.cos(turn)), turn)
        )
    camera = Camera.above((960, 720), distance_mm=600, width_mm=330)
    scene = Scene(camera, np.full((8, 8, 3), (70, 110, 60), np.uint8), Light(), 100.0, 0.0)
    return scene.render(cards)[0], set(names)


def read(by_index: bool) -> tuple[int, int]:
    """How many of the cards of all fans are named, and how many names are of no card there."""
    detector = CardDetector(asset("models"), sides=PHOTO_SIDES, by_index=by_index)
    right = wrong = 0
    for seed in HELD_OUT:
        picture, names = fan(seed)
        told = [CLASSES[each.best] for each in detector.detect(picture) if each.best < BACK]
        right += len(names & set(told))
        wrong += len(told) - len(names & set(told))
    return right, wrong


@pytest.mark.slow
def test_a_fan_is_read_by_its_indices() -> None:
    """Nearly all are named, more than without, and hardly a name is of no card."""
    right, wrong = read(by_index=True)
    without, _ = read(by_index=False)

    assert right >= 0.95 * COUNT * len(HELD_OUT)
    assert wrong <= 1
    assert right > without
