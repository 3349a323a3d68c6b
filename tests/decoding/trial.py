"""A detector made bad on purpose, over many random hands: what is read, what is asked, what is wrong.

    python -m tests.decoding.trial all 1000
    python -m tests.decoding.trial lasting 200 --seed 5000 --list --jobs 4
    python -m tests.decoding.trial both 100 --answer
    python -m tests.decoding.trial frames 200 --fps 30
    python -m tests.decoding.trial frames 60 --seed 2000 --rules sixty_six

`frames`: in every frame a fifth of the cards missed, one in twenty read as another, phantoms, a
tenth of the frames lost. `lasting`: one card in fifty read as another for as long as it lies.
`both`: the two together, and the sight lost for three seconds now and then. `faint`: of 15 cards in a
hundred the detector loses each for half a second to two seconds now and then, though nothing moves there.
`things`: two things lie there that are taken for an ace now and then, most of all beside an arm.
`habits`: `frames` with hands dealt on the table, a stock that is pushed, tricks looked at once more.
`slips`: `frames` with cards taken back and others played, straightened, pushed in slowly.
`clear`: no fault.

The hands are of all kinds: exchanges, marriages, closings, claims right and wrong, suits not
followed; the line `fair` leaves out those in which a rule was broken, `single` those in which more
than one card is misread for as long as it lies, and `unseen` has those of which it is said that nobody
saw the table for a time. A simpler decoder (`tests.decoding.greedy`) reads the same frames beside the
real one.

With `--answer` each hand that was not exact or was asked about is played once more at a live table
beside which somebody answers every question truthfully after four seconds, and corrects nothing else:
the line `answered`, in which the other hands count as they are. What is silent there is wrong with no
question left; what is asked there has one that could not be answered.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial
from itertools import zip_longest
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from companion.decoding.decoder import Decoder
from companion.live.command import Claim, RefusedCommandError
from companion.live.standing import Standing
from companion.live.table import LiveTable
from companion.rules.cards import Card
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, Exchanged, MarriageDeclared
from companion.rules.ruleset import RuleSet, preset
from companion.rules.scoring import ENOUGH, count
from companion.store.log import EventLog
from companion.table.detection import BACK, Reading
from companion.table.entry import Asked, Entry, Retracted, Settled, Unseen
from companion.tracking.tracker import Tracker
from tests.decoding.answering import TruthfulPhone
from tests.decoding.greedy import Greedy
from tests.decoding.puppets import Noise, Show, readings, stage

SCHNAPSEN = preset("schnapsen")
FRAMES = Noise(misses=0.20, misreads=0.05, phantoms=0.02, dropped=0.10)
PROFILES = {
    "clear": (Noise(), 0.0, 0.0),
    "frames": (FRAMES, 0.0, 0.0),
    "lasting": (Noise(), 1 / 50, 0.0),
    "both": (FRAMES, 1 / 50, 1 / 30),
    "faint": (Noise(faint=0.15), 0.0, 0.0),
    "things": (Noise(things=2), 0.0, 0.0),
    "habits": (FRAMES, 0.0, 0.0),
    "slips": (FRAMES, 0.0, 0.0),
}
"""Noise of the frames, share of cards misread while they lie, blackouts a second."""
FPS = 10.0
HABITS: Mapping[str, Mapping[str, float]] = {
    "habits": {"packets": True, "pushes": 0.2, "looks_back": 0.1},
    "slips": {"takes_back": 0.1, "straightens": 0.15, "slides": 0.1},
}
"""What the players of a profile do, as `Stage` takes it."""
BLACKOUT_S = 3.0
LAY_BEFORE_S = 0.35
"""A puppet's card lies still this long before the hand has left it, which is the time of the play."""
WORDS = {Exchanged: "exchanges", MarriageDeclared: "marriages", Closed: "closings", Claimed: "claims"}
MOST_ANSWERS_AFTER = 20
"""Questions that are answered after the hand; there were never so many."""
LOOKS_ON_S = 15.0
"""A camera does not go away with the last card: what is asked then is answered before it."""
KINDS = ("exact", "open", "asked", "hidden", "silent")


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one hand was read.

    Attributes:
        kind: `exact`; `open` (right as far as it goes, the rest is asked); `asked` (something is
            written wrong, and a question is about it or offers the truth); `hidden` (a card taken
            for one that never showed, so that nothing could tell); or `silent` (something is wrong,
            it could have been told, and no question says so).
        questions: How many were asked; one asked anew about the same act counts once.
        settled_s: How long after it lay still each play was written.
        breach: Whether a rule was broken in the hand. A card that may not be played looks like one
            that is misread for as long as it lies, so that has to be asked.
        misread: How many cards were read as another for as long as they lay.
        gaps: How often it is said of the hand that nobody saw the table for a time.
    """

    kind: str
    questions: int
    settled_s: tuple[float, ...]
    breach: bool
    misread: int
    gaps: int = 0

    @property
    def untouched(self) -> bool:
        """Whether nobody had to do anything."""
        return self.kind == "exact" and not self.questions


def shown(seed: int, profile: str, rules: RuleSet = SCHNAPSEN) -> Show:
    """The hand of a seed as the players of a profile act it out."""
    return stage(rules, seed, errs=True, **HABITS.get(profile, {}))


def filmed(
    show: Show, profile: str, seed: int, fps: float = FPS, looks_on_s: float = 0.0
) -> tuple[int, Iterator[Reading]]:
    """The readings of a show under the faults of a profile, and how many cards are misread in all of them.

    With `looks_on_s` what lies there at its end is seen for so long after it.
    """
    noise, lasting, blackouts = PROFILES[profile]
    rng = np.random.default_rng([seed, 1])
    misread = 0
    for item in show.items:
        if item.index < BACK and rng.random() < lasting:
            item.index = int(rng.choice([at for at in range(BACK) if at % 6 != 5 and at != item.index]))
            misread += 1
    count = rng.poisson(blackouts * show.end)
    dark = rng.uniform(0.0, show.end, count)
    longer = replace(show, end=show.end + looks_on_s)
    seen = (
        reading
        for reading in readings(longer, fps=fps, noise=noise, seed=seed)
        if not any(start <= reading.time < start + BLACKOUT_S for start in dark)
    )
    return misread, seen


def verdict(
    truth: Sequence[Event],
    written: Sequence[Event],
    asked: Sequence[Asked],
    doubted: Collection[Event] = (),
) -> str:
    """Judge what was written of one hand; see `Outcome.kind`.

    Args:
        truth: What happened.
        written: What was written down.
        asked: The questions.
        doubted: What was written and then asked about.
    """
    truth, written = list(truth), list(written)
    if truth == written:
        return "exact"
    pairs = list(zip(truth, written, strict=False))
    same_length = len(truth) == len(written)
    if asked and same_length and all(_fits(true, told) for true, told in pairs):
        return "open"
    offered = {option for question in asked for option in question.options}
    cards = {_card_of(option) for option in offered}
    # a card that is offered for another play, or as the turn-up, is in doubt where it stands
    twice = {event for event in written if _card_of(event) in cards - {None}}
    known = offered | set(doubted) | twice
    if asked and _covered(truth, written, known):
        return "asked"
    shown = {event.card for event in truth if isinstance(event, CardPlayed)}
    shown |= {event.turned_up for event in truth if isinstance(event, Dealt)}
    untold = all(
        _fits(true, told) or {true, told} & known or _untold(true, told, shown) for true, told in pairs
    )
    return "hidden" if same_length and untold and any(_untold(*pair, shown) for pair in pairs) else "silent"


def _card_of(event: Event) -> Card | None:
    """The card that was played, or turned up."""
    match event:
        case CardPlayed(_, card) | Dealt(_, card):
            return card
        case _:
            return None


def _covered(truth: Sequence[Event], written: Sequence[Event], known: Collection[Event]) -> bool:
    """Whether a question was asked about whatever is written wrong, or offers what is missing.

    A play given to the other player follows from what was wrong before it.
    """
    covered = False
    for tag, start, end, first, last in SequenceMatcher(None, truth, written, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for true, told in zip_longest(truth[start:end], written[first:last]):
            follows = isinstance(true, CardPlayed) and isinstance(told, CardPlayed) and true.card == told.card
            fits = true is not None and told is not None and _fits(true, told)
            if not fits and not (follows and covered) and true not in known and told not in known:
                return False
            covered = True
    return True


def _untold(true: Event, told: Event, shown: set[object]) -> bool:
    """Whether an event differs only in a card that was taken for one that never showed."""
    match true, told:
        case CardPlayed(player), CardPlayed(other, card):
            return player is other and card not in (None, *shown)
        case Dealt(dealer, true_card), Dealt(other, card):
            same_suit = card is not None and true_card is not None and card.suit is true_card.suit
            return dealer is other and same_suit and card not in shown
        case _:
            return False


def _fits(true: Event, told: Event) -> bool:
    if isinstance(true, CardPlayed) and isinstance(told, CardPlayed) and told.card is None:
        return true.player is told.player
    return true == told


def played(seed: int, profile: str, fps: float = FPS, rules: RuleSet = SCHNAPSEN) -> tuple[Outcome, Outcome]:
    """Play one random hand before the bad detector: how the decoder reads it, and the greedy one."""
    show = shown(seed, profile, rules)
    truth = [event for _, event in show.events[0]]
    lay = {event: at - LAY_BEFORE_S for at, event in show.events[0] if isinstance(event, CardPlayed)}
    tracker, decoder = Tracker(), Decoder(rules)
    greedy = Greedy(rules, show.events[0][0][1].dealer)
    taps, asked, gaps = list(show.taps), [], []
    withdrawn: set[int] = set()
    entries_by_seq: dict[int, Event] = {}
    waits: dict[Event, float] = {}
    greedy_waits: dict[Event, float] = {}

    def take(entries: Sequence[Entry], now: float) -> None:
        asked.extend(one for one in entries if isinstance(one, Asked))
        gaps.extend(one for one in entries if isinstance(one, Unseen))
        withdrawn.update(one.withdraws for one in entries if isinstance(one, Retracted))
        for one in entries:
            if isinstance(one, Settled):
                entries_by_seq[one.seq] = one.event
            if isinstance(one, Settled) and one.event in lay:
                waits.setdefault(one.event, now - lay[one.event])

    def take_greedy(events: Sequence[Event], now: float) -> None:
        for event in events:
            if event in lay:
                greedy_waits.setdefault(event, now - lay[event])

    misread, seen = filmed(show, profile, seed, fps)
    for reading in seen:
        while taps and taps[0][0] <= reading.time:
            at, event = taps.pop(0)
            take(decoder.tell(event, at, "phone:referee"), reading.time)
            greedy.tell(event)
        take(decoder.update(tracker.update(reading)), reading.time)
        take_greedy(greedy.update(reading), reading.time)
    for at, event in taps:
        take(decoder.tell(event, at, "phone:referee"), show.end)
        greedy.tell(event)
    take(decoder.finish(show.end), show.end)
    written = [event for seq, event in sorted(entries_by_seq.items()) if seq not in withdrawn]
    doubted = {entries_by_seq[one.about] for one in asked if one.about is not None}
    different = len({(one.text, one.options if one.shows is None else one.shows) for one in asked})
    breach = bool(show.ends[0].breaches)
    kind = verdict(truth, written, asked, doubted)
    return (
        Outcome(kind, different, tuple(waits.values()), breach, misread, len(gaps)),
        Outcome(verdict(truth, greedy.events, ()), 0, tuple(greedy_waits.values()), breach, misread),
    )


HEAD = (
    f"{'profile':8} {'decoder':8} {'hands':>5} {'exact':>6} {'untouched':>9} "
    + " ".join(f"{kind:>6}" for kind in KINDS[1:])
    + "  questions a hand (most)  s to settle (95 of 100)"
)


def row(profile: str, name: str, outcomes: Sequence[Outcome]) -> str:
    """One line of the table."""
    kinds = Counter(outcome.kind for outcome in outcomes)
    questions = [outcome.questions for outcome in outcomes]
    waits = sorted(wait for outcome in outcomes for wait in outcome.settled_s)
    late = waits[int(0.95 * (len(waits) - 1))] if waits else 0.0
    return (
        f"{profile:8} {name:8} {len(outcomes):5} {kinds['exact']:6} "
        f"{sum(outcome.untouched for outcome in outcomes):9} "
        + " ".join(f"{kinds[kind]:6}" for kind in KINDS[1:])
        + f"  {statistics.mean(questions):16.2f} ({max(questions):4})"
        + (f"  {statistics.median(waits):11.2f} ({late:9.2f})" if waits else "")
    )


def answered(
    seed: int,
    profile: str,
    fps: float = FPS,
    looks_on_s: float = LOOKS_ON_S,
    rules: RuleSet = SCHNAPSEN,
) -> tuple[Outcome, list[str]]:
    """Play one random hand at a live table, every question answered truthfully; and what was refused.

    The camera looks on for `looks_on_s` after the hand.
    """
    show = shown(seed, profile, rules)
    misread, seen = filmed(show, profile, seed, fps, looks_on_s)
    standing, phone = at_a_live_table(show, seen, rules)
    written = [entry.event for hand in standing.hands for entry in hand.events]
    kind = verdict([event for _, event in show.events[0]], written, ())
    if kind == "silent" and standing.questions:
        kind = "asked"
    return Outcome(kind, len(phone.asked), (), bool(show.ends[0].breaches), misread), phone.refused


def at_a_live_table(
    show: Show, seen: Iterable[Reading], rules: RuleSet = SCHNAPSEN
) -> tuple[Standing, TruthfulPhone]:
    """See a hand at a live table beside which somebody answers every question truthfully."""
    truth = [(at - LAY_BEFORE_S * isinstance(event, CardPlayed), event) for at, event in show.events[0]]
    phone = TruthfulPhone(truth)
    with played_live(show, seen, rules, look=phone.look, refused=phone.refused) as (table, clock):
        for _ in range(MOST_ANSWERS_AFTER):
            clock.now += 2 * phone.delay_s
            phone.look(table, clock.now)
        return table.standing(), phone


@dataclass(slots=True)
class Clock:
    """The log's clock, seconds."""

    now: float = 0.0


