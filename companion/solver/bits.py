"""Cards as bits: the numbering of the fast core, and the rules of a single trick on it.

Number `4 * rank + suit`, ranks nine 0, jack 1, queen 2, king 3, ten 4, ace 5; suit 3 is always
trumps, the other three keep the order of `Suit`. So a higher number never has fewer card points. A
hand is an integer of 24 bits.
"""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.cards import Card, Rank, Suit

__all__ = ["BEATEN_BY", "PAIRS", "POINTS", "TRUMP", "Numbering", "answers", "cards_in", "marriage_worth"]

TRUMP = 3
"""The number of the trump suit."""
_RANKS = (Rank.NINE, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.TEN, Rank.ACE)
_SUIT = 0x111111
_TRUMPS = _SUIT << TRUMP

POINTS = tuple(int(rank) for rank in _RANKS for _ in range(4))
"""Card points, by number."""

BEATEN_BY = tuple(
    (_SUIT << suit & ~((2 << 4 * rank + suit) - 1)) | (0 if suit == TRUMP else _TRUMPS)
    for rank in range(6)
    for suit in range(4)
)
"""By the number of the card led: all cards that take the trick from it (clause 2.2)."""

PAIRS = tuple(0x1100 << suit for suit in range(4))
"""King and queen, by suit."""


class Numbering:
    """What number a card has, given trumps, and which card a number stands for."""

    def __init__(self, trump: Suit) -> None:
        plain = [suit for suit in Suit if suit is not trump]
        self._suits = (*plain, trump)
        self._numbers = {
            Card(rank, suit): 4 * height + place
            for height, rank in enumerate(_RANKS)
            for place, suit in enumerate(self._suits)
        }

    def number(self, card: Card) -> int:
        """Return the number of a card."""
        return self._numbers[card]

    def card(self, number: int) -> Card:
        """Return the card of a number."""
        return Card(_RANKS[number >> 2], self._suits[number & 3])

    def suit(self, place: int) -> Suit:
        """Return the suit that has a place among the four."""
        return self._suits[place]

    def hand(self, cards: Iterable[Card]) -> int:
        """Return cards as the bits of one number."""
        return sum(1 << self._numbers[card] for card in cards)


def cards_in(hand: int) -> list[int]:
    """Return the numbers of the cards of a hand, lowest first."""
    return [number for number in range(24) if hand >> number & 1]


# What follows is compiled


def answers(hand: int, led: int) -> int:
    """Return the cards of `hand` that may answer the card numbered `led` under strict play (section 3)."""
    same = hand & _SUIT << (led & 3)
    heading = same & BEATEN_BY[led]
    if heading:
        return heading
    if same:
        return same
    trumping = hand & _TRUMPS
    if trumping:
        return trumping
    return hand


def marriage_worth(hand: int, led: int) -> int:
    """Return what declaring with the lead of `led` is worth: 0 where it is no card of a pair in hand."""
    if led < 8 or led > 15:
        return 0
    pair = PAIRS[led & 3]
    if hand & pair != pair:
        return 0
    return 40 if led & 3 == TRUMP else 20
