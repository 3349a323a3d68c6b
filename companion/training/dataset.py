"""Training pictures without end, and what the networks should answer to them.

Nothing is stored: every sample is drawn when it is asked for, from a seed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import IterableDataset, get_worker_info

from companion.synth.pack import Pack
from companion.synth.scene import CardTruth
from companion.table.detection import BACK, UNKNOWN
from companion.training.letters import Letters
from companion.training.tables import Sample, Tables
from companion.vision.glyph import ends
from companion.vision.rectify import AROUND, rectify

__all__ = [
    "CropSet",
    "DrawnSet",
    "IndexSet",
    "OutlineSet",
    "TableSet",
    "index_target",
    "locator_target",
    "loose_outline",
    "loosened",
    "mends",
    "to_tensor",
    "worker_rng",
]

LARGEST = 250
"""Cards taller than this, in pixels, are for a look at a smaller picture."""
LARGEST_STRIP = 320
"""The same for cards of which a strip shows: in a smaller picture strips of a fan run into each other."""
NARROW = 0.4
"""Least share of a card that shows where it is more than a strip."""
STRIP = 0.07
"""Least share of a card that must be seen, where that has the index on it."""
CLOSE_UPS = 0.12
"""Share of the locator's pictures in which cards may be larger than it is to find."""
CLOSE_FANS = 0.05
"""Share of the locator's pictures that show fans alone, seen from near. A fifth was paid with cards that lie
apart, and what locates indices reads fans."""
FANS = 0.6
"""Share of the index locator's pictures that show fans alone."""
FANNED_OUTLINES = 0.4
"""The same for the refiner: strips of a fan are what it has least to go by."""
FANNED_CROPS = 0.25
"""And for the classifier."""
BY_INDEX = 0.5
"""Share of a strip's outlines that are as wrong as those told from its index: right there, loose afar."""
LEAST_INDEXED = 60
"""Height of the smallest cards whose indices are looked for, pixels."""
PARTS = 0.2
"""Chance of a crop of a part of a card, beside those of the whole ones."""
MOST_OF_ONE = 4
"""Most cards of one picture of which crops are cut: a fan would fill the batch."""
CUTS = 2
"""Crops cut of each card, with different errors of the corners: a picture costs more than a crop."""
OUTLINES = 4
"""Outlines of each card for the refiner, for the same reason."""


def locator_target(
    truth: Sequence[CardTruth], size: tuple[int, int], *, stride: int = 8
) -> NDArray[np.float32]:
    """What the locator should answer, (10, H/8, W/8): its nine channels, then the weight.

    Cards of which little shows have no peak, and what shows is not punished; nor are peaks on
    cards larger than the locator is to find, but on their pips and pictures they are.
    """
    w, h = size[0] // stride, size[1] // stride
    target = np.zeros((10, h, w), np.float32)
    for card in truth:
        if card.visible <= 0.03:
            continue
        wide, tall = _sides(card.corners)
        sigma = max(0.7, 0.11 / stride * float(np.sqrt(wide * tall * min(1.0, card.visible + 0.2))))
        bump = _bump(card.spot / stride, sigma, (w, h))
        if not _shows(card, 0.15) or tall > (LARGEST_STRIP if card.visible < NARROW else LARGEST):
            target[9][bump > 0.3] = -1
            continue
        _tell(target, bump, card.corners / stride, stride)
    return target


def index_target(
    truth: Sequence[CardTruth], size: tuple[int, int], *, stride: int = 8
) -> NDArray[np.float32]:
    """What the index locator should answer, as `locator_target`, with a peak at each index that shows.

    An index that is partly covered has no peak and is not punished, nor is one of a card too small to
    read it, or larger than `LARGEST_STRIP`.
    """
    w, h = size[0] // stride, size[1] // stride
    target = np.zeros((10, h, w), np.float32)
    for card in truth:
        wide, tall = _sides(card.corners)
        for spot, shown in zip(ends(card.corners), card.indices, strict=True):
            if card.mark == BACK or shown < 0.2 or not ((spot >= 0) & (spot < size)).all():
                continue
            bump = _bump(spot / stride, max(0.7, 0.04 / stride * float(np.sqrt(wide * tall))), (w, h))
            if shown < 0.7 or not LEAST_INDEXED < tall <= LARGEST_STRIP:
                target[9][bump > 0.3] = -1
            else:
                _tell(target, bump, card.corners / stride, stride)
    return target


