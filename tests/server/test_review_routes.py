"""The routes of the review: hands that have ended and no others, story at once, analysis as it comes."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from patience import until
from played_log import HAND, NORTH, SOUTH, Log, Stills, Told, play
from played_log import asked as asked_for
from scripted_table import REVOKED, dealt_and, timed, view_at

from companion.history.archive import Archive
from companion.live.command import NewMatch
from companion.live.feed import Feed
from companion.live.snapshot import Role
from companion.review.report import report
from companion.rules.cards import Card
from companion.rules.events import Dealt, GivenUp
from companion.rules.fair_play import FairPlay
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.server.reviewer import Reviewer, _judge
from companion.store.item import Answered, Corrected
from companion.table.entry import Asked, Retracted, Settled


def asked(log: Log, path: str = "", role: Role = Role.TABLE, **more):
    """What a phone with `role` is answered."""
    return asked_for(log, f"/reviews{path}", role, **more)


def test_a_hand_that_has_ended_is_told_at_once() -> None:
    """The story, what the rules show, and an analysis that has hardly begun."""
    reviews = Told()

    found = asked(Log(*HAND), "/1/1", reviews=reviews).json

    assert [step["counts"][1]["total"] for step in found["story"]["steps"]][-1] == 53
    assert [each["kind"] for each in found["story"]["found"]] == ["claim_early"]
    assert found["names"] == ["Anna", "Bert"]
    assert found["review"] is None
    assert [record.events for record in reviews.records] == [HAND[1:]]


def test_a_hand_that_goes_on_is_kept_to_the_table() -> None:
    """Neither listed nor told, and not looked at either."""
    reviews = Told()
    log = Log(*HAND[:-1])

    answer = asked(log, "/1/1", reviews=reviews)

    assert answer.status_code == 403
    assert asked(log).json["hands"] == []
    assert not reviews.records


def test_what_was_given_up_could_be_taken_up_again() -> None:
    """Until the next hand is dealt it is kept back; giving up is no way to a look at the cards."""
    given_up = (*HAND[:-1], GivenUp())

    assert asked(Log(*given_up), "/1/1").status_code == 403
    dealt = Log(*given_up, Dealt(SOUTH, Card.parse("QH")))
    assert asked(dealt, "/1/1").status_code == 200
    assert asked(dealt, "/1/2").status_code == 403


def test_a_hand_played_out_may_still_be_claimed_where_counts_are_secret() -> None:
    """At a training table it is open at once; else with the next deal."""
    secret = FairPlay("tournament")
    played_out = (*HAND[:-1], play(NORTH, "TD"), play(SOUTH, "KD"), play(NORTH, "TC"), play(SOUTH, "AC"))

    assert asked(Log(*played_out), "/1/1").status_code == 200
    assert asked(Log(*played_out, fair=secret), "/1/1").status_code == 403
    dealt = Log(*played_out, Dealt(NORTH, Card.parse("QH")), fair=secret)
    assert asked(dealt, "/1/1").status_code == 200


def test_lookers_on_wait_for_the_next_deal() -> None:
    """They may see the match later than it is played."""
    assert asked(Log(*HAND), "/1/1", Role.SPECTATOR).status_code == 403
    dealt = Log(*HAND, Dealt(NORTH, Card.parse("QH")))
    assert asked(dealt, "/1/1", Role.SPECTATOR).status_code == 200
    assert [each["hand"] for each in asked(dealt, "", Role.BOARD).json["hands"]] == [1]


def test_a_hand_that_never_was_is_not_found() -> None:
    """404, for any number."""
    assert asked(Log(*HAND), "/1/2").status_code == 404
    assert asked(Log(*HAND), "/7/1").status_code == 404


BROADCAST = {
    "tricks": FairPlay("broadcast", 2, "tricks"),
    "seconds": FairPlay("broadcast", 30, "seconds"),
}


@pytest.mark.parametrize("unit", BROADCAST)
def test_lookers_on_of_a_broadcast_wait_until_they_see_the_next_deal(unit: str) -> None:
    """The review tells nothing before the delayed table does: no hand, no result, no picture."""
    log = Log(fair=BROADCAST[unit])
    told = []
    for event in (*HAND, *HAND):
        log.see(event)
        shown = log.feed.wait("", 0.0, late=True)
        told.append(len(asked(log, "", Role.SPECTATOR).json["hands"]))
        next_is_shown = shown.hand is not None and shown.hand.events[0].seq > len(HAND)
        assert told[-1] == next_is_shown
        for path in ("/1", "/1/1", "/1/pictures/6000"):
            answer = asked(log, path, Role.SPECTATOR, pictures=Stills())
            assert (answer.status_code == 200) is next_is_shown
        assert asked(log, "/1/1").status_code == (200 if len(told) >= len(HAND) else 403)
    if unit == "seconds":
        assert told == [0] * len(told)
        log.clock.now += 30
        assert len(asked(log, "", Role.SPECTATOR).json["hands"]) == 1
    else:
        assert told[-1] == 1


def test_after_a_restart_lookers_on_of_a_broadcast_see_no_hand_at_first() -> None:
    """Nobody knows what they have been shown."""
    log = Log(*HAND, fair=BROADCAST["tricks"])
    log.feed = Feed(log.clock)
    for event in HAND[:4]:
        log.see(event)

    assert asked(log, "", Role.SPECTATOR).json["hands"] == []
    assert [each["number"] for each in asked(log).json["hands"]] == [1]


def test_each_event_has_its_picture_while_the_hand_is_open() -> None:
    """Named by its time; another time, another hand, or one that goes on gives none."""
    log = Log(*HAND)
    found = asked(log, "/1", pictures=Stills()).json

    assert found["deal"]["picture"] == 1000
    assert [note["picture"] for note in found["notes"]] == [1000 * second for second in range(2, 11)]
    assert asked(log, "/1/pictures/3000", pictures=Stills()).data == b"JPEG of 3"
    assert asked(log, "/1/pictures/3500", pictures=Stills()).status_code == 404
    assert asked(log, "/1/pictures/3000").status_code == 404
    running = Log(*HAND[:-1])
    assert asked(running, "/1/pictures/3000", pictures=Stills()).status_code == 403


def test_what_was_corrected_is_shown_as_corrected() -> None:
    """With what stood there, and who changed it; what was taken out is told as well."""
    log = Log(*HAND[:6], play(NORTH, "AH"), *HAND[6:])
    wrong, after = log.items[6], log.items[7:]
    assert wrong.event == HAND[5]
    log.items += [Retracted(90 + n, 12.0, each.seq, "phone:south") for n, each in enumerate(after)]
    again = [Settled(100 + n, each.time, each.event, 1.0, each.source) for n, each in enumerate(after[1:])]
    log.items += again
    removed = Corrected("at", 12.0, "phone:south", 90, 110, after[0].seq, None, after[0].event, None)
    log.items.insert(-len(after) - len(again), removed)
    log.publish()

    found = asked(log, "/1").json

    assert found["removed"] == [
        {"by": "phone:south", "at": "at", "was": {"type": "play", "player": 1, "card": "AH"}}
    ]
    assert [note.get("corrected") for note in found["notes"]] == [None] * len(found["notes"])


def test_a_revoke_names_the_event_that_proved_it() -> None:
    """South gives the jack of spades to the ace of hearts, and shows the king of hearts a trick later."""
    log = Log(*dealt_and("TH", *REVOKED, close=True), Dealt(NORTH, None))

    (found,) = asked(log, "/1").json["story"]["found"]

    events = log.hands()[0].record.events
    assert [str(events[found[name]].card) for name in ("at", "proof")] == ["JS", "KH"]


def test_a_question_is_told_with_how_it_was_settled() -> None:
    """Answered by a phone, and the card corrected by it; or seen later by the camera itself."""
    log = Log(*HAND[:3])
    doubted, instead = play(SOUTH, "QD"), HAND[3]
    log.items += [
        Settled(4, 4.0, doubted, 0.5),
        Asked(5, 4.0, "which_card", 4, (doubted, instead)),
        Answered(5.0, 5, 1, "phone:north"),
        Corrected("at", 5.0, "phone:north", 6, 7, 4, 7, doubted, instead, answers=5),
        Retracted(6, 5.0, 4, "phone:north"),
        Settled(7, 4.0, instead, 1.0, "phone:north"),
        Asked(8, 6.0, "what_happened", None, (HAND[4],)),
        *(Settled(9 + n, 6.0 + n, event, 0.99) for n, event in enumerate(HAND[4:])),
    ]
    log.publish()

    notes = asked(log, "/1").json["notes"]

    played = {"type": "play", "player": 0}
    assert notes[2] == {
        "source": "phone:north",
        "corrected": {"by": "phone:north", "at": "at", "was": {**played, "card": "QD"}},
        "questions": [
            {
                "text": "which_card",
                "settled": "answered",
                "by": "phone:north",
                "options": [{**played, "card": "QD"}, {**played, "card": "QS"}],
                "answer": {**played, "card": "QS"},
            }
        ],
    }
    assert [each["settled"] for each in notes[3]["questions"]] == ["seen"]


def test_doubtful_readings_are_marked() -> None:
    """A card read with little confidence, and nothing else."""
    found = asked(Log(*HAND, sure=0.6), "/1/1").json

    assert found["notes"][0] == {"source": "camera", "confidence": 0.6}
    assert asked(Log(*HAND), "/1/1").json["notes"][0] == {"source": "camera"}


def test_hands_of_the_next_match_have_numbers_of_their_own() -> None:
    """With three points for each, the third hand wins the match; the fourth is the first of the second."""
    hands = [event for _ in range(4) for event in (*HAND,)]

    listed = asked(Log(*hands)).json["hands"]

    assert [(each["match"], each["hand"]) for each in listed] == [(2, 1), (1, 3), (1, 2), (1, 1)]


def test_the_reviewer_works_in_the_background_and_remembers() -> None:
    """Asking takes no time; the parts come one after the other, are those of a review, and stay."""
    record = Record(RuleSet(), SOUTH, Card.parse("JD"), HAND[1:])
    with Reviewer() as reviewer:
        assert reviewer.analysis(record)["review"] is None
        for _ in range(1200):
            found = reviewer.analysis(record)
            if found["review"] or found["failed"]:
                break
            time.sleep(0.1)
        assert reviewer.analysis(record) == found

    *decisions, review = [part.data for part in report(record)][1:]
    assert found["review"] == review
    assert found["decisions"] == decisions
    assert found["total"] >= len(decisions) > 0


def test_a_reviewer_that_is_closed_ends_its_work() -> None:
    """Nothing is left running, and what was broken off says so."""
    record = Record(RuleSet(), SOUTH, Card.parse("JD"), HAND[1:])
    reviewer = Reviewer()
    reviewer.analysis(record)
    reviewer.close()

    assert reviewer.analysis(record)["review"] is None


@pytest.mark.parametrize("error", [OSError(errno.ENOMEM, "Cannot allocate memory"), ValueError("a hand?")])
@pytest.mark.parametrize("step", ["Process.start", "Pipe"])
def test_a_review_that_cannot_be_begun_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, step: str, error: Exception
) -> None:
    """Without memory for one more process it has failed, and the page says so; the next is tried."""
    tried = []

    def no_room(*_: object, **__: object) -> None:
        tried.append(step)
        raise error

    context = multiprocessing.get_context("spawn")
    monkeypatch.setattr(context.Process if step == "Process.start" else context, step.split(".")[-1], no_room)
    first, second = (Record(RuleSet(), dealer, Card.parse("JD"), HAND[1:]) for dealer in (SOUTH, NORTH))
    with Reviewer() as reviewer:
        for count, record in enumerate((first, second), 1):
            reviewer.analysis(record)
            until(lambda record=record: reviewer.failed(record))
            assert len(tried) == count
    assert sum(str(error) in record.exc_text for record in caplog.records) == 2


def test_a_review_that_cannot_be_taken_in_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What comes of its process is no part of a review: it has failed, and the next is worked out."""
    first, second = (Record(RuleSet(), SOUTH, Card.parse(turn_up), HAND[1:]) for turn_up in ("JD", "QD"))
    receive, odd = Connection.recv, [("of another kind",)]
    monkeypatch.setattr(Connection, "recv", lambda parts: odd.pop() if odd else receive(parts))
    with Reviewer() as reviewer:
        reviewer.analysis(first)
        until(lambda: reviewer.failed(first))
        assert any(record.exc_info for record in caplog.records)
        reviewer.analysis(second)
        until(lambda: reviewer.decisions(second))


