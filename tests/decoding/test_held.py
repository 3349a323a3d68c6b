"""Hands that hold their cards at the edge of the picture: what shows there has not been played."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from companion.decoding.decoder import Decoder
from companion.decoding.held import Held
from companion.rules.cards import PACK_24, Player
from companion.rules.events import CardPlayed, Dealt
from companion.rules.ruleset import preset
from companion.table.detection import BACK, CLASSES, Detection, Motion, Reading
from companion.table.entry import Asked
from companion.table.observation import Phase
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import CELLS, HEIGHT, WIDTH, Show, quad, readings, stage
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
KING = 2
"""A face."""
SHOWN = 3
"""So many cards of a hand show at the edge."""
GRASPED_S = 0.8
"""So long before it is played a card is taken out of the hand."""
AT_REST = (12, 5)
"""A hand sways for a while, seconds, and then rests for a while."""


def seen(index: int, corners: np.ndarray, time: float) -> Detection:
    """A detection that names a card."""
    probs = np.full(len(CLASSES), 0.05 / (len(CLASSES) - 1), np.float32)
    probs[index] = 0.95
    return Detection(corners.astype(np.float32), probs, 0.7, time)


def fan(player: Player, cards: list[int], time: float, inward: float) -> list[Detection]:
    """Cards that a hand holds, their middles so many pixels inside the picture, swaying or at rest."""
    sways = time % sum(AT_REST) < AT_REST[0]
    x = WIDTH * (0.4 if player is Player.SOUTH else 0.6) + (9 * np.sin(1.3 * time) if sways else 0.0)
    y = HEIGHT - inward if player is Player.SOUTH else inward
    return [seen(index, quad(x + 38 * at, y + 4 * at, 12 * (at - 1)), time) for at, index in enumerate(cards)]


def with_held_hands(show: Show, seed: int, inward: float) -> Iterator[Reading]:
    """Readings of a show whose players hold what they will play where the camera sees it."""
    plays = [(time, event) for time, event in show.events[0] if isinstance(event, CardPlayed)]
    dealt = show.events[0][0][0]
    for reading in readings(show, seed=seed):
        held: list[Detection] = []
        for player in Player:
            left = [e for time, e in plays if e.player is player and time - GRASPED_S > reading.time > dealt]
            cards = [PACK_24.index(e.card) for e in left[:SHOWN] if e.card]
            held += fan(player, cards, reading.time, inward)
        yield replace(reading, detections=(*reading.detections, *held))


@pytest.mark.parametrize(
    ("seed", "inward"),
    [
        *(pytest.param(seed, 35.0, id=f"{seed}-cut by the edge") for seed in (0, 2, 4)),
        *(pytest.param(seed, 100.0, id=f"{seed}-wholly in the picture") for seed in (1, 3, 4)),
    ],
)
def test_what_players_hold_has_not_been_played(seed: int, inward: float) -> None:
    """A hand is exact without a question, whatever of the players' cards the camera sees."""
    show = stage(RULES, seed)
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(with_held_hands(show, seed, inward))
    (record,) = decoder.records

    assert [Dealt(record.dealer, record.turned_up), *record.events] == [event for _, event in show.events[0]]
    assert not [one for one in entries if isinstance(one, Asked)]


def test_a_card_that_was_held_is_on_the_table_once_it_has_come_away_from_the_edge() -> None:
    """Its track goes on from the hand to the table; drawn back a little it is still held."""
    tracker, held, there = Tracker(), Held(), []
    for step, y in enumerate([HEIGHT - 40, HEIGHT - 40, HEIGHT - 80, HEIGHT - 80, 420, 400, 400]):
        detection = seen(3, quad(600, y, 0), 0.1 * step)
        reading = Reading(0.1 * step, (WIDTH, HEIGHT), (detection,), Motion(np.zeros(CELLS, bool), 0.0, 0.0))
        there.append(len(held.without(tracker.update(reading), frozenset()).cards))

    assert there[:4] == [0, 0, 0, 0]
    assert there[-1] == 1


@pytest.mark.parametrize(
    ("inward", "steps", "lies"), [(80, 8, False), (80, 20, True), (63, 20, False), (130, 8, True)]
)
def test_a_card_is_played_once_it_lies_clear_of_the_edge(inward: float, steps: int, lies: bool) -> None:
    """Also less than its width from where it was seen first; nearer still once it has lain there."""
    tracker, held, there = Tracker(), Held(), []
    for step, y in enumerate([HEIGHT - 65, *[HEIGHT - inward] * steps]):
        time = 0.1 * step
        card = seen(3, quad(600, y, 0), time)
        reading = Reading(time, (WIDTH, HEIGHT), (card,), Motion(np.zeros(CELLS, bool), 0.0, 0.0))
        there.append(len(held.without(tracker.update(reading), frozenset()).cards))

    assert (there[-1] == 1) == lies


