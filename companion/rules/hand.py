"""One hand from the deal to its award: what is possible, what is allowed, what follows.

`check` is the one judge; `legal_events` and `apply` ask it. What is impossible (a card played
twice, a play out of turn) is refused. What is merely against the rules is a fact: `apply` notes
it in `HandState.breaches` as a referee would, and the hand goes on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import assert_never

from companion.rules.altered import altered
from companion.rules.breach import Breach, NotedBreach
from companion.rules.cards import Card, Player, Suit
from companion.rules.course import marriage_status, resolved, taker, undrawn, with_trick
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
from companion.rules.judge import judge, outstanding, refusal
from companion.rules.points import PointRange
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import (
    award_of_agreement,
    award_of_claim,
    award_of_concession,
    award_of_knock,
    award_of_last_trick,
    award_of_revoke,
    count,
    players_out,
)
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
    "legal_words",
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
    breaches = tuple(judge(state, event))
    return breaches[0].breach if breaches else None


def legal_events(state: HandState) -> tuple[Event, ...]:
    """Return what may happen next: the events that `check` lets through, in a fixed order.

    Plays are those of cards that the player may hold as far as anybody can know; with hidden
    hands there may be none although a card is due: then whatever is played proves a breach.
    Giving up a hand and plays without a name are never listed.
    """
    return tuple(
        event for event in _conceivable(state) if refusal(state, event) is None and _lets(state, event)
    )


def legal_words(state: HandState) -> tuple[Event, ...]:
    """Return what may be said next: `legal_events` without the cards, which take most of its time."""
    words = takewhile(lambda event: not isinstance(event, CardPlayed), _conceivable(state))
    return tuple(event for event in words if refusal(state, event) is None and _lets(state, event))


def apply(state: HandState, event: Event) -> HandState:
    """Return the hand after `event`; `state` itself never changes.

    A play against the rules is still a fact: it is noted in `breaches`. A word without the right
    to it (a marriage, a close, a claim) is noted and has no effect (clause 10.2).

    Raises:
        ImpossibleEvent: The event cannot have happened.
    """
    before = state
    state = _ready(state, event)
    breaches = tuple(judge(state, event))
    wrong = any(noted.proved_by is None for noted in breaches)
    if breaches:
        state = _noted(state, breaches)
    if isinstance(event, RevokeCalled) and not wrong and state.rules.revoke_award == "take_back":
        return _taken_back(state, event)
    start, told = before.start or before, (*before.told, event)
    if isinstance(event, CardPlayed):
        state = _play(state, event, start, told)
    else:
        state = altered(_after(state, event, wrong), start=start, told=told)
    return _reckoned(state) if state.rules.claim_mode == "auto" else state


def _after(state: HandState, event: Event, wrong: bool) -> HandState:
    """Return the hand after anything but a play."""
    match event:
        case Exchanged():
            return _exchange(state, event)
        case MarriageDeclared():
            return _declare(state, event, wrong)
        case Closed():
            return state if wrong else _close(state, event)
        case Knocked():
            return state if wrong else altered(state, at_knock=_moment(state, event.player))
        case Claimed():
            if wrong:
                return state
            return altered(state, claimed_by=event.player, award=award_of_claim(state, event.player))
        case RevokeCalled():
            if wrong:
                return state
            award = award_of_revoke(state, event.player.other)
            return altered(state, called_by=event.player, award=award)
        case HandShown():
            return _settled_anew(state)
        case GivenUp():
            return altered(state, given_up=True)
        case Conceded():
            return altered(state, conceded=True, award=award_of_concession(state))
        case Agreed():
            return altered(state, agreed=True, given_up=False, award=award_of_agreement(state, event))
        case Dealt() | CardPlayed():
            raise ImpossibleEvent(f"{event} is settled elsewhere")
        case _:
            assert_never(event)


def _ready(state: HandState, event: Event) -> HandState:
    """Return the hand with an open trick given to whoever acts as its winner."""
    reason = refusal(state, event)
    if reason is not None:
        raise ImpossibleEvent(reason)
    return _with_actor(state, event)


def _with_actor(state: HandState, event: Event) -> HandState:
    if isinstance(event, GivenUp | Conceded | Dealt | RevokeCalled | HandShown | Agreed):
        return state
    return resolved(state, event.player, claiming=isinstance(event, Claimed))


def _conceivable(state: HandState) -> Iterator[Event]:
    """Events worth asking about, words before plays."""
    if state.breaches:
        yield from (RevokeCalled(player) for player in Player)
    if state.ended:
        return
    players = tuple(Player) if state.leader is None else (state.leader,)
    if not state.over and state.led is None:
        for player in players:
            yield Exchanged(player)
            yield from (MarriageDeclared(player, suit) for suit in Suit)
            yield Closed(player)
            if state.rules.close_before_draw:
                yield Closed(player, before_draw=True)
            if state.rules.knock:
                yield Knocked(player)
        if state.at_close is not None and state.rules.exchange_on_close:
            yield Exchanged(state.at_close.closer.other)
    yield from (Claimed(player) for player in state.claimants or players)
    if state.over:
        return
    for player in players if state.to_play is None else (state.to_play,):
        yield from (CardPlayed(player, card) for card in resolved(state, player).candidates(player))


def _lets(state: HandState, event: Event) -> bool:
    """Whether no rule stands against a possible event."""
    return next(judge(_with_actor(state, event), event), None) is None


# What follows


def _noted(state: HandState, breaches: tuple[NotedBreach, ...]) -> HandState:
    """Return the hand with breaches noted, and marriages that they disprove void."""
    state = altered(state, breaches=(*state.breaches, *breaches))
    for noted in breaches:
        if noted.breach in (Breach.MARRIAGE_NOT_HELD, Breach.MARRIAGE_NOT_LED) and noted.card is not None:
            suit = state.announced if noted.breach is Breach.MARRIAGE_NOT_LED else noted.card.suit
            for place, each in enumerate(state.marriages):
                if each.player is noted.player and each.suit is suit:
                    state = _voided(state, place)
            if noted.breach is Breach.MARRIAGE_NOT_LED:
                state = altered(state, announced=None)
    return state


def _voided(state: HandState, place: int) -> HandState:
    """Return the hand in which a marriage was never held, nor counted at the close (clause 5.8)."""
    marriage = state.marriages[place]
    void = replace(marriage, status=MarriageStatus.VOID)
    return altered(
        state,
        marriages=(*state.marriages[:place], void, *state.marriages[place + 1 :]),
        at_close=state.at_close and state.at_close.without(marriage),
        at_knock=state.at_knock and state.at_knock.without(marriage),
    )


def _play(state: HandState, event: CardPlayed, start: HandState, told: tuple[Event, ...]) -> HandState:
    player, card = event.player, event.card
    answers = (card,) if card else state.candidates(player)
    seen, hands, stock = state.seen, state.hands, state.stock
    if card is None:
        hands = stock = None
    else:
        seen |= {card}
        if hands is not None:
            rest = hands[player] - {card}
            hands = (rest, hands[1]) if player is Player.SOUTH else (hands[0], rest)
    led = state.led
    state = altered(state, seen=seen, hands=hands, stock=stock, led=led or event, start=start, told=told)
    if led is None:
        return state
    leads = (led.card,) if led.card else state.candidates(led.player)
    winner = taker(led.player, leads, answers, state.trump)
    return _awarded(with_trick(state, Trick(led.player, led.card, card, winner)))


def _awarded(state: HandState) -> HandState:
    """Return the hand with what it pays, where the cards are gone or were knocked for."""
    if state.knock_settled:
        return altered(state, award=award_of_knock(state))
    return altered(state, award=award_of_last_trick(state)) if state.played_out else state


def _settled_anew(state: HandState) -> HandState:
    """Return an ended hand with the award that it pays after all (clause 5.8)."""
    if state.claimed_by is not None:
        return altered(state, award=award_of_claim(state, state.claimed_by))
    if state.conceded:
        return altered(state, award=award_of_concession(state))
    return state if state.called_by is not None or state.given_up else _awarded(state)


def _reckoned(state: HandState) -> HandState:
    """Let a hand end by arithmetic (clause 7.1)."""
    out = players_out(state)
    return altered(state, claimed_by=out[0], award=award_of_claim(state, out[0])) if out else state


def _taken_back(state: HandState, call: RevokeCalled) -> HandState:
    """Return the hand before a revoke; it and all that came after is withdrawn (clause 3.6)."""
    noted = outstanding(state, call.player.other)
    earlier = state.start
    if noted is None or earlier is None:
        raise ImpossibleEvent("there is no play to be taken back")
    for event in state.told:
        answers = isinstance(event, CardPlayed) and earlier.led is not None
        if answers and len(earlier.tricks) == noted.trick - 1:
            break
        earlier = apply(earlier, event)
    kept = tuple(each for each in state.breaches if each.taken_back)
    breaches = (*earlier.breaches, *kept, replace(noted, taken_back=True))
    return altered(earlier, breaches=breaches, start=state.start)


def _exchange(state: HandState, event: Exchanged) -> HandState:
    player = event.player
    state = altered(state, exchanged_by=player, acted=True)
    if state.hands is None or state.dealt_up is None or state.bottom is None:
        return state
    held = (state.hands[player] - {state.bottom}) | {state.dealt_up}
    hands = (held, state.hands[1]) if player is Player.SOUTH else (state.hands[0], held)
    stock = None if state.stock is None else (*state.stock[:-1], state.bottom)
    return altered(state, hands=hands, stock=stock)


def _declare(state: HandState, event: MarriageDeclared, wrong: bool) -> HandState:
    if state.trump is None:
        points = PointRange(20, 40)
    else:
        points = PointRange.of(40 if event.suit is state.trump else 20)
    status = MarriageStatus.VOID if wrong else MarriageStatus.PENDING
    marriage = Marriage(event.player, event.suit, points, len(state.tricks), status)
    marriage = replace(marriage, status=marriage_status(state, marriage))
    state = altered(state, marriages=(*state.marriages, marriage))
    return state if wrong else altered(state, announced=event.suit)


def _close(state: HandState, event: Closed) -> HandState:
    moment = _moment(state, event.player)
    if event.before_draw:
        state = undrawn(state)
        moment = replace(moment, draws=moment.draws - 1)
    return altered(state, at_close=moment, acted=True)


def _moment(state: HandState, player: Player) -> AtClose:
    """Return what is remembered when `player` closes or knocks."""
    other = player.other
    return AtClose(
        closer=player,
        card_points=count(state, other).total,
        has_trick=state.tricks_of(other) > 0,
        closer_has_trick=state.tricks_of(player) > 0,
        tricks=len(state.tricks),
        draws=state.draws,
        marriages=frozenset(each.suit for each in state.marriages if each.player is other and each.counted),
    )
