"""A new match agreed on while a hand is played: what goes on in it, and what does not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from scripted_table import START, agreed, events_of, hand_with, newest, random_hand, written

from companion.history.hands import hands_of
from companion.live.command import NewMatch, RefusedCommandError
from companion.live.fold import fold
from companion.rules.cards import Player
from companion.rules.events import Agreed, CardPlayed, Claimed, Dealt, Knocked, MarriageDeclared
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet, preset
from companion.store.coding import decode, encode
from companion.store.item import Answered, Item, MatchStarted, Pressed, Vouched
from companion.table.entry import Asked, Retracted, Settled, Unseen

SOUTH, NORTH = Player
WON = hand_with(Claimed)
RUNNING = random_hand(8)[:6]


def test_the_hand_goes_on_and_is_no_hand_of_the_match_before() -> None:
    """With new names and rules under which nothing in it is judged otherwise."""
    command = NewMatch(names=("Eva", "Max"), rules=preset("schnapsen_tournament"))
    _, standing, before = agreed(written(WON, RUNNING), command)
    assert events_of(standing) == list(RUNNING)
    assert (standing.started.names, standing.match.number) == (("Eva", "Max"), 2)
    assert events_of(fold(before)) == list(WON)


@pytest.mark.parametrize(
    ("log", "command", "dealer"),
    [
        (written(WON), NewMatch(), WON[0].dealer.other),
        (written(*[WON] * 7), NewMatch(clear_marks=True), WON[0].dealer.other),
        (written(WON), NewMatch(names=("Eva", "Max")), WON[0].dealer.other),
        (written(RUNNING), NewMatch(fair=FairPlay("tournament")), RUNNING[0].dealer),
        (written(WON), NewMatch(dealer=WON[0].dealer), WON[0].dealer),
        (written(started=replace(START, dealer=NORTH)), NewMatch(), NORTH),
        (
            written(WON, started=replace(START, names=("Eva", "Max"))),
            NewMatch(names=("Eva", "Max")),
            WON[0].dealer.other,
        ),
    ],
)
def test_who_deals_goes_on_into_the_next_match(log: list[Item], command: NewMatch, dealer: Player) -> None:
    """Clause 9.4: as from hand to hand, unless it is said otherwise; a hand broken off is dealt again."""
    assert agreed(log, command)[1].next_dealer is dealer


@pytest.mark.parametrize(
    ("log", "command"),
    [
        (written(), NewMatch()),
        (written(WON, started=replace(START, names=("Eva", "Max"))), NewMatch(names=("Eva", "Ida"))),
    ],
)
def test_who_deals_is_open_where_nobody_has_dealt(log: list[Item], command: NewMatch) -> None:
    """At the beginning, and where others sit down: they cut for it."""
    assert agreed(log, command)[1].next_dealer is None


def test_who_changes_seats_takes_marks_series_and_the_deal_along() -> None:
    """Both sit down on the other side: what each has lost is still that player's."""
    before = replace(START, names=("Eva", "Max"), marks=(2, 1), wins=(0, 3), series=(4, 5))
    new = agreed(written(WON, started=before), NewMatch(names=("Max", "Eva")))[1]

    assert (new.started.marks, new.started.wins, new.started.series) == ((1, 2), (3, 0), (5, 4))
    assert new.next_dealer is WON[0].dealer  # it is the other player's turn, who sits there now
    stay = agreed(written(WON, started=before), NewMatch(names=("Eva", "Max")))[1]
    assert (stay.started.marks, stay.started.wins, stay.started.series) == ((2, 1), (0, 3), (4, 5))
    goes_on = agreed(written(RUNNING, started=before), NewMatch(names=("Max", "Eva")))[1]
    assert goes_on.started.marks == (1, 2)
    assert goes_on.next_dealer is RUNNING[0].dealer  # it lies there as it was dealt


