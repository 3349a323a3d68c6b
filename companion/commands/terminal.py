"""What goes to the terminal: JSON Lines on stdout, progress on stderr."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, TextIO

__all__ = ["Progress", "print_json"]


def print_json(line: Mapping[str, Any]) -> None:
    """Write one JSON line and send it off at once.

    What the terminal cannot take, or what is no text (a file name in another code), is escaped.
    """
    text = json.dumps(line, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding or "utf-8", "strict")
    except UnicodeEncodeError:
        text = json.dumps(line)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


class Progress:
    """Says on stderr how far a command is, once it has taken longer than two seconds.

    On a terminal one line is written over and over; elsewhere a new one every ten seconds.
    """

    def __init__(
        self,
        what: str,
        total: int | None = None,
        *,
        stream: TextIO | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        """Start the clock.

        Args:
            what: Plural of what is counted, as in `frames`.
            total: How many there will be, where that is known.
            stream: Where to write; stderr unless told otherwise.
            now: Seconds.
        """
        self._what = what
        self._total = total
        self._stream = stream or sys.stderr
        self._now = now
        self._started = now()
        self._said = self._started + 2.0 - self._pause
        self._open_line = False

    @property
    def _pause(self) -> float:
        return 0.2 if self._stream.isatty() else 10.0

    def at(self, done: int) -> None:
        """Report that `done` are done."""
        now = self._now()
        if now - self._said < self._pause:
            return
        self._said = now
        rate = done / (now - self._started) if now > self._started else 0.0
        share = f"{done} of {self._total}" if self._total else str(done)
        text = f"{share} {self._what}, {rate:.1f} a second"
        if self._stream.isatty():
            self._stream.write(f"\r{text}\x1b[K")
            self._open_line = True
        else:
            self._stream.write(text + "\n")
        self._stream.flush()

    def done(self) -> None:
        """Clear the line that was written over."""
        if self._open_line:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._open_line = False
