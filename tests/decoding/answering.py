"""A phone that answers every question truthfully: what the record comes to once the table has been asked.

Whoever answers saw the cards and the table, but only what a question is about: nobody corrects what
nobody asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from companion.live.command import Answer, Correct, RefusedCommandError
from companion.live.rewriting import about_any, lead_before
from companion.live.standing import Standing
from companion.live.table import LiveTable
from companion.rules.cards import Card
from companion.rules.events import CardPlayed, Dealt, Event
from companion.table.entry import Asked, Settled

__all__ = ["TruthfulPhone"]

SAME_ACT_S = 1.2
"""What a question shows within this of when it happened is that act."""

BEFORE_SIGHT_S = 4.5
"""So long before it came into sight it may have happened, where nobody could see the table for a while."""


@dataclass(slots=True)
class TruthfulPhone:
    """Answers what is asked, some seconds after it was asked.

    Attributes:
        truth: What happened, each with its time in seconds.
        delay_s: How long it takes somebody to look at the phone.
        answered: How many questions were answered.
        refused: What the table would not take, with its reason.
        asked: The questions that it was shown, those about the same act as one.
    """

    truth: Sequence[tuple[float, Event]]
    delay_s: float = 4.0
    answered: int = 0
    refused: list[str] = field(default_factory=list)
    asked: set[tuple[str, object]] = field(default_factory=set)
    _done: set[int] = field(default_factory=set)

    def look(self, table: LiveTable, now: float) -> None:
        """Answer the oldest open question that has waited long enough and whose answer is plain."""
        standing = table.standing()
        for one in standing.questions:
            self.asked.add((one.text, one.options if one.shows is None else one.shows))
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
        hand = standing.asked_in(question.seq)
        to = None if hand is None or question.shows is not None else lead_before(hand.events, question)
        if to is not None:
            return self._answer_to(entries, question, to)
        # two cards may have come into sight at one moment: then it counts whose they are, and what is told
        about = about_any(entries, question)
        told = {entry.event for entry in entries if entry.seq != about}
        plain = [
            option for option in question.options if option not in told and self._happened(question, option)
        ]
        looks = [option for option in question.options if self._is_true(entries, question, option)]
        if plain or looks:
            order = [event for _, event in self.truth]
            first = min(plain or looks, key=lambda one: order.index(one) if one in order else len(order))
            return Answer(question.seq, question.options.index(first))
        entry = next((entry for entry in entries if entry.seq == about), None)
        if entry is None or not isinstance(entry.event, CardPlayed | Dealt):
            return None
        if isinstance(entry.event, Dealt):
            return Correct(entry.seq, self.truth[0][1])
        player = entry.event.player
        if question.shows is None:  # nobody saw it lie; who played remembers
            unseen = self._unseen(entries, entry.seq)
            return None if unseen is None else Correct(entry.seq, CardPlayed(player, unseen.card))
        plays = [(at - question.shows, one) for at, one in self.truth if isinstance(one, CardPlayed)]
        own = [one for away, one in plays if one.player is player and -BEFORE_SIGHT_S < away < SAME_ACT_S]
        if own:  # the page asks by name
            return Correct(entry.seq, own[-1])
        away, near = min(plays, key=lambda each: abs(each[0]))
        return Correct(entry.seq, CardPlayed(player, near.card)) if abs(away) < SAME_ACT_S else None

    def _answer_to(self, entries: Sequence[Settled], question: Asked, to: Card) -> Answer | Correct | None:
        """What somebody says who is asked what was played to `to`, and nothing shows it."""
        plays = [event for _, event in self.truth if isinstance(event, CardPlayed)]
        after = {lead.card: answer for lead, answer in zip(plays[::2], plays[1::2], strict=False)}.get(to)
        if after in question.options:
            return Answer(question.seq, question.options.index(after))
        about = about_any(entries, question)
        return None if about is None or after is None else Correct(about, after)

    def _happened(self, question: Asked, option: Event) -> bool:
        shows = question.time if question.shows is None else question.shows
        later = SAME_ACT_S if question.text == "which_card" and question.shows is not None else BEFORE_SIGHT_S
        return any(event == option and -BEFORE_SIGHT_S < at - shows < later for at, event in self.truth)

    def _unseen(self, entries: Sequence[Settled], seq: int) -> CardPlayed | None:
        """Return the play at the place of the entry `seq`, if nothing was missed before it."""
        place = next(at for at, entry in enumerate(entries) if entry.seq == seq)
        event = self.truth[place][1] if place < len(self.truth) else None
        return event if isinstance(event, CardPlayed) else None

    def _is_true(self, entries: Sequence[Settled], question: Asked, option: Event) -> bool:
        """Whether an option is what happened at the place that the question shows."""
        if isinstance(option, Dealt):
            return option == self.truth[0][1]
        if question.shows is None:
            told = {entry.event for entry in entries}
            unseen = [event for _, event in self.truth if event not in told]
            about = next((entry.seq for entry in entries if entry.seq == question.about), None)
            there = None if about is None else self._unseen(entries, about)
            return option == there if there in unseen else option in unseen
        near = [event for at, event in self.truth if abs(at - question.shows) < SAME_ACT_S]
        if isinstance(option, CardPlayed):  # whose it was is shown by the place, and follows
            return any(isinstance(one, CardPlayed) and one.card == option.card for one in near)
        return option in near
