"""The camera module of a Raspberry Pi: OpenCV cannot open it, so `rpicam-vid` gives its pictures.

Since Raspberry Pi OS 11 these cameras are driven by libcamera alone, which OpenCV does not support
(https://github.com/opencv/opencv/issues/22820). `rpicam-vid`, called `libcamera-vid` before 2023, comes with
that system and writes Motion JPEG to a pipe
(https://www.raspberrypi.com/documentation/computers/camera_software.html#rpicam-vid).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = ["RASPBERRY", "RaspberryCamera", "raspberry_cameras", "raspberry_number"]

RASPBERRY = r"rpicam(?::\d)?"
"""How such a camera is named: `rpicam`, and `rpicam:1` for the second."""
_TOOLS = ("rpicam-vid", "libcamera-vid")
_QUALITY = 90
_RATE = 15.0
"""Frames a second at most: at 30 the light of a room has half the time, a small computer twice the work."""
_END = b"\xff\xd9"
"""Ends a JPEG picture, and stands nowhere else in one without a picture in its head."""
_LET_GO_S = 0.5
"""A tool that has not ended by then hangs. It is less time than the process that reads it has: killed before,
that would leave the tool, and the camera in use."""
_LISTED_S = 5.0
_HOLDS_S = 30.0
"""For so long the tool is not asked again after it could not tell: whoever sets a camera up asks for the list
with each touch, and would wait for it each time."""
_LISTED = re.compile(r"^(\d) : (\S+)", re.MULTILINE)


class RaspberryCamera:
    """The pictures of one camera module, as a `cv2.VideoCapture` gives them that is not to decode any.

    Attributes:
        complaint: What the tool said last; empty where it said nothing.
    """

    def __init__(self, number: int, width: int, height: int, rate: float) -> None:
        """Start the tool; where there is none `isOpened` says so.

        Args:
            number: Of the module, from 0.
            width: Of the pictures, pixels.
            height: As well.
            rate: Frames a second that are wanted.
        """
        self.complaint = ""
        self._data = bytearray()
        self._searched = 0
        self._process: subprocess.Popen[bytes] | None = None
        tool = _tool()
        if tool is None:
            self.complaint = f"there is no {_TOOLS[0]} on this machine, as Raspberry Pi OS has it"
            return
        command = [tool, "--camera", str(number), "--timeout", "0", "--nopreview", "--verbose", "0"]
        command += ["--codec", "mjpeg", "--quality", str(_QUALITY), "--flush", "--output", "-"]
        command += ["--width", str(width), "--height", str(height), "--framerate", f"{min(rate, _RATE):g}"]
        # not of our group: whoever presses Ctrl-C ends us, and we end it
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self._said: deque[bytes] = deque(maxlen=1)
        self._listener = threading.Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._listener.start()

    def isOpened(self) -> bool:  # noqa: N802
        """Whether the tool was there."""
        return self._process is not None

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        """Wait for the next picture: whether one came, and its JPEG bytes, (N,) uint8."""
        while (process := self._process) is not None and process.stdout is not None:  # it may be let go of
            end = self._data.find(_END, self._searched)
            if end >= 0:
                picture = np.frombuffer(bytes(self._data[: end + 2]), np.uint8)
                del self._data[: end + 2]
                self._searched = 0
                return True, picture
            self._searched = max(0, len(self._data) - 1)
            chunk = os.read(process.stdout.fileno(), 1 << 16)
            if not chunk:
                self.release()
            self._data += chunk
        return False, None

    def release(self) -> None:
        """End the tool, which lets go of the camera, and take note of what it said last."""
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(_LET_GO_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self._listener.join(1.0)
        self.complaint = _plain(b"".join(self._said))

    def _listen(self, said: Iterable[bytes]) -> None:
        self._said.extend(line for line in said if line.strip())


def raspberry_number(spec: str | Path | int) -> int | None:
    """Return which camera module `spec` names, from 0; `None` where it names something else.

    >>> [raspberry_number(spec) for spec in ("rpicam", "rpicam:1", "0", "rpicam.mp4")]
    [0, 1, None, None]
    """
    named = re.fullmatch(RASPBERRY, str(spec))
    return None if named is None else int(named[0].partition(":")[2] or 0)


def raspberry_cameras() -> tuple[tuple[str, str], ...]:
    """Return name and make of each camera module, as `cameras` does; none where there is no tool that tells.

    What it has told once is kept: a module is connected while the computer is off. Where it could not tell,
    it is asked again after a while.
    """
    return _modules.all()


class _Modules:
    """The camera modules, as the tool told of them; may be asked from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Know of none yet; `clock` gives rising seconds."""
        self._clock = clock
        self._told: tuple[tuple[str, str], ...] | None = None
        self._failed_at: float | None = None
        self._lock = threading.Lock()
        """Guards both; held while the tool is asked, so that nobody else starts it a second time."""

    def all(self) -> tuple[tuple[str, str], ...]:
        """Return what the tool has told; ask it where it has not, and has not just failed to."""
        with self._lock:
            if self._told is None and not self._has_just_failed():
                try:
                    self._told = _listed()
                except (OSError, subprocess.SubprocessError):
                    self._failed_at = self._clock()
            return self._told or ()

    def _has_just_failed(self) -> bool:
        return self._failed_at is not None and self._clock() - self._failed_at < _HOLDS_S


_modules = _Modules()


def _listed() -> tuple[tuple[str, str], ...]:
    """Ask the tool."""
    tool = _tool()
    if tool is None:
        return ()
    listing = subprocess.run(
        [tool, "--list-cameras"], stdin=subprocess.DEVNULL, capture_output=True, timeout=_LISTED_S, check=True
    )
    found = _LISTED.findall(listing.stdout.decode(errors="replace"))
    return tuple(("rpicam" if number == "0" else f"rpicam:{number}", make[:60]) for number, make in found)


def _tool() -> str | None:
    return next((found for tool in _TOOLS if (found := shutil.which(tool)) is not None), None)


def _plain(line: bytes) -> str:
    """What the tool says, without what it frames an error by: `ERROR: *** no cameras available ***`."""
    return line.decode(errors="replace").removeprefix("ERROR:").strip(" *\r\n")[:200]
