"""Who reached for the stock between two tricks: both draw while it is open, and nobody once it is closed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from companion.decoding.likelihood import LOG_DRAWN_THOUGH_CLOSED, LOG_NOT_DRAWN
from companion.rules.cards import Player
from companion.rules.hand import HandState

__all__ = ["Draws"]

MOST_GAPS = 2
"""What hands do at the stock counts after so many tricks at most: what they do, they do again."""


@dataclass(frozen=True, slots=True)
class Draws:
    """What was seen of hands at the stock in one hand, by how many tricks had been taken then.

    Attributes:
        by: Whose hands were in the picture while something moved there, before the next lead.
        rested: After which tricks it lay there in sight, and nothing moved, until the next lead.
        unanswered: Whose hands came there while a lead had gone that nothing answered, and after which trick.
        visits: How often something moved there, before the next lead.
        both: After which tricks hands of both players came there.
    """

    by: Mapping[int, frozenset[Player]] = field(default_factory=dict)
    rested: frozenset[int] = frozenset()
    unanswered: tuple[int, frozenset[Player]] = (0, frozenset())
    visits: Mapping[int, int] = field(default_factory=dict)
    both: frozenset[int] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Work out once what every story with the same draws asks for."""
        both = frozenset(taken for taken, players in self.by.items() if len(players) == 2)
        object.__setattr__(self, "both", both)

    def reached(self, taken: int, players: frozenset[Player]) -> Draws:
        """Something has moved at the stock, and these players' hands were in the picture."""
        return replace(self, by={**self.by, taken: self.by.get(taken, frozenset()) | players})

    def visited(self, taken: int) -> Draws:
        """Something has moved there once more, and nothing has been led since."""
        return replace(self, visits={**self.visits, taken: self.visits.get(taken, 0) + 1})

    def amid(self, taken: int, players: frozenset[Player]) -> Draws:
        """Something has moved there, and the lead has gone that came after so many tricks."""
        before = self.unanswered[1] if self.unanswered[0] == taken else frozenset()
        return replace(self, unanswered=(taken, before | players))

    def drew_unanswered(self, taken: int) -> bool:
        """Whether both seem to have drawn since the lead had gone: then somebody has taken the trick."""
        return self.unanswered[0] == taken and len(self.unanswered[1]) == len(Player)

    def drew_before_close(self, taken: int) -> bool | None:
        """Whether both drew after so many tricks, before it was closed; `None`: who knows.

        Three times something moved there then, by the close, too. That less did tells of no draw only where
        something moved there twice after each trick before.
        """
        visits = self.visits.get(taken, 0)
        if visits > len(Player):
            return True
        before = [self.visits.get(earlier, 0) for earlier in range(1, taken)]
        return False if before and visits < len(Player) <= min(before) else None

    def undisturbed(self, taken: int) -> Draws:
        """The next lead lies there, and nothing has moved at the stock since the trick before."""
        return replace(self, rested=self.rested | {taken})

    def log_p(self, state: HandState) -> float:
        """What that says of a hand in which the stock was closed or not, nats; 0 at most.

        Only what came before a lead counts: at the end of a hand everybody reaches everywhere. Nobody
        declares a marriage before having drawn, either. That nobody drew says nothing where both were never
        seen to.
        """
        if not self.both:
            return 0.0
        last = len(state.tricks) - (state.led is None)
        owed = min(last + (state.led is None and state.announced is not None), state.draws)
        due = sum(taken <= owed for taken in self.rested - self.by.keys())
        closed = state.at_close.tricks if state.at_close is not None else last
        drawn = sum(closed < taken <= last for taken in self.both)
        return LOG_NOT_DRAWN * min(MOST_GAPS, due) + LOG_DRAWN_THOUGH_CLOSED * min(MOST_GAPS, drawn)
