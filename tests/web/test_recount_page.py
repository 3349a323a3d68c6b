"""The sum of a claim on two phones: each trick with its picture, counted again until it is right."""

from __future__ import annotations

import pytest
from browsing import WAIT_MS, House, Phone, expect, faults, serious
from scripted_table import HAND, other_sum, timed

from companion.live.snapshot import Role
from companion.rules.cards import Player
from companion.rules.events import CardPlayed, MarriageDeclared

pytestmark = pytest.mark.browser

CLAIMANT = HAND[-1].player
OTHER = CLAIMANT.other
ROLES = (Role.SOUTH, Role.NORTH)
NAMES = ("Anna", "Bert")


@pytest.fixture
def house(open_house) -> House:
    """A table after a claim, with a picture of every event but the marriage."""
    opened = open_house(timed(HAND))
    for time, event in opened.script:
        if not isinstance(event, MarriageDeclared):
            opened.keep_picture(time)
    opened.see(len(HAND) + 1.0)
    return opened


def sound(phone: Phone) -> None:
    """What stands on the page can be read, touched and named."""
    phone.page.wait_for_timeout(60)
    assert [*faults(phone.page), *serious(phone.page)] == []


@pytest.mark.parametrize(("language", "width"), [("de", 390), ("en", 320)])
def test_the_other_counts_again_and_finds_it_right(
    open_phone, house: House, language: str, width: int
) -> None:
    """The other asks on the own phone, all are told; the other says that it is right, all are told."""
    more = {"choices": {"language": language}, "viewport": {"width": width, "height": 844}}
    asks, claims = open_phone(role=ROLES[OTHER], **more), open_phone(role=ROLES[CLAIMANT], **more)
    board = open_phone(role=Role.BOARD, **more)
    asks.page.wait_for_selector(".working button")
    sound(asks)
    asks.page.click("#recount")
    counts = f"{NAMES[OTHER]} {'zählt nach' if language == 'de' else 'recounts'}"
    for phone in (asks, claims, board):
        phone.shows("#result .recount", counts)
        expect(phone.page.locator("#recount")).to_have_count(0)
        expect(phone.page.locator(".working b").first).to_be_visible()
    sound(asks)
    expect(claims.page.locator("#recount-right")).to_have_count(0)
    expect(board.page.locator("#result button")).to_have_count(0)
    asks.page.click("#recount-right")
    for phone in (asks, claims, board):
        phone.shows("#result .recount.right", "stimmt" if language == "de" else "right")
        expect(phone.page.locator("#result .choice")).to_have_count(0)
    sound(asks)


def test_by_keyboard_one_stays_in_the_result(open_phone, house: House) -> None:
    """What was pressed is gone when the part is drawn anew; the next key leads to what took its place."""
    phone = open_phone(role=ROLES[OTHER])
    phone.page.focus("#recount")
    phone.page.keyboard.press("Enter")
    phone.page.wait_for_selector("#recount-right")
    expect(phone.page.locator("#result")).to_be_focused()
    for _ in range(20):
        phone.page.keyboard.press("Tab")
        if phone.page.evaluate("document.activeElement.id") == "recount-right":
            break
    phone.page.keyboard.press("Enter")
    phone.shows("#result .recount.right", "stimmt")


def test_what_has_the_focus_keeps_it_while_play_goes_on(open_phone, open_house) -> None:
    """A card of the course is still the one that Enter opens after more cards have been played."""
    played = open_house(timed(HAND))
    played.see(6.0)
    phone = open_phone(played, role=Role.SOUTH)
    second = phone.page.locator("#story li button").nth(1)
    second.focus()
    before = phone.page.locator("#story li").count()
    played.see(8.0)
    expect(phone.page.locator("#story li").nth(before)).to_be_visible()
    expect(second).to_be_focused()


def test_each_trick_of_the_sum_shows_its_picture(open_phone, house: House) -> None:
    """By keyboard, with a name that says what it opens: the moment of the trick's second card."""
    phone = open_phone(role=Role.SOUTH)
    phone.page.wait_for_selector(".working button")
    working = house.table.feed.wait("", 0.0).hand.verdict.verdict.working
    tricks = [line for line in working if not line.startswith("marriage")]
    lines = phone.page.locator(".working button")
    expect(lines).to_have_count(len(tricks))
    expect(phone.page.locator(".working li")).to_have_count(len(working))
    cards = [event for event in HAND if isinstance(event, CardPlayed) and str(event.card) in tricks[0]]
    seq = 1 + HAND.index(cards[-1])
    name = lines.first.get_attribute("aria-label")
    assert name.endswith(f", {tricks[0].split(' = ')[1]}: Bild zeigen")
    lines.first.focus()
    phone.page.keyboard.press("Enter")
    still = phone.page.locator("#sheet .still")
    assert still.evaluate("image => image.decode().then(() => image.naturalWidth)") == 60
    assert still.get_attribute("src") == f"api/corrections/{seq}/picture"
    sound(phone)
    phone.page.click("#still-done")
    expect(phone.page.locator("#sheet")).to_be_hidden()
    expect(lines.first).to_be_focused()


@pytest.mark.parametrize("role", [Role.SPECTATOR, Role.BOARD])
def test_who_looks_on_is_offered_nothing(open_phone, house: House, role: Role) -> None:
    """No picture, no recount: the sum alone."""
    phone = open_phone(role=role)
    phone.shows("#result .verdict", NAMES[CLAIMANT])
    phone.page.wait_for_load_state("networkidle", timeout=WAIT_MS)
    expect(phone.page.locator("#result button")).to_have_count(0)


def test_what_is_wrong_is_corrected_from_there(open_phone, house: House) -> None:
    """The middle counts for the other: the way to the course, another sum, the count goes on."""
    phone = open_phone()
    phone.page.click("#recount")
    phone.shows("#result .recount", NAMES[OTHER])
    phone.page.click("#recount-wrong")
    expect(phone.page.locator("#story summary")).to_be_focused()
    expect(phone.page.locator("#story summary")).to_be_in_viewport()
    place = phone.page.locator("#story li button").first
    expect(place).to_be_visible()
    edit = other_sum(house.table)
    before = house.table.feed.wait("", 0.0).hand.verdict.verdict
    seqs = [told.seq for told in house.table.feed.wait("", 0.0).hand.events]
    phone.touch("#story li button", seqs.index(edit.seq))
    phone.touch(f".pack [data-card={edit.event.card}]")
    phone.touch("#correct-yes:enabled")
    phone.page.wait_for_selector("#changes li", state="attached")
    after = house.table.feed.wait("", 0.0).hand
    assert after.verdict.verdict.working != before.working
    values = [line.split(" = ")[1] for line in after.verdict.verdict.working]
    expect(phone.page.locator(".working b")).to_have_text(values)
    assert after.recount.player is Player(OTHER)
    phone.shows("#result .recount", NAMES[OTHER])
    phone.page.click("#recount-right")
    phone.shows("#result .recount.right", "stimmt")
