"""The real tracker and decoder behind a live table, before what puppets play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import inf
from pathlib import Path

from companion.decoding.decoder import Decoder
from companion.live.command import Claim, RefusedCommandError
from companion.live.hand import HandFold
from companion.live.table import LiveTable
from companion.rules.events import CardPlayed, Event
from companion.rules.ruleset import RuleSet
from companion.store.log import EventLog
from companion.table.entry import Asked
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import Show, readings, stage
from tests.frame_rate import FPS


def two_tricks_on(show: Show) -> float:
    """When the second trick of the second hand has been taken, and nobody has led to the third."""
    plays = [time for time, event in show.events[1] if isinstance(event, CardPlayed)]
    return plays[4] - 0.5


class Once:
    """Does something at the first view after a time."""

    def __init__(self, after: float, act: Callable[[Evening], object]) -> None:
        self.after = after
        self.done = False
        self._act = act

    def __call__(self, evening: Evening) -> None:
        """Look whether it is time."""
        if not self.done and evening.now > self.after:
            self.done = True
            self._act(evening)


def starting(anew: str, away: float, fps: float = FPS) -> Once:
    """Start the camera, or the whole program, again with the last view before nobody looks; or nothing."""

    def start(evening: Evening) -> None:
        if anew == "program":
            evening.restart()
        if anew != "nothing":
            evening.start_camera()

    return Once(away - 1.5 / fps, start)


class Evening:
    """A filmed hand shown to a live table, whose process can be gone and come back at any time."""

    def __init__(
        self,
        folder: Path,
        seed: int = 0,
        *,
        show: Show | None = None,
        rules: RuleSet | None = None,
        fps: float = FPS,
        refusable: bool = False,
    ) -> None:
        """Show the hand that puppets play by `seed`, or another show, read at so many frames a second.

        `refusable`: what was missed may make the table refuse a press.
        """
        self.folder = folder
        self.fps = fps
        self.refusable = refusable
        self.rules = RuleSet() if rules is None else rules
        self.show = stage(RuleSet(), seed) if show is None else show
        self.now = 0.0
        self.asked: list[Asked] = []
        """Everything that was asked, whether it decided itself or not."""
        self.hands: Sequence[HandFold] = ()
        """The hands as they stood at the end."""
        self.open()

    def open(self) -> None:
        """Start anew: nothing is known but the log."""
        log = EventLog(self.folder / "table.sqlite")
        self.table = LiveTable(log, Decoder, rules=self.rules, source="film", clock=lambda: self.now)
        self.tracker = Tracker()

    def restart(self) -> None:
        """End the process and start it anew."""
        self.table.close()
        self.open()

    def start_camera(self) -> None:
        """Begin with the camera anew, as after a change of its settings; the process goes on."""
        self.table.begin()
        self.tracker = Tracker()

    def watch(
        self,
        each: Callable[[Evening], object] = lambda evening: None,
        *,
        away: tuple[float, float] = (inf, inf),
        until: float = inf,
    ) -> list[Event]:
        """Show all of it, pressing what the players pressed; `each` is called after every view.

        Between the times `away` nobody looks, and nobody presses anything. After `until` nobody looks any
        more, and the hand goes on: nobody decides how it ended.
        """
        taps = sorted(self.show.taps, key=lambda tap: tap[0])
        taps = [tap for tap in taps if not away[0] <= tap[0] < away[1]]
        refusals = (RefusedCommandError,) if self.refusable else ()
        for reading in readings(self.show, fps=self.fps):
            if away[0] <= reading.time < away[1]:
                continue
            if reading.time > until:
                break
            self.now = reading.time
            while taps and taps[0][0] <= self.now:
                with suppress(*refusals):
                    self.table.submit(Claim(taps.pop(0)[1].player))
            self.table.see(self.tracker.update(reading))
            self._note_questions()
            each(self)
        else:
            self.table.finish()
        self._note_questions()
        standing = self.table.standing()
        self.table.close()
        self.hands = standing.hands
        return [entry.event for hand in standing.hands for entry in hand.events]

    @property
    def happened(self) -> list[Event]:
        """What was really played."""
        return [event for hand in self.show.events for _, event in hand]

    def _note_questions(self) -> None:
        known = {question.seq for question in self.asked}
        self.asked += [each for each in self.table.standing().questions if each.seq not in known]

    def count(self) -> int:
        """How many events stand."""
        return sum(len(hand.events) for hand in self.table.standing().hands)
