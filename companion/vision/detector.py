"""Frame to detections: locate, mend the corners, cut out, name; in photos also by the index."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, UNKNOWN, Detection
from companion.table.quad import area, covered, is_in_view, overlap
from companion.vision.classify import Classifier, pooled
from companion.vision.deck import Deck
from companion.vision.enrolment import EnrolledClassifier, Namer
from companion.vision.glyph import GlyphReader, ends
from companion.vision.locate import LONG_SIDE, ONE_INDEX, Located, Locator, one_spot
from companion.vision.rectify import rectify
from companion.vision.refine import Refiner

__all__ = ["PHOTO_SIDES", "CardDetector", "Named"]

PHOTO_SIDES = (LONG_SIDE, LONG_SIDE // 2, LONG_SIDE // 4)
"""Sizes at which a photo is looked at, for cards from small to larger than the picture's half."""
INDEX_SIDES = (LONG_SIDE, LONG_SIDE * 3 // 2)
"""Sizes at which a photo is looked at for indices: they are small, and in a fan close together."""
SURE_OF_INDEX, SURE_OF_INDEX_ALONE = 0.7, 0.8
"""Least sureness of the name of a card that only its index tells of, in a fan and elsewhere."""
_FAN = 4
"""Cards that lie on each other, each surely named, from which on they are a fan."""
CERTAIN = 0.95
"""A card named with less than this is cut out and read again, with its outline pushed a little. One that is
named for certain needs less heat of its outline."""
_PUSH = 0.02
"""How far, in shares of the card: about as far as outlines are wrong."""
_PUSHES = 4
SURE = 0.8
"""A card named with less than this is looked at more closely."""
CLOSER_LOOKS = 3
"""Most closer looks in one picture."""
CLOSER_SIDE = 320
_SAME_CLOSER = 0.35
"""Least overlap of a closer look's outline with the one it is to replace."""
_SAME = 0.6
"""Outlines that overlap more than this, once mended, are one card."""
_PART = 0.6
_INSIDE = 0.85
"""An outline of less than `_PART` of another's area, of which `_INSIDE` lies in it, is no second card."""
_PIP = 0.2
"""Least share of an outline's area of what lies in it and may be a card all the same: a pip is smaller."""
_UNDECIDED = 2.0
"""Of an outline whose likeliest name is less than so many times as likely as the name that its index has, the
index decides."""
_HARDLY = 0.4
"""Outlines with less heat than this are seldom of a card, unless what lies in them is named for certain."""
_NAMELESS, _OUTLINED = 0.35, 0.6
"""What has no likelier name than the first, in an outline of less heat than the second, is no card: half of a
score sheet looks a little like each."""
_NO_CARD = 0.45
"""Outlines with less heat than this are no cards if the classifier calls them unknown, or if they are said
to show the face of a card that they share a part with."""
_BELIEVED = 8.0
"""In a photo least odds of a face's name, times the odds of its outline squared: a part of some thing that
looks a little like a card also looks a little like an ace. Chosen on drawn photos (docs/trainings.md), the
exponent with real photos in view."""

_BACK_LIES, _BACK_LIES_BY_HEAT = -5.82, 11.0
"""In a photo the log odds that what looks like a back is a card, and what they gain with the outline's heat,
0 to 1: fitted to the backs told in drawn photos (docs/trainings.md)."""

Probs = NDArray[np.float32]
"""(26,), probabilities in the order of `CLASSES`."""
Named = tuple[Located, Probs]


class CardDetector:
    """The networks together.

    Args:
        models: Folder of the networks and their cards.
        threads: Of each network.
        sides: As of `Locator.locate`: one look for a table under a camera, `PHOTO_SIDES`
            for photos, in which a card may be of any size.
        by_index: Whether cards are also looked for by their indices, as photos of fans want it.
        deck: The pack on the table, where it was enrolled.
    """

    def __init__(
        self,
        models: Path,
        threads: int = 1,
        *,
        sides: tuple[int, ...] = (LONG_SIDE,),
        by_index: bool = False,
        deck: Deck | None = None,
    ) -> None:
        self.sides = sides
        self.locator = Locator(models, threads=threads)
        self.indices = Locator(models, "card-index", threads=threads) if by_index else None
        # a pack that was enrolled has signs of its own
        self.glyphs = GlyphReader(models, threads=threads) if by_index and deck is None else None
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
        one_size = len(self.sides) == 1
        named = self._read_again(bgr, named)
        named = _distinct(named if one_size else [_doubted(pair) for pair in named], one_size=one_size)
        if self.indices is not None:
            named = _with_indices([pair for pair in named if _believed(pair)], self._indexed(bgr))
        found = [Detection(outline.corners, probs, outline.score, time) for outline, probs in named]
        cards = _unnested(found, one_size=one_size)
        return tuple(sorted(cards, key=lambda each: -each.confidence))

    def _looked_closer(self, bgr: NDArray[np.uint8], named: list[Named]) -> list[Named]:
        """Locate cards whose name is in doubt once more, in a window around each, and name them again.

        What covers half of a card misleads the locator about its turn when the card is small in
        the picture; a closer look has more to go by.
        """
        doubtful = [
            number
            for number, (_, probs) in enumerate(named)
            if float(probs.max()) < SURE or int(probs.argmax()) == UNKNOWN
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

    def _indexed(self, bgr: NDArray[np.uint8]) -> list[Named]:
        """Faces that are told by an index, most of them known already.

        Of a card in a fan a strip shows, and an outline that is a little wrong shows its neighbours. So each
        is read by its index alone, too, cut out as large and turned as the outline is that was found, and as
        the mended one is.
        """
        if self.indices is None:
            return []
        found = [
            each for each in self.indices.locate(bgr, INDEX_SIDES) if is_in_view(each.corners, bgr.shape)
        ]
        mended = self.refined(bgr, found)
        looks = [self._looks_at_strips(bgr, mended)]
        if self.glyphs is None:
            looks.append(self._looks_at_strips(bgr, found))
        else:
            looks += [self.glyphs.read(bgr, outlines) for outlines in (found, mended)]
        named = [(outline, pooled(of_one)) for outline, *of_one in zip(mended, *looks, strict=True)]
        return [pair for pair in named if int(pair[1].argmax()) < BACK and _sureness(pair) >= SURE_OF_INDEX]

    def refined(self, bgr: NDArray[np.uint8], located: list[Located]) -> list[Located]:
        """The same cards with their corners mended."""
        corners = self.refiner.refine(bgr, [each.corners for each in located])
        return [replace(each, corners=mended) for each, mended in zip(located, corners, strict=True)]

    def named(self, bgr: NDArray[np.uint8], outlines: list[Located]) -> list[Named]:
        """Each outline with the name of what lies in it."""
        return list(zip(outlines, self._looks(bgr, [each.corners for each in outlines]), strict=True))

    def _looks(self, bgr: NDArray[np.uint8], quads: Sequence[NDArray[np.float32]]) -> list[Probs]:
        return [answer.probs for answer in self.classifier.classify([rectify(bgr, quad) for quad in quads])]

    def _looks_at_strips(self, bgr: NDArray[np.uint8], outlines: list[Located]) -> list[Probs]:
        return [_of_strip(probs) for probs in self._looks(bgr, [each.corners for each in outlines])]

    def _read_again(self, bgr: NDArray[np.uint8], named: list[Named]) -> list[Named]:
        """Pool what is not certain with what four more crops say, their outlines pushed a little.

        A name that a small error of the outline would change was not known.
        """
        doubtful = [n for n, (_, probs) in enumerate(named) if float(probs.max()) < CERTAIN]
        looks = self._looks(bgr, [quad for number in doubtful for quad in _pushed(named[number][0].corners)])
        for turn, number in enumerate(doubtful):
            outline, probs = named[number]
            named[number] = (outline, pooled([probs, *looks[turn * _PUSHES : (turn + 1) * _PUSHES]]))
        return named


def _of_strip(probs: Probs) -> Probs:
    """What a crop of a strip tells of faces: that it looks like none says nothing, its neighbours show."""
    told = probs.copy()
    told[UNKNOWN] = 0
    told += probs[UNKNOWN] / len(probs)
    return told


def _pushed(corners: NDArray[np.float32]) -> list[NDArray[np.float32]]:
    """An outline pushed to each of its sides, twice of four times begun at the card's other end."""
    across, along = _PUSH * (corners[1] - corners[0]), _PUSH * (corners[3] - corners[0])
    other = np.roll(corners, 2, axis=0)
    return [corners + along, corners - along, other + across, other - across]


def _doubted(pair: Named) -> Named:
    """An outline of a photo whose back is as likely as that a card lies there at all.

    The classifier tells what a crop shows if it shows a card. A sheet, a bag or a piece of the table looks
    like a back for certain, and in three sizes there are many of them; it hardly ever looks like a face.
    """
    outline, probs = pair
    lies = 1 / (1 + np.exp(-(_BACK_LIES + _BACK_LIES_BY_HEAT * outline.score)))
    doubted = probs.copy()
    doubted[BACK] *= lies
    doubted[UNKNOWN] += probs[BACK] - doubted[BACK]
    return outline, doubted


def _distinct(named: list[Named], *, one_size: bool) -> list[Named]:
    """Of outlines of one card only the surest, and none of what is hardly a card.

    Two cards that cover each other but for a strip have outlines as near as two of one card; they are two if
    they are seen at different spots and surely have different names. A pack holds each face once: what shares
    a part with a card that is said to show the same face, and has little heat, is no second one. With more
    heat it may be another card that is misread, and who decides what happened is to know of it.

    Args:
        named: What was found.
        one_size: As of `_unnested`. Otherwise a card was looked at in several sizes, and its surest outline
            is the one that can be read: its heat counts for as much as its name is sure.
    """
    kept: list[Named] = []
    for pair in sorted(named, key=lambda pair: -pair[0].score * (1.0 if one_size else _sureness(pair))):
        if not _is_faint(pair) and not any(_one_card(pair, other) for other in kept):
            kept.append(pair)
    return kept


def _one_card(one: Named, other: Named) -> bool:
    """Whether two outlines are of one card; the second is the surer one."""
    if one[0].score < _NO_CARD and _one_face(one, other):
        return True
    return overlap(one[0].corners, other[0].corners) > _SAME and (
        one_spot(one[0], other[0])
        or int(one[1].argmax()) == int(other[1].argmax())
        or min(_sureness(one), _sureness(other)) < SURE
    )


def _is_faint(pair: Named) -> bool:
    """Whether an outline has too little heat for what it is said to be."""
    heat, sureness = pair[0].score, _sureness(pair)
    if int(pair[1].argmax()) == UNKNOWN:
        return heat < _NO_CARD
    if sureness < _NAMELESS:
        return heat < _OUTLINED
    return heat < _HARDLY and sureness < CERTAIN


def _with_indices(cards: list[Named], faces: list[Named]) -> list[Named]:
    """The cards, and of the faces told by an index those that are not among them, the surest first.

    One index is one card: where an outline that is known has its own there, or lies there and has the same
    name, the surer one stands. One of the same name keeps its outline, which was found by more of the card.
    A face of another name stands, too, unless it was named in doubt between the two: more of it was read.
    Outside a fan an index must be surer: there the locator sees what there is.
    """
    known, more = list(cards), list[Named]()
    for pair in sorted(faces, key=lambda pair: -_sureness(pair)):
        around = [other for other in (*cards, *faces) if _overlaps(pair, other)]
        fan = _apart([other for other in around if _sureness(other) >= SURE_OF_INDEX_ALONE])
        if _sureness(pair) < (SURE_OF_INDEX if fan >= _FAN else SURE_OF_INDEX_ALONE):
            continue
        if any(_one_face(pair, other) or one_spot(pair[0], other[0], ONE_INDEX) for other in more):
            continue
        against = [other for other in known if _one_face(pair, other) or _contradicts(pair, other)]
        if all(_yields(other, pair) for other in against):
            known = [other for other in known if other not in against]
            same = [other[0] for other in against if _one_face(pair, other)]
            more.append((replace(same[0], spot=pair[0].spot) if same else pair[0], pair[1]))
    return [*known, *more]


def _yields(known: Named, indexed: Named) -> bool:
    """Whether the name of an outline gives way to what its index is read as."""
    if _sureness(known) >= _sureness(indexed):
        return False
    probs, name = known[1], int(indexed[1].argmax())
    return int(probs.argmax()) >= BACK or float(probs.max()) < _UNDECIDED * float(probs[name])


def _apart(pairs: list[Named]) -> int:
    """How many cards outlines are of, as far as their spots tell."""
    spots: list[Located] = []
    for outline, _ in pairs:
        if not any(one_spot(outline, other, ONE_INDEX) for other in spots):
            spots.append(outline)
    return len(spots)


def _believed(pair: Named) -> bool:
    """Whether what was found in a photo is likely enough to be the card whose face it is said to show."""
    outline, probs = pair
    faint = (1 - outline.score) ** 2 * float(1 - probs.max())
    return int(probs.argmax()) >= BACK or outline.score**2 * float(probs.max()) >= _BELIEVED * faint


def _sureness(pair: Named) -> float:
    return float(pair[1].max())


def _one_face(one: Named, other: Named) -> bool:
    """Whether both are said to show one face and share a part."""
    name = int(one[1].argmax())
    return name < BACK and name == int(other[1].argmax()) and _overlaps(one, other)


def _contradicts(indexed: Named, other: Named) -> bool:
    """Whether the index lies where the other outline has its own: only one of the names can be right."""
    corners = other[0].corners
    far = float(np.linalg.norm(ends(corners) - indexed[0].spot, axis=1).min())
    return far < ONE_INDEX * float(np.linalg.norm(corners[0] - corners[1])) and _overlaps(indexed, other)


def _overlaps(one: Named, other: Named) -> bool:
    return overlap(one[0].corners, other[0].corners) > _SAME_CLOSER


def _unnested(found: list[Detection], *, one_size: bool) -> list[Detection]:
    """Of an outline that lies inside a much larger one, and the larger one, keep what is surer.

    The smaller one is a part of a card, a picture on it, or the larger one is several cards
    taken for one.

    Args:
        found: Detections that do not repeat each other.
        one_size: All cards are of about one size, as on a table. Then what is no card of the pack, a
            mat or a part of a picture, never drives out a card; in a close-up it may be a card whose
            single pips look like aces. There a face that is named for certain and larger than a pip stands:
            what is no face, and holds it or is a part of it, is several cards or a piece of one.
    """
    kept: list[Detection] = []
    for each in sorted(
        found, key=lambda one: (one_size and one.best == UNKNOWN, -one.score * one.confidence)
    ):
        nests = [other for other in kept if _inside(each, other) or _inside(other, each)]
        if all(not one_size and _is_plain(each, other) for other in nests):
            kept.append(each)
    return kept


def _is_plain(face: Detection, other: Detection) -> bool:
    """Whether the first is a face for certain, and no pip of the other, which is none."""
    return (
        face.best < BACK <= other.best
        and face.confidence >= CERTAIN
        and area(face.corners) > _PIP * area(other.corners)
    )


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
