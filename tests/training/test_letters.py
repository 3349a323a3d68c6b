"""Other index letters on a face: printed in both corners, the picture between them untouched."""

import cv2
import numpy as np
import pytest

from companion.synth.glyphs import draw_pip
from companion.synth.pack import ArtError, rounded
from companion.training.letters import NUMBERS, TEXTS, Letters, ink_of, sign_of


@pytest.fixture
def letters(tmp_path):
    """One typeface, drawn by OpenCV."""
    place = tmp_path / "00"
    place.mkdir()
    for text in (*TEXTS, *NUMBERS):
        glyph = np.full((60, 34 * len(text), 3), 255, np.uint8)
        cv2.putText(glyph, text, (2, 52), cv2.FONT_HERSHEY_SIMPLEX, 1.8, (0, 0, 0), 5)
        cv2.imwrite(str(place / f"{text}.png"), glyph)
    return Letters(tmp_path)


def _face() -> np.ndarray:
    face = np.full((260, 170, 3), 250, np.uint8)
    face[100:160, 60:110] = (30, 60, 200)
    return rounded(face, 0.06)


def test_both_corners_get_the_index_and_the_middle_stays(letters):
    """A card reads the same from both ends."""
    before = _face()
    after = letters.printed(before, "Q", "H", np.array([40, 40, 200], np.float32), np.random.default_rng(2))
    changed = (after[..., :3] != before[..., :3]).any(axis=2)
    assert changed[:80, :45].any()
    assert changed[-80:, -45:].any()
    assert not changed[85:175].any()
    assert np.array_equal(after[..., 3], before[..., 3])


def test_a_plain_sign_is_taken_from_an_ace_and_an_ornament_is_not():
    """The signs of other packs are printed too; a picture that fills the card is no sign."""
    ace = np.full((260, 170, 3), 250, np.uint8)
    draw_pip(ace, "S", (85, 130), 60, (20, 20, 20))
    sign = sign_of(rounded(ace, 0.06))
    assert sign is not None
    assert 56 <= sign.shape[0] <= 62
    assert (sign[:3] > 128).sum() < 20 < (sign[30] > 128).sum(), "a spade has a point and is broad below"

    ace[60:200, 20:150] = 20
    assert sign_of(rounded(ace, 0.06)) is None


def test_the_ink_of_a_suit_is_that_of_its_ace():
    """Four-colour packs keep their colours."""
    assert np.abs(ink_of(_face()) - [30, 60, 200]).max() < 5


def test_no_letters_is_an_error_that_names_the_folder(tmp_path):
    """Nothing is trained without what was asked for."""
    with pytest.raises(ArtError, match="nowhere"):
        Letters(tmp_path / "nowhere")
