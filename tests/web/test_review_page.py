"""The review in a real browser: a finished hand step by step, what was noticed, what could have been done."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from browsing import PHONE, House, Phone, expect, faults, fits
from scripted_table import REVOKED, dealt_and, timed

from companion.live.command import Correct, Rename
from companion.review.judging import Layouts
from companion.review.report import report
from companion.rules.cards import Player
from companion.rules.events import Agreed, CardPlayed, Claimed, Dealt, Event
from companion.rules.notation import read_each
from companion.rules.record import Record
from companion.sheets.command import read_command
from companion.table.entry import Unseen
from companion.vision.still import STILL_SIZE, still

pytestmark = pytest.mark.browser

SIZES = {"phone": PHONE, "desk": {"width": 1280, "height": 800}}


def recorded(name: str) -> list[tuple[Event, ...]]:
    """The hands of a file beside the tests of the review, as the table sees them."""
    with (Path(__file__).parent.parent / "review" / name).open() as lines:
        records = [each.what for each in read_each(lines) if isinstance(each.what, Record)]
    return [(Dealt(record.dealer, record.turned_up), *record.events) for record in records]


def planted(number: int) -> tuple[Event, ...]:
    """A hand with a planted mistake."""
    return recorded("planted.hand")[number]


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

    def decisions(self, record: Record) -> list[dict] | None:
        """The decisions, once they are known."""
        parts = self._found.get(record)
        return parts[1:-1] if parts and self.go.is_set() else None

    def failed(self, record) -> bool:
        """Nothing is broken off."""
        return False

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
    expect(page.locator("#board .ended")).to_have_count(0)
    page.locator("#place").fill(page.locator("#place").get_attribute("max"))
    expect(page.locator("#board .ended")).to_contain_text("gewinnt 2 Punkte")

    house.reviews.go.set()
    page.wait_for_selector("#told progress", state="detached")
    assert page.locator("#told .state, #told li").count() > 0
    assert fits(page)


def test_where_nobody_saw_the_table_stands_in_the_review(open_house, open_phone) -> None:
    """In the list of all steps, and beside the table after the step that came next."""
    script = sorted([*timed(HAND), (3.5, Unseen(0, 3.5, 1.5))], key=lambda each: each[0])
    house = open_house(script, reviews=AtHand())
    phone = open_phone(house)
    house.see(len(HAND) + 1.0)
    to_review(phone)

    for _ in range(3):
        phone.page.locator("#later").click()

    phone.shows("figcaption .doubt", "Davor war der Tisch 2 s nicht zu sehen")
    phone.page.locator(".story").last.evaluate("(it) => { it.open = true; }")
    phone.shows(".story li em", "davor nichts gesehen")


def test_that_the_cards_lay_there_already_stands_beside_the_deal(open_house, open_phone) -> None:
    """Nobody can say for how long."""
    house = open_house([(1.0, Unseen(0, 1.0, None)), *timed(HAND)], reviews=AtHand())
    phone = open_phone(house)
    house.see(len(HAND) + 1.0)
    to_review(phone)

    phone.shows("figcaption .doubt", "Als die Kamera zu schauen begann, lagen die Karten schon da.")


BROKEN = """(it) => {
  const [text, found] = [it.firstChild, []];
  for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    if (range.getClientRects().length > 1) found.push(word);
  }
  return found;
}"""
"""Words on a button that are broken in two."""


@pytest.mark.parametrize("size", ["normal", "large"])
def test_the_longest_names_make_no_page_wider_than_the_phone(open_phone, house: House, size: str) -> None:
    """One word of all the letters a name may have: on the table, its sheets, a review and a score sheet."""
    names = ["W" + 23 * "o", "Bartholomäus-Maximiliane"]
    for player, name in zip(Player, names, strict=True):
        house.table.submit(Rename(player, name))
    agreed = {"type": "open", "names": names, "dealer": 0, "agreement": {"game": "tute"}}
    house.book.submit(read_command(agreed))
    phone = open_phone(viewport={"width": 320, "height": 740}, choices={"size": size, "language": "en"})
    phone.page.wait_for_selector("#hands li a")
    assert faults(phone.page, "table") == []
    phone.touch("#story li button", 2)
    phone.page.wait_for_selector(".likely button")
    phone.page.wait_for_timeout(50)
    assert faults(phone.page, "correction") == []
    for button in phone.page.locator(".likely button").all():
        assert button.evaluate("(it) => it.scrollWidth - it.clientWidth") <= 0
    for button in phone.page.locator(".correct .choice button").all():
        assert button.evaluate(BROKEN) == []
    for address, shown in (("review.html#1", "#board .side"), ("sheet.html#1", ".tute")):
        phone.page.goto(f"{house.address}/{address}")
        phone.page.wait_for_selector(shown)
        assert faults(phone.page, address) == []


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


DEALT = """async (event) => {
  const { stepText } = await import('/review_parts.js');
  return stepText({ names: ['Anna', 'Bert'], story: { dealer: 0 } }, event);
}"""


@pytest.mark.parametrize(("turned_up", "told"), [("QH", ", Herz Dame aufgeschlagen"), (None, "")])
def test_a_deal_is_told_by_who_dealt_and_what_was_turned_up(open_phone, turned_up, told) -> None:
    """As what stood before a correction, or was asked about."""
    said = open_phone().page.evaluate(DEALT, {"type": "deal", "turned_up": turned_up, "dealer": 1})
    assert said == "Bert gibt" + told


def test_a_hand_that_goes_on_is_refused_in_plain_words(open_house, open_phone) -> None:
    """Whoever types the address of the running hand is told that it has not ended."""
    house = open_house(timed(HAND[:-4]), reviews=AtHand())
    house.see(len(HAND))
    device = open_phone(house)
    device.page.goto(f"{house.address}/review.html#1.1")
    device.page.locator("#banner").filter(has_text="noch nicht zu Ende").wait_for()
    assert device.page.locator("#board .side").count() == 0


def test_each_step_shows_the_table_as_the_camera_saw_it(open_phone, house: House) -> None:
    """Its picture, and beside it what somebody corrected, with what stood there before."""
    jpeg = still(np.full((72, 128, 3), 90, np.uint8))
    entries = house.table.standing().hands[0].events
    for entry in entries[:-1]:
        house.album.keep(entry.time, jpeg, {})
    last = next(entry for entry in reversed(entries) if isinstance(entry.event, CardPlayed))
    house.table.submit(Correct(last.seq, CardPlayed(last.event.player, None)), source="phone:north")
    phone = open_phone(house)
    page = phone.page
    page.goto(f"{house.address}/review.html#1")
    page.wait_for_selector("#seen img")
    steps = int(page.locator("#place").get_attribute("max"))
    seen = set()
    for _ in range(steps):
        page.locator("#later").click()
        if page.locator("#seen img").count():
            seen.add(page.locator("#seen img").get_attribute("src"))
            expect(page.locator("#seen img")).to_have_js_property("naturalWidth", STILL_SIZE[0])
        if page.locator("#seen .mended").count():
            assert "Bert" in page.locator("#seen .mended").inner_text()
            assert page.locator("#seen .mended s").count() == 1
            mended = page.locator("#place").input_value()
    assert len(seen) == len(entries) - 2
    assert mended == str([entry.seq for entry in entries].index(last.seq))
    assert page.locator("#course em").filter(has_text="berichtigt").count() == 1
    assert fits(page)


def test_a_revoke_is_shown_with_both_pictures(open_house, open_phone) -> None:
    """Of the wrong card and of the one that proved it, where both were kept."""
    hand = [*dealt_and("TH", *REVOKED, close=True), *dealt_and("QH")]
    house = open_house(timed(hand), reviews=AtHand())
    house.see(len(hand) + 1.0)
    for second in range(1, len(hand) + 1):
        house.album.keep(float(second), still(np.full((72, 128, 3), 10 * second, np.uint8)), {})
    phone = open_phone(house)
    phone.page.goto(f"{house.address}/review.html#1")
    expect(phone.page.locator("#told .proof img")).to_have_count(2)
    shown = [each.get_attribute("src").rpartition("/")[2] for each in phone.page.locator(".proof img").all()]
    assert shown == ["4000", "6000"]


def test_the_hand_that_decided_a_match_says_so(open_house, open_phone) -> None:
    """Who won it, and whose Bummerl it is; the hands before and after say nothing of it."""
    paid = [(Dealt(Player.SOUTH, None), Agreed(Player.NORTH, points)) for points in (3, 3, 1, 2)]
    hands = [event for hand in paid for event in hand]
    house = open_house(timed(hands), reviews=AtHand())
    house.see(len(hands) + 1.0)
    phone = open_phone(house)
    phone.page.goto(f"{house.address}/review.html")
    expect(phone.page.locator(".book li")).to_have_count(4)
    expect(phone.page.locator(".book em")).to_have_text(["Bert gewinnt die Partie! Bummerl für Anna"])
    expect(phone.page.locator(".book li").nth(1).locator("em")).to_have_count(1)
    assert fits(phone.page)
    phone.page.locator(".book a").nth(1).click()
    expect(phone.page.locator("#caption")).to_contain_text("Stich")
    phone.page.locator("#later").click()
    expect(phone.page.locator("#board .ended em")).to_have_text("Bert gewinnt die Partie! Bummerl für Anna")


def test_hands_are_found_and_taken_along(open_house, open_phone) -> None:
    """The list is cut to what is looked for, and so is what is downloaded; a hand comes as one page."""
    hands = [*HAND, *planted(0)]
    house = open_house(timed(hands), reviews=AtHand())
    house.see(len(hands) + 1.0)
    phone = open_phone(house)
    page = phone.page
    page.goto(f"{house.address}/review.html")
    expect(page.locator(".book li")).to_have_count(2)
    page.locator("#find summary").click()
    closed = sum(hand.state.at_close is not None for hand in house.table.standing().hands)
    page.locator("[name=kind]").select_option("closed")
    expect(page.locator(".book li")).to_have_count(closed)
    page.locator("[name=find]").fill("nobody")
    phone.shows("#list .none", "Kein Spiel")
    page.locator("[name=find]").fill("ann")
    page.locator("[name=kind]").select_option("")
    expect(page.locator(".book li")).to_have_count(2)
    page.locator(".taking summary").click()
    with page.expect_download() as download:
        page.locator(".taking a").filter(has_text="CSV").click()
    assert len(Path(download.value.path()).read_text().splitlines()) == 3
    page.locator(".book a").first.click()
    with page.expect_download() as download:
        page.locator("#take a").last.click()
    assert "<table>" in Path(download.value.path()).read_text()


@pytest.mark.parametrize("size", SIZES)
def test_figures_are_counted_up_as_hands_are_judged(open_house, open_phone, size: str) -> None:
    """A column for each player; one touch has the rest worked out, and the plots follow."""
    hands = [*planted(0), *HAND]
    house = open_house(timed(hands), reviews=AtHand())
    house.see(len(hands) + 1.0)
    house.reviews.go.set()
    phone = open_phone(house, viewport=SIZES[size])
    page = phone.page
    page.goto(f"{house.address}/review.html")
    page.locator("#find nav a").last.click()
    expect(page.locator(".figures thead th")).to_have_text(["Anna", "Bert"])
    expect(page.locator("[data-row=hands] td")).to_have_text(["2", "2"])
    expect(page.locator("[data-row=lost_a_decision] td")).to_have_text(["–", "–"])
    assert page.locator("#won svg").count() == 1
    page.locator("#go").click()
    expect(page.locator("#judge")).to_be_hidden()
    assert "–" not in page.locator("[data-row=lost_a_decision] td").all_inner_texts()
    assert page.locator("#losses svg .dot").count() == 4
    assert fits(page)


class Judged(AtHand):
    """Has judged one decision of each hand: a play, where two words would have been better."""

    def analysis(self, record: Record) -> dict:
        """What a page is told."""
        promised = {"game_points": -1.5, "wins": 0.25}
        actions = {"exchange": promised, "claim": promised, "play:AD": promised}
        decision = {
            "at": 1,
            "player": 0,
            "action": "play:AD",
            "best": "exchange",
            "loss": 1.2,
            "certain": False,
        }
        told = {"told": [], "unjudged": 0}
        return {"decisions": [decision | {"actions": actions}], "total": 1, "review": told, "failed": False}


@pytest.mark.parametrize("language", ["de", "en"])
def test_what_could_be_done_is_read_in_large_type(open_house, open_phone, language: str) -> None:
    """Each action, what it promises and what is said of it fit into their row, and the cards on the table."""
    house = open_house(timed(HAND), reviews=Judged())
    phone = open_phone(house, choices={"size": "large", "language": language})
    house.see(len(HAND) + 1.0)
    to_review(phone)
    phone.page.locator("#later").click()
    phone.page.wait_for_selector("#choice .actions li")
    wide = "all => all.filter((it) => it.scrollWidth > it.clientWidth).map((it) => it.textContent)"
    rows = phone.page.locator("#choice, #choice li, #choice .word, .middle, .hand")
    for width in (320, 390):
        phone.resized(width, 740)
        assert rows.evaluate_all(wide) == [], width
