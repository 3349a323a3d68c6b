"""Hands handed on: as JSON Lines and as `.hand`, both of which are read again, and as a table.

Matches are told as lines and as a table; nothing reads them again.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from companion.history.hands import PlayedHand
from companion.history.matches import PlayedMatch
from companion.rules.cards import Player
from companion.rules.notation import Part, Title, write
from companion.rules.record import result_of
from companion.table.entry import in_all

__all__ = ["EXPORTS", "MATCH_EXPORTS", "as_csv", "as_hand", "as_jsonl"]

Row = TypeVar("Row", PlayedHand, PlayedMatch)


def as_jsonl(hands: Sequence[PlayedHand]) -> str:
    """Return the records, one a line."""
    return _lines(hand.record.to_json() for hand in hands)


def as_hand(hands: Sequence[PlayedHand]) -> str:
    """Return the hands in the text notation, under the headings of their matches."""
    parts: list[tuple[str, Title, list[PlayedHand]]] = []
    for hand in hands:
        title = Title(hand.match, (_written(hand.names[0]), _written(hand.names[1])))
        if not parts or parts[-1][:2] != (hand.table, title):
            parts.append((hand.table, title, []))
        parts[-1][2].append(hand)
    return write(Part(title, tuple(hand.record for hand in those)) for _, title, those in parts)


def _written(name: str) -> str:
    """Return a name as the notation can hold it."""
    return " ".join(name.replace("|", " ").replace("#", " ").split())


def as_csv(hands: Sequence[PlayedHand]) -> str:
    """Return a table with a line a hand and a heading; points without doubt, or `28-37`."""
    return _table(hands, _COLUMNS)


def _lines(told: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(each, ensure_ascii=False) + "\n" for each in told)


def _table(rows: Sequence[Row], columns: Mapping[str, Callable[[Row], Any]]) -> str:
    """Return a heading and a line for each row, with commas; of several tables each with its table."""
    if any(row.table for row in rows):
        columns = {"table": lambda row: row.table, **columns}
    text = io.StringIO()
    writer = csv.DictWriter(text, list(columns), lineterminator="\r\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({name: _plain(column(row)) for name, column in columns.items()})
    return text.getvalue()


def _plain(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _seat(player: Player | None) -> str | None:
    return None if player is None else player.name.lower()


def _points(player: Player) -> Callable[[PlayedHand], str | None]:
    """A player's points, without doubt or from low to high; empty where nothing of the hand was seen."""

    def points(hand: PlayedHand) -> str | None:
        if hand.fold.noted:
            return None
        return str(result_of(hand.fold.state).card_points[player]).replace(" to ", "-")

    return points


def _unseen_s(hand: PlayedHand) -> float | None:
    """For how long nobody saw the table; empty where nobody had looked before."""
    told = in_all(gap.seconds for gap in hand.fold.unseen)
    return None if told is None else round(told, 1)


_COLUMNS: Mapping[str, Callable[[PlayedHand], Any]] = {
    "number": lambda hand: hand.number,
    "began": lambda hand: None if hand.began is None else hand.began.isoformat(timespec="seconds"),
    "match": lambda hand: hand.match,
    "hand": lambda hand: hand.hand,
    "south": lambda hand: hand.names[0],
    "north": lambda hand: hand.names[1],
    "rules": lambda hand: hand.fold.state.rules.title,
    "dealer": lambda hand: _seat(hand.fold.state.dealer),
    "turned_up": lambda hand: hand.fold.state.dealt_up,
    "winner": lambda hand: _seat(result_of(hand.fold.state).winner),
    "game_points": lambda hand: result_of(hand.fold.state).game_points,
    "reason": lambda hand: result_of(hand.fold.state).reason,
    "south_points": _points(Player.SOUTH),
    "north_points": _points(Player.NORTH),
    "tricks": lambda hand: None if hand.fold.noted else len(hand.fold.state.tricks),
    "closed_by": lambda hand: _seat(hand.fold.state.closed_by),
    "exchanged_by": lambda hand: _seat(hand.fold.state.exchanged_by),
    "marriages": lambda hand: sum(not each.void for each in hand.fold.state.marriages),
    "revokes": lambda hand: sum(each.breach.is_revoke for each in hand.fold.state.breaches),
    "corrections": lambda hand: len(hand.corrections),
    "questions": lambda hand: len(hand.questions),
    "unseen_s": _unseen_s,
    "seconds": lambda hand: round(hand.entries[-1].time - hand.entries[0].time, 1),
}

EXPORTS: Mapping[str, tuple[Callable[[Sequence[PlayedHand]], str], str]] = {
    "jsonl": (as_jsonl, "application/x-ndjson"),
    "hand": (as_hand, "text/plain"),
    "csv": (as_csv, "text/csv"),
}
"""By ending: what writes it, and its media type."""

_MATCH_COLUMNS: Mapping[str, Callable[[PlayedMatch], Any]] = {
    "match": lambda match: match.match.number,
    "began": lambda match: None if match.began is None else match.began.isoformat(timespec="seconds"),
    "south": lambda match: match.names[0],
    "north": lambda match: match.names[1],
    "rules": lambda match: match.match.rules.title,
    "hands": lambda match: len(match.hands),
    "winner": lambda match: _seat(match.winner),
    "south_points": lambda match: match.match.won_points[0],
    "north_points": lambda match: match.match.won_points[1],
    "mark": lambda match: match.match.mark,
    "series_winner": lambda match: _seat(match.match.series_winner),
}

MATCH_EXPORTS: Mapping[str, Callable[[Sequence[PlayedMatch]], str]] = {
    "jsonl": lambda matches: _lines(match.to_json() for match in matches),
    "csv": lambda matches: _table(matches, _MATCH_COLUMNS),
}
"""By ending: what writes matches."""
