"""The feed: what it hands on, and what it lets go."""

from __future__ import annotations

import gc
from dataclasses import replace

import pytest

from companion.live.feed import Feed
from companion.live.fold import fold
from companion.live.health import Health, Sight
from companion.live.lateness import Lateness
from companion.live.snapshot import Snapshot
from companion.live.view import snapshot_of
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet
from companion.store.item import MatchStarted


@pytest.mark.parametrize(
    ("fair", "kept"),
    [(FairPlay("training"), 1), (FairPlay("tournament"), 1), (FairPlay("broadcast", 30, "seconds"), 31)],
    ids=["training", "tournament", "broadcast"],
)
def test_what_nobody_can_be_shown_any_more_is_let_go(fair: FairPlay, kept: int) -> None:
    """Of a whole evening only what is newest is held, and for a broadcast its delay; nobody need look on."""
    now = [0.0]
    feed = Feed(lambda: now[0])
    began = snapshot_of(fold([MatchStarted("", RuleSet(), fair=fair)]), Health(Sight.NONE), "0")
    gc.collect()
    before = _held()
    for second in range(1, 601):
        now[0] = float(second)
        feed.publish(replace(began, revision=str(second)))
    gc.collect()
    assert _held() - before <= kept + 1
    shown = feed.wait("", 0.0, late=True)
    assert shown is not None
    assert shown.revision == str(600 - kept + 1)


@pytest.mark.parametrize(("before", "delay", "due"), [(30, 300, 269.0), (300, 30, 0.0)], ids=["more", "less"])
def test_who_waits_for_a_broadcast_waits_for_the_delay_that_is_agreed_by_now(
    before: int, delay: int, due: float
) -> None:
    """Not for that of when it happened: for less, whoever looks on would ask a hundred times a second."""
    late = Lateness()
    for time, seconds in enumerate((before, delay)):
        fair = FairPlay("broadcast", seconds, "seconds")
        began = fold([MatchStarted("", RuleSet(), fair=fair)])
        late.take(snapshot_of(began, Health(Sight.NONE), str(time)), float(time))

    assert late.next_in(31.0) == due


def _held() -> int:
    return sum(isinstance(each, Snapshot) for each in gc.get_objects())
