"""What is pressed over a network that is slow, or gone for a moment, counts for what was seen, and once."""

from __future__ import annotations

import pytest
from browsing import House, Phone, expect
from scripted_table import dealt_and, newest, timed

from companion.live.command import NewMatch, Undo
from companion.live.snapshot import Role
from companion.rules.events import GivenUp
from companion.table.entry import Asked

pytestmark = pytest.mark.browser


class Late:
    """Files that do not come before they are let through."""

    def __init__(self, phone: Phone, *names: str) -> None:
        """Open the page of `phone` anew, without `names`."""
        self._held: list = []
        for name in names:
            phone.page.route(f"**/{name}.js*", lambda route: self._held.append(route))
        phone.page.reload(wait_until="commit")
        phone.page.wait_for_selector("#players article")

    def come(self) -> None:
        """Let them through."""
        for route in self._held:
            route.continue_()


@pytest.fixture
def two_hands(open_house) -> House:
    """A table at which one hand is given up after a trick, and the next dealt at 11 s."""
    first, second = dealt_and("JD", "AH", "QH"), dealt_and("JC", "AS", "QS")
    house = open_house([*timed([*first, GivenUp()]), *timed(second, 11.0)])
    house.see(3.5)
    return house


def test_a_word_whose_sheet_comes_late_is_none_of_the_next_hand(open_phone, two_hands: House) -> None:
    """The sheet was on its way when the next hand was dealt: there it would have been a false claim."""
    phone = open_phone(two_hands)
    late = Late(phone, "dialogs")
    phone.page.click("#claim")
    two_hands.see(14.0)
    phone.shows("#title", "Spiel 2")
    late.come()
    phone.shows("#toast", "Inzwischen ist schon etwas anderes geschehen")
    expect(phone.page.locator("#sheet")).to_be_hidden()
    phone.page.click("#claim")
    with phone.page.expect_response("**/api/commands"):
        phone.page.click("#claim-yes")
    assert newest(two_hands.table).hand.verdict is not None


def test_a_sheet_that_comes_late_does_not_take_the_place_of_another(open_phone, two_hands: House) -> None:
    """Whoever went on to the menu meanwhile reads there, and touches what stands there."""
    phone = open_phone(two_hands)
    late = Late(phone, "dialogs")
    phone.page.click("#claim")
    phone.page.click("#open-menu")
    phone.shows("#sheet h2", "Menü")
    with phone.page.expect_event("requestfinished", lambda request: "dialogs" in request.url):
        late.come()
    phone.page.wait_for_timeout(200)
    phone.shows("#sheet h2", "Menü")


def test_what_could_not_be_fetched_once_comes_when_the_network_is_back(open_phone, two_hands: House) -> None:
    """A browser does not ask twice for the same module: sheets stayed shut for the whole evening."""
    phone = open_phone(two_hands)
    page, names = phone.page, ("course", "dialogs", "menu", "senses")
    for name in names:
        page.route(f"**/{name}.js*", lambda route: route.abort("connectionfailed"))
    page.reload(wait_until="commit")
    page.wait_for_selector("#players article")
    page.click("#open-menu")
    phone.shows("#toast", "Keine Verbindung")
    for name in names:
        page.unroute(f"**/{name}.js*")
    two_hands.see(4.5)
    phone.tells(4)
    page.click("#open-menu")
    page.click("#menu-new-hand")
    phone.shows("#sheet h2", "Wer gibt")


def twice(phone: Phone, selector: str, place: float = 0.5) -> None:
    """Touch `selector` twice in short order, so far from its left side; 1 is its right."""
    box = phone.page.locator(selector).bounding_box()
    for _ in range(2):
        phone.page.mouse.click(box["x"] + place * box["width"], box["y"] + box["height"] / 2)
        phone.page.wait_for_timeout(150)


def test_a_double_touch_confirms_no_sheet_that_has_just_come(open_phone, two_hands: House) -> None:
    """Where "Zudrehen" was stands "Ja, zudrehen" a moment later: nobody has read yet what it asks."""
    phone = open_phone(two_hands, role=Role.NORTH)
    phone.page.wait_for_function("import('/dialogs.js').then(() => true)")
    twice(phone, "#close")
    phone.shows("#sheet h2", "Anna|Bert")
    assert newest(two_hands.table).hand.closed is None
    with phone.page.expect_response("**/api/commands"):
        phone.page.click("#close-yes")
    assert newest(two_hands.table).hand.closed is not None


def test_a_double_touch_does_not_take_back_what_it_has_said(open_phone, two_hands: House) -> None:
    """Under "Ja, aus!" lies what takes back the last event."""
    phone = open_phone(two_hands, role=Role.NORTH)
    phone.page.click("#claim")
    phone.page.click("#claim-yes", trial=True)  # as soon as it can be touched
    sent: list[str] = []
    phone.page.on("request", lambda request: sent.append(request.post_data or ""))
    with phone.page.expect_response("**/api/commands"):
        twice(phone, "#claim-yes", 0.1)
    phone.page.wait_for_selector("#result .verdict")
    assert [each for each in sent if "undo" in each] == []
    assert newest(two_hands.table).hand.verdict is not None


