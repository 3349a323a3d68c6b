"""Matches: who has won, who deals, who is charged."""

from __future__ import annotations

import json

import pytest

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, GivenUp
from companion.rules.hand import apply, deal
from companion.rules.match import Match, MatchError, fold, next_dealer
from companion.rules.points import Award, PointRange
from companion.rules.record import RecordError
from companion.rules.ruleset import PRESETS, RuleSet, preset
from tests.rules.telling import NORTH, SOUTH, tell


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


def sweep(winner: Player) -> list[Award]:
    """Three hands that win a match to 7 against nothing."""
    return [award(winner, 3), award(winner, 3), award(winner, 3)]


@pytest.mark.parametrize("dealer", ["alternate", "winner_deals", "keep_on_draw"])
def test_1_5_a_hand_without_a_result_is_dealt_again(dealer: str) -> None:
    """Given up, or broken off now, it has the same dealer once more under any rule for dealers."""
    dealt = deal(RuleSet().with_overrides({"dealer": dealer}), NORTH, Card.parse("JD"))
    begun = apply(dealt, CardPlayed(SOUTH, Card.parse("AH")))

    assert next_dealer(dealt) is next_dealer(begun) is next_dealer(apply(begun, GivenUp())) is NORTH


@pytest.mark.parametrize(("dealer", "after"), [("alternate", NORTH), ("winner_deals", SOUTH)])
def test_1_5_an_open_claim_counts_as_scored(dealer: str, after: Player) -> None:
    """While an unread card leaves a claim open, the next deal goes on as if it were right."""
    state = deal(RuleSet().with_overrides({"dealer": dealer}), SOUTH, Card.parse("JD"))
    tricks = ("TS", "AS"), ("AD", "KD"), ("AH", "JH"), (None, "TC")
    leader = NORTH
    for led, followed in tricks:
        for player, name in ((leader, led), (leader.other, followed)):
            state = apply(state, CardPlayed(player, None if name is None else Card.parse(name)))
        leader = SOUTH
    state = apply(state, Claimed(SOUTH))

    assert state.award is None
    assert next_dealer(state) is after


@pytest.mark.parametrize(("dealer", "after"), [("alternate", SOUTH), ("winner_deals", NORTH)])
def test_1_5_who_deals_while_the_last_trick_is_open(dealer: str, after: Player) -> None:
    """Nobody can say who took it: the deal passes, or stays where the winner would deal."""
    told = "KC-KS AH-JH TH-KH AC-JC TC-QC AS-JS TS-QS TD-QD AD-? ?-JD"
    state = tell(deal(RuleSet().with_overrides({"dealer": dealer}), NORTH, Card.parse("JD")), told)

    assert state.over
    assert state.award is None
    assert next_dealer(state) is after


def test_1_5_the_winner_of_a_hand_deals() -> None:
    """Forehand has claimed and won: under `winner_deals` it deals next, as it does where the deal passes."""
    for dealer in ("alternate", "winner_deals"):
        dealt = deal(RuleSet().with_overrides({"dealer": dealer}), NORTH, Card.parse("JD"))
        won = tell(dealt, "close AD-QS mD KD-JC QD-QH claim")
        lost = tell(dealt, "close AD-QS claim")

        assert next_dealer(won) is SOUTH
        assert next_dealer(lost) is (SOUTH if dealer == "alternate" else NORTH)


def test_9_4_without_a_series_marks_add_up() -> None:
    """Match follows match; the marks stay and nobody wins a series."""
    match = fold(Match(RuleSet(), SOUTH), [*sweep(SOUTH), *sweep(SOUTH), *sweep(SOUTH)])

    assert match.bummerl_marks == (0, 3)
    assert match.series_winner is None


def test_9_4_first_to_two_marks() -> None:
    """Who has two marks has lost the series; the next match begins another without marks."""
    tournament = Match(preset("schnapsen_tournament"), SOUTH)
    match = fold(tournament, [*sweep(SOUTH), *sweep(NORTH)])
    assert (match.bummerl_marks, match.series_winner) == ((1, 1), None)

    match = fold(tournament, [*sweep(SOUTH), *sweep(NORTH), *sweep(NORTH)])
    assert (match.bummerl_marks, match.series_winner, match.series_won) == ((2, 1), NORTH, (0, 1))

    anew = match.following()
    assert (anew.bummerl_marks, anew.matches_won, anew.series_won) == ((0, 0), (0, 0), (0, 1))
    assert anew.number == 4
    assert anew.series_winner is None


