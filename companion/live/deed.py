"""Whether a command can be done where the match stands, and what it comes to.

What is said (`word`), answered (`answering`), changed (`act`) and begun (`beginning`) is judged there; the
rules are asked, not repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from companion.live.act import Act, act_of_edit
from companion.live.answering import answered_by, vouched_for
from companion.live.beginning import new_hand, new_match
from companion.live.command import (
    Answer,
    CallRevoke,
    Claim,
    Close,
    Correct,
    Declare,
    Deed,
    Exchange,
    Insert,
    InsertHand,
    InsertTrick,
    Knock,
    NewHand,
    NewMatch,
    RefusedCommandError,
    RemoveTrick,
    Rename,
    ShowHand,
    Swap,
    Undo,
    Vouch,
)
from companion.live.correction import taken_back
from companion.live.naming import renamed
from companion.live.place import is_put_in
from companion.live.standing import Standing
from companion.live.word import word_said
from companion.rules.events import CardPlayed, Dealt, Event, GivenUp
from companion.rules.hand import apply, deal
from companion.rules.match import next_dealer
from companion.store.item import Corrected
from companion.table.entry import Entry

__all__ = ["REFEREE", "act_of", "undone"]

REFEREE = "phone:referee"
"""Who presses for both, as entries name it."""


def act_of(
    command: Deed,
    standing: Standing,
    *,
    now: float,
    today: str,
    next_seq: int,
    source: str = REFEREE,
) -> Act:
    """Return what `command` comes to.

    Args:
        command: What a phone asks.
        standing: Where the match stands.
        now: Seconds on the log's clock.
        today: Date and time of the wall clock, ISO 8601.
        next_seq: Number of the next entry.
        source: Who presses; a word of the game is its player's, whoever presses it.

    Raises:
        RefusedCommandError: It cannot be done; the message says why.
    """
    match command:
        case Claim() | Declare() | Close() | Exchange() | Knock() | CallRevoke() | ShowHand():
            return word_said(standing, command, now=now, today=today, next_seq=next_seq, source=source)
        case Undo(seq):
            last = standing.last_event
            if last is None:
                raise RefusedCommandError("no_hand", "nothing has happened yet")
            if last.seq != seq:
                raise RefusedCommandError(
                    "too_late", f"the last event is number {last.seq} by now, not {seq}"
                )
            answer = None if standing.called is not None else standing.last_answer
            if answer is not None:
                items = taken_back(standing, answer, now=now, today=today, next_seq=next_seq, source=source)
                return Act(source, items=items, revises=True)
            if standing.hand is not None and (last != standing.hand.events[-1] or standing.hand.noted):
                strike = Correct(seq, None)
                return act_of_edit(standing, strike, now=now, today=today, next_seq=next_seq, source=source)
            return Act(source, withdraws=seq)
        case NewHand():
            return new_hand(standing, command, now=now, today=today, next_seq=next_seq, source=source)
        case NewMatch():
            return new_match(standing, command, now=now, today=today, next_seq=next_seq, source=source)
        case Rename(player, name):
            items = renamed(standing, player, name, now=now, today=today, next_seq=next_seq, source=source)
            return Act(source, items=items)
        case Answer(seq, option):
            return answered_by(standing, seq, option, now=now, today=today, next_seq=next_seq, source=source)
        case Vouch():
            return vouched_for(standing, command, now=now, source=source)
        case Insert(after, event) if _stands_there(standing, after, event):
            return Act(source)  # pressed twice, or on two phones
        case InsertTrick() | InsertHand() if is_put_in(standing, command):
            return Act(source)
        case InsertHand():
            act = act_of_edit(standing, command, now=now, today=today, next_seq=next_seq, source=source)
            return replace(act, told=_called_after(standing, command))
        case Correct() | Insert() | InsertTrick() | RemoveTrick() | Swap():
            return act_of_edit(standing, command, now=now, today=today, next_seq=next_seq, source=source)
        case _:
            assert_never(command)


def _called_after(standing: Standing, edit: InsertHand) -> tuple[Event, ...]:
    """Return who deals after a hand that is put in, where the next has been called already."""
    if standing.called is None or (standing.hand is not None and standing.hand.events[-1].seq != edit.after):
        return ()
    dealt = deal(standing.rules, standing.called, None)
    return (Dealt(next_dealer(apply(dealt, edit.result)), None),)


def undone(
    standing: Standing, withdrawn: Sequence[Entry], *, now: float, today: str, source: str
) -> tuple[Corrected, ...]:
    """Return what tells that the last event of a hand was taken back, written before what withdraws it.

    A deal and a hand that was given up are no events of a hand that is changed.
    """
    last = standing.last_event
    seqs = [entry.seq for entry in withdrawn]
    if last is None or not seqs or isinstance(last.event, Dealt | GivenUp):
        return ()
    told = Corrected(today, now, source, min(seqs), max(seqs), last.seq, None, last.event, None, undone=True)
    return (told,)


def _stands_there(standing: Standing, after: int, event: Event) -> bool:
    """Whether the word that is said to be missing right after an entry is the next entry."""
    if isinstance(event, CardPlayed):
        return False  # who took a trick with a card that nobody read leads the next
    events = [entry for hand in standing.hands for entry in hand.events]
    place = next((place for place, entry in enumerate(events, 1) if entry.seq == after), len(events))
    return place < len(events) and events[place].event == event
