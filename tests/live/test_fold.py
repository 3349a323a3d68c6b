"""The fold of the log: at every prefix it is the hand that stands."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_table import START, hand_with, random_hand, timed, view_at

from companion.live.alternatives import alternatives
from companion.live.command import Correct
from companion.live.deed import act_of
from companion.live.doubt import Checked
from companion.live.fold import fold
from companion.rules.cards import Player, Suit
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, GivenUp, MarriageDeclared
from companion.rules.fair_play import FairPlay
from companion.rules.hand import apply, deal
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import claims_awaited
from companion.store.coding import decode, encode
from companion.store.item import Corrected, MatchStarted, Pressed
from companion.table.entry import Asked, Retracted, Settled


def played(events):
    """The hand after `events`, worked out without a log."""
    return reduce(apply, events[1:], deal(RuleSet(), events[0].dealer, events[0].turned_up))


@given(seed=st.integers(0, 500), undos=st.lists(st.booleans(), min_size=5, max_size=50))
@settings(derandomize=True, deadline=None, max_examples=60)
def test_the_log_alone_rebuilds_the_hand_at_every_prefix(seed: int, undos: list[bool]) -> None:
    """Whatever was withdrawn in between: what the log holds folds to what stands, read back from its text."""
    events = random_hand(seed)
    items, standing = [START], []
    for seq, undo in enumerate(undos, start=1):
        if undo and standing:
            items.append(Retracted(seq, float(seq), standing.pop().seq, "phone:referee"))
        elif len(standing) < len(events):
            standing.append(Settled(seq, float(seq), events[len(standing)], 0.9))
            items.append(standing[-1])
        items[-1] = decode(*encode(items[-1]))
        folded = fold(items)
        assert [entry.event for hand in folded.hands for entry in hand.events] == [e.event for e in standing]
        if standing:
            assert folded.hand.state == played([entry.event for entry in standing])
            assert folded.last_event == standing[-1]
        else:
            assert folded.hand is None


@given(seeds=st.lists(st.integers(0, 500), min_size=1, max_size=12))
@settings(derandomize=True, deadline=None, max_examples=30)
def test_points_and_marks_are_what_the_awards_add_up_to(seeds: list[int]) -> None:
    """Counted by hand: seven game points win a match, its loser is marked, and the next starts at seven."""
    items, seq, dealer = [START], 0, Player.SOUTH
    needed, marks, won = [7, 7], [0, 0], False
    for seed in seeds:
        events = random_hand(seed, dealer)
        for event in events:
            seq += 1
            items.append(Settled(seq, float(seq), event, 0.99))
        if won:
            needed, won = [7, 7], False
        award = played(events).award
        needed[award.winner] = max(0, needed[award.winner] - award.game_points)
        if needed[award.winner] == 0:
            marks[award.winner.other] += 1
            won = True
        match = fold(items).match
        assert list(match.shown_points) == needed
        assert list(match.bummerl_marks) == marks
        dealer = dealer.other


def test_an_entry_that_cannot_have_been_is_kept_and_marked() -> None:
    """A card played twice has no effect on the hand, and is not hidden either."""
    events = random_hand(8)
    items = [START, *(Settled(seq, float(seq), event, 0.9) for seq, event in enumerate(events[:4], start=1))]
    again = Settled(5, 5.0, items[-1].event, 0.9)
    folded = fold([*items, again])
    assert folded.hand.state == fold(items).hand.state
    assert folded.hand.unfit == (5,)
    assert folded.hand.events[-1] == again


def test_a_hand_given_up_is_dealt_again_by_the_same_dealer() -> None:
    """Only a hand with a result passes the deal on; one that goes on would be dealt again, too."""
    first, second = random_hand(8), random_hand(9, Player.NORTH)
    events = [*first, *second[:4]]
    items = [START, *(Settled(seq, float(seq), event, 0.9) for seq, event in enumerate(events, start=1))]
    seq = len(items)
    given_up = [*items, Settled(seq, float(seq), GivenUp(), 0.9)]
    assert fold(items[: len(first) + 1]).match.next_dealer is Player.NORTH
    assert fold(items).match.next_dealer is fold(given_up).match.next_dealer is Player.NORTH


def test_events_before_any_deal_belong_to_no_hand() -> None:
    """What was told without a deal makes no hand."""
    play = next(event for event in random_hand(8) if not isinstance(event, Dealt))
    assert fold([START, Settled(1, 1.0, play, 0.9)]).hands == ()


def test_a_question_is_open_until_something_sure_answers_it() -> None:
    """A sure entry among its options closes it; a doubtful one does not, nor one about what came later."""
    events = random_hand(8)
    question = Asked(2, 3.0, "which_card", None, (events[1], events[2]))
    items = [START, Settled(1, 1.0, events[0], 0.99), question]
    assert fold(items).questions == (question,)
    assert fold([*items, Settled(3, 3.0, events[1], 0.5)]).questions == (question,)
    assert fold([*items, Settled(3, 3.0, events[1], 0.95)]).questions == ()
    assert fold([*items, Settled(3, 4.0, events[1], 0.95)]).questions == (question,)
    assert fold([*items, Retracted(3, 3.0, 2)]).questions == ()


def test_a_card_that_was_played_later_does_not_answer_which_card_was_played_before() -> None:
    """An open card may have been the one that is played afterwards: now it is known that it was not."""
    deal, north, _, ten = random_hand(8)[:4]
    unnamed = CardPlayed(north.player, None)
    items = [START, Settled(1, 1.0, deal, 0.99)]
    about = Asked(3, 4.0, "which_card", 2, (north, CardPlayed(north.player, ten.card)))
    named_later = Settled(4, 3.9, CardPlayed(north.player, ten.card), 0.99)
    assert fold([*items, Settled(2, 2.0, unnamed, 0.5), about, named_later]).questions == (about,)
    ahead = replace(about, seq=2, about=None)
    assert fold([*items, ahead, Settled(3, 2.0, unnamed, 0.5), named_later]).questions == (ahead,)


def test_what_stands_where_a_question_shows_answers_it_whatever_was_offered() -> None:
    """An open card does not, one that nobody had thought of does; what was withdrawn counts for nothing."""
    deal, north, _, ten = random_hand(8)[:4]
    question = Asked(2, 4.0, "which_card", None, (north,), 2.0)
    unnamed, other = CardPlayed(north.player, None), CardPlayed(north.player, ten.card)
    items = [START, Settled(1, 1.0, deal, 0.99), question, Settled(3, 2.0, unnamed, 0.5)]
    assert fold(items).questions == (question,)
    assert fold([*items, Retracted(4, 5.0, 3), Settled(5, 2.0, other, 0.95)]).questions == ()


@pytest.mark.parametrize(("confidence", "is_open"), [(0.96, True), (0.99, False)])
def test_a_closing_that_the_camera_saw_does_not_tell_what_came_before_it(
    confidence: float, is_open: bool
) -> None:
    """A marriage may have been shown before it, as long as a story says so; nor does the lead tell."""
    deal, lead = random_hand(8)[:2]
    player = lead.player
    options = (Closed(player), MarriageDeclared(player, Suit.HEARTS), lead)
    question = Asked(2, 9.0, "what_happened", None, options)
    closed, led = Settled(3, 5.0, Closed(player), confidence), Settled(4, 5.0, lead, 0.99)
    assert bool(fold([START, Settled(1, 1.0, deal, 0.99), question, closed, led]).questions) is is_open


def test_a_word_does_not_answer_what_happened_before_it() -> None:
    """Whether a marriage was shown before the claim is open though the claim is certain."""
    events = random_hand(8)
    claim = Claimed(events[1].player)
    question = Asked(2, 3.0, "what_happened", None, (claim, MarriageDeclared(claim.player, Suit.HEARTS)))
    items = [START, Settled(1, 1.0, events[0], 0.99), question]
    assert fold([*items, Settled(3, 2.5, claim, 1.0, "phone:south")]).questions == (question,)


def test_a_question_that_was_settled_by_a_correction_was_asked(open_table) -> None:
    """Another card than those offered is named in the sheet: the hand was not read without a question."""
    events = list(random_hand(8)[:4])
    plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    real = events[plays[-1]]
    events[plays[-1]] = CardPlayed(real.player, None)
    others = [c for c in RuleSet().pack if CardPlayed(real.player, c) not in events and c != real.card]
    asked = Asked(0, 30.0, "which_card", plays[-1] + 1, (CardPlayed(real.player, others[0]),))
    table = open_table([*timed(events), (30.0, asked)])
    table.see(view_at(40.0))
    table.submit(Correct(table.standing().hand.events[plays[-1]].seq, real))

    standing = table.standing()
    assert standing.questions == ()
    assert standing.hand.doubt.checked is Checked.ANSWERED


def _all_played(*, due: bool):
    """A hand of which the last trick is taken, and whose winner a claim would pay otherwise, or not."""
    for seed in range(400):
        events = random_hand(seed, claimed=False)
        if bool(claims_awaited(played(events))) is due:
            return events
    raise AssertionError("no such hand")


def _items(start: MatchStarted, events, first: int = 1):
    return [start, *(Settled(seq, float(seq), event, 1.0) for seq, event in enumerate(events, start=first))]


@pytest.mark.parametrize("due", [True, False])
def test_where_counts_are_hidden_the_score_does_not_tell_whether_to_claim(due: bool) -> None:
    """After the last trick the points stand still either way (fair play, rules matrix section 9)."""
    events = _all_played(due=due)
    hidden = replace(START, fair=FairPlay("tournament"))

    assert (
        fold(_items(hidden, events)).match.shown_points == fold(_items(hidden, events[:1])).match.shown_points
    )
    assert fold(_items(START, events)).hand.due is due


def test_a_claim_that_was_not_made_is_none_once_the_next_hand_or_match_is_called() -> None:
    """Then the hand pays what the last trick pays: to the score, to the marks, and in the history."""
    events = _all_played(due=True)
    items = _items(START, events)
    waiting, called = fold(items), fold([*items, Pressed(99.0, Dealt(Player.NORTH, None), "phone:referee")])

    assert waiting.hand.award is None
    assert called.hand.award == called.hand.state.award is not None
    assert waiting.played.shown_points == called.match.shown_points
    assert fold(items, over=True).hand.award == called.hand.award


def test_a_claim_struck_out_before_the_last_trick_says_nothing_of_the_one_that_is_due() -> None:
    """Only one struck out after it is the answer that nobody claimed."""
    events = _all_played(due=True)
    items = _items(START, events)
    claimed = Claimed(fold(items).hand.state.claimant)

    def struck(time: float):
        return Corrected("x", time, "phone:referee", 900, 901, 899, None, claimed, None)

    assert fold([*items, struck(2.0)]).hand.due
    assert not fold([*items, struck(90.0)]).hand.due
    assert fold([*items, replace(struck(90.0), undone=True)]).hand.due  # pressed by mistake: no answer


def test_a_claim_struck_out_of_an_earlier_hand_says_nothing_of_the_one_that_is_due() -> None:
    """Somebody corrects how the last hand ended while this one's last trick has just been taken."""
    earlier = hand_with(Claimed)
    items = _items(START, [*earlier, *_all_played(due=True)])
    assert fold(items).hand.due

    strike = Correct(len(earlier), GivenUp())
    items += act_of(strike, fold(items), now=99.0, today="x", next_seq=len(items)).items
    assert isinstance(fold(items).hands[0].events[-1].event, GivenUp)
    assert fold(items).hand.due


