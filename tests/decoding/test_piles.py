"""Won piles: what they say of who took a trick, and that they say it once."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from further import further
from puppets import CELLS, HEIGHT, WIDTH, Item, Show, lying, quad, readings, stage

from companion.decoding.decoder import Decoder
from companion.decoding.evidence import Piled, TurnedUp
from companion.decoding.likelihood import LOG_PILE_OF_LOSER
from companion.decoding.story import Act, Story
from companion.decoding.watcher import Watcher
from companion.rules.cards import PACK_24, Card, Player
from companion.rules.events import CardPlayed, Dealt
from companion.rules.ruleset import preset
from companion.table.detection import BACK, Motion, Reading
from companion.table.entry import Asked, Entry
from companion.tracking.tracker import Tracker
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
SOUTH, NORTH = Player.SOUTH, Player.NORTH
JACK = PACK_24.index(Card.parse("JH"))


def taken_by_south() -> Story:
    """South led the ace of hearts and took the king."""
    story = Story.begin(RULES, Act(Dealt(NORTH, Card.parse("TS")), 1.0, track=1))
    for track, (player, code) in enumerate([(SOUTH, "AH"), (NORTH, "KH")], start=2):
        card = Card.parse(code)
        act = Act(CardPlayed(player, card), float(track), track)
        grown = story.then(act, index=PACK_24.index(card))
        assert grown is not None
        story = grown
    return story


def flickering(show: Show, seed: int) -> Show:
    """The show with piles that a weak detector sees for a moment now and then."""
    rng = random.Random(seed)
    items: list[Item] = []
    for item in show.items:
        y = float(item.corners[:, 1].mean())
        if item.index != BACK or 100.0 < y < 620.0:
            items.append(item)
            continue
        time = item.start
        while time < item.end:
            items.append(replace(item, start=time, end=min(item.end, time + rng.uniform(0.6, 1.2))))
            time += rng.uniform(1.8, 3.0)
    return replace(show, items=items)


def watched(show: Show, seed: int) -> tuple[Decoder, list[Entry]]:
    """What is written of a show."""
    decoder = Decoder(RULES)
    return decoder, Spectator(show, decoder).watch(readings(show, seed=seed))


def test_a_pile_speaks_against_the_loser_once() -> None:
    """However many cards of it come into sight after a trick."""
    story = taken_by_south()
    once = story.piling(NORTH)

    assert once.log_p({}) - story.log_p({}) == pytest.approx(LOG_PILE_OF_LOSER)
    assert once.piling(NORTH).log_p({}) == once.log_p({})
    assert story.piling(SOUTH).log_p({}) == story.log_p({})


def test_two_piles_that_grow_say_nothing() -> None:
    """Only one of the two took the trick: what is seen of the other pile was there before."""
    story = taken_by_south()

    assert story.piling(NORTH).piling(SOUTH).log_p({}) == story.log_p({})


def test_who_took_the_trick_may_turn_out_later() -> None:
    """If the answer was misread, and took the trick, its player's pile grew rightly."""
    story = taken_by_south().piling(NORTH)
    again = story.reassigned(3, Card.parse("JS"))

    assert again is not None
    assert again.state.tricks[0].winner is NORTH
    assert again.piled == 0.0
    assert story.piled == LOG_PILE_OF_LOSER


@pytest.mark.parametrize("seed", [101, 104, *further(105, 112)])
def test_piles_that_come_into_sight_again_and_again_change_nothing(seed: int) -> None:
    """Each trick taken was believed less with every glimpse of the other pile, until it was asked about."""
    show = flickering(stage(RULES, seed), seed)
    decoder, entries = watched(show, seed)
    told = [event for record in decoder.records for event in record.events]

    assert told == [event for _, event in show.events[0] if not isinstance(event, Dealt)]
    assert not [one for one in entries if isinstance(one, Asked)]


@pytest.mark.parametrize(("moves", "told"), [(False, 1), (True, 2)])
def test_a_pile_seen_again_where_nothing_moved_has_not_grown(moves: bool, told: int) -> None:
    """A card that is put there moves; one that the detector lost does not."""
    tracker, watcher, out = Tracker(), Watcher(), []
    for number in range(200):
        time = number / 10
        cards = [(JACK, quad(300, 360, 90)), (BACK, quad(225, 360, 0))]
        cards += [(BACK, quad(1100, 70, 8))] if 5.0 <= time < 7.0 or time >= 15.0 else []
        moved = np.zeros(CELLS, bool)
        moved[:12, 60:] = time == 5.0 or (moves and time == 15.0)
        detections = tuple(lying(index, corners, time) for index, corners in cards)
        view = tracker.update(Reading(time, (WIDTH, HEIGHT), detections, Motion(moved, 0.0, 0.0)))
        new = watcher.update(view)
        if any(isinstance(one, TurnedUp) for one in new):
            watcher.dealt(anew=True)
        out.extend(one for one in new if isinstance(one, Piled))

    assert [one.south for one in out] == [False] * told
