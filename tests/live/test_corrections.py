"""Corrections: any event of any hand, what follows worked out again, previewed, and kept in the record."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted_table import (
    START,
    ScriptedDecoders,
    after,
    dealt_and,
    events_of,
    hand_with,
    items,
    newest,
    random_hand,
    timed,
    view_at,
    written,
)

from companion.live.alternatives import alternatives, can_go, missed, trick_can_go
from companion.live.command import (
    Answer,
    Correct,
    Insert,
    InsertTrick,
    InvalidCommandError,
    NewHand,
    RefusedCommandError,
    RemoveTrick,
    Swap,
    Undo,
    parse_edit,
)
from companion.live.doubt import Checked
from companion.live.fold import fold
from companion.live.hand import fold_hand
from companion.live.record_view import edit_view, proposal_view
from companion.live.standing import Standing
from companion.rules.cards import Card, Player, Rank, Suit
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Conceded,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.ruleset import RuleSet, preset
from companion.store.item import Corrected, MatchStarted, Pressed
from companion.store.log import EventLog, LogFullError
from companion.table.entry import Asked, Retracted, Settled

SOUTH, NORTH = Player.SOUTH, Player.NORTH
WON = hand_with(Exchanged, MarriageDeclared, Claimed)


def seq_of(standing: Standing, place: int) -> int:
    """Number of the entry at a place among all that stand."""
    return [entry.seq for hand in standing.hands for entry in hand.events][place]


def paying_otherwise(log: list, place: int) -> Correct:
    """A play of a hand, named anew so that the hand pays another number of game points."""
    standing = fold(log)
    hand = standing.hands[place]
    for entry in hand.events:
        for each in alternatives(standing, entry.seq) if isinstance(entry.event, CardPlayed) else ():
            if each.fits and isinstance(each.edit, Correct):
                award = fold(after(log, each.edit)).hands[place].state.award
                if award is not None and award.game_points != hand.state.award.game_points:
                    return each.edit
    raise LookupError("whatever is played, the hand pays the same")


@given(seeds=st.lists(st.integers(0, 300), min_size=1, max_size=3), data=st.data())
@settings(derandomize=True, deadline=None, max_examples=40)
def test_a_change_and_its_opposite_leave_the_state_as_it_was(seeds: list[int], data) -> None:
    """Whatever alternative of whatever event is taken: corrected back, hands and match stand as before."""
    log = written(*(random_hand(seed) for seed in seeds))
    before = fold(log)
    place = data.draw(st.integers(0, len(events_of(before)) - 1))
    fitting = [
        each
        for each in alternatives(before, seq_of(before, place))
        if each.fits and isinstance(each.edit, Correct) and getattr(each.event, "card", 0) is not None
        if not each.unnamed  # what another card was instead is asked, and not known again by itself
    ]
    if not fitting:
        return
    chosen = data.draw(st.sampled_from(fitting))
    changed = fold(after(log, chosen.edit))
    assert events_of(changed)[place] == chosen.event
    back = fold(after(after(log, chosen.edit), Correct(seq_of(changed, place), events_of(before)[place])))
    assert events_of(back) == events_of(before)
    assert [hand.state for hand in back.hands] == [hand.state for hand in before.hands]
    assert back.match == before.match


def test_a_jack_that_was_turned_up_after_all_was_not_exchanged() -> None:
    """The turn-up was taken for a king that was played, so an exchange was put in; with the jack it goes."""
    log = written(random_hand(240))
    jack = events_of(fold(log))[0]
    assert isinstance(jack, Dealt)
    assert jack.turned_up == Card(Rank.JACK, Suit.SPADES)
    king = after(log, Correct(1, replace(jack, turned_up=Card(Rank.KING, Suit.SPADES))))
    assert any(isinstance(event, Exchanged) for event in events_of(fold(king)))
    back = after(king, Correct(seq_of(fold(king), 0), jack))
    assert events_of(fold(back)) == events_of(fold(log))


@given(seed=st.integers(0, 300), data=st.data())
@settings(derandomize=True, deadline=None, max_examples=25)
def test_what_is_taken_out_can_be_put_in_again(seed: int, data) -> None:
    """An event that was removed and then inserted at its place leaves the hand as it was."""
    log = written(random_hand(seed), random_hand(seed + 1))
    before = fold(log)
    places = [p for p in range(1, len(events_of(before))) if can_go(before, seq_of(before, p))]
    if not places:
        return
    place = data.draw(st.sampled_from(places))
    gone = after(log, Correct(seq_of(before, place), None))
    assert len(events_of(fold(gone))) == len(events_of(before)) - 1
    if isinstance(events_of(before)[place], Dealt):
        return
    again = fold(after(gone, Insert(seq_of(fold(gone), place - 1), events_of(before)[place])))
    assert events_of(again) == events_of(before)
    assert again.match == before.match


def without_trick(events: Sequence[Event], number: int) -> tuple[list[Event], int, list[CardPlayed]]:
    """A hand of which a trick was missed, the place after which it was, and its two cards."""
    places = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    lead, answer = places[2 * number : 2 * number + 2]
    left = [event for place, event in enumerate(events) if place not in (lead, answer)]
    return left, lead - 1, [events[lead], events[answer]]


@given(seed=st.integers(0, 300), data=st.data())
@settings(derandomize=True, deadline=None, max_examples=40)
def test_a_trick_that_was_missed_is_put_in_whole(seed: int, data) -> None:
    """Wherever the rest allows one: once both its cards are named, all is as if it had been seen."""
    events = random_hand(seed)
    plays = sum(isinstance(event, CardPlayed) for event in events)
    if plays < 4:
        return
    left, place, cards = without_trick(events, data.draw(st.integers(0, plays // 2 - 1)))
    log = written(left)
    seq = seq_of(fold(log), place)
    if InsertTrick(seq) not in [each.edit for each in missed(fold(log), seq)]:
        assert fold(log).hands[0].unfit or isinstance(left[place], MarriageDeclared)
        return
    log = after(log, InsertTrick(seq))
    standing = fold(log)
    assert events_of(standing)[place + 1 : place + 3] == [CardPlayed(card.player, None) for card in cards]
    assert [events_of(standing).index(event) for event in left] == [
        at for at in range(len(events)) if at not in (place + 1, place + 2)
    ]
    assert len(standing.corrections) == 2
    for at, card in enumerate(cards, place + 1):
        log = after(log, Correct(seq_of(fold(log), at), card))
    assert events_of(fold(log)) == list(events)
    assert fold(log).match == fold(written(events)).match


@given(seed=st.integers(0, 300), data=st.data())
@settings(derandomize=True, deadline=None, max_examples=40)
def test_a_trick_that_was_none_is_taken_out_whole(seed: int, data) -> None:
    """By either of its cards, with the marriage of its lead; what is left is as if it had never been seen."""
    events = random_hand(seed)
    before = fold(written(events))
    places = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    at = data.draw(st.integers(0, len(places) - 1))
    if not trick_can_go(before, seq_of(before, places[at])):
        return
    gone = fold(after(written(events), RemoveTrick(seq_of(before, places[at]))))
    lead, answer = places[at // 2 * 2 :][:2]
    before_it = range(places[at // 2 * 2 - 1] if at > 1 else 0, lead)
    declared = {place for place in before_it if isinstance(events[place], MarriageDeclared)}
    left = [event for place, event in enumerate(events) if place not in {lead, answer, *declared}]
    # who leads follows from the tricks before
    assert [
        replace(event, player=SOUTH) if hasattr(event, "player") else event for event in events_of(gone)
    ] == [replace(event, player=SOUTH) if hasattr(event, "player") else event for event in left]
    assert len(gone.corrections) == 2 + len(declared)


def test_no_trick_is_missing_between_a_lead_and_its_answer_or_a_marriage_and_its_lead() -> None:
    """It would tear apart what belongs together."""
    standing = fold(written(WON))
    marriage = next(place for place, event in enumerate(WON) if isinstance(event, MarriageDeclared))
    lead = next(place for place, event in enumerate(WON) if isinstance(event, CardPlayed))
    for place in (marriage, lead):
        edit = InsertTrick(seq_of(standing, place))
        assert edit not in [each.edit for each in missed(standing, edit.after)]
        with pytest.raises(RefusedCommandError, match="no trick begins there"):
            after(written(WON), edit)
    with pytest.raises(RefusedCommandError, match="no card of a whole trick"):
        after(written(WON), RemoveTrick(seq_of(standing, marriage)))


@pytest.mark.parametrize("number", [0, 3, 9])
def test_a_hand_that_was_played_to_its_end_was_not_given_up(number: int) -> None:
    """With a trick missing the camera takes the swept table for that; once it is put in, it was the end."""
    played = next(hand for hand in map(random_hand, range(300)) if not isinstance(hand[-1], Claimed))
    left, place, cards = without_trick(played, number)
    log = written([*left, GivenUp()])
    edit = InsertTrick(seq_of(fold(log), place))
    assert edit in [each.edit for each in missed(fold(log), edit.after)]
    log = after(log, edit)
    for at, card in enumerate(cards, place + 1):
        log = after(log, Correct(seq_of(fold(log), at), card))
    assert events_of(fold(log)) == list(played)
    assert fold(log).match == fold(written(played)).match


@pytest.mark.parametrize("earlier", [False, True])
def test_a_trick_that_two_phones_put_in_is_put_in_once_and_asked_about(open_table, earlier: bool) -> None:
    """The second finds it where it is to go; both cards are asked about, in the hand before, too."""
    left, place, cards = without_trick(WON, 1)
    more = random_hand(6, NORTH)[:6] if earlier else ()
    table = open_table([*timed(left), *timed(more, start=60.0)])
    table.see(view_at(90.0))
    edit = InsertTrick(seq_of(table.standing(), place))
    for name in ("phone:south", "phone:north"):
        table.submit(edit, source=name)
    assert len(events_of(table.standing())) == len(WON) + len(more)
    assert newest(table).match.hands[0].checked is Checked.OPEN
    for at, card in enumerate(cards, place + 1):
        question = table.standing().questions[-1]
        assert (question.text, question.about) == ("which_card", seq_of(table.standing(), at))
        assert {one.card for one in question.options}.isdisjoint(
            one.card for one in left if type(one) is CardPlayed
        )
        table.submit(Correct(question.about, card))
    assert events_of(table.standing()) == [*WON, *more]
    assert not table.standing().questions


@given(seeds=st.lists(st.integers(0, 300), min_size=2, max_size=3), data=st.data())
@settings(derandomize=True, deadline=None, max_examples=20)
def test_every_prefix_of_a_corrected_log_folds(seeds: list[int], data) -> None:
    """A log cut off anywhere, within a correction too, is a state; whole, it is the corrected one."""
    log = written(*(random_hand(seed) for seed in seeds))
    for _ in range(2):
        standing = fold(log)
        place = data.draw(st.integers(0, len(events_of(standing)) - 1))
        fitting = [each for each in alternatives(standing, seq_of(standing, place)) if each.fits]
        if fitting:
            log = after(log, data.draw(st.sampled_from(fitting)).edit)
    for length in range(1, len(log) + 1):
        assert len(fold(log[:length]).hands) <= len(seeds)
    last = fold(log)
    assert all(entry.seq > 0 for hand in last.hands for entry in hand.events)
    seqs = [entry.seq for hand in last.hands for entry in hand.events]
    assert seqs == sorted(seqs)


def test_the_winner_of_a_trick_named_anew_hands_the_later_plays_over() -> None:
    """When the second card did win the trick, whoever played it led on: every later play changes sides."""
    log = written(dealt_and("QD", "AH", "KH", "AC", "KC"))
    standing = fold(log)
    trump = CardPlayed(SOUTH, Card.parse("AD"))
    changed = fold(after(log, Correct(seq_of(standing, 2), trump)))
    assert events_of(changed)[2:] == [
        trump,
        CardPlayed(SOUTH, Card.parse("AC")),
        CardPlayed(NORTH, Card.parse("KC")),
    ]
    assert changed.hand.state.tricks_of(SOUTH) == 2


def test_what_a_player_said_stays_his() -> None:
    """A claim pressed by north is north's, whoever won the tricks; then another card cannot have been."""
    log = written(dealt_and("QD", "AH", "KH", "AC", "KC"))
    log.append(Settled(9, 9.0, Claimed(NORTH), 1.0, "phone:north"))
    changed = fold(after(log, Correct(seq_of(fold(log), 2), CardPlayed(SOUTH, Card.parse("QH")))))
    assert events_of(changed)[-1] == Claimed(NORTH)


