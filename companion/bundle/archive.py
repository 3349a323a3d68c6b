"""The file of a bundle: a tar archive that only grows, whole up to wherever it was cut off.

First `bundle.json`, then pictures as `pictures/NNNNNN.jpg` and what happened as
`lines/NNNNNN.jsonl.gz`, JSON Lines in their order. Each member is written with one call and not
kept back: whoever kills the process loses no member, and a member that is cut off is recognised.
"""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import io
import json
import logging
import os
import shutil
import tarfile
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from companion.bundle.fault import BundleError
from companion.store.album import SPARE_BYTES

__all__ = ["FORMAT", "BundleReader", "BundleWriter", "is_being_written", "is_bundle"]

FORMAT = 5
"""Rises with every change that an older version could not read, of the items of the log too."""
HEADER = "bundle.json"
MARK = "schnapsen-companion-bundle"
_FLUSH_S = 1.0
"""Lines of frames in which nothing happened wait this long at most."""
_LARGEST_LINES = 1 << 26
"""A member of lines that unpacks to more bytes than this is no member of ours."""
_LARGEST_MEMBER = 1 << 24
"""Nor is one that is larger than this as it stands, pictures aside: lines of a second are some kilobytes."""

Line = dict[str, Any]

_log = logging.getLogger(__name__)


class BundleWriter:
    """Writes one bundle. May be used from any thread.

    What cannot be written ends the bundle and nothing else: the table goes on, and `failed` says why.
    So does a disk on which little is free: the last room is the log's.
    """

    def __init__(self, path: Path, header: Line) -> None:
        """Begin a bundle.

        Args:
            path: Must not be there yet; its folder is made. Readable by its owner only.
            header: What is true of the whole bundle, as JSON.

        Raises:
            BundleError: The file cannot be made.
        """
        self.path = path
        self.failed = ""
        self._lock = threading.Lock()
        self._lines: list[str] = []
        self._oldest = 0.0
        self._number = 0
        self._pictures = 0
        try:
            _make_folder(path.parent)
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o600)
        except FileExistsError as error:
            raise BundleError(f"{path}: there is a file of this name already") from error
        except OSError as error:
            raise BundleError(f"{path}: cannot be made: {error.strerror or error}") from error
        with contextlib.suppress(OSError):  # a file system without locks; see `is_being_written`
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        self._file: BinaryIO = os.fdopen(handle, "wb", buffering=0)
        whole = {"bundle": MARK, "format": FORMAT, **header}
        self._add(HEADER, (json.dumps(whole, ensure_ascii=False, indent=1) + "\n").encode())
        if self.failed:
            self._file.close()
            raise BundleError(f"{path}: {self.failed}")

    def picture(self, jpeg: bytes) -> str:
        """Write a picture; return its name, for the line that belongs to it."""
        with self._lock:
            self._pictures += 1
            name = f"pictures/{self._pictures:06}.jpg"
            self._add(name, jpeg)
        return name

    def line(self, line: Line, *, flush: bool = False) -> None:
        """Write a line, at once with `flush`, else within about a second."""
        text = json.dumps(line, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        with self._lock:
            if not self._lines:
                self._oldest = time.monotonic()
            self._lines.append(text)
            if flush or time.monotonic() - self._oldest >= _FLUSH_S:
                self._flush()

    def fail(self, why: str) -> None:
        """End the bundle where it stands; something is missing from it, so it does not count as ended."""
        with self._lock:
            self._flush()
            if not self.failed:
                self._end(why)

    def close(self) -> None:
        """End the bundle, properly where nothing is missing; more is not taken."""
        with self._lock:
            self._flush()
            if not self._file.closed:
                self._put(b"\0" * 1024)  # how a tar archive ends
                self._file.close()

    def _flush(self) -> None:
        if self._lines:
            lines, self._lines = self._lines, []
            data = gzip.compress(("\n".join(lines) + "\n").encode(), 6, mtime=0)
            self._number += 1
            self._add(f"lines/{self._number:06}.jsonl.gz", data)

    def _add(self, name: str, data: bytes) -> None:
        if name != HEADER and not self.failed and self._is_scarce():
            self._end(f"less than {SPARE_BYTES >> 20} MB are free, and left to the record of the game")
        if not self.failed and not self._file.closed and os.fstat(self._file.fileno()).st_nlink == 0:
            self._end("the file was deleted while it was written")
        member = tarfile.TarInfo(name)
        member.size, member.mtime, member.mode = len(data), int(time.time()), 0o600
        self._put(member.tobuf(tarfile.USTAR_FORMAT) + data + b"\0" * (-len(data) % tarfile.BLOCKSIZE))

    def _put(self, data: bytes) -> None:
        if self.failed or self._file.closed:
            return
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._file.write(rest) :]
        except OSError as error:
            self._end(error.strerror or str(error))

    def _is_scarce(self) -> bool:
        try:
            return shutil.disk_usage(self.path.parent).free < SPARE_BYTES
        except OSError:
            return False

    def _end(self, why: str) -> None:
        self.failed = why
        _log.error("%s: %s; the bundle ends here", self.path, why)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError) as error:
        raise BundleError(f"{folder}: there is a file where a folder should be") from error


