"""Recall, precision and exact pictures, against sums done by hand."""

from __future__ import annotations

import pytest

from companion.evaluate.tally import Verdict, table, tallied

VERDICTS = (
    Verdict("a", ("KH", "QS"), ("KH", "QS"), ("condition:single",)),
    Verdict("b", ("KH", "QS", "AD"), ("KH", "TD"), ("condition:single", "condition:dark")),
    Verdict("c", (), (), ("condition:dark",)),
    Verdict("d", ("AS",), ("AS", "AS"), ()),
)


def test_the_sums_are_those_of_paper_and_pencil() -> None:
    """6 cards labelled, 6 read, 4 of them right; two of four pictures exact."""
    everything, dark, single = tallied(VERDICTS)

    assert (everything.labelled, everything.found, everything.right, everything.exact) == (6, 6, 4, 2)
    assert everything.recall == pytest.approx(4 / 6)
    assert everything.precision == pytest.approx(4 / 6)
    assert everything.exact_rate == pytest.approx(2 / 4)
    assert (dark.name, dark.pictures, dark.right, dark.exact) == ("condition:dark", 2, 1, 1)
    assert (single.name, single.pictures, single.recall) == ("condition:single", 2, pytest.approx(3 / 5))


def test_missed_and_invented_are_named() -> None:
    """What is wrong with a picture can be read off."""
    assert VERDICTS[1].missed == ("AD", "QS")
    assert VERDICTS[1].invented == ("TD",)
    assert VERDICTS[3].invented == ("AS",)


def test_rates_without_cards_are_no_numbers() -> None:
    """Where nothing was there or nothing was read, there is no rate, not a perfect one."""
    (empty,) = tallied([VERDICTS[2]])[:1]

    assert empty.recall is None
    assert empty.precision is None
    assert empty.exact_rate == 1.0
    assert " - " in table([empty])
