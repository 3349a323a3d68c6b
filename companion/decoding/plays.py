"""How a story goes on when a face is laid on the table: a play, a marriage, the same card, nothing."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.decoding.deals import is_misread, stood_in
from companion.decoding.evidence import Laid
from companion.decoding.likelihood import (
    LOG_ALONE,
    LOG_EXCHANGED,
    LOG_GATHERED_UNANSWERED,
    LOG_KEPT_LIES,
    LOG_LAID_AGAIN,
    LOG_LEFT_BEHIND,
    LOG_MARRIAGE,
    LOG_MOVED,
    LOG_OTHER_HAND,
    LOG_OUTSIDE_HAND,
    LOG_PICTURED,
    LOG_SEEN_TWICE,
    LOG_SHOWN_APART,
    LOG_TAKEN_BACK,
    LOG_TAKEN_UP,
    LOG_TOO_QUICK,
    LOG_TRICK_LIES_ON,
    LOG_UNMOVED,
    LOG_UNREAD,
    Sight,
    side,
)
from companion.decoding.reaches import hand_price
from companion.decoding.story import SAME_MOMENT_S, UNREAD, Act, Story, Table
from companion.decoding.unseen import announced_unseen, answered_unseen, trick_unseen
from companion.rules.cards import PACK_24, Card, Player
from companion.rules.events import CardPlayed, Exchanged, MarriageDeclared
from companion.rules.hand import HandState
from companion.table.observation import Phase

__all__ = ["laid", "led_of_pair", "plays"]

Sights = Mapping[int, Sight]

MOST_CARDS = 4
CARDS_WITHIN = 5.5
"""Nats below the likeliest card down to which a card is considered."""
GATHERED_S = 1.5
"""A card that is being gathered may lie still on its way for this long after it lay in the trick."""
PICTURED_S = 0.6
"""A phone shows a card no sooner after it was laid."""
PUSHED_S = 1.0
"""A card that is pushed a little, or turned, lies still again after this time."""
OUTLASTS_S = 0.5
"""Two cards that are gathered go within this time."""
TAKEN_S = 0.8
"""A hand that takes a card was seen at most so long before or after the card was seen last."""
EITHER = math.log(0.5)
"""Which of two cards of a marriage was led, with nothing seen of it."""


def laid(story: Story, seen: Laid, sights: Sights) -> Iterator[Story]:
    """Yield what a face that lies still on the table may be."""
    if seen.track in story.knows:
        yield story
        return
    sight = sights[seen.track]
    yield from _before_words(story, seen, sight, sights)
    if story.state.over:
        yield replace(story, passed=story.passed | {seen.track}, extra=story.extra + LOG_OUTSIDE_HAND)
        return
    yield story.ignoring(seen.track)
    yield from _same_card(story, seen, sight, sights)
    yield from plays(story, seen.track, seen.time, sight, sights)
    yield from _marriage(story, seen, sight, sights)
    yield from _taken_back(story, seen, sight, sights)
    yield from _missed(story, seen, sight, sights)


def _before_words(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Put a play, or a marriage, before words that were said after it came to rest."""
    at = story.before_claims(seen.time)
    if at == len(story.acts):
        return
    earlier = replace(story, acts=story.acts[:at], states=story.states[: at + 1])
    # a claim over a card that was led ends nothing: both may have been a marriage before it
    ways = [*_marriage(earlier, seen, sight, sights)]
    if story.state.over:
        ways += plays(earlier, seen.track, seen.time, sight)
    for grown in ways:
        again = grown.refolded([*grown.acts, *story.acts[at:]])
        if again is not None:
            yield again


def plays(
    story: Story, track: int, time: float, sight: Sight, sights: Sights | None = None
) -> Iterator[Story]:
    """Yield the story with the track as the next card played, as each card it may be."""
    if story.table.pair is not None:
        yield from _answer_to_pair(story, track, time, sight, sights)
        return
    state = story.state
    if state.over:
        return
    players = tuple(Player) if state.to_play is None else (state.to_play,)
    price, table = _place_of_play(story, track, time, sights)
    price += 0.0 if sight.came else LOG_UNMOVED
    for card in (*sight.cards(MOST_CARDS, CARDS_WITHIN), None):
        index = UNREAD if card is None else PACK_24.index(card)
        for player in players:
            act = Act(CardPlayed(player, card), time, track, sight.from_south)
            grown = story.then(act, index=index, table=table, extra=price)
            if grown is not None:
                yield grown
                if (swapped := _swapped(grown)) is not None:
                    yield swapped
            elif card is not None and card in state.seen:
                yield from _misread_before(story, card, act, index, table, price, sights)
            elif card is not None and card == state.dealt_up:
                other = stood_in(story, sights) if sights is not None else None
                grown = None if other is None else other.then(act, index=index, table=table, extra=price)
                if grown is not None:
                    yield grown
                if card == state.turned_up and not is_misread(story):
                    yield from _exchanged_before(story, card, act, index, table, price, sights)


