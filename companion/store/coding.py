"""Items of the log as JSON and back.

Events have the form of `companion.rules.event_form`, the deal among them.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, assert_never

from companion.rules.event_form import (
    RecordError,
    event_from_json,
    event_to_json,
    read_card,
    read_list,
    read_object,
    read_player,
)
from companion.rules.events import Dealt, Event
from companion.rules.fair_play import TRAINING, fair_play_from_json
from companion.rules.match_form import award_to_json, read_award
from companion.rules.ruleset import rules_from_json
from companion.store.item import Answered, Corrected, Item, MatchStarted, Pressed, SittingOpened, Vouched
from companion.table.entry import Asked, Retracted, Settled, Unseen

__all__ = ["CodingError", "decode", "encode", "logged_event"]


class CodingError(ValueError):
    """A text that is no item of a log; the message names the field and the value."""


_FIELDS: dict[str, tuple[str, ...]] = {
    "settled": ("seq", "time", "event", "confidence", "source"),
    "retracted": ("seq", "time", "withdraws", "source"),
    "asked": ("seq", "time", "text", "about", "options", "shows"),
    "unseen": ("seq", "time", "since"),
    "pressed": ("time", "event", "source"),
    "answered": ("time", "question", "option", "source"),
    "vouched": ("time", "gaps", "source"),
    "corrected": (
        "at",
        "time",
        "source",
        "first",
        "last",
        "old",
        "new",
        "was",
        "now",
        "answers",
        "undone",
        "renamed",
    ),
    "sitting": ("at", "source", "version", "starts"),
    "match": (
        "at",
        "rules",
        "names",
        "dealer",
        "marks",
        "number",
        "wins",
        "series",
        "fair",
        "awards",
        "hands",
    ),
}
"""The fields of each kind of item; no other is taken."""
_LATER = ("wins", "series", "fair", "shows", "undone", "renamed", "awards", "hands")
"""Fields that older logs do not have; all others are required."""
_WHERE_SET = ("renamed", "awards", "hands")
"""Fields that are written only where they say something: what is told again gives the bytes of older logs."""


def encode(item: Item) -> tuple[str, str]:
    """Return kind and JSON text of `item`; the same item always gives the same text."""
    match item:
        case Settled(seq, time, event, confidence, source):
            return _row("settled", seq, time, event_to_json(event), confidence, source)
        case Retracted(seq, time, withdraws, source):
            return _row("retracted", seq, time, withdraws, source)
        case Asked(seq, time, text, about, options, shows):
            offered = [event_to_json(option) for option in options]
            return _row("asked", seq, time, text, about, offered, shows)
        case Unseen(seq, time, since):
            return _row("unseen", seq, time, since)
        case Pressed(time, event, source):
            return _row("pressed", time, event_to_json(event), source)
        case Answered(time, question, option, source):
            return _row("answered", time, question, option, source)
        case Vouched(time, gaps, source):
            return _row("vouched", time, list(gaps), source)
        case Corrected():
            told = [None if event is None else event_to_json(event) for event in (item.was, item.now)]
            block = item.first, item.last, item.old, item.new
            names = None if item.renamed is None else list(item.renamed)
            return _row(
                "corrected", item.at, item.time, item.source, *block, *told, item.answers, item.undone, names
            )
        case SittingOpened(at, source, version, starts):
            return _row("sitting", at, source, version, starts)
        case MatchStarted(at, rules, names, dealer, marks, number, wins, series, fair, awards, hands):
            deals = None if dealer is None else int(dealer)
            won = None if wins is None else list(wins)
            before = [award_to_json(award) for award in awards] or None
            stands = list(marks), number, won, list(series), fair.to_json(), before, hands or None
            return _row("match", at, rules.to_json(), list(names), deals, *stands)
        case _:
            assert_never(item)


def decode(kind: str, text: str) -> Item:
    """Read an item back from what `encode` gave.

    Raises:
        CodingError: Not what `encode` writes.
    """
    if kind not in _FIELDS:
        raise CodingError(f"{kind!r} is no kind of item; known: {', '.join(_FIELDS)}")
    try:
        required = [name for name in _FIELDS[kind] if name not in _LATER]
        fields = read_object(json.loads(text), kind, _FIELDS[kind], required)
        return _item(kind, fields)
    except (ValueError, RecursionError) as error:  # of the text, the record, the rules or fair play
        raise CodingError(f"{kind}: {error}") from error


def logged_event(data: object, where: str = "event") -> Event:
    """Read an event as a log has it: those of a record, and the deal.

    Raises:
        RecordError: It is none.
    """
    if not isinstance(data, Mapping) or data.get("type") != "deal":
        return event_from_json(data, where)
    names = ("type", "dealer", "turned_up")
    fields = read_object(data, where, names, names)
    up = fields["turned_up"]
    dealer = read_player(fields["dealer"], f"{where}.dealer")
    return Dealt(dealer, None if up is None else read_card(up, f"{where}.turned_up"))


def _item(kind: str, fields: Mapping[str, Any]) -> Item:
    match kind:
        case "settled":
            return Settled(
                _count(fields["seq"], "seq"),
                _number(fields["time"], "time"),
                logged_event(fields["event"]),
                _number(fields["confidence"], "confidence"),
                _text(fields["source"], "source"),
            )
        case "retracted":
            return Retracted(
                _count(fields["seq"], "seq"),
                _number(fields["time"], "time"),
                _count(fields["withdraws"], "withdraws"),
                _text(fields["source"], "source"),
            )
        case "asked":
            return Asked(
                _count(fields["seq"], "seq"),
                _number(fields["time"], "time"),
                _text(fields["text"], "text"),
                _maybe(fields["about"], "about"),
                tuple(logged_event(option, "options") for option in read_list(fields["options"], "options")),
                None if (shows := fields.get("shows")) is None else _number(shows, "shows"),
            )
        case "unseen":
            return Unseen(
                _count(fields["seq"], "seq"),
                _number(fields["time"], "time"),
                None if (since := fields["since"]) is None else _number(since, "since"),
            )
        case "pressed":
            return Pressed(
                _number(fields["time"], "time"),
                logged_event(fields["event"]),
                _text(fields["source"], "source"),
            )
        case "answered":
            return Answered(
                _number(fields["time"], "time"),
                _count(fields["question"], "question"),
                _count(fields["option"], "option"),
                _text(fields["source"], "source"),
            )
        case "vouched":
            return Vouched(
                _number(fields["time"], "time"),
                tuple(_count(seq, "gaps") for seq in read_list(fields["gaps"], "gaps")),
                _text(fields["source"], "source"),
            )
        case "corrected":
            was, now = fields["was"], fields["now"]
            return Corrected(
                _text(fields["at"], "at"),
                _number(fields["time"], "time"),
                _text(fields["source"], "source"),
                _count(fields["first"], "first"),
                _count(fields["last"], "last"),
                _maybe(fields["old"], "old"),
                _maybe(fields["new"], "new"),
                None if was is None else logged_event(was, "was"),
                None if now is None else logged_event(now, "now"),
                _maybe(fields["answers"], "answers"),
                fields.get("undone") is True,
                None if (names := fields.get("renamed")) is None else _names(names),
            )
        case "sitting":
            return SittingOpened(
                _text(fields["at"], "at"),
                _text(fields["source"], "source"),
                _text(fields["version"], "version"),
                _number(fields["starts"], "starts"),
            )
        case _:
            wins = fields.get("wins")
            fair = fair_play_from_json(fields["fair"]) if "fair" in fields else TRAINING
            return MatchStarted(
                _text(fields["at"], "at"),
                rules_from_json(fields["rules"]),
                _names(fields["names"]),
                None if fields["dealer"] is None else read_player(fields["dealer"], "dealer"),
                _counts(fields["marks"], "marks"),
                _count(fields["number"], "number"),
                None if wins is None else _counts(wins, "wins"),
                _counts(fields.get("series", [0, 0]), "series"),
                fair,
                tuple(read_award(each, "awards") for each in read_list(fields.get("awards", []), "awards")),
                _count(fields.get("hands", 0), "hands"),
            )


def _row(kind: str, *values: object) -> tuple[str, str]:
    named = zip(_FIELDS[kind], values, strict=True)
    fields = {name: value for name, value in named if value is not None or name not in _WHERE_SET}
    return kind, json.dumps(fields, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _pair(data: object, where: str) -> list[Any]:
    pair = read_list(data, where)
    if len(pair) != 2:
        raise RecordError(f"{where}: {len(pair)} values, not 2")
    return pair


def _names(data: object) -> tuple[str, str]:
    south, north = _pair(data, "names")
    return _text(south, "names"), _text(north, "names")


def _counts(data: object, where: str) -> tuple[int, int]:
    one, other = _pair(data, where)
    return _count(one, where), _count(other, where)


def _text(data: object, where: str) -> str:
    if not isinstance(data, str):
        raise RecordError(f"{where}: {data!r:.80} is not a text")
    return data


def _number(data: object, where: str) -> float:
    if (type(data) is not int and type(data) is not float) or not abs(data) <= sys.float_info.max:
        raise RecordError(f"{where}: {data!r:.80} is not a number")
    return float(data)


def _count(data: object, where: str) -> int:
    if type(data) is not int or data < 0:
        raise RecordError(f"{where}: {data!r:.80} is not a whole number from 0")
    return data


def _maybe(data: object, where: str) -> int | None:
    return None if data is None else _count(data, where)
