"""A card that falls from a hand onto the table, face up, and is taken back: nobody has led it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.decoding.evidence import Gone
from companion.decoding.likelihood import LOG_FALLEN, LOG_OTHER_HAND, Sight
from companion.decoding.reaches import hand_price, reached
from companion.decoding.story import Story, Table
from companion.rules.altered import altered
from companion.rules.cards import Player
from companion.rules.events import CardPlayed

__all__ = ["fallen"]

Sights = Mapping[int, Sight]

FALLEN_S = 3.0
"""Whoever has dropped a card takes it up so soon."""
TAKEN_S = 0.8
"""A hand that takes a card was seen at most so long before or after the card was seen last."""


def fallen(story: Story, seen: Gone, sights: Sights) -> Iterator[Story]:
    """Yield the story in which what seemed to be led fell from a hand, of whichever player.

    That player's hand took it back, and the other had no reason to reach in.
    """
    act, table, sight = story.acts[-1] if story.acts else None, story.table, sights[seen.track]
    if act is None or act.told or not isinstance(act.event, CardPlayed) or story.state.led is None:
        return
    if not act.track == table.led == seen.track or table.kept is not None or sight.lay_s > FALLEN_S:
        return
    without = story.refolded(story.acts[:-1])
    if without is None:
        return
    owner = Player.SOUTH if sight.from_south > 0.5 else Player.NORTH
    taken = sight.last_seen
    price = LOG_FALLEN + hand_price(seen.reaches, owner, taken - TAKEN_S, taken + TAKEN_S)
    if reached(seen.reaches, owner.other, sight.still_since + TAKEN_S, taken + TAKEN_S):
        price += LOG_OTHER_HAND  # as whoever answers does
    yield altered(without, table=Table(turn_up=table.turn_up), extra=without.extra + price)
