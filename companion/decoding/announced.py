"""What an announcement button beside a card means."""

from __future__ import annotations

import math
from collections.abc import Iterator

from companion.decoding.evidence import Announced
from companion.decoding.likelihood import LOG_BUTTON_IDLE, LOG_MARRIAGE
from companion.decoding.story import Act, Story
from companion.rules.cards import Suit
from companion.rules.events import CardPlayed, MarriageDeclared
from companion.rules.hand import HandState, check

__all__ = ["announced"]

LOG_ANY_SUIT = -math.log(3)
"""Which marriage it is, with no lead to tell."""


def announced(story: Story, seen: Announced) -> Iterator[Story]:
    """Yield the story in which the button means nothing, and that in which it announced a marriage.

    It is that of the lead, which may have been answered meanwhile. Where both cards were shown as well, the
    button says nothing new.
    """
    other = seen.log_p[2]
    idle = story.costing(math.log(math.exp(other) + math.exp(LOG_BUTTON_IDLE)))
    if not seen.near:
        yield idle
        yield from _before_lead(story, seen)
        return
    at = _lead(story, seen)
    if at is None:
        yield idle
        return
    if at > 0 and isinstance(story.acts[at - 1].event, MarriageDeclared):
        yield story
        return
    yield idle
    lead = story.acts[at]
    if not isinstance(lead.event, CardPlayed) or lead.event.card is None or lead.event.card.partner is None:
        return
    event = MarriageDeclared(lead.event.player, lead.event.card.suit)
    if check(story.states[at], event) is None:
        act = Act(event, lead.time, None, lead.from_south, prior=_prior(story.states[at], event, seen))
        grown = story.refolded([*story.acts[:at], act, *story.acts[at:]])
        if grown is not None:
            yield grown


def _before_lead(story: Story, seen: Announced) -> Iterator[Story]:
    """Nothing was led, so the claim may follow at once: each marriage that the player on lead may have."""
    state, player = story.state, story.state.on_lead
    if player is None or state.declared is not None or story.table.pair is not None:
        return
    for suit in Suit:
        event = MarriageDeclared(player, suit)
        if check(state, event) is None:
            grown = story.then(Act(event, seen.time, prior=_prior(state, event, seen) + LOG_ANY_SUIT))
            if grown is not None:
                yield grown


def _prior(state: HandState, event: MarriageDeclared, seen: Announced) -> float:
    """How usual it is that this marriage is announced with what the button says, nats."""
    twenty, forty, _ = seen.log_p
    if state.trump is None:
        return LOG_MARRIAGE + max(twenty, forty)
    return LOG_MARRIAGE + (forty if event.suit is state.trump else twenty)


def _lead(story: Story, seen: Announced) -> int | None:
    """Position of the lead that lies beside the button, answered or not; `None`: there is none."""
    if story.table.led is None or story.table.led not in seen.near:
        return None
    for at in range(len(story.acts) - 1, max(-1, len(story.acts) - 3), -1):
        if story.acts[at].track == story.table.led:
            return at
    return None
