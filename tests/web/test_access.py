"""The pages for everybody: axe-core finds nothing serious, and a claim needs neither sight nor a finger."""

from __future__ import annotations

import re

import pytest
from browsing import PHONE, House, expect, faults, serious
from scripted_table import HAND, PLAYED, timed

from companion.live.command import NewMatch
from companion.live.snapshot import Role
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet
from companion.server.devices import WRONG_CODES
from companion.sheets.command import read_command
from companion.table.entry import Asked

pytestmark = pytest.mark.browser
BAUERN = {"agreement": {"game": "bauern"}}


def check(page, found: list[str], where: str) -> None:
    """Note what is wrong with the page as it stands."""
    page.wait_for_timeout(50)
    found += [*serious(page, where), *faults(page, where)]


@pytest.mark.parametrize(("theme", "width"), [("dark", 390), ("light", 320)])
def test_nothing_serious_is_found_on_the_phone(open_phone, house: House, theme: str, width: int) -> None:
    """Table, every sheet, the result: names, contrast, sizes and structure hold in both themes."""
    size = {"width": width, "height": 844}
    phone = open_phone(owner=True, color_scheme=theme, choices={"theme": theme}, viewport=size)
    page, found = phone.page, []
    check(page, found, "waiting")
    house.see(7.0)
    phone.tells(7)
    check(page, found, "trick")
    page.locator("#story li button").last.click()
    page.wait_for_selector("#sheet .pack")
    check(page, found, "correction")
    page.keyboard.press("Escape")
    page.click("#open-menu")
    check(page, found, "menu")
    page.click("#menu-senses")
    check(page, found, "senses")
    page.keyboard.press("Escape")
    page.click("#open-menu")
    page.click("#menu-devices")
    page.wait_for_selector("#invite")
    check(page, found, "devices")
    page.click("#invite")
    check(page, found, "invite")
    page.click("#sheet [data-role=south]")
    page.wait_for_selector("#qr")
    check(page, found, "code")
    page.keyboard.press("Escape")
    page.click("#open-menu")
    page.click("#menu-new-match")
    check(page, found, "match")
    page.click("#choose-fair")
    page.click("#sheet [data-mode=broadcast]")
    check(page, found, "fair play")
    page.click("#fair-done")
    page.click("#choose-rules")
    page.wait_for_selector("#rules-done")
    check(page, found, "rules")
    page.keyboard.press("Escape")
    house.see(len(PLAYED) + 1.0)
    phone.tells(len(PLAYED))  # whoever might have claimed after the seventh event no longer may
    page.click("#claim:enabled")
    check(page, found, "claim")
    page.click("#claim-yes")
    phone.shows("#result h2", "gewinnt")
    check(page, found, "result")
    page.evaluate("document.documentElement.dataset.size = 'large'")
    check(page, found, "large type")
    assert found == []


def test_nothing_serious_is_found_on_the_other_pages(chromium, open_phone, house: House) -> None:
    """Screens beside the phone, a phone that may see little, and the pages of whoever is not let in."""
    found: list[str] = []
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    phone = open_phone(role=Role.SOUTH)
    house.see(7.0)
    phone.shows("#talon", "Turnier")
    check(phone.page, found, "tournament")
    for path, ready in (("/board", "#players article"), ("/overlay", "#south h2")):
        phone.page.goto(house.address + path)
        phone.page.wait_for_selector(ready)
        check(phone.page, found, path)
    context = chromium.new_context(viewport=PHONE, locale="de-AT")
    page = context.new_page()
    page.goto(f"{house.address}/")
    check(page, found, "not paired")
    page.goto(f"{house.address}/pair?token=wrong")
    check(page, found, "wrong code")
    for _ in range(WRONG_CODES):
        page.goto(f"{house.address}/pair?token=wrong")
    assert "Zu viele" in page.inner_text("h1")
    check(page, found, "too many")
    context.close()
    assert found == []


class NoAnalysis:
    """Reviews that have the story of a hand, and are still being worked out."""

    def analysis(self, record: object) -> dict:
        """Nothing yet."""
        return {"decisions": [], "total": 0, "review": None, "failed": False}


def test_nothing_serious_is_found_on_the_pages_behind_the_menu(open_house, open_phone) -> None:
    """Score sheets, the list of them, and the review of a hand, in both themes."""
    house, found = open_house(timed(HAND), reviews=NoAnalysis()), []
    house.see(len(HAND) + 1.0)
    house.book.submit(read_command({"type": "open", "names": ["A", "B", "C", "D"], "dealer": 0, **BAUERN}))
    for theme in ("dark", "light"):
        page = open_phone(house, color_scheme=theme, choices={"theme": theme}).page
        for path, ready in (
            ("sheet.html", ".book"),
            ("sheet.html#1", "#score article"),
            ("review.html#1.1", "#board .side"),
        ):
            page.goto(f"{house.address}/{path}")
            page.wait_for_selector(ready)
            check(page, found, f"{path} {theme}")
    assert found == []


def styled(page, what: str, name: str) -> list[str]:
    """A property of all that `what` selects, as it is drawn."""
    return page.locator(what).evaluate_all(f"all => all.map((it) => getComputedStyle(it).{name})")


def test_what_colours_tell_is_told_without_them(open_phone, house: House) -> None:
    """Where the system forces its own: whose turn it is, which Bummerl are taken, what is the main button."""
    house.table.submit(NewMatch(marks=(1, 0), rules=RuleSet(series="first_to_n_marks")))
    house.see(7.0)
    page = open_phone(forced_colors="active").page
    page.wait_for_selector("#players .turn")
    edges = styled(page, "#players article", "borderTopColor")
    assert edges[0] != edges[1]
    taken, *free = styled(page, "#players article:first-child .marks i", "backgroundColor")
    assert free
    assert taken not in free
    assert styled(page, "#actions .main", "borderTopStyle") == ["solid"]


