"""Which hands of the log a device may look through.

A hand is open once nothing of it can be played, claimed or taken up again: what was given up last could be
taken up, and after the last trick there may be a claim, which matters where counts are kept from the players.
Lookers-on get a hand once the next has been dealt; of a broadcast, once they have been shown that deal.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.history.hands import PlayedHand
from companion.live.snapshot import Role, Snapshot

__all__ = ["open_to"]


def open_to(
    role: Role, hands: Iterable[PlayedHand], newest: Snapshot, late: Snapshot | None
) -> list[PlayedHand]:
    """Return those of `hands` that a device with `role` may look through.

    Args:
        role: Whose device it is.
        hands: Of the log, oldest first.
        newest: The whole of what could be shown now.
        late: The whole of what lookers-on are shown now.
    """
    if role.presses:
        return [each for each in hands if not each.newest or _is_settled(each)]
    if newest.match.fair.mode != "broadcast":
        return [each for each in hands if not each.newest]
    if late is None or late.hand is None or not late.hand.events:
        return []
    shown = late.hand.events[0].seq
    return [each for each in hands if each.fold.events[0].seq < shown]


def _is_settled(hand: PlayedHand) -> bool:
    state = hand.fold.state
    ended = state.ended or (state.over and (hand.fair.mode == "training" or not state.claimants))
    return ended and not state.given_up