def test_a_play_of_an_earlier_hand_changes_what_that_hand_pays_and_the_match() -> None:
    """A hand later, a card is named anew: award and match are those of the hand as it was."""
    log = written(WON, random_hand(6, NORTH))
    before = fold(log)
    changed = fold(after(log, paying_otherwise(log, 0)))
    assert changed.hands[0].state.award.game_points != before.hands[0].state.award.game_points
    assert changed.match.won_points != before.match.won_points
    assert changed.hands[1].state == before.hands[1].state


def test_a_change_of_who_won_the_match_regroups_the_hands() -> None:
    """Hands after a match that was not won after all belong to that match, and the Bummerl is not charged."""
    hands = [hand_with(Claimed, dealer=dealer) for dealer in (SOUTH, NORTH) * 4]
    log = written(*hands)
    before = fold(log)
    assert before.match.number > 1
    claims = [
        entry.seq
        for hand in before.hands[: before.first_hand]
        for entry in hand.events
        if isinstance(entry.event, Claimed)
    ]
    changed = fold(after(log, Correct(claims[-1], GivenUp())))
    assert changed.first_hand != before.first_hand or changed.match.number < before.match.number


def test_two_cards_of_a_trick_told_in_the_wrong_order_are_swapped() -> None:
    """Where only the other play can have shown the card, the two change places."""
    log = written(dealt_and("QD", "AH", "KH", "AC", "KC"))
    standing = fold(log)
    seq = seq_of(standing, 1)
    other = next(
        each for each in alternatives(standing, seq) if each.event == CardPlayed(NORTH, Card.parse("KH"))
    )
    assert other.edit == Swap(seq, seq_of(standing, 2))
    changed = fold(after(log, other.edit))
    assert [each.card for each in events_of(changed)[1:3]] == [Card.parse("KH"), Card.parse("AH")]
    assert {each.told.was for each in changed.corrections} == set(events_of(standing)[1:3])


