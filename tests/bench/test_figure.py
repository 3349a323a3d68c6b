"""Figures: a job is run as often as said, and the spread is that of its times."""

from __future__ import annotations

import json
from pathlib import Path

from companion.bench.figure import Figure, spread, timed
from companion.bench.latency import plays_of
from companion.bench.replaying import random_record, replay_figures
from companion.rules.record import Record, replay, result_of


def test_a_job_is_timed_after_its_warm_up() -> None:
    """Three runs that do not count, then as many as asked for."""
    runs: list[int] = []

    times = timed(lambda: runs.append(1), 20)

    assert len(runs) == 23
    assert len(times) == 20
    assert min(times) >= 0


def test_the_spread_is_median_and_high_end() -> None:
    """Of a hundred values the 50th and the 95th, named and with the unit."""
    median, high = spread("locate", [float(value) for value in range(101)], "ms")

    assert median == Figure("locate.median", 50.0, "ms")
    assert high == Figure("locate.p95", 95.0, "ms")
    assert high.to_json() == {"name": "locate.p95", "value": 95.0, "unit": "ms"}


def test_random_hands_are_whole_and_survive_their_record() -> None:
    """What is replayed for the figure are hands that have ended, and JSON brings them back unchanged."""
    for seed in range(30):
        record = random_record(seed)
        again = Record.from_json(json.loads(json.dumps(record.to_json())))
        assert again == record
        state = replay(again)
        assert state.over
        assert result_of(state) == record.result


def test_hands_a_second_are_measured() -> None:
    """One figure, above nothing."""
    (figure,) = replay_figures(hands=5)

    assert (figure.name, figure.unit) == ("replay.hands", "hands/s")
    assert figure.value > 0


def test_the_times_at_which_cards_lie_are_those_of_the_truth(tmp_path: Path) -> None:
    """Plays only, by player and card."""
    timeline = [
        {"t": 0.8, "type": "deal", "turned_up": "TD"},
        {"t": 6.0, "type": "play", "player": 0, "card": "TH"},
        {"t": 8.4, "type": "play", "player": 1, "card": "JH"},
    ]
    path = tmp_path / "truth.json"
    path.write_text(json.dumps({"timeline": timeline}))

    assert plays_of(path) == {(0, "TH"): 6.0, (1, "JH"): 8.4}
