"""How a story goes on when a card is played: which card, by whom, and what must have been before."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.decoding.deals import is_misread, stood_in
from companion.decoding.likelihood import (
    LOG_ALONE,
    LOG_ASIDE_LIES,
    LOG_BOTH_LIE,
    LOG_DRAWN_UNANSWERED,
    LOG_EXCHANGED,
    LOG_GATHERED_UNANSWERED,
    LOG_KEPT_LIES,
    LOG_LEFT_BEHIND,
    LOG_TOO_QUICK,
    LOG_TRICK_LIES_ON,
    LOG_UNMOVED,
    LOG_UNREAD,
    PUSHED_S,
    Sight,
    reading,
)
from companion.decoding.marriages import CARDS_WITHIN, led_of_pair
from companion.decoding.story import SAME_MOMENT_S, UNREAD, Act, Story, Table
from companion.rules.altered import altered
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Exchanged
from companion.rules.scoring import players_out
from companion.table.observation import Phase

__all__ = ["plays"]

Sights = Mapping[int, Sight]

MOST_CARDS = 4
EITHER = math.log(0.5)
"""Which of two cards of a marriage was led, with nothing seen of it."""
GONE_S = 0.2
"""A card that was seen until so shortly before another came may be hidden by the hand that laid that."""


def plays(
    story: Story,
    track: int,
    time: float,
    sight: Sight,
    sights: Sights | None = None,
    floor: float = -math.inf,
) -> Iterator[Story]:
    """Yield the story with the track as the next card played, as each card it may be.

    What would make the story less likely than `floor` may be left out.
    """
    if story.shown:
        return
    if story.table.pair is not None:
        yield from _answer_to_pair(story, track, time, sight, sights)
        return
    state = story.state
    if state.over:
        return
    players = tuple(Player) if state.to_play is None else (state.to_play,)
    price, table = _place_of_play(story, track, time, sights)
    price += 0.0 if sight.came else LOG_UNMOVED
    if sights is not None and floor > -math.inf:
        floor -= price + story.ceiling(sights)
    for card in (*sight.cards(MOST_CARDS, CARDS_WITHIN), None):
        index = UNREAD if card is None else card.index
        look = reading(sight, index)
        if look < floor and (card is None or (card not in state.seen and card != state.dealt_up)):
            continue
        for player in players:
            act = Act(CardPlayed(player, card), time, track, sight.from_south)
            grown = story.then(act, index=index, table=table, extra=price)
            if grown is not None:
                yield grown
                if (swapped := _swapped(grown)) is not None:
                    yield swapped
            elif card is not None and card in state.seen:
                yield from _misread_before(story, card, act, index, table, price, sights, floor - look)
            elif card is not None and card == state.dealt_up:
                other = stood_in(story, sights) if sights is not None else None
                grown = None if other is None else other.then(act, index=index, table=table, extra=price)
                if grown is not None:
                    yield grown
                if card == state.turned_up and not is_misread(story):
                    yield from _exchanged_before(story, card, act, index, table, price, sights)


def _swapped(story: Story) -> Story | None:
    """Return the story in which the latest answer led, where both cards were first seen at one moment.

    Whoever has shown a marriage leads a card of it.
    """
    if len(story.acts) < 2 or story.state.led is not None or story.table.kept is not None:
        return None
    lead, answer = story.acts[-2:]
    if not (isinstance(lead.event, CardPlayed) and isinstance(answer.event, CardPlayed)):
        return None
    if None in (lead.track, answer.track) or lead.told or abs(answer.time - lead.time) >= SAME_MOMENT_S:
        return None
    turned = story.refolded(
        [*story.acts[:-2], replace(answer, time=lead.time), replace(lead, time=answer.time)]
    )
    if turned is None:
        return None
    return altered(turned, table=replace(story.table, led=answer.track, answer=lead.track))


def _place_of_play(story: Story, track: int, time: float, sights: Sights | None) -> tuple[float, Table]:
    """Return what it costs that a card is laid there now as the next one, nats, and the table then."""
    table, state = story.table, story.state
    price = 0.0
    if state.led is not None:
        led = sights.get(table.led) if sights is not None and table.led is not None else None
        if led is not None:
            under = sights is not None and track in sights and table.led in sights[track].upon
            if _has_gone(led, time) and not under:
                price += LOG_GATHERED_UNANSWERED
                drew = story.draws.drew_unanswered(len(state.tricks))
                price += LOG_DRAWN_UNANSWERED if drew else 0.0
            if abs(time - led.still_since) < SAME_MOMENT_S and not _is_pushed_aside(story, led, time, sights):
                price += LOG_TOO_QUICK
        return price, replace(table, answer=track)
    if sights is not None:
        trick = [sights[t] for t in (table.led, table.answer) if t is not None and t in sights]
        # the lead may lie unseen under its answer, not the other way round
        answer = sights.get(table.answer) if table.answer is not None else None
        taken = answer is not None and answer.away_s(time) > PUSHED_S
        # what is laid there now may push the lead, which then does not lie still, but is seen beside it
        beside = max(time, sights[track].last_seen) if track in sights else math.inf
        if any(one.lies or (taken and one.last_seen >= beside) for one in trick):
            left = taken or any(one.phase is Phase.GONE for one in trick)
            price += LOG_LEFT_BEHIND if left else LOG_TRICK_LIES_ON
            # whether it is known to have gone by now makes no difference
            price += LOG_ALONE if taken and story.alone != table.answer else 0.0
        idle = sights.get(table.mistaken) if table.mistaken is not None else None
        price += LOG_TRICK_LIES_ON if idle is not None and not _has_gone(idle, time) else 0.0
        price += LOG_ASIDE_LIES if table.aside is not None and _lies_at(table.aside, time, sights) else 0.0
    return price, Table(turn_up=table.turn_up, led=track)


def _is_pushed_aside(story: Story, led: Sight, time: float, sights: Sights | None) -> bool:
    """Whether the lead lay there until its answer pushed it: then it lies still no sooner than that does."""
    at = story.last_play
    if at is None or sights is None or abs(time - story.acts[at].time) < SAME_MOMENT_S:
        return False
    first = sights.get(track) if (track := story.acts[at].track) is not None else None
    return first is not None and led.still_since - first.last_seen < PUSHED_S


def _misread_before(
    story: Story,
    card: Card,
    act: Act,
    index: int,
    table: Table,
    price: float,
    sights: Sights | None,
    floor: float,
) -> Iterator[Story]:
    """The card was seen before: then it was another card that time.

    It may be left out where it looks like that less, by more than `floor`, than like what it was taken for.
    """
    if sights is None:
        return
    culprit = next(
        (
            old.track
            for old in story.acts
            if isinstance(old.event, CardPlayed) and old.event.card == card and old.track is not None
        ),
        None,
    )
    if culprit is None or culprit not in sights:
        return
    others = [other for other in sights[culprit].cards(3, 9.0) if other != card]
    taken_for = reading(sights[culprit], story.readings.get(culprit, UNREAD))
    for other in (*others, None):
        if reading(sights[culprit], UNREAD if other is None else other.index) - taken_for < floor:
            continue
        changed = story.reassigned(culprit, other)
        if changed is None:
            continue
        now = changed.state.to_play
        if now is None or changed.state.over:
            continue
        again = replace(act, event=CardPlayed(now, card))
        grown = changed.then(again, index=index, table=table, extra=price)
        if grown is not None:
            yield grown


def _exchanged_before(
    story: Story, card: Card, act: Act, index: int, table: Table, price: float, sights: Sights | None
) -> Iterator[Story]:
    """The turned-up card is played while one lies under the stock: that one is the exchanged jack.

    Whoever plays it took it when the jack came to lie there, whatever the jack is taken for. Where
    nobody noticed it come, since it is taken for the card that lay there before, that was when last
    on lead, and what lies there looked like both.
    """
    state, turn_up = story.state, story.table.turn_up
    taker, jack = state.to_play, Card(state.rules.lowest_trump, card.suit)
    if taker is None or jack == card or turn_up is None or turn_up not in story.readings:
        return
    noticed, alike = turn_up != story.dealt.track, 0.0
    sight = sights.get(turn_up) if sights is not None else None
    if sight is None:
        return
    if noticed:
        at = _lead_after(story, taker, sight.still_since)
        time = sight.still_since
    else:
        at = next((i for i in range(len(story.acts), -1, -1) if story.states[i].on_lead is taker), None)
        time = act.time if at is None or at == len(story.acts) else story.acts[at].time
        alike = sight.log_p[card.index]
    if at is None:
        return
    shown = turn_up if noticed else None
    taken = Act(Exchanged(taker), time, shown, act.from_south, prior=LOG_EXCHANGED)
    earlier = story.refolded([*story.acts[:at], taken, *story.acts[at:]])
    if earlier is None:
        return
    index_of_jack = jack.index
    read = sight.log_p[index_of_jack] >= LOG_UNREAD
    readings = {**story.readings, turn_up: index_of_jack if read else UNREAD}
    again = replace(act, event=CardPlayed(taker, card))
    grown = altered(earlier, readings=readings).then(again, index=index, table=table, extra=price + alike)
    if grown is not None:
        yield grown


def _lead_after(story: Story, player: Player, time: float) -> int | None:
    """Return how many acts came before `time`, if `player` was on lead then."""
    at = sum(old.time <= time for old in story.acts)
    return at if story.states[at].on_lead is player else None


def _answer_to_pair(
    story: Story, track: int, time: float, sight: Sight, sights: Sights | None
) -> Iterator[Story]:
    """A third card before one was seen to go: one of the two has been led, hardly the one not seen since."""
    if story.table.pair is None:
        return
    for at in (0, 1):
        lead, kept = story.table.pair[at], story.table.pair[1 - at]
        led = led_of_pair(story, lead, kept, time, sights)
        shown = None if sights is None else sights.get(lead)
        price = EITHER + (LOG_GATHERED_UNANSWERED if shown is not None and _has_gone(shown, time) else 0.0)
        if _lies_at(kept, time, sights):
            # who is out with the marriage says so, and lays down what is left
            both = _lies_at(lead, time, sights) and not players_out(story.state)
            price += LOG_BOTH_LIE if both else LOG_KEPT_LIES
        if led is not None:
            for grown in plays(led, track, time, sight):
                yield altered(grown, table=replace(grown.table, kept=kept), extra=grown.extra + price)


def _has_gone(sight: Sight, time: float) -> bool:
    """Whether a card is known to have gone before a time."""
    return sight.phase is Phase.GONE and sight.last_seen < time - GONE_S


def _lies_at(track: int, time: float, sights: Sights | None) -> bool:
    """Whether a card has been seen since a time."""
    return sights is not None and track in sights and sights[track].last_seen >= time