def test_alternatives_come_by_their_looks_and_never_include_what_cannot_have_been() -> None:
    """The classifier's second thought comes first; cards played elsewhere swap, or leave a question."""
    log = written(dealt_and("QD", "AH", "KH", "AC", "KC"))
    standing = fold(log)
    looks = {Card.parse("KS"): -0.1, Card.parse("QS"): -2.0, Card.parse("KH"): -3.0}
    found = alternatives(standing, seq_of(standing, 4), looks)
    assert [str(each.event.card) for each in found[:2]] == ["KS", "QS"]
    assert found[0].looks == pytest.approx(0.905, abs=0.001)
    elsewhere = [each for each in found if str(each.event.card) == "AH" and each.fits]
    assert all(isinstance(each.edit, Swap) or each.unnamed for each in elsewhere)
    assert next(each for each in found if str(each.event.card) == "QD").unnamed  # it is the turn-up
    fits = [each.fits for each in found]
    assert fits == sorted(fits, reverse=True)


def test_every_alternative_that_fits_can_be_taken_and_no_other() -> None:
    """What is offered is what is accepted; what is marked is refused."""
    log = written(WON[:10])
    standing = fold(log)
    for entry in standing.hand.events:
        for each in alternatives(standing, entry.seq):
            if each.fits:
                assert events_of(fold(after(log, each.edit)))
            else:
                with pytest.raises(RefusedCommandError):
                    after(log, each.edit)


def test_a_word_that_stands_next_is_not_among_what_is_missing() -> None:
    """It would be counted once, and its preview tell of a marriage that was declared twice."""
    standing = fold(written(WON))
    place = next(at for at, event in enumerate(WON) if isinstance(event, MarriageDeclared))
    word = standing.hands[0].events[place]
    found = [each.event for each in missed(standing, seq_of(standing, place - 1))]
    assert found
    assert word.event not in found


def test_a_missed_marriage_is_found_among_what_is_missing_before_its_lead() -> None:
    """Without the word of the marriage, it is offered right before the lead of its king, and counts again."""
    place = next(p for p, event in enumerate(WON) if isinstance(event, MarriageDeclared))
    silent = [event for p, event in enumerate(WON) if p != place]
    standing = fold(written(silent))
    found = missed(standing, seq_of(standing, place - 1))
    assert WON[place] in [each.event for each in found]
    edit = next(each.edit for each in found if each.event == WON[place])
    assert fold(after(written(silent), edit)).match == fold(written(WON)).match


@pytest.mark.parametrize("edit", ["change", "gone", "missed"])
def test_the_preview_is_what_confirming_gives(open_table, tmp_path: Path, edit: str) -> None:
    """State and match that a preview shows are those after the change; a preview itself changes nothing."""
    table = open_table([*timed(WON), *timed(random_hand(6, NORTH)[:6], start=40.0)])
    table.see(view_at(60.0))
    before = table.standing()
    marriage = next(e for e in before.hands[0].events if isinstance(e.event, MarriageDeclared))
    command = {
        "change": paying_otherwise(items(tmp_path)[1:], 0),
        "gone": Correct(marriage.seq, None),
        "missed": Insert(before.hand.events[-1].seq, missed(before, before.hand.events[-1].seq)[0].event),
    }[edit]
    proposal = table.propose(command)
    assert table.standing() == before
    view = proposal_view(command, proposal)
    table.submit(command)
    now = table.standing()
    assert events_of(now) == events_of(proposal.after)
    assert [hand.state for hand in now.hands] == [hand.state for hand in proposal.after.hands]
    assert now.match == proposal.after.match
    for row in view["rows"]:
        if row["what"] == "points":
            assert row["before"] == before.match.shown_points[row["player"]]
            assert row["after"] == newest(table).match.points[row["player"]]
    assert any(row["what"] == "points" for row in view["rows"]) == (now.match != before.match)


