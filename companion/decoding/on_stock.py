"""How a story goes on when the turn-up is laid face up on the stock: some close so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.decoding.deals import is_misread
from companion.decoding.evidence import Laid, TurnedUp
from companion.decoding.likelihood import LOG_LOOKED_AT, LOG_ON_STOCK, Sight
from companion.decoding.story import Story
from companion.decoding.turn_up import back_after, closings
from companion.rules.altered import altered

__all__ = ["is_turn_up", "looked_at", "on_stock"]

Sights = Mapping[int, Sight]


def is_turn_up(story: Story, seen: Laid | TurnedUp, sights: Sights) -> bool:
    """Whether a face that lies on the stock is the turn-up of an open stock, which lies there no more."""
    shown, old = story.state.bottom, story.table.turn_up
    if shown is None or not story.state.stock_open or is_misread(story) or seen.track in story.knows:
        return False
    if old is None or old not in sights or sights[old].lies:
        return False
    return sights[old].best == sights[seen.track].best == shown.index


def looked_at(story: Story, seen: Laid | TurnedUp, sights: Sights) -> Iterator[Story]:
    """Yield the story in which somebody turns up the card that closed the stock, to see what is trump.

    It is turned down again; where it stays, and both draw, the stock has been opened again.
    """
    shown, near = story.state.bottom, isinstance(seen, TurnedUp) or seen.near_stock
    if shown is None or story.state.at_close is None or story.state.over or not near:
        return
    if seen.track not in story.knows and sights[seen.track].best == shown.index and not is_misread(story):
        yield altered(story, passed=story.passed | {seen.track}, extra=story.extra + LOG_LOOKED_AT)


def on_stock(story: Story, seen: Laid | TurnedUp, sights: Sights) -> Iterator[Story]:
    """Yield the story in which the stock is closed so, and that in which the turn-up just lies there now.

    In that one its place stays where it was: it may be put back, or the lowest trump laid there.
    """
    shown, old = story.state.bottom, story.table.turn_up
    if shown is None or old is None:
        return
    readings = {**story.readings, seen.track: shown.index}
    yield altered(back_after(story, seen.time, sights, LOG_ON_STOCK), readings=readings)
    for closed in closings(story, sights[old].last_seen, seen.time, seen.reaches, seen.dark):
        yield altered(closed, readings={**closed.readings, seen.track: shown.index})
