"""The live table: views in, log and snapshots out; failures, restarts, clocks."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from scripted_table import (
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

from companion.live.audience import snapshot_for
from companion.live.command import (
    Claim,
    NewHand,
    RefusedCommandError,
    Undo,
)
from companion.live.health import Record, Sight
from companion.live.lookout import LOST_AFTER_S
from companion.live.match_log import MOST_AWAY_S
from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.live.worker import TableClosedError, Worker
from companion.rules.cards import Player
from companion.rules.claim import Outcome
from companion.rules.events import Claimed, Dealt, Exchanged, MarriageDeclared
from companion.rules.ruleset import RuleSet
from companion.store.item import Pressed
from companion.store.log import EventLog, LogFullError
from companion.table.entry import Settled

SOUTH, NORTH = Player.SOUTH, Player.NORTH


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
        shown = {told.seq for told in newest(table).hand.events}
        assert shown
        assert shown <= logged


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


def test_without_a_camera_what_is_pressed_is_as_far_apart_as_it_was(open_table, clock, tmp_path) -> None:
    """The log's clock goes as the wall clock does, however often somebody presses, also after a restart."""
    table = open_table()
    for at in (110.0, 111.0, 113.0):
        clock.now = at
        table.submit(NewHand())
    table = open_table()
    clock.now = 120.0
    table.submit(NewHand())
    times = [item.time for item in items(tmp_path) if isinstance(item, Pressed)]
    assert times == [10.0, 11.0, 13.0, 20.0]


def test_revisions_never_repeat_over_restarts(open_table) -> None:
    """A phone that comes back after a restart is told anew, as no revision is used twice."""
    seen = []
    for _ in range(3):
        table = open_table()
        seen.append(newest(table).revision)
        table.report(Sight.STARTING)
        seen.append(newest(table).revision)
    assert len(set(seen)) == len(seen)


def test_the_same_views_and_commands_write_the_same_log(tmp_path: Path, clock) -> None:
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


def test_a_decoder_that_fails_is_made_anew_from_the_log(open_table, clock) -> None:
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


def test_a_full_disk_shows_nothing_that_is_not_kept(open_table, clock, monkeypatch) -> None:
    """While nothing can be written nothing new is shown or acknowledged; then it goes on."""
    table = open_table(timed(random_hand(8)[:6]))
    play_on(table, 2)
    before = newest(table)
    append = EventLog.append

    def full(self, entries, **_):
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


def test_what_waits_for_room_outlasts_another_camera(open_table, clock, monkeypatch) -> None:
    """It was settled, and what is seen from then on comes after it: nothing of it is lost or told twice."""
    events = random_hand(8)[:6]
    table = open_table(timed(events))
    play_on(table, 2)
    append = EventLog.append

    def full(self, entries, **_):
        raise LogFullError("no room left")

    monkeypatch.setattr(EventLog, "append", full)
    table.see(view_at(4.0))
    table.begin()
    monkeypatch.setattr(EventLog, "append", append)
    clock.now += 10.0
    table.report(Sight.STARTING)
    assert [told.event for told in table.standing().hand.events] == list(events[:4])
    table.see(view_at(table.shift() + 6.0))
    assert [told.event for told in table.standing().hand.events] == list(events)
    assert newest(table).health.record is Record.KEPT


@pytest.fixture
def waiting(open_table, monkeypatch) -> Iterator:
    """A table with two events that wait for room on the disk, and what gives it that."""
    table = open_table(timed(random_hand(8)[:6]))
    play_on(table, 2)
    with monkeypatch.context() as disk:

        def full(self, entries, **_):
            raise LogFullError("no room left")

        disk.setattr(EventLog, "append", full)
        table.see(view_at(4.0))
        assert len(table.standing().hand.events) == 2
        yield table, disk.undo


def test_what_waits_for_room_outlasts_a_decoder_that_fails(waiting, clock) -> None:
    """It was settled before, whatever the decoder could not take in after it."""
    table, make_room = waiting
    decoder = table._decoder

    def failing(view):
        raise RuntimeError("stories ran out")

    decoder.update = failing
    table.see(view_at(4.5))
    assert table._decoder is not decoder
    make_room()
    clock.now += 10.0
    table.report(Sight.STARTING)
    assert [told.event for told in table.standing().hand.events] == list(random_hand(8)[:4])
    table.see(view_at(6.0))
    assert [told.event for told in table.standing().hand.events] == list(random_hand(8)[:6])


def test_what_waits_for_room_is_written_as_the_table_closes(waiting, tmp_path: Path) -> None:
    """There may be room by then, and nobody comes back to it later."""
    table, make_room = waiting
    make_room()
    table.close()
    settled = [item.event for item in items(tmp_path) if isinstance(item, Settled)]
    assert settled == list(random_hand(8)[:4])


def test_what_still_has_no_room_as_the_table_closes_is_named(waiting, caplog) -> None:
    """The table closes all the same; whoever reads the terminal can put in by hand what is lost."""
    table, _ = waiting
    table.close()
    (told,) = (record for record in caplog.records if record.levelname == "CRITICAL")
    for event in random_hand(8)[2:4]:
        assert str(event) in told.getMessage()


