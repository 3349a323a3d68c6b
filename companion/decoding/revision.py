"""What somebody corrected, put into stories: the hand as it is written now, with what shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.decoding.beam import alike
from companion.decoding.story import Act, Story, Table
from companion.rules.altered import altered
from companion.rules.events import CardPlayed, Dealt, Event
from companion.table.entry import CAMERA, Settled

__all__ = ["Change", "change_of", "corrected", "forgotten", "named", "revised", "taught", "unplayed"]


SAME_ACT_S = 1.0
"""Two stories tell the same act at a position if their times are closer than this."""


@dataclass(frozen=True, slots=True)
class Change:
    """Where two writings of a hand differ.

    Attributes:
        start: Position of the first entry that differs.
        old: How many entries stood there.
        new: What stands there now.
        rest: What follows in both; players may have changed over.
    """

    start: int
    old: int
    new: tuple[Settled, ...]
    rest: tuple[Settled, ...]

    @property
    def grows(self) -> int:
        """By how many entries the hand is longer."""
        return len(self.new) - self.old


def change_of(before: Sequence[Settled], now: Sequence[Settled]) -> Change | None:
    """Return how one writing of a hand became another; `None`: that is another hand."""
    if not before or not now or not isinstance(now[0].event, Dealt) or before[0].time != now[0].time:
        return None
    most = min(len(before), len(now))
    start = 0
    while start < most and _unchanged(before[start], now[start]):
        start += 1
    tail = 0
    while tail < most - start and _followed(before[-1 - tail], now[-1 - tail]):
        tail += 1
    end = len(now) - tail
    return Change(start, len(before) - tail - start, tuple(now[start:end]), tuple(now[end:]))


def _unchanged(one: Settled, two: Settled) -> bool:
    return (one.event, one.time, one.source) == (two.event, two.time, two.source)


def _followed(one: Settled, two: Settled) -> bool:
    """Whether an entry stayed what it was, apart from whose it is."""
    if (one.time, one.source, type(one.event)) != (two.time, two.source, type(two.event)):
        return False
    player = getattr(two.event, "player", None)
    same = one.event if player is None else replace(one.event, player=player)
    return same == two.event


def revised(story: Story, change: Change) -> Story | None:
    """Return the story that tells what is written now, or `None` where it cannot.

    What is not written yet is told on. What the camera read of a corrected card no longer counts,
    and a card that was no play means nothing.
    """
    chain = story.chain
    old = chain[change.start : change.start + change.old]
    later = chain[change.start + change.old :]
    if len(chain) < change.start + change.old + len(change.rest):
        return None
    paired = len(old) == len(change.new)
    new = [
        Act(entry.event, entry.time, old[at].track if paired else None, source=entry.source)
        for at, entry in enumerate(change.new)
    ]
    rest = [replace(act, event=entry.event) for act, entry in zip(later, change.rest, strict=False)]
    acts = [*chain[: change.start], *new, *rest, *later[len(rest) :]]
    again = story.refolded(acts[1:], acts[0] if acts[0] is not story.dealt else None)
    if again is None:
        return None
    known = (*chain[: change.start], *new, *rest)
    if any(now.event != act.event for now, act in zip(again.chain, known, strict=False)):
        return None
    tracks = frozenset(act.track for act in old if act.track is not None)
    readings = {track: index for track, index in again.readings.items() if track not in tracks}
    table = again.table
    if sum(isinstance(act.event, CardPlayed) for act in old) != sum(
        isinstance(act.event, CardPlayed) for act in new
    ):
        table = _table_of(again)
    return altered(again, readings=readings, passed=again.passed | tracks, table=table)


def taught(story: Story, change: Change) -> Story | None:
    """Return a story that tells what is written differently, with what a person said in `change`.

    Who played a card follows from the rest of the story. `None` where it does not tell that something of the
    kind happened at that place.
    """
    if change.grows:
        return None
    told: Story | None = story
    for at, entry in enumerate(change.new, start=change.start):
        if told is None or entry.source == CAMERA:
            continue
        same = at < len(told.chain) and abs(told.chain[at].time - entry.time) < SAME_ACT_S
        told = corrected(told, at, entry.event, entry.source) if same else None
    return told


def corrected(story: Story, at: int, event: Event, source: str) -> Story | None:
    """Return the story with another event of the kind at position `at` of its chain, or `None` if impossible.

    What the camera read of that card no longer counts; whose card it is follows from the story.
    """
    if at >= len(story.chain) or type(story.chain[at].event) is not type(event):
        return None
    old = story.chain[at]
    if isinstance(event, CardPlayed) and isinstance(old.event, CardPlayed):
        event = replace(event, player=old.event.player)
    new = replace(old, event=event, source=source, prior=0.0)
    acts = [*story.acts[: at - 1], new, *story.acts[at:]] if at else story.acts
    changed = story.refolded(acts, None if at else new)
    if changed is None or old.track is None:
        return changed
    readings = {track: index for track, index in changed.readings.items() if track != old.track}
    return altered(changed, readings=readings, passed=changed.passed | {old.track})


def named(story: Story, at: int, told: Act, since: float) -> Story | None:
    """Return the story with the card that a person names for the play at position `at` of its chain.

    Where it tells nothing there, or only what was laid after `since`, that card was played without being
    told: it was asked about by another story, or before the program was started anew.
    """
    if at < len(story.chain) and story.chain[at].time <= since:
        return corrected(story, at, told.event, told.source)
    grown = story.refolded([*story.acts[: at - 1], told, *story.acts[at - 1 :]])
    return None if grown is None else altered(grown, table=_table_of(grown))


def _table_of(story: Story) -> Table:
    """Which track is what after plays have been put in or taken out."""
    plays = [act.track for act in story.acts if isinstance(act.event, CardPlayed)]
    turn_up = story.table.turn_up
    if story.state.led is not None:
        return Table(turn_up=turn_up, led=plays[-1])
    if len(plays) < 2:
        return Table(turn_up=turn_up)
    return Table(turn_up=turn_up, led=plays[-2], answer=plays[-1])


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
    if not isinstance(event, CardPlayed) and len(shorter.acts) == len(story.acts) - 1:
        # what lies there means what it meant
        return altered(shorter, readings=readings, passed=shorter.passed | tracks)
    table = Table(turn_up=shorter.table.turn_up)
    if shorter.state.led is not None:
        plays = [act.track for act in shorter.acts if isinstance(act.event, CardPlayed)]
        table = replace(table, led=plays[-1] if plays else None)
    return altered(shorter, readings=readings, passed=shorter.passed | tracks, table=table)


def unplayed(story: Story, track: int) -> Story | None:
    """Return the story in which a track was no card played; `None` where there is no such story."""
    at = next((at for at, act in enumerate(story.chain) if at and act.track == track), None)
    return story if at is None else forgotten(story, at, story.chain[at].event)
