"""What tests share: tables on one log with a clock that stands still, and a Chromium.

The only such file under `tests`; it also makes the modules beside it importable.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_table import Script, ScriptedDecoders

from companion.live.table import LiveTable
from companion.rules.ruleset import RuleSet
from companion.store.log import EventLog

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)


@pytest.fixture(scope="session")
def chromium() -> Iterator:
    """A headless Chromium of this machine."""
    playwright = pytest.importorskip("playwright.sync_api")
    names = (os.environ.get("COMPANION_CHROMIUM", ""), "chromium", "chromium-browser", "google-chrome")
    found = next((path for path in map(shutil.which, filter(None, names)) if path), None)
    if found is None:
        pytest.skip("no Chromium on this machine (apt-get install chromium)")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=list(FLAGS))
        yield browser
        browser.close()


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
        rules = more.pop("rules", RuleSet())
        opened.append(LiveTable(log, decoders, rules=rules, clock=clock, **more))
        return opened[-1]

    yield open_
    if opened:
        opened[-1].close()
