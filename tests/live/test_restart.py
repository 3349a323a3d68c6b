"""The real tracker and decoder behind a live table: stopped and started in mid-hand, it ends the same."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from filmed_evening import Evening, two_tricks_on
from further import further
from scripted_table import START, hand_with, view_at, written

from companion.decoding.decoder import Decoder
from companion.live.alternatives import alternatives, can_go
from companion.live.command import (
    Answer,
    Claim,
    Correct,
    Insert,
    InsertTrick,
    NewHand,
    RefusedCommandError,
    RemoveTrick,
    Undo,
)
from companion.live.fold import fold
from companion.live.standing import Standing
from companion.live.table import LiveTable
from companion.rules.events import CardPlayed, Claimed, Event
from companion.rules.ruleset import RuleSet
from companion.store.item import Pressed
from companion.store.log import EventLog, LogFullError
from companion.table.entry import Settled
from tests.decoding.puppets import readings, stage
from tests.decoding.trial import filmed, shown

WON = hand_with(Claimed)
WINS = next(n for n in range(1, 9) if fold(written(*[WON] * n)).match.winner is not None)


@pytest.mark.parametrize("seed", [0, *further(1)])
def test_a_hand_that_is_interrupted_ends_as_if_it_had_not_been(tmp_path: Path, seed: int) -> None:
    """After every third event everything but the log is thrown away; the hand is still exact."""
    evening = Evening(tmp_path, seed)
    restarts = []

    def interrupt(evening: Evening) -> None:
        count = evening.count()
        if count % 3 == 0 and count > (restarts[-1] if restarts else 0):
            restarts.append(count)
            evening.restart()

    assert evening.watch(interrupt) == evening.happened
    assert len(restarts) >= 4


def test_evenings_that_follow_from_one_another_are_parted_where_they_are_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every entry all are worked out anew; names, marks and the deal go on as they would."""
    path, won = tmp_path / "table.sqlite", [WON] * WINS
    with EventLog(path) as log:
        log.append(written(*won, started=replace(START, names=("Eva", "Max"))))

    def opened() -> Standing:
        with LiveTable(EventLog(path), Decoder, rules=RuleSet()) as table:
            return table.standing()

    monkeypatch.setattr("companion.live.table.MANY_HANDS", WINS)
    few = opened()
    monkeypatch.setattr("companion.live.table.MANY_HANDS", WINS - 1)
    many = opened()
    assert (len(few.hands), len(many.hands)) == (WINS, 0)
    next_one = few.match.following()
    assert (many.match.number, many.match.bummerl_marks) == (next_one.number, next_one.bummerl_marks)
    assert (many.next_dealer, many.started.names) == (few.next_dealer, ("Eva", "Max"))
    assert opened().match.number == many.match.number  # and not again with every start


@pytest.mark.parametrize("seed", [1, *further(0)])
def test_a_camera_that_is_started_again_in_mid_hand_costs_nothing(tmp_path: Path, seed: int) -> None:
    """After every fourth event a new tracker numbers what lies there from one on; the hand is still exact."""
    evening = Evening(tmp_path, seed)
    starts = []

    def start(evening: Evening) -> None:
        count = evening.count()
        if count % 4 == 1 and count > (starts[-1] if starts else 1):
            starts.append(count)
            evening.start_camera()

    assert evening.watch(start) == evening.happened
    assert len(starts) >= 3


@pytest.mark.parametrize("anew", ["program", "camera"])
@pytest.mark.parametrize("seed", [15, 71, *further(28, 39)])
def test_what_a_hand_has_left_on_the_table_is_no_deal_after_a_restart(
    tmp_path: Path, seed: int, anew: str
) -> None:
    """After a claim in mid-hand turn-up and stock lie there still when everything begins anew."""
    show = stage(RuleSet(), seed, hands=2)
    evening, done = Evening(tmp_path, show=show), []

    def restart(evening: Evening) -> None:
        hand = evening.table.standing().hand
        if not done and hand is not None and hand.state.over and evening.now > hand.events[-1].time + 0.3:
            done.append(evening.now)
            if anew == "camera":
                evening.start_camera()
            else:
                evening.restart()

    told = evening.watch(restart, until=two_tricks_on(show))
    assert told == evening.happened[: len(told)]
    assert len(told) > len(show.events[0]) + 4
    assert done
    assert not evening.asked


