"""A hand of the log as JSON: as an entry of a list, and what there is to say beside its story."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from companion.history.hands import PlayedHand, Question
from companion.live.changes import Correction
from companion.rules.event_form import event_to_json
from companion.rules.events import Event
from companion.rules.record import result_of
from companion.table.entry import CAMERA, Settled, in_all

__all__ = ["DOUBTED", "listed", "notes_of"]

DOUBTED = 0.9
"""A card read with less confidence is marked."""

Json = dict[str, Any]


def listed(hand: PlayedHand) -> Json:
    """Write a hand as an entry of a list."""
    return {
        **({"table": hand.table} if hand.table else {}),
        "number": hand.number,
        "match": hand.match,
        "hand": hand.hand,
        "names": list(hand.names),
        "began": None if hand.began is None else hand.began.isoformat(timespec="seconds"),
        "result": result_of(hand.fold.state).to_json(),
        "carried": hand.carried,
        "decides": _decided(hand),
    }


def _decided(hand: PlayedHand) -> Json | None:
    """Write what the match came to that this hand decided; `None`: it goes on."""
    match = hand.after
    if match.winner is None:
        return None
    return {"winner": match.winner, "points": list(match.won_points), "mark": match.mark}


def notes_of(hand: PlayedHand, pictured: Callable[[float], bool]) -> Json:
    """Write how the events of a hand came to be known.

    Args:
        hand: The hand.
        pictured: Whether there is a picture of what happened at a time.

    Returns:
        `deal`, and one of `notes` for each later event: `picture` (its number among the kept pictures),
        `source`, `confidence` where it was read with doubt, `unseen` where nobody saw the table before it for
        so many seconds (`None`: nobody had looked before), `was` where somebody corrected it, `questions`;
        and `removed`: what was taken out.
    """
    deal, *notes = (_note(hand, entry, pictured) for entry in hand.entries)
    return {"deal": deal, "notes": notes, "removed": list(_removed(hand))}


def _note(hand: PlayedHand, entry: Settled, pictured: Callable[[float], bool]) -> Json:
    note: Json = {"source": entry.source}
    if pictured(entry.time):
        note["picture"] = round(entry.time * 1000)
    if entry.source == CAMERA and entry.confidence < DOUBTED:
        note["confidence"] = round(entry.confidence, 2)
    if gaps := hand.gaps_before(entry):
        note["unseen"] = in_all(gap.whole_seconds for gap in gaps)
    if entry.seq in hand.corrected:
        note["corrected"] = _change(next((each for each in hand.corrections if each.seq == entry.seq), None))
    if asked := [_question(each) for each in hand.questions if each.seq == entry.seq]:
        note["questions"] = asked
    return note


def _change(change: Correction | None) -> Json:
    """Write who changed an entry and what it was; empty where the table itself thought better of it."""
    if change is None:
        return {}
    return {"by": change.told.source, "at": change.told.at, "was": _event(change.told.was)}


def _question(question: Question) -> Json:
    return {
        "text": question.text,
        "settled": question.settled,
        "by": question.by,
        "options": [event_to_json(each) for each in question.options],
        "answer": _event(question.answer),
    }


def _removed(hand: PlayedHand) -> Iterator[Json]:
    for each in hand.corrections:
        if each.told.now is None:
            yield _change(each)


def _event(event: Event | None) -> Json | None:
    return None if event is None else event_to_json(event)
