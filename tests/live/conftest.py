"""Tables on one log, with a clock that stands still."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_table import (
    Script,
    ScriptedDecoders,
)

from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.store.log import EventLog


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.fixture
def clock() -> Clock:
    """A clock that stands still."""
    return Clock()


@pytest.fixture
def open_table(tmp_path: Path, clock: Clock) -> Iterator:
    """Opens tables on one log, one after the other, and closes the last."""
    opened: list[LiveTable] = []

    def open_(script: Script = (), **more) -> LiveTable:
        if opened:
            opened[-1].close()
        decoders = more.pop("decoders", None) or ScriptedDecoders(script)
        log = EventLog(tmp_path / "table.sqlite")
        opened.append(LiveTable(log, decoders, rules=RuleSet(), clock=clock, **more))
        return opened[-1]

    yield open_
    if opened:
        opened[-1].close()
