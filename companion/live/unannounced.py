"""Marriages that nobody showed to the camera, without which a claim is refuted.

Whoever says "twenty" and keeps the other card in the hand is heard at the table and not by the companion.
Nothing is counted for that; where a claim fails for want of it, the page offers what may have been said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.live.hand import HandFold, fold_hand
from companion.rules.cards import Card, Rank, Suit
from companion.rules.claim import Outcome
from companion.rules.events import CardPlayed, Claimed, Event, MarriageDeclared
from companion.rules.hand import ImpossibleEvent, check
from companion.rules.ruleset import RuleSet
from companion.table.entry import Settled

__all__ = ["Unannounced", "unannounced"]


@dataclass(frozen=True, slots=True)
class Unannounced:
    """A marriage that may have been declared.

    Attributes:
        after: Number of the entry after which it would have been.
        event: The marriage.
    """

    after: int
    event: MarriageDeclared


def unannounced(rules: RuleSet, hand: HandFold) -> tuple[Unannounced, ...]:
    """Return the marriages with each of which a refuted claim would be right, in the order of the hand.

    Of each the claimant led one card when it might have been declared, or declared it upon the claim; the
    other player never had either.
    """
    if hand.verdict is None or hand.verdict.outcome is not Outcome.REFUTED:
        return ()
    found: dict[MarriageDeclared, Unannounced] = {}
    for at, entry in enumerate(hand.events):
        for event in _declarable(hand, entry.event):
            if event not in found and _proves(rules, hand, at, replace(entry, event=event)):
                found[event] = Unannounced(hand.events[at - 1].seq, event)
    return tuple(found.values())


def _declarable(hand: HandFold, event: Event) -> Iterator[MarriageDeclared]:
    """Yield the marriages that the claimant may have declared right before `event`."""
    match event:
        case CardPlayed(player, card) if card is not None and card.partner is not None:
            suits: tuple[Suit, ...] = (card.suit,)
        case Claimed(player):
            suits = tuple(Suit)
        case _:
            return
    if player is not hand.claimant:
        return
    plays = [one.event for one in hand.events if isinstance(one.event, CardPlayed)]
    theirs = {play.card for play in plays if play.player is player.other}
    for suit in suits:
        if not theirs & {Card(Rank.KING, suit), Card(Rank.QUEEN, suit)}:
            yield MarriageDeclared(player, suit)


def _proves(rules: RuleSet, hand: HandFold, at: int, declared: Settled) -> bool:
    """Whether the claim is right with a marriage before the entry at a position, where it was allowed."""
    before, after = hand.events[:at], hand.events[at:]
    try:
        if check(fold_hand(rules, before).state, declared.event) is not None:
            return False
    except ImpossibleEvent:
        return False
    told = fold_hand(rules, (*before, declared, *after))
    return (
        len(told.unfit) <= len(hand.unfit)
        and told.verdict is not None
        and told.verdict.outcome is Outcome.PROVEN
    )
