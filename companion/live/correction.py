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
)
from companion.live.consequence import besides
from companion.live.hand import HandFold, by_hand, fold_hand
from companion.live.place import entry_of, is_put_in, leader_after, place_of, trick_of
from companion.live.rewriting import Line, Revision, as_told, rewritten
from companion.live.standing import Standing
from companion.rules.cards import Player
from companion.rules.event_form import event_to_json
from companion.rules.events import (
    Agreed,
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Exchanged,
    MarriageDeclared,
)
from companion.rules.hand import HandState, ImpossibleEvent, apply, deal
from companion.rules.match import next_dealer
from companion.rules.ruleset import RuleSet
from companion.store.item import Corrected, Item
from companion.table.entry import CAMERA, Entry, Retracted, Settled

__all__ = ["Proposal", "edited", "hands_after", "is_possible", "revised", "taken_back"]


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
    ways = [_edited_with(standing, settled, place, changed, one) for one in besides(standing, edit, source)]
    return min(ways, key=lambda way: _lost_or_unfit(_folded_after(standing, *way), *way))


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
    return hands_after(standing, kept, lines) is not None


def hands_after(
    standing: Standing, kept: Sequence[Settled], lines: Sequence[Line]
) -> tuple[HandFold, ...] | None:
    """Return the hands after a change; `None` where it is not possible."""
    hands = _folded_after(standing, kept, lines)
    possible = _lost_or_unfit(hands, kept, lines) <= _unfit(standing.hands)
    return hands if possible else None


def _folded_after(standing: Standing, kept: Sequence[Settled], lines: Sequence[Line]) -> tuple[HandFold, ...]:
    """Return the hands after a change; those in which nothing changes are the ones that stand."""
    after = [*kept, *(line.new for line in lines if line.new is not None)]
    stand = {hand.events[0].seq: hand for hand in standing.hands}
    hands: list[HandFold] = []
    for events in map(tuple, by_hand(after)):
        same = stand.get(events[0].seq)
        if same is None or same.events != events:
            same = fold_hand(standing.rules, events)
        hands.append(same)
    return tuple(hands)


def _lost_or_unfit(hands: Sequence[HandFold], kept: Sequence[Settled], lines: Sequence[Line]) -> float:
    """How many entries are impossible at their place in `hands`; infinitely many where one is lost."""
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
            place = place_of(standing, settled, seq)
            old = settled[place]
            if event is not None and isinstance(event, Dealt) is not isinstance(old.event, Dealt):
                raise RefusedCommandError("impossible", "a hand begins with its deal")
            noted = entry_of(standing, seq)[0]
            if event is None and noted.noted:
                place = settled.index(noted.events[0])
                gone = [Line(entry, None, changed=True) for entry in noted.events]
                return place, [*gone, *_same(settled[place + len(gone) :])]
            new = None if event is None else as_told(old, event, source)
            return place, [Line(old, new, changed=True), *_same(settled[place + 1 :])]
        case Insert(after, event):
            place = place_of(standing, settled, after)
            if isinstance(event, Agreed):  # it stands for all of the hand
                place = settled.index(entry_of(standing, after)[0].events[-1])
            missed = as_told(settled[place], event, source)
            return place + 1, [Line(None, missed, changed=True), *_same(settled[place + 1 :])]
        case InsertTrick(after):
            place = place_of(standing, settled, after)
            leader = leader_after(standing, after)
            if leader is None:
                raise RefusedCommandError("impossible", "no trick begins there")
            plays = [
                as_told(settled[place], CardPlayed(player, None), source) for player in (leader, leader.other)
            ]
            missed_trick = [Line(None, play, changed=True) for play in plays]
            return place + 1, [*missed_trick, *_same(settled[place + 1 :])]
        case InsertHand(after, result):
            place = place_of(standing, settled, after) + 1 if after else 0
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
            place = place_of(standing, settled, seq)
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
            one, two = sorted((place_of(standing, settled, seq), place_of(standing, settled, other)))
            first, second = settled[one].event, settled[two].event
            if not (isinstance(first, CardPlayed) and isinstance(second, CardPlayed)) or one == two:
                raise RefusedCommandError("impossible", "only two cards can be swapped")
            lines = _same(settled[one:])
            shown = replace(first, card=second.card), replace(second, card=first.card)
            for place, event in zip((one, two), shown, strict=True):
                old = settled[place]
                lines[place - one] = Line(old, as_told(old, event, source), changed=True)
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


def _said(line: Line, now: float) -> Line:
    """What a hand paid is said now, where nothing is told after it: what lies there by then is of it."""
    if line.new is None or not isinstance(line.new.event, Agreed | Dealt):
        return line
    return replace(line, new=replace(line.new, time=now))


def _same(entries: Iterable[Settled]) -> list[Line]:
    return [Line(entry, entry) for entry in entries]


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
