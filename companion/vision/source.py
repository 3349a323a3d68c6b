"""Where frames come from: files and folders read whole, recordings at their own speed, cameras live."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from os.path import exists, isdir, isfile
from pathlib import Path
from types import TracebackType
from typing import Protocol, Self

import cv2
import numpy as np

from companion.table.detection import Frame
from companion.vision.container import Container
from companion.vision.fault import SourceError
from companion.vision.picture import PictureHeader, check_picture, pictures_in, read_picture
from companion.vision.raspberry import raspberry_number

__all__ = [
    "MOST_MISSED_S",
    "FolderSource",
    "FrameSource",
    "PacedSource",
    "VideoSource",
    "is_live",
    "open_paced",
    "open_source",
]

# The C libraries report every damaged block on stderr; callers of this module get one exception instead.
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")
cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)

MOST_MISSED_S = 0.25
"""So much of a recording may be missed at once; a card is laid, and drawn, in little more."""
_MOTION_JPEG = (".mjpeg", ".mjpg")
"""A film of JPEG pictures one after another begins as one picture does; its name tells that more follow."""
PICTURE_RATE = 5.0
"""Pictures a second that a folder stands for."""


class FrameSource(Protocol):
    """Frames in their order, once; used as a context manager."""

    @property
    def name(self) -> str:
        """What it is, for messages."""

    @property
    def frames(self) -> int | None:
        """How many there will be, where that is known beforehand; containers may be off by a few."""

    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def close(self) -> None:
        """Let go of what is held."""

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames.

        Raises:
            SourceError: The source ended before its end, or cannot be read on.
        """


def is_live(spec: str | Path | int) -> bool:
    """Say whether `spec` names a camera.

    That is a device index, a device file, a Raspberry Pi's camera module, or a URL, but none of a file.
    """
    text = str(spec)
    if raspberry_number(text) is not None:
        return True
    if text.startswith("/dev/"):
        return not isfile(text) and not isdir(text)  # a disk in memory lies there too
    return text.isdecimal() or ("://" in text and not text.startswith("file:"))


def open_source(spec: str | Path | int, lost: Callable[[str], None] = lambda why: None) -> FrameSource:
    """Open a camera, a video file, a folder of pictures, or one picture.

    A file is read as fast as it can be processed, every frame, on the video's own clock. A folder's
    pictures are taken in the order of their names, `PICTURE_RATE` a second. A camera (device index,
    `/dev/video0`, `rpicam`, `rtsp://`, `http://`) gives its newest frame and drops those that came between;
    `lost` is told when it gives none any more, as `LiveSource` does.

    Raises:
        SourceError: The message names `spec` and what is wrong with it.
    """
    if is_live(spec):
        from companion.vision.camera import LiveSource

        return LiveSource(spec, lost=lost)
    path = _named(spec)
    if isdir(path):  # other than `Path.is_dir`, no error where the folder above may not be searched
        return FolderSource(path)
    if _is_picture(path):
        check_picture(path)
        return FolderSource(path, (path,))
    return VideoSource(path)


def open_paced(path: str | Path) -> PacedSource:
    """Open a recording to be played at its own speed, as if it were a camera.

    Raises:
        SourceError: As `open_source`.
    """
    return PacedSource(VideoSource(_named(path)))


def _named(spec: str | Path | int) -> Path:
    """The path that `spec` names; an empty text would be the folder one is in."""
    if spec == "":
        raise SourceError("'' names no camera, file or folder")
    path = Path(str(spec))
    if exists(path) and not (isfile(path) or isdir(path)):  # a pipe would be waited for, for ever
        raise SourceError(f"{path}: neither a file nor a folder")
    return path


def _is_picture(path: Path) -> bool:
    if path.suffix.lower() in _MOTION_JPEG:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(1 << 20)
            # a photo's size may stand behind a long note
            return head.startswith(b"\xff\xd8\xff") or PictureHeader.parse(head) is not None
    except OSError:
        return False


class _Closing:
    """A source that is closed when its `with` block ends."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of what is held; iterating afterwards gives nothing."""


class FolderSource(_Closing):
    """A folder's pictures as frames, `PICTURE_RATE` of them a second."""

    def __init__(self, folder: Path, pictures: tuple[Path, ...] | None = None) -> None:
        self._pictures = pictures_in(folder) if pictures is None else pictures
        self.name = str(folder)
        self.frames: int | None = len(self._pictures)

    def __iter__(self) -> Iterator[Frame]:
        """Yield each picture, turned upright; one that cannot be read ends the run with its name."""
        for index, path in enumerate(self._pictures):
            yield Frame(read_picture(path), index / PICTURE_RATE, index)