@contextmanager
def played_live(
    show: Show,
    seen: Iterable[Reading],
    rules: RuleSet = SCHNAPSEN,
    *,
    look: Callable[[LiveTable, float], None],
    refused: list[str],
) -> Iterator[tuple[LiveTable, Clock]]:
    """Open a live table that has seen a hand to its end, with its claims pressed.

    Args:
        show: The hand.
        seen: What is read of it.
        rules: The rules of the match.
        look: What somebody does after each reading.
        refused: Takes what the table would not take, with its reason.
    """
    tracker, taps, clock = Tracker(), list(show.taps), Clock()

    def tap(table: LiveTable, event: Event) -> None:
        try:
            table.submit(Claim(event.player))
        except RefusedCommandError as error:
            refused.append(f"{event}: {error}")

    with TemporaryDirectory() as folder:
        log = EventLog(Path(folder) / "table.sqlite")
        with LiveTable(log, Decoder, rules=rules, source="film", clock=lambda: clock.now) as table:
            for reading in seen:
                clock.now = reading.time
                while taps and taps[0][0] <= clock.now:
                    tap(table, taps.pop(0)[1])
                table.see(tracker.update(reading))
                look(table, clock.now)
            for _, event in taps:
                tap(table, event)
            table.finish()
            yield table, clock


