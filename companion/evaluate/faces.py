"""The faces of a real pack, cut out of labelled photos: films of them show print that nobody drew.

The photos are a folder as `companion.evaluate.photos` reads it whose labels also give boxes, `[x, y, width,
height]` in pixels around what is to be seen of a card. A pack of such faces is for validation alone: training
never sees a photo.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.evaluate.photos import LabelError, card_name, read_entries
from companion.rules.cards import PACK_20
from companion.synth.pack import rounded
from companion.table.detection import CLASSES, Detection
from companion.table.quad import covered, overlap
from companion.vision.fault import SourceError
from companion.vision.picture import read_picture
from companion.vision.reader import Detector

__all__ = ["Face", "cut_faces", "write_pack"]

WIDTH_PX, HEIGHT_PX = 250, 350
"""Of a face that is cut out: a poker card, about three times as large as a table's camera shows it."""
_RADIUS = 0.06
_MOST_PX = 320.0
"""A card that is longer than this in its photo is as good as any."""
_OFF = 0.12
"""How far an outline's bounds may be from the labelled box, in shares of the box."""
_APART = 0.02
"""Nothing else that was found may overlap the card by more than this."""

Picture = NDArray[np.uint8]
Box = tuple[float, float, float, float]
"""x, y, width, height, pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class Face:
    """One card of the pack.

    Attributes:
        picture: (350, 250, 4) uint8, blue green red alpha, corners transparent.
        photo: The photo that it was cut out of, as the labels name it.
        worth: Its long side there in pixels, times the heat of its outline.
    """

    picture: Picture
    photo: str
    worth: float


def cut_faces(folder: Path, source: str, detector: Detector) -> Mapping[str, Face]:
    """Cut the twenty faces out of the photos whose path contains `source`, each where it is largest.

    Only cards that are found where the label says, under the name that it gives, wholly in the picture
    and with nothing upon or below them.

    Raises:
        LabelError: Labels or a photo cannot be read, or a face of the twenty was not found; it names them.
    """
    best: dict[str, Face] = {}
    for number, entry in enumerate(read_entries(folder)):
        try:
            if entry.get("skip"):
                continue
            path, boxes = str(entry["path"]), _boxes(entry)
            photo = read_picture(folder / path) if source in path else None
        except SourceError as error:
            raise LabelError(str(error)) from error
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            where = folder / "labels.json"
            raise LabelError(f"{where}, entry {number}: {type(error).__name__}: {error}") from error
        if photo is None:
            continue
        for name, corners, worth in _whole_cards(photo, boxes, detector):
            if name not in best or worth > best[name].worth:
                best[name] = Face(_cut(photo, corners), path, worth)
    wanted = [str(card) for card in PACK_20]
    missing = [name for name in wanted if name not in best]
    if missing:
        raise LabelError(f"{folder}: no whole picture of {', '.join(missing)} in photos of {source!r}")
    return {name: best[name] for name in wanted}


def write_pack(folder: Path, faces: Mapping[str, Face], back: Path) -> None:
    """Write a folder that `companion.synth.pack.load_art_pack` reads.

    Args:
        folder: Made if it is not there.
        faces: By name.
        back: Picture of a back, drawn out to a card's size.

    Raises:
        LabelError: The back cannot be read, or the folder not be written.
    """
    picture = cv2.imread(str(back), cv2.IMREAD_COLOR)
    if picture is None:
        raise LabelError(f"{back}: no picture of a back")
    size = (WIDTH_PX, HEIGHT_PX)
    drawn_out = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    pictures = {"back": rounded(drawn_out, _RADIUS), **{name: face.picture for name, face in faces.items()}}
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LabelError(f"{folder}: {error.strerror or error}") from error
    for name, each in pictures.items():
        path = folder / f"{name}.png"
        if not cv2.imwrite(str(path), each):
            raise LabelError(f"{path}: cannot be written")


def _boxes(entry: Mapping[str, Any]) -> list[tuple[str, Box]]:
    """Name and box of each labelled card that has one."""
    found: list[tuple[str, Box]] = []
    for card in entry["cards"]:
        if card.get("box"):
            x, y, width, height = (float(number) for number in card["box"])
            found.append((card_name(card["card"]), (x, y, width, height)))
    return found


def _whole_cards(
    photo: Picture, boxes: Sequence[tuple[str, Box]], detector: Detector
) -> Iterator[tuple[str, NDArray[np.float32], float]]:
    """Yield name, outline and worth of each labelled card that can be cut out."""
    found = detector.detect(photo)
    for each in found:
        name = CLASSES[each.best]
        alone = all(overlap(each.corners, other.corners) <= _APART for other in found if other is not each)
        free = sum(_reaches_into(each, box) for _, box in boxes) == 1
        labelled = any(label == name and _lies_in(each, box) for label, box in boxes)
        if alone and free and labelled and _is_inside(each, photo):
            long_side = float(np.linalg.norm(each.corners[1] - each.corners[2]))
            yield name, each.corners, min(long_side, _MOST_PX) * each.score


def _lies_in(card: Detection, box: Box) -> bool:
    """Whether an outline's bounds are those of a box."""
    x, y, width, height = box
    (left, top), (right, bottom) = card.corners.min(axis=0), card.corners.max(axis=0)
    across, along = (abs(left - x), abs(right - x - width)), (abs(top - y), abs(bottom - y - height))
    return bool(max(across) <= _OFF * width and max(along) <= _OFF * height)


def _reaches_into(card: Detection, box: Box) -> bool:
    x, y, width, height = box
    quad = np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float32)
    return covered(card.corners, quad) > _APART


def _is_inside(card: Detection, photo: Picture) -> bool:
    low, high = card.corners.min(axis=0), card.corners.max(axis=0)
    return bool((low >= 1).all() and (high <= np.array(photo.shape[1::-1]) - 2).all())


def _cut(photo: Picture, corners: NDArray[np.float32]) -> Picture:
    """Rectify a card, short side on top, and round its corners."""
    square = np.array([[0, 0], [WIDTH_PX, 0], [WIDTH_PX, HEIGHT_PX], [0, HEIGHT_PX]], np.float32)
    to_card = cv2.getPerspectiveTransform(corners.astype(np.float32), square)
    cut = cv2.warpPerspective(photo, to_card, (WIDTH_PX, HEIGHT_PX), flags=cv2.INTER_CUBIC)
    return rounded(np.asarray(cut, np.uint8), _RADIUS)
