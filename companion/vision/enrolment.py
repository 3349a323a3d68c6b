"""Reading a pack that was enrolled: what its own cards look like, weighed with what packs look like.

Of each crop of a deck many are made as a table may show it: badly outlined, half covered, blurred,
in another light. A linear discriminant (Fisher 1936; Gaussian classes with one covariance, shrunk
towards its diagonal) over the classifier's embedding tells the cards of this pack apart. Where the
classifier itself knows the pack well its own word is worth as much; where it does not, a pack in a
style it never saw, it is hardly listened to.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import BACK, CLASSES
from companion.vision.classify import Classified
from companion.vision.deck import Deck

__all__ = ["EnrolledClassifier", "Namer", "as_on_a_table"]

Crop = NDArray[np.uint8]
Floats = NDArray[np.float64]

_VARIANTS = 30
"""Crops made of each card."""
_SHRINKAGE = 0.2
"""Of the covariance towards its diagonal."""
_DISTANCE = 5.0
"""Divisor of squared distances: the made crops of one photo are more alike than true ones."""
_STRANGER = 0.1
"""Share of the made crops that are further from their card than what is taken for a stranger."""
_FLOOR = 1e-4
"""Least probability that the classifier's word is taken for: it may be sure and wrong."""
_CONFUSED = 0.1
"""Two cards of which more made crops than this are taken for the other are hard to tell apart."""
_SEED = 20


class Namer(Protocol):
    """Whatever names crops: `companion.vision.classify.Classifier`, or one that knows a deck."""

    def classify(self, crops: Sequence[Crop]) -> list[Classified]:
        """Name crops of `rectify`."""


@dataclass(frozen=True, slots=True, eq=False)
class _Head:
    """A linear discriminant: squared distances to the cards' means, up to what all share.

    Attributes:
        weights: (D, K) float64, one column a card.
        offsets: (K,) float64.
        whiten: (D, D) float64, the shrunk covariance, inverted.
    """

    weights: Floats
    offsets: Floats
    whiten: Floats

    @classmethod
    def fitted(cls, points: Floats, labels: NDArray[np.int64], count: int) -> _Head:
        """Fit to (N, D) points and their cards, 0 to `count` - 1."""
        means = np.stack([points[labels == card].mean(axis=0) for card in range(count)])
        rest = points - means[labels]
        spread = rest.T @ rest / len(points)
        diagonal = np.diag(np.diag(spread) + 1e-3)
        whiten = np.linalg.inv((1 - _SHRINKAGE) * spread + _SHRINKAGE * diagonal)
        weights = whiten @ means.T
        return cls(weights, -0.5 * np.einsum("kd,dk->k", means, weights), whiten)

    def heights(self, points: Floats) -> Floats:
        """(N, K): minus half the squared distance of each point to each card's mean."""
        own = 0.5 * ((points @ self.whiten) * points).sum(axis=1)
        return np.asarray(points @ self.weights + self.offsets - own[:, None])


class EnrolledClassifier:
    """A classifier that knows one deck.

    Args:
        classifier: Gives names and embeddings.
        deck: Its cards.

    Attributes:
        trust: 0 to 1, how much the classifier's own word counts: how well it names the deck's crops.
        alike: Pairs of cards that it cannot tell apart well.
    """

    def __init__(self, classifier: Namer, deck: Deck) -> None:
        self._classifier = classifier
        self.deck = deck
        self._classes = np.array([CLASSES.index(card) for card in deck.cards])
        points, labels, named = self._made(deck)
        count = len(deck.cards)
        # every second crop tests what the others taught; then all teach
        half = np.arange(len(labels)) % 2 == 0
        heights = _Head.fitted(points[half], labels[half], count).heights(points[~half])
        self._head = _Head.fitted(points, labels, count)
        own = heights[np.arange(len(heights)), labels[~half]]
        self._stranger = float(np.quantile(own, _STRANGER))
        right = float((named == self._classes[labels]).mean())
        self.trust = float(np.clip(2 * right - 1, 0.0, 1.0))
        self.alike = _alike(deck, heights.argmax(axis=1), labels[~half])

    def classify(self, crops: Sequence[Crop]) -> list[Classified]:
        """Name crops of `rectify`, all in one batch."""
        answers = self._classifier.classify(crops)
        if not answers:
            return []
        heights = self._head.heights(self._points(answers))
        return [
            Classified(self._weighed(answer.probs, height), answer.embedding)
            for answer, height in zip(answers, heights, strict=True)
        ]

    def _weighed(self, probs: NDArray[np.float32], heights: Floats) -> NDArray[np.float32]:
        """Pool both opinions by their logarithms: the classifier's by its trust, the deck's by the rest.

        Whether a card lies face down the classifier alone says: of its own back a deck knows nothing. Whether
        it is none of the deck a classifier that knows the pack says better than distances do, for true
        crops are further from their card than the made ones; and which other card it is, it says alone.
        """
        own, back = self._classes, float(probs[BACK])
        told = np.log(np.maximum(probs[own].astype(np.float64), _FLOOR))
        total = self.trust * told + (1 - self.trust) * heights / _DISTANCE
        grown = np.exp(total - total.max())
        others = np.delete(np.arange(len(CLASSES)), [*own, BACK])
        other = max(float(probs[others].sum()), _FLOOR)
        listens = self.trust**0.5
        strange = _probability(
            listens * _log_odds(other / max(1 - back, _FLOOR))
            + (1 - listens) * _bounded(float(self._stranger - heights.max()) / _DISTANCE)
        )
        pooled = np.zeros(len(CLASSES))
        pooled[BACK] = back
        pooled[own] = (1 - back) * (1 - strange) * grown / grown.sum()
        pooled[others] = (1 - back) * strange * np.maximum(probs[others], _FLOOR / len(others)) / other
        return np.asarray(pooled / pooled.sum(), np.float32)

    def _made(self, deck: Deck) -> tuple[Floats, NDArray[np.int64], NDArray[np.int64]]:
        """Crops as tables show them: their points, their cards, and what the classifier calls them."""
        rng = np.random.default_rng(_SEED)
        every: list[Crop] = [crop for card in deck.cards for crop in deck.crops[card]]
        points: list[Floats] = []
        labels: list[int] = []
        named: list[int] = []
        for number, card in enumerate(deck.cards):
            own = deck.crops[card]
            made = [as_on_a_table(own[turn % len(own)], every, rng) for turn in range(_VARIANTS - len(own))]
            answers = self._classifier.classify([*own, *made])
            points.append(self._points(answers))
            labels += [number] * len(answers)
            named += [int(answer.probs.argmax()) for answer in answers]
        return np.concatenate(points), np.array(labels), np.array(named)

    def _points(self, answers: Sequence[Classified]) -> Floats:
        """(N, D) float64: embedding, and the classifier's own word about the deck's cards."""
        words = np.stack([np.log(np.maximum(answer.probs[self._classes], 1e-6)) for answer in answers])
        return np.hstack([np.stack([answer.embedding for answer in answers]), words]).astype(np.float64)


