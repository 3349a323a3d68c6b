"""One hand from the deal to its award: what is possible, what is allowed, what follows.

`check` is the one judge; `legal_events` and `apply` ask it. What is impossible (a card played
twice, a play out of turn) is refused. What is merely against the rules is a fact: `apply` notes
it in `HandState.breaches` as a referee would, and the hand goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import assert_never

from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.course import marriage_status, resolved, taker, with_trick
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
from companion.rules.points import PointRange
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import award_of_claim, award_of_last_trick, count, unread
from companion.rules.state import AtClose, HandState, Marriage, MarriageStatus, Trick

__all__ = [
    "AtClose",
    "Breach",
    "HandState",
    "ImpossibleEvent",
    "Marriage",
    "MarriageStatus",
    "NotedBreach",
    "Trick",
    "apply",
    "check",
    "deal",
    "legal_events",
]


class ImpossibleEvent(ValueError):  # noqa: N818 - named for what it refuses
    """An event that cannot have happened; the message says which and why."""


def deal(
    rules: RuleSet,
    dealer: Player,
    turned_up: Card | None,
    hands: Sequence[Sequence[Card]] | None = None,
    stock: Sequence[Card] | None = None,
) -> HandState:
    """Return a new hand.

    Args:
        rules: The house rules.
        dealer: Who dealt; the other player leads.
        turned_up: The card that fixes trumps; `None` while nobody has seen it.
        hands: The hands of south and north as dealt, where a record gives them.
        stock: The stock, top first, its last card the turned-up one; only together with `hands`.

    Raises:
        ImpossibleEvent: The cards do not make up a deal of the pack.
    """
    if stock is not None and turned_up is None and stock:
        turned_up = stock[-1]
    if turned_up is not None and turned_up not in rules.pack:
        raise ImpossibleEvent(f"turned-up card {turned_up} is not in a pack of {rules.deck}")
    if hands is None:
        if stock is not None:
            raise ImpossibleEvent("a stock is given without the hands")
        return HandState(rules, dealer, turned_up, dealer.other)
    if len(hands) != 2 or any(len(hand) != rules.hand_size for hand in hands):
        raise ImpossibleEvent(f"hands of {[len(hand) for hand in hands]} cards, not two of {rules.hand_size}")
    if stock is not None and (len(stock) != rules.stock_size or stock[-1] != turned_up):
        raise ImpossibleEvent(
            f"the stock must be {rules.stock_size} cards that end with the turned-up {turned_up},"
            f" got {[str(card) for card in stock]}"
        )
    lying = stock if stock is not None else () if turned_up is None else (turned_up,)
    dealt = [*hands[0], *hands[1], *lying]
    for card in dealt:
        if card not in rules.pack:
            raise ImpossibleEvent(f"{card} is not in a pack of {rules.deck}")
        if dealt.count(card) > 1:
            raise ImpossibleEvent(f"{card} is dealt twice")
    held = frozenset(hands[0]), frozenset(hands[1])
    return HandState(
        rules, dealer, turned_up, dealer.other, hands=held, stock=None if stock is None else tuple(stock)
    )


def check(state: HandState, event: Event) -> Breach | None:
    """Say which rule `event` breaks, or proves to have been broken before; `None`: none.

    With hidden hands an event is judged by what everybody knows; a card that nobody has named is
    not judged.

    Raises:
        ImpossibleEvent: It cannot happen at all.
    """
    state = _ready(state, event)
    breaches = tuple(_judge(state, event))
    return breaches[0].breach if breaches else None


def legal_events(state: HandState) -> tuple[Event, ...]:
    """Return what may happen next: the events that `check` lets through, in a fixed order.

    Plays are those of cards that the player may hold as far as anybody can know. Giving up a
    hand and plays without a name are never listed.
    """
    return tuple(
        event for event in _conceivable(state) if _refusal(state, event) is None and _lets(state, event)
    )


def apply(state: HandState, event: Event) -> HandState:
    """Return the hand after `event`; `state` itself never changes.

    A play against the rules is still a fact: it is noted in `breaches`. A word without the right
    to it (a marriage, a close, a claim) is noted and has no effect (clause 10.2).

    Raises:
        ImpossibleEvent: The event cannot have happened.
    """
    state = _ready(state, event)
    breaches = tuple(_judge(state, event))
    wrong = any(noted.proved_by is None for noted in breaches)
    if breaches:
        state = _noted(state, breaches)
    match event:
        case CardPlayed():
            return _play(state, event)
        case Exchanged():
            return _exchange(state, event)
        case MarriageDeclared():
            return _declare(state, event, wrong)
        case Closed():
            return state if wrong else _close(state, event)
        case Claimed():
            if wrong:
                return state
            return replace(state, claimed_by=event.player, award=award_of_claim(state, event.player))
        case GivenUp():
            return replace(state, given_up=True)
        case Dealt():
            raise ImpossibleEvent("the hand has been dealt")
        case _:
            assert_never(event)


# What cannot be


def _ready(state: HandState, event: Event) -> HandState:
    """Return the hand with an open trick given to whoever acts as its winner."""
    refusal = _refusal(state, event)
    if refusal is not None:
        raise ImpossibleEvent(refusal)
    return state if isinstance(event, GivenUp | Dealt) else resolved(state, event.player)


def _refusal(state: HandState, event: Event) -> str | None:
    """Why `event` cannot have happened; `None`: it can."""
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


# What is not allowed


def _judge(state: HandState, event: Event) -> Iterator[NotedBreach]:
    """Yield the rules that a possible event breaks or proves broken."""
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
    for marriage in state.marriages:
        if (
            marriage.player is not player
            and marriage.status is not MarriageStatus.VOID
            and card in marriage.pair
        ):
            declared_in = marriage.after + 1
            yield NotedBreach(Breach.MARRIAGE_NOT_HELD, marriage.player, declared_in, card, now, card)


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


def _conceivable(state: HandState) -> Iterator[Event]:
    """Events worth asking about, words before plays."""
    if state.claimed_by is not None or state.given_up:
        return
    players = tuple(Player) if state.leader is None else (state.leader,)
    if not state.over and state.led is None:
        for player in players:
            yield Exchanged(player)
            yield from (MarriageDeclared(player, suit) for suit in Suit)
            yield Closed(player)
    yield from (Claimed(player) for player in players)
    if state.over:
        return
    for player in players if state.to_play is None else (state.to_play,):
        yield from (CardPlayed(player, card) for card in resolved(state, player).candidates(player))


def _lets(state: HandState, event: Event) -> bool:
    """Whether no rule stands against a possible event."""
    ready = state if isinstance(event, GivenUp | Dealt) else resolved(state, event.player)
    return next(_judge(ready, event), None) is None


# What follows


def _noted(state: HandState, breaches: tuple[NotedBreach, ...]) -> HandState:
    """Return the hand with breaches noted, and marriages that they disprove void."""
    state = replace(state, breaches=(*state.breaches, *breaches))
    for noted in breaches:
        if noted.breach in (Breach.MARRIAGE_NOT_HELD, Breach.MARRIAGE_NOT_LED) and noted.card is not None:
            suit = state.announced if noted.breach is Breach.MARRIAGE_NOT_LED else noted.card.suit
            marriages = tuple(
                replace(each, status=MarriageStatus.VOID)
                if each.player is noted.player and each.suit is suit
                else each
                for each in state.marriages
            )
            state = replace(state, marriages=marriages)
            if noted.breach is Breach.MARRIAGE_NOT_LED:
                state = replace(state, announced=None)
    return state


def _play(state: HandState, event: CardPlayed) -> HandState:
    player, card = event.player, event.card
    if card is None:
        state = replace(state, hands=None, stock=None)
    else:
        state = replace(state, seen=state.seen | {card})
        if state.hands is not None:
            rest = state.hands[player] - {card}
            hands = (rest, state.hands[1]) if player is Player.SOUTH else (state.hands[0], rest)
            state = replace(state, hands=hands)
    if state.led is None:
        return replace(state, led=event)
    led = state.led
    winner = taker(led.player, led.card, card, state.trump, unread(state))
    state = with_trick(state, Trick(led.player, led.card, card, winner))
    return replace(state, award=award_of_last_trick(state)) if state.played_out else state


def _exchange(state: HandState, event: Exchanged) -> HandState:
    player = event.player
    state = replace(state, exchanged_by=player)
    if state.hands is None or state.dealt_up is None or state.bottom is None:
        return state
    held = (state.hands[player] - {state.bottom}) | {state.dealt_up}
    hands = (held, state.hands[1]) if player is Player.SOUTH else (state.hands[0], held)
    stock = None if state.stock is None else (*state.stock[:-1], state.bottom)
    return replace(state, hands=hands, stock=stock)


def _declare(state: HandState, event: MarriageDeclared, wrong: bool) -> HandState:
    if state.trump is None:
        points = PointRange(20, 40)
    else:
        points = PointRange.of(40 if event.suit is state.trump else 20)
    status = MarriageStatus.VOID if wrong else MarriageStatus.PENDING
    marriage = Marriage(event.player, event.suit, points, len(state.tricks), status)
    marriage = replace(marriage, status=marriage_status(state, marriage))
    state = replace(state, marriages=(*state.marriages, marriage))
    return state if wrong else replace(state, announced=event.suit)


def _close(state: HandState, event: Closed) -> HandState:
    other = event.player.other
    close = AtClose(
        closer=event.player,
        card_points=count(state, other).total,
        has_trick=state.tricks_of(other) > 0,
        closer_has_trick=state.tricks_of(event.player) > 0,
        tricks=len(state.tricks),
    )
    return replace(state, at_close=close)
