"""What an event may have been instead, likeliest first, as far as the rest of the record allows it.

A card's price is what the classifier thought of it while it lay there, where that was kept, and what
the rules say of the hand with it: a broken rule and plays that go to the other player make it unlikely.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from companion.decoding.likelihood import LOG_BREACH
from companion.live.command import (
    Correct,
    Edit,
    Insert,
    InsertTrick,
    RefusedCommandError,
    RemoveTrick,
    Swap,
)
from companion.live.correction import edited, hands_after
from companion.live.hand import HandFold, fold_hand
from companion.live.place import entry_of, is_unnamed_trick, leader_after
from companion.live.standing import MOST_POINTS, Standing
from companion.rules.cards import Card, Player, Suit
from companion.rules.events import (
    Agreed,
    CardPlayed,
    Claimed,
    Closed,
    Conceded,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, legal_events
from companion.rules.scoring import players_out
from companion.table.entry import Settled, played_elsewhere

__all__ = ["Alternative", "alternatives", "can_go", "missed", "trick_can_go"]

LOG_TURNED = -3.0
"""The players of later plays changed over: their hands were seen on the wrong side."""
LOG_SWAPPED = -2.0
"""Two cards told in the other order."""
LOG_ELSEWHERE = -4.0
"""A card that another play, or the turn-up, was taken for: two were misread."""
LOG_UNLIKE = -1.0
"""Where no picture was kept: a card of another suit and another rank is mistaken for this one less often."""
LOG_WHOLE_TRICK = -2.0
"""Two plays were missed, one after the other."""
LOG_THROWN_IN = -3.0
"""Whoever led had claimed, and the cards were thrown in."""
LOG_NOT_SEEN = -9.0
"""A card of which the classifier did not think at all."""

Looks = Mapping[Card, float]
"""Log-probabilities of what a card looked like, as far as they were kept."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """What an event may have been.

    Attributes:
        event: What.
        edit: The command that makes it so.
        fits: Whether the rest of the record allows it.
        looks: Probability by the classifier, 0 to 1; `None` where nothing was kept.
        turned: How many later entries go to the other player with it.
        breaches: How many more broken rules the hand has with it.
        unnamed: Whether another card loses its name with it, and is asked about.
        price: What it is ranked by, nats; the largest is likeliest.
    """

    event: Event
    edit: Edit
    fits: bool
    looks: float | None = None
    turned: int = 0
    breaches: int = 0
    unnamed: bool = False
    price: float = 0.0


def alternatives(standing: Standing, seq: int, looks: Looks | None = None) -> tuple[Alternative, ...]:
    """Return what the entry `seq` may have been, likeliest first; what cannot have been comes last.

    Args:
        standing: Where the match stands.
        seq: Number of the entry.
        looks: What its card looked like, where that was kept.

    Raises:
        RefusedCommandError: The entry does not stand.
    """
    hand, entry = entry_of(standing, seq)
    found = [
        _weighed(standing, Correct(seq, event), event, looks)
        for event in _instead(standing, hand, entry.event)
    ]
    found += _ended_before(standing, hand, entry)
    found = [_swapped(standing, hand, entry, each, looks) for each in found]
    if looks is None:
        found = [_by_likeness(entry.event, each) for each in found]
    return _ranked(found)


def _by_likeness(event: Event, each: Alternative) -> Alternative:
    """Return an alternative with what a mistake between two cards costs by their faces alone."""
    one, two = _card(event), _card(each.event)
    alike = one is None or two is None or one.suit is two.suit or one.rank is two.rank
    return each if alike else replace(each, price=each.price + LOG_UNLIKE)


def _card(event: Event) -> Card | None:
    match event:
        case CardPlayed(_, card) | Dealt(_, card):
            return card
        case _:
            return None


def missed(standing: Standing, after: int) -> tuple[Alternative, ...]:
    """Return what may have been missed right after the entry `after`, likeliest first.

    Raises:
        RefusedCommandError: The entry does not stand.
    """
    hand, entry = entry_of(standing, after)
    before = [each for each in hand.events if each.seq <= entry.seq]
    state = fold_hand(standing.rules, tuple(before)).state
    events: list[Event] = [each for each in legal_events(state) if not isinstance(each, Dealt)]
    if not state.over:
        players = tuple(Player) if state.to_play is None else (state.to_play,)
        for player in players:
            cards = (*state.candidates(player), None)
            events.extend(CardPlayed(player, card) for card in cards)
        events.append(GivenUp())
        events.extend(_concession(state))
    # a word that stands there is not missing: whoever puts it in again has been slower than another phone
    told = next((each.event for each in hand.events if each.seq > entry.seq), None)
    events = [each for each in events if each != told or isinstance(each, CardPlayed)]
    found = [_weighed(standing, Insert(after, event), event, None) for event in dict.fromkeys(events)]
    leader = leader_after(standing, after)
    if leader is not None and not is_unnamed_trick(standing, after):
        found.append(_weighed(standing, InsertTrick(after), CardPlayed(leader, None), None))
    return _ranked([each for each in found if each.fits])


def can_go(standing: Standing, seq: int) -> bool:
    """Whether the rest of the record allows that the entry `seq` did not happen."""
    return _weighed(standing, Correct(seq, None), GivenUp(), None).fits


def trick_can_go(standing: Standing, seq: int) -> bool:
    """Whether the rest of the record allows that the trick of the entry `seq` was not played."""
    return _weighed(standing, RemoveTrick(seq), GivenUp(), None).fits


def _concession(state: HandState) -> tuple[Event, ...]:
    """Return that whoever closed threw the cards in, where somebody did."""
    return () if state.closed_by is None else (Conceded(state.closed_by),)


def _instead(standing: Standing, hand: HandFold, event: Event) -> Iterator[Event]:
    """Give what may take the place of `event`."""
    match event:
        case CardPlayed(player, card):
            yield from (CardPlayed(player, each) for each in standing.rules.pack if each != card)
            if card is not None:
                yield CardPlayed(player, None)
            yield CardPlayed(player.other, card)
        case Dealt(dealer, up):
            yield from (Dealt(dealer, each) for each in standing.rules.pack if each != up)
            yield Dealt(dealer.other, up)
        case MarriageDeclared(player, suit):
            yield from (MarriageDeclared(player, each) for each in Suit if each is not suit)
            yield MarriageDeclared(player.other, suit)
        case Claimed(player):
            yield Claimed(player.other)
            yield GivenUp()
            yield from _concession(hand.state)
        case Conceded():
            yield from (Claimed(player) for player in Player)
            yield GivenUp()
        case GivenUp():
            yield from (Claimed(player) for player in Player)
            yield from _concession(hand.state)
        case Closed(player, before_draw):
            yield Closed(player.other, before_draw)
            if before_draw or standing.rules.close_before_draw:
                yield Closed(player, not before_draw)
            yield Exchanged(player)
        case Exchanged(player):
            yield Exchanged(player.other)
            yield Closed(player)
        case Agreed():
            paid = [Agreed(player, points) for player in Player for points in range(1, MOST_POINTS + 1)]
            yield from (each for each in (*paid, Agreed(None, 0)) if each != event)
        case Knocked(player) | RevokeCalled(player):
            yield replace(event, player=player.other)
        case _:
            return


def _ended_before(standing: Standing, hand: HandFold, entry: Settled) -> list[Alternative]:
    """Give the claim that a lead was, where its player was out: then the cards were only thrown in."""
    if not isinstance(entry.event, CardPlayed):
        return []
    state = fold_hand(standing.rules, hand.events[: hand.events.index(entry)]).state
    if state.led is not None or entry.event.player not in players_out(state):
        return []
    claim = Claimed(entry.event.player)
    each = _weighed(standing, Correct(entry.seq, claim), claim, None)
    return [replace(each, price=each.price + LOG_THROWN_IN)] if each.fits else []


def _weighed(standing: Standing, edit: Edit, event: Event, looks: Looks | None) -> Alternative:
    try:
        kept, lines = edited(standing, edit, "")
    except RefusedCommandError:
        return Alternative(event, edit, fits=False)
    hands = hands_after(standing, kept, lines)
    if hands is None:
        return Alternative(event, edit, fits=False)
    breaches = sum(len(hand.state.breaches) for hand in hands)
    more = breaches - sum(len(hand.state.breaches) for hand in standing.hands)
    turned = sum(
        not line.changed
        and line.old is not None
        and line.new is not None
        and line.old.event != line.new.event
        for line in lines
    )
    card = _card(event)
    look = None if looks is None or card is None else looks.get(card, LOG_NOT_SEEN)
    unnamed = isinstance(edit, Correct) and any(
        line.changed and line.old is not None and line.old.seq != edit.seq for line in lines
    )
    price = LOG_BREACH * max(0, more) + LOG_TURNED * bool(turned) + LOG_ELSEWHERE * unnamed + (look or 0.0)
    if isinstance(edit, InsertTrick):
        price += LOG_WHOLE_TRICK
    elif card is None and isinstance(event, CardPlayed):
        price += 2 * LOG_NOT_SEEN  # that nobody knows is the last thing to say
    return Alternative(
        event, edit, True, None if look is None else math.exp(look), turned, more, unnamed, price
    )


def _swapped(
    standing: Standing, hand: HandFold, entry: Settled, each: Alternative, looks: Looks | None
) -> Alternative:
    """Return the swap with the other card of the trick, where that is said to have been this card."""
    if not isinstance(each.event, CardPlayed) or each.event.card is None:
        return each
    other = played_elsewhere(hand.events, each.event.card, entry)
    if other is None or not isinstance(entry.event, CardPlayed) or entry.event.card is None:
        return each
    plays = [one.seq for one in hand.events if isinstance(one.event, CardPlayed)]
    together = plays.index(entry.seq) // 2 == plays.index(other.seq) // 2
    if each.fits and not together:
        return each
    swap = _weighed(standing, Swap(entry.seq, other.seq), each.event, looks)
    return replace(swap, price=swap.price + LOG_SWAPPED) if swap.fits else each


def _ranked(found: list[Alternative]) -> tuple[Alternative, ...]:
    return tuple(sorted(found, key=lambda each: (not each.fits, -each.price)))
