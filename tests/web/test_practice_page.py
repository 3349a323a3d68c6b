"""Practice in a real browser: a moment of a played hand as a puzzle, and one that is set up by hand."""

from __future__ import annotations

import pytest
from browsing import PHONE, House, expect, fits
from played_log import HAND, Told
from scripted_table import timed

pytestmark = pytest.mark.browser

SIZES = {"phone": PHONE, "desk": {"width": 1280, "height": 800}}


@pytest.fixture
def house(open_house) -> House:
    """A table with one finished hand."""
    opened = open_house(timed(HAND), reviews=Told())
    opened.see(len(HAND) + 1.0)
    return opened


@pytest.mark.parametrize("size", SIZES)
def test_a_puzzle_is_asked_and_answered_with_one_touch(open_phone, house: House, size: str) -> None:
    """The player's cards can be touched; then every action is there, best first, the choice among them."""
    phone = open_phone(viewport=SIZES[size])
    phone.page.goto(f"{house.address}/practice.html#1.6")
    phone.shows("#asked h2", "Bert ist am Ausspiel")
    cards = phone.page.locator("#board button.play")
    assert phone.page.locator("#answer .actions").count() == 0
    offered = cards.count()
    cards.first.click()
    phone.page.wait_for_selector("#answer .actions")
    assert phone.page.locator("#answer .actions li").count() == offered == 3
    assert phone.page.locator("#answer .actions em").filter(has_text="deine Wahl").count() == 1
    assert phone.page.locator("#answer .actions em").filter(has_text="so gespielt").count() == 1
    assert phone.page.locator("#answer .actions li.best").count() == 1
    assert phone.page.locator("#board button.play").count() == 0
    assert fits(phone.page)


@pytest.mark.parametrize("width", [320, 360, 390])
@pytest.mark.parametrize("more", [0, 1])
def test_a_whole_hand_lies_in_one_row_on_a_narrow_phone(
    open_phone, house: House, width: int, more: int
) -> None:
    """Five cards, or six of a pack of 24: each wide enough for a finger, none in a second line."""
    phone = open_phone(viewport={"width": width, "height": 640})

    def whole(route) -> None:
        puzzle = route.fetch().json()
        held = ["AH", "TH", "KD", "QC", "JS", "9C"][: 5 + more]
        action = next(iter(puzzle["actions"].values()))
        puzzle.update(hand=held, led=None, actions={f"play:{card}": action for card in held})
        route.fulfill(json=puzzle)

    phone.page.route("**/api/practice/**", whole)
    phone.page.goto(f"{house.address}/practice.html#1.6")
    cards = phone.page.locator("#board button.play")
    expect(cards).to_have_count(5 + more)
    boxes = [cards.nth(place).bounding_box() for place in range(5 + more)]
    assert len({box["y"] for box in boxes}) == 1
    assert min(box["width"] for box in boxes) >= 44
    assert min(box["height"] for box in boxes) >= 44
    assert fits(phone.page)


@pytest.mark.parametrize(("language", "said"), [("de", "1,0 Punkte."), ("en", "1.0 game points on average.")])
def test_a_loss_of_one_point_is_said_with_its_decimal(
    open_phone, house: House, language: str, said: str
) -> None:
    """As beside it; nobody says "1 Punkte"."""
    best: list[str] = []

    def costs_one(route) -> None:
        puzzle = route.fetch().json()
        best.append(next(iter(puzzle["actions"])))
        for each in puzzle["actions"].values():
            each.update(loss=1.0, sure=True)
        route.fulfill(json=puzzle)

    phone = open_phone(choices={"language": language})
    phone.page.route("**/api/practice/**", costs_one)
    phone.page.goto(f"{house.address}/practice.html#1.6")
    phone.page.wait_for_selector("#board button.play")
    phone.touch(f"#board button.play:not([data-action='{best[0]}'])")
    phone.shows("#answer h2", said)


def test_the_next_puzzle_comes_from_the_played_hands(open_phone, house: House) -> None:
    """From the list of hands to a puzzle that nobody chose, and on to the next."""
    phone = open_phone(house)
    phone.page.goto(f"{house.address}/review.html")
    phone.page.locator("#find nav a").first.click()
    phone.page.locator("#board button.play").first.click()
    phone.page.locator("#another").click()
    phone.page.wait_for_selector("#board button.play")
    assert phone.page.locator("#answer .actions").count() == 0


