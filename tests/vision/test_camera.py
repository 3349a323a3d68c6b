"""A camera that stalls, ends or is not there: the newest frame, restarts, and a clear word."""

from __future__ import annotations

import errno
import multiprocessing
import os
import resource
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path

import cv2
import numpy as np
import pytest
from patience import until

import companion.vision.camera as camera_module
from companion.vision.camera import CameraOptions, CameraState, LiveSource
from companion.vision.cameras import camera_shown
from companion.vision.fault import SourceError
from companion.vision.source import open_source

QUICK = CameraOptions(first_frame_s=20.0, stall_s=1.0, back_off_s=0.05, back_off_limit_s=0.2)


class NetworkCamera(ThreadingHTTPServer):
    """A Motion JPEG camera on the loopback that can be told to stall or to hang up.

    Every frame is of one grey, 0 to 250, that rises by one and starts over.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Stream)
        self.stalled = threading.Event()
        self.hang_up = threading.Event()
        self.ended = threading.Event()
        self.callers = 0
        self.size = (120, 160)
        self.sent = 0
        self.broken: bytes | None = None

    @property
    def url(self) -> str:
        """Where the pictures are."""
        return f"http://127.0.0.1:{self.server_address[1]}/video.mjpg"


class _Stream(BaseHTTPRequestHandler):
    server: NetworkCamera

    def do_GET(self) -> None:
        """Send pictures until told otherwise."""
        camera = self.server
        camera.callers += 1
        camera.hang_up.clear()
        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        try:
            while not camera.hang_up.is_set() and not camera.ended.is_set():
                if not camera.stalled.is_set():
                    camera.sent += 1
                    grey = np.full((*camera.size, 3), camera.sent % 250, np.uint8)
                    picture = cv2.imencode(".jpg", grey)[1].tobytes()
                    picture = picture if camera.broken is None else camera.broken
                    head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(picture)}\r\n\r\n"
                    self.wfile.write(head.encode() + picture + b"\r\n")
                time.sleep(0.02)
        except OSError:
            return

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Keep quiet."""


@pytest.fixture
def camera() -> Iterator[NetworkCamera]:
    """A camera that runs for the length of one test."""
    server = NetworkCamera()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    yield server
    server.ended.set()
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_camera_gives_its_newest_frame_and_drops_the_rest(camera: NetworkCamera) -> None:
    """Whoever comes back late gets what is there now; the gap in the index tells what was dropped."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        first = next(frames)
        before = camera.sent
        until(lambda: camera.sent >= before + 60)
        late = next(frames)
        later = next(frames)

    assert first.bgr.shape == (120, 160, 3)
    assert first.time == 0.0
    assert first.time < late.time < later.time
    assert late.index - first.index > 30
    assert later.index > late.index
    # The picture itself is a new one: not the oldest that waited.
    assert (int(late.bgr.mean()) - before) % 250 > 20


def test_a_computer_that_is_slow_to_unpack_pictures_unpacks_the_newest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Ten come in the time that one takes: no backlog grows, all are counted, and each has its own time."""
    sent: list[float] = []

    class Sending:
        """A camera that sends a picture every five milliseconds, to whoever reads it or into a buffer."""

        def __init__(self) -> None:
            self._began, self._read, self._open = time.monotonic(), 0, True

        def isOpened(self) -> bool:  # noqa: N802
            """Until it is let go of."""
            return self._open

        def read(self) -> tuple[bool, int]:
            """The oldest that was not read: its number, from 0."""
            time.sleep(max(0.0, self._began + 0.005 * self._read - time.monotonic()))
            sent.append(camera_module._seconds())
            self._read += 1
            return True, self._read - 1

        def release(self) -> None:
            """End."""
            self._open = False

    def unpacked(data: int) -> np.ndarray:
        time.sleep(0.05)
        return np.full((2, 2, 3), data, np.int64)

    monkeypatch.setattr(camera_module, "_open", lambda *_: Sending())
    monkeypatch.setattr(camera_module, "RaspberryCamera", Sending)
    monkeypatch.setattr(camera_module, "_unpacked", unpacked)
    pictures = camera_module._Pictures("rpicam", QUICK)
    for _ in range(10):
        picture = pictures.next()
        assert picture is not None
        number = int(picture[0, 0, 0])
        assert pictures.number == number + 1
        assert pictures.taken == pytest.approx(sent[number], abs=0.02)
        newest = len(sent) - 1
    pictures.close()

    assert number > 50
    assert newest - number < 40


