"""How a story goes on when a face is laid on the table: a play, a marriage, the same card, nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.decoding.again import of_gathered, of_pair, of_pile, of_trick
from companion.decoding.evidence import Laid
from companion.decoding.fallen import mistaken, stuck_together
from companion.decoding.likelihood import (
    LOG_ALONE,
    LOG_LED_UNDER_ARM,
    LOG_LED_UNDER_OTHER,
    LOG_MARRIAGE_UNDER_ARM,
    LOG_OTHER_HAND,
    LOG_PLAYED_ON_STOCK,
    LOG_READ_ALIKE,
    LOG_TAKEN_BACK,
    LOG_UNDECLARED,
    Sight,
)
from companion.decoding.marriages import may_be_declared, shown_with_lead
from companion.decoding.plays import plays
from companion.decoding.reaches import Reach, hand_price, reached
from companion.decoding.shown import counted, laid_open, looked_through, more_shown, outside, turned_over
from companion.decoding.story import SAME_MOMENT_S, UNREAD, Story, Table
from companion.decoding.unseen import announced_unseen, answered_unseen, trick_unseen, under_arm
from companion.rules.altered import altered
from companion.rules.cards import Player
from companion.rules.events import CardPlayed
from companion.table.observation import Phase

__all__ = ["laid"]

Sights = Mapping[int, Sight]

LEFT_S = 0.6
"""A card that an arm hid comes to be seen lying at most so long before or after the arm is seen last."""
TAKEN_S = 0.8
"""A hand that takes a card was seen at most so long before or after the card was seen last."""


def laid(story: Story, seen: Laid, sights: Sights, floor: float = -math.inf) -> Iterator[Story]:
    """Yield what a face that lies still on the table may be; `floor` as for `explain`."""
    if seen.track in story.knows:
        yield story
        return
    for way in _ways(story, seen, sights, floor):
        played = seen.over_stock and story.state.stock_left and seen.track in way.readings
        yield way.costing(LOG_PLAYED_ON_STOCK) if played else way


def _ways(story: Story, seen: Laid, sights: Sights, floor: float) -> Iterator[Story]:
    """What a face may be that nothing is known of yet, wherever it lies."""
    sight = sights[seen.track]
    yield from _before_words(story, seen, sight, sights)
    if story.state.over:
        price = outside(story, seen, sights)
        yield altered(story, passed=story.passed | {seen.track}, extra=story.extra + price)
        yield from _taken_back(story, seen, sight, sights, floor)  # the last card of all
        return
    if story.shown:
        yield from more_shown(story, seen, sight, sights)
        looked = looked_through(story, sights)
        if looked is not None:
            yield from plays(looked, seen.track, seen.time, sight, sights, floor)
        return
    yield from laid_open(story, seen, sight, sights)
    yield from counted(story, seen, sight, sights)
    yield from turned_over(story, seen, sight, sights)
    yield story.ignoring(seen.track)
    yield from mistaken(story, seen, sight, sights)
    yield from stuck_together(story, seen, sight, sights)
    yield from of_trick(story, seen, sights)
    yield from of_pair(story, seen, sights)
    yield from of_gathered(story, seen, sights)
    yield from of_pile(story, seen, sights)
    yield from plays(story, seen.track, seen.time, sight, sights, floor)
    yield from _led_under_arm(story, seen, sight, sights)
    yield from shown_with_lead(story, seen, sight, sights)
    yield from _taken_back(story, seen, sight, sights, floor)
    yield from _missed(story, seen, sight, sights, floor)


def _led_under_arm(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Yield the stories in which this is the lead, on which an arm lay until now.

    The card that seemed to be led was laid while the arm was there already: it answered. Where the other
    was seen on its way before, that costs nothing. An arm of the other player says nothing of who led.
    """
    lead = story.acts[-1] if story.acts else None
    if lead is None or lead.told or not isinstance(lead.event, CardPlayed) or story.state.led is None:
        return
    table, leader, before = story.table, lead.event.player, lead.time - TAKEN_S
    if lead.track is None or lead.track != table.led or table.kept is not None:
        return
    rested = [arm for arm in seen.reaches if arm.start < before and abs(arm.end - seen.time) <= LEFT_S]
    own = [arm.start for arm in rested if arm.player is leader]
    if not own and not any(_laid_under(arm, leader, before, seen.reaches) for arm in rested):
        return
    if not own and seen.time - lead.time < SAME_MOMENT_S:
        return  # the arm has left both
    without = story.refolded(story.acts[:-1])
    if without is None:
        return
    without = altered(without, table=Table(turn_up=table.turn_up))
    glimpsed = [
        one.best
        for track, one in sights.items()
        if own and min(own) - TAKEN_S <= one.last_seen < lead.time and track not in story.knows
    ]
    hidden = sight if own else replace(sight, from_south=0.5)
    for led in plays(without, seen.track, lead.time, hidden, sights):
        follower = led.state.to_play
        if led.state.led is None or follower is None:
            continue
        price = LOG_LED_UNDER_ARM if own else LOG_LED_UNDER_OTHER
        price = 0.0 if led.readings[seen.track] in glimpsed else price
        answer = replace(lead, event=CardPlayed(follower, lead.event.card), time=seen.time)
        answered = led.then(answer, table=replace(led.table, answer=lead.track))
        if answered is not None:
            yield altered(answered, extra=story.extra + price)


