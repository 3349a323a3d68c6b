"""The next hand is dealt while nobody looks: it is followed all the same, and marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.rules.events import Dealt
from companion.rules.ruleset import RuleSet
from tests.decoding.puppets import stage
from tests.filmed_evening import Evening


def test_a_stock_that_lies_where_one_lay_may_be_the_next(tmp_path: Path) -> None:
    """Cleared away, shuffled and dealt unseen; the new cards lie upon the places of the old."""
    evening = Evening(tmp_path, show=stage(RuleSet(), 7109, hands=2))
    told = evening.watch(away=(32.8, 41.7))

    assert [each for each in told if isinstance(each, Dealt)] == [
        each for each in evening.happened if isinstance(each, Dealt)
    ]
    assert evening.asked


# the same card is turned up again; closed before anybody looks; the stock has been drawn by then
@pytest.mark.parametrize(("seed", "away"), [(7301, (65.0, 76.7)), (7441, (56.3, 64.6)), (7671, (40.8, 82.1))])
def test_a_hand_of_which_no_deal_is_found_begins_with_what_is_led(
    tmp_path: Path, seed: int, away: tuple[float, float]
) -> None:
    """Two tricks tell that it is on: something is asked, and that a part of it was not seen is told."""
    evening = Evening(tmp_path, show=stage(RuleSet(), seed, hands=2))
    told = evening.watch(away=away)
    _, hand = evening.hands

    assert [each.turned_up for each in told if isinstance(each, Dealt)][1:] == [None]
    assert evening.asked
    assert any(gap.since < away[0] and gap.time > away[1] for gap in hand.unseen)
