"""A pack shuffled and cut into a deal."""

from __future__ import annotations

import random

from companion.rules.cards import Card
from companion.rules.ruleset import RuleSet

__all__ = ["shuffled"]

Cards = tuple[Card, ...]


def shuffled(rules: RuleSet, rng: random.Random) -> tuple[tuple[Cards, Cards], Cards]:
    """Shuffle the pack of a house, and cut it.

    Returns:
        The hands of south and north, and the stock, top first, its last card the one that is turned up: what
        `hand.deal` takes.
    """
    pack = list(rules.pack)
    rng.shuffle(pack)
    size = int(rules.hand_size)
    return (tuple(pack[:size]), tuple(pack[size : 2 * size])), tuple(pack[2 * size :])
