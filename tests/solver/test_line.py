"""The principal variation is a hand that the judge of the rules accepts, and it pays what was said."""

from __future__ import annotations

import random

import pytest

from companion.rules.cards import Player
from companion.rules.hand import HandState, apply, check
from companion.rules.ruleset import PRESETS
from companion.solver.line import best_line
from companion.solver.position import Position
from companion.solver.solve import Solver
from tests.solver.slow import random_state


def paid(state: HandState) -> int:
    """Game points for south."""
    assert state.award is not None
    if state.award.winner is None:
        return 0
    return state.award.game_points if state.award.winner is Player.SOUTH else -state.award.game_points


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("kind", ["exhausted", "closed 4", "left 2", "left 4"])
def test_the_line_is_legal_and_pays_the_value(name: str, kind: str) -> None:
    """Each event is one that the judge lets through, and the award at the end is the position's value."""
    solver = Solver()
    for index in range(6):
        state = random_state(PRESETS[name], random.Random(f"{kind}/{index}"), kind)
        position = Position.from_state(state)

        for event in best_line(solver, position):
            assert check(state, event) is None, event
            state = apply(state, event)

        assert paid(state) == solver.solve(position).value
