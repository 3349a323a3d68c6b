"""Frame sources: every frame of a file on its own clock, and a clear word for each unfit one."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.table.detection import Frame
from companion.vision.container import Container
from companion.vision.source import (
    MOST_MISSED_S,
    FrameSource,
    PacedSource,
    SourceError,
    VideoSource,
    is_live,
    open_paced,
    open_source,
)
from tests.vision.test_picture import as_nobody, encoded, huge_png, turned

RATE = 10.0
SIZE = (160, 120)


def numbered(index: int) -> np.ndarray:
    """A frame that carries its number as the place of a white bar."""
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    picture[:48, 4 * index : 4 * index + 4] = 255
    rng = np.random.default_rng(index)
    picture[60:] = rng.integers(0, 255, (60, SIZE[0], 3), np.uint8)  # so that frames take up room
    return picture


def number_of(frame: Frame) -> int:
    """The number that `numbered` wrote, read back through compression."""
    columns = frame.bgr[:40].mean(axis=(0, 2))
    return int(columns.reshape(-1, 4).sum(axis=1).argmax())


def record(path: Path, frames: int = 40, codec: str = "mp4v") -> Path:
    """Write a video of numbered frames."""
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*codec), RATE, SIZE)
    assert writer.isOpened()
    for index in range(frames):
        writer.write(numbered(index))
    writer.release()
    return path


def index_first(path: Path) -> Path:
    """Move an MP4's index before its pictures, as streaming services store it."""
    data = path.read_bytes()
    boxes: dict[bytes, bytes] = {}
    at = 0
    while at < len(data):
        length = int.from_bytes(data[at : at + 4], "big")
        boxes[data[at + 4 : at + 8]] = data[at : at + length]
        at += length
    moov = bytearray(boxes[b"moov"])
    table = moov.index(b"stco")
    for entry in range(int.from_bytes(moov[table + 8 : table + 12], "big")):
        where = table + 12 + 4 * entry
        moved = int.from_bytes(moov[where : where + 4], "big") + len(moov)
        moov[where : where + 4] = moved.to_bytes(4, "big")
    path.write_bytes(boxes[b"ftyp"] + bytes(moov) + boxes.get(b"free", b"") + boxes[b"mdat"])
    return path


def cut(path: Path, share: float) -> Path:
    """Keep only the beginning of a file."""
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    return path


def drained(path: Path) -> tuple[list[Frame], str]:
    """All frames that the source gives, and the words with which it ends; empty where it ends well."""
    frames: list[Frame] = []
    with open_source(path) as source:
        try:
            frames.extend(source)
        except SourceError as error:
            return frames, str(error)
    return frames, ""


@pytest.mark.parametrize(("suffix", "codec"), [(".mp4", "mp4v"), (".avi", "MJPG"), (".mkv", "mp4v")])
def test_a_video_gives_every_frame_on_its_own_clock(tmp_path: Path, suffix: str, codec: str) -> None:
    """A file is read whole, in order, each frame at its time in the video."""
    path = record(tmp_path / f"a{suffix}", codec=codec)

    with open_source(path) as source:
        frames = list(source)

    assert source.frames == 40
    assert [number_of(frame) for frame in frames] == list(range(40))
    assert [frame.index for frame in frames] == list(range(40))
    assert [frame.time for frame in frames] == pytest.approx([index / RATE for index in range(40)], abs=2e-3)
    assert frames[0].bgr.dtype == np.uint8