def _laid_under(arm: Reach, leader: Player, before: float, reaches: Sequence[Reach]) -> bool:
    """Whether the leader's hand came while an arm of the other player rested there."""
    return any(hand.player is leader and arm.start <= hand.start < before for hand in reaches)


def _before_words(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Put a play, or a marriage, before words that were said after it came to rest."""
    at = story.before_claims(seen.time)
    if at == len(story.acts):
        return
    earlier = altered(story, acts=story.acts[:at], states=story.states[: at + 1])
    # a claim over a card that was led ends nothing: both may have been a marriage before it
    ways = [*shown_with_lead(earlier, seen, sight, sights)]
    if story.state.over:
        ways += plays(earlier, seen.track, seen.time, sight)
    for grown in ways:
        again = grown.refolded([*grown.acts, *story.acts[at:]])
        if again is not None:
            yield again


def _taken_back(story: Story, seen: Laid, sight: Sight, sights: Sights, floor: float) -> Iterator[Story]:
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
    # an answer that disappeared while the lead stayed may have been paid for
    price = LOG_TAKEN_BACK - (LOG_ALONE if story.alone == lay else 0.0)
    taken = sights[lay].last_seen
    price += hand_price(seen.reaches, event.player, taken - TAKEN_S, taken + TAKEN_S)
    if reached(seen.reaches, event.player.other, taken + TAKEN_S, seen.time - TAKEN_S):
        price += LOG_OTHER_HAND  # as after a trick, to draw
    without = altered(
        without,
        table=replace(table, led=table.led if answers else None, answer=None),
        extra=without.extra + price,
    )
    alike = sight.best == story.readings.get(lay, UNREAD)
    for grown in plays(without, seen.track, seen.time, sight, sights, floor):
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
    return lead.outlasted(answer)


def _missed(story: Story, seen: Laid, sight: Sight, sights: Sights, floor: float) -> Iterator[Story]:
    """Cards were played and gathered unseen, a marriage was shown unseen; this is the next lead."""
    gathered = (
        answered_unseen(story, sights, seen.time, seen.dark, seen.reaches),
        trick_unseen(story, seen.time, seen.dark),
    )
    known = [unseen for unseen in gathered if unseen is not None]
    for unseen in known:
        yield from plays(unseen, seen.track, seen.time, sight, sights, floor)
    for before in (story, *known):
        # what an arm hides is not seen on its way
        arm = None if seen.brought else under_arm(seen.reaches, before.state.on_lead, seen.time)
        for declared in (
            *announced_unseen(before, seen.time, seen.dark),
            *announced_unseen(before, seen.time, arm, LOG_MARRIAGE_UNDER_ARM),
        ):
            for grown in plays(declared, seen.track, seen.time, sight, sights, floor):
                led = grown.state.led
                if led is not None and led.card is not None and led.card.suit is declared.state.declared:
                    yield grown
