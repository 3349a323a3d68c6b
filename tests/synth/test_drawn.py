"""Drawn packs: every card can be told from every other, and says what it is."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest

from companion.rules.cards import PACK_24
from companion.synth.drawn import drawn_pack
from companion.synth.pack import Pack

SEEDS = (0, 7, 1001)
NUMBERS = {"A": 1, "7": 7, "8": 8, "9": 9, "T": 10}


@pytest.fixture(scope="module", params=SEEDS)
def pack(request: pytest.FixtureRequest) -> Pack:
    """Several packs, drawn once."""
    return drawn_pack(request.param)


def ink(picture: np.ndarray) -> np.ndarray:
    """Where a face is not paper, (H, W) bool."""
    paper = np.median(picture[..., :3].reshape(-1, 3), axis=0)
    return np.abs(picture[..., :3].astype(int) - paper).max(axis=2) > 70


def shrunk(picture: np.ndarray) -> np.ndarray:
    """The picture as a camera would see it from afar."""
    return cv2.resize(picture[..., :3], (60, 92), interpolation=cv2.INTER_AREA).astype(float)


def difference(one: np.ndarray, two: np.ndarray) -> float:
    """Mean difference of two faces seen from afar, grey levels."""
    return float(np.abs(shrunk(one) - shrunk(two)).mean())


def test_the_same_seed_draws_the_same_pack() -> None:
    """A pack named in a truth file can be drawn again, to the last pixel."""
    one, two = drawn_pack(5), drawn_pack(5)
    assert one.faces.keys() == two.faces.keys()
    assert all(np.array_equal(one.faces[name], two.faces[name]) for name in one.faces)
    assert np.array_equal(one.back, two.back)


def test_another_seed_draws_another_pack() -> None:
    """Packs differ in their faces and not in the back alone."""
    one, two = drawn_pack(5), drawn_pack(6)
    assert all(difference(one.faces[name], two.faces[name]) > 1 for name in ("KH", "QS", "JC", "TD"))
    assert difference(one.back, two.back) > 5


def test_a_pack_has_all_cards_and_some_that_are_none_of_the_games(pack: Pack) -> None:
    """The twenty-four are there, and sevens and a joker to be answered as unknown."""
    assert {str(card) for card in PACK_24} | {"7H", "8S", "joker1"} <= pack.faces.keys()


def test_all_faces_differ_from_one_another_and_from_the_back(pack: Pack) -> None:
    """No two cards look alike, whichever end is up."""
    small = {name: shrunk(picture) for name, picture in {**pack.faces, "back": pack.back}.items()}
    for one, two in combinations(small, 2):
        upright = np.abs(small[one] - small[two]).mean()
        turned = np.abs(small[one] - small[two][::-1, ::-1]).mean()
        assert min(upright, turned) > 1.2, (one, two)


@pytest.mark.parametrize("rank", NUMBERS)
def test_a_card_has_as_many_pips_as_its_rank_says(pack: Pack, rank: str) -> None:
    """Between the indices stand one pip for an ace, nine for a nine, ten for a ten, all apart."""
    for suit in "HDCS":
        mask = ink(pack.faces[rank + suit])
        h, w = mask.shape
        middle = mask[round(0.04 * h) : round(0.96 * h), round(0.18 * w) : round(0.82 * w)]
        count, _, stats, _ = cv2.connectedComponentsWithStats(middle.astype(np.uint8))
        large = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] > 0.002 * h * w]
        assert len(large) == NUMBERS[rank], rank + suit


@pytest.mark.parametrize("rank", "KQJ")
def test_courts_are_double_headed(pack: Pack, rank: str) -> None:
    """A court card looks the same from both sides of the table."""
    for suit in "HDCS":
        face = pack.faces[rank + suit]
        assert difference(face, face[::-1, ::-1]) < 2.5, rank + suit


def test_the_hearts_are_red_and_the_spades_are_not(pack: Pack) -> None:
    """Whatever the other two suits look like, these two keep their colours."""
    for suit, red in (("H", True), ("S", False)):
        face = pack.faces["A" + suit]
        blue, _, other = face[..., :3][ink(face)].astype(int).mean(axis=0)
        assert (other - blue > 80) == red


def test_cards_have_round_corners_and_nothing_transparent_within(pack: Pack) -> None:
    """The corners show the table, the rest does not."""
    for picture in (*pack.faces.values(), pack.back):
        alpha = picture[..., 3]
        assert {int(alpha[y, x]) for y in (0, -1) for x in (0, -1)} == {0}
        h, w = alpha.shape
        assert alpha[round(0.1 * h) : round(0.9 * h)].min() == 255
        assert alpha[:, round(0.1 * w) : round(0.9 * w)].min() == 255


def test_indices_name_queen_and_jack_by_habit() -> None:
    """A K D B and A K Q J packs of one seed differ on queens and jacks, and nowhere else."""
    one, two = (drawn_pack(7, indices=letters).faces for letters in ("AKDB", "AKQJ"))
    differing = {name for name in one if not np.array_equal(one[name], two[name])}
    assert differing == {rank + suit for rank in "QJ" for suit in "HDCS"}


def test_faces_are_drawn_as_high_as_asked() -> None:
    """Pictures have the height asked for, in the proportions of the card."""
    pack = drawn_pack(7, height_px=220)
    width, height = pack.size_mm
    for picture in (*pack.faces.values(), pack.back):
        assert picture.shape[0] == 220
        assert picture.shape[1] == pytest.approx(220 * width / height, abs=1)


def test_letters_and_seeds_that_there_are_not_are_refused() -> None:
    """The message names what was asked for."""
    with pytest.raises(ValueError, match="XYZ"):
        drawn_pack(7, indices="XYZ")
    with pytest.raises(ValueError, match="-1"):
        drawn_pack(-1)
