"""The shipped recording on five devices: counts move as it plays, its end is right, and can be corrected.

It plays at its own speed, and slower on a machine that is too busy to read it meanwhile.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from browsing import PHONE, SPEECH, Phone, expect, invite, nothing_twice, row

from companion.config import asset
from companion.live.snapshot import Role
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed
from companion.rules.record import Record, Result, replay, result_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROOT = Path(__file__).resolve().parent.parent.parent
LONGEST_MS = 600_000
GUESTS = (Role.SOUTH, Role.NORTH, Role.SPECTATOR, Role.BOARD)
SCREEN = {"width": 1280, "height": 720}
NAMES = ("Süd", "Nord")
BUMMERL = 7
"""Game points from which both count down."""
NAMED = Card.parse("KH")
"""What a play two tricks before the last is said to have been: it takes that trick, too, but then the
marriage in hearts was none, and the claim false."""
COUNTS = """
window.counts = [];
addEventListener("DOMContentLoaded", () => {
    const look = () => {
        const now = [...document.querySelectorAll("#players .total strong")].map((each) => each.innerText);
        if (now.length && String(now) !== String(window.counts.at(-1))) window.counts.push(now);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
});
"""
"""Script for a page that remembers each pair of counts that it showed."""


@dataclass(frozen=True)
class Demo:
    """Where `companion demo` is served.

    Attributes:
        link: What it printed.
    """

    link: str

    @property
    def port(self) -> int | None:
        """Its TCP port."""
        return urlsplit(self.link).port


@pytest.fixture
def demo() -> Iterator[Demo]:
    """`companion demo` as it is started by hand; it ends with the test."""
    command = [sys.executable, "-m", "companion", "demo", "--host", "127.0.0.1", "--port", "0"]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        found = None
        while found is None and (line := run.stdout.readline()):
            found = re.search(r"http://\S+", line)
        try:
            assert found is not None
            yield Demo(found.group())
        finally:
            run.terminate()
            run.stdout.read()


@pytest.fixture
def devices(demo: Demo, open_phone) -> list[Phone]:
    """The owner's phone by the printed link; let in by it south's, north's, a looker-on's and a board."""
    followed = {"script": SPEECH + COUNTS, "choices": {"voice": "on"}}
    owner = open_phone(demo, link=demo.link, **followed)
    found = [owner]
    for role in GUESTS:
        size = SCREEN if role is Role.BOARD else PHONE
        found.append(open_phone(demo, link=invite(owner, role), viewport=size, **followed))
        owner.page.get_by_role("button", name="Fertig").click()
    return found


def test_five_devices_follow_the_demo_to_its_right_end(devices: list[Phone]) -> None:
    """All show the recorded hand as it was; a player corrects a play, the other puts it right; a new hand."""
    hand = Record.from_json(json.loads((asset("demo") / "truth.json").read_text())["hand"])
    _, south, north, _, board = devices
    phones = [device for device in devices if device is not board]

    expect(south.page.locator("#camera")).to_have_text("Video zu Ende", timeout=LONGEST_MS)

    agree(devices, hand.result)
    for device in devices:
        rising(device.page.evaluate("window.counts"))
    for phone in phones:
        phone.tells(1 + len(hand.events))
    nothing_twice(phones)

    plays = [event for event in hand.events if isinstance(event, CardPlayed)]
    old = plays[-5]
    place = hand.events.index(old)
    events = [replace(event, card=NAMED) if event is old else event for event in hand.events]
    mistaken = result_of(replay(replace(hand, events=tuple(events), hands=None, stock=None)))
    assert mistaken.winner is not hand.result.winner
    name_anew(north, 1 + place, NAMED, devices, hand.result, mistaken)
    for phone in phones:
        phone.page.locator("#story li").nth(1 + place).locator("em").wait_for()
    name_anew(south, 1 + place, old.card, devices, mistaken, hand.result)

    south.touch("#new-hand")
    south.touch("#sheet button.strong")
    for device in devices:
        expect(device.page.locator("#talon .waiting")).to_be_visible()
        expect(device.page.locator("#players .game strong")).to_have_text(to_go(hand.result))
    assert [device.complaints for device in devices] == [[]] * len(devices)


def rising(shown: list[list[str]]) -> None:
    """Both counts went up in several steps, and where they were certain never down."""
    certain = [[int(count) for count in pair] for pair in shown if all(map(str.isdigit, pair))]
    assert len(certain) >= 4
    for counts in zip(*certain, strict=True):
        assert list(counts) == sorted(counts)


def name_anew(
    phone: Phone, place: int, card: Card, devices: list[Phone], before: Result, after: Result
) -> None:
    """Name a card of the story anew on one phone: what it comes to is shown, and is so after a yes only."""
    phone.touch("#story li button", place)
    phone.touch(f".pack [data-card={card}]")
    phone.page.wait_for_selector("#correct-yes:enabled")
    for player in Player:
        told = [totals(result)[player] for result in (before, after)]
        assert row(phone, "total", player) == (told if told[0] != told[1] else [])
    for cell, result in zip(row(phone, "award"), (before, after), strict=True):
        assert cell.startswith(award(result))
    agree(devices, before)
    phone.touch("#correct-yes")
    agree(devices, after)


def agree(devices: list[Phone], result: Result) -> None:
    """Wait until all devices show this end of the first hand: counts, award, game points still to go."""
    for device in devices:
        expect(device.page.locator("#players .total strong")).to_have_text(totals(result))
        device.shows("#result h2", award(result))
        expect(device.page.locator("#players .game strong")).to_have_text(to_go(result))


def totals(result: Result) -> list[str]:
    """Card points of south and north, as a page shows them."""
    return [str(each.low) for each in result.card_points]


def to_go(result: Result) -> list[str]:
    """Game points of south and north after the first hand, as a page shows them."""
    return [str(BUMMERL - (result.game_points if player is result.winner else 0)) for player in Player]


def award(result: Result) -> str:
    """How the headline of an end begins."""
    return f"{NAMES[result.winner]} gewinnt {result.game_points} Punkt"
