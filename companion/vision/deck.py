"""A pack that was shown to the companion: a few crops of each card, kept in a folder of its own.

Crops are kept, not numbers made of them, so that a deck outlives the networks that read it.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.rules.cards import PACK_24
from companion.vision.fault import DeckError
from companion.vision.rectify import CARD

__all__ = [
    "DECKS",
    "Deck",
    "DeckError",
    "check_place",
    "deck_name",
    "deck_names",
    "read_deck",
    "remove_deck",
    "write_deck",
]

Crop = NDArray[np.uint8]
DECKS = "decks"
"""Folder of the decks in a data folder."""
MOST_CROPS = 6
"""Crops kept of one card; more would only make reading the deck slower."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")
_FILE = re.compile(r"([ATKQJ9][HDCS])_(\d{1,2})\.png")
_CARDS = tuple(str(card) for card in PACK_24)


@dataclass(frozen=True, slots=True, eq=False)
class Deck:
    """What is known of a pack.

    Attributes:
        name: Letters, digits, `-` and `_`.
        crops: By card (`KH`), crops of `companion.vision.rectify.rectify`, (144, 96, 3) uint8 each,
            at least one.
    """

    name: str
    crops: Mapping[str, tuple[Crop, ...]]

    def __post_init__(self) -> None:
        deck_name(self.name)
        if not self.crops:
            raise DeckError(f"deck {self.name}: no card in it")
        for card, crops in self.crops.items():
            if card not in _CARDS:
                raise DeckError(f"deck {self.name}: {card!r} is no card of the game")
            if not crops or any(crop.shape != CARD.shape for crop in crops):
                raise DeckError(f"deck {self.name}: {card} has no usable picture")

    @property
    def cards(self) -> tuple[str, ...]:
        """Its cards, in the order of `PACK_24`."""
        return tuple(card for card in _CARDS if card in self.crops)

    def missing(self, nines: bool = False) -> tuple[str, ...]:
        """Cards that it lacks: of the twenty, and of the nines where it has some or they are wanted."""
        nines = nines or any(card[0] == "9" for card in self.crops)
        return tuple(card for card in _CARDS if card not in self.crops and (nines or card[0] != "9"))


def deck_name(name: str) -> str:
    """Return `name` if it is one for a deck.

    Raises:
        DeckError: It is not.
    """
    if not _NAME.fullmatch(name):
        raise DeckError(f"deck {name!r}: a name has 1 to 40 letters, digits, - and _")
    return name


def deck_names(folder: Path) -> tuple[str, ...]:
    """The decks kept in a folder, in the order of their names; none where there is no such folder."""
    if not folder.is_dir():
        return ()
    return tuple(
        sorted(each.name for each in folder.iterdir() if each.is_dir() and _NAME.fullmatch(each.name))
    )


def read_deck(folder: Path, name: str) -> Deck:
    """Read a deck.

    Args:
        folder: Holds a folder for each deck.
        name: Of the deck.

    Raises:
        DeckError: There is none of that name, a picture of it cannot be read, or there is none of a card.
    """
    place = folder / deck_name(name)
    if not place.is_dir():
        known = deck_names(folder)
        raise DeckError(
            f"no deck is called {name!r} in {folder}; "
            + (f"there are {', '.join(known)}" if known else "companion deck enrol makes one")
        )
    crops: dict[str, list[Crop]] = {}
    for path in sorted(place.iterdir()):
        known_name = _FILE.fullmatch(path.name)
        if known_name is None:
            continue
        crops.setdefault(known_name[1], []).append(_read(path))
    deck = Deck(name, {card: tuple(each[:MOST_CROPS]) for card, each in crops.items()})
    if missing := deck.missing():
        raise DeckError(f"{place}: no picture of {' '.join(missing)} is left; enrol the deck again")
    return deck


def _read(path: Path) -> Crop:
    """Read a crop; OpenCV is given what stands in it, as it takes no path that is no text."""
    picture = None
    with contextlib.suppress(OSError, cv2.error):
        picture = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if picture is None or picture.shape != CARD.shape:
        raise DeckError(f"{path}: is no crop of a card; enrol the deck again")
    return np.asarray(picture, np.uint8)


def check_place(folder: Path) -> None:
    """Look whether a deck can be kept in a folder, which need not be there yet.

    Raises:
        DeckError: It cannot.
    """
    there = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    if not there.is_dir():
        raise DeckError(f"{folder}: cannot be written: {there} is no folder")
    if not os.access(there, os.W_OK | os.X_OK):
        raise DeckError(f"{folder}: cannot be written: no permission to write in {there}")


def write_deck(folder: Path, deck: Deck) -> Path:
    """Keep a deck, whole or not at all; one of the same name is replaced.

    Returns:
        Its folder.

    Raises:
        DeckError: It cannot be written.
    """
    place = folder / deck.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".deck-", dir=folder) as part:
            made = Path(part) / "made"
            made.mkdir()
            for card, crops in deck.crops.items():
                for number, crop in enumerate(crops[:MOST_CROPS], 1):
                    _write(made / f"{card}_{number}.png", crop)
            old = Path(part) / "old"
            if place.exists():
                place.rename(old)
            try:
                made.rename(place)
            except OSError:
                if old.exists():
                    old.rename(place)
                raise
    except OSError as error:
        raise DeckError(f"{place}: cannot be written: {error.strerror or error}") from error
    return place


def _write(path: Path, crop: Crop) -> None:
    done, data = cv2.imencode(".png", crop)
    if not done:
        raise DeckError(f"{path}: is no picture")
    path.write_bytes(data.tobytes())


def remove_deck(folder: Path, name: str) -> None:
    """Forget a deck.

    Raises:
        DeckError: There is none of that name, or it cannot be removed.
    """
    place = folder / deck_name(name)
    if not place.is_dir():
        raise DeckError(f"no deck is called {name!r} in {folder}")
    try:
        shutil.rmtree(place)
    except OSError as error:
        raise DeckError(f"{place}: cannot be removed: {error.strerror or error}") from error
