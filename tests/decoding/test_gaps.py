"""For how long nobody saw the table before what lies dealt there was seen."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

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


def of_deal(*, since: float | None, seen: float, dealt: float) -> Dark | None:
    """What is told with a deal on a table that is looked at again at `seen`."""
    gaps = Gaps(Looked())
    gaps.resume(since, None)
    gaps.ended(view(seen))
    return gaps.of_deal(dealt, dealt + 1.0)


def test_what_lies_dealt_as_the_camera_looks_again_may_have_been_played_from() -> None:
    """It was dealt meanwhile, and for how long nobody looked is told; not where the deal was seen."""
    assert of_deal(since=40.0, seen=60.0, dealt=60.0) == (40.0, 60.0)
    assert of_deal(since=40.0, seen=60.0, dealt=65.0) is None


@pytest.mark.parametrize("since", [None, 59.5])
def test_in_a_moment_nobody_deals(since: float | None) -> None:
    """A decoder that is made anew while the table is watched has missed nothing."""
    assert of_deal(since=since, seen=60.0, dealt=60.0) is None


def test_nobody_knows_for_how_long_cards_have_lain_there_after_an_hour() -> None:
    """Nor where nobody had ever looked."""
    assert of_deal(since=-3600.0, seen=60.0, dealt=60.0) == (-inf, 60.0)
    never = Gaps(Looked())
    never.ended(view(60.0))
    assert never.of_deal(60.0, 61.0) == (-inf, 60.0)
    assert never.of_deal(120.0, 121.0) is None, "the next hand"


def test_a_gap_ends_with_the_first_view_that_shows_the_table_and_is_told_once() -> None:
    """A blind view ends nothing; who dealt may be corrected."""
    gaps = Gaps(Looked())
    gaps.resume(40.0, None)
    assert gaps.ended(view(50.0, blind=True)) is None
    assert gaps.ended(view(60.0)) == (40.0, 60.0)
    assert gaps.ended(view(60.2)) is None
    assert gaps.of_deal(60.0, 61.0) == (40.0, 60.0)
    assert gaps.of_deal(60.0, 63.0) is None


def test_a_decoder_made_anew_knows_what_was_not_seen_before_it() -> None:
    """Its first view ends nothing; what had lain there by the first look is told with its deal."""
    gaps = Gaps(Looked((50.0, 60.0)))
    gaps.resume(-inf, 40.0)
    assert gaps.ended(view(60.0)) is None
    assert gaps.of_deal(40.0, 61.0) == (-inf, 40.0)


def test_what_was_told_of_the_hand_before_is_not_told_again() -> None:
    """The hand that was dealt meanwhile bears it, too: it is told by its times."""
    gaps = Gaps(Looked())
    gaps.resume(40.0, None)
    gap = gaps.ended(view(60.0))
    assert gap is not None
    gaps.told(gap)
    assert gaps.of_deal(60.0, 61.0) is None


@pytest.mark.parametrize(("seen", "told"), [(5.0, (20.0, 50.0)), (20.0, (-inf, 45.0))])
def test_a_hand_whose_deal_was_missed_was_not_followed_until_now(seen: float, told: Dark) -> None:
    """Nor before, if it was on as the table was seen first."""
    gaps = Gaps(Looked((10.0, 12.0)))
    gaps.ended(view(seen))
    gaps.begin_hand(20.0)
    assert gaps.of_deal(45.0, 50.0) == told
