"""How the camera is set up: which it is, how its picture is turned, where the table lies, which pack."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from companion.live.command import InvalidCommandError
from companion.vision.deck import DeckError, deck_name
from companion.vision.raspberry import RASPBERRY

__all__ = ["Setting", "SettingError", "kept_for", "picture_beside", "read_setting", "write_setting"]

Point = tuple[float, float]
_CAMERA = re.compile(
    rf"\d{{1,2}}|/dev/video\d{{1,3}}|/dev/v4l/by-(?:id|path)/[\w.:+-]{{1,200}}|{RASPBERRY}"
    r"|(?:https?|rtsps?|rtmp|tcp|udp)://[^\s\"'<>]{1,300}"
)
_FIELDS = ("camera", "turn", "table", "deck")
_LEAST_AREA = 0.05
"""Least share of the picture that a table covers."""


class SettingError(RuntimeError):
    """What was kept cannot be read or written; the message names the file."""


@dataclass(frozen=True, slots=True)
class Setting:
    """How the camera is set up.

    Attributes:
        camera: Device index, device file, as `RASPBERRY`, or URL; `None`: none, the phones tell everything.
        turn: Quarter turns clockwise that bring south's side of the table to the bottom, 0 to 3.
        table: The table's corners in order around it, shares of the turned picture's width and height;
            `None`: the whole picture is table.
        deck: The pack, where it was enrolled; `None`: any.
    """

    camera: str | None = None
    turn: int = 0
    table: tuple[Point, Point, Point, Point] | None = None
    deck: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return it as `from_json` takes it."""
        return asdict(self)

    @classmethod
    def from_json(cls, value: object) -> Setting:
        """Read what a phone or a file says.

        Raises:
            InvalidCommandError: It is none; the message names the field.
        """
        if not isinstance(value, dict):
            raise InvalidCommandError("setting: expected an object")
        if unknown := sorted(set(value) - set(_FIELDS)):
            raise InvalidCommandError(f"setting: unknown field {unknown[0]!r:.80}")
        turn = value.get("turn", 0)
        if isinstance(turn, bool) or not isinstance(turn, int) or not 0 <= turn <= 3:
            raise InvalidCommandError(f"turn: expected 0 to 3, got {turn!r:.80}")
        camera, deck = value.get("camera"), value.get("deck")
        if camera is not None and not (isinstance(camera, str) and _CAMERA.fullmatch(camera)):
            raise InvalidCommandError(f"camera: {camera!r:.80} is neither an index nor an address")
        if deck is not None and not isinstance(deck, str):
            raise InvalidCommandError(f"deck: expected a name, got {deck!r:.80}")
        try:
            return cls(camera, turn, _table(value.get("table")), None if deck is None else deck_name(deck))
        except DeckError as error:
            raise InvalidCommandError(str(error)) from error


def _table(value: object) -> tuple[Point, Point, Point, Point] | None:
    if value is None:
        return None
    if not isinstance(value, list | tuple) or len(value) != 4:
        raise InvalidCommandError(f"table: expected four corners, got {value!r:.80}")
    a, b, c, d = (_point(each) for each in value)
    corners = (a, b, c, d)
    bends = [_bend(corners[n - 2], corners[n - 1], corners[n]) for n in range(4)]
    if min(bends) <= 0 or (_bend(a, b, c) + _bend(c, d, a)) / 2 < _LEAST_AREA:
        raise InvalidCommandError("table: the corners do not go clockwise around a table")
    return corners


def _point(value: object) -> Point:
    if isinstance(value, list | tuple) and len(value) == 2:
        x, y = value
        if all(isinstance(each, int | float) and not isinstance(each, bool) for each in (x, y)) and all(
            math.isfinite(each) and 0 <= each <= 1 for each in (x, y)
        ):
            return float(x), float(y)
    raise InvalidCommandError(f"table: {value!r:.80} is no corner; expected two numbers from 0 to 1")


def _bend(a: Point, b: Point, c: Point) -> float:
    """Twice the area of a triangle, positive where it goes clockwise on screen."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def kept_for(camera: str, kept: Setting | None) -> Setting:
    """Return how `camera` is set up by what was `kept`: of another camera that is the pack alone.

    A camera has several names: `0`, `/dev/video0`, and the one that it has wherever it is plugged in.
    """
    if kept is None or kept.camera is None:
        return Setting(camera)
    if _device(kept.camera) != _device(camera):
        return Setting(camera, deck=kept.deck)
    return replace(kept, camera=camera)


def _device(camera: str) -> str:
    path = f"/dev/video{camera}" if camera.isdecimal() else camera
    return os.path.realpath(path) if path.startswith("/dev/") else path


def picture_beside(path: Path) -> Path:
    """Where the picture is kept in which the table's corners were set."""
    return path.with_suffix(".jpg")


def read_setting(path: Path) -> Setting | None:
    """Return what was kept; `None` where nothing was.

    Raises:
        SettingError: It cannot be read.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SettingError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise SettingError(f"{path}: it is no text (UTF-8); companion serve --setup begins anew") from error
    try:
        return Setting.from_json(json.loads(text))
    except RecursionError as error:
        raise SettingError(f"{path}: it is nested too deeply; companion serve --setup begins anew") from error
    except (ValueError, InvalidCommandError) as error:
        raise SettingError(f"{path}: {error}; companion serve --setup begins anew") from error


def write_setting(path: Path, setting: Setting, picture: bytes | None = None) -> None:
    """Keep `setting`, whole or not at all, readable by the owner of the files only.

    Args:
        path: The file; a picture stands beside it, as `picture_beside` says.
        setting: What is kept.
        picture: JPEG in which the table's corners were set, empty where there is none; `None`: it stays.

    Raises:
        SettingError: It cannot be written.
    """
    part, beside = path.with_suffix(".part"), picture_beside(path)
    picture_part = path.with_suffix(".jpg.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # an address may have what lets in to the camera
        _write_private(part, (json.dumps(setting.to_json(), indent=1) + "\n").encode())
        if picture:
            _write_private(picture_part, picture)  # it shows the room
        if picture is not None:
            beside.unlink(missing_ok=True)  # corners are never laid by the picture of others
        os.replace(part, path)
        if picture:
            os.replace(picture_part, beside)
    except OSError as error:
        for left in (part, picture_part):
            with contextlib.suppress(OSError):
                left.unlink()
        raise SettingError(f"{error.filename or path}: cannot be kept: {error.strerror or error}") from error


def _write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner reads, down to the disk: a power cut leaves it whole or not there."""
    path.unlink(missing_ok=True)  # one that was left there may be anybody's to read
    path.touch(0o600, exist_ok=False)
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
