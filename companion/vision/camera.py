"""A camera in its own process: only the newest frame is kept, and a stuck camera is started anew.

Reading a camera blocks, now and then for ever: a cable comes loose, a Wi-Fi camera sleeps. So the
reading happens in a process of its own, which can be ended from outside. Frames cross over in
shared memory: the process writes them into a ring of slots and rings a bell; whoever takes
frames gets the newest and never waits behind a queue of old ones.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from multiprocessing.connection import Connection, wait
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from types import TracebackType
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.table.detection import Frame
from companion.vision.cameras import camera_shown, cameras
from companion.vision.fault import SourceError
from companion.vision.raspberry import RaspberryCamera, raspberry_number
from companion.vision.size import SameSize

__all__ = ["CameraHealth", "CameraOptions", "CameraState", "LiveSource"]

_SLOTS = 3
_HEAD = struct.Struct("<qd")  # number of the frame from 1 (-1: being written), seconds
_HEAD_BYTES = 64  # head of a slot, rounded up so that the pixels start on a cache line
_END_S = 2.0
"""A process that has not ended by then is killed; one that reads a module's tool has to end that before."""
_STOP_S = 0.5
"""A picture that is waited for comes within this time, or the camera is let go of with the process."""
_DAMAGED = 0.8
"""Share of `stall_s` after which a camera that sends damaged pictures alone is given up: the process says why
before it is ended, and ends where nobody is left who would end it."""

_Read = tuple[int, float, object]
"""How many pictures came since one was read, when the last one came, seconds, and its data."""


class CameraState(Enum):
    """How the camera does."""

    STARTING = "starting"
    RUNNING = "running"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """What can be said of the camera now.

    Attributes:
        state: See `CameraState`.
        reason: Why it is lost, in words; empty while it runs.
        restarts: How often it was started anew.
    """

    state: CameraState
    reason: str = ""
    restarts: int = 0


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """How a camera is asked and watched.

    Attributes:
        width: Wanted width in pixels; a device may answer with another.
        height: Wanted height in pixels.
        rate: Wanted frames a second.
        first_frame_s: How long the first frame may take before the camera counts as absent.
        stall_s: How long no frame may come before the camera is started anew.
        back_off_s: Wait before the first new start; doubles with each in a row.
        back_off_limit_s: The longest wait.
    """

    width: int = 1280
    height: int = 720
    rate: float = 30.0
    first_frame_s: float = 15.0
    stall_s: float = 5.0
    back_off_s: float = 0.5
    back_off_limit_s: float = 30.0