def test_a_camera_that_hangs_up_is_called_again(camera: NetworkCamera) -> None:
    """The end of the stream is not the end: the same iteration goes on, the clock too."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        first = next(frames)
        camera.hang_up.set()
        while camera.callers < 2:
            last = next(frames)
        again = next(frame for frame in frames if frame.time > last.time)

    assert again.time > first.time
    assert again.index > first.index
    assert source.health.restarts >= 1
    assert source.health.state is CameraState.RUNNING


@pytest.mark.parametrize(("size", "same"), [((60, 80), True), ((240, 320), True), ((160, 120), False)])
def test_a_camera_that_comes_back_with_another_size_shows_the_table_as_before_or_ends(
    camera: NetworkCamera, size: tuple[int, int], same: bool
) -> None:
    """Of the same shape it is drawn to the size of before; turned, whoever reads it must begin anew."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        first = next(frames)
        camera.size = size
        camera.hang_up.set()
        if same:
            while camera.callers < 2:
                last = next(frames)
            again = next(frame for frame in frames if frame.time > last.time)
            assert again.bgr.shape == first.bgr.shape
        else:
            with pytest.raises(SourceError, match="160 x 120 pixels and are 120 x 160 now"):
                for _ in frames:
                    pass


def test_a_camera_that_is_turned_over_as_it_looks_on_is_noticed(camera: NetworkCamera) -> None:
    """A phone goes on in the same connection: its pictures are not squashed into the size of before."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        next(frames)
        camera.size = (160, 120)
        with pytest.raises(SourceError, match="160 x 120 pixels and are 120 x 160 now"):
            for _ in frames:
                pass


def test_a_camera_that_sends_smaller_pictures_for_a_while_is_not_called_again(camera: NetworkCamera) -> None:
    """Of the same shape they show the table as before."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        first = next(frames)
        for size in ((60, 80), (120, 160)):
            camera.size, sent = size, camera.sent
            while camera.sent < sent + 20:
                last = next(frames)
            assert last.bgr.shape == first.bgr.shape
    assert camera.callers == 1


@pytest.mark.parametrize("broken", [b"\xff\xd8\xff", b"no picture"])
def test_a_damaged_picture_of_a_camera_is_left_out(camera: NetworkCamera, broken: bytes) -> None:
    """The next one is taken, and the camera is not started anew."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        next(frames)
        camera.broken, sent = broken, camera.sent
        while camera.sent < sent + 5:
            time.sleep(0.01)
        camera.broken = None
        seen = next(frame for frame in frames if camera.sent > sent + 10)
    assert np.ptp(seen.bgr) < 10
    assert (camera.callers, source.health.restarts) == (1, 0)


def lost_by(camera: NetworkCamera, harm: Callable[[], None]) -> tuple[list[str], CameraState]:
    """What somebody who does not wait is told of a camera that is harmed once it runs, and its state then."""
    told: list[str] = []

    def lost(why: str) -> None:
        told.append(why)
        raise InterruptedError

    with LiveSource(camera.url, QUICK, lost) as source:
        frames = iter(source)
        next(frames)
        harm()
        with pytest.raises(InterruptedError):
            list(frames)
        return told, source.health.state


def test_a_camera_that_sends_damaged_pictures_alone_is_given_up(camera: NetworkCamera) -> None:
    """Its process ends by itself, also where nobody is left who would end it, and says why."""

    def damage() -> None:
        camera.broken = b"no picture"

    told, _ = lost_by(camera, damage)
    assert told == [f"camera {camera.url}: its pictures are damaged"]


def test_a_camera_that_stalls_is_started_anew(camera: NetworkCamera) -> None:
    """No frame for a while: the health says lost and why, and frames come again when they can."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        next(frames)
        camera.stalled.set()
        got: list[float] = []
        taker = threading.Thread(
            target=lambda: got.extend(next(frames).time for _ in range(200)), daemon=True
        )
        taker.start()
        until(lambda: source.health.state is CameraState.LOST)
        reason = source.health.reason
        camera.stalled.clear()
        taker.join(30)

    assert "no frame" in reason
    assert len(got) == 200
    assert got == sorted(got)
    assert source.health.restarts >= 1


