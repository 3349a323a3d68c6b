"""The live table: views and commands in, log and snapshots out."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from scripted_table import (
    Script,
    ScriptedDecoder,
    ScriptedDecoders,
    hand_with,
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
    NewHand,
    NewMatch,
    RefusedCommandError,
    Undo,
)
from companion.live.fold import fold
from companion.live.health import Record, Sight
from companion.live.snapshot import Role, Snapshot, snapshot_for
from companion.live.table import LOST_AFTER_S, LiveTable, TableClosedError
from companion.rules.cards import Card, Player, Suit
from companion.rules.claim import Outcome
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Exchanged, GivenUp, MarriageDeclared
from companion.rules.ruleset import RuleSet
from companion.store.item import Answered, MatchStarted, Pressed
from companion.store.log import EventLog, LogFullError
from companion.table.entry import Asked, Retracted, Settled

SOUTH, NORTH = Player.SOUTH, Player.NORTH


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def open_table(tmp_path: Path, clock: Clock) -> Iterator:
    """Opens tables on one log, one after the other, and closes the last."""
    opened: list[LiveTable] = []

    def open_(script: Script = (), **more) -> LiveTable:
        if opened:
            opened[-1].close()
        decoders = more.pop("decoders", None) or ScriptedDecoders(script)
        log = EventLog(tmp_path / "table.sqlite")
        opened.append(LiveTable(log, decoders, rules=RuleSet(), clock=clock, **more))
        return opened[-1]

    yield open_
    if opened:
        opened[-1].close()


def newest(table: LiveTable) -> Snapshot:
    """What a phone that comes now is shown."""
    snapshot = table.feed.wait("", 0.0)
    if snapshot is None:
        raise LookupError("nothing has been published")
    return snapshot


def play_on(table: LiveTable, until: float) -> None:
    """Let the camera look at the script until `until`, twice a second."""
    for step in range(int(until * 2) + 1):
        table.see(view_at(step / 2))


def items(tmp_path: Path) -> list:
    """What the log holds."""
    from companion.store.log import LogReader

    with LogReader(tmp_path / "table.sqlite") as reader:
        return [logged.item for logged in reader.read()]


def test_a_hand_seen_by_the_camera_moves_counts_and_score(open_table) -> None:
    """Cards on the table become counts, a claim becomes a verdict, an award moves the score."""
    script = timed(hand_with(Exchanged, MarriageDeclared, Claimed))
    table = open_table(script, source="script")
    totals = set()
    for time, _ in script:
        table.see(view_at(time))
        sides = newest(table).hand.sides
        totals.add((sides[0].total, sides[1].total))
    end = newest(table)
    assert len(totals) > 4
    assert end.hand.verdict.verdict.outcome is Outcome.PROVEN
    winner, award = end.hand.award.winner, end.hand.award
    assert end.match.points[winner] == 7 - award.game_points
    assert end.match.points[winner.other] == 7


def test_the_working_of_a_verdict_adds_up_to_its_points(open_table) -> None:
    """The sum behind a verdict can be checked by hand: its lines add up to the lower bound."""
    script = timed(hand_with(MarriageDeclared, Claimed))
    table = open_table(script)
    play_on(table, 40)
    verdict = newest(table).hand.verdict.verdict
    assert sum(int(line.rpartition("= ")[2]) for line in verdict.working) == verdict.points.low


def test_what_was_published_is_in_the_log(open_table, tmp_path: Path) -> None:
    """Every event that a snapshot shows is in the log already."""
    script = timed(random_hand(3))
    table = open_table(script)
    for time, _ in script:
        table.see(view_at(time))
        logged = {item.seq for item in items(tmp_path) if isinstance(item, Settled)}
        assert {told.seq for told in newest(table).hand.events} <= logged


def test_a_restart_takes_up_the_hand_where_it_stood(open_table) -> None:
    """After every event of a hand a new table shows the same hand, and plays on to the same end."""
    script = timed(hand_with(MarriageDeclared, Claimed))
    table = open_table(script)
    for time, _ in script:
        table.see(view_at(time))
        before = newest(table)
        table = open_table(script)
        after = newest(table)
        assert (after.match, after.hand) == (before.match, before.hand)
    assert newest(table).hand.award is not None


def test_revisions_never_repeat_over_restarts(open_table) -> None:
    """A phone that comes back after a restart is told anew, as no revision is used twice."""
    seen = []
    for _ in range(3):
        table = open_table()
        seen.append(newest(table).revision)
        table.report(Sight.STARTING)
        seen.append(newest(table).revision)
    assert len(set(seen)) == len(seen)


def test_the_same_views_and_commands_write_the_same_log(tmp_path: Path, clock: Clock) -> None:
    """Two tables that see and are told the same write the same items, but for the date."""
    logs = []
    for name in ("a", "b"):
        script = timed(random_hand(5))
        with LiveTable(
            EventLog(tmp_path / name), ScriptedDecoders(script), rules=RuleSet(), clock=clock
        ) as table:
            play_on(table, 6)
            table.submit(Undo(newest(table).last.seq))
            play_on(table, 9)
            logs.append([repr(x) for x in table.standing().hands[0].events])
    assert logs[0] == logs[1]
    assert len(logs[0]) > 5


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


def test_one_press_that_is_sent_twice_is_done_once(open_table, tmp_path: Path) -> None:
    """A repetition with the same key is answered as the first time and writes nothing."""
    table = open_table(timed(random_hand(2)))
    play_on(table, 4)
    undo = Undo(newest(table).last.seq)
    first = table.submit(undo, key="k1")
    count = len(items(tmp_path))
    assert table.submit(undo, key="k1") == first
    assert len(items(tmp_path)) == count


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


def test_a_new_match_starts_at_the_target_and_keeps_the_marks(open_table) -> None:
    """Points start anew, names change, marks stay unless they are cleared."""
    table = open_table(timed(hand_with(Claimed)))
    play_on(table, 40)
    assert newest(table).match.points != (7, 7)
    table.submit(NewMatch(names=("Eva", "Max")))
    match = newest(table).match
    assert (match.points, match.names, match.number, match.marks) == ((7, 7), ("Eva", "Max"), 2, (0, 0))
    assert newest(table).hand is None


def test_a_won_match_charges_the_loser_and_the_next_deal_opens_the_next(open_table) -> None:
    """Seven points down to 0 give the loser a mark; the next deal starts at 7 with the mark kept."""
    script, time, dealer = [], 0.0, SOUTH
    for seed in itertools.count():
        if seed == 40:
            break
        script += timed(random_hand(seed, dealer), start=time + 1)
        time, dealer = script[-1][0], dealer.other
    table = open_table(script)
    for at, _ in script:
        table.see(view_at(at))
        match = newest(table).match
        if match.winner is not None:
            break
    loser = match.winner.other
    assert match.points[match.winner] == 0
    assert match.marks[loser] == 1
    after = next(t for t, event in script if t > at and isinstance(event, Dealt))
    for t, _ in script:
        if at < t <= after:
            table.see(view_at(t))
    following = newest(table).match
    assert (following.points, following.winner, following.number) == ((7, 7), None, 2)
    assert following.marks[loser] == 1
    assert newest(table).hand.number == 1


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


def test_a_correction_that_cannot_have_been_is_refused(open_table) -> None:
    """A card that was played elsewhere cannot take another's place."""
    events = random_hand(8)[:6]
    table = open_table(timed(events))
    play_on(table, 8)
    told = newest(table).hand.events
    plays = [each for each in told if isinstance(each.event, CardPlayed)]
    twice = CardPlayed(plays[0].event.player, plays[-1].event.card)
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Correct(plays[0].seq, twice))
    assert refusal.value.reason == "impossible"
    assert newest(table).hand.events == told