def test_the_page_says_that_a_puzzle_is_worked_out_and_what_to_do_without_an_answer(
    open_phone, house: House
) -> None:
    """At once, then that it takes long; when others wait or nothing comes, a touch asks again."""
    phone = open_phone(house)
    page = phone.page
    held: list = []
    page.route("**/api/practice/1/6", lambda route: held.append(route))
    page.clock.install()
    page.goto(f"{house.address}/practice.html#1.6")
    phone.shows("#answer", "Wird gerechnet")
    page.clock.fast_forward(5_000)
    phone.shows("#answer", "noch gerechnet")
    held.pop().fulfill(status=503, json={"error": "others wait"})
    phone.shows("#banner", "in ein paar Sekunden noch einmal")
    assert "503" in phone.complaints.pop()
    expect(page.locator("#answer .panel")).to_have_count(0)
    page.click("#again")
    phone.shows("#answer", "Wird gerechnet")
    expect(page.locator("#banner")).to_be_hidden()
    held.pop().abort("connectionrefused")
    phone.shows("#banner", "keine Antwort")
    page.unroute("**/api/practice/1/6")
    page.click("#again")
    phone.shows("#asked h2", "Bert ist am Ausspiel")
    expect(page.locator("#answer")).to_be_hidden()


@pytest.mark.parametrize("size", SIZES)
def test_a_position_is_set_up_by_hand_and_solved(open_phone, house: House, size: str) -> None:
    """Cards are put where they lie; with some unknown there are chances, with all known exact values."""
    phone = open_phone(viewport=SIZES[size])
    page = phone.page
    page.goto(f"{house.address}/practice.html#set")

    def put(place: str, *cards: str) -> None:
        page.locator(f"[data-place={place}]").click()
        for card in cards:
            page.locator(f"[data-card={card}]").click()

    page.locator("[data-trump=D]").click()
    put("hand", "AD", "KH", "QH", "JS", "TC")
    put("gone", "AS", "TD", "TH", "JH", "KC", "QC")
    page.locator("[name=points-1]").fill("33")
    page.locator("[name=tricks-1]").fill("3")
    page.locator("#solve").click()
    page.locator("#banner").filter(has_text="Die aufgeschlagene Karte fehlt").wait_for()
    put("stock", "JD")
    page.locator("#solve").click()
    page.wait_for_selector("#answer meter")
    assert page.locator("#answer .actions li").count() == 6
    put("stock", "JD", "AC", "QD", "TS", "JD")
    put("other", "QS", "KS", "AH", "JC", "KD")
    page.locator("#solve").click()
    page.wait_for_selector("#answer .story")
    assert page.locator("#answer meter").count() == 0
    assert page.locator("#answer .actions li").count() == 6
    assert fits(phone.page)


def test_a_puzzle_can_be_changed(open_phone, house: House) -> None:
    """Its cards, points and the close are taken over; the same moment has the same best action."""
    phone = open_phone(house)
    page = phone.page
    page.goto(f"{house.address}/practice.html#1.6")
    page.locator("#board button.play").first.click()
    best = page.locator("#answer li.best svg").first.get_attribute("aria-label")
    page.locator("#change").click()
    page.locator("#solve").click()
    page.wait_for_selector("#answer .actions li.best")
    assert best in [each.get_attribute("aria-label") for each in page.locator("#answer li.best svg").all()]
    assert page.locator("[name=closed]").input_value() == "0"


FAULTS = (
    *("claim", "gone", "turned_up", "stock_known", "no_trump"),
    *("hands", "hand_size", "open_hands", "open_stock", "long"),
)


def test_what_does_not_add_up_is_said_in_german_on_a_german_page(open_phone, house: House) -> None:
    """Every fault that the server has a key for; in English its own words do."""
    phone = open_phone(house)
    words = phone.page.evaluate("async () => (await import('/practice_words.js')).PRACTICE_WORDS.de.wrong")
    assert sorted(words) == sorted(FAULTS)
    assert all(words.values())
    phone.page.goto(f"{house.address}/practice.html#set")
    phone.touch("#solve")
    phone.shows("#banner", "Das geht nicht auf: Die aufgeschlagene Karte fehlt")
    phone.page.locator("[name=tricks-0]").fill("1")
    phone.touch("#solve")
    phone.shows("#banner", "Karten, die weg sind: 0; gewonnene Stiche: 1")
