"""Where the match stands: its hands, what is open, what was changed, and what all of that has paid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from companion.live.changes import Correction, LastAnswer
from companion.live.hand import HandFold
from companion.rules.cards import Player
from companion.rules.events import Dealt, Event, GivenUp, MarriageDeclared
from companion.rules.match import Match, next_dealer
from companion.rules.points import Award
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import totals
from companion.store.item import MatchStarted, Pressed
from companion.table.entry import CAMERA, Asked, Settled

__all__ = ["MOST_POINTS", "Standing", "match_after", "match_begun"]

MOST_POINTS = 3
"""The most that a hand pays (clause 7.5)."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where the match stands.

    Attributes:
        started: Rules, names and marks of the match.
        match: Game points and marks after the finished hands.
        hands: Every hand since `started`, the current one last.
        first_hand: Index into `hands` of the first hand of `match`.
        questions: Open questions, oldest first.
        corrected: Numbers of entries written in place of withdrawn ones.
        pending: What players pressed that has not settled yet.
        corrections: What was changed since `started`, oldest first.
        last_answer: What an undo takes back instead of the last event; `None`: nothing.
        idle: Unanswered questions that are not put: it was agreed what their hand paid.
    """

    started: MatchStarted
    match: Match
    hands: tuple[HandFold, ...]
    first_hand: int
    questions: tuple[Asked, ...]
    corrected: frozenset[int]
    pending: tuple[Pressed, ...]
    corrections: tuple[Correction, ...] = ()
    last_answer: LastAnswer | None = None
    idle: tuple[Asked, ...] = ()

    @property
    def unanswered(self) -> tuple[Asked, ...]:
        """All questions that nothing has answered, put or not: a change of the record moves both."""
        return tuple(sorted((*self.questions, *self.idle), key=lambda one: one.seq))

    @property
    def rules(self) -> RuleSet:
        """The house rules of the match."""
        return self.started.rules

    @property
    def hand(self) -> HandFold | None:
        """The current hand, or the last one until the next is dealt; `None` before the first deal."""
        return self.hands[-1] if self.hands else None

    @property
    def number(self) -> int:
        """Number of the current hand in its match, from 1 on; of the one before until it is dealt."""
        return len(self.hands) - self.first_hand + self.hands_before

    @property
    def hands_before(self) -> int:
        """Hands of the match before the first of `hands` in it: it went on under another agreement."""
        return self.started.hands if self.first_hand == 0 else 0

    def asked_in(self, question: int) -> HandFold | None:
        """Return the hand about which the question with this number was asked."""
        about = next((each.about for each in self.questions if each.seq == question), None)
        of_entry = (hand for hand in self.hands if any(entry.seq == about for entry in hand.events))
        earlier = (hand for hand in reversed(self.hands) if hand.events[0].seq < question)
        return next(of_entry, None) or next(earlier, None)

    def as_seen(self, sayable: frozenset[Event], *, swept: bool) -> Standing:
        """Return the same by what is not written: what may be said, and whether the table was swept once."""
        if self.hand is None:
            return self
        swept = (swept or self.hand.swept) and self.hand.due
        if (self.hand.sayable, self.hand.swept) == (sayable, swept):
            return self
        hands = (*self.hands[:-1], replace(self.hand, sayable=sayable, swept=swept))
        match, first_hand = match_after(self.started, hands)
        return replace(self, hands=hands, match=match, first_hand=first_hand)

    @property
    def called(self) -> Player | None:
        """Who was said to deal the next hand, while that deal is awaited."""
        for press in reversed(self.pending):
            if isinstance(press.event, Dealt):
                return press.event.dealer
        return None

    @property
    def next_dealer(self) -> Player | None:
        """Who deals the next hand, as was said or follows from the one before; `None`: nobody knows."""
        known = self.started.dealer is not None or bool(self.hands)
        return self.called if self.called is not None else self.match.next_dealer if known else None

    @property
    def dealt_in(self) -> tuple[Match, ...]:
        """The match in which each hand was dealt, as it stood then."""
        return tuple(before for before, _ in _course(self.started, self.hands))

    @property
    def carried(self) -> tuple[int, ...]:
        """What ties before have paid each hand's winner on top of its award (clause 8.5)."""
        if self.rules.tie != "carry_1":
            return (0,) * len(self.hands)
        return tuple(
            0 if hand.award is None or hand.award.winner is None else match.carry
            for hand, match in zip(self.hands, self.dealt_in, strict=True)
        )

    @property
    def played(self) -> Match:
        """The match once nobody claims any more in its last hand: the next match begins after it."""
        return match_after(self.started, [replace(hand, due=False) for hand in self.hands])[0]

    @property
    def outcomes(self) -> tuple[Match, Match]:
        """What `played` comes to if south, or north, wins the most in every hand that is still undecided."""
        hands = [replace(hand, due=False) for hand in self.hands]
        south, north = (match_after(self.started, hands, player)[0] for player in Player)
        return south, north

    @property
    def last_event(self) -> Settled | None:
        """What an undo would take back; a hand that was over before the next was called stays.

        Where a card was named as the answer to a question since anything settled, that is the card; where a
        marriage was said only after its lead was written, the marriage.
        """
        last = self.hands[-1].events[-1] if self.hands else None
        if last is not None and self.called is not None:
            by_phone = isinstance(last.event, GivenUp) and last.source != CAMERA
            return last if by_phone else None
        answered = None if self.last_answer is None else self.last_answer.seq
        entries = (entry for hand in self.hands for entry in hand.events if entry.seq == answered)
        return next(entries, None) or self._said_late or last

    @property
    def _said_late(self) -> Settled | None:
        """The marriage before the unanswered lead, where the newest change has put it there."""
        if not self.hands or not self.corrections or len(self.hands[-1].events) < 3:
            return None
        *_, before, led = self.hands[-1].events
        edits = (each for each in reversed(self.corrections) if not each.told.undone)
        change = next((each for each in edits if each.told.renamed is None), None)
        late = change is not None and change.told.old is None and change.seq == before.seq
        return (
            before
            if late and isinstance(before.event, MarriageDeclared) and self.hands[-1].is_lead(led)
            else None
        )