def _sides(corners: NDArray[np.float32]) -> tuple[float, float]:
    """Width and height of a card."""
    return float(np.linalg.norm(corners[0] - corners[1])), float(np.linalg.norm(corners[1] - corners[2]))


def _bump(spot: NDArray[np.floating], sigma: float, size: tuple[int, int]) -> NDArray[np.float32]:
    """The heat of a peak at `spot`, in cells of a grid of `size`; the peak's cell itself counts as one."""
    w, h = size
    ys, xs = np.mgrid[0:h, 0:w].astype(np.float32) + 0.5
    x, y = np.clip(np.floor(spot), 0, [w - 1, h - 1]) + 0.5
    return np.asarray(np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * sigma**2)), np.float32)


def _tell(
    target: NDArray[np.float32], bump: NDArray[np.float32], c: NDArray[np.floating], stride: int
) -> None:
    """Put a peak into a target, and the outline `c`, in cells, where no other peak is higher."""
    centre = c.mean(axis=0)
    long_axis = (c[0] + c[1] - c[2] - c[3]) / 4
    short_axis = (c[1] + c[2] - c[0] - c[3]) / 4
    ys, xs = np.mgrid[0 : bump.shape[0], 0 : bump.shape[1]].astype(np.float32) + 0.5
    mine = bump > np.maximum(target[0], 0.2)
    target[0] = np.maximum(target[0], bump)
    target[1][mine] = centre[0] - xs[mine]
    target[2][mine] = centre[1] - ys[mine]
    for channel, axis in ((3, long_axis), (6, short_axis)):
        length = max(1e-3, float(np.linalg.norm(axis)))
        double = 2 * np.arctan2(axis[1], axis[0])
        target[channel][mine] = np.log(length * stride / 32)
        target[channel + 1][mine] = np.cos(double)
        target[channel + 2][mine] = np.sin(double)
    target[9][mine] = bump[mine]


def _shows(card: CardTruth, least: float) -> bool:
    """Whether a person could name it: so much of it can be seen, or a strip with its index."""
    return card.visible >= least or (card.index >= 0.9 and card.visible >= STRIP)


def _is_strip(card: CardTruth) -> bool:
    """Whether it lies in a fan, with so much of an index that its name can be told."""
    return card.index >= 0.7 and card.visible >= 0.05


def worker_rng(seed: int) -> np.random.Generator:
    """Of the process that draws: each draws others."""
    info = get_worker_info()
    return np.random.default_rng([seed, info.id if info is not None else 0])


