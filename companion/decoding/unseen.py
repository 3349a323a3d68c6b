"""What may have happened while nobody saw the table, or where no frame showed it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf

from companion.decoding.evidence import Dark, Glimpsed
from companion.decoding.likelihood import (
    LOG_CARRIED_BY,
    LOG_GLIMPSED,
    LOG_LED_UNDER_ARM,
    LOG_MARRIAGE,
    LOG_MARRIAGE_IN_DARK,
    LOG_MISSED_AGAIN,
    LOG_MISSED_IN_DARK,
    LOG_MISSED_PLAY,
    LOG_TRICK_IN_DARK,
    LOG_TRICK_IN_LONG_DARK,
    LOG_UNDECLARED,
    Sight,
)
from companion.decoding.marriages import may_be_declared
from companion.decoding.reaches import Reach, hand_price, reached
from companion.decoding.story import SAME_MOMENT_S, Act, Story, Table
from companion.rules.altered import altered
from companion.rules.cards import PACK_24, Player
from companion.rules.events import CardPlayed, MarriageDeclared
from companion.rules.hand import legal_events
from companion.table.observation import Phase

__all__ = ["announced_unseen", "answered_unseen", "glimpsed", "trick_unseen", "under_arm"]

Sights = Mapping[int, Sight]

TRICK_S = 2.5
"""A trick is not played and gathered in less."""
USUAL_TRICK_S = 10.0
"""In such a time one mostly is."""
AFTER_DARK_S = 15.0
"""The first card laid after the table was out of sight lies there by then, or nothing was missed."""
GATHERING_S = 1.0
"""So long a lead can be seen under the hand that gathers it and its answer."""
STAYS_S = 0.4
"""An arm that is there so long after a card was seen under it rests on it."""
MOST_GLIMPSED, GLIMPSED_WITHIN = 2, 5.0
"""How many cards a glimpse may have been, and how many nats below the likeliest."""
RESTED_S, UNCOVERED_S = 2.0, 0.4
"""An arm that was there for so long rested on the table, and uncovers what is seen so soon after."""
HANDS_OF_MARRIAGE = 2
"""So many times at least the hand of whoever shows a marriage and leads reaches in."""
ANNOUNCED_S = 3.0
"""So long before the lead at most a marriage is shown."""


def answered_unseen(
    story: Story,
    sights: Sights,
    time: float,
    dark: Dark | None,
    reaches: Sequence[Reach] | None = None,
    *,
    in_dark_only: bool = False,
) -> Story | None:
    """Return the story in which the lead was answered and gathered unseen; `None` while it lies there.

    With `in_dark_only` only where nobody saw the table when it was gathered. Where the hands that reached in
    are known, one must have answered.
    """
    state, led = story.state, story.table.led
    if state.led is None or state.to_play is None or led is None or story.table.pair is not None:
        return None
    if led not in sights or sights[led].lies:
        return None
    in_dark = dark is not None and _gathered_in(dark, sights[led])
    if in_dark_only and not in_dark:
        return None
    again = any(act.unseen and not act.told for act in story.acts)
    price = LOG_MISSED_IN_DARK if in_dark else LOG_MISSED_AGAIN if again else LOG_MISSED_PLAY
    if not in_dark and reaches is not None:
        price += hand_price(reaches, state.to_play, sights[led].still_since, time)
    return story.then(Act(CardPlayed(state.to_play, None), time, prior=price))


def glimpsed(story: Story, seen: Glimpsed, sights: Sights) -> Iterator[Story]:
    """Yield what a face may be that was carried to the trick and never lay still: nothing, or the answer."""
    state = story.state
    if state.to_play is None or story.table.pair is not None or story.shown:
        yield story
        return
    if state.led is None:
        yield story
        yield from _led_under_arm(story, seen, sights[seen.track])
        return
    sight = sights[seen.track]
    held = set(state.candidates(state.to_play)) - state.seen  # else it is gathered, or shown once more
    declared = _shown_in_hand(story, seen, sight)
    nothing = story.costing(LOG_CARRIED_BY) if PACK_24[sight.best] in held else story
    yield nothing if declared is None else nothing.costing(LOG_UNDECLARED)
    if declared is not None:
        yield declared
    price = LOG_GLIMPSED + hand_price(seen.reaches, state.to_play, sight.still_since, seen.time)
    for card in sight.cards(MOST_GLIMPSED, GLIMPSED_WITHIN):
        act = Act(CardPlayed(state.to_play, card), seen.time, seen.track, sight.from_south, prior=price)
        table = replace(story.table, answer=seen.track)
        grown = story.then(act, index=card.index, table=table) if card in held else None
        if grown is not None:
            yield grown


def _shown_in_hand(story: Story, seen: Glimpsed, sight: Sight) -> Story | None:
    """Return the story in which a face is of a marriage with the lead, kept in the hand that laid it.

    It hides the card that it holds as soon as that lies there. Whoever answers has not reached in yet.
    """
    act, led = story.acts[-1] if story.acts else None, story.state.led
    if act is None or act.told or led is None or led.card is None or act.track != story.table.led:
        return None
    partner, before = led.card.partner, story.states[-2]
    if partner is None or sight.best != partner.index or not may_be_declared(before, led.card, partner):
        return None
    if reached(seen.reaches, led.player.other, act.time, seen.time):
        return None
    prior = LOG_MARRIAGE + LOG_GLIMPSED
    shown = Act(MarriageDeclared(led.player, partner.suit), act.time, None, sight.from_south, prior=prior)
    again = story.refolded([*story.acts[:-1], shown, act])
    return None if again is None else altered(again, readings={**again.readings, seen.track: partner.index})


def _led_under_arm(story: Story, seen: Glimpsed, sight: Sight) -> Iterator[Story]:
    """Yield the stories in which a face that vanished under its player's arm was led, and lies there."""
    leader = story.state.on_lead
    if (
        leader is None
        or sight.phase is not Phase.HIDDEN
        or not reached(seen.reaches, leader, seen.time + STAYS_S, inf)
    ):
        return
    held = set(story.state.candidates(leader)) - story.state.seen
    table = Table(turn_up=story.table.turn_up, led=seen.track)
    for card in sight.cards(MOST_GLIMPSED, GLIMPSED_WITHIN):
        act = Act(CardPlayed(leader, card), seen.time, seen.track, sight.from_south, prior=LOG_LED_UNDER_ARM)
        grown = story.then(act, index=card.index, table=table) if card in held else None
        if grown is not None:
            yield grown


