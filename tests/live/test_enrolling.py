"""A pack that is learnt card by card: what is asked for, what looked wrong, what is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from staged_optics import detection

from companion.live.enrolling import Enrolling
from companion.rules.cards import PACK_24
from companion.table.detection import Frame
from companion.vision.deck import Deck
from companion.vision.rectify import CARD
from companion.vision.showing import Showing

ORDER = [str(card) for card in PACK_24 if card.rank.letter != "9"]


def shown(card: str) -> Showing:
    """A card that looks like `card`, with `?` not surely; each has a crop of its own."""
    card, sure = card.rstrip("?"), 0.9 if card.endswith("?") else 0.98
    crop = np.full(CARD.shape, ORDER.index(card) if card in ORDER else 99, np.uint8)
    return Showing(1.0, (crop,), detection(card, 50, 50, sure))


class Lesson:
    """Somebody who shows cards, and a shelf for the deck."""

    def __init__(self, *cards: str, nines: bool = False) -> None:
        self.cards, self.kept = cards, list[Deck]()
        self.enrolling = Enrolling("oma", nines, self._showings, self._keep)
        self.seen: list[tuple[int, str]] = []

    def _showings(self, frames: Iterable[Frame], lies: Callable[[bool], None]) -> Iterator[Showing]:
        for card in self.cards:
            if card == "back":
                self.enrolling.back()
                continue
            lies(True)
            if card.endswith("!"):
                self.enrolling.back()  # pressed while it lies there
            yield shown(card.rstrip("!"))
            lies(False)
            progress = self.enrolling.progress
            self.seen.append((progress.shown, progress.odd))

    def _keep(self, deck: Deck) -> tuple[tuple[str, str], ...]:
        self.kept.append(deck)
        return (("KH", "KD"),)

    def learn(self):
        """Show all; returns how far it came."""
        self.enrolling.learn(())
        return self.enrolling.progress


def test_the_cards_are_kept_in_the_order_in_which_they_were_asked_for() -> None:
    """Twenty cards make a deck, and pairs that are hard to tell apart; what comes after is not looked at."""
    lesson = Lesson(*ORDER, "AH")
    progress = lesson.learn()
    assert (progress.order, progress.shown, progress.done) == (tuple(ORDER), 20, True)
    assert progress.alike == (("KH", "KD"),)
    (deck,) = lesson.kept
    assert deck.missing() == ()
    assert [int(deck.crops[card][0][0, 0, 0]) for card in ORDER] == list(range(20))
    assert len(lesson.seen) == 19


def test_whatever_looked_like_another_card_is_told_at_the_end() -> None:
    """Whoever lays cards down fast does not read the page, and of the last it says nothing meanwhile."""
    progress = Lesson("AH", "QH", "KH?", *ORDER[3:-1], "AH").learn()
    assert progress.done
    assert progress.unlike == ((ORDER[1], "QH"), (ORDER[-1], "AH"))


def test_a_pack_with_nines_asks_for_twenty_four() -> None:
    """The nines are among those asked for, each after its suit's jack."""
    order = Lesson(nines=True).enrolling.progress.order
    assert order == tuple(str(card) for card in PACK_24)


def test_a_card_that_looks_wrong_is_said_and_asked_for_again() -> None:
    """Going back asks for the last one anew, as often as wanted; before the first it does nothing."""
    lesson = Lesson("back", ORDER[0], "KD", "back", *ORDER[1:])
    progress = lesson.learn()
    assert lesson.seen[:3] == [(1, ""), (2, "KD"), (2, "")]
    assert progress.done


def test_going_back_while_a_card_lies_there_takes_that_one_back() -> None:
    """It was laid by mistake; what was shown before it stays where it belongs."""
    lesson = Lesson(*ORDER[:3], "AS!", *ORDER[3:])
    progress = lesson.learn()
    assert progress.done
    (deck,) = lesson.kept
    assert [int(deck.crops[card][0][0, 0, 0]) for card in ORDER] == list(range(20))


def test_what_ends_early_keeps_nothing() -> None:
    """A camera that is put away after some cards leaves no half deck."""
    lesson = Lesson(*ORDER[:7])
    progress = lesson.learn()
    assert (progress.shown, progress.done, lesson.kept) == (7, False, [])


def test_an_unsure_look_is_no_reproach() -> None:
    """A strange pack is read wrongly at first; only a sure word is told."""
    lesson = Lesson("KD?", "KD")
    lesson.learn()
    assert lesson.seen == [(1, ""), (2, "KD")]
