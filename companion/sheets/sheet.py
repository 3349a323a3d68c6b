"""A sheet: the fold of its entries, frozen.

`apply` is the one judge: what it lets through can be written down, all else is refused with a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import assert_never

from companion.sheets.agreement import Agreement
from companion.sheets.entry import (
    MAX_NAME,
    Change,
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
from companion.sheets.hand import Hand, check_hand
from companion.sheets.tally import Tally, tally

__all__ = ["Line", "Sheet", "apply", "fold"]


@dataclass(frozen=True, slots=True)
class Line:
    """A hand on the sheet.

    Attributes:
        seq: Entry that wrote it; corrections name it by this.
        at: When it was written.
        hand: What holds now; `None`: struck out.
        was: What it was said to be before, oldest first.
    """

    seq: int
    at: str
    hand: Hand | None
    was: tuple[Hand | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet as it stands.

    Attributes:
        at: When it was opened.
        agreement: What holds now.
        names: Around the table; empty where not given.
        first_dealer: Who dealt first.
        lines: Its hands, in order, those struck out among them.
        named_dealer: Who was named to deal next.
        closed: Whether nothing more is written.
        seq: Number of its newest entry.
        last: What an undo would take back.
        before: The sheet without `last`.
    """

    at: str
    agreement: Agreement
    names: tuple[str, ...]
    first_dealer: int
    lines: tuple[Line, ...] = ()
    named_dealer: int | None = None
    closed: bool = False
    seq: int = 1
    last: Change | None = None
    before: Sheet | None = field(default=None, repr=False, compare=False)

    @property
    def next_dealer(self) -> int:
        """Who deals next: as named, else the next around the table (clause 1.4)."""
        if self.named_dealer is not None:
            return self.named_dealer
        standing = [line.hand for line in self.lines if line.hand is not None]
        return (standing[-1].dealer + 1) % self.agreement.seats if standing else self.first_dealer

    @property
    def tally(self) -> Tally:
        """All counts."""
        return tally(self.agreement, [(line.seq, line.hand) for line in self.lines if line.hand is not None])


def apply(sheet: Sheet | None, entry: Entry) -> Sheet:
    """Return `sheet` after `entry`; `None` is a sheet that has not been opened.

    Raises:
        SheetError: The sheet cannot take it; the message says why.
    """
    if sheet is None:
        return _opened(entry)
    if entry.seq != sheet.seq + 1:
        raise SheetError("too_late", f"Entry {sheet.seq + 1} is next, not {entry.seq}.")
    match entry:
        case Opened():
            raise SheetError("open_twice", "The sheet is open already.")
        case Undone():
            return _undone(sheet, entry)
        case _:
            if sheet.closed:
                raise SheetError("closed", "The sheet is closed; undo that to go on.")
            return replace(_changed(sheet, entry), seq=entry.seq, last=entry, before=sheet)


def fold(entries: Iterable[Entry]) -> Sheet:
    """Return the sheet that `entries` make.

    Raises:
        SheetError: They do not fit each other, or there are none.
    """
    sheet: Sheet | None = None
    for entry in entries:
        sheet = apply(sheet, entry)
    if sheet is None:
        raise SheetError("not_open", "A sheet begins by being opened.")
    return sheet


def _opened(entry: Entry) -> Sheet:
    if not isinstance(entry, Opened) or entry.seq != 1:
        raise SheetError("not_open", "A sheet begins by being opened.")
    _check_names(entry.agreement, entry.names)
    _check_dealer(entry.agreement, entry.dealer)
    return Sheet(entry.at, entry.agreement, entry.names, entry.dealer)


def _undone(sheet: Sheet, entry: Undone) -> Sheet:
    if sheet.last is None or sheet.before is None:
        raise SheetError("nothing_to_undo", "There is nothing to take back.")
    if sheet.last.seq != entry.withdraws:
        raise SheetError("too_late", f"Entry {sheet.last.seq} is the last, not {entry.withdraws}.")
    return replace(sheet.before, seq=entry.seq)


def _changed(sheet: Sheet, entry: Change) -> Sheet:
    match entry:
        case Written(seq, at, hand):
            check_hand(sheet.agreement, hand)
            return replace(sheet, lines=(*sheet.lines, Line(seq, at, hand)), named_dealer=None)
        case Corrected(_, _, number, hand):
            return replace(sheet, lines=_corrected(sheet, number, hand))
        case DealerNamed(_, _, dealer):
            _check_dealer(sheet.agreement, dealer)
            return replace(sheet, named_dealer=dealer)
        case Renamed(_, _, names):
            _check_names(sheet.agreement, names)
            return replace(sheet, names=names)
        case ContractsAgreed(_, _, contracts):
            return replace(sheet, agreement=replace(sheet.agreement, contracts=contracts))
        case Closed():
            return replace(sheet, closed=True)
        case _:
            assert_never(entry)


def _corrected(sheet: Sheet, number: int, hand: Hand | None) -> tuple[Line, ...]:
    if hand is not None:
        check_hand(sheet.agreement, hand)
    place = next((place for place, line in enumerate(sheet.lines) if line.seq == number), None)
    if place is None:
        raise SheetError("no_line", f"Entry {number} wrote no hand of this sheet.")
    line = sheet.lines[place]
    if line.hand == hand:
        raise SheetError("no_change", "It stands so already.")
    changed = replace(line, hand=hand, was=(*line.was, line.hand))
    return (*sheet.lines[:place], changed, *sheet.lines[place + 1 :])


def _check_names(agreement: Agreement, names: tuple[str, ...]) -> None:
    if len(names) != agreement.seats:
        raise SheetError(
            "name_count", f"{agreement.seats} names are needed, not {len(names)}.", n=agreement.seats
        )
    if any(len(name) > MAX_NAME or name != name.strip() for name in names):
        raise SheetError("name_long", f"A name has at most {MAX_NAME} characters.", n=MAX_NAME)
    given = [name.casefold() for name in names]
    again = (name for place, name in enumerate(names) if name and name.casefold() in given[:place])
    if doubled := next(again, None):
        raise SheetError("name_twice", f"Two players cannot both be called {doubled}.", name=doubled)


def _check_dealer(agreement: Agreement, dealer: int) -> None:
    if not 0 <= dealer < agreement.seats:
        raise SheetError(
            "no_player", f"There is no player {dealer} at a table of {agreement.seats}.", n=agreement.seats
        )
