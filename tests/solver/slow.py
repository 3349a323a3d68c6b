"""Best play found by asking the judge of the rules at every step: slow, and nothing of the fast core."""

from __future__ import annotations

import random
from collections.abc import Iterator

from companion.rules.cards import Card, Player, Rank
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, Knocked, MarriageDeclared
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import count
from companion.rules.shuffle import shuffled

ENOUGH = 66


def action_values(state: HandState) -> dict[str, int]:
    """What each action of the player who decides is worth to south, in the words of `companion solve`."""
    search = _Search(state.rules)
    claim = claim_due(state)
    if claim is not None:
        return {"claim": paid(apply(state, claim))}
    if state.led is not None:
        plays = [event for event in legal_events(state) if isinstance(event, CardPlayed)]
        return {f"play:{event.card}": search.value(apply(state, event), -3, 3) for event in plays}
    found: dict[str, int] = {}
    lead = state.on_lead
    for name, ways in ways_of(state).items():
        values = [search.value(way, -3, 3) for way in ways]
        found[name] = max(values) if lead is Player.SOUTH else min(values)
    return found


def ways_of(state: HandState) -> dict[str, list[HandState]]:
    """The hands that each action may lead to: declared or not, with a marriage before the close or not."""
    events = [event for event in legal_events(state) if getattr(event, "player", None) is state.on_lead]
    declared = {event.suit: apply(state, event) for event in events if isinstance(event, MarriageDeclared)}
    ways: dict[str, list[HandState]] = {}
    for event in events:
        match event:
            case CardPlayed():
                ways[f"play:{event.card}"] = [apply(state, event)]
            case Exchanged():
                ways["exchange"] = [apply(state, event)]
            case Closed(before_draw=False):
                ways["close"] = [apply(state, event)]
                ways["close"] += [
                    apply(after, event) for after in declared.values() if event in legal_events(after)
                ]
            case _:
                pass
    for suit, after in declared.items():
        for card in (Card(Rank.KING, suit), Card(Rank.QUEEN, suit)):
            goes_on = not after.ended and claim_due(after) is None
            way = apply(after, CardPlayed(state.leader, card)) if goes_on else after
            silent = [] if must_declare(state.rules) else ways.get(f"play:{card}", [])
            ways[f"play:{card}"] = [*silent, way]
    return ways


def must_declare(rules: RuleSet) -> bool:
    """Whether 66 at once may be worse than later, so that declaring is no free choice of the solver."""
    return rules.beaten_closer_award == "flat_2"


def claim_due(state: HandState) -> Claimed | None:
    """The claim that comes before anything else."""
    for player in state.claimants:
        if count(state, player).total.low >= ENOUGH:
            return Claimed(player)
    return None


def paid(state: HandState) -> int:
    """Game points for south of a hand that has ended."""
    if state.award is None:
        raise ValueError("the hand has not ended")
    if state.award.winner is None:
        return 0
    return state.award.game_points if state.award.winner is Player.SOUTH else -state.award.game_points


class _Search:
    """Alpha-beta over the events that the judge allows, with a memory of exact bounds."""

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._known: dict[object, tuple[int, int]] = {}

    def value(self, state: HandState, low: int, high: int, declined: bool = False) -> int:
        """The value for south, exact where it lies between the bounds."""
        if state.ended:
            return paid(state)
        claim = claim_due(state)
        if claim is not None:
            return paid(apply(state, claim))
        if state.over:
            return paid(state)
        if state.led is None and not declined:
            swap = [e for e in legal_events(state) if isinstance(e, Exchanged) and e.player != state.leader]
            if swap:
                both = [self.value(apply(state, swap[0]), -3, 3, True), self.value(state, -3, 3, True)]
                return max(both) if state.leader.other is Player.SOUTH else min(both)
        key = (_essence(state), declined)
        least, most = self._known.get(key, (-3, 3))
        if least >= high or most <= low or least == most:
            return least if least >= high or least == most else most
        at_low, at_high = low, high = max(low, least), min(high, most)
        lead = state.leader if state.led is None else state.leader.other
        south = lead is Player.SOUTH
        best = -4 if south else 4
        for event in self._options(state):
            value = self.value(apply(state, event), low, high)
            if south:
                best = max(best, value)
                low = max(low, best)
            else:
                best = min(best, value)
                high = min(high, best)
            if low >= high:
                break
        if best <= at_low:
            self._known[key] = (least, best)
        elif best >= at_high:
            self._known[key] = (best, most)
        else:
            self._known[key] = (best, best)
        return best

    def _options(self, state: HandState) -> list[Event]:
        options = [event for event in legal_events(state) if not isinstance(event, Claimed | Knocked)]
        if must_declare(self._rules):
            pairs = {event.suit for event in options if isinstance(event, MarriageDeclared)}
            options = [
                event
                for event in options
                if not (isinstance(event, CardPlayed) and event.card.rank in (Rank.KING, Rank.QUEEN))
                or event.card.suit not in pairs
            ]
        # The other player decides about an exchange at the close before the closer goes on.
        swap = [event for event in options if isinstance(event, Exchanged) and event.player != state.leader]
        return sorted((e for e in options if e not in swap), key=_first_tried)


def _first_tried(event: Event) -> tuple[int, int]:
    if isinstance(event, CardPlayed):
        return 1, -int(event.card.rank)
    return 0, 0


def _essence(state: HandState) -> object:
    """All that the rest of a hand can depend on."""
    counts = [count(state, player) for player in Player]
    sides = tuple((each.total.low, each.pending.low) for each in counts)
    tricks = tuple(state.tricks_of(player) > 0 for player in Player)
    led = None if state.led is None else state.led.card
    close = state.at_close
    at_close = close and (close.closer, close.card_points.low, close.has_trick, close.closer_has_trick)
    fresh = state.rules.close_before_draw and (state.drawn, state.acted)
    return (
        state.hands,
        state.stock,
        state.leader,
        led,
        state.announced,
        state.acted,
        at_close,
        sides,
        tricks,
        fresh,
    )


# Positions to be solved


def random_state(rules: RuleSet, rng: random.Random, kind: str) -> HandState:
    """A hand with all cards known, played at random until its leader is in a position of a kind.

    Args:
        rules: What is played.
        rng: Chance.
        kind: `exhausted`; `closed N`, by somebody, with N cards in each hand; `left N`, an open stock.
    """
    while True:
        state = _dealt(rules, rng)
        while state is not None and not state.over and claim_due(state) is None:
            if state.on_lead is not None and state.announced is None and _is(state, kind):
                return state
            state = apply(state, rng.choice(list(_played(state, kind, rng))))


def _dealt(rules: RuleSet, rng: random.Random) -> HandState:
    hands, stock = shuffled(rules, rng)
    return deal(rules, rng.choice(list(Player)), None, hands, stock)


def _is(state: HandState, kind: str) -> bool:
    what, _, number = kind.partition(" ")
    size = len(state.hands[0])
    if what == "closed":
        return state.at_close is not None and size == int(number)
    if state.at_close is not None:
        return False
    return state.stock_left == (int(number) if number else 0) and size == state.rules.hand_size


def _played(state: HandState, kind: str, rng: random.Random) -> Iterator[Event]:
    """Legal events to go on with: a close only on the way to a closed position, and then now and then."""
    closing = kind.startswith("closed") and rng.random() < 0.3
    events = [event for event in legal_events(state) if not isinstance(event, Claimed | Knocked)]
    close = [event for event in events if isinstance(event, Closed) and not event.before_draw]
    if closing and close:
        yield from close
        return
    yield from (event for event in events if not isinstance(event, Closed))
