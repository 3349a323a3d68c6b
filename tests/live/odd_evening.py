"""Evenings at a live table at which somebody presses anything at any moment, and starts things anew.

    python -m tests.live.odd_evening 40 --seed 100

Two hands are played as puppets play them; in between one press is drawn after the other: events are undone,
corrected, put in and taken out, questions answered, results entered, matches begun, program and camera
started anew. What the record comes to is not judged, since what is pressed is not true. But nothing may
fail, a preview tells what is done, and whoever reads the log anew finds what the table knows.
"""

from __future__ import annotations

import argparse
import logging
import random
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory

from companion.history.archive import Archive
from companion.live.alternatives import alternatives, missed
from companion.live.audience import snapshot_for
from companion.live.command import (
    Answer,
    Claim,
    Close,
    Command,
    Correct,
    Declare,
    Edit,
    Insert,
    InsertHand,
    InsertTrick,
    NewHand,
    NewMatch,
    RefusedCommandError,
    RemoveTrick,
    Rename,
    Undo,
    Vouch,
)
from companion.live.fold import fold
from companion.live.snapshot import Role
from companion.live.standing import Standing
from companion.rules.cards import Player, Suit
from companion.rules.events import Agreed
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import preset
from companion.store.item import MatchStarted
from companion.store.log import LogReader
from companion.table.entry import Settled
from tests.decoding.puppets import stage
from tests.filmed_evening import Evening

FPS = 6.0
PRESSED = 0.04
"""How often something is pressed at a view."""
RULES = ("schnapsen", "schnapsen_tournament")

Draw = Callable[[random.Random, Standing, list[Settled]], Command | None]


def _correct(rng: random.Random, standing: Standing, entries: list[Settled]) -> Command:
    entry = rng.choice(entries[-12:] if rng.random() < 0.7 else entries)
    found = [each.edit for each in alternatives(standing, entry.seq) if each.fits]
    return rng.choice(found) if found and rng.random() < 0.7 else Correct(entry.seq, None)


def _missed(rng: random.Random, standing: Standing, entries: list[Settled]) -> Command | None:
    found = [each.edit for each in missed(standing, rng.choice(entries).seq)]
    return rng.choice(found) if found else None


def _agreed(rng: random.Random) -> Agreed:
    return rng.choice(
        [Agreed(player, points) for player in Player for points in (1, 2, 3)] + [Agreed(None, 0)]
    )


def _new_match(rng: random.Random) -> Command:
    return NewMatch(
        rules=rng.choice([None, *map(preset, RULES)]),
        names=rng.choice([None, ("Anna", "Bert"), ("Bert", "Anna")]),
        fair=rng.choice([None, None, FairPlay("tournament"), FairPlay("training")]),
        clear_marks=rng.random() < 0.2,
        dealer=rng.choice([None, None, Player.SOUTH]),
        keep_points=rng.random() < 0.4,
    )


def _answer(rng: random.Random, standing: Standing) -> Command | None:
    if not standing.questions:
        return None
    asked = rng.choice(standing.questions)
    return Answer(asked.seq, rng.randrange(len(asked.options)))


def _vouch(standing: Standing) -> Command | None:
    gaps = () if standing.hand is None else standing.hand.unseen
    return Vouch(gaps[-1].seq) if gaps else None


def _undo(standing: Standing) -> Command | None:
    return None if standing.last_event is None else Undo(standing.last_event.seq)


PRESSES: tuple[tuple[int, Draw], ...] = (
    (2, lambda rng, standing, entries: _undo(standing)),
    (2, _correct),
    (1, _missed),
    (1, lambda rng, standing, entries: InsertTrick(rng.choice(entries).seq)),
    (1, lambda rng, standing, entries: RemoveTrick(rng.choice(entries).seq)),
    (1, lambda rng, standing, entries: Insert(rng.choice(entries[-8:]).seq, _agreed(rng))),
    (1, lambda rng, standing, entries: InsertHand(rng.choice(_ends(standing)), _agreed(rng))),
    (2, lambda rng, standing, entries: _new_match(rng)),
    (1, lambda rng, standing, entries: NewHand(rng.choice([None, *Player]))),
    (3, lambda rng, standing, entries: _answer(rng, standing)),
    (1, lambda rng, standing, entries: Rename(rng.choice(list(Player)), rng.choice(["Eva", "Max", ""]))),
    (1, lambda rng, standing, entries: Claim(rng.choice(list(Player)))),
    (1, lambda rng, standing, entries: Declare(rng.choice(list(Player)), rng.choice(list(Suit)))),
    (1, lambda rng, standing, entries: Close(rng.choice(list(Player)))),
    (1, lambda rng, standing, entries: _vouch(standing)),
)
"""How often each is drawn, and what it comes to; `None`: there is nothing of that kind to press."""


