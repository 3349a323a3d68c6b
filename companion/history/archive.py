"""All hands that a log holds, those of earlier matches too; followed while the table writes on."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path
from typing import Self

from companion.history.hands import PlayedHand, hands_of
from companion.store.item import Item, MatchStarted, SittingOpened
from companion.store.log import LogReader

__all__ = ["Archive"]


class Archive:
    """The hands of a log; may be asked from any thread while another process or thread writes."""

    def __init__(self, path: Path) -> None:
        """Open the log at `path`.

        Raises:
            LogError: It is not there or cannot be read.
        """
        self._reader = LogReader(path)
        self._lock = threading.Lock()
        self._read = 0
        self._unfolded = False
        """Whether something was read that `_current` does not tell of: reading may fail in the middle."""
        self._sittings: list[SittingOpened] = []
        self._items: list[Item] = []
        self._earlier: list[PlayedHand] = []
        self._current: list[PlayedHand] = []

    def hands(self) -> tuple[PlayedHand, ...]:
        """Return every hand, oldest first, as it stands now.

        Raises:
            LogError: The log cannot be read.
        """
        with self._lock:
            for logged in self._reader.read(self._read):
                self._take(logged.item)
                self._read, self._unfolded = logged.position, True
            if self._unfolded:
                self._current, self._unfolded = self._folded(), False
            return (*self._earlier, *self._current)

    def _take(self, item: Item) -> None:
        match item:
            case SittingOpened():
                self._sittings.append(item)
            case MatchStarted():
                self._earlier += [replace(hand, newest=False) for hand in self._folded()]
                self._items = [item]
            case _ if self._items:
                self._items.append(item)

    def _folded(self) -> list[PlayedHand]:
        return hands_of(self._items, self._sittings, len(self._earlier) + 1) if self._items else []

    def close(self) -> None:
        """Let go of the log."""
        with self._lock:
            self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
