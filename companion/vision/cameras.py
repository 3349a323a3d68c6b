"""Which cameras this machine has, as far as it says so without opening one; and how one is called."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from companion.vision.raspberry import raspberry_cameras

__all__ = ["camera_shown", "cameras"]

_LINUX = Path("/sys/class/video4linux")
_UNNAMED = 2
"""Where the system does not tell, so many indices are offered."""
_PARTS = ("bcm2835-codec", "bcm2835-isp", "pispbe", "rp1-cfe", "rpi-hevc-dec", "rpivid", "unicam")
"""How names of devices begin of which a Raspberry Pi makes a camera module's pictures: none gives any."""


def cameras(told: Path = _LINUX) -> tuple[tuple[str, str], ...]:
    """Return index and name of each, in the order of their indices; a name may be empty.

    Linux tells of each device; of one with several device files only the one that gives pictures is
    listed. Elsewhere the first indices are offered. A Raspberry Pi's camera modules come last, as
    `companion.vision.raspberry` has them.

    Args:
        told: Where Linux tells of its video devices.
    """
    if not sys.platform.startswith("linux"):
        return tuple((str(index), "") for index in range(_UNNAMED))
    found = []
    for place in told.glob("video*"):
        number = place.name.removeprefix("video")
        if number.isdigit() and _line(place / "index") in ("0", ""):
            found.append((int(number), _line(place / "name")))
    found = [(number, name) for number, name in found if not name.startswith(_PARTS)]
    return (*((str(number), name) for number, name in sorted(found)), *raspberry_cameras())


def camera_shown(spec: str | Path | int) -> str:
    """Return how a camera or file is called where others read it: an address without what lets in.

    It is text: what is none in a file's name is escaped.

    >>> camera_shown("rtsp://anna:secret@192.168.1.7:554/stream1?token=abc")
    'rtsp://192.168.1.7:554/stream1'
    """
    text = str(spec).encode("utf-8", "backslashreplace").decode()
    scheme, mark, rest = text.partition("://")
    if not mark:
        return scheme
    host = re.split("[/?#]", rest, maxsplit=1)[0]
    if "@" in rest[len(host) :]:
        return f"{scheme}://..."  # of a password with such a sign nobody knows where it ends
    return f"{scheme}://{re.split('[?#]', rest, maxsplit=1)[0].removeprefix(host[: host.rfind('@') + 1])}"


def _line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()[:60]
    except OSError:
        return ""