def test_a_name_with_a_colon_is_no_protocol(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever names a film by its time may watch it from its own folder."""
    record(tmp_path / "a.mp4").rename(tmp_path / "abend-20:15.mp4")
    monkeypatch.chdir(tmp_path)

    with open_source("abend-20:15.mp4") as source:
        assert source.frames == 40


@pytest.mark.parametrize(("suffix", "codec"), [(".mp4", "mp4v"), (".avi", "MJPG"), (".mkv", "mp4v")])
def test_a_video_cut_off_gives_what_it_holds_and_then_says_so(
    tmp_path: Path, suffix: str, codec: str
) -> None:
    """The frames before the cut come whole and in order; then one error names file and fault."""
    path = record(tmp_path / f"a{suffix}", codec=codec)
    cut(index_first(path) if suffix == ".mp4" else path, 0.6)

    frames, error = drained(path)

    assert re.search(r"a\.\w+: the video is cut off: \d+ of 40 frames", error)
    assert "\n" not in error
    assert 15 < len(frames) < 30
    assert [number_of(frame) for frame in frames] == list(range(len(frames)))


def test_a_video_cut_before_its_index_says_so(tmp_path: Path) -> None:
    """An MP4 whose index would come last cannot be read at all once it is cut."""
    path = cut(record(tmp_path / "a.mp4"), 0.6)

    with pytest.raises(SourceError, match="cut off: its index"):
        open_source(path)


def test_a_whole_file_misses_nothing(tmp_path: Path) -> None:
    """The structure of whole files adds up, so that no whole file is called cut off."""
    for name, codec in (("a.mp4", "mp4v"), ("a.avi", "MJPG"), ("a.mkv", "mp4v")):
        path = record(tmp_path / name, codec=codec)
        assert Container.of(path).missing == 0
        assert Container.of(cut(path, 0.99)).missing > 0 or name == "a.mp4"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("diary.mp4", b"dear diary\n" * 100, "holds text"),
        ("none.mp4", b"", "0 bytes"),
        ("noise.mp4", bytes(range(256)) * 20, "not a video"),
        ("none.jpg", b"", "0 bytes"),
    ],
)
def test_an_unfit_file_is_named_with_its_fault(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    """Text, nothing, noise: refused when opened, by name."""
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(SourceError) as caught:
        open_source(path)

    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def test_a_video_whose_name_is_no_text_is_refused(tmp_path: Path) -> None:
    """As one from an old disk may be called, in another code; OpenCV would end the program."""
    path = tmp_path / "k\udcf6nig.mp4"
    path.write_bytes(bytes(range(256)) * 20)

    with pytest.raises(SourceError, match=r"k\udcf6nig\.mp4: names of videos .* must be UTF-8"):
        open_source(path)


def test_a_missing_file_and_an_empty_folder_are_named(tmp_path: Path) -> None:
    """Nothing there, and nothing in it, are two faults."""
    with pytest.raises(SourceError, match=r"gone\.mp4: no such file"):
        open_source(tmp_path / "gone.mp4")
    with pytest.raises(SourceError, match="holds no picture"):
        open_source(tmp_path)


@pytest.mark.parametrize("opener", [open_source, open_paced])
def test_an_empty_text_is_no_source(opener: Callable[[str], FrameSource]) -> None:
    """It is not the folder one happens to be in."""
    with pytest.raises(SourceError, match="'' names no camera, file or folder"):
        opener("")


@pytest.mark.parametrize("closed", ["a.mp4", "", ".."])
def test_what_may_not_be_read_is_named(tmp_path: Path, closed: str) -> None:
    """A video that may not be read, or lies in a folder that may not be searched, is not called missing."""
    inside = tmp_path / "inside"
    inside.mkdir()
    path = record(inside / "a.mp4", frames=3)
    for folder in (inside, tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    (inside / closed).chmod(0)

    with as_nobody(), pytest.raises(SourceError, match="no permission"):
        open_source(path)


def test_a_folder_that_may_not_be_listed_is_named(tmp_path: Path) -> None:
    """It is not called empty."""
    tmp_path.chmod(0)
    for folder in tmp_path.parents[:-2]:
        folder.chmod(0o755)

    with as_nobody(), pytest.raises(SourceError, match="no permission"):
        open_source(tmp_path)


def test_a_folder_is_read_in_order_at_a_nominal_rate(tmp_path: Path) -> None:
    """Pictures come by number in their name, five a second, turned upright."""
    (tmp_path / "10.jpg").write_bytes(turned(6))
    (tmp_path / "9.png").write_bytes(encoded(".png"))

    with open_source(tmp_path) as source:
        frames = list(source)

    assert source.frames == 2
    assert [frame.time for frame in frames] == [0.0, 0.2]
    assert [frame.bgr.shape[:2] for frame in frames] == [(64, 96), (96, 64)]


def test_a_single_picture_is_one_frame(tmp_path: Path) -> None:
    """A photo given by name is a source of one frame, whatever its ending."""
    path = tmp_path / "photo.dat"
    path.write_bytes(encoded(".jpg"))

    with open_source(path) as source:
        assert [frame.index for frame in source] == [0]


def test_a_note_behind_a_film_is_not_missing_of_it(tmp_path: Path) -> None:
    """Cameras write such things there; the film is whole, to its last frame."""
    path = record(tmp_path / "film.mp4")
    with path.open("ab") as film:
        film.write(b"taken by somebody on a Sunday")

    frames, error = drained(path)

    assert error == ""
    assert number_of(frames[-1]) == 39


@pytest.mark.parametrize("name", ["film.mjpeg", "FILM.MJPG"])
def test_pictures_one_after_another_are_a_film(tmp_path: Path, name: str) -> None:
    """As a Raspberry Pi's camera records them: all are given, not the first alone."""
    path = tmp_path / name
    path.write_bytes(b"".join(cv2.imencode(".jpg", numbered(index))[1].tobytes() for index in range(30)))

    frames, error = drained(path)

    assert error == ""
    assert [number_of(frame) for frame in frames] == list(range(30))


def test_a_bad_picture_in_a_folder_is_named(tmp_path: Path) -> None:
    """The pictures before it are given; the one that is too large is not decoded."""
    (tmp_path / "1.png").write_bytes(encoded(".png"))
    (tmp_path / "2.png").write_bytes(huge_png(20_000, 5_000))

    frames, error = drained(tmp_path)

    assert re.search(r"2\.png: 20000 x 5000 .* 100 megapixels", error)
    assert len(frames) == 1


def test_no_library_noise_reaches_the_terminal(tmp_path: Path) -> None:
    """A damaged file gives one exception and not a line of the decoder's own."""
    path = cut(index_first(record(tmp_path / "a.mp4")), 0.5)
    program = (
        "import sys\n"
        "from companion.vision.fault import SourceError\n"
        "from companion.vision.source import open_source\n"
        "try:\n"
        "    with open_source(sys.argv[1]) as source:\n"
        "        for frame in source: pass\n"
        "except SourceError as error: print(error)\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True
    )

    assert "cut off" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("spec", "live"),
    [
        (0, True),
        ("1", True),
        ("²", False),
        ("rtsp://cam/1", True),
        ("/dev/video0", True),
        ("file:///home/anna/a.mp4", False),
        ("a.mp4", False),
        (Path("1.mp4"), False),
    ],
)
def test_cameras_are_told_from_files(spec: str | Path | int, live: bool) -> None:
    """An index, a device file or a URL is a camera; anything else is a path."""
    assert is_live(spec) is live


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="no disk in memory")
def test_a_film_on_a_disk_in_memory_is_no_camera() -> None:
    """It is read whole, once; a camera would be started anew at its end, for ever."""
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        film = record(Path(folder) / "film.mp4")
        assert is_live("/dev/null")
        assert not is_live(folder)
        frames, error = drained(film)

    assert error == ""
    assert len(frames) == 40


