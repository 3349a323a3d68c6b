"""What every route needs: the device that asks, the key of its press, answers as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from flask import Request, Response, g, request
from werkzeug.exceptions import UnsupportedMediaType

from companion.live.command import InvalidCommandError
from companion.server.device_book import Device

__all__ = ["Asked", "StrictRequest", "answer", "asked_fields", "asking", "asking_for", "press_key", "refusal"]

MOST_KEY = 64
"""Characters of the key of a press at most."""

Asked = Mapping[str, tuple[set[str], set[str]]]
"""Kinds of what may be asked for: fields that each must have, and fields that it may have."""


def answer(value: object, status: int = 200) -> Response:
    """Return `value` as compact JSON."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(text, status, mimetype="application/json")


def refusal(status: int, text: str, reason: str = "") -> Response:
    """Return a refusal that says why; `reason` is a word for which the page has a text of its own."""
    return answer({"error": text, **({"reason": reason} if reason else {})}, status)


def asking() -> Device:
    """Return the device that asks; the guard has recognised it."""
    device: Device = g.device
    return device


class StrictRequest(Request):
    """A request whose body is JSON where it says so."""

    def on_json_loading_failed(self, error: ValueError | None) -> NoReturn:
        """Say what is wrong with it.

        Raises:
            InvalidCommandError: Always.
        """
        raise InvalidCommandError(f"the body is no JSON: {error or 'it is of another type'}")


def asking_for() -> object:
    """Return what the body of the request says.

    Raises:
        InvalidCommandError: It is no JSON.
        UnsupportedMediaType: It does not say that it is.
    """
    if not request.is_json:
        given = request.mimetype or "no type"
        raise UnsupportedMediaType(f"expected a JSON object as application/json, got {given:.80}")
    value: object = request.get_json()
    return value


def press_key(payload: object) -> str:
    """Return the key that marks repetitions of one press; empty without one.

    Raises:
        InvalidCommandError: It is no short text.
    """
    key = payload.get("key", "") if isinstance(payload, dict) else ""
    if not isinstance(key, str) or len(key) > MOST_KEY:
        given = f"{len(key)} characters" if isinstance(key, str) else repr(key)
        raise InvalidCommandError(f"key: expected a text of at most {MOST_KEY} characters, got {given:.80}")
    if not key.isprintable():  # JSON may hold halves of characters, and the log could not
        raise InvalidCommandError(f"key: {key!r} has characters that cannot be printed")
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
