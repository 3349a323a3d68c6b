"""The score sheets in a real browser, on the real server: what a Bauernschnapsen table sees and presses."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import PHONE, House, Phone, expect, faults

from companion.live.snapshot import Role
from companion.server.sheets import LISTED
from companion.sheets.command import read_command

pytestmark = pytest.mark.browser

NAMES = {4: ["Anna", "Bert", "Clara", "Dora"], 3: ["Anna", "Bert", "Clara"], 2: ["Ana", "Luis"]}
SEATS = {"bauern": 4, "dreier": 3, "negyes": 4, "harmas": 3, "rotation": 3, "tute": 2, "zweier": 2}


def begin(house: House, game: str, **agreed) -> None:
    """Open a sheet."""
    agreement = {"game": game, **agreed}
    command = {"type": "open", "names": NAMES[SEATS[game]], "dealer": 0, "agreement": agreement}
    house.book.submit(read_command(command))


def write(house: House, sheet: int = 1, **hand) -> None:
    """Write a hand, as another phone would."""
    after = house.book.sheet(sheet).seq
    house.book.submit(read_command({"type": "hand", "sheet": sheet, "after": after, "hand": hand}))


def totals(house: House) -> tuple[int, ...]:
    """What the server has on the first sheet."""
    return house.book.sheet(1).tally.totals


def columns(phone: Phone, *values: int) -> None:
    """Wait until the columns show `values`."""
    expect(phone.page.locator("#score .big strong")).to_have_text([str(each) for each in values])


@pytest.fixture
def at_sheet(open_phone, house: House) -> Callable[..., Phone]:
    """Opens a sheet and phones at it."""

    def open_(game: str = "bauern", sheet: int | None = 1, **more) -> Phone:
        if not house.book.sheets():
            begin(house, game)
        phone = open_phone(**more)
        phone.page.goto(f"{house.address}/sheet.html" + ("" if sheet is None else f"#{sheet}"))
        phone.page.wait_for_selector("#book > *" if sheet is None else "#score article")
        return phone

    return open_


def test_a_hand_takes_three_touches(at_sheet, house: House) -> None:
    """Contract, who, result: the hand stands, the columns show it, the dealer moves on."""
    phone = at_sheet()
    phone.touch("[data-contract=gang]")
    phone.touch("#entry [data-player='1']")
    phone.touch("[data-result=won-9]")
    columns(phone, 0, 9)
    assert phone.touches == 3
    phone.shows("#lines li", "Gang · Bert")
    phone.shows("#dealer", "Bert gibt")
    phone.touch("[data-contract=game]")
    phone.touch("#entry [data-player='2']")
    phone.touch("[data-result=lost-3]")
    columns(phone, 0, 12)
    assert phone.touches == 6
    assert totals(house) == (0, 12)


def test_every_touch_of_a_hand_is_within_reach_of_the_thumb(at_sheet) -> None:
    """All that a hand needs lies in the lower half of the screen, and nothing is hidden behind it."""
    phone = at_sheet()
    for selector in ("[data-contract=game]", "#entry [data-player='0']", "[data-result=won-1]"):
        for box in (each.bounding_box() for each in phone.page.locator("#entry button").all()):
            assert box["y"] > PHONE["height"] / 2
            assert box["y"] + box["height"] <= PHONE["height"]
        phone.touch(selector)
    columns(phone, 1, 0)


def test_a_doubled_hand_is_one_touch_more(at_sheet, house: House) -> None:
    """Spritzen before the result; the next hand is single again."""
    phone = at_sheet()
    for selector in ("[data-contract=schnapser]", "#entry [data-player='0']", "[data-doubling='4']"):
        phone.touch(selector)
    phone.shows("[data-result=won-6]", "6 × 4")
    phone.touch("[data-result=won-6]")
    columns(phone, 24, 0)
    assert phone.touches == 4
    phone.touch("[data-contract=gang]")
    phone.touch("#entry [data-player='0']")
    assert phone.page.get_attribute("[data-doubling='1']", "aria-pressed") == "true"


def test_a_step_back_undoes_nothing(at_sheet, house: House) -> None:
    """Going back a step and taking back a hand are two buttons in two places."""
    phone = at_sheet()
    write(house, contract="gang", player=0, won=True)
    columns(phone, 9, 0)
    undo = phone.page.locator("#undo").bounding_box()
    phone.touch("[data-contract=schnapser]")
    phone.touch("#entry [data-player='1']")
    back = phone.page.locator("#step-back").bounding_box()
    assert back["x"] + back["width"] < undo["x"]
    phone.touch("#step-back")
    phone.touch("#step-back")
    phone.page.wait_for_selector(".contracts")
    assert phone.page.locator("#step-back").count() == 0
    assert totals(house) == (9, 0)


def test_undo_is_one_touch_and_everyone_sees_it(at_sheet, house: House) -> None:
    """Two phones at one sheet: what one writes and takes back, the other shows."""
    one, two = at_sheet(), at_sheet()
    one.touch("[data-contract=bettler]")
    one.touch("#entry [data-player='3']")
    one.touch("[data-result=won-5]")
    columns(two, 0, 5)
    two.touch("#undo")
    two.shows("#toast", "Zurückgenommen: Bettler · Dora, gewonnen 5")
    for phone in (one, two):
        columns(phone, 0, 0)
        phone.shows("#lines", "Noch kein Spiel")


def test_two_phones_that_note_the_same_hand_are_told(at_sheet, house: House) -> None:
    """Who is in the middle of a hand that another has written sees so, and begins anew."""
    one, two = at_sheet(), at_sheet()
    for phone in (one, two):
        phone.touch("[data-contract=gang]")
        phone.touch("#entry [data-player='1']")
    one.touch("[data-result=won-9]")
    two.shows("#toast", "Inzwischen")
    columns(two, 0, 9)
    two.page.wait_for_selector(".contracts")
    assert totals(house) == (0, 9)


def test_a_dialog_writes_over_nothing_that_came_after_it_was_opened(at_sheet, house: House) -> None:
    """Both rename a player: who saves last is told, and sees what the other wrote."""
    one, two = at_sheet(), at_sheet()
    for phone in (one, two):
        phone.page.click("#open-menu")
        phone.page.click("#menu-rename")
    one.page.locator("#sheet input").nth(0).fill("Emil")
    one.page.click("#save-names")
    expect(two.page.locator("#score")).to_contain_text("Emil")
    two.page.locator("#sheet input").nth(1).fill("Fritz")
    two.page.click("#save-names")
    two.shows("#toast", "Inzwischen wurde etwas anderes eingetragen")
    assert house.book.sheet(1).names == ("Emil", "Bert", "Clara", "Dora")


def test_what_was_typed_stays_where_it_is_refused(at_sheet, house: House) -> None:
    """The dialog stays open with it, and what is wrong is said above the dialog."""
    phone = at_sheet()
    phone.page.click("#open-menu")
    phone.page.click("#menu-rename")
    for seat in (0, 1):
        phone.page.locator("#sheet input").nth(seat).fill("Max")
    phone.page.click("#save-names")
    phone.shows("#toast", "Zwei können nicht beide Max heißen")
    box = phone.page.locator("#toast").bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    on_top = "([x, y]) => document.elementFromPoint(x, y)?.closest('#toast') !== null"
    assert phone.page.evaluate(on_top, list(middle))
    assert phone.page.locator("#sheet input").nth(1).input_value() == "Max"
    phone.page.locator("#sheet input").nth(1).fill("Moritz")
    phone.page.click("#save-names")
    expect(phone.page.locator("#score")).to_contain_text("Moritz")
    expect(phone.page.locator("#sheet")).to_be_hidden()


def test_an_earlier_hand_is_corrected(at_sheet, house: House) -> None:
    """Touch the hand, correct, three touches: columns follow, the hand says that it was corrected."""
    begin(house, "bauern")
    write(house, contract="farbenringerl", player=0, won=True)
    write(house, contract="schnapser", player=0, won=True)
    phone = at_sheet()
    columns(phone, 24, 0)
    phone.shows("#ended", "Anna \\+ Clara gewinnen die Partie")
    phone.shows("#ended", "Bert \\+ Dora: Schneider, 2 Bummerl")
    phone.page.click("[data-line='2']")
    phone.page.click("#correct-line")
    phone.shows(".ask", "Berichtigung Spiel 1")
    for selector in ("[data-contract=farbenringerl]", "#entry [data-player='1']", "[data-result=won-18]"):
        phone.page.click(selector)
    columns(phone, 6, 18)
    phone.shows("[data-line='2']", "berichtigt")
    phone.page.wait_for_selector("#ended", state="hidden")
    phone.page.click("[data-line='2']")
    phone.shows("#sheet", "Vorher: Farben.?ringerl · Anna, gewonnen 18")
    phone.page.click("#strike-line")
    columns(phone, 6, 0)
    phone.shows("#lines .struck", "gestrichen")
    assert house.book.sheet(1).lines[0].hand is None


def test_the_table_page_leads_to_the_sheets_and_back(at_sheet, house: House) -> None:
    """From the table's menu to the list, to a sheet, to the list, to the table."""
    phone = at_sheet()
    phone.page.click("#back")
    phone.page.wait_for_selector(".book")
    phone.page.click("#back")
    phone.page.wait_for_selector("#players article")
    phone.page.click("#open-menu")
    phone.page.click("#menu-sheets")
    phone.page.click(".book a")
    phone.page.wait_for_selector("#score article")


