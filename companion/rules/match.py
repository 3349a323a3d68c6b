"""Hands until a player reaches the target, and the mark that the loser is charged (section 9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from companion.rules.cards import Player
from companion.rules.match_form import match_fields, match_to_json
from companion.rules.points import Award
from companion.rules.ruleset import RuleSet
from companion.rules.state import HandState

__all__ = ["BEST_OF_3", "Match", "MatchError", "dealer_after", "fold", "next_dealer"]


BEST_OF_3 = 2
"""Matches that win a series of three."""


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
        earlier_marks: Bummerl marks of south and north from the matches before this one; in a series
            those of this series.
        earlier_wins: Matches of this series won before this one; `None`: as many as the other
            player has marks.
        earlier_series: Series that south and north won before this one.
    """

    rules: RuleSet
    next_dealer: Player
    number: int = 1
    awards: tuple[Award, ...] = ()
    earlier_marks: tuple[int, int] = (0, 0)
    earlier_wins: tuple[int, int] | None = None
    earlier_series: tuple[int, int] = (0, 0)

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

    @property
    def matches_won(self) -> tuple[int, int]:
        """Matches of this series that south and north have won, this one included once it is won."""
        south, north = self.earlier_wins or (self.earlier_marks[1], self.earlier_marks[0])
        return south + (self.winner is Player.SOUTH), north + (self.winner is Player.NORTH)

    @property
    def series_winner(self) -> Player | None:
        """Who has won the series with this match (clause 9.4); `None` while it goes on, or without one.

        Only matches decide a series: best of three by matches won, whatever they charged; first to
        so many marks is lost by the player who has them.
        """
        return self.winner if self.winner in self._ahead else None

    @property
    def series_decided(self) -> bool:
        """Whether somebody has what wins the series, from matches before already: nothing is left to play."""
        return bool(self._ahead)

    @property
    def _ahead(self) -> list[Player]:
        """Who has what wins the series."""
        match self.rules.series:
            case "none":
                return []
            case "best_of_3":
                return [player for player in Player if self.matches_won[player] >= BEST_OF_3]
            case "first_to_n_marks":
                most = self.rules.series_marks
                return [player for player in Player if self.bummerl_marks[player.other] >= most]

    @property
    def series_won(self) -> tuple[int, int]:
        """Series that south and north have won, this one included once it is decided."""
        south, north = self.earlier_series
        winner = self.series_winner
        return south + (winner is Player.SOUTH), north + (winner is Player.NORTH)

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
        return replace(self, awards=(*self.awards, award), next_dealer=dealer_after(self.rules, award, dealt))

    def following(self) -> Match:
        """Return the next match, with its first dealer and the marks so far; a new series has none.

        Raises:
            MatchError: This match has not been won.
        """
        if self.winner is None:
            raise MatchError(f"match {self.number} goes on")
        anew = self.series_winner is not None
        return Match(
            self.rules,
            self.next_dealer,
            self.number + 1,
            (),
            (0, 0) if anew else self.bummerl_marks,
            (0, 0) if anew else self.matches_won,
            self.series_won,
        )

    def to_json(self) -> dict[str, Any]:
        """Write the match with its rules and awards."""
        return match_to_json(self)

    @classmethod
    def from_json(cls, data: object) -> Match:
        """Read what `to_json` wrote.

        Raises:
            RecordError: It is no match, or one of a newer version.
        """
        return cls(**match_fields(data))


def dealer_after(rules: RuleSet, award: Award, dealer: Player) -> Player:
    """Return who deals after a hand that `dealer` dealt (clause 1.5)."""
    match rules.dealer:
        case "alternate":
            return dealer.other
        case "winner_deals":
            return dealer if award.winner is None else award.winner
        case "keep_on_draw":
            return dealer if award.winner is None else dealer.other


def next_dealer(state: HandState) -> Player:
    """Return who deals after a hand, however it ended (clause 1.5).

    A hand that was given up, or would be if the next were dealt now, is dealt again by the same
    dealer. Where a claim or a last trick is still open, it counts as scored, a claim as right.
    """
    if state.award is not None:
        return dealer_after(state.rules, state.award, state.dealer)
    if state.given_up or not state.over:
        return state.dealer
    if state.rules.dealer == "winner_deals":
        return state.dealer if state.claimed_by is None else state.claimed_by
    return state.dealer.other


def fold(start: Match, awards: Iterable[Award]) -> Match:
    """Return the match after all `awards`; the next match begins with the first award after a win."""
    match = start
    for award in awards:
        if match.winner is not None:
            match = match.following()
        match = match.with_award(award)
    return match