def test_a_decoder_that_fails_is_made_anew_from_the_log(open_table, clock: Clock) -> None:
    """A view that cannot be taken in is shown as trouble; after a rest the hand goes on."""

    class Failing(ScriptedDecoders):
        failures = 1

        def __call__(self, rules, *, dealer, first_seq):
            decoder = ScriptedDecoder(self.script, first_seq)
            update = decoder.update

            def failing(view):
                if view.time == 3.0 and self.failures:
                    self.failures -= 1
                    raise RuntimeError("stories ran out")
                return update(view)

            decoder.update = failing
            return decoder

    events = random_hand(8)[:6]
    table = open_table(decoders=Failing(timed(events)))
    for time in (1.0, 2.0, 3.0, 4.0):
        table.see(view_at(time))
    assert newest(table).health.sight is Sight.LOST
    assert "stories ran out" in newest(table).health.why
    assert len(newest(table).hand.events) == 2
    clock.now += 2.0
    table.see(view_at(9.0))
    assert newest(table).health.sight is Sight.WATCHING
    assert [told.event for told in newest(table).hand.events] == list(events)


def test_a_full_disk_shows_nothing_that_is_not_kept(open_table, clock: Clock, monkeypatch) -> None:
    """While nothing can be written nothing new is shown or acknowledged; then it goes on."""
    table = open_table(timed(random_hand(8)[:6]))
    play_on(table, 2)
    before = newest(table)
    append = EventLog.append

    def full(self, entries):
        raise LogFullError("no room left")

    monkeypatch.setattr(EventLog, "append", full)
    table.see(view_at(4.0))
    with pytest.raises(RefusedCommandError) as refusal:
        table.submit(Undo(before.last.seq))
    assert refusal.value.reason == "not_recorded"
    assert newest(table).health.record is Record.FAILED
    assert newest(table).hand == before.hand
    monkeypatch.setattr(EventLog, "append", append)
    clock.now += 10.0
    table.see(view_at(6.0))
    assert newest(table).health.record is Record.KEPT
    assert len(newest(table).hand.events) == 6


