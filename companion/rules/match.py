"""Hands until a player reaches the target, and the mark that the loser is charged (section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.rules.cards import Player
from companion.rules.points import Award
from companion.rules.ruleset import RuleSet

__all__ = ["Match", "MatchError", "fold"]


class MatchError(ValueError):
    """An award that the match cannot take, or a next match while this one goes on."""


@dataclass(frozen=True, slots=True)
class Match:
    """A match as the fold of its awards, and the marks of the matches before.

    Hands that were given up pay nothing and are not in it; the same dealer deals again.

    Attributes:
        rules: The house rules of the whole match.
        next_dealer: Who deals next.
        number: Number of the match, from 1.
        awards: What the hands so far paid, in order.
        earlier_marks: Bummerl marks of south and north from the matches before this one.
    """

    rules: RuleSet
    next_dealer: Player
    number: int = 1
    awards: tuple[Award, ...] = ()
    earlier_marks: tuple[int, int] = (0, 0)

    @property
    def won_points(self) -> tuple[int, int]:
        """Game points that south and north have won, what drawn hands carried over included."""
        points = [0, 0]
        carry = 0
        for award in self.awards:
            if award.winner is None:
                carry += self.rules.tie == "carry_1"
            else:
                points[award.winner] += award.game_points + carry
                carry = 0
        return points[0], points[1]

    @property
    def carry(self) -> int:
        """What the next decided hand pays on top (clause 8.5)."""
        carry = 0
        for award in self.awards:
            carry = 0 if award.winner is not None else carry + (self.rules.tie == "carry_1")
        return carry

    @property
    def needed(self) -> tuple[int, int]:
        """Game points that south and north still need, down from the target to 0 (clause 9.1)."""
        south, north = self.won_points
        return max(0, self.rules.match_target - south), max(0, self.rules.match_target - north)

    @property
    def shown_points(self) -> tuple[int, int]:
        """The score as the table counts it: down from the target, or up from 0 (clause 9.2)."""
        return self.needed if self.rules.count == "down" else self.won_points

    @property
    def winner(self) -> Player | None:
        """Who has reached or passed the target; `None` while the match goes on."""
        for player, needed in zip(Player, self.needed, strict=True):
            if needed == 0:
                return player
        return None

    @property
    def mark(self) -> int:
        """Marks that this match charges its loser (clauses 9.3 and 9.6); 0 while it goes on."""
        if self.winner is None:
            return 0
        schneider = self.won_points[self.winner.other] == 0
        return 2 if schneider and self.rules.schneider_match == "double" else 1

    @property
    def bummerl_marks(self) -> tuple[int, int]:
        """Marks charged to south and north, those of this match included once it is won."""
        south, north = self.earlier_marks
        if self.winner is Player.NORTH:
            south += self.mark
        elif self.winner is Player.SOUTH:
            north += self.mark
        return south, north

    def with_award(self, award: Award, dealer: Player | None = None) -> Match:
        """Return the match after one more hand.

        Args:
            award: What the hand paid.
            dealer: Who dealt it, where that was another than `next_dealer`.

        Raises:
            MatchError: The match has been won already.
        """
        if self.winner is not None:
            raise MatchError(f"match {self.number} has been won by {self.winner.name.lower()}")
        dealt = self.next_dealer if dealer is None else dealer
        return replace(self, awards=(*self.awards, award), next_dealer=self._dealer_after(award, dealt))

    def following(self) -> Match:
        """Return the next match, with its first dealer and the marks so far.

        Raises:
            MatchError: This match has not been won.
        """
        if self.winner is None:
            raise MatchError(f"match {self.number} goes on")
        return Match(self.rules, self.next_dealer, self.number + 1, (), self.bummerl_marks)

    def _dealer_after(self, award: Award, dealer: Player) -> Player:
        """Return who deals after a hand (clause 1.5)."""
        match self.rules.dealer:
            case "alternate":
                return dealer.other
            case "winner_deals":
                return dealer if award.winner is None else award.winner
            case "keep_on_draw":
                return dealer if award.winner is None else dealer.other


def fold(start: Match, awards: Iterable[Award]) -> Match:
    """Return the match after all `awards`; the next match begins with the first award after a win."""
    match = start
    for award in awards:
        if match.winner is not None:
            match = match.following()
        match = match.with_award(award)
    return match
