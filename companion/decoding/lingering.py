"""Notices a hand that stays where it has laid a card: it may hold another that it does not show."""

from __future__ import annotations

from collections.abc import Iterator

from companion.decoding.evidence import Lingered
from companion.decoding.reaches import FLICKER_S, Reaches

__all__ = ["Lingering"]

LINGERS_S = 1.0
"""Whoever lays a card and no more has drawn back the hand by then; acted out, after .75 s at the latest."""
LATEST_S = 2.0
"""By then a hand has stayed, whether it leaves or not."""
CAME_S = 2.0
"""A hand that was there for longer, before the card lay, did not bring it but rests on the table."""


class Lingering:
    """Tells of each card near which a hand has stayed, once that leaves."""

    def __init__(self, reaches: Reaches) -> None:
        self._reaches = reaches
        self._laid: dict[int, float] = {}
        """When each card came to lie whose hand may still be there, seconds."""

    def laid(self, track: int, since: float) -> None:
        """Take note of a card that lies still since a time."""
        self._laid[track] = since

    def update(self, time: float) -> Iterator[Lingered]:
        """Tell of the hands that have stayed until now."""
        for track, since in tuple(self._laid.items()):
            there = (hand for hand in self._reaches.told() if hand.start <= since <= hand.end)
            hands = [hand for hand in there if since - hand.start <= CAME_S]
            due = time - since >= LATEST_S
            gone = [hand for hand in hands if due or hand.end < time]
            stayed = {hand.player for hand in gone if hand.end - since >= LINGERS_S}
            if stayed:
                yield Lingered(track, time, frozenset(stayed))
            if stayed or due or all(time - hand.end > FLICKER_S for hand in hands):
                del self._laid[track]
