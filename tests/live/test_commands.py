"""What phones press: claims, words, undo, new hands, answers, corrections."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_table import (
    HAND,
    PLAYED,
    ScriptedDecoder,
    ScriptedDecoders,
    hand_with,
    items,
    newest,
    play_on,
    random_hand,
    timed,
    view_at,
)

from companion.live.command import (
    Answer,
    Claim,
    Close,
    Correct,
    Declare,
    Exchange,
    NewHand,
    NewMatch,
    RefusedCommandError,
    Undo,
)
from companion.live.fold import fold
from companion.live.worker import TableClosedError
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    MarriageDeclared,
)
from companion.rules.ruleset import RuleSet
from companion.store.item import Answered, MatchStarted, Pressed
from companion.table.entry import Asked, Entry, Retracted, Settled

SOUTH, NORTH = Player.SOUTH, Player.NORTH


def test_a_claim_from_the_phone_is_judged(open_table, tmp_path: Path) -> None:
    """A claim that the rules allow is written down with who pressed it, and gets its verdict."""
    script = timed([event for event in hand_with(Claimed) if not isinstance(event, Claimed)])
    table = open_table(script)
    play_on(table, len(script) + 1)
    claimant = next(p for p in Player if "claim" in newest(table).hand.sides[p].may)
    table.submit(Claim(claimant))
    snapshot = newest(table)
    assert snapshot.hand.verdict.player is claimant
    assert snapshot.hand.events[-1].source == f"phone:{claimant.name.lower()}"
    assert any(isinstance(item, Pressed) and item.event == Claimed(claimant) for item in items(tmp_path))


def test_a_claim_out_of_its_window_is_refused_and_changes_nothing(open_table, tmp_path: Path) -> None:
    """Before the first trick nobody can claim: refused with the clause, nothing is written."""
    table = open_table(timed(random_hand(1)))
    play_on(table, 1)
    before = items(tmp_path)
    with pytest.raises(RefusedCommandError, match=r"7\.2") as refusal:
        table.submit(Claim(NORTH))
    assert refusal.value.reason == "against_rules"
    assert items(tmp_path) == before


def test_words_before_any_deal_are_refused(open_table) -> None:
    """Without a hand there is nothing to claim, close, declare or take back."""
    table = open_table()
    for command in (Claim(SOUTH), Close(SOUTH), Declare(SOUTH, Suit.HEARTS), Undo(1)):
        with pytest.raises(RefusedCommandError) as refusal:
            table.submit(command)
        assert refusal.value.reason == "no_hand"


def test_marriage_and_close_from_the_phone_count(open_table) -> None:
    """On lead, a marriage and a close are told by the phone and change the hand."""
    table = open_table([(1.0, Dealt(SOUTH, Card.parse("TH")))])
    play_on(table, 1)
    table.submit(Declare(NORTH, Suit.CLUBS))
    table.submit(Close(NORTH))
    hand = newest(table).hand
    assert hand.announced is Suit.CLUBS
    assert hand.sides[NORTH].pending.low == 20
    assert (hand.stock, hand.closed.player, hand.closed.has_trick) == ("closed", NORTH, False)


def test_undo_withdraws_the_last_event_only_once(open_table, tmp_path: Path) -> None:
    """Undo names what it withdraws, so that two phones pressing at once withdraw one event."""
    table = open_table(timed(random_hand(2)))
    play_on(table, 4)
    before = newest(table)
    table.submit(Undo(before.last.seq))
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Undo(before.last.seq))
    assert refusal.value.reason == "too_late"
    assert newest(table).hand.events == before.hand.events[:-1]
    assert [i.withdraws for i in items(tmp_path) if isinstance(i, Retracted)] == [before.last.seq]


def test_what_was_undone_stands_among_the_changes(open_table, tmp_path: Path) -> None:
    """With who did it and what stood; what the camera tells instead is marked as corrected, as before."""
    table = open_table(timed(random_hand(2)))
    play_on(table, 4)
    last = newest(table).last
    table.submit(Undo(last.seq), source="phone:south")
    (change,) = table.standing().corrections
    assert (change.told.source, change.told.was, change.told.now) == ("phone:south", last.event, None)
    assert change.told.undone
    assert open_table().standing().corrections == (change,)


def test_one_press_that_is_sent_twice_is_done_once(open_table, tmp_path: Path) -> None:
    """A repetition with the same key is answered as the first time and writes nothing."""
    table = open_table(timed(random_hand(2)))
    play_on(table, 4)
    undo = Undo(newest(table).last.seq)
    first = table.submit(undo, key="k1")
    count = len(items(tmp_path))
    assert table.submit(undo, key="k1") == first
    assert len(items(tmp_path)) == count


@pytest.mark.parametrize("seen", [Closed(NORTH), Exchanged(NORTH), MarriageDeclared(NORTH, Suit.SPADES)])
@pytest.mark.parametrize("led", [False, True])
def test_a_word_that_stands_already_is_confirmed(open_table, tmp_path: Path, seen, led: bool) -> None:
    """The camera, or another phone, was quicker than a finger: no refusal, and nothing is told twice."""
    dealt = Dealt(SOUTH, Card.parse("QH"))
    table = open_table(timed([dealt, seen, *([CardPlayed(NORTH, Card.parse("KS"))] if led else [])]))
    play_on(table, 2 + led)
    written = items(tmp_path)
    said = {Closed: Close(NORTH), Exchanged: Exchange(NORTH)}.get(type(seen), Declare(NORTH, Suit.SPADES))
    table.submit(said)
    assert items(tmp_path) == written


def test_a_claim_on_two_phones_is_one_and_the_other_player_is_too_late(open_table, tmp_path: Path) -> None:
    """Pressed on the player's own phone and on the one in the middle; then the other player claims, too."""
    table = open_table(timed(PLAYED))
    play_on(table, len(PLAYED))
    player = HAND[-1].player
    table.submit(Claim(player))
    written = items(tmp_path)
    table.submit(Claim(player), source="phone:table")
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Claim(player.other))
    assert refusal.value.reason == "too_late"
    assert items(tmp_path) == written


