"""What goes to the terminal: text and JSON Lines on stdout, progress on stderr."""

from __future__ import annotations

import contextlib
import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TextIO

__all__ = ["Output", "OutputError", "Progress", "print_json", "say_lost"]


class OutputError(RuntimeError):
    """Stdout cannot be written, as on a full disk; the message says why."""


class Output:
    """Stdout as commands have it: what it cannot take is escaped, and a failure of it is named.

    A reader that has enough (`BrokenPipeError`) is no failure. Where stdout is closed, what is written goes
    nowhere, as with `print`.
    """

    def __init__(self, stream: TextIO | None) -> None:
        """Write to `stream`; `None`: stdout is closed."""
        self._stream = stream
        self.encoding = (stream and stream.encoding) or "utf-8"

    def __getattr__(self, name: str) -> object:
        """Everything else is as the stream has it."""
        found: object = getattr(self._stream, name)
        return found

    def write(self, text: str) -> int:
        """Write `text`, and the number of each character in it that `encoding` does not have."""
        if self._stream is not None:
            with _named():
                self._stream.write(text.encode(self.encoding, "backslashreplace").decode(self.encoding))
        return len(text)

    def flush(self) -> None:
        """Send off what was written."""
        if self._stream is not None:
            with _named():
                self._stream.flush()


@contextlib.contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(f"stdout: {error.strerror or error}") from error


def print_json(line: Mapping[str, Any]) -> None:
    """Write one JSON line and send it off at once.

    It is UTF-8 everywhere, as JSON is: where stdout is something else, or where there is no text (a file
    name in another code), it is escaped.
    """
    text = json.dumps(line, ensure_ascii=False)
    try:
        as_it_is = text.encode(sys.stdout.encoding or "utf-8") == text.encode()
    except UnicodeEncodeError:
        as_it_is = False
    sys.stdout.write((text if as_it_is else json.dumps(line)) + "\n")
    sys.stdout.flush()


def say_lost(why: str) -> None:
    """Say that no picture comes from a camera: else it looks as if nothing happened on the table."""
    print(f"companion: {why}; it is started anew", file=sys.stderr, flush=True)


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
