"""Photos from disk: looked at by their header first, then decoded upright."""

from __future__ import annotations

import contextlib
import os
import re
import struct
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.vision.fault import SourceError

__all__ = [
    "MAX_MEGAPIXELS",
    "PictureHeader",
    "check_picture",
    "pictures_in",
    "read_picture",
]

MAX_MEGAPIXELS = 80
"""Larger pictures are refused by their header: 80 megapixels take 240 MB when decoded."""

PICTURE_SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff"})
"""File name endings that count as pictures in a folder."""
_UNREAD = frozenset({".heic", ".heif"})
"""Endings of pictures that cannot be read: whoever reads a folder names them, and does not pass over them."""

_HEAD = 1 << 20  # bytes read to find the size; camera JPEGs carry thumbnails before it


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """What a picture's first bytes say.

    Attributes:
        kind: `JPEG`, `PNG`, `WebP`, `BMP` or `TIFF`.
        width: Pixels, as stored (before the orientation note is followed).
        height: Pixels, as stored.
    """

    kind: str
    width: int
    height: int

    @property
    def megapixels(self) -> float:
        """Width times height, in millions."""
        return self.width * self.height / 1e6

    @classmethod
    def parse(cls, data: bytes) -> PictureHeader | None:
        """Read kind and size from the first bytes; `None` where they are no known picture's.

        >>> PictureHeader.parse(b"BM" + bytes(16) + (640).to_bytes(4, "little") + (480).to_bytes(4, "little"))
        PictureHeader(kind='BMP', width=640, height=480)
        >>> PictureHeader.parse(b"dear diary") is None
        True
        """
        with contextlib.suppress(struct.error, IndexError):
            if data.startswith(b"\xff\xd8\xff"):
                return _jpeg(data)
            if data.startswith(b"\x89PNG\r\n\x1a\n"):
                return cls("PNG", *struct.unpack(">II", data[16:24]))
            if data.startswith(b"BM"):
                width, height = struct.unpack("<ii", data[18:26])
                return cls("BMP", abs(width), abs(height))
            if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
                return _webp(data)
            if data[:4] in (b"II*\0", b"MM\0*"):
                return _tiff(data)
        return None


