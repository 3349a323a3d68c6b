"""What players say, put into stories: words of the game, corrections, withdrawals."""

from __future__ import annotations

from dataclasses import replace

from companion.decoding.beam import alike
from companion.decoding.story import Act, Story, Table
from companion.rules.events import CardPlayed, Closed, Event, Exchanged, HandShown, MarriageDeclared
from companion.rules.hand import ImpossibleEvent, check

__all__ = ["allowed", "corrected", "forgotten", "said_already"]


def allowed(story: Story, event: Event) -> bool:
    """Whether the rules allow `event` now in this story."""
    try:
        breach = check(story.state, event)
    except ImpossibleEvent:
        return False
    return breach is None or isinstance(event, HandShown)  # what cards prove is no fault of showing them


def said_already(story: Story, act: Act) -> bool:
    """Whether the camera saw what a player says; each of these happens once a hand."""
    return isinstance(act.event, Closed | MarriageDeclared | Exchanged) and any(
        old.event == act.event for old in story.acts
    )


def corrected(story: Story, at: int, event: CardPlayed, source: str) -> Story | None:
    """Return the story with another play at position `at` of its chain, or `None` if impossible.

    What the camera read of that card no longer counts.
    """
    if not 0 < at < len(story.chain) or not isinstance(story.chain[at].event, CardPlayed):
        return None
    old = story.chain[at]
    new = replace(old, event=event, source=source, prior=0.0)
    changed = story.refolded([*story.acts[: at - 1], new, *story.acts[at:]])
    if changed is None or old.track is None:
        return changed
    readings = {track: index for track, index in changed.readings.items() if track != old.track}
    return replace(changed, readings=readings, passed=changed.passed | {old.track})


def forgotten(story: Story, at: int, event: Event) -> Story | None:
    """Return the story without the event at position `at`, or `None` if it does not tell it.

    The card that showed it lies there and means nothing.
    """
    if not 0 < at < len(story.chain) or not alike(story.chain[at].event, event):
        return None
    shorter = story.refolded([*story.acts[: at - 1], *story.acts[at:]])
    if shorter is None:
        shorter = story.refolded(story.acts[: at - 1])
    if shorter is None:
        return None
    left = {act.track for act in story.chain} - {act.track for act in shorter.chain}
    tracks = frozenset(track for track in left if track is not None)
    readings = {track: index for track, index in shorter.readings.items() if track not in tracks}
    table = Table(turn_up=shorter.table.turn_up)
    if shorter.state.led is not None:
        plays = [act.track for act in shorter.acts if isinstance(act.event, CardPlayed)]
        table = replace(table, led=plays[-1] if plays else None)
    return replace(shorter, readings=readings, passed=shorter.passed | tracks, table=table)
