"""The story of a hand: after each event what lies where, and what both players count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.review.course import Course
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Event
from companion.rules.scoring import Count, count
from companion.rules.state import HandState, Trick

__all__ = ["Step", "Told", "story", "tricks"]


@dataclass(frozen=True, slots=True)
class Step:
    """The hand after an event.

    Attributes:
        at: Number of the event, from 0; -1: the hand has just been dealt.
        event: What happened; `None` before the first event.
        trick: Number of the trick that it belongs to, from 1.
        state: The hand after it.
        counts: What south and north have.
        held: The cards that south and north certainly held, by what is known now; highest suit by suit.
        hidden: How many cards of each nobody knows.
        table: The cards of the trick on the table, or just complete, with their players.
    """

    at: int
    event: Event | None
    trick: int
    state: HandState
    counts: tuple[Count, Count]
    held: tuple[tuple[Card, ...], tuple[Card, ...]]
    hidden: tuple[int, int]
    table: tuple[CardPlayed, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """A trick as it is told.

    Attributes:
        number: From 1.
        trick: The trick; `None` where it was not played to its end.
        led: The card that was never answered.
        words: What was said or done before and in it, in order, plays left out.
        counts: What south and north have after it.
    """

    number: int
    trick: Trick | None
    led: CardPlayed | None
    words: tuple[Event, ...]
    counts: tuple[Count, Count]


def story(course: Course) -> Iterator[Step]:
    """Yield the hand as dealt, and after each event."""
    pack = course.record.rules.pack
    for at, state in enumerate(course.states):
        event = course.events[at - 1] if at else None
        held = [sorted(course.held(at, player), key=pack.index) for player in Player]
        sizes = state.hand_sizes
        yield Step(
            at - 1,
            event,
            _trick_of(state, event),
            state,
            (count(state, Player.SOUTH), count(state, Player.NORTH)),
            (tuple(held[0]), tuple(held[1])),
            (max(0, sizes[0] - len(held[0])), max(0, sizes[1] - len(held[1]))),
            tuple(_table(state, event)),
        )


def _trick_of(state: HandState, event: Event | None) -> int:
    done = len(state.tricks)
    # a claim upon a declaration, or upon the lead that goes with it, ends the hand in the midst of a trick
    begun = state.led is not None or state.announced is not None
    completed = isinstance(event, CardPlayed) or state.over
    return max(1, done if completed and not begun else done + 1)


def _table(state: HandState, event: Event | None) -> Iterator[CardPlayed]:
    if state.led is not None:
        yield state.led
    elif isinstance(event, CardPlayed) and state.tricks:
        last = state.tricks[-1]
        yield CardPlayed(last.leader, last.led)
        yield CardPlayed(last.leader.other, last.followed)


def tricks(course: Course) -> Iterator[Told]:
    """Yield the tricks in turn, with the words that belong to each; last what came after them."""
    words: list[Event] = []
    for at, event in enumerate(course.events):
        state = course.states[at + 1]
        if not isinstance(event, CardPlayed):
            words.append(event)
            continue
        if state.led is not None:
            continue
        counts = count(state, Player.SOUTH), count(state, Player.NORTH)
        yield Told(len(state.tricks), state.tricks[-1], None, tuple(words), counts)
        words = []
    final = course.final
    if words or final.led is not None:
        counts = count(final, Player.SOUTH), count(final, Player.NORTH)
        yield Told(len(final.tricks) + 1, None, final.led, tuple(words), counts)