def test_9_4_a_schneider_mark_counts_twice_towards_the_series() -> None:
    """German rules: a match lost without a point is both marks at once."""
    match = fold(Match(preset("schnapsen_wiki_soft"), SOUTH), sweep(SOUTH))

    assert match.bummerl_marks == (0, 2)
    assert match.series_winner is SOUTH


def test_9_3_only_a_loser_without_a_point_is_charged_twice() -> None:
    """Where Schneider counts double, whoever has won a single point is charged one mark."""
    rules = preset("schnapsen+schneider_bummerl")

    assert fold(Match(rules, SOUTH), sweep(SOUTH)).mark == 2
    assert fold(Match(rules, SOUTH), [award(NORTH, 1), *sweep(SOUTH)]).mark == 1


def test_9_4_best_of_three_counts_matches_and_not_marks() -> None:
    """Two marks for one Schneider match do not win best of three."""
    rules = preset("schnapsen+best_of_3+schneider_bummerl")
    match = fold(Match(rules, SOUTH), sweep(SOUTH))
    assert (match.bummerl_marks, match.matches_won, match.series_winner) == ((0, 2), (1, 0), None)

    match = fold(Match(rules, SOUTH), [*sweep(SOUTH), *sweep(SOUTH)])

    assert (match.matches_won, match.series_winner) == ((2, 0), SOUTH)


def test_9_4_a_series_taken_up_from_its_marks() -> None:
    """Where only the marks are known, as many matches were won as the other player was charged."""
    match = Match(preset("schnapsen+best_of_3"), SOUTH, 2, (), (1, 0))
    assert match.matches_won == (0, 1)

    assert fold(match, sweep(NORTH)).series_winner is NORTH


@pytest.mark.parametrize("target", [7, 9, 11, 24])
def test_9_1_every_target_is_reached_or_passed(target: int) -> None:
    """Up or down, the match ends with the hand that reaches the target."""
    for counting in ("up", "down"):
        match = Match(RuleSet().with_overrides({"match_target": target, "count": counting}), SOUTH)
        for _ in range((target + 1) // 2):
            assert match.winner is None
            match = match.with_award(award(NORTH, 2))
        assert match.winner is NORTH
        assert match.shown_points == ((0, target + target % 2) if counting == "up" else (target, 0))


def test_1_5_dealing_goes_on_into_the_next_match() -> None:
    """The next match is dealt as the next hand would be: alternately, or by the winner."""
    assert fold(Match(RuleSet(), SOUTH), sweep(SOUTH)).following().next_dealer is NORTH
    assert (
        fold(Match(preset("santase"), NORTH), [*sweep(SOUTH), award(SOUTH, 3)]).following().next_dealer
        is SOUTH
    )


def test_8_5_the_carry_counts_for_the_match_and_ends_with_it() -> None:
    """A drawn hand and two threes are seven; the next match starts without a carry."""
    carrying = preset("schnapsen+last_trick_10+tie_carry")
    match = fold(Match(carrying, SOUTH), [award(None, 0), award(NORTH, 3), award(NORTH, 3)])
    assert match.won_points == (0, 7)
    assert match.winner is NORTH

    assert fold(match, [award(NORTH, 1)]).won_points == (0, 1)


@pytest.mark.parametrize("name", PRESETS)
def test_a_match_survives_writing(name: str) -> None:
    """Rules with their modifiers, awards, marks and series come back from JSON."""
    rules = preset(f"{name}+schneider_bummerl+best_of_3+knock")
    match = fold(Match(rules, SOUTH), [award(None, 0), *sweep(NORTH), award(SOUTH, 2), *sweep(NORTH)])

    assert Match.from_json(json.loads(json.dumps(match.to_json()))) == match


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"version": 2}, "version: 2 is newer than 1"),
        ({"rules": {"preset": "skat"}}, "rules: no rules are called 'skat'"),
        ({"number": 0}, "number: 0"),
        ({"awards": [{"winner": 0}]}, r"awards\[0\]: 'game_points' is missing"),
        ({"earlier_marks": [1]}, "earlier_marks"),
        ({"colour": "red"}, "'colour' is no known field"),
    ],
)
def test_a_damaged_match_names_the_place(changed: dict[str, object], error: str) -> None:
    """What cannot be read is refused with its name; a newer version by its number."""
    data = fold(Match(RuleSet(), SOUTH), [award(NORTH, 3)]).to_json()

    with pytest.raises(RecordError, match=error):
        Match.from_json(data | changed)