def test_ctrl_c_ends_a_review_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal sends it to every process; the reviewer ends its own, which prints nothing."""

    def pressed(record: Record) -> Iterator[object]:
        os.kill(os.getpid(), signal.SIGINT)
        yield from ()

    monkeypatch.setattr(os, "nice", lambda _: 0)
    monkeypatch.setattr("companion.review.report.report", pressed)
    before = signal.getsignal(signal.SIGINT)
    _, parts = multiprocessing.Pipe(duplex=False)
    try:
        _judge(Record(RuleSet(), SOUTH, Card.parse("JD"), HAND[1:]).to_json(), parts)
    except KeyboardInterrupt:
        pytest.fail("it was taken for this process, too")
    finally:
        signal.signal(signal.SIGINT, before)


def test_the_hands_of_a_live_table_are_read_from_its_log(open_table, tmp_path: Path) -> None:
    """While the table writes on, those of an earlier match too; each keeps its number."""
    table = open_table(timed(HAND))
    with Archive(tmp_path / "table.sqlite") as archive:
        assert archive.hands() == ()
        table.see(view_at(20.0))
        (first,) = archive.hands()
        assert (first.number, first.newest, first.record.events) == (1, True, HAND[1:])
        table.submit(NewMatch(names=("Cilli", "Dora")))
        (ended,) = archive.hands()
        assert (ended.number, ended.newest, ended.names) == (1, False, ("", ""))