def test_sight_is_lost_when_pictures_stop(open_table, clock: Clock) -> None:
    """When no picture comes for some seconds every phone is told."""
    table = open_table(source="camera")
    table.see(view_at(1.0))
    assert newest(table).health.sight is Sight.WATCHING
    clock.now += LOST_AFTER_S + 0.1
    shown = table.feed.wait(newest(table).revision, 10.0)
    assert shown.health.sight is Sight.LOST


def test_times_rise_over_sittings(open_table, clock: Clock) -> None:
    """A source that starts again at 0 is told what to add, so that times in the log rise."""
    table = open_table(timed(random_hand(8)))
    assert table.begin() == 0.0
    play_on(table, 5)
    table = open_table(timed(random_hand(8)))
    clock.now += 7.0
    assert table.begin() == pytest.approx(5.0 + 7.0)


def test_a_closed_table_takes_nothing(open_table) -> None:
    """After closing, commands and views are refused instead of lost."""
    table = open_table()
    table.close()
    with pytest.raises(TableClosedError):
        table.submit(NewHand(SOUTH))
    with pytest.raises(TableClosedError):
        table.see(view_at(1.0))


def test_who_looks_on_is_offered_nothing_to_press(open_table) -> None:
    """A spectator's snapshot has the counts, and no word that may be said."""
    table = open_table(timed(random_hand(8)))
    play_on(table, 1)
    full = newest(table)
    assert any(side.may for side in full.hand.sides)
    cut = snapshot_for(full, Role.SPECTATOR)
    assert not any(side.may or side.marriage_suits for side in cut.hand.sides)
    assert [side.total for side in cut.hand.sides] == [side.total for side in full.hand.sides]
    assert cut.last is None


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

    blocker = threading.Thread(target=lambda: table._ask(hold))
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
