"""A folder of labelled photos read by the detector that `companion recognize` uses.

The folder holds `labels.json`, a list of `{"path", "cards": [{"card", "partial"}], "conditions", "deck",
"source": {"repo"}}`, and the pictures that it names. Every labelled card counts, partly hidden ones too.
`"hidden"` may name cards of which too little shows to ask for them: told or not, neither is wrong.
Conditions are one text, a list, or names with values. An entry with `"skip": true` is left out.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.evaluate.tally import Verdict
from companion.vision.detector import CardDetector
from companion.vision.fault import SourceError
from companion.vision.naming import LEAST_CONFIDENCE, named
from companion.vision.picture import read_picture

__all__ = ["RANKS", "LabelError", "Photo", "card_name", "judged", "read_entries", "read_labels"]

RANKS = "ATKQJ9"
"""Cards of other ranks are no part of the pack: neither their labels nor what is found there counts."""
_RANKS = {letter: letter for letter in "AKQJT98765432"}
_RANKS |= {"10": "T", "TEN": "T", "X": "T", "1": "A", "ACE": "A", "KING": "K", "NINE": "9"}
_RANKS |= {"QUEEN": "Q", "OBER": "Q", "O": "Q", "JACK": "J", "UNTER": "J", "U": "J"}
_SUITS = {letter: letter for letter in "HDSC"} | {"♥": "H", "♦": "D", "♠": "S", "♣": "C"}
_SUITS |= {"HEART": "H", "DIAMOND": "D", "SPADE": "S", "CLUB": "C"}
"""Words of labels, in capitals and without a plural, and the letters of `Card` for them."""
_NO_FACES = ("JOKER", "BACK", "UNKNOWN", "OTHER")
"""Labels of what lies there too and is no face of a suit: nothing is asked of it."""


class LabelError(ValueError):
    """Labels that cannot be used; the message names the file, the entry and what was expected."""


@dataclass(frozen=True, slots=True)
class Photo:
    """A labelled photo.

    Attributes:
        path: Where it lies.
        name: Its path as the labels give it.
        cards: The cards in it that belong to the pack.
        groups: `condition:...`, `deck:...` and `source:...`.
        hidden: Cards that lie there, too, and need not be seen.
    """

    path: Path
    name: str
    cards: tuple[str, ...]
    groups: tuple[str, ...]
    hidden: tuple[str, ...] = ()


def read_entries(folder: Path) -> tuple[dict[str, Any], ...]:
    """Read the entries of `labels.json` in `folder` as they stand there, one a photo.

    Raises:
        LabelError: Missing, no JSON, or no list.
    """
    path = folder / "labels.json"
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LabelError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:
        raise LabelError(f"{path}: not JSON ({error})") from error
    except RecursionError as error:
        raise LabelError(f"{path}: it is nested too deeply") from error
    if not isinstance(entries, list) or not entries:
        raise LabelError(f"{path}: expected a list of photos")
    return tuple(entries)


def read_labels(folder: Path, ranks: str = RANKS) -> tuple[Photo, ...]:
    """Read `labels.json` in `folder`.

    Raises:
        LabelError: Missing, no JSON, or not of the form that the module's text gives; or it holds no photo.
    """
    path = folder / "labels.json"
    photos: list[Photo] = []
    for number, entry in enumerate(read_entries(folder)):
        try:
            if not entry.get("skip"):
                photos.append(_photo(folder, entry, ranks))
        except ValueError as error:
            raise LabelError(f"{path}, entry {number}: {error}") from error
        except KeyError as error:
            raise LabelError(f"{path}, entry {number}: {error} is missing") from error
        except (TypeError, AttributeError) as error:
            raise LabelError(f"{path}, entry {number}: {type(error).__name__}: {error}") from error
    if not photos:
        raise LabelError(f"{path}: every photo is to be skipped")
    return tuple(photos)


def card_name(label: object) -> str:
    """The letters of a rank and a suit, whatever a label calls them; other ranks are not of our pack.

    >>> card_name("10h"), card_name("K♠"), card_name("ace of clubs"), card_name("7D")
    ('TH', 'KS', 'AC', '7D')

    Raises:
        ValueError: The label names no card.
    """
    rank, *suit = str(label).upper().replace("_", " ").replace(" OF ", " ").split() or [""]
    if not suit:
        rank, suit = rank[:-1], [rank[-1:]]
    try:
        (sign,) = suit
        return _RANKS[rank] + _SUITS[sign if len(sign) == 1 else sign.removesuffix("S")]
    except (KeyError, ValueError):
        raise ValueError(f"{label!r:.60} is no card: expected rank and suit, as in KH or 10S") from None


def _photo(folder: Path, entry: dict[str, Any], ranks: str) -> Photo:
    name = str(entry["path"])
    if "\0" in name:
        raise ValueError(f"path {name!r:.60} names no file")
    cards = _faces([card["card"] for card in entry["cards"]], ranks)
    groups = [f"condition:{condition}" for condition in _conditions(entry.get("conditions") or ())]
    if deck := entry.get("deck"):
        groups.append(f"deck:{deck}")
    if repository := entry.get("source", {}).get("repo"):
        groups.append(f"source:{repository}")
    return Photo(folder / name, name, cards, tuple(groups), _faces(entry.get("hidden") or (), ranks))


def _faces(labels: Iterable[object], ranks: str) -> tuple[str, ...]:
    named_cards = [card_name(each) for each in labels if str(each).strip().upper() not in _NO_FACES]
    return tuple(sorted(card for card in named_cards if card[0] in ranks))


def _conditions(told: object) -> list[str]:
    if isinstance(told, dict):
        return [f"{name}={value}" for name, value in told.items()]
    if isinstance(told, list | tuple):
        return [str(each) for each in told]
    if isinstance(told, str):
        return [told]
    raise ValueError(f"conditions {told!r:.60} are no text, no list and no names with values")


def judged(
    photos: Sequence[Photo],
    detector: CardDetector,
    *,
    ranks: str = RANKS,
    confidence: float = LEAST_CONFIDENCE,
) -> Iterator[Verdict]:
    """Read each photo and compare.

    Args:
        photos: What to read.
        detector: What reads.
        ranks: Ranks that count.
        confidence: Cards named with less are left out.

    Raises:
        LabelError: A photo that the labels name cannot be read.
    """
    for photo in photos:
        try:
            detections = detector.detect(read_picture(photo.path))
        except SourceError as error:
            raise LabelError(str(error)) from error
        told = [
            (str(each.card), each.confidence)
            for each in named(detections, confidence)
            if each.card is not None and str(each.card)[0] in ranks
        ]
        names = Counter(name for name, _ in told)
        for name in ((names - Counter(photo.cards)) & Counter(photo.hidden)).elements():
            told.remove(min(pair for pair in told if pair[0] == name))
        told.sort()
        found, sure = tuple(name for name, _ in told), tuple(sure for _, sure in told)
        yield Verdict(photo.name, photo.cards, found, photo.groups, sure)