def test_who_changed_what_stays_in_the_record_through_later_changes(open_table, tmp_path: Path) -> None:
    """Each change names who made it, what stood and what stands, and is followed when numbers change."""
    table = open_table(timed(WON[:10]))
    table.see(view_at(60.0))
    plays = [e for e in table.standing().hand.events if isinstance(e.event, CardPlayed)]
    late = next(each for each in alternatives(table.standing(), plays[-1].seq) if each.fits)
    table.submit(late.edit, source="phone:south")
    early = next(each for each in alternatives(table.standing(), plays[0].seq) if each.fits)
    table.submit(early.edit, source="phone:north")
    first, second = table.standing().corrections
    assert (first.told.source, second.told.source) == ("phone:south", "phone:north")
    assert (first.told.was, first.told.now) == (plays[-1].event, late.event)
    standing = {entry.seq: entry.event for entry in table.standing().hand.events}
    assert type(standing[first.seq]) is CardPlayed
    assert standing[first.seq].card == late.event.card
    assert standing[second.seq] == early.event
    assert {each.seq for each in newest(table).hand.events if each.corrected} == {first.seq, second.seq}
    assert sum(isinstance(item, Corrected) for item in items(tmp_path)) == 2
    again = open_table()
    assert again.standing().corrections == (first, second)


def test_two_phones_that_correct_one_event_at_once_change_it_once(open_table) -> None:
    """The first is done; the second is told that another was quicker, and nothing of it happens."""
    table = open_table(timed(WON[:8]))
    table.see(view_at(60.0))
    standing = table.standing()
    seq = next(e.seq for e in standing.hand.events if isinstance(e.event, CardPlayed))
    ways = [each for each in alternatives(standing, seq) if each.fits][:2]
    outcomes: dict[str, str] = {}
    ready = threading.Barrier(2)

    def press(name: str, edit) -> None:
        ready.wait(30.0)
        try:
            table.submit(edit, source=name)
            outcomes[name] = "done"
        except RefusedCommandError as error:
            outcomes[name] = error.reason

    phones = [
        threading.Thread(target=press, args=(f"phone:{seat}", each.edit))
        for seat, each in zip(("south", "north"), ways, strict=True)
    ]
    for phone in phones:
        phone.start()
    for phone in phones:
        phone.join()
    assert sorted(outcomes.values()) == ["corrected", "done"]
    (correction,) = table.standing().corrections
    assert outcomes[correction.told.source] == "done"


def test_a_word_that_two_phones_say_was_missed_was_said_once(open_table) -> None:
    """The second finds it where it is to go, and nothing is added."""
    place = next(p for p, event in enumerate(WON) if isinstance(event, MarriageDeclared))
    table = open_table(timed([event for p, event in enumerate(WON) if p != place]))
    table.see(view_at(60.0))
    edit = Insert(seq_of(table.standing(), place - 1), WON[place])
    for name in ("phone:south", "phone:north"):
        table.submit(edit, source=name)
    assert events_of(table.standing()) == list(WON)
    assert len(table.standing().corrections) == 1


def test_a_trick_that_another_phone_took_out_is_gone() -> None:
    """The second is told that it has been corrected meanwhile, by whichever of its cards it goes."""
    log = written(random_hand(3))
    lead, answer = [entry.seq for entry in fold(log).hands[0].events if isinstance(entry.event, CardPlayed)][
        :2
    ]
    log = after(log, RemoveTrick(lead))
    for seq in (lead, answer):
        with pytest.raises(RefusedCommandError) as refused:
            after(log, RemoveTrick(seq))
        assert refused.value.reason == "corrected"


def test_a_later_question_outlives_an_earlier_correction(open_table) -> None:
    """What is still open is asked on, about the same card, and its answer still lands there."""
    events = list(dealt_and("QD", "AH", "KH", "AC", "KC"))
    real, events[3] = events[3], CardPlayed(NORTH, None)
    asked = Asked(0, 30.0, "which_card", 4, (CardPlayed(NORTH, Card.parse("TC")), real))
    table = open_table([*timed(events), (30.0, asked)])
    table.see(view_at(40.0))
    first = table.standing().hand.events[2].seq
    table.submit(Correct(first, CardPlayed(SOUTH, Card.parse("QH"))))
    (question,) = newest(table).questions
    assert question.about == table.standing().hand.events[3].seq
    table.submit(Answer(question.seq, 1))
    assert events_of(table.standing()) == [
        *events[:2],
        CardPlayed(SOUTH, Card.parse("QH")),
        real,
        *events[4:],
    ]
    assert newest(table).questions == ()


def test_an_answer_goes_to_the_moment_that_its_question_shows(open_table) -> None:
    """Two plays of north have been written without a card since it was asked: it is about the second."""
    deal, *plays = dealt_and("QD", "AH", "KH", "AC", "KC")
    unnamed = CardPlayed(NORTH, None)
    assert plays[2].player is NORTH
    seen = [deal, unnamed, plays[1], unnamed, plays[3]]
    asked = Asked(0, 1.5, "which_card", None, (CardPlayed(NORTH, Card.parse("TC")), plays[2]), 4.0)
    table = open_table([(1.0, deal), (1.5, asked), *timed(seen[1:], start=2.0)])
    table.see(view_at(40.0))
    (question,) = newest(table).questions

    table.submit(Answer(question.seq, 1))

    assert events_of(table.standing()) == [deal, unnamed, plays[1], *plays[2:]]


def test_an_answer_that_takes_a_card_from_another_play(open_table) -> None:
    """No card is played twice: where it was read first, nobody has named it now, and that is asked."""
    events = list(dealt_and("QD", "AH", "KH", "AC", "KC"))
    again = CardPlayed(events[3].player, Card.parse("KH"))
    script = [*events[:3], CardPlayed(again.player, None), *events[4:]]
    asked = Asked(0, 30.0, "which_card", 4, (again, events[3]))
    table = open_table([*timed(script), (30.0, asked)])
    table.see(view_at(40.0))
    (question,) = newest(table).questions

    table.submit(Answer(question.seq, 0))

    unnamed = CardPlayed(events[2].player, None)
    assert events_of(table.standing()) == [*events[:2], unnamed, again, *events[4:]]
    (question,) = newest(table).questions
    assert question.about == table.standing().hand.events[2].seq
    assert len(question.options) == 3
    assert again.card not in {option.card for option in question.options}

    table.submit(Answer(question.seq, 0))

    assert events_of(table.standing())[2] == question.options[0]
    assert newest(table).questions == ()


