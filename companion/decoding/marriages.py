"""How a story goes on when king and queen are shown: the marriage, and which of the two is led."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.decoding.evidence import Laid, Lingered
from companion.decoding.likelihood import (
    LOG_AFTER_LEAD,
    LOG_MARRIAGE,
    LOG_MARRIAGE_BENEATH,
    LOG_MARRIAGE_HELD,
    LOG_SHOWN_APART,
    LOG_SHOWN_BRIEFLY,
    LOG_UNMOVED,
    PUSHED_S,
    SHOWN_S,
    Sight,
    side,
)
from companion.decoding.story import UNREAD, Act, Story, Table
from companion.rules.altered import altered
from companion.rules.cards import PACK_24, Card
from companion.rules.events import CardPlayed, Closed, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, legal_events

__all__ = [
    "CARDS_WITHIN",
    "held_back",
    "led_of_gone_pair",
    "led_of_pair",
    "may_be_declared",
    "shown_with_lead",
    "unseen_partner",
]

Sights = Mapping[int, Sight]

CARDS_WITHIN = 5.5
"""Nats below the likeliest card down to which a card is considered."""


def may_be_declared(state: HandState, one: Card | None, other: Card | None) -> bool:
    """Whether two cards are a marriage that whoever is on lead may declare."""
    if one is None or other is None or one.partner != other or state.on_lead is None:
        return False
    return MarriageDeclared(state.on_lead, one.suit) in legal_events(state)


def unseen_partner(state: HandState, card: Card | None) -> Card | None:
    """Return the other card of the marriage that may be declared with `card`, unless it has been seen."""
    partner = None if card is None else card.partner
    return partner if partner not in state.seen and may_be_declared(state, card, partner) else None


def shown_with_lead(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """A card beside the lead that makes a marriage with it: both shown by the leader.

    One of the two may be misread for as long as it lies.
    """
    state, table = story.state, story.table
    led = state.led
    if led is None or led.card is None or table.led is None or not story.acts:
        return
    last = story.acts[-1]
    since = [act for act in story.acts[-2:-1] if _came_after(act, last)]
    if since and isinstance(since[0].event, Exchanged) and led.card == story.states[-3].bottom:
        since = []  # it could not be shown before it was exchanged
    before = story.refolded(story.acts[: -1 - len(since)])
    if last.track != table.led or last.told or before is None:
        return
    first = sights.get(table.led)
    price = LOG_SHOWN_APART if first is not None and first.away_s(seen.time) > PUSHED_S else 0.0
    for one, other in _pairs(led.card, sight, state):
        shown = altered(
            before,
            readings={**story.readings, table.led: one, seen.track: other},
            table=Table(turn_up=table.turn_up, pair=(table.led, seen.track)),
        )
        suit = PACK_24[max(one, other)].suit
        south, agreement = _both(last.from_south, sight.from_south)
        if shown.state.declared is suit:
            yield altered(shown, extra=shown.extra + side(south, led.player) + agreement + price)
            continue
        time = last.time if since else max(last.time, seen.time)
        prior = LOG_MARRIAGE + price + agreement + (0.0 if sight.came else LOG_UNMOVED)
        grown = shown.then(Act(MarriageDeclared(led.player, suit), time, None, south, prior=prior))
        for act in since:  # what was done before the lead, it lying there already, was done beside both
            grown = None if grown is None else grown.then(replace(act, prior=act.prior - LOG_AFTER_LEAD))
        if grown is not None:
            yield grown


def _pairs(led: Card, sight: Sight, state: HandState) -> Iterator[tuple[int, int]]:
    """Yield as what lead and other card are read in a marriage: both right, or one of them `UNREAD`."""
    if led.partner is not None and led.partner not in state.seen:
        index = led.partner.index
        right = sight.log_p[index] >= max(sight.log_p) - CARDS_WITHIN
        yield led.index, index if right else UNREAD
    for card in sight.cards(1, 0.0):
        if card.partner not in (None, led) and card not in state.seen:
            yield UNREAD, card.index


def _both(one: float, two: float) -> tuple[float, float]:
    """Two cards brought by one player: probability that it was south, and nats of their agreement."""
    south, north = one * two, (1.0 - one) * (1.0 - two)
    return south / (south + north), math.log(max(0.0001, south + north))


def held_back(story: Story, seen: Lingered) -> Iterator[Story]:
    """A hand has stayed at the card that it led: it may hold the other of a marriage, where one sees it.

    Or it came back to it: the other may have lain under it, and was taken.
    """
    yield story
    at = len(story.acts) - (1 if story.state.led is not None else 2)
    lead = story.acts[at] if at >= 0 else None
    if lead is None or lead.told or lead.track != seen.track or seen.track != story.table.led:
        return
    if not isinstance(lead.event, CardPlayed) or lead.event.player not in seen.players:
        return
    card, prior = lead.event.card, LOG_MARRIAGE_BENEATH if seen.again else LOG_MARRIAGE_HELD
    if at and _came_after(story.acts[at - 1], lead):
        prior -= LOG_AFTER_LEAD  # who has shown both, and not led yet, does that at leisure
    partner = unseen_partner(story.states[at], card)
    if partner is None or partner in story.state.seen:
        return
    event = MarriageDeclared(lead.event.player, partner.suit)
    shown = Act(event, lead.time, None, lead.from_south, prior=prior)
    again = story.refolded([*story.acts[:at], shown, *story.acts[at:]])
    if again is not None:
        yield again


def _came_after(act: Act, lead: Act) -> bool:
    """Whether somebody closed or exchanged when the lead lay there already, as it seemed."""
    return isinstance(act.event, Closed | Exchanged) and not act.told and act.time == lead.time


def led_of_pair(story: Story, lead: int, kept: int, time: float, sights: Sights | None) -> Story | None:
    """Return the story in which `lead` of a shown marriage is the lead and `kept` goes back.

    Where `kept` was hardly seen lying there, it may have been the lead, on its way.
    """
    leader, one, other = story.state.on_lead, story.readings[lead], story.readings[kept]
    card = PACK_24[one] if one >= 0 else PACK_24[other].partner if other >= 0 else None
    if leader is None or card is None:
        return None
    act = Act(CardPlayed(leader, card), time, lead)
    back = sights.get(kept) if sights is not None else None
    price = LOG_SHOWN_BRIEFLY if back is not None and back.lay_s < SHOWN_S else 0.0
    return story.then(act, table=Table(turn_up=story.table.turn_up, led=lead, kept=kept), extra=price)


def led_of_gone_pair(story: Story, sights: Sights) -> Story | None:
    """Return the story in which one card of a shown marriage was led, and both have gone by now.

    The one that lay there alone for a while was. Else they were taken up together, as where a hand ends.
    """
    pair = story.table.pair
    if pair is None:
        return None
    for lead, kept in (pair, pair[::-1]):
        if sights[lead].last_seen - sights[kept].last_seen > PUSHED_S:
            return led_of_pair(story, lead, kept, sights[kept].last_seen, sights)
    return None
