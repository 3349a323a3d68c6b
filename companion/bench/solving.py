"""How fast positions are solved, and hands played at random, beside another engine if there is one."""

from __future__ import annotations

import importlib
import importlib.util
import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from companion.bench.figure import Figure, spread
from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Claimed, Closed, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import ENOUGH, count
from companion.rules.shuffle import shuffled
from companion.solver.position import Position
from companion.solver.random_play import play_hands
from companion.solver.sampling import Advisor
from companion.solver.solve import Solver
from companion.solver.view import View

__all__ = ["advice_figures", "play_figures", "random_position", "solve_figures"]

KINDS = {"exhausted": 0, "closed_5": None, "left_2": 2, "left_4": 4, "deal": 10}
"""Kinds of positions, with the cards in an open stock; `None`: closed with all cards in hand."""
BATCH = 200
PEER = "schnapsen"
"""A package on PyPI with an engine of its own. It asks for older versions of packages that this program
needs, and its engine for none of them: `pip install --no-deps schnapsen`."""


def random_position(kind: str, rng: random.Random) -> Position:
    """Return a position of one of `KINDS` in which the leader has something to decide."""
    while True:
        state: HandState | None = _dealt(rng)
        while state is not None:
            if _is(state, kind):
                return Position.from_state(state)
            state = _further(state, kind, rng)


def _dealt(rng: random.Random) -> HandState:
    rules = RuleSet()
    hands, stock = shuffled(rules, rng)
    return deal(rules, Player(rng.randrange(2)), None, hands, stock)


def _is(state: HandState, kind: str) -> bool:
    if state.on_lead is None or state.announced is not None or state.hand_sizes != (5, 5) or _won(state):
        return False
    left = KINDS[kind]
    if left is None:
        return state.at_close is not None
    return state.at_close is None and state.stock_left == left


def _won(state: HandState) -> bool:
    return any(count(state, player).total.low >= ENOUGH for player in Player)


def _further(state: HandState, kind: str, rng: random.Random) -> HandState | None:
    """Return the hand after anything legal; `None` where it ends before such a position."""
    if state.over or _won(state):
        return None
    allowed = [event for event in legal_events(state) if not isinstance(event, Claimed)]
    close = [event for event in allowed if isinstance(event, Closed)]
    if close and KINDS[kind] is None and rng.random() < 0.25:
        return apply(state, close[0])
    plain = [event for event in allowed if isinstance(event, CardPlayed | Exchanged | MarriageDeclared)]
    return apply(state, rng.choice(plain))


def solve_figures(batch: int = BATCH) -> Iterator[Figure]:
    """Milliseconds a position, with the value of every action, one process, after warm-up."""
    for kind in KINDS:
        rng = random.Random(kind)
        positions = [random_position(kind, rng) for _ in range(batch)]
        solver = Solver()
        for position in positions[: batch // 4]:
            solver.solve(position)
        solver = Solver()
        taken = []
        for position in positions:
            started = time.perf_counter()
            solver.solve(position)
            taken.append(1000 * (time.perf_counter() - started))
        yield from spread(f"solve.{kind}", taken, "ms")
        yield Figure(f"solve.{kind}.mean", statistics.mean(taken), "ms")
    yield _first_call()


def advice_figures(hands: int = 10) -> Iterator[Figure]:
    """Milliseconds a decision of a player who sees one hand, over all decisions of random hands."""
    taken = []
    for seed in range(hands):
        rng = random.Random(seed)
        advisor = Advisor(seed)
        state: HandState | None = _dealt(rng)
        while state is not None:
            player = state.to_play
            if player is not None and state.hands and (state.announced is None or state.led):
                view = View.of(state, player, state.hands[player])
                started = time.perf_counter()
                advisor.advise(view)
                taken.append(1000 * (time.perf_counter() - started))
            state = _further(state, "deal", rng)
    yield from spread("advise", taken, "ms")
    yield Figure("advise.slowest", max(taken), "ms")


def _first_call() -> Figure:
    """Seconds of `companion solve` on one position in a fresh process, all of it."""
    position = random_position("deal", random.Random(0))
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder:
        path = Path(folder) / "position.jsonl"
        path.write_text(json.dumps(position.to_json()) + "\n")
        command = [sys.executable, "-m", "companion", "solve", "--json", str(path)]
        started = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return Figure("solve.first_call", time.perf_counter() - started, "s")


def play_figures(hands: int = 400_000, peer_hands: int = 2_000) -> Iterator[Figure]:
    """Hands a second played at random, legal moves generated; by the peer's engine too, if there is one."""
    rules = RuleSet()
    play_hands(rules, 1000)
    started = time.perf_counter()
    play_hands(rules, hands)
    ours = hands / (time.perf_counter() - started)
    yield Figure("play.hands", ours, "hands/s")
    if importlib.util.find_spec(PEER) is None:
        print(f"no package {PEER} to compare with: pip install --no-deps {PEER}", file=sys.stderr)
        return
    theirs = _peer(peer_hands)
    yield Figure(f"play.peer_{PEER}.hands", theirs, "hands/s")
    yield Figure("play.times_the_peer", ours / theirs, "times")


def _peer(hands: int) -> float:
    """Hands a second of the peer's engine, one bot at random against another."""
    game = importlib.import_module(f"{PEER}.game")
    rng = random.Random(0)

    def get_move(_: object, perspective: object, leader_move: object) -> object:
        return rng.choice(perspective.valid_moves())  # type: ignore[attr-defined]

    bot = type("Random", (game.Bot,), {"get_move": get_move})
    engine, south, north = game.SchnapsenGamePlayEngine(), bot("south"), bot("north")
    started = time.perf_counter()
    for _ in range(hands):
        engine.play_game(south, north, rng)
    return hands / (time.perf_counter() - started)
