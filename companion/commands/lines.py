"""Lines of a file or a pipe, of any length: one that is too long is one line all the same."""

from __future__ import annotations

from collections import deque
from typing import BinaryIO

__all__ = ["Lines", "is_binary"]

_MARK = b"\xef\xbb\xbf"  # before the text of a file from some editors


class Lines:
    """Reads lines one by one; after its first ones have been looked at it can begin once more.

    Args:
        file: Need not be one in which one can go back.
        most: Bytes of a line; of a longer one the beginning is given, one byte more than that.
        twice: Whether to `begin_again`; until then what is read is kept.
    """

    def __init__(self, file: BinaryIO, most: int, *, twice: bool = False) -> None:
        self._file, self._most = file, most
        self._again: deque[bytes] = deque()
        self._seen: list[bytes] | None = [] if twice else None
        self._begun = False

    def next(self) -> bytes:
        """The next line with its end; empty after the last."""
        if self._again:
            return self._again.popleft()
        line = self._file.readline(self._most + 1)
        if not self._begun:
            self._begun, line = True, line.removeprefix(_MARK)
        if len(line) > self._most and not line.endswith(b"\n"):
            while (more := self._file.readline(self._most)) and not more.endswith(b"\n"):
                pass
        if self._seen is not None:
            self._seen.append(line)
        return line

    def begin_again(self) -> None:
        """Go back to the first line; that can be done once."""
        self._again, self._seen = deque(self._seen or ()), None


def is_binary(first: bytes) -> bool:
    """Whether a file whose first line this is holds no text: a picture, say; one damaged line is none."""
    if b"\0" in first:
        return True
    try:
        first.decode("utf-8")
    except UnicodeDecodeError:
        return not first.lstrip().startswith((b"{", b"."))
    return False
