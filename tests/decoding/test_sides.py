"""Who sits where: a deal from the unexpected side is asked about, and the answer is learnt from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

import numpy as np
import pytest
from further import further
from puppets import Show, Stage, random_hand, readings, stage

from companion.decoding.decoder import Decoder
from companion.rules.events import CardPlayed, Dealt, Event, Exchanged
from companion.rules.ruleset import preset
from companion.table.detection import BACK, Motion, Reading
from companion.table.entry import Asked, Entry, Retracted, Settled
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")


def seen_from_the_other_side(show: Show, since: float, seed: int) -> Iterator[Reading]:
    """The readings of a show whose camera stands on the other side of the table from a time on."""
    for reading in readings(show, seed=seed):
        if reading.time < since:
            yield reading
            continue
        far = np.array(reading.size, np.float32)
        cards = tuple(replace(each, corners=far - each.corners) for each in reading.detections)
        motion = Motion(reading.motion.moved[::-1, ::-1], reading.motion.north, reading.motion.south)
        yield replace(reading, detections=cards, motion=motion)


def turned(entry: Settled) -> Settled:
    """An entry as the answer "the other one dealt" leaves it."""
    event: Event = entry.event
    if isinstance(event, Dealt):
        return replace(entry, event=replace(event, dealer=event.dealer.other), source="phone:referee")
    if isinstance(event, CardPlayed | Exchanged):
        return replace(entry, event=replace(event, player=event.player.other))
    return entry


class Sitting:
    """A decoder before a table, and somebody who answers at once who dealt."""

    def __init__(self, *, answers: bool, takes_back: bool = False) -> None:
        self.decoder, self.answers, self.takes_back = Decoder(RULES), answers, takes_back
        self.questions: list[Asked] = []
        self._written: list[Settled] = []
        self._next = 1

    def watch(self, show: Show, since: float, seed: int) -> None:
        """See a whole show, turned round from `since` on."""
        spectator = Spectator(show, self.decoder)
        for reading in seen_from_the_other_side(show, since, seed):
            self._take(spectator.see(reading))
        self._take(spectator.finish())

    def _take(self, entries: list[Entry]) -> None:
        for entry in entries:
            self._next = entry.seq + 1
            if isinstance(entry, Retracted):
                self._written = [one for one in self._written if one.seq != entry.withdraws]
            elif isinstance(entry, Settled):
                self._written = [] if isinstance(entry.event, Dealt) else self._written
                self._written.append(entry)
        asked = [one for one in entries if isinstance(one, Asked)]
        self.questions.extend(asked)
        if self.answers and any(one.text == "who_dealt" for one in asked):
            before, self._written = self._written, [turned(one) for one in self._written]
            assert self.decoder.revise(self._written, self._next)
            if self.takes_back:
                self._written = before
                assert self.decoder.revise(before, self._next)


@pytest.mark.parametrize("seed", [3, *further(5)])
def test_a_deal_from_the_unexpected_side_is_asked_about_once(seed: int) -> None:
    """Turned round after the first hand: both dealers of the second are offered; nothing else is asked."""
    show = stage(RULES, seed, 2)
    second = show.events[1][0][1]
    assert isinstance(second, Dealt)
    sitting = Sitting(answers=False)
    sitting.watch(show, show.events[1][0][0] - 1.5, seed)
    open_ones = [one for one in sitting.questions if one.about is not None]

    assert {one.text for one in sitting.questions} == {"who_dealt"}
    assert [set(one.options) for one in open_ones] == [{second, replace(second, dealer=second.dealer.other)}]


@pytest.mark.parametrize("seed", [5, *further(3)])
def test_whoever_answers_that_the_deal_alternated_tells_the_sides(seed: int) -> None:
    """The second hand gets its players back, and in the third the sides are known: nothing is asked."""
    show = stage(RULES, seed, 3)
    sitting = Sitting(answers=True)
    sitting.watch(show, show.events[1][0][0] - 1.5, seed)
    records = [[Dealt(one.dealer, one.turned_up), *one.events] for one in sitting.decoder.records]

    assert records == [[event for _, event in hand] for hand in show.events]
    assert len([one for one in sitting.questions if one.about is not None]) == 1


@pytest.mark.parametrize("seed", [22, *further(24)])
def test_whoever_takes_that_answer_back_leaves_the_sides_as_they_were(seed: int) -> None:
    """The third hand was dealt by who dealt the second; that the deal alternated is said by mistake."""
    theatre = Stage(RULES, seed)
    for number, dealer in enumerate((theatre.dealer, theatre.dealer.other, theatre.dealer.other)):
        theatre.hand(*random_hand(RULES, seed * 101 + number, dealer))
    show = theatre.show
    sitting = Sitting(answers=True, takes_back=True)
    sitting.watch(show, inf, seed)
    records = [[Dealt(one.dealer, one.turned_up), *one.events] for one in sitting.decoder.records]

    assert records == [[event for _, event in hand] for hand in show.events]
    assert {one.text for one in sitting.questions} == {"who_dealt"}


def test_a_turn_up_that_lay_there_before_its_stock_is_dealt() -> None:
    """In the second hand the stock comes two seconds after the turn-up, and the first card before it."""
    show = stage(RULES, 4, 2)
    stock = next(item for item in show.items if item.index == BACK and item.start >= show.events[1][0][0])
    lead = next(time for time, event in show.events[1] if isinstance(event, CardPlayed))
    stock.start = lead + 0.6
    decoder = Decoder(RULES)
    Spectator(show, decoder).watch(readings(show, seed=4))

    assert [[Dealt(one.dealer, one.turned_up), *one.events] for one in decoder.records] == [
        [event for _, event in hand] for hand in show.events
    ]
