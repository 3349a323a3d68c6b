"""How many taps it takes to put a hand right that was read by a bad detector, and whether it can be.

    python -m tests.live.correction_trial lasting 200 --seed 1000 --jobs 2

The hands are those of `tests.decoding.trial`. Nobody answers while they are played. Then somebody who knows
what happened opens the course of the hand, goes down to the first line that is wrong, and takes of what the
page offers there (`alternatives`, what may be missing before it, that it did not happen) what brings the
record nearest to the truth, until all of it is right.
"""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial

from companion.live.alternatives import alternatives, can_go, missed, trick_can_go
from companion.live.command import Correct, Edit, InsertTrick, RefusedCommandError, RemoveTrick
from companion.live.correction import edited
from companion.live.standing import Standing
from companion.live.table import LiveTable
from companion.rules.events import CardPlayed, Event
from companion.table.entry import Settled
from tests.decoding.trial import LOOKS_ON_S, PROFILES, filmed, played_live, shown

MOST = 25
"""More taps nobody gives a hand."""


@dataclass(frozen=True, slots=True)
class Repair:
    """How a hand was put right.

    Attributes:
        wrong: How many lines of the record had to be put in, taken out or changed, whose player apart.
        taps: What was chosen, in order, as (event at which, what).
        left: What the record still differs in; empty: it is right.
    """

    wrong: int
    taps: tuple[tuple[str, str], ...]
    left: tuple[str, ...]


def short(event: Event | None) -> str:
    """An event as a line for people who read the list."""
    if event is None:
        return "nothing"
    fields = (getattr(event, name) for name in event.__dataclass_fields__)
    return " ".join([type(event).__name__, *(getattr(one, "name", None) or str(one) for one in fields)])


def settled(standing: Standing) -> list[Settled]:
    """The record, one entry after the other."""
    return [entry for hand in standing.hands for entry in hand.events]


def distance(truth: Sequence[Event], written: Sequence[Event]) -> float:
    """How many lines differ; a card told for the other player counts a tenth."""
    far = 0.0
    for tag, start, end, first, last in SequenceMatcher(None, truth, written, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        far += max(end - start, last - first)
        for true, told in zip(truth[start:end], written[first:last], strict=False):
            if isinstance(true, CardPlayed) and isinstance(told, CardPlayed) and true.card == told.card:
                far -= 0.9
    return far


def prefix(truth: Sequence[Event], written: Sequence[Event]) -> int:
    """How many lines are right from the first on."""
    pairs = zip(truth, written, strict=False)
    wrong = (at for at, (true, told) in enumerate(pairs) if true != told)
    return next(wrong, min(len(truth), len(written)))


def offers(standing: Standing, place: int) -> list[tuple[Edit, Event | None]]:
    """What the page offers at a line of the record: instead of it, before it, or that it did not happen."""
    entries = settled(standing)
    found: list[tuple[Edit, Event | None]] = []
    if place < len(entries):
        seq = entries[place].seq
        found += [(each.edit, each.event) for each in alternatives(standing, seq) if each.fits]
        if can_go(standing, seq):
            found.append((Correct(seq, None), None))
        if trick_can_go(standing, seq):
            found.append((RemoveTrick(seq), None))
    if 0 < place <= len(entries):
        found += [(each.edit, each.event) for each in missed(standing, entries[place - 1].seq)]
    return found


def events_after(standing: Standing, edit: Edit) -> list[Event]:
    """The record as it would be."""
    kept, lines = edited(standing, edit, "phone:referee")
    return [entry.event for entry in (*kept, *(one.new for one in lines if one.new is not None))]


def repair(table: LiveTable, truth: Sequence[Event]) -> Repair:
    """Put the record of one hand right, one tap at a time."""
    taps: list[tuple[str, str]] = []
    written = [entry.event for entry in settled(table.standing())]
    wrong = round(distance(truth, written))
    while written != list(truth) and len(taps) < MOST:
        standing = table.standing()
        right = prefix(truth, written)
        # whoever goes down the lines puts the first wrong one right; only where that cannot be, another
        best: tuple[tuple[int, float], int, Edit, Event | None] | None = None
        for place in [right, *(at for at in range(len(written) + 1) if at != right)]:
            for edit, event in offers(standing, place):
                after = events_after(standing, edit)
                named = 2 * isinstance(edit, InsertTrick)  # its cards, with a tap each
                after[place : place + named] = truth[place : place + named]
                worth = prefix(truth, after) - named, -distance(truth, after)
                if best is None or worth > best[0]:
                    best = worth, place, edit, event
            if best is not None and best[0][0] > right:
                break
        if best is None or best[0] <= (right, -distance(truth, written)):
            break
        _, place, edit, event = best
        at = short(written[place]) if place < len(written) else "end"
        taps.append((at, f"{type(edit).__name__} {short(event)}"))
        try:
            table.submit(edit)
        except RefusedCommandError as error:
            taps.append(("refused", str(error)))
            break
        written = [entry.event for entry in settled(table.standing())]
    left = ()
    if written != list(truth):
        codes = SequenceMatcher(None, truth, written, autojunk=False).get_opcodes()
        left = tuple(
            f"{', '.join(map(short, truth[a:b]))} told {', '.join(map(short, written[c:d]))}"
            for tag, a, b, c, d in codes
            if tag != "equal"
        )
    return Repair(wrong, tuple(taps), left)


def repaired(seed: int, profile: str) -> Repair:
    """Read a hand at a live table and put it right."""
    show = shown(seed, profile)
    _, seen = filmed(show, profile, seed, looks_on_s=LOOKS_ON_S)
    # what is refused, and asked, is put right later
    with played_live(show, seen, look=lambda table, time: None, refused=[]) as (table, _):
        return repair(table, [event for _, event in show.events[0]])


def main() -> int:
    """Play, put right and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("profile", choices=list(PROFILES))
    parser.add_argument("hands", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.hands)
    taps: Counter[int] = Counter()
    stuck = 0
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for seed, one in zip(
            seeds, pool.imap(partial(repaired, profile=options.profile), seeds), strict=True
        ):
            if one.left:
                stuck += 1
            else:
                taps[len(one.taps)] += 1
            if one.left or (options.list and len(one.taps) > 1):
                print(
                    seed,
                    f"{one.wrong} wrong",
                    *one.taps,
                    "LEFT" if one.left else "",
                    *one.left,
                    sep="\n   ",
                    flush=True,
                )
    print("taps", dict(sorted(taps.items())), "not put right", stuck)
    return 0


if __name__ == "__main__":
    sys.exit(main())
