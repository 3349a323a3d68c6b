"""Two players who play a hand as people might: legal, greedy, now and then careless."""

from __future__ import annotations

import random

from companion.rules.cards import Card, Player
from companion.rules.claim import Outcome, verify
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Event,
    Exchanged,
    Knocked,
    MarriageDeclared,
)
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.match import next_dealer
from companion.rules.record import Record, replay, result_of
from companion.rules.ruleset import RuleSet, preset
from companion.rules.scoring import ENOUGH, count
from companion.rules.shuffle import shuffled

__all__ = ["random_evening", "random_record"]

_STRONG = 46
"""Card points and marriages in a hand from which on these players think of closing."""
_USUAL_ANSWER = 4
"""Card points that an opponent's card is worth."""
_HAND_STEP = 100_003
"""Seeds of the hands of one evening lie so far apart."""


def random_evening(seed: int, hands: int, rules: RuleSet | None = None) -> tuple[Record, ...]:
    """Play random hands one after the other, dealt by whose turn it is; the first is `random_record`'s."""
    played = [random_record(seed, rules)]
    for number in range(1, hands):
        played.append(random_record(seed + number * _HAND_STEP, rules, next_dealer(replay(played[-1]))))
    return tuple(played)


def random_record(seed: int, rules: RuleSet | None = None, dealer: Player | None = None) -> Record:
    """Play a random hand to its end.

    Args:
        seed: Decides the deal, the dealer and every choice.
        rules: House rules; the preset `schnapsen` without.
        dealer: Who deals; by lot without.

    Returns:
        A record with full information, without breaches of the rules.
    """
    rules = rules or preset("schnapsen")
    rng = random.Random(seed)
    hands, stock = shuffled(rules, rng)
    lot = Player(rng.randrange(2))
    dealer = lot if dealer is None else dealer
    state = deal(rules, dealer, stock[-1], hands, stock)
    events: list[Event] = []
    while True:
        event = _choice(state, rng)
        if event is None:
            break
        events.append(event)
        state = apply(state, event)
        if state.claimed_by is not None:
            break
    return Record(rules, dealer, stock[-1], tuple(events), result_of(state), hands, stock)


def _choice(state: HandState, rng: random.Random) -> Event | None:
    options = legal_events(state)
    for event in options:
        if isinstance(event, Claimed):
            proven = verify(state, event.player).outcome is Outcome.PROVEN
            if rng.random() < (0.95 if proven else 0.005):
                return event
    for event in options:
        if isinstance(event, Exchanged) and rng.random() < 0.9:
            return event
        if isinstance(event, MarriageDeclared) and rng.random() < 0.9:
            return event
        if isinstance(event, Closed) and _strength(state, event.player) >= _STRONG and rng.random() < 0.35:
            return event
        if isinstance(event, Knocked) and _one_trick_short(state, event.player) and rng.random() < 0.5:
            return event
    plays = [event for event in options if isinstance(event, CardPlayed) and event.card is not None]
    if not plays:
        return None
    if rng.random() < 0.15:
        return rng.choice(plays)
    return _sensible(state, plays)


def _one_trick_short(state: HandState, player: Player) -> bool:
    """Whether a trick with the best card in hand may well make 66."""
    hand = state.hands[player] if state.hands else frozenset[Card]()
    best = max((card.rank.value for card in hand), default=0)
    return count(state, player).total.low + best + _USUAL_ANSWER >= ENOUGH


def _strength(state: HandState, player: Player) -> int:
    hand = state.hands[player] if state.hands else frozenset[Card]()
    points = sum(card.rank.value for card in hand if card.rank.value >= 10 or card.suit is state.trump)
    return points + sum(each.points.low for each in state.marriages if each.player is player)


def _sensible(state: HandState, plays: list[CardPlayed]) -> CardPlayed:
    trump = state.trump

    def cost(play: CardPlayed) -> int:
        card = play.card
        return 0 if card is None else card.rank.value + (12 if card.suit is trump else 0)

    led = state.led.card if state.led else None
    if led is None or trump is None:
        return max(plays, key=cost) if not state.stock_open else min(plays, key=cost)
    winning = [play for play in plays if play.card is not None and play.card.beats(led, trump)]
    cheap = min(winning, key=cost) if winning else None
    if cheap is not None and (cost(cheap) < 12 or led.rank.value >= 10):
        return cheap
    return min(plays, key=cost)
