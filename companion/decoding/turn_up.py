"""How a story goes on when the turn-up is seen, exchanged, or no longer seen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.decoding.again import of_gathered, of_trick
from companion.decoding.deals import is_misread
from companion.decoding.evidence import Absent, Dark, Laid, TurnedUp
from companion.decoding.likelihood import (
    LOG_AFTER_LEAD,
    LOG_AFTER_TRICK,
    LOG_AT_TURN_UP,
    LOG_BESIDE_LEAD,
    LOG_CAME_BACK,
    LOG_CLOSED,
    LOG_EXCHANGED,
    LOG_LAID_ASIDE,
    LOG_MOVED,
    LOG_OUTSIDE_HAND,
    LOG_SEEN_TWICE,
    LOG_STOCK_LEFT,
    LOG_THING_FOR_TURN_UP,
    LOG_TURN_UP_ABSENT,
    LOG_UNMOVED,
    LOG_UNREAD,
    Sight,
)
from companion.decoding.marriages import shown_with_lead
from companion.decoding.plays import plays
from companion.decoding.reaches import (
    LOG_DRAW_UNSEEN,
    LOG_GATHERED_BY_LOSER,
    LOG_REACHED_FOR_NOTHING,
    Reach,
    close_prices,
    hand_price,
)
from companion.decoding.shown import more_shown, turned_over
from companion.decoding.story import SAME_MOMENT_S, UNREAD, Act, Story, Table
from companion.decoding.unseen import answered_unseen
from companion.rules.altered import altered
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Dealt, Exchanged, MarriageDeclared
from companion.rules.hand import HandState
from companion.table.observation import Phase

__all__ = [
    "absent",
    "back_after",
    "closable",
    "closings",
    "exchanged_at_close",
    "instead",
    "laid_aside",
    "turned_up",
]

Sights = Mapping[int, Sight]

MOST_ABSENT = -10.0
"""What a turn-up that is not seen costs at most, in nats."""
MOST_BENEATH = -4.0
"""The same where the stock has come to lie upon its place: that closes it, or it was pushed there."""
MOST_STOCK_LEFT = -7.0
"""What that and a stock which lies there after it was drawn out cost together at most: a won pile may lie
where it lay."""
AFTER_LEAD_S = 5.0
"""For so long after leading somebody may still close or exchange, as long as nobody has answered."""
LIFTED_S = 8.0
"""Whoever lifts the turn-up has put it back after this time."""
AT_TRICK_S = 1.5
"""So soon after the answer the trick lies there still, and nobody exchanges."""
SHOWN_WITHIN = 5.5
"""Nats below the likeliest card down to which a card on the closed stock may be the lowest trump."""


def turned_up(story: Story, seen: TurnedUp, sights: Sights) -> Iterator[Story]:
    """Yield what a face at the turn-up's place may be: the same card, the exchanged one, a play."""
    if seen.track in story.knows:
        yield story
        return
    sight, state = sights[seen.track], story.state
    if state.over and story.before_claims(seen.time) == len(story.acts):
        # the next deal, or cards that are shown and counted
        yield altered(story, passed=story.passed | {seen.track}, extra=story.extra + LOG_OUTSIDE_HAND)
    yield _thing(story, seen, sights)
    yield from _turned_over(story, seen, sights)
    shown = state.bottom
    if shown is not None:
        price = LOG_CAME_BACK * 3 if state.at_close is not None else 0.0
        old = story.table.turn_up
        if old is not None and old in sights and sights[old].lies:
            price += LOG_SEEN_TWICE
        price += LOG_MOVED if sight.came else 0.0
        lies = replace(story.table, turn_up=seen.track)
        # as where it returns under its own track: it was lifted, or hidden
        again = altered(back_after(story, seen.time, sights, price), table=lies)
        if is_misread(story):
            # what was misread once is misread alike under any other track
            first = sights.get(story.dealt.track) if story.dealt.track is not None else None
            unread = 0.0 if first is not None and first.best == sight.best else LOG_UNREAD
            yield altered(again, passed=story.passed | {seen.track}, extra=again.extra + unread)
        else:
            yield altered(again, readings={**story.readings, seen.track: shown.index})
        jack = Card(state.rules.lowest_trump, shown.suit)
        if state.exchanged_by is None and state.at_close is None and jack != shown:
            prior = LOG_EXCHANGED + (0.0 if sight.came else LOG_UNMOVED)
            lay = sights.get(old) if old is not None else None
            lies_on = lay is not None and lay.lies and lay.last_seen > seen.time + SAME_MOMENT_S
            if lies_on and old != story.table.aside:
                prior += LOG_SEEN_TWICE  # what was exchanged does not lie there any more
            act = Act(Exchanged(Player.SOUTH), seen.time, seen.track, sight.from_south, prior=prior)
            after = sights[old].last_seen if old is not None and old in sights else seen.time
            read = sight.log_p[jack.index] >= LOG_UNREAD
            index = jack.index if read else UNREAD
            yield from _exchanged(story, act, index, after, sights)
            not_led = _not_led(story, jack, sights)
            answered = answered_unseen(story, sights, seen.time, None, seen.reaches)
            for before in (not_led, answered):
                if before is not None:
                    yield from _exchanged(before, act, index, after, sights)
    elif isinstance(story.dealt.event, Dealt):
        yield from _recognised(story, story.dealt.event, seen, sight)
    for grown in plays(story, seen.track, seen.time, sight, sights):
        yield altered(grown, extra=grown.extra + LOG_AT_TURN_UP)
    beside = Laid(seen.track, seen.time, seen.reaches, seen.dark)
    for declared in shown_with_lead(story, beside, sight, sights):
        # it lies where it does since the lead lies so near
        yield declared.costing(LOG_BESIDE_LEAD)
    # a trick that is pushed aside may come to lie across the turn-up; hardly a lead that waits for its answer
    for moved in of_trick(story, seen, sights):
        yield moved if state.led is None else moved.costing(LOG_AT_TURN_UP)
    yield from of_gathered(story, seen, sights)


