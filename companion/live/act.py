"""What a command comes to: words for the decoder, items for the log; and what a change of the record does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.live.alternatives import alternatives
from companion.live.command import Correct, Edit, RefusedCommandError
from companion.live.correction import revised
from companion.live.standing import Standing
from companion.rules.breach import Breach
from companion.rules.events import CardPlayed, Dealt, Event
from companion.store.item import Corrected, Item
from companion.table.entry import MOST_OPTIONS, Asked, Entry, Settled

__all__ = ["Act", "act_of_edit", "against"]


@dataclass(frozen=True, slots=True)
class Act:
    """What is to be done.

    Attributes:
        source: Who presses, as entries name it.
        told: Events that the decoder is told.
        withdraws: Number of the last event, where the decoder is to withdraw it.
        items: What is written down beforehand, without the decoder.
        renew: Whether the decoder starts anew from the log afterwards.
        revises: Whether `items` change what the decoder has settled.
    """

    source: str
    told: tuple[Event, ...] = ()
    withdraws: int | None = None
    items: tuple[Item, ...] = ()
    renew: bool = False
    revises: bool = False


def against(breach: Breach) -> RefusedCommandError:
    """Return the refusal that names the rule."""
    text = f"not now: {breach.name.lower()} (rule {breach.value})"
    return RefusedCommandError("against_rules", text, breach.value)


def act_of_edit(
    standing: Standing,
    edit: Edit,
    *,
    now: float,
    today: str,
    next_seq: int,
    source: str,
    answers: int | None = None,
) -> Act:
    """Return a change of the record, and what is asked because of it; arguments as of `revised`."""
    revision = revised(
        standing, edit, now=now, today=today, next_seq=next_seq, source=source, answers=answers
    )
    asked = _asked_in_turn(standing, edit, revision.items, now)
    return Act(source, items=(*revision.items, *asked), revises=True)


def _asked_in_turn(standing: Standing, edit: Edit, items: Sequence[Item], now: float) -> tuple[Asked, ...]:
    """Ask which card another play was, or the turn-up, where a correction has shown that it was misread."""
    if not isinstance(edit, Correct):
        return ()
    last = max((item.seq for item in items if isinstance(item, Entry)), default=0)
    for item in items:
        if not isinstance(item, Corrected) or item.new is None or item.old in (None, edit.seq):
            continue
        seen = next((one.time for one in items if isinstance(one, Settled) and one.seq == item.new), None)
        found = [each.event for each in alternatives(standing, item.old) if each.fits and not each.unnamed]
        if isinstance(item.was, Dealt):
            others = [one for one in found if isinstance(one, Dealt) and one.dealer is item.was.dealer]
            return (Asked(last + 1, now, "which_turn_up", item.new, tuple(others[:MOST_OPTIONS]), seen),)
        plays = [one for one in found if isinstance(one, CardPlayed) and one.card is not None]
        return (Asked(last + 1, now, "which_card", item.new, tuple(plays[:MOST_OPTIONS]), seen),)
    return ()