class FakeClock:
    """A clock that moves only when someone sleeps or works."""

    def __init__(self) -> None:
        self.time = 100.0

    def now(self) -> float:
        """Seconds."""
        return self.time

    def sleep(self, seconds: float) -> None:
        """Let time pass."""
        self.time += seconds


def paced(path: Path, clock: FakeClock) -> PacedSource:
    """A recording played on the fake clock."""
    return PacedSource(VideoSource(path), now=clock.now, sleep=clock.sleep)


def test_a_paced_recording_is_played_at_its_own_speed(tmp_path: Path) -> None:
    """Whoever is quick gets every frame, none before its time."""
    clock = FakeClock()
    early = []

    with paced(record(tmp_path / "a.mp4"), clock) as source:
        indices = []
        for frame in source:
            indices.append(frame.index)
            early.append(frame.time > clock.time - 100.0 + 1e-9)

    assert indices == list(range(40))
    assert not any(early)


def watched(recording: Path, work_s: float) -> tuple[list[int], list[float]]:
    """Which frames somebody sees who needs so many seconds for each, and how late each comes."""
    clock = FakeClock()
    lags, indices = [], []
    with paced(recording, clock) as source:
        for frame in source:
            indices.append(frame.index)
            lags.append(clock.time - 100.0 - frame.time)
            clock.time += work_s
    return indices, lags


def test_a_paced_recording_drops_frames_for_the_slow(tmp_path: Path) -> None:
    """Whoever needs longer than a frame lasts gets the newest one each time and never falls behind."""
    indices, lags = watched(record(tmp_path / "a.mp4"), 0.16)
    assert 20 < len(indices) < 30
    assert max(lags[:-1]) < 2 / RATE  # after the last one nothing newer can come
    assert indices[-1] == 39


def test_a_paced_recording_waits_for_the_very_slow(tmp_path: Path) -> None:
    """A second a frame: too little would be seen of the table, and it is played slower instead."""
    indices, lags = watched(record(tmp_path / "a.mp4"), 1.0)
    assert len(indices) < 25
    assert max(two - one for one, two in pairwise(indices)) / RATE <= MOST_MISSED_S + 1e-9
    assert lags[-1] > 10
    assert indices[-1] == 39