def kinds_of(seeds: Sequence[int], rules: RuleSet) -> str:
    """What happens in the hands, so that a reader sees that all kinds are among them."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        show = shown(seed, "clear", rules)
        state = show.ends[0]
        seen.update({WORDS[kind] for _, event in show.events[0] if (kind := type(event)) in WORDS})
        seen.update({"suits not followed"} if state.breaches else ())
        if state.claimed_by is not None and count(state, state.claimed_by).total.high < ENOUGH:
            seen.update({"false claims"})
    return ", ".join(f"{seen[name]} with {name}" for name in sorted(seen))


def main() -> int:
    """Play and report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("profile", choices=[*PROFILES, "all"])
    parser.add_argument("hands", type=int, nargs="?", default=100)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--rules", type=preset, default=SCHNAPSEN, help="(default: schnapsen)")
    parser.add_argument(
        "--list", action="store_true", help="name each hand that was not exact or was asked about"
    )
    parser.add_argument("--answer", action="store_true", help="also with every question answered truthfully")
    parser.add_argument("--fps", type=float, default=FPS, help=f"frames a second (default: {FPS:.0f})")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side (default: 1)")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.hands)
    print(f"{options.hands} hands from seed {options.seed}: {kinds_of(seeds, options.rules)}")
    print(HEAD, flush=True)
    started = time.monotonic()
    chosen = list(PROFILES) if options.profile == "all" else [options.profile]
    with multiprocessing.get_context("spawn").Pool(options.jobs) as pool:
        for profile in chosen:
            conditions = {"profile": profile, "fps": options.fps, "rules": options.rules}
            ours, greedy = [], []
            for seed, (one, other) in zip(
                seeds,
                pool.imap(partial(played, **conditions), seeds),
                strict=True,
            ):
                ours.append(one)
                greedy.append(other)
                if options.list and not one.untouched:
                    print(f"  {seed}: {one.kind}, {one.questions} asked, {one.misread} misread", flush=True)
            print(row(profile, "stories", ours))
            if fair := [outcome for outcome in ours if not outcome.breach]:
                print(row("", "  fair", fair))
            if unseen := [outcome for outcome in ours if outcome.gaps]:
                print(row("", "  unseen", unseen))
            if 0 < len(single := [outcome for outcome in ours if outcome.misread <= 1]) < len(ours):
                print(row("", "  single", single))
            print(row(profile, "greedy", greedy), flush=True)
            if options.answer:
                told = [replace(one, settled_s=()) for one in ours if one.untouched]
                touched = [seed for seed, one in zip(seeds, ours, strict=True) if not one.untouched]
                again = pool.imap(partial(answered, **conditions), touched)
                for seed, (one, refused) in zip(touched, again, strict=True):
                    told.append(one)
                    if options.list and (one.kind != "exact" or refused):
                        print(f"  {seed}: {one.kind}, {one.questions} asked, refused {refused}", flush=True)
                print(row(profile, "answered", told), flush=True)
    minutes = (time.monotonic() - started) / 60.0
    print(f"{len(chosen) * options.hands / minutes:.0f} hands a minute with {options.jobs} process(es)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
