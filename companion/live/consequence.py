"""What else has been otherwise where something is corrected: a card that was read twice, an exchange missed.

Each is found by what the rest of the record tells; whether the change is made with it or without is the
matter of `companion.live.correction`.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from companion.live.command import Correct, Edit, named_by
from companion.live.hand import fold_hand
from companion.live.place import entry_of
from companion.live.rewriting import Line, as_told
from companion.live.standing import Standing
from companion.rules.cards import Card
from companion.rules.events import CardPlayed, Claimed, Dealt, Event, Exchanged, GivenUp
from companion.rules.hand import ImpossibleEvent, check
from companion.rules.ruleset import RuleSet
from companion.table.entry import CAMERA, OPEN_CONFIDENCE, Settled, played_elsewhere

__all__ = ["Besides", "besides", "laid_open"]

Besides = tuple[tuple[Settled, Line], ...]
"""Lines that change with another, each in place of the entry or, where that has no old one, before it."""
Beside = tuple[Settled, Line] | None


def besides(standing: Standing, edit: Edit, source: str) -> tuple[Besides, ...]:
    """Return what may have been otherwise with a change: what was laid open, nothing, or one thing more.

    Args:
        standing: Where the match stands.
        edit: What is changed.
        source: Who changes it, as entries name it.

    Raises:
        RefusedCommandError: The event does not stand any more.
    """
    opened = tuple((entry, Line(entry, None, changed=True)) for entry in laid_open(standing, edit))
    found = (
        _read_as_well(standing, edit),
        _turned_up_as_well(standing, edit),
        _turn_up_played(standing, edit),
        _exchange_missed(standing, edit, source),
        _exchange_impossible(standing, edit),
        _given_up(standing, edit),
    )
    return tuple(dict.fromkeys([opened, *(() if each is None else (each,) for each in found)]))


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
    return None if found is None else (found, Line(None, as_told(found, taken, source), changed=True))


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
