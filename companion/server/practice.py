"""The routes of the practice page: moments of played hands as puzzles, and moments set up by hand.

`GET /api/practice`: a puzzle of some hand in which the choice matters. `GET /api/practice/N/AT`: the one at
event AT of hand N. Both come with their answer. `POST /api/practice/solve`: a moment that was set up, solved
(`companion.solver.view_form`); not while a hand is played whose cards are kept from the players.
"""

from __future__ import annotations

import random
import threading
from functools import lru_cache
from typing import Any

from flask import Blueprint, Response

from companion.history.hands import PlayedHand
from companion.live.command import RefusedCommandError
from companion.review.course import Course
from companion.review.deals import DealError
from companion.review.form import chance_to_json
from companion.review.puzzles import Puzzle, puzzles
from companion.rules.event_form import RecordError, event_to_json
from companion.rules.hand import ImpossibleEvent
from companion.rules.record import Record
from companion.rules.ruleset import RuleSetError
from companion.server.answer import answer, asking_for, refusal
from companion.server.open_hands import OpenHands
from companion.solver.comparison import Comparer, Sample
from companion.solver.line import best_line
from companion.solver.position import Position, PositionError
from companion.solver.sampling import LAYOUTS
from companion.solver.solve import Solver
from companion.solver.view import View, ViewError
from companion.solver.view_form import read_setting, view_to_json

__all__ = ["practice_routes"]

STAKE = 0.5
"""Game points that an action surely loses in a puzzle that is worth asking."""
ERRORS = 2.0
"""A loss is sure when it is more than so many times its standard error."""
TRIED = 6
"""Puzzles looked at for one that is; else the last is asked."""
MOST_WAIT = 3
"""Moments that are solved or wait for that, at most: each holds one of the threads that answer phones."""
MOST_STOCK = 10
"""Cards of an open stock that are solved with open cards while somebody waits."""


class _CrowdedError(RuntimeError):
    """Too many wait for their answer already."""


class _Gate:
    """Lets in one at a time, as the table needs the other processor, and lets few wait."""

    def __init__(self, most: int) -> None:
        self._one = threading.Lock()
        self._places = threading.Semaphore(most)

    def __enter__(self) -> None:
        if not self._places.acquire(blocking=False):
            raise _CrowdedError("others wait for an answer already; please ask again in a moment")
        self._one.acquire()

    def __exit__(self, *_: object) -> None:
        self._one.release()
        self._places.release()


def practice_routes(hands: OpenHands) -> Blueprint:
    """Build the routes around the hands that may be looked through."""
    routes = Blueprint("practice", __name__, url_prefix="/api/practice")
    solving = _Gate(MOST_WAIT)
    chance = random.Random()

    @lru_cache(maxsize=64)
    def of_hand(record: Record) -> tuple[Puzzle, ...]:
        try:
            return tuple(puzzles(Course.of(record)))
        except (DealError, ImpossibleEvent, ViewError):
            return ()

    @lru_cache(maxsize=256)
    def sampled(view: View) -> Sample:
        with solving:
            return Comparer().sample(view, LAYOUTS, random.Random(0))

    def asked(hand: PlayedHand, puzzle: Puzzle) -> dict[str, Any]:
        return {
            "number": hand.number,
            "names": list(hand.names),
            **_puzzle(puzzle),
            **_promised(sampled(puzzle.view)),
        }

    @routes.errorhandler(_CrowdedError)
    def crowded(error: _CrowdedError) -> Response:
        refused = refusal(503, str(error))
        refused.headers["Retry-After"] = "5"
        return refused

    @routes.get("")
    def some() -> Response:
        played = hands.all()
        found: dict[str, Any] | None = None
        for hand in chance.choices(played, k=TRIED) if played else ():
            turns = chance.sample(of_hand(hand.record), len(of_hand(hand.record)))
            try:
                turn = next((each for each in turns if len(sampled(each.view).points) > 1), None)
                if turn is None:
                    continue
                found = asked(hand, turn)
            except _CrowdedError:
                if found is None:
                    raise
                break
            if any(each["sure"] and each["loss"] >= STAKE for each in found["actions"].values()):
                break
        return answer(found) if found else refusal(404, "no hand with a choice has been played yet")

    @routes.get("/<int:number>/<int:at>")
    def one(number: int, at: int) -> Response:
        hand = hands.find(number)
        if isinstance(hand, Response):
            return hand
        puzzle = next((each for each in of_hand(hand.record) if each.moment.at == at), None)
        if puzzle is None:
            return refusal(404, "there was nothing to decide, or not enough is known")
        return answer(asked(hand, puzzle))

    @routes.post("/solve")
    def solve() -> Response:
        if hands.hide_something():
            raise RefusedCommandError("not_yours", "not while a hand is played whose cards are kept back")
        try:
            setting = read_setting(asking_for())
        except PositionError as error:
            return _wrong(error)
        except (RecordError, RuleSetError, ViewError) as error:
            raise RefusedCommandError("impossible", str(error)) from error
        if isinstance(setting, View):
            return answer(_promised(sampled(setting)))
        size = len(setting.stock)
        if setting.is_open and size > MOST_STOCK:
            text = f"a stock of {size} cards takes too long with open cards"
            return _wrong(PositionError(text, "long", n=size))
        with solving:
            return answer(_solved(setting))

    return routes


def _wrong(error: PositionError) -> Response:
    """Say what does not add up in a setting, as a text and as a key for which the page has words."""
    said = {"error": str(error), "reason": "impossible", "fault": error.fault, "known": error.known}
    return answer(said, 409)


def _puzzle(puzzle: Puzzle) -> dict[str, Any]:
    moment = puzzle.moment
    return {
        "at": moment.at,
        "trick": moment.trick,
        "done": moment.action,
        "known": puzzle.known,
        **view_to_json(puzzle.view),
    }


def _promised(sample: Sample) -> dict[str, Any]:
    """Write what each action promises and loses against the best, best first.

    `sure` says whether a loss is more than the draw of the layouts explains.
    """
    chances = {name: sample.chance(name) for name in sample.points}
    best_first = sorted(chances.items(), key=lambda each: (-each[1].game_points, -each[1].wins))
    best = best_first[0][0]
    losses = {name: sample.gap(best, name) for name in chances}
    return {
        "layouts": len(sample.weights),
        "actions": {
            name: {
                **chance_to_json(each),
                "loss": round(losses[name].mean, 2),
                "sure": losses[name].mean > ERRORS * losses[name].error,
            }
            for name, each in best_first
        },
    }


def _solved(position: Position) -> dict[str, Any]:
    """Write what each action is worth with open cards, best first, and the best play to the end."""
    solver = Solver()
    values = solver.solve(position).actions
    best_first = sorted(values.items(), key=lambda each: -each[1])
    return {
        "actions": {
            name: {"game_points": value, "loss": best_first[0][1] - value, "sure": value < best_first[0][1]}
            for name, value in best_first
        },
        "line": [event_to_json(each) for each in best_line(solver, position)],
    }
