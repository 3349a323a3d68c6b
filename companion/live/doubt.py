"""What open questions leave undecided: a hand is also told as the answers may have it.

While a question is open, no count, no award and no verdict is given as certain that an answer could
change: the hand is folded once more for each way in which it may have gone, and what differs is shown
as a range, or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import product

from companion.rules.cards import Player
from companion.rules.claim import Outcome, Verdict
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, Exchanged
from companion.rules.hand import HandState
from companion.rules.points import PointRange
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import Count, count
from companion.table.entry import CAMERA, Asked, Settled, played_elsewhere

__all__ = ["Checked", "Doubt", "count_over", "is_ahead", "is_either", "other_ways", "verdict_over"]

MOST_IN_DOUBT = 4
"""Questions of a hand that are taken together; the oldest ones, should there ever be more."""
Ways = tuple[tuple[Settled, ...], ...]


class Checked(Enum):
    """How sure a hand is."""

    VERIFIED = "verified"
    """Nothing had to be asked."""
    ANSWERED = "answered"
    """All that was asked has been answered, by somebody or by what was seen later."""
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Doubt:
    """What open questions leave undecided in a hand.

    Attributes:
        asked: How many questions were asked about the hand.
        open: Numbers of those that are open, oldest first.
        otherwise: The hand as answers may have it, besides as it is written.
        depends_on: Those of `open` on which the claim, or what the hand pays, depends.
        ahead: Whether one of `open` is about something that is not written yet.
    """

    asked: int = 0
    open: tuple[int, ...] = ()
    otherwise: tuple[HandState, ...] = ()
    depends_on: tuple[int, ...] = ()
    ahead: bool = False

    @property
    def checked(self) -> Checked:
        """How sure the hand is."""
        if not self.asked:
            return Checked.VERIFIED
        return Checked.OPEN if self.open else Checked.ANSWERED


def other_ways(rules: RuleSet, events: tuple[Settled, ...], questions: Iterable[Asked]) -> Ways:
    """Return the entries of a hand as answers to open questions may have them, besides as they stand.

    A card in doubt is one that nobody has named: none of the answers offered need be the right one.
    Where one of them names a card that another play is said to have been, that play is in doubt as well.
    What is no play may be as offered, come after that, or not have been; what a player said has been.
    """
    choices: list[list[Mapping[int, tuple[Settled, ...]]]] = []
    for question in list(questions)[:MOST_IN_DOUBT]:
        at = _about(events, question)
        if at is not None:
            seq = events[at].seq
            instead = [{seq: each} for each in _instead(events[at], question.options)]
            ended = _ended_with(events, at, question.options)
            choices.append([{}, *instead, *ended, *_told_twice(rules, events, at, question.options)])
    told: list[tuple[Settled, ...]] = []
    for choice in product(*choices):
        chosen = {seq: instead for one in choice for seq, instead in one.items()}
        way = tuple(one for entry in events for one in chosen.get(entry.seq, (entry,)))
        if way != events and way not in told:
            told.append(way)
    return tuple(told)


def is_either(one: Event, other: Event) -> bool:
    """Whether only one of two announcements can have been: the turn-up was taken, or it was turned down."""
    return isinstance(one, Closed | Exchanged) and isinstance(other, Closed | Exchanged)


def is_ahead(events: Sequence[Settled], question: Asked) -> bool:
    """Whether a question is about something that follows `events`, which are the hand as it is written."""
    return question.about is None and _about(events, question) is None and question.seq > events[-1].seq


def _about(events: Sequence[Settled], question: Asked) -> int | None:
    """Position of the entry that a question is about; it may have been asked before that was written."""
    for at, entry in enumerate(events):
        if question.about == entry.seq:
            return at
        later = question.about is None and entry.seq > question.seq
        if later and (entry.event in question.options or question.is_of(entry)):
            return at
    return None


def _instead(entry: Settled, options: Sequence[Event]) -> list[tuple[Settled, ...]]:
    """What may stand in place of an entry."""
    match entry.event:
        case Dealt():
            return [
                (replace(entry, event=one),)
                for one in options
                if isinstance(one, Dealt) and one != entry.event
            ]
        case CardPlayed(player):
            unnamed = replace(entry, event=CardPlayed(player, None))
            said = [one for one in options if not isinstance(one, CardPlayed | Dealt)]
            words: list[Event] = [one for one in said if not isinstance(one, Claimed)]
            others = [one for one in options if isinstance(one, CardPlayed) and one != entry.event]
            plays = [(unnamed,)] if others or not said else []
            return plays + [(replace(entry, event=word), entry) for word in words]
        case _:
            words = [one for one in options if not isinstance(one, CardPlayed | Dealt) and one != entry.event]
            gone: list[tuple[Settled, ...]] = [()] if entry.source == CAMERA else []
            return gone + [
                (replace(entry, event=word),)
                if is_either(word, entry.event)
                else (replace(entry, event=word), entry)
                for word in words
            ]


def _ended_with(
    events: Sequence[Settled], at: int, options: Sequence[Event]
) -> Iterator[Mapping[int, tuple[Settled, ...]]]:
    """A lead was no lead: its player had claimed, and all cards after that were thrown in."""
    if isinstance(events[at].event, CardPlayed):
        thrown_in: dict[int, tuple[Settled, ...]] = {entry.seq: () for entry in events[at + 1 :]}
        for claim in (one for one in options if isinstance(one, Claimed)):
            yield {events[at].seq: (replace(events[at], event=claim),), **thrown_in}


def _told_twice(
    rules: RuleSet, events: Sequence[Settled], at: int, options: Sequence[Event]
) -> Iterator[Mapping[int, tuple[Settled, ...]]]:
    """A play is the card that another was said to be, or the turn-up, and that one nobody has named then.

    Or the turn-up is the card that a play was said to be.
    """
    dealt = events[0]
    for option in options:
        turned_up = option.turned_up if isinstance(option, Dealt) else None
        card = option.card if isinstance(option, CardPlayed) else turned_up
        if card is None:
            continue
        told = {events[at].seq: (replace(events[at], event=option),)}
        lies = isinstance(dealt.event, Dealt) and at > 0 and dealt.event.turned_up == card
        if isinstance(dealt.event, Dealt) and lies and _under_stock(rules, events[:at]):
            unknown = replace(dealt, event=Dealt(dealt.event.dealer, None))
            yield {**told, dealt.seq: (unknown,)}
        other = played_elsewhere(events, card, events[at])
        if other is None or (isinstance(option, Dealt) and _in_hand(rules, events[: events.index(other)])):
            continue
        if isinstance(other.event, CardPlayed):
            unnamed = replace(other, event=CardPlayed(other.event.player, None))
            yield {**told, other.seq: (unnamed,)}


def _under_stock(rules: RuleSet, events: Sequence[Settled]) -> bool:
    """Whether the card that the camera saw turned up has not come into a hand, and so cannot be played."""
    return events[0].source == CAMERA and not _in_hand(rules, events)


def _in_hand(rules: RuleSet, events: Sequence[Settled]) -> bool:
    """Whether the turn-up has been taken for another card, or drawn."""
    kinds = [type(entry.event) for entry in events]
    drawn = Closed not in kinds and kinds.count(CardPlayed) // 2 >= rules.stock_size // 2
    return Exchanged in kinds or drawn


def count_over(states: Sequence[HandState], player: Player) -> Count:
    """Return what a player has if it may be any of `states`; the working is that of the lowest total."""
    counts = [count(state, player) for state in states]
    lowest = min(counts, key=lambda one: one.total.low)
    return Count(
        _span(one.cards for one in counts),
        _span(one.marriages for one in counts),
        _span(one.pending for one in counts),
        _span(one.bonus for one in counts),
        _span(one.total for one in counts),
        lowest.working,
    )


def verdict_over(verdict: Verdict, others: Sequence[Verdict | None]) -> Verdict:
    """Return the judgement of a claim that stands whichever of the verdicts it would be."""
    told = [other for other in others if other is not None]
    every = [verdict, *told]
    outcomes = {one.outcome for one in every}
    decided = len(outcomes) == 1 and len(told) == len(others)
    pays = {None if one.award is None else (one.award.winner, one.award.game_points) for one in every}
    lowest = min(every, key=lambda one: one.points.low)
    return Verdict(
        verdict.outcome if decided else Outcome.OPEN,
        _span(one.points for one in every),
        lowest.working,
        verdict.award if decided and len(pays) == 1 else None,
        next((one.clause for one in every if one.outcome is Outcome.OPEN), verdict.clause),
    )


def _span(ranges: Iterable[PointRange]) -> PointRange:
    every = list(ranges)
    return PointRange(min(one.low for one in every), max(one.high for one in every))
