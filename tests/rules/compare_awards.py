"""The awards of the rules against those worked out on paper, on random hands of every preset.

    python -m tests.rules.compare_awards 100000

Prints how many hands of each preset agreed; the first that does not is printed as a record, and the
exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator

from companion.rules.event_form import event_to_json
from companion.rules.events import Event
from companion.rules.hand import HandState
from companion.rules.record import Record, result_of
from companion.rules.ruleset import choices
from companion.rules.scoring import totals
from tests.rules.paper import Paper
from tests.rules.random_hands import random_hand, random_rules


def on_paper(state: HandState, events: list[Event]) -> Paper:
    """The same hand on paper."""
    rules = {name: getattr(state.rules, name) for name in choices()}
    return Paper(rules, str(state.dealt_up), int(state.dealer), [event_to_json(event) for event in events])


def agrees(state: HandState, events: list[Event]) -> bool:
    """Whether award and points of a finished hand are those on paper."""
    paper = on_paper(state, events)
    award = None if state.award is None else (state.award.winner, state.award.game_points)
    return award == paper.award and [each.low for each in totals(state)] == [paper.points(0), paper.points(1)]


def hands(number: int, seed: int) -> Iterator[tuple[HandState, list[Event]]]:
    """Random hands, the same for the same seed."""
    for index in range(number):
        rng = random.Random(f"{seed}/{index}")
        yield random_hand(random_rules(rng), rng)


def main() -> int:
    """Compare, and say so."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("number", type=int, nargs="?", default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    agreed: Counter[str] = Counter()
    reasons: Counter[str] = Counter()
    for state, events in hands(options.number, options.seed):
        if not agrees(state, events):
            record = Record(state.rules, state.dealer, state.dealt_up, tuple(events), result_of(state))
            paper = on_paper(state, events)
            print(json.dumps(record.to_json()), f"on paper: {paper.award}", file=sys.stderr)
            return 1
        agreed[state.rules.preset] += 1
        if state.award is not None:
            reasons[f"{state.award.clause} {state.award.reason} {state.award.game_points}"] += 1
    for name, times in sorted(agreed.items()):
        print(f"{times:7} {name}")
    for name, times in sorted(reasons.items()):
        print(f"{times:7} {name}")
    print(f"{agreed.total():7} hands agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
