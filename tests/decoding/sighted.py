"""What is known of a card, as a test says it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from companion.decoding.likelihood import Sight
from companion.rules.cards import Card
from companion.table.detection import CLASSES
from companion.table.observation import Phase

__all__ = ["sight"]


def sight(
    looks: str | Mapping[str, float],
    since: float,
    lay_s: float,
    phase: Phase = Phase.STILL,
    from_south: float = 0.5,
    clarity: float = 0.0,
) -> Sight:
    """A card that is read as one, or looks like these, in nats, for as long as it lay."""
    log_p = np.full(len(CLASSES), -9.0)
    for name, nats in ({looks: -0.01} if isinstance(looks, str) else looks).items():
        log_p[Card.parse(name).index] = nats
    return Sight(tuple(log_p.tolist()), since, lay_s, phase, from_south, clarity=clarity)
