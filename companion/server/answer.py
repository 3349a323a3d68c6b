"""What every route needs: the device that asks, the key of its press, answers as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from flask import Response, g

from companion.live.command import InvalidCommandError
from companion.server.device_book import Device

__all__ = ["Asked", "answer", "asked_fields", "asking", "press_key", "refusal"]

Asked = Mapping[str, tuple[set[str], set[str]]]
"""Kinds of what may be asked for: fields that each must have, and fields that it may have."""


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


def asked_fields(value: object, kinds: Asked) -> dict[str, Any]:
    """Return `value` if it is an object of one of `kinds` with the fields that belong to it.

    Raises:
        InvalidCommandError: It is not; the message names what is wrong.
    """
    if not isinstance(value, dict):
        raise InvalidCommandError(f"expected a JSON object, got {type(value).__name__}")
    kind = value.get("type")
    if not isinstance(kind, str) or kind not in kinds:
        raise InvalidCommandError(f"type: {kind!r:.80} is none of {', '.join(kinds)}")
    required, optional = kinds[kind]
    if missing := sorted(required - set(value)):
        raise InvalidCommandError(f"{kind}: {missing[0]!r} is missing")
    if unknown := sorted(set(value) - {"type"} - required - optional):
        raise InvalidCommandError(f"{kind}: unknown field {unknown[0]!r:.80}")
    return value