def test_a_match_goes_on_with_its_points_under_another_agreement() -> None:
    """Names, rules and who sees what change, not the score; whoever changes seats takes the points along."""
    before = replace(START, names=("Eva", "Max"), marks=(2, 1), number=4)
    log = written(WON, started=before)
    won = fold(log).match.won_points
    new = agreed(log, NewMatch(fair=FairPlay("tournament"), keep_points=True))[1]
    assert (new.match.won_points, new.match.number, new.match.bummerl_marks) == (won, 4, (2, 1))
    assert fold([decode(*encode(new.started))]).match.won_points == won
    swapped = agreed(log, NewMatch(names=("Max", "Eva"), keep_points=True))[1]
    assert (swapped.match.won_points, swapped.match.bummerl_marks) == (won[::-1], (1, 2))
    (paid,), (seated,), (stays,) = fold(log).match.awards, swapped.started.awards, new.started.awards
    assert paid.card_points[0] != paid.card_points[1]
    assert (seated.card_points, stays.card_points) == (paid.card_points[::-1], paid.card_points)
    goes_on = agreed(written(WON, RUNNING, started=before), NewMatch(keep_points=True))[1]
    assert goes_on.match.won_points == won
    assert events_of(goes_on) == list(RUNNING)
    over = agreed(written(*[WON] * 7, started=before), NewMatch(keep_points=True))[1]
    assert over.match.won_points == (0, 0)
    assert over.match.number > 4


def test_hands_are_counted_on_in_a_match_that_goes_on() -> None:
    """No two hands of a match have one number, in the table, its record and the history."""
    log = written(WON, random_hand(5))
    new = agreed(log, NewMatch(keep_points=True))[1].started
    more = [new, *(Settled(100 + at, 99.0 + at, event, 0.9) for at, event in enumerate(WON))]
    assert fold(more).number == 3
    assert [(hand.match, hand.hand) for hand in hands_of(more, (), 3)] == [(1, 3)]
    again = agreed(more, NewMatch(keep_points=True))[1].started
    assert (again.hands, again.number) == (3, 1)
    assert agreed(more, NewMatch())[1].started.number == 2
    at_once = agreed([new], NewMatch())[1].started
    assert (at_once.number, at_once.awards, at_once.hands) == (2, (), 0)


def test_marks_are_brought_along() -> None:
    """They stand where the match before had others; a series of other matches won goes by them."""
    best = replace(
        START, rules=preset("schnapsen+best_of_3"), marks=(0, 1), wins=(1, 0), series=(4, 5), number=4
    )
    new = agreed(written(WON, started=best), NewMatch(marks=(1, 0)))[1]
    assert (new.match.bummerl_marks, new.match.matches_won, new.match.series_won) == ((1, 0), (0, 1), (4, 5))
    assert new.match.number == 5
    anew = agreed(written(WON, started=best), NewMatch(clear_marks=True, marks=(1, 1)))[1]
    assert (anew.match.bummerl_marks, anew.match.series_won, anew.match.number) == ((1, 1), (0, 0), 1)
    kept = agreed(written(WON, started=best), NewMatch(keep_points=True, marks=(0, 0)))[1]
    assert kept.match.won_points == fold(written(WON, started=best)).match.won_points
    assert kept.match.bummerl_marks == (0, 0)
    plain = agreed(written(WON), NewMatch(marks=(7, 12)))[1]
    assert plain.match.bummerl_marks == (7, 12)


@pytest.mark.parametrize(
    ("rules", "marks"), [("schnapsen+best_of_3", (0, 2)), ("schnapsen_tournament", (2, 0))]
)
def test_no_marks_are_brought_along_with_which_the_series_is_won(rules: str, marks: tuple[int, int]) -> None:
    """A match in it could not count."""
    with pytest.raises(RefusedCommandError) as refused:
        agreed(written(WON), NewMatch(rules=preset(rules), marks=marks))
    assert refused.value.reason == "won"


