"""What each decision of a played hand was worth, on what the player knew, and with all cards open.

A mistake is claimed only where it can be shown. One set of layouts names the action that looks best; whether
it is better than what was done, and by how much, is asked of other layouts, the same for both. The difference
must be worth something, and be several times its own standard error. docs/review.md says why so.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from companion.review.course import Course
from companion.review.deals import Deals
from companion.review.moments import Moment, moments
from companion.review.playing import PlayedOn
from companion.rules.cards import Card, Player
from companion.rules.state import HandState
from companion.solver.comparison import MOST_NODES, SILENT, Comparer, Gap, Sample
from companion.solver.position import Position, PositionError
from companion.solver.sampling import Chance
from companion.solver.solve import Solver
from companion.solver.view import View, ViewError

__all__ = ["Decision", "Judge", "Layouts", "shown"]

SUSPICION = 0.15
"""Game points by which something must look better before it is looked at more closely."""
LEAST_LOSS = 0.5
"""Game points that a mistake costs at least, in expectation."""
ERRORS = 3.0
"""A loss is believed when it is so many times its standard error."""
SURE_HANDS = 0.95
"""... and where the player's own hand is not known, with so many of those that it may have been."""


@dataclass(frozen=True, slots=True)
class Layouts:
    """How many layouts are solved.

    Attributes:
        first: For a decision, to name the best action.
        second: Further ones, to judge it against what was done.
        hands: Hands that a player may have held where the record does not say; they share the layouts.
        played: In which a close is played on as well, before it is called a mistake.
    """

    first: int = 40
    second: int = 160
    hands: int = 24
    played: int = 24


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision, judged.

    Attributes:
        moment: Whose it was, and what was done.
        best: What was better on what the player knew, or what was done where nothing can be shown to be.
        loss: By how many game points, in expectation; 0 where nothing can be shown.
        error: Standard error of that; 0 where the player could know everything.
        done: What the action that was taken promises.
        other: What the better one promises.
        certain: The player could know where every card was.
        layouts: How many layouts this rests on.
        open_loss: What was lost against best play with all cards open; `None` where not all are known.
        actions: What every action promises, by name: over the first layouts, but of a mistake and what was
            better over all that the loss rests on.
    """

    moment: Moment
    best: str
    loss: float
    error: float
    done: Chance
    other: Chance
    certain: bool
    layouts: int
    open_loss: int | None
    actions: dict[str, Chance]

    @property
    def mistake(self) -> bool:
        """Whether something better can be shown."""
        return self.loss > 0


class Judge:
    """Judges the decisions of one hand."""

    def __init__(self, course: Course, *, seed: int = 0, layouts: Layouts | None = None) -> None:
        """Draw the deals that fit.

        Raises:
            DealError: Too little was recorded, or nothing fits it.
        """
        self._course = course
        self._layouts = layouts or Layouts()
        self._rng = random.Random(seed)
        deals = Deals(course, self._rng)
        count = 1 if deals.certain else self._layouts.hands
        self._deals = [deals.draw() for _ in range(count)]
        self._known = deals.certain
        self._comparer = Comparer()
        self._solver = Solver()
        self._playing = PlayedOn(self._rng)
        self.moments = tuple(moments(course))

    def decisions(self) -> Iterator[Decision]:
        """Yield each decision as soon as it is judged."""
        for moment in self.moments:
            decision = self._judge(moment)
            if decision is not None:
                yield decision

    def _judge(self, moment: Moment) -> Decision | None:
        state = self._course.states[moment.at]
        held = {hands[moment.player] for each in self._deals if (hands := each[moment.at].hands) is not None}
        if not held:
            return None  # nobody knows what was drawn
        try:
            turns = [_Turn.of(state, moment, hand) for hand in sorted(held, key=_in_order)]
        except ViewError:
            return None
        first = [
            self._sample(turn, self._layouts.first // len(turns), MOST_NODES // len(turns)) for turn in turns
        ]
        if not all(turn.done in each.points for turn, each in zip(turns, first, strict=True)):
            return None  # against the rules
        actions = _in_common(first)
        sure = self._surely_open(moment)
        actions = {name: chance for name, chance in actions.items() if name in sure}
        best = max(actions, key=lambda name: (actions[name].game_points, actions[name].wins), default="")
        if not best or all(len(each.points) == 1 for each in first):
            return None  # no choice
        loss, samples = Gap(0.0, 0.0), first
        if _over_all(_gaps(turns, first, best)).mean >= SUSPICION:
            if not all(each.certain for each in first):
                share = self._layouts.second // len(turns)
                samples = [
                    self._sample(turn, share, MOST_NODES // len(turns), (best, turn.done)) for turn in turns
                ]
            loss = shown(_gaps(turns, samples, best))
            if moment.action == "close" and loss.mean > 0 and not self._played(turns, moment, best):
                loss = Gap(0.0, 0.0)
        done = _mean([each.chance(turn.done) for turn, each in zip(turns, samples, strict=True)])
        other = _mean([each.chance(best) for each in samples]) if loss.mean > 0 else done
        if loss.mean > 0:
            # what is said of the two stands in the list beside it
            actions |= {best: other} | ({moment.action: done} if moment.action in actions else {})
        return Decision(
            moment,
            best if loss.mean > 0 else moment.action,
            loss.mean,
            loss.error,
            done,
            other,
            len(turns) == 1 and samples[0].certain,
            sum(len(each.weights) for each in samples),
            self._open_loss(moment),
            actions,
        )

    def _surely_open(self, moment: Moment) -> set[str]:
        """Return what the player could certainly do, whatever else was in the hand."""
        state = self._course.states[moment.at]
        cards = self._course.held(moment.at, moment.player)
        names = {moment.action, "close", *(f"play:{card}" for card in cards)}
        if state.trump is not None and Card(state.rules.lowest_trump, state.trump) in cards:
            names.add("exchange")
        return names

    def _sample(self, turn: _Turn, layouts: int, nodes: int, only: tuple[str, ...] = ()) -> Sample:
        return self._comparer.sample(turn.view, max(1, layouts), self._rng, only, turn.silent, nodes)

    def _played(self, turns: list[_Turn], moment: Moment, best: str) -> bool:
        """Whether not to close comes out better as well where nobody sees the other's cards from then on."""
        state, share = self._course.states[moment.at], max(2, self._layouts.played // len(turns))
        if state.rules.deck > 20 and state.stock_left > 4:
            return False  # it would take minutes to show
        return sum(self._playing.gap(state, turn.view, best, "close", share) for turn in turns) > 0

    def _open_loss(self, moment: Moment) -> int | None:
        """Return what was lost with all cards open, where the record gives all cards."""
        if not self._known:
            return None
        before, after = self._course.states[moment.at], self._course.states[moment.at + 1]
        sign = 1 if moment.player is Player.SOUTH else -1
        try:
            actions = self._solver.solve(Position.from_state(before)).actions
            if moment.silent:
                done = self._solver.solve(Position.from_state(after)).value
            else:
                done = actions[moment.action]
        except (PositionError, KeyError):
            return None
        return max(sign * value for value in actions.values()) - sign * done


@dataclass(frozen=True, slots=True)
class _Turn:
    """A moment seen with one of the hands that the player may have held.

    Attributes:
        view: What the player could know.
        done: What was done, as a sample calls it.
        silent: The card of a pair that was led without declaring it.
    """

    view: View
    done: str
    silent: Card | None

    @classmethod
    def of(cls, state: HandState, moment: Moment, hand: frozenset[Card]) -> _Turn:
        """Return the moment as `moment.player` saw it.

        Raises:
            ViewError: Nothing can be said there.
        """
        view = View.of(state, moment.player, hand)
        if moment.silent and moment.card is not None and moment.card.partner in hand:
            return cls(view, f"{SILENT}{moment.card}", moment.card)
        return cls(view, moment.action, None)


def _in_order(hand: frozenset[Card]) -> list[str]:
    return sorted(str(card) for card in hand)


def _in_common(samples: list[Sample]) -> dict[str, Chance]:
    """Return what is promised by the actions that could be chosen with each of the hands."""
    names = set.intersection(*(set(each.points) for each in samples))
    return {
        name: _mean([each.chance(name) for each in samples])
        for name in sorted(names)
        if not name.startswith(SILENT)
    }


def _gaps(turns: list[_Turn], samples: list[Sample], best: str) -> list[Gap]:
    """Return by how much `best` is better than what was done, with each of the hands."""
    return [each.gap(best, turn.done) for turn, each in zip(turns, samples, strict=True)]


def _over_all(gaps: Sequence[Gap]) -> Gap:
    """Return the mean of gaps, with the error that their layouts give or they themselves: the larger."""
    count = len(gaps)
    mean = sum(gap.mean for gap in gaps) / count
    within = math.sqrt(sum(gap.error**2 for gap in gaps)) / count
    between = math.sqrt(sum((gap.mean - mean) ** 2 for gap in gaps)) / count
    return Gap(mean, max(within, between))


def shown(gaps: Sequence[Gap]) -> Gap:
    """Return the loss where it can be shown, else none.

    Args:
        gaps: By how much something else was better, with each of the hands that the player may have held.
    """
    gap = _over_all(gaps)
    worse = sum(each.mean > 0 for each in gaps)
    sure = worse >= SURE_HANDS * len(gaps) and gap.mean >= max(LEAST_LOSS, ERRORS * gap.error)
    return gap if sure else Gap(0.0, 0.0)


def _mean(chances: list[Chance]) -> Chance:
    count = len(chances)
    return Chance(
        sum(each.game_points for each in chances) / count, sum(each.wins for each in chances) / count
    )
