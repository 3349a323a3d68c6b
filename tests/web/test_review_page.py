"""The review in a real browser: a finished hand step by step, what was noticed, what could have been done."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from browsing import PHONE, House, Phone
from scripted_table import timed

from companion.review.judging import Layouts
from companion.review.report import report
from companion.rules.events import Claimed, Dealt, Event
from companion.rules.notation import read_each
from companion.rules.record import Record

pytestmark = pytest.mark.browser

SIZES = {"phone": PHONE, "desk": {"width": 1280, "height": 800}}


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


def to_review(phone: Phone) -> None:
    """Open the list of hands, and from there the review of the first."""
    phone.page.locator("#hands details").evaluate("(it) => { it.open = true; }")
    phone.page.locator("#hands li a").first.click()
    phone.page.wait_for_selector("#board .side")


def points(phone: Phone) -> list[str]:
    """North's and south's points, as the board shows them."""
    return phone.page.locator("#board .points").all_inner_texts()


@pytest.fixture
def house(open_house) -> House:
    """A table with one finished hand."""
    opened = open_house(timed(HAND), reviews=AtHand())
    opened.see(len(HAND) + 1.0)
    return opened


@pytest.mark.parametrize("size", SIZES)
def test_a_finished_hand_is_gone_through(open_phone, house: House, size: str) -> None:
    """From the list of hands to the story at once, forth and back, then the analysis as it comes."""
    device = open_phone(viewport=SIZES[size])
    page = device.page
    to_review(device)
    page.wait_for_selector("#told progress")
    assert points(device) == ["0", "0"]
    assert page.locator("#earlier").is_disabled()

    page.locator("#later").click()
    page.locator("#later").click()
    assert points(device) == ["15", "0"]
    assert "Bert: Pik König" in page.locator("#caption").inner_text()
    assert page.locator(".laid.won .card").count() == 1
    page.locator("#earlier").click()
    assert points(device) == ["0", "0"]

    house.reviews.go.set()
    page.wait_for_selector("#told progress", state="detached")
    assert page.locator("#told .state, #told li").count() > 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_moment_shows_what_could_have_been_done(open_phone, house: House) -> None:
    """Every action with its chances, best first, what was done among them."""
    house.reviews.go.set()
    device = open_phone(house)
    page = device.page
    to_review(device)
    page.wait_for_selector("#told progress", state="detached")
    last = house.table.standing().hands[0].events[-1]
    assert isinstance(last.event, Claimed)
    page.locator("#place").evaluate("(it) => { it.value = 13; it.dispatchEvent(new Event('input')); }")
    page.wait_for_selector("#choice li.done")
    worth = page.locator("#choice .worth").all_inner_texts()
    values = [float(each.replace("−", "-").replace(",", ".")) for each in worth]
    assert values == sorted(values, reverse=True)
    assert page.locator("#choice li.done").count() == 1


def test_a_hand_that_goes_on_is_refused_in_plain_words(open_house, open_phone) -> None:
    """Whoever types the address of the running hand is told that it has not ended."""
    house = open_house(timed(HAND[:-4]), reviews=AtHand())
    house.see(len(HAND))
    device = open_phone(house)
    device.page.goto(f"{house.address}/review.html#1.1")
    device.page.locator("#banner").filter(has_text="noch nicht zu Ende").wait_for()
    assert device.page.locator("#board .side").count() == 0