class TableSet(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """Endless (picture (3, H, W) uint8, target (10, H/8, W/8)) for the locator."""

    def __init__(
        self,
        packs: Sequence[Pack],
        seed: int,
        size: tuple[int, int] = (256, 256),
        letters: Letters | None = None,
    ) -> None:
        self.packs, self.seed, self.size, self.letters = packs, seed, size, letters

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        cv2.setNumThreads(0)
        rng = worker_rng(self.seed)
        tables = Tables(self.packs, rng, size=self.size, card_px=(24, 190), letters=self.letters)
        while True:
            lot = rng.random()
            fanned = lot < CLOSE_FANS
            close = CLOSE_FANS <= lot < CLOSE_FANS + CLOSE_UPS
            tables.card_px = (100, LARGEST_STRIP) if fanned else (190, 700) if close else (24, 190)
            sample = tables.sample(fanned=fanned)
            picture = torch.from_numpy(np.ascontiguousarray(sample.picture.transpose(2, 0, 1)))
            yield picture, torch.from_numpy(locator_target(sample.truth, self.size))


class IndexSet(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """Endless (picture (3, H, W) uint8, target (10, H/8, W/8)) for the index locator."""

    def __init__(
        self,
        packs: Sequence[Pack],
        seed: int,
        size: tuple[int, int] = (256, 256),
        letters: Letters | None = None,
    ) -> None:
        self.packs, self.seed, self.size, self.letters = packs, seed, size, letters

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        cv2.setNumThreads(0)
        rng = worker_rng(self.seed)
        tables = Tables(self.packs, rng, size=self.size, card_px=(48, LARGEST_STRIP), letters=self.letters)
        while True:
            sample = tables.sample(fanned=rng.random() < FANS)
            picture = torch.from_numpy(np.ascontiguousarray(sample.picture.transpose(2, 0, 1)))
            yield picture, torch.from_numpy(index_target(sample.truth, self.size))


def _turned(corners: NDArray[np.float32], rng: np.random.Generator) -> NDArray[np.float32]:
    """Corners, or those of the card turned by 180 degrees, which no outline tells from it."""
    return corners if rng.random() < 0.5 else np.roll(corners, 2, axis=0)


def loosened(
    true: NDArray[np.float32],
    spread: float,
    rng: np.random.Generator,
    *,
    about: NDArray[np.floating] | None = None,
) -> NDArray[np.float32]:
    """An outline as a network may find it: pushed, turned, stretched by `spread` of its long side.

    Args:
        true: (4, 2) pixels.
        spread: Standard deviation of each error, a share.
        rng: Decides.
        about: The point at which it is nearly right, pixels; the card's centre without, where it may be
            pushed as far as it is stretched.
    """
    side = float(np.linalg.norm(true[1] - true[2]))
    centre = true.mean(axis=0)
    corners = true - centre
    if rng.random() < 0.5:
        # the locator knows parallelograms alone
        corners = (corners - np.roll(corners, 2, axis=0)) / 2
    turn = rng.normal(0, 1.5 * spread)
    turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    axes = np.stack([corners[1] - corners[0], corners[2] - corners[1]])
    stretched = np.linalg.inv(axes) @ np.diag(1 + rng.normal(0, spread, 2)) @ axes @ turned
    pivot = np.zeros(2) if about is None else about - centre
    loose = 0.8 if about is None else 0.2
    push = rng.normal(0, spread * loose, 2) * side + rng.normal(0, spread * 0.3, (4, 2)) * side
    return np.asarray((corners - pivot) @ stretched + pivot + centre + push, np.float32)


def to_tensor(crop: NDArray[np.uint8]) -> torch.Tensor:
    """(H, W, 3) to (3, H, W), both uint8."""
    return torch.from_numpy(np.ascontiguousarray(crop.transpose(2, 0, 1)))


class DrawnSet(IterableDataset[tuple[torch.Tensor, torch.Tensor]]):
    """What is cut out of drawn tables without end.

    Args:
        packs: To draw from.
        seed: Decides, with the process that draws.
        letters: For training, as of `Tables`.
    """

    def __init__(self, packs: Sequence[Pack], seed: int, letters: Letters | None = None) -> None:
        self.packs, self.seed, self.letters = packs, seed, letters


class OutlineSet(DrawnSet):
    """Endless (crop (3, 128, 96) uint8, corner shifts (8,)) for the refiner.

    Crops are cut with outlines as loose as the locator's, or mended once; the shifts lead to the
    true ones.
    """

    def __iter__(self) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
        cv2.setNumThreads(0)
        rng = worker_rng(self.seed)
        tables = Tables(self.packs, rng, size=(400, 320), card_px=(44, 250), letters=self.letters)
        while True:
            sample = tables.sample(fanned=rng.random() < FANNED_OUTLINES)
            shown = [card for card in sample.truth if mends(card) and _reaches_in(card, (400, 320))]
            for number in rng.permutation(len(shown))[:MOST_OF_ONE]:
                card = shown[number]
                for _ in range(OUTLINES):
                    true = _turned(card.corners, rng)
                    wrong = loose_outline(card, true, rng)
                    shifts = AROUND.shifts(wrong, true).reshape(8)
                    yield to_tensor(rectify(sample.picture, wrong, AROUND)), torch.from_numpy(shifts)


def mends(card: CardTruth) -> bool:
    """Whether so much of a card shows that its outline can be mended: as little as an index of a fan."""
    return card.visible >= 0.2 or _is_strip(card)


def loose_outline(
    card: CardTruth, true: NDArray[np.float32], rng: np.random.Generator
) -> NDArray[np.float32]:
    """An outline of a card as a locator may find it.

    Args:
        card: What shows of it decides: of a strip an index tells where it is, and little else.
        true: (4, 2) float32 pixels, its corners, from either end.
        rng: Decides.

    Returns:
        (4, 2) float32 pixels, corner by corner beside `true`.
    """
    strip = card.visible < NARROW
    if strip and card.index >= 0.7 and rng.random() < BY_INDEX:
        spread = float(rng.choice([0.012, 0.03, 0.06], p=[0.35, 0.4, 0.25]))
        spot = ends(card.corners)[int(np.argmax(card.indices))]
        return loosened(true, spread, rng, about=spot)
    # of what is covered the locator may take a part for the whole
    spread = float(rng.choice([0.01, 0.03, 0.055, 0.09, 0.15], p=[0.28, 0.28, 0.22, 0.14, 0.08]))
    return loosened(true, min(spread, 0.03) if strip else spread, rng)


def _reaches_in(card: CardTruth, size: tuple[int, int]) -> bool:
    """Whether two corners at least lie in the picture, or nearly."""
    return bool(((card.corners > -8) & (card.corners < np.array(size) + 8)).all(axis=1).sum() >= 2)


_Crop = tuple[torch.Tensor, torch.Tensor]


class CropSet(DrawnSet):
    """Endless (crop (3, 144, 96) uint8, class) for the classifier.

    Crops are cut with corners as wrong as the refiner's. Crops of the bare table and of things are
    `unknown`.
    """

    def __iter__(self) -> Iterator[_Crop]:
        cv2.setNumThreads(0)
        rng = worker_rng(self.seed)
        tables = Tables(self.packs, rng, size=(400, 320), card_px=(48, 260), letters=self.letters)
        while True:
            sample = tables.sample(fanned=rng.random() < FANNED_CROPS)
            order = rng.permutation(len(sample.truth))
            left = MOST_OF_ONE
            for card in (sample.truth[number] for number in order):
                if (
                    left == 0
                    or not (_shows(card, 0.3) or _is_strip(card))
                    or not _reaches_in(card, (400, 320))
                ):
                    continue
                left -= 1
                if card.mark == BACK and rng.random() < 0.5:
                    continue
                for _ in range(CUTS):
                    yield self._crop(sample.picture, card, rng)
            if rng.random() < 0.6:
                yield self._nothing(sample, rng)
            # a part of a back may be a back, and the sign of an ace an ace that lost its index
            whole = [
                card
                for card in sample.truth
                if card.visible > 0.8 and card.mark != BACK and card.name[0] != "A"
            ]
            if whole and rng.random() < PARTS:
                yield self._part(sample.picture, whole[int(rng.integers(len(whole)))], rng)

    @staticmethod
    def _crop(picture: NDArray[np.uint8], card: CardTruth, rng: np.random.Generator) -> _Crop:
        # now and then as wrong as a refiner that was misled by what covers the card
        spread = float(rng.choice([0.006, 0.02, 0.05], p=[0.5, 0.35, 0.15]))
        # a strip's is right at its index and nowhere else; without one its crop shows the neighbour's
        about = ends(card.corners)[int(np.argmax(card.indices))] if card.visible < 0.3 else None
        wrong = loosened(_turned(card.corners, rng), spread, rng, about=about)
        return to_tensor(rectify(picture, wrong)), torch.tensor(card.mark)

    @staticmethod
    def _part(picture: NDArray[np.uint8], card: CardTruth, rng: np.random.Generator) -> _Crop:
        """A pip, a head, a corner of a large card, which is no card of its own."""
        size = rng.uniform(0.2, 0.5)
        unit = np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]) * size
        if rng.random() < 0.25:
            unit = unit[[1, 2, 3, 0]]
        within = (0.5 + rng.uniform(-0.5, 0.5, 2) * (1 - size) + unit).astype(np.float32)
        frame = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
        matrix = cv2.getPerspectiveTransform(frame, card.corners)
        crop = rectify(picture, cv2.perspectiveTransform(within[None], matrix)[0])
        return to_tensor(crop), torch.tensor(UNKNOWN)

    @staticmethod
    def _nothing(sample: Sample, rng: np.random.Generator) -> _Crop:
        h, w = sample.picture.shape[:2]
        for _ in range(10):
            side = float(rng.uniform(40, 240))
            centre, turn = rng.uniform([0, 0], [w, h]), float(rng.uniform(0, 180))
            if sample.others and rng.random() < 0.7:
                other = sample.others[int(rng.integers(len(sample.others)))]
                centre = other[:2] + rng.normal(0, 8, 2)
                if rng.random() < 0.6:
                    # what is taken for a card has an edge or lines along one
                    turn = float(other[2] + rng.normal(0, 3))
            if all(
                np.linalg.norm(card.corners.mean(axis=0) - centre) > side * 0.6 + 30 for card in sample.truth
            ):
                break
        else:
            side, centre = 20.0, np.array([10.0, 10.0])
        sides = (side / 1.5, side) if rng.random() < 0.5 else (side, side / 1.5)
        box = cv2.boxPoints((centre.tolist(), sides, turn)).astype(np.float32)
        if np.linalg.norm(box[0] - box[1]) > np.linalg.norm(box[1] - box[2]):
            box = np.roll(box, 1, axis=0)
        return to_tensor(rectify(sample.picture, box)), torch.tensor(UNKNOWN)