def read_picture(path: Path) -> NDArray[np.uint8]:
    """Decode a photo, turned upright by its EXIF note.

    Returns:
        (H, W, 3) uint8, blue green red.

    Raises:
        SourceError: The file is missing, not readable, empty, no picture, damaged, cut off, or
            larger than `MAX_MEGAPIXELS` (judged by the header, nothing is decoded then).
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            data = head + file.read() if _has_long_header(head) else head
            header = _accepted(path, data)
            data += file.read()
            if not header.megapixels:  # a TIFF's directory may lie behind its pixels
                header = _accepted(path, data)
    except OSError as error:
        raise SourceError(f"{path}: {_reason(error)}") from error
    with _hushed():
        try:
            bgr = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            bgr = None
    if header.kind == "TIFF" and (odd := _oddity(data)):
        raise SourceError(f"{path}: {odd} cannot be read; save it as PNG or JPEG first")
    if bgr is None or (header.kind == "JPEG" and not _ends(data)):
        raise SourceError(f"{path}: the {header.kind} picture is damaged or cut off")
    return np.ascontiguousarray(bgr, dtype=np.uint8)


def check_picture(path: Path) -> None:
    """Look at a picture's header only, and refuse what `read_picture` would refuse by it.

    Raises:
        SourceError: As `read_picture`, as far as the header tells.
    """
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD)
            _accepted(path, head + file.read() if _has_long_header(head) else head)
    except OSError as error:
        raise SourceError(f"{path}: {_reason(error)}") from error


def pictures_in(folder: Path) -> tuple[Path, ...]:
    """List a folder's pictures by name, numbers in their numeric order; subfolders are not entered.

    Raises:
        SourceError: The folder cannot be read or holds no picture.
    """
    try:
        found = [entry for entry in folder.iterdir() if entry.suffix.lower() in PICTURE_SUFFIXES | _UNREAD]
    except OSError as error:
        raise SourceError(f"{folder}: {_reason(error)}") from error
    if not found:
        endings = " ".join(sorted(PICTURE_SUFFIXES))
        raise SourceError(f"{folder}: the folder holds no picture (looked for {endings})")
    return tuple(sorted(found, key=lambda path: _natural(path.name)))


def _natural(name: str) -> tuple[tuple[int, str], ...]:
    parts = re.split(r"(\d+)", name.lower())
    return (*((int(part), "") if part.isdecimal() else (-1, part) for part in parts), (-1, name))


def _accepted(path: Path, head: bytes) -> PictureHeader:
    if not head:
        raise SourceError(f"{path}: the file is empty (0 bytes)")
    header = PictureHeader.parse(head)
    if header is None:
        if head[4:8] == b"ftyp" and head[8:11] in (b"hei", b"hev", b"mif"):
            raise SourceError(f"{path}: HEIC pictures cannot be read; save it as JPEG first")
        raise SourceError(f"{path}: not a picture that can be read (JPEG, PNG, WebP, BMP or TIFF)")
    if header.megapixels > MAX_MEGAPIXELS:
        raise SourceError(
            f"{path}: {header.width} x {header.height} pixels are {header.megapixels:.0f} megapixels;"
            f" the limit is {MAX_MEGAPIXELS}"
        )
    return header


def _has_long_header(head: bytes) -> bool:
    """Whether a JPEG does not tell its size in its first bytes: a depth map may lie before it."""
    return head.startswith(b"\xff\xd8\xff") and len(head) == _HEAD and PictureHeader.parse(head) is None


def _ends(data: bytes) -> bool:
    """Whether a JPEG has its end: behind the beginning of its pixels, which cannot hold that mark.

    A film may follow, and what lies before, as a picture in small, has an end of its own.
    """
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        if data[at + 1] == 0xDA:
            return data.find(b"\xff\xd9", at) >= 0
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big") if data[at + 1] != 0xFF else 1
    # its segments do not follow each other, and it was decoded all the same
    return b"\xff\xd9" in data[-65536:]


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    if isinstance(error, PermissionError):
        return "no permission to read it"
    if isinstance(error, IsADirectoryError):
        return "is a folder, not a picture"
    return error.strerror or str(error)


def _jpeg(data: bytes) -> PictureHeader | None:
    at = 2
    while at + 9 < len(data):
        if data[at] != 0xFF:
            return None
        marker = data[at + 1]
        if marker == 0xFF or marker == 0x01 or 0xD0 <= marker <= 0xD8:  # filler and markers without a length
            at += 1 if marker == 0xFF else 2
            continue
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return PictureHeader("JPEG", width, height)
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp(data: bytes) -> PictureHeader | None:
    form = data[12:16]
    if form == b"VP8X":
        width, height = (int.from_bytes(data[at : at + 3], "little") + 1 for at in (24, 27))
        return PictureHeader("WebP", width, height)
    if form == b"VP8 ":
        width, height = struct.unpack("<HH", data[26:30])
        return PictureHeader("WebP", width & 0x3FFF, height & 0x3FFF)
    if form == b"VP8L":
        (bits,) = struct.unpack("<I", data[21:25])
        return PictureHeader("WebP", (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
    return None


def _tiff(data: bytes) -> PictureHeader | None:
    order = "<" if data[:2] == b"II" else ">"
    (directory,) = struct.unpack(order + "I", data[4:8])
    if directory >= len(data):
        return PictureHeader("TIFF", 0, 0)
    told = _tags(data)
    return PictureHeader("TIFF", told.get(_WIDTH, 0), told.get(_HEIGHT, 0))


_WIDTH, _HEIGHT, _BITS, _COLOURS, _NUMBERS = 256, 257, 258, 262, 339
"""Tags of a TIFF's directory."""
_LAB = (8, 9, 10)
"""What `_COLOURS` says of L*a*b* colours, which would be shown as if they were blue, green and red."""
_MOST_BITS = 16


def _tags(data: bytes) -> dict[int, int]:
    """The first number of each tag in a TIFF's first directory, of those that hold whole numbers."""
    order = "<" if data[:2] == b"II" else ">"
    (directory,) = struct.unpack(order + "I", data[4:8])
    (entries,) = struct.unpack(order + "H", data[directory : directory + 2])
    told = {}
    for entry in range(entries):
        at = directory + 2 + 12 * entry
        tag, form, count = struct.unpack(order + "HHI", data[at : at + 8])
        if form not in (3, 4):
            continue
        width, letter = (2, "H") if form == 3 else (4, "I")
        if width * count > 4:
            (there,) = struct.unpack(order + "I", data[at + 8 : at + 12])
            value = data[there : there + width]
            if len(value) < width:
                continue
        else:
            value = data[at + 8 : at + 8 + width]
        (told[tag],) = struct.unpack(order + letter, value)
    return told


def _oddity(data: bytes) -> str:
    """What a TIFF holds that is no photo; empty where nothing is odd."""
    try:
        told = _tags(data)
    except (struct.error, IndexError):
        return ""
    bits, numbers = told.get(_BITS, 1), told.get(_NUMBERS, 1)
    if bits > _MOST_BITS or numbers in (3, 5, 6):
        kind = {3: "floating-point ", 5: "complex ", 6: "complex "}.get(numbers, "")
        return f"a TIFF picture of {bits}-bit {kind}numbers"
    return "a TIFF picture in L*a*b* colours" if told.get(_COLOURS) in _LAB else ""


_ONE_AT_A_TIME = threading.Lock()
"""Who keeps the terminal quiet: a second thread would take the quiet for what has to be restored."""


@contextlib.contextmanager
def _hushed() -> Iterator[None]:
    """Keep the C libraries' own warnings off the terminal: the caller gives one line of its own."""
    with _ONE_AT_A_TIME:
        kept = os.dup(2)
        try:
            with open(os.devnull, "wb") as nowhere:
                os.dup2(nowhere.fileno(), 2)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
