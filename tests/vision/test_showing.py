"""Cards shown one after another: each once, as soon as it is taken away."""

from __future__ import annotations

import numpy as np
import pytest
from shown_cards import RATE, Desk

from companion.config import asset
from companion.synth.drawn import drawn_pack
from companion.table.detection import CLASSES, Frame
from companion.vision.deck import DeckError
from companion.vision.detector import PHOTO_SIDES, CardDetector
from companion.vision.showing import showings, the_card


@pytest.fixture(scope="module")
def detector() -> CardDetector:
    """The shipped networks, looking as at photos."""
    return CardDetector(asset("models"), sides=PHOTO_SIDES)


@pytest.fixture(scope="module")
def pack():
    """A pack of our own drawing."""
    return drawn_pack(1001, height_px=300)


def test_each_card_is_shown_once_and_in_turn(detector: CardDetector, pack) -> None:
    """Also one that looks much like the one before."""
    cards = ["KH", "KD", "TS", "TC"]
    found = list(showings(detector, Desk().film([pack.faces[card] for card in cards])))

    assert [CLASSES[each.seen.best] for each in found] == cards
    assert all(1 <= len(each.crops) <= 3 and each.crops[0].shape == (144, 96, 3) for each in found)


def test_a_card_that_lies_there_for_long_is_shown_once_and_little_of_it_is_kept(
    detector: CardDetector, pack
) -> None:
    """Somebody was called away; it is told meanwhile that a card lies there."""
    told: list[bool] = []
    film = Desk().film([pack.faces["KH"]], shown_s=20.0)
    (found,) = showings(detector, film, told.append)

    assert CLASSES[found.seen.best] == "KH"
    assert len(found.crops) == 3
    assert told == [True, False]


def test_a_card_that_is_only_waved_past_is_not_shown(detector: CardDetector, pack) -> None:
    """It must lie still for a moment."""
    film = Desk().film([pack.faces["KH"], pack.faces["AS"]], shown_s=0.3)
    assert list(showings(detector, film)) == []


def test_two_cards_where_one_is_wanted_are_refused(detector: CardDetector, pack) -> None:
    """Nobody could say which was meant."""
    with pytest.raises(DeckError, match="2 cards"):
        the_card(detector, Desk(size=(800, 480)).photo(pack.faces["KH"], pack.faces["TS"]))


def test_an_empty_table_shows_no_card(detector: CardDetector) -> None:
    """No card, no outline made up."""
    assert the_card(detector, Desk().photo()) is None


def test_a_cloth_with_an_edge_is_no_card(detector: CardDetector, pack) -> None:
    """Its outline is a card's, and it is there whenever a card is taken away."""
    cards = ["KH", "TS", "QD"]
    pictures = [picture for card in cards for picture in (None, pack.faces[card])]
    frames = (
        Frame(_on_a_cloth(picture), at / RATE, at)
        for at, picture in enumerate(each for each in [*pictures, None] for _ in range(9))
    )
    assert [CLASSES[each.seen.best] for each in showings(detector, frames)] == cards


def _on_a_cloth(face: np.ndarray | None) -> np.ndarray:
    """A green cloth on a dark table, seen whole, with a card on it or none."""
    ground = np.full((720, 1280, 3), (40, 45, 60), np.uint8)
    noise = np.random.default_rng(1).normal(0, 6, (700, 900, 3))
    ground[10:710, 190:1090] = np.clip(noise + np.array((60, 110, 50)), 0, 255)
    if face is not None:
        height, width = face.shape[:2]
        ground[200 : 200 + height, 500 : 500 + width] = face[..., :3]
    return ground


def test_a_back_is_not_learnt_for_a_face(detector: CardDetector, pack) -> None:
    """Laid down before its face, or instead of it, it is no card of the pack; a photo of it is refused."""
    film = Desk().film([pack.faces["KH"], pack.back, pack.faces["AS"]])
    assert [CLASSES[each.seen.best] for each in showings(detector, film)] == ["KH", "AS"]
    with pytest.raises(DeckError, match="back"):
        the_card(detector, Desk().photo(pack.back))
