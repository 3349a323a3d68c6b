"""An evening: the same hand again and again, timed, and nothing piles up."""

from __future__ import annotations

import gc
import sys

from companion.bench.evening import Evening
from companion.rules.ruleset import preset
from companion.watch.taps import Tap
from tests.decoding.puppets import readings, stage

SHORT = 1054
"""A hand of seven events."""
LEFT_BY_A_HAND = 200
"""Blocks of memory of Python's objects; its record takes some thirty, the stories of its end two thousand."""


def test_each_hand_of_an_evening_ends_and_leaves_little() -> None:
    """Every hand becomes a record; once what is remembered has filled up, a hand leaves only that."""
    show = stage(preset("schnapsen"), SHORT)
    taps = [Tap(time, event.player, event) for time, event in show.taps]
    evening = Evening(list(readings(show, fps=5.0, seed=SHORT)), taps)

    taken = [evening.play() for _ in range(4)]
    filled = blocks()
    for _ in range(2):
        evening.play()
    left = blocks() - filled

    assert evening.ended == 6
    assert all(len(one.track_ms) == len(one.decide_ms) > 20 for one in taken)
    assert left < 2 * LEFT_BY_A_HAND


def blocks() -> int:
    """How many blocks of memory are held; to ask slows nothing down, as following each would."""
    gc.collect()
    return sys.getallocatedblocks()
