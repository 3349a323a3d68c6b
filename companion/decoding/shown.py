"""Cards that a player lays open where the hand has ended: none of them is played."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from companion.decoding.evidence import Laid
from companion.decoding.likelihood import (
    LOG_AMONG_OTHERS,
    LOG_COUNTED,
    LOG_HAND_SHOWN,
    LOG_LAST_SHOWN,
    LOG_LOOKED_THROUGH,
    LOG_MORE_SHOWN,
    LOG_OUT,
    LOG_OUTSIDE_HAND,
    LOG_TURNED_OVER,
    LOG_UNDECLARED,
    Sight,
    side,
)
from companion.decoding.marriages import may_be_declared
from companion.decoding.reaches import reached
from companion.decoding.story import SAME_MOMENT_S, Act, Story, Table
from companion.rules.altered import altered
from companion.rules.cards import PACK_24, Card, Rank
from companion.rules.events import CardPlayed, Claimed, Closed, MarriageDeclared
from companion.rules.hand import HandState
from companion.rules.scoring import players_out
from companion.table.detection import BACK
from companion.table.observation import Phase

__all__ = [
    "counted",
    "laid_open",
    "last_shown",
    "led_or_shown",
    "looked_through",
    "may_be_open",
    "more_shown",
    "outside",
    "turned_over",
]

Sights = Mapping[int, Sight]

LED_S = 8.0
"""Whoever claims so soon over a card that seemed to be led has laid it open; later it was led."""
SHOWN_S = 2.0
"""The cards of a hand that is laid open come to lie within this time of each other."""


def outside(story: Story, seen: Laid, sights: Sights) -> float:
    """What it costs that a face means nothing, in a hand that has ended.

    Right before a claim king and queen alone, laid by whoever may declare them, are shown for that. Among the
    other cards of a hand they hardly are: a hand is laid open as one thing.
    """
    at = story.before_claims(seen.time)
    if at == len(story.acts) or sights[seen.track].best >= BACK:
        return LOG_OUTSIDE_HAND
    others = {
        track
        for track in story.passed & sights.keys()
        if sights[track].best < BACK and abs(sights[track].still_since - seen.time) < SHOWN_S
    }
    before, after = (
        _laid_at_once([PACK_24[sights[track].best] for track in tracks], story.states[at])
        for tracks in (others, others | {seen.track})
    )
    among = not others and at > 0 and _just_declared(story.acts[at - 1], seen.time)
    return after - before + LOG_AMONG_OTHERS * among


def _just_declared(act: Act, time: float) -> bool:
    """Whether a marriage was shown right before `time`."""
    return isinstance(act.event, MarriageDeclared) and not act.told and time - act.time < SHOWN_S


def _laid_at_once(cards: Sequence[Card], state: HandState) -> float:
    """What faces cost that are laid right before a claim and mean nothing."""
    if len(cards) > 2:
        return LOG_OUTSIDE_HAND + (len(cards) - 1) * LOG_MORE_SHOWN
    pair = len(cards) == 2 and may_be_declared(state, *cards)
    return len(cards) * LOG_OUTSIDE_HAND + LOG_UNDECLARED * pair


def laid_open(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """What seemed to be led, or king and queen, is the beginning of a hand that is laid open beside it.

    Or it is laid open beside a marriage: while nothing has been led, its player has nothing else to lay.
    """
    if story.table.pair is not None and story.state.on_lead in story.state.claimants:
        price = LOG_HAND_SHOWN + side(sight.from_south, story.state.on_lead)
        yield altered(story, shown=story.shown | {seen.track}, extra=story.extra + price)
    if seen.dark is not None and seen.time - seen.dark[1] < SAME_MOMENT_S:
        return  # nobody saw it being laid, nor the other one
    act = story.acts[-1] if story.acts else None
    tracks = _latest(story)
    first = [sights[track] for track in tracks if track in sights]
    if act is None or act.told or not first or len(first) < len(tracks):
        return
    before = _without_last(story, tracks)
    if before is None or not before.state.claimants:
        return
    known = {one.best for one in first} | {card.index for card in before.state.seen}
    out = sight.best not in known and _is_out_alone(before, act, seen)
    within = LED_S if out else SHOWN_S
    if not any(one.phase is Phase.GONE or abs(one.still_since - seen.time) > within for one in first):
        price = LOG_LAST_SHOWN if out else LOG_HAND_SHOWN
        price += LOG_UNDECLARED * _is_pair([*first, sight]) + _one_hand([first[0], sight])
        yield altered(before, shown=before.shown | {seen.track}, extra=before.extra + price)


def _is_out_alone(before: Story, act: Act, seen: Laid) -> bool:
    """Whether who seemed to lead had 66 for certain, and nobody reached in to answer: no trick was wanted."""
    player = before.state.on_lead
    if player is None or player not in players_out(before.state) or not seen.reaches:
        return False
    return not reached(seen.reaches, player.other, act.time, seen.time)


def turned_over(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """A card lies open where the stock lies: somebody looks what would have come, and plays no more.

    The turn-up is put there while it is exchanged; of a closed stock it is turned over once play has gone on.
    """
    state, first = story.state, story.dealt.track
    known = sight.best < BACK and PACK_24[sight.best] in state.seen
    if not _played_since_close(story):
        known |= state.bottom is not None and state.bottom.index == sight.best
        known |= first is not None and first in sights and sights[first].best == sight.best
    if seen.over_stock and state.stock_left and state.claimants and not known:
        table = replace(story.table, turned_over=seen.track)
        extra = story.extra + LOG_TURNED_OVER
        yield altered(story, shown=story.shown | {seen.track}, table=table, extra=extra)


def _played_since_close(story: Story) -> bool:
    """Whether the stock was closed, and a card has been played since."""
    closed = False
    for act in story.acts:
        if closed and isinstance(act.event, CardPlayed):
            return True
        closed |= isinstance(act.event, Closed)
    return False


def more_shown(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """Whoever has laid a hand open plays no more: what follows is shown, too, or no card."""
    beside = [
        sights[track]
        for track in sorted(story.shown & sights.keys())
        if abs(sights[track].still_since - seen.time) < SHOWN_S
    ]
    of_one_hand = max((_one_hand([each, sight]) for each in beside), default=-math.inf)
    price = max(LOG_MORE_SHOWN + of_one_hand, LOG_COUNTED)
    price += LOG_UNDECLARED * (_is_pair([*beside, sight]) - _is_pair(beside))
    yield altered(story, shown=story.shown | {seen.track}, extra=story.extra + price)
    yield story.ignoring(seen.track)


def counted(story: Story, seen: Laid, sight: Sight, sights: Sights) -> Iterator[Story]:
    """A card of a gathered trick is turned up by a player who claims: all of them are counted.

    What that player seemed to lead before was laid open, unless a claim is due over it.
    """
    ended: Story | None = story
    price, led = LOG_COUNTED, story.table.led
    if not story.state.claimants:
        ended = _without_last(story, _latest(story)) if story.acts and not story.acts[-1].told else None
        price += _one_hand([sights[led], sight]) if led is not None and led in sights else 0.0
    card = PACK_24[sight.best] if sight.best < BACK else None
    if ended is not None and ended.state.claimants and ended.state.tricks and card in ended.state.seen:
        price += LOG_OUT * bool(players_out(ended.state))
        readings = {**ended.readings, seen.track: sight.best}  # it is that card, and no other
        yield altered(ended, shown=ended.shown | {seen.track}, readings=readings, extra=ended.extra + price)


def looked_through(story: Story, sights: Sights) -> Story | None:
    """Return the story in which nobody has claimed: won tricks were looked through, and put back."""
    cards = [sights[track] for track in story.shown if track in sights and not sights[track].lies]
    put_back = len(cards) == len(story.shown) and all(
        card.best < BACK and PACK_24[card.best] in story.state.seen for card in cards
    )
    if not put_back:
        return None
    extra = story.extra + LOG_LOOKED_THROUGH
    return altered(story, shown=frozenset(), passed=story.passed | story.shown, extra=extra)


def led_or_shown(story: Story, claim: Act) -> Iterator[Story]:
    """A card without an answer that its player claims over was laid open with the claim."""
    led = story.state.led
    if not isinstance(claim.event, Claimed) or led is None or led.player is not claim.event.player:
        return
    if may_be_open(story, claim.time):
        yield from last_shown(story)


def last_shown(story: Story) -> Iterator[Story]:
    """What seemed to be led was the last card in the hand, laid open."""
    before = _without_last(story, _latest(story)) if story.state.led is not None else None
    if before is not None and not story.acts[-1].told:
        yield before.costing(LOG_LAST_SHOWN)


def may_be_open(story: Story, time: float) -> bool:
    """Whether a card that seemed to be led may as well be the rest of a hand that was laid open."""
    led = story.acts[-1] if story.state.led is not None else None
    return led is not None and not led.told and time - led.time <= LED_S


def _latest(story: Story) -> tuple[int, ...]:
    """The tracks of the latest act, if that is a lead or a marriage that waits for one."""
    table = story.table
    match story.acts[-1].event if story.acts else None:
        case CardPlayed() if story.state.led is not None and table.led is not None and table.kept is None:
            # a card that was moved since has been read as that card twice
            return (table.led,) if story.acts[-1].track == table.led else ()
        case MarriageDeclared() if table.pair is not None:
            return table.pair
        case _:
            return ()


def _without_last(story: Story, tracks: tuple[int, ...]) -> Story | None:
    """Return the story whose latest act showed cards that mean nothing."""
    before = story.refolded(story.acts[:-1]) if tracks else None
    if before is None:
        return None
    readings = {track: index for track, index in before.readings.items() if track not in tracks}
    table = Table(turn_up=story.table.turn_up)
    return altered(before, readings=readings, table=table, shown=before.shown | set(tracks))


def _is_pair(cards: Sequence[Sight]) -> bool:
    """Whether cards look like king and queen, alone; one of them may be misread."""
    ranks = {PACK_24[card.best].rank for card in cards if card.best < BACK}
    return len(cards) == 2 and ranks == {Rank.KING, Rank.QUEEN}


def _one_hand(cards: Sequence[Sight]) -> float:
    """Nats of the agreement of cards that one player brought."""
    south = math.prod(card.from_south for card in cards)
    return math.log(max(1e-4, south + math.prod(1.0 - card.from_south for card in cards)))
