"""Entries, agreements and whole sheets as JSON, read strictly: what is unknown is refused by name.

An exported sheet is `{"format": "score-sheet", "version": 2, "entries": [...]}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, assert_never, get_args

from companion.rules.event_form import RecordError, read_list, read_object, read_version
from companion.sheets.agreement import GAMES, Agreement, Contract, Partners, usual
from companion.sheets.entry import (
    Closed,
    ContractsAgreed,
    Corrected,
    DealerNamed,
    Entry,
    Opened,
    Renamed,
    Undone,
    Written,
)
from companion.sheets.fault import SheetError
from companion.sheets.hand import ContractHand, Hand, TuteHand
from companion.sheets.sheet import fold

__all__ = [
    "VERSION",
    "agreement_from_json",
    "agreement_to_json",
    "contracts_from_json",
    "entries_from_export",
    "entry_from_json",
    "entry_to_json",
    "export",
    "hand_from_json",
    "hand_to_json",
    "names_from_json",
    "read_count",
]

VERSION = 2
"""Of exported sheets; rises with every change that an older program could not read; 2 has `zweier`."""

_FORMAT = "score-sheet"
_ENTRIES: dict[str, tuple[str, ...]] = {
    "opened": ("agreement", "names", "dealer"),
    "written": ("hand",),
    "corrected": ("line", "hand"),
    "dealer": ("dealer",),
    "renamed": ("names",),
    "contracts": ("contracts",),
    "closed": (),
    "undone": ("withdraws",),
}
_CONTRACT_HAND = ("dealer", "contract", "player", "won", "worth", "doubling", "partner")
_TUTE_HAND = ("dealer", "cards", "last_trick", "songs", "tute")


def entry_to_json(entry: Entry) -> dict[str, Any]:
    """Write an entry; `type` says which it is."""
    common = {"seq": entry.seq, "at": entry.at}
    match entry:
        case Opened(_, _, agreement, names, dealer):
            opened = {"agreement": agreement_to_json(agreement), "names": list(names), "dealer": dealer}
            return {"type": "opened", **common, **opened}
        case Written(_, _, hand):
            return {"type": "written", **common, "hand": hand_to_json(hand)}
        case Corrected(_, _, line, corrected):
            anew = None if corrected is None else hand_to_json(corrected)
            return {"type": "corrected", **common, "line": line, "hand": anew}
        case DealerNamed(_, _, dealer):
            return {"type": "dealer", **common, "dealer": dealer}
        case Renamed(_, _, names):
            return {"type": "renamed", **common, "names": list(names)}
        case ContractsAgreed(_, _, contracts):
            return {"type": "contracts", **common, "contracts": _contracts_to_json(contracts)}
        case Closed():
            return {"type": "closed", **common}
        case Undone(_, _, withdraws):
            return {"type": "undone", **common, "withdraws": withdraws}
        case _:
            assert_never(entry)


def entry_from_json(data: object, where: str = "entry") -> Entry:
    """Read what `entry_to_json` wrote.

    Raises:
        RecordError: It is no entry; the message begins with `where`.
    """
    kind = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in _ENTRIES:
        raise RecordError(f"{where}.type: {kind!r:.80} is no entry; known: {', '.join(_ENTRIES)}")
    names = ("type", "seq", "at", *_ENTRIES[kind])
    read = read_object(data, where, names, names)
    seq, at = read_count(read["seq"], f"{where}.seq"), _text(read["at"], f"{where}.at")
    match kind:
        case "opened":
            return Opened(
                seq,
                at,
                agreement_from_json(read["agreement"], f"{where}.agreement"),
                names_from_json(read["names"], f"{where}.names"),
                read_count(read["dealer"], f"{where}.dealer"),
            )
        case "written":
            return Written(seq, at, hand_from_json(read["hand"], f"{where}.hand"))
        case "corrected":
            hand = None if read["hand"] is None else hand_from_json(read["hand"], f"{where}.hand")
            return Corrected(seq, at, read_count(read["line"], f"{where}.line"), hand)
        case "dealer":
            return DealerNamed(seq, at, read_count(read["dealer"], f"{where}.dealer"))
        case "renamed":
            return Renamed(seq, at, names_from_json(read["names"], f"{where}.names"))
        case "contracts":
            return ContractsAgreed(seq, at, contracts_from_json(read["contracts"], f"{where}.contracts"))
        case "closed":
            return Closed(seq, at)
        case _:
            return Undone(seq, at, read_count(read["withdraws"], f"{where}.withdraws"))


def hand_to_json(hand: Hand) -> dict[str, Any]:
    """Write a hand; its fields say which kind it is."""
    match hand:
        case ContractHand():
            return {name: getattr(hand, name) for name in _CONTRACT_HAND}
        case TuteHand():
            songs = [list(each) for each in hand.songs]
            return {
                "dealer": hand.dealer,
                "cards": list(hand.cards),
                "last_trick": hand.last_trick,
                "songs": songs,
                "tute": hand.tute,
            }
        case _:
            assert_never(hand)


def hand_from_json(data: object, where: str = "hand") -> Hand:
    """Read a hand; whether it can have been is for `check_hand` to say.

    Raises:
        RecordError: It is none; the message begins with `where`.
    """
    if isinstance(data, Mapping) and "cards" in data:
        read = read_object(data, where, _TUTE_HAND, _TUTE_HAND)
        first, second = _pair(read["cards"], f"{where}.cards")
        return TuteHand(
            read_count(read["dealer"], f"{where}.dealer"),
            (read_count(first, f"{where}.cards"), read_count(second, f"{where}.cards")),
            _seat(read["last_trick"], f"{where}.last_trick"),
            _songs(read["songs"], f"{where}.songs"),
            _seat(read["tute"], f"{where}.tute"),
        )
    read = read_object(data, where, _CONTRACT_HAND, _CONTRACT_HAND)
    if type(read["won"]) is not bool:
        raise RecordError(f"{where}.won: {read['won']!r:.80} is neither true nor false")
    return ContractHand(
        read_count(read["dealer"], f"{where}.dealer"),
        _text(read["contract"], f"{where}.contract"),
        read_count(read["player"], f"{where}.player"),
        read["won"],
        read_count(read["worth"], f"{where}.worth"),
        read_count(read["doubling"], f"{where}.doubling"),
        _seat(read["partner"], f"{where}.partner"),
    )


def agreement_to_json(agreement: Agreement) -> dict[str, Any]:
    """Write an agreement with all its fields."""
    written: dict[str, Any] = {each.name: getattr(agreement, each.name) for each in fields(agreement)}
    written["contracts"] = _contracts_to_json(agreement.contracts)
    written["doublings"] = list(agreement.doublings)
    written["marks"] = list(agreement.marks)
    return written


def agreement_from_json(data: object, where: str = "agreement") -> Agreement:
    """Read an agreement; what is left out, except the game, is as `usual`.

    Raises:
        RecordError: It is none, or its fields contradict each other; the message begins with `where`.
    """
    read = read_object(data, where, tuple(each.name for each in fields(Agreement)), ("game",))
    if read["game"] not in GAMES:
        raise RecordError(f"{where}.game: {read['game']!r:.80} is no game; known: {', '.join(GAMES)}")
    given = {**agreement_to_json(usual(read["game"])), **read}
    first, second, third = _counts(given["marks"], f"{where}.marks", 3)
    try:
        return Agreement(
            given["game"],
            read_count(given["target"], f"{where}.target"),
            _one_of(given["count"], ("up", "down"), f"{where}.count"),
            _one_of(given["partners"], get_args(Partners), f"{where}.partners"),
            contracts_from_json(given["contracts"], f"{where}.contracts"),
            _counts(given["doublings"], f"{where}.doublings"),
            (first, second, third),
            _one_of(given["several"], ("all", "most"), f"{where}.several"),
        )
    except SheetError as error:
        raise RecordError(f"{where}: {error}") from error


def contracts_from_json(data: object, where: str = "contracts") -> tuple[Contract, ...]:
    """Read a table of contracts.

    Raises:
        RecordError: It is none; the message begins with `where`.
    """
    table = []
    for place, row in enumerate(read_list(data, where)):
        here = f"{where}[{place}]"
        read = read_object(row, here, ("name", "values"), ("name", "values"))
        try:
            table.append(
                Contract(_text(read["name"], f"{here}.name"), _counts(read["values"], f"{here}.values"))
            )
        except SheetError as error:
            raise RecordError(f"{here}: {error}") from error
    return tuple(table)


def names_from_json(data: object, where: str = "names") -> tuple[str, ...]:
    """Read players' names.

    Raises:
        RecordError: They are none; the message begins with `where`.
    """
    return tuple(_text(name, where) for name in read_list(data, where))


def export(entries: Sequence[Entry]) -> dict[str, Any]:
    """Write a whole sheet: all its entries, those taken back among them."""
    return {"format": _FORMAT, "version": VERSION, "entries": [entry_to_json(entry) for entry in entries]}


def entries_from_export(data: object) -> tuple[Entry, ...]:
    """Read what `export` wrote; the entries make a sheet.

    Raises:
        RecordError: They do not, or it was written by a later version; the message names the place.
    """
    names = ("format", "version", "entries")
    read = read_object(data, "sheet", names, names)
    if read["format"] != _FORMAT:
        raise RecordError(f"format: {read['format']!r:.80} is not {_FORMAT!r}")
    read_version(read["version"], VERSION)
    listed = read_list(read["entries"], "entries")
    entries = tuple(entry_from_json(each, f"entries[{place}]") for place, each in enumerate(listed))
    try:
        fold(entries)
    except SheetError as error:
        raise RecordError(f"entries: {error}") from error
    return entries


def read_count(data: object, where: str) -> int:
    """Return `data` as a whole number from 0 to a million.

    Raises:
        RecordError: It is none; the message begins with `where`.
    """
    if type(data) is not int or not 0 <= data <= 1_000_000:
        raise RecordError(f"{where}: {data!r:.80} is not a whole number from 0")
    return data


def _contracts_to_json(contracts: Sequence[Contract]) -> list[dict[str, Any]]:
    return [{"name": each.name, "values": list(each.values)} for each in contracts]


def _seat(data: object, where: str) -> int | None:
    return None if data is None else read_count(data, where)


def _songs(data: object, where: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    first, second = _pair(data, where)
    return _counts(first, where), _counts(second, where)


def _counts(data: object, where: str, length: int | None = None) -> tuple[int, ...]:
    values = tuple(read_count(each, where) for each in read_list(data, where))
    if len(values) > 8 or (length is not None and len(values) != length):
        raise RecordError(f"{where}: {len(values)} values are not {length or 'at most 8'}")
    return values


def _pair(data: object, where: str) -> list[Any]:
    pair = read_list(data, where)
    if len(pair) != 2:
        raise RecordError(f"{where}: {len(pair)} values, not 2")
    return pair


def _one_of(data: object, known: tuple[Any, ...], where: str) -> Any:  # noqa: ANN401
    if data not in known:
        raise RecordError(f"{where}: {data!r:.80} is none of {', '.join(known)}")
    return data


def _text(data: object, where: str) -> str:
    if not isinstance(data, str):
        raise RecordError(f"{where}: {data!r:.80} is not a text")
    if any(not character.isprintable() for character in data):
        raise RecordError(f"{where}: {data!r:.80} has characters that cannot be shown")
    return data