class LiveSource:
    """A camera's newest frames; iterating blocks until there is one newer than the last.

    `Frame.time` counts from the first frame and goes on over restarts. `Frame.index` counts the
    frames the camera gave, so gaps tell how many were dropped.
    """

    def __init__(
        self,
        spec: str | Path | int,
        options: CameraOptions | None = None,
        lost: Callable[[str], None] = lambda why: None,
    ) -> None:
        """Start the camera's process and wait for its first frame.

        Args:
            spec: See `open_source`.
            options: How it is asked and watched.
            lost: Is told, by whoever iterates, that no frame comes any more, and why, before the camera is
                started anew; what it raises ends the iteration.

        Raises:
            SourceError: There is no such camera, or it gives no frame.
        """
        self.name = f"camera {camera_shown(spec)}"
        self.frames: int | None = None
        self._spec = int(str(spec)) if str(spec).isdecimal() else str(spec)
        self._options = options or CameraOptions()
        self._lost = lost
        self._closed = threading.Event()
        self._restarts = 0
        self._health = CameraHealth(CameraState.STARTING)
        self._worker = _Worker(self._spec, self._options)
        self._first_time: float | None = None
        self._same = SameSize(self.name)
        self._given = 0  # number of the last frame given out, in its process
        self._base = 0  # frames of the processes before
        try:
            self._worker.wait_until_open(self._options.first_frame_s)
        except BaseException:  # a signal, too: the process would keep the camera
            self._worker.stop()
            raise
        self._health = CameraHealth(CameraState.RUNNING)

    @property
    def health(self) -> CameraHealth:
        """How the camera does now; may be asked from any thread."""
        return self._health

    @property
    def process_id(self) -> int | None:
        """The capture process, for whoever watches or tests it."""
        return self._worker.process_id

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process; a running iteration, in another thread too, ends within a fraction of a second."""
        self._closed.set()
        self._worker.stop()

    def __iter__(self) -> Iterator[Frame]:
        """Yield the newest frame whenever there is one, until `close`; restarts happen in between.

        Raises:
            SourceError: The camera came back with pictures of another shape.
        """
        heard = time.monotonic()
        while not self._closed.is_set():
            newest = self._worker.newest(self._given, timeout=0.1)
            if newest is not None:
                number, taken, bgr = newest
                self._given = number
                heard = time.monotonic()
                if self._health.state is not CameraState.RUNNING:
                    self._health = CameraHealth(CameraState.RUNNING, restarts=self._restarts)
                if self._first_time is None:
                    self._first_time = taken
                # a camera that was away may come back with another size
                yield Frame(self._same.of(bgr), taken - self._first_time, self._base + number - 1)
            elif (failure := self._worker.failure) is not None:
                self._restart(failure)
                heard = time.monotonic()
            elif time.monotonic() - heard > self._options.stall_s:
                self._restart(f"no frame for {self._options.stall_s:g} s")
                heard = time.monotonic()

    def _restart(self, reason: str) -> None:
        """Start the camera until it gives frames again, waiting longer each time."""
        pause = self._options.back_off_s
        self._health = CameraHealth(CameraState.LOST, reason, self._restarts)
        self._lost(f"{self.name}: {reason}")
        while not self._closed.is_set():
            self._health = CameraHealth(CameraState.LOST, reason, self._restarts)
            self._worker.stop()
            if self._closed.wait(pause):
                return
            pause = min(2 * pause, self._options.back_off_limit_s)
            self._restarts += 1
            self._base += self._given
            self._given = 0
            self._worker = _Worker(self._spec, self._options)
            try:
                self._worker.wait_until_open(self._options.first_frame_s, self._closed)
            except SourceError as error:
                reason = str(error)
            else:
                if not self._closed.is_set():
                    return
        self._worker.stop()  # `close` may have come while it was started, and ended the one before


class _Worker:
    """One run of the capture process, seen from outside; `stop` may be called from any thread."""

    def __init__(self, spec: str | int, options: CameraOptions) -> None:
        context = multiprocessing.get_context("spawn")  # threads run in this process: no fork
        self._bell, their_bell = context.Pipe(duplex=False)
        self._word, their_word = context.Pipe(duplex=False)
        self._memory: SharedMemory | None = None
        self._in_use = threading.RLock()
        """Guards memory and pipes: nobody lets go of them while a frame is copied, or a word waited for."""
        self._shape = (0, 0, 3)
        self._spec = spec
        self.failure: str | None = None
        self._reason = "stopped"
        """Of the failure, as `SourceError` has it."""
        self._process = context.Process(
            target=_capture, args=(spec, options, their_bell, their_word), name="camera", daemon=True
        )
        self._process.start()
        their_bell.close()
        their_word.close()

    @property
    def process_id(self) -> int | None:
        return self._process.pid

    def wait_until_open(self, timeout: float, closed: threading.Event | None = None) -> None:
        """Wait for the first frame.

        Raises:
            SourceError: None came, and why.
        """
        deadline = time.monotonic() + timeout
        while self._memory is None and self.failure is None:
            if time.monotonic() > deadline:
                self.failure, self._reason = f"no frame within {timeout:g} s", "silent"
            if closed is not None and closed.is_set():
                self.failure = "closed"
            self._listen(0.1)
        if self._memory is None:
            raise SourceError(f"camera {camera_shown(self._spec)}: {self.failure}", self._reason)

    def newest(self, after: int, timeout: float) -> tuple[int, float, NDArray[np.uint8]] | None:
        """The newest frame with a number above `after`: number from 1, seconds, (H, W, 3) uint8."""
        if (found := self._read(after)) is not None:
            return found
        self._listen(timeout)
        return self._read(after)

    def stop(self) -> None:
        """End the process and free its memory."""
        if self._process.is_alive():
            self._process.terminate()
            self._process.join(_END_S)
            if self._process.is_alive():
                self._process.kill()
                self._process.join()
        with self._in_use:
            self._listen(0.0)  # a word sent just before the end may name memory to free
            self._bell.close()
            self._word.close()
            if self._memory is not None:
                memory, self._memory = self._memory, None
                memory.close()

    def _listen(self, timeout: float) -> None:
        """Wait for the bell, a word, or the process's end, and take note of it."""
        with self._in_use:
            if not self._word.closed:
                self._hear(timeout)

    def _hear(self, timeout: float) -> None:
        waiting: list[Connection | int] = [self._word, self._process.sentinel]
        if self.failure is None:
            waiting.append(self._bell)
        ready = wait(waiting, timeout)
        if self._word in ready:
            try:
                self._take(self._word.recv())
            except (EOFError, OSError):
                self.failure = self.failure or "the capture process ended"
        elif self._process.sentinel in ready:
            self.failure = self.failure or "the capture process ended"
        if self._bell in ready:
            with contextlib.suppress(OSError):
                os.read(self._bell.fileno(), 65536)

    def _take(self, word: tuple[str, object]) -> None:
        kind, content = word
        if kind != "open":
            self.failure, self._reason = str(content), kind
        elif isinstance(content, tuple):
            name, self._shape = content
            self._memory = SharedMemory(name=name)
            self._memory.unlink()  # both have it: nobody has to be left who would free it

    def _read(self, after: int) -> tuple[int, float, NDArray[np.uint8]] | None:
        with self._in_use:
            return None if self._memory is None else self._copied(_view(self._memory), after)

    def _copied(self, view: memoryview, after: int) -> tuple[int, float, NDArray[np.uint8]] | None:
        size = _slot_bytes(self._shape)
        for _ in range(_SLOTS):
            heads = [_HEAD.unpack_from(view, slot * size) for slot in range(_SLOTS)]
            number, taken = max(heads)
            if number <= after:
                return None
            start = heads.index((number, taken)) * size
            pixels = np.ndarray(self._shape, np.uint8, view, start + _HEAD_BYTES).copy()
            if _HEAD.unpack_from(view, start) == (number, taken):  # not written over meanwhile
                return int(number), float(taken), pixels
        return None


