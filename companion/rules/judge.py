"""The one judge: what cannot happen, and what is not allowed (docs/rules.md).

`companion.rules.hand` is the door to it: `check`, `legal_events` and `apply` all ask here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.course import resolved
from companion.rules.duty import revoke, revokes_proven, silence_proven
from companion.rules.events import (
    Agreed,
    CardPlayed,
    Claimed,
    Closed,
    Conceded,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.scoring import ENOUGH, count
from companion.rules.state import HandState, MarriageStatus

__all__ = ["judge", "outstanding", "refusal"]


def refusal(state: HandState, event: Event) -> str | None:
    """Say why `event` cannot have happened; `None`: it can."""
    if not isinstance(event, _OF_PLAY):
        return _other_refusal(state, event)
    if state.ended:
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
            return _close_refusal(state, event)
        case Knocked():
            return None if state.at_knock is None else "somebody has knocked"
        case MarriageDeclared():
            return None
        case _:
            assert_never(event)


_OF_PLAY = (CardPlayed, MarriageDeclared, Exchanged, Closed, Knocked, Claimed)
"""Events that nothing but the course of the hand brings about."""


def _other_refusal(
    state: HandState, event: Dealt | GivenUp | Conceded | RevokeCalled | HandShown | Agreed
) -> str | None:
    if state.agreed:
        return "the players have agreed what the hand paid"
    match event:
        case Dealt():
            return "the hand has been dealt"
        case GivenUp():
            return "the hand is over" if state.over else None
        case Conceded(player):
            if state.over:
                return "the hand is over"
            return None if state.closed_by is player else f"{player.name.lower()} has not closed"
        case RevokeCalled():
            return _call_refusal(state)
        case HandShown():
            return _show_refusal(state, event)
        case Agreed():
            return None


def outstanding(state: HandState, revoker: Player) -> NotedBreach | None:
    """Return the earliest proven revoke of `revoker` for which the rules still give something."""
    found = [
        noted
        for noted in state.breaches
        if noted.player is revoker and noted.breach.is_revoke and not noted.taken_back
    ]
    return min(found, key=lambda noted: noted.trick, default=None)


def _call_refusal(state: HandState) -> str | None:
    if state.called_by is not None:
        return "the hand is over"
    # an end by arithmetic that a revoke has brought goes with it
    claimed = any(isinstance(event, Claimed) for event in state.told)
    if state.rules.revoke_award == "take_back" and (claimed or state.given_up or state.conceded):
        return "the hand is over, nothing can be taken back"
    return None


def _show_refusal(state: HandState, event: HandShown) -> str | None:
    if not state.over:
        return "a hand is laid open after its end"
    player, name = event.player, event.player.name.lower()
    if len(set(event.cards)) < len(event.cards):
        return "a card is shown twice"
    if len(event.cards) > state.hand_sizes[player]:
        return f"{name} has only {state.hand_sizes[player]} cards left"
    for card in event.cards:
        if card not in state.rules.pack:
            return f"{card} is not in a pack of {state.rules.deck}"
        if card in state.seen:
            return f"{card} has been played before"
        if card not in state.candidates(player):
            return f"{card} is not in {name}'s hand"
    return None


def _close_refusal(state: HandState, event: Closed) -> str | None:
    if state.at_close is not None:
        return "the stock has been closed"
    if state.at_knock is not None:
        return "somebody has knocked"
    if event.before_draw:
        if not state.tricks:
            return "nothing is drawn before the first lead"
        if state.acted or state.announced is not None or state.led is not None:
            return "cards have been drawn since the last trick"
        return "the stock is exhausted" if len(state.tricks) > state.rules.stock_size // 2 else None
    return "the stock is exhausted" if state.exhausted else None


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
        case Knocked():
            breach = _knock_breach(state, event)
            if breach is not None:
                yield NotedBreach(breach, event.player, now)
        case Claimed():
            breach = _claim_breach(state, event)
            if breach is not None:
                yield NotedBreach(breach, event.player, min(now, state.last_trick))
        case RevokeCalled():
            if outstanding(state, event.player.other) is None:
                yield NotedBreach(Breach.CALLED_WITHOUT_REVOKE, event.player, min(now, state.last_trick))
        case HandShown():
            yield from _judge_show(state, event, now)
        case GivenUp() | Conceded() | Dealt() | Agreed():
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
        if _keeps_silent(state, player, card):
            yield NotedBreach(Breach.MARRIAGE_NOT_DECLARED, player, now, card)
    elif state.strict and state.led.card is not None:
        breach = revoke(state.led.card, card, state.shown(player) - {card}, state.trump)
        if breach is not None:
            yield NotedBreach(breach, player, now, card)
    yield from revokes_proven(state, player, card)
    yield from silence_proven(state, player, card)
    yield from _marriages_disproven(state, player, card, now)


def _judge_show(state: HandState, event: HandShown, now: int) -> Iterator[NotedBreach]:
    """Yield what the cards that were left prove; each earlier play once (clause 3.5)."""
    accused: set[tuple[Breach, int]] = set()
    player = event.player
    for card in event.cards:
        for noted in (*revokes_proven(state, player, card), *silence_proven(state, player, card)):
            kind = noted.breach if not noted.breach.is_revoke else Breach.REVOKE_NOT_FOLLOWED
            if (kind, noted.trick) not in accused:
                accused.add((kind, noted.trick))
                yield noted
    whole = len(event.cards) == state.hand_sizes[player]
    for marriage in state.marriages:
        if marriage.status is MarriageStatus.VOID:
            continue
        if marriage.player is not player:
            found = next((card for card in event.cards if card in marriage.pair), None)
            proof = found
        else:
            gone = (card for card in marriage.pair if card not in event.cards and card not in state.seen)
            found = next(gone, None) if whole else None
            proof = event.cards[-1] if event.cards else None
        if found is not None:
            yield NotedBreach(
                Breach.MARRIAGE_NOT_HELD, marriage.player, marriage.after + 1, found, now, proof
            )


def _keeps_silent(state: HandState, player: Player, card: Card) -> bool:
    """Whether a lead must have been declared as a marriage, as far as is known (clause 5.10)."""
    if state.rules.marriage_declaration != "forced" or card.partner is None:
        return False
    if card.partner not in state.shown(player):
        return False
    return _marriage_breach(state, MarriageDeclared(player, card.suit)) is None


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
    if _exchange_at_close(state, event.player):
        return Breach.EXCHANGE_STOCK_TOO_SMALL if state.stock_left < rules.exchange_min_stock else None
    if state.at_close is not None:
        return Breach.EXCHANGE_AFTER_CLOSE
    if state.on_lead is not event.player:
        return Breach.EXCHANGE_NOT_ON_LEAD
    if not state.tricks and not rules.exchange_first_lead:
        return Breach.EXCHANGE_ON_FIRST_LEAD
    if state.stock_left < rules.exchange_min_stock:
        return Breach.EXCHANGE_STOCK_TOO_SMALL
    if state.announced is not None and rules.acts_after_marriage != "any":
        return Breach.ACT_AFTER_MARRIAGE
    return None


def _exchange_at_close(state: HandState, player: Player) -> bool:
    """Whether `player` exchanges at the other player's close, before the next lead (clause 4.6)."""
    close = state.at_close
    if close is None or not state.rules.exchange_on_close:
        return False
    return close.closer is player.other and state.led is None and len(state.tricks) == close.tricks


def _knock_breach(state: HandState, event: Knocked) -> Breach | None:
    if not state.rules.knock:
        return Breach.KNOCK_NOT_PLAYED
    if state.on_lead is not event.player:
        return Breach.KNOCK_NOT_ON_LEAD
    if state.closed_by is event.player.other:
        return Breach.KNOCK_AFTER_CLOSE
    return None


def _claim_breach(state: HandState, event: Claimed) -> Breach | None:
    if event.player not in state.claimants:
        return Breach.CLAIM_OUT_OF_WINDOW
    if state.rules.claim_mode == "auto" and count(state, event.player).total.high < ENOUGH:
        return Breach.CLAIM_NOT_ASKED
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
    if state.stock_left + 2 * event.before_draw < rules.close_min_stock:
        return Breach.CLOSE_STOCK_TOO_SMALL
    if state.announced is not None and rules.acts_after_marriage == "none":
        return Breach.ACT_AFTER_MARRIAGE
    return None
