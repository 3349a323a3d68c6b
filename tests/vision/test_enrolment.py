"""A pack that was enrolled is read by its own cards, and strangers stay strangers."""

from __future__ import annotations

import numpy as np
import pytest
from shown_cards import Desk

from companion.config import asset
from companion.rules.cards import PACK_24
from companion.synth.drawn import drawn_pack
from companion.synth.german import german_pack
from companion.synth.pack import Pack
from companion.table.detection import BACK, CLASSES, UNKNOWN
from companion.vision.classify import Classified, Classifier
from companion.vision.deck import Deck
from companion.vision.detector import PHOTO_SIDES, CardDetector
from companion.vision.enrolment import EnrolledClassifier, as_on_a_table
from companion.vision.naming import LEAST_CONFIDENCE
from companion.vision.rectify import rectify
from companion.vision.showing import the_card

TWENTY = [str(card) for card in PACK_24 if str(card)[0] != "9"]
STRANGE_PACK = 1000
"""Seed of a German-suited pack that training never drew."""


@pytest.fixture(scope="module")
def detector() -> CardDetector:
    """The shipped networks, looking as at photos."""
    return CardDetector(asset("models"), sides=PHOTO_SIDES)


def crops_of(pack: Pack, cards: list[str], detector: CardDetector, seed: int) -> dict[str, np.ndarray]:
    """A crop of each card, photographed alone."""
    desk = Desk(seed)
    crops = {}
    for card in cards:
        picture = desk.photo(pack.faces[card], size_mm=pack.size_mm)
        found = the_card(detector, picture)
        assert found is not None, card
        crops[card] = rectify(picture, found.corners)
    return crops


@pytest.fixture(scope="module")
def enrolled(detector: CardDetector) -> EnrolledClassifier:
    """One photo a card of a pack in a style of its own."""
    crops = crops_of(german_pack(STRANGE_PACK, height_px=300), TWENTY, detector, 3)
    deck = Deck("strange", {card: (crop,) for card, crop in crops.items()})
    return EnrolledClassifier(Classifier(asset("models")), deck)


def test_one_photo_a_card_is_enough_to_read_a_pack_never_seen(
    detector: CardDetector, enrolled: EnrolledClassifier
) -> None:
    """Other photos of the same cards, in another light."""
    crops = crops_of(german_pack(STRANGE_PACK, height_px=300), TWENTY, detector, 8)
    answers = enrolled.classify(list(crops.values()))
    assert [CLASSES[int(answer.probs.argmax())] for answer in answers] == list(crops)


def test_half_of_a_card_is_enough(detector: CardDetector, enrolled: EnrolledClassifier) -> None:
    """As they lie in a trick; at most one in ten is not read."""
    crops = crops_of(german_pack(STRANGE_PACK, height_px=300), TWENTY, detector, 9)
    for crop in crops.values():
        crop[80:] = (40, 90, 60)
    answers = enrolled.classify(list(crops.values()))
    right = sum(
        CLASSES[int(answer.probs.argmax())] == card for answer, card in zip(answers, crops, strict=True)
    )
    assert right >= 18


def test_a_stranger_is_not_taken_for_a_card_of_the_deck(
    detector: CardDetector, enrolled: EnrolledClassifier
) -> None:
    """Sevens and a joker of another pack resemble none of its cards enough to be told as one."""
    crops = crops_of(drawn_pack(1001, height_px=300), ["7H", "8S", "7C", "joker1"], detector, 4)
    for card, answer in zip(crops, enrolled.classify(list(crops.values())), strict=True):
        assert answer.probs[:BACK].max() < LEAST_CONFIDENCE, card


def test_the_answers_are_probabilities(enrolled: EnrolledClassifier) -> None:
    """Certainty travels on from here: they sum to 1."""
    crops = [np.random.default_rng(seed).integers(0, 255, (144, 96, 3), dtype=np.uint8) for seed in range(3)]
    for answer in enrolled.classify(crops):
        assert answer.probs.sum() == pytest.approx(1.0, abs=1e-5)
        assert (answer.probs >= 0).all()
    assert enrolled.classify([]) == []


class _OneEyed:
    """Sees only the mean colour of a crop, and calls everything unknown."""

    def classify(self, crops):
        """Name crops."""
        probs = np.full(len(CLASSES), 0.01, np.float32)
        probs[UNKNOWN] = 0.75
        return [Classified(probs, crop.reshape(-1, 3).mean(axis=0).astype(np.float32)) for crop in crops]


class _Keen:
    """Knows clear red for the king of hearts, clear blue for the ace of spades, and nothing else."""

    def classify(self, crops):
        """Name crops; sees their mean colour and how rough they are."""
        return [self._named(crop) for crop in crops]

    @staticmethod
    def _named(crop):
        blue, green, red = colour = crop.reshape(-1, 3).mean(axis=0)
        rough = np.abs(np.diff(crop.astype(float), axis=1)).mean()
        card = "KH" if red > 2 * max(blue, green) else "AS" if blue > 2 * max(red, green) else "unknown"
        probs = np.full(len(CLASSES), 0.001, np.float32)
        probs[CLASSES.index(card)] = 0.975
        return Classified(probs, np.array([*colour, rough], np.float32))


def _coloured(*bgr: int, rough: int = 0) -> np.ndarray:
    """A crop of one colour, with some noise and a fine pattern."""
    noise = np.random.default_rng(4).normal(0, 12, (144, 96, 3))
    pattern = rough * (2 * (np.indices((144, 96)).sum(axis=0) % 2) - 1)
    return np.clip(noise + bgr + pattern[..., None], 0, 255).astype(np.uint8)


def test_who_knows_the_pack_says_what_is_none_of_it() -> None:
    """A card unlike any that was made from its photo is neither a stranger nor a card it does not hold."""
    deck = Deck("plain", {"KH": (_coloured(30, 30, 220),), "AS": (_coloured(220, 30, 30),)})
    enrolled = EnrolledClassifier(_Keen(), deck)
    crops = [_coloured(30, 30, 220), _coloured(5, 5, 200, rough=90), _coloured(30, 220, 30)]

    assert 0.5 < enrolled.trust < 0.9
    assert [CLASSES[each.probs.argmax()] for each in enrolled.classify(crops)] == ["KH", "KH", "unknown"]


def test_cards_that_look_the_same_to_the_network_are_named() -> None:
    """Whoever enrols is told which cards to show again."""
    rng = np.random.default_rng(1)
    red, blue = np.array([30, 30, 220]), np.array([220, 60, 30])
    crops = {
        card: (np.clip(rng.normal(colour, 12, (144, 96, 3)), 0, 255).astype(np.uint8),)
        for card, colour in (("KH", red), ("KD", red), ("AS", blue))
    }
    enrolled = EnrolledClassifier(_OneEyed(), Deck("dim", crops))
    assert ("KH", "KD") in enrolled.alike
    assert enrolled.trust == 0.0


def test_made_crops_differ_and_come_again_from_the_same_seed() -> None:
    """A deck read twice answers the same."""
    crop = np.random.default_rng(2).integers(0, 255, (144, 96, 3), dtype=np.uint8)
    one, two, three = (as_on_a_table(crop, [crop], np.random.default_rng(seed)) for seed in (5, 5, 6))
    assert np.array_equal(one, two)
    assert not np.array_equal(one, three)
