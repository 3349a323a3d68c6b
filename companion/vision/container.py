"""Video files looked at from outside: what kind they are, and whether their end is missing."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

__all__ = ["Container"]

_PARTS = (b"ftyp", b"styp", b"sidx", b"moov", b"moof", b"mdat", b"mfra", b"free", b"skip", b"wide", b"uuid")
"""Parts of an MP4; some cameras write notes of their own behind the last, which are none."""


@dataclass(frozen=True, slots=True)
class Container:
    """What the outermost structure of a video file says.

    Attributes:
        kind: `MP4`, `AVI`, `Matroska`, or `None` where the structure is not known here.
        missing: Bytes that the structure announces and the file does not hold; 0 where it is
            whole or where that cannot be told.
        index: Whether an MP4's index was found; without it no frame can be read. Other kinds: true.
    """

    kind: str | None
    missing: int
    index: bool

    @classmethod
    def of(cls, path: Path) -> Container:
        """Walk the outermost structure of a file; no frame is read.

        Raises:
            OSError: The file cannot be read.
        """
        size = path.stat().st_size
        with path.open("rb") as file:
            head = file.read(64)
            if head[4:8] in (b"ftyp", b"moov", b"mdat", b"free", b"wide", b"skip"):
                return cls._mp4(path, size)
            if head[:4] == b"RIFF" and head[8:12] == b"AVI ":
                announced = int.from_bytes(head[4:8], "little") + 8
                return cls("AVI", max(0, announced - size), index=True)
            if head[:4] == b"\x1a\x45\xdf\xa3":
                return cls("Matroska", _matroska_missing(head, size), index=True)
        return cls(None, 0, index=True)

    @classmethod
    def _mp4(cls, path: Path, size: int) -> Container:
        at, index, missing = 0, False, 0
        with path.open("rb") as file:
            while at + 8 <= size:
                file.seek(at)
                head = file.read(16)
                length = int.from_bytes(head[:4], "big")
                if length == 1:
                    length = int.from_bytes(head[8:16], "big")
                elif length == 0:  # to the end of the file
                    length = size - at
                if length < 8 or (at + length > size and head[4:8] not in _PARTS):
                    break
                missing = max(0, at + length - size)
                index = index or (head[4:8] == b"moov" and not missing)
                at += length
        return cls("MP4", missing, index)


def _matroska_missing(head: bytes, size: int) -> int:
    """Bytes missing from the one segment that holds all; 0 where its size was left open."""
    header_length, header_width = _ebml_number(head, 4)
    at = 4 + header_width + header_length
    if head[at : at + 4] != b"\x18\x53\x80\x67":
        return 0
    length, width = _ebml_number(head, at + 4)
    if width == 0 or length == (1 << (7 * width)) - 1:
        return 0
    return max(0, at + 4 + width + length - size)


def _ebml_number(data: bytes, at: int) -> tuple[int, int]:
    """Value and width in bytes of a variable-length number; (0, 0) where there is none."""
    first = data[at] if at < len(data) else 0
    if first == 0:
        return 0, 0
    width = 9 - first.bit_length()
    return int.from_bytes(data[at : at + width], "big") & ((1 << (7 * width)) - 1), width