class BundleReader:
    """Reads a bundle from its beginning to its end, or to where it was cut off.

    Attributes:
        path: The file.
        header: What is true of the whole bundle.
        fault: After iterating: why not everything could be read; empty where it could.
        closed: After iterating: whether the bundle was ended properly; else the companion was
            killed, and nothing is missing but the moment before.
    """

    def __init__(self, path: Path) -> None:
        """Open a bundle.

        Raises:
            BundleError: No bundle, from a later version, or so short that nothing is left of it.
        """
        self.path = path
        self.fault = ""
        self.closed = False
        self._pictures: dict[str, tuple[int, int]] = {}
        try:
            self._size = path.stat().st_size
            self._file = path.open("rb")
        except OSError as error:
            raise BundleError(f"{path}: {error.strerror or error}") from error
        with contextlib.ExitStack() as undo:
            undo.callback(self._file.close)
            self._members = self._walk()
            self.header = self._read_header()
            undo.pop_all()

    def __enter__(self) -> BundleReader:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __iter__(self) -> Iterator[Line]:
        """Yield the lines in their order, once."""
        try:
            for name, data in self._members:
                if name.startswith("lines/"):
                    yield from self._unpacked(name, data)
        except _CutError as cut:
            self.fault = str(cut)

    def picture(self, name: str) -> bytes | None:
        """Return a picture that a line has named; `None` where it is not there."""
        place = self._pictures.get(name)
        if place is None:
            return None
        here = self._file.tell()
        self._file.seek(place[0])
        data = self._file.read(place[1])
        self._file.seek(here)
        return data

    def _read_header(self) -> Line:
        try:
            name, data = next(self._members)
            header = json.loads(data) if name == HEADER else None
        except (_CutError, StopIteration, ValueError, RecursionError) as error:
            raise BundleError(f"{self.path}: not a bundle, or cut off at its very beginning") from error
        if not isinstance(header, dict) or header.get("bundle") != MARK:
            raise BundleError(f"{self.path}: not a bundle: an archive of something else")
        number = header.get("format")
        if not isinstance(number, int) or number < 1:
            raise BundleError(f"{self.path}: the bundle is damaged: its format is {number!r:.40}")
        if number > FORMAT:
            raise BundleError(
                f"{self.path}: written by a later version of the companion"
                f" (format {number}; this version reads up to {FORMAT})"
            )
        return header

    def _walk(self) -> Iterator[tuple[str, bytes]]:
        """Yield each whole member of the archive; of a picture only its place is kept."""
        while True:
            at = self._file.tell()
            block = self._file.read(tarfile.BLOCKSIZE)
            if not block:
                return
            if not block.strip(b"\0"):
                self.closed = len(block) == tarfile.BLOCKSIZE
                return
            try:
                member = tarfile.TarInfo.frombuf(block, "utf-8", "strict")
            except (tarfile.HeaderError, ValueError) as error:
                what = "cut off" if len(block) < tarfile.BLOCKSIZE else "damaged"
                raise _CutError(
                    f"the bundle is {what} at byte {at}; what stands before it was read"
                ) from error
            start = self._file.tell()
            if member.size < 0 or start + member.size > self._size:
                raise _CutError(f"the bundle is cut off at byte {self._size}; what stands before it was read")
            if member.name.startswith("pictures/"):
                self._pictures[member.name] = (start, member.size)
                yield member.name, b""
            else:
                # somebody else's archive may hold a whole disk
                yield member.name, self._file.read(min(member.size, _LARGEST_MEMBER))
            self._file.seek(start + member.size + (-member.size % tarfile.BLOCKSIZE))

    def _unpacked(self, name: str, data: bytes) -> Iterator[Line]:
        try:
            with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
                text = packed.read(_LARGEST_LINES + 1)
            if len(text) > _LARGEST_LINES:
                raise ValueError("too large")
            # a text in them may hold what else counts as an end of line
            lines = [json.loads(line) for line in io.StringIO(text.decode(), newline="\n")]
        except (OSError, EOFError, ValueError, zlib.error, RecursionError) as error:
            raise _CutError(f"the bundle is damaged in {name}; what stands before it was read") from error
        for line in lines:
            if not isinstance(line, dict):
                raise _CutError(f"the bundle is damaged in {name}; what stands before it was read")
            yield line


class _CutError(Exception):
    """Here the readable part of a bundle ends."""


def is_being_written(path: Path) -> bool:
    """Say whether the bundle at `path` is open still for whoever keeps it, in whatever process."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # it is not there, or its file system knows no locks
        pass
    return False


def is_bundle(path: Path) -> bool:
    """Say whether a file is a bundle, by its first bytes; a pipe would be waited for, and is none."""
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(HEADER) + 1) == HEADER.encode() + b"\0"
    except OSError:
        return False
