"""A card of the hand that is seen once more, under another track: pushed, taken up, turned up again."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from companion.decoding.evidence import Laid, TurnedUp
from companion.decoding.likelihood import (
    LOG_ALONE,
    LOG_LAID_AGAIN,
    LOG_LOOKED_BACK,
    LOG_MARKED,
    LOG_MOVED,
    LOG_OUTSIDE_HAND,
    LOG_PICTURED,
    LOG_PILE_TURNED,
    LOG_SEEN_TWICE,
    LOG_TAKEN_UP,
    PUSHED_S,
    Sight,
    side,
)
from companion.decoding.marriages import led_of_pair
from companion.decoding.story import UNREAD, Story, Table
from companion.rules.altered import altered
from companion.rules.cards import PACK_24, Card
from companion.rules.events import MarriageDeclared
from companion.table.observation import Phase

__all__ = ["of_gathered", "of_pair", "of_pile", "of_trick"]

Sights = Mapping[int, Sight]

TURNED_UP_S = 1.5
"""The cards of a trick that is looked at once more come to lie open within this time of each other."""
ASIDE_S = 3.0
"""A trick that is pushed aside, face up, lies still again within this time."""
GATHERED_S = 1.5
"""A card that is being gathered may lie still on its way for this long after it lay in the trick."""
PICTURED_S = 0.6
"""A phone shows a card no sooner after it was laid."""
LEAST_LIKE = -2.0
"""Nats with which a face must at least read as a card of an earlier trick to be that."""


def of_trick(story: Story, seen: Laid | TurnedUp, sights: Sights) -> Iterator[Story]:
    """Yield the stories in which a face is the lead, the answer, or what was kept of a marriage."""
    table = story.table
    ways: tuple[tuple[int | None, Callable[[], Table], int | None], ...] = (
        (table.led, lambda: replace(table, led=seen.track), table.answer),
        (table.answer, lambda: replace(table, answer=seen.track), table.led),
        (table.kept, lambda: replace(table, kept=seen.track), None),
    )
    for old, moved, other in ways:
        if old is None or story.readings.get(old, UNREAD) < 0:
            continue
        index, lay = story.readings[old], sights.get(old)
        price = LOG_TAKEN_UP if lay is not None and lay.away_s(seen.time) > PUSHED_S else LOG_MOVED
        went_alone = lay is not None and not lay.lies and _outlasts(other, lay, sights)
        if lay is not None and lay.lies:
            price = LOG_SEEN_TWICE
            if seen.time - lay.still_since >= PICTURED_S:
                yield _read(story, seen.track, index, LOG_PICTURED)
        elif lay is not None and story.state.led is None and not went_alone and _is_gathered(lay, seen.time):
            price = LOG_LAID_AGAIN
            if (turned := _of_turned_pile(story, PACK_24[index], seen, sights)) is not None:
                yield _read(story, seen.track, index, turned)
                continue
            if other is not None and other in sights and sights[other].still_since > lay.last_seen:
                price = LOG_MOVED  # the other card of the trick has been turned up again: both are
                if lay.away_s(seen.time) <= ASIDE_S:  # or pushed aside, to be taken with the next one
                    aside = replace(table, led=None, answer=None, kept=None)
                    yield _read(story, seen.track, index, LOG_TAKEN_UP - LOG_LAID_AGAIN, aside)
                    continue
        elif lay is not None and old == table.kept and not _stayed(table.led, lay, sights):
            price += LOG_SEEN_TWICE  # laid where the other was not seen meanwhile it is led itself
        again = _read(story, seen.track, index, price, moved())
        paid = went_alone and story.alone == old
        yield altered(again, alone=None, extra=again.extra - LOG_ALONE) if paid else again


def of_pair(story: Story, seen: Laid, sights: Sights) -> Iterator[Story]:
    """Yield the stories in which a face is king or queen of the marriage that lies there."""
    if story.table.pair is None:
        return
    one, other = story.table.pair
    for old, stays, pair in ((one, other, (seen.track, other)), (other, one, (one, seen.track))):
        price = LOG_SEEN_TWICE if old in sights and sights[old].lies else LOG_MOVED
        again = _read(story, seen.track, story.readings[old], price, replace(story.table, pair=pair))
        yield again
        if old in sights and not _stayed(stays, sights[old], sights):
            led = led_of_pair(again, seen.track, stays, seen.time, sights)
            if led is not None:
                yield led


def of_gathered(story: Story, seen: Laid | TurnedUp, sights: Sights) -> Iterator[Story]:
    """Yield the stories in which a face is a card of a trick that was gathered."""
    table, sight = story.table, sights[seen.track]
    lying = {
        story.readings.get(track) for track in (table.led, table.answer, table.kept) if track is not None
    }
    for card in story.state.seen:
        index = card.index
        if index in lying or sight.log_p[index] <= LEAST_LIKE:
            continue
        shown = [track for track, one in story.readings.items() if one == index and track in sights]
        last = max((sights[track].last_seen for track in shown), default=-math.inf)
        on_its_way = seen.time - last <= GATHERED_S
        carried = 2.0 * LOG_MOVED + LOG_OUTSIDE_HAND
        price = carried if on_its_way else _turned_up_again(story, card, seen, sights)
        yield _read(story, seen.track, index, price)


def _turned_up_again(story: Story, card: Card, seen: Laid | TurnedUp, sights: Sights) -> float:
    """What it costs that a card of a gathered trick lies open again: of the last one both are looked at."""
    if (turned := _of_turned_pile(story, card, seen, sights)) is not None:
        return turned
    table, last = story.table, story.state.tricks[-1].cards if story.state.tricks else ()
    lead = sights.get(table.led) if table.led is not None else None
    aside = isinstance(seen, Laid) and seen.at_edge
    if card not in last or lead is None or not lead.lies or table.pair is not None or not aside:
        return LOG_LAID_AGAIN
    beside = (
        track
        for track, index in story.readings.items()
        if track in sights
        and abs(sights[track].still_since - seen.time) <= TURNED_UP_S
        and any(one is not None and one != card and one.index == index for one in last)
    )
    played = {act.track for act in story.acts}
    return LOG_MOVED if any(track not in played for track in beside) else LOG_LOOKED_BACK


def _of_turned_pile(story: Story, card: Card, seen: Laid | TurnedUp, sights: Sights) -> float | None:
    """What it costs that a card lies open whose pile is not seen any more: its winner looks through that."""
    if not isinstance(seen, Laid) or not seen.unpiled:
        return None
    winner = next((trick.winner for trick in story.state.tricks if card in trick.cards), None)
    if winner is None or winner not in seen.unpiled:
        return None
    return LOG_PILE_TURNED + side(sights[seen.track].from_south, winner)


def of_pile(story: Story, seen: Laid, sights: Sights) -> Iterator[Story]:
    """Yield the story in which a face lies open in a pile of won tricks: a card of a marriage marks it.

    Whoever showed the marriage has led that card, and won the trick.
    """
    declared = {
        (act.event.player, act.event.suit) for act in story.acts if isinstance(act.event, MarriageDeclared)
    }
    if story.state.led is not None:
        return
    sight, table = sights[seen.track], story.table
    for trick in story.state.tricks:
        lead = trick.led
        shown = lead is not None and (trick.leader, lead.suit) in declared and trick.winner is trick.leader
        if lead is None or not shown or sight.log_p[lead.index] <= LEAST_LIKE:
            continue
        if trick is not story.state.tricks[-1]:
            yield _read(story, seen.track, lead.index, LOG_MARKED)
            continue
        paid = story.alone is not None and story.alone in (table.led, table.answer)
        taken = replace(table, led=None, answer=None, kept=None)
        again = _read(story, seen.track, lead.index, LOG_MARKED - LOG_ALONE * paid, taken)
        yield altered(again, alone=None)


def _read(story: Story, track: int, index: int, price: float, table: Table | None = None) -> Story:
    """The story in which a track is one of its cards, and the table as before or as it is then."""
    readings = {**story.readings, track: index}
    return altered(story, readings=readings, table=table or story.table, extra=story.extra + price)


def _outlasts(other: int | None, lay: Sight, sights: Sights) -> bool:
    """Whether the other card of a trick has lain there all along, so that nobody has gathered the two."""
    one = sights.get(other) if other is not None else None
    return one is not None and one.lies and one.still_since <= lay.last_seen


def _stayed(other: int | None, lay: Sight, sights: Sights) -> bool:
    """Whether the other of two cards was seen after the one was seen last, so that not both were taken."""
    return other is not None and other in sights and sights[other].outlasted(lay)


def _is_gathered(sight: Sight, time: float) -> bool:
    """Whether a card had been gone for too long at `time` to be on its way."""
    return sight.phase is Phase.GONE and sight.away_s(time) > GATHERED_S
