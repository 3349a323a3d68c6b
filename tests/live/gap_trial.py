"""Evenings of two hands at a live table, of which nobody sees a part.

    python -m tests.live.gap_trial 200 --seed 7000
    python -m tests.live.gap_trial 150 --seed 7300 --at deal
    python -m tests.live.gap_trial 100 --seed 7400 --at start

Pictures stay away for a while; then they go on, or camera or program have been started anew; or the first
hand is on as somebody begins to look. An evening is `exact`, `asked` (something is asked), `told` (that
nobody saw a part of a hand is told), `not on record` (nothing is told of a first hand whose stock is drawn
or closed by then; all of the second is right) or `silent`: wrong, and nobody is told. What is pressed, and
refused by a table that has missed the hand, changes nothing of that.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from dataclasses import dataclass
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.rules.ruleset import RuleSet
from tests.decoding.puppets import Show, stage
from tests.filmed_evening import Evening, starting
from tests.frame_rate import FPS

KINDS = ("exact", "asked", "told", "not on record", "silent")
LONGEST_S = 12.0
ENDS_S = 2.0
"""Somebody begins to look so long before the first hand ends at the latest, seconds."""
AT_DEAL_S = (4.0, 14.0)
"""How long nobody looks: at any time up to the first, at a deal something between the others, seconds."""


@dataclass(frozen=True)
class Outcome:
    """What came of one evening.

    Attributes:
        seed: Of its hands, and of what nobody saw.
        kind: One of `KINDS`.
        away: From when until when nobody looked, seconds.
        anew: What was started anew then: `camera`, `program` or nothing.
        questions: What was asked.
    """

    seed: int
    kind: str
    away: tuple[float, float]
    anew: str
    questions: tuple[str, ...]


def away_at(show: Show, rng: random.Random, at: str) -> tuple[float, float]:
    """When nobody looks: at any time, while the second hand is dealt, or at first, in the first hand."""
    if at == "any":
        start = rng.uniform(2.0, show.end - LONGEST_S)
        return start, start + rng.uniform(1.0, LONGEST_S)
    if at == "start":
        return -1.0, rng.uniform(show.events[0][0][0], show.events[0][-1][0] - ENDS_S)
    over, dealt = show.events[0][-1][0], show.events[1][0][0]
    start = rng.uniform(over - 1.0, dealt)
    return start, start + rng.uniform(*AT_DEAL_S)


def watched(seed: int, *, at: str = "any", fps: float = FPS) -> Outcome:
    """Show one evening."""
    rng = random.Random(seed * 17 + 3)
    show = stage(RuleSet(), seed, hands=2)
    away = away_at(show, rng, at)
    anew = rng.choice(("camera", "program", "nothing")) if at != "start" else "nothing"
    with TemporaryDirectory() as folder:
        evening = Evening(Path(folder), show=show, fps=fps, refusable=True)
        told = evening.watch(starting(anew, away[0], fps), away=away)
    if told == evening.happened:
        kind = "exact"
    elif at == "start" and told == [event for _, event in show.events[1]] and not evening.asked:
        kind = "not on record"
    elif evening.asked:
        kind = "asked"
    else:
        kind = "told" if any(hand.unseen for hand in evening.hands) else "silent"
    return Outcome(seed, kind, away, anew, tuple(one.text for one in evening.asked))


def main() -> None:
    """Show the evenings and print what came of them."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("evenings", type=int)
    parser.add_argument("--seed", type=int, default=7000)
    parser.add_argument("--at", choices=("any", "deal", "start"), default="any", help="when nobody looks")
    parser.add_argument("--fps", type=float, default=FPS, help="frames of a second (default: %(default)s)")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    seeds = range(given.seed, given.seed + given.evenings)
    with Pool(given.jobs) as pool:
        found = pool.map(partial(watched, at=given.at, fps=given.fps), seeds, chunksize=1)
    for each in found:
        if each.kind == "silent":
            start, end = each.away
            print(f"{each.seed}: silent, away {start:.1f} to {end:.1f} s, anew: {each.anew}")
    kinds = Counter(each.kind for each in found)
    asked = sum(len(each.questions) for each in found)
    print(", ".join(f"{kinds[kind]} {kind}" for kind in KINDS) + f"; {asked} questions")


if __name__ == "__main__":
    main()
