"""What every route needs: the device that asks, the key of its press, answers as JSON."""

from __future__ import annotations

import json

from flask import Response, g

from companion.live.command import InvalidCommandError
from companion.server.device_book import Device

__all__ = ["answer", "asking", "press_key", "refusal"]


def answer(value: object, status: int = 200) -> Response:
    """Return `value` as compact JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, mimetype="application/json")


def refusal(status: int, text: str) -> Response:
    """Return a refusal that says why."""
    return answer({"error": text}, status)


def asking() -> Device:
    """Return the device that asks; the guard has recognised it."""
    device: Device = g.device
    return device


def press_key(payload: object) -> str:
    """Return the key that marks repetitions of one press; empty without one.

    Raises:
        InvalidCommandError: It is no short text.
    """
    key = payload.get("key", "") if isinstance(payload, dict) else ""
    if not isinstance(key, str) or len(key) > 64:
        raise InvalidCommandError("key: expected a text of at most 64 characters")
    return key
