"""What lies where on a phone's screen: nothing said in passing, and no large type, hides what is pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from browsing import FLAGS, House, Phone, chromium_path, expect, faults, fits
from scripted_table import HAND, PLAYED, timed

from companion.live.command import NewMatch
from companion.live.health import Sight
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed
from companion.rules.ruleset import preset
from companion.sheets.command import read_command
from companion.table.entry import Asked

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

COVERED = """() => {
  const said = document.getElementById('toast');
  const found = said.checkVisibility() ? [] : ['nothing is said'];
  for (const each of document.querySelectorAll('dialog[open] button, dialog[open] input, footer button')) {
    const beneath = document.querySelector('dialog[open]') && !each.closest('dialog');
    if (!each.checkVisibility() || beneath) continue;
    each.scrollIntoView({ block: 'center' });
    const [one, two] = [said, each].map((node) => node.getBoundingClientRect());
    if (one.bottom > two.top && one.top < two.bottom) found.push(each.textContent);
  }
  return found;
}"""
"""What can be pressed but lies below what is said in passing, wherever the sheet is scrolled to."""

SCREENS = ((320, 568), (390, 844), (740, 360))
"""Small, usual and lying; pixels."""


def nothing_is_covered(phone: Phone) -> None:
    """What is said in passing is still said, and lies over nothing that can be pressed, on any screen."""
    for screen in SCREENS:
        phone.resized(*screen)
        assert phone.page.evaluate(COVERED) == [], screen


def refuse(phone: Phone, what: str) -> None:
    """Let the server refuse what is asked by POST at `what`; the console's word on it is of no account."""
    refused = {"error": "not recorded", "reason": "not_recorded"}
    phone.page.route(
        what,
        lambda route: (
            route.fulfill(status=409, json=refused) if route.request.method == "POST" else route.fallback()
        ),
    )


def test_what_is_said_in_passing_lies_over_no_button_of_a_sheet(open_phone, house: House) -> None:
    """A sheet that stays open after a refusal: of a new match, whose names are kept, and of devices."""
    phone = open_phone(owner=True)
    page = phone.page
    refuse(phone, "**/api/commands")
    page.click("#open-menu")
    page.click("#menu-new-match")
    page.click("#start-match")
    expect(page.locator("#start-match")).to_be_visible()
    phone.shows("#toast", "aufgeschrieben")
    nothing_is_covered(phone)
    page.keyboard.press("Escape")
    refuse(phone, "**/api/devices")
    page.click("#open-menu")
    page.click("#menu-devices")
    page.click("#invite")
    page.click("#sheet [data-role=north]")
    expect(page.locator("#invite")).to_be_visible()
    phone.shows("#toast", "aufgeschrieben")
    nothing_is_covered(phone)


@pytest.mark.parametrize("size", ["normal", "large"])
def test_what_is_said_in_passing_stands_above_the_buttons(open_house, open_phone, size: str) -> None:
    """Also where type is large and knocking adds a fifth button, so that they take more lines."""
    house = open_house(timed(PLAYED))
    house.table.submit(NewMatch(rules=preset("schnapsen+knock")))
    phone = open_phone(house, choices={"size": size})
    house.see(6.0)
    phone.tells(6)
    phone.page.click("#undo")
    phone.shows("#toast", "Zurückgenommen")
    nothing_is_covered(phone)


def test_in_landscape_the_players_stand_beside_the_stock(phone: Phone, house: House) -> None:
    """Cards and the large figures are seen above the buttons as the page opens, and trumps with them.

    Scrolled to, all of a player stands above them, the name, too: cards are as small as the height asks.
    """
    house.see(6.5)
    phone.tells(6)
    expect(phone.page.locator("#banner")).to_be_hidden()
    for width, height in ((640, 360), (740, 360), (844, 390)):
        phone.resized(width, height)
        free = height - phone.page.locator("footer").bounding_box()["height"]
        for seen in (
            "#talon .trump",
            "#talon .number",
            "#players .slot >> nth=1",
            "#players .total >> nth=1",
        ):
            box = phone.page.locator(seen).bounding_box()
            assert box["y"] + box["height"] <= free, (width, seen)
        name = phone.page.locator("#players h2").first.bounding_box()
        total = phone.page.locator("#players .total").first.bounding_box()
        assert total["y"] + total["height"] - name["y"] <= free, width
        assert fits(phone.page), width


ROOM_FOR_THE_TITLE = "it => it.scrollWidth <= it.clientWidth || it.clientWidth > innerWidth / 2"


def test_the_type_chosen_in_the_menu_holds_on_every_page(open_phone, house: House) -> None:
    """Large on the table and on the pages beside it, none of which gets wider than the phone for it."""
    phone = open_phone(choices={"size": "large"})
    for name in ("", "review.html", "practice.html#set", "figures.html", "sheet.html", "setup.html"):
        phone.page.goto(f"{house.address}/{name}")
        expect(phone.page.locator("#title")).not_to_be_empty()
        root = phone.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert root == 21, name
        for width in (320, 360):
            phone.resized(width, 740)
            assert phone.page.locator("#title").evaluate(ROOM_FOR_THE_TITLE), (name, width)
            assert fits(phone.page), (name, width)
    phone.complaints.clear()  # a console tells besides that nothing was played, and no camera is set up


@pytest.fixture(scope="module")
def browser_with_type(chromium) -> Iterator[Callable[[int], Browser]]:
    """Browsers of people who have all type shown larger, one a size; 16 is what browsers come with."""
    opened: dict[int, Browser] = {}

    def open_(font: int) -> Browser:
        if font not in opened:
            args = [*FLAGS, f"--blink-settings=defaultFontSize={font}"]
            opened[font] = chromium.browser_type.launch(executable_path=chromium_path(), args=args)
        return opened[font]

    yield open_
    for browser in opened.values():
        browser.close()


