"""Hands as a live table's log holds them: what was asked and corrected stays with the hand it was about."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from played_log import HAND, NORTH, SOUTH, play
from scripted_table import timed, view_at

from companion.history.archive import Archive
from companion.history.sheet import sheet_of
from companion.live.command import Answer, Correct, NewMatch
from companion.rules.cards import Card
from companion.rules.events import CardPlayed, Dealt
from companion.store.item import Item, Logged, SittingOpened
from companion.store.log import LogError, LogReader
from companion.table.entry import Asked

DOUBTED = play(SOUTH, "QD")
SECOND = (Dealt(NORTH, Card.parse("QH")), play(SOUTH, "AH"), play(NORTH, "JS"), play(SOUTH, "TH"))


@pytest.fixture
def archive(tmp_path: Path, open_table):
    """A table that has seen two hands, the first with a question about a card; and its archive."""
    script = timed([*HAND[:3], DOUBTED, *HAND[4:], *SECOND])
    script.insert(4, (4.5, Asked(0, 0.0, "which_card", 4, (DOUBTED, HAND[3]))))
    table = open_table(script)
    table.see(view_at(30.0))
    with Archive(tmp_path / "table.sqlite") as opened:
        yield table, opened


def test_an_answer_is_told_with_its_question_and_as_a_correction(archive) -> None:
    """Who answered what; the entry that stands there now has the same time, and so the same picture."""
    table, opened = archive
    (question,) = opened.hands()[0].questions
    assert (question.settled, question.answer) == ("open", None)
    before = opened.hands()[0].entries[3]
    asked = table.standing().questions[0].seq
    table.submit(Answer(asked, 1), source="phone:north")

    first, second = opened.hands()
    (question,) = first.questions
    assert (question.settled, question.answer, question.by) == ("answered", HAND[3], "phone:north")
    now = next(entry for entry in first.entries if entry.seq == question.seq)
    assert (now.event, now.time) == (HAND[3], before.time)
    assert [(each.told.was, each.told.now) for each in first.corrections] == [(DOUBTED, HAND[3])]
    assert first.record.events == HAND[1:]
    assert (second.questions, second.corrections) == ((), ())


def test_the_page_of_a_hand_tells_what_was_asked_until_it_is_put_right(archive) -> None:
    """A card that was asked about is named as such; once it is another, the page tells what it was before."""
    table, opened = archive
    assert "asked about" in sheet_of(opened.hands()[0], "en")
    table.submit(Answer(table.standing().questions[0].seq, 1), source="phone:north")
    put_right, second = (sheet_of(hand, "en") for hand in opened.hands())

    assert "asked about" not in put_right
    assert "; before: " in put_right
    assert "Corrected and asked" not in second


def test_what_is_changed_in_one_hand_moves_nothing_to_another(archive) -> None:
    """A correction rewrites all that follows; open questions and later hands keep their places."""
    table, opened = archive
    led = opened.hands()[0].entries[2]
    table.submit(Correct(led.seq, CardPlayed(NORTH, Card.parse("KD"))))
    first, second = opened.hands()
    assert [each.told.now for each in first.corrections] == [CardPlayed(NORTH, Card.parse("KD"))]
    assert [question.settled for question in first.questions] == ["open"]
    assert first.entries[2].time == led.time
    assert (second.number, second.corrections, second.questions) == (2, (), ())
    assert second.record.events == SECOND[1:]

    table.submit(Correct(second.entries[3].seq, None))
    first, second = opened.hands()
    assert len(first.corrections) == 1
    assert [each.told.now for each in second.corrections] == [None]


def test_what_was_read_before_a_failure_is_told_after_it(archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing more is written after it: the hands are those of the log all the same."""
    _, opened = archive
    read = LogReader.read

    def failing(self: LogReader, after: int = 0) -> Iterator[Logged[Item]]:
        yield from read(self, after)
        raise LogError("disk I/O error")

    monkeypatch.setattr(LogReader, "read", failing)
    with pytest.raises(LogError):
        opened.hands()
    monkeypatch.setattr(LogReader, "read", read)
    assert len(opened.hands()) == 2


def test_hands_keep_their_numbers_over_matches(archive) -> None:
    """A new match begins its own count with the hand that is being played; the number in the log goes on."""
    table, opened = archive
    table.submit(NewMatch(names=("Cilli", "Dora"), clear_marks=True))
    kept = [(each.number, each.match, each.hand, each.newest) for each in opened.hands()]
    assert kept == [(1, 1, 1, False), (2, 1, 1, True)]


def test_a_hand_is_dated_by_the_clock_that_was_set_since_the_start(tmp_path: Path, open_table) -> None:
    """A computer without a clock of its own learns the date from the network once the table is open."""
    then = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    wall = [then]
    table = open_table(timed([*HAND, *SECOND], start=10.0), today=lambda: wall[0])
    wall[0] = then + timedelta(days=9)
    table.see(view_at(30.0))
    with Archive(tmp_path / "table.sqlite") as opened:
        assert [hand.began.date() for hand in opened.hands()] == [date(2026, 11, 30)] * 2
    sittings = [each.item for each in LogReader(tmp_path / "table.sqlite").read()]
    sittings = [item for item in sittings if isinstance(item, SittingOpened)]
    assert len(sittings) == 2, "dated anew once"


def test_a_correction_after_the_clock_was_set_dates_no_earlier_hand_anew(tmp_path: Path, open_table) -> None:
    """What is written anew has its old times; those were dated when they were new."""
    then = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
    wall = [then]
    table = open_table(timed([*HAND, *SECOND], start=10.0), today=lambda: wall[0])
    for second in range(31):
        wall[0] = then + timedelta(seconds=second)
        table.see(view_at(float(second)))
    wall[0] = then + timedelta(days=9)
    led = table.standing().hands[0].events[1]
    table.submit(Correct(led.seq, CardPlayed(led.event.player, None)))
    with Archive(tmp_path / "table.sqlite") as opened:
        assert [hand.began.date() for hand in opened.hands()] == [then.date()] * 2
