"""The fast core against the judge of the rules: every legal action and every result of random hands.

    python -m tests.solver.compare_play 100000

Hands of all presets, every other one with options of other houses, knocking left out. Prints how many
agreed; the first that does not is printed as a record, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from dataclasses import replace

from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.record import Record, result_of
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import count
from companion.rules.shuffle import shuffled
from companion.solver import play
from companion.solver.bits import Numbering
from companion.solver.compiled import Machine
from companion.solver.rights import CLOSE, EXCHANGE
from companion.solver.terms import terms_of
from tests.rules.random_hands import random_rules


class Core:
    """A hand in the fast core."""

    machine = Machine(play.legal, play.act)
    legal = machine.function(play.legal)
    act = machine.function(play.act)

    def __init__(self, state: HandState) -> None:
        self._numbering = Numbering(state.trump)
        stock = [self._numbering.number(card) for card in state.stock]
        south, north = (self._numbering.hand(hand) for hand in state.hands)
        size = int(state.rules.hand_size)
        self._terms = terms_of(state.rules, stock)
        self._hand = play.new_hand(south, north, size, state.leader, 1 << stock[-1])

    def actions(self) -> int:
        """What is legal, as bits."""
        return Core.legal(self._terms, self._hand)

    def action(self, event: Event) -> int:
        """The number of an event."""
        leader = self._hand[play.LEADER]
        match event:
            case CardPlayed():
                return self._numbering.number(event.card)
            case Exchanged():
                return EXCHANGE if event.player == leader else play.EXCHANGE_AT_CLOSE
            case MarriageDeclared():
                suits = [self._numbering.suit(place) for place in range(4)]
                return play.MARRIAGE + suits.index(event.suit)
            case Closed():
                return play.CLOSE_BEFORE_DRAW if event.before_draw else CLOSE
            case Claimed():
                return play.CLAIM + event.player
            case _:
                raise ValueError(f"{event} is nothing that the core knows")

    def take(self, event: Event) -> None:
        """Go on by one event."""
        Core.act(self._terms, self._hand, self.action(event))

    @property
    def award(self) -> tuple[int, int]:
        """Who scores, -1 for nobody, and how much."""
        return self._hand[play.WINNER], self._hand[play.AWARD]

    def points(self, player: int) -> int:
        """Card points, counted marriages and the bonus included."""
        return play.total(self._terms, self._hand, player)


def without_knocking(rules: RuleSet) -> RuleSet:
    """The same rules without what the core does not play."""
    return replace(rules, knock=False)


def disagreement(rules: RuleSet, rng: random.Random) -> tuple[str, HandState, list[Event]]:
    """Play a hand at random by the judge, and beside it in the core; what differs, or nothing."""
    hands, stock = shuffled(rules, rng)
    state = deal(rules, rng.choice(list(Player)), None, hands, stock)
    core, events = Core(state), list[Event]()
    while True:
        allowed = legal_events(state)
        if core.actions() != sum(1 << core.action(event) for event in allowed):
            return f"the core allows {core.actions():x}, the judge {allowed}", state, events
        for player in Player:
            if core.points(player) != count(state, player).total.low:
                return f"the core counts {core.points(player)} for {player.name}", state, events
        event = chosen(state, allowed, rng)
        if event is None:
            break
        state = apply(state, event)
        core.take(event)
        events.append(event)
    award = state.award
    if award is None or core.award != (-1 if award.winner is None else award.winner, award.game_points):
        return f"the core pays {core.award}", state, events
    return "", state, events


def chosen(state: HandState, allowed: tuple[Event, ...], rng: random.Random) -> Event | None:
    """What is done next: wrong claims and closes are rare, so that hands go on; `None`: nothing more."""
    claims = [event for event in allowed if isinstance(event, Claimed)]
    for claim in claims:
        enough = count(state, claim.player).total.low >= 66
        if rng.random() < (0.5 if enough else 0.02):
            return claim
    events = [event for event in allowed if not isinstance(event, Claimed)]
    closes = [event for event in events if isinstance(event, Closed)]
    if closes and rng.random() < 0.9:
        events = [event for event in events if event not in closes]
    return rng.choice(events) if events else None


def main() -> int:
    """Compare, and say so."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("number", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    agreed: Counter[str] = Counter()
    for index in range(options.number):
        rng = random.Random(f"{options.seed}/{index}")
        rules = without_knocking(random_rules(rng))
        said, state, events = disagreement(rules, rng)
        if said:
            record = Record(state.rules, state.dealer, state.dealt_up, tuple(events), result_of(state))
            print(json.dumps(record.to_json()), said, file=sys.stderr)
            return 1
        agreed[rules.preset] += 1
        if not index % 1000 and sys.stderr.isatty():
            print(f"\r{index}", end="", file=sys.stderr)
    for name, times in sorted(agreed.items()):
        print(f"{times:7} {name}")
    print(f"{agreed.total():7} hands agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