def test_older_sheets_come_on_demand(at_sheet, house: House) -> None:
    """The list begins with the newest and goes on where it is asked to."""
    for _ in range(LISTED + 2):
        begin(house, "tute")
    phone = at_sheet(sheet=None)
    assert phone.page.locator(".book li").count() == LISTED
    phone.page.click("#older")
    phone.page.wait_for_selector("#older", state="detached")
    assert phone.page.locator(".book li").count() == LISTED + 2


def test_a_new_sheet_takes_names_and_its_game(at_sheet, house: House) -> None:
    """From the list: game, names, start; the sheet is opened, and names do nothing but stand there."""
    phone = at_sheet(sheet=None)
    phone.page.click("#new-sheet")
    phone.page.click("[data-game=negyes]")
    for seat, name in enumerate(("<b>Ági</b>", "Béla", "", "Dóra")):
        phone.page.fill(f"#name-{seat}", name)
    phone.page.locator("#sheet [data-value='2']").click()
    phone.page.click("#start-sheet")
    phone.shows("#score article", "<b>Ági</b>")
    phone.shows("#score article", "Spieler 3")
    phone.shows("#dealer", "Spieler 3 gibt")
    for selector in ("[data-contract=game]", "#entry [data-player='1']", "#entry [data-player='3']"):
        phone.page.click(selector)
    phone.page.click("[data-result=won-2]")
    columns(phone, 0, 2, 0, 2)
    phone.shows("#lines li", "mit Dóra")


