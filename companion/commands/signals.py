"""Commands that run until somebody ends them."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator
from types import FrameType

__all__ = ["ended_by_signal"]


@contextlib.contextmanager
def ended_by_signal() -> Iterator[None]:
    """End the block quietly on Ctrl-C and on SIGTERM, so that everything in it is closed properly."""

    def end(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)