@pytest.mark.parametrize("dealt_again", [False, True])
def test_a_marriage_that_was_missed_comes_before_the_close_that_is_written(
    open_table, dealt_again: bool
) -> None:
    """The stock is closed all the same; answered in the next hand, it is still in that hand."""
    first = dealt_and("JH", "AS", "TS", "AC", "TC", "KD", "QS")
    closed, lead = Closed(NORTH), first[5]
    assert lead == CardPlayed(NORTH, Card.parse("KD"))
    marriage = MarriageDeclared(NORTH, Suit.DIAMONDS)
    asked = Asked(0, 6.5, "what_happened", None, (closed, marriage, lead))
    seen = [*first[:5], closed, *first[5:], GivenUp()]
    second = random_hand(9)[:3] if dealt_again else ()
    script = [*timed(seen[:5]), (6.5, asked), (6.5, closed), *timed(seen[6:], start=7.0)]
    script += timed(second, start=20.0)
    table = open_table(decoders=ScriptedDecoders(script, sure=0.96))
    table.see(view_at(40.0))
    (question,) = newest(table).questions

    table.submit(Answer(question.seq, 1))

    hands = [[entry.event for entry in hand.events] for hand in table.standing().hands]
    assert hands == [[*seen[:5], marriage, *seen[5:]], *([list(second)] if second else [])]
    assert newest(table).questions == ()


def test_a_turn_up_that_the_camera_has_read_as_a_play_was_no_such_play(open_table) -> None:
    """What was turned up cannot have been led in the first trick: nobody knows what that card was."""
    deal, *plays = dealt_and("QH", "AS", "TS", "AC", "TC")
    asked = Asked(0, 9.0, "which_turn_up", 1, (deal, Dealt(SOUTH, Card.parse("TS"))))
    table = open_table([*timed([deal, *plays]), (9.0, asked)])
    table.see(view_at(40.0))
    (question,) = newest(table).questions

    table.submit(Answer(question.seq, 1))

    unnamed = CardPlayed(plays[1].player, None)
    assert events_of(table.standing()) == [question.options[1], plays[0], unnamed, *plays[2:]]
    (question,) = newest(table).questions
    assert question.about == table.standing().hand.events[2].seq


@pytest.mark.parametrize("turn_up_first", [False, True])
def test_a_turn_up_that_somebody_played_had_been_exchanged(open_table, turn_up_first: bool) -> None:
    """Players say both: the turn-up was the queen of hearts, and north led it in the third trick."""
    deal, *plays = dealt_and("QH", "AS", "TS", "AC", "TC", "KC", "JC")
    really = CardPlayed(NORTH, Card.parse("QH"))
    if turn_up_first:
        table = open_table([*timed([deal, *plays])])
        table.see(view_at(40.0))
        table.submit(Correct(1, Dealt(SOUTH, Card.parse("KH"))))
        table.submit(Correct(table.standing().hand.events[0].seq, deal))
        table.submit(Correct(table.standing().hand.events[5].seq, really))
    else:
        wrong = Dealt(SOUTH, Card.parse("KH"))
        table = open_table([*timed([wrong, *plays])])
        table.see(view_at(40.0))
        table.submit(Correct(table.standing().hand.events[5].seq, really))
        table.submit(Correct(table.standing().hand.events[0].seq, deal))

    assert events_of(table.standing()) == [deal, *plays[:4], Exchanged(NORTH), really, plays[5]]


def test_a_closing_and_an_exchange_are_one_or_the_other(open_table) -> None:
    """The turn-up is gone: what is written of it is replaced by the answer."""
    deal, *plays = dealt_and("AH", "AS", "TS", "AC", "TC")
    words = Exchanged(NORTH), Closed(NORTH)
    asked = Asked(0, 3.5, "what_happened", None, words)
    script = [*timed([deal, *plays[:2]]), (3.5, asked), (3.5, words[0]), *timed(plays[2:], start=4.0)]
    table = open_table(decoders=ScriptedDecoders(script, sure=0.96))
    table.see(view_at(40.0))
    (question,) = newest(table).questions
    assert events_of(table.standing())[3] == words[0]

    table.submit(Answer(question.seq, 1))

    assert events_of(table.standing()) == [deal, *plays[:2], words[1], *plays[2:]]


@pytest.mark.parametrize("early", [True, False])
def test_whether_the_stock_was_closed_before_drawing_is_one_correction(early: bool) -> None:
    """And that the turn-up was exchanged, not turned down; where nobody may close early, nobody is asked."""
    rules = preset("sixty_six")
    hand = random_hand(3, rules=rules, claimed=False)
    trick = [event for event in hand if isinstance(event, CardPlayed)][:2]
    start = Dealt(hand[0].dealer, hand[0].turned_up), *trick
    leads = fold_hand(rules, tuple(Settled(n, n, e, 1.0) for n, e in enumerate(start, 1))).state.on_lead
    items = [Settled(n, float(n), e, 0.9) for n, e in enumerate((*start, Closed(leads, early)), 1)]
    standing = fold([replace(START, rules=rules), *items])
    found = [each.event for each in alternatives(standing, items[-1].seq) if each.fits]
    assert Closed(leads, not early) in found
    assert Exchanged(leads) in found
    elsewhere = fold([START, *items])
    assert (Closed(leads, not early) in [each.event for each in alternatives(elsewhere, 4)]) is early


def test_the_end_that_is_asked_about_is_still_that_of_its_hand(open_table) -> None:
    """After a correction in the first hand, the open end of the second is answered for the second.

    That north was out, who was not on lead, is refused, and the question stays: nothing would follow of it.
    """
    second = [*random_hand(6, NORTH)[:5], GivenUp()]
    options = (Claimed(NORTH), Claimed(SOUTH), GivenUp())
    script = [
        *timed(WON),
        *timed(second[:-1], start=40.0),
        (50.0, Asked(0, 50.0, "how_ended", None, options)),
        (50.5, second[-1]),
        *timed(random_hand(9)[:3], start=60.0),
    ]
    table = open_table(script, decoders=ScriptedDecoders(script, sure=0.5))
    table.see(view_at(70.0))
    play = next(e for e in table.standing().hands[0].events if isinstance(e.event, CardPlayed))
    other = next(each for each in alternatives(table.standing(), play.seq) if each.fits)
    table.submit(other.edit)
    (question,) = newest(table).questions
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Answer(question.seq, 0))
    assert (refusal.value.reason, refusal.value.clause) == ("against_rules", "7.2")
    assert newest(table).questions == (question,)
    table.submit(Answer(question.seq, 1))
    hands = table.standing().hands
    assert [hand.events[-1].event for hand in hands[:2]] == [WON[-1], Claimed(SOUTH)]
    assert len(hands[2].events) == 3


