"""Who answered a question, told in passing to the other devices that showed it.

What follows from an answer is in the log and in every snapshot; that it was given is said once, to who
looks on at that moment, and kept nowhere.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from companion.live.audience import Sight, is_open, sight_of, snapshot_for
from companion.live.command import Answer, Command, Correct
from companion.live.snapshot import Question, Role, Snapshot
from companion.rules.event_form import event_to_json
from companion.rules.events import Event

__all__ = ["Answers"]

_KEPT = 16
"""Answers that a stream which reads slowly may still have to tell."""


@dataclass(frozen=True, slots=True)
class _Given:
    """An answer.

    Attributes:
        number: 1, 2, 3 ... in the order in which they were given.
        device: Number of the device on which it was given.
        role: What that was.
        asked: What was asked.
        what: The answer; `None`: what was asked about did not happen.
        among: The snapshot in which it was asked.
    """

    number: int
    device: str
    role: Role
    asked: Question
    what: Event | None
    among: Snapshot


class Answers:
    """The answers given last; may be used from any thread."""

    def __init__(self) -> None:
        self._given: tuple[_Given, ...] = ()
        self._count = 0
        self._lock = threading.Lock()

    @contextmanager
    def giving(self, command: Command, device: str, role: Role, snapshot: Snapshot) -> Iterator[None]:
        """Note what `command` answers of what `snapshot` asks, if anything, while it is done."""
        found = _answered(command, snapshot)
        if found is None:
            yield
            return
        with self._lock:
            self._count += 1
            given = _Given(self._count, device, role, *found, snapshot)
            self._given = (*self._given, given)[-_KEPT:]
        try:
            yield
        except Exception:  # it was refused, so nobody has answered
            with self._lock:
                self._given = tuple(each for each in self._given if each is not given)
            raise

    def listener(self, device: str, role: Role) -> Callable[[Snapshot], Iterator[bytes]]:
        """Return what gives the events of one stream, UTF-8, after each snapshot that it tells.

        An answer is told once, with a snapshot in which its question is not open any more, to the devices on
        which something may be pressed but the one that gave it; not to whoever comes later.
        """
        told = {given.number for given in self._given}

        def events(snapshot: Snapshot) -> Iterator[bytes]:
            still_open = {question.seq for question in snapshot.questions}
            for given in self._given:
                if given.number in told or given.asked.seq in still_open:
                    continue
                told.add(given.number)
                if role.presses and given.device != device:
                    yield f"event: answered\ndata: {json.dumps(_shown(given, role))}\n\n".encode()

        return events


def _answered(command: Command, snapshot: Snapshot) -> tuple[Question, Event | None] | None:
    """The question that a command answers, and what it says; a card that is named anew answers one, too."""
    for asked in snapshot.questions:
        match command:
            case Answer(asked.seq, option) if option < len(asked.options):
                return asked, asked.options[option]
            case Correct(seq, event) if seq == asked.about:
                return asked, event
    return None


def _shown(given: _Given, role: Role) -> dict[str, Any]:
    """Write who answered and, where a device with `role` may know, what; `not` is what did not happen."""
    shown: dict[str, Any] = {"by": given.role.value}
    everything = is_open(given.among) or sight_of(given.among.match.fair.mode, role) is Sight.ALL
    cut = next(
        (each for each in snapshot_for(given.among, role).questions if each.seq == given.asked.seq), None
    )
    offered = () if cut is None else cut.options
    if given.what is not None and (everything or given.what in offered):
        shown["event"] = event_to_json(given.what)
    elif given.what is None and len(offered) == 1:
        shown["not"] = event_to_json(offered[0])
    return shown
