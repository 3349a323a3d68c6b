"""Which detection is which card, beside a card that lies and one that moves."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.cards import PACK_24, Card
from companion.table.detection import CLASSES, Detection
from companion.tracking.association import associated, distinct
from companion.tracking.track import Track

WIDE = 96.0
"""Short side of a card, pixels."""


def seen(name: str, x: float, *, sure: float = 0.9, time: float = 0.0) -> Detection:
    """A detection at a place on a line, read as `name` with probability `sure`."""
    index = PACK_24.index(Card.parse(name)) if len(name) == 2 else CLASSES.index(name)
    probs = np.full(len(CLASSES), (1.0 - sure) / (len(CLASSES) - 1), np.float32)
    probs[index] = sure
    corners = np.array([[x - 48, 286], [x + 48, 286], [x + 48, 434], [x - 48, 434]], np.float32)
    return Detection(corners, probs, 0.9, time)


def track(name: str, x: float, *, sure: float = 0.9, lies: bool = False) -> Track:
    """A card that was seen once, and moves, or lies still."""
    card = seen(name, x, sure=sure)
    one = Track(1, card)
    one.identity.add(card.probs, 0.0)
    if lies:
        one.rest(0.0)
    return one


def pairs(detections: list[Detection], tracks: list[Track]) -> list[tuple[int, int]]:
    """Which is which, as the tracker asks for it."""
    return associated(detections, tracks, WIDE, still=0.4, moving=1.2, bare_s=0.15)


@pytest.mark.parametrize(
    ("lies", "away", "same"), [(True, 30, True), (True, 50, False), (False, 100, True), (False, 130, False)]
)
def test_a_card_is_looked_for_where_it_was(lies: bool, away: float, same: bool) -> None:
    """One that lies within half of its width, one that moves a little farther than that."""
    assert pairs([seen("KH", 600 + away)], [track("KH", 600, lies=lies)]) == ([(0, 0)] if same else [])


@pytest.mark.parametrize(
    ("name", "bare", "same"),
    [("9S", (), True), ("9S", (1.0, 1.1), True), ("9S", (1.0, 1.2), False), ("KH", (1.0, 1.2), True)],
)
def test_another_face_where_a_place_was_seen_bare_is_another_card(
    name: str, bare: tuple[float, ...], same: bool
) -> None:
    """A misreading lies where the card lay all the time; what a quick hand lays comes to a bare place."""
    lay = track("KH", 600, lies=True)
    for time in bare:
        lay.look_bare(time)
    assert pairs([seen(name, 610, time=1.5)], [lay]) == ([(0, 0)] if same else [])


@pytest.mark.parametrize(("away", "same"), [(8, True), (25, False)])
def test_a_moving_card_with_another_face_is_that_card_only_where_it_was(away: float, same: bool) -> None:
    """A misreading does not move; another card that comes past does."""
    assert pairs([seen("9S", 600 + away)], [track("KH", 600)]) == ([(0, 0)] if same else [])


@pytest.mark.parametrize(
    ("was", "clearly", "name", "sure"),
    [
        ("KH", 0.9, "KH", 0.9),
        ("KH", 0.9, "9S", 0.5),
        ("KH", 0.7, "9S", 0.9),
        ("KH", 0.9, "unknown", 0.9),
        ("unknown", 0.9, "KH", 0.9),
    ],
)
def test_a_moving_card_may_be_read_otherwise_in_doubt(
    was: str, clearly: float, name: str, sure: float
) -> None:
    """While the reading or what it was read as before is doubtful, or nothing was read at all."""
    assert pairs([seen(name, 625, sure=sure)], [track(was, 600, sure=clearly)]) == [(0, 0)]


@pytest.mark.parametrize(("was", "name"), [("back", "KH"), ("KH", "back")])
def test_a_back_is_no_face_however_doubtful(was: str, name: str) -> None:
    """A face that comes past a moving back is another card, even badly read."""
    assert pairs([seen(name, 625, sure=0.5)], [track(was, 600, sure=0.6)]) == []


def test_a_card_that_lies_may_be_read_otherwise() -> None:
    """A misreading, or a card exchanged in its place: what it is comes later."""
    assert pairs([seen("9S", 630)], [track("KH", 600, lies=True)]) == [(0, 0)]


def test_of_two_cards_at_one_place_the_one_that_lies_is_seen() -> None:
    """The other is in the hand above it, or was never there."""
    assert pairs([seen("KH", 600)], [track("KH", 600), track("KH", 600, lies=True)]) == [(0, 1)]


def test_each_card_is_seen_once_and_the_nearest_first() -> None:
    """Two detections at one card, two cards at one detection: the rest is left over."""
    assert pairs([seen("KH", 620), seen("KH", 605)], [track("KH", 600, lies=True)]) == [(1, 0)]
    two = [track("KH", 620, lies=True), track("KH", 605, lies=True)]
    assert pairs([seen("KH", 600)], two) == [(0, 1)]


def test_the_face_decides_between_two_cards_that_lie_close() -> None:
    """The nearer one reads otherwise."""
    two = [track("9S", 605, lies=True), track("KH", 590, lies=True)]
    for _ in range(3):
        assert pairs([seen("KH", 600)], two) == [(0, 1)]


@pytest.mark.parametrize(("away", "kept"), [(15, 1), (40, 2)])
def test_boxes_that_overlap_nearly_whole_are_on_one_card(away: float, kept: int) -> None:
    """Of a card laid half on another both stay."""
    assert len(distinct([seen("KH", 600), seen("QH", 600 + away)], 0.6)) == kept
