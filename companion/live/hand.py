"""A hand of the match as its entries make it, and what questions that are open leave undecided in it.

An entry that the rules take for impossible at its place is kept and has no effect. Where a question is open,
the hand is folded once more for each answer (`companion.live.doubt`).
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from math import inf
from threading import Lock

from companion.live.doubt import Doubt, is_ahead, other_ways, verdict_over
from companion.rules.breach import Breach
from companion.rules.cards import Player
from companion.rules.claim import Verdict, verify
from companion.rules.events import Agreed, CardPlayed, Claimed, Dealt, Event, MarriageDeclared, RevokeCalled
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal, legal_words
from companion.rules.points import Award
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import claims_awaited
from companion.store.item import MatchStarted
from companion.table.entry import AT_ONCE_S, CAMERA, Asked, Settled, Unseen

__all__ = ["HandFold", "by_hand", "fold_hand", "fold_hands", "in_doubt", "is_due"]

CERTAIN = Doubt()
BESIDES = 512
"""Hands that may have been otherwise, and are kept for a while."""


@dataclass(frozen=True, slots=True)
class HandFold:
    """One hand of the match.

    Attributes:
        events: Its entries that count, first the deal.
        state: The hand after them.
        claimant: Who ended it by a claim.
        verdict: The judgement of that claim.
        unfit: Numbers of entries that the rules take for impossible at their place; they have no
            effect on `state`, and are shown as doubtful.
        doubt: What open questions leave undecided; `verdict` is one that stands whatever is answered.
        sayable: Claims that may be made, and revokes called, by what the camera may have seen since, and
            is not written yet.
        due: Whether after the last trick a claim may be about to come; what it pays without is not told yet.
        unseen: When nobody saw the table while it was played, and nobody has said that nothing is missing.
        vouched: The other times when nobody saw the table.
        swept: Whether the table was swept since; a claim that is still due by then is told by the camera.
    """

    events: tuple[Settled, ...]
    state: HandState
    claimant: Player | None = None
    verdict: Verdict | None = None
    unfit: tuple[int, ...] = ()
    doubt: Doubt = CERTAIN
    sayable: frozenset[Event] = field(default=frozenset(), compare=False)
    due: bool = False
    swept: bool = False
    unseen: tuple[Unseen, ...] = ()
    vouched: tuple[Unseen, ...] = ()

    @property
    def states(self) -> tuple[HandState, ...]:
        """The hand as it is written, and as answers to open questions may have it."""
        return (self.state, *self.doubt.otherwise)

    def breach(self, event: Event) -> Breach | None:
        """Return the rule that `event` would break now; `None` too where an answer may allow it.

        What is asked about or seen and not written yet may have put whoever claims on lead, or prove
        a revoke.

        Raises:
            ImpossibleEvent: It cannot happen, as the hand is written.
        """
        told = check(self.state, event)
        if told is None or (told is Breach.CLAIM_OUT_OF_WINDOW and self._may_be_out(event)):
            return None
        if told is Breach.CALLED_WITHOUT_REVOKE and event in self.sayable:
            return None
        return None if any(_is_legal(state, event) for state in self.doubt.otherwise) else told

    def with_unseen(self, gaps: Iterable[Unseen], vouched: Set[int]) -> HandFold:
        """Return the same with those of the times for which nobody looked that it was played in.

        Args:
            gaps: All that were written down.
            vouched: Numbers of those of which somebody has said that nothing is missing.
        """
        if self.state.agreed:
            return self  # whatever is missing, what the hand paid is known
        begun, ended = self.events[0].time - AT_ONCE_S, self.events[-1].time if self.state.over else inf
        mine = [gap for gap in gaps if gap.time > begun and gap.began < ended]
        return replace(
            self,
            unseen=tuple(gap for gap in mine if gap.seq not in vouched),
            vouched=tuple(gap for gap in mine if gap.seq in vouched),
        )

    @property
    def noted(self) -> bool:
        """Whether nobody saw anything of it, and all that is known is what the players say it paid."""
        dealt, *rest = self.events
        return dealt.source != CAMERA and [type(entry.event) for entry in rest] == [Agreed]

    @property
    def words(self) -> tuple[Event, ...]:
        """What may be said next, also as answers to open questions may have it."""
        legal = dict.fromkeys(event for state in self.states for event in legal_words(state))
        claims = [Claimed(player) for player in Player if not self.state.over]
        legal |= dict.fromkeys(
            event for event in claims if self._may_be_out(event) and self.breach(event) is None
        )
        calls = [] if self.state.over else [RevokeCalled(player) for player in Player]
        legal |= dict.fromkeys(event for event in calls if event in self.sayable)
        declared = self.declared_with_lead
        said = tuple(legal if declared is None else legal | {declared: None})
        given_up = self.due and not self.awaits_claim
        return tuple(each for each in said if not isinstance(each, Claimed)) if given_up else said

    @property
    def awaits_claim(self) -> bool:
        """Whether what the hand pays is kept back for a claim; once swept, for one that pays otherwise."""
        return self.due and not (self.swept and not claims_awaited(self.state))

    @property
    def declared_with_lead(self) -> MarriageDeclared | None:
        """The marriage that the lead on the table may have been declared with; many press after they lay."""
        led = self.events[-1].event
        if not isinstance(led, CardPlayed) or not self.is_lead(self.events[-1]):
            return None
        if led.card is None or led.card.partner is None:
            return None
        event = MarriageDeclared(led.player, led.card.suit)
        before = fold_hand(self.state.rules, self.events[:-1]).state
        return event if _is_legal(before, event) else None

    def is_lead(self, entry: Settled) -> bool:
        """Whether one of its entries is the lead that lies on the table."""
        return isinstance(entry.event, CardPlayed) and entry.event == self.state.led

    def _may_be_out(self, event: Event) -> bool:
        """Whether a claim may be in its window by what is not written yet."""
        return self.doubt.ahead or event in self.sayable

    @property
    def award(self) -> Award | None:
        """What the hand pays; `None` too while an open question, or a claim that is due, may change it."""
        award = None if self.awaits_claim else self.state.award
        paid = {_paid(state) for state in self.states}
        return award if len(paid) == 1 else None


class _Folded:
    """Hands as they were folded last: all those of a match, and what may have been in some of them besides.

    A match goes on for weeks where nobody begins another. A place less than it has hands, and every one of
    them would be folded anew with each event.
    """

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple[RuleSet, tuple[Settled, ...]], HandFold] = OrderedDict()
        self._most = BESIDES
        self._lock = Lock()

    def room_for(self, hands: int) -> None:
        """There are so many hands, or more, that are asked for again and again."""
        self._most = max(self._most, hands + BESIDES)

    def of(self, rules: RuleSet, events: tuple[Settled, ...]) -> HandFold:
        """Return a hand, as it was folded before if it was lately."""
        key = rules, events
        with self._lock:
            found = self._kept.get(key)
            if found is not None:
                self._kept.move_to_end(key)
                return found
        folded = _fold_anew(rules, events)
        with self._lock:
            self._kept[key] = folded
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return folded


_folded = _Folded()


def fold_hand(rules: RuleSet, events: tuple[Settled, ...]) -> HandFold:
    """Return the hand after `events`, the first of which is its deal."""
    return _folded.of(rules, events)


def fold_hands(rules: RuleSet, hands: Sequence[tuple[Settled, ...]]) -> tuple[HandFold, ...]:
    """Return all hands of a match, by the entries of each."""
    _folded.room_for(len(hands))
    return tuple(fold_hand(rules, events) for events in hands)


def _fold_anew(rules: RuleSet, events: tuple[Settled, ...]) -> HandFold:
    dealt = events[0].event
    if not isinstance(dealt, Dealt):
        raise ValueError(f"a hand begins with a deal, got {dealt}")
    state = deal(rules, dealt.dealer, dealt.turned_up)
    claimant, verdict, unfit = None, None, []
    for entry in events[1:]:
        try:
            if isinstance(entry.event, Claimed) and check(state, entry.event) is None:
                claimant, verdict = entry.event.player, verify(state, entry.event.player)
            state = apply(state, entry.event)
            if claimant is None and state.claimed_by is not None:  # ended by arithmetic
                claimant, verdict = state.claimed_by, verify(state, state.claimed_by)
        except ImpossibleEvent:
            unfit.append(entry.seq)
    return HandFold(events, state, claimant, verdict, tuple(unfit))


def by_hand(settled: Iterable[Settled]) -> list[list[Settled]]:
    """Part `settled` into hands, each from its deal on; what comes before the first deal is left out."""
    hands: list[list[Settled]] = []
    for entry in settled:
        if isinstance(entry.event, Dealt):
            hands.append([entry])
        elif hands:
            hands[-1].append(entry)
    return hands


def in_doubt(hand: HandFold, asked: Sequence[Asked], open_ones: Sequence[Asked]) -> HandFold:
    """Return a hand with what the open ones among its questions leave undecided."""
    rules, events = hand.state.rules, hand.events
    if hand.state.agreed:
        return hand
    mine = [one for one in asked if one in open_ones]
    if not mine:
        return replace(hand, doubt=Doubt(len(asked))) if asked else hand

    def ways(questions: Sequence[Asked]) -> list[HandFold]:
        folded = [fold_hand(rules, way) for way in other_ways(rules, events, questions)]
        return [way for way in folded if len(way.unfit) <= len(hand.unfit)]

    others = ways(mine)
    verdict = hand.verdict and verdict_over(hand.verdict, [way.verdict for way in others])
    decisive = [one.seq for one in mine if any(_decides(hand, way) for way in ways([one]))]
    unnamed = verdict is not None and verdict.award is None and not decisive
    depends_on = tuple(one.seq for one in mine) if unnamed else tuple(decisive)
    doubt = Doubt(
        len(asked),
        tuple(one.seq for one in mine),
        tuple(way.state for way in others),
        depends_on,
        ahead=any(is_ahead(events, one) for one in mine),
    )
    return replace(hand, verdict=verdict, doubt=doubt)


def is_due(started: MatchStarted, hand: HandFold, struck: Iterable[float]) -> bool:
    """Whether the last trick is taken, and who is out may yet claim (clause 7.4).

    Unless somebody struck that claim out; `struck` says when such claims had been made, in seconds. Where
    fair play hides the counts, what the hand pays is kept back whether or not a claim would change it: that
    it would is what a player has to know by himself.
    """
    state = hand.state
    if state.agreed or not state.played_out:
        return False
    may = any(_is_legal(state, Claimed(player)) for player in state.claimants)
    if not (may and started.fair.mode != "training") and not claims_awaited(state):
        return False
    since = max(entry.time for entry in hand.events if isinstance(entry.event, CardPlayed))
    return not any(time >= since for time in struck)


def _is_legal(state: HandState, event: Event) -> bool:
    try:
        return check(state, event) is None
    except ImpossibleEvent:
        return False


def _decides(hand: HandFold, way: HandFold) -> bool:
    """Whether a claim, or what a hand pays, would be another thing the other way."""
    one, other = hand.verdict, way.verdict
    judged = None if one is None else one.outcome, None if other is None else other.outcome
    return judged[0] is not judged[1] or _paid(hand.state) != _paid(way.state)


def _paid(state: HandState) -> tuple[Player | None, int] | None:
    return None if state.award is None else (state.award.winner, state.award.game_points)