def test_what_cannot_be_put_into_words_holds_up_nothing(open_table, clock) -> None:
    """Room will not help it: the decoder starts anew from the log, and the hand goes on."""
    table = open_table(timed(random_hand(8)[:6]))
    play_on(table, 2)
    event = random_hand(8)[2]
    table._decoder.update = lambda view: (Settled(99, view.time, event, float("nan"), "camera"),)
    table.see(view_at(3.0))
    clock.now += 10.0
    table.see(view_at(6.0))
    assert [told.event for told in table.standing().hand.events] == list(random_hand(8)[:6])


def test_a_word_that_waits_for_room_is_not_told_again(open_table, clock, monkeypatch) -> None:
    """It was pressed, has settled, and waits: a decoder that is made for another camera knows it."""
    table = open_table(timed(random_hand(8)[:6]))
    play_on(table, 2)
    table.submit(NewHand(Player.SOUTH))
    (press,) = table.standing().pending
    append = EventLog.append

    def full(self, entries, **_):
        raise LogFullError("no room left")

    monkeypatch.setattr(EventLog, "append", full)
    seq = table._match_log.last_seq + 1
    dealt = replace(random_hand(8)[0], dealer=press.event.dealer)
    table._decoder.update = lambda view: (Settled(seq, view.time, dealt, 0.97, "camera"),)
    table.see(view_at(table._match_log.now() + 1.0))
    told = []
    make = table._make_decoder
    table._make_decoder = lambda *args, **more: _noting(make(*args, **more), told)
    table.begin()
    assert told == []
    monkeypatch.setattr(EventLog, "append", append)
    clock.now += 10.0
    table.report(Sight.STARTING)
    assert table.standing().pending == ()


def _noting(decoder, told: list):
    """A decoder that notes what it is told."""
    tell = decoder.tell
    decoder.tell = lambda *args: (told.append(args), tell(*args))[1]
    return decoder


def test_sight_is_lost_when_pictures_stop(open_table, clock) -> None:
    """When no picture comes for some seconds every phone is told."""
    table = open_table(source="camera")
    table.see(view_at(1.0))
    assert newest(table).health.sight is Sight.WATCHING
    clock.now += LOST_AFTER_S + 0.1
    shown = table.feed.wait(newest(table).revision, 10.0)
    assert shown.health.sight is Sight.LOST


def test_times_rise_over_sittings(open_table, clock) -> None:
    """A source that starts again at 0 is told what to add, so that times in the log rise."""
    table = open_table(timed(random_hand(8)))
    table.begin()
    assert table.shift() == 0.0
    play_on(table, 5)
    table = open_table(timed(random_hand(8)))
    clock.now += 7.0
    table.begin()
    assert table.shift() == pytest.approx(5.0 + 7.0)


@pytest.mark.parametrize(
    ("gone_s", "counted_s"), [(12.0, 12.0), (40000.0, MOST_AWAY_S), (-5000.0, MOST_AWAY_S), (-1.0, 0.0)]
)
def test_the_time_in_which_nobody_looked_counts(open_table, gone_s: float, counted_s: float) -> None:
    """The clock of the log goes on meanwhile; where the wall clock was put back nobody knows for how long."""
    began = datetime(2026, 11, 1, 20, 0, tzinfo=UTC)
    table = open_table(timed(random_hand(8)), today=lambda: began)
    play_on(table, 5)
    table = open_table(timed(random_hand(8)), today=lambda: began + timedelta(seconds=5.0 + gone_s))
    table.begin()
    assert table.shift() == pytest.approx(5.0 + counted_s)


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


def test_a_decoder_that_fails_over_a_press_is_made_anew_and_takes_the_next(open_table, tmp_path) -> None:
    """The phone is told that nothing was written down; pressed again it is, once."""

    class Failing(ScriptedDecoder):
        failed = False

        def tell(self, event, time, source):
            said = super().tell(event, time, source)
            if isinstance(event, Claimed) and not Failing.failed:
                Failing.failed = True
                raise ZeroDivisionError("a mistake in the decoder")
            return said

    script = timed([event for event in hand_with(Claimed) if not isinstance(event, Claimed)])
    table = open_table(decoders=lambda rules, *, dealer, first_seq: Failing(script, first_seq))
    play_on(table, 60)
    claim = Claim(table.standing().hand.state.claimant)
    with pytest.raises(RefusedCommandError) as refused:
        table.submit(claim)
    assert refused.value.reason == "not_recorded"
    assert not table.standing().hand.state.over

    table.submit(claim)
    assert [item.event for item in items(tmp_path) if isinstance(item, Settled)][-1] == Claimed(claim.player)
    seqs = [item.seq for item in items(tmp_path) if isinstance(item, Settled)]
    assert seqs == list(range(1, len(seqs) + 1))


def test_a_thread_goes_on_where_looking_after_itself_fails(caplog) -> None:
    """What is asked afterwards is done; else every phone and the camera would wait for ever."""
    failures = iter([ZeroDivisionError("a mistake in what is shown")])

    def after() -> None:
        if error := next(failures, None):
            raise error

    worker = Worker("table", after)
    assert worker.ask(lambda: 1, 5.0) == 1
    assert worker.ask(lambda: 2, 5.0) == 2
    assert worker.close()
    assert "what is shown" in caplog.text
