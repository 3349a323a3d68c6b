"""Who may look and press: a token from the QR code, exchanged once for a device cookie.

The token proves that somebody stood where the QR code is shown. The cookie carries the role
and a random device number, signed with this machine's key; nothing about devices is stored.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass

from companion.config import Secrets
from companion.live.snapshot import Role

__all__ = ["COOKIE", "COOKIE_SECONDS", "Device", "Pairing"]

COOKIE = "companion_device"
COOKIE_SECONDS = 400 * 24 * 3600
"""A phone stays paired for the longest time that browsers keep a cookie."""


@dataclass(frozen=True, slots=True)
class Device:
    """A paired phone.

    Attributes:
        role: What it may see and do.
        number: 16 hexadecimal digits, random.
    """

    role: Role
    number: str


class Pairing:
    """Makes and checks tokens and cookies; keeps no state besides the machine's secrets."""

    def __init__(self, known: Secrets) -> None:
        self._secrets = known

    def token(self, role: Role = Role.REFEREE) -> str:
        """Return the token that gives `role`: the machine's own, or one derived for lookers-on."""
        if role is Role.REFEREE:
            return self._secrets.token
        return self._sign(f"token {role.value}")

    def admit(self, token: str) -> Device | None:
        """Return a new device for `token`; `None` if it is not one of ours."""
        for role in Role:
            if hmac.compare_digest(token.encode(), self.token(role).encode()):
                return Device(role, secrets.token_hex(8))
        return None

    def cookie(self, device: Device) -> str:
        """Return the cookie's value for `device`."""
        text = f"{device.role.value}.{device.number}"
        return f"{text}.{self._sign(text)}"

    def recognise(self, cookie: str | None) -> Device | None:
        """Return the device that shows `cookie`; `None` without one, or if it is not signed by us."""
        text, _, signature = (cookie or "").rpartition(".")
        role, _, number = text.partition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(text).encode()):
            return None
        return Device(Role(role), number)

    def _sign(self, text: str) -> str:
        return hmac.new(self._secrets.key, text.encode(), hashlib.sha256).hexdigest()[:32]