def test_the_dealer_who_sits_out_cannot_be_touched(at_sheet, house: House) -> None:
    """Two-handed with rotation: who won, by how much; two touches, counted down from 7."""
    phone = at_sheet("rotation")
    columns(phone, 7, 7, 7)
    assert phone.page.locator("#entry [data-player='0']").is_disabled()
    phone.touch("#entry [data-player='2']")
    phone.touch("[data-result=won-3]")
    columns(phone, 7, 7, 4)
    assert phone.touches == 2
    assert phone.page.locator("#entry [data-player='1']").is_disabled()


def test_two_who_play_without_a_camera_write_who_won(at_sheet, house: House) -> None:
    """Winner and worth, two touches, from 7 down; who wins the match, and the Bummerl."""
    phone = at_sheet("zweier")
    columns(phone, 7, 7)
    for winner in ("0", "1", "0", "0"):
        phone.touch(f"#entry [data-player='{winner}']")
        phone.touch("[data-result=won-3]")
    assert phone.touches == 8
    phone.shows("#ended", "Ana gewinnt die Partie")
    assert house.book.sheet(1).tally.marks == (0, 1)


@pytest.mark.parametrize("schneider", [1, 2])
def test_two_who_play_choose_what_schneider_costs(at_sheet, house: House, schneider: int) -> None:
    """The camera's page offers that, too; one Bummerl is usual in both places."""
    phone = at_sheet(sheet=None)
    phone.page.click("#new-sheet")
    phone.page.click("[data-game=zweier]")
    if schneider == 2:
        phone.page.get_by_role("button", name="2 Bummerl").click()
    phone.page.click("#start-sheet")
    phone.page.wait_for_selector("#score article")
    assert house.book.sheet(2).agreement.marks == (1, schneider, 1)


