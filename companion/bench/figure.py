"""A measured figure."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Figure", "spread", "timed"]


@dataclass(frozen=True, slots=True)
class Figure:
    """What was measured, how much, in what.

    Attributes:
        name: Words joined by dots, as in `locate.1_thread.median`.
        value: The figure.
        unit: As in `ms`, `frames/s`, `MiB`.
    """

    name: str
    value: float
    unit: str

    def to_json(self) -> dict[str, Any]:
        """As one line of `companion bench --json`."""
        return {"name": self.name, "value": round(self.value, 3), "unit": self.unit}


def timed(job: Callable[[], object], times: int, warm_up: int = 3) -> list[float]:
    """Milliseconds that `job` takes, `times` times, after some runs that do not count."""
    for _ in range(warm_up):
        job()
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        job()
        taken.append(1000 * (time.perf_counter() - started))
    return taken


def spread(name: str, values: Sequence[float], unit: str) -> tuple[Figure, Figure]:
    """Median and 95th percentile of `values`.

    >>> [figure.value for figure in spread("x", [1.0, 2.0, 3.0], "ms")]
    [2.0, 3.0]
    """
    ordered = sorted(values)
    high = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return Figure(f"{name}.median", statistics.median(ordered), unit), Figure(f"{name}.p95", high, unit)
