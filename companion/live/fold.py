"""The fold of the log: from what was written down to where the match stands.

Only items since the last `MatchStarted` matter; it carries over what stands from before. A
match that is won is followed by the next with the next deal. An entry counts while no other
withdraws it. The order of `seq` is the order of the hand. What a correction withdraws and writes anew
changes the past and nothing else: it answers no question and ends no waiting.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import inf

from companion.live.doubt import Doubt, is_ahead, other_ways, verdict_over
from companion.rules.breach import Breach
from companion.rules.cards import Player
from companion.rules.claim import Verdict, verify
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Dealt,
    Event,
    GivenUp,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal, legal_words
from companion.rules.match import Match, next_dealer
from companion.rules.points import Award
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import awaits_claim
from companion.store.item import Answered, Corrected, Item, MatchStarted, Pressed
from companion.table.entry import CAMERA, Asked, Retracted, Settled

__all__ = ["Correction", "HandFold", "Standing", "by_hand", "entries_of", "fold", "fold_hand"]

PATIENCE_S = 4.0
"""A word is not waited for longer than this once cards are played on; the decoder has decided by then."""
CERTAIN = Doubt()
SURE = 0.9
"""An entry less sure than this does not answer a question by itself."""
SURE_WORD = 0.98
"""The same where a word may have been missed: nobody saw that, and little speaks against it."""


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
        due: Whether whoever won the last trick may be about to claim; what it pays without is not told yet.
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
        return self.due and not (self.swept and not awaits_claim(self.state))

    @property
    def declared_with_lead(self) -> MarriageDeclared | None:
        """The marriage that the lead on the table may have been declared with; many press after they lay."""
        led = self.events[-1].event
        if not isinstance(led, CardPlayed) or not _is_lead(self.events[-1], self):
            return None
        if led.card is None or led.card.partner is None:
            return None
        event = MarriageDeclared(led.player, led.card.suit)
        before = fold_hand(self.state.rules, self.events[:-1]).state
        return event if _is_legal(before, event) else None

    def _may_be_out(self, event: Event) -> bool:
        """Whether a claim may be in its window by what is not written yet."""
        return self.doubt.ahead or event in self.sayable

    @property
    def award(self) -> Award | None:
        """What the hand pays; `None` too while an open question, or a claim that is due, may change it."""
        award = None if self.awaits_claim else self.state.award
        paid = {_paid(state) for state in self.states}
        return award if len(paid) == 1 else None


@dataclass(frozen=True, slots=True)
class Correction:
    """What somebody changed, and where that stands by now.

    Attributes:
        told: The item of the log.
        seq: Number of the entry that stands for it now; `None`: there is none (any more).
    """

    told: Corrected
    seq: int | None


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
    """

    started: MatchStarted
    match: Match
    hands: tuple[HandFold, ...]
    first_hand: int
    questions: tuple[Asked, ...]
    corrected: frozenset[int]
    pending: tuple[Pressed, ...]
    corrections: tuple[Correction, ...] = ()

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
        """Number of the current hand in its match, from 1 on; 0 before the first deal."""
        return len(self.hands) - self.first_hand

    def asked_in(self, question: int) -> HandFold | None:
        """Return the hand about which the question with this number was asked."""
        return next((hand for hand in reversed(self.hands) if hand.events[0].seq < question), None)

    def as_seen(self, sayable: frozenset[Event], *, swept: bool) -> Standing:
        """Return the same by what is not written: what may be said, and whether the table was swept once."""
        if self.hand is None:
            return self
        swept = (swept or self.hand.swept) and self.hand.due
        if (self.hand.sayable, self.hand.swept) == (sayable, swept):
            return self
        hands = (*self.hands[:-1], replace(self.hand, sayable=sayable, swept=swept))
        match, first_hand = _match(self.started, hands)
        return replace(self, hands=hands, match=match, first_hand=first_hand)

    @property
    def called(self) -> Player | None:
        """Who was said to deal the next hand, while that deal is awaited."""
        for press in reversed(self.pending):
            if isinstance(press.event, Dealt):
                return press.event.dealer
        return None

    @property
    def played(self) -> Match:
        """The match once nobody claims any more in its last hand: the next match begins after it."""
        return _match(self.started, [replace(hand, due=False) for hand in self.hands])[0]

    @property
    def last_event(self) -> Settled | None:
        """What an undo would take back; a hand that was over before the next was called stays.

        Where a marriage was said only after its lead was written, that is the marriage.
        """
        last = self.hands[-1].events[-1] if self.hands else None
        if last is not None and self.called is not None:
            by_phone = isinstance(last.event, GivenUp) and last.source != CAMERA
            return last if by_phone else None
        return self._said_late or last

    @property
    def _said_late(self) -> Settled | None:
        """The marriage before the unanswered lead, where the newest change has put it there."""
        if not self.hands or not self.corrections or len(self.hands[-1].events) < 3:
            return None
        *_, before, led = self.hands[-1].events
        change = next((each for each in reversed(self.corrections) if not each.told.undone), None)
        late = change is not None and change.told.old is None and change.seq == before.seq
        return (
            before
            if late and isinstance(before.event, MarriageDeclared) and _is_lead(led, self.hands[-1])
            else None
        )


