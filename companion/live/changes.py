"""What people have changed in the record, followed through all that was changed after it.

A change withdraws everything from there on and writes it anew (`companion.live.rewriting`), so what stands
for a changed event gets another number with each later change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from companion.rules.events import CardPlayed, Claimed, Dealt
from companion.store.item import Corrected
from companion.table.entry import Asked, Entry, Retracted, Settled

__all__ = ["Changes", "Correction", "LastAnswer", "changes_of"]


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
class LastAnswer:
    """What the newest answer has made of cards, while nothing else has happened since.

    Attributes:
        asked: The question.
        seq: Number of the entry that was asked about, as it stands now.
        first: All that stands with this number or a later one is what the answer has made of the record.
        before: What stood there until then.
    """

    asked: Asked
    seq: int
    first: int
    before: tuple[Settled, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """All that was changed since a match began.

    Attributes:
        corrections: Oldest first.
        rewritten: Numbers of the entries that were written with them; what they say of the past is no news.
        corrected: Numbers of entries written in place of withdrawn ones, by people or by the decoder.
        struck: When the claims that were struck out or changed had been made, seconds on the log's clock.
        last_answer: What can be taken back as the newest answer; `None`: there is none.
    """

    corrections: tuple[Correction, ...]
    rewritten: frozenset[int]
    corrected: frozenset[int]
    struck: tuple[float, ...]
    last_answer: LastAnswer | None


def changes_of(told: Sequence[Corrected], entries: Sequence[Entry], settled: Sequence[Settled]) -> Changes:
    """Return what was changed, and what stands for it.

    Args:
        told: What was changed, oldest first.
        entries: All entries of the match.
        settled: Those that stand, in their order.
    """
    edits = [each for each in told if not each.undone]
    rewritten = {seq for each in edits for seq in range(each.first, each.last + 1)}
    standing = {entry.seq for entry in settled}
    made = {entry.seq: entry.time for entry in entries}
    claims = [each for each in edits if isinstance(each.was, Claimed)]
    corrected, numbers = _followed(told, entries)
    return Changes(
        corrections=tuple(
            Correction(each, seq if seq in standing else None)
            for each, seq in zip(told, numbers, strict=True)
        ),
        rewritten=frozenset(rewritten),
        corrected=_corrected([entry for entry in entries if entry.seq not in rewritten]) | corrected,
        struck=tuple(made.get(each.old, each.time) for each in claims if each.old is not None),
        last_answer=_last_answer(told, entries, settled),
    )


def _last_answer(
    told: Sequence[Corrected], entries: Sequence[Entry], settled: Sequence[Settled]
) -> LastAnswer | None:
    """What the newest answer has made of cards, and the decoder, because of it, of the rest."""
    newest = told[-1] if told else None
    if newest is None or newest.answers is None or not settled or settled[-1].time > newest.time:
        return None  # no answer, or something has happened since
    by_seq = {entry.seq: entry for entry in entries}
    asked = by_seq.get(newest.answers)
    block = [each for each in told if each.first == newest.first]
    if not isinstance(asked, Asked) or not all(_names_card(each) for each in block):
        return None
    gone = {one.withdraws for one in entries if isinstance(one, Retracted) and one.seq < newest.first}
    stood = [one for one in entries if isinstance(one, Settled) and one.seq < newest.first]
    stood = sorted((one for one in stood if one.seq not in gone), key=lambda one: one.seq)
    same = sum(one is other for one, other in zip(stood, settled, strict=False))
    before, now = stood[same:], settled[same:]
    changed = [old for old in before if old.seq in {each.old for each in block}]
    if not changed or not 0 < len(now) <= len(before):
        return None
    about = next((old for old in changed if old.seq == asked.about or asked.is_of(old)), changed[0])
    seq = next((entry.seq for entry in now if entry.time == about.time), None)
    return None if seq is None else LastAnswer(asked, seq, now[0].seq, tuple(before))


def _names_card(change: Corrected) -> bool:
    """Whether a card was named anew, or lost its name, and the event is there still."""
    return isinstance(change.was, CardPlayed | Dealt) and isinstance(change.now, CardPlayed | Dealt)


def _corrected(entries: Sequence[Entry]) -> frozenset[int]:
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


def _followed(told: Sequence[Corrected], entries: Sequence[Entry]) -> tuple[frozenset[int], list[int | None]]:
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
