"""How a story can go on when something is seen: each way is one more story."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.decoding.evidence import Absent, Bare, Evidence, Gone, Laid, Piled, TurnedUp
from companion.decoding.likelihood import (
    LOG_ALONE,
    LOG_CAME_BACK,
    LOG_CLOSED,
    LOG_EXCHANGED,
    LOG_GATHERED_UNANSWERED,
    LOG_KEPT_LIES,
    LOG_MARRIAGE,
    LOG_MISSED_PLAY,
    LOG_MOVED,
    LOG_OUTSIDE_HAND,
    LOG_PILE_OF_LOSER,
    LOG_REPLACED,
    LOG_SEEN_TWICE,
    LOG_TOO_QUICK,
    LOG_TRICK_LIES_ON,
    LOG_TURN_UP_ABSENT,
    Sight,
)
from companion.decoding.story import UNREAD, Act, Story, Table
from companion.rules.cards import PACK_24, Card, Player, Rank
from companion.rules.events import CardPlayed, Claimed, Closed, Exchanged, MarriageDeclared

__all__ = ["explain"]

Sights = Mapping[int, Sight]

MOST_CARDS = 4
CARDS_WITHIN = 5.5
SAME_MOMENT_S = 0.35
MOST_ABSENT = -10.0


def explain(story: Story, seen: Evidence, sights: Sights) -> Iterator[Story]:
    """Yield every way in which `story` can go on with `seen`.

    Impossible ways are left out; unlikely ones carry their price. A track that the story knows
    already is not explained twice.
    """
    match seen:
        case TurnedUp():
            yield from _turned_up(story, seen, sights)
        case Laid():
            yield from _laid(story, seen, sights)
        case Gone():
            yield from _gone(story, seen, sights)
        case Piled():
            yield _piled(story, seen)
        case Absent():
            yield from _absent(story, seen)
        case Bare():
            yield story


# The turn-up


def _turned_up(story: Story, seen: TurnedUp, sights: Sights) -> Iterator[Story]:
    if seen.track in story.knows:
        yield story
        return
    sight, state = sights[seen.track], story.state
    yield story.ignoring(seen.track, -1.0)
    shown = state.bottom
    if shown is not None:
        price = LOG_CAME_BACK * 3 if state.at_close is not None else 0.0
        old = story.table.turn_up
        if old is not None and old in sights and sights[old].lies:
            price += LOG_SEEN_TWICE
        yield replace(
            story,
            readings={**story.readings, seen.track: PACK_24.index(shown)},
            table=replace(story.table, turn_up=seen.track),
            extra=story.extra + price,
        )
        jack = Card(state.rules.lowest_trump, shown.suit)
        if state.exchanged_by is None and state.at_close is None and jack != shown:
            act = Act(
                Exchanged(Player.SOUTH), seen.time, seen.track, sight.from_south, prior=LOG_EXCHANGED
            )
            table = replace(story.table, turn_up=seen.track)
            after = sights[old].last_seen if old is not None and old in sights else seen.time
            yield from _on_lead(story, act, PACK_24.index(jack), table, after)
    for grown in _plays(story, seen.track, seen.time, sight):
        yield replace(grown, extra=grown.extra + LOG_MOVED * 4)


def _on_lead(story: Story, act: Act, index: int | None, table: Table, after: float) -> Iterator[Story]:
    """Yield the story with an act that only the player on lead can do, also before the lead.

    The act happened later than `after` and not later than its own time.
    """
    state, last = story.state, _last_play(story)
    if state.led is None and not state.over:
        if last is not None and story.acts[last].time > act.time + SAME_MOMENT_S:
            return
        grown = story.refolded([*story.acts, act])
        if grown is not None:
            yield _with(grown, act, index, table)
    elif state.led is not None and last is not None and story.acts[last].time >= after - SAME_MOMENT_S:
        act = replace(act, time=min(act.time, story.acts[last].time))
        grown = story.refolded([*story.acts[:last], act, *story.acts[last:]])
        if grown is not None:
            yield _with(grown, act, index, table)


def _with(story: Story, act: Act, index: int | None, table: Table) -> Story:
    readings = story.readings
    if act.track is not None and index is not None:
        readings = {**readings, act.track: index}
    return replace(story, readings=readings, table=table)


def _last_play(story: Story) -> int | None:
    for at in range(len(story.acts) - 1, -1, -1):
        if isinstance(story.acts[at].event, CardPlayed):
            return at
    return None


def _absent(story: Story, seen: Absent) -> Iterator[Story]:
    at = _before_claims(story, seen.since)
    state = story.states[at]
    if not state.stock_open or state.turned_up is None or story.state.over and at == len(story.acts):
        yield story
        return
    price = max(LOG_TURN_UP_ABSENT, MOST_ABSENT - story.absent)
    yield replace(story, extra=story.extra + price, absent=story.absent + price)
    yield from _closings(story, seen.last_seen, seen.since)


def _closings(story: Story, after: float, time: float) -> Iterator[Story]:
    """Somebody closed the stock, at the latest before what is said or led now."""
    at = _before_claims(story, time)
    earlier = replace(story, acts=story.acts[:at], states=story.states[: at + 1])
    if earlier.state.at_close is not None or not earlier.state.stock_open:
        return
    act = Act(Closed(Player.SOUTH), time, prior=LOG_CLOSED)
    for grown in _on_lead(earlier, act, None, replace(story.table, turn_up=None), after):
        again = grown.refolded([*grown.acts, *story.acts[at:]])
        if again is not None:
            yield again


def _before_claims(story: Story, time: float) -> int:
    """How many acts came before the claims that were told after `time`."""
    at = len(story.acts)
    while at and (last := story.acts[at - 1]).told and isinstance(last.event, Claimed):
        if last.time < time - SAME_MOMENT_S:
            break
        at -= 1
    return at


# Plays


def _laid(story: Story, seen: Laid, sights: Sights) -> Iterator[Story]:
    if seen.track in story.knows:
        yield story
        return
    sight = sights[seen.track]
    if story.state.over:
        yield replace(
            story, passed=story.passed | {seen.track}, extra=story.extra + LOG_OUTSIDE_HAND
        )
        yield from _before_words(story, seen, sight)
        return
    yield story.ignoring(seen.track)
    yield from _same_card(story, seen, sight, sights)
    yield from _plays(story, seen.track, seen.time, sight, sights)
    yield from _marriage(story, seen, sight, sights)
    yield from _replaced(story, seen, sight, sights)
    yield from _missed(story, seen, sight, sights)


def _before_words(story: Story, seen: Laid, sight: Sight) -> Iterator[Story]:
    """Put a play before words that were said after it came to rest."""
    at = _before_claims(story, seen.time)
    if at == len(story.acts):
        return
    earlier = replace(story, acts=story.acts[:at], states=story.states[: at + 1])
    for grown in _plays(earlier, seen.track, seen.time, sight):
        again = grown.refolded([*grown.acts, *story.acts[at:]])
        if again is not None:
            yield again


def _plays(
    story: Story, track: int, time: float, sight: Sight, sights: Sights | None = None
) -> Iterator[Story]:
    """Yield the story with the track as the next card played, as each card it may be."""
    if story.table.pair is not None:
        yield from _answer_to_pair(story, track, time, sight)
        return
    state = story.state
    if state.over:
        return
    players = tuple(Player) if state.to_play is None else (state.to_play,)
    price, table = _place_of_play(story, track, time, sights)
    for card in (*sight.cards(MOST_CARDS, CARDS_WITHIN), None):
        index = UNREAD if card is None else PACK_24.index(card)
        for player in players:
            act = Act(CardPlayed(player, card), time, track, sight.from_south)
            grown = story.then(act, index=index, table=table, extra=price)
            if grown is not None:
                yield grown
            elif card is not None and card in state.seen:
                yield from _misread_before(story, card, act, index, table, price, sights)


def _place_of_play(
    story: Story, track: int, time: float, sights: Sights | None
) -> tuple[float, Table]:
    table, state = story.table, story.state
    price = 0.0
    if state.led is not None:
        led = sights.get(table.led) if sights is not None and table.led is not None else None
        if led is not None:
            if led.phase.value == "gone" and led.last_seen < time - 0.2:
                price += LOG_GATHERED_UNANSWERED
            if abs(time - led.still_since) < SAME_MOMENT_S:
                price += LOG_TOO_QUICK
        return price, replace(table, answer=track)
    if sights is not None:
        lying = [t for t in (table.led, table.answer) if t is not None and t in sights and sights[t].lies]
        if lying:
            price += LOG_TRICK_LIES_ON
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
        price = LOG_MOVED
        if old in sights and sights[old].lies:
            price = LOG_SEEN_TWICE
        moved = Table(**{**_fields(table), name: seen.track})
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
            yield replace(
                story,
                readings={**story.readings, seen.track: index},
                extra=story.extra + 2.0 * LOG_MOVED + LOG_OUTSIDE_HAND,
            )


def _fields(table: Table) -> dict[str, int | None]:
    return {
        "turn_up": table.turn_up,
        "led": table.led,
        "answer": table.answer,
        "kept": table.kept,
    }


def _replaced(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """The lead was taken back and another card put in its place."""
    led = story.table.led
    last = _last_play(story)
    if story.state.led is None or led is None or last is None or led not in sights:
        return
    if sights[led].lies or story.acts[last].told or story.acts[last].track != led:
        return
    without = story.refolded([*story.acts[:last], *story.acts[last + 1 :]])
    if without is None:
        return
    without = replace(without, table=Table(turn_up=story.table.turn_up), extra=without.extra + LOG_REPLACED)
    yield from _plays(without, seen.track, seen.time, sight, sights)


def _missed(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """The lead was answered and gathered unseen; this is the next lead."""
    led = story.table.led
    state = story.state
    if state.led is None or led is None or led not in sights or sights[led].lies or state.to_play is None:
        return
    if story.table.pair is not None:
        return
    between = Act(CardPlayed(state.to_play, None), seen.time, prior=LOG_MISSED_PLAY)
    unseen = story.then(between)
    if unseen is not None:
        yield from _plays(unseen, seen.track, seen.time, sight, sights)


# Marriages


def _marriage(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """A card beside the lead that makes a marriage with it: both shown by the leader."""
    state, table = story.state, story.table
    led = state.led
    if led is None or led.card is None or table.led is None or not story.acts:
        return
    last = story.acts[-1]
    if last.track != table.led or last.told or led.card.rank not in (Rank.KING, Rank.QUEEN):
        return
    rank = Rank.QUEEN if led.card.rank is Rank.KING else Rank.KING
    partner = Card(rank, led.card.suit)
    index = PACK_24.index(partner)
    if sight.log_p[index] < max(sight.log_p) - CARDS_WITHIN or partner in state.seen:
        return
    pair = (table.led, seen.track)
    before = story.refolded(story.acts[:-1])
    if before is None:
        return
    shown = replace(
        before,
        readings={**story.readings, seen.track: index},
        table=Table(turn_up=table.turn_up, pair=pair),
    )
    if shown.state.declared is led.card.suit:
        yield shown
        return
    south, agreement = _both(last.from_south, sight.from_south)
    time = max(last.time, seen.time)
    act = Act(MarriageDeclared(led.player, led.card.suit), time, None, south, prior=LOG_MARRIAGE + agreement)
    grown = shown.then(act)
    if grown is not None:
        yield grown


def _both(one: float, two: float) -> tuple[float, float]:
    """Two cards brought by one player: probability that it was south, and nats of their agreement."""
    south, north = one * two, (1.0 - one) * (1.0 - two)
    return south / (south + north), math.log(max(0.0001, south + north))


def _led_of_pair(story: Story, lead: int, kept: int, time: float) -> Story | None:
    index = story.readings[lead]
    leader = story.state.on_lead
    if leader is None or index < 0:
        return None
    act = Act(CardPlayed(leader, PACK_24[index]), time, lead)
    return story.then(act, table=Table(turn_up=story.table.turn_up, led=lead, kept=kept))


def _answer_to_pair(story: Story, track: int, time: float, sight: Sight) -> Iterator[Story]:
    """A third card while both still lie there: one of the two has been led."""
    if story.table.pair is None:
        return
    for at in (0, 1):
        lead, kept = story.table.pair[at], story.table.pair[1 - at]
        led = _led_of_pair(story, lead, kept, time)
        if led is not None:
            for grown in _plays(led, track, time, sight):
                yield replace(grown, table=replace(grown.table, kept=kept), extra=grown.extra - 0.7)


# What disappears


def _gone(story: Story, seen: Gone, sights: Sights) -> Iterator[Story]:
    table, state = story.table, story.state
    if state.over:
        yield story
        return
    if table.pair is not None and seen.track in table.pair:
        at = table.pair.index(seen.track)
        other = table.pair[1 - at]
        if other in sights and sights[other].phase.value != "gone":
            grown = _led_of_pair(story, other, seen.track, seen.time)
            if grown is not None:
                yield grown
            yield replace(story, extra=story.extra + LOG_KEPT_LIES)
            return
        yield replace(story, extra=story.extra + LOG_MOVED)
        return
    if seen.track == table.led and table.kept in sights and sights[table.kept].lies:
        yield replace(story, extra=story.extra + LOG_KEPT_LIES)
        return
    if seen.track == table.turn_up and state.stock_open:
        yield story
        yield from _closings(story, sights[seen.track].last_seen, seen.time)
        return
    if state.led is None and seen.track in (table.led, table.answer):
        other_track = table.answer if seen.track == table.led else table.led
        if other_track is not None and other_track in sights and sights[other_track].lies:
            yield replace(story, extra=story.extra + LOG_ALONE)
            return
    yield story


def _piled(story: Story, seen: Piled) -> Story:
    state = story.state
    if not state.tricks or state.led is not None or state.over:
        return story
    winner = state.tricks[-1].winner
    if winner is None or (winner is Player.SOUTH) is seen.south:
        return story
    return replace(story, extra=story.extra + LOG_PILE_OF_LOSER)