def held_commands(phone: Phone) -> list:
    """What `phone` sends from now on, held back until it is let through."""
    held: list = []
    phone.page.route("**/api/commands", lambda route: held.append(route))
    return held


def test_a_second_touch_while_the_first_is_on_its_way_is_the_same(open_phone, two_hands: House) -> None:
    """Nothing is seen of the first yet; of the second it was said that it came too late."""
    phone = open_phone(two_hands, role=Role.NORTH)
    held = held_commands(phone)
    with phone.page.expect_request("**/api/commands"):
        phone.page.click("#undo")
    phone.page.click("#undo")
    phone.page.wait_for_timeout(100)
    assert len(held) == 1
    held[0].continue_()
    phone.shows("#toast", "Zurückgenommen")
    phone.tells(2)


def test_what_was_not_taken_back_here_may_be_elsewhere(open_phone, two_hands: House) -> None:
    """The touch got lost, the other player was asked, and a finger on its way means the same card still."""
    phone = open_phone(two_hands, role=Role.NORTH)
    phone.page.route("**/api/commands", lambda route: route.abort("connectionfailed"))
    phone.page.click("#undo")
    phone.shows("#toast", "Keine Verbindung")
    phone.page.unroute("**/api/commands")
    two_hands.table.submit(Undo(newest(two_hands.table).last.seq), source="phone:south")
    phone.tells(2)
    phone.page.click("#undo")
    phone.shows("#toast", "Zurückgenommen")
    assert len(newest(two_hands.table).hand.events) == 2


def test_an_answer_is_given_once_however_often_it_is_touched(open_phone, open_house) -> None:
    """The question stands there until the table has heard of it."""
    first = dealt_and("JD", "AH", "QH")
    options = (first[-1], *dealt_and("JD", "AH", "KH")[-1:])
    house = open_house([*timed(first), (3.2, Asked(0, 3.2, "which_card", 3, options))])
    phone = open_phone(house)
    house.see(4.0)
    held = held_commands(phone)
    answer = phone.page.locator("#questions .options button").first
    with phone.page.expect_request("**/api/commands"):
        answer.click()
    answer.click()
    phone.page.wait_for_timeout(100)
    assert len(held) == 1
    held[0].continue_()
    expect(phone.page.locator("#questions")).to_be_hidden()
    expect(phone.page.locator("#toast")).to_be_hidden()


def test_names_that_arrive_late_close_no_other_sheet(open_phone, two_hands: House) -> None:
    """Both names are on their way while somebody reads the menu."""
    phone = open_phone(two_hands)
    phone.page.click("#open-menu")
    phone.page.click("#menu-names")
    phone.page.fill("#rename-0", "Eva")
    phone.page.fill("#rename-1", "Max")
    held = held_commands(phone)
    with phone.page.expect_request("**/api/commands"):
        phone.page.click("#names-keep")
    phone.page.click("#open-menu")
    with phone.page.expect_response("**/api/commands"):
        held[0].continue_()
    phone.page.wait_for_timeout(100)
    with phone.page.expect_response("**/api/commands"):
        held[1].continue_()
    phone.shows("#players h2", "Max")
    phone.shows("#sheet h2", "Menü")
    expect(phone.page.locator("#sheet")).to_be_visible()


def test_hands_of_the_match_before_stand_under_none_of_this(open_phone, two_hands: House) -> None:
    """While the record of this one does not come, a touch would correct a card of two who have gone."""
    two_hands.see(9.0)
    phone = open_phone(two_hands)
    strips = phone.page.locator("#hands .strip")
    expect(strips).to_have_count(1)
    phone.page.route("**/api/corrections", lambda route: route.abort("connectionfailed"))
    two_hands.table.submit(NewMatch(names=("Carl", "Dora"), clear_marks=True))
    two_hands.see(9.0)
    phone.shows("#players h2", "Carl")
    phone.shows("#hands .place", "1")
    expect(strips).to_have_count(0)
    phone.page.unroute("**/api/corrections")
    two_hands.see(12.0)
    expect(strips).to_have_count(1)


def test_the_newest_answer_says_what_a_change_comes_to(open_phone, two_hands: House) -> None:
    """That of before overtakes nothing: it told what the change would have come to a card ago."""
    phone = open_phone(two_hands)
    page = phone.page
    held: list = []
    page.route("**/api/corrections/preview", lambda route: held.append(route))
    page.locator("#story li button").nth(1).click()
    page.locator("#sheet .likely button").first.click()
    expect(page.locator("#correct-yes")).to_be_disabled()
    two_hands.table.submit(Undo(newest(two_hands.table).last.seq), source="phone:south")
    phone.tells(2)
    page.wait_for_timeout(200)
    first, second = held
    second.continue_()
    expect(page.locator("#correct-yes")).to_be_enabled()
    first.fulfill(status=409, json={"error": "outdated", "reason": "impossible"})
    page.wait_for_timeout(200)
    expect(page.locator("#correct-yes")).to_be_enabled()