class VideoSource(_Closing):
    """A video file's frames, all of them, on the video's own clock."""

    def __init__(self, path: Path) -> None:
        """Open the file and look at its structure.

        Raises:
            SourceError: Missing, not readable, empty, no video, cut off so that no frame can be read, or
                called by what is no text.
        """
        self._path = path
        self.name = str(path)
        self._container = _container(path)
        self._capture = cv2.VideoCapture(_spelt(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            raise SourceError(f"{path}: not a video that can be read (its contents are not known)")
        count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self.frames: int | None = count if count > 0 else None
        rate = float(self._capture.get(cv2.CAP_PROP_FPS))
        self.rate = rate if 0.1 <= rate <= 1000 else 25.0

    def close(self) -> None:
        """Release the decoder."""
        self._capture.release()

    def __iter__(self) -> Iterator[Frame]:
        """Yield the frames; the last one of a file whose end is missing is damaged and left out."""
        read = 0
        held: Frame | None = None
        clock = _Clock(self.rate)
        while True:
            found, picture = self._capture.read()
            if not found:
                break
            frame = Frame(np.asarray(picture, np.uint8), clock.at(self._milliseconds(), read), read)
            read += 1
            if not self._container.missing:
                yield frame
            else:
                if held is not None:
                    yield held
                held = frame
        self._check_end(read)

    def _milliseconds(self) -> float:
        return float(self._capture.get(cv2.CAP_PROP_POS_MSEC))

    def _check_end(self, read: int) -> None:
        """Raise where the file ended before its end."""
        if read == 0:
            raise SourceError(f"{self._path}: no frame of this video can be read")
        usable = read - 1 if self._container.missing else read
        announced = f" of {self.frames}" if self.frames else ""
        if self._container.missing:
            raise SourceError(
                f"{self._path}: the video is cut off: {usable}{announced} frames can be read,"
                f" {self._container.missing} bytes are missing"
            )
        if self.frames and read < 0.9 * self.frames and (self.frames - read) / self.rate > 1.0:
            raise SourceError(
                f"{self._path}: the video is damaged: only {read}{announced} frames can be read"
            )


def _container(path: Path) -> Container:
    """Look at a file from outside, and refuse what cannot be a video."""
    try:
        with path.open("rb") as file:
            head = file.read(512)
        container = Container.of(path)
    except FileNotFoundError as error:
        raise SourceError(f"{path}: no such file or folder") from error
    except PermissionError as error:
        raise SourceError(f"{path}: no permission to read it") from error
    except OSError as error:
        raise SourceError(f"{path}: {error.strerror or error}") from error
    if not head:
        raise SourceError(f"{path}: the file is empty (0 bytes)")
    if all(byte >= 0x20 or byte in b"\t\n\r\f" for byte in head):
        raise SourceError(f"{path}: not a video: the file holds text")
    if container.kind == "MP4" and not container.index:
        raise SourceError(
            f"{path}: the video is cut off: its index (moov) would stand at the end, which is missing;"
            " no frame can be read"
        )
    return container


def _spelt(path: Path) -> str:
    """The path as OpenCV takes it, which ends the program where that is no text."""
    whole = str(path.absolute())  # of a name with a colon FFmpeg would take the beginning for a protocol
    try:
        whole.encode()
    except UnicodeEncodeError as error:
        raise SourceError(f"{path}: names of videos and their folders must be UTF-8; rename it") from error
    return whole


class _Clock:
    """Times of frames from the container's timestamps, where those rise; from the frame rate where not."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._first: float | None = None
        self._last = -1.0

    def at(self, milliseconds: float, index: int) -> float:
        """Seconds since the first frame; always later than the frame before."""
        if self._first is None:
            self._first = milliseconds
        seconds = (milliseconds - self._first) / 1000
        if index and seconds <= self._last:
            seconds = self._last + 1 / self._rate
        self._last = seconds
        return seconds


class PacedSource(_Closing):
    """A recording played at its own speed: whoever is slow misses frames, as before a camera.

    More than `MOST_MISSED_S` of it nobody misses at once: to whoever is slower than that it is played
    slower. `Frame.index` counts the recording's frames, so gaps tell what was missed. The clock is an
    argument for tests; both functions take or give seconds.
    """

    def __init__(
        self,
        recording: VideoSource,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._recording = recording
        self._now = now
        self._sleep = sleep
        self.name = recording.name
        self.frames = recording.frames

    def close(self) -> None:
        """Close the recording."""
        self._recording.close()

    def __iter__(self) -> Iterator[Frame]:
        """Yield each frame when its time has come, and the newest one where several have."""
        started, given = self._now(), 0.0
        waiting: Frame | None = None
        try:
            for frame in self._recording:
                if waiting is not None:
                    played = self._now() - started
                    newest, needed = frame.time > played, frame.time > given + MOST_MISSED_S
                    if needed and not newest:
                        started += played - waiting.time
                    if needed or newest:
                        given = waiting.time
                        yield waiting
                early = frame.time - (self._now() - started)
                if early > 0:
                    self._sleep(early)
                waiting = frame
        except SourceError:
            if waiting is not None:
                yield waiting
            raise
        if waiting is not None:
            yield waiting
