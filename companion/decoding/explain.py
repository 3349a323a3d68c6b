"""How a story can go on when something is seen: each way is one more story."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

from companion.decoding.announced import announced
from companion.decoding.evidence import (
    Absent,
    Announced,
    AtStock,
    Bare,
    Evidence,
    Glimpsed,
    Gone,
    Laid,
    Lingered,
    Piled,
    Rested,
    Returned,
    TurnedUp,
    Unturned,
)
from companion.decoding.fallen import fallen, taken_up, trick_taken_back
from companion.decoding.laid import laid
from companion.decoding.likelihood import (
    LOG_ALONE,
    LOG_BOTH_BACK,
    LOG_CAME_BACK,
    LOG_GATHERED_UNANSWERED,
    LOG_KEPT_LIES,
    LOG_MOVED,
    LOG_SEEN_TWICE,
    Sight,
)
from companion.decoding.marriages import held_back, led_of_gone_pair, led_of_pair
from companion.decoding.on_stock import is_turn_up, looked_at, on_stock
from companion.decoding.story import SAME_MOMENT_S, UNREAD, Story
from companion.decoding.turn_up import (
    absent,
    closable,
    closings,
    exchanged_at_close,
    instead,
    laid_aside,
    turned_up,
)
from companion.decoding.unseen import glimpsed
from companion.rules.altered import altered
from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Closed
from companion.table.observation import Phase

__all__ = ["explain"]

Sights = Mapping[int, Sight]


def explain(story: Story, seen: Evidence, sights: Sights, floor: float = -math.inf) -> Iterator[Story]:
    """Yield every way in which `story` can go on with `seen`.

    Impossible ways are left out; unlikely ones carry their price. A track that the story knows
    already is not explained twice. Cards played that would make the story less likely than `floor` may be
    left out, too.
    """
    match seen:
        case TurnedUp() if story.state.bottom is None and not story.state.stock_left:
            # it has been drawn: what lies there is a card like any other
            yield from laid(story, Laid(seen.track, seen.time, seen.reaches), sights, floor)
        case TurnedUp() | Laid() if seen.on_stock and is_turn_up(story, seen, sights):
            yield from on_stock(story, seen, sights)
        case TurnedUp():
            yield from turned_up(story, seen, sights)
            yield from looked_at(story, seen, sights)
            yield from exchanged_at_close(story, seen, sights)
        case Laid():
            yield from laid(story, seen, sights, floor)
            yield from looked_at(story, seen, sights)
            yield from laid_aside(story, seen, sights)
            yield from exchanged_at_close(story, seen, sights)
        case Glimpsed():
            yield from glimpsed(story, seen, sights)
        case Lingered():
            yield from held_back(story, seen)
        case Announced():
            yield from announced(story, seen)
        case Gone():
            yield from _gone(story, seen, sights)
        case Piled():
            yield _piled(story, seen)
        case AtStock():
            yield _at_stock(story, seen, sights)
        case Rested():
            yield _rested(story, seen)
        case Absent():
            yield from absent(story, seen, sights)
        case Returned():
            yield _returned(story, seen)
        case Bare() | Unturned():
            yield story


def _gone(story: Story, seen: Gone, sights: Sights) -> Iterator[Story]:
    """A card lies there no more: of a marriage, a lead, the turn-up, a trick, or one that may have fallen."""
    table, state = story.table, story.state
    if state.over:
        counted_itself = isinstance(story.acts[-1].event, CardPlayed)
        alone = seen.track == table.answer and _went_alone(seen.track, table.led, sights)
        yield _paid_alone(story, seen.track) if counted_itself and alone else story
    elif seen.track in story.shown:
        # a hand that was laid open is taken up as one thing
        stay = any(sights[track].lies for track in story.shown & sights.keys())
        yield story.costing(LOG_ALONE) if stay else story
    elif table.pair is not None and seen.track in table.pair:
        yield from _of_pair_gone(story, table.pair, seen, sights)
    elif seen.track == table.led and (
        (state.led is not None and _lies(table.mistaken, sights)) or _is_lead_alone_gone(story, sights)
    ):
        yield story.costing(LOG_KEPT_LIES)
    elif seen.track == table.kept and _lies(table.led, sights) and _is_answer_gone(story, sights):
        yield story.costing(LOG_ALONE)
    elif seen.track == table.mistaken:
        yield taken_up(story, seen, sights)
    elif seen.track == table.turn_up and closable(state):
        yield from _turn_up_gone(story, seen, sights)
    elif state.led is None and seen.track in (table.led, table.answer):
        yield from _of_trick_gone(story, seen, sights)
    else:
        yield story
        yield from fallen(story, seen, sights)


def _of_pair_gone(story: Story, pair: tuple[int, int], seen: Gone, sights: Sights) -> Iterator[Story]:
    """King or queen has gone, with neither led yet: the other is, or both were taken up."""
    other = pair[1 - pair.index(seen.track)]
    if other in sights and sights[other].phase is not Phase.GONE:
        grown = led_of_pair(story, other, seen.track, seen.time, sights)
        if grown is not None:
            yield grown
        # a hand that hides the other may have taken both, to lead one of them then
        stays = sights[other].outlasted(sights[seen.track])
        yield story.costing(LOG_KEPT_LIES if stays else LOG_BOTH_BACK)
        return
    yield story.costing(LOG_MOVED)
    led = led_of_gone_pair(story, sights) if other in sights else None
    if led is not None:
        yield led.costing(LOG_MOVED)


def _turn_up_gone(story: Story, seen: Gone, sights: Sights) -> Iterator[Story]:
    """The turn-up has gone: it lies elsewhere, or the stock may be closed."""
    again = _lies_again(story, seen.track, sights)
    if again is not None:
        yield altered(story, table=replace(story.table, turn_up=again))
        return
    if _was_not_exchanged(story, seen.track, sights):
        yield story.costing(LOG_SEEN_TWICE)  # nor is the stock closed
        return
    without = instead(story, sights)
    yield without
    yield from closings(without, sights[seen.track].last_seen, seen.time, seen.reaches, seen.dark)


def _of_trick_gone(story: Story, seen: Gone, sights: Sights) -> Iterator[Story]:
    """A card of a whole trick has gone: with the other, as tricks are gathered, or without it."""
    table = story.table
    other = table.answer if seen.track == table.led else table.led
    beside = None if other is None else sights.get(other)
    if beside is not None and seen.track in beside.upon:
        yield story  # it lies there still, under the other
        return
    if _is_put_aside(story, seen.track, other, sights):
        yield altered(story, table=replace(table, led=None, answer=None, kept=None))
        return
    # under the answer the lead may lie unseen
    outlasted = seen.track == table.answer and _went_alone(seen.track, table.led, sights)
    if outlasted or _lies(other, sights):
        yield _paid_alone(story, seen.track)
        return
    last = story.last_play
    if seen.track == table.led and last is not None and seen.time < story.acts[last].time - SAME_MOMENT_S:
        yield story.costing(LOG_GATHERED_UNANSWERED)  # not known yet when the answer was laid
        return
    yield from trick_taken_back(story, seen, sights)
    yield story
    yield from fallen(story, seen, sights)


def _went_alone(answer: int, led: int | None, sights: Sights) -> bool:
    """Whether an answer has gone that the lead outlasted; both may be gone by the time that it is known."""
    lead = sights.get(led) if led is not None else None
    return lead is not None and lead.outlasted(sights[answer])


def _paid_alone(story: Story, track: int) -> Story:
    """Let a card of the last trick go while the other lies there."""
    return altered(story, extra=story.extra + LOG_ALONE, alone=track)


def _was_not_exchanged(story: Story, track: int, sights: Sights) -> bool:
    """Whether the turn-up that was dealt is seen where it lay once the card has gone that was laid for it."""
    first = story.dealt.track
    if story.state.exchanged_by is None or first is None or first == track or first not in sights:
        return False
    return sights[first].lies and sights[first].last_seen > sights[track].last_seen


def _is_lead_alone_gone(story: Story, sights: Sights) -> bool:
    """Whether the card of a marriage that was led has gone, and both that which was not and the answer lie.

    What has gone by now lay there for longer than the lead, unless it hid it.
    """
    kept, lead = story.table.kept, story.table.led
    if _lies(kept, sights):
        return not _is_answer_gone(story, sights)
    others = [sights.get(one) if one is not None else None for one in (kept, story.table.answer)]
    return lead is not None and all(
        one is not None and lead not in one.upon and one.outlasted(sights[lead]) for one in others
    )


def _is_put_aside(story: Story, track: int, other: int | None, sights: Sights) -> bool:
    """Whether the other card of a trick has been laid anew since this was seen: both were pushed aside.

    The one may lie unseen under the other then.
    """
    if other is None or other not in sights or any(act.track == other for act in story.acts):
        return False
    index, went = story.readings.get(track, UNREAD), sights[track].last_seen
    if any(one.best == index and one.lies and one.still_since > went for one in sights.values()):
        return False  # it lies in sight, too
    return sights[other].lies and sights[other].still_since > went


def _is_answer_gone(story: Story, sights: Sights) -> bool:
    """Whether the trick has been answered, and the answer lies there no more."""
    return story.state.led is None and not _lies(story.table.answer, sights)


def _lies(track: int | None, sights: Sights) -> bool:
    """Whether a card lies there still, as far as it is known which."""
    return track is not None and track in sights and sights[track].lies


def _lies_again(story: Story, track: int, sights: Sights) -> int | None:
    """Another track that the story takes for the same card and that lies there now, pushed elsewhere."""
    index = story.readings.get(track, UNREAD)
    if index == UNREAD:
        return None
    same = [other for other, read in story.readings.items() if read == index and other != track]
    return next((other for other in same if _lies(other, sights)), None)


def _returned(story: Story, seen: Returned) -> Story:
    """What was taken to have gone was only out of sight: the turn-up, or a card of a marriage."""
    table = story.table
    if story.state.over or (seen.turn_up and story.shown):
        return story  # what lies there then is turned over with the rest of the stock
    if seen.turn_up:
        closed = any(
            isinstance(act.event, Closed) and not act.told and act.time <= seen.time for act in story.acts
        )
        if closed:
            return story.costing(2 * LOG_CAME_BACK)
        return story.accounted()  # it was lifted, or hidden
    if table.pair is not None and seen.track in table.pair:
        return story.costing(-LOG_KEPT_LIES)
    return story.costing(LOG_KEPT_LIES) if seen.track == table.kept else story


def _piled(story: Story, seen: Piled) -> Story:
    state = story.state
    if not state.tricks or state.led is not None or state.over:
        return story
    return story.piling(Player.SOUTH if seen.south else Player.NORTH)


def _at_stock(story: Story, seen: AtStock, sights: Sights) -> Story:
    """Hands came to the stock: after a trick, or while a lead has gone that nothing seems to answer.

    Whoever draws after the next lead has drawn, too.
    """
    state, led = story.state, story.table.led
    if state.over or story.last_play is None:
        return story
    draws, taken = story.draws, len(state.tricks)
    lead = sights.get(led) if state.led is not None and led is not None else None
    if lead is not None and lead.phase is Phase.GONE and lead.away_s(seen.time):
        draws = draws.amid(taken, seen.players)
    if taken and state.led is None:
        draws = draws.reached(taken, seen.players).visited(taken)
    elif taken:
        draws = draws.reached(taken, frozenset())
    return altered(story, draws=draws)


def _rested(story: Story, seen: Rested) -> Story:
    """Nothing has moved at the stock since the last trick."""
    state, last = story.state, story.last_play
    if not state.tricks or state.over or last is None or state.led is not None:
        return story
    answer = story.acts[last]
    if answer.unseen or seen.since > answer.time:
        return story
    return altered(story, draws=story.draws.undisturbed(len(state.tricks)))
