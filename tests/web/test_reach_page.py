"""What lies where on a phone's screen: nothing said in passing, and no large type, hides what is pressed."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from browsing import FLAGS, House, Phone, chromium_path, expect
from scripted_table import PLAYED, timed

from companion.live.command import NewMatch
from companion.live.health import Sight
from companion.rules.ruleset import preset
from companion.sheets.command import read_command

pytestmark = pytest.mark.browser

COVERED = """() => {
  const said = document.getElementById('toast');
  const found = [];
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


def refuse(phone: Phone, what: str) -> None:
    """Let the server refuse what is asked by POST at `what`; the console's word on it is of no account."""
    refused = {"error": "not recorded", "reason": "not_recorded"}
    phone.page.route(
        what,
        lambda route: (
            route.fulfill(status=409, json=refused) if route.request.method == "POST" else route.fallback()
        ),
    )


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (740, 360)])
def test_what_is_said_in_passing_lies_over_no_button_of_a_sheet(
    open_phone, house: House, width: int, height: int
) -> None:
    """A sheet that stays open after a refusal: of a new match, whose names are kept, and of devices."""
    phone = open_phone(owner=True, viewport={"width": width, "height": height})
    page = phone.page
    refuse(phone, "**/api/commands")
    page.click("#open-menu")
    page.click("#menu-new-match")
    page.click("#start-match")
    expect(page.locator("#start-match")).to_be_visible()
    phone.shows("#toast", "aufgeschrieben")
    assert page.evaluate(COVERED) == []
    page.keyboard.press("Escape")
    refuse(phone, "**/api/devices")
    page.click("#open-menu")
    page.click("#menu-devices")
    page.click("#invite")
    page.click("#sheet [data-role=north]")
    expect(page.locator("#invite")).to_be_visible()
    phone.shows("#toast", "aufgeschrieben")
    assert page.evaluate(COVERED) == []


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 844), (740, 360)])
@pytest.mark.parametrize("size", ["normal", "large"])
def test_what_is_said_in_passing_stands_above_the_buttons(
    open_house, open_phone, width: int, height: int, size: str
) -> None:
    """Also where type is large and knocking adds a fifth button, so that they take more lines."""
    house = open_house(timed(PLAYED))
    house.table.submit(NewMatch(rules=preset("schnapsen+knock")))
    phone = open_phone(house, viewport={"width": width, "height": height}, choices={"size": size})
    house.see(6.0)
    phone.tells(6)
    phone.page.click("#undo")
    phone.shows("#toast", "Zurückgenommen")
    assert phone.page.evaluate(COVERED) == []


@pytest.mark.parametrize(("width", "height"), [(640, 360), (740, 360), (844, 390)])
def test_names_cards_and_counts_are_seen_together_in_landscape(
    open_phone, house: House, width: int, height: int
) -> None:
    """Scrolled to, all of a player stands above the buttons: cards are as small as the height asks."""
    phone = open_phone(viewport={"width": width, "height": height})
    house.see(6.5)
    phone.tells(6)
    free = height - phone.page.locator("footer").bounding_box()["height"]
    name = phone.page.locator("#players h2").first.bounding_box()
    total = phone.page.locator("#players .total").first.bounding_box()
    assert total["y"] + total["height"] - name["y"] <= free


@pytest.mark.parametrize(("width", "height"), [(640, 360), (740, 360), (844, 390)])
def test_in_landscape_the_players_stand_beside_the_stock(
    open_phone, house: House, width: int, height: int
) -> None:
    """Cards and the large figures are seen above the buttons as the page opens, and trumps with them."""
    phone = open_phone(viewport={"width": width, "height": height})
    house.see(6.5)
    phone.tells(6)
    expect(phone.page.locator("#banner")).to_be_hidden()
    free = height - phone.page.locator("footer").bounding_box()["height"]
    for seen in ("#talon .trump", "#talon .number", "#players .slot >> nth=1", "#players .total >> nth=1"):
        box = phone.page.locator(seen).bounding_box()
        assert box["y"] + box["height"] <= free, seen
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", [320, 360])
def test_the_type_chosen_in_the_menu_holds_on_every_page(open_phone, house: House, width: int) -> None:
    """Large on the table and on the pages beside it, none of which gets wider than the phone for it."""
    phone = open_phone(viewport={"width": width, "height": 740}, choices={"size": "large"})
    for name in ("", "review.html", "practice.html#set", "figures.html", "sheet.html", "setup.html"):
        phone.page.goto(f"{house.address}/{name}")
        expect(phone.page.locator("#title")).not_to_be_empty()
        root = phone.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert root == 21, name
        title = phone.page.locator("#title")
        assert title.evaluate("it => it.scrollWidth <= it.clientWidth || it.clientWidth > innerWidth / 2"), (
            name
        )
        assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name
    phone.complaints.clear()  # a console tells besides that nothing was played, and no camera is set up


