"""The likeliest stories, and what they agree on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from companion.decoding.evidence import Evidence
from companion.decoding.explain import explain
from companion.decoding.likelihood import Sight
from companion.decoding.story import Act, Story
from companion.rules.events import CardPlayed, Event

__all__ = ["advance", "agreed", "alike", "ranked", "reweighed", "sharpened", "weights"]

Sights = Mapping[int, Sight]
Weighed = dict[tuple[object, ...], tuple[float, Story]]
"""Log-probability and story by what the story tells."""

_ROUNDING = 1e-6
"""Nats by which sums of the same in another order differ at most."""


def ranked(
    stories: Sequence[Story], sights: Sights, *, width: int, within: float
) -> list[tuple[float, Story]]:
    """Return the `width` likeliest stories with their log-probabilities, likeliest first.

    Of stories that tell the same, the likeliest stays; for the rest see `reweighed`.
    """
    best: Weighed = {}
    for story in stories:
        _weigh(best, story, sights)
    return _kept(list(best.values()), width, within)


def reweighed(
    stories: Sequence[Story], sights: Sights, *, width: int, within: float
) -> list[tuple[float, Story]]:
    """Return the `width` likeliest of stories that all tell something else, likeliest first.

    Those more than `within` nats below the best are dropped. The best of each deal stays besides:
    another card that was played can still be thought of when it is needed, another turn-up or
    dealer cannot. Equal ones keep their order, so that the same input gives the same output.
    """
    return _kept([(story.log_p(sights), story) for story in stories], width, within)


def _weigh(best: Weighed, story: Story, sights: Sights) -> None:
    """Let a story in, unless one that tells the same is as likely."""
    log_p, key = story.log_p(sights), story.key
    old = best.get(key)
    if old is None or log_p > old[0]:
        best[key] = (log_p, story)


def _kept(weighed: list[tuple[float, Story]], width: int, within: float) -> list[tuple[float, Story]]:
    order = sorted(weighed, key=lambda pair: -pair[0])
    kept = [pair for pair in order[:width] if pair[0] >= order[0][0] - within]
    deals = {story.dealt.event for _, story in kept}
    for log_p, story in order[width:]:
        if log_p < order[0][0] - within:
            break
        if story.dealt.event not in deals:
            deals.add(story.dealt.event)
            kept.append((log_p, story))
    return kept


def advance(
    beam: Sequence[tuple[float, Story]], seen: Evidence, sights: Sights, *, width: int, within: float
) -> list[tuple[float, Story]]:
    """Return the likeliest stories after one more piece of evidence, likeliest first.

    Most ways in which they can go on are dropped at once. Likely stories come first and tell the others how
    likely a way has to be that is worth working out (`_floor`); what is kept is the same as without that.
    """
    best: Weighed = {}
    for _, old in beam:
        for story in explain(old, seen, sights, _floor(best, old.dealt.event, width, within)):
            _weigh(best, story, sights)
    return _kept(list(best.values()), width, within) if best else list(beam)


def _floor(best: Weighed, dealt: Event, width: int, within: float) -> float:
    """What a story of a deal has to weigh at least to be kept by `_kept`, as far as stories are known."""
    if not best:
        return -math.inf
    order = sorted(log_p - _ROUNDING for log_p, _ in best.values())
    floor = order[-1] - within
    if len(order) >= width and order[-width] > floor:
        # the best of a deal stays besides
        known = any(story.dealt.event == dealt and log_p >= order[-width] for log_p, story in best.values())
        return order[-width] if known else floor
    return floor


def sharpened(
    beam: Sequence[tuple[float, Story]], track: int, sights: Sights, *, width: int, within: float
) -> list[tuple[float, Story]]:
    """Offer every story with `track` read as what it now looks like most."""
    stories = [story for _, story in beam]
    for card in sights[track].cards(2, 4.0):
        stories.extend(changed for _, story in beam if (changed := story.reassigned(track, card)) is not None)
    return ranked(stories, sights, width=width, within=within)


def alike(one: Event, two: Event) -> bool:
    """Whether two events are the same, a card that nobody named counting as any."""
    if isinstance(one, CardPlayed) and isinstance(two, CardPlayed) and None in (one.card, two.card):
        return one.player is two.player
    return one == two


def agreed(best: Story, rivals: Sequence[Story], open_at: frozenset[int]) -> int:
    """Return how many acts of `best`, from the deal on, all `rivals` tell alike.

    Args:
        best: The likeliest story.
        rivals: Stories close to it.
        open_at: Positions at which the card has been left open; there only the player counts.
    """
    chain = best.chain
    for at in range(len(chain)):
        for rival in rivals:
            if at >= len(rival.chain) or not _same(chain[at], rival.chain[at], at in open_at):
                return at
    return len(chain)


def _same(one: Act, two: Act, left_open: bool) -> bool:
    if left_open and isinstance(one.event, CardPlayed) and isinstance(two.event, CardPlayed):
        return one.event.player is two.event.player
    return one.event == two.event


def weights(beam: Sequence[tuple[float, Story]]) -> list[float]:
    """Return how much each story counts, one after the other; the likeliest counts 1."""
    top = beam[0][0]
    return [math.exp(log_p - top) for log_p, _ in beam]