def test_a_marriage_that_is_carried_over_the_edge_is_not_held() -> None:
    """Two cards come over a player's edge side by side, faster than they are followed, and lie near it."""
    tracker, held, there = Tracker(), Held(), []
    for step, inward in enumerate([70, 110, 180, 205, *[210] * 12]):
        time = 0.2 * step
        cards = tuple(seen(index, quad(600 + 95 * index, HEIGHT - inward, 0), time) for index in (0, 1))
        reading = Reading(time, (WIDTH, HEIGHT), cards, Motion(np.zeros(CELLS, bool), 0.0, 0.0))
        there.append(len(held.without(tracker.update(reading), frozenset()).cards))

    assert there[-6:] == [2] * 6


@pytest.mark.parametrize("dealing", [True, False])
def test_a_turn_up_under_its_stock_at_the_edge_is_not_held(dealing: bool) -> None:
    """While cards are dealt; in mid-hand a hand may be held over a pile."""
    tracker, held = Tracker(), Held()
    for step in range(10):
        time = 0.1 * step
        turn_up, stock = quad(600, HEIGHT - 40, 90), quad(680, HEIGHT - 60, 0)
        cards = seen(KING, turn_up, time), seen(BACK, stock, time)
        reading = Reading(time, (WIDTH, HEIGHT), cards, Motion(np.zeros(CELLS, bool), 0.0, 0.0))
        view = held.without(tracker.update(reading), frozenset(), dealing=dealing)

    assert (KING in {card.best for card in view.cards}) == dealing


def test_cards_shown_at_the_edge_are_no_turn_up_while_a_pile_gathers_them() -> None:
    """After a hand two aces are shown; a hand with the pile comes over them, and one is the last in sight."""
    tracker, held, there = Tracker(), Held(), []
    for step in range(30):
        time = 0.1 * step
        cards = [seen(KING, quad(600, HEIGHT - 110, 0), time)]
        if step < 25:
            cards.append(seen(KING + 6, quad(540, HEIGHT - 110, 0), time))
        else:
            cards.append(seen(BACK, quad(420 + 45 * (step - 24), HEIGHT - 95, 0), time))
        reading = Reading(time, (WIDTH, HEIGHT), tuple(cards), Motion(np.zeros(CELLS, bool), 0.0, 0.0))
        view = held.without(tracker.update(reading), frozenset(), dealing=True)
        there.append([card for card in view.cards if card.best != BACK and card.phase is Phase.STILL])

    assert not any(there[15:])


@pytest.mark.parametrize(("y", "lies"), [(HEIGHT - 200, True), (HEIGHT - 100, False)])
def test_what_lies_alone_where_a_hand_was_has_been_played(y: float, lies: bool) -> None:
    """After four seconds without a move, and not where only a hand holds cards; the fan was held by then."""
    tracker, held, there = Tracker(), Held(), []
    for step in range(90):
        time = 0.1 * step
        cards = [
            seen(index, quad(500 + 60 * index, y + 0.0, 0), time) for index in range(3 if step < 20 else 1)
        ]
        reading = Reading(time, (WIDTH, HEIGHT), tuple(cards), Motion(np.zeros(CELLS, bool), 0.0, 0.0))
        there.append(len(held.without(tracker.update(reading), frozenset()).cards))

    assert not any(there[:40])
    assert (there[-1] == 1) == lies


@pytest.mark.parametrize(("inward", "held_by"), [(22.0, 1), (66.0, 3)])
def test_what_lies_before_a_hand_is_not_held_in_it(inward: float, held_by: int) -> None:
    """What lies a whole card nearer to the middle than one reaching over the edge is not held beside it."""
    tracker, held = Tracker(), Held()
    for step in range(12):
        time = 0.1 * step
        y = HEIGHT - inward
        places = [(600.0, y), (580.0, HEIGHT - 140.0), (625.0, HEIGHT - 140.0)]
        cards = tuple(seen(index, quad(*place, 0), time) for index, place in enumerate(places))
        reading = Reading(time, (WIDTH, HEIGHT), cards, Motion(np.zeros(CELLS, bool), 0.0, 0.0))
        view = held.without(tracker.update(reading), frozenset())

    assert 3 - len(view.cards) == held_by
