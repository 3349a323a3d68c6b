"""The record as a phone corrects it: hands and events, what else they may have been, what a change comes to.

Everything is worked out here; the page shows it. What a phone may not see is left out before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from itertools import pairwise
from typing import Any

from companion.live.alternatives import Alternative
from companion.live.command import (
    Correct,
    Edit,
    Insert,
    InsertHand,
    InsertTrick,
    RemoveTrick,
    Swap,
    named_by,
)
from companion.live.correction import Proposal
from companion.live.doubt import count_over
from companion.live.hand import HandFold
from companion.live.naming import names_through
from companion.live.place import hand_place, leader_after, trick_of
from companion.live.standing import Standing
from companion.live.view import gaps_view
from companion.rules.cards import Player
from companion.rules.event_form import event_to_json
from companion.rules.events import CardPlayed, Event
from companion.rules.points import Award, PointRange
from companion.table.entry import Settled

__all__ = ["alternative_view", "edit_view", "hands_view", "hidden_proposal_view", "proposal_view"]

Json = dict[str, Any]


def hands_view(
    standing: Standing, *, sees: Callable[[HandFold], bool], pictured: Callable[[float], bool]
) -> Json:
    """Return all hands with their events, the newest first, and what was changed, the newest first.

    Beside a hand stand the times when nobody saw it and of which nobody has said that nothing is missing.

    Args:
        standing: Where the match stands.
        sees: Whether the phone may see what happened in a hand.
        pictured: Whether there is a picture of what happened at a time.
    """
    hands = [
        {
            **_name(standing, place),
            "over": hand.state.over,
            "last": hand.events[-1].seq,
            "award": _award(hand.award),
            "carried": carried,
            "given_up": hand.state.given_up,
            "events": [_event(standing, hand, entry, pictured) for entry in hand.events]
            if sees(hand)
            else [],
            "unseen": [list(gap) for gap in gaps_view(hand.unseen)] if sees(hand) else [],
        }
        for place, (hand, carried) in enumerate(zip(standing.hands, standing.carried, strict=True))
    ]
    seen = {entry.seq for hand in standing.hands if sees(hand) for entry in hand.events}
    whole = all(sees(hand) for hand in standing.hands)
    named = pairwise(names_through(standing))
    changes = [
        {
            "at": each.told.at,
            "source": each.told.source,
            "names": None if each.told.renamed is None else [list(names) for names in before_and_after],
            "was": _event_or_none(each.told.was),
            "now": _event_or_none(each.told.now),
            "seq": each.seq,
            "answer": each.told.answers is not None,
        }
        for each, before_and_after in zip(standing.corrections, named, strict=True)
        if whole or each.seq in seen or each.told.renamed is not None
    ]
    return {"hands": hands[::-1], "changes": changes[::-1]}


def alternative_view(each: Alternative) -> Json:
    """Return an alternative as the page shows it."""
    return {
        "event": event_to_json(each.event),
        "edit": edit_view(each.edit),
        "fits": each.fits,
        "looks": None if each.looks is None else round(each.looks, 3),
        "turned": each.turned,
        "breaches": max(0, each.breaches),
        "unnamed": each.unnamed,
    }


def edit_view(edit: Edit) -> Json:
    """Return a change as the command that makes it, JSON."""
    match edit:
        case Correct(seq, event):
            return {"type": "correct", "seq": seq, "event": _event_or_none(event)}
        case Insert(after, event):
            return {"type": "insert", "after": after, "event": event_to_json(event)}
        case InsertTrick(after):
            return {"type": "insert_trick", "after": after}
        case InsertHand(after, result):
            return {"type": "insert_hand", "after": after, "result": event_to_json(result)}
        case RemoveTrick(seq):
            return {"type": "remove_trick", "seq": seq}
        case Swap(seq, other):
            return {"type": "swap", "seq": seq, "with": other}


def proposal_view(edit: Edit, proposal: Proposal) -> Json:
    """Return what a change comes to: only what would be another afterwards, each before and after."""
    before, after = proposal.before, proposal.after
    opens = isinstance(edit, InsertHand) and after.match.number != before.match.number
    # what the match before came to stays as it is
    of_match = () if opens else _match_rows(before, after)
    rows = [*_hand_rows_of(edit, before, after), *of_match]
    return {
        **_named(edit, after if opens else before),
        "edit": edit_view(edit),
        "changes": _changed(edit, before),
        "turned": proposal.turned,
        "opens_match": opens,
        "rows": [row for row in rows if row["before"] != row["after"]],
    }


def hidden_proposal_view(edit: Edit, standing: Standing, seen: Set[int]) -> Json:
    """Return what a change is, for a phone that may not see what it comes to.

    Args:
        edit: The change.
        standing: Where the match stands.
        seen: Numbers of the entries that the phone shows: what others were is not told.
    """
    known = isinstance(edit, InsertHand) or hand_place(standing, named_by(edit)) is not None
    name = _named(edit, standing) if known else {}
    changes = _changed(edit, standing) if known else []
    if named_by(edit) not in seen:
        changes = [{**each, "was": None} for each in changes]
    return {**name, "edit": edit_view(edit), "changes": changes, "turned": 0, "rows": None}


def _named(edit: Edit, standing: Standing) -> Json:
    """Which hand is changed; one that is put in comes after that whose last entry is named, if any."""
    place = hand_place(standing, named_by(edit))
    if not isinstance(edit, InsertHand):
        return {} if place is None else _name(standing, place)
    return _name(standing, 0 if place is None else place + 1)


def _hand_rows_of(edit: Edit, before: Standing, after: Standing) -> Iterator[Json]:
    place = hand_place(before, named_by(edit))
    if place is None or isinstance(edit, InsertHand):
        return
    gone = len(after.hands) < len(before.hands)
    yield from _hand_rows(before.hands[place], None if gone else after.hands[place])


def _changed(edit: Edit, standing: Standing) -> list[Json]:
    events = {entry.seq: entry.event for hand in standing.hands for entry in hand.events}
    match edit:
        case Correct(seq, event):
            pairs: list[tuple[Event | None, Event | None]] = [(events[seq], event)]
        case Insert(_, event):
            pairs = [(None, event)]
        case InsertTrick(after):
            leader = leader_after(standing, after)
            players = () if leader is None else (leader, leader.other)
            pairs = [(None, CardPlayed(player, None)) for player in players]
        case InsertHand(_, result):
            pairs = [(None, result)]
        case RemoveTrick(seq):
            pairs = [(entry.event, None) for entry in trick_of(standing, seq) or ()]
        case Swap(seq, other):
            one, two = events[seq], events[other]
            pairs = [(one, _with_card_of(one, two)), (two, _with_card_of(two, one))]
    return [{"was": _event_or_none(was), "now": _event_or_none(now)} for was, now in pairs]


def _with_card_of(one: Event, two: Event) -> Event:
    if isinstance(one, CardPlayed) and isinstance(two, CardPlayed):
        return CardPlayed(one.player, two.card)
    return one


def _hand_rows(old: HandFold, new: HandFold | None) -> Iterator[Json]:
    for player in Player:
        yield _row("total", _total(old, player), _total(new, player), player)
    for player in Player:
        yield _row("tricks", _tricks(old, player), _tricks(new, player), player)
    yield _row("trump", _trump(old), _trump(new))
    for player in Player:
        yield _row("breaches", _breaches(old, player), _breaches(new, player), player)
    yield _row("over", old.state.over, new is not None and new.state.over)
    yield _row("award", _award(old.award), None if new is None else _award(new.award))


def _match_rows(before: Standing, after: Standing) -> Iterator[Json]:
    one, two = before.match, after.match
    yield _row("match", one.number, two.number)
    for player in Player:
        yield _row("points", one.shown_points[player], two.shown_points[player], player)
    for player in Player:
        yield _row("marks", one.bummerl_marks[player], two.bummerl_marks[player], player)
    yield _row("carry", one.carry, two.carry)
    yield _row("winner", _player(one.winner), _player(two.winner))
    if one.rules.series != "none":
        for player in Player:
            yield _row("wins", one.matches_won[player], two.matches_won[player], player)
        yield _row("series", list(one.series_won), list(two.series_won))


def _row(what: str, before: Any, after: Any, player: Player | None = None) -> Json:  # noqa: ANN401 - plain JSON
    return {"what": what, "player": _player(player), "before": before, "after": after}


def _total(hand: HandFold | None, player: Player) -> list[int] | None:
    return None if hand is None else _range(count_over(hand.states, player).total)


def _tricks(hand: HandFold | None, player: Player) -> int | None:
    return None if hand is None else hand.state.tricks_of(player)


def _breaches(hand: HandFold | None, player: Player) -> int:
    return 0 if hand is None else sum(each.player is player for each in hand.state.breaches)


def _trump(hand: HandFold | None) -> str | None:
    trump = None if hand is None else hand.state.trump
    return None if trump is None else trump.letter


def _range(points: PointRange) -> list[int]:
    return [points.low, points.high]


def _award(award: Award | None) -> Json | None:
    if award is None:
        return None
    return {"winner": _player(award.winner), "game_points": award.game_points, "reason": award.reason}


def _player(player: Player | None) -> int | None:
    return None if player is None else int(player)


def _name(standing: Standing, place: int) -> Json:
    """Which hand this is: of the match that is played, or of one before it."""
    earlier = place < standing.first_hand
    before = standing.started.hands if earlier else standing.hands_before - standing.first_hand
    return {
        "hand": place + 1 + before,
        "earlier": earlier,
        "current": place == len(standing.hands) - 1,
    }


def _event(standing: Standing, hand: HandFold, entry: Settled, pictured: Callable[[float], bool]) -> Json:
    return {
        "seq": entry.seq,
        "event": event_to_json(entry.event),
        "source": entry.source,
        "corrected": entry.seq in standing.corrected,
        "unfit": entry.seq in hand.unfit,
        "picture": not hand.noted and pictured(entry.time),
    }


def _event_or_none(event: Event | None) -> Json | None:
    return None if event is None else event_to_json(event)
