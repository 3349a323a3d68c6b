"""Rules that can be broken, and the note that is made of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from companion.rules.cards import Card, Player

__all__ = ["Breach", "NotedBreach"]


class Breach(Enum):
    """A rule that an event breaks, or proves broken; the value is its clause in docs/rules.md."""

    REVOKE_NOT_FOLLOWED = "3.2"
    REVOKE_NOT_HEADED = "3.3"
    REVOKE_NOT_TRUMPED = "3.4"
    CALLED_WITHOUT_REVOKE = "3.7"
    EXCHANGE_NOT_ON_LEAD = "4.1"
    EXCHANGE_ON_FIRST_LEAD = "4.2"
    EXCHANGE_STOCK_TOO_SMALL = "4.3"
    EXCHANGE_AFTER_CLOSE = "4.4"
    MARRIAGE_NOT_ON_LEAD = "5.1"
    MARRIAGE_NOT_LED = "5.2"
    MARRIAGE_ON_FIRST_LEAD = "5.4"
    MARRIAGE_AFTER_CLOSE = "5.5"
    MARRIAGE_AFTER_EXHAUSTED = "5.6"
    MARRIAGE_TWICE = "5.7"
    MARRIAGE_NOT_HELD = "5.8"
    ACT_AFTER_MARRIAGE = "5.9"
    MARRIAGE_NOT_DECLARED = "5.10"
    CLOSE_NOT_ON_LEAD = "6.1"
    CLOSE_ON_FIRST_LEAD = "6.2"
    CLOSE_STOCK_TOO_SMALL = "6.3"
    CLOSE_BEFORE_DRAW = "6.4"
    KNOCK_NOT_PLAYED = "6.5"
    KNOCK_NOT_ON_LEAD = "6.6"
    KNOCK_AFTER_CLOSE = "6.7"
    CLAIM_NOT_ASKED = "7.1"
    CLAIM_OUT_OF_WINDOW = "7.2"

    @property
    def is_revoke(self) -> bool:
        """Whether a duty of strict play was broken."""
        return self in _REVOKES


_REVOKES = (Breach.REVOKE_NOT_FOLLOWED, Breach.REVOKE_NOT_HEADED, Breach.REVOKE_NOT_TRUMPED)


@dataclass(frozen=True, slots=True)
class NotedBreach:
    """A broken rule as a referee notes it.

    Attributes:
        breach: Which rule.
        player: Who broke it.
        trick: Number of the trick in which it was broken, from 1.
        card: The wrong play, or a card of the wrong declaration; `None` where no card is at fault.
        proved_in: Number of the trick that proved it, where that came later.
        proved_by: The card that turned up and proved it.
        taken_back: The play has been corrected (clause 3.6); it accuses nobody any more.
    """

    breach: Breach
    player: Player
    trick: int
    card: Card | None = None
    proved_in: int | None = None
    proved_by: Card | None = None
    taken_back: bool = False