@pytest.fixture
def open_large(chromium) -> Iterator[Callable[..., Phone]]:
    """Opens phones of people whose browser shows all type larger; 16 is what browsers come with."""
    opened = []

    def open_(house: House, font: int, **more) -> Phone:
        args = [*FLAGS, f"--blink-settings=defaultFontSize={font}"]
        opened.append(chromium.browser_type.launch(executable_path=chromium_path(), args=args))
        return Phone(opened[-1], house, **more)

    yield open_
    for browser in opened:
        browser.close()


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


@pytest.mark.parametrize(("width", "height"), [(740, 360), (568, 320), (360, 740), (320, 568)])
@pytest.mark.parametrize(("font", "size"), [(16, "normal"), (16, "large"), (24, "normal"), (32, "normal")])
@pytest.mark.parametrize("language", ["de", "en"])
def test_table_and_buttons_are_reached_with_large_type(
    open_house, open_large, width: int, height: int, font: int, size: str, language: str
) -> None:
    """With knocking, upright and lying, while the page says besides that the camera is blind."""
    house = open_house(timed(PLAYED))
    house.table.submit(NewMatch(rules=preset("schnapsen+knock")))
    house.see(6.5)
    house.table.report(Sight.LOST)
    viewport = {"width": width, "height": height}
    phone = open_large(house, font, viewport=viewport, choices={"size": size, "language": language})
    phone.tells(6)
    expect(phone.page.locator("#knock")).to_be_visible()
    expect(phone.page.locator("#banner")).to_be_visible()
    assert phone.page.evaluate(STICKING_OUT) == []
    assert phone.page.evaluate(UNREADABLE) == []
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(("font", "least"), [(16, 0), (24, 24), (32, 26)])
def test_the_type_that_a_browser_is_set_to_is_heeded(open_large, house: House, font: int, least: int) -> None:
    """On the table and on the pages beside it, and none of them is wider for it than a small phone."""
    phone = open_large(house, font, viewport={"width": 360, "height": 740})
    for name in ("", "review.html", "practice.html#set", "figures.html", "sheet.html"):
        phone.page.goto(f"{house.address}/{name}")
        expect(phone.page.locator("#title")).not_to_be_empty()
        root = phone.page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)")
        assert root >= least if least else root == 17, name
        assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("size", ["normal", "large"])
def test_a_hand_is_written_on_a_sheet_with_large_type(
    open_phone, house: House, width: int, size: str
) -> None:
    """The words of each step stay in their buttons, and a contract's name has room in the table of them."""
    agreement = {"agreement": {"game": "bauern"}}
    house.book.submit(read_command({"type": "open", "names": ["A", "B", "C", "D"], "dealer": 0, **agreement}))
    phone = open_phone(viewport={"width": width, "height": 740}, choices={"size": size})
    page = phone.page
    page.goto(f"{house.address}/sheet.html#1")
    for touch in ("[data-contract=game]", "[data-player='1']", "[data-result=won-1]"):
        page.wait_for_selector(touch)
        assert page.evaluate(STICKING_OUT) == [], touch
        page.click(touch)
    page.click("#open-menu")
    page.click("#menu-contracts")
    ems = "all => all.map((it) => it.clientWidth / parseFloat(getComputedStyle(it).fontSize))"
    assert min(page.locator(".row input:first-child").evaluate_all(ems)) > 6
    assert page.evaluate("document.getElementById('sheet').scrollWidth <= innerWidth")