def test_the_dealer_of_an_earlier_hand_is_corrected(at_sheet, house: House) -> None:
    """Who dealt decides who sat out: another dealer, then who won; it works for a hand struck out, too."""
    begin(house, "rotation")
    write(house, contract="game", player=1, won=True, worth=3)
    phone = at_sheet()
    phone.page.click("[data-line='2']")
    phone.page.click("#line-dealer")
    phone.page.locator("#sheet").get_by_role("button", name="Bert").click()
    assert phone.page.locator("#entry [data-player='1']").is_disabled()
    phone.page.click("#entry [data-player='0']")
    phone.page.click("[data-result=won-2]")
    columns(phone, 5, 7, 7)
    phone.shows("#dealer", "Clara gibt")
    phone.page.click("[data-line='2']")
    phone.page.click("#strike-line")
    columns(phone, 7, 7, 7)
    phone.page.click("[data-line='2']")
    phone.page.click("#correct-line")
    assert phone.page.locator("#entry [data-player='1']").is_disabled()
    phone.page.click("#entry [data-player='2']")
    phone.page.click("[data-result=won-1]")
    columns(phone, 7, 7, 6)


def test_tute_is_counted_by_one_figure(at_sheet, house: House) -> None:
    """One player's points, the last trick, songs; the other's points are worked out by the server."""
    phone = at_sheet("tute")
    phone.page.click("#write-tute")
    phone.shows("#toast", "Bitte die Augen")
    phone.page.fill("#cards-0", "77")
    phone.page.click("#write-tute")
    phone.shows("#toast", "letzten Stich")
    for selector in ("#last-0", "#forty-1", "#twenty-0", "#twenty-0"):
        phone.page.click(selector)
    phone.page.click("#write-tute")
    columns(phone, 127, 83)
    phone.shows("#lines li", "77 : 43")
    phone.shows("#lines li", "Ana singt 20 \\+ 20")
    assert phone.page.input_value("#cards-0") == ""
    phone.page.fill("#cards-1", "119")
    phone.page.click("#last-1")
    phone.page.click("#write-tute")
    phone.shows("#toast", "Die Augenzahl 1 geht")
    assert phone.page.input_value("#cards-1") == "119"


def test_the_table_of_contracts_is_edited(at_sheet, house: House) -> None:
    """Another value, a contract of one's own, one less; what makes no sense is said before it is sent."""
    phone = at_sheet()
    phone.page.click("#open-menu")
    phone.page.click("#menu-contracts")
    rows = phone.page.locator(".rows .row")
    rows.nth(3).locator("input").nth(1).fill("drei")
    phone.page.click("#save-contracts")
    phone.shows("#toast", "Zeile 4")
    rows.nth(3).locator("input").nth(1).fill("8")
    rows.nth(1).locator(".remove").click()
    phone.page.click("#add-row")
    rows.last.locator("input").nth(0).fill("Oma")
    rows.last.locator("input").nth(1).fill("7 14")
    phone.page.click("#save-contracts")
    phone.shows("[data-contract=Oma]", "7 · 14")
    phone.shows("[data-contract=gang]", "8")
    assert phone.page.locator("[data-contract=bettler]").count() == 0
    assert [each.name for each in house.book.sheet(1).agreement.contracts][:2] == ["game", "schnapser"]


def test_names_dealer_and_closing(at_sheet, house: House) -> None:
    """From menu and dealer line; a closed sheet shows no buttons but the one that opens it again."""
    phone = at_sheet()
    phone.page.click("#dealer")
    phone.page.locator("#sheet").get_by_role("button", name="Dora").click()
    phone.shows("#dealer", "Dora gibt")
    phone.page.click("#open-menu")
    phone.page.click("#menu-rename")
    phone.page.fill("#name-3", "Eva")
    phone.page.click("#save-names")
    phone.shows("#dealer", "Eva gibt")
    phone.page.click("#open-menu")
    phone.page.click("#menu-close")
    phone.page.click("#close-yes")
    phone.shows("#entry", "abgeschlossen")
    assert phone.page.locator("#entry button").count() == 1
    phone.page.click("#undo")
    phone.page.wait_for_selector(".contracts")
    assert not house.book.sheet(1).closed


def test_who_looks_on_has_nothing_to_press(at_sheet, house: House) -> None:
    """A spectator sees columns and hands as they come, and no button to write."""
    phone = at_sheet(role=Role.SPECTATOR)
    write(house, contract="gang", player=0, won=True)
    columns(phone, 9, 0)
    phone.shows("#entry", "zuschauen")
    assert phone.page.locator("main button, footer button").count() == 0


def test_a_phone_catches_up_after_a_restart(at_sheet, house: House) -> None:
    """The server goes and comes back with more on the sheet: the phone says so, returns, and is right."""
    phone = at_sheet()
    house.close()
    phone.shows("#banner", "Keine Verbindung")
    house.open()
    write(house, contract="gang", player=1, won=True)
    columns(phone, 0, 9)
    phone.page.wait_for_selector("#banner", state="hidden")


