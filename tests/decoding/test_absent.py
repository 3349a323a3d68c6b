"""When a turn-up is told to be out of sight: its place must be, and nothing else need be, in clear view."""

from __future__ import annotations

import numpy as np
import pytest

from companion.decoding.evidence import Absent, TurnedUp
from companion.decoding.watcher import Watcher
from companion.rules.cards import PACK_24, Card
from companion.table.detection import BACK, CLASSES, Detection, Motion, Reading
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import CELLS, HEIGHT, WIDTH, quad

KING = PACK_24.index(Card.parse("KH"))
TURN_UP, STOCK = slice(52, 61), slice(57, 66)
"""Columns of the motion grid in which they lie."""
ELSEWHERE = slice(10, 18)
TURNED_DOWN_S, REACHES_S, ENDS_S = 3.0, 3.6, 5.2
"""When the turn-up is turned down, when the other player reaches in, and when he is done."""


def lying(index: int, corners: np.ndarray, time: float) -> Detection:
    """A detection that is sure."""
    probs = np.full(len(CLASSES), 0.002, np.float32)
    probs[index] = 1.0 - 0.002 * (len(CLASSES) - 1)
    return Detection(corners.astype(np.float32), probs, 0.9, time)


@pytest.mark.parametrize(
    ("where", "told"),
    [(None, True), (ELSEWHERE, True), (TURN_UP, False), (STOCK, False)],
    ids=["nobody", "elsewhere", "at the turn-up", "at the stock"],
)
def test_an_arm_hides_the_turn_up_only_where_it_is(where: slice | None, told: bool) -> None:
    """The other player may lead on at once; that the turn-up was turned down is seen all the same."""
    tracker, watcher, absent = Tracker(), Watcher(), []
    for number in range(int(ENDS_S * 10)):
        time, moved, south, north = number / 10, np.zeros(CELLS, bool), 0.0, 0.0
        cards = [lying(BACK, quad(975, 360, 0), time)]
        if time < TURNED_DOWN_S:
            cards.append(lying(KING, quad(900, 360, 90), time))
        if TURNED_DOWN_S <= time < TURNED_DOWN_S + 0.3:
            moved[20:, TURN_UP], south = True, 0.15
        if where is not None and time >= REACHES_S:
            moved[:30, where], north = True, 0.15
        view = tracker.update(Reading(time, (WIDTH, HEIGHT), tuple(cards), Motion(moved, south, north)))
        new = watcher.update(view)
        if any(isinstance(one, TurnedUp) for one in new):
            watcher.dealt(anew=True)
        absent += [one.time for one in new if isinstance(one, Absent) and one.time > REACHES_S]

    assert bool(absent) is told
