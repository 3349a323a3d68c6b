"""Advice for a player who does not see the other hand: many layouts that fit, each solved with open cards.

What comes out is an expectation over layouts, each played as if both then saw all cards. That flatters
whoever still has to guess later.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Mapping
from dataclasses import dataclass

from companion.rules.cards import Player
from companion.solver import play
from companion.solver.engine import Engine
from companion.solver.tables import hand_table, name_of, numbering_of
from companion.solver.terms import NODES, terms_of
from companion.solver.view import View

__all__ = ["LAYOUTS", "Advice", "Advisor", "Chance", "Layouts"]

LAYOUTS = 60
"""How many layouts are solved for a decision, at most."""
MOST_NODES = 6_000_000
"""Positions looked at for a decision, about a third of a second; then no further layout is begun."""
UNLIKELY = 0.1
"""Weight of a layout for each card in it that its owner would probably have shown."""


@dataclass(frozen=True, slots=True)
class Chance:
    """What an action promises.

    Attributes:
        game_points: Expected game points for the player who decides; negative: for the other.
        wins: Share of the layouts in which the player wins the hand.
    """

    game_points: float
    wins: float


@dataclass(frozen=True, slots=True)
class Advice:
    """What each action promises over the layouts that fit.

    Attributes:
        actions: By name, as in `play:KH`, `close`, `exchange`, `claim`.
        layouts: How many layouts were solved.
    """

    actions: Mapping[str, Chance]
    layouts: int

    @property
    def best(self) -> str:
        """The action with the highest expectation; among equals the one that wins more often."""
        return max(self.actions, key=lambda name: (self.actions[name].game_points, self.actions[name].wins))


class Advisor:
    """Solves layouts for one decision after the other; each thread needs its own."""

    def __init__(self, seed: int = 0, layouts: int = LAYOUTS) -> None:
        self._engine = Engine()
        self._rng = random.Random(seed)
        self._layouts = layouts

    def advise(self, view: View) -> Advice:
        """Return what each action of the player promises."""
        layouts = Layouts(view, self._rng)
        most = 1 if layouts.certain else self._layouts
        sums: dict[str, list[float]] = {}
        total = 0.0
        number = nodes = 0
        while number < most and nodes < MOST_NODES:
            terms, hand, weight = layouts.draw()
            self.prepared(terms)
            total += weight
            number += 1
            for name, value in self._values(view, terms, hand).items():
                points_and_wins = sums.setdefault(name, [0.0, 0.0])
                points_and_wins[0] += weight * value
                points_and_wins[1] += weight * (value > 0)
            nodes += terms[NODES]
        chances = {name: Chance(points / total, wins / total) for name, (points, wins) in sums.items()}
        return Advice(chances, number)

    def prepared(self, terms: array[int]) -> None:
        """Begin with another layout."""
        self._engine.begin(terms)

    def _values(self, view: View, terms: array[int], hand: array[int]) -> dict[str, int]:
        """Return what each action is worth to the player in one layout."""
        if play.due(terms, hand) >= 0:
            sign = 1 if view.player is Player.SOUTH else -1
            return {"claim": sign * self._engine.value(terms, hand)}
        values = self._engine.answers if view.led else self._engine.values
        return {name_of(action, view.trump): worth for action, worth in values(terms, hand).items()}


class Layouts:
    """Draws layouts of the hidden cards that fit a view."""

    def __init__(self, view: View, rng: random.Random) -> None:
        self._view = view
        self._rng = rng
        numbering = numbering_of(view.trump)
        self._numbers = {card: numbering.number(card) for card in view.rules.pack}
        self._needed = view.other_size - len(view.sure)
        possible = view.unseen - view.barred
        if len(possible) < self._needed:  # somebody has revoked
            possible = view.unseen
        self._possible = sorted(self._numbers[card] for card in possible)
        self._lying = sorted(self._numbers[card] for card in view.unseen - possible)
        self._unlikely = sum(1 << self._numbers[card] for card in view.unlikely)
        self._sure = numbering.hand(view.sure)
        self._own = numbering.hand(view.hand)
        stock_open = view.closed_by is None and view.stock_left > 0
        self._bottom = self._numbers[view.turned_up] if stock_open and view.turned_up else -1

    @property
    def certain(self) -> bool:
        """Whether there is one layout only."""
        return len(self._possible) == self._needed and (self._bottom < 0 or not self._lying)

    def draw(self) -> tuple[array[int], array[int], float]:
        """Return rules and hand as tables, and the layout's weight."""
        cards = self._possible[:]
        self._rng.shuffle(cards)
        held = sum(1 << card for card in cards[: self._needed])
        weight = UNLIKELY ** (held & self._unlikely).bit_count()
        stock: list[int] = []
        if self._bottom >= 0:
            stock = cards[self._needed :] + self._lying
            self._rng.shuffle(stock)
            stock.append(self._bottom)
        terms = terms_of(self._view.rules, stock)
        view = self._view
        other = held | self._sure
        hands = (self._own, other) if view.player is Player.SOUTH else (other, self._own)
        leader = view.player if view.led is None else view.player.other
        up = 1 << self._bottom if self._bottom >= 0 else 0
        hand = hand_table(view, terms, hands, len(view.hand), leader, up)
        return terms, hand, weight