def _ends(standing: Standing) -> list[int]:
    return [0, *(hand.events[-1].seq for hand in standing.hands)]


def faults_of(seed: int, folder: Path, *, hands: int = 2) -> list[str]:
    """Play an evening, and return what went wrong."""
    rng = random.Random(seed)
    rules = preset(rng.choice(RULES))
    evening = Evening(folder, show=stage(rules, seed, hands=hands), rules=rules, fps=FPS, refusable=True)
    found: list[str] = []

    def press(evening: Evening) -> None:
        if rng.random() >= PRESSED:
            return
        if rng.random() < 0.15:
            found.extend(_start_anew(evening, rng))
            return
        standing = evening.table.standing()
        entries = [entry for hand in standing.hands for entry in hand.events]
        (draw,) = rng.choices([each for _, each in PRESSES], [weight for weight, _ in PRESSES])
        command = draw(rng, standing, entries) if entries else None
        if command is not None:
            found.extend(_pressed(evening, command))

    with _failures() as failed:
        evening.watch(press)
    return [*found, *failed, *_read_anew(folder, evening)]


@contextmanager
def _failures() -> Iterator[list[str]]:
    """Collect what is logged as an error."""
    failed: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            trace = "".join(traceback.format_exception(*record.exc_info)) if record.exc_info else ""
            failed.append(f"{record.getMessage()}\n{trace}")

    kept = Kept(logging.ERROR)
    logging.getLogger("companion").addHandler(kept)
    try:
        yield failed
    finally:
        logging.getLogger("companion").removeHandler(kept)


def _pressed(evening: Evening, command: Command) -> Iterator[str]:
    """Press, and yield what is not as the preview has told it, or cannot be shown."""
    proposal = None
    if isinstance(command, Edit):
        with suppress(RefusedCommandError):
            proposal = evening.table.propose(command)
    try:
        evening.table.submit(command)
    except RefusedCommandError as error:
        if error.reason == "not_recorded":
            yield f"{command}: {error}"
        elif proposal is not None:
            yield f"{command}: refused after its preview: {error}"
        return
    if proposal is not None and _score(proposal.after) != _score(evening.table.standing()):
        yield f"{command}: the match is another than the preview has told"
    shown = evening.table.feed.wait("", 0.0)
    for role in Role:
        snapshot_for(shown, role)


def _score(standing: Standing) -> tuple[object, ...]:
    match = standing.match
    return match.number, match.won_points, match.bummerl_marks, len(standing.hands)


def _start_anew(evening: Evening, rng: random.Random) -> Iterator[str]:
    if rng.random() < 0.3:
        evening.start_camera()
        return
    before = evening.table.standing()
    evening.restart()
    after = evening.table.standing()
    events = [[hand.events for hand in each.hands] for each in (before, after)]
    # what was pressed and waited may settle with the start
    if not before.pending and (before.match, events[0]) != (after.match, events[1]):
        yield "after the start of the program the record is another"


def _read_anew(folder: Path, evening: Evening) -> Iterator[str]:
    """Yield where log and history do not tell what the table told at the end."""
    items = [logged.item for logged in LogReader(folder / "table.sqlite").read()]
    began = max(at for at, item in enumerate(items) if isinstance(item, MatchStarted))
    told = [hand.events for hand in fold(items[began:]).hands]
    if told != [hand.events for hand in evening.hands]:
        yield "the log tells another evening"
    with Archive(folder / "table.sqlite") as archive:
        kept = [hand.fold.events for hand in archive.hands()]
    if kept[len(kept) - len(told) :] != told:
        yield "the history tells another evening"


def _one(seed: int) -> tuple[int, list[str]]:
    with TemporaryDirectory() as folder:
        try:
            return seed, faults_of(seed, Path(folder))
        except Exception:
            return seed, [traceback.format_exc()]


def main() -> None:
    """Play the evenings and print what went wrong."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("evenings", type=int)
    parser.add_argument("--seed", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    wrong = 0
    with Pool(given.jobs) as pool:
        for seed, faults in pool.imap(_one, range(given.seed, given.seed + given.evenings)):
            wrong += bool(faults)
            for fault in faults:
                print(f"{seed}: {fault}", flush=True)
    print(f"{wrong} of {given.evenings} evenings with a fault")


if __name__ == "__main__":
    main()
