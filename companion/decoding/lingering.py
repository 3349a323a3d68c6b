"""Notices a hand that stays where it has laid a card, or comes back to it: it may hold another, or take it.

What it takes back may have lain under the card that it leaves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from companion.decoding.evidence import Lingered
from companion.decoding.reaches import FLICKER_S, Reaches
from companion.rules.cards import PACK_24
from companion.table.detection import BACK
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import short_side

__all__ = ["Lingering"]

LINGERS_S = 1.0
"""Whoever lays a card and no more has mostly drawn back the hand by then."""
LATEST_S = 2.0
"""By then a hand has stayed, whether it leaves or not."""
CAME_S = 2.0
"""A hand that was there for longer, before the card lay, did not bring it but rests on the table."""
RESTS_S = 1.7
"""Whoever comes back to touch a card, or to take one from under it, is away again sooner."""
PUSHED = 0.15
"""A card that has come so far meanwhile, in short card sides, is pushed to where it shall lie."""


class Lingering:
    """Tells of each king and queen at which a hand has stayed, or to which one came back, once it leaves."""

    def __init__(self, reaches: Reaches) -> None:
        self._reaches = reaches
        self._laid: dict[int, tuple[float, Observation]] = {}
        """When each card came to lie whose hand may still be there, seconds, and where."""
        self._left: tuple[float, Observation] | None = None
        """From when on no hand that laid it was at the latest card any more, and that card."""
        self._other_seen = False
        """Whether something has looked like the other of a marriage since, on its way."""

    def laid(self, card: Observation, since: float) -> None:
        """Take note of a king or queen that lies still since a time; what is held back goes with no other."""
        self._left = None
        if card.best < BACK and PACK_24[card.best].partner is not None:
            self._laid[card.track] = since, card

    def update(self, view: TableView) -> Iterator[Lingered]:
        """Tell of the hands that have stayed until now."""
        time = view.time
        for track, (since, card) in tuple(self._laid.items()):
            there = (hand for hand in self._reaches.told() if hand.start <= since <= hand.end)
            hands = [hand for hand in there if since - hand.start <= CAME_S]
            due = time - since >= LATEST_S
            gone = [hand for hand in hands if due or hand.end < time]
            stayed = {hand.player for hand in gone if hand.end - since >= LINGERS_S}
            if stayed and not any(_pushed(card, now) for now in view.cards):
                yield Lingered(track, time, frozenset(stayed))
            if stayed or due or all(time - hand.end > FLICKER_S for hand in hands):
                del self._laid[track]
                self._left, self._other_seen = None if stayed or due else (time, card), False
        yield from self._came_back(view)

    def _came_back(self, view: TableView) -> Iterator[Lingered]:
        """Tell of hands that came to the latest card of all, touched it, and left it lying where it lay."""
        if self._left is None:
            return
        since, card = self._left
        partner = PACK_24[card.best].partner
        self._other_seen |= any(
            partner is not None and each.best == partner.index and each.phase is Phase.MOVING
            for each in view.cards
        )
        now = next((each for each in view.cards if each.track == card.track), None)
        if now is None or now.phase is Phase.GONE:
            self._left = None
            return
        if now.phase is not Phase.STILL or now.last_seen < view.time or now.disturbed is None:
            return
        back = [
            hand
            for hand in self._reaches.told()
            if since < hand.start <= now.disturbed <= hand.end + FLICKER_S and hand.end < view.time
        ]
        if back:
            self._left = None
            if not _pushed(card, now):
                shown = self._other_seen or any(hand.end - hand.start >= RESTS_S for hand in back)
                yield Lingered(
                    card.track, view.time, frozenset(hand.player for hand in back), again=not shown
                )


def _pushed(card: Observation, now: Observation) -> bool:
    """Whether a card lies elsewhere by now."""
    way = float(np.hypot(*(now.centre - card.centre)))
    return now.track == card.track and way > PUSHED * short_side(card.corners)
