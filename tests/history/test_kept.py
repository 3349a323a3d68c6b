"""Analyses that were worked out once are found again, and are no loss where they are gone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from played_log import HAND, Log

from companion.history.kept import KeptAnalyses
from companion.server.reviewer import Reviewer

RECORD = Log(*HAND).hands()[0].analysed
ANALYSED = ([{"player": 1, "loss": 0.5}], {"type": "review", "told": []})


def test_an_analysis_is_found_by_its_hand(tmp_path: Path) -> None:
    """Also after a restart; another hand has none."""
    with KeptAnalyses(tmp_path / "kept.sqlite") as kept:
        assert kept.find(RECORD) is None
        kept.keep(RECORD, ANALYSED)
    with KeptAnalyses(tmp_path / "kept.sqlite") as kept:
        assert kept.find(RECORD) == ANALYSED
        assert kept.find(replace(RECORD, events=RECORD.events[:-1])) is None


def test_a_file_that_is_no_database_keeps_nothing(tmp_path: Path) -> None:
    """And nothing is raised."""
    path = tmp_path / "kept.sqlite"
    path.write_bytes(b"no database" * 1000)
    with KeptAnalyses(path) as kept:
        kept.keep(RECORD, ANALYSED)
        assert kept.find(RECORD) is None


def test_the_reviewer_does_not_work_out_what_is_kept(tmp_path: Path) -> None:
    """The whole analysis is there at the first question."""
    with KeptAnalyses(tmp_path / "kept.sqlite") as kept:
        kept.keep(RECORD, ANALYSED)
        with Reviewer(kept) as reviewer:
            assert reviewer.decisions(RECORD) == ANALYSED[0]
            found = reviewer.analysis(RECORD)
            assert (found["decisions"], found["review"], found["total"]) == (*ANALYSED, 1)
            assert reviewer.decisions(replace(RECORD, events=RECORD.events[:-1])) is None
