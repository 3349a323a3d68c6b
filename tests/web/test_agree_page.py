"""Saying on a phone what a hand paid: of the newest hand, of an earlier one, of one that nobody saw."""

from __future__ import annotations

import re

import pytest
from browsing import House, Phone, expect, faults
from scripted_table import HAND, random_hand, timed

from companion.live.command import NewMatch
from companion.live.snapshot import Role
from companion.rules.cards import Player
from companion.rules.events import Agreed, Claimed, GivenUp
from companion.rules.fair_play import FairPlay

pytestmark = pytest.mark.browser

SECOND = tuple(event for event in random_hand(3, Player.NORTH) if not isinstance(event, Claimed))[:8]
SIZES = pytest.mark.parametrize(("language", "width"), [("de", 390), ("en", 320)])


def say(phone: Phone, player: Player | None, points: int) -> None:
    """Touch a result, and confirm what it comes to."""
    winner = "nobody" if player is None else int(player)
    phone.touch(f'#sheet [data-winner="{winner}"][data-points="{points}"]')
    expect(phone.page.locator("#correct-yes")).to_be_enabled()
    assert faults(phone.page, "#sheet") == []
    with phone.page.expect_response("**/api/commands"):  # the sheet closes before
        phone.touch("#correct-yes")
    expect(phone.page.locator("#sheet")).to_be_hidden()


def strips(open_house, open_phone) -> tuple[House, Phone]:
    """A table in its second hand, and a phone on which the strip of the first is shown."""
    house = open_house([*timed(HAND), *timed(SECOND, start=60.0)])
    phone = open_phone(house)
    house.see(100.0)
    phone.page.wait_for_selector("#hands .strip button")
    return house, phone


@SIZES
def test_a_hand_that_nobody_saw_is_put_in_from_the_menu(
    open_house, open_phone, language: str, width: int
) -> None:
    """Four touches while the next hand is played: menu, entry, which hand, what it paid; then the yes."""
    house = open_house([*timed(HAND), *timed(SECOND, start=60.0)])
    phone = open_phone(house, choices={"language": language}, viewport={"width": width, "height": 844})
    house.see(100.0)
    before = house.table.standing()
    phone.touch("#open-menu")
    phone.touch("#menu-agree")
    phone.page.wait_for_selector("#sheet [data-missing]")
    assert phone.page.locator("#sheet [data-missing=false]").get_attribute("aria-pressed") == "true"
    phone.touch("#sheet [data-missing=true]")
    assert faults(phone.page, "#sheet") == []
    say(phone, Player.NORTH, 2)

    standing = house.table.standing()
    assert [hand.noted for hand in standing.hands] == [False, True, False]
    assert standing.match.won_points[1] == before.match.won_points[1] + 2
    assert [entry.event for entry in standing.hand.events] == list(SECOND)
    line = phone.page.locator("#hands a").nth(1)
    expect(line).to_contain_text(re.compile("2 Punkte|2 game points"))
    expect(line).to_contain_text(re.compile("eingetragen|entered"))


@SIZES
def test_a_hand_without_a_result_asks_for_it(open_house, open_phone, language: str, width: int) -> None:
    """Below that it was given up stands where its result is entered; then it stands as if it were counted."""
    house = open_house(timed([*HAND[:6], GivenUp()]))
    phone = open_phone(house, choices={"language": language}, viewport={"width": width, "height": 844})
    house.see(20.0)
    phone.touch("#agree")
    phone.page.wait_for_selector("#sheet [data-missing]")
    assert phone.page.locator("#sheet [data-missing=false]").get_attribute("aria-pressed") == "true"
    say(phone, Player.SOUTH, 3)

    phone.shows("#result h2", "gewinnt 3 Punkte|wins 3 game points")
    phone.shows("#result .reason", "(eingetragen|entered) · (Regel|rule) 10.4")
    expect(phone.page.locator("#agree")).to_have_count(0)
    assert house.table.standing().match.won_points == (3, 0)
    assert faults(phone.page, "#result") == []


def test_the_result_of_an_earlier_hand_is_entered_at_its_last_event(open_house, open_phone) -> None:
    """Its claim is touched in the strip of that hand; the sum that was counted stands there no more."""
    house, phone = strips(open_house, open_phone)
    phone.page.locator("#hands .strip button").last.click()
    phone.touch("#correct-agree")
    say(phone, Player.NORTH, 3)

    first = house.table.standing().hands[0]
    assert first.events[-1].event == Agreed(Player.NORTH, 3)
    assert (first.award.winner, first.award.game_points) == (Player.NORTH, 3)


def test_before_anything_was_seen_only_a_missing_hand_can_be_entered(open_house, open_phone) -> None:
    """Nothing is asked but what it paid; and of cards, of which none was seen, nothing is told then."""
    house = open_house([])
    phone = open_phone(house)
    phone.touch("#open-menu")
    phone.touch("#menu-agree")
    phone.page.wait_for_selector("#sheet [data-points]")
    assert phone.page.locator("#sheet [data-missing]").count() == 0
    say(phone, None, 0)

    assert [entry.event for entry in house.table.standing().hand.events][1:] == [Agreed(None, 0)]
    expect(phone.page.locator("#result h2")).to_be_visible()
    expect(phone.page.locator("#talon")).to_be_hidden()
    expect(phone.page.locator(".player .tricks, .player .count")).to_have_count(0)


def test_a_hand_that_is_missing_before_another_is_put_in_at_its_deal(open_house, open_phone) -> None:
    """Also before one of long ago: the first is touched, and what the missing one paid comes before it."""
    house, phone = strips(open_house, open_phone)
    phone.page.locator("#hands .strip button").first.click()
    phone.touch("#correct-hand-before")
    assert phone.page.locator("#sheet [data-missing]").count() == 0
    say(phone, Player.SOUTH, 1)

    assert [hand.noted for hand in house.table.standing().hands] == [True, False, False]


def test_a_player_who_may_not_say_what_a_hand_paid_is_not_offered_it(open_house, open_phone) -> None:
    """In a tournament the referee is, and an owner, while the hand is hidden too."""
    house = open_house([*timed(HAND), *timed(SECOND, start=60.0)])
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    house.see(100.0)
    south, owner = open_phone(house, role=Role.SOUTH), open_phone(house, role=Role.NORTH, owner=True)
    for phone in (south, owner):
        phone.touch("#open-menu")
        phone.page.wait_for_selector("#menu-devices")
    expect(owner.page.locator("#menu-agree")).to_be_visible()
    expect(south.page.locator("#menu-agree")).to_have_count(0)
    owner.touch("#menu-agree")
    owner.touch("#sheet [data-missing=true]")
    say(owner, Player.SOUTH, 1)

    assert [hand.noted for hand in house.table.standing().hands] == [False, True, False]
