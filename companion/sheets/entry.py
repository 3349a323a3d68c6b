"""What is written on a sheet, entry by entry; a sheet is the fold of its entries.

`seq` counts the entries of one sheet from 1; `at` is the wall clock, ISO 8601 with zone.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.sheets.agreement import Agreement, Contract
from companion.sheets.hand import Hand

__all__ = [
    "MAX_NAME",
    "Change",
    "Closed",
    "ContractsAgreed",
    "Corrected",
    "DealerNamed",
    "Entry",
    "Opened",
    "Renamed",
    "Undone",
    "Written",
]

MAX_NAME = 24
"""Characters of a player's name at most."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The first entry: who plays what.

    Attributes:
        names: Around the table; empty where not given. With partners opposite, 0 and 2 play against 1 and 3.
        dealer: Who deals first.
    """

    seq: int
    at: str
    agreement: Agreement
    names: tuple[str, ...]
    dealer: int = 0


@dataclass(frozen=True, slots=True)
class Written:
    """A hand was played."""

    seq: int
    at: str
    hand: Hand


@dataclass(frozen=True, slots=True)
class Corrected:
    """The hand that entry `line` wrote was `hand`; `None`: it is struck out."""

    seq: int
    at: str
    line: int
    hand: Hand | None


@dataclass(frozen=True, slots=True)
class DealerNamed:
    """`dealer` deals the next hand, whoever's turn it would be."""

    seq: int
    at: str
    dealer: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """The players are called `names`."""

    seq: int
    at: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ContractsAgreed:
    """From now on the table of contracts is this one."""

    seq: int
    at: str
    contracts: tuple[Contract, ...]


@dataclass(frozen=True, slots=True)
class Closed:
    """The sheet is full or the evening over: nothing more is written, unless this is undone."""

    seq: int
    at: str


@dataclass(frozen=True, slots=True)
class Undone:
    """Entry `withdraws`, the last that stood, is taken back."""

    seq: int
    at: str
    withdraws: int


Change = Written | Corrected | DealerNamed | Renamed | ContractsAgreed | Closed
"""What can be undone."""
Entry = Opened | Change | Undone
