"""What a command comes to: words for the decoder, items for the log; and what a change of the record does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.live.alternatives import alternatives
from companion.live.command import (
    Correct,
    Edit,
    InsertTrick,
    NewHand,
    RefusedCommandError,
    Word,
    agrees,
    named_by,
)
from companion.live.correction import revised
from companion.live.hand import by_hand, fold_hand
from companion.live.place import hand_place
from companion.live.rewriting import about_of
from companion.live.standing import Standing
from companion.rules.breach import Breach
from companion.rules.events import CardPlayed, Dealt, Event
from companion.store.item import Corrected, Item
from companion.table.entry import CAMERA, MOST_OPTIONS, Asked, Entry, Retracted, Settled

__all__ = ["Act", "act_of_edit", "against", "refuse_other_hand"]


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


def refuse_other_hand(standing: Standing, command: Word | NewHand) -> None:
    """Refuse what was meant for another hand than the one that is played.

    Raises:
        RefusedCommandError: It was.
    """
    match, hand = standing.match.number, standing.number
    if command.match not in (None, match) or command.hand not in (None, hand):
        raise RefusedCommandError("too_late", f"hand {hand} of match {match} is played by now")


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
    items = (*revision.items, *_asked_in_turn(standing, edit, revision.items, now))
    items = (*items, *_left_open(standing, edit, items, now, answers))
    return Act(source, items=items, revises=True)


def _left_open(
    standing: Standing, edit: Edit, items: Sequence[Item], now: float, answers: int | None
) -> Iterator[Asked]:
    """Ask about the plays of an earlier hand that nobody has named and no other question decides any more.

    The decoder asks so in the hand that it sees; about a trick that nobody saw it does not.
    """
    if agrees(edit):
        return
    place = hand_place(standing, named_by(edit))
    earlier = place is not None and standing.hands[place] is not standing.hand
    put_in = {item.new for item in items if isinstance(item, Corrected) and isinstance(edit, InsertTrick)}
    if place is None or not (earlier or put_in):
        return
    new = [item for item in items if isinstance(item, Entry)]
    gone = {item.withdraws for item in new if isinstance(item, Retracted)}
    old = [entry for hand in standing.hands for entry in hand.events]
    settled = [one for one in (*old, *new) if isinstance(one, Settled) and one.seq not in gone]
    hands = by_hand(sorted(settled, key=lambda entry: entry.seq))
    after = replace(standing, hands=tuple(fold_hand(standing.rules, tuple(events)) for events in hands))
    asked = [one for one in (*standing.questions, *new) if isinstance(one, Asked)]
    asked = [one for one in asked if one.seq not in gone and one.seq != answers]
    decided = {about_of(settled, one, option) for one in asked for option in one.options}
    seq = max(entry.seq for entry in new)
    for entry in reversed(hands[place]):  # what is asked last is shown first
        unnamed = isinstance(entry.event, CardPlayed) and entry.event.card is None
        if unnamed and entry.seq in put_in:
            seq += 1
            yield Asked(seq, now, "which_card", entry.seq, _cards(after, entry.seq))
        elif unnamed and earlier and entry.source == CAMERA and entry.seq not in decided:
            seq += 1
            yield Asked(seq, now, "which_card", entry.seq, _cards(after, entry.seq), entry.time)


def _cards(standing: Standing, seq: int) -> tuple[Event, ...]:
    """What the play with this number may have been, as far as the rest tells it."""
    plays = [one for one in _fitting(standing, seq) if isinstance(one, CardPlayed) and one.card is not None]
    return tuple(plays[:MOST_OPTIONS])


def _fitting(standing: Standing, seq: int) -> list[Event]:
    """What the entry with this number may have been without another card losing its name."""
    return [each.event for each in alternatives(standing, seq) if each.fits and not each.unnamed]


def _asked_in_turn(standing: Standing, edit: Edit, items: Sequence[Item], now: float) -> tuple[Asked, ...]:
    """Ask which card another play was, or the turn-up, where a correction has shown that it was misread."""
    if not isinstance(edit, Correct):
        return ()
    last = max((item.seq for item in items if isinstance(item, Entry)), default=0)
    for item in items:
        if not isinstance(item, Corrected) or item.new is None or item.old in (None, edit.seq):
            continue
        seen = next((one.time for one in items if isinstance(one, Settled) and one.seq == item.new), None)
        if isinstance(item.was, Dealt):
            found = _fitting(standing, item.old)
            others = [one for one in found if isinstance(one, Dealt) and one.dealer is item.was.dealer]
            return (Asked(last + 1, now, "which_turn_up", item.new, tuple(others[:MOST_OPTIONS]), seen),)
        return (Asked(last + 1, now, "which_card", item.new, _cards(standing, item.old), seen),)
    return ()
