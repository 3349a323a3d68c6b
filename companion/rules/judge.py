"""The one judge: what cannot happen, and what is not allowed (docs/rules.md).

`companion.rules.hand` is the door to it: `check`, `legal_events` and `apply` all ask here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.course import resolved
from companion.rules.duty import revoke, revokes_proven
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    MarriageDeclared,
)
from companion.rules.state import HandState, MarriageStatus

__all__ = ["judge", "refusal"]


def refusal(state: HandState, event: Event) -> str | None:
    """Say why `event` cannot have happened; `None`: it can."""
    if isinstance(event, Dealt):
        return "the hand has been dealt"
    if isinstance(event, GivenUp):
        return "the hand is over" if state.over else None
    if state.claimed_by is not None or state.given_up:
        return "the hand is over"
    if isinstance(event, Claimed):
        return None
    if state.over:
        return "all cards have been played"
    state = resolved(state, event.player)
    match event:
        case CardPlayed():
            return _play_refusal(state, event)
        case Exchanged():
            return _exchange_refusal(state, event)
        case Closed():
            if state.at_close is not None:
                return "the stock has been closed"
            return "the stock is exhausted" if state.exhausted else None
        case MarriageDeclared():
            return None
        case _:
            assert_never(event)


def _play_refusal(state: HandState, event: CardPlayed) -> str | None:
    player, card = event.player, event.card
    if player is not state.to_play:
        return f"it is not {player.name.lower()}'s turn"
    if card is None:
        return None
    if card not in state.rules.pack:
        return f"{card} is not in a pack of {state.rules.deck}"
    if card in state.seen:
        return f"{card} has been played before"
    if state.hands is not None:
        return None if card in state.hands[player] else f"{card} is not in {player.name.lower()}'s hand"
    if card == state.bottom and (state.at_close is not None or not state.exhausted):
        return f"{card} lies under the stock"
    if card in state.placed(player.other):
        return f"{card} is in {player.other.name.lower()}'s hand"
    if len(state.placed(player) - {card}) >= state.hand_sizes[player]:
        return f"{player.name.lower()} holds other cards"
    return None


def _exchange_refusal(state: HandState, event: Exchanged) -> str | None:
    if state.exhausted:
        return "the stock is exhausted"
    if state.exchanged_by is not None:
        return "the lowest trump has been exchanged"
    if state.dealt_up is None:
        return None
    lowest = Card(state.rules.lowest_trump, state.dealt_up.suit)
    if lowest == state.dealt_up:
        return f"{lowest} was turned up"
    if lowest in state.seen:
        return f"{lowest} has been played"
    if state.hands is not None and lowest not in state.hands[event.player]:
        return f"{lowest} is not in {event.player.name.lower()}'s hand"
    return None


def judge(state: HandState, event: Event) -> Iterator[NotedBreach]:
    """Yield the rules that a possible event breaks or proves broken.

    An open last trick must have been given to the acting player before (`course.resolved`).
    """
    now = len(state.tricks) + 1
    match event:
        case CardPlayed():
            yield from _judge_play(state, event, now)
        case Exchanged():
            breach = _exchange_breach(state, event)
            if breach is not None:
                yield NotedBreach(breach, event.player, now)
        case MarriageDeclared():
            breach = _marriage_breach(state, event)
            if breach is not None:
                yield NotedBreach(breach, event.player, now)
        case Closed():
            breach = _close_breach(state, event)
            if breach is not None:
                yield NotedBreach(breach, event.player, now)
        case Claimed():
            if state.claimant is not event.player:
                yield NotedBreach(Breach.CLAIM_OUT_OF_WINDOW, event.player, min(now, state.last_trick))
        case GivenUp() | Dealt():
            return
        case _:
            assert_never(event)


def _judge_play(state: HandState, event: CardPlayed, now: int) -> Iterator[NotedBreach]:
    player, card = event.player, event.card
    if card is None:
        return
    if state.led is None:
        if state.announced is not None and not _of_pair(card, state.announced):
            yield NotedBreach(Breach.MARRIAGE_NOT_LED, player, now, card)
    elif state.strict and state.led.card is not None:
        breach = revoke(state.led.card, card, state.shown(player) - {card}, state.trump)
        if breach is not None:
            yield NotedBreach(breach, player, now, card)
    yield from revokes_proven(state, player, card)
    yield from _marriages_disproven(state, player, card, now)


def _marriages_disproven(state: HandState, player: Player, card: Card, now: int) -> Iterator[NotedBreach]:
    """Yield marriages that a play proves not to have been held (clause 5.8)."""
    room = state.hand_sizes[player] - 1
    crowded = len(state.shown(player) - {card}) > room
    for marriage in state.marriages:
        if marriage.status is MarriageStatus.VOID:
            continue
        declared_in = marriage.after + 1
        if marriage.player is not player:
            if card in marriage.pair:
                yield NotedBreach(Breach.MARRIAGE_NOT_HELD, marriage.player, declared_in, card, now, card)
        elif crowded:
            for missing in marriage.pair:
                if missing != card and missing not in state.seen:
                    yield NotedBreach(Breach.MARRIAGE_NOT_HELD, player, declared_in, missing, now, card)
                    return


def _of_pair(card: Card, suit: Suit) -> bool:
    return card.suit is suit and card.rank.letter in "KQ"


def _exchange_breach(state: HandState, event: Exchanged) -> Breach | None:
    rules = state.rules
    if state.on_lead is not event.player:
        return Breach.EXCHANGE_NOT_ON_LEAD
    if state.at_close is not None:
        return Breach.EXCHANGE_AFTER_CLOSE
    if not state.tricks and not rules.exchange_first_lead:
        return Breach.EXCHANGE_ON_FIRST_LEAD
    if state.stock_left < rules.exchange_min_stock:
        return Breach.EXCHANGE_STOCK_TOO_SMALL
    if state.announced is not None and rules.acts_after_marriage != "any":
        return Breach.ACT_AFTER_MARRIAGE
    return None


def _marriage_breach(state: HandState, event: MarriageDeclared) -> Breach | None:
    rules, player = state.rules, event.player
    if state.on_lead is not player:
        return Breach.MARRIAGE_NOT_ON_LEAD
    if state.announced is not None:
        return Breach.MARRIAGE_TWICE
    if not state.tricks and not rules.marriage_first_lead:
        return Breach.MARRIAGE_ON_FIRST_LEAD
    if state.at_close is not None and not rules.marriage_after_close:
        return Breach.MARRIAGE_AFTER_CLOSE
    if state.exhausted and not rules.marriage_after_exhausted:
        return Breach.MARRIAGE_AFTER_EXHAUSTED
    pair = {card for card in rules.pack if _of_pair(card, event.suit)}
    room = state.hand_sizes[player] - len(state.placed(player) - pair)
    if not pair <= set(state.candidates(player)) or (state.hands is None and room < 2):
        return Breach.MARRIAGE_NOT_HELD
    return None


def _close_breach(state: HandState, event: Closed) -> Breach | None:
    rules = state.rules
    if state.on_lead is not event.player:
        return Breach.CLOSE_NOT_ON_LEAD
    if event.before_draw and not rules.close_before_draw:
        return Breach.CLOSE_BEFORE_DRAW
    if not state.tricks and not rules.close_first_lead:
        return Breach.CLOSE_ON_FIRST_LEAD
    if state.stock_left < rules.close_min_stock:
        return Breach.CLOSE_STOCK_TOO_SMALL
    if state.announced is not None and rules.acts_after_marriage == "none":
        return Breach.ACT_AFTER_MARRIAGE
    return None
