"""Matches: who has won, who deals, who is charged."""

from __future__ import annotations

import pytest

from companion.rules.cards import Player
from companion.rules.match import Match, MatchError, fold
from companion.rules.points import Award, PointRange
from companion.rules.ruleset import RuleSet

SOUTH, NORTH = Player.SOUTH, Player.NORTH


def award(winner: Player | None, game_points: int) -> Award:
    """An award of `game_points`."""
    nothing = PointRange.of(0)
    return Award(winner, game_points, "drawn" if winner is None else "claim", "7.5", (nothing, nothing))


def test_9_1_points_run_down_to_zero() -> None:
    """Both start at seven; a hand takes its points off the winner's."""
    match = fold(Match(RuleSet(), SOUTH), [award(NORTH, 3), award(SOUTH, 1), award(NORTH, 2)])

    assert match.needed == (6, 2)
    assert match.shown_points == (6, 2)
    assert match.winner is None
    assert match.bummerl_marks == (0, 0)


def test_9_2_counting_up_is_the_same_match() -> None:
    """Counted up the score shows what was won."""
    match = fold(Match(RuleSet(count="up"), SOUTH), [award(NORTH, 3), award(SOUTH, 1)])

    assert match.shown_points == (1, 3)
    assert match.needed == (6, 4)


def test_9_6_the_loser_is_charged_and_the_next_match_begins() -> None:
    """The mark goes to the loser and stays; the next match starts at seven."""
    match = fold(
        Match(RuleSet(), SOUTH), [award(SOUTH, 1), award(NORTH, 3), award(NORTH, 3), award(NORTH, 3)]
    )
    assert match.winner is NORTH
    assert match.bummerl_marks == (1, 0)
    with pytest.raises(MatchError, match="match 1 has been won by north"):
        match.with_award(award(SOUTH, 1))

    following = match.following()

    assert (following.number, following.needed, following.bummerl_marks) == (2, (7, 7), (1, 0))
    assert following.winner is None
    second = fold(following, [award(SOUTH, 3), award(SOUTH, 3), award(SOUTH, 3), award(NORTH, 1)])
    assert (second.number, second.bummerl_marks, second.won_points) == (3, (1, 1), (0, 1))


def test_a_match_that_goes_on_has_no_next() -> None:
    """Nobody starts a new match by accident."""
    with pytest.raises(MatchError, match="goes on"):
        Match(RuleSet(), SOUTH).following()


@pytest.mark.parametrize(
    ("dealer", "after_north_won", "after_a_draw"),
    [("alternate", NORTH, NORTH), ("winner_deals", NORTH, SOUTH), ("keep_on_draw", NORTH, SOUTH)],
)
def test_1_5_next_dealer(dealer: str, after_north_won: Player, after_a_draw: Player) -> None:
    """South has dealt: who deals after a win of the other player, and after a drawn hand."""
    match = Match(RuleSet().with_overrides({"dealer": dealer}), SOUTH)

    assert match.with_award(award(NORTH, 1)).next_dealer is after_north_won
    assert match.with_award(award(None, 0)).next_dealer is after_a_draw


def test_1_5_winner_deals_again() -> None:
    """Under `winner_deals` the dealer who wins deals again, else the deal passes."""
    won = award(SOUTH, 1)

    assert Match(RuleSet(dealer="winner_deals"), SOUTH).with_award(won).next_dealer is SOUTH
    assert Match(RuleSet(), SOUTH).with_award(won).next_dealer is NORTH
    assert Match(RuleSet(), SOUTH).with_award(won, dealer=NORTH).next_dealer is SOUTH


def test_8_5_drawn_hands_add_up() -> None:
    """Two drawn hands make the next one worth two more; without carrying nothing."""
    awards = [award(None, 0), award(None, 0), award(NORTH, 1)]
    carrying = RuleSet(unclaimed_end="last_trick_bonus_10", tie="carry_1")

    assert fold(Match(carrying, SOUTH), awards).won_points == (0, 3)
    assert fold(Match(RuleSet(), SOUTH), awards).won_points == (0, 1)
