"""The review in a real browser: a finished hand step by step, what was noticed, what could have been done."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from paired import pairing_in
from scripted_table import ScriptedDecoders, timed, view_at

from companion.live.snapshot import Role
from companion.live.table import LiveTable
from companion.review.judging import Layouts
from companion.review.report import report
from companion.rules.events import Claimed, Dealt, Event
from companion.rules.notation import read_each
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.server import create_app, serve
from companion.server.address import link_to
from companion.server.review import review_routes
from companion.store.log import EventLog

pytestmark = pytest.mark.browser

SIZES = {"phone": {"width": 390, "height": 844}, "desk": {"width": 1280, "height": 800}}
WAIT_MS = 20_000


def planted(number: int) -> tuple[Event, ...]:
    """A hand with a planted mistake, as the table sees it."""
    with (Path(__file__).parent.parent / "review" / "planted.hand").open() as lines:
        records = [each.what for each in read_each(lines) if isinstance(each.what, Record)]
    record = records[number]
    return (Dealt(record.dealer, record.turned_up), *record.events)


HAND = planted(9)
"""South leads the ace of diamonds, north takes it with the king of spades; it ends with a claim."""


class AtHand:
    """Works reviews out in a thread, with few layouts; holds them back until `go` is set."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self._found: dict[Record, list] = {}

    def analysis(self, record: Record) -> dict:
        """What a page is told."""
        if record not in self._found:
            self._found[record] = []
            threading.Thread(target=self._work, args=(record,), daemon=True).start()
        parts = self._found[record]
        if not self.go.is_set() or not parts:
            return {"decisions": [], "total": 0, "review": None, "failed": False}
        _, *decisions, review = parts
        return {"decisions": decisions, "total": len(decisions), "review": review, "failed": False}

    def _work(self, record: Record) -> None:
        few = Layouts(first=12, second=48, hands=8, played=4)
        self._found[record] = [part.data for part in report(record, layouts=few)]


class House:
    """A table whose hand has been played, with its server."""

    def __init__(self, folder: Path, hand: tuple[Event, ...] = HAND) -> None:
        log = EventLog(folder / "table.sqlite")
        decoders = ScriptedDecoders(timed(hand))
        self.table = LiveTable(log, decoders, rules=RuleSet(), names=("Anna", "Bert"), source="script")
        self.table.see(view_at(len(hand) + 1.0))
        self.pairing = pairing_in(folder)
        self.reviews = AtHand()
        app = create_app(self.table, self.pairing, listens="127.0.0.1")
        app.register_blueprint(review_routes(self.table, self.reviews))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.serving = serve(app, "127.0.0.1", self.port)

    def close(self) -> None:
        """Close both."""
        self.table.feed.close()
        self.serving.stop()
        self.table.close()


class Page:
    """A paired device that shows the table page."""

    def __init__(self, browser, house: House, size: str) -> None:
        self.context = browser.new_context(viewport=SIZES[size])
        self.page = self.context.new_page()
        self.page.set_default_timeout(WAIT_MS)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on(
            "console",
            lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None,
        )
        token = house.pairing.invite(Role.TABLE).token
        self.page.goto(link_to(f"127.0.0.1:{house.port}", token, ""))
        self.page.wait_for_selector("#players article")

    def to_review(self) -> None:
        """Open the list of hands, and from there the review of the first."""
        self.page.locator("#hands details").evaluate("(it) => { it.open = true; }")
        self.page.locator("#hands li a").first.click()
        self.page.wait_for_selector("#board .side")

    def points(self) -> list[str]:
        """North's and south's points, as the board shows them."""
        return self.page.locator("#board .points").all_inner_texts()

    def fits(self) -> bool:
        """Whether nothing sticks out at the side."""
        return self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A table with one finished hand."""
    opened = House(tmp_path)
    yield opened
    opened.close()


@pytest.mark.parametrize("size", SIZES)
def test_a_finished_hand_is_gone_through(chromium, house: House, size: str) -> None:
    """From the list of hands to the story at once, forth and back, then the analysis as it comes."""
    device = Page(chromium, house, size)
    page = device.page
    device.to_review()
    page.wait_for_selector("#told progress")
    assert device.points() == ["0", "0"]
    assert page.locator("#earlier").is_disabled()

    page.locator("#later").click()
    page.locator("#later").click()
    assert device.points() == ["15", "0"]
    assert "Bert: Pik König" in page.locator("#caption").inner_text()
    assert page.locator(".laid.won .card").count() == 1
    page.locator("#earlier").click()
    assert device.points() == ["0", "0"]

    house.reviews.go.set()
    page.wait_for_selector("#told progress", state="detached")
    assert page.locator("#told .state, #told li").count() > 0
    assert device.fits()
    assert device.complaints == []
    device.context.close()


def test_a_moment_shows_what_could_have_been_done(chromium, house: House) -> None:
    """Every action with its chances, best first, what was done among them."""
    house.reviews.go.set()
    device = Page(chromium, house, "phone")
    page = device.page
    device.to_review()
    page.wait_for_selector("#told progress", state="detached")
    last = house.table.standing().hands[0].events[-1]
    assert isinstance(last.event, Claimed)
    page.locator("#place").evaluate("(it) => { it.value = 13; it.dispatchEvent(new Event('input')); }")
    page.wait_for_selector("#choice li.done")
    worth = page.locator("#choice .worth").all_inner_texts()
    values = [float(each.replace("−", "-").replace(",", ".")) for each in worth]
    assert values == sorted(values, reverse=True)
    assert page.locator("#choice li.done").count() == 1
    device.context.close()


def test_a_hand_that_goes_on_is_refused_in_plain_words(chromium, tmp_path: Path) -> None:
    """Whoever types the address of the running hand is told that it has not ended."""
    house = House(tmp_path, HAND[:-4])
    device = Page(chromium, house, "phone")
    device.page.goto(f"http://127.0.0.1:{house.port}/review.html#1.1")
    device.page.locator("#banner").filter(has_text="noch nicht zu Ende").wait_for()
    assert device.page.locator("#board .side").count() == 0
    device.context.close()
    house.close()
