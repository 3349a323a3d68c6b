"""What players have pressed, and waits for the cards that it belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Set

from companion.rules.events import CardPlayed, Dealt, Event
from companion.store.item import Corrected, Item, Pressed
from companion.table.entry import Entry, Retracted, Settled

__all__ = ["is_waited_for", "pending_of"]

PATIENCE_S = 4.0
"""A word is not waited for longer than this once cards are played on; the decoder has decided by then."""


def pending_of(items: Iterable[Item], rewritten: Set[int]) -> tuple[Pressed, ...]:
    """Return what was pressed and has not settled.

    A deal ends all waiting, an undo that for words, a withdrawal that for a deal.

    Args:
        items: What the log holds of a match.
        rewritten: Numbers of entries that a correction has written, which end no waiting.
    """
    pending: list[Pressed] = []
    for item in items:
        if isinstance(item, Entry) and item.seq in rewritten:
            continue
        if isinstance(item, Pressed):
            pending.append(item)
        elif isinstance(item, Settled) and isinstance(item.event, Dealt):
            pending = []
        elif isinstance(item, Settled):
            settled = next((press for press in pending if press.event == item.event), None)
            if settled is not None:
                pending.remove(settled)
            pending = [press for press in pending if not _overtaken(press, item)]
        elif isinstance(item, Corrected) and item.undone:
            # what was said upon what is taken back may be gone with it: it is told anew when pressed
            pending = [press for press in pending if isinstance(press.event, Dealt)]
        elif isinstance(item, Retracted):
            pending = [press for press in pending if not isinstance(press.event, Dealt)]
    return tuple(pending)


def is_waited_for(pending: Iterable[Pressed], word: Event, now: float) -> bool:
    """Whether a word was pressed so shortly before `now` that it may still be settled.

    One that is older came to nothing, as far as anybody can tell, and is told anew.
    """
    return any(press.event == word and now <= press.time + PATIENCE_S for press in pending)


def _overtaken(press: Pressed, entry: Settled) -> bool:
    """Whether play has gone on past a word: what was said then is not to come true later."""
    if isinstance(press.event, Dealt) or not isinstance(entry.event, CardPlayed):
        return False
    return entry.time > press.time + PATIENCE_S
