"""Duties judged when cards turn up: to follow, to head, to trump, to declare (docs/rules.md, 3 and 5.10)."""

from __future__ import annotations

from collections.abc import Iterable

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.state import HandState

__all__ = ["revoke", "revokes_proven", "silence_proven"]


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
    if _nothing_follows(state, player, card):
        return ()
    strict_from = state.at_close.tricks if state.at_close else state.rules.stock_size // 2
    if state.rules.follow == "always_strict":
        strict_from = 0
    first = max(state.draws, strict_from)
    known = {
        noted.trick
        for noted in state.breaches
        if noted.breach.is_revoke and noted.player is player and not noted.taken_back
    }
    proven = []
    for number, trick in enumerate(state.tricks[first:], first + 1):
        if trick.leader is player or trick.led is None or trick.followed is None or number in known:
            continue
        breach = revoke(trick.led, trick.followed, (card,), state.trump)
        if breach is not None:
            now = len(state.tricks) + 1
            proven.append(NotedBreach(breach, player, number, trick.followed, now, card))
    return tuple(proven)


def silence_proven(state: HandState, player: Player, card: Card) -> tuple[NotedBreach, ...]:
    """Return the leads of `player` that `card` proves to have kept a marriage silent (clause 5.10).

    As with a revoke, only leads since the last draw can be proven.
    """
    if state.rules.marriage_declaration != "forced" or card.partner is None:
        return ()
    if _nothing_follows(state, player, card):
        return ()
    proven = []
    for number, trick in enumerate(state.tricks[state.draws :], state.draws + 1):
        led = trick.led
        if trick.leader is not player or led is None or led.suit is not card.suit:
            continue
        if led.partner is None or not _may_declare(state, player, number - 1):
            continue
        now = len(state.tricks) + 1
        proven.append(NotedBreach(Breach.MARRIAGE_NOT_DECLARED, player, number, led, now, card))
    return tuple(proven)


def _nothing_follows(state: HandState, player: Player, card: Card) -> bool:
    """Whether a card that turns up says nothing about earlier plays."""
    drawing = state.stock_open and state.at_knock is None
    exchanged_late = card == state.dealt_up and any(
        noted.breach is Breach.EXCHANGE_AFTER_CLOSE and noted.player is player for noted in state.breaches
    )
    return state.hands is not None or drawing or exchanged_late


def _may_declare(state: HandState, player: Player, tricks: int) -> bool:
    """Whether `player` could have declared a marriage with the lead after so many tricks."""
    rules = state.rules
    if any(marriage.player is player and marriage.after == tricks for marriage in state.marriages):
        return False
    if tricks == 0 and not rules.marriage_first_lead:
        return False
    if state.at_close is not None and tricks >= state.at_close.tricks:
        return rules.marriage_after_close
    return rules.marriage_after_exhausted or tricks < rules.stock_size // 2
