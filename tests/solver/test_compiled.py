"""Machine code from plain Python: the same results, and a clear word where something cannot be compiled."""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable

import pytest

from companion.rules.ruleset import PRESETS
from companion.solver import bits
from companion.solver.compiled import Machine
from companion.solver.position import Position
from companion.solver.solve import Solver
from companion.solver.translate import CompileError, Table, trailing_zeros
from companion.solver.values import action_values
from tests.solver.slow import random_state

SQUARES = (0, 1, 4, 9, 16)


def mixed(a: int, b: int, table: Table) -> int:
    """A bit of everything that is compiled."""
    total, step = 0, 1
    while step < 5:
        step += 1
        if step == 3 or not a & step:
            continue
        if total > 60 and b < 0:
            break
        total += SQUARES[step - 1] * b - (a ^ step) if a > b else -(~a | b << 1)
        table[step & 1] += total
    first = trailing_zeros(a | 1 << 40)
    return halved(total) + first + (a < b) + (a != b or b >= 3) + table[0]


def halved(number: int) -> int:
    """Half of it, rounded down."""
    return number >> 1


def test_a_bit_of_everything_gives_the_same_numbers() -> None:
    """Arithmetic, comparisons, loops, calls and tables mean what they mean in Python."""
    native = Machine(mixed).function(mixed)
    rng = random.Random(3)
    for _ in range(500):
        a, b = rng.randrange(-50, 50), rng.randrange(-50, 50)
        plain, compiled = array("q", [1, 2]), array("q", [1, 2])

        assert native(a, b, compiled) == mixed(a, b, plain)
        assert compiled == plain


def test_strict_play_is_the_same_compiled() -> None:
    """Every card led to random hands."""
    native = Machine(bits.answers).function(bits.answers)
    rng = random.Random(4)
    for _ in range(2000):
        hand, led = rng.randrange(1, 1 << 24), rng.randrange(24)

        assert native(hand, led) == bits.answers(hand, led)


@pytest.mark.parametrize("kind", ["closed 3", "closed 4", "exhausted"])
def test_the_solver_is_the_same_uncompiled(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """The search run as the Python that it is finds the same values."""
    slow, fast = Solver(), Solver()
    monkeypatch.setattr(slow.engine, "_action_values", action_values)
    rules = [rules for rules in PRESETS.values() if rules.deck == 20]
    for index in range(8):
        state = random_state(rules[index], random.Random(f"plain/{index}"), kind)
        position = Position.from_state(state)

        assert slow.solve(position) == fast.solve(position)


def with_division(a: int) -> int:
    """Divides."""
    return a // 2


def with_a_list(a: int) -> int:
    """Uses a list."""
    return [a][0]


def with_a_number_as_truth(a: int) -> int:
    """Returns one of two numbers by `or`, which compiled would be a truth."""
    return a or 3


def with_a_stranger(a: int) -> int:
    """Calls what is no function of whole numbers."""
    return len(str(a))


def with_a_chain(a: int) -> int:
    """Compares three numbers."""
    return 1 < a < 3


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (with_division, "FloorDiv is not compiled"),
        (with_a_list, "is no element of a table"),
        (with_a_number_as_truth, "joins numbers that are not truths"),
        (with_a_stranger, "len is no function known here"),
        (with_a_chain, "is no plain comparison of two numbers"),
    ],
)
def test_what_cannot_be_compiled_is_named(function: Callable[[int], int], said: str) -> None:
    """With the function, the file and the line, instead of doing something else."""
    with pytest.raises(CompileError, match=rf"{function.__name__} \(.*test_compiled\.py:\d+\): .*{said}"):
        Machine(function)