def _is_lead(entry: Settled, hand: HandFold) -> bool:
    """Whether an entry is the lead that lies on the table."""
    return isinstance(entry.event, CardPlayed) and entry.event == hand.state.led


def entries_of(items: Iterable[Item]) -> tuple[Settled | Retracted | Asked, ...]:
    """Return what the decoder wrote among `items`."""
    return tuple(item for item in items if isinstance(item, Settled | Retracted | Asked))


def fold(items: Sequence[Item], *, over: bool = False) -> Standing:
    """Return where the match stands after `items`, of which the first is a `MatchStarted`.

    Args:
        items: What the log holds of it.
        over: Whether nobody claims any more in the last hand: it is told as it was played.
    """
    started = items[0]
    if not isinstance(started, MatchStarted):
        raise ValueError(f"a fold begins with a match, got {type(started).__name__}")
    entries = entries_of(items)
    withdrawn = {entry.withdraws for entry in entries if isinstance(entry, Retracted)}
    settled = sorted(
        (entry for entry in entries if isinstance(entry, Settled) and entry.seq not in withdrawn),
        key=lambda entry: entry.seq,
    )
    answered = {item.question for item in items if isinstance(item, Answered)}
    told = [item for item in items if isinstance(item, Corrected)]
    edits = [each for each in told if not each.undone]
    changed = {each.old for each in edits} - {None}
    answered |= {one.seq for one in entries if isinstance(one, Asked) and one.about in changed}
    asked = [
        entry
        for entry in entries
        if isinstance(entry, Asked)
        and entry.seq not in withdrawn
        and (entry.about not in withdrawn or entry.seq in answered)
    ]
    questions = tuple(one for one in asked if one.seq not in answered and not _settled_since(one, settled))
    written = [tuple(events) for events in by_hand(settled)]
    hands = tuple(
        _in_doubt(started.rules, events, _asked_in(written, at, asked, answered), questions)
        for at, events in enumerate(written)
    )
    rewritten = {seq for each in edits for seq in range(each.first, each.last + 1)}
    pending = _pending(items, rewritten)
    over |= any(isinstance(press.event, Dealt) for press in pending)
    if hands and not over and _is_due(started, hands[-1], edits):
        hands = (*hands[:-1], replace(hands[-1], due=True))
    match, first_hand = _match(started, hands)
    standing = {entry.seq for entry in settled}
    corrected, numbers = _followed(told, entries)
    return Standing(
        started,
        match,
        hands,
        first_hand,
        questions=questions,
        corrected=_corrected([entry for entry in entries if entry.seq not in rewritten]) | corrected,
        pending=pending,
        corrections=tuple(
            Correction(each, seq if seq in standing else None)
            for each, seq in zip(told, numbers, strict=True)
        ),
    )


