"""Photos from disk: each way in which one can be unfit is named."""

from __future__ import annotations

import contextlib
import os
import struct
import zlib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.vision.picture import (
    MAX_MEGAPIXELS,
    PictureHeader,
    SourceError,
    check_picture,
    pictures_in,
    read_picture,
)
from companion.vision.source import open_source

NOISE = np.random.default_rng(1).integers(0, 255, (400, 400, 3), np.uint8)


@contextlib.contextmanager
def as_nobody() -> Iterator[None]:
    """Give up root's right to read everything, for the length of the block."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def gradient(width: int = 96, height: int = 64) -> np.ndarray:
    """A picture whose left is dark and whose top is blue."""
    picture = np.zeros((height, width, 3), np.uint8)
    picture[:, :, 2] = np.linspace(0, 255, width, dtype=np.uint8)[None, :]
    picture[: height // 2, :, 0] = 255
    return picture


def encoded(suffix: str, picture: np.ndarray | None = None) -> bytes:
    """The picture in the format that `suffix` names."""
    done, data = cv2.imencode(suffix, gradient() if picture is None else picture)
    assert done
    return data.tobytes()


def turned(orientation: int) -> bytes:
    """A JPEG of the gradient whose EXIF note gives `orientation`."""
    tiff = b"MM\0*" + struct.pack(">IHHHIHHI", 8, 1, 0x0112, 3, 1, orientation, 0, 0)
    note = b"Exif\0\0" + tiff
    plain = encoded(".jpg")
    return plain[:2] + b"\xff\xe1" + struct.pack(">H", len(note) + 2) + note + plain[2:]


def huge_png(width: int, height: int) -> bytes:
    """The beginning of a PNG that announces its size and holds nothing."""
    content = b"IHDR" + struct.pack(">II5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + content + struct.pack(">I", zlib.crc32(content))


@pytest.mark.parametrize("tail", [bytes(100_000), bytes(range(200)) * 10_000], ids=["zeros", "film"])
def test_a_photo_with_a_film_behind_it_is_read(tmp_path: Path, tail: bytes) -> None:
    """As phones keep motion photos."""
    path = tmp_path / "motion.jpg"
    path.write_bytes(encoded(".jpg") + tail)
    assert read_picture(path).shape == (64, 96, 3)
    check_picture(path)


def test_a_photo_with_a_long_note_before_its_size_is_read(tmp_path: Path) -> None:
    """As with a depth map; a picture in the note does not make a photo whole of which the end is missing."""
    plain = encoded(".jpg", NOISE)
    note = (b"\xff\xe1" + struct.pack(">H", 65535) + encoded(".jpg").ljust(65533, b"x")) * 17
    path = tmp_path / "depth.jpg"
    path.write_bytes(plain[:2] + note + plain[2:])
    assert read_picture(path).shape == (400, 400, 3)
    check_picture(path)
    assert len(list(open_source(path))) == 1
    path.write_bytes(plain[:2] + note + plain[2:30_000])
    with pytest.raises(SourceError, match="damaged or cut off"):
        read_picture(path)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
def test_the_header_gives_the_size_without_decoding(suffix: str) -> None:
    """Each known format tells its size before anything is decoded."""
    header = PictureHeader.parse(encoded(suffix))

    assert header is not None
    assert header.kind.lower()[:3] == {".jpg": "jpe"}.get(suffix, suffix[1:4])
    # OpenCV writes a TIFF's directory behind the pixels, and it is found there.
    assert (header.width, header.height) == (96, 64)


@pytest.mark.parametrize("suffix", [".jpg", ".png", ".webp", ".bmp", ".tiff"])
def test_a_picture_is_read_as_it_was_written(tmp_path: Path, suffix: str) -> None:
    """A photo of each format comes back with its pixels in blue, green, red."""
    path = tmp_path / f"a{suffix}"
    path.write_bytes(encoded(suffix))

    bgr = read_picture(path)

    assert bgr.shape == (64, 96, 3)
    assert bgr.dtype == np.uint8
    assert np.abs(bgr.astype(int) - gradient()).mean() < 12


@pytest.mark.parametrize(("orientation", "turns"), [(1, 0), (6, 3), (3, 2), (8, 1)])
def test_the_orientation_note_is_followed(tmp_path: Path, orientation: int, turns: int) -> None:
    """A phone held upright stores its photo lying down, with a note: the photo is turned upright."""
    path = tmp_path / "phone.jpg"
    path.write_bytes(turned(orientation))

    upright = np.rot90(gradient(), turns)

    assert read_picture(path).shape == upright.shape
    assert np.abs(read_picture(path).astype(int) - upright).mean() < 12


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("none.jpg", b"", "0 bytes"),
        ("text.jpg", b"dear diary\n" * 20, "not a picture"),
        ("phone.jpg", b"\0\0\0\x18ftypheic\0\0\0\0", "HEIC"),
        ("cut.jpg", encoded(".jpg", NOISE)[:9000], "cut off"),
        ("cut.png", encoded(".png")[:100], "damaged or cut off"),
        ("large.png", huge_png(10_000, 10_000), f"100 megapixels; the limit is {MAX_MEGAPIXELS}"),
    ],
)
def test_an_unfit_picture_is_named_with_its_fault(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, content: bytes, words: str
) -> None:
    """Empty, text, HEIC, cut off, too large: one message with the file and the fault, no library noise."""
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(SourceError) as caught:
        read_picture(path)

    assert str(path) in str(caught.value)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_a_missing_picture_is_named(tmp_path: Path) -> None:
    """A path that leads nowhere says so."""
    with pytest.raises(SourceError, match=r"gone\.jpg: no such file"):
        read_picture(tmp_path / "gone.jpg")


def test_a_picture_without_permission_is_named(tmp_path: Path) -> None:
    """A file that may not be read says so, which is not the same as missing."""
    path = tmp_path / "secret.jpg"
    path.write_bytes(encoded(".jpg"))
    path.chmod(0)
    tmp_path.chmod(0o755)
    for parent in tmp_path.parents[:2]:
        parent.chmod(0o755)

    with as_nobody(), pytest.raises(SourceError, match="no permission"):
        read_picture(path)


def test_a_folder_is_listed_in_numeric_order(tmp_path: Path) -> None:
    """`2.jpg` comes before `10.jpg`, and what is no picture is left out."""
    for name in ("10.jpg", "2.jpg", "1.PNG", "notes.txt"):
        (tmp_path / name).write_bytes(b"x")

    assert [path.name for path in pictures_in(tmp_path)] == ["1.PNG", "2.jpg", "10.jpg"]


def test_signs_that_look_like_digits_are_letters(tmp_path: Path) -> None:
    """`²` counts nothing."""
    for name in ("1²2.jpg", "①.jpg"):
        (tmp_path / name).write_bytes(b"x")

    assert len(pictures_in(tmp_path)) == 2


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    """A folder without pictures is a fault, not an empty answer."""
    with pytest.raises(SourceError, match="holds no picture"):
        pictures_in(tmp_path)


@pytest.mark.parametrize(
    ("kind", "what"),
    [(np.float32, "32-bit floating-point numbers"), (np.float64, "64-bit floating-point numbers")],
)
@pytest.mark.parametrize("grey", [False, True], ids=["colour", "grey"])
def test_a_tiff_of_other_numbers_is_refused_by_them(
    kind: type, what: str, grey: bool, tmp_path: Path
) -> None:
    """It is whole, and not called damaged."""
    path = tmp_path / "a.tiff"
    picture = (gradient()[..., 2] if grey else gradient()).astype(kind)
    assert cv2.imwrite(str(path), picture)
    with pytest.raises(SourceError, match=f"a.tiff: a TIFF picture of {what} cannot be read; save it as PNG"):
        read_picture(path)


def test_a_tiff_in_other_colours_is_refused(tmp_path: Path) -> None:
    """They would be taken for blue, green and red."""
    data = bytearray(encoded(".tiff"))
    (directory,) = struct.unpack("<I", data[4:8])
    (entries,) = struct.unpack("<H", data[directory : directory + 2])
    for at in range(directory + 2, directory + 2 + 12 * entries, 12):
        if struct.unpack("<H", data[at : at + 2]) == (262,):
            data[at + 8 : at + 10] = struct.pack("<H", 8)
    path = tmp_path / "lab.tiff"
    path.write_bytes(data)
    with pytest.raises(SourceError, match=r"in L\*a\*b\* colours cannot be read"):
        read_picture(path)


@pytest.mark.parametrize("suffix", [".png", ".tiff"])
def test_sixteen_bits_are_read_as_eight(suffix: str, tmp_path: Path) -> None:
    """Black stays black, and white white."""
    path = tmp_path / f"a{suffix}"
    path.write_bytes(encoded(suffix, gradient().astype(np.uint16) * 257))
    assert np.abs(read_picture(path).astype(int) - gradient()).max() <= 1


def test_of_a_picture_that_can_be_seen_through_the_colours_are_read(tmp_path: Path) -> None:
    """What lies below it nobody knows."""
    path = tmp_path / "a.png"
    path.write_bytes(encoded(".png", np.dstack([gradient(), np.zeros((64, 96), np.uint8)])))
    assert (read_picture(path) == gradient()).all()


def test_the_terminal_is_heard_again_after_pictures_read_side_by_side(tmp_path: Path) -> None:
    """Each reading keeps it quiet for itself; the second does not take that quiet for the terminal."""
    path = tmp_path / "cut.jpg"
    path.write_bytes(encoded(".jpg", np.tile(NOISE, (4, 4, 1)))[:-9000])
    before = os.fstat(2)

    def read_some(_: int) -> None:
        for _ in range(5):
            with pytest.raises(SourceError):
                read_picture(path)

    with ThreadPoolExecutor(4) as readers:
        list(readers.map(read_some, range(4)))
    after = os.fstat(2)
    assert (after.st_dev, after.st_ino) == (before.st_dev, before.st_ino)
