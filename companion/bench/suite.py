"""All figures, one after another."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from companion.bench.evening import evening_figures
from companion.bench.figure import Figure
from companion.bench.latency import latency_figures
from companion.bench.recognizing import photo_figures, recognize_figures
from companion.bench.replaying import replay_figures
from companion.bench.solving import advice_figures, play_figures, solve_figures
from companion.bench.stages import stage_figures, still_picture
from companion.bench.watching import watch_figures
from companion.config import asset

__all__ = ["figures"]


def figures() -> Iterator[Figure]:
    """Measure on the shipped recording with the shipped models."""
    recording = asset("demo") / "table.mp4"
    truth = asset("demo") / "truth.json"
    models = asset("models")
    # first, while this process is small: Linux counts a parent's memory as its child's peak
    _say("a recording, watched")
    yield from watch_figures(recording)
    still = still_picture(recording, truth)
    _say("a photo, recognized")
    yield from recognize_figures(still)
    _say("rules")
    yield from replay_figures()
    _say("hands played at random")
    yield from play_figures()
    _say("solving")
    yield from solve_figures()
    yield from advice_figures()
    for threads in (1, 2):
        _say(f"the stages of a frame, {threads} thread{'s' if threads > 1 else ''}")
        yield from stage_figures(recording, truth, models, threads)
        yield from photo_figures(still, models, threads)
    _say("an evening of forty hands")
    yield from evening_figures(recording, asset("demo") / "taps.jsonl", models)
    _say("the way to the page, at the recording's own speed")
    yield from latency_figures(recording, truth, models)


def _say(what: str) -> None:
    print(f"measuring {what}", file=sys.stderr)