@pytest.mark.parametrize("by_hand", [False, True])
def test_how_a_hand_ended_is_not_asked_any_more_once_it_is_put_right(open_table, by_hand: bool) -> None:
    """It was played to its end, with the trick that is put in; or somebody says there how it ended."""
    played = next(hand for hand in map(random_hand, range(300)) if not isinstance(hand[-1], Claimed))
    left, place, cards = without_trick(played, 3)
    options = (*(Claimed(player) for player in Player), GivenUp())
    asked = Asked(0, 40.0, "how_ended", None, options)
    more = random_hand(9, NORTH)[:3]
    table = open_table([*timed(left), (40.0, asked), (40.5, GivenUp()), *timed(more, start=60.0)])
    table.see(view_at(70.0))
    (question,) = newest(table).questions
    if by_hand:
        end = table.standing().hands[0].events[-1]
        claims = [each for each in alternatives(table.standing(), end.seq) if each.fits]
        table.submit(claims[0].edit)
        assert newest(table).questions == ()
        return
    table.submit(InsertTrick(seq_of(table.standing(), place)))
    assert question.seq not in {one.seq for one in newest(table).questions}
    for at, card in enumerate(cards, place + 1):
        table.submit(Correct(seq_of(table.standing(), at), card))
    assert events_of(table.standing()) == [*played, *more]
    assert newest(table).questions == ()
    assert newest(table).match.hands[0].checked is not Checked.OPEN


def test_no_second_trick_is_offered_where_one_waits_for_its_names() -> None:
    """Pressed there again it would be the same; after it another may be missing."""
    left, place, _ = without_trick(WON, 1)
    log = written(left)
    log = after(log, InsertTrick(seq_of(fold(log), place)))
    here, behind = (seq_of(fold(log), at) for at in (place, place + 2))
    assert InsertTrick(here) not in [each.edit for each in missed(fold(log), here)]
    assert InsertTrick(behind) in [each.edit for each in missed(fold(log), behind)]


def test_cards_of_a_hand_in_which_one_was_taken_back_are_no_tricks_by_their_order() -> None:
    """After a revoke that was put right the next two cards told are of two tricks."""
    rules = preset("schnapsen_casual")
    assert rules.revoke_award == "take_back"
    first = ((NORTH, "AH"), (SOUTH, "JS"), (NORTH, "AC"), (SOUTH, "KH"))
    again = ((SOUTH, "KH"), (NORTH, "AC"), (SOUTH, "KC"))
    before, later = ([CardPlayed(who, Card.parse(card)) for who, card in plays] for plays in (first, again))
    events = [Dealt(SOUTH, Card.parse("KD")), Closed(NORTH), *before, RevokeCalled(NORTH), *later]
    standing = fold([MatchStarted("2026-11-21T20:00:00+01:00", rules), *written(events)[1:]])
    assert len(standing.hands[0].state.tricks) == 2
    assert not standing.hands[0].unfit
    for entry in standing.hands[0].events:
        assert not trick_can_go(standing, entry.seq)


def test_a_closer_who_threw_the_cards_in_pays_for_it(open_table) -> None:
    """As the answer to how it ended, and as a correction of what was written instead."""
    hand = random_hand(6, NORTH)
    plays = [place for place, event in enumerate(hand) if isinstance(event, CardPlayed)]
    start = fold_hand(RuleSet(), tuple(Settled(n, n, e, 1.0) for n, e in enumerate(hand[: plays[1] + 1], 1)))
    closer = start.state.on_lead
    played = (*hand[: plays[1] + 1], Closed(closer))
    options = (Conceded(closer), Claimed(closer), GivenUp())
    script = [*timed(played), (60.0, Asked(0, 60.0, "how_ended", None, options)), (60.5, GivenUp())]
    table = open_table(script, decoders=ScriptedDecoders(script, sure=0.5))
    table.see(view_at(70.0))
    (question,) = newest(table).questions
    table.submit(Answer(question.seq, 0))
    assert events_of(table.standing()) == [*played, Conceded(closer)]
    award = newest(table).hand.award
    assert (award.winner, award.reason) == (closer.other, "failed_close")
    end = table.standing().hand.events[-1]
    table.submit(Correct(end.seq, GivenUp()))
    assert newest(table).hand.award is None
    found = alternatives(table.standing(), table.standing().hand.events[-1].seq)
    assert Conceded(closer) in [each.event for each in found if each.fits]


def test_whoever_claimed_over_a_lead_of_theirs_had_laid_the_hand_open(open_table) -> None:
    """The lead that nobody answered is struck with the answer; whoever did not lead is refused, as before."""
    hand = random_hand(6, NORTH)
    plays = [place for place, event in enumerate(hand) if isinstance(event, CardPlayed)]
    played = hand[: plays[4] + 1]  # two tricks, and the lead of the third
    leader = played[-1].player
    options = (Claimed(leader.other), Claimed(leader), GivenUp())
    script = [*timed(played), (50.0, Asked(0, 50.0, "how_ended", None, options)), (50.5, GivenUp())]
    table = open_table(script, decoders=ScriptedDecoders(script, sure=0.5))
    table.see(view_at(70.0))
    (question,) = newest(table).questions
    with pytest.raises(RefusedCommandError):
        table.submit(Answer(question.seq, 0))
    table.submit(Answer(question.seq, 1))
    assert events_of(table.standing()) == [*played[:-1], Claimed(leader)]
    assert newest(table).hand.award is not None
    assert newest(table).questions == ()


def test_a_called_hand_stays_called_through_a_correction(open_table, tmp_path: Path) -> None:
    """Correcting the past while the next deal is awaited does not end the waiting."""
    table = open_table(timed(WON))
    table.see(view_at(60.0))
    table.submit(NewHand(NORTH))
    play = table.standing().hands[0].events[-2]
    table.submit(next(each for each in alternatives(table.standing(), play.seq) if each.fits).edit)
    assert table.standing().called is NORTH
    assert any(isinstance(item, Pressed) for item in items(tmp_path))


