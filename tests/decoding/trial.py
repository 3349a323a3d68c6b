"""A detector made bad on purpose, over many random hands: what is read, what is asked, what is wrong.

    python -m tests.decoding.trial frames 200
    python -m tests.decoding.trial lasting 200 --seed 5000 --list

`frames`: in every frame a fifth of the cards missed, one in twenty read as another, phantoms, a
tenth of the frames lost. `lasting`: one card in fifty read as another for as long as it lies.
`both`: the two together, and the sight lost for three seconds now and then. `clear`: no fault.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from companion.decoding.decoder import Decoder
from companion.rules.events import CardPlayed, Dealt, Event
from companion.rules.ruleset import preset
from companion.table.detection import BACK, Reading
from companion.table.entry import Asked, Entry, Settled
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import Noise, Show, readings, stage

FRAMES = Noise(misses=0.20, misreads=0.05, phantoms=0.02, dropped=0.10)
PROFILES = {
    "clear": (Noise(), 0.0, 0.0),
    "frames": (FRAMES, 0.0, 0.0),
    "lasting": (Noise(), 1 / 50, 0.0),
    "both": (FRAMES, 1 / 50, 1 / 30),
}
"""Noise of the frames, share of cards misread while they lie, blackouts a second."""
BLACKOUT_S = 3.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one hand went.

    Attributes:
        kind: `exact`, `open` (right as far as it goes, the rest asked), `wrong` (though something
            was asked), `hidden` (a card taken for one that never showed, so that nothing could
            tell) or `silent` (wrong, nothing asked, and something could have told).
        questions: How many were asked.
        settled_s: How long each play waited for its entry.
    """

    kind: str
    questions: int
    settled_s: tuple[float, ...]


def filmed(show: Show, profile: str, seed: int) -> Iterator[Reading]:
    """The readings of a show under the faults of a profile."""
    noise, lasting, blackouts = PROFILES[profile]
    rng = np.random.default_rng([seed, 1])
    for item in show.items:
        if item.index < BACK and rng.random() < lasting:
            item.index = int(rng.choice([at for at in range(BACK) if at % 6 != 5 and at != item.index]))
    count = rng.poisson(blackouts * show.end)
    dark = rng.uniform(0.0, show.end, count)
    for reading in readings(show, noise=noise, seed=seed):
        if not any(start <= reading.time < start + BLACKOUT_S for start in dark):
            yield reading


def verdict(truth: Sequence[Event], written: Sequence[Event], questions: int) -> str:
    """Judge what was written of one hand; a card left open is right wherever something was asked."""
    if list(truth) == list(written):
        return "exact"
    same_length = len(truth) == len(written)
    pairs = list(zip(truth, written, strict=False))
    if questions:
        return "open" if same_length and all(_fits(true, told) for true, told in pairs) else "wrong"
    shown = {event.card for event in truth if isinstance(event, CardPlayed)}
    shown |= {event.turned_up for event in truth if isinstance(event, Dealt)}
    untold = all(
        isinstance(true, CardPlayed)
        and isinstance(told, CardPlayed)
        and true.player is told.player
        and told.card not in (None, *shown)
        for true, told in pairs
        if true != told
    )
    return "hidden" if same_length and untold else "silent"


def _fits(true: Event, told: Event) -> bool:
    if isinstance(true, CardPlayed) and isinstance(told, CardPlayed) and told.card is None:
        return true.player is told.player
    return true == told


def played(seed: int, profile: str) -> Outcome:
    """Play one random hand before the bad detector."""
    show = stage(preset("schnapsen"), seed)
    truth = [event for _, event in show.events[0]]
    tracker, decoder = Tracker(), Decoder(preset("schnapsen"))
    taps, waits, questions = list(show.taps), [], 0

    def take(entries: Sequence[Entry], time: float) -> None:
        nonlocal questions
        questions += sum(isinstance(one, Asked) for one in entries)
        plays = [one for one in entries if isinstance(one, Settled) and isinstance(one.event, CardPlayed)]
        waits.extend(time - one.time for one in plays)

    for reading in filmed(show, profile, seed):
        while taps and taps[0][0] <= reading.time:
            time, event = taps.pop(0)
            take(decoder.tell(event, time, "phone:referee"), reading.time)
        take(decoder.update(tracker.update(reading)), reading.time)
    for time, event in taps:
        take(decoder.tell(event, time, "phone:referee"), show.end)
    take(decoder.finish(show.end), show.end)
    records = [[Dealt(one.dealer, one.turned_up), *one.events] for one in decoder.records]
    written = records[0] if len(records) == 1 else [event for record in records for event in record]
    return Outcome(verdict(truth, written, questions), questions, tuple(waits))


def main() -> int:
    """Play and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("profile", choices=sorted(PROFILES))
    parser.add_argument("hands", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--list", action="store_true", help="name each hand that was not exact")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    questions, untouched, waits = 0, 0, []
    for seed in range(options.seed, options.seed + options.hands):
        outcome = played(seed, options.profile)
        kinds[outcome.kind] += 1
        questions += outcome.questions
        untouched += outcome.kind == "exact" and not outcome.questions
        waits.extend(outcome.settled_s)
        if options.list and outcome.kind != "exact":
            print(f"{seed}: {outcome.kind}, {outcome.questions} asked", flush=True)
    print(f"{options.profile}, {options.hands} hands from seed {options.seed}")
    for kind in ("exact", "open", "wrong", "hidden", "silent"):
        print(f"{kinds[kind]:6} {kind}")
    print(f"{untouched:6} exact without a question")
    print(f"{questions / options.hands:6.2f} questions a hand")
    if waits:
        late = sorted(waits)[int(0.95 * (len(waits) - 1))]
        print(f"{statistics.median(waits):6.2f} s to settle a play (95 of 100: {late:.2f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
