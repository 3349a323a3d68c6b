"""The paired devices, kept over restarts: who each is, never what it shows to get in."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from companion.live.snapshot import Role

__all__ = ["Device", "DeviceBook", "DeviceBookError"]

_FORMAT = 1
_TABLE = """
CREATE TABLE IF NOT EXISTS device (
    number TEXT PRIMARY KEY, role TEXT NOT NULL, owner INTEGER NOT NULL, name TEXT NOT NULL,
    since TEXT NOT NULL, digest BLOB NOT NULL
) STRICT
"""


class DeviceBookError(RuntimeError):
    """The devices cannot be read or written; the message names the file and why."""


@dataclass(frozen=True, slots=True)
class Device:
    """A paired device.

    Attributes:
        number: 16 hexadecimal digits, random.
        role: What it may see and press.
        owner: Whether it may let in, change and send away devices.
        name: What it is, as far as it said so; for people.
        since: When it was let in: date and time of the wall clock, ISO 8601.
        digest: SHA-256 of the secret in its cookie.
    """

    number: str
    role: Role
    owner: bool
    name: str
    since: str
    digest: bytes


class DeviceBook:
    """Devices by number, in memory and in one small SQLite file; may be used from any thread."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it, readable by its owner only.

        Raises:
            DeviceBookError: It cannot be used.
        """
        self._path = path
        self.name = str(path.resolve())
        self._lock = threading.Lock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
        except OSError as error:
            raise DeviceBookError(f"{error.filename or path}: {error.strerror or error}") from error
        with self._file() as file:
            (found,) = file.execute("PRAGMA user_version").fetchone()
            if found > _FORMAT:
                raise DeviceBookError(f"{path}: written by a later version (format {found})")
            file.execute(_TABLE)
            file.execute(f"PRAGMA user_version = {_FORMAT}")
            rows = file.execute("SELECT number, role, owner, name, since, digest FROM device ORDER BY rowid")
            try:
                self._devices = {
                    number: Device(number, Role(role), bool(owner), name, since, digest)
                    for number, role, owner, name, since, digest in rows
                }
            except ValueError as error:
                raise DeviceBookError(f"{path}: {error}") from error

    def devices(self) -> tuple[Device, ...]:
        """Return all, in the order in which they came."""
        with self._lock:
            return tuple(self._devices.values())

    def device(self, number: str) -> Device | None:
        """Return the one with `number`; `None` if there is none (any more)."""
        return self._devices.get(number)

    def add(self, device: Device) -> None:
        """Keep a new device.

        Raises:
            DeviceBookError: It cannot be written down; then it is not kept.
        """
        row = (device.number, device.role.value, device.owner, device.name, device.since, device.digest)
        with self._lock:
            with self._file() as file:
                file.execute("INSERT INTO device VALUES (?, ?, ?, ?, ?, ?)", row)
            self._devices[device.number] = device

    def remove(self, number: str) -> bool:
        """Forget a device; false if there is none with `number`.

        It is sent away even where that cannot be written down; then it is raised.

        Raises:
            DeviceBookError: It cannot be written down, and a restart would let it in again.
        """
        with self._lock:
            if self._devices.pop(number, None) is None:
                return False
            with self._file() as file:
                file.execute("DELETE FROM device WHERE number = ?", (number,))
        return True

    def change(self, number: str, role: Role, *, owner: bool | None = None) -> bool:
        """Give a device another role, and the owner's rights or not; false if there is none with `number`.

        Raises:
            DeviceBookError: It cannot be written down; then nothing changes.
        """
        with self._lock:
            device = self._devices.get(number)
            if device is None:
                return False
            changed = replace(device, role=role, owner=device.owner if owner is None else owner)
            with self._file() as file:
                row = (changed.role.value, changed.owner, number)
                file.execute("UPDATE device SET role = ?, owner = ? WHERE number = ?", row)
            self._devices[number] = changed
        return True

    def change_seats(self) -> None:
        """Give each player's device the other player's role: they have changed seats, and took it along.

        Raises:
            DeviceBookError: It cannot be written down; then nothing changes.
        """
        other = {Role.SOUTH: Role.NORTH, Role.NORTH: Role.SOUTH}
        with self._lock:
            moved = [
                replace(device, role=other[device.role])
                for device in self._devices.values()
                if device.role in other
            ]
            with self._file() as file:
                rows = [(device.role.value, device.number) for device in moved]
                file.executemany("UPDATE device SET role = ? WHERE number = ?", rows)
            self._devices.update({device.number: device for device in moved})

    @contextlib.contextmanager
    def _file(self) -> Iterator[sqlite3.Connection]:
        try:
            with contextlib.closing(sqlite3.connect(self._path, timeout=5.0)) as file, file:
                yield file
        except sqlite3.Error as error:
            raise DeviceBookError(f"{self._path}: {error}") from error
