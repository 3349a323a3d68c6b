"""A touch does what the finger aimed at, also where another device was quicker."""

from __future__ import annotations

import pytest
from browsing import House
from playwright.sync_api import expect
from scripted_table import HAND, PLAYED, dealt_and, newest, timed

from companion.live.command import Answer
from companion.live.snapshot import Role
from companion.rules.cards import Card
from companion.rules.events import CardPlayed
from companion.rules.ruleset import RuleSet
from companion.table.entry import Asked

pytestmark = pytest.mark.browser

PLAYS = [at for at, event in enumerate(PLAYED) if isinstance(event, CardPlayed)]


def doubted(plays: int, events=PLAYED) -> list:
    """A script in which the first `plays` cards are asked about."""
    script, asked = [], 0
    for time, event in timed(events):
        script.append((time, event))
        about = len(script)
        if isinstance(event, CardPlayed) and asked < plays:
            asked += 1
            others = [c for c in RuleSet().pack if CardPlayed(event.player, c) not in HAND][:2]
            options = (event, *(CardPlayed(event.player, card) for card in others))
            script.append((time + 0.2, Asked(0, time + 0.2, "which_card", about, options)))
    return script


def cards(house: House) -> list[Card | None]:
    """Those written of the hand, in order."""
    return [told.event.card for told in newest(house.table).hand.events if isinstance(told.event, CardPlayed)]


def test_two_who_take_back_the_same_card_take_back_that_card_alone(open_phone, house: House) -> None:
    """The second touch came for what was gone already; a moment later it means what is shown then."""
    house.see(9.5)
    before = cards(house)
    south, north = open_phone(role=Role.SOUTH), open_phone(role=Role.NORTH)
    expect(south.page.locator("#undo")).to_be_enabled()
    with south.page.expect_response("**/api/commands"):
        south.page.click("#undo")
    expect(north.page.locator("#story li")).to_have_count(len(newest(house.table).hand.events))
    north.page.click("#undo")
    north.shows("#toast", "Zurückgenommen")
    assert cards(house) == before[:-1]
    north.page.wait_for_timeout(1600)
    with north.page.expect_response("**/api/commands"):
        north.page.click("#undo")
    assert cards(house) == before[:-2]


def test_an_answer_does_not_go_to_a_question_that_came_under_the_finger(open_phone, open_house) -> None:
    """Somebody else has answered meanwhile, and the next question stands in the same place."""
    house = open_house(doubted(2))
    phone = open_phone(at=house, role=Role.SOUTH)
    house.see(9.5)
    first = phone.page.locator("#questions .options button").first
    first.click(trial=True)
    title = phone.page.locator("#questions h2").inner_text()
    before = cards(house)
    house.table.submit(Answer(newest(house.table).questions[-1].seq, 0), source="phone:north")
    expect(phone.page.locator("#questions h2")).not_to_have_text(title)
    box = first.bounding_box()
    phone.page.mouse.click(box["x"] + 20, box["y"] + 20)
    phone.page.wait_for_timeout(300)
    assert len(newest(house.table).questions) == 1
    assert cards(house) == before
    with phone.page.expect_response("**/api/commands"):
        first.click()  # as soon as it can be touched
    assert newest(house.table).questions == ()


def test_a_question_says_of_which_trick_or_hand_it_is(open_phone, open_house) -> None:
    """Players remember what lay there only if they know when; and the whole pack stays at hand."""
    house = open_house([*doubted(3, HAND), *timed(dealt_and("JD", "AS", "TS", "KH"), start=60.0)])
    phone = open_phone(at=house)
    house.see(6.5)
    phone.shows("#questions .more", r"^2\. Stich · und 2 weitere Fragen$")
    house.see(len(HAND) + 1.0)
    phone.page.wait_for_selector("#result .checked.open")
    phone.page.click("#new-hand")
    phone.shows("#sheet .checked.open", "noch nicht alle beantwortet")
    phone.page.get_by_role("button", name="Abbrechen").click()
    house.see(66.0)
    phone.shows("#title", "Spiel 2")
    phone.shows("#questions .more", "^Spiel 1 · und 2 weitere Fragen$")
    phone.page.click("#questions .other")
    phone.page.wait_for_selector("#sheet .pack [data-card]")


def test_what_is_said_in_passing_lies_over_no_answer_and_goes_at_a_touch(open_phone, open_house) -> None:
    """A question may be answered while something is said."""
    house = open_house(doubted(3))
    phone = open_phone(at=house, role=Role.SOUTH, viewport={"width": 360, "height": 640})
    other = open_phone(at=house, role=Role.NORTH)
    house.see(9.5)
    other.page.locator("#questions .options button").first.click()
    phone.shows("#toast", "geantwortet")
    toast = phone.page.locator("#toast").bounding_box()
    for answer in phone.page.locator("#questions .options button").all():
        box = answer.bounding_box()
        assert toast["y"] + toast["height"] <= box["y"] or box["y"] + box["height"] <= toast["y"]
    phone.page.click("#toast")
    expect(phone.page.locator("#toast")).to_be_hidden()


def test_nobody_is_called_as_the_other(open_phone, house: House) -> None:
    """Two equal names could not be told apart in questions and results."""
    phone = open_phone()
    phone.page.click("#open-menu")
    phone.page.click("#menu-names")
    phone.page.fill("#rename-0", "bert ")
    phone.page.click("#names-keep")
    phone.shows("#toast", "Zwei gleiche Namen")
    assert newest(house.table).match.names == ("Anna", "Bert")
    phone.page.get_by_role("button", name="Abbrechen").click()
    phone.page.click("#open-menu")
    phone.page.click("#menu-new-match")
    phone.page.fill("#name-1", "anna")
    phone.page.click("#start-match")
    phone.shows("#toast", "Zwei gleiche Namen")
    assert newest(house.table).match.number == 1
    phone.page.fill("#name-1", "Carl")
    with phone.page.expect_response("**/api/commands"):
        phone.page.click("#start-match")
    assert newest(house.table).match.names == ("Anna", "Carl")


def test_marks_on_the_cards_of_a_correction_are_explained(open_phone, open_house) -> None:
    """What they mean stands below, and is read out with the card."""
    house = open_house(timed(PLAYED))
    phone = open_phone(at=house)
    house.see(9.5)
    phone.page.locator("#story li button").nth(2).click()
    phone.page.wait_for_selector("#sheet .pack [data-card]")
    marked = phone.page.locator("#sheet .pack button:has(i)")
    assert marked.count() > 0
    legend = phone.page.locator("#sheet .legend").text_content()
    for mark in marked.all():
        (said,) = [each for each in legend.split(" · ") if each.startswith(mark.locator("i").text_content())]
        assert said.split(" ", 1)[1] in mark.get_attribute("aria-label")


def test_after_a_match_names_and_rules_of_the_next_can_be_changed(open_phone, open_house) -> None:
    """The next hand is dealt in a new match; whoever wants other names or rules finds the way there."""
    script = [each for number in range(9) for each in timed(HAND, 1.0 + 100.0 * number)]
    house = open_house(script)
    for number in range(9):
        house.see(99.0 + 100.0 * number)
        if newest(house.table).match.winner is not None:
            break
    phone = open_phone(at=house)
    phone.page.click("#new-hand")
    phone.shows("#sheet h2", "^Neue Partie: Wer gibt")
    phone.page.click("#others")
    phone.page.fill("#name-1", "Carl")
    with phone.page.expect_response("**/api/commands"):
        phone.page.click("#start-match")
    phone.shows("#players h2", "Carl")
    assert newest(house.table).match.number == 2
