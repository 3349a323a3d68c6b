"""Any text to every reader of hands: what comes of it is a hand, or an error that names its place.

`check` is what the fuzzer calls (`python -m tests.fuzz`) and what the suite replays on the corpus.
"""

from __future__ import annotations

import json
import re

from companion.live.command import InvalidCommandError, parse_command
from companion.rules.event_form import RecordError
from companion.rules.match import Match
from companion.rules.notation import is_notation, read, read_each, write
from companion.rules.record import Record, replay_record
from companion.store.coding import CodingError, decode

__all__ = ["check"]

PLACE = re.compile(
    r"(not JSON|record|match|rules|version|dealer|next_dealer|turned_up|number|awards|earlier_\w+"
    r"|events|hands|stock|result)\b"
)
"""How the error of a JSON reader begins: the place."""


def check(data: bytes) -> None:
    """Give `data` to every reader.

    Raises:
        Exception: A reader failed in another way than its documentation says.
    """
    text = data.decode("utf-8", "replace")
    for reader in (_notation, _record, _match, _command, _item):
        reader(text)


def _notation(text: str) -> None:
    """Whatever is damaged is told by its line, and the rest is read; what was read can be written."""
    lines = text.splitlines()
    whole = True
    for each in read_each(lines):
        if isinstance(each.what, RecordError):
            whole = False
            _told(each.what, re.compile(r"line (\d+)\b"))
            number = re.match(r"line (\d+)", str(each.what))
            if number is None or not 1 <= int(number[1]) <= len(lines):
                raise ValueError(f"a line that is not there: {each.what}")
        elif isinstance(each.what, Record):
            _replayed(each.what)
    if not whole:
        return
    parts = read(text)
    if read(write(parts)) != parts:
        raise ValueError("another hand was read than written")
    if parts and not is_notation(text):
        raise ValueError("hands were read from what is no file of hands")


def _record(text: str) -> None:
    try:
        record = Record.parse(text)
    except RecordError as error:
        _told(error, PLACE)
        return
    if Record.parse(json.dumps(record.to_json())) != record:
        raise ValueError("another record was read than written")
    _replayed(record)


def _replayed(record: Record) -> None:
    """A hand that cannot have happened is told as that; its answer is JSON."""
    answer = replay_record(record, 0, legal=len(record.events) < 30)
    json.dumps(answer).encode("ascii")
    if "error" in answer and not answer["error"]:
        raise ValueError("an error without words")


def _match(text: str) -> None:
    data = _parsed(text)
    try:
        match = Match.from_json(data)
    except RecordError as error:
        _told(error, PLACE)
        return
    if Match.from_json(json.loads(json.dumps(match.to_json()))) != match:
        raise ValueError("another match was read than written")


def _command(text: str) -> None:
    try:
        parse_command(_parsed(text))
    except InvalidCommandError as error:
        _told(error, re.compile(r"\w+"))


def _item(text: str) -> None:
    for kind in ("settled", "asked", "match"):
        try:
            decode(kind, text)
        except CodingError as error:
            _told(error, re.compile(kind))


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _told(error: Exception, place: re.Pattern[str]) -> None:
    """An error is one short line that begins with its place and can be printed."""
    words = str(error)
    words.encode("utf-8")
    if not place.match(words) or len(words) > 1500 or "\n" in words:
        raise ValueError(f"an error that does not name its place: {words!r:.300}") from error