@pytest.mark.parametrize("word", [Claimed(NORTH), Closed(NORTH), MarriageDeclared(NORTH, Suit.SPADES)])
def test_a_word_that_waits_is_told_to_the_decoder_once(open_table, tmp_path: Path, clock, word) -> None:
    """Two phones press it while nothing is settled: both are confirmed. What came to nothing is told anew."""
    told: list[Event] = []
    table = open_table(decoders=lambda *_, **more: _Waiting(told, **more))
    play_on(table, 3)
    press = {Claimed: Claim(NORTH), Closed: Close(NORTH)}.get(type(word), Declare(NORTH, Suit.SPADES))
    table.submit(press, source="phone:north")
    written = items(tmp_path)
    table.submit(press, source="phone:table")
    assert told == [word]
    assert items(tmp_path) == written
    assert [each.event for each in table.standing().pending] == [word]

    clock.now += 5.0
    table.submit(press, source="phone:table")
    assert told == [word, word]


def test_a_word_that_waits_is_too_late_once_the_hand_has_ended_without_it(open_table, tmp_path: Path) -> None:
    """The other player's claim was heard first: whoever presses again hears so, and is not confirmed."""
    told: list[Event] = []
    table = open_table(decoders=lambda *_, **more: _Waiting(told, **more))
    play_on(table, 3)
    table.submit(Close(NORTH))
    play_on(table, 4)
    assert newest(table).hand.over
    written = items(tmp_path)
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Close(NORTH))
    assert refusal.value.reason == "too_late"
    assert items(tmp_path) == written


_CLAIMED = Claimed(NORTH)
_TRICK = (CardPlayed(NORTH, Card.parse("AC")), CardPlayed(SOUTH, Card.parse("JC")))


def test_a_word_that_was_gone_with_an_undo_is_told_when_it_is_pressed_again(open_table) -> None:
    """At once, too: it had been heard upon the exchange that was taken back, and nothing of it is written."""
    told: list[Event] = []
    table = open_table(decoders=lambda *_, **more: _Waiting(told, then=Exchanged(NORTH), **more))
    play_on(table, 4)
    table.submit(Close(NORTH))
    table.submit(Undo(newest(table).last.seq))
    assert table.standing().pending == ()

    table.submit(Close(NORTH))
    assert told == [Closed(NORTH), Closed(NORTH)]
    assert [each.event for each in table.standing().pending] == [Closed(NORTH)]


