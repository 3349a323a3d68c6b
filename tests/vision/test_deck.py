"""Enrolled packs on disk: kept whole, read again, and named when something is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from companion.rules.cards import PACK_24
from companion.vision import deck as module
from companion.vision.deck import Deck, DeckError, deck_names, read_deck, remove_deck, write_deck

TWENTY = [str(card) for card in PACK_24 if str(card)[0] != "9"]


def crop(seed: int) -> np.ndarray:
    """Any crop."""
    return np.random.default_rng(seed).integers(0, 255, (144, 96, 3), dtype=np.uint8)


def deck(name: str = "tell", cards: list[str] = TWENTY) -> Deck:
    """Two crops of each card."""
    return Deck(name, {card: (crop(number), crop(number + 100)) for number, card in enumerate(cards)})


def test_a_deck_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    """To the last pixel, and whatever else lies in its folder."""
    write_deck(tmp_path, deck())
    (tmp_path / "tell" / "notes.txt").write_text("of grandmother")

    again = read_deck(tmp_path, "tell")

    assert again.cards == deck().cards
    assert all(
        np.array_equal(one, two)
        for card in TWENTY
        for one, two in zip(again.crops[card], deck().crops[card], strict=True)
    )
    assert deck_names(tmp_path) == ("tell",)


def test_a_new_deck_of_the_same_name_replaces_the_old_one(tmp_path: Path) -> None:
    """Not a card of the old one is left."""
    write_deck(tmp_path, deck(cards=[str(card) for card in PACK_24]))
    write_deck(tmp_path, deck())
    assert read_deck(tmp_path, "tell").cards == tuple(TWENTY)


def test_a_disk_that_fills_up_leaves_the_old_deck(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What could not be written whole is not there at all."""
    write_deck(tmp_path, deck())
    written = []

    def full(path: Path, picture: np.ndarray) -> None:
        written.append(path)
        if len(written) > 7:
            raise OSError(28, "No space left on device")
        path.write_bytes(b"x")

    monkeypatch.setattr(module, "_write", full)
    with pytest.raises(DeckError, match=r"tell: cannot be written: No space left"):
        write_deck(tmp_path, deck(cards=TWENTY[:9]))

    assert read_deck(tmp_path, "tell").cards == deck().cards
    assert deck_names(tmp_path) == ("tell",)


def test_a_deck_that_cannot_take_its_place_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old one has been moved out of the way by then."""
    write_deck(tmp_path, deck(cards=[str(card) for card in PACK_24]))
    rename, failed = Path.rename, []

    def fail_once(path: Path, target: Path) -> Path:
        if target == tmp_path / "tell" and not failed:
            failed.append(path)
            raise OSError(5, "Input/output error")
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", fail_once)
    with pytest.raises(DeckError, match=r"tell: cannot be written: Input/output error"):
        write_deck(tmp_path, deck())

    assert len(read_deck(tmp_path, "tell").cards) == 24
    assert [path.name for path in tmp_path.iterdir()] == ["tell"]


def test_a_deck_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    """A typing error shows itself."""
    write_deck(tmp_path, deck("piatnik"))
    with pytest.raises(DeckError, match=r"'tel' .* there are piatnik"):
        read_deck(tmp_path, "tel")


def test_a_damaged_crop_is_named(tmp_path: Path) -> None:
    """Nothing is read from half a deck."""
    write_deck(tmp_path, deck())
    (tmp_path / "tell" / "KH_1.png").write_bytes(b"no picture")
    with pytest.raises(DeckError, match=r"KH_1\.png"):
        read_deck(tmp_path, "tell")


def test_a_crop_without_contents_is_named(tmp_path: Path) -> None:
    """As a full disk may have left it."""
    write_deck(tmp_path, deck())
    (tmp_path / "tell" / "QD_1.png").write_bytes(b"")

    with pytest.raises(DeckError, match=r"QD_1\.png: is no crop of a card"):
        read_deck(tmp_path, "tell")


def test_a_deck_is_read_from_a_folder_whose_name_is_no_text(tmp_path: Path) -> None:
    """The data folder may be called so; OpenCV would end the program."""
    folder = tmp_path / "k\udcf6nig"
    write_deck(folder, deck())
    assert read_deck(folder, "tell").cards == deck().cards


def test_a_deck_that_has_lost_a_card_is_named(tmp_path: Path) -> None:
    """One of two pictures may be taken out; without the last the card would be read as another."""
    write_deck(tmp_path, deck())
    (tmp_path / "tell" / "KH_1.png").unlink()
    assert len(read_deck(tmp_path, "tell").crops["KH"]) == 1
    (tmp_path / "tell" / "KH_2.png").unlink()
    with pytest.raises(DeckError, match="tell: no picture of KH is left"):
        read_deck(tmp_path, "tell")


@pytest.mark.parametrize("name", ["", "../other", "a/b", ".hidden", "x" * 41])
def test_a_name_that_leads_elsewhere_is_refused(tmp_path: Path, name: str) -> None:
    """Reading, keeping and forgetting alike."""
    for doing in (lambda: read_deck(tmp_path, name), lambda: deck(name), lambda: remove_deck(tmp_path, name)):
        with pytest.raises(DeckError, match="1 to 40"):
            doing()


def test_what_is_missing_of_the_twenty_is_known() -> None:
    """Nines are not missed: few packs on the table have them in play."""
    assert deck(cards=[card for card in TWENTY if card not in ("KH", "AS")]).missing() == ("KH", "AS")


def test_nines_are_missed_where_there_are_some_or_they_are_wanted() -> None:
    """A pack has all four of them or none; one that was not shown would be read as another card."""
    assert deck().missing(nines=True) == ("9H", "9D", "9C", "9S")
    assert deck(cards=[*TWENTY, "9H", "9C", "9S"]).missing() == ("9D",)
    assert deck(cards=[str(card) for card in PACK_24]).missing() == ()


def test_a_forgotten_deck_is_gone(tmp_path: Path) -> None:
    """Once; the second time there is none."""
    write_deck(tmp_path, deck())
    remove_deck(tmp_path, "tell")
    assert deck_names(tmp_path) == ()
    with pytest.raises(DeckError, match="tell"):
        remove_deck(tmp_path, "tell")
