"""For how long nobody saw the table before what lies dealt there was seen."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from companion.decoding.evidence import Dark
from companion.decoding.gaps import Gaps
from companion.table.observation import TableView


@dataclass
class Looked:
    """What a watcher says of the last time for which nobody saw the table."""

    regained: Dark | None = None

    def dark(self, now: float) -> Dark | None:
        """As of the watcher."""
        return self.regained


def view(time: float, *, blind: bool = False) -> TableView:
    """An empty table."""
    return TableView(time, (1280, 720), (), south_arm=False, north_arm=False, quiet=True, blind=blind)


def of_deal(*, since: float | None, seen: float, dealt: float, resuming: bool = True) -> Dark | None:
    """What is told with a deal where a log was taken up that had been written to until `since`."""
    gaps = Gaps(Looked())
    gaps.resume(since)
    gaps.ended(view(seen))
    return gaps.of_deal(dealt, dealt + 1.0, resuming=resuming)


def test_what_lies_dealt_as_the_camera_looks_again_may_have_been_played_from() -> None:
    """It was dealt meanwhile; how long that was is told, once."""
    assert of_deal(since=40.0, seen=60.0, dealt=60.0) == (40.0, 60.0)
    assert of_deal(since=40.0, seen=60.0, dealt=65.0) is None, "the deal was seen"


@pytest.mark.parametrize("since", [None, 59.5, -3600.0])
def test_at_a_start_after_hours_or_after_a_moment_nothing_is_told(since: float | None) -> None:
    """Nobody wants to hear for how long the program was off; and in a moment nobody deals."""
    assert of_deal(since=since, seen=60.0, dealt=60.0) is None


def test_a_gap_ends_with_the_first_view_that_shows_the_table_and_is_told_once() -> None:
    """A blind view ends nothing."""
    gaps = Gaps(Looked())
    gaps.resume(40.0)
    assert gaps.ended(view(50.0, blind=True)) is None
    assert gaps.ended(view(60.0)) == (40.0, 60.0)
    assert gaps.ended(view(60.2)) is None
    assert gaps.of_deal(60.0, 61.0, resuming=True) == (40.0, 60.0)
    assert gaps.of_deal(60.0, 63.0, resuming=True) is None, "who dealt was corrected"


def test_a_hand_whose_deal_was_missed_was_not_followed_until_now() -> None:
    """Whatever was out of sight before."""
    gaps = Gaps(Looked((10.0, 12.0)))
    gaps.begin_hand(20.0)
    assert gaps.of_deal(45.0, 50.0, resuming=False) == (20.0, 50.0)
