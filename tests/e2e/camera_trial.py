"""A camera to which things happen while hands are played: what comes of the record.

    python -m tests.e2e.camera_trial 10

Random legal hands, acted out at a drawn table, filmed by a camera that is bumped, turned, zoomed, drifts,
is covered or stalls, while lamps go on, off or flicker; one line a mishap: how many were read exactly, how
many otherwise but with a question, how many silently wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

import numpy as np

from companion.rules.cards import Player
from companion.rules.event_form import event_from_json
from companion.rules.record import Record
from companion.synth.choreography import choreograph
from companion.synth.players import random_record
from companion.synth.script import Script
from companion.synth.style import View
from companion.table.detection import Frame
from companion.vision.reader import Reader
from companion.watch.taps import Tap
from companion.watch.watcher import Watcher
from tests.e2e.drawn_camera import DrawnTable, TrueDetector
from tests.vision import mishaps

FPS = 6.0


@dataclass(frozen=True)
class Outcome:
    """What was read of a script, against what was played.

    Attributes:
        exact: Dealer, turn-up and events of every hand are as they were.
        questions: How many were asked.
        blind: Times of the frames in which nothing of the table was seen, seconds.
        played: When cards were played.
    """

    exact: bool
    questions: int
    blind: tuple[float, ...]
    played: tuple[float, ...]

    @property
    def silently_wrong(self) -> bool:
        """Something is wrong, and nobody was asked."""
        return not self.exact and self.questions == 0


@dataclass(frozen=True)
class Mishap:
    """What happens to the camera, and when."""

    path: mishaps.Path
    covered: tuple[float, float] | None = None
    changed: Callable[[Iterable[Frame]], Iterable[Frame]] | None = None
    """What else becomes of its pictures."""


def hands_of(seed: int, number: int = 1) -> tuple[Record, ...]:
    """Random hands whose deal alternates."""
    found = [random_record(seed)]
    while len(found) < number:
        seed += 1000
        record = random_record(seed)
        if record.dealer is found[-1].dealer.other:
            found.append(record)
    return tuple(found)


def watched(records: tuple[Record, ...], seed: int, mishap: Callable[[Script], Mishap]) -> Outcome:
    """Act hands out, film them while the mishap happens, and read them."""
    view = View()
    script = choreograph(records, seed=seed, view=view)
    table, what = DrawnTable(script, view, seed=seed), mishap(script)
    taps = []
    for entry in script.timeline:
        if entry["type"] in ("claim", "knock"):
            fields = {name: value for name, value in entry.items() if name != "t"}
            event = event_from_json(fields)
            taps.append(Tap(entry["t"], Player(fields["player"]), event))  # type: ignore[arg-type]
    reader = Reader(TrueDetector(table, what.path, what.covered, seed))
    watcher = Watcher(reader, records[0].rules, taps=taps)
    lines, blind = [], []
    for frame in _frames(table, what):
        lines.extend(watcher.see(frame))
        if reader.blind:
            blind.append(frame.time)
    lines.extend(watcher.finish())
    told = [(each.dealer, each.turned_up, each.events) for each in watcher.records]
    right = [(each.dealer, each.turned_up, each.events) for each in records]
    questions = sum(line["type"] == "question" for line in lines)
    return Outcome(told == right, questions, tuple(blind), tuple(plays(script)))


def _frames(table: DrawnTable, what: Mishap) -> Iterable[Frame]:
    frames = mishaps.filmed(table.frames(FPS), what.path)
    if what.covered is not None:
        frames = mishaps.covered(frames, *what.covered)
    return frames if what.changed is None else what.changed(frames)


def stays(time: float) -> np.ndarray:
    """The way of a camera that nobody touches."""
    return np.eye(3)


def plays(script: Script) -> list[float]:
    """When cards were played."""
    return [float(entry["t"]) for entry in script.timeline if entry["type"] == "play"]


def in_mid_hand(degrees: float, scale: float, lasts: float, script: Script) -> Mishap:
    """The camera goes elsewhere between the second and the third play."""
    times = plays(script)
    return Mishap(mishaps.moved((times[1] + times[2]) / 2, degrees, scale, lasts=lasts))


def while_a_card_is_played(script: Script) -> Mishap:
    """It is bumped as the third card is laid down."""
    return Mishap(mishaps.moved(plays(script)[2] - 0.3, 5, 1.1))


def between_hands(script: Script) -> Mishap:
    """It is turned round before the cards of the first hand are all swept off."""
    cleared = next(float(entry["t"]) for entry in script.timeline if entry["type"] == "cleared")
    last = max(time for time in plays(script) if time < cleared)
    return Mishap(mishaps.moved((last + cleared) / 2, 180, lasts=1.5))


def slowly(script: Script) -> Mishap:
    """Its tripod gives way all through the hand."""
    return Mishap(mishaps.drifting(5.0, plays(script)[-1], 60, 3))


def covered(seconds: float, script: Script) -> Mishap:
    """It is covered from just before the third play."""
    start = plays(script)[2] - 0.8
    return Mishap(stays, (start, start + seconds))


def lit(script: Script) -> Mishap:
    """A second lamp goes on."""
    times = plays(script)
    return Mishap(stays, changed=partial(mishaps.lit, at=(times[1] + times[2]) / 2))


def dimmed(script: Script) -> Mishap:
    """One of two lamps goes off as a card is laid down."""
    return Mishap(stays, changed=partial(mishaps.dimmed, at=plays(script)[2] - 0.2))


def banded(script: Script) -> Mishap:
    """A lamp flickers with the mains."""
    return Mishap(stays, changed=mishaps.banded)


def frozen(script: Script) -> Mishap:
    """The camera stalls while the cards are swept off."""
    cleared = next(float(entry["t"]) for entry in script.timeline if entry["type"] == "cleared")
    return Mishap(stays, changed=partial(mishaps.frozen, start=cleared - 0.8, end=cleared + 1.2))


def stalled(seconds: float, script: Script) -> Mishap:
    """It stalls from just before the third play, when the hand may not have come in."""
    start = plays(script)[2] - 0.8
    return Mishap(stays, changed=partial(mishaps.frozen, start=start, end=start + seconds))


TRIALS: dict[str, tuple[int, Callable[[Script], Mishap]]] = {
    "nothing": (1, lambda script: Mishap(stays)),
    "bumped by 5 degrees and 10 %": (1, partial(in_mid_hand, 5, 1.1, 0.4)),
    "the same as a card is played": (1, while_a_card_is_played),
    "zoomed out by 15 %": (1, partial(in_mid_hand, 0, 0.85, 1.0)),
    "turned by 180 degrees in mid-hand": (1, partial(in_mid_hand, 180, 1.0, 1.5)),
    "turned by 180 degrees between hands": (2, between_hands),
    "drifts by 60 pixels and 3 degrees": (1, slowly),
    "a second lamp": (1, lit),
    "a lamp goes off": (1, dimmed),
    "a lamp flickers": (1, banded),
    "the picture freezes": (1, frozen),
    "stalls for 10 s": (1, partial(stalled, 10.0)),
    "covered for 1 s": (1, partial(covered, 1.0)),
    "covered for 10 s": (1, partial(covered, 10.0)),
}
"""Number of hands and what happens."""


def main(arguments: list[str]) -> None:
    """Try every mishap, or those whose names begin with the second argument, on so many hands."""
    number = int(arguments[0]) if arguments else 5
    for name, (hands, mishap) in TRIALS.items():
        if not name.startswith("".join(arguments[1:2])):
            continue
        found = [watched(hands_of(seed, hands), seed, mishap) for seed in range(1, number + 1)]
        exact, wrong = (sum(each) for each in zip(*((o.exact, o.silently_wrong) for o in found), strict=True))
        asked = len(found) - exact - wrong
        questions = sum(each.questions for each in found)
        print(
            f"{name:38} {exact:3} exact {asked:3} asked {wrong:3} silently wrong, {questions} questions",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