def test_in_a_match_that_goes_on_for_weeks_one_more_event_costs_no_more(monkeypatch) -> None:
    """Nobody begins another match: of 700 hands none is worked out anew but the one that goes on.

    A place for too few of them is as none, since all are asked for in their order.
    """
    hands = [random_hand(seed % 50, Player(seed % 2)) for seed in range(700)]
    events = [event for hand in hands for event in hand]
    log = [START, *(Settled(n, float(n), each, 1.0) for n, each in enumerate(events, 1))]
    dealt: list[object] = []
    monkeypatch.setattr("companion.live.hand.deal", lambda *of: dealt.append(of) or deal(*of))
    fold(log[:-1])
    assert len(dealt) >= 50
    dealt.clear()

    standing = fold(log)
    assert len(standing.hands) == 700
    assert len(dealt) <= 1
    found = alternatives(standing, standing.hand.events[2].seq)
    assert len(dealt) <= 1 + 4 * len(found)


def test_what_was_asked_in_a_hand_whose_deal_was_undone_is_not_asked_in_the_next() -> None:
    """It is about nothing that is written; its answer would be taken for a card of the next hand."""
    hand, other = random_hand(3), random_hand(5)
    options = (hand[1], CardPlayed(Player.NORTH, hand[3].card))
    log = [START, Settled(1, 1.0, hand[0], 0.9), Asked(2, 3.0, "what_happened", None, options)]
    assert len(fold(log).questions) == 1

    undone = [*log, Retracted(3, 4.0, 1, "phone:table"), Settled(4, 9.0, other[0], 0.9)]
    assert not fold(undone).questions
    asked = [*undone, Asked(5, 11.0, "what_happened", None, (other[1], options[1]))]
    assert [one.seq for one in fold(asked).questions] == [5]
