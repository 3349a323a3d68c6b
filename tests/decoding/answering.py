"""A phone that answers every question truthfully: what the record comes to once the table has been asked.

Whoever answers saw the cards and the table, but only what a question is about: nobody corrects what
nobody asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.live.command import Answer, Correct, RefusedCommandError
from companion.live.fold import Standing
from companion.live.rewriting import about_of
from companion.live.table import LiveTable
from companion.rules.events import CardPlayed, Dealt, Event
from companion.table.entry import Asked, Settled

__all__ = ["TruthfulPhone"]

SAME_ACT_S = 2.0
"""What is written within this of when it happened is about that act."""


@dataclass(slots=True)
class TruthfulPhone:
    """Answers what is asked, some seconds after it was asked.

    Attributes:
        truth: What happened, each with its time in seconds.
        delay_s: How long it takes somebody to look at the phone.
        answered: How many questions were answered.
        refused: What the table would not take, with its reason.
    """

    truth: Sequence[tuple[float, Event]]
    delay_s: float = 4.0
    answered: int = 0
    refused: list[str] = field(default_factory=list)
    _done: set[int] = field(default_factory=set)

    def look(self, table: LiveTable, now: float) -> None:
        """Answer the oldest open question that has waited long enough and whose answer is plain."""
        standing = table.standing()
        for question in standing.questions:
            if question.seq in self._done or now - question.time < self.delay_s:
                continue
            command = self._answer(standing, question)
            if command is None:
                continue
            self._done.add(question.seq)
            try:
                table.submit(command)
            except RefusedCommandError as error:
                self.refused.append(f"{command}: {error}")
                continue
            self.answered += 1
            return

    def _answer(self, standing: Standing, question: Asked) -> Answer | Correct | None:
        entries = [entry for hand in standing.hands for entry in hand.events]
        for at, option in enumerate(question.options):
            if self._is_true(entries, question, option):
                return Answer(question.seq, at)
        seqs = {about_of(entries, question, option) for option in question.options}
        about = next((entry for entry in entries if entry.seq in seqs), None)
        if about is None or not isinstance(about.event, CardPlayed | Dealt):
            return None
        true = self._at(about)
        return None if true is None else Correct(about.seq, true)

    def _is_true(self, entries: Sequence[Settled], question: Asked, option: Event) -> bool:
        """Whether an option is what happened at the place that the question shows."""
        if isinstance(option, Dealt):
            return option == self.truth[0][1]
        seq = question.about if question.about is not None else about_of(entries, question, option)
        about = next((entry for entry in entries if entry.seq == seq), None)
        if about is not None and isinstance(about.event, Dealt):
            return False
        if about is not None:
            return any(self._same(one, option) and self._near(about, at, one) for at, one in self.truth)
        last = entries[-1].time if entries else 0.0
        return any(self._same(one, option) and last < at + SAME_ACT_S for at, one in self.truth)

    @staticmethod
    def _same(true: Event, told: Event) -> bool:
        if isinstance(true, CardPlayed) and isinstance(told, CardPlayed):
            return true.card == told.card  # whose it was is shown by the place, and follows
        return true == told

    @staticmethod
    def _near(entry: Settled, at: float, event: Event) -> bool:
        return abs(entry.time - at) < SAME_ACT_S

    def _at(self, entry: Settled) -> Event | None:
        """Return what happened where an entry tells something of the same kind."""
        if isinstance(entry.event, Dealt):
            return self.truth[0][1]
        near = [
            (abs(entry.time - at), event) for at, event in self.truth if type(event) is type(entry.event)
        ]
        away, event = min(near, key=lambda one: one[0], default=(SAME_ACT_S, entry.event))
        if away >= SAME_ACT_S or not isinstance(event, CardPlayed) or not isinstance(entry.event, CardPlayed):
            return None
        return CardPlayed(entry.event.player, event.card)