def _turned_over(story: Story, seen: TurnedUp, sights: Sights) -> Iterator[Story]:
    """Yield the story in which what is left of the stock is turned over, and comes to lie there, too."""
    face = Laid(seen.track, seen.time, seen.reaches, seen.dark, over_stock=True)
    if story.shown:
        yield from more_shown(story, face, sights[seen.track], sights)
    elif story.state.closed_by is not None:
        for ended in turned_over(story, face, sights[seen.track], sights):
            yield ended.costing(LOG_AT_TURN_UP)  # else it is the lowest trump, and nobody closed


def _thing(story: Story, seen: TurnedUp, sights: Sights) -> Story:
    """Return the story in which it is no card of the hand, as it may be beside the turn-up."""
    ignoring = altered(story.ignoring(seen.track, -1.0), table=replace(story.table, thing=seen.track))
    old = story.table.turn_up
    gone = old is not None and old in sights and sights[old].phase is Phase.GONE  # not only hidden
    return instead(ignoring, sights) if gone else ignoring


def instead(story: Story, sights: Sights) -> Story:
    """Return the story once its turn-up has gone: what is no card of the hand may lie there instead."""
    thing = story.table.thing
    if thing is None or thing not in sights or not sights[thing].lies:
        return story
    price = LOG_THING_FOR_TURN_UP
    paid = replace(story.table, thing=None)
    return altered(story, table=paid, extra=story.extra + price, displaced=story.displaced + price)


def laid_aside(story: Story, seen: Laid, sights: Sights) -> Iterator[Story]:
    """Yield the story in which the turn-up itself has been drawn out, and lies face up elsewhere for a while.

    So most exchange who have one hand free: it is taken up once the lowest trump lies in its place.
    """
    shown, old = story.state.bottom, story.table.turn_up
    if shown is None or not story.state.stock_open or is_misread(story) or seen.track in story.knows:
        return
    index = shown.index
    if old is None or old not in sights or sights[old].lies:
        return
    if not sights[old].best == sights[seen.track].best == index:
        return  # it looks alike wherever it lies
    readings = {**story.readings, seen.track: index}
    table = replace(story.table, aside=seen.track)
    yield altered(back_after(story, seen.time, sights, LOG_LAID_ASIDE), readings=readings, table=table)


