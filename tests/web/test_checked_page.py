"""How sure a hand is, said at its end on the page."""

from __future__ import annotations

import re

import pytest
from browsing import Phone, faults
from playwright.sync_api import expect
from scripted_table import HAND, timed

from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Claimed
from companion.rules.ruleset import RuleSet
from companion.table.entry import Asked, Unseen

pytestmark = pytest.mark.browser

PLAYS = [at for at, event in enumerate(HAND) if isinstance(event, CardPlayed)]


def test_a_hand_of_which_nothing_was_asked_is_verified(open_house, open_phone) -> None:
    """Beside the award stands that the hand is verified."""
    house = open_house(timed(HAND))
    phone = open_phone(house)
    house.see(len(HAND) + 2.0)

    phone.shows("#result .checked.verified", "Gesichert")


def test_a_hand_that_was_out_of_sight_for_a_while_is_not_verified(open_house, open_phone) -> None:
    """Its end says for how long, and its course where: something may be missing there."""
    script = [*timed(HAND), (4.5, Unseen(0, 4.5, 1.5))]
    house = open_house(sorted(script, key=lambda each: each[0]))
    phone = open_phone(house)
    house.see(len(HAND) + 2.0)

    phone.shows("#result .checked.gap", "3 s nicht zu sehen")
    assert phone.page.locator("#result .checked.verified").count() == 0
    rows = phone.page.locator("#story li")
    assert "nicht zu sehen" in rows.nth(4).text_content()
    for told in (phone.page.locator("#result .gap"), phone.page.locator("#story .gap p")):
        assert told.bounding_box()["height"] > 10  # not only for who has the page read out
    assert rows.count() == len(HAND) + 1
    assert faults(phone.page, "#result") == []

    phone.page.locator("#result .missed").click()  # leads to the course, where it is put in
    assert phone.page.locator("#story details").get_attribute("open") is not None
    phone.page.locator("#result .vouch").click()
    phone.shows("#result .checked.verified", "Gesichert")
    assert "nichts fehlt" in rows.nth(4).text_content()
    assert phone.page.locator("#result .gap, #result .vouch").count() == 0


@pytest.mark.parametrize(
    ("language", "missing", "so_far", "unless"),
    [
        ("de", "Die Karten lagen schon da: fehlt etwas?", "Vorläufig:", "Wenn nichts fehlt."),
        ("en", "The cards lay there already: is anything missing?", "So far:", "If nothing is missing."),
    ],
)
def test_a_claim_in_a_hand_that_was_on_already_is_refuted_only_if_nothing_is_missing(
    open_house, open_phone, language: str, missing: str, so_far: str, unless: str
) -> None:
    """Tricks that nobody saw may prove it: what it pays stands once somebody says that there are none."""
    false_claim = [*HAND[:7], Claimed(Player.SOUTH)]
    house = open_house([(1.0, Unseen(0, 1.0, None)), *timed(false_claim)])
    phone = open_phone(house, choices={"language": language}, viewport={"width": 320, "height": 640})
    house.see(len(HAND) + 2.0)

    phone.shows("#result .checked.gap", missing)
    phone.shows("#result h2", so_far)
    phone.shows("#result .verdict.refuted", unless)
    assert missing in phone.page.locator("#story li").first.text_content()
    assert faults(phone.page, "#result") == []

    phone.page.locator("#result .vouch").click()
    phone.page.locator("#result .gap").wait_for(state="detached")
    assert so_far not in phone.page.locator("#result h2").text_content()
    assert unless not in phone.page.locator("#result .verdict").text_content()


