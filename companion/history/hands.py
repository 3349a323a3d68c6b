"""A hand of the log with everything that is known about how it was written down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal

from companion.live.changes import Correction
from companion.live.fold import fold
from companion.live.hand import HandFold
from companion.live.naming import names_of
from companion.live.question import SURE
from companion.live.standing import Standing
from companion.rules.events import Dealt, Event
from companion.rules.fair_play import FairPlay
from companion.rules.match import Match
from companion.rules.record import Record
from companion.store.item import Answered, Corrected, Item, SittingOpened
from companion.table.entry import Asked, Retracted, Settled, Unseen

__all__ = ["PlayedHand", "Question", "hands_of"]


@dataclass(frozen=True, slots=True)
class Question:
    """Something that was asked about a hand, and how it was settled.

    Attributes:
        text: Key of the question's text.
        options: What could be answered, likeliest first.
        settled: `answered` by somebody, `seen` later, `open` still, or `dropped` with what it was about.
        answer: What it was, where that is known.
        by: Who answered; empty where nobody did.
        seq: Number of the entry that stands there now, or next to which it was asked.
    """

    text: str
    options: tuple[Event, ...]
    settled: Literal["answered", "seen", "open", "dropped"]
    answer: Event | None
    by: str
    seq: int


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand of the log.

    Attributes:
        number: Its number in the log, from 1.
        before: Its match as it stood when it was dealt.
        hand: Its number in the match, from 1.
        names: South's and north's name; empty where not given.
        fair: What phones could tell the players meanwhile.
        fold: The hand.
        newest: Whether no other has been dealt since.
        began: When it was dealt, by the wall clock of this machine.
        corrected: Numbers of entries written in place of withdrawn ones.
        corrections: What people changed in it, oldest first.
        questions: What was asked about it, oldest first.
        table: Where it was played, when the hands of several tables are told together.
    """

    number: int
    before: Match
    hand: int
    names: tuple[str, str]
    fair: FairPlay
    fold: HandFold
    newest: bool
    began: datetime | None
    corrected: frozenset[int]
    corrections: tuple[Correction, ...]
    questions: tuple[Question, ...]
    table: str = ""

    @property
    def match(self) -> int:
        """Number of its match; the count begins anew where marks were cleared."""
        return self.before.number

    @property
    def after(self) -> Match:
        """Its match with what it paid."""
        award = self.fold.award
        return self.before if award is None else self.before.with_award(award, self.fold.state.dealer)

    @property
    def carried(self) -> int:
        """What ties before have paid its winner on top of its award (clause 8.5)."""
        award = self.fold.award
        return 0 if award is None or award.winner is None else self.before.carry

    @property
    def entries(self) -> tuple[Settled, ...]:
        """The entries that count, the deal first, without those that the rules take for impossible."""
        return tuple(entry for entry in self.fold.events if entry.seq not in self.fold.unfit)

    def gaps_before(self, entry: Settled) -> tuple[Unseen, ...]:
        """When nobody saw the table before this entry; of the last one after it, too."""
        at = self.entries.index(entry)
        since = self.entries[at - 1].time if at else float("-inf")
        until = entry.time if at + 1 < len(self.entries) else float("inf")
        return tuple(gap for gap in self.fold.unseen if since < gap.time <= until)

    @property
    def record(self) -> Record:
        """The hand as a record."""
        return Record.from_state(self.fold.state, [entry.event for entry in self.entries])

    @property
    def analysed(self) -> Record:
        """The record without its result, as it is analysed: how it ended follows from what happened."""
        return replace(self.record, result=None)


def hands_of(items: Sequence[Item], sittings: Sequence[SittingOpened], first: int) -> list[PlayedHand]:
    """Return the hands that were played under one agreement, as they stand if nobody claims any more.

    Args:
        items: From its `MatchStarted` on.
        sittings: When the companion was started, oldest first.
        first: Number of the first of these hands.
    """
    standing = fold(items, over=True)
    questions = list(_questions(items, standing))
    times = {item.seq: item.time for item in items if isinstance(item, Settled)}
    edits = [each for each in standing.corrections if each.told.renamed is None]
    changes = [(_time_of(each, times), each) for each in edits]
    starts = [hand.events[0].time for hand in standing.hands]
    left = _left_at(items)
    hands = []
    for place, (hand, (match, number)) in enumerate(zip(standing.hands, _numbered(standing), strict=True)):
        since = starts[place] if place else float("-inf")
        until = starts[place + 1] if place + 1 < len(starts) else left
        hands.append(
            PlayedHand(
                first + place,
                match,
                number,
                names_of(standing),
                standing.started.fair,
                hand,
                place == len(starts) - 1,
                _wall_clock(starts[place], sittings),
                standing.corrected,
                tuple(each for time, each in changes if since <= time < until),
                tuple(
                    _next_to(question, hand, time) for time, question in questions if since <= time < until
                ),
            )
        )
    return hands


