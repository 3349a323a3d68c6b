"""Evenings acted out as the rendered table plays them, read without pictures: what comes of the record.

    python -m tests.e2e.scripted_trial 100 --seed 300
    python -m tests.e2e.scripted_trial 30 --seed 300 --deals 3 --unpressed
    python -m tests.e2e.scripted_trial 100 --seed 300 --habit late=1 shows=1 counts=0

Players with habits drawn for each seed, seen by a detector that errs by a pixel and in nothing else. An
evening is *exact* where every hand is; where nobody tells a phone that 66 was claimed (`--unpressed`) all
but the claim must be as it was, and each hand pay whom it should. Of the others each difference is listed,
with what was asked.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import Pool

import numpy as np

from companion.decoding.decoder import Decoder
from companion.rules.event_form import event_from_json
from companion.rules.events import CardPlayed, Claimed, Event
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet, preset
from companion.synth.choreography import choreograph
from companion.synth.players import random_evening
from companion.synth.style import Style, View
from companion.table.entry import Asked, Entry
from companion.tracking.tracker import Tracker
from tests.e2e.plain_camera import FPS, readings

__all__ = ["Evening", "acted", "style_of", "written"]


@dataclass(frozen=True, slots=True)
class Evening:
    """What came of an evening.

    Attributes:
        seed: Decides what was played, and how.
        differences: One line for each hand that was not read as it was.
        questions: What was asked, each with its time in seconds.
    """

    seed: int
    differences: tuple[str, ...]
    questions: tuple[tuple[float, str], ...]


def style_of(seed: int, **habits: object) -> Style:
    """The habits of the players of a seed, with some of them fixed."""
    drawn = Style.random(np.random.default_rng([seed, 0x57]))
    return replace(drawn, **habits)  # type: ignore[arg-type]


def written(
    evening: Sequence[Record],
    seed: int,
    style: Style | None = None,
    *,
    pressed: bool = True,
    fps: float = FPS,
) -> tuple[tuple[Record, ...], list[Entry]]:
    """Hands and entries that come of hands acted out at a table, their claims pressed or not."""
    view = View()
    script = choreograph(list(evening), seed=seed, style=style, view=view)
    taps = [dict(entry) for entry in script.timeline if entry["type"] in ("claim", "knock") and pressed]
    tracker, decoder = Tracker(), Decoder(evening[0].rules)
    entries: list[Entry] = []
    for reading in readings(script, view, fps=fps, seed=seed):
        while taps and taps[0]["t"] <= reading.time:
            tap = taps.pop(0)
            time = tap.pop("t")
            entries += decoder.tell(event_from_json(tap), time, "phone:referee")
        entries += decoder.update(tracker.update(reading))
    entries += decoder.finish(script.duration)
    return decoder.records, entries


def acted(
    seed: int,
    deals: int = 1,
    *,
    rules: RuleSet | None = None,
    pressed: bool = True,
    fps: float = FPS,
    **habits: object,
) -> Evening:
    """Act an evening out, read it, and compare."""
    evening = random_evening(seed, deals, rules)
    found, entries = written(evening, seed, style_of(seed, **habits), pressed=pressed, fps=fps)
    differences = [f"{len(found)} hands, not {len(evening)}"] if len(found) != len(evening) else []
    for number, (was, read) in enumerate(zip(evening, found, strict=False), start=1):
        told = _difference(was, read, pressed)
        differences += [] if told is None else [f"hand {number}: {told}"]
    questions = tuple((round(one.time, 1), one.text) for one in entries if isinstance(one, Asked))
    return Evening(seed, tuple(differences), questions)


def _difference(was: Record, read: Record, pressed: bool) -> str | None:
    """The first thing in which a hand was read otherwise."""
    if (was.dealer, was.turned_up) != (read.dealer, read.turned_up):
        return f"dealt by {read.dealer.name}, {read.turned_up}; was {was.dealer.name}, {was.turned_up}"
    for one, other in zip(_compared(was, pressed), _compared(read, pressed), strict=False):
        if one != other:
            return f"{other}; was {one}"
    if len(_compared(was, pressed)) != len(_compared(read, pressed)):
        return f"ends with {read.events[-1]}; was {was.events[-1]}"
    paid = [(each.result.winner, each.result.game_points) for each in (was, read)]
    return None if paid[0] == paid[1] else f"pays {paid[1]} ({read.result.reason}); was {paid[0]}"


def _compared(record: Record, pressed: bool) -> list[Event]:
    """What must be as it was; of a marriage that was claimed upon nobody can tell which card was led."""
    if pressed:
        return list(record.events)
    events = [event for event in record.events if not isinstance(event, Claimed)]
    unanswered = sum(isinstance(event, CardPlayed) for event in events) % 2 and isinstance(
        events[-1], CardPlayed
    )
    return events[:-1] if unanswered else events


def _habit(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    return name, float(value)


def main() -> int:
    """Act the evenings out and print what came of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("evenings", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deals", type=int, default=1, help="hands of each")
    parser.add_argument("--rules", type=preset, help="(default: schnapsen)")
    parser.add_argument("--unpressed", action="store_true", help="no phone is told of a claim")
    parser.add_argument("--habit", type=_habit, nargs="+", default=[], metavar="NAME=VALUE")
    parser.add_argument("--fps", type=float, default=12.0, help="frames of a second (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    act = partial(
        acted,
        deals=given.deals,
        rules=given.rules,
        pressed=not given.unpressed,
        fps=given.fps,
        **dict(given.habit),
    )
    with Pool(given.jobs) as pool:
        found = pool.map(act, range(given.seed, given.seed + given.evenings), chunksize=1)
    for each in found:
        if each.differences or each.questions:
            asked = ", ".join(f"{text} at {time}" for time, text in each.questions)
            print(f"  {each.seed}: {'; '.join(each.differences) or 'exact'}{f' ({asked})' if asked else ''}")
    exact = [each for each in found if not each.differences]
    untouched = sum(not each.questions for each in exact)
    silent = sum(not each.questions for each in found if each.differences)
    print(
        f"{len(exact)} of {len(found)} exact, {untouched} of them without a question, {silent} silently"
        f" wrong, {sum(len(each.questions) for each in found)} questions"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
