"""Indices are cut out where they are, whichever end of a card they are at, and read there."""

from __future__ import annotations

import itertools
import shutil
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from companion.config import asset
from companion.synth.camera import Camera
from companion.synth.drawn import drawn_pack
from companion.synth.pack import Pack
from companion.synth.scene import CardTruth, Light, Placed, Scene
from companion.table.detection import BACK, CLASSES
from companion.vision.glyph import GLYPH, GlyphReader, ends, glyph_area
from companion.vision.locate import INDEX, Located
from companion.vision.network import ModelError

HELD_OUT = (1000, 1001, 1002, 1003)
"""Seeds of drawn packs that training never used."""
CARD = np.array([[100, 100], [200, 100], [200, 250], [100, 250]], np.float32)


def test_a_card_has_an_index_at_both_ends() -> None:
    """That at its first corner comes first."""
    one, other = ends(CARD)
    assert np.allclose(one, (100 + 100 * INDEX[0], 100 + 150 * INDEX[1]), atol=1e-3)
    assert np.allclose(one + other, CARD.mean(axis=0) * 2, atol=1e-3)


@pytest.mark.parametrize("end", [0, 1])
def test_the_index_that_is_nearer_is_cut_out_upright(end: int) -> None:
    """Its middle comes to lie in the middle, and the card's corner above it and to its left."""
    spot = ends(CARD)[end]
    area = glyph_area(CARD, spot + 3)
    matrix = cv2.getPerspectiveTransform(area, GLYPH.frame)
    points = np.array([[spot, CARD[2 * end]]], np.float32)
    at, corner = cv2.perspectiveTransform(points, matrix)[0] / (GLYPH.width, GLYPH.height)
    assert (corner > 0).all()
    assert (corner < at).all()
    assert (at < 0.6).all()


def laid(pack: Pack, rng: np.random.Generator) -> tuple[NDArray[np.uint8], CardTruth]:
    """Any card of a pack on a table, and where it is."""
    name = CLASSES[int(rng.integers(BACK))]
    camera = Camera.above((240, 180), distance_mm=600, width_mm=130)
    scene = Scene(camera, np.full((8, 8, 3), (70, 110, 60), np.uint8), Light(), 100.0, 0.0)
    turn = float(rng.uniform(0, 2 * np.pi))
    picture, (truth,) = scene.render([Placed(name, pack.faces[name], 0, 0, turn)])
    return picture, truth


def test_indices_of_packs_never_seen_are_read() -> None:
    """Nearly all; also where the outline is as far off as it is found."""
    reader, right = GlyphReader(asset("models")), {0.0: 0, 0.12: 0}
    rng = np.random.default_rng(1)
    for pack, number in itertools.product(map(drawn_pack, HELD_OUT), range(10)):
        picture, truth = laid(pack, rng)
        wide = float(np.linalg.norm(truth.corners[0] - truth.corners[1]))
        turn = float(rng.uniform(0, 2 * np.pi))
        for off in right:
            push = off * wide * np.array([np.cos(turn), np.sin(turn)])
            outline = (truth.corners + push).astype(np.float32)
            (probs,) = reader.read(picture, [Located(outline, 1.0, ends(outline)[number % 2])])
            right[off] += CLASSES[int(probs.argmax())] == truth.name
    assert right[0.0] >= 39
    assert right[0.12] >= 38
    assert reader.read(np.zeros((9, 9, 3), np.uint8), []) == []


def test_a_reader_of_other_classes_is_refused(tmp_path: Path) -> None:
    """By the name of its card."""
    for path in asset("models").glob("card-glyph.*"):
        shutil.copy(path, tmp_path)
    card = tmp_path / "card-glyph.toml"
    card.write_text(card.read_text().replace('"AS"', '"1S"'), encoding="utf-8")
    with pytest.raises(ModelError, match=r"card-glyph\.toml: names other classes"):
        GlyphReader(tmp_path)