@lru_cache(maxsize=512)
def fold_hand(rules: RuleSet, events: tuple[Settled, ...]) -> HandFold:
    """Return the hand after `events`, the first of which is its deal."""
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


def _asked_in(
    hands: Sequence[tuple[Settled, ...]], at: int, asked: Iterable[Asked], answered: Set[int]
) -> list[Asked]:
    """Return the questions that were asked about a hand.

    They stand among its entries; where an answer has written those anew, the time tells.
    """
    after = hands[at + 1][0] if at + 1 < len(hands) else None
    first = 0 if at == 0 else hands[at - 1][-1].seq + 1
    began = hands[at][0].time if at else -inf
    end, until = (inf, inf) if after is None else (after.seq, after.time)
    return [
        one for one in asked if (began <= one.time < until if one.seq in answered else first <= one.seq < end)
    ]


def _in_doubt(
    rules: RuleSet, events: tuple[Settled, ...], asked: Sequence[Asked], open_ones: Sequence[Asked]
) -> HandFold:
    """Return the hand after `events`, with what the open ones among its questions leave undecided."""
    hand = fold_hand(rules, events)
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


def _is_due(started: MatchStarted, hand: HandFold, told: Iterable[Corrected]) -> bool:
    """Whether the last trick is taken, and its winner may yet claim (clause 7.4).

    Unless somebody struck that claim out. Where fair play hides the counts, what the hand pays is kept back
    whether or not a claim would change it: that it would is what a player has to know by himself.
    """
    state = hand.state
    if not state.played_out:
        return False
    may = any(_is_legal(state, Claimed(player)) for player in state.claimants)
    if not (may and started.fair.mode != "training") and not awaits_claim(state):
        return False
    since = max(entry.time for entry in hand.events if isinstance(entry.event, CardPlayed))
    return not any(isinstance(each.was, Claimed) and each.time >= since for each in told)


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


def _match(started: MatchStarted, hands: Sequence[HandFold]) -> tuple[Match, int]:
    """Return the match after `hands`, and the index of its first; the deal after a win opens the next."""
    first = started.dealer
    if first is None:
        first = hands[0].state.dealer if hands else Player.SOUTH
    before = started.marks, started.wins, started.series
    match, first_hand = Match(started.rules, first, started.number, (), *before), 0
    for index, hand in enumerate(hands):
        if match.winner is not None:
            match, first_hand = match.following(), index
        if hand.award is not None:
            match = match.with_award(hand.award, hand.state.dealer)
        match = replace(match, next_dealer=next_dealer(hand.state))
    return match, first_hand


def by_hand(settled: Iterable[Settled]) -> list[list[Settled]]:
    """Part `settled` into hands, each from its deal on; what comes before the first deal is left out."""
    hands: list[list[Settled]] = []
    for entry in settled:
        if isinstance(entry.event, Dealt):
            hands.append([entry])
        elif hands:
            hands[-1].append(entry)
    return hands


def _settled_since(asked: Asked, settled: Iterable[Settled]) -> bool:
    """Whether a question has been answered by what was surely settled since, before the next hand.

    One about an entry is open for as long as that stands; what happened after it was asked is no answer.
    """
    if asked.about is not None:
        return False
    players = {option.player for option in asked.options if isinstance(option, CardPlayed)}
    words = any(not isinstance(option, CardPlayed | Dealt) for option in asked.options)
    enough = SURE_WORD if words else SURE
    for entry in settled:
        if entry.seq < asked.seq:
            continue
        if isinstance(entry.event, Dealt) and entry.event not in asked.options:
            return False
        if entry.time > asked.time:
            continue
        if isinstance(entry.event, CardPlayed) and asked.is_of(entry):
            return entry.event.card is not None and entry.confidence >= enough  # whatever was offered
        if isinstance(entry.event, CardPlayed) and entry.event.card is None and entry.event.player in players:
            return False  # this is what was asked about
        said = entry.source != CAMERA and not isinstance(entry.event, CardPlayed | Dealt)
        if said or entry.event not in asked.options:
            continue  # what a player said of himself does not tell what else happened
        if words or entry.confidence >= enough:
            return entry.confidence >= enough  # after a word that was offered another may come
    return False