def test_more_contrast_is_given_where_it_is_asked_for(open_phone, house: House) -> None:
    """What is said softly otherwise is said as loudly as the rest."""
    page = open_phone(contrast="more", color_scheme="dark").page
    assert styled(page, "#players .game", "color") == styled(page, "#players h2", "color")


CONTRASTS = """() => {
  const straight = (part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const light = (text) => {
    const most = text.startsWith('rgb') ? 255 : 1;
    const [r, g, b] = text.match(/[\\d.]+/g).map((each) => straight(each / most));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const of = (one, two) => (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  const fill = (node) => light(getComputedStyle(node).fill);
  const panel = light(getComputedStyle(document.querySelector('.talon')).backgroundColor);
  const paper = fill(document.querySelector('.card .paper'));
  const [suit, index] = ['.trump .suit', '.card .index'].map((each) => document.querySelector(each));
  return ['red', 'gold', 'brown', 'green'].map((tone) => {
    suit.setAttribute('class', `suit ${tone}`);
    index.setAttribute('class', `index ${tone}`);
    return [tone, of(fill(suit), panel), of(fill(index), paper)];
  });
}"""
"""Contrast of each German suit beside the stock, and of the letter of its cards."""


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_german_suits_are_seen_on_every_ground(open_phone, house: House, theme: str) -> None:
    """As trumps as clear as a sign has to be, and the letters of small cards as clear as any text."""
    house.see(7.0)
    page = open_phone(color_scheme=theme, choices={"theme": theme, "faces": "german"}).page
    page.wait_for_selector(".trump .suit")
    found = page.evaluate(CONTRASTS)
    assert [each for each in found if each[1] < 3 or each[2] < 4.5] == []


def test_a_code_is_taken_without_scripts_by_one_touch(chromium, house: House) -> None:
    """Where scripts are off the page has one button, and it lets the device in."""
    context = chromium.new_context(viewport=PHONE, locale="de-AT", java_script_enabled=False)
    page = context.new_page()
    page.goto(house.link(Role.SOUTH))
    page.get_by_role("button", name="Koppeln").click()
    page.wait_for_url(f"{house.address}/")
    assert [device.role for device in house.pairing.book.devices()] == [Role.SOUTH]
    context.close()


def test_a_sheet_that_leads_to_another_takes_the_focus_along(open_phone, house: House) -> None:
    """What was pressed is gone with the first: the focus is at the title of the second, which is read out."""
    page = open_phone(owner=True).page
    page.click("#open-menu")
    page.locator("#menu-senses").press("Enter")
    page.get_by_role("dialog", name="Ton und Anzeige").wait_for()
    assert page.evaluate("document.activeElement.textContent") == "Ton und Anzeige"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.choice") == "voice-on"


WRITTEN = """() => {
  window.written = [];
  const note = (node) => new MutationObserver(() => window.written.push(node.id || node.className))
    .observe(node, { childList: true, characterData: true, subtree: true });
  document.querySelectorAll('[role=alert], [role=status], [aria-live]').forEach(note);
}"""
"""Notes from then on what is written into a live region, whatever was there before."""


def test_the_focus_is_back_where_a_sheet_was_opened_also_if_that_was_drawn_anew(
    open_phone, house: House
) -> None:
    """A card is played while the sheet is open; whoever goes by keyboard does not begin at the top again."""
    house.see(4.0)
    phone = open_phone()
    phone.tells(4)
    opener = phone.page.locator("#story li button").nth(2)
    opener.focus()
    opener.press("Enter")
    phone.page.wait_for_selector("#sheet .pack")
    house.see(6.0)
    phone.tells(6)
    phone.page.keyboard.press("Escape")
    phone.page.wait_for_selector("#sheet", state="hidden")
    assert opener.evaluate("it => it === document.activeElement")


def test_what_is_new_is_read_out_once_and_what_is_not_new_never(open_house, open_phone) -> None:
    """The event, counts that moved, a question; a warning that stands is not written again with each card."""
    options = tuple(CardPlayed(Player.SOUTH, Card.parse(name)) for name in ("AH", "TH"))
    house = open_house([*timed(PLAYED[:4]), (4.2, Asked(0, 4.2, "which_card", 4, options))])
    house.see(3.0)
    house.table.report_place(False)
    phone = open_phone(house)
    phone.tells(3)
    phone.shows("#banner", "wo der Tisch|Wo der Tisch")
    phone.page.evaluate(WRITTEN)
    house.see(4.0)
    expect(phone.page.locator("#announcer")).to_have_text("Anna: Herz Ass. Anna 15")
    house.see(4.5)
    asked = re.compile("^Anna 0.{3}15. Bert 0.{3}35. Was hat Anna auf Herz König gespielt.$")
    expect(phone.page.locator("#announcer")).to_have_text(asked)
    assert phone.page.evaluate("window.written") == ["announcer", "announcer"]


def test_a_claim_is_made_by_keyboard_and_by_the_names_that_are_read_out(open_phone, house: House) -> None:
    """Tab reaches the button, its name says what it does, the sheet takes the focus, the result is live."""
    phone = open_phone()
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
    assert page.evaluate("document.activeElement.id") in ("claim", "new-hand", "actions")