@pytest.fixture
def open_large(browser_with_type) -> Iterator[Callable[..., Phone]]:
    """Opens phones of such people."""
    opened: list[Phone] = []

    def open_(house: House, font: int, **more) -> Phone:
        opened.append(Phone(browser_with_type(font), house, **more))
        return opened[-1]

    yield open_
    for phone in opened:
        phone.context.close()


STICKING_OUT = """() => [...document.querySelectorAll('footer button')].filter((each) => {
  each.scrollIntoView({ block: 'center' });
  const text = document.createRange();
  text.selectNodeContents(each);
  const [inner, outer] = [text, each].map((node) => node.getBoundingClientRect());
  const cut = outer.left < 0 || outer.right > innerWidth || outer.top < 0 || outer.bottom > innerHeight;
  const [left, right] = [outer.left - inner.left, inner.right - outer.right];
  return cut || Math.max(left, right, inner.bottom - outer.bottom) > 1;
}).map((each) => each.textContent)"""
"""Buttons that cannot be brought into the picture as a whole, or whose words are wider than they are."""

UNREADABLE = """() => {
  const seen = (each) => {
    const { x, y, width, height } = each.getBoundingClientRect();
    const found = [0.1, 0.9].map((part) => document.elementFromPoint(x + width / 2, y + height * part));
    return found.every((node) => each.contains(node));
  };
  return [...document.querySelectorAll('#players .total strong, #talon .number')].filter((each) => {
    for (let at = 0; at < innerHeight; at += 10) {
      scrollBy(0, each.getBoundingClientRect().top - at);
      if (seen(each)) return false;
    }
    return true;
  }).map((each) => each.textContent);
}"""
"""Figures that lie below head or buttons wherever the page is scrolled to."""


@pytest.mark.parametrize(("font", "size"), [(16, "normal"), (16, "large"), (24, "normal"), (32, "normal")])
@pytest.mark.parametrize("language", ["de", "en"])
def test_table_and_buttons_are_reached_with_large_type(
    open_house, open_large, font: int, size: str, language: str
) -> None:
    """With knocking, upright and lying, while the page says besides that the camera is blind."""
    house = open_house(timed(PLAYED))
    house.table.submit(NewMatch(rules=preset("schnapsen+knock")))
    house.see(6.5)
    house.table.report(Sight.LOST)
    phone = open_large(house, font, choices={"size": size, "language": language})
    phone.tells(6)
    expect(phone.page.locator("#knock")).to_be_visible()
    expect(phone.page.locator("#banner")).to_be_visible()
    for screen in ((740, 360), (568, 320), (360, 740), (320, 568)):
        phone.resized(*screen)
        assert phone.page.evaluate(STICKING_OUT) == [], screen
        assert phone.page.evaluate(UNREADABLE) == [], screen
        assert fits(phone.page), screen


@pytest.mark.parametrize(("font", "least"), [(16, 0), (24, 24), (32, 26)])
def test_the_type_that_a_browser_is_set_to_is_heeded(open_large, house: House, font: int, least: int) -> None:
    """On the table and on the pages beside it, and none of them is wider for it than a small phone."""
    phone = open_large(house, font, viewport={"width": 360, "height": 740})
    for name in ("", "review.html", "practice.html#set", "figures.html", "sheet.html"):
        phone.page.goto(f"{house.address}/{name}")
        expect(phone.page.locator("#title")).not_to_be_empty()
        root = phone.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert root >= least if least else root == 17, name
        assert fits(phone.page), name


@pytest.mark.parametrize("size", ["normal", "large"])
def test_a_hand_is_written_on_a_sheet_with_large_type(open_phone, house: House, size: str) -> None:
    """The words of each step stay in their buttons, and a contract's name has room in the table of them."""
    agreement = {"agreement": {"game": "bauern"}}
    house.book.submit(read_command({"type": "open", "names": ["A", "B", "C", "D"], "dealer": 0, **agreement}))
    phone = open_phone(choices={"size": size})
    page = phone.page
    page.goto(f"{house.address}/sheet.html#1")
    for touch in ("[data-contract=game]", "[data-player='1']", "[data-result=won-1]"):
        page.wait_for_selector(touch)
        for width in (320, 390):
            phone.resized(width, 740)
            assert page.evaluate(STICKING_OUT) == [], (touch, width)
        page.click(touch)
    page.click("#open-menu")
    page.click("#menu-contracts")
    ems = "all => all.map((it) => it.clientWidth / parseFloat(getComputedStyle(it).fontSize))"
    for width in (320, 390):
        phone.resized(width, 740)
        assert min(page.locator(".row input:first-child").evaluate_all(ems)) > 6, width
        assert page.evaluate("document.getElementById('sheet').scrollWidth <= innerWidth"), width


def test_with_large_type_on_a_small_phone_a_question_is_seen_at_once(open_house, open_phone) -> None:
    """What is asked stands above the stock there, in the part of the page that needs no scrolling."""
    options = tuple(CardPlayed(Player.SOUTH, Card.parse(name)) for name in ("KS", "AS"))
    house = open_house([*timed(HAND[:5]), (6.0, Asked(0, 6.0, "which_card", None, options))])
    phone = open_phone(house, choices={"size": "large"}, viewport={"width": 320, "height": 568})
    house.see(8.0)
    phone.page.wait_for_selector("#questions button")
    asked = phone.page.locator("#questions h2").bounding_box()
    assert asked["y"] + asked["height"] < phone.page.locator("footer").bounding_box()["y"]
    assert faults(phone.page, "#questions") == []