def _left_at(items: Sequence[Item]) -> float:
    """When a hand was dealt that was taken along into the next match: what was asked since is told there."""
    gone = set()
    for item in reversed(items):
        if not isinstance(item, Retracted):
            break
        gone.add(item.withdraws)
    deals = (
        item.time
        for item in items
        if isinstance(item, Settled) and item.seq in gone and isinstance(item.event, Dealt)
    )
    return min(deals, default=float("inf"))


def _numbered(standing: Standing) -> Iterator[tuple[Match, int]]:
    """Yield the match in which each hand was dealt, and its number there."""
    last, number = standing.started.number, standing.started.hands
    for match in standing.dealt_in:
        number = number + 1 if match.number == last else 1
        last = match.number
        yield match, number


def _wall_clock(time: float, sittings: Sequence[SittingOpened]) -> datetime | None:
    opened = next((each for each in reversed(sittings) if each.starts <= time), None)
    if opened is None:
        return None
    return (datetime.fromisoformat(opened.at) + timedelta(seconds=time - opened.starts)).astimezone()


def _time_of(change: Correction, times: dict[int, float]) -> float:
    """When what was changed happened; times stay when entries are written anew."""
    told = change.told
    return next((times[seq] for seq in (told.old, told.new) if seq in times), told.time)


def _questions(items: Sequence[Item], standing: Standing) -> Iterator[tuple[float, Question]]:
    """Yield what was asked, with its time; asked anew because of a correction it is the same question."""
    asked = {item.seq: item for item in items if isinstance(item, Asked)}
    answered = {item.question: item for item in items if isinstance(item, Answered)}
    followed = _asked_anew(items, asked)
    open_ones = {each.seq for each in standing.questions}
    settled = [entry for hand in standing.hands for entry in hand.events]
    changed = {each.told.answers: each.seq for each in standing.corrections}
    for seq, first in asked.items():
        if seq in followed.values():
            continue
        while seq in followed:
            seq = followed[seq]
        last = asked[seq]
        if seq in answered:
            told = answered[seq]
            answer = last.options[told.option]
            mine = changed.get(seq) or _standing_for(answer, settled, last)
            yield (
                first.time,
                Question(last.text, last.options, "answered", answer, told.source, mine or last.about or 0),
            )
            continue
        seen = next(
            (
                entry
                for entry in settled
                if entry.seq >= seq and entry.confidence >= SURE and entry.event in last.options
            ),
            None,
        )
        if seq in open_ones:
            yield first.time, Question(last.text, last.options, "open", None, "", last.about or 0)
        elif seen is not None:
            yield first.time, Question(last.text, last.options, "seen", seen.event, "", seen.seq)
        else:
            yield first.time, Question(last.text, last.options, "dropped", None, "", last.about or 0)


def _asked_anew(items: Sequence[Item], asked: dict[int, Asked]) -> dict[int, int]:
    """Return which question took the place of which, where the entries around it were written anew."""
    withdrawn = {item.seq: item.withdraws for item in items if isinstance(item, Retracted)}
    anew: dict[int, int] = {}
    for first, last in {(item.first, item.last) for item in items if isinstance(item, Corrected)}:
        before = sorted(old for seq, old in withdrawn.items() if first <= seq <= last and old in asked)
        anew.update(zip(before, (seq for seq in sorted(asked) if first <= seq <= last), strict=False))
    return anew


def _standing_for(answer: Event, settled: Sequence[Settled], question: Asked) -> int | None:
    about = next((entry.seq for entry in settled if entry.seq == question.about), None)
    return about or next(
        (entry.seq for entry in settled if entry.event == answer and entry.seq > question.seq), None
    )


def _next_to(question: Question, hand: HandFold, time: float) -> Question:
    """Return the question with the number of an entry that stands in its hand."""
    if any(entry.seq == question.seq for entry in hand.events):
        return question
    before = [entry for entry in hand.events if entry.time <= time] or [hand.events[0]]
    return replace(question, seq=before[-1].seq)
