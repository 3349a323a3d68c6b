"""How fast a recording is watched, and how much memory that takes: `companion watch` in its own process."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.bench.figure import Figure
from companion.bench.memory import peak_of

__all__ = ["watch_figures"]


def watch_figures(recording: Path) -> Iterator[Figure]:
    """Frames a second and peak memory of `companion watch` on `recording`, one thread.

    Raises:
        RuntimeError: The command failed.
    """
    lines, peak = peak_of([sys.executable, "-m", "companion", "watch", "--json", str(recording)])
    summary = json.loads(lines[-1])
    yield Figure("watch.frames", summary["frames"] / summary["elapsed_s"], "frames/s")
    yield Figure("watch.peak_memory", peak, "MiB")
