"""How a change of the record is written down: withdrawn from there on, and written anew.

Questions that are still open keep their place among the entries. The items in front say who changed
what; everything is appended together, so that a log holds all of it or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Dealt, Event
from companion.store.item import Corrected, Item
from companion.table.entry import CAMERA, Asked, Retracted, Settled

__all__ = ["Line", "Revision", "about_any", "about_of", "as_told", "lead_before", "rewritten", "trick_asked"]


@dataclass(frozen=True, slots=True)
class Line:
    """An entry from the first change on.

    Attributes:
        old: As it stands; `None`: it was missed.
        new: As it is written anew, with any number; `None`: it did not happen.
        changed: Whether this is what was changed, rather than what follows from it.
    """

    old: Settled | None
    new: Settled | None
    changed: bool = False


def as_told(entry: Settled, event: Event, source: str) -> Settled:
    """Return an entry as somebody has said that it was."""
    return replace(entry, event=event, confidence=1.0, source=source)


@dataclass(frozen=True, slots=True)
class Revision:
    """How a change is written down.

    Attributes:
        items: What is appended to the log, all or none.
        seq: Number of the entry that stands for the changed event afterwards; `None`: it is gone.
        turned: How many later entries go to the other player.
    """

    items: tuple[Item, ...]
    seq: int | None
    turned: int


def rewritten(
    lines: Sequence[Line],
    questions: Sequence[Asked],
    *,
    now: float,
    today: str,
    first: int,
    source: str,
    answers: int | None,
) -> Revision:
    """Return the items that withdraw the old entries of `lines` and write the new ones.

    Args:
        lines: From the first change on; where none is changed, they are moved as they are.
        questions: What is open, oldest first.
        now: Seconds on the log's clock.
        today: Date and time of the wall clock, ISO 8601.
        first: Number of the next entry.
        source: Who changes it.
        answers: Number of the question that is answered by it.
    """
    settled = [each for each in questions if each.seq != answers and _is_settled(lines, each)]
    left = [each for each in questions if each not in settled]
    asked = [_turned(each, lines) for each in _among(lines, left, answers)]
    old = [line.old.seq for line in lines if line.old is not None]
    gone = sorted([*old, *(each.seq for each in (*settled, *asked))], reverse=True)
    retracted = [Retracted(first + place, now, seq, source) for place, seq in enumerate(gone)]
    seq = first + len(retracted)
    written: list[Settled | Asked] = []
    seq_of: dict[int, int] = {}
    for place, line in enumerate(lines):
        while asked and line.old is not None and asked[0].seq < line.old.seq:
            written.append(replace(asked.pop(0), seq=seq + len(written)))
        if line.new is not None:
            seq_of[place] = seq + len(written)
            written.append(replace(line.new, seq=seq_of[place]))
    for each in asked:
        written.append(replace(each, seq=seq + len(written)))
    number = {line.old.seq: seq_of[at] for at, line in enumerate(lines) if line.old and at in seq_of}
    told = [
        Corrected(
            at=today,
            time=now,
            source=source,
            first=first,
            last=seq + len(written) - 1,
            old=None if line.old is None else line.old.seq,
            new=seq_of.get(place),
            was=None if line.old is None else line.old.event,
            now=None if line.new is None else line.new.event,
            answers=answers,
        )
        for place, line in enumerate(lines)
        if line.changed
    ]
    entries = [
        replace(each, about=number.get(each.about, each.about))
        if isinstance(each, Asked) and each.about is not None
        else each
        for each in written
    ]
    turned = sum(not line.changed and _player(line.old) is not _player(line.new) for line in lines)
    return Revision((*told, *retracted, *entries), told[0].new if told else None, turned)


def about_of(entries: Sequence[Settled], question: Asked, event: Event) -> int | None:
    """Return which of `entries` an answer changes; a question may have come before its entry was written."""
    if question.about is not None:
        return question.about
    if isinstance(event, CardPlayed) and question.shows is not None:
        there = [one for one in entries if one.seq > question.seq and question.is_of(one)]
        plays = [one for one in there if isinstance(one.event, CardPlayed)]
        own = [one for one in plays if getattr(one.event, "player", None) is event.player]
        return next((one.seq for one in (*own, *plays)), None)
    for entry in entries:
        if entry.seq < question.seq or type(entry.event) is not type(event):
            continue
        match event, entry.event:
            case Dealt(), Dealt():
                return entry.seq
            case CardPlayed(player), CardPlayed(other, None) if player is other and entry.source == CAMERA:
                return entry.seq
    return None


def about_any(entries: Sequence[Settled], question: Asked) -> int | None:
    """Return which of `entries` the first answer that changes one does."""
    about = (about_of(entries, question, option) for option in question.options)
    return next((seq for seq in about if seq is not None), None)


def lead_before(entries: Sequence[Settled], question: Asked) -> Card | None:
    """Return the card that was led where a question asks about an answer to it.

    `None`: it asks about a lead, or about something else than a play; or nobody knows the lead.

    Args:
        entries: Of the hand that is asked about, as they stand.
        question: What is asked.
    """
    plays = _plays_before(entries, question)
    return plays[-1].card if plays is not None and len(plays) % 2 else None


def trick_asked(entries: Sequence[Settled], question: Asked) -> int | None:
    """Return the number of the trick in which a play lies that is asked about; `None`: no play is.

    Args:
        entries: Of the hand that is asked about, as they stand.
        question: What is asked.
    """
    plays = _plays_before(entries, question)
    return None if plays is None else len(plays) // 2 + 1


def _plays_before(entries: Sequence[Settled], question: Asked) -> list[CardPlayed] | None:
    if not all(isinstance(option, CardPlayed) for option in question.options):
        return None
    about = about_any(entries, question)
    end = question.seq if about is None else about
    return [one.event for one in entries if one.seq < end and isinstance(one.event, CardPlayed)]


def _among(lines: Sequence[Line], questions: Sequence[Asked], answers: int | None) -> list[Asked]:
    """Questions that come after the first withdrawn entry and are not decided by the change."""
    entries = [line.old for line in lines if line.old is not None]
    if not entries:
        return []
    changed = {line.old.seq for line in lines if line.changed and line.old is not None}
    return [
        each
        for each in questions
        if each.seq != answers
        and (each.seq > entries[0].seq or each.about in {entry.seq for entry in entries})
        and changed.isdisjoint(about_of(entries, each, option) for option in each.options)
    ]


def _is_settled(lines: Sequence[Line], question: Asked) -> bool:
    """Whether a change takes away the word that a question was asked about as it was written."""
    if question.about is not None:
        return False
    line = next((one for one in lines if one.old is not None and one.old.seq > question.seq), None)
    if line is None or line.old is None or isinstance(line.old.event, CardPlayed | Dealt):
        return False
    return line.changed and line.old.event in question.options


def _turned(question: Asked, lines: Sequence[Line]) -> Asked:
    """Return a question with the player whose card it is about after the change."""
    line_of = {line.old.seq: line for line in lines if line.old is not None}
    old = [line.old for line in lines if line.old is not None]
    about = {about_of(old, question, option) for option in question.options}
    options = question.options
    for line in (line_of[seq] for seq in about if seq in line_of):
        before, now = _player(line.old), _player(line.new)
        options = tuple(
            replace(one, player=now)
            if now is not None and isinstance(one, CardPlayed) and one.player is before
            else one
            for one in options
        )
    return replace(question, options=options)


def _player(entry: Settled | None) -> Player | None:
    return None if entry is None else getattr(entry.event, "player", None)
