"""Training data of the index reader: the corners of cards that lie in fans and elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from companion.synth.scene import CardTruth
from companion.table.detection import BACK, UNKNOWN
from companion.training.dataset import DrawnSet, loosened, to_tensor, worker_rng
from companion.training.tables import Sample, Tables
from companion.vision.glyph import GLYPH, ends, glyph_area
from companion.vision.rectify import rectify

__all__ = ["GlyphSet"]

SIZE = (400, 320)
"""Width and height of the tables, pixels."""
TALL = (72, 420)
"""Smallest and largest cards, pixels high."""
FANS = 0.5
"""Share of the tables on which all cards lie in fans."""
MOST = 14
"""Most indices of one table."""
CUTS = 2
"""Crops of each index, with different errors of the outline: a table costs more than a crop."""
ELSEWHERE = 0.12
"""Crops of what is no index, a share."""
APART = 0.25
"""How far from every index they are at least, in widths of a card."""
_SHOWN = 0.7
"""Least share of an index that can be read."""
_SPREADS, _OFTEN = (0.01, 0.025, 0.05), (0.35, 0.4, 0.25)
"""Errors of outlines in shares of the card's long side, and how often each."""
_PUSHES = (0.01, 0.03, 0.06)
"""And how far it is pushed aside, in shares of the card's width: as far as it is found, mended or not."""

_Crop = tuple[torch.Tensor, torch.Tensor]


class GlyphSet(DrawnSet):
    """Endless (crop (3, 72, 48) uint8, class) for the index reader.

    Crops are cut by outlines that are right near their index and loose afar, as the index locator finds them.
    Pips, parts of pictures, the table and things on it are `unknown`.
    """

    def __iter__(self) -> Iterator[_Crop]:
        cv2.setNumThreads(0)
        rng = worker_rng(self.seed)
        tables = Tables(self.packs, rng, size=SIZE, card_px=TALL, letters=self.letters)
        while True:
            sample = tables.sample(fanned=rng.random() < FANS)
            shown = [
                (card, spot)
                for card in sample.truth
                for spot, share in zip(ends(card.corners), card.indices, strict=True)
                if share >= _SHOWN and card.mark != BACK and ((spot >= 0) & (spot < SIZE)).all()
            ]
            for number in rng.permutation(len(shown))[:MOST]:
                card, spot = shown[number]
                for _ in range(CUTS):
                    yield self._crop(sample.picture, card.corners, spot, card.mark, rng)
                if rng.random() < CUTS * ELSEWHERE:
                    other = self._elsewhere(sample, card, rng)
                    if other is not None:
                        yield other

    @staticmethod
    def _crop(
        picture: NDArray[np.uint8],
        corners: NDArray[np.float32],
        spot: NDArray[np.floating],
        mark: int,
        rng: np.random.Generator,
    ) -> _Crop:
        outline = loosened(corners, float(rng.choice(_SPREADS, p=_OFTEN)), rng, about=spot)
        wide = float(np.linalg.norm(corners[0] - corners[1]))
        pushed = spot + rng.normal(0, float(rng.choice(_PUSHES, p=_OFTEN)), 2) * wide
        return to_tensor(rectify(picture, glyph_area(outline, pushed), GLYPH)), torch.tensor(mark)

    @classmethod
    def _elsewhere(cls, sample: Sample, card: CardTruth, rng: np.random.Generator) -> _Crop | None:
        """A crop as of an index, of a card's size, around a point that is near no index.

        None where there is hardly any.
        """
        wide = float(np.linalg.norm(card.corners[0] - card.corners[1]))
        known = np.concatenate([ends(other.corners) for other in sample.truth])
        # one half on the card itself, where its pips and its picture are
        spread = wide * (0.35 if rng.random() < 0.5 else 2.0)
        for _ in range(20):
            to = card.corners.mean(axis=0) + rng.normal(0, spread, 2)
            inside = bool(((to >= 0) & (to < SIZE)).all())
            if inside and np.linalg.norm(known - to, axis=1).min() > APART * wide:
                break
        else:
            return None
        turn = float(rng.choice([0.0, np.pi, rng.uniform(0, 2 * np.pi)]))
        turned = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
        moved = ((card.corners - card.corners.mean(axis=0)) @ turned).astype(np.float32)
        moved += to.astype(np.float32) - ends(moved)[0]
        return cls._crop(sample.picture, moved, to, UNKNOWN, rng)
