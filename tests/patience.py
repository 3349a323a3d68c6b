"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

WAIT_S = 60.0
"""By then whatever is waited for is there, however busy the machine."""


def until(holds: Callable[[], object]) -> None:
    """Return once something is so."""
    end = time.monotonic() + WAIT_S
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(f"it did not come to that: {holds}")
        time.sleep(0.01)
