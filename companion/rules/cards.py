"""Cards of the pack, suits, ranks and players."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

__all__ = ["PACK_20", "PACK_24", "Card", "NotationError", "Player", "Rank", "Suit"]


class NotationError(ValueError):
    """A text that names no card, event or record; the message names the text."""


class Player(IntEnum):
    """A seat: south at the bottom edge of the camera's picture, north opposite."""

    SOUTH = 0
    NORTH = 1

    @property
    def other(self) -> Player:
        """The opponent."""
        return Player.NORTH if self is Player.SOUTH else Player.SOUTH


class Suit(Enum):
    """A suit; the value is its letter. German-suited: Herz H, Schellen D, Eichel C, Laub S."""

    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"
    SPADES = "S"

    __hash__ = object.__hash__
    """There is one of each; that of `Enum` is a call for each card of each set."""

    @property
    def letter(self) -> str:
        """One letter, as in `H`."""
        return self.value


class Rank(IntEnum):
    """A rank; its value is its card points, and the order of points is the order of strength."""

    NINE = 0
    JACK = 2
    QUEEN = 3
    KING = 4
    TEN = 10
    ACE = 11

    @property
    def letter(self) -> str:
        """One letter: `A T K Q J 9`."""
        return _LETTER_OF_RANK[self]


_LETTER_OF_RANK = {
    Rank.ACE: "A",
    Rank.TEN: "T",
    Rank.KING: "K",
    Rank.QUEEN: "Q",
    Rank.JACK: "J",
    Rank.NINE: "9",
}
_RANK_OF_LETTER = {letter: rank for rank, letter in _LETTER_OF_RANK.items()}


@dataclass(frozen=True, slots=True)
class Card:
    """A card of the pack: twenty, or twenty-four with the nines.

    Who has seen it, where it lies and how sure we are are no business of the card.

    >>> Card.parse("TH").rank.value
    10
    >>> Card.parse("7H")
    Traceback (most recent call last):
        ...
    companion.rules.cards.NotationError: '7H' is not a card of the pack
    """

    rank: Rank
    suit: Suit

    @classmethod
    def parse(cls, text: str) -> Card:
        """Read rank and suit letter, as in `KH`.

        Raises:
            NotationError: The text names no card of the pack.
        """
        if isinstance(text, str) and len(text) == 2 and text[0] in _RANK_OF_LETTER and text[1] in "HDCS":
            return cls(_RANK_OF_LETTER[text[0]], Suit(text[1]))
        raise NotationError(f"{text!r:.80} is not a card of the pack")

    def __str__(self) -> str:
        return self.rank.letter + self.suit.letter

    @property
    def index(self) -> int:
        """Its place in `PACK_24`."""
        return _INDEX[self]

    @property
    def partner(self) -> Card | None:
        """The card that makes a marriage with this one: a king's queen, a queen's king."""
        other = {Rank.KING: Rank.QUEEN, Rank.QUEEN: Rank.KING}.get(self.rank)
        return None if other is None else Card(other, self.suit)

    def beats(self, led: Card, trump: Suit) -> bool:
        """Say whether this card, played second, takes the trick that `led` opened."""
        if self.suit is led.suit:
            return self.rank > led.rank
        return self.suit is trump


PACK_24: tuple[Card, ...] = tuple(
    Card(rank, suit)
    for suit in Suit
    for rank in (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK, Rank.NINE)
)
"""Twenty-four cards, suits in the order H D C S, each A T K Q J 9."""
_INDEX = {card: index for index, card in enumerate(PACK_24)}

PACK_20: tuple[Card, ...] = tuple(card for card in PACK_24 if card.rank is not Rank.NINE)
"""Twenty cards: `PACK_24` without the nines."""