def _pending(items: Iterable[Item], rewritten: set[int]) -> tuple[Pressed, ...]:
    """What was pressed and has not settled; a deal ends all waiting, a withdrawal the wait for a deal."""
    pending: list[Pressed] = []
    for item in items:
        if getattr(item, "seq", None) in rewritten:
            continue
        if isinstance(item, Pressed):
            pending.append(item)
        elif isinstance(item, Settled) and isinstance(item.event, Dealt):
            pending = []
        elif isinstance(item, Settled):
            settled = next((press for press in pending if press.event == item.event), None)
            if settled is not None:
                pending.remove(settled)
            pending = [press for press in pending if not _overtaken(press, item)]
        elif isinstance(item, Retracted):
            pending = [press for press in pending if not isinstance(press.event, Dealt)]
    return tuple(pending)


def _overtaken(press: Pressed, entry: Settled) -> bool:
    """Whether play has gone on past a word: what was said then is not to come true later."""
    if isinstance(press.event, Dealt) or not isinstance(entry.event, CardPlayed):
        return False
    return entry.time > press.time + PATIENCE_S


def _corrected(entries: Sequence[Settled | Retracted | Asked]) -> frozenset[int]:
    """Entries about the past, written right after withdrawals, that are not among what was withdrawn."""
    by_seq = {entry.seq: entry for entry in entries}
    corrected: set[int] = set()
    withdrawn: list[object] = []
    since = 0.0
    for entry in entries:
        if isinstance(entry, Retracted):
            old = by_seq.get(entry.withdraws)
            withdrawn.append(old.event if isinstance(old, Settled) else None)
            since = entry.time
        elif isinstance(entry, Settled) and withdrawn and entry.time <= since:
            if entry.event not in withdrawn:
                corrected.add(entry.seq)
        else:
            withdrawn = []
    return frozenset(corrected)


def _followed(
    told: Sequence[Corrected], entries: Sequence[Settled | Retracted | Asked]
) -> tuple[frozenset[int], list[int | None]]:
    """Follow what was changed through all later changes.

    Returns:
        Numbers of the entries that stand for changed events, and the number of each change's entry.
    """
    by_seq = {entry.seq: entry for entry in entries}
    settled = {entry.seq for entry in entries if isinstance(entry, Settled)}
    flagged: set[int] = set()
    numbers: list[int | None] = []
    blocks: dict[tuple[int, int], list[Corrected]] = {}
    for each in told:
        blocks.setdefault((each.first, each.last), []).append(each)
    for (first, last), changes in blocks.items():
        block = [by_seq[seq] for seq in range(first, last + 1) if seq in by_seq]
        removed = {each.old for each in changes if each.new is None}
        inserted = {each.new for each in changes if each.old is None}
        before = sorted(each.withdraws for each in block if isinstance(each, Retracted))
        after = [each.seq for each in block if isinstance(each, Settled) and each.seq not in inserted]
        kept = [seq for seq in before if seq in settled and seq not in removed]
        anew = dict(zip(kept, after, strict=False))
        gone = set(before) - set(anew)
        numbers = [None if seq is None or seq in gone else anew.get(seq, seq) for seq in numbers]
        flagged = {anew.get(seq, seq) for seq in flagged if seq not in gone}
        numbers.extend(each.new for each in changes)
        flagged.update(each.new for each in changes if each.new is not None)
    return frozenset(flagged), numbers