def test_after_a_while_the_same_turn_up_is_that_of_the_next_hand(tmp_path: Path) -> None:
    """The program is started anew over a table on which it lies already; the last hand is cleared away."""
    evening = Evening(tmp_path, 15)
    film = list(readings(evening.show))
    dealt_at, ended_at = (evening.show.events[0][place][0] for place in (0, -1))
    for again_s in (0.0, 200.0):
        for reading in film:
            if again_s and reading.time < dealt_at:
                continue  # nobody looks yet
            if not again_s and reading.time > ended_at + 1.0:
                break
            seen = tuple(replace(one, time=one.time + again_s) for one in reading.detections)
            evening.now = reading.time + again_s
            evening.table.see(evening.tracker.update(replace(reading, time=evening.now, detections=seen)))
            if evening.now >= ended_at + again_s and not evening.table.standing().hand.state.over:
                with contextlib.suppress(RefusedCommandError):
                    evening.table.submit(Claim(evening.show.taps[0][1].player))
        evening.restart()
    dealt = [hand.events[0].event for hand in evening.table.standing().hands]
    evening.table.close()
    assert [deal.turned_up for deal in dealt] == 2 * [evening.happened[0].turned_up]


def test_the_turn_up_that_was_drawn_is_played_right_after_a_restart(tmp_path: Path) -> None:
    """It lay under the stock when the log ended, and is laid by who holds it a second after."""
    evening = Evening(tmp_path, 6)
    done = []

    def restart(evening: Evening) -> None:
        if not done and evening.now >= 47.3:
            done.append(evening.now)
            evening.restart()

    assert evening.watch(restart) == evening.happened
    assert done


@pytest.mark.parametrize(("seed", "at"), [(1, 9), *further((0, 5), (0, 9), (1, 5))])
def test_a_new_hand_called_by_mistake_and_taken_back_costs_nothing(
    tmp_path: Path, seed: int, at: int
) -> None:
    """The hand that goes on is not dealt a second time: it ends exact, and nothing is asked."""
    evening = Evening(tmp_path, seed)
    called = []

    def call(evening: Evening) -> None:
        if not called and evening.count() >= at:
            evening.table.submit(NewHand())
            called.append(evening.count())
            evening.table.submit(Undo(evening.table.feed.wait("", 0.0).last.seq))
        assert not evening.table.standing().questions

    assert evening.watch(call) == evening.happened
    assert called


def test_a_claim_that_could_not_be_written_is_written_once_there_is_room(tmp_path: Path, monkeypatch) -> None:
    """The disk is full when the claim that waited for the table to rest is settled; the hand ends by it."""
    evening = Evening(tmp_path, 1)
    append = EventLog.append
    missed: list[float] = []

    def full(log: EventLog, items, **_: object) -> None:
        told = any(isinstance(item, Settled) and isinstance(item.event, Claimed) for item in items)
        if told and not any(isinstance(item, Pressed) for item in items):
            missed.append(evening.now)
            monkeypatch.setattr(EventLog, "append", append)
            raise LogFullError("no room left")
        append(log, items)

    monkeypatch.setattr(EventLog, "append", full)
    claim_at, claim = evening.show.taps[0]
    monkeypatch.setattr(evening.show, "taps", [])

    def press(evening: Evening) -> None:
        waits = evening.table.standing().pending
        if evening.now >= claim_at - 2.0 and not waits and evening.count() < len(evening.happened):
            with contextlib.suppress(RefusedCommandError):
                evening.table.submit(Claim(claim.player))

    assert evening.watch(press) == evening.happened
    assert missed


def test_what_is_played_while_the_disk_is_full_is_written_once_there_is_room(
    tmp_path: Path, monkeypatch
) -> None:
    """The camera looks on meanwhile; what is pressed is refused, and costs the hand nothing."""
    evening = Evening(tmp_path, 1)
    append, seconds = EventLog.append, 20.0
    full, refused = [], []

    def no_room(*_: object, **__: object) -> None:
        raise LogFullError("no room left")

    def fill(evening: Evening) -> None:
        if not full and evening.count() >= 5:
            full.append(evening.now)
            monkeypatch.setattr(EventLog, "append", no_room)
        if full and evening.now < full[0] + seconds and evening.now - full[0] > 2.0 * (len(refused) + 1):
            with pytest.raises(RefusedCommandError) as error:
                evening.table.submit(Undo(evening.table.standing().hand.events[-1].seq))
            refused.append(error.value.reason)
        if full and evening.now >= full[0] + seconds:
            monkeypatch.setattr(EventLog, "append", append)

    assert evening.watch(fill) == evening.happened
    assert set(refused) == {"not_recorded"}
    assert evening.asked == []


