"""Backs are looked for where they lay: on rendered tables, with the network that ships."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
from shown_cards import Desk

from companion.config import asset
from companion.synth.backs import random_back
from companion.table.detection import BACK, CLASSES, Detection, Frame
from companion.table.quad import mapped
from companion.vision.classify import Classifier
from companion.vision.reader import Reader
from companion.vision.recall import Recall

PACKS = range(12)
MM = (59.0, 91.0)


def back(seed: int) -> np.ndarray:
    """The back of a pack."""
    return random_back(np.random.default_rng([seed, 4]))


def found(corners: np.ndarray, time: float = 0.0, best: int = BACK) -> Detection:
    """A card that the locator found."""
    probs = np.full(len(CLASSES), 0.01 / (len(CLASSES) - 1), np.float32)
    probs[best] = 0.99
    return Detection(corners.astype(np.float32), probs, 0.7, time)


class Stock:
    """A stock in the middle of a table: alone, with a back laid across it, and the table without it."""

    def __init__(self, seed: int) -> None:
        desk, picture = Desk(seed), back(seed)
        self.alone, (truth,) = desk.photo_and_truth(picture, at=(0.0, 0.0))
        self.corners = np.asarray(truth.corners, np.float32)
        # the card across is the same back turned by a right angle: its picture, laid over the stock's middle
        self.closed = self._with_across(desk, picture)
        self.empty = desk.photo()
        self.other = desk.photo(back(seed + 100), at=(0.0, 0.0))

    def _with_across(self, desk: Desk, picture: np.ndarray) -> np.ndarray:
        across = cv2.rotate(picture, cv2.ROTATE_90_CLOCKWISE)
        photo, (truth,) = desk.photo_and_truth(across, size_mm=MM[::-1], at=(0.0, 0.0))
        inside = cv2.fillConvexPoly(
            np.zeros(photo.shape[:2], np.uint8), truth.corners.round().astype(np.int32), 1
        )
        return np.where(inside[..., None] > 0, photo, self.alone)

    def remembered(self, recall: Recall, until: float = 3.0) -> float:
        """Show it for a while, found in each picture five times a second; return the time after that."""
        for step in range(round(until * 5)):
            assert recall.lost(self.alone, [found(self.corners)], step / 5) == ()
        return until


@pytest.fixture(scope="module")
def classifier() -> Classifier:
    """The network that ships."""
    return Classifier(asset("models"))


@pytest.fixture(scope="module")
def stocks() -> list[Stock]:
    """Stocks of several packs."""
    return [Stock(seed) for seed in PACKS]


def test_a_stock_whose_outline_is_lost_under_a_back_is_recalled(
    classifier: Classifier, stocks: list[Stock]
) -> None:
    """As after closing, whatever the back; where nothing lies any more it is not, and seldom another pack."""
    closed = others = 0
    for stock in stocks:
        recall = Recall(classifier)
        time = stock.remembered(recall)
        assert recall.lost(stock.empty, [], time + 0.2) == ()
        others += len(recall.lost(stock.other, [], time + 0.4))
        again = recall.lost(stock.closed, [], time + 0.6)
        assert all(np.array_equal(each.corners, stock.corners) and each.best == BACK for each in again)
        closed += len(again)
    assert closed >= len(stocks) - 3
    assert others <= 1


def test_what_is_found_there_needs_no_recall(classifier: Classifier, stocks: list[Stock]) -> None:
    """Neither the stock itself nor a card that lies on it."""
    stock = stocks[0]
    recall = Recall(classifier)
    time = stock.remembered(recall)
    assert recall.lost(stock.alone, [found(stock.corners)], time) == ()
    assert recall.lost(stock.alone, [found(stock.corners, best=3)], time + 0.2) == ()
    assert len(recall.lost(stock.alone, [], time + 0.4)) == 1


def test_what_was_taken_for_a_back_for_a_moment_is_not_remembered(
    classifier: Classifier, stocks: list[Stock]
) -> None:
    """A page of a phone is, now and then."""
    stock = stocks[0]
    recall = Recall(classifier)
    time = stock.remembered(recall, until=1.8)
    assert recall.lost(stock.alone, [], time) == ()


def test_it_is_forgotten_when_it_has_been_gone_for_long(classifier: Classifier, stocks: list[Stock]) -> None:
    """Longer than an arm lies over it; as long as it is recalled it is not."""
    stock = stocks[0]
    recall = Recall(classifier)
    time = stock.remembered(recall)
    for step in range(1, 20):
        assert len(recall.lost(stock.alone, [], time + step)) == 1
    assert recall.lost(stock.empty, [], time + 25.0) == ()
    assert recall.lost(stock.alone, [], time + 28.0) == ()


def test_it_is_looked_for_where_the_camera_sees_it_now(classifier: Classifier, stocks: list[Stock]) -> None:
    """Its place is the table's; the picture was pushed meanwhile."""
    stock = stocks[0]
    recall = Recall(classifier)
    time = stock.remembered(recall)
    pushed = np.array([[1.0, 0.0, 60.0], [0.0, 1.0, -40.0], [0.0, 0.0, 1.0]])
    seen = cv2.warpPerspective(stock.alone, pushed, (640, 480))
    (again,) = recall.lost(np.asarray(seen, np.uint8), [], time, pushed)
    assert np.array_equal(again.corners, stock.corners)
    assert recall.lost(np.asarray(seen, np.uint8), [], time + 0.2) == ()
    assert np.allclose(mapped(stock.corners, pushed), stock.corners + np.array([60.0, -40.0]), atol=1e-3)


class Forgetful:
    """A detector that finds the stock for three seconds and then nothing more."""

    def __init__(self, corners: np.ndarray) -> None:
        self._corners = corners

    def detect(self, bgr: np.ndarray, time: float = 0.0) -> tuple[Detection, ...]:
        """The stock, at first."""
        return (found(self._corners, time),) if time < 3.0 else ()


def test_a_reader_tells_what_is_recalled(classifier: Classifier, stocks: list[Stock]) -> None:
    """Like any other card; without a recall it is gone."""
    stock = stocks[0]

    def frames() -> Iterator[Frame]:
        rng = np.random.default_rng(1)
        for step in range(30):
            noise = rng.integers(0, 4, stock.alone.shape).astype(np.uint8)
            light = 40 if step % 2 else 0  # something always moves: every picture is looked at
            shown = cv2.add(stock.alone, noise)
            shown[:40, : 40 + light] = 255 if light else 0
            yield Frame(np.asarray(shown, np.uint8), step / 5, step)

    with_it = Reader(Forgetful(stock.corners), recall=Recall(classifier))
    without = Reader(Forgetful(stock.corners))
    assert [len(with_it.read(frame).detections) for frame in frames()][-1] == 1
    assert [len(without.read(frame).detections) for frame in frames()][-1] == 0
