"""How fast a recording is watched, and how much memory that takes: `companion watch` in its own process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from companion.bench.figure import Figure
from companion.bundle.consent import VARIABLE

__all__ = ["watch_figures"]


def watch_figures(recording: Path) -> Iterator[Figure]:
    """Frames a second and peak memory of `companion watch` on `recording`, one thread.

    Raises:
        RuntimeError: The command failed.
    """
    command = [sys.executable, "-m", "companion", "watch", "--json", str(recording)]
    # whoever keeps every sitting does not mean this one, nor is writing it down to be measured
    unkept = {**os.environ, VARIABLE: "0"}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=unkept
    ) as run:
        if run.stdout is None:
            raise RuntimeError("no output to read")
        lines = run.stdout.readlines()
        _, status, usage = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
    if run.returncode:
        raise RuntimeError(f"companion watch {recording} ended with status {run.returncode}")
    summary = json.loads(lines[-1])
    yield Figure("watch.frames", summary["frames"] / summary["elapsed_s"], "frames/s")
    yield Figure("watch.peak_memory", usage.ru_maxrss / 1024, "MiB")