def test_a_correction_made_and_taken_back_leaves_the_hand_exact(tmp_path: Path) -> None:
    """An early card renamed on the phone, and renamed back, while play goes on."""
    evening = Evening(tmp_path, 1)
    done = []

    def correct(evening: Evening) -> None:
        if done or evening.count() < 7:
            return
        hand = evening.table.standing().hand
        place = [p for p, entry in enumerate(hand.events) if isinstance(entry.event, CardPlayed)][1]
        real = hand.events[place].event
        free = next(
            card for card in RuleSet().pack if card not in hand.state.seen and card != hand.state.bottom
        )
        evening.table.submit(Correct(hand.events[place].seq, CardPlayed(real.player, free)))
        changed = evening.table.standing().hand.events[place]
        assert changed.event.card == free
        evening.table.submit(Correct(changed.seq, real))
        done.append(place)

    assert evening.watch(correct) == evening.happened
    assert done


def test_an_undone_event_is_gone_from_the_hand_and_kept_in_the_log(tmp_path: Path) -> None:
    """Undo with the real decoder withdraws exactly the last event."""
    evening = Evening(tmp_path, 2)
    undone = []

    def undo(evening: Evening) -> None:
        if undone or evening.count() < 5:
            return
        before = evening.table.standing().hand.events
        evening.table.submit(Undo(before[-1].seq))
        assert evening.table.standing().hand.events == before[:-1]
        undone.append(before[-1].seq)

    evening.watch(undo)
    with EventLog(tmp_path / "table.sqlite") as log:
        written = [logged.item for logged in log.read()]
    assert any(getattr(item, "withdraws", None) == undone[0] for item in written)
    assert any(getattr(item, "seq", None) == undone[0] for item in written)


def test_an_empty_table_says_nothing(tmp_path: Path) -> None:
    """Views without a card settle nothing."""
    evening = Evening(tmp_path, 0)
    for step in range(20):
        evening.table.see(view_at(step / 10))
    assert evening.count() == 0
    evening.table.close()


def test_a_correction_is_taken_in_by_the_decoder_that_goes_on(tmp_path: Path) -> None:
    """A card named wrongly on purpose stays what was said, whatever is seen later; the same decoder goes on.

    The cards that lie there mean what they meant: every later play is recorded as it was made, and the
    card that was given away by the wrong name is asked about when it is played, not silently repaired.
    """
    evening = Evening(tmp_path, 1)
    changed: list[tuple[int, Event, object]] = []

    def correct(evening: Evening) -> None:
        if changed or evening.count() < 9:
            return
        before = evening.table._decoder
        hand = evening.table.standing().hand
        place = [p for p, entry in enumerate(hand.events) if isinstance(entry.event, CardPlayed)][2]
        later = [event.card for event in evening.happened if isinstance(event, CardPlayed)]
        real = hand.events[place].event
        free = next(
            each.event
            for each in alternatives(evening.table.standing(), hand.events[place].seq)
            if each.fits and isinstance(each.edit, Correct) and each.event.card not in (None, *later)
        )
        evening.table.submit(Correct(hand.events[place].seq, free))
        assert evening.table._decoder is before
        changed.append((place, free, real))

    told = evening.watch(correct)
    ((place, free, _),) = changed
    assert told[place] == free
    assert [event for at, event in enumerate(told) if at != place and isinstance(event, CardPlayed)] == [
        event for at, event in enumerate(evening.happened) if at != place and isinstance(event, CardPlayed)
    ]