def back_after(story: Story, time: float, sights: Sights, price: float) -> Story:
    """Return the story once its turn-up is seen again: what its absence has cost is given back.

    Nobody lifts it for as long as a trick takes: it was turned down then, and is turned up again.
    """
    old = sights.get(story.table.turn_up) if story.table.turn_up is not None else None
    if old is not None and old.away_s(time) > LIFTED_S and story.absent <= MOST_ABSENT / 2.0:
        played = any(isinstance(act.event, CardPlayed) and act.time > old.last_seen for act in story.acts)
        price += 2.0 * LOG_CAME_BACK * played
    return story.accounted(price)


def _lies_aside(story: Story, sights: Sights) -> bool:
    """Whether the turn-up lies elsewhere now, as far as the story goes."""
    if story.state.bottom is None or not story.state.stock_open:
        return False
    index = story.state.bottom.index
    return any(
        read == index and track in sights and sights[track].lies for track, read in story.readings.items()
    )


def _exchanged(story: Story, act: Act, index: int, after: float, sights: Sights) -> Iterator[Story]:
    """Yield the story with an exchange, also right before what was claimed since."""
    at = story.before_claims(act.time)
    earlier = altered(story, acts=story.acts[:at], states=story.states[: at + 1])
    table = replace(story.table, turn_up=act.track)
    unseen = _before_unseen_lead(earlier, act, after)
    acts = (act,) if unseen is None else (replace(act, prior=act.prior + LOG_AFTER_TRICK), unseen)
    for grown in (one for each in acts for one in on_lead(earlier, each, index, table, after)):
        again = grown.refolded([*grown.acts, *story.acts[at:]])
        if again is not None:
            # it was not seen because it had been taken already, and the other was not laid yet
            yield again.accounted()
            if story.table.aside is not None:
                yield from _played_from_there(again.accounted(), story.table.aside, act.time, sights)


def _played_from_there(story: Story, aside: int, time: float, sights: Sights) -> Iterator[Story]:
    """Yield the stories in which the card that was exchanged was led, and did not go to a hand before."""
    sight = sights[aside]
    if story.state.on_lead is None or story.state.led is not None or not sight.lies:
        return
    readings = {track: index for track, index in story.readings.items() if track != aside}
    played = altered(story, readings=readings, table=replace(story.table, aside=None))
    yield from plays(played, aside, time, sight, sights)


def _before_unseen_lead(story: Story, act: Act, after: float) -> Act | None:
    """Return an act as one before the lead of the trick that lies there, if nobody saw its place since then.

    An arm rests there, and what it hid is seen only with the answer.
    """
    last = story.last_play
    lead = None if last is None else story.lead_of_trick(last + 1)
    if last is None or lead is None or act.time - story.acts[last].time > AT_TRICK_S:
        return None
    led_at = story.acts[lead].time
    return replace(act, time=led_at) if after <= led_at else None


def _not_led(story: Story, jack: Card, sights: Sights) -> Story | None:
    """Return the story in which the jack that seemed to be led was on its way under the stock."""
    led, last = story.table.led, story.acts[-1] if story.acts else None
    if led is None or last is None or last.told or story.state.led is None:
        return None
    if not isinstance(last.event, CardPlayed) or last.event.card != jack:
        return None
    if led not in sights or sights[led].lies:
        return None
    without = story.refolded(story.acts[:-1])
    if without is None:
        return None
    return altered(without, table=Table(turn_up=story.table.turn_up), extra=without.extra + LOG_MOVED)


def _recognised(story: Story, dealt: Dealt, seen: TurnedUp, sight: Sight) -> Iterator[Story]:
    """Yield the stories in which the turn-up, not known so far, is one of the likeliest cards."""
    for card in sight.cards(4, 6.0):
        if card not in story.state.rules.pack:
            continue
        act = replace(story.dealt, event=Dealt(dealt.dealer, card), track=seen.track)
        known = story.refolded(story.acts, act)
        if known is not None:
            yield replace(
                known,
                readings={**story.readings, seen.track: card.index},
                table=replace(story.table, turn_up=seen.track),
            )


