"""How fast recorded hands go through the rules."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterator

from companion.bench.figure import Figure
from companion.rules.cards import Player
from companion.rules.events import Event
from companion.rules.hand import apply, deal, legal_events
from companion.rules.record import Record, replay_json, result_of
from companion.rules.ruleset import RuleSet
from companion.rules.shuffle import shuffled

__all__ = ["random_record", "replay_figures"]


def random_record(seed: int) -> Record:
    """A hand played at random to its end, with full information."""
    rng = random.Random(seed)
    rules = RuleSet()
    hands, stock = shuffled(rules, rng)
    state = deal(rules, Player(seed % 2), stock[-1], hands, stock)
    events: list[Event] = []
    while not state.over and (allowed := legal_events(state)):
        events.append(rng.choice(allowed))
        state = apply(state, events[-1])
    return Record(rules, state.dealer, stock[-1], tuple(events), result_of(state), hands, stock)


def replay_figures(hands: int = 400) -> Iterator[Figure]:
    """Records a second that `companion replay` judges, reading and writing JSON included."""
    texts = [json.dumps(random_record(seed).to_json()) for seed in range(hands)]
    started = time.perf_counter()
    for index, text in enumerate(texts):
        json.dumps(replay_json(text, index, legal=False))
    yield Figure("replay.hands", hands / (time.perf_counter() - started), "hands/s")