class _Waiting(ScriptedDecoder):
    """A decoder to which each word is waiting for its cards."""

    def __init__(self, told: list[Event], *, first_seq: int, then: Event = _CLAIMED, **_: object) -> None:
        super().__init__(timed([Dealt(SOUTH, Card.parse("QH")), *_TRICK, then]), first_seq)
        self._told = told

    def tell(self, event: Event, time: float, source: str) -> tuple[Entry, ...]:
        """Settle nothing."""
        self._told.append(event)
        return ()


def test_a_press_that_is_sent_again_after_a_restart_is_done_once(open_table, tmp_path: Path) -> None:
    """A phone that got no answer, as the program was killed meanwhile: the log knows the key."""
    table = open_table(timed(random_hand(2)))
    play_on(table, 4)
    first = table.submit(NewHand(), key="k1")
    table = open_table()
    count = len(items(tmp_path))
    assert table.submit(NewHand(), key="k1").position == first.position
    assert len(items(tmp_path)) == count
    table.submit(NewHand(), key="k2")
    assert len(items(tmp_path)) > count


def test_a_called_hand_is_awaited_and_then_seen(open_table) -> None:
    """A new hand ends the one that is played without a score, waits for the deal, and takes it."""
    first, second = random_hand(4), random_hand(6, NORTH)
    script = [*timed(first[:4]), *timed(second[:3], start=20.0)]
    table = open_table(script)
    play_on(table, 6)
    table.submit(NewHand(NORTH))
    awaited = newest(table)
    assert awaited.hand is None
    assert awaited.match.next_dealer is NORTH
    assert awaited.last.event == GivenUp()
    table.see(view_at(25.0))
    hand = newest(table).hand
    assert (hand.number, hand.dealer, len(hand.events)) == (2, NORTH, 3)
    assert newest(table).match.points == (7, 7)


def test_a_called_hand_survives_a_restart(open_table) -> None:
    """That a deal is awaited, and who deals, is in the log."""
    table = open_table()
    table.submit(NewHand(NORTH))
    table = open_table()
    assert table.standing().called is NORTH


def test_a_given_up_hand_is_taken_back_by_undo(open_table) -> None:
    """Undo after a new hand was called too early brings the hand back."""
    table = open_table(timed(random_hand(4)[:4]))
    play_on(table, 6)
    before = newest(table).hand
    table.submit(NewHand())
    table.submit(Undo(newest(table).last.seq))
    assert newest(table).hand == before


def test_a_hand_that_was_won_stays_once_the_next_is_called(open_table) -> None:
    """The claim from the phone is what an undo takes back, until the next hand is called."""
    table = open_table(timed(PLAYED))
    play_on(table, len(PLAYED) + 1)
    table.submit(Claim(HAND[-1].player))
    claimed = newest(table).last
    assert claimed.event == HAND[-1]
    table.submit(NewHand())
    assert newest(table).last is None
    with pytest.raises(RefusedCommandError):
        table.submit(Undo(claimed.seq))
    assert newest(table).match.hands[-1].award is not None


def test_a_match_in_which_nothing_was_dealt_does_not_count(open_table) -> None:
    """Names and rules may be changed as often as one likes before the first deal."""
    table = open_table(timed(hand_with(Claimed)))
    table.submit(NewMatch(names=("Eva", "Max")))
    table.submit(NewMatch(names=("Eva", "Moritz")))
    match = newest(table).match
    assert (match.names, match.number, match.marks) == (("Eva", "Moritz"), 1, (0, 0))


def test_a_new_match_starts_at_the_target_and_keeps_the_marks(open_table) -> None:
    """Points start anew, names change, marks stay unless they are cleared."""
    table = open_table(timed(hand_with(Claimed)))
    play_on(table, 40)
    assert newest(table).match.points != (7, 7)
    table.submit(NewMatch(names=("Eva", "Max")))
    match = newest(table).match
    assert (match.points, match.names, match.number, match.marks) == ((7, 7), ("Eva", "Max"), 2, (0, 0))
    assert newest(table).hand is None


def test_the_deal_that_is_called_after_a_won_match_shows_the_next_one(open_table) -> None:
    """Before its cards lie there: both from the target, no hands yet, the winner gone and the mark kept."""
    hand = hand_with(Claimed)
    table = open_table([each for n in range(8) for each in timed(hand, 100.0 * n)], names=("Eva", "Max"))
    ends = (100.0 * n + len(hand) + 1.0 for n in range(8))
    while newest(table).match.winner is None:
        table.see(view_at(next(ends)))
    won = newest(table).match
    table.submit(NewHand(SOUTH))
    match = newest(table).match
    assert (match.number, match.winner, match.points, match.hands) == (2, None, (7, 7), ())
    assert (match.names, match.marks, match.next_dealer) == (("Eva", "Max"), won.marks, SOUTH)
    assert sum(won.marks) == 1


