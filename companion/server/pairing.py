"""Who may look and press: a code from a QR code, exchanged once for a device's own secret.

A code proves that somebody stood where it was shown. It lets in one device, with the role it was made
for, and is worth nothing afterwards. The device's cookie is its number and a random secret, of which
only a digest is kept: reading the file of devices lets nobody in.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from companion.live.snapshot import Role
from companion.server.device_book import Device, DeviceBook

__all__ = ["COOKIE", "COOKIE_SECONDS", "Code", "Pairing"]

COOKIE = "companion_device"
"""How the names of all tables' cookies begin."""
COOKIE_SECONDS = 400 * 24 * 3600
"""A device stays paired for the longest time that browsers keep a cookie."""

_CODES = 64
"""Codes that hold for minutes at most; the oldest makes room. Those that hold until they are used stand in
the terminal, one at a time."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Code:
    """An invitation for one device.

    Attributes:
        token: What the QR code carries: 128 random bits, URL-safe text.
        role: What the device may see and press.
        owner: Whether it may let in, change and send away others.
        until: Second of the clock up to which it holds; `None`: until it is used.
    """

    token: str
    role: Role
    owner: bool
    until: float | None


class Pairing:
    """Makes and takes codes, and knows devices by their cookies; may be used from any thread."""

    def __init__(self, book: DeviceBook, clock: Callable[[], float] = time.monotonic) -> None:
        """Let devices of `book` in; `clock` gives rising seconds."""
        self.book = book
        # browsers keep cookies by host and not by port: several tables may share one
        self.cookie = f"{COOKIE}_{_digest(book.name).hex()[:8]}"
        self._clock = clock
        self._codes: dict[bytes, Code] = {}
        self._lock = threading.Lock()
        self._told: list[Callable[[Code, Device], None]] = []

    def invite(self, role: Role, *, owner: bool = False, minutes: float | None = None) -> Code:
        """Return a new code that lets in one device, for `minutes` or until it is used."""
        until = None if minutes is None else self._clock() + 60 * minutes
        code = Code(secrets.token_urlsafe(16), role, owner, until)
        with self._lock:
            self._codes[_digest(code.token)] = code
            for_minutes = [key for key, each in self._codes.items() if each.until is not None]
            if len(for_minutes) > _CODES:
                del self._codes[for_minutes[0]]
        return code

    def knows(self, token: str) -> bool:
        """Say whether `token` would let a device in; nothing changes."""
        with self._lock:
            return self._holds(self._codes.get(_digest(token)))

    def role_of(self, token: str) -> Role | None:
        """Return what a device would be that is let in with `token`; `None`: it would not be."""
        with self._lock:
            code = self._codes.get(_digest(token))
            return code.role if code is not None and self._holds(code) else None

    def admit(self, token: str, name: str = "", known: Device | None = None) -> tuple[Device, str] | None:
        """Let a device in; return it with its cookie's value, or `None` if `token` is of no code (any more).

        Args:
            token: The code.
            name: What the device is, for people.
            known: The same device, where it is paired already: its role becomes that of the code, an
                owner stays one, and the cookie's value is empty: it keeps what it has. One that has been
                sent away meanwhile comes in as a new one.

        Raises:
            DeviceBookError: The device cannot be written down; the code still holds.
        """
        with self._lock:
            code = self._codes.get(_digest(token))
            if code is None or not self._holds(code):
                return None
            if known is not None and self.book.change(
                known.number, code.role, owner=known.owner or code.owner
            ):
                device, cookie = replace(known, role=code.role, owner=known.owner or code.owner), ""
            else:
                secret = secrets.token_urlsafe(32)
                since = datetime.now(UTC).isoformat(timespec="seconds")
                device = Device(secrets.token_hex(8), code.role, code.owner, name, since, _digest(secret))
                self.book.add(device)
                cookie = f"{device.number}.{secret}"
            del self._codes[_digest(token)]
        for tell in self._told:
            try:
                tell(code, device)
            except Exception:  # a terminal that is gone, above all; the device is in, and needs its cookie
                _log.exception("a device was let in, and somebody could not be told")
        return device, cookie

    def recognised(self, cookies: Mapping[str, str]) -> Device | None:
        """Return the device that shows one of `cookies`, by name; `None` if it is none of a paired device.

        The own one first, then those of other names: a table's folder may have been moved.
        """
        names = [name for name in cookies if name.startswith(COOKIE)]
        ours_first = sorted(names, key=lambda name: name != self.cookie)
        return next((found for name in ours_first if (found := self.recognise(cookies[name]))), None)

    def recognise(self, cookie: str | None) -> Device | None:
        """Return the device that shows `cookie`; `None` without one, or if it is none of a paired device."""
        number, _, secret = (cookie or "").partition(".")
        device = self.book.device(number)
        if device is None or not hmac.compare_digest(device.digest, _digest(secret)):
            return None
        return device

    def when_admitted(self, tell: Callable[[Code, Device], None]) -> None:
        """Have `tell` called with each code that is used, and the device that used it."""
        self._told.append(tell)

    def _holds(self, code: Code | None) -> bool:
        return code is not None and (code.until is None or self._clock() < code.until)


def _digest(text: str) -> bytes:
    """Codes and secrets are random and long: one round of a hash keeps them."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
