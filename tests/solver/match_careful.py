"""The advice for hidden cards, followed blindly, against a player who counts, closes and claims; our rules.

    python -m tests.solver.match_careful 200

Each deal is played twice, each player leading once. Prints the game points of both.
"""

from __future__ import annotations

import argparse
import random
import sys
import time

from companion.rules.cards import Card, Player, Rank
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.ruleset import RuleSet, preset
from companion.rules.scoring import count, players_out
from companion.rules.shuffle import shuffled
from companion.solver.sampling import Advisor
from companion.solver.view import View

ENOUGH = 66


class Advised:
    """Does what promises most."""

    name = "advice"

    def __init__(self, seed: int, layouts: int) -> None:
        self._advisor = Advisor(seed, layouts)
        self._lead: Card | None = None
        self.slowest = 0.0

    def choose(self, seen: HandState, player: Player, hand: frozenset[Card], legal: list[Event]) -> Event:
        """The next event."""
        if seen.announced is not None and seen.led is None and self._lead is not None:
            return CardPlayed(player, self._lead)
        started = time.perf_counter()
        best = self._advisor.advise(View.of(seen, player, hand)).best
        self.slowest = max(self.slowest, time.perf_counter() - started)
        what, _, card = best.partition(":")
        if what == "close":
            return Closed(player)
        if what == "exchange":
            return Exchanged(player)
        if what == "claim":
            return Claimed(player)
        self._lead = Card.parse(card)
        marriage = MarriageDeclared(player, self._lead.suit)
        is_pair = self._lead.rank in (Rank.KING, Rank.QUEEN)
        return marriage if is_pair and marriage in legal else CardPlayed(player, self._lead)


class Careful:
    """Counts cards and points, exchanges and declares, and closes when the sure tricks are enough."""

    name = "careful"
    slowest = 0.0

    def choose(self, seen: HandState, player: Player, hand: frozenset[Card], legal: list[Event]) -> Event:
        """The next event."""
        plays = [event.card for event in legal if isinstance(event, CardPlayed)]
        if seen.led is not None:
            return CardPlayed(player, self._answer(seen, plays))
        if seen.announced is not None:
            return CardPlayed(player, min(plays, key=lambda card: card.rank))
        for event in legal:
            if isinstance(event, Exchanged):
                return event
        marriages = [event for event in legal if isinstance(event, MarriageDeclared)]
        if seen.stock_open and Closed(player) in legal and self._can_close(seen, player, hand, marriages):
            return Closed(player)
        if marriages:
            return max(marriages, key=lambda event: event.suit is seen.trump)
        return CardPlayed(player, self._lead(seen, hand, plays))

    def _can_close(
        self, seen: HandState, player: Player, hand: frozenset[Card], marriages: list[MarriageDeclared]
    ) -> bool:
        points = count(seen, player).total.low
        sure = masters(seen, hand)
        points += sum(card.rank + 3 for card in sure)
        points += sum(40 if event.suit is seen.trump else 20 for event in marriages[:1])
        return points >= ENOUGH and len(sure) >= 2

    def _lead(self, seen: HandState, hand: frozenset[Card], plays: list[Card]) -> Card:
        sure = masters(seen, hand)
        if seen.strict and sure:
            return max(sure, key=lambda card: (card.suit is seen.trump, card.rank))
        return min(plays, key=lambda card: (card.suit is seen.trump, card.rank))

    def _answer(self, seen: HandState, plays: list[Card]) -> Card:
        led = seen.led.card
        taking = [card for card in plays if card.beats(led, seen.trump)]
        cheap = [card for card in taking if card.suit is led.suit]
        if cheap:
            return max(cheap, key=lambda card: card.rank)
        if taking and (led.rank >= Rank.TEN or seen.strict):
            return min(taking, key=lambda card: card.rank)
        return min(plays, key=lambda card: (card.suit is seen.trump, card.rank))


def masters(seen: HandState, hand: frozenset[Card]) -> list[Card]:
    """Cards of a hand that no card can take which may still be in the other hand."""
    unknown = [card for card in seen.rules.pack if card not in seen.seen and card not in hand]
    unknown = [card for card in unknown if card != seen.turned_up]
    return [card for card in hand if not any(other.beats(card, seen.trump) for other in unknown)]


def played(rules: RuleSet, players: list[Advised | Careful], rng: random.Random) -> tuple[int, int]:
    """Who of two players wins a random deal, the first leading, and how much; -1 for nobody."""
    hands, stock = shuffled(rules, rng)
    full, seen = deal(rules, Player.NORTH, None, hands, stock), deal(rules, Player.NORTH, stock[-1])
    while not full.ended:
        due = players_out(full)
        if due:
            event: Event = Claimed(due[0])
        elif full.over:
            break
        else:
            player = full.to_play
            legal = list(legal_events(full))
            event = players[player].choose(seen, player, full.hands[player], legal)
            if event not in legal:
                raise ValueError(f"{players[player].name} wants {event}")
        full, seen = apply(full, event), apply(seen, event)
    if full.award is None or full.award.winner is None:
        return -1, 0
    return int(full.award.winner), full.award.game_points


def main() -> int:
    """Play, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("deals", type=int, nargs="?", default=200)
    parser.add_argument("--layouts", type=int, default=40)
    parser.add_argument("--rules", default="schnapsen")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    ours, theirs = Advised(options.seed, options.layouts), Careful()
    points = {ours.name: 0, theirs.name: 0}
    for index in range(options.deals):
        for players in ([ours, theirs], [theirs, ours]):
            rng = random.Random(f"{options.seed}/{index}")
            winner, won = played(preset(options.rules), players, rng)
            if winner >= 0:
                points[players[winner].name] += won
    total = sum(points.values())
    share = 100 * points[ours.name] / total
    print(f"{options.deals} deals both ways ({options.rules}): {points[ours.name]} of {total} game points,")
    print(f"{share:.1f} of 100; slowest decision {ours.slowest:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
