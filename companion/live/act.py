"""What a command comes to where the match stands: words for the decoder, items for the log.

Only here is decided whether a command can be done; the rules are asked, not repeated.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from companion.live.command import (
    Answer,
    CallRevoke,
    Claim,
    Close,
    Command,
    Correct,
    Declare,
    Knock,
    NewHand,
    NewMatch,
    RefusedCommandError,
    ShowHand,
    Undo,
    Word,
)
from companion.live.fold import HandFold, Standing, by_hand, fold_hand
from companion.rules.cards import Player
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    GivenUp,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import ImpossibleEvent, check
from companion.rules.ruleset import RuleSet
from companion.store.item import Answered, Item, MatchStarted
from companion.table.entry import Asked, Retracted, Settled

__all__ = ["Act", "act_of"]

_REFEREE = "phone:referee"


@dataclass(frozen=True, slots=True)
class Act:
    """What is to be done.

    Attributes:
        source: Who presses, as entries name it.
        told: Events that the decoder is told.
        withdraws: Number of the last event, where the decoder is to withdraw it.
        items: What is written down beforehand, without the decoder.
        renew: Whether the decoder starts anew from the log afterwards.
    """

    source: str
    told: tuple[Event, ...] = ()
    withdraws: int | None = None
    items: tuple[Item, ...] = ()
    renew: bool = False


def act_of(command: Command, standing: Standing, *, now: float, today: str, next_seq: int) -> Act:
    """Return what `command` comes to.

    Args:
        command: What a phone asks.
        standing: Where the match stands.
        now: Seconds on the log's clock.
        today: Date and time of the wall clock, ISO 8601.
        next_seq: Number of the next entry.

    Raises:
        RefusedCommandError: It cannot be done; the message says why.
    """
    match command:
        case Claim() | Declare() | Close() | Knock() | CallRevoke() | ShowHand():
            return _word(standing, command)
        case Undo(seq):
            last = standing.last_event
            if last is None:
                raise RefusedCommandError("no_hand", "nothing has happened yet")
            if last.seq != seq:
                raise RefusedCommandError(
                    "too_late", f"the last event is number {last.seq} by now, not {seq}"
                )
            return Act(_REFEREE, withdraws=seq)
        case NewHand(dealer):
            return _new_hand(standing, dealer)
        case NewMatch():
            return Act(_REFEREE, items=(_match(standing, command, today),), renew=True)
        case Answer(seq, option):
            return _answer(standing, seq, option, now, next_seq)
        case Correct(seq, event):
            return _correction(standing, seq, event, now, next_seq)
        case _:
            assert_never(command)


def _said(word: Word) -> Event:
    """Return what a word means in the hand."""
    match word:
        case Claim(player):
            return Claimed(player)
        case Declare(player, suit):
            return MarriageDeclared(player, suit)
        case Close(player, before_draw):
            return Closed(player, before_draw)
        case Knock(player):
            return Knocked(player)
        case CallRevoke(player):
            return RevokeCalled(player)
        case ShowHand(player, cards):
            return HandShown(player, cards)


def _word(standing: Standing, word: Word) -> Act:
    event = _said(word)
    if standing.hand is None:
        raise RefusedCommandError("no_hand", "no hand has been dealt")
    if standing.called is not None:
        raise RefusedCommandError("too_late", "the next hand has been called")
    try:
        breach = check(standing.hand.state, event)
    except ImpossibleEvent as error:
        raise RefusedCommandError("impossible", str(error)) from error
    if breach is not None and not isinstance(
        event, HandShown
    ):  # what cards prove is no fault of showing them
        raise RefusedCommandError("against_rules", f"not now: {breach.name.lower()} (rule {breach.value})")
    return Act(f"phone:{word.player.name.lower()}", told=(event,))


def _new_hand(standing: Standing, dealer: Player | None) -> Act:
    told: list[Event] = []
    if standing.hand is not None and not standing.hand.state.over:
        told.append(GivenUp())
    deals = standing.match.next_dealer if dealer is None else dealer
    return Act(_REFEREE, told=(*told, Dealt(deals, None)))


def _match(standing: Standing, command: NewMatch, today: str) -> MatchStarted:
    before = standing.started
    anew = MatchStarted(
        at=today,
        rules=before.rules if command.rules is None else command.rules,
        names=before.names if command.names is None else command.names,
        dealer=command.dealer,
    )
    if command.clear_marks or _other_series(anew.rules, before.rules):
        return anew if command.clear_marks else replace(anew, number=standing.match.number + 1, wins=(0, 0))
    match, number = standing.match, standing.match.number + 1
    if match.winner is not None:
        match = match.following()
    return replace(
        anew,
        marks=match.earlier_marks,
        number=number,
        wins=match.earlier_wins,
        series=match.earlier_series,
    )


def _other_series(one: RuleSet, other: RuleSet) -> bool:
    """Whether what was won under `other` counts for nothing under `one` (clause 9.4)."""
    return (one.series, one.series_marks) != (other.series, other.series_marks)


def _answer(standing: Standing, seq: int, option: int, now: float, next_seq: int) -> Act:
    question = next((each for each in standing.questions if each.seq == seq), None)
    if question is None:
        raise RefusedCommandError("too_late", f"question {seq} is not open any more")
    if option >= len(question.options):
        raise RefusedCommandError(
            "impossible", f"question {seq} has {len(question.options)} options, not {option + 1}"
        )
    answered = Answered(now, seq, option, _REFEREE)
    event = question.options[option]
    if isinstance(event, Claimed | GivenUp):
        changed = _ended(standing, seq, event, now, next_seq)
        return Act(_REFEREE, items=(answered, *changed), renew=bool(changed))
    about = _about(standing, question, event)
    if about is not None:
        act = _correction(standing, about, event, now, next_seq)
        return replace(act, items=(answered, *act.items))
    return Act(_REFEREE, told=(event,), items=(answered,))


def _about(standing: Standing, question: Asked, event: Event) -> int | None:
    """Return the entry that an answer changes; a question may have come before its entry was written."""
    if question.about is not None:
        return question.about
    for entry in (entry for hand in standing.hands for entry in hand.events):
        if entry.seq < question.seq or type(entry.event) is not type(event):
            continue
        match event, entry.event:
            case Dealt(), Dealt():
                return entry.seq
            case CardPlayed(player), CardPlayed(other, None) if player is other:
                return entry.seq
    return None


def _ended(standing: Standing, question: int, event: Event, now: float, next_seq: int) -> tuple[Item, ...]:
    """Return what makes `event` the end of the hand about whose end was asked."""
    asked_in = [hand for hand in standing.hands if hand.events[0].seq < question]
    last = asked_in[-1].events[-1] if asked_in else None
    if last is None or not isinstance(last.event, GivenUp):
        raise RefusedCommandError("too_late", "that hand has another end by now")
    return () if last.event == event else _corrected(standing, last.seq, event, now, next_seq)


def _correction(standing: Standing, seq: int, event: Event | None, now: float, next_seq: int) -> Act:
    """Return how `event` comes to stand in place of entry `seq`.

    The decoder itself corrects a player's last play, because it knows which card on the table
    that was. Everything else is written anew in the log.
    """
    anew = _corrected(standing, seq, event, now, next_seq)
    current = standing.hand
    plays = current.events if current is not None and not current.state.over else ()
    last = {entry.event.player: entry for entry in plays if isinstance(entry.event, CardPlayed)}
    if isinstance(event, CardPlayed) and event.player in last and last[event.player].seq == seq:
        return Act(_REFEREE, told=(event,))
    return Act(_REFEREE, items=anew, renew=True)


def _corrected(
    standing: Standing, seq: int, event: Event | None, now: float, next_seq: int
) -> tuple[Item, ...]:
    """Return entries that withdraw everything from `seq` on and write it anew with `event` in its place."""
    settled = [entry for hand in standing.hands for entry in hand.events]
    place = next((index for index, entry in enumerate(settled) if entry.seq == seq), None)
    if place is None:
        raise RefusedCommandError("too_late", f"event {seq} does not stand any more")
    old, rest = settled[place], settled[place + 1 :]
    if isinstance(old.event, Dealt) and isinstance(event, Dealt) and old.event.dealer is not event.dealer:
        rest = _sides_changed(rest)
    retracted = [
        Retracted(next_seq + number, now, entry.seq, _REFEREE)
        for number, entry in enumerate(reversed(settled[place:]))
    ]
    anew = [] if event is None else [Settled(0, old.time, event, 1.0, _REFEREE)]
    first = next_seq + len(retracted)
    written = [replace(entry, seq=first + number) for number, entry in enumerate((*anew, *rest))]
    before = _doubtful(standing.hands)
    after = _doubtful(
        fold_hand(standing.rules, tuple(events)) for events in by_hand((*settled[:place], *written))
    )
    if after > before or sum(len(events) for events in by_hand((*settled[:place], *written))) != place + len(
        written
    ):
        raise RefusedCommandError("impossible", "the rest of the record does not allow that")
    return (*retracted, *written)


def _sides_changed(entries: list[Settled]) -> list[Settled]:
    """Return `entries` with the players of this hand changed over, as far as the camera told them.

    Who played what follows from who dealt; only what a player pressed is known to be his.
    """
    end = next((place for place, entry in enumerate(entries) if isinstance(entry.event, Dealt)), len(entries))
    return [_side_changed(entry) for entry in entries[:end]] + entries[end:]


def _side_changed(entry: Settled) -> Settled:
    event = entry.event
    if entry.source != "camera" or isinstance(event, Dealt | GivenUp):
        return entry
    return replace(entry, event=replace(event, player=event.player.other))


def _doubtful(hands: Iterable[HandFold]) -> int:
    return sum(len(hand.unfit) for hand in hands)
