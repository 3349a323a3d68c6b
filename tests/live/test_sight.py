"""A camera that runs and does not show the table: every phone says so within three seconds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from filmed_evening import Evening
from scripted_table import HAND, newest, play_on, timed, view_at

from companion.decoding.decoder import Decoder
from companion.live.command import Correct, RefusedCommandError, Vouch
from companion.live.health import Sight
from companion.live.permission import allow
from companion.live.snapshot import Role
from companion.rules.events import CardPlayed, Dealt
from companion.table.entry import Unseen
from tests.decoding.puppets import readings


def test_a_covered_camera_is_told_within_three_seconds_and_so_is_its_return(open_table) -> None:
    """Pictures go on coming, but nothing of the table is in them."""
    table = open_table(source="camera")
    told = {}
    for step in range(80):
        view = view_at(step / 8)
        table.see(replace(view, blind=2.0 <= view.time < 7.0))
        health = newest(table).health
        told.setdefault((health.sight, bool(health.why)), view.time)
        if view.time >= 7.0:
            assert health.sight is Sight.WATCHING
            assert health.why == ""
    assert 2.0 < told[(Sight.LOST, True)] < 5.0


def test_a_sitting_that_is_kept_no_more_is_told_once(open_table) -> None:
    """The table asks by itself; the camera goes on watching, and nothing is told anew afterwards."""
    kept = [True]
    table = open_table(source="camera", is_kept=lambda: kept[0])
    table.see(view_at(1.0))
    assert newest(table).health.sitting_kept
    kept[0] = False
    told = table.feed.wait(newest(table).revision, 10.0)
    assert told is not None
    assert (told.health.sitting_kept, told.health.sight) == (False, Sight.WATCHING)
    table.see(view_at(1.1))
    assert newest(table).revision == told.revision


def test_a_hand_tells_for_how_long_nobody_saw_it(open_table) -> None:
    """What was out of sight while it was played; not what was before its deal, nor after its end."""
    gaps = [(0.5, Unseen(0, 0.5, 0.1)), (4.5, Unseen(0, 4.5, 2.0))]
    late = len(HAND) + 5.0
    script = sorted([*timed(HAND), *gaps, (late, Unseen(0, late, late - 3.0))], key=lambda each: each[0])
    table = open_table(script)
    play_on(table, late + 1.0)

    assert [each[:2] for each in newest(table).hand.unseen] == [(4.5, 3)]


def gap(time: float, since: float) -> tuple[float, Unseen]:
    """A time out of sight, for the script."""
    return time, Unseen(0, time, since)


def test_whoever_says_that_nothing_is_missing_is_believed(open_table) -> None:
    """Of what was out of sight until then, not of what is later; said once, and known after a new start."""
    gaps = [gap(2.5, 1.5), gap(3.5, 2.75), gap(5.5, 4.5)]
    script = sorted([*timed(HAND), *gaps], key=lambda each: each[0])
    table = open_table(script)
    play_on(table, len(HAND) + 1.0)
    told = newest(table).hand
    first, second, third = told.unseen
    written = table.submit(Vouch(second[2]), source="phone:south").position

    def stands(table) -> bool:
        hand = newest(table).hand
        return (hand.unseen, hand.vouched) == ((third,), (first, second)) and hand.events == told.events

    assert stands(table)
    assert table.submit(Vouch(first[2]), source="phone:north").position == written
    with pytest.raises(RefusedCommandError) as refused:
        table.submit(Vouch(told.events[-1].seq))
    assert refused.value.reason == "too_late"
    with pytest.raises(RefusedCommandError) as refused:
        allow(Vouch(third[2]), Role.SPECTATOR, newest(table))
    assert refused.value.reason == "not_yours"
    assert stands(open_table())


def dealt_out_of_sight(open_table):
    """A table at which the second hand was dealt while nobody looked, as nobody had in the first."""
    ended = float(len(HAND))
    dealt = ended + 2.0
    gaps = [gap(2.5, 1.5), gap(dealt + 0.2, ended - 0.5)]
    script = [*timed(HAND), *gaps, (dealt, Dealt(HAND[0].dealer.other, None))]
    table = open_table(sorted(script, key=lambda each: each[0]))
    play_on(table, dealt + 1.0)
    return table


def test_who_speaks_of_a_hand_before_speaks_of_all_that_was_missed_in_it(open_table) -> None:
    """By the first and the last of those times: the last is also of the hand that was dealt in it."""
    table = dealt_out_of_sight(open_table)
    first, last = (each.seq for each in table.standing().hands[0].unseen)
    told = newest(table).match.changes
    table.submit(Vouch(last, first), source="phone:south")

    assert [each.seq for each in table.standing().hands[0].vouched] == [first, last]
    assert newest(table).match.changes > told  # phones ask for the record anew
    with pytest.raises(RefusedCommandError):
        table.submit(Vouch(last + 1, first))


def test_who_speaks_of_a_hand_says_nothing_of_what_was_missed_in_the_one_before(open_table) -> None:
    """The second was dealt while nobody looked: of that time is spoken, not of an earlier one."""
    table = dealt_out_of_sight(open_table)
    ((*_, number),) = newest(table).hand.unseen
    table.submit(Vouch(number), source="phone:south")

    first, second = table.standing().hands
    assert [each.time for each in first.unseen] == [2.5]
    assert [each.seq for each in (*first.vouched, *second.vouched)] == [number, number]
    assert second.unseen == ()


@pytest.mark.parametrize("anew", ["program", "camera"])
def test_from_the_last_look_to_the_first_after_a_start_nobody_saw_the_hand(tmp_path: Path, anew: str) -> None:
    """The camera is set up anew, or the program started again, and looks four seconds later."""
    evening = Evening(tmp_path, 11)
    start = evening.show.events[0][6][0]

    stopped: list[float] = []
    last: list[float] = []
    for reading in readings(evening.show):
        if start <= reading.time < start + 4.0:
            continue
        if reading.time >= start and not stopped:
            stopped.append(reading.time)
            if anew == "program":
                evening.restart()
            evening.start_camera()
        evening.now = reading.time
        evening.table.see(evening.tracker.update(reading))
        if not stopped:
            last.append(reading.time)
        elif reading.time > stopped[0] + 2.0:
            break
    hand = evening.table.standing().hand
    evening.table.close()

    assert hand is not None
    ((since, until),) = ((gap.since, gap.time) for gap in hand.unseen)
    assert until == pytest.approx(stopped[0], abs=0.01)
    if anew == "camera":
        assert since == pytest.approx(last[-1], abs=0.01)
    else:  # what is not in the log is gone: it is known to have been seen when it told of the last card
        assert hand.events[-1].time >= since > last[-1] - 6.0


def test_while_a_decoder_that_failed_rests_nobody_sees_the_hand(tmp_path: Path, monkeypatch) -> None:
    """What is played meanwhile is missing, and the hand says so."""
    evening = Evening(tmp_path, 11)
    update, failed = Decoder.update, []
    at = evening.show.events[0][4][0]

    def failing(decoder: Decoder, view) -> tuple:
        if not failed and evening.now >= at:
            failed.append(evening.now)
            raise RuntimeError("stories ran out")
        return update(decoder, view)

    monkeypatch.setattr(Decoder, "update", failing)
    evening.watch()
    evening.open()
    (hand,) = evening.table.standing().hands
    evening.table.close()

    ((since, until),) = ((gap.since, gap.time) for gap in hand.unseen)
    assert since < failed[0]
    assert until >= failed[0] + 1.0


def test_a_correction_in_mid_hand_hides_nothing_of_it(tmp_path: Path, monkeypatch) -> None:
    """The decoder is made anew from the log, but the camera has looked all the time."""
    monkeypatch.setattr(Decoder, "revise", lambda *_: False)
    evening = Evening(tmp_path, 11)
    corrected: list[float] = []

    def correct(evening: Evening) -> None:
        hand = evening.table.standing().hand
        if not corrected and hand is not None and hand.events[-1].time < evening.now - 1.5 and hand.state.led:
            corrected.append(evening.now)
            evening.table.submit(Correct(hand.events[-1].seq, CardPlayed(hand.state.to_play.other, None)))

    evening.watch(correct)
    evening.open()
    gaps = [gap for hand in evening.table.standing().hands for gap in hand.unseen]
    evening.table.close()

    assert corrected
    assert gaps == []


def test_a_bump_is_not_worth_a_word(open_table) -> None:
    """A second without sight is over before anybody has read that."""
    table = open_table(source="camera")
    for step in range(40):
        view = view_at(step / 8)
        table.see(replace(view, blind=1.0 <= view.time < 2.0))
        assert newest(table).health.sight is Sight.WATCHING


def test_a_camera_that_shakes_is_told_until_it_has_stood_still_for_a_while(open_table) -> None:
    """Twice a second the table is lost from sight for a moment: never long enough for it to count as lost."""
    table = open_table(source="camera")
    told = []
    for step in range(400):
        view = view_at(step / 8)
        table.see(replace(view, blind=5.0 <= view.time < 20.0 and step % 4 == 0))
        health = newest(table).health
        assert health.sight is Sight.WATCHING
        if health.steady == (len(told) % 2 == 1):
            told.append(view.time)
    unsteady, steady = told
    assert 5.0 < unsteady < 15.0
    assert 25.0 < steady < 45.0


@pytest.mark.parametrize("apart", [0.75, 1.9, 5.0])
def test_a_computer_that_does_not_keep_up_is_told_until_it_does(open_table, apart: float) -> None:
    """Seconds from look to look while hands move, four looks in a second of a still table after it."""
    table = open_table(source="camera")
    told, time = [], 0.0
    while time < 60.0:
        time += apart if 10.0 <= time < 25.0 else 0.25
        table.see(view_at(time))
        health = newest(table).health
        assert (health.sight, health.steady) == (Sight.WATCHING, True)
        if health.dense == (len(told) % 2 == 1):
            told.append(time)
    sparse, dense = told
    assert 15.0 < sparse <= 25.0
    assert 38.0 < dense < 50.0


def test_a_camera_that_falters_now_and_then_is_not_said_to_be_slow(open_table) -> None:
    """Over Wi-Fi every fourth second has no picture; a camera that is started anew is judged anew."""
    table = open_table(source="camera")
    for second in range(40):
        for quarter in range(4):
            if second % 4:
                table.see(view_at(second + quarter / 4))
        assert newest(table).health.dense
    table.see(view_at(55.0))
    assert newest(table).health.dense
    for start in range(3):
        table.begin()
        for step in range(8):
            table.see(view_at(100.0 * (start + 1) + 0.75 * step))
        assert newest(table).health.dense


@pytest.mark.parametrize("seconds", [5.0, 20000.0])
def test_a_start_after_the_end_of_a_hand_hides_nothing_of_it(tmp_path: Path, seconds: float) -> None:
    """It was ended by a word on a phone, and the camera told its last card before that."""
    evening = Evening(tmp_path, 11)
    evening.watch()
    evening.open()
    hand = evening.table.standing().hand
    assert hand is not None
    assert hand.events[-1].source != "camera"

    evening.start_camera()
    evening.table.see(replace(view_at(evening.now + seconds), quiet=True))
    after = evening.table.standing().hand
    evening.table.close()

    assert after is not None
    assert after.unseen == ()