def test_whoever_waits_for_a_camera_is_told_why(camera: NetworkCamera) -> None:
    """Once, before it is started anew; whoever does not want to wait ends it there."""
    told, state = lost_by(camera, camera.hang_up.set)
    assert state is CameraState.LOST
    assert told == [f"camera {camera.url}: it gives no frames any more"]
    assert camera.callers == 1


def test_a_camera_whose_pictures_find_no_shared_memory_is_named(camera: NetworkCamera) -> None:
    """Three large pictures are more than a container gives; the process does not just end."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(
            SourceError, match=r"its pictures take 0\.2 MB of shared memory \(/dev/shm\): File too"
        ):
            LiveSource(camera.url, QUICK)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere shared memory is there or is not")
def test_shared_memory_that_is_there_in_part_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    """A size promises no page, and one that is missing would end the program. Nothing is left of it."""
    made: list[str] = []

    def full(file: int, start: int, size: int) -> None:
        made.append(os.readlink(f"/proc/self/fd/{file}"))
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "posix_fallocate", full)
    with pytest.raises(OSError, match="No space"):
        camera_module._ring(1000)
    (place,) = made
    assert not os.path.exists(place)


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the one clock that rises is taken")
def test_while_the_computer_sleeps_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures before and after are as far apart as the sleep was long: what was played is asked."""
    clocks = {time.CLOCK_BOOTTIME: 700.0, time.CLOCK_MONOTONIC: 100.0}
    monkeypatch.setattr(time, "clock_gettime", clocks.__getitem__)
    before = camera_module._seconds()
    clocks[time.CLOCK_BOOTTIME] += 600.0
    assert camera_module._seconds() - before == 600.0


