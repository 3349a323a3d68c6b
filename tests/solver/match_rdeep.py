"""The advice for hidden cards, followed blindly, against the bot `rdeep` of the PyPI package `schnapsen`.

    pip install --no-deps schnapsen
    python -m tests.solver.match_rdeep 500

Played by the engine and the rules of that package: nobody closes, 66 after a trick end the hand by
themselves, a marriage counts with the next trick and leads the king, the last trick wins one. Each deal is
played twice, each bot leading once. Prints the game points of both and the seconds of the slowest decision.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import random
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

from companion.rules.cards import Card, Player, Suit
from companion.rules.ruleset import RuleSet
from companion.solver.sampling import Advisor
from companion.solver.terms import CLOSE_MIN
from companion.solver.view import View

PEER_RULES = RuleSet(marriage_counts="next_trick", claim_on_declaration=False)
_LETTERS = {"ACE": "A", "TEN": "T", "KING": "K", "QUEEN": "Q", "JACK": "J"}


def peer(name: str) -> ModuleType:
    """A module of the package; its bots without those that need packages for learning and for a page."""
    if "schnapsen.bots" not in sys.modules:
        package = importlib.util.find_spec("schnapsen")
        if package is None or package.origin is None:
            sys.exit("the package schnapsen is not installed: pip install --no-deps schnapsen")
        bots = ModuleType("schnapsen.bots")
        bots.__path__ = [str(Path(package.origin).parent / "bots")]
        sys.modules["schnapsen.bots"] = bots
    return importlib.import_module(f"schnapsen.{name}")


def ours(card: Any) -> Card:
    """A card of theirs as one of ours."""
    return Card.parse(_LETTERS[card.rank.name] + card.suit.name[0])


class PeerAdvisor(Advisor):
    """Advice under rules without closing."""

    def prepared(self, terms: Any) -> None:
        """Begin with a layout in which nobody can close."""
        terms[CLOSE_MIN] = 99
        super().prepared(terms)


def view_of(perspective: Any, leader_move: Any) -> View:
    """What the peer's engine lets a bot know, as a view; the bot is south."""
    hand = [ours(card) for card in perspective.get_hand().get_cards()]
    led = None
    if leader_move is not None:
        move = leader_move.underlying_regular_move() if leader_move.is_marriage() else leader_move
        led = ours(move.card)
    known = {ours(card) for card in perspective.get_known_cards_of_opponent_hand()} - {led}
    if leader_move is not None and leader_move.is_marriage():
        known.add(ours(leader_move.queen_card))
    seen = {ours(card) for card in perspective.seen_cards(leader_move)}
    up = perspective.get_trump_card()
    turned_up = None if up is None else ours(up)
    unseen = frozenset(PEER_RULES.pack) - seen - known - set(hand)
    mine, other = perspective.get_my_score(), perspective.get_opponent_score()
    pending = [mine.pending_points, other.pending_points]
    trump = Suit(perspective.get_trump_suit().name[0])
    if leader_move is not None and leader_move.is_marriage():
        pending[1] += 40 if led.suit is trump else 20
    return View(
        PEER_RULES,
        trump,
        Player.SOUTH,
        tuple(hand),
        led,
        frozenset(known),
        unseen,
        frozenset(),
        unlikely(perspective, leader_move, led, trump, unseen),
        len(hand) - (led is not None),
        turned_up,
        perspective.get_talon_size(),
        (mine.direct_points, other.direct_points),
        (len(perspective.get_won_cards().get_cards()), len(perspective.get_opponent_won_cards().get_cards())),
        (pending[0], pending[1]),
    )


def unlikely(
    perspective: Any, leader_move: Any, led: Card | None, trump: Suit, unseen: frozenset[Card]
) -> frozenset[Card]:
    """Cards that a leader would probably have shown."""
    if led is None:
        return frozenset()
    shown = set()
    if not leader_move.is_marriage() and str(led)[0] in "KQ":
        shown.add(Card.parse(("Q" if str(led)[0] == "K" else "K") + led.suit.letter))
    if perspective.get_talon_size():
        shown.add(Card.parse("J" + trump.letter))
    return frozenset(shown) & unseen


def our_bot(layouts: int, seed: int) -> Any:
    """A bot of the peer's engine that follows the advice."""
    game = peer("game")

    class Follower(game.Bot):
        slowest = 0.0

        def __init__(self) -> None:
            super().__init__("advice")
            self.advisor = PeerAdvisor(seed, layouts)

        def get_move(self, perspective: Any, leader_move: Any) -> Any:
            started = time.perf_counter()
            moves = {name_of(move): move for move in perspective.valid_moves()}
            for queen in [move.queen_card for move in moves.values() if move.is_marriage()]:
                del moves[f"play:{ours(queen)}"]  # led without the marriage
            actions = self.advisor.advise(view_of(perspective, leader_move)).actions
            promised = {name: chance for name, chance in actions.items() if name in moves}
            best = max(promised, key=lambda name: (promised[name].game_points, promised[name].wins))
            Follower.slowest = max(Follower.slowest, time.perf_counter() - started)
            return moves[best]

    def name_of(move: Any) -> str:
        if move.is_trump_exchange():
            return "exchange"
        if move.is_marriage():
            return f"play:{ours(move.king_card)}"
        return f"play:{ours(move.card)}"

    return Follower()


def main() -> int:
    """Play, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("deals", type=int, nargs="?", default=500)
    parser.add_argument("--layouts", type=int, default=40)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    engine = peer("game").SchnapsenGamePlayEngine()
    bot = our_bot(options.layouts, options.seed)
    rdeep = peer("bots.rdeep").RdeepBot(16, 10, random.Random(options.seed), "rdeep")
    points = {bot: 0, rdeep: 0}
    hands = {bot: 0, rdeep: 0}
    for deal in range(options.deals):
        for first, second in ((bot, rdeep), (rdeep, bot)):
            winner, won, _ = engine.play_game(first, second, random.Random(f"{options.seed}/{deal}"))
            points[winner] += won
            hands[winner] += 1
    total = sum(points.values())
    print(f"{options.deals} deals both ways: {hands[bot]} hands won, {hands[rdeep]} lost;")
    print(f"{points[bot]} of {total} game points, {100 * points[bot] / total:.1f} of 100;")
    print(f"slowest decision {bot.slowest:.2f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