@pytest.mark.parametrize(
    ("before", "after"),
    [("schnapsen+last_trick_10+tie_carry", "schnapsen"), ("schnapsen", "schnapsen+last_trick_10+tie_carry")],
)
def test_points_are_kept_as_they_were_counted(before: str, after: str) -> None:
    """However ties are counted from now on: what they have paid is paid, and what was not is not."""
    said = [Agreed(None, 0), Agreed(NORTH, 1), Agreed(SOUTH, 2)]
    hands = [(Dealt(Player(at % 2), None), each) for at, each in enumerate(said)]
    log = written(*hands, started=replace(START, rules=preset(before)))
    won = fold(log).match.won_points
    new = agreed(log, NewMatch(rules=preset(after), keep_points=True))[1]

    assert new.match.won_points == won
    assert new.match.carry == 0


def test_no_score_is_kept_that_would_win_by_the_rules_that_are_agreed_on() -> None:
    """Nobody has played for so few points: it is refused, not counted as a won match."""
    rules = replace(RuleSet(), match_target=11)
    hands = [(Dealt(Player(at % 2), None), Agreed(SOUTH, 3)) for at in range(3)]
    log = written(*hands, started=replace(START, rules=rules))
    with pytest.raises(RefusedCommandError, match="wins the match"):
        agreed(log, NewMatch(rules=RuleSet(), keep_points=True))
    assert agreed(log, NewMatch(keep_points=True))[1].match.won_points == (9, 0)


def test_who_deals_stays_known_where_a_name_is_added_and_the_match_goes_on() -> None:
    """They are the same two players."""
    log = written(WON, started=replace(START, names=("Eva", "")))
    new = agreed(log, NewMatch(names=("Eva", "Max"), keep_points=True))[1]
    assert new.next_dealer is fold(log).next_dealer


def test_points_are_not_kept_while_a_hand_before_is_open() -> None:
    """What it pays would be lost without a word."""
    with pytest.raises(RefusedCommandError, match="not decided yet"):
        agreed(last_one_asked(1), NewMatch(keep_points=True))


def test_a_first_hand_begins_no_second_match() -> None:
    """Neither where no match was before it, nor after a match that was won: no number is left out."""
    assert agreed(written(RUNNING), NewMatch())[1].match.number == 1
    hands = next(n for n in range(1, 9) if fold(written(*[WON] * n)).match.winner is not None)
    log = written(*[WON] * hands, RUNNING)
    assert fold(log).match.number == 2
    assert agreed(log, NewMatch())[1].match.number == 2


def test_a_time_out_of_sight_is_told_of_the_hand_in_the_new_match() -> None:
    """What somebody has said of the others counts there too."""
    log = written(WON, RUNNING)
    begun = next(item.time for item in reversed(log) if isinstance(item.event, Dealt))
    last = len(log) - 1
    gaps = [Unseen(last + place, begun + place, begun + place - 0.5) for place in (1, 2)]
    _, standing, _ = agreed([*log, *gaps, Vouched(60.0, (last + 1,), "phone:south")], NewMatch())
    (hand,) = standing.hands
    assert [(gap.time, gap.since) for gap in hand.unseen] == [(begun + 2, begun + 1.5)]
    numbers = [*(gap.seq for gap in hand.unseen), *(entry.seq for entry in hand.events)]
    assert len(set(numbers)) == len(numbers)


def test_what_lay_there_as_the_table_was_seen_first_is_told_of_that_hand_alone() -> None:
    """Nobody knows since when it lay there; the hand before had ended, and goes on as it was."""
    log = written(WON, RUNNING)
    begun = next(item.time for item in reversed(log) if isinstance(item.event, Dealt))
    gap = Unseen(len(log), begun, None)
    before, hand = fold([*log, decode(*encode(gap))]).hands

    assert (before.unseen, hand.unseen) == ((), (gap,))


