"""Slows down whoever guesses."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable

__all__ = ["Throttle"]

_ADDRESSES = 1024
"""So many addresses are remembered at most, those that guessed last."""


class Throttle:
    """Counts wrong guesses by address; the count is forgotten when its time has passed.

    May be used from any thread.
    """

    def __init__(self, guesses: int, within_s: float, clock: Callable[[], float] = time.monotonic) -> None:
        """Allow `guesses` wrong ones within `within_s` seconds from the first; `clock` gives seconds."""
        self._guesses, self._within_s, self._clock = guesses, within_s, clock
        self._wrong: OrderedDict[str, tuple[float, int]] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, address: str) -> None:
        """Note a wrong guess from `address`."""
        with self._lock:
            since, count = self._wrong.pop(address, (self._clock(), 0))
            if self._clock() - since >= self._within_s:
                since, count = self._clock(), 0
            self._wrong[address] = since, count + 1
            if len(self._wrong) > _ADDRESSES:
                self._wrong.popitem(last=False)

    def wait_s(self, address: str) -> float:
        """Return for how many seconds `address` is not listened to; 0 if it is."""
        with self._lock:
            since, count = self._wrong.get(address, (0.0, 0))
            left = since + self._within_s - self._clock()
            return left if count >= self._guesses and left > 0 else 0.0
