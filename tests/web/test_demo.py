"""The shipped recording in a real browser: counts move as it plays, and its end shows the right result."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.config import asset

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parent.parent.parent
PHONE = {"width": 390, "height": 844}
LONGEST_MS = 240_000


@pytest.fixture
def address() -> Iterator[str]:
    """Where `companion demo` is served; it ends with the test."""
    command = [sys.executable, "-m", "companion", "demo", "--host", "127.0.0.1", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        found = None
        while found is None and (line := run.stdout.readline()):
            found = re.search(r"http://\S+", line)
        try:
            assert found is not None
            yield found.group()
        finally:
            run.terminate()
            run.stdout.read()


def test_the_demo_is_followed_to_its_right_end(chromium, address: str) -> None:
    """Both counts rise in several steps, and the last ones are those of the hand that was recorded."""
    truth = json.loads((asset("demo") / "truth.json").read_text())["hand"]["result"]
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    page.set_default_timeout(LONGEST_MS)
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    page.wait_for_selector("#players article")
    page.evaluate(
        """() => {
            window.told = [];
            const look = () => {
                const totals = [...document.querySelectorAll("#players .total strong")];
                const now = totals.map((each) => each.innerText).join(" : ");
                if (now && now !== window.told.at(-1)) window.told.push(now);
            };
            look();
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
        }"""
    )

    page.wait_for_selector("#result:not([hidden])")

    told = page.evaluate("() => window.told")
    snapshot = page.evaluate("() => fetch('/api/snapshot').then((answer) => answer.json())")
    award = snapshot["hand"]["award"]
    context.close()
    assert len(told) >= 4
    assert told[-1] == " : ".join(str(points) for points in truth["card_points"])
    assert (award["winner"], award["game_points"]) == (truth["winner"], truth["game_points"])
    assert complaints == []
