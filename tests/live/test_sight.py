"""A camera that runs and does not show the table: every phone says so within three seconds."""

from __future__ import annotations

from dataclasses import replace

from scripted_table import newest, view_at

from companion.live.health import Sight


def test_a_covered_camera_is_told_within_three_seconds_and_so_is_its_return(open_table) -> None:
    """Pictures go on coming, but nothing of the table is in them."""
    table = open_table(source="camera")
    told = {}
    for step in range(80):
        view = view_at(step / 8)
        table.see(replace(view, blind=2.0 <= view.time < 7.0))
        health = newest(table).health
        told.setdefault((health.sight, bool(health.why)), view.time)
        if view.time >= 7.0:
            assert health.sight is Sight.WATCHING
            assert health.why == ""
    assert 2.0 < told[(Sight.LOST, True)] < 5.0


def test_a_bump_is_not_worth_a_word(open_table) -> None:
    """A second without sight is over before anybody has read that."""
    table = open_table(source="camera")
    for step in range(40):
        view = view_at(step / 8)
        table.see(replace(view, blind=1.0 <= view.time < 2.0))
        assert newest(table).health.sight is Sight.WATCHING
