"""What actions are worth in one layout after the other: the same layouts for each, to compare them.

Where `companion.solver.sampling` says what an action promises, this says how far the difference between two
of them can be trusted.
"""

from __future__ import annotations

import math
import random
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.rules.cards import Card, Player
from companion.solver import play
from companion.solver.engine import Engine
from companion.solver.rights import CLOSE, EXCHANGE
from companion.solver.sampling import Chance, Layouts
from companion.solver.tables import name_of, numbering_of
from companion.solver.terms import NODES
from companion.solver.view import View

__all__ = ["MOST_NODES", "SILENT", "Comparer", "Gap", "Sample"]

MOST_NODES = 6_000_000
"""Positions looked at for one sample, about a third of a second; then no further layout is begun."""
SILENT = "silent:"
"""Stands for `play:` where a king or queen is led without declaring the pair that it belongs to."""


@dataclass(frozen=True, slots=True)
class Gap:
    """By how many game points one action is better than another, over the same layouts.

    Attributes:
        mean: The expected difference.
        error: Its standard error; 0 where no other layout is possible, infinite where one was solved of many.
    """

    mean: float
    error: float


@dataclass(frozen=True, slots=True)
class Sample:
    """What actions are worth in each of some layouts.

    Attributes:
        weights: How likely each layout is, on any scale.
        points: By action, its game points for the player who decides, layout by layout.
        certain: Whether no other layout is possible.
    """

    weights: tuple[float, ...]
    points: Mapping[str, tuple[int, ...]]
    certain: bool

    def chance(self, action: str) -> Chance:
        """Return what an action promises over the layouts."""
        total, points = sum(self.weights), self.points[action]
        pairs = list(zip(self.weights, points, strict=True))
        mean = sum(weight * value for weight, value in pairs) / total
        return Chance(mean, sum(weight for weight, value in pairs if value > 0) / total)

    def gap(self, better: str, worse: str) -> Gap:
        """Return by how much `better` is better than `worse`; paired, layout by layout."""
        total = sum(self.weights)
        pairs = zip(self.points[better], self.points[worse], strict=True)
        differences = [one - other for one, other in pairs]
        weighted = list(zip(self.weights, differences, strict=True))
        mean = sum(weight * value for weight, value in weighted) / total
        if self.certain or len(differences) == 1:
            return Gap(mean, 0.0 if self.certain else math.inf)
        squares = sum((weight * (value - mean)) ** 2 for weight, value in weighted)
        return Gap(mean, math.sqrt(squares) / total)


class Comparer:
    """Solves layouts for one moment after the other; each thread needs its own."""

    def __init__(self) -> None:
        self._engine = Engine()

    def sample(
        self,
        view: View,
        layouts: int,
        rng: random.Random,
        only: Sequence[str] = (),
        silent: Card | None = None,
        most_nodes: int = MOST_NODES,
    ) -> Sample:
        """Return what actions are worth in layouts that fit a view.

        Args:
            view: The moment; nobody has 66 and may claim.
            layouts: How many at most; one where no other is possible.
            rng: Draws them.
            only: Actions to ask about; all that are legal if empty.
            silent: A card whose lead without declaring its pair is asked about as well, as `silent:KH`.
            most_nodes: Positions looked at; then no further layout is begun.
        """
        drawn = Layouts(view, rng)
        most = 1 if drawn.certain else layouts
        weights: list[float] = []
        found: dict[str, list[int]] = {}
        nodes = 0
        while len(weights) < most and (nodes < most_nodes or not weights):
            terms, hand, weight = drawn.draw()
            self._engine.begin(terms)
            weights.append(weight)
            for name, value in self._values(view, terms, hand, only, silent).items():
                found.setdefault(name, []).append(value)
            nodes += terms[NODES]
        return Sample(tuple(weights), {name: tuple(each) for name, each in found.items()}, drawn.certain)

    def _values(
        self, view: View, terms: array[int], hand: array[int], only: Sequence[str], silent: Card | None
    ) -> dict[str, int]:
        numbering = numbering_of(view.trump)
        values: dict[str, int] = {}
        if only:
            for name in only:
                if not name.startswith(SILENT):
                    action = {"close": CLOSE, "exchange": EXCHANGE}.get(name)
                    if action is None:
                        action = numbering.number(Card.parse(name.removeprefix("play:")))
                    values[name] = self._one(view, terms, hand, action)
        else:
            engine = self._engine
            every = engine.answers(terms, hand) if view.led else engine.values(terms, hand)
            values = {name_of(action, view.trump): value for action, value in every.items()}
        if silent is not None:
            values[f"{SILENT}{silent}"] = self._silent(terms, hand, numbering.number(silent))
        return values

    def _one(self, view: View, terms: array[int], hand: array[int], action: int) -> int:
        """Return what one action is worth to the player who decides."""
        if view.led is None:
            return self._engine.worth(terms, hand, action)
        answered = hand[:]
        play.act(terms, answered, action)
        sign = 1 if view.player is Player.SOUTH else -1
        return sign * self._engine.value(terms, answered)

    def _silent(self, terms: array[int], hand: array[int], card: int) -> int:
        """Return what it is worth to lead a card and declare nothing."""
        led = hand[:]
        play.act(terms, led, card)
        return -max(self._engine.answers(terms, led).values())
