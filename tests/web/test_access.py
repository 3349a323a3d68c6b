"""The pages for everybody: axe-core finds nothing serious, and a claim needs neither sight nor a finger."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_table import hand_with, timed
from test_page import PALE, PHONE, SMALL, House, Phone

from companion.live.command import NewMatch
from companion.live.snapshot import Role
from companion.rules.events import Claimed, Exchanged, MarriageDeclared
from companion.rules.fair_play import FairPlay
from companion.server.devices import WRONG_CODES

pytestmark = pytest.mark.browser

HAND = hand_with(Exchanged, MarriageDeclared, Claimed)
PLAYED = tuple(event for event in HAND if not isinstance(event, Claimed))


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    """A table whose camera will see a hand without its claim."""
    opened = House(tmp_path, timed(PLAYED))
    yield opened
    opened.close()


def serious(page) -> list[str]:
    """What axe-core takes for serious or critical on this page, with where."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    found = axe.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{each['id']}: {node['html'][:160]}"
        for each in found
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]


def check(page, faults: list[str], where: str) -> None:
    """Note what is wrong with the page as it stands."""
    page.wait_for_timeout(50)
    faults += [f"{where}: {fault}" for fault in [*serious(page), *page.evaluate(SMALL), *page.evaluate(PALE)]]
    width = page.viewport_size["width"]
    if page.evaluate("document.documentElement.scrollWidth") > width:
        faults.append(f"{where}: wider than {width}")


@pytest.mark.parametrize(("theme", "width"), [("dark", 390), ("light", 320)])
def test_nothing_serious_is_found_on_the_phone(chromium, house: House, theme: str, width: int) -> None:
    """Table, every sheet, the result: names, contrast, sizes and structure hold in both themes."""
    phone = Phone(chromium, house, owner=True, color_scheme=theme, choices=f'{{"theme":"{theme}"}}')
    page, faults = phone.page, []
    page.set_viewport_size({"width": width, "height": 844})
    check(page, faults, "waiting")
    house.see(7.0)
    phone.tells(7)
    check(page, faults, "trick")
    page.locator("#story li button").last.click()
    page.wait_for_selector("#sheet .pack")
    check(page, faults, "correction")
    page.keyboard.press("Escape")
    page.click("#open-menu")
    check(page, faults, "menu")
    page.click("#menu-senses")
    check(page, faults, "senses")
    page.keyboard.press("Escape")
    page.click("#open-menu")
    page.click("#menu-devices")
    page.wait_for_selector("#invite")
    check(page, faults, "devices")
    page.click("#invite")
    check(page, faults, "invite")
    page.click("#sheet [data-role=south]")
    page.wait_for_selector("#qr")
    check(page, faults, "code")
    page.keyboard.press("Escape")
    page.click("#open-menu")
    page.click("#menu-new-match")
    check(page, faults, "match")
    page.click("#choose-fair")
    page.click("#sheet [data-mode=broadcast]")
    check(page, faults, "fair play")
    page.click("#fair-done")
    page.click("#choose-rules")
    page.wait_for_selector("#rules-done")
    check(page, faults, "rules")
    page.keyboard.press("Escape")
    house.see(len(PLAYED) + 1.0)
    page.click("#claim:enabled")
    check(page, faults, "claim")
    page.click("#claim-yes")
    phone.shows("#result h2", "gewinnt")
    check(page, faults, "result")
    page.evaluate("document.documentElement.dataset.size = 'large'")
    check(page, faults, "large type")
    phone.context.close()
    assert faults == []


def test_nothing_serious_is_found_on_the_other_pages(chromium, house: House) -> None:
    """Screens beside the phone, a phone that may see little, and the pages of whoever is not let in."""
    faults: list[str] = []
    base = f"http://127.0.0.1:{house.port}"
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    phone = Phone(chromium, house, role=Role.SOUTH)
    house.see(7.0)
    phone.shows("#talon", "Turnier")
    check(phone.page, faults, "tournament")
    for path, ready in (("/board", "#players article"), ("/overlay", "#south h2")):
        phone.page.goto(base + path)
        phone.page.wait_for_selector(ready)
        check(phone.page, faults, path)
    phone.context.close()
    context = chromium.new_context(viewport=PHONE, java_script_enabled=True)
    page = context.new_page()
    page.goto(f"{base}/")
    check(page, faults, "not paired")
    page.goto(f"{base}/pair?token=wrong")
    check(page, faults, "wrong code")
    for _ in range(WRONG_CODES):
        page.goto(f"{base}/pair?token=wrong")
    assert "Zu viele" in page.inner_text("h1")
    check(page, faults, "too many")
    context.close()
    assert faults == []


def test_a_code_is_taken_without_scripts_by_one_touch(chromium, house: House) -> None:
    """Where scripts are off the page has one button, and it lets the device in."""
    context = chromium.new_context(viewport=PHONE, java_script_enabled=False)
    page = context.new_page()
    page.goto(house.link(Role.SOUTH))
    page.get_by_role("button", name="Koppeln").click()
    page.wait_for_url(f"http://127.0.0.1:{house.port}/")
    assert [device.role for device in house.pairing.book.devices()] == [Role.SOUTH]
    context.close()


def test_a_claim_is_made_by_keyboard_and_by_the_names_that_are_read_out(chromium, house: House) -> None:
    """Tab reaches the button, its name says what it does, the sheet takes the focus, the result is live."""
    phone = Phone(chromium, house)
    page = phone.page
    house.see(len(PLAYED) + 1.0)
    page.wait_for_selector("#claim:enabled")
    assert page.get_by_role("button", name="Aus! 66 oder mehr").count() == 1
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "claim":
            break
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="meldet aus")
    dialog.wait_for()
    assert page.evaluate("document.getElementById('sheet').contains(document.activeElement)")
    for _ in range(6):
        if page.evaluate("document.activeElement.id") == "claim-yes":
            break
        page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Ja, aus!"
    page.keyboard.press("Enter")
    phone.shows("#result h2", "gewinnt")
    assert page.get_attribute("#result", "aria-live") == "polite"
    assert page.evaluate("document.activeElement.id") in ("claim", "new-hand", "")
    phone.context.close()