def _log_odds(probability: float) -> float:
    return math.log(max(probability, _FLOOR) / max(1 - probability, _FLOOR))


def _probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _bounded(log_odds: float) -> float:
    """No word is taken for quite certain."""
    return min(max(log_odds, math.log(_FLOOR)), -math.log(_FLOOR))


def _alike(deck: Deck, found: NDArray[np.int64], labels: NDArray[np.int64]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for one in range(len(deck.cards)):
        for two in range(one + 1, len(deck.cards)):
            ones, twos = labels == one, labels == two
            swapped = max(float((found[ones] == two).mean()), float((found[twos] == one).mean()))
            if swapped > _CONFUSED:
                pairs.append((swapped, (deck.cards[one], deck.cards[two])))
    return tuple(pair for _, pair in sorted(pairs, key=lambda each: -each[0]))


def as_on_a_table(crop: Crop, others: Sequence[Crop], rng: np.random.Generator) -> Crop:
    """Make another crop of a card, as a table may show it.

    Args:
        crop: (144, 96, 3) uint8.
        others: Crops that may cover a part of it.
        rng: Decides all.
    """
    steps: tuple[Callable[[Crop, Sequence[Crop], np.random.Generator], Crop], ...] = (
        _misplaced, _covered, _lit, _blurred
    )  # fmt: skip
    for step in steps:
        crop = step(crop, others, rng)
    return np.ascontiguousarray(crop[::-1, ::-1]) if rng.random() < 0.5 else crop


def _misplaced(crop: Crop, _: Sequence[Crop], rng: np.random.Generator) -> Crop:
    """An outline that is off."""
    h, w = crop.shape[:2]
    spread = float(rng.choice([0.01, 0.03, 0.06])) * h
    corners = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    moved = corners + rng.normal(0, spread * 0.5, (4, 2)) + rng.normal(0, spread * 0.7, 2)
    matrix = cv2.getPerspectiveTransform(corners, moved.astype(np.float32))
    ground = rng.integers(30, 230, 3).tolist()
    return np.asarray(cv2.warpPerspective(crop, matrix, (w, h), borderValue=ground), np.uint8)


def _covered(crop: Crop, others: Sequence[Crop], rng: np.random.Generator) -> Crop:
    """Another card, or anything else, over a part of it; its middle is never all gone."""
    if rng.random() < 0.35:
        return crop
    h, w = crop.shape[:2]
    cover = np.full_like(crop, rng.integers(20, 240, 3))
    if rng.random() < 0.7:
        turn = cv2.getRotationMatrix2D((w / 2, h / 2), float(rng.uniform(0, 360)), 1.0)
        turn[:, 2] = turn[:, 2] + rng.normal(0, 20, 2)
        other = others[int(rng.integers(len(others)))]
        cover = np.asarray(cv2.warpAffine(other, turn, (w, h), borderMode=cv2.BORDER_REFLECT), np.uint8)
    angle = float(rng.uniform(0, 2 * np.pi))
    ys, xs = np.mgrid[:h, :w]
    beyond = (xs - w / 2) * np.cos(angle) + (ys - h / 2) * np.sin(angle) > rng.uniform(-0.15, 0.45) * h
    return np.where(beyond[..., None], cover, crop)


def _lit(crop: Crop, _: Sequence[Crop], rng: np.random.Generator) -> Crop:
    """Another lamp."""
    gain = rng.uniform(0.6, 1.15) * rng.uniform(0.85, 1.15, 3)
    return np.asarray(np.clip(crop * gain, 0, 255), np.uint8)


def _blurred(crop: Crop, _: Sequence[Crop], rng: np.random.Generator) -> Crop:
    """Further away, out of focus, in the dark."""
    h, w = crop.shape[:2]
    if rng.random() < 0.7:
        crop = np.asarray(cv2.GaussianBlur(crop, (0, 0), float(rng.uniform(0.4, 2.2))), np.uint8)
    if rng.random() < 0.5:
        share = float(rng.uniform(0.3, 0.8))
        small = cv2.resize(crop, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        crop = np.asarray(cv2.resize(small, (w, h)), np.uint8)
    noisy = crop + rng.normal(0, rng.uniform(0, 9), crop.shape)
    return np.asarray(np.clip(noisy, 0, 255), np.uint8)
