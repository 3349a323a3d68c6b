"""How a story goes on when a face is laid on the table: a play, a marriage, the same card, nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.decoding.evidence import Laid
from companion.decoding.likelihood import (
    LOG_ALONE,
    LOG_LAID_AGAIN,
    LOG_MOVED,
    LOG_OTHER_HAND,
    LOG_OUTSIDE_HAND,
    LOG_PICTURED,
    LOG_READ_ALIKE,
    LOG_SEEN_TWICE,
    LOG_TAKEN_BACK,
    LOG_TAKEN_UP,
    LOG_UNDECLARED,
    PUSHED_S,
    Sight,
)
from companion.decoding.marriages import may_be_declared, shown_with_lead
from companion.decoding.plays import plays
from companion.decoding.reaches import hand_price, reached
from companion.decoding.shown import counted, laid_open, more_shown, outside
from companion.decoding.story import UNREAD, Story
from companion.decoding.unseen import announced_unseen, answered_unseen, trick_unseen
from companion.rules.cards import PACK_24
from companion.rules.events import CardPlayed
from companion.table.observation import Phase

__all__ = ["laid"]

Sights = Mapping[int, Sight]

GATHERED_S = 1.5
"""A card that is being gathered may lie still on its way for this long after it lay in the trick."""
PICTURED_S = 0.6
"""A phone shows a card no sooner after it was laid."""
OUTLASTS_S = 0.5
"""Two cards that are gathered go within this time."""
TAKEN_S = 0.8
"""A hand that takes a card was seen at most so long before or after the card was seen last."""


def laid(story: Story, seen: Laid, sights: Sights) -> Iterator[Story]:
    """Yield what a face that lies still on the table may be."""
    if seen.track in story.knows:
        yield story
        return
    sight = sights[seen.track]
    yield from _before_words(story, seen, sight, sights)
    if story.state.over:
        price = outside(story, seen, sights)
        yield replace(story, passed=story.passed | {seen.track}, extra=story.extra + price)
        yield from _taken_back(story, seen, sight, sights)  # the last card of all
        return
    if story.shown:
        yield from more_shown(story, seen, sight, sights)
        return
    yield from laid_open(story, seen, sight, sights)
    yield from counted(story, seen, sight, sights)
    yield story.ignoring(seen.track)
    yield from _same_card(story, seen, sight, sights)
    yield from plays(story, seen.track, seen.time, sight, sights)
    yield from shown_with_lead(story, seen, sight, sights)
    yield from _taken_back(story, seen, sight, sights)
    yield from _missed(story, seen, sight, sights)


def _before_words(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Put a play, or a marriage, before words that were said after it came to rest."""
    at = story.before_claims(seen.time)
    if at == len(story.acts):
        return
    earlier = replace(story, acts=story.acts[:at], states=story.states[: at + 1])
    # a claim over a card that was led ends nothing: both may have been a marriage before it
    ways = [*shown_with_lead(earlier, seen, sight, sights)]
    if story.state.over:
        ways += plays(earlier, seen.track, seen.time, sight)
    for grown in ways:
        again = grown.refolded([*grown.acts, *story.acts[at:]])
        if again is not None:
            yield again


