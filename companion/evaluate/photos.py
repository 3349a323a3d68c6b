"""A folder of labelled photos read by the detector that `companion recognize` uses.

The folder holds `labels.json`, a list of `{"path", "cards": [{"card", "partial"}], "conditions", "deck",
"source": {"repo"}}`, and the pictures that it names. Every labelled card counts, partly hidden ones too.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.evaluate.tally import Verdict
from companion.vision.detector import CardDetector
from companion.vision.fault import SourceError
from companion.vision.naming import LEAST_CONFIDENCE, named
from companion.vision.picture import read_picture

__all__ = ["RANKS", "LabelError", "Photo", "judged", "read_entries", "read_labels"]

RANKS = "ATKQJ9"
"""Cards of other ranks are no part of the pack: neither their labels nor what is found there counts."""


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
    """

    path: Path
    name: str
    cards: tuple[str, ...]
    groups: tuple[str, ...]


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
    if not isinstance(entries, list) or not entries:
        raise LabelError(f"{path}: expected a list of photos")
    return tuple(entries)


def read_labels(folder: Path, ranks: str = RANKS) -> tuple[Photo, ...]:
    """Read `labels.json` in `folder`.

    Raises:
        LabelError: Missing, no JSON, or not of the form that the module's text gives.
    """
    path = folder / "labels.json"
    photos = []
    for number, entry in enumerate(read_entries(folder)):
        try:
            photos.append(_photo(folder, entry, ranks))
        except (KeyError, TypeError, AttributeError) as error:
            raise LabelError(f"{path}, entry {number}: {type(error).__name__}: {error}") from error
    return tuple(photos)


def _photo(folder: Path, entry: dict[str, Any], ranks: str) -> Photo:
    name = str(entry["path"])
    cards = tuple(sorted(str(card["card"]) for card in entry["cards"] if str(card["card"])[0] in ranks))
    groups = [f"condition:{condition}" for condition in entry.get("conditions", ())]
    if deck := entry.get("deck"):
        groups.append(f"deck:{deck}")
    if repository := entry.get("source", {}).get("repo"):
        groups.append(f"source:{repository}")
    return Photo(folder / name, name, cards, tuple(groups))


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
        names = [str(each.card) for each in named(detections, confidence) if each.card is not None]
        found = tuple(sorted(name for name in names if name[0] in ranks))
        yield Verdict(photo.name, photo.cards, found, photo.groups)
