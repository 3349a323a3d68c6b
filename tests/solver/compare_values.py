"""The solver against the judge asked at every step: value and every action, on random positions.

    python -m tests.solver.compare_values 500 --kind "left 2"

Without `--kind` all kinds are compared. Prints how many agreed; the first that does not is printed
as a position for `companion solve`, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time

from companion.rules.cards import Player
from companion.rules.hand import HandState
from companion.rules.ruleset import PRESETS, preset
from companion.solver.position import Position
from companion.solver.solve import Solution, Solver
from tests.rules.random_hands import random_rules
from tests.solver.compare_play import without_knocking
from tests.solver.slow import action_values, random_state

KINDS = ("exhausted", "closed 5", "closed 4", "left 2", "left 4")


def states(number: int, kind: str, rules: str, seed: int) -> list[HandState]:
    """Random positions of a kind, the same for the same seed, by a preset, all presets or any rules."""
    found = []
    for index in range(number):
        rng = random.Random(f"{seed}/{kind}/{index}")
        if rules == "any":
            chosen = without_knocking(random_rules(rng))
        else:
            chosen = preset(rng.choice(list(PRESETS)) if rules == "all" else rules)
        chosen_kind = "closed 6" if chosen.deck == 24 and kind == "closed 5" else kind
        found.append(random_state(chosen, rng, chosen_kind))
    return found


def slow_solution(state: HandState) -> Solution:
    """What the judge says."""
    actions = action_values(state)
    best = max if state.to_play is Player.SOUTH else min
    return Solution(best(actions.values()), actions)


def main() -> int:
    """Compare, and say so."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("number", type=int, nargs="?", default=500)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--rules", default="schnapsen", help="a preset, `all`, or `any`: of other houses too")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    solver = Solver()
    for kind in options.kind or KINDS:
        started = time.monotonic()
        for state in states(options.number, kind, options.rules, options.seed):
            position = Position.from_state(state)
            fast, slow = solver.solve(position), slow_solution(state)
            if fast != slow:
                print(json.dumps(position.to_json()), f"solver: {fast}", f"judge: {slow}", file=sys.stderr)
                return 1
        taken = time.monotonic() - started
        print(f"{options.number:7} {kind} agree ({options.rules}, {taken:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