def _same_card(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """A card of the story again, under another track."""
    table = story.table
    places = {
        "led": table.led,
        "answer": table.answer,
        "kept": table.kept,
    }
    for name, old in places.items():
        if old is None or story.readings.get(old, UNREAD) < 0:
            continue
        index, lay = story.readings[old], sights.get(old)
        price = LOG_TAKEN_UP if lay is not None and lay.away_s(seen.time) > PUSHED_S else LOG_MOVED
        if lay is not None and lay.lies:
            price = LOG_SEEN_TWICE
            if seen.time - lay.still_since >= PICTURED_S:
                pictured = {**story.readings, seen.track: index}
                yield replace(story, readings=pictured, extra=story.extra + LOG_PICTURED)
        elif lay is not None and story.state.led is None and _gathered(lay, seen.time):
            price = LOG_LAID_AGAIN
            other = table.answer if name == "led" else table.led if name == "answer" else None
            if other is not None and other in sights and sights[other].still_since > lay.last_seen:
                price = LOG_MOVED  # the other card of the trick has been turned up again: both are
        moved = {
            "led": replace(table, led=seen.track),
            "answer": replace(table, answer=seen.track),
            "kept": replace(table, kept=seen.track),
        }[name]
        yield replace(
            story,
            readings={**story.readings, seen.track: index},
            table=moved,
            extra=story.extra + price,
        )
    if table.pair is not None:
        for at, old in enumerate(table.pair):
            price = LOG_SEEN_TWICE if old in sights and sights[old].lies else LOG_MOVED
            pair = (seen.track, table.pair[1]) if at == 0 else (table.pair[0], seen.track)
            yield replace(
                story,
                readings={**story.readings, seen.track: story.readings[old]},
                table=replace(table, pair=pair),
                extra=story.extra + price,
            )
    for card in story.state.seen:
        index = PACK_24.index(card)
        on_table = {story.readings.get(t) for t in places.values() if t is not None}
        if index not in on_table and sight.log_p[index] > -2.0:
            shown = [t for t, one in story.readings.items() if one == index and t in sights]
            last = max((sights[t].last_seen for t in shown), default=-math.inf)
            on_its_way = seen.time - last <= GATHERED_S
            price = 2.0 * LOG_MOVED + LOG_OUTSIDE_HAND if on_its_way else LOG_LAID_AGAIN
            yield replace(story, readings={**story.readings, seen.track: index}, extra=story.extra + price)


def _gathered(sight: Sight, time: float) -> bool:
    """Whether a card had been gone for too long at `time` to be on its way."""
    return sight.phase is Phase.GONE and sight.away_s(time) > GATHERED_S


def _taken_back(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """The latest card was taken back, and this one put in its place by the same player.

    An answer is only where the lead lies there longer.
    """
    act = story.acts[-1] if story.acts else None
    if act is None or act.told or act.track is None or not isinstance(event := act.event, CardPlayed):
        return
    table, answers, lay = story.table, story.state.led is None, story.last_card
    if lay is None or lay not in sights:
        return
    if sights[lay].lies or (table.kept is not None and not answers):
        return  # of a marriage, which of the two was led is another question
    if answers and not _outlasted(table.led, sights[lay], sights):
        return
    without = story.refolded(story.acts[:-1])
    if without is None:
        return
    # that an answer disappeared while the lead stayed has been paid for
    price = LOG_TAKEN_BACK - (LOG_ALONE if answers else 0.0)
    taken = sights[lay].last_seen
    price += hand_price(seen.reaches, event.player, taken - TAKEN_S, taken + TAKEN_S)
    if reached(seen.reaches, event.player.other, taken + TAKEN_S, seen.time - TAKEN_S):
        price += LOG_OTHER_HAND  # as after a trick, to draw
    without = replace(
        without,
        table=replace(table, led=table.led if answers else None, answer=None),
        extra=without.extra + price,
    )
    alike = sight.best == story.readings.get(lay, UNREAD)
    for grown in plays(without, seen.track, seen.time, sight, sights):
        now = grown.acts[-1].event
        if now != event:  # else it was but moved
            price = LOG_READ_ALIKE if alike else 0.0
            if isinstance(now, CardPlayed) and may_be_declared(without.state, event.card, now.card):
                price += LOG_UNDECLARED  # whoever has both shows them for that
            yield grown.costing(price)


def _outlasted(led: int | None, answer: Sight, sights: Sights) -> bool:
    """Whether the lead was seen in its place after the answer was seen last."""
    lead = sights.get(led) if led is not None else None
    if lead is None or lead.phase is Phase.GONE:
        return False
    return lead.last_seen > answer.last_seen + OUTLASTS_S


def _missed(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Cards were played and gathered unseen, a marriage was shown unseen; this is the next lead."""
    gathered = (
        answered_unseen(story, sights, seen.time, seen.dark, seen.reaches),
        trick_unseen(story, seen.time, seen.dark),
    )
    known = [unseen for unseen in gathered if unseen is not None]
    for unseen in known:
        yield from plays(unseen, seen.track, seen.time, sight, sights)
    for before in (story, *known):
        for declared in announced_unseen(before, seen.time, seen.dark):
            for grown in plays(declared, seen.track, seen.time, sight, sights):
                led = grown.state.led
                if led is not None and led.card is not None and led.card.suit is declared.state.declared:
                    yield grown
