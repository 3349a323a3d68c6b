"""What the record is with another event in it: all that follows worked out again.

Whose turn it was follows from the tricks. So a card that is named anew may hand every later play of
the hand to the other player; what players said themselves stays theirs. A change that the rest of the
record does not allow is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import zip_longest
from math import inf
from typing import assert_never

from companion.live.changes import LastAnswer
from companion.live.command import (
    Correct,
    Edit,
    Insert,
    InsertHand,
    InsertTrick,
    RefusedCommandError,
    RemoveTrick,
    Swap,
    named_by,
)
from companion.live.hand import HandFold, by_hand, fold_hand
from companion.live.rewriting import Line, Revision, rewritten
from companion.live.standing import Standing
from companion.rules.cards import Card, Player
from companion.rules.event_form import event_to_json
from companion.rules.events import (
    Agreed,
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    MarriageDeclared,
)
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal
from companion.rules.match import next_dealer
from companion.rules.ruleset import RuleSet
from companion.store.item import Corrected, Item
from companion.table.entry import CAMERA, OPEN_CONFIDENCE, Entry, Retracted, Settled, played_elsewhere

__all__ = [
    "Proposal",
    "edited",
    "entry_of",
    "hands_after",
    "is_possible",
    "is_put_in",
    "is_unnamed_trick",
    "laid_open",
    "leader_after",
    "revised",
    "taken_back",
    "trick_of",
]


Beside = tuple[Settled, Line] | None
"""A line that changes with another, in place of the entry or, where that has no old one, before it."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a change would come to.

    Attributes:
        before: Where the match stands.
        after: Where it would stand.
        seq: Number that the changed entry would have; `None`: it would be gone.
        turned: How many later entries would go to the other player.
    """

    before: Standing
    after: Standing
    seq: int | None
    turned: int


def revised(
    standing: Standing,
    edit: Edit,
    *,
    now: float,
    today: str,
    next_seq: int,
    source: str,
    answers: int | None = None,
) -> Revision:
    """Return how `edit` is written down.

    Args:
        standing: Where the match stands.
        edit: What is changed.
        now: Seconds on the log's clock.
        today: Date and time of the wall clock, ISO 8601.
        next_seq: Number of the next entry.
        source: Who changes it, as entries name it.
        answers: Number of the question that is answered by it.

    Raises:
        RefusedCommandError: The event does not stand any more, or the rest does not allow the change.
    """
    if is_put_in(standing, edit):
        raise RefusedCommandError("impossible", "that has been put in")
    kept, lines = edited(standing, edit, source)
    if isinstance(edit, InsertHand | Insert) and all(line.old is None for line in lines):
        lines = [_said(line, now) for line in lines]
    if answers is None and all(_is_same(line) for line in lines):
        raise RefusedCommandError("impossible", "that is what stands")
    if not is_possible(standing, kept, lines):
        raise RefusedCommandError("impossible", "the rest of the record does not allow that")
    return rewritten(
        lines, standing.unanswered, now=now, today=today, first=next_seq, source=source, answers=answers
    )


def taken_back(
    standing: Standing, answer: LastAnswer, *, now: float, today: str, next_seq: int, source: str
) -> tuple[Item, ...]:
    """Return how the newest answer is taken back: what stood before stands again, and is asked again.

    Arguments as of `revised`.
    """
    settled = [entry for hand in standing.hands for entry in hand.events]
    pairs = zip_longest((entry for entry in settled if entry.seq >= answer.first), answer.before)
    lines = [Line(one, before, changed=not _is_told(one, before)) for one, before in pairs]
    items = rewritten(
        lines, standing.unanswered, now=now, today=today, first=next_seq, source=source, answers=None
    ).items
    anew = {item.old: item.new for item in items if isinstance(item, Corrected)}
    about = anew.get(answer.seq, answer.asked.about)
    last = max(item.seq for item in items if isinstance(item, Entry))
    # what was asked because of the answer is asked no more
    changed = anew.keys() - {None}
    gone = [answer.asked.seq, *(one.seq for one in standing.questions if one.about in changed)]
    dropped = [Retracted(last + at, now, seq, source) for at, seq in enumerate(gone, 1)]
    return (*items, *dropped, replace(answer.asked, seq=last + len(gone) + 1, time=now, about=about))


def _is_told(one: Settled | None, other: Settled | None) -> bool:
    """Whether two entries tell the same in the same way, but for whose it is."""
    if one is None or other is None or one.source != other.source:
        return False
    fields = [event_to_json(each.event) for each in (one, other)]
    return {**fields[0], "player": None} == {**fields[1], "player": None}


def entry_of(standing: Standing, seq: int) -> tuple[HandFold, Settled]:
    """Return the hand that the entry `seq` belongs to, and the entry.

    Raises:
        RefusedCommandError: It does not stand.
    """
    for hand in standing.hands:
        for entry in hand.events:
            if entry.seq == seq:
                return hand, entry
    raise RefusedCommandError("too_late", f"event {seq} does not stand any more")


def edited(standing: Standing, edit: Edit, source: str) -> tuple[list[Settled], list[Line]]:
    """Return the entries before the first change, and the lines from there on, worked out again.

    A card that the camera has read elsewhere in the hand was read there by mistake, if it was here:
    nobody has named that one then. So it is with another play, and with the turn-up where that
    cannot have been played; where both were told, the turn-up had been exchanged. Where the lowest trump was
    turned up, nobody has exchanged it.

    A lead that its player claims over was no lead, and cards that are laid down after a claim are no plays.
    A hand that was played to its end was not given up.

    Raises:
        RefusedCommandError: The event does not stand any more, or cannot be changed like that.
    """
    settled = [entry for hand in standing.hands for entry in hand.events]
    place, changed = _changed(standing, settled, edit, source)
    if isinstance(edit, InsertHand):
        return settled[:place], _worked_out(standing.rules, settled[:place], changed)
    opened = tuple((entry, Line(entry, None, changed=True)) for entry in laid_open(standing, edit))
    found = (
        _read_as_well(standing, edit),
        _turned_up_as_well(standing, edit),
        _turn_up_played(standing, edit),
        _exchange_missed(standing, edit, source),
        _exchange_impossible(standing, edit),
        _given_up(standing, edit),
    )
    besides = [opened, *(() if each is None else (each,) for each in found)]
    ways = [_edited_with(standing, settled, place, changed, one) for one in dict.fromkeys(besides)]
    return min(ways, key=lambda way: _unfit_after(standing, *way))


def _edited_with(
    standing: Standing,
    settled: Sequence[Settled],
    place: int,
    changed: Sequence[Line],
    besides: Sequence[tuple[Settled, Line]],
) -> tuple[list[Settled], list[Line]]:
    """Return the record with `changed` from `place` on, and with other lines put in or changed as well."""
    lines = list(changed)
    for before, line in besides:
        start = min(settled.index(before), place)
        lines = [*_same(settled[start:place]), *lines]
        at = next(at for at, one in enumerate(lines) if one.old == before)
        lines[at : at + (line.old is not None)] = [line]
        place = start
    kept = list(settled[:place])
    return kept, _worked_out(standing.rules, kept, lines)


def is_possible(standing: Standing, kept: Sequence[Settled], lines: Sequence[Line]) -> bool:
    """Whether no entry is lost by a change, or becomes impossible that was possible before."""
    return _unfit_after(standing, kept, lines) <= _unfit(standing.hands)


def hands_after(standing: Standing, kept: Sequence[Settled], lines: Sequence[Line]) -> list[HandFold]:
    """Return the hands after a change; those in which nothing changes are the ones that stand."""
    after = [*kept, *(line.new for line in lines if line.new is not None)]
    stand = {hand.events[0].seq: hand for hand in standing.hands}
    hands: list[HandFold] = []
    for events in map(tuple, by_hand(after)):
        same = stand.get(events[0].seq)
        if same is None or same.events != events:
            same = fold_hand(standing.rules, events)
        hands.append(same)
    return hands


def _unfit_after(standing: Standing, kept: Sequence[Settled], lines: Sequence[Line]) -> float:
    """How many entries are impossible at their place after a change; infinitely many where one is lost."""
    hands = hands_after(standing, kept, lines)
    told = len(kept) + sum(line.new is not None for line in lines)
    return _unfit(hands) if sum(len(hand.events) for hand in hands) == told else inf


def _unfit(hands: Iterable[HandFold]) -> int:
    return sum(len(hand.unfit) for hand in hands)


def _is_same(line: Line) -> bool:
    return line.old is not None and line.new is not None and line.old.event == line.new.event


def _changed(
    standing: Standing, settled: Sequence[Settled], edit: Edit, source: str
) -> tuple[int, list[Line]]:
    """Return the place of the first change, and the lines from there on."""
    match edit:
        case Correct(seq, event):
            place = _place(standing, settled, seq)
            old = settled[place]
            if event is not None and isinstance(event, Dealt) is not isinstance(old.event, Dealt):
                raise RefusedCommandError("impossible", "a hand begins with its deal")
            noted = entry_of(standing, seq)[0]
            if event is None and noted.noted:
                place = settled.index(noted.events[0])
                gone = [Line(entry, None, changed=True) for entry in noted.events]
                return place, [*gone, *_same(settled[place + len(gone) :])]
            new = None if event is None else _told(old, event, source)
            return place, [Line(old, new, changed=True), *_same(settled[place + 1 :])]
        case Insert(after, event):
            place = _place(standing, settled, after)
            if isinstance(event, Agreed):  # it stands for all of the hand
                place = settled.index(entry_of(standing, after)[0].events[-1])
            missed = _told(settled[place], event, source)
            return place + 1, [Line(None, missed, changed=True), *_same(settled[place + 1 :])]
        case InsertTrick(after):
            place = _place(standing, settled, after)
            leader = leader_after(standing, after)
            if leader is None:
                raise RefusedCommandError("impossible", "no trick begins there")
            plays = [
                _told(settled[place], CardPlayed(player, None), source) for player in (leader, leader.other)
            ]
            missed_trick = [Line(None, play, changed=True) for play in plays]
            return place + 1, [*missed_trick, *_same(settled[place + 1 :])]
        case InsertHand(after, result):
            place = _place(standing, settled, after) + 1 if after else 0
            before = entry_of(standing, after)[0] if after else None
            if before is not None and (before.events[-1].seq != after or not _has_ended(standing, before)):
                raise RefusedCommandError("impossible", "no hand ends there")
            # right before the next, so that nothing that was before is taken for something of this hand
            time = settled[place].time if place < len(settled) else settled[-1].time if settled else 0.0
            dealt = Dealt(_dealer_after(standing, before), None)
            told = [
                Line(None, Settled(0, time, event, 1.0, source), changed=True) for event in (dealt, result)
            ]
            return place, [*told, *_same(settled[place:])]
        case RemoveTrick(seq):
            place = _place(standing, settled, seq)
            trick = trick_of(standing, seq)
            if trick is None:
                raise RefusedCommandError("impossible", f"event {seq} is no card of a whole trick")
            place = settled.index(trick[0])
            gone = [
                Line(entry, None if entry in trick else entry, changed=entry in trick)
                for entry in settled[place:]
            ]
            return place, gone
        case Swap(seq, other):
            one, two = sorted((_place(standing, settled, seq), _place(standing, settled, other)))
            first, second = settled[one].event, settled[two].event
            if not (isinstance(first, CardPlayed) and isinstance(second, CardPlayed)) or one == two:
                raise RefusedCommandError("impossible", "only two cards can be swapped")
            lines = _same(settled[one:])
            shown = replace(first, card=second.card), replace(second, card=first.card)
            for place, event in zip((one, two), shown, strict=True):
                old = settled[place]
                lines[place - one] = Line(old, _told(old, event, source), changed=True)
            return one, lines
        case _:
            assert_never(edit)


def _has_ended(standing: Standing, hand: HandFold) -> bool:
    return hand.state.over or hand is not standing.hand


def _dealer_after(standing: Standing, hand: HandFold | None) -> Player:
    """Return who dealt a hand that nobody saw, after another, or as the first."""
    if hand is not None:
        return next_dealer(hand.state)
    if standing.started.dealer is not None:
        return standing.started.dealer
    return standing.hands[0].state.dealer.other if standing.hands else Player.SOUTH


def leader_after(standing: Standing, after: int) -> Player | None:
    """Return who led the trick that may have been missed right after an entry, or `None` where none began.

    Where nobody knows who took the trick before it, that was whoever led the next.

    Raises:
        RefusedCommandError: The event does not stand any more.
    """
    hand, entry = entry_of(standing, after)
    at = hand.events.index(entry) + 1
    state = fold_hand(standing.rules, hand.events[:at]).state
    if state.over or state.led is not None or state.declared is not None:
        return None
    following = (one.event.player for one in hand.events[at:] if isinstance(one.event, CardPlayed))
    return state.leader if state.leader is not None else next(following, None)


def is_unnamed_trick(standing: Standing, after: int) -> bool:
    """Whether a trick that somebody said to be missing right after an entry stands there, not named yet."""
    settled = [entry for hand in standing.hands for entry in hand.events]
    at = _place(standing, settled, after) + 1
    return (
        sum(
            isinstance(one.event, CardPlayed) and one.event.card is None and one.source != CAMERA
            for one in settled[at : at + 2]
        )
        == 2
    )


def is_put_in(standing: Standing, edit: Edit) -> bool:
    """Whether a hand or a trick that is said to be missing has been put in there, by another phone maybe."""
    match edit:
        case InsertTrick(after):
            return is_unnamed_trick(standing, after)
        case InsertHand(after, result):
            ends = [0, *(hand.events[-1].seq for hand in standing.hands)]
            place = ends.index(after) if after in ends else len(ends)
            there = standing.hands[place] if place < len(standing.hands) else None
            return there is not None and there.noted and there.events[-1].event == result
        case _:
            return False


def trick_of(standing: Standing, seq: int) -> tuple[Settled, ...] | None:
    """Return both cards of a trick by one of them, after the marriage that was declared with its lead.

    `None`: that is no play, or was not answered.

    Raises:
        RefusedCommandError: The event does not stand any more.
    """
    hand, entry = entry_of(standing, seq)
    plays = [one for one in hand.events if isinstance(one.event, CardPlayed) and one.seq not in hand.unfit]
    pairs = 2 * len(hand.state.tricks) + (hand.state.led is not None)
    if entry not in plays or len(plays) != pairs:  # a card that was taken back belongs to no trick
        return None
    at = plays.index(entry) // 2 * 2
    trick = plays[at : at + 2]
    since = plays[at - 1].seq if at else hand.events[0].seq
    declared = [
        one
        for one in hand.events
        if isinstance(one.event, MarriageDeclared) and since < one.seq < trick[0].seq
    ]
    return (*declared, *trick) if len(trick) == 2 else None


def laid_open(standing: Standing, edit: Edit) -> tuple[Settled, ...]:
    """Return what was taken for plays and was laid open with a claim instead.

    Whoever has led may not claim before the answer (rule 7.2), but where a hand ends with an unanswered lead
    its player has laid down the rest of the hand. Where a play is said to have been the claim, both players
    have thrown in their cards after it.

    Raises:
        RefusedCommandError: The event does not stand any more.
    """
    if not isinstance(edit, Correct) or not isinstance(edit.event, Claimed):
        return ()
    hand, asked = entry_of(standing, edit.seq)
    at = hand.events.index(asked)
    before, after = hand.events[:at], hand.events[at + 1 :]
    if isinstance(asked.event, CardPlayed):
        thrown_in = all(isinstance(entry.event, CardPlayed) and entry.source == CAMERA for entry in after)
        return after if thrown_in and _fits(standing.rules, before, edit.event) else ()
    lead, earlier = before[-1], before[:-1]
    if not isinstance(lead.event, CardPlayed) or lead.event.player is not edit.event.player:
        return ()
    fits = [_fits(standing.rules, events, edit.event) for events in (before, earlier)]
    return (lead,) if fits == [False, True] else ()


def _fits(rules: RuleSet, events: Sequence[Settled], event: Event) -> bool:
    """Whether the rules allow an event after others."""
    with suppress(ImpossibleEvent):
        return bool(events) and fold_hand(rules, tuple(events)).breach(event) is None
    return False


def _read_as_well(standing: Standing, edit: Edit) -> Beside:
    """Return another play of the hand that the camera has read as the card that is named, without a name."""
    card = _named(edit)
    if card is None or not isinstance(edit, Correct) or isinstance(edit.event, Dealt):
        return None
    hand, asked = entry_of(standing, edit.seq)
    return _unnamed(played_elsewhere(hand.events, card, asked))


def _turn_up_played(standing: Standing, edit: Edit) -> Beside:
    """Return the play that the camera has read as the card that was turned up, without a name."""
    card = _named(edit)
    if card is None or not isinstance(edit, Correct) or not isinstance(edit.event, Dealt):
        return None
    hand, dealt = entry_of(standing, edit.seq)
    return _unnamed(played_elsewhere(hand.events, card, dealt))


def _unnamed(play: Settled | None) -> Beside:
    if play is None or play.source != CAMERA or not isinstance(play.event, CardPlayed):
        return None
    unnamed = CardPlayed(play.event.player, None)
    return play, Line(play, replace(play, event=unnamed, confidence=OPEN_CONFIDENCE), changed=True)


def _turned_up_as_well(standing: Standing, edit: Edit) -> Beside:
    """Return the deal with a turn-up that nobody has named, where the camera has read that as the card."""
    card = _named(edit)
    if card is None or not isinstance(edit, Correct) or isinstance(edit.event, Dealt):
        return None
    deal_ = entry_of(standing, edit.seq)[0].events[0]
    if not isinstance(deal_.event, Dealt) or deal_.event.turned_up != card:
        return None
    if deal_.source != CAMERA or deal_.seq == edit.seq:
        return None
    unnamed = Dealt(deal_.event.dealer, None)
    return deal_, Line(deal_, replace(deal_, event=unnamed, confidence=OPEN_CONFIDENCE), changed=True)


def _exchange_missed(standing: Standing, edit: Edit, source: str) -> Beside:
    """Return the exchange that must have been, where somebody played the card that had been turned up."""
    card = _named(edit)
    if card is None or not isinstance(edit, Correct):
        return None
    hand, asked = entry_of(standing, edit.seq)
    first = hand.events[0]
    if isinstance(edit.event, Dealt):
        first = replace(first, event=edit.event)
        asked = played_elsewhere(hand.events, card, asked) or asked
    if not isinstance(first.event, Dealt) or first.event.turned_up != card:
        return None
    if not isinstance(asked.event, CardPlayed):
        return None
    taken = Exchanged(asked.event.player)
    before: list[Settled] = [first]
    found: Settled | None = None
    for entry in hand.events[1 : hand.events.index(asked) + 1]:
        with suppress(ImpossibleEvent):
            if check(fold_hand(standing.rules, tuple(before)).state, taken) is None:
                found = entry
        before.append(entry)
    return None if found is None else (found, Line(None, _told(found, taken, source), changed=True))


def _exchange_impossible(standing: Standing, edit: Edit) -> Beside:
    """Return the exchange that cannot have been, where the lowest trump itself was turned up, taken out."""
    card = _named(edit)
    if card is None or not isinstance(edit, Correct) or not isinstance(edit.event, Dealt):
        return None
    if card.rank is not standing.rules.lowest_trump:
        return None
    hand = entry_of(standing, edit.seq)[0]
    taken = next((entry for entry in hand.events if isinstance(entry.event, Exchanged)), None)
    return None if taken is None else (taken, Line(taken, None, changed=True))


def _given_up(standing: Standing, edit: Edit) -> Beside:
    """Return that the camera took the hand for given up, which it was not if it was played to its end."""
    last = entry_of(standing, named_by(edit))[0].events[-1]
    taken = isinstance(last.event, GivenUp) and last.source == CAMERA and last.seq != named_by(edit)
    return (last, Line(last, None, changed=True)) if taken else None


def _named(edit: Edit) -> Card | None:
    """Return the card that a correction names."""
    if not isinstance(edit, Correct):
        return None
    match edit.event:
        case CardPlayed(_, card) | Dealt(_, card):
            return card
        case _:
            return None


def _said(line: Line, now: float) -> Line:
    """What a hand paid is said now, where nothing is told after it: what lies there by then is of it."""
    if line.new is None or not isinstance(line.new.event, Agreed | Dealt):
        return line
    return replace(line, new=replace(line.new, time=now))


def _told(entry: Settled, event: Event, source: str) -> Settled:
    return replace(entry, event=event, confidence=1.0, source=source)


def _same(entries: Iterable[Settled]) -> list[Line]:
    return [Line(entry, entry) for entry in entries]


def _place(standing: Standing, settled: Sequence[Settled], seq: int) -> int:
    place = next((place for place, entry in enumerate(settled) if entry.seq == seq), None)
    if place is not None:
        return place
    if any(each.told.old == seq for each in standing.corrections):
        raise RefusedCommandError("corrected", f"event {seq} has been corrected meanwhile")
    raise RefusedCommandError("too_late", f"event {seq} does not stand any more")


def _worked_out(rules: RuleSet, kept: Sequence[Settled], lines: Sequence[Line]) -> list[Line]:
    """Return `lines` with the players whose turn it was, as far as that follows from the cards.

    The first change is taken as it is said, and so are later hands.
    """
    hands = by_hand(kept)
    state = fold_hand(rules, tuple(hands[-1])).state if hands else None
    out: list[Line] = []
    for place, line in enumerate(lines):
        entry = line.new
        if entry is None:
            out.append(line)
            continue
        if isinstance(entry.event, Dealt):
            if place:
                return [*out, *lines[place:]]
            try:
                state = deal(rules, entry.event.dealer, entry.event.turned_up)
            except ImpossibleEvent as error:
                raise RefusedCommandError("impossible", str(error)) from error
        elif state is not None:
            entry = entry if place == 0 else _turned(entry, state)
            with suppress(ImpossibleEvent):  # counted by `is_possible`
                state = apply(state, entry.event)
        out.append(replace(line, new=entry))
    return out


def _turned(entry: Settled, state: HandState) -> Settled:
    """Return an entry with the player whose turn it is; what a player said stays his."""
    event, seen = entry.event, entry.source == CAMERA
    match event:
        case CardPlayed(player):
            now: Player | None = state.to_play
        case Exchanged(player) if seen:
            at_close = state.at_close is not None and state.rules.exchange_on_close
            now = state.at_close.closer.other if state.at_close and at_close else state.on_lead
        case Closed(player) | MarriageDeclared(player) if seen:
            now = state.on_lead
        case Claimed(player) if seen:
            now = player if player in state.claimants else next(iter(state.claimants), None)
        case _:
            return entry
    return entry if now in (None, player) else replace(entry, event=replace(event, player=now))
