"""What a hand paid is said by the players (rule 10.4): it is played, or over, or nobody saw it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_table import START, after, events_of, hand_with, newest, random_hand, timed, view_at, written

from companion.live.alternatives import alternatives, can_go
from companion.live.command import (
    Correct,
    Insert,
    InsertHand,
    InvalidCommandError,
    NewHand,
    RefusedCommandError,
    Undo,
    parse_edit,
)
from companion.live.correction import Proposal
from companion.live.doubt import Checked
from companion.live.fold import fold
from companion.live.record_view import edit_view, proposal_view
from companion.rules.cards import Player
from companion.rules.events import Agreed, CardPlayed, Claimed, Dealt, Exchanged, GivenUp, MarriageDeclared
from companion.rules.ruleset import RuleSet
from companion.table.entry import Asked, Settled, Unseen
from tests.decoding.puppets import stage
from tests.filmed_evening import Evening, Once, two_tricks_on

SOUTH, NORTH = Player.SOUTH, Player.NORTH
WON = hand_with(Exchanged, MarriageDeclared, Claimed)
NEXT = random_hand(6, NORTH)
RESULTS = st.one_of(st.builds(Agreed, st.sampled_from(Player), st.integers(1, 3)), st.just(Agreed(None, 0)))


def last_of(log: list, hand: int = -1) -> int:
    """Number of the last entry of a hand."""
    return fold(log).hands[hand].events[-1].seq


@given(played=st.integers(1, len(WON)), result=RESULTS)
@settings(derandomize=True, deadline=None, max_examples=30)
def test_a_hand_pays_what_the_players_say_wherever_it_stands(played: int, result: Agreed) -> None:
    """In the middle, or over and decided otherwise: the hand is over, and the match has what was said."""
    log = after(written(WON[:played]), Insert(1, result))
    hand, match = fold(log).hands[-1], fold(log).match

    assert events_of(fold(log)) == [
        *WON[:played],
        result,
    ]  # after all that was seen, whichever event was touched
    assert hand.state.over
    assert (hand.award.winner, hand.award.game_points) == (result.winner, result.game_points)
    assert (hand.award.reason, hand.award.clause) == ("agreed", "10.4")
    assert match.won_points == tuple(
        result.game_points if player is result.winner else 0 for player in Player
    )
    assert fold(log).next_dealer is NORTH


def test_what_was_given_up_pays_after_all_and_the_other_deals() -> None:
    """Nobody scores in a hand that was given up, until the players say who did."""
    log = written([*WON[:4], GivenUp()])
    assert fold(log).next_dealer is SOUTH
    log = after(log, Insert(last_of(log), Agreed(NORTH, 2)))

    assert fold(log).match.won_points == (0, 2)
    assert not fold(log).hands[-1].state.given_up
    assert fold(log).next_dealer is NORTH


def test_nothing_is_asked_any_more_about_a_hand_of_which_it_was_said() -> None:
    """A question and a time out of sight are idle then; both are back once that is taken back."""
    log = written(WON)
    play = next(item for item in log[1:] if isinstance(item.event, CardPlayed))
    other = next(card for card in RuleSet().pack if card not in {getattr(e, "card", None) for e in WON})
    options = (play.event, CardPlayed(play.event.player, other))
    log += [Unseen(90, 4.5, 1.5), Asked(91, 5.0, "which_card", play.seq, options)]
    assert fold(log).hands[0].doubt.checked is Checked.OPEN

    agreed = after(log, Insert(last_of(log), Agreed(SOUTH, 1)))
    assert not fold(agreed).questions
    assert not fold(agreed).hands[0].unseen
    assert fold(agreed).hands[0].award.game_points == 1

    back = after(agreed, Correct(last_of(agreed), None))
    assert events_of(fold(back)) == list(WON)
    assert len(fold(back).questions) == len(fold(back).hands[0].unseen) == 1


@given(place=st.integers(0, 2), result=RESULTS)
@settings(derandomize=True, deadline=None, max_examples=20)
def test_a_hand_that_nobody_saw_is_put_in_anywhere(place: int, result: Agreed) -> None:
    """Before the first, between two, after the last: the other hands stay, and the match counts it."""
    log = written(WON, random_hand(8, NORTH))
    before = fold(log)
    edit = InsertHand(0 if place == 0 else last_of(log, place - 1), result)
    new = after(log, edit)
    hands = [[entry.event for entry in hand.events] for hand in fold(new).hands]

    assert hands[place][1:] == [result]
    assert isinstance(hands[place][0], Dealt)
    assert hands[place][0].turned_up is None
    assert hands[place][0].dealer is (NORTH, NORTH, SOUTH)[place], "players deal in turn"
    assert hands[:place] + hands[place + 1 :] == [
        [entry.event for entry in hand.events] for hand in before.hands
    ]
    gained = [now - old for now, old in zip(fold(new).match.won_points, before.match.won_points, strict=True)]
    assert gained == [result.game_points if player is result.winner else 0 for player in Player]
    for seq in (entry.seq for entry in fold(new).hands[place].events):
        assert can_go(fold(new), seq)
        assert events_of(fold(after(new, Correct(seq, None)))) == events_of(fold(log)), "it goes as a whole"


def test_a_match_may_begin_with_a_hand_that_nobody_saw() -> None:
    """Nothing is on record yet: whoever began to look too late says what the first hand paid."""
    log = after([START], InsertHand(0, Agreed(NORTH, 3)))

    assert fold(log).match.won_points == (0, 3)
    assert fold(log).number == 1


def test_no_hand_is_put_in_while_the_one_before_it_goes_on() -> None:
    """Nor in the middle of one."""
    log = written(WON, NEXT[:4])
    for seq in (last_of(log), last_of(log, 0) - 1):
        with pytest.raises(RefusedCommandError, match="no hand ends there"):
            after(log, InsertHand(seq, Agreed(SOUTH, 1)))


def test_nothing_follows_what_the_players_have_said() -> None:
    """Nor is it said twice; it is said otherwise by touching it."""
    log = after(written(WON[:5]), Insert(1, Agreed(SOUTH, 1)))
    for event in (WON[5], Agreed(NORTH, 2)):
        with pytest.raises(RefusedCommandError):
            after(log, Insert(last_of(log), event))
    others = {each.event for each in alternatives(fold(log), last_of(log)) if each.fits}
    assert others == {Agreed(player, points) for player in Player for points in (1, 2, 3)} - {
        Agreed(SOUTH, 1)
    } | {Agreed(None, 0)}
    assert fold(after(log, Correct(last_of(log), Agreed(NORTH, 2)))).match.won_points == (0, 2)


@pytest.mark.parametrize("place", [0, 1])
def test_what_a_hand_that_is_put_in_comes_to_is_shown_before(place: int) -> None:
    """The preview names the hand by the number it will have, what is said, and the score before and after."""
    log = written(WON, NEXT[:4])
    edit = InsertHand(last_of(log, 0) if place else 0, Agreed(NORTH, 2))
    before, new = fold(log), after(log, edit)
    view = proposal_view(edit, Proposal(before, fold(new), None, 0))

    assert view["hand"] == place + 1
    assert view["changes"] == [{"was": None, "now": {"type": "agreed", "winner": 1, "game_points": 2}}]
    (points,) = (row for row in view["rows"] if row["what"] == "points" and row["player"] == 1)
    assert points["before"] - points["after"] == 2
    assert parse_edit(view["edit"]) == edit
    assert edit_view(parse_edit(edit_view(edit))) == edit_view(edit)


@pytest.mark.parametrize(
    "result",
    [
        {"type": "agreed", "winner": 0, "game_points": 4},
        {"type": "agreed", "winner": 0, "game_points": 0},
        {"type": "agreed", "winner": None, "game_points": 1},
        {"type": "agreed", "winner": 2, "game_points": 1},
        {"type": "agreed", "winner": 0},
        {"type": "given_up"},
        None,
    ],
)
def test_what_no_hand_pays_is_refused_at_the_boundary(result: object) -> None:
    """Only 1, 2 or 3 to a player, or 0 to nobody."""
    with pytest.raises(InvalidCommandError, match=r"result|event"):
        parse_edit({"type": "insert_hand", "after": 0, "result": result})


def test_the_newest_is_undone_as_a_whole(open_table) -> None:
    """What was said last goes with one touch, of a hand that nobody saw with its deal."""
    table = open_table(timed(WON))
    table.see(view_at(90.0))
    before = [entry.event for hand in table.standing().hands for entry in hand.events]
    won = table.standing().match.won_points[NORTH]
    table.submit(InsertHand(table.standing().hand.events[-1].seq, Agreed(NORTH, 1)))
    assert table.standing().match.won_points[NORTH] == won + 1
    assert newest(table).hand.number == 2

    table.submit(Undo(newest(table).last.seq))
    assert [entry.event for hand in table.standing().hands for entry in hand.events] == before

    table.submit(Insert(table.standing().hand.events[-1].seq, Agreed(NORTH, 1)))
    table.submit(Undo(newest(table).last.seq))
    assert [entry.event for hand in table.standing().hands for entry in hand.events] == before


@pytest.mark.parametrize("seed", [4, 11])
@pytest.mark.parametrize("missing", [False, True])
def test_the_next_hand_is_followed_after_it_was_said(tmp_path: Path, seed: int, missing: bool) -> None:
    """In mid-hand while the cards lie there, or once the hand is over of one more: the next is recognised."""
    evening = Evening(tmp_path, show=stage(RuleSet(), seed, hands=2), refusable=True)
    first, second = ([event for _, event in hand] for hand in evening.show.events)
    when = evening.show.events[0][-1][0] + 0.4 if missing else evening.show.events[0][-3][0] - 0.3

    def say(evening: Evening) -> None:
        at, result = evening.table.standing().hand.events[-1].seq, Agreed(SOUTH, 1)
        evening.table.submit(InsertHand(at, result) if missing else Insert(at, result))

    evening.watch(Once(when, say))
    hands = [[entry.event for entry in hand.events] for hand in evening.hands]

    if missing:
        assert hands[0] == first
        assert isinstance(hands[1][-1], Agreed)
    else:
        assert hands[0][-1] == Agreed(SOUTH, 1)
        assert hands[0][:-1] == first[: len(hands[0]) - 1]
    assert hands[-1] == second
    # two hands in a row by one dealer, as in this show there is none between them, are asked about
    assert {one.text for one in evening.asked} <= ({"who_dealt"} if missing else set())


def test_a_hand_that_was_missed_is_put_in_while_the_next_is_played(tmp_path: Path) -> None:
    """The camera was off for a hand; somebody says so in the middle of the next, which goes on unharmed."""
    evening = Evening(tmp_path, show=stage(RuleSet(), 4, hands=2))

    def say(evening: Evening) -> None:
        evening.table.submit(InsertHand(evening.table.standing().hands[0].events[-1].seq, Agreed(NORTH, 2)))

    evening.watch(Once(two_tricks_on(evening.show), say))
    hands = [[entry.event for entry in hand.events] for hand in evening.hands]

    assert [hands[0], hands[2]] == [[event for _, event in hand] for hand in evening.show.events]
    assert hands[1][1:] == [Agreed(NORTH, 2)]
    assert not evening.asked


def test_a_new_hand_is_called_after_one_that_nobody_saw(open_table) -> None:
    """Who deals goes on from it."""
    table = open_table()
    table.submit(InsertHand(0, Agreed(NORTH, 2)))
    dealer = table.standing().hand.state.dealer
    table.submit(NewHand())

    assert table.standing().called is dealer.other


def asked_about(log: list, hand: int, options: tuple) -> list:
    """The log with an open question about the third entry of a hand."""
    entry = fold(log).hands[hand].events[2]
    return [*log, Asked(500, entry.time + 0.5, "which_card", entry.seq, options)]


def test_what_is_not_put_any_more_stays_with_its_hand(open_table) -> None:
    """A correction before it gives all that follows new numbers; taken back, the question is put again."""
    log = written(WON, NEXT)
    other = next(card for card in RuleSet().pack if card not in {getattr(e, "card", None) for e in NEXT})
    log = asked_about(log, 1, (NEXT[2], CardPlayed(NEXT[2].player, other)))
    log = after(log, Insert(last_of(log), Agreed(NORTH, 2)))
    before = fold(log).match.won_points
    led = next(entry for entry in fold(log).hands[0].events if isinstance(entry.event, CardPlayed))
    edit = next(each.edit for each in alternatives(fold(log), led.seq) if each.fits)
    log = after(log, edit)

    assert fold(log).hands[0].doubt.checked is Checked.VERIFIED
    assert not fold(log).questions
    assert fold(log).match.won_points == before
    log = after(log, Correct(last_of(log), None))
    (question,) = fold(log).questions
    assert question.about == fold(log).hands[1].events[2].seq


def test_a_question_that_may_be_about_the_hand_before_is_put_all_the_same() -> None:
    """It was asked between two hands, of which the second is agreed on."""
    log = written(WON)
    seq = last_of(log)
    options = (GivenUp(), Claimed(SOUTH))
    more = [Settled(seq + 2 + at, 60.0 + at, event, 0.9) for at, event in enumerate(NEXT[:4])]
    log = [*log, Asked(seq + 1, 55.0, "how_ended", None, options), *more]
    log = after(log, Insert(last_of(log), Agreed(NORTH, 1)))

    assert [one.text for one in fold(log).questions] == ["how_ended"]


def test_two_phones_that_miss_the_same_hand_put_it_in_once(open_table) -> None:
    """The second finds it there; another hand of the same result comes after the first."""
    table = open_table(timed(WON))
    table.see(view_at(90.0))
    edit = InsertHand(table.standing().hand.events[-1].seq, Agreed(NORTH, 1))
    for name in ("phone:south", "phone:north"):
        table.submit(edit, source=name)
    assert [hand.noted for hand in table.standing().hands] == [False, True]
    table.submit(InsertHand(table.standing().hand.events[-1].seq, Agreed(NORTH, 1)))
    assert [hand.noted for hand in table.standing().hands] == [False, True, True]


def test_who_deals_follows_a_hand_that_is_put_in_after_the_next_was_called(open_table) -> None:
    """The next was said to be dealt by whoever dealt the missing one instead."""
    table = open_table(timed(WON))
    table.see(view_at(90.0))
    table.submit(NewHand())
    called = table.standing().called
    table.submit(InsertHand(table.standing().hand.events[-1].seq, Agreed(NORTH, 1)))

    assert table.standing().hands[-1].state.dealer is called
    assert table.standing().called is called.other