def test_a_deal_with_a_card_of_no_such_pack_is_refused(open_table) -> None:
    """A nine was not turned up in a game of twenty cards."""
    table = open_table(timed(WON[:4]))
    table.see(view_at(60.0))
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Correct(table.standing().hand.events[0].seq, Dealt(SOUTH, Card.parse("9H"))))
    assert refusal.value.reason == "impossible"


def test_the_last_event_is_undone_after_a_correction_too(open_table) -> None:
    """One touch withdraws the last event of the corrected hand, and the rest stays corrected."""
    table = open_table(timed(WON[:8]))
    table.see(view_at(60.0))
    play = next(e for e in table.standing().hand.events if isinstance(e.event, CardPlayed))
    table.submit(next(each for each in alternatives(table.standing(), play.seq) if each.fits).edit)
    corrected = events_of(table.standing())
    table.submit(Undo(newest(table).last.seq))
    assert events_of(table.standing()) == corrected[:-1]


def test_a_log_that_ends_within_a_correction_is_the_record_before_or_after(
    open_table, tmp_path: Path
) -> None:
    """All entries of a correction are one transaction: no reader ever sees a part of it."""
    table = open_table(timed(WON))
    table.see(view_at(60.0))
    count = len(items(tmp_path))
    claim = table.standing().hands[0].events[-1]
    play = table.standing().hands[0].events[3]
    other = next(each for each in alternatives(table.standing(), play.seq) if each.fits)
    table.submit(other.edit)
    block = items(tmp_path)[count:]
    assert isinstance(block[0], Corrected)
    seqs = [item.seq for item in block[1:]]
    assert (block[0].first, block[0].last) == (seqs[0], seqs[-1])
    assert seqs == list(range(seqs[0], seqs[-1] + 1))
    assert replace(block[-1], seq=claim.seq) == claim
    assert sum(isinstance(item, Retracted) for item in block) == sum(isinstance(i, Settled) for i in block)


def test_a_correction_that_cannot_be_written_down_changes_nothing(open_table, monkeypatch) -> None:
    """With the disk full the phone is told, and table, decoder and record are as before."""
    table = open_table(timed(WON[:8]))
    table.see(view_at(60.0))
    before = table.standing()
    play = next(e for e in before.hand.events if isinstance(e.event, CardPlayed))
    edit = next(each for each in alternatives(before, play.seq) if each.fits).edit
    with monkeypatch.context() as full:

        def refuse(*_: object, **__: object) -> None:
            raise LogFullError("no room")

        full.setattr(EventLog, "append", refuse)
        with pytest.raises(RefusedCommandError) as refusal:
            table.submit(edit)
    assert refusal.value.reason == "not_recorded"
    assert table.standing() == before
    table.submit(edit)
    assert len(table.standing().corrections) == 1


CHILD = """
import itertools, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from scripted_table import ScriptedDecoders, timed, view_at
from test_corrections import WON, back_and_forth
from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.store.log import EventLog

table = LiveTable(EventLog(Path(sys.argv[1])), ScriptedDecoders(timed(WON)), rules=RuleSet())
table.see(view_at(60.0))
for number in itertools.count(1):
    table.submit(back_and_forth(table.standing()))
    print(number, flush=True)
"""


def back_and_forth(standing: Standing) -> Correct:
    """The third play named as another card, and named back."""
    plays = [entry for entry in standing.hands[0].events if isinstance(entry.event, CardPlayed)]
    real = [event for event in WON if isinstance(event, CardPlayed)][2]
    if plays[2].event != real:
        return Correct(plays[2].seq, real)
    found = alternatives(standing, plays[2].seq)
    return next(each.edit for each in found if each.fits and isinstance(each.edit, Correct))


@pytest.mark.parametrize("acknowledged", [1, 4])
def test_a_companion_killed_while_it_corrects_has_all_of_it_or_nothing(
    tmp_path: Path, acknowledged: int
) -> None:
    """Killed at any moment, the log holds every acknowledged correction, whole, and at most one more."""
    path = tmp_path / "table.sqlite"
    tests = Path(__file__).resolve().parents[1]
    folders = os.pathsep.join([str(tests.parent), str(tests), str(Path(__file__).parent)])
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), str(tests)],
        env={**os.environ, "PYTHONPATH": folders},
        stdout=subprocess.PIPE,
        text=True,
    )
    for _ in range(acknowledged):
        child.stdout.readline()
    child.kill()
    child.wait()
    rest = child.stdout.read()
    child.stdout.close()
    last = acknowledged + len(rest.splitlines())
    with EventLog(path) as log:
        standing = fold([logged.item for logged in log.read()][1:])
    assert len(standing.corrections) in (last, last + 1)
    changed = len(standing.corrections) % 2 == 1
    assert (events_of(standing) != list(WON)) == changed
    assert len(events_of(standing)) == len(WON)
    assert standing.corrections[-1].seq is not None


def test_a_question_that_is_asked_on_is_counted_once(open_table) -> None:
    """The hand of an open question is as sure after a correction as before: one question, open."""
    events = list(dealt_and("QD", "AH", "KH", "AC", "KC"))
    real, events[3] = events[3], CardPlayed(NORTH, None)
    asked = Asked(0, 30.0, "which_card", 4, (CardPlayed(NORTH, Card.parse("TC")), real))
    table = open_table([*timed(events), (30.0, asked)])
    table.see(view_at(40.0))
    before = table.standing().hand.doubt
    second = table.standing().hand.events[2].seq
    table.submit(Correct(second, CardPlayed(SOUTH, Card.parse("QH"))))
    after_it = table.standing().hand.doubt
    assert (before.asked, len(before.open)) == (after_it.asked, len(after_it.open)) == (1, 1)


def test_undo_right_after_an_answer_takes_that_back(open_table) -> None:
    """All is as before, the later plays with whom they were, and it is asked again; then answered truly."""
    events = list(dealt_and("QD", "AH", "KH", "AC", "KC", "QS", "JS"))
    real, false = events[3], replace(events[3], card=Card.parse("JC"))
    seen = [*events[:3], replace(real, card=None), *events[4:]]
    asked = Asked(0, 30.0, "which_card", 4, (false, real), 4.0)
    table = open_table([*timed(seen), (30.0, asked)])
    table.see(view_at(40.0))

    def record() -> list:
        hand = table.standing().hand
        return [replace(entry, seq=0) for entry in hand.events], len(hand.doubt.open), hand.doubt.asked

    before = record()
    table.submit(Answer(newest(table).questions[0].seq, 0))
    assert events_of(table.standing())[5].player is SOUTH  # the king has won the trick
    assert newest(table).last.event == false

    table.submit(Undo(newest(table).last.seq))

    assert record() == before
    (question,) = newest(table).questions
    assert question.options == asked.options
    assert question.about == table.standing().hand.events[3].seq
    assert newest(table).last.event == events[-1]
    table.submit(Answer(question.seq, 1))
    assert events_of(table.standing()) == events