def test_a_capture_process_that_is_killed_is_started_anew(camera: NetworkCamera) -> None:
    """Even the process itself may die, and the frames go on."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        last = next(frames)
        killed = source.process_id
        assert killed is not None
        os.kill(killed, signal.SIGKILL)
        while source.process_id == killed:
            last = next(frames)
        again = next(frame for frame in frames if frame.time > last.time)

    assert again.index > last.index
    assert source.health.restarts == 1


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="nothing tells what memory has a name")
def test_pictures_in_shared_memory_outlive_nobody(camera: NetworkCamera) -> None:
    """However all who use it end, killed together too: it has no name any more under which it could stay."""
    with LiveSource(camera.url, QUICK) as source:
        frames = iter(source)
        first = next(frames)
        shared = [line for line in Path("/proc/self/maps").read_text().splitlines() if "/dev/shm/" in line]
        later = next(frame for frame in frames if frame.index >= first.index + 5)
    assert shared
    assert all(line.endswith("(deleted)") for line in shared)
    assert later.time > first.time


def test_closing_ends_the_process_and_the_iteration(camera: NetworkCamera) -> None:
    """Nothing is left running, and no shared memory stays behind."""
    source = LiveSource(camera.url, QUICK)
    frames = iter(source)
    next(frames)
    process = source.process_id
    assert process is not None

    source.close()

    assert list(frames) == []
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)


@pytest.mark.parametrize(
    ("spec", "words", "reason"),
    [
        (77, "camera 77: no camera answers at this index", "absent"),
        ("/dev/video77", "camera /dev/video77: no such device", "absent"),
        (
            "http://anna:secret@127.0.0.1:9/video?token=secret",  # all phones are told why a camera is lost
            "camera http://127.0.0.1:9/video: nothing that can be shown answers",
            "address",
        ),
    ],
)
def test_a_camera_that_is_not_there_is_named(spec: str | int, words: str, reason: str) -> None:
    """No endless waiting for what never was: one error when it is opened, in words and as a key."""
    with pytest.raises(SourceError, match=words) as refused:
        open_source(spec)
    assert refused.value.reason == reason


class Captures:
    """Stands for the processes: each gives one picture at once, and then what its `then` says.

    Args:
        started: Is called whenever one has been started.
    """

    def __init__(self, started: Callable[[Captures], None] = lambda _: None) -> None:
        self.started = started
        self.running: list[Capture] = []
        self.count = 0

    def Pipe(self, duplex: bool) -> tuple[Connection, Connection]:  # noqa: N802
        """As of a context of `multiprocessing`."""
        return multiprocessing.Pipe(duplex)

    def Process(self, *, args: tuple[object, ...], **_: object) -> Capture:  # noqa: N802
        """As of a context of `multiprocessing`."""
        return Capture(self, args[-1])


class Capture:
    """One of them, as a process is seen from outside."""

    pid = 0

    def __init__(self, all_: Captures, word: Connection) -> None:
        self._all, self._word = all_, word
        self.sentinel, self._end = os.pipe()

    def start(self) -> None:
        """Give a picture; the first process gives no other any more."""
        shape = (4, 4, 3)
        memory = SharedMemory(create=True, size=3 * camera_module._slot_bytes(shape))
        camera_module._HEAD.pack_into(memory.buf, camera_module._slot_bytes(shape), 1, 0.0)
        self._word.send(("open", (memory.name, shape)))
        memory.close()
        self._all.running.append(self)
        self._all.count += 1
        if self._all.count == 1:
            self._word.send(("stopped", "it gives no frames any more"))
        self._all.started(self._all)

    def is_alive(self) -> bool:
        """Until it is ended."""
        return self in self._all.running

    def terminate(self) -> None:
        """End it."""
        self._all.running.remove(self)
        os.close(self._end)
        os.close(self.sentinel)

    def join(self, timeout: float | None = None) -> None:
        """It has ended."""


def test_a_camera_is_not_let_go_of_while_a_picture_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that sets up another camera closes this one from its own thread: nothing is read after that."""
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: Captures())
    source = LiveSource("/dev/video0", QUICK)
    view_of, closers = camera_module._view, []

    def view(memory: SharedMemory) -> memoryview:
        closers.append(threading.Thread(target=source.close))
        closers[0].start()
        closers[0].join(0.1)
        return view_of(memory)

    monkeypatch.setattr(camera_module, "_view", view)
    frames = list(source)
    closers[0].join()
    assert [frame.bgr.shape for frame in frames] == [(4, 4, 3)]


def test_a_camera_that_is_closed_while_it_is_started_anew_stays_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No process goes on that nobody knows of: it would keep the camera from whoever opens it next."""

    def started(captures: Captures) -> None:
        if captures.count == 2:
            source.close()

    captures = Captures(started)
    monkeypatch.setattr(multiprocessing, "get_context", lambda _: captures)
    source = LiveSource("/dev/video0", QUICK)
    assert len(list(source)) == 1
    assert (captures.count, captures.running) == (2, [])


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("2", "2"),
        ("/dev/video0", "/dev/video0"),
        ("evening@home.mp4", "evening@home.mp4"),
        ("k\udcf6nig", "k\\udcf6nig"),
        ("rtsp://10.0.0.7:554/live", "rtsp://10.0.0.7:554/live"),
        ("rtsp://anna:p@ss@10.0.0.7/live#secret", "rtsp://10.0.0.7/live"),
        ("http://10.0.0.7?user=anna&pwd=secret", "http://10.0.0.7"),
        ("http://anna:sec/ret@10.0.0.7/live", "http://..."),
        ("http://10.0.0.7/live?pwd=sec@ret", "http://..."),
    ],
)
def test_of_an_address_what_may_let_in_is_not_shown(spec: str, shown: str) -> None:
    """All else is told as it was given, as text; where a password may end otherwise, nothing is."""
    assert camera_shown(spec) == shown
