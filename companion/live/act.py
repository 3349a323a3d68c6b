"""What a command comes to where the match stands: words for the decoder, items for the log.

Only here is decided whether a command can be done; the rules are asked, not repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import assert_never

from companion.live.alternatives import alternatives
from companion.live.command import (
    Answer,
    CallRevoke,
    Claim,
    Close,
    Correct,
    Declare,
    Deed,
    Edit,
    Exchange,
    Insert,
    Knock,
    NewHand,
    NewMatch,
    RefusedCommandError,
    Rename,
    ShowHand,
    Swap,
    Undo,
    Vouch,
    Word,
)
from companion.live.correction import laid_open, revised
from companion.live.doubt import is_either
from companion.live.hand import HandFold, fold_hand
from companion.live.naming import names_of, renamed
from companion.live.pressed import is_waited_for
from companion.live.rewriting import Line, about_of, rewritten
from companion.live.standing import Standing
from companion.rules.breach import Breach
from companion.rules.cards import Player
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Conceded,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import ImpossibleEvent
from companion.rules.match import Match
from companion.rules.ruleset import RuleSet
from companion.store.item import Answered, Corrected, Item, MatchStarted, Vouched
from companion.table.entry import CAMERA, MOST_OPTIONS, Asked, Entry, Retracted, Settled, phone_of

__all__ = ["REFEREE", "Act", "act_of", "undone"]

JUST_DEALT_S = 8.0
"""A hand that was dealt so short a time ago, and nothing else, is the one that somebody calls."""
REFEREE = "phone:referee"
"""Who presses for both, as entries name it."""


@dataclass(frozen=True, slots=True)
class Act:
    """What is to be done.

    Attributes:
        source: Who presses, as entries name it.
        told: Events that the decoder is told.
        withdraws: Number of the last event, where the decoder is to withdraw it.
        items: What is written down beforehand, without the decoder.
        renew: Whether the decoder starts anew from the log afterwards.
        revises: Whether `items` change what the decoder has settled.
    """

    source: str
    told: tuple[Event, ...] = ()
    withdraws: int | None = None
    items: tuple[Item, ...] = ()
    renew: bool = False
    revises: bool = False


@dataclass(frozen=True, slots=True)
class _Deal:
    """A deal and its number."""

    seq: int
    event: Dealt


def act_of(
    command: Deed,
    standing: Standing,
    *,
    now: float,
    today: str,
    next_seq: int,
    source: str = REFEREE,
) -> Act:
    """Return what `command` comes to.

    Args:
        command: What a phone asks.
        standing: Where the match stands.
        now: Seconds on the log's clock.
        today: Date and time of the wall clock, ISO 8601.
        next_seq: Number of the next entry.
        source: Who presses; a word of the game is its player's, whoever presses it.

    Raises:
        RefusedCommandError: It cannot be done; the message says why.
    """
    match command:
        case Claim(player) if (claim := _claimed_unheard(standing, player)) is not None:
            about = [each.seq for each in standing.questions if each.about == claim.seq]
            answers = tuple(Answered(now, seq, 0, source) for seq in about)
            return Act(phone_of(player), items=answers)
        case Declare() if (lead := _lead_of(standing, command)) is not None:
            whose, insert = phone_of(command.player), Insert(lead, _said(command))
            return _edited(standing, insert, now=now, today=today, next_seq=next_seq, source=whose)
        case Claim() | Declare() | Close() | Exchange() | Knock() | CallRevoke() | ShowHand():
            return _word(standing, command, now)
        case Undo(seq):
            last = standing.last_event
            if last is None:
                raise RefusedCommandError("no_hand", "nothing has happened yet")
            if last.seq != seq:
                raise RefusedCommandError(
                    "too_late", f"the last event is number {last.seq} by now, not {seq}"
                )
            if standing.hand is not None and last != standing.hand.events[-1]:
                strike = Correct(seq, None)
                return _edited(standing, strike, now=now, today=today, next_seq=next_seq, source=source)
            return Act(source, withdraws=seq)
        case NewHand():
            dealt = _just_dealt(standing, now)
            if dealt is None:
                return _new_hand(standing, command, source)
            if command.dealer in (None, dealt.event.dealer):
                return Act(source)
            other = Correct(dealt.seq, replace(dealt.event, dealer=command.dealer))
            return _edited(standing, other, now=now, today=today, next_seq=next_seq, source=source)
        case NewMatch():
            return _new_match(standing, command, now=now, today=today, next_seq=next_seq, source=source)
        case Rename(player, name):
            items = renamed(standing, player, name, now=now, today=today, next_seq=next_seq, source=source)
            return Act(source, items=items)
        case Answer(seq, option):
            return _answer(standing, seq, option, now=now, today=today, next_seq=next_seq, source=source)
        case Vouch(seq):
            return _vouched(standing, seq, now=now, source=source)
        case Insert(after, event) if _stands_there(standing, after, event):
            return Act(source)  # pressed twice, or on two phones
        case Correct() | Insert() | Swap():
            return _edited(standing, command, now=now, today=today, next_seq=next_seq, source=source)
        case _:
            assert_never(command)


def undone(
    standing: Standing, withdrawn: Sequence[Entry], *, now: float, today: str, source: str
) -> tuple[Corrected, ...]:
    """Return what tells that the last event of a hand was taken back, written before what withdraws it.

    A deal and a hand that was given up are no events of a hand that is changed.
    """
    last = standing.last_event
    seqs = [entry.seq for entry in withdrawn]
    if last is None or not seqs or isinstance(last.event, Dealt | GivenUp):
        return ()
    told = Corrected(today, now, source, min(seqs), max(seqs), last.seq, None, last.event, None, undone=True)
    return (told,)


def _claimed_unheard(standing: Standing, player: Player) -> Settled | None:
    """Return the claim of a player that the swept table told: whoever presses it now only confirms it."""
    last = standing.last_event
    told = last is not None and last.event == Claimed(player) and last.source == CAMERA
    return last if told and standing.called is None else None


def _lead_of(standing: Standing, word: Declare) -> int | None:
    """Return the number of the entry before the lead that was laid with what is declared only now."""
    hand = standing.hand
    if hand is None or standing.called is not None or hand.declared_with_lead != _said(word):
        return None
    return hand.events[-2].seq


def _said(word: Word) -> Event:
    """Return what a word means in the hand."""
    match word:
        case Claim(player):
            return Claimed(player)
        case Declare(player, suit):
            return MarriageDeclared(player, suit)
        case Close(player, before_draw):
            return Closed(player, before_draw)
        case Exchange(player):
            return Exchanged(player)
        case Knock(player):
            return Knocked(player)
        case CallRevoke(player):
            return RevokeCalled(player)
        case ShowHand(player, cards):
            return HandShown(player, cards)


def _word(standing: Standing, word: Word, now: float) -> Act:
    event = _said(word)
    if standing.hand is None:
        raise RefusedCommandError("no_hand", "no hand has been dealt")
    if standing.called is not None:
        raise RefusedCommandError("too_late", "the next hand has been called")
    if event in _just_said(standing.hand) or is_waited_for(standing.pending, event, now):
        return Act(phone_of(word.player))  # the camera, or another phone, was quicker
    try:
        breach = standing.hand.breach(event)
    except ImpossibleEvent as error:
        late = standing.hand.state.over
        raise RefusedCommandError("too_late" if late else "impossible", str(error)) from error
    # what cards prove is no fault of showing them
    if breach is not None and not isinstance(event, HandShown):
        raise _against(breach)
    return Act(phone_of(word.player), told=(event,))


def _just_said(hand: HandFold) -> Iterator[Event]:
    """Yield the words since the last card, but for a lead that is not answered yet."""
    for entry in reversed(hand.events):
        if isinstance(entry.event, CardPlayed | Dealt):
            if not hand.is_lead(entry):
                return
        elif entry.seq not in hand.unfit:
            yield entry.event


def _against(breach: Breach) -> RefusedCommandError:
    text = f"not now: {breach.name.lower()} (rule {breach.value})"
    return RefusedCommandError("against_rules", text, breach.value)


def _edited(
    standing: Standing,
    edit: Edit,
    *,
    now: float,
    today: str,
    next_seq: int,
    source: str,
    answers: int | None = None,
) -> Act:
    """Return a change of the record, and what is asked because of it; arguments as of `revised`."""
    revision = revised(
        standing, edit, now=now, today=today, next_seq=next_seq, source=source, answers=answers
    )
    asked = _asked_in_turn(standing, edit, revision.items, now)
    return Act(source, items=(*revision.items, *asked), revises=True)


def _stands_there(standing: Standing, after: int, event: Event) -> bool:
    """Whether the word that is said to be missing right after an entry is the next entry."""
    if isinstance(event, CardPlayed):
        return False  # who took a trick with a card that nobody read leads the next
    events = [entry for hand in standing.hands for entry in hand.events]
    place = next((place for place, entry in enumerate(events, 1) if entry.seq == after), len(events))
    return place < len(events) and events[place].event == event


def _just_dealt(standing: Standing, now: float) -> _Deal | None:
    """Return the deal that is meant, where the camera has recognised it right before it was called."""
    hand = standing.hand
    if hand is None or standing.called is not None or len(hand.events) > 1:
        return None
    (entry,) = hand.events
    if not isinstance(entry.event, Dealt) or now - entry.time > JUST_DEALT_S:
        return None
    return _Deal(entry.seq, entry.event)


def _new_hand(standing: Standing, command: NewHand, source: str) -> Act:
    told: list[Event] = []
    if standing.hand is not None and not standing.hand.state.over:
        if standing.called is None and command.hand not in (None, standing.number):
            raise RefusedCommandError("too_late", f"hand {standing.number} is played by now")
        told.append(GivenUp())
    deals = standing.match.next_dealer if command.dealer is None else command.dealer
    return Act(source, told=(*told, Dealt(deals, None)))


def _new_match(
    standing: Standing, command: NewMatch, *, now: float, today: str, next_seq: int, source: str
) -> Act:
    """Begin a match; a hand that is being played goes on in it, with what is asked about it and was pressed.

    Names and rules are often agreed on when the cards lie there already. A hand that the new rules judge
    otherwise ends with the old match, and so does one of which devices would be shown more, or less.

    Raises:
        RefusedCommandError: What is still undecided may have won the old match, and would be lost with it.
    """
    stays = _carried(standing.played)
    if not command.clear_marks and any(_carried(match) != stays for match in standing.outcomes):
        raise RefusedCommandError(
            "undecided", f"a hand that is not decided yet may decide match {standing.played.number}"
        )
    hand = standing.hand if _goes_on(standing, command) else None
    begun = _match(standing, command, today, begun=standing.number - (hand is not None) > 0)
    if hand is None:
        return Act(source, items=(begun,), renew=True)
    lines = [Line(entry, entry) for entry in hand.events]
    moved = rewritten(
        lines, standing.questions, now=now, today=today, first=next_seq, source=source, answers=None
    ).items
    gone = tuple(item for item in moved if isinstance(item, Retracted))
    again = tuple(item for item in moved if not isinstance(item, Retracted))
    last = max((item.seq for item in moved if isinstance(item, Entry)), default=next_seq - 1)
    gaps = tuple(replace(gap, seq=last + place) for place, gap in enumerate(hand.unseen, 1))
    return Act(source, items=(*gone, begun, *again, *gaps, *standing.pending), renew=True)


def _goes_on(standing: Standing, command: NewMatch) -> bool:
    """Whether the hand that is being played may go on in a new match."""
    hand, before = standing.hand, standing.started
    if hand is None or hand.state.over or standing.called is not None:
        return False
    rules = command.rules or before.rules
    anew = fold_hand(rules, hand.events) if rules.deck == before.rules.deck else None
    return (
        command.dealer in (None, hand.state.dealer)
        and command.fair in (None, before.fair)
        and anew is not None
        and not anew.state.over
        and (anew.unfit, anew.state.breaches) == (hand.unfit, hand.state.breaches)
    )


def _match(standing: Standing, command: NewMatch, today: str, *, begun: bool) -> MatchStarted:
    before, called_before = standing.started, names_of(standing)
    names = called_before if command.names is None else command.names
    same_players = names == called_before or called_before == ("", "")
    anew = MatchStarted(
        at=today,
        rules=before.rules if command.rules is None else command.rules,
        names=names,
        dealer=standing.next_dealer if command.dealer is None and same_players else command.dealer,
        fair=before.fair if command.fair is None else command.fair,
    )
    # a match in which nothing was dealt was none: what was agreed on has changed before it began
    number = standing.played.number + begun
    if command.clear_marks or _other_series(anew.rules, before.rules):
        return anew if command.clear_marks else replace(anew, number=number, wins=(0, 0))
    marks, wins, series = _carried(standing.played)
    return replace(anew, marks=marks, number=number, wins=wins, series=series)


def _carried(match: Match) -> tuple[tuple[int, int], tuple[int, int] | None, tuple[int, int]]:
    """Return marks, won matches and won series as the next match has them from `match`."""
    if match.winner is not None:
        match = match.following()
    return match.earlier_marks, match.earlier_wins, match.earlier_series


def _other_series(one: RuleSet, other: RuleSet) -> bool:
    """Whether what was won under `other` counts for nothing under `one` (clause 9.4)."""
    return (one.series, one.series_marks) != (other.series, other.series_marks)


def _answer(
    standing: Standing, seq: int, option: int, *, now: float, today: str, next_seq: int, source: str
) -> Act:
    question = next((each for each in standing.questions if each.seq == seq), None)
    if question is None:
        raise RefusedCommandError("too_late", f"question {seq} is not open any more")
    if option >= len(question.options):
        raise RefusedCommandError(
            "impossible", f"question {seq} has {len(question.options)} options, not {option + 1}"
        )
    answered = Answered(now, seq, option, source)
    event = question.options[option]
    hand = standing.asked_in(seq)
    past = hand is not standing.hand
    word = not isinstance(event, CardPlayed | Dealt | GivenUp | Conceded)
    if word and (past or isinstance(event, Claimed)) and _stands(hand, event):
        return Act(source, items=(answered,))  # nothing else happened before it
    change: Correct | Insert | None
    if isinstance(event, Claimed | GivenUp | Conceded):
        change = Correct(_ended(standing, question).seq, event)
        if hand is not None and isinstance(event, Claimed) and not laid_open(standing, change):
            # of a claim out of turn nothing would follow, and nobody would be asked any more
            breach = fold_hand(standing.rules, hand.events[:-1]).breach(event)
            if breach is not None:
                raise _against(breach)
    elif isinstance(event, CardPlayed | Dealt):
        about = about_of([entry for hand in standing.hands for entry in hand.events], question, event)
        change = None if about is None else Correct(about, event)
    else:
        change = _word_missed(standing, question, event)
    if change is None and past and word:
        raise RefusedCommandError("too_late", "that hand has another course by now")
    if change is None:
        return Act(source, told=(event,), items=(answered,))
    if isinstance(event, GivenUp):
        return Act(source, items=(answered,))
    edited = _edited(standing, change, now=now, today=today, next_seq=next_seq, source=source, answers=seq)
    return replace(edited, items=(answered, *edited.items))


def _vouched(standing: Standing, seq: int, *, now: float, source: str) -> Act:
    """Write down that nothing is missing of what was out of sight of a hand until then.

    Raises:
        RefusedCommandError: Nothing of this match was out of sight there.
    """
    mine = [hand.unseen for hand in standing.hands if any(gap.seq == seq for gap in hand.unseen)]
    if gaps := sorted({gap.seq for unseen in mine for gap in unseen if gap.seq <= seq}):
        return Act(source, items=(Vouched(now, tuple(gaps), source),))
    if any(gap.seq == seq for hand in standing.hands for gap in hand.vouched):
        return Act(source)  # pressed twice, or on two phones
    raise RefusedCommandError("too_late", f"nothing of this match was out of sight at {seq}")


def _word_missed(standing: Standing, question: Asked, word: Event) -> Correct | Insert | None:
    """Return how an announcement that was missed comes into what has been written since it was asked about.

    It came before that, but the turn-up was taken or turned down once: there it was the one or the other.
    `None`: nothing is written yet, or a card which was no play then; the decoder knows what follows of that.
    """
    hand = standing.asked_in(question.seq)
    if hand is None or _stands(hand, word):
        return None
    for before, entry in pairwise(hand.events):
        if question.about == entry.seq or (question.about is None and entry.seq > question.seq):
            if isinstance(entry.event, CardPlayed) and hand is standing.hand and not standing.hand.state.over:
                return None
            either = is_either(word, entry.event)
            return Correct(entry.seq, word) if either else Insert(before.seq, word)
    return None


def _stands(hand: HandFold | None, event: Event) -> bool:
    return hand is not None and any(entry.event == event for entry in hand.events)


def _asked_in_turn(standing: Standing, edit: Edit, items: Sequence[Item], now: float) -> tuple[Asked, ...]:
    """Ask which card another play was, or the turn-up, where a correction has shown that it was misread."""
    if not isinstance(edit, Correct):
        return ()
    last = max((item.seq for item in items if isinstance(item, Entry)), default=0)
    for item in items:
        if not isinstance(item, Corrected) or item.new is None or item.old in (None, edit.seq):
            continue
        seen = next((one.time for one in items if isinstance(one, Settled) and one.seq == item.new), None)
        found = [each.event for each in alternatives(standing, item.old) if each.fits and not each.unnamed]
        if isinstance(item.was, Dealt):
            others = [one for one in found if isinstance(one, Dealt) and one.dealer is item.was.dealer]
            return (Asked(last + 1, now, "which_turn_up", item.new, tuple(others[:MOST_OPTIONS]), seen),)
        plays = [one for one in found if isinstance(one, CardPlayed) and one.card is not None]
        return (Asked(last + 1, now, "which_card", item.new, tuple(plays[:MOST_OPTIONS]), seen),)
    return ()


def _ended(standing: Standing, question: Asked) -> Settled:
    """Return what is written as the end of the hand about whose end was asked; a lead may have been that."""
    hand = standing.asked_in(question.seq)
    about = [] if hand is None else [entry for entry in hand.events if entry.seq == question.about]
    if about and isinstance(about[0].event, CardPlayed):
        return about[0]
    last = None if hand is None else hand.events[-1]
    if last is None or not isinstance(last.event, GivenUp):
        raise RefusedCommandError("too_late", "that hand has another end by now")
    return last
