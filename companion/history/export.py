"""Hands handed on: as JSON Lines and as `.hand`, both of which are read again, and as a table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.history.hands import PlayedHand
from companion.rules.cards import Player
from companion.rules.notation import Part, Title, write
from companion.rules.record import result_of
from companion.table.entry import in_all

__all__ = ["EXPORTS", "as_csv", "as_hand", "as_jsonl"]


def as_jsonl(hands: Sequence[PlayedHand]) -> str:
    """Return the records, one a line."""
    return "".join(json.dumps(hand.record.to_json(), ensure_ascii=False) + "\n" for hand in hands)


def as_hand(hands: Sequence[PlayedHand]) -> str:
    """Return the hands in the text notation, under the headings of their matches."""
    parts: list[tuple[Title, list[PlayedHand]]] = []
    for hand in hands:
        title = Title(hand.match, (_written(hand.names[0]), _written(hand.names[1])))
        if not parts or parts[-1][0] != title:
            parts.append((title, []))
        parts[-1][1].append(hand)
    return write(Part(title, tuple(hand.record for hand in those)) for title, those in parts)


def _written(name: str) -> str:
    """Return a name as the notation can hold it."""
    return " ".join(name.replace("|", " ").replace("#", " ").split())


def as_csv(hands: Sequence[PlayedHand]) -> str:
    """Return a table with a line a hand and a heading; UTF-8, commas, points without doubt or `28-37`."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(_COLUMNS), lineterminator="\r\n")
    writer.writeheader()
    for hand in hands:
        writer.writerow({name: _plain(column(hand)) for name, column in _COLUMNS.items()})
    return text.getvalue()


def _plain(value: object) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text


def _seat(player: Player | None) -> str | None:
    return None if player is None else player.name.lower()


def _points(player: Player) -> Callable[[PlayedHand], str]:
    return lambda hand: str(result_of(hand.fold.state).card_points[player]).replace(" to ", "-")


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
    "tricks": lambda hand: len(hand.fold.state.tricks),
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