def test_undo_takes_a_card_back_that_was_played_after_an_answer(open_table) -> None:
    """The answer stays: it was not the last that happened."""
    events = list(dealt_and("QD", "AH", "KH", "AC", "KC", "QS"))
    seen = [*events[:3], replace(events[3], card=None), *events[4:-1]]
    asked = Asked(0, 30.0, "which_card", 4, (events[3], replace(events[3], card=Card.parse("JC"))), 4.0)
    table = open_table([*timed(seen), (30.0, asked), (50.0, events[-1])])
    table.see(view_at(40.0))
    table.submit(Answer(newest(table).questions[0].seq, 0))
    table.see(view_at(55.0))

    table.submit(Undo(newest(table).last.seq))

    assert events_of(table.standing()) == events[:-1]
    assert newest(table).questions == ()


def test_an_answer_that_the_record_does_not_allow_any_more_is_told_apart(open_table) -> None:
    """One of three cards has been named by a person elsewhere since; it would be refused."""
    events = list(dealt_and("QD", "AH", "KH", "AC", "KC"))
    options = tuple(replace(events[2], card=Card.parse(name)) for name in ("QH", "AC", "KH"))
    table = open_table([*timed(events), (30.0, Asked(0, 30.0, "which_card", 3, options))])
    table.see(view_at(40.0))
    assert newest(table).questions[0].ruled_out == ()

    ace = table.standing().hand.events[3].seq
    table.submit(Correct(ace, replace(events[3], card=Card.parse("TC"))))
    table.submit(Correct(table.standing().hand.events[3].seq, events[3]))

    (question,) = newest(table).questions
    assert (question.options, question.ruled_out) == (options, (1,))
    with pytest.raises(RefusedCommandError):
        table.submit(Answer(question.seq, 1))
    table.submit(Answer(question.seq, 0))
    assert events_of(table.standing())[2] == options[0]


def test_a_card_that_waited_for_a_late_answer_is_asked_about_in_its_turn(open_table) -> None:
    """It looked like what another play was asked about, so nobody asked about it as well.

    That is answered when the next hand lies there, which is all that the decoder sees by then.
    """
    first = [*dealt_and("QD", "AH", "KH", "AC", "KC"), GivenUp()]
    asked_about, real = first[2], first[4]
    seen = [*first[:4], CardPlayed(real.player, None), first[5]]
    asked = Asked(0, 5.5, "which_card", 3, (asked_about, replace(asked_about, card=real.card)))
    script = [*timed(seen[:5]), (5.5, asked), *timed(seen[5:], start=6.0)]
    table = open_table([*script, *timed(random_hand(9)[:3], start=20.0)])
    table.see(view_at(40.0))
    (question,) = newest(table).questions

    table.submit(Answer(question.seq, 0))

    (question,) = newest(table).questions
    hand, later = table.standing().hands
    assert question.about == hand.events[4].seq
    assert (hand.doubt.open, later.doubt.open) == ((question.seq,), ())
    assert len(question.options) == 3
    assert asked_about.card not in {option.card for option in question.options}

    table.submit(Correct(question.about, real))

    assert events_of(table.standing())[:6] == first
    assert newest(table).questions == ()


@given(seed=st.integers(0, 300), data=st.data())
@settings(derandomize=True, deadline=None, max_examples=15)
def test_what_a_phone_is_offered_it_can_send_back(seed: int, data) -> None:
    """Every alternative, and all that may be missing, reads back from its JSON as the same change."""
    standing = fold(written(random_hand(seed)))
    seq = seq_of(standing, data.draw(st.integers(0, len(events_of(standing)) - 1)))
    for each in (*alternatives(standing, seq), *missed(standing, seq)):
        assert parse_edit(edit_view(each.edit)) == each.edit


@pytest.mark.parametrize(
    "value",
    [{"type": "claim", "player": 0}, {"type": "correct", "seq": 1}, {"type": "swap", "seq": 1}, [], None],
)
def test_what_is_no_change_of_the_record_has_no_preview(value: object) -> None:
    """Words of the game and halves of changes are refused by name."""
    with pytest.raises(InvalidCommandError):
        parse_edit(value)


def test_questions_at_the_end_keep_their_order_and_their_cards(open_table) -> None:
    """Open questions, one of them from before its entry was written, are asked on about the same plays."""
    events = list(dealt_and("QD", "AH", "KH", "AC", "KC"))
    real = events[3], events[4]
    events[3], events[4] = CardPlayed(NORTH, None), CardPlayed(SOUTH, None)
    script = [
        *timed(events[:3]),
        (3.5, Asked(0, 3.5, "which_card", None, (CardPlayed(NORTH, Card.parse("TC")), real[0]))),
        *timed(events[3:], start=4.0),
        (30.0, Asked(0, 30.0, "which_card", 6, (CardPlayed(SOUTH, Card.parse("TC")), real[1]))),
        (31.0, Asked(0, 31.0, "how_ended", None, (Claimed(NORTH), GivenUp()))),
    ]
    table = open_table(script)
    table.see(view_at(40.0))
    texts = [each.text for each in newest(table).questions]
    table.submit(Correct(table.standing().hand.events[2].seq, CardPlayed(SOUTH, Card.parse("AD"))))
    turned = CardPlayed(SOUTH, real[0].card), CardPlayed(NORTH, real[1].card)
    first, second, end = newest(table).questions
    assert [each.text for each in (first, second, end)] == texts
    assert first.options[1] == turned[0]
    assert second.options[1] == turned[1]
    assert len({each.seq for each in (first, second, end)}) == 3
    block = table.standing().corrections[0].told
    assert end.seq == block.last
    table.submit(Answer(second.seq, 1))
    table.submit(Answer(newest(table).questions[0].seq, 1))
    assert events_of(table.standing())[3:] == list(turned)
