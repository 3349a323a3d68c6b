"""How the players are called: as they were when the match began, or as somebody has corrected it since.

A name that is corrected holds for the whole match, the hands before among it.
"""

from __future__ import annotations

from companion.live.standing import Standing
from companion.rules.cards import Player
from companion.store.item import Corrected

__all__ = ["Names", "names_of", "names_through", "renamed"]

Names = tuple[str, str]
"""South's and north's name; empty where not given."""


def names_of(standing: Standing) -> Names:
    """Return how the players are called in the match."""
    return names_through(standing)[-1]


def names_through(standing: Standing) -> list[Names]:
    """Return how they were called from the beginning, and then after each correction of the record."""
    names = [standing.started.names]
    for each in standing.corrections:
        names.append(names[-1] if each.told.renamed is None else each.told.renamed)
    return names


def renamed(
    standing: Standing, player: Player, name: str, *, now: float, today: str, next_seq: int, source: str
) -> tuple[Corrected, ...]:
    """Return what is written down where `player` is called `name`; nothing where that is so already.

    Args:
        standing: Where the match stands.
        player: Who is called so.
        name: How; empty takes the name away.
        now: Seconds on the log's clock.
        today: Date and time of the wall clock, ISO 8601.
        next_seq: Number of the next entry.
        source: Who says so.
    """
    before = names_of(standing)
    south, north = (name if each is player else old for each, old in zip(Player, before, strict=True))
    if (south, north) == before:
        return ()
    no_entry = next_seq, next_seq - 1
    return (Corrected(today, now, source, *no_entry, None, None, None, None, renamed=(south, north)),)
