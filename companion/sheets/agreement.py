"""What a table has agreed for one sheet: game, target, contracts and what they are worth.

Clauses are those of docs/score-sheets.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from companion.sheets.fault import SheetError

__all__ = ["GAMES", "MAX_WORTH", "Agreement", "Contract", "Game", "Partners", "usual"]

Game = Literal["zweier", "bauern", "dreier", "negyes", "harmas", "rotation", "tute"]
"""For two, Bauernschnapsen, Dreierschnapsen, Négyes, Hármas, two-handed with rotation, Tute (clause 1.1)."""
Partners = Literal["none", "opposite", "called"]
"""Who belongs together: nobody, who sits opposite, or who is called anew in each hand (clause 1.2)."""

GAMES: tuple[Game, ...] = get_args(Game)
MAX_TARGET = 999
MAX_WORTH = 99
MAX_CONTRACTS = 24
MAX_CONTRACT_NAME = 30
_SEATS: dict[Game, int] = {
    "zweier": 2,
    "bauern": 4,
    "dreier": 3,
    "negyes": 4,
    "harmas": 3,
    "rotation": 3,
    "tute": 2,
}
_PARTNERS: dict[Game, tuple[Partners, ...]] = {
    "bauern": ("opposite",),
    "negyes": ("called", "opposite"),
}
_FACTORS = (1, 2, 4, 8, 16)


def _within(values: tuple[int, ...], low: int, high: int) -> bool:
    return all(low <= value <= high for value in values)


@dataclass(frozen=True, slots=True)
class Contract:
    """A line of the table of contracts.

    Attributes:
        name: What it is called; the page translates the names of clause 2.1, others are shown as they are.
        values: What it may be worth: one value, or several to choose from (a normal game: 1, 2, 3).
    """

    name: str
    values: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.name) <= MAX_CONTRACT_NAME or self.name != self.name.strip():
            raise SheetError(
                "contract_name",
                f"A contract needs a name of 1 to {MAX_CONTRACT_NAME} characters, not {self.name!r:.60}.",
                n=MAX_CONTRACT_NAME,
            )
        rising = all(low < high for low, high in zip(self.values, self.values[1:], strict=False))
        if not 1 <= len(self.values) <= 4 or not rising or not _within(self.values, 1, MAX_WORTH):
            raise SheetError(
                "contract_values",
                f"{self.name}: one to four rising values from 1 to {MAX_WORTH} are needed.",
                contract=self.name,
                n=MAX_WORTH,
            )


_NORMAL = Contract("game", (1, 2, 3))
_USUAL_CONTRACTS = (
    _NORMAL,
    Contract("bettler", (4, 5)),
    Contract("schnapser", (6,)),
    Contract("gang", (9,)),
    Contract("zehnergang", (10,)),
    Contract("bauernschnapser", (12,)),
    Contract("kontraschnapser", (12,)),
    Contract("farbenringerl", (18,)),
    Contract("kontrabauernschnapser", (24,)),
    Contract("herrenschnapser", (24,)),
)
"""The values commonly written for three and four players (clause 2.1)."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """What holds for a sheet; `usual` gives each game's own, and every field can differ.

    Attributes:
        game: What is played.
        target: Points that win a match (clause 3.1).
        count: Whether the shown points fall from the target or rise to it (clause 3.2).
        partners: Who belongs together.
        contracts: What can be announced; empty for Tute, whose cards are counted.
        doublings: By what a hand may be multiplied; the first is 1 (clause 2.4).
        marks: What a match costs its losers: usually, without a point, and after having led with one
            point missing against nothing (clauses 3.5 to 3.7).
        several: Who wins when several reach the target in one hand: `all` or who has the `most`
            (clause 3.3).

    Raises:
        SheetError: The fields contradict each other.
    """

    game: Game
    target: int
    count: Literal["up", "down"]
    partners: Partners
    contracts: tuple[Contract, ...]
    doublings: tuple[int, ...]
    marks: tuple[int, int, int]
    several: Literal["all", "most"]

    def __post_init__(self) -> None:
        if not 1 <= self.target <= MAX_TARGET:
            raise SheetError(
                "target", f"The target must be 1 to {MAX_TARGET}, not {self.target}.", n=MAX_TARGET
            )
        if self.partners not in _PARTNERS.get(self.game, ("none",)):
            raise SheetError("partners", f"{self.game}: partners cannot be {self.partners!r}.")
        if not _within(self.marks, 1, 9):
            raise SheetError("marks", "A lost match costs 1 to 9 marks.")
        if self.game == "tute":
            if self.contracts or self.doublings != (1,):
                raise SheetError("tute_contracts", "Tute has neither contracts nor doubling.")
            return
        self._check_contracts()

    def _check_contracts(self) -> None:
        if not 1 <= len(self.contracts) <= MAX_CONTRACTS:
            raise SheetError(
                "contract_count",
                f"A table has 1 to {MAX_CONTRACTS} contracts, not {len(self.contracts)}.",
                n=MAX_CONTRACTS,
            )
        names = [contract.name.casefold() for contract in self.contracts]
        if doubled := next((name for place, name in enumerate(names) if name in names[:place]), None):
            raise SheetError("contract_twice", f"{doubled!r} stands twice in the table.", contract=doubled)
        rising = all(low < high for low, high in zip(self.doublings, self.doublings[1:], strict=False))
        if self.doublings[:1] != (1,) or not rising or not set(self.doublings) <= set(_FACTORS):
            raise SheetError("doublings", "Doublings are 1 and then any of 2, 4, 8, 16, rising.")

    @property
    def seats(self) -> int:
        """How many play."""
        return _SEATS[self.game]

    @property
    def dealer_sits_out(self) -> bool:
        """Whether the dealer does not play the hand (clause 1.3)."""
        return self.game == "rotation"

    @property
    def told_by_winner(self) -> bool:
        """Whether two play a hand, so that who won it tells who lost it (clause 2.5)."""
        return self.game in ("zweier", "rotation")

    @property
    def accounts(self) -> tuple[tuple[int, ...], ...]:
        """Which players share an account, in the order of their columns."""
        if self.partners == "opposite":
            return (0, 2), (1, 3)
        return tuple((seat,) for seat in range(self.seats))

    def contract(self, name: str) -> Contract:
        """Return the contract that is called `name`.

        Raises:
            SheetError: The table has none.
        """
        for contract in self.contracts:
            if contract.name == name:
                return contract
        raise SheetError("no_contract", f"The table has no contract {name!r:.60}.", contract=name)

    def shown(self, totals: tuple[int, ...]) -> tuple[int, ...]:
        """Return `totals` as players write them; counted down, nobody falls below 0."""
        if self.count == "up":
            return totals
        return tuple(max(0, self.target - points) for points in totals)


def usual(game: Game) -> Agreement:
    """Return what is commonly agreed for `game`; the sources are in docs/score-sheets.md.

    >>> usual("bauern").accounts
    ((0, 2), (1, 3))
    """
    partners = _PARTNERS.get(game, ("none",))[0]
    match game:
        case "zweier":
            return Agreement(game, 7, "down", partners, (_NORMAL,), (1,), (1, 1, 1), "all")
        case "rotation":
            return Agreement(game, 7, "down", partners, (_NORMAL,), (1,), (1, 2, 4), "all")
        case "tute":
            return Agreement(game, 101, "up", partners, (), (1,), (1, 1, 1), "most")
        case _:
            return Agreement(game, 24, "up", partners, _USUAL_CONTRACTS, (1, 2, 4, 8), (1, 2, 4), "all")
