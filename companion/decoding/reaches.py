"""Hands that reached in, and what they say of a close: before the draw, or after it (clause 6.4)."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules.cards import Player
from companion.table.observation import TableView

__all__ = [
    "FLICKER_S",
    "LOG_DRAW_UNSEEN",
    "LOG_GATHERED_BY_LOSER",
    "LOG_REACHED_FOR_NOTHING",
    "Reach",
    "Reaches",
    "close_prices",
    "hand_price",
    "reached",
]

MOST = 40
"""Reaches that are remembered; from the answer of a trick to a close there are hardly more."""
FLICKER_S = 0.3
"""A hand that is back after a shorter time was not away."""
LEAVES_S = 1.2
"""A hand that laid a card down has left after this time, unless it stays."""
AFTER_DRAWING = 3
"""Reaches between a trick and a close after the draw at least: the trick is gathered, both draw."""
LOG_NO_HAND = -3.0
"""A card came or went by a player's hand, and no hand of theirs was seen."""
LOG_DRAW_UNSEEN = -4.5
"""The loser of the trick drew a card, and no hand of hers was seen."""
LOG_REACHED_FOR_NOTHING = -4.5
"""So many reaches, and nobody drew."""
LOG_GATHERED_BY_LOSER = -1.5
"""The loser of a trick reached in, and did not draw but gather it for the winner."""


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand in the picture: whose, from when, until when it was last seen, seconds."""

    player: Player
    start: float
    end: float


class Reaches:
    """The last hands that reached in over the bottom and the top edge."""

    def __init__(self) -> None:
        self._all: deque[Reach] = deque(maxlen=MOST)
        self._latest: dict[Player, Reach] = {}

    def update(self, view: TableView) -> None:
        """Look who reaches in now."""
        for player in sorted(view.hands):
            latest = self._latest.get(player)
            if latest is not None and view.time - latest.end <= FLICKER_S:
                going_on = replace(latest, end=view.time)
                if latest in self._all:
                    self._all[self._all.index(latest)] = going_on
            else:
                going_on = Reach(player, view.time, view.time)
                self._all.append(going_on)
            self._latest[player] = going_on

    def told(self) -> tuple[Reach, ...]:
        """What is remembered, in the order of beginning."""
        return tuple(self._all)


def reached(reaches: Sequence[Reach], player: Player, since: float, until: float) -> bool:
    """Whether a hand of `player` was in the picture at some time between two."""
    return any(one.player is player and one.start <= until and one.end >= since for one in reaches)


def hand_price(
    reaches: Sequence[Reach],
    player: Player,
    since: float,
    until: float,
    dark: tuple[float, float] | None = None,
) -> float:
    """Say what hands tell of something that `player` did with a card between two times, nats.

    Nothing if nobody saw the table at some time between them: `dark`, from when until when.
    """
    hidden = dark is not None and dark[0] < until and dark[1] > since
    return 0.0 if hidden or reached(reaches, player, since, until) else LOG_NO_HAND


def close_prices(
    reaches: Sequence[Reach], winner: Player, answered: float, closed: float
) -> tuple[float, float]:
    """Say what hands tell of a close: nats of one after the draw, and of one before it.

    Args:
        reaches: As far as remembered.
        winner: Of the trick before; the other player draws second, and does not close.
        answered: Time at which the trick was complete.
        closed: Time at which the stock was last seen open.
    """
    loser = [reach for reach in reaches if reach.player is winner.other]
    if any(reach.start <= answered + FLICKER_S and reach.end > answered + LEAVES_S for reach in loser):
        return 0.0, 0.0  # a hand that rests on the table draws unseen
    since = [reach for reach in reaches if answered < reach.start < closed]
    if not any(reach.player is winner.other for reach in since):
        # whoever takes the trick may draw for both, from where the stock is
        return 0.0 if len(since) >= AFTER_DRAWING else LOG_DRAW_UNSEEN, 0.0
    return 0.0, LOG_REACHED_FOR_NOTHING if len(since) >= AFTER_DRAWING else LOG_GATHERED_BY_LOSER