def _swapped(story: Story) -> Story | None:
    """Return the story in which the latest answer led, where both cards were first seen at one moment."""
    if len(story.acts) < 2 or story.state.led is not None:
        return None
    lead, answer = story.acts[-2:]
    if not (isinstance(lead.event, CardPlayed) and isinstance(answer.event, CardPlayed)):
        return None
    if None in (lead.track, answer.track) or lead.told or abs(answer.time - lead.time) >= SAME_MOMENT_S:
        return None
    first, second = replace(answer, time=lead.time), replace(lead, time=answer.time)
    swapped = story.refolded([*story.acts[:-2], first, second])
    if swapped is None:
        return None
    return replace(swapped, table=replace(story.table, led=answer.track, answer=lead.track))


def _place_of_play(story: Story, track: int, time: float, sights: Sights | None) -> tuple[float, Table]:
    table, state = story.table, story.state
    price = 0.0
    if state.led is not None:
        led = sights.get(table.led) if sights is not None and table.led is not None else None
        if led is not None:
            if led.phase is Phase.GONE and led.last_seen < time - 0.2:
                price += LOG_GATHERED_UNANSWERED
            if abs(time - led.still_since) < SAME_MOMENT_S:
                price += LOG_TOO_QUICK
        return price, replace(table, answer=track)
    if sights is not None:
        trick = [sights[t] for t in (table.led, table.answer) if t is not None and t in sights]
        if any(one.lies for one in trick):
            left = any(one.phase is Phase.GONE for one in trick)
            price += LOG_LEFT_BEHIND if left else LOG_TRICK_LIES_ON
    return price, Table(turn_up=table.turn_up, led=track)


def _misread_before(
    story: Story, card: Card, act: Act, index: int, table: Table, price: float, sights: Sights | None
) -> Iterator[Story]:
    """The card was seen before: then it was another card that time."""
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
    for other in (*others, None):
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
        alike = sight.log_p[PACK_24.index(card)]
    if at is None:
        return
    shown = turn_up if noticed else None
    taken = Act(Exchanged(taker), time, shown, act.from_south, prior=LOG_EXCHANGED)
    earlier = story.refolded([*story.acts[:at], taken, *story.acts[at:]])
    if earlier is None:
        return
    index_of_jack = PACK_24.index(jack)
    read = sight.log_p[index_of_jack] >= LOG_UNREAD
    readings = {**story.readings, turn_up: index_of_jack if read else UNREAD}
    again = replace(act, event=CardPlayed(taker, card))
    grown = replace(earlier, readings=readings).then(again, index=index, table=table, extra=price + alike)
    if grown is not None:
        yield grown


def _lead_after(story: Story, player: Player, time: float) -> int | None:
    """Return how many acts came before `time`, if `player` was on lead then."""
    at = sum(old.time <= time for old in story.acts)
    return at if story.states[at].on_lead is player else None


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
        index = story.readings[old]
        price = LOG_TAKEN_UP if _unseen_for(PUSHED_S, sights.get(old), seen.time) else LOG_MOVED
        if old in sights and sights[old].lies:
            price = LOG_SEEN_TWICE
            if seen.time - sights[old].still_since >= PICTURED_S:
                pictured = {**story.readings, seen.track: index}
                yield replace(story, readings=pictured, extra=story.extra + LOG_PICTURED)
        elif story.state.led is None and _gathered(sights.get(old), seen.time):
            price = LOG_LAID_AGAIN
            other = table.answer if name == "led" else table.led if name == "answer" else None
            if other is not None and other in sights and sights[other].still_since > sights[old].last_seen:
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


def _gathered(sight: Sight | None, time: float) -> bool:
    """Whether a card had been gone for too long at `time` to be on its way."""
    return sight is not None and sight.phase is Phase.GONE and _unseen_for(GATHERED_S, sight, time)


def _unseen_for(seconds: float, sight: Sight | None, time: float) -> bool:
    """Whether a card had not been seen for so long at `time`."""
    return sight is not None and not sight.lies and time - sight.last_seen > seconds


