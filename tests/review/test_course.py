"""What is known of the hands afterwards, and the deals that are drawn for the rest."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from test_planted import hands

from companion.review.course import Course
from companion.review.deals import DealError, Deals
from companion.review.story import story, tricks
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Exchanged
from companion.rules.record import Record, replay

ALL = (*hands("planted.hand"), *hands("perfect.hand"))
KNOWN = tuple(record for record in ALL if record.hands is not None)


def unseen(record: Record) -> Course:
    """A hand as the camera saw it."""
    return Course.of(replace(record, hands=None, stock=None))


def test_what_counts_as_held_was_held() -> None:
    """At every moment the cards that are certain are in the real hand."""
    certain = 0
    for record in KNOWN:
        real, course = Course.of(record), unseen(record)
        for at, state in enumerate(real.states):
            for player in Player:
                held = course.held(at, player)
                assert held <= state.hands[player]
                certain += len(held)

    assert certain > 800


def test_a_card_is_not_held_before_it_can_have_been_drawn() -> None:
    """What is played late may have been drawn late; the exchanged card comes by the exchange."""
    record = next(each for each in KNOWN if any(isinstance(event, Exchanged) for event in each.events[2:]))
    course = unseen(record)
    at, exchange = next(
        (at, event) for at, event in enumerate(course.events) if isinstance(event, Exchanged) and at >= 2
    )
    lowest = Card(record.rules.lowest_trump, record.turned_up.suit)

    assert lowest in course.held(at, exchange.player)
    assert record.turned_up not in course.held(at, exchange.player)
    assert lowest not in course.held(at + 1, exchange.player)
    first_draw = next(at for at, state in enumerate(course.states) if state.draws == 1)
    played_late = [event.card for event in course.events[first_draw + 4 :] if isinstance(event, CardPlayed)]
    assert not set(played_late) & (course.held(0, Player.SOUTH) | course.held(0, Player.NORTH))


@pytest.mark.parametrize("number", range(0, len(KNOWN), 4))
def test_drawn_deals_fit_what_was_seen(number: int) -> None:
    """The same events, the same end, no other breach; and not the same cards every time."""
    course = unseen(KNOWN[number])
    deals, drawn = Deals(course, random.Random(1)), set()
    for _ in range(4):
        states = deals.draw()
        drawn.add(states[0].hands)
        assert len(states) == len(course.states)
        assert states[-1].award == course.final.award
        assert len(states[-1].breaches) == len(course.final.breaches)
        for at, state in enumerate(states):
            if state.hands is not None:
                assert all(course.held(at, player) <= state.hands[player] for player in Player)

    assert len(drawn) > 1


def test_a_record_with_all_cards_needs_no_drawing() -> None:
    """Its own cards are the only deal."""
    course = Course.of(KNOWN[0])
    deals = Deals(course, random.Random(1))

    assert deals.certain
    assert deals.draw() == course.states


def test_a_play_without_a_name_leaves_nothing_to_draw() -> None:
    """Nobody knows what the hands were then."""
    record = replace(KNOWN[0], hands=None, stock=None)
    events = tuple(
        replace(event, card=None) if at == 1 else event for at, event in enumerate(record.events[:2])
    )

    with pytest.raises(DealError, match="not all cards"):
        Deals(Course.of(replace(record, events=events)), random.Random(1))


def test_the_story_counts_as_the_rules_do() -> None:
    """After each trick both players have what a replay of the events so far gives them."""
    for record in ALL[::5]:
        course = Course.of(record)
        steps = list(story(course))
        assert len(steps) == len(record.events) + 1
        for step in steps[1:]:
            state = replay(replace(record, events=record.events[: step.at + 1]))
            assert step.state.tricks == state.tricks
            assert [len(step.held[player]) + step.hidden[player] for player in Player] == list(
                state.hand_sizes
            )
        last = list(tricks(course))[-1]
        assert last.counts == steps[-1].counts
        assert any(isinstance(event, Claimed) for told in tricks(course) for event in told.words)