def test_whether_a_trick_is_missing_is_asked_while_the_hand_is_played(open_house, open_phone) -> None:
    """The counts beside it may be short; what is too short for a trick waits for the end of the hand."""
    gaps = [(2.5, Unseen(0, 2.5, 1.5)), (4.5, Unseen(0, 4.5, 1.5))]
    house = open_house(sorted([*timed(HAND), *gaps], key=lambda each: each[0]))
    phone = open_phone(house)
    house.see(3.0)
    phone.shows("#story li.gap", "1 s nicht zu sehen")
    assert phone.page.locator("#result .gap").count() == 0
    house.see(5.0)

    phone.shows("#result .gap", "3 s nicht zu sehen")
    assert faults(phone.page, "#result") == []
    phone.page.locator("#result .missed").click()
    assert phone.page.locator("#story details").get_attribute("open") is not None
    phone.page.locator("#result .vouch").click()
    phone.page.locator("#result .gap").wait_for(state="detached")


@pytest.mark.parametrize("language", ["de", "en"])
def test_whether_anything_is_missing_can_be_said_of_a_hand_before(
    open_house, open_phone, language: str
) -> None:
    """Its strip of cards asks while the next hand is played, and is where it is put in; then no more."""
    gaps = [(2.5, Unseen(0, 2.5, 1.5)), (4.5, Unseen(0, 4.5, 2.0))]
    script = [*timed(HAND), *gaps, *timed(HAND[:4], start=60.0)]
    house = open_house(sorted(script, key=lambda each: each[0]))
    phone = open_phone(house, choices={"language": language}, viewport={"width": 320, "height": 640})
    house.see(len(HAND) + 2.0)
    phone.page.locator("#result .missed").wait_for()
    assert phone.page.locator("#hands .gap").count() == 0  # it is asked once
    house.see(100.0)

    phone.shows("#hands .gap", "4 s nicht zu sehen" if language == "de" else "out of sight for 4 s")
    assert faults(phone.page) == []
    nothing = phone.page.locator("#hands .vouch")
    phone.page.locator("#hands .vouch + button").click()
    assert phone.page.evaluate("document.activeElement.className") == "strip"
    nothing.click()
    nothing.wait_for(state="detached")
    assert phone.page.locator("#hands .gap").count() == 0
    assert len(house.table.standing().hands[0].vouched) == 2


def asked_about(place: int, open_house, open_phone) -> Phone:
    """A phone after the hand with an unread card at `place`, which is asked; the second option is right."""
    real = HAND[place]
    told = [*HAND[:place], CardPlayed(real.player, None), *HAND[place + 1 :]]
    played = {event.card for event in HAND if isinstance(event, CardPlayed)}
    other = next(card for card in RuleSet().pack if card not in played)
    asked = Asked(0, 30.0, "which_card", place + 1, (CardPlayed(real.player, other), real))
    house = open_house([*timed(told), (30.0, asked)])
    phone = open_phone(house)
    house.see(40.0)
    return phone


def test_an_open_question_is_told_at_the_end_until_it_is_answered(open_house, open_phone) -> None:
    """One card was not read: the hand and its line among the hands are open, then answered."""
    phone = asked_about(max(PLAYS), open_house, open_phone)
    phone.shows("#result .checked.open", "1 Frage, noch offen")
    line = phone.page.locator("#hands a")
    assert "Frage offen" in line.text_content()
    assert "Frage offen" in line.get_attribute("aria-label")  # for who has the page read out, too
    assert faults(phone.page, "#result") == []

    phone.page.locator("#questions button").nth(1).click()
    phone.shows("#result .checked.answered", "1 Frage, beantwortet")


def test_an_award_that_stands_whatever_the_answer_is_said_to_be_so_far(open_house, open_phone) -> None:
    """While a question is open the headline does not sound as if nothing could change any more."""
    phone = asked_about(min(PLAYS), open_house, open_phone)
    phone.shows("#result h2", "^Vorläufig: .* gewinnt")
    overlay = phone.context.new_page()
    overlay.goto(f"{phone.page.url.split('#')[0]}overlay?lang=de")
    award = overlay.locator("#middle .award")
    expect(award).to_have_text(re.compile("^Vorläufig: .* gewinnt"))

    phone.page.locator("#questions button").nth(1).click()
    phone.shows("#result h2", "^(Anna|Bert) gewinnt")
    expect(award).to_have_text(re.compile("^(Anna|Bert) gewinnt"))
