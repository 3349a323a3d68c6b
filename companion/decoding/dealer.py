"""Whose deal it is: it follows from the hand before, from what was said, or from who leads."""

from __future__ import annotations

from companion.decoding.ledger import Ledger
from companion.rules.cards import Player
from companion.rules.match import next_dealer

__all__ = ["Dealer"]

LOG_OTHER_DEALER = -6.0
"""The deal going to the wrong player: the dealer of a hand follows from the hand before."""


class Dealer:
    """Who deals next, as far as is known.

    Args:
        ledger: What is written of the hands.
        first: Who should deal the first hand; `None`: not known.
    """

    def __init__(self, ledger: Ledger, first: Player | None) -> None:
        self._ledger = ledger
        self._player = first
        self._sure = False  # it follows from the match before, or was said before the cards were cut
        self._after = 0
        """Number of the last entry of the hand after which a deal is awaited."""

    @property
    def log_p(self) -> dict[Player, float]:
        """Who may deal, with the log-probability of each, nats."""
        if self._player is None:
            return dict.fromkeys(Player, 0.0)
        own = {self._player: 0.0}
        return own if self._sure else own | {self._player.other: LOG_OTHER_DEALER}

    def told(self, dealer: Player) -> None:
        """Somebody has said who deals."""
        self._player, self._sure = dealer, True

    def deals_again(self, dealer: Player) -> None:
        """What `dealer` dealt was no hand."""
        if self._player is not None:
            self._player = dealer

    def expect(self, dealer: Player | None) -> None:
        """The next deal is probably that of `dealer`; `None`: nobody knows."""
        self._player, self._sure = dealer, False

    def expect_next(self) -> bool:
        """Work out once who deals after a hand that is over; return whether that is new."""
        state = self._ledger.state
        if state is None or not state.over or self._ledger.current[-1].seq == self._after:
            return False
        self._after = self._ledger.current[-1].seq
        self.expect(next_dealer(state))
        return True