def test_sheets_are_saved_as_files(at_sheet, house: House) -> None:
    """The menu gives the sheet as text and as JSON."""
    begin(house, "bauern")
    write(house, contract="gang", player=1, won=True)
    phone = at_sheet()
    phone.page.click("#open-menu")
    for kind, says in (("txt", "Bert gang 9 won"), ("json", '"score-sheet"')):
        with phone.page.expect_download() as caught:
            phone.page.click(f"#sheet a[href$='{kind}']")
        assert caught.value.suggested_filename == f"sheet-1.{kind}"
        assert says in Path(caught.value.path()).read_text()


@pytest.mark.parametrize(("language", "theme"), [("de", "dark"), ("en", "light")])
def test_everything_can_be_read_and_touched(at_sheet, house: House, language: str, theme: str) -> None:
    """All games, all steps: touch targets of 44 px, contrast of 4.5, no word missing, nothing too wide."""
    for number, game in enumerate(SEATS, start=1):
        begin(house, game)
        if game == "tute":
            write(house, number, cards=[90, 30], last_trick=0, songs=[[40], [20, 20]])
        else:
            for player in (1, 0, 1) if SEATS[game] == 2 else (1, 2, 1):
                if player != house.book.sheet(number).next_dealer or game != "rotation":
                    write(house, number, contract="game", player=player, won=True, worth=3)
    phone = at_sheet(color_scheme=theme, choices={"language": language})
    page = phone.page

    def look() -> None:
        page.wait_for_timeout(30)
        for width in (320, 390, 768):
            phone.resized(width, 844)
            assert faults(page, str(width)) == []
        text = page.inner_text("body")
        assert not re.search("null|undefined|\\{|NaN", text)

    look()
    for selector in ("[data-contract=game]", "#entry [data-player='0']"):
        page.click(selector)
        look()
    page.click("[data-line='2']")
    look()
    page.keyboard.press("Escape")
    for open_, shown in (("#open-menu", "#menu-contracts"), ("#menu-contracts", "#save-contracts")):
        page.click(open_)
        page.wait_for_selector(shown)
        look()
    page.keyboard.press("Escape")
    for number in range(2, 1 + len(SEATS)):
        page.evaluate(f"location.hash = '{number}'")
        page.wait_for_selector(f"#score [data-columns='{len(house.book.sheet(number).agreement.accounts)}']")
        look()
    page.click("#back")
    page.wait_for_selector(".book")
    look()
    page.click("#new-sheet")
    look()
    page.click("[data-game=negyes]")
    look()


def test_words_are_there_in_both_languages(at_sheet) -> None:
    """German and English have the same keys, down to the last."""
    phone = at_sheet()
    different = phone.page.evaluate(
        """async () => {
          const { SHEET_WORDS } = await import('/sheet_words.js');
          const keys = (value, path) => (typeof value === 'string' ? [path]
            : Object.entries(value).flatMap(([key, each]) => keys(each, `${path}|${key}`)));
          const [de, en] = [keys(SHEET_WORDS.de, ''), keys(SHEET_WORDS.en, '')];
          return [...de.filter((key) => !en.includes(key)), ...en.filter((key) => !de.includes(key))];
        }"""
    )
    assert different == []


def test_the_first_visit_is_light(at_sheet) -> None:
    """Page, scripts, styles and words of the sheets weigh less than 100 kB, uncompressed."""
    sizes = at_sheet().page.evaluate(
        """performance.getEntriesByType('resource').filter((each) => !each.name.includes('/api/'))
          .map((each) => each.decodedBodySize)"""
    )
    assert 10_000 < sum(sizes) < 100_000


def test_a_menu_that_is_opened_before_the_answer_is_there_stays_open(open_phone, house: House) -> None:
    """A hand was written with a touch on the page; what that closes is no sheet that was opened meanwhile."""
    house.book.submit(
        read_command(
            {"type": "open", "names": ["A", "B", "C", "D"], "dealer": 0, "agreement": {"game": "bauern"}}
        )
    )
    page = open_phone().page
    page.goto(f"{house.address}/sheet.html#1")
    page.route("**/api/sheets", lambda route: (page.wait_for_timeout(600), route.continue_()))
    for touch in ("[data-contract=game]", "[data-player='1']", "[data-result=won-1]"):
        page.click(touch)
    page.click("#open-menu")
    page.wait_for_timeout(1500)
    expect(page.locator("#menu-contracts")).to_be_visible()