def on_lead(story: Story, act: Act, index: int | None, table: Table, after: float) -> Iterator[Story]:
    """Yield the story with an act that only the player on lead can do, also before the lead.

    The act happened later than `after` and not later than its own time. One that was seen after the lead, and
    before the answer, was meant with the lead and comes before it.
    """
    state, last = story.state, story.last_play
    if state.led is None and not state.over:
        at = len(story.acts)
        if last is not None and story.acts[last].time > act.time + SAME_MOMENT_S:
            lead = story.lead_of_trick(last + 1)
            if lead is None:
                return
            at = lead
    elif state.led is not None and last is not None:
        at = last
    else:
        return
    if at < len(story.acts):
        led_at = story.acts[at].time
        if led_at < after - AFTER_LEAD_S:
            return
        late = LOG_AFTER_LEAD if led_at < after - SAME_MOMENT_S else 0.0
        act = replace(act, time=min(act.time, led_at), prior=act.prior + late)
    while at and _declared_later(story.acts[at - 1], act.time):
        at -= 1
    for done in _by_either(act, story.states[at]):
        grown = story.refolded([*story.acts[:at], done, *story.acts[at:]])
        if grown is not None:
            yield _with(grown, done, index, table)


def _by_either(act: Act, state: HandState) -> Iterator[Act]:
    """Yield an act as that of each player, where nobody knows who took the trick before; else as it is."""
    if state.on_lead is not None or not isinstance(act.event, Closed | Exchanged):
        yield act
        return
    for player in Player:
        yield replace(act, event=replace(act.event, player=player))


def _declared_later(act: Act, time: float) -> bool:
    """Whether a marriage was shown after `time`, and before the lead that goes with it."""
    return isinstance(act.event, MarriageDeclared) and not act.told and act.time > time


def _with(story: Story, act: Act, index: int | None, table: Table) -> Story:
    readings = story.readings
    if act.track is not None and index is not None:
        readings = {**readings, act.track: index}
    return altered(story, readings=readings, table=table)


def absent(story: Story, seen: Absent, sights: Sights) -> Iterator[Story]:
    """Yield the story in which the turn-up is merely not seen, and those in which the stock is closed."""
    if _lies_aside(story, sights):
        yield story
        return
    at = story.before_claims(seen.since)
    if _drawn_out(story.states[at]):
        price = min(0.0, max(LOG_STOCK_LEFT, MOST_STOCK_LEFT - story.absent))
        yield altered(story, extra=story.extra + price, absent=story.absent + price)
        return
    if not closable(story.states[at]) or (story.state.over and at == len(story.acts)):
        yield story
        if _drawn_just_now(story, at):
            yield from closings(story, seen.last_seen, seen.since, seen.reaches, seen.dark)
        return
    most = MOST_BENEATH if seen.beneath else MOST_ABSENT
    price = min(0.0, max(LOG_TURN_UP_ABSENT, most - story.absent))
    yield altered(story, extra=story.extra + price, absent=story.absent + price)
    yield from closings(story, seen.last_seen, seen.since, seen.reaches, seen.dark)


def _drawn_out(state: HandState) -> bool:
    """Whether somebody has led since the last cards were drawn: nothing of the stock lies there any more."""
    led = state.led is not None or len(state.tricks) > state.rules.stock_size // 2
    return state.at_close is None and state.stock_left == 0 and led


def _drawn_just_now(story: Story, at: int) -> bool:
    """Whether the last cards were drawn after the trick before `at`: instead, its leader may have closed."""
    state, lead = story.states[at], story.lead_of_trick(at)
    return state.led is None and state.stock_left == 0 and lead is not None and closable(story.states[lead])


def closable(state: HandState) -> bool:
    """Whether the stock may still be closed, also instead of the last draw (clause 6.4)."""
    if state.at_close is not None:
        return False
    return state.turned_up is not None or _last_draw_due(state)


def _last_draw_due(state: HandState) -> bool:
    """Whether nobody has led since the trick after which the last cards are drawn."""
    return state.rules.close_before_draw and len(state.tricks) == state.rules.stock_size // 2


