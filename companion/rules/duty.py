"""Strict play: to follow, to head, to trump (docs/rules.md, section 3)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.state import HandState

__all__ = ["revoke", "revokes_proven"]


def revoke(led: Card, played: Card, held: Iterable[Card], trump: Suit | None) -> Breach | None:
    """Judge an answer under strict play by the other cards known to have been in the hand.

    Args:
        led: The card to be answered.
        played: The answer.
        held: Cards that the hand held beside `played`; those nobody knows of are left out.
        trump: The trump suit; while it is unknown nobody can be told to trump.

    Returns:
        The duty that was broken, or `None` where none is known to be.
    """
    rest = tuple(held)
    if played.suit is not led.suit:
        if any(card.suit is led.suit for card in rest):
            return Breach.REVOKE_NOT_FOLLOWED
        if trump is not None and played.suit is not trump and any(card.suit is trump for card in rest):
            return Breach.REVOKE_NOT_TRUMPED
    elif played.rank < led.rank and any(card.suit is led.suit and card.rank > led.rank for card in rest):
        return Breach.REVOKE_NOT_HEADED
    return None


def revokes_proven(state: HandState, player: Player, card: Card) -> tuple[NotedBreach, ...]:
    """Return the earlier plays of `player` that `card`, turning up now, proves to have been revokes.

    Since the last draw whatever a player shows was in the hand all the time (clause 3.5).
    Nothing is proven twice, and with both hands known every play was judged at once.
    """
    if state.hands is not None or state.stock_open:
        return ()
    if card == state.dealt_up and any(
        noted.breach is Breach.EXCHANGE_AFTER_CLOSE and noted.player is player for noted in state.breaches
    ):
        return ()
    first = state.at_close.tricks if state.at_close else state.rules.stock_size // 2
    known = {noted.trick for noted in state.breaches if noted.breach.is_revoke and noted.player is player}
    proven = []
    for number, trick in enumerate(state.tricks[first:], first + 1):
        if trick.leader is player or trick.led is None or trick.followed is None or number in known:
            continue
        breach = revoke(trick.led, trick.followed, (card,), state.trump)
        if breach is not None:
            now = len(state.tricks) + 1
            proven.append(NotedBreach(breach, player, number, trick.followed, now, card))
    return tuple(proven)