def _taken_back(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """The latest card was taken back, and this one put in its place by the same player.

    An answer is only where the lead lies there longer.
    """
    last = len(story.acts) - 1
    if last < 0 or not isinstance(event := story.acts[last].event, CardPlayed):
        return
    table, answers = story.table, story.states[last].led is not None
    lay = table.answer if answers else table.led
    if story.acts[last].told or story.acts[last].track is None or lay is None or lay not in sights:
        return
    if sights[lay].lies or (table.kept is not None and not answers):
        return  # of a marriage, which of the two was led is another question
    if answers and not _outlasted(table.led, sights[lay], sights):
        return
    without = story.refolded(story.acts[:last])
    if without is None:
        return
    # that an answer disappeared while the lead stayed has been paid for
    price = LOG_TAKEN_BACK - (LOG_ALONE if answers else 0.0)
    taken = sights[lay].last_seen
    price += hand_price(seen.reaches, event.player, taken - TAKEN_S, taken + TAKEN_S)
    if hand_price(seen.reaches, event.player.other, taken + TAKEN_S, seen.time - TAKEN_S) == 0.0:
        price += LOG_OTHER_HAND  # as after a trick, to draw
    without = replace(
        without,
        table=replace(table, led=table.led if answers else None, answer=None),
        extra=without.extra + price,
    )
    for grown in plays(without, seen.track, seen.time, sight, sights):
        if grown.acts[-1].event != event:  # else it was but moved
            yield grown


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


def _marriage(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """A card beside the lead that makes a marriage with it: both shown by the leader.

    One of the two may be misread for as long as it lies.
    """
    state, table = story.state, story.table
    led = state.led
    if led is None or led.card is None or table.led is None or not story.acts:
        return
    last = story.acts[-1]
    before = story.refolded(story.acts[:-1])
    if last.track != table.led or last.told or before is None:
        return
    price = LOG_SHOWN_APART if _unseen_for(PUSHED_S, sights.get(table.led), seen.time) else 0.0
    for one, other in _pairs(led.card, sight, state):
        shown = replace(
            before,
            readings={**story.readings, table.led: one, seen.track: other},
            table=Table(turn_up=table.turn_up, pair=(table.led, seen.track)),
        )
        suit = PACK_24[max(one, other)].suit
        south, agreement = _both(last.from_south, sight.from_south)
        if shown.state.declared is suit:
            yield replace(shown, extra=shown.extra + side(south, led.player) + agreement + price)
            continue
        time = max(last.time, seen.time)
        prior = LOG_MARRIAGE + price + agreement + (0.0 if sight.came else LOG_UNMOVED)
        grown = shown.then(Act(MarriageDeclared(led.player, suit), time, None, south, prior=prior))
        if grown is not None:
            yield grown


def _pairs(led: Card, sight: Sight, state: HandState) -> Iterator[tuple[int, int]]:
    """Yield as what lead and other card are read in a marriage: both right, or one of them `UNREAD`."""
    if led.partner is not None and led.partner not in state.seen:
        index = PACK_24.index(led.partner)
        right = sight.log_p[index] >= max(sight.log_p) - CARDS_WITHIN
        yield PACK_24.index(led), index if right else UNREAD
    for card in sight.cards(1, 0.0):
        if card.partner not in (None, led) and card not in state.seen:
            yield UNREAD, PACK_24.index(card)


def _both(one: float, two: float) -> tuple[float, float]:
    """Two cards brought by one player: probability that it was south, and nats of their agreement."""
    south, north = one * two, (1.0 - one) * (1.0 - two)
    return south / (south + north), math.log(max(0.0001, south + north))


def led_of_pair(story: Story, lead: int, kept: int, time: float) -> Story | None:
    """Return the story in which `lead` of a shown marriage is the lead and `kept` goes back."""
    leader, one, other = story.state.on_lead, story.readings[lead], story.readings[kept]
    card = PACK_24[one] if one >= 0 else PACK_24[other].partner if other >= 0 else None
    if leader is None or card is None:
        return None
    act = Act(CardPlayed(leader, card), time, lead)
    return story.then(act, table=Table(turn_up=story.table.turn_up, led=lead, kept=kept))


def _answer_to_pair(
    story: Story, track: int, time: float, sight: Sight, sights: Sights | None
) -> Iterator[Story]:
    """A third card before one was seen to go: one of the two has been led, hardly the one not seen since."""
    if story.table.pair is None:
        return
    for at in (0, 1):
        lead, kept = story.table.pair[at], story.table.pair[1 - at]
        led = led_of_pair(story, lead, kept, time)
        price = EITHER
        if sights is not None and kept in sights and sights[kept].last_seen >= time:
            price += LOG_KEPT_LIES
        if led is not None:
            for grown in plays(led, track, time, sight):
                yield replace(grown, table=replace(grown.table, kept=kept), extra=grown.extra + price)