@pytest.mark.parametrize("early", [False, True])
def test_an_answer_names_the_card_that_was_asked_about(open_table, tmp_path: Path, early: bool) -> None:
    """The chosen option takes the place of the doubtful event, asked before or after it was written down."""
    events = list(random_hand(8)[:4])
    plays = [place for place, event in enumerate(events) if isinstance(event, CardPlayed)]
    real = events[plays[-1]]
    other = CardPlayed(
        real.player, next(c for c in RuleSet().pack if CardPlayed(real.player, c) not in events)
    )
    events[plays[-1]] = CardPlayed(real.player, None)
    asked = Asked(0, 30.0, "which_card", plays[-1] + 1, (other, real))
    if early:
        asked = Asked(0, plays[-1] + 0.5, "which_card", None, (other, real))
    table = open_table(sorted([*timed(events), (asked.time, asked)], key=lambda due: due[0]))
    table.see(view_at(40.0))
    (question,) = newest(table).questions
    table.submit(Answer(question.seq, 1))
    snapshot = newest(table)
    assert snapshot.questions == ()
    assert [told.event for told in snapshot.hand.events][plays[-1]] == real
    assert any(isinstance(item, Answered) for item in items(tmp_path))
    with pytest.raises(RefusedCommandError):
        table.submit(Answer(question.seq, 1))


def test_the_end_of_a_hand_that_was_asked_about_gets_its_award(open_table) -> None:
    """A hand whose end was not heard is settled by the answer who claimed."""
    hand = hand_with(Claimed)
    options = (hand[-1], Claimed(hand[-1].player.other), GivenUp())
    end = len(hand)
    script = [*timed(hand[:-1]), (60.0, Asked(0, 60.0, "how_ended", None, options)), (60.5, GivenUp())]
    table = open_table(script, decoders=ScriptedDecoders(script, sure=0.5))
    table.see(view_at(70.0))
    (question,) = newest(table).questions
    assert newest(table).hand.award is None
    table.submit(Answer(question.seq, 0))
    assert newest(table).hand.award is not None
    assert len(newest(table).hand.events) == end
    assert newest(table).questions == ()


def test_the_dealer_that_was_asked_about_changes_the_sides_of_the_hand(open_table) -> None:
    """When the other player dealt, everything that the camera saw was done by the other player, too."""
    seen = random_hand(8)[:6]
    really = [Dealt(NORTH, seen[0].turned_up), *(replace(e, player=e.player.other) for e in seen[1:])]
    script = [(0.5, Asked(0, 0.5, "who_dealt", None, (seen[0], really[0]))), *timed(seen)]
    table = open_table(decoders=ScriptedDecoders(script, sure=0.5))
    table.see(view_at(9.0))
    (question,) = newest(table).questions
    table.submit(Answer(question.seq, 1))
    assert [told.event for told in newest(table).hand.events] == really
    assert newest(table).questions == ()


def test_an_early_event_can_be_corrected(open_table) -> None:
    """A correction withdraws everything from there on and writes it anew with the change in it."""
    events = list(random_hand(8)[:5])
    place = next(p for p, event in enumerate(events) if isinstance(event, CardPlayed))
    real, used = events[place], set(events)
    wrong = next(c for c in RuleSet().pack if not any(getattr(e, "card", None) == c for e in used))
    if wrong == events[0].turned_up:
        pytest.fail("the example needs another card")
    events[place] = CardPlayed(real.player, wrong)
    table = open_table(timed(events))
    play_on(table, 8)
    table.submit(Correct(newest(table).hand.events[place].seq, real))
    told = newest(table).hand.events
    assert [each.event for each in told] == list(random_hand(8)[:5])
    assert [each.corrected for each in told].index(True) == place