def test_what_a_person_said_is_not_overturned_by_the_card_that_contradicts_it(tmp_path: Path) -> None:
    """A card that somebody said was played earlier is seen again later: that later play is asked about."""
    evening = Evening(tmp_path, 1)
    said: list[tuple[int, Event]] = []
    asked: list[str] = []

    def correct(evening: Evening) -> None:
        snapshot = evening.table.feed.wait("", 0.0)
        asked.extend(question.text for question in snapshot.questions)
        if said or evening.count() < 7:
            return
        hand = evening.table.standing().hand
        place = [p for p, entry in enumerate(hand.events) if isinstance(entry.event, CardPlayed)][1]
        plays = [event for event in evening.happened if isinstance(event, CardPlayed)]
        seen = {entry.event.card for entry in hand.events if isinstance(entry.event, CardPlayed)}
        to_come = [event.card for event in plays if event.card not in seen]
        wrong = next(
            each.event
            for each in alternatives(evening.table.standing(), hand.events[place].seq)
            if each.fits and isinstance(each.edit, Correct) and each.event.card in to_come and not each.turned
        )
        evening.table.submit(Correct(hand.events[place].seq, wrong))
        said.append((place, wrong))

    told = evening.watch(correct)
    ((place, wrong),) = said
    assert told[place] == wrong
    assert told.count(wrong) == 1
    assert "which_card" in asked


@pytest.mark.parametrize("back", [2, *further(1, 3)])
def test_a_play_taken_out_and_put_in_again_leaves_the_hand_exact(tmp_path: Path, back: int) -> None:
    """One of the last plays is said not to have been, then put back, while the same decoder goes on."""
    evening = Evening(tmp_path, 1)
    done: list[Event] = []

    def take_out(evening: Evening) -> None:
        hand = evening.table.standing().hand
        plays = [] if hand is None else [e for e in hand.events if isinstance(e.event, CardPlayed)]
        if done or len(plays) < 5 or not can_go(evening.table.standing(), plays[-back].seq):
            return
        before = evening.table._decoder
        at = hand.events.index(plays[-back])
        evening.table.submit(Correct(plays[-back].seq, None))
        kept = evening.table.standing().hand.events
        assert len(kept) == len(hand.events) - 1
        evening.table.submit(Insert(kept[at - 1].seq, plays[-back].event))
        assert evening.table._decoder is before
        done.append(plays[-back].event)

    assert evening.watch(take_out) == evening.happened
    assert done


def test_a_trick_taken_out_and_put_in_again_leaves_the_hand_exact(tmp_path: Path) -> None:
    """A whole trick in mid-hand, its cards named one by one, while the hand goes on."""
    evening = Evening(tmp_path, 1)
    done: list[Event] = []

    def take_out(evening: Evening) -> None:
        standing = evening.table.standing()
        plays = (
            [] if standing.hand is None else [e for e in standing.hand.events if type(e.event) is CardPlayed]
        )
        if done or len(plays) < 7:
            return
        at = standing.hand.events.index(plays[4])
        evening.table.submit(RemoveTrick(plays[5].seq))
        evening.table.submit(InsertTrick(evening.table.standing().hand.events[at - 1].seq))
        for place in (at, at + 1):
            seq = evening.table.standing().hand.events[place].seq
            evening.table.submit(Correct(seq, standing.hand.events[place].event))
        assert [e.event for e in evening.table.standing().hand.events] == [
            e.event for e in standing.hand.events
        ]
        done.append(plays[4].event)

    assert evening.watch(take_out) == evening.happened
    assert done


@pytest.mark.parametrize("anew", ["program", "camera"])
@pytest.mark.parametrize("seed", [1006, *further(1063)])
def test_what_was_asked_before_it_was_written_is_answered_after_a_start(
    tmp_path: Path, seed: int, anew: str
) -> None:
    """Nothing that lies there tells of that card any more: it is the next play, and no other is touched."""
    show = shown(seed, "lasting")
    filmed(show, "lasting", seed)  # cards are misread for as long as they lie
    evening, done = Evening(tmp_path, show=show), []

    def answer(evening: Evening) -> None:
        standing = evening.table.standing()
        ahead = [one for one in standing.questions if one.about is None and one.shows is not None]
        if done or not ahead:
            return
        evening.restart() if anew == "program" else evening.start_camera()
        before = [entry.event for entry in standing.hand.events]
        evening.table.submit(Answer(ahead[-1].seq, 0))
        hand = evening.table.standing().hand
        done.append([entry.event for entry in hand.events] == [*before, ahead[-1].options[0]])
        assert not evening.table.standing().questions

    evening.watch(answer)
    assert done == [True]
