"""What a phone asks of a sheet, and the entry that it comes to.

    {"type": "open", "names": [...], "dealer": 0, "agreement": {"game": "bauern"}}
    {"type": "hand", "sheet": 3, "after": 7, "hand": {"contract": "gang", "player": 1, "won": true}}
    {"type": "correct", "sheet": 3, "after": 8, "line": 4, "hand": {...} or null}
    {"type": "dealer" | "rename" | "contracts" | "close" | "undo", "sheet": 3, "after": 9, ...}

`after` is the newest entry that the phone has seen. Where something else has been written since, the
command is refused: so two phones that note the same hand do not note it twice.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.event_form import RecordError, read_list, read_object
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
from companion.sheets.form import (
    agreement_from_json,
    contracts_from_json,
    hand_from_json,
    names_from_json,
    read_count,
)
from companion.sheets.hand import CARD_POINTS, ContractHand, Hand
from companion.sheets.sheet import Sheet

__all__ = ["SheetCommand", "entry_of", "read_command"]

_FIELDS: dict[str, tuple[str, ...]] = {
    "open": ("agreement", "names", "dealer"),
    "hand": ("hand",),
    "correct": ("line", "hand"),
    "dealer": ("dealer",),
    "rename": ("names",),
    "contracts": ("contracts",),
    "close": (),
    "undo": (),
}
_HAND: dict[str, Any] = {"dealer": None, "partner": None, "doubling": 1, "worth": None}
_TUTE: dict[str, Any] = {"dealer": None, "last_trick": None, "songs": [[], []], "tute": None}


@dataclass(frozen=True, slots=True)
class SheetCommand:
    """A command, its fields not yet looked into.

    Attributes:
        kind: What is asked.
        sheet: Of which sheet; `None`: a new one.
        after: Newest entry that the phone has seen.
        fields: The rest.
    """

    kind: str
    sheet: int | None
    after: int
    fields: Mapping[str, Any]


def read_command(data: object) -> SheetCommand:
    """Read a command; `key`, a text that marks repetitions of one press, may accompany it.

    Raises:
        RecordError: It is none; the message names the field.
    """
    kind = data.get("type") if isinstance(data, Mapping) else None
    if not isinstance(kind, str) or kind not in _FIELDS:
        raise RecordError(f"type: {kind!r:.80} is no command; known: {', '.join(_FIELDS)}")
    place = () if kind == "open" else ("sheet", "after")
    required = ("type", *place, *_FIELDS[kind])
    read = read_object(data, kind, (*required, "key"), required)
    if kind == "open":
        return SheetCommand(kind, None, 0, read)
    return SheetCommand(kind, read_count(read["sheet"], "sheet"), read_count(read["after"], "after"), read)


def entry_of(command: SheetCommand, sheet: Sheet | None, at: str) -> Entry:
    """Return the entry that `command` comes to; whether `sheet` takes it is for `apply` to say.

    Raises:
        RecordError: A field is not what it should be.
        SheetError: It cannot be done; the message says why.
    """
    fields = command.fields
    if sheet is None:
        return Opened(
            1,
            at,
            agreement_from_json(fields["agreement"]),
            names_from_json(fields["names"]),
            read_count(fields["dealer"], "dealer"),
        )
    if command.after != sheet.seq:
        raise SheetError("too_late", "Something else has been written on this sheet meanwhile.")
    seq = sheet.seq + 1
    match command.kind:
        case "hand":
            return Written(seq, at, _told_hand(sheet, fields["hand"], sheet.next_dealer))
        case "correct":
            line = read_count(fields["line"], "line")
            if fields["hand"] is None:
                return Corrected(seq, at, line, None)
            return Corrected(seq, at, line, _told_hand(sheet, fields["hand"], _dealer_of(sheet, line)))
        case "dealer":
            return DealerNamed(seq, at, read_count(fields["dealer"], "dealer"))
        case "rename":
            return Renamed(seq, at, names_from_json(fields["names"]))
        case "contracts":
            return ContractsAgreed(seq, at, contracts_from_json(fields["contracts"]))
        case "close":
            return Closed(seq, at)
        case _:
            if sheet.last is None:
                raise SheetError("nothing_to_undo", "There is nothing to take back.")
            return Undone(seq, at, sheet.last.seq)


def _dealer_of(sheet: Sheet, line: int) -> int:
    for each in sheet.lines:
        if each.seq == line:
            known = each.hand or next((hand for hand in reversed(each.was) if hand is not None), None)
            return sheet.next_dealer if known is None else known.dealer
    raise SheetError("no_line", f"Entry {line} wrote no hand of this sheet.")


def _told_hand(sheet: Sheet, data: object, dealer: int) -> Hand:
    """Read a hand as a phone tells it; dealer, worth and the other's cards may go without saying."""
    if not isinstance(data, Mapping):
        raise RecordError(f"hand: {data!r:.80} is not an object")
    tute = sheet.agreement.game == "tute"
    told = {**(_TUTE if tute else _HAND), **data}
    if told["dealer"] is None:
        told["dealer"] = dealer
    if tute:
        told["cards"] = _both_cards(told.get("cards"))
        return hand_from_json(told)
    if told["worth"] is None:
        told["worth"] = 0
    hand = hand_from_json(told)
    if not isinstance(hand, ContractHand):
        return hand
    values = sheet.agreement.contract(hand.contract).values
    if data.get("worth") is None and len(values) == 1:
        hand = ContractHand(
            hand.dealer, hand.contract, hand.player, hand.won, values[0], hand.doubling, hand.partner
        )
    if hand.worth not in values:
        shown = ", ".join(map(str, values))
        raise SheetError(
            "not_in_table",
            f"By the table {hand.contract} is worth {shown}.",
            contract=hand.contract,
            values=shown,
        )
    return hand


def _both_cards(data: object) -> list[object]:
    """Fill in a count that was left out: all card points together are known."""
    cards = read_list(data, "hand.cards")
    if len(cards) != 2 or cards.count(None) > 1:
        raise RecordError("hand.cards: two counts are needed, one of them may be null")
    known = [read_count(each, "hand.cards") for each in cards if each is not None]
    if None not in cards:
        return cards
    if known[0] > CARD_POINTS:
        raise SheetError(
            "cards_many", f"There are {CARD_POINTS} card points, not {known[0]}.", n=known[0], all=CARD_POINTS
        )
    return [CARD_POINTS - known[0] if each is None else each for each in cards]