def match_after(
    started: MatchStarted, hands: Sequence[HandFold], luck: Player | None = None
) -> tuple[Match, int]:
    """Return the match after `hands`, and the index of its first; the deal after a win opens the next.

    Args:
        started: How the match began.
        hands: Every hand since.
        luck: Who is taken to win a hand that is over and not decided yet; `None`: it pays nothing.
    """
    match, first_hand = match_begun(started, hands), 0
    for index, (before, after) in enumerate(_course(started, hands, luck)):
        if before.number != match.number:
            first_hand = index
        match = after
    return match, first_hand


def match_begun(started: MatchStarted, hands: Sequence[HandFold] = ()) -> Match:
    """Return the match before any of `hands`."""
    first = started.dealer
    if first is None:
        first = hands[0].state.dealer if hands else Player.SOUTH
    return Match(
        started.rules, first, started.number, started.awards, started.marks, started.wins, started.series
    )


def _course(
    started: MatchStarted, hands: Sequence[HandFold], luck: Player | None = None
) -> Iterator[tuple[Match, Match]]:
    """Yield the match in which each hand was dealt, and the match after it."""
    match = match_begun(started, hands)
    for hand in hands:
        before = match if match.winner is None else match.following()
        award = hand.award
        if award is None and luck is not None and hand.state.over and not hand.state.given_up:
            award = Award(luck, MOST_POINTS, "claim", "7.5", totals(hand.state))
        match = before if award is None else before.with_award(award, hand.state.dealer)
        match = replace(match, next_dealer=next_dealer(hand.state))
        yield before, match
