"""What can happen in a hand, as facts.

Events say what happened, not whether it was allowed: the judge in `companion.rules.hand`
says that. A word (a marriage, "closed", "enough") is the same event whether the camera saw
it on the table or a player pressed it on the phone.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.rules.cards import Card, Player, Suit

__all__ = [
    "Agreed",
    "CardPlayed",
    "Claimed",
    "Closed",
    "Conceded",
    "Dealt",
    "Event",
    "Exchanged",
    "GivenUp",
    "HandShown",
    "Knocked",
    "MarriageDeclared",
    "RevokeCalled",
]


@dataclass(frozen=True, slots=True)
class Dealt:
    """A new hand: who dealt and what was turned up (`None`: not seen yet)."""

    dealer: Player
    turned_up: Card | None


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The lowest trump was exchanged for the turned-up card."""

    player: Player


@dataclass(frozen=True, slots=True)
class MarriageDeclared:
    """King and queen of `suit` were declared, before the lead of one of them."""

    player: Player
    suit: Suit


@dataclass(frozen=True, slots=True)
class Closed:
    """The stock was closed; `before_draw` only where the rules allow closing before drawing."""

    player: Player
    before_draw: bool = False


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was led or followed; `card` is `None` while nobody has named it yet."""

    player: Player
    card: Card | None


@dataclass(frozen=True, slots=True)
class Claimed:
    """A player said to have 66 or more."""

    player: Player


@dataclass(frozen=True, slots=True)
class Knocked:
    """The player on lead knocked: 66 in this trick, or as good as a failed close."""

    player: Player


@dataclass(frozen=True, slots=True)
class RevokeCalled:
    """A player insists on what the rules give for a proven revoke of the other."""

    player: Player


@dataclass(frozen=True, slots=True)
class HandShown:
    """After the end a player lays open what was left in the hand."""

    player: Player
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The hand ended on the table without a claim and with cards left; it has no award yet."""


@dataclass(frozen=True, slots=True)
class Conceded:
    """Whoever closed throws the cards in: no claim will come, and the hand pays as without one (8.2)."""

    player: Player


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the hand paid, as the players say, whatever was seen of it (10.4).

    Attributes:
        winner: Who scores; `None`: nobody.
        game_points: 1, 2 or 3; 0 where nobody scores.
    """

    winner: Player | None
    game_points: int


Event = (
    Dealt
    | Exchanged
    | MarriageDeclared
    | Closed
    | Knocked
    | CardPlayed
    | Claimed
    | RevokeCalled
    | HandShown
    | GivenUp
    | Conceded
    | Agreed
)
