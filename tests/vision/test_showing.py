"""Cards shown one after another: each once, as soon as it is taken away."""

from __future__ import annotations

import pytest
from shown_cards import Desk

from companion.config import asset
from companion.synth.drawn import drawn_pack
from companion.table.detection import CLASSES
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
