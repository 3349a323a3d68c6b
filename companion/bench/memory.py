"""How much memory this process takes, and one that it starts."""

from __future__ import annotations

import os
import resource
import subprocess
from collections.abc import Sequence

from companion.bundle.consent import VARIABLE

__all__ = ["peak_of", "resident_mib"]


def resident_mib() -> float:
    """MiB of this process that lie in memory now, as Linux counts them."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 2**20


def peak_of(command: Sequence[str]) -> tuple[list[str], float]:
    """Run a command; returns the lines that it prints, and the most MiB that it took.

    Raises:
        RuntimeError: The command failed.
    """
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
        raise RuntimeError(f"{' '.join(command)} ended with status {run.returncode}")
    return lines, usage.ru_maxrss / 1024
