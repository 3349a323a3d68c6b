"""Where an entry stands in the record: its hand, its trick, what may be missing right after it."""

from __future__ import annotations

from collections.abc import Sequence

from companion.live.command import Edit, InsertHand, InsertTrick, RefusedCommandError
from companion.live.hand import HandFold, fold_hand
from companion.live.standing import Standing
from companion.rules.cards import Player
from companion.rules.events import CardPlayed, MarriageDeclared
from companion.table.entry import CAMERA, Settled

__all__ = ["entry_of", "hand_place", "is_put_in", "is_unnamed_trick", "leader_after", "place_of", "trick_of"]


def hand_place(standing: Standing, seq: int) -> int | None:
    """Return the place of the hand that the entry `seq` belongs to; `None`: it does not stand."""
    hands = enumerate(standing.hands)
    return next((at for at, hand in hands if any(entry.seq == seq for entry in hand.events)), None)


def entry_of(standing: Standing, seq: int) -> tuple[HandFold, Settled]:
    """Return the hand that the entry `seq` belongs to, and the entry.

    Raises:
        RefusedCommandError: It does not stand.
    """
    place = hand_place(standing, seq)
    if place is None:
        raise RefusedCommandError("too_late", f"event {seq} does not stand any more")
    hand = standing.hands[place]
    return hand, next(entry for entry in hand.events if entry.seq == seq)


def place_of(standing: Standing, settled: Sequence[Settled], seq: int) -> int:
    """Return the place of the entry `seq` among all that stand, `settled`.

    Raises:
        RefusedCommandError: It does not stand, or has been corrected meanwhile.
    """
    place = next((place for place, entry in enumerate(settled) if entry.seq == seq), None)
    if place is not None:
        return place
    if any(each.told.old == seq for each in standing.corrections):
        raise RefusedCommandError("corrected", f"event {seq} has been corrected meanwhile")
    raise RefusedCommandError("too_late", f"event {seq} does not stand any more")


def leader_after(standing: Standing, after: int) -> Player | None:
    """Return who led the trick that may have been missed right after an entry, or `None` where none began.

    Where nobody knows who took the trick before it, that was whoever led the next.

    Raises:
        RefusedCommandError: The event does not stand any more.
    """
    hand, entry = entry_of(standing, after)
    at = hand.events.index(entry) + 1
    state = fold_hand(standing.rules, hand.events[:at]).state
    if state.over or state.led is not None or state.declared is not None:
        return None
    following = (one.event.player for one in hand.events[at:] if isinstance(one.event, CardPlayed))
    return state.leader if state.leader is not None else next(following, None)


def is_unnamed_trick(standing: Standing, after: int) -> bool:
    """Whether a trick that somebody said to be missing right after an entry stands there, not named yet."""
    settled = [entry for hand in standing.hands for entry in hand.events]
    at = place_of(standing, settled, after) + 1
    return (
        sum(
            isinstance(one.event, CardPlayed) and one.event.card is None and one.source != CAMERA
            for one in settled[at : at + 2]
        )
        == 2
    )


def is_put_in(standing: Standing, edit: Edit) -> bool:
    """Whether a hand or a trick that is said to be missing has been put in there, by another phone maybe."""
    match edit:
        case InsertTrick(after):
            return is_unnamed_trick(standing, after)
        case InsertHand(after, result):
            ends = [0, *(hand.events[-1].seq for hand in standing.hands)]
            place = ends.index(after) if after in ends else len(ends)
            there = standing.hands[place] if place < len(standing.hands) else None
            return there is not None and there.noted and there.events[-1].event == result
        case _:
            return False


def trick_of(standing: Standing, seq: int) -> tuple[Settled, ...] | None:
    """Return both cards of a trick by one of them, after the marriage that was declared with its lead.

    `None`: that is no play, or was not answered.

    Raises:
        RefusedCommandError: The event does not stand any more.
    """
    hand, entry = entry_of(standing, seq)
    plays = [one for one in hand.events if isinstance(one.event, CardPlayed) and one.seq not in hand.unfit]
    pairs = 2 * len(hand.state.tricks) + (hand.state.led is not None)
    if entry not in plays or len(plays) != pairs:  # a card that was taken back belongs to no trick
        return None
    at = plays.index(entry) // 2 * 2
    trick = plays[at : at + 2]
    since = plays[at - 1].seq if at else hand.events[0].seq
    declared = [
        one
        for one in hand.events
        if isinstance(one.event, MarriageDeclared) and since < one.seq < trick[0].seq
    ]
    return (*declared, *trick) if len(trick) == 2 else None
