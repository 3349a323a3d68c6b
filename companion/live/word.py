"""What somebody says at the table, heard where the match stands."""

from __future__ import annotations

from collections.abc import Iterator

from companion.live.act import Act, act_of_edit, against, refuse_other_hand
from companion.live.command import (
    CallRevoke,
    Claim,
    Close,
    Declare,
    Exchange,
    Insert,
    Knock,
    RefusedCommandError,
    ShowHand,
    Word,
)
from companion.live.hand import HandFold
from companion.live.pressed import is_waited_for
from companion.live.standing import Standing
from companion.rules.cards import Player
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import ImpossibleEvent
from companion.store.item import Answered
from companion.table.entry import CAMERA, Settled, phone_of

__all__ = ["word_said"]


def word_said(standing: Standing, word: Word, *, now: float, today: str, next_seq: int, source: str) -> Act:
    """Return what a word comes to; arguments as of `companion.live.deed.act_of`.

    Raises:
        RefusedCommandError: It cannot be said now, or was meant for a hand that is played no more.
    """
    refuse_other_hand(standing, word)
    match word:
        case Claim(player) if (claim := _claimed_unheard(standing, player)) is not None:
            about = [each.seq for each in standing.questions if each.about == claim.seq]
            answers = tuple(Answered(now, seq, 0, source) for seq in about)
            return Act(phone_of(player), items=answers)
        case Declare() if (lead := _lead_of(standing, word)) is not None:
            whose, insert = phone_of(word.player), Insert(lead, _said(word))
            return act_of_edit(standing, insert, now=now, today=today, next_seq=next_seq, source=whose)
        case _:
            return _heard(standing, word, now)


def _heard(standing: Standing, word: Word, now: float) -> Act:
    event = _said(word)
    if standing.hand is None:
        raise RefusedCommandError("no_hand", "no hand has been dealt")
    if standing.called is not None:
        raise RefusedCommandError("too_late", "the next hand has been called")
    waits, over = is_waited_for(standing.pending, event, now), standing.hand.state.over
    heard = Act(phone_of(word.player))  # the camera, or another phone, was quicker
    if event in _just_said(standing.hand) or (waits and not over):
        return heard
    try:
        breach = standing.hand.breach(event)
    except ImpossibleEvent as error:
        raise RefusedCommandError("too_late" if over else "impossible", str(error)) from error
    if waits:
        return heard
    # what cards prove is no fault of showing them
    if breach is not None and not isinstance(event, HandShown):
        raise against(breach)
    return Act(phone_of(word.player), told=(event,))


def _claimed_unheard(standing: Standing, player: Player) -> Settled | None:
    """Return the claim of a player that the swept table told: whoever presses it now only confirms it."""
    last = standing.last_event
    told = last is not None and last.event == Claimed(player) and last.source == CAMERA
    return last if told and standing.called is None else None


def _lead_of(standing: Standing, word: Declare) -> int | None:
    """Return the number of the entry before the lead that was laid with what is declared only now."""
    hand = standing.hand
    if hand is None or standing.called is not None or hand.declared_with_lead != _said(word):
        return None
    return hand.events[-2].seq


def _said(word: Word) -> Event:
    """Return what a word means in the hand."""
    match word:
        case Claim(player):
            return Claimed(player)
        case Declare(player, suit):
            return MarriageDeclared(player, suit)
        case Close(player, before_draw):
            return Closed(player, before_draw)
        case Exchange(player):
            return Exchanged(player)
        case Knock(player):
            return Knocked(player)
        case CallRevoke(player):
            return RevokeCalled(player)
        case ShowHand(player, cards):
            return HandShown(player, cards)


def _just_said(hand: HandFold) -> Iterator[Event]:
    """Yield the words since the last card, but for a lead that is not answered yet."""
    for entry in reversed(hand.events):
        if isinstance(entry.event, CardPlayed | Dealt):
            if not hand.is_lead(entry):
                return
        elif entry.seq not in hand.unfit:
            yield entry.event