def under_arm(reaches: Sequence[Reach], leader: Player | None, time: float) -> Dark | None:
    """Return for how long an arm of the other player hid what the leader laid, and what of it is seen now.

    The leader's hand came twice meanwhile: it showed a marriage, and took one of its cards up again.

    Args:
        reaches: Whose hands reached in lately.
        leader: Who is on lead, if that is known.
        time: When a card came into sight.
    """
    if leader is None:
        return None
    for arm in reaches:
        leaves = time - UNCOVERED_S <= arm.end <= time + UNCOVERED_S / 2
        rested = arm.player is leader.other and arm.end - arm.start >= RESTED_S and leaves
        hands = sum(hand.player is leader and arm.start <= hand.start <= time for hand in reaches)
        if rested and hands >= HANDS_OF_MARRIAGE:
            return arm.start, arm.end
    return None


def _gathered_in(dark: Dark, led: Sight) -> bool:
    """Whether a lead was gathered while nobody looked, or by a hand that lay on the trick when that ended."""
    return led.still_since <= dark[1] + SAME_MOMENT_S and led.last_seen <= dark[1] + GATHERING_S


def trick_unseen(story: Story, time: float, dark: Dark | None) -> Story | None:
    """Return the story in which a whole trick was played and gathered while nobody looked."""
    if (
        dark is None
        or dark[1] - dark[0] < TRICK_S
        or story.state.led is not None
        or story.table.pair is not None
    ):
        return None
    if dark[1] < time - AFTER_DARK_S or (story.acts and story.acts[-1].time > dark[0]):
        return None
    unseen: Story | None = story
    for _ in range(2):
        if unseen is None or unseen.state.over or unseen.state.to_play is None:
            return None
        act = Act(CardPlayed(unseen.state.to_play, None), dark[1], prior=_trick_in(dark) / 2)
        unseen = unseen.then(act, table=Table(turn_up=story.table.turn_up))
    return unseen


def _trick_in(dark: Dark) -> float:
    """How likely it is that a trick was played and gathered while nobody looked, nats."""
    long = min(1.0, (dark[1] - dark[0] - TRICK_S) / (USUAL_TRICK_S - TRICK_S))
    return LOG_TRICK_IN_DARK + long * (LOG_TRICK_IN_LONG_DARK - LOG_TRICK_IN_DARK)


def _was_seen(act: Act, since: float) -> bool:
    """Whether an act happened after `since`, as far as anything shows when it was."""
    unseen = isinstance(act.event, CardPlayed) and act.track is None and not act.told
    return act.time > since and not unseen


def announced_unseen(
    story: Story, time: float, dark: Dark | None, prior: float = LOG_MARRIAGE_IN_DARK
) -> Iterator[Story]:
    """Yield the stories in which a marriage was shown just before `time`, while nobody looked."""
    state = story.state
    if dark is None or dark[1] < time - ANNOUNCED_S or state.led is not None or story.table.pair is not None:
        return
    if state.declared is not None or (story.acts and _was_seen(story.acts[-1], since=dark[1])):
        return
    for event in legal_events(state):  # of either player, after a trick that nobody saw taken
        if isinstance(event, MarriageDeclared):
            shown = story.then(Act(event, min(time, dark[1]), prior=prior))
            if shown is not None:
                yield shown