def test_a_card_that_somebody_named_elsewhere_cannot_take_another_s_place(open_table) -> None:
    """What a person said of one play is not taken back by what is said of another."""
    events = random_hand(8)[:6]
    table = open_table(timed(events))
    play_on(table, 8)
    plays = [each for each in newest(table).hand.events if isinstance(each.event, CardPlayed)]
    table.submit(Correct(plays[-1].seq, CardPlayed(plays[-1].event.player, None)))
    table.submit(Correct(newest(table).hand.events[-1].seq, plays[-1].event))
    told = newest(table).hand.events
    twice = CardPlayed(plays[0].event.player, plays[-1].event.card)
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Correct(plays[0].seq, twice))
    assert refusal.value.reason == "impossible"
    assert newest(table).hand.events == told


def test_a_card_that_the_camera_read_elsewhere_was_misread_there(open_table) -> None:
    """A correction may name it: the other play loses its name then, and is asked about."""
    events = random_hand(8)[:6]
    table = open_table(timed(events))
    play_on(table, 8)
    plays = [each for each in newest(table).hand.events if isinstance(each.event, CardPlayed)]
    named = CardPlayed(plays[0].event.player, plays[-1].event.card)
    table.submit(Correct(plays[0].seq, named))
    now = newest(table)
    told = [each for each in now.hand.events if isinstance(each.event, CardPlayed)]
    assert told[0].event == named
    assert told[-1].event.card is None
    assert [each.about for each in now.questions] == [told[-1].seq]


def test_a_closed_stock_remembers_the_state_at_the_close(open_table) -> None:
    """The opponent's points at the close stay shown, whatever they win afterwards."""
    events = list(random_hand(8))
    tricks = [p for p, e in enumerate(events) if isinstance(e, CardPlayed)]
    cut = events[: tricks[3] + 1]
    table = open_table(timed(cut))
    play_on(table, len(cut) + 1)
    hand = newest(table).hand
    closer = hand.on_lead
    points = hand.sides[closer.other].total
    table.submit(Close(closer))
    closed = newest(table).hand
    assert closed.events[-1].event == Closed(closer)
    assert (closed.closed.points, closed.turned_up) == (points, None)


def test_a_command_that_was_not_begun_in_time_is_taken_back(open_table, monkeypatch) -> None:
    """While the table's thread is held up a phone is told so, and its press does not come true later."""
    table = open_table()
    held, go_on = threading.Event(), threading.Event()

    def hold() -> None:
        held.set()
        go_on.wait(60.0)

    blocker = threading.Thread(target=lambda: table._worker.ask(hold))
    blocker.start()
    held.wait(60.0)
    monkeypatch.setattr("companion.live.table.ANSWER_WITHIN_S", 0.05)
    with pytest.raises(TableClosedError, match="does not answer"):
        table.submit(NewHand(SOUTH))
    go_on.set()
    blocker.join()
    assert table.standing().called is None


def test_a_word_that_came_to_nothing_does_not_come_true_later() -> None:
    """A press waits for its cards, is known while it waits, and is dropped once play has gone on."""
    start = MatchStarted("2026-11-21", RuleSet())
    deal, *plays = [event for event in random_hand(8) if isinstance(event, Dealt | CardPlayed)]
    told = Pressed(3.0, Claimed(NORTH), "phone:north")
    waiting = [start, Settled(1, 1.0, deal, 1.0), Settled(2, 2.0, plays[0], 1.0), told]
    assert fold(waiting).pending == (told,)
    assert fold([*waiting, Settled(3, 3.5, plays[1], 1.0)]).pending == (told,)
    assert fold([*waiting, Settled(3, 3.5, plays[1], 1.0), Settled(4, 9.0, plays[2], 1.0)]).pending == ()
    assert fold([*waiting, Settled(3, 3.5, Claimed(NORTH), 1.0)]).pending == ()
    assert fold([*waiting, Settled(3, 9.0, Closed(SOUTH), 1.0)]).pending == (told,)


def test_a_hand_that_was_called_is_awaited_until_it_is_dealt() -> None:
    """Cards that are read late, of the hand before, do not end that."""
    start = MatchStarted("2026-11-21", RuleSet())
    deal, *plays = [event for event in random_hand(8) if isinstance(event, Dealt | CardPlayed)]
    called = Pressed(3.0, Dealt(NORTH, None), "phone:north")
    waiting = [start, Settled(1, 1.0, deal, 1.0), Settled(2, 2.0, plays[0], 1.0), called]
    assert fold([*waiting, Settled(3, 9.0, plays[1], 1.0)]).called is NORTH
    assert fold([*waiting, Settled(3, 9.0, deal, 1.0)]).called is None
