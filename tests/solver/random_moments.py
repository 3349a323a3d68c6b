"""Random hands at each play, as everybody could see them and with all cards: for tests of views."""

from __future__ import annotations

import random

from companion.rules.cards import Player
from companion.rules.events import Claimed, Closed, Event
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.ruleset import RuleSet
from companion.rules.shuffle import shuffled


def moments(rules: RuleSet, rng: random.Random) -> list[tuple[HandState, HandState]]:
    """A random hand at each play: as everybody could see it, and with all cards."""
    hands, stock = shuffled(rules, rng)
    dealer = rng.choice(list(Player))
    full, seen = deal(rules, dealer, None, hands, stock), deal(rules, dealer, stock[-1])
    found = []
    while not full.over:
        if full.announced is None or full.led is not None:
            found.append((seen, full))
        event = chosen(full, rng)
        full, seen = apply(full, event), apply(seen, event)
    return found


def chosen(state: HandState, rng: random.Random) -> Event:
    """Anything legal but a claim; a close now and then."""
    events = [event for event in legal_events(state) if not isinstance(event, Claimed)]
    closes = [event for event in events if isinstance(event, Closed)]
    if closes and rng.random() < 0.9:
        events = [event for event in events if event not in closes]
    return rng.choice(events)