def closings(
    story: Story, after: float, time: float, reaches: Sequence[Reach] = (), dark: Dark | None = None
) -> Iterator[Story]:
    """Somebody closed the stock, at the latest before what is said or led now.

    Args:
        story: Until then.
        after: When the turn-up was seen last.
        time: When it was gone.
        reaches: As of `Laid`; empty: nobody looks for hands.
        dark: As of `Laid`.
    """
    at = story.before_claims(time)
    earlier = altered(story, acts=story.acts[:at], states=story.states[: at + 1])
    if earlier.state.at_close is not None:
        return
    since, until = after - SAME_MOMENT_S, time + SAME_MOMENT_S
    for close, price in _ways_to_close(earlier, after, reaches):
        act = Act(close, time, prior=LOG_CLOSED + price)
        table = replace(story.table, turn_up=None)
        unseen = _before_unseen_trick(earlier, act, after)
        for grown in (*on_lead(earlier, act, None, table, after), *unseen):
            again = grown.refolded([*grown.acts, *story.acts[at:]])
            closer = grown.state.closed_by
            if again is not None and closer is not None:
                # whoever draws may cover the turn-up
                yield again.costing(hand_price(reaches, closer, since, until, dark) if reaches else 0.0)


def _before_unseen_trick(story: Story, act: Act, after: float) -> Iterator[Story]:
    """Yield the story with a close before the lead of the last trick, if the turn-up was not seen since then.

    Something lay on it, or an arm, until the trick was gathered.
    """
    lead = story.lead_of_trick(len(story.acts)) if story.state.led is None else None
    if lead is None or after > (led_at := story.acts[lead].time):
        return
    early = story.refolded([*story.acts[:lead], replace(act, time=led_at), *story.acts[lead:]])
    if early is not None:
        yield altered(early, table=replace(story.table, turn_up=None))


def _ways_to_close(story: Story, after: float, reaches: Sequence[Reach]) -> Iterator[tuple[Closed, float]]:
    """Yield after the draw and, where that is played, before it, with what the hands say of each."""
    state = story.state
    late, early = 0.0, None
    if state.rules.close_before_draw and state.tricks and state.tricks[-1].winner is not None:
        plays_down = [act.time for act in story.acts if isinstance(act.event, CardPlayed)]
        answered = plays_down[-1 if state.led is None else -2]
        late, early = close_prices(reaches, state.tricks[-1].winner, answered, after)
        drew = story.draws.drew_before_close(len(state.tricks))
        if drew:
            early = min(early, LOG_REACHED_FOR_NOTHING)
        elif drew is False:
            late, early = min(late, LOG_DRAW_UNSEEN), max(early, LOG_GATHERED_BY_LOSER)
    if state.stock_open or _drawn_just_now(story, len(story.acts)):
        yield Closed(Player.SOUTH), late
    if early is not None:
        yield Closed(Player.SOUTH, before_draw=True), early


def exchanged_at_close(story: Story, seen: Laid | TurnedUp, sights: Sights) -> Iterator[Story]:
    """The closer's opponent shows the lowest trump on the closed stock, for the old card (clause 4.6)."""
    old, sight = story.state.dealt_up, sights[seen.track]
    if seen.track in story.knows or old is None or not story.state.rules.exchange_on_close:
        return
    lowest = Card(story.state.rules.lowest_trump, old.suit)
    index = lowest.index
    if sight.log_p[index] < max(sight.log_p) - SHOWN_WITHIN:
        return
    prior = LOG_EXCHANGED + (0.0 if sight.came else LOG_UNMOVED)
    for closed in _just_closed(story, seen, sights):
        close = closed.state.at_close
        if close is None or len(closed.state.tricks) > close.tricks:
            continue
        act = Act(Exchanged(close.closer.other), seen.time, seen.track, sight.from_south, prior=prior)
        yield from on_lead(closed, act, index, closed.table, seen.time)


def _just_closed(story: Story, seen: Laid | TurnedUp, sights: Sights) -> Iterator[Story]:
    """Yield the story itself if the stock is closed in it, else those in which it was a moment ago."""
    turn_up = sights.get(story.table.turn_up) if story.table.turn_up is not None else None
    if story.state.at_close is not None:
        yield story
    elif turn_up is not None and not turn_up.lies and turn_up.last_seen < seen.time:
        time = (turn_up.last_seen + seen.time) / 2
        yield from closings(story, turn_up.last_seen, time, seen.reaches, seen.dark)
