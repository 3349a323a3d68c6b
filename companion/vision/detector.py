"""Frame to detections: locate, mend the corners, cut out, name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import UNKNOWN, Detection
from companion.table.quad import area, covered, is_in_view, overlap
from companion.vision.classify import Classified, Classifier
from companion.vision.deck import Deck
from companion.vision.enrolment import EnrolledClassifier, Namer
from companion.vision.locate import LONG_SIDE, Located, Locator, one_spot
from companion.vision.rectify import rectify
from companion.vision.refine import Refiner

__all__ = ["PHOTO_SIDES", "CardDetector"]

PHOTO_SIDES = (LONG_SIDE, LONG_SIDE // 2, LONG_SIDE // 4)
"""Sizes at which a photo is looked at, for cards from small to larger than the picture's half."""
SURE = 0.8
"""A card named with less than this is looked at more closely."""
CLOSER_LOOKS = 3
"""Most closer looks in one picture."""
CLOSER_SIDE = 320
_SAME_CLOSER = 0.35
"""Least overlap of a closer look's outline with the one it is to replace."""
_SAME = 0.6
"""Outlines that overlap more than this, once mended, are one card."""
_PART = 0.5
_INSIDE = 0.85
"""An outline of less than `_PART` of another's area, of which `_INSIDE` lies in it, is no second card."""
_HARDLY = 0.4
"""Outlines with less heat than this are seldom of a card, whatever name they are given."""
_NO_CARD = 0.45
"""Weak outlines that the classifier calls unknown with less heat than this are no cards."""


class CardDetector:
    """The three networks together.

    Args:
        models: Folder of the networks and their cards.
        threads: Of each network.
        sides: As of `Locator.locate`: one look for a table under a camera, `PHOTO_SIDES`
            for photos, in which a card may be of any size.
        deck: The pack on the table, where it was enrolled.
    """

    def __init__(
        self,
        models: Path,
        threads: int = 1,
        *,
        sides: tuple[int, ...] = (LONG_SIDE,),
        deck: Deck | None = None,
    ) -> None:
        self.sides = sides
        self.locator = Locator(models, threads=threads)
        self.refiner = Refiner(models, threads=threads)
        classifier = Classifier(models, threads=threads)
        self.classifier: Namer = classifier if deck is None else EnrolledClassifier(classifier, deck)

    def detect(self, bgr: NDArray[np.uint8], time: float = 0.0) -> tuple[Detection, ...]:
        """Find and name the cards of a picture.

        Args:
            bgr: (H, W, 3) uint8.
            time: Goes into the detections.

        Returns:
            Surest name first.
        """
        located = [
            each for each in self.locator.locate(bgr, self.sides) if is_in_view(each.corners, bgr.shape)
        ]
        named = self._looked_closer(bgr, self.named(bgr, self.refined(bgr, located)))
        found = [
            Detection(outline.corners, answer.probs, outline.score, time)
            for outline, answer in _distinct(named)
        ]
        cards = _unnested(found, one_size=len(self.sides) == 1)
        return tuple(sorted(cards, key=lambda each: -each.confidence))

    def _looked_closer(
        self, bgr: NDArray[np.uint8], named: list[tuple[Located, Classified]]
    ) -> list[tuple[Located, Classified]]:
        """Locate cards whose name is in doubt once more, in a window around each, and name them again.

        What covers half of a card misleads the locator about its turn when the card is small in
        the picture; a closer look has more to go by.
        """
        doubtful = [
            number
            for number, (_, answer) in enumerate(named)
            if float(answer.probs.max()) < SURE or int(answer.probs.argmax()) == UNKNOWN
        ]
        better: dict[int, Located] = {}
        for number in doubtful[:CLOSER_LOOKS]:
            outline = named[number][0]
            window, origin = _window(bgr, outline.corners)
            same = [
                (
                    overlap(moved, outline.corners),
                    Located(moved, max(each.score, outline.score), outline.spot),
                )
                for each in self.locator.locate(window, (CLOSER_SIDE,))
                if is_in_view(moved := each.corners + origin, bgr.shape)
            ]
            closest = max(same, key=lambda pair: pair[0], default=None)
            if closest is not None and closest[0] > _SAME_CLOSER:
                better[number] = closest[1]
        again = self.named(bgr, self.refined(bgr, list(better.values())))
        for number, pair in zip(better, again, strict=True):
            named[number] = pair
        return named

    def refined(self, bgr: NDArray[np.uint8], located: list[Located]) -> list[Located]:
        """The same cards with their corners mended."""
        corners = self.refiner.refine(bgr, [each.corners for each in located])
        return [replace(each, corners=mended) for each, mended in zip(located, corners, strict=True)]

    def named(self, bgr: NDArray[np.uint8], outlines: list[Located]) -> list[tuple[Located, Classified]]:
        """Each outline with the name of what lies in it."""
        answers = self.classifier.classify([rectify(bgr, each.corners) for each in outlines])
        return list(zip(outlines, answers, strict=True))


def _distinct(named: list[tuple[Located, Classified]]) -> list[tuple[Located, Classified]]:
    """Of outlines of one card only the surest, and none of what is hardly a card.

    Two cards that cover each other but for a strip have outlines as near as two of one card; they are two
    if they are seen at different spots and surely have different names.
    """
    kept: list[tuple[Located, Classified]] = []
    for outline, answer in sorted(named, key=lambda pair: -pair[0].score):
        best = int(answer.probs.argmax())
        if outline.score < (_NO_CARD if best == UNKNOWN else _HARDLY):
            continue
        for other, known in kept:
            if overlap(outline.corners, other.corners) > _SAME and (
                one_spot(outline, other)
                or best == int(known.probs.argmax())
                or float(min(answer.probs.max(), known.probs.max())) < SURE
            ):
                break
        else:
            kept.append((outline, answer))
    return kept


def _unnested(found: list[Detection], *, one_size: bool) -> list[Detection]:
    """Of an outline that lies inside a much larger one, and the larger one, keep what is surer.

    The smaller one is a part of a card, a picture on it, or the larger one is several cards
    taken for one.

    Args:
        found: Detections that do not repeat each other.
        one_size: All cards are of about one size, as on a table. Then what is no card of the pack, a
            mat or a part of a picture, never drives out a card; in a close-up it may be a card whose
            single pips look like aces.
    """
    kept: list[Detection] = []
    for each in sorted(
        found, key=lambda one: (one_size and one.best == UNKNOWN, -one.score * one.confidence)
    ):
        if all(not _inside(each, other) and not _inside(other, each) for other in kept):
            kept.append(each)
    return kept


def _inside(small: Detection, large: Detection) -> bool:
    return (
        area(small.corners) < _PART * area(large.corners) and covered(small.corners, large.corners) > _INSIDE
    )


def _window(
    bgr: NDArray[np.uint8], corners: NDArray[np.float32]
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """A square part of the picture around a card, nearly three card heights wide, and its origin."""
    side = float(np.linalg.norm(corners[1] - corners[2])) * 2.8
    centre = corners.mean(axis=0)
    x0, y0 = np.maximum(0, centre - side / 2).astype(int)
    x1, y1 = np.minimum([bgr.shape[1], bgr.shape[0]], centre + side / 2).astype(int)
    part = bgr[y0 : max(y1, y0 + 8), x0 : max(x1, x0 + 8)]
    return part, np.array([x0, y0], np.float32)
