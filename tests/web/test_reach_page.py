"""What lies where on a phone's screen: nothing said in passing, and no large type, hides what is pressed."""

from __future__ import annotations

import pytest
from browsing import House, Phone, expect
from scripted_table import PLAYED, timed

from companion.live.command import NewMatch
from companion.rules.ruleset import preset

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
