"""Which questions of a match count, which are answered, and about which hand each was asked.

A question is answered by somebody, by a correction of what it is about, or by what was surely settled since.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass

from companion.rules.events import CardPlayed, Dealt
from companion.store.item import Answered, Corrected, Item
from companion.table.entry import CAMERA, Asked, Settled

__all__ = ["SURE", "Questions", "questions_of"]

SURE = 0.9
"""An entry less sure than this does not answer a question by itself."""
SURE_WORD = 0.98
"""The same where a word may have been missed: nobody saw that, and little speaks against it."""


@dataclass(frozen=True, slots=True)
class Questions:
    """What was asked since a match began.

    Attributes:
        asked: All that was asked and not withdrawn, oldest first.
        answered: Numbers of those that somebody has answered.
        open: Those of `asked` that nothing has answered yet.
    """

    asked: tuple[Asked, ...]
    answered: frozenset[int]
    open: tuple[Asked, ...]

    def by_hand(self, hands: Sequence[tuple[Settled, ...]]) -> list[list[Asked]]:
        """Return the questions that were asked about each hand, by the entries of all of them.

        What they are about is one of its entries, or they stand among these; where an answer has written
        those anew, the time tells.
        """
        hand_of = {entry.seq: place for place, hand in enumerate(hands) for entry in hand}
        dealt = [hand[0].time for hand in hands]
        before = [hand[-1].seq for hand in hands[:-1]]
        mine: list[list[Asked]] = [[] for _ in hands]
        for one in self.asked if hands else ():
            if one.about in hand_of:
                places = [hand_of[one.about]]
            elif one.seq in self.answered:
                places = [max(0, bisect_right(dealt, one.time) - 1)]
            else:
                at = bisect_left(before, one.seq)
                # what was asked right before a deal may be about either hand
                places = [at - 1, at] if at and one.seq < hands[at][0].seq else [at]
            for place in places:
                mine[place].append(one)
        return mine

    def idle(
        self, hands: Sequence[tuple[Settled, ...]], about: Sequence[Sequence[Asked]], agreed: Sequence[bool]
    ) -> tuple[Asked, ...]:
        """Return the open ones that decide nothing: the players have agreed what their hand paid.

        Args:
            hands: The entries of all hands.
            about: What was asked about each.
            agreed: Whether it was agreed what it paid.
        """
        put = {one.seq for asked, settled in zip(about, agreed, strict=True) if not settled for one in asked}
        moot = {
            one.seq
            for hand, asked, settled in zip(hands, about, agreed, strict=True)
            for one in asked
            if settled and one.seq < hand[-1].seq
        }
        return tuple(one for one in self.open if one.seq in moot - put)


def questions_of(items: Iterable[Item], settled: Sequence[Settled], withdrawn: Set[int]) -> Questions:
    """Return what was asked among `items`.

    Args:
        items: What the log holds of a match.
        settled: Its entries that stand.
        withdrawn: Numbers of those that do not.
    """
    every = tuple(items)
    asked = [item for item in every if isinstance(item, Asked)]
    changed = {item.old for item in every if isinstance(item, Corrected) and not item.undone} - {None}
    answered = {item.question for item in every if isinstance(item, Answered)}
    answered |= {one.seq for one in asked if one.about in changed}
    dealt = [item.seq for item in every if isinstance(item, Settled) and isinstance(item.event, Dealt)]

    def stands(one: Asked) -> bool:
        """Whether what it is about does, or the hand in which it was asked."""
        deal = bisect_left(dealt, one.seq) - 1
        about = one.about if one.about is not None else dealt[deal] if deal >= 0 else None
        return one.seq not in withdrawn and (about not in withdrawn or one.seq in answered)

    counted = tuple(one for one in asked if stands(one))
    still_open = (one for one in counted if one.seq not in answered and not _settled_since(one, settled))
    return Questions(counted, frozenset(answered), tuple(still_open))


def _settled_since(asked: Asked, settled: Iterable[Settled]) -> bool:
    """Whether a question has been answered by what was surely settled since, before the next hand.

    One about an entry is open for as long as that stands; what happened after it was asked is no answer.
    """
    if asked.about is not None:
        return False
    players = {option.player for option in asked.options if isinstance(option, CardPlayed)}
    words = any(not isinstance(option, CardPlayed | Dealt) for option in asked.options)
    enough = SURE_WORD if words else SURE
    for entry in settled:
        if entry.seq < asked.seq:
            continue
        if isinstance(entry.event, Dealt) and entry.event not in asked.options:
            return False
        if entry.time > asked.time:
            continue
        if isinstance(entry.event, CardPlayed) and asked.is_of(entry):
            return entry.event.card is not None and entry.confidence >= enough  # whatever was offered
        if isinstance(entry.event, CardPlayed) and entry.event.card is None and entry.event.player in players:
            return False  # this is what was asked about
        said = entry.source != CAMERA and not isinstance(entry.event, CardPlayed | Dealt)
        if said or entry.event not in asked.options:
            continue  # what a player said of himself does not tell what else happened
        if words or entry.confidence >= enough:
            return entry.confidence >= enough  # after a word that was offered another may come
    return False
