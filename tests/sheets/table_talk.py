"""What tests of the score sheets share: sheets that are written line by line, and random ones."""

from __future__ import annotations

from hypothesis import strategies as st

from companion.sheets.agreement import GAMES, Agreement, Game, usual
from companion.sheets.command import entry_of, read_command
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
from companion.sheets.hand import ContractHand, Hand, TuteHand
from companion.sheets.sheet import Sheet, apply

AT = "2026-11-21T19:00:00+00:00"
NAMES = ("Anna", "Bert", "Clara", "Dora")


class Pencil:
    """A sheet under somebody's hand: says what a phone would, and keeps what came of it."""

    def __init__(self, game: Game, **agreed) -> None:
        seats = usual(game).seats
        self.entries: list[Entry] = []
        self.sheet: Sheet | None = None
        told = {"names": list(NAMES[:seats]), "dealer": 0, "agreement": {"game": game, **agreed}}
        self._take(entry_of(read_command({"type": "open", **told}), None, AT))

    def say(self, kind: str, **fields) -> Sheet:
        """Send a command that follows what the sheet shows."""
        command = read_command({"type": kind, "sheet": 1, "after": self.sheet.seq, **fields})
        return self._take(entry_of(command, self.sheet, AT))

    def game(self, player: int, worth: int, won: bool = True, **more) -> Sheet:
        """Write a normal game."""
        return self.contract("game", player, won, worth=worth, **more)

    def contract(self, name: str, player: int, won: bool = True, **more) -> Sheet:
        """Write a hand with a contract."""
        return self.say("hand", hand={"contract": name, "player": player, "won": won, **more})

    def tute(self, first: int | None, second: int | None = None, **more) -> Sheet:
        """Write a hand of Tute; a count left out is the rest."""
        return self.say("hand", hand={"cards": [first, second], **more})

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of each column in the match."""
        return self.sheet.tally.totals

    @property
    def marks(self) -> tuple[int, ...]:
        """Bummerl marks of each column."""
        return self.sheet.tally.marks

    def _take(self, entry: Entry) -> Sheet:
        self.sheet = apply(self.sheet, entry)
        self.entries.append(entry)
        return self.sheet


@st.composite
def hands(draw: st.DrawFn, agreement: Agreement) -> Hand:
    """Any hand that can have been."""
    seat = st.integers(0, agreement.seats - 1)
    dealer = draw(seat)
    if agreement.game == "tute":
        first = draw(st.integers(0, 120).filter(lambda points: points not in (1, 119)))
        winner = draw(st.sampled_from([0, 1]))
        songs = draw(st.lists(st.sampled_from([0, 1]), max_size=3))
        sung = tuple(tuple(20 for owner in songs if owner == each) for each in (0, 1))
        if draw(st.booleans()):
            sung = ((40, *sung[0]), sung[1]) if draw(st.booleans()) else (sung[0], (40, *sung[1]))
        tute = draw(st.sampled_from([None, *(each for each in (0, 1) if not sung[1 - each])]))
        return TuteHand(dealer, (first, 120 - first), winner, sung, tute)
    player = draw(seat.filter(lambda each: not (agreement.dealer_sits_out and each == dealer)))
    partner = None
    if agreement.partners == "called":
        partner = draw(st.none() | seat.filter(lambda each: each != player))
    contract = draw(st.sampled_from(agreement.contracts))
    worth, doubling = draw(st.sampled_from(contract.values)), draw(st.sampled_from(agreement.doublings))
    return ContractHand(dealer, contract.name, player, draw(st.booleans()), worth, doubling, partner)


@st.composite
def sheets(draw: st.DrawFn, longest: int = 25) -> tuple[Entry, ...]:
    """The entries of a sheet on which everything happens: hands, corrections, undo, names, another table."""
    agreement = usual(draw(st.sampled_from(GAMES)))
    opened = Opened(1, AT, agreement, NAMES[: agreement.seats], draw(st.integers(0, agreement.seats - 1)))
    sheet, entries = apply(None, opened), [opened]
    for _ in range(draw(st.integers(0, longest))):
        entry = draw(_next_entry(sheet))
        if entry is not None:
            sheet = apply(sheet, entry)
            entries.append(entry)
    return tuple(entries)


@st.composite
def _next_entry(draw: st.DrawFn, sheet: Sheet) -> Entry | None:
    seq = sheet.seq + 1
    kinds = ["hand"] * 6 + ["correct", "strike", "dealer", "names", "table", "undo", "undo", "close"]
    kind = draw(st.sampled_from(kinds))
    if kind == "undo":
        return None if sheet.last is None else Undone(seq, AT, sheet.last.seq)
    if sheet.closed:
        return None
    match kind:
        case "hand":
            return Written(seq, AT, draw(hands(sheet.agreement)))
        case "correct" | "strike":
            if not sheet.lines:
                return None
            line = draw(st.sampled_from(sheet.lines))
            hand = None if kind == "strike" else draw(hands(sheet.agreement))
            return None if hand == line.hand else Corrected(seq, AT, line.seq, hand)
        case "dealer":
            return DealerNamed(seq, AT, draw(st.integers(0, sheet.agreement.seats - 1)))
        case "names":
            return Renamed(seq, AT, ("", *sheet.names[1:]))
        case "table":
            if len(sheet.agreement.contracts) < 2:
                return None
            return ContractsAgreed(seq, AT, sheet.agreement.contracts[:-1])
        case _:
            return Closed(seq, AT)
