"""A pack that is learnt while its cards are shown one after another, each alone or on the one before."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from companion.rules.cards import PACK_24
from companion.table.detection import BACK, CLASSES, Frame
from companion.vision.deck import Deck
from companion.vision.showing import Showing

__all__ = ["Enrolling", "Progress"]

_SURE = 0.95
"""A card that the networks name otherwise, and so surely, may be the wrong one."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is.

    Attributes:
        name: The deck's.
        order: The cards in the order in which they are asked for.
        shown: How many of them have been shown.
        odd: What the last one looked like instead; empty where it looked right, or like nothing known.
        unlike: Each that looked like another, in their order, and which.
        alike: Pairs that cannot be told apart well, once all have been shown; the worst first.
        done: Whether the deck is kept.
    """

    name: str
    order: tuple[str, ...]
    shown: int = 0
    odd: str = ""
    unlike: tuple[tuple[str, str], ...] = ()
    alike: tuple[tuple[str, str], ...] = ()
    done: bool = False


class Enrolling:
    """Asks for the cards of a pack in their order; `progress` and `back` may be called from any thread.

    Args:
        name: Of the deck: letters, digits, `-` and `_`.
        nines: Whether the pack has nines.
        showings: Finds the cards that are shown; it is given what to tell when a card lies there, and when
            it does no more.
        keep: Keeps the finished deck and returns the pairs that cannot be told apart well.
    """

    def __init__(
        self,
        name: str,
        nines: bool,
        showings: Callable[[Iterable[Frame], Callable[[bool], None]], Iterator[Showing]],
        keep: Callable[[Deck], tuple[tuple[str, str], ...]],
    ) -> None:
        self._name = name
        self._order = tuple(str(card) for card in PACK_24 if nines or card.rank.letter != "9")
        self._showings, self._keep = showings, keep
        self._found: list[Showing] = []
        self._lies = self._dropped = False
        """Whether a card lies there now, and is not to count."""
        self._lock = threading.Lock()
        """Guards `_found`, `_lies`, `_dropped` and `_alike`; never held while a picture is looked at."""
        self._alike: tuple[tuple[str, str], ...] | None = None

    @property
    def progress(self) -> Progress:
        """How far it is."""
        with self._lock:
            shown, alike = len(self._found), self._alike
            looked = [_looked(each) for each in self._found]
        unlike = tuple(
            (asked, seen) for asked, seen in zip(self._order, looked, strict=False) if seen not in ("", asked)
        )
        odd = dict(unlike).get(self._order[shown - 1], "")
        return Progress(self._name, self._order, shown, odd, unlike, alike or (), alike is not None)

    def back(self) -> None:
        """Forget the last card, that which lies there if one does: it is asked for again.

        With the last of all it is too late.
        """
        with self._lock:
            if self._lies:
                self._dropped = True
            elif 0 < len(self._found) < len(self._order):
                self._found.pop()

    def _lie(self, now: bool) -> None:
        with self._lock:
            self._lies, self._dropped = now, False

    def learn(self, frames: Iterable[Frame]) -> None:
        """Take cards until all have been shown or the frames end, then keep the deck.

        Raises:
            DeckError: It cannot be kept.
        """
        self._lie(False)  # what lay there before a camera that was lost is not known
        for showing in self._showings(frames, self._lie):
            with self._lock:
                if self._dropped:
                    continue
                self._found.append(showing)
                full = len(self._found) == len(self._order)
            if full:
                break
        else:
            return
        crops = {card: each.crops for card, each in zip(self._order, self._found, strict=True)}
        alike = self._keep(Deck(self._name, crops))
        with self._lock:
            self._alike = alike


def _looked(showing: Showing) -> str:
    """Which card it surely looked like; empty where like none."""
    seen = showing.seen
    return CLASSES[seen.best] if seen.best < BACK and seen.confidence > _SURE else ""