def _slot_bytes(shape: tuple[int, int, int]) -> int:
    return _HEAD_BYTES + -(-shape[0] * shape[1] * shape[2] // 64) * 64


def _view(memory: SharedMemory) -> memoryview:
    if memory.buf is None:
        raise ValueError(f"shared memory {memory.name} is closed")
    return memory.buf


def _capture(spec: str | int, options: CameraOptions, bell: Connection, word: Connection) -> None:
    """The process: read the camera for ever, writing each frame into the next slot."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to all; the parent decides when to end
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)  # libraries report every damaged block here
    os.set_blocking(bell.fileno(), False)
    if raspberry_number(spec) is not None:  # a process of its own has that camera, and is ended first
        signal.signal(signal.SIGTERM, lambda *_: sys.exit())
    memory: SharedMemory | None = None
    pictures = _Pictures(spec, options)
    try:
        picture = pictures.next()
        if picture is None:
            word.send(_absence(spec, pictures.end))
            return
        shape = (int(picture.shape[0]), int(picture.shape[1]), 3)
        size = _slot_bytes(shape)
        try:
            memory = _ring(_SLOTS * size)
        except OSError as error:
            needs = f"its pictures take {_SLOTS * size / 1e6:.1f} MB of shared memory (/dev/shm)"
            word.send(("", f"{needs}: {error.strerror or error}"))
            return
        view = _view(memory)
        written = 0
        same = SameSize("")
        while (picture := _in_size(same, picture)) is not None and picture.shape == shape:
            start = (written % _SLOTS) * size
            _HEAD.pack_into(view, start, -1, 0.0)
            np.ndarray(shape, np.uint8, view, start + _HEAD_BYTES)[:] = picture
            _HEAD.pack_into(view, start, pictures.number, pictures.taken)
            if written == 0:
                word.send(("open", (memory.name, shape)))
            written += 1
            with contextlib.suppress(BlockingIOError):
                os.write(bell.fileno(), b"!")
            picture = pictures.next()
        word.send(("stopped", "its pictures changed size" if pictures.on else pictures.end))
    except BrokenPipeError:
        pass  # whoever took the frames is gone
    finally:
        pictures.close()
        if memory is not None:
            memory.close()


def _ring(size: int) -> SharedMemory:
    """Shared memory that is there in full: a page that is missing when it is touched ends the program.

    Raises:
        OSError: There is no room for it; Docker gives 64 MB, three pictures of 4K take more.
    """
    memory = SharedMemory(create=True, size=size)
    try:
        if sys.platform == "linux":
            file = os.open(f"/dev/shm/{memory.name}", os.O_RDWR)
            try:
                os.posix_fallocate(file, 0, size)
            finally:
                os.close(file)
    except OSError:
        memory.close()
        memory.unlink()
        raise
    return memory


def _seconds() -> float:
    """When a picture is taken, seconds that go on while the computer sleeps: then nobody looks."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


def _in_size(same: SameSize, bgr: NDArray[np.uint8] | None) -> NDArray[np.uint8] | None:
    """The picture in the size of the first; `None` where there is none, or it has another shape."""
    try:
        return None if bgr is None else same.of(bgr)
    except SourceError:
        return None


class _Pictures:
    """The pictures of a camera, one after the other, each in its own size.

    FFmpeg tells the size of a stream's first picture for ever, and draws out all others to it: those of a
    phone that is turned over come squashed. So pictures of Motion JPEG, which is what such phones send, are
    taken as they come and decoded here. Of a stream of another make that changes its size nobody hears.

    Attributes:
        on: Whether the last one came, in whatever size.
        end: Why none comes any more, in words.
        number: How many had come with the last one, those included that nobody had time to unpack.
        taken: When it came, seconds.
    """

    def __init__(self, spec: str | int, options: CameraOptions) -> None:
        self.on = False
        self.end = "it gives no frames any more"
        self.number, self.taken = 0, 0.0
        self._patience_s = _DAMAGED * options.stall_s
        self._first: NDArray[np.uint8] | None = None
        self._packed = False
        capture = self._capture = _open(spec, options)
        if isinstance(capture, RaspberryCamera):
            self._packed = True
        elif capture.isOpened() and isinstance(spec, str) and "://" in spec:
            if int(capture.get(cv2.CAP_PROP_FOURCC)) == cv2.VideoWriter.fourcc(*"MJPG"):
                self._packed = capture.set(cv2.CAP_PROP_FORMAT, -1)
            if self._packed:
                found, data = capture.read()
                self._first = _unpacked(data) if found else None
                if found and self._first is None:  # of another make than most
                    capture.release()
                    self._capture, self._packed = _open(spec, options), False
        self._newest = _Newest(self._capture) if self._packed else None

    def close(self) -> None:
        """Let go of the camera."""
        if isinstance(self._capture, RaspberryCamera) or self._newest is None or self._newest.stop():
            self._capture.release()

    def next(self) -> NDArray[np.uint8] | None:
        """The next picture, (H, W, 3) uint8, blue green red; `None` where none comes any more."""
        picture, self._first = self._first, None
        if picture is not None:
            self.number, self.taken = 1, _seconds()
        began = time.monotonic()
        while picture is None:
            if time.monotonic() - began > self._patience_s:
                self.end = "its pictures are damaged"
                break
            read = self._read() if self._newest is None else self._newest.take()
            if read is None:
                if isinstance(self._capture, RaspberryCamera):
                    self.end = self._capture.complaint or self.end
                break
            came, self.taken, data = read
            self.number += came
            # what is damaged is left out
            picture = _unpacked(data) if self._packed else np.asarray(data, np.uint8)
        self.on = picture is not None
        return picture

    def _read(self) -> _Read | None:
        found, data = self._capture.read() if self._capture.isOpened() else (False, None)
        return None if not found or data is None else (1, _seconds(), data)


class _Newest:
    """What a camera sent last, taken as it comes by a thread of its own.

    A slow computer, or one that has other work, does not unpack each picture before the next one is there.
    Those that wait in the network's buffers would come later and later, with the time at which they are read.
    """

    def __init__(self, capture: cv2.VideoCapture | RaspberryCamera) -> None:
        """Begin to take what `capture` gives; nobody else reads it any more."""
        self._capture = capture
        self._changed = threading.Condition()
        """Guards what follows."""
        self._last: tuple[float, object] | None = None
        """When it came, and what it is, where it was not taken yet."""
        self._came = 0
        """How many came since one was taken."""
        self._ended = False
        self._thread = threading.Thread(target=self._receive, name="pictures", daemon=True)
        self._thread.start()

    def take(self) -> _Read | None:
        """Wait for what was not taken yet; `None` where nothing comes any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._last is not None or self._ended)
            if self._last is None:
                return None
            read = self._came, *self._last
            self._last, self._came = None, 0
            return read

    def stop(self) -> bool:
        """Read no more; whether that has ended, so that the camera may be let go of."""
        with self._changed:
            self._ended = True
        self._thread.join(_STOP_S)
        return not self._thread.is_alive()

    def _receive(self) -> None:
        try:
            while not self._ended and self._capture.isOpened():
                found, data = self._capture.read()
                if not found or data is None:
                    break
                with self._changed:
                    self._last, self._came = (_seconds(), data), self._came + 1
                    self._changed.notify()
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify()


def _unpacked(data: object) -> NDArray[np.uint8] | None:
    """A picture of Motion JPEG, decoded; `None` where it is damaged."""
    try:
        bgr = cv2.imdecode(
            np.asarray(data, np.uint8).ravel(), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
        )
    except cv2.error:
        return None
    return None if bgr is None else np.asarray(bgr, np.uint8)


def _open(spec: str | int, options: CameraOptions) -> cv2.VideoCapture | RaspberryCamera:
    if (number := raspberry_number(spec)) is not None:
        return RaspberryCamera(number, options.width, options.height, options.rate)
    if isinstance(spec, str) and "://" in spec:
        limit = int(1000 * options.first_frame_s)
        stall = int(1000 * options.stall_s)
        settings = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit, cv2.CAP_PROP_READ_TIMEOUT_MSEC, stall]
        return cv2.VideoCapture(spec, cv2.CAP_FFMPEG, settings)
    capture = cv2.VideoCapture(spec)
    if capture.isOpened():
        # Uncompressed 1280x720 does not fit through USB 2 at 30 frames a second; Motion JPEG does.
        capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        capture.set(cv2.CAP_PROP_FRAME_WIDTH, options.width)
        capture.set(cv2.CAP_PROP_FRAME_HEIGHT, options.height)
        capture.set(cv2.CAP_PROP_FPS, options.rate)
        capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
    return capture


def _absence(spec: str | int, end: str) -> tuple[str, str]:
    """Return why nothing answers at all: its reason as `SourceError` has it, and the words."""
    if raspberry_number(spec) is not None:
        return "absent", end
    if isinstance(spec, int):
        found = cameras() if sys.platform.startswith("linux") else ()
        named = ", ".join(f"{camera} ({make})" if make else camera for camera, make in found)
        known = f"found: {named}" if found else "no camera was found"
        return "absent", f"no camera answers at this index ({known})"
    if spec.startswith("/dev/"):
        return "absent", "no camera answers there" if Path(spec).exists() else "no such device"
    return "address", "nothing that can be shown answers at this address"