def test_what_is_asked_about_the_hand_is_asked_in_the_new_match_and_not_in_the_old_one() -> None:
    """With the number that its card has there."""
    log = written(WON, RUNNING)
    place = max(item.seq for item in log[1:] if isinstance(item.event, CardPlayed))
    options = (CardPlayed(SOUTH, None), CardPlayed(NORTH, None))
    question = Asked(len(log), 50.0, "which_card", place, options)
    _, standing, before = agreed([*log, question], NewMatch())
    (asked,) = standing.questions
    about = next(entry for entry in standing.hands[0].events if entry.seq == asked.about)
    assert (asked.text, about.time) == ("which_card", float(place))
    assert fold(before).questions == ()
    (hand,) = hands_of(before, [], 1)
    assert (hand.questions, hand.corrections) == ((), ())


def test_what_was_pressed_and_waits_for_its_cards_goes_along() -> None:
    """A marriage whose cards have not come to rest."""
    pressed = Pressed(49.0, MarriageDeclared(SOUTH, RUNNING[0].turned_up.suit), "phone:south")
    _, standing, _ = agreed([*written(RUNNING), pressed], NewMatch())
    assert standing.pending == fold([*written(RUNNING), pressed]).pending


@pytest.mark.parametrize(
    "command",
    [
        NewMatch(fair=FairPlay("tournament")),
        NewMatch(rules=preset("sixty_six")),
        NewMatch(dealer=RUNNING[0].dealer.other),
    ],
)
def test_a_hand_that_cannot_go_on_ends_with_its_match(command: NewMatch) -> None:
    """Who sees what is not changed under a running hand, nor the pack, nor who dealt it."""
    act, standing, before = agreed(written(WON, RUNNING), command)
    assert standing.hands == ()
    assert not any(isinstance(item, Retracted) for item in act.items)
    assert events_of(fold(before)) == [*WON, *RUNNING]


def test_a_hand_that_the_new_rules_judge_otherwise_ends_with_its_match() -> None:
    """A knock is none where nobody knocks."""
    deal = RUNNING[0]
    log = written(
        (deal, Knocked(deal.dealer.other)), started=MatchStarted(START.at, preset("schnapsen+knock"))
    )
    assert agreed(log, NewMatch(rules=RuleSet()))[1].hands == ()
    assert events_of(agreed(log, NewMatch())[1]) == [deal, Knocked(deal.dealer.other)]


def last_one_asked(hands: int) -> list[Item]:
    """North won so many hands of 1 point; of the last one it is asked whether north claimed at all."""
    log = written(*[WON] * hands)
    return [*log, Asked(len(log), 98.0, "how_ended", len(log) - 1, (WON[-1],))]


def test_what_may_have_won_the_match_is_not_lost_with_it() -> None:
    """A hand that is asked about may pay 3: after 4 points the match waits for it, and then has its mark."""
    log = last_one_asked(5)
    with pytest.raises(RefusedCommandError) as refused:
        agreed(log, NewMatch())
    assert refused.value.reason == "undecided"

    log = last_one_asked(7)
    answered = Answered(98.5, log[-1].seq, 0, "phone:referee")
    assert agreed([*log, answered], NewMatch())[1].match.bummerl_marks == (1, 0)


@pytest.mark.parametrize(("hands", "command"), [(4, NewMatch()), (7, NewMatch(clear_marks=True))])
def test_what_decides_nothing_keeps_no_match_from_beginning(hands: int, command: NewMatch) -> None:
    """With 3 points and at most 3 more the match is broken off all the same; nor if marks are wiped out."""
    standing = agreed(last_one_asked(hands), command)[1]
    assert (standing.hands, standing.match.bummerl_marks) == ((), (0, 0))


def test_who_sees_what_is_agreed_before_a_first_match_and_then_by_those_who_play(open_table) -> None:
    """Thirty tables are started for a tournament; what was agreed on since outlives the next start."""
    table = open_table(fair=FairPlay("tournament"))
    assert newest(table).match.fair.mode == "tournament"

    table.submit(NewMatch(fair=FairPlay("own_count")))
    assert newest(open_table(fair=FairPlay("tournament"))).match.fair.mode == "own_count"
