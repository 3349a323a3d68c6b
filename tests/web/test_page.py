"""The page in a real browser, on the real server: what two players see and press."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from browsing import PHONE, House, Phone, faults
from playwright.sync_api import expect
from scripted_table import HAND, PLAYED, dealt_and, timed, view_at

from companion.live.command import Correct, NewMatch
from companion.live.health import Sight
from companion.live.snapshot import Role
from companion.rules.cards import Card, Player, Suit
from companion.rules.claim import Outcome
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, GivenUp, MarriageDeclared
from companion.rules.ruleset import RuleSet, preset
from companion.table.entry import Asked

pytestmark = pytest.mark.browser

KING_OF_SPADES = CardPlayed(Player.NORTH, Card.parse("KS"))


BENEATH = """() => {
  const text = document.createRange();
  text.selectNodeContents(document.querySelector('#story p'));
  const [outer, inner] = [document.querySelector('#story'), text].map((each) => each.getBoundingClientRect());
  return outer.bottom - inner.bottom;
}"""
"""Pixels below the line that says that nothing has been played."""


def totals(house: House) -> tuple[str, str]:
    """What the table says that the players have."""
    south, north = house.table.feed.wait("", 0.0).hand.sides
    return str(south.total), str(north.total)


def loaded(phone: Phone) -> dict[str, int]:
    """The files of the page and their sizes, unpacked; waits for those that come after the first view."""
    late = {"rule_words.js", "menu.js", "senses.js", "correct.css"}
    late |= {"course.js", "record.js", "result.js"}
    files: dict[str, int] = {}
    # the page's policy forbids the eval by which Playwright would wait for a function
    for _ in range(200):
        entries = phone.page.evaluate(
            """performance.getEntriesByType('resource').filter((each) => !each.name.includes('/api/'))
              .map((each) => [each.name.split('/').pop(), each.decodedBodySize])"""
        )
        files = dict(entries)
        if late <= set(files):
            break
        phone.page.wait_for_timeout(50)
    assert late <= set(files)
    return files


def test_counts_move_with_the_cards(phone: Phone, house: House) -> None:
    """After each event the phone shows trumps, trick and both counts as the table has them."""
    seen = set()
    for time, event in house.script:
        house.see(time)
        if isinstance(event, CardPlayed):
            phone.tells(int(time))
            shown = phone.total(Player.SOUTH), phone.total(Player.NORTH)
            assert shown == totals(house)
            seen.add(shown)
    assert len(seen) > 4


def test_the_trick_shows_the_cards_by_name(phone: Phone, house: House) -> None:
    """The card that was led is drawn on its player's side, with its name for a screen reader."""
    led = next(place for place, event in enumerate(PLAYED) if isinstance(event, CardPlayed))
    house.see(led + 1.0)
    side = phone.page.locator("#players article").nth(int(PLAYED[led].player))
    side.locator(".slot svg.card").wait_for()
    assert PLAYED[led].card.rank.letter == "K"
    assert side.locator(".slot svg.card").get_attribute("aria-label").endswith("König")
    assert phone.page.locator("#players article.turn").count() == 1


LONG = ("Leopold Hinterberger", "Leopoldine Huber")


@pytest.mark.parametrize("names", [("Anna", "Bert"), ("Großmutter", "Großvater"), LONG], ids="".join)
@pytest.mark.parametrize("rules", ["schnapsen", "schnapsen+best_of_3+knock"])
def test_both_counts_stand_above_the_buttons(
    phone: Phone, house: House, names: tuple[str, str], rules: str
) -> None:
    """Also where a browser's bars leave little height and how a series stands takes a line of it.

    Names are read whole, or in two lines.
    """
    house.table.submit(NewMatch(names=names, rules=preset(rules)))
    house.see(6.5)
    phone.tells(6)
    for width, height in ((320, 568), (360, 640), (390, 664), (412, 730)):
        phone.resized(width, height)
        buttons = phone.page.locator("footer").bounding_box()["y"]
        for player in (0, 1):
            box = phone.page.locator("#players .total").nth(player).bounding_box()
            assert box["y"] + box["height"] <= buttons, width
        cards = [phone.page.locator("#players .slot").nth(player).bounding_box()["y"] for player in (0, 1)]
        assert cards[0] == cards[1], width
        assert faults(phone.page, str(width)) == []


def test_both_counts_stand_above_the_buttons_of_a_phone_held_sideways(open_phone, house: House) -> None:
    """While a warning stands above, too."""
    phone = open_phone(viewport={"width": 667, "height": 375})
    house.see(6.5)
    house.table.report(Sight.LOST)
    phone.page.wait_for_selector("#banner:not([hidden])")
    buttons = phone.page.locator("footer").bounding_box()["y"]
    for player in (0, 1):
        box = phone.page.locator("#players .total").nth(player).bounding_box()
        assert box["y"] + box["height"] <= buttons


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("width", [320, 360])
def test_which_hand_it_is_is_read_whole_beside_a_camera_that_is_blind(
    open_phone, house: House, width: int, language: str
) -> None:
    """In two lines, if it must be, and no higher than the button beside it."""
    page = open_phone(viewport={"width": width, "height": 640}, choices={"language": language}).page
    house.see(6.5)
    house.table.report(Sight.LOST)
    page.wait_for_selector("#camera.bad")
    title = page.locator("h1")
    assert "1" in title.inner_text()
    seen, needed = title.evaluate(
        "it => [[it.clientWidth, it.clientHeight], [it.scrollWidth, it.scrollHeight]]"
    )
    assert needed[0] <= seen[0]
    assert needed[1] <= seen[1] <= page.locator("#open-menu").bounding_box()["height"]


def test_what_a_correction_comes_to_fits_a_narrow_phone(phone: Phone, house: House) -> None:
    """Both columns, before and then, with long names."""
    house.table.submit(NewMatch(names=LONG))
    phone.resized(360, 640)
    house.see(len(PLAYED) + 1.0)
    phone.tells(len(PLAYED))
    phone.page.locator("#story li button").nth(3).click()
    phone.page.locator("#sheet .likely button").first.click()
    phone.page.wait_for_selector("#sheet .rows .then")
    assert faults(phone.page) == []
    width = phone.page.locator("#sheet").evaluate("(sheet) => [sheet.scrollWidth, sheet.clientWidth]")
    assert width[0] <= width[1]


def test_a_claim_is_confirmed_and_shows_its_verdict_and_sum(phone: Phone, house: House) -> None:
    """Two touches claim; the verdict, the award and lines that add up appear; the score moves."""
    house.see(len(PLAYED) + 1.0)
    phone.shows("#claim", "66")
    phone.page.click("#claim")
    assert house.table.feed.wait("", 0.0).hand.verdict is None
    phone.page.click("#claim-yes")
    phone.shows("#result h2", "gewinnt")
    hand = house.table.feed.wait("", 0.0).hand
    assert hand.verdict.verdict.outcome is Outcome.PROVEN
    lines = phone.page.locator("#result .working b").all_inner_texts()
    assert sum(int(line) for line in lines) == hand.verdict.verdict.points.low
    assert phone.page.locator("#result .sum").inner_text() == str(hand.verdict.verdict.points.low)
    shown = phone.page.locator("#players .game strong").all_inner_texts()
    assert [int(points) for points in shown] == list(house.table.feed.wait("", 0.0).match.points)


def test_a_confirmation_can_be_declined(phone: Phone, house: House) -> None:
    """A touch on the claim button by mistake changes nothing."""
    house.see(len(PLAYED) + 1.0)
    phone.page.click("#claim:enabled")
    phone.page.get_by_role("button", name="Doch nicht").click()
    phone.page.wait_for_selector("#sheet", state="hidden")
    assert not house.table.feed.wait("", 0.0).hand.over


def test_undo_takes_back_the_last_event(open_phone, phone: Phone, house: House) -> None:
    """One touch withdraws the last event, on this phone and on the other."""
    other = open_phone()
    house.see(6.0)
    for each in (phone, other):
        each.tells(6)
    phone.page.click("#undo")
    phone.shows("#toast", "Zurückgenommen")
    for each in (phone, other):
        each.tells(5)


def test_a_new_hand_asks_who_deals_and_waits(phone: Phone, house: House) -> None:
    """From the menu a hand that goes on is ended; the page waits for the deal."""
    house.see(6.0)
    phone.page.click("#open-menu")
    phone.page.click("#menu-new-hand")
    phone.shows("#sheet", "abgebrochen")
    phone.page.locator("#sheet").get_by_role("button", name="Bert").click()
    phone.shows("#talon", "Warten")
    phone.shows("#players article.turn", "Bert")
    assert house.table.standing().called is Player.NORTH


def test_a_sheet_that_is_open_for_too_long_ends_no_other_hand(open_house, open_phone) -> None:
    """Who deals is touched only once the next hand is played already: it goes on, and the page says so."""
    second = dealt_and("JD", "AS", "TS", "KH")
    house = open_house([*timed(HAND), *timed(second, start=60.0)])
    phone = open_phone(at=house)
    house.see(50.0)
    phone.page.click("#new-hand")
    phone.shows("#sheet", "Wer gibt?")
    house.see(90.0)
    phone.page.locator("#sheet").get_by_role("button", name="Bert").click()
    phone.shows("#toast", "Inzwischen ist schon etwas anderes geschehen")
    assert [told.event for told in house.table.feed.wait("", 0.0).hand.events] == second


@pytest.mark.parametrize("player", Player)
def test_either_player_may_have_closed_where_a_trick_is_not_known(open_house, open_phone, player) -> None:
    """The phone in the middle asks who it was, and then once more."""
    script = timed([Dealt(Player.SOUTH, Card.parse("QH")), KING_OF_SPADES, CardPlayed(Player.SOUTH, None)])
    house = open_house(script)
    phone = open_phone(at=house)
    house.see(9.0)
    phone.page.click("#close")
    phone.page.locator("#sheet").get_by_role("button", name=("Anna", "Bert")[player]).click()
    phone.page.click("#close-yes")
    expect(phone.page.locator("#close")).to_be_disabled()
    assert house.table.feed.wait("", 0.0).hand.events[-1].event == Closed(player)


@pytest.mark.parametrize(
    ("language", "said"),
    [("de", "Die Aufzeichnung des Abends ist abgebrochen"), ("en", "Recording .* has stopped")],
)
def test_owners_are_told_that_the_sitting_is_kept_no_more(
    open_phone, house: House, language: str, said: str
) -> None:
    """In plain words above the table until they are touched; nobody else has anything to do about it."""
    choices = {"language": language}
    owner, other = open_phone(owner=True, choices=choices), open_phone(choices=choices)
    house.see(6.0)
    owner.tells(6)
    house.table.report(Sight.ENDED)  # so that no picture is missed meanwhile
    house.sitting_kept = False
    owner.shows("#banner", said)
    house.table.submit(NewMatch(names=("Eva", "Bert")))
    for each in (owner, other):
        each.shows("#players", "Eva")
    expect(other.page.locator("#banner")).to_be_hidden()
    expect(owner.page.locator("#banner")).to_be_visible()
    owner.page.click("#banner")
    expect(owner.page.locator("#banner")).to_be_hidden()
    late = open_phone(owner=True, choices=choices)
    late.shows("#banner", said)


@pytest.mark.parametrize(("language", "said"), [("de", "Das Bild wackelt"), ("en", "The picture shakes")])
def test_a_picture_that_shakes_is_told(open_phone, house: House, language: str, said: str) -> None:
    """The table is seen again each time before it counts as lost, and what happens meanwhile is not."""
    phone = open_phone(choices={"language": language})
    for step in range(80):
        house.table.see(replace(view_at(step / 8), blind=step % 2 == 0))
    house.table.report(Sight.ENDED)  # so that no picture is missed meanwhile
    phone.shows("#banner", said)


@pytest.mark.parametrize(("language", "said"), [("de", "Zu wenige Bilder"), ("en", "Too few pictures")])
def test_a_computer_that_does_not_keep_up_is_told(open_phone, house: House, language: str, said: str) -> None:
    """Each look is a second after the one before; a trick that is played and taken meanwhile nobody sees."""
    phone = open_phone(choices={"language": language})
    for step in range(15):
        house.table.see(view_at(float(step)))
    house.table.report(Sight.ENDED)  # so that no picture is missed meanwhile
    phone.shows("#banner", said)


def test_owners_are_told_so_no_more_once_another_sitting_is_kept(open_phone, house: House) -> None:
    """The companion is started anew, with room on the disk; the page is still open, and untouched."""
    owner = open_phone(owner=True)
    house.sitting_kept = False
    owner.shows("#banner", "Die Aufzeichnung des Abends ist abgebrochen")
    house.close()
    house.sitting_kept = True
    house.open()
    house.see(6.0)
    house.table.report(Sight.ENDED)  # so that no picture is missed meanwhile
    owner.tells(6)
    expect(owner.page.locator("#banner")).to_be_hidden()
    owner.complaints.clear()  # a console tells that the line was cut


def test_a_refusal_is_told_in_the_words_of_the_page(open_house, open_phone) -> None:
    """It names the rule that stands against it, and no word of the program."""
    house = open_house([*timed(PLAYED[:-1]), (30.0, PLAYED[-1])])
    phone = open_phone(at=house, choices={"language": "de"})
    house.see(29.0)
    leads = house.table.feed.wait("", 0.0).hand.on_lead
    phone.page.evaluate(
        """async (player) => (await import('/press.js')).press({ type: 'claim', player })""",
        int(leads.other) if leads is not None else 0,
    )
    phone.shows("#toast", "Das geht jetzt nicht: zur falschen Zeit ausgemeldet.")


def test_a_new_match_takes_names(phone: Phone, house: House) -> None:
    """Names are typed once and shown; both start at the target, and it may be the first match."""
    phone.page.click("#open-menu")
    phone.page.click("#menu-new-match")
    expect(phone.page.locator("#sheet > p").first).to_have_text("Beide beginnen bei 7.")
    phone.page.fill("#name-0", "<b>Eva</b>")
    phone.page.fill("#name-1", "Max")
    phone.page.click("#start-match")
    phone.shows("#players article h2", "<b>Eva</b>")
    assert house.table.standing().started.names == ("<b>Eva</b>", "Max")


def test_bummerl_are_brought_along_into_a_new_match(phone: Phone, house: House) -> None:
    """From a sheet of paper; what is filled in is not lost while another sheet is open."""
    page = phone.page
    page.click("#open-menu")
    page.click("#menu-new-match")
    page.click("#sheet details.group summary")
    page.fill("#marks-1", "3")
    page.click("#choose-fair")
    page.click("#fair-done")
    expect(page.locator("#marks-1")).to_have_value("3")
    with page.expect_response("**/api/commands") as answered:
        page.click("#start-match")
    assert answered.value.ok
    assert house.table.standing().match.bummerl_marks == (0, 3)
    expect(page.locator("#players [aria-label='3 Bummerl'] i")).to_have_count(3)


def test_a_new_match_that_is_refused_keeps_what_was_filled_in(phone: Phone, house: House) -> None:
    """The sheet opens again with names and choices, and says why."""
    page = phone.page
    refused = {"error": "not recorded", "reason": "not_recorded"}
    page.route("**/api/commands", lambda route: route.fulfill(status=409, json=refused))
    page.click("#open-menu")
    page.click("#menu-new-match")
    page.fill("#name-0", "Eva")
    page.check("#clear-marks")
    page.click("#choose-fair")
    page.click("#sheet [data-mode=tournament]")
    page.click("#fair-done")
    page.click("#start-match")
    phone.shows("#toast", "Konnte nicht aufgeschrieben werden")
    expect(page.locator("#name-0")).to_have_value("Eva")
    expect(page.locator("#clear-marks")).to_be_checked()
    phone.shows("#choose-fair strong", "Turnier")
    page.unroute("**/api/commands")
    page.click("#start-match")
    phone.shows("#players article h2", "Eva")
    assert house.table.standing().started.fair.mode == "tournament"


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_without_a_camera_the_table_leads_to_the_score_sheets(open_phone, house: House, theme: str) -> None:
    """Before the first hand; with one, whoever waits is told what begins it. All can be read and touched."""
    phone = open_phone(choices={"theme": theme}, viewport={"width": 320, "height": 568})
    phone.shows("#talon", "Sobald eine Karte aufgeschlagen wird")
    house.table.report(Sight.NONE)
    phone.shows("#talon", "Keine Kamera schaut zu")
    expect(phone.page.locator("#talon")).not_to_contain_text("Sobald")
    assert faults(phone.page) == []
    phone.shows("#story p", "Noch nichts gespielt")
    assert phone.page.evaluate(BENEATH) >= 8
    phone.page.locator("#talon a").click()
    phone.page.wait_for_url("**/sheet.html")


@pytest.mark.parametrize(("locale", "word"), [("de-AT", "Menü"), ("en-GB", "Menu"), ("hu-HU", "Menu")])
def test_a_first_visit_speaks_the_browsers_language(open_phone, locale: str, word: str) -> None:
    """German where the browser speaks it, English elsewhere; what is chosen then holds."""
    phone = open_phone(locale=locale)
    expect(phone.page.locator("#open-menu")).to_have_attribute("aria-label", word)
    expect(phone.page.locator("html")).to_have_attribute("lang", "de" if word == "Menü" else "en")
    phone.page.click("#open-menu")
    phone.page.click("[data-choice=language-en]" if word == "Menü" else "[data-choice=language-de]")
    phone.page.reload()
    other = "Menu" if word == "Menü" else "Menü"
    expect(phone.page.locator("#open-menu")).to_have_attribute("aria-label", other)


def test_a_question_is_answered_with_one_touch(open_house, open_phone) -> None:
    """A card that was not read is asked about; the answer names it and narrows the counts."""
    cut = list(PLAYED[:9])
    place = max(p for p, event in enumerate(cut) if isinstance(event, CardPlayed))
    real = cut[place]
    other = CardPlayed(
        real.player, next(card for card in RuleSet().pack if CardPlayed(real.player, card) not in HAND)
    )
    cut[place] = CardPlayed(real.player, None)
    script = [*timed(cut), (30.0, Asked(0, 30.0, "which_card", place + 1, (other, real)))]
    house = open_house(script)
    phone = open_phone(house)
    house.see(40.0)
    lead = next(event.card for event in reversed(cut[:place]) if isinstance(event, CardPlayed))
    phone.shows("#questions h2", f"auf {name_of(lead)} gespielt?")
    assert "–" in phone.total(Player.SOUTH) or "–" in phone.total(Player.NORTH)
    phone.page.locator("#questions button").nth(1).click()
    phone.page.wait_for_selector("#questions", state="hidden")
    assert house.table.feed.wait("", 0.0).hand.events[place].event == real


def test_a_question_shows_what_it_is_about_and_leads_to_any_other_card(open_house, open_phone) -> None:
    """The picture of the card stands above the answers; one more touch offers what it may be besides."""
    place = max(p for p, event in enumerate(PLAYED[:9]) if isinstance(event, CardPlayed))
    real, shows = PLAYED[place], float(place)
    others = [card for card in RuleSet().pack if CardPlayed(real.player, card) not in HAND][:2]
    options = tuple(CardPlayed(real.player, card) for card in others)
    script = timed([*PLAYED[:place], CardPlayed(real.player, None)])
    house = open_house([*script, (30.0, Asked(0, 30.0, "which_card", place + 1, options, shows))])
    house.keep_picture(shows)
    phone = open_phone(house)
    house.see(40.0)
    picture = phone.page.locator("#questions img")
    expect(picture).to_be_visible()
    expect(picture).to_have_js_property("naturalWidth", 60)
    phone.page.locator("#questions .other").click()
    phone.page.locator(f"#sheet button[data-card='{real.card}']").click()
    phone.page.locator("#correct-yes").click()
    phone.page.wait_for_selector("#questions", state="hidden")
    assert house.table.feed.wait("", 0.0).hand.events[place].event == real


def test_an_answer_that_the_record_does_not_allow_stands_last_and_says_so(open_house, open_phone) -> None:
    """It would be refused; what fits comes first, and each answers by what it says."""
    place = max(p for p, event in enumerate(PLAYED[:9]) if isinstance(event, CardPlayed))
    real = PLAYED[place]
    assert isinstance(real, CardPlayed)
    lead = PLAYED[place - 1]
    assert isinstance(lead, CardPlayed)
    named = CardPlayed(real.player, lead.card)
    script = timed([*PLAYED[: place - 1], CardPlayed(lead.player, None), CardPlayed(real.player, None)])
    house = open_house([*script, (30.0, Asked(0, 30.0, "which_card", place + 1, (named, real)))])
    phone = open_phone(house)
    house.see(40.0)
    house.table.submit(Correct(place, lead))  # by a person, so that no answer takes its name away
    out, other, fits = (phone.page.locator(".options button").nth(at) for at in (0, 2, 1))
    expect(out).to_contain_text(f"{name_of(named.card)}passt nicht zum Rest")
    expect(fits).to_have_text(re.compile(f"{name_of(real.card)}$"))
    places = [(box["y"], box["x"]) for each in (fits, other, out) if (box := each.bounding_box())]
    assert places == sorted(places)
    assert len(places) == 3
    assert faults(phone.page, "#questions") == []
    out.click()
    phone.shows("#toast", "Das kann nicht gewesen sein")
    fits.click()
    phone.page.wait_for_selector("#questions", state="hidden")
    assert house.table.feed.wait("", 0.0).hand.events[place].event == real


@pytest.mark.parametrize("claimed", [True, False])
def test_a_claim_that_nobody_pressed_is_confirmed_or_struck_out(open_house, open_phone, claimed) -> None:
    """Two answers, a touch each: the player claimed, or did not."""
    claim = HAND[-1]
    assert isinstance(claim, Claimed)
    seq = len(HAND)
    house = open_house([*timed(HAND), (90.0, Asked(0, 90.0, "how_ended", seq, (claim,)))])
    phone = open_phone(house)
    house.see(100.0)
    phone.shows("#questions h2", "Wie ist das Spiel ausgegangen?")
    phone.shows("#result", "Die Antwort auf die Frage entscheidet.")
    name = "meldet aus" if claimed else "hat nicht ausgemeldet"
    phone.page.locator("#questions").get_by_role("button", name=name).click()
    phone.page.wait_for_selector("#questions", state="hidden")
    assert (house.table.standing().hand.events[-1].event == claim) is claimed
    assert house.table.standing().questions == ()


def test_of_two_who_may_have_claimed_neither_did(open_house, open_phone) -> None:
    """Where the rules let both claim, a third answer says that nobody spoke."""
    options = HAND[-1], Claimed(HAND[-1].player.other)
    house = open_house([*timed(HAND), (90.0, Asked(0, 90.0, "how_ended", len(HAND), options))])
    phone = open_phone(house)
    house.see(100.0)
    phone.shows("#questions h2", "Wie ist das Spiel ausgegangen?")
    phone.page.locator("#questions").get_by_role("button", name="Niemand hat ausgemeldet").click()
    phone.page.wait_for_selector("#questions", state="hidden")
    assert not isinstance(house.table.standing().hand.events[-1].event, Claimed)


@pytest.mark.parametrize("claimed", [True, False])
def test_last_cards_were_played_or_thrown_in_after_a_claim(open_house, open_phone, claimed) -> None:
    """Two answers, a touch each; until then the hand pays nobody anything."""
    plays = ("AH", "QH", "AC", "KH", "KC", "JS", "QC", "TS", "QS", "AS")
    events = dealt_and("JD", *plays, close=True)
    events.insert(
        events.index(CardPlayed(Player.NORTH, Card.parse("KC"))), MarriageDeclared(Player.NORTH, Suit.CLUBS)
    )
    lead = CardPlayed(Player.NORTH, Card.parse("QS"))
    asked = Asked(0, 90.0, "last_cards", 1 + events.index(lead), (Claimed(Player.NORTH), lead))
    house = open_house([*timed(events), (90.0, asked)])
    phone = open_phone(house)
    house.see(100.0)
    phone.shows("#questions h2", "Noch gespielt, oder war schon ausgemeldet?")
    phone.shows("#result", "Noch nicht entschieden")
    phone.shows("#hands", "Noch nicht entschieden")
    phone.page.locator("#questions .options button").nth(0 if claimed else 1).click()
    phone.page.wait_for_selector("#questions", state="hidden")
    hand = house.table.standing().hand
    assert (hand.events[-1].event == Claimed(Player.NORTH)) is claimed
    assert house.table.standing().questions == ()
    assert hand.award.winner is (Player.NORTH if claimed else Player.SOUTH)


def test_a_hand_that_was_given_up_is_listed_as_that(open_house, open_phone) -> None:
    """Not as one that was played out and paid nobody."""
    house = open_house(timed([*dealt_and("JD", "AH", "QH"), GivenUp()]))
    phone = open_phone(house)
    house.see(100.0)
    phone.shows("#hands", "Spiel abgebrochen")


def test_a_claim_confirmed_once_the_next_hand_is_played_is_none(open_house, open_phone) -> None:
    """Its sheet was left open: meant for the hand before, in this one it would have been a false claim."""
    first = dealt_and("JD", "AH", "QH")
    house = open_house(timed([*first, GivenUp(), *dealt_and("JC", "AS", "QS")]))
    phone = open_phone(house)
    house.see(len(first) + 0.5)
    phone.page.click("#claim:enabled")
    phone.page.wait_for_selector("#claim-yes")
    house.see(100.0)
    phone.shows("#hands", "Spiel abgebrochen")
    with phone.page.expect_response("**/api/commands") as answer:
        phone.page.click("#claim-yes")
    assert answer.value.status == 409
    phone.shows("#toast", "Inzwischen ist schon etwas anderes geschehen.")
    assert not house.table.standing().hand.state.over


def test_a_closer_who_may_still_claim_has_not_failed_yet(open_house, open_phone) -> None:
    """After the last trick: nothing is decided, and the page says what it waits for."""
    plays = ("AH", "QH", "AC", "KH", "AS", "JS", "KC", "TS", "QC", "KS")
    events = dealt_and("JD", *plays, close=True)
    king = events.index(CardPlayed(Player.NORTH, Card.parse("KC")))
    events.insert(king, MarriageDeclared(Player.NORTH, Suit.CLUBS))
    house = open_house(timed(events))
    phone = open_phone(house)
    house.see(100.0)
    phone.shows("#result", "Noch nicht entschieden")
    phone.shows("#hands", "Noch nicht entschieden")
    phone.shows("#result", "Bert kann noch ausmelden.")
    phone.page.click("#claim:enabled")
    phone.page.click("#claim-yes")
    phone.shows("#result", "Bert gewinnt 3 Punkte")


def test_a_marriage_that_nobody_showed_is_put_in_from_the_verdict(open_house, open_phone) -> None:
    """A claim fails for want of twenty: one touch shows what they would change, a second counts them."""
    at = next(place for place, event in enumerate(HAND) if isinstance(event, MarriageDeclared))
    short = [*HAND[:at], *HAND[at + 1 :]]
    house = open_house(timed(short))
    phone = open_phone(house)
    house.see(100.0)
    phone.shows("#result", "Wurde angesagt, ohne beide Karten zu zeigen?")
    assert house.table.standing().hand.verdict.outcome is Outcome.REFUTED
    phone.page.locator("#result .unannounced button").first.click()
    phone.page.locator("#correct-yes").click()
    phone.page.wait_for_selector("#result .unannounced", state="hidden")
    assert house.table.standing().hand.verdict.outcome is Outcome.PROVEN


def test_a_question_without_a_picture_is_asked_all_the_same(open_house, open_phone) -> None:
    """No picture was kept: nothing takes its place."""
    real = next(event for event in PLAYED if isinstance(event, CardPlayed))
    script = [*timed(PLAYED[:1]), (1.5, Asked(0, 1.5, "which_card", None, (real,), 1.0))]
    phone = open_phone(house := open_house(script))
    house.see(2.0)
    phone.shows("#questions h2", "Welche Karte hat")
    expect(phone.page.locator("#questions img")).to_be_hidden()


def test_a_doubtful_turn_up_is_asked_by_its_card(open_house, open_phone) -> None:
    """When only the card turned up is in doubt, the cards are offered, and trumps follow the answer."""
    deal = PLAYED[0]
    other = Dealt(deal.dealer, next(card for card in RuleSet().pack if card not in all_cards()))
    script = [(0.5, Asked(0, 0.5, "who_dealt", None, (deal, other))), (1.0, deal)]
    house = open_house(script, sure=0.5)
    phone = open_phone(house)
    house.see(2.0)
    phone.shows("#questions h2", "aufgeschlagen")
    phone.page.locator(f"#questions button:has-text('{name_of(other.turned_up)}')").click()
    phone.page.wait_for_selector("#questions", state="hidden")
    assert house.table.feed.wait("", 0.0).hand.trump is other.turned_up.suit


def all_cards() -> set:
    """Every card of the hand, the one turned up among them."""
    return {getattr(event, "card", None) for event in HAND} | {HAND[0].turned_up}


def test_a_played_card_is_corrected_in_three_touches(phone: Phone, house: House) -> None:
    """Event, card, yes: the right card stands in place of the wrong one, marked as corrected."""
    house.see(3.0)
    house.see(4.0)
    unused = next(card for card in RuleSet().pack if card not in all_cards())
    phone.tells(4)
    phone.page.locator("#story li button").last.click()
    phone.page.locator(f"#sheet .pack button:has(svg[aria-label='{name_of(unused)}'])").click()
    phone.page.click("#correct-yes:enabled")
    phone.shows("#story li", "berichtigt")
    assert house.table.feed.wait("", 0.0).hand.events[-1].event.card == unused


def name_of(card) -> str:
    """A card's German name on the page."""
    ranks = {"A": "Ass", "T": "Zehner", "K": "König", "Q": "Dame", "J": "Bub"}
    suits = {"H": "Herz", "D": "Karo", "C": "Treff", "S": "Pik"}
    return f"{suits[card.suit.letter]} {ranks[card.rank.letter]}"


def test_a_phone_catches_up_by_itself_after_a_restart(phone: Phone, house: House) -> None:
    """The server goes and comes back with more of the hand: the phone says so, returns, and is right."""
    house.see(4.0)
    phone.tells(4)
    house.close()
    phone.shows("#banner", "Keine Verbindung")
    house.open()
    house.see(9.0)
    phone.tells(9)
    phone.page.wait_for_selector("#banner", state="hidden")
    assert (phone.total(Player.SOUTH), phone.total(Player.NORTH)) == totals(house)


def test_a_phone_that_is_no_longer_paired_says_so(phone: Phone, house: House) -> None:
    """When its cookie is not taken any more the page tells how to pair again."""
    phone.context.clear_cookies()
    house.close()
    house.open()
    phone.shows("#banner", "QR-Code")


def test_a_stranger_is_told_how_to_pair(chromium, house: House) -> None:
    """Without a cookie the page is not there; one line says what to do, in two languages."""
    context = chromium.new_context(viewport=PHONE)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{house.port}/")
    assert "QR-Code" in page.inner_text("main")
    assert "QR code" in page.inner_text("main")
    context.close()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_everything_can_be_read_and_touched(open_phone, house: House, theme: str) -> None:
    """Buttons are 44 px or more, texts have a contrast of 4.5 or more, nothing is wider than the screen."""
    phone = open_phone(color_scheme=theme)

    def look() -> None:
        for width in (320, 390, 768):
            phone.resized(width, 844)
            assert faults(phone.page, str(width)) == []

    for until in (0.5, 4.0, 7.0, len(PLAYED) + 1.0):
        house.see(until)
        phone.page.wait_for_timeout(50)
        look()
    phone.page.click("#open-menu")
    look()


@pytest.mark.parametrize(("language", "word"), [("de", "Atout"), ("en", "Trumps")])
def test_the_page_speaks_the_chosen_language(open_phone, house: House, language: str, word: str) -> None:
    """German is the default with the Austrian words; English by choice; nothing is left without a word."""
    phone = open_phone(choices={"language": language})
    house.see(len(PLAYED) + 1.0)
    phone.shows("#talon h2", word)
    text = phone.page.inner_text("body")
    assert "null" not in text
    assert "undefined" not in text
    assert phone.page.get_attribute("html", "lang") == language


def test_german_suited_cards_are_drawn_by_choice(phone: Phone, house: House) -> None:
    """With U O K the signs are bells, acorns and leaves, and the names follow."""
    house.see(4.0)
    french = phone.page.locator("svg.card[aria-label*=Treff], svg.card[aria-label*=Karo]")
    german = phone.page.locator("svg.card[aria-label*=Eichel], svg.card[aria-label*=Schellen]")
    phone.tells(4)
    shown = french.count()
    assert shown
    phone.page.click("#open-menu")
    phone.page.get_by_role("button", name="U O K").click()
    phone.page.keyboard.press("Escape")
    expect(french).to_have_count(0)
    expect(german).to_have_count(shown)


def test_words_cover_every_rule_that_can_be_broken(phone: Phone) -> None:
    """Each breach, reason, refusal and camera state has a text in both languages."""
    missing = phone.page.evaluate(
        """async (keys) => {
          const { say, speak } = await import('/words.js');
          const found = [];
          for (const language of ['de', 'en']) {
            speak(language);
            for (const key of keys) if (!say(key, { n: 2 })) found.push(`${language} ${key}`);
          }
          return found;
        }""",
        keys(),
    )
    assert missing == []


def keys() -> list[str]:
    """Every key that the server can send."""
    from typing import get_args

    from companion.live.command import Reason as Refusal
    from companion.live.health import Sight
    from companion.rules.breach import Breach
    from companion.rules.points import Reason

    return [
        *(f"breaches|{breach.value}" for breach in Breach),
        *(f"reason|{reason}" for reason in get_args(Reason)),
        *(f"refused|{reason}" for reason in get_args(Refusal)),
        *(f"camera|{sight.value}" for sight in Sight),
        *(f"outcome|{outcome.value}" for outcome in Outcome),
    ]


def test_the_first_visit_is_light(phone: Phone) -> None:
    """Page, script, style and words together weigh less than 143 kB, uncompressed, and with most sheets."""
    assert 10_000 < sum(loaded(phone).values()) < 143_000


def test_the_page_can_be_put_among_the_apps(phone: Phone) -> None:
    """Its manifest has no fault for the browser, and every picture that it names is there."""
    wire = phone.context.new_cdp_session(phone.page)
    manifest = wire.send("Page.getAppManifest")
    assert manifest["errors"] == []
    for icon in json.loads(manifest["data"])["icons"]:
        answer = phone.context.request.get(f"{phone.house.address}/{icon['src']}")
        assert answer.ok
        assert answer.headers["content-type"].startswith(icon["type"])


def test_the_modules_of_the_first_view_are_asked_for_at_once(phone: Phone) -> None:
    """The page names every module that its first view imports, so that none waits for the one before it."""
    needed, at_hand = set(), ["app.js"]
    while at_hand:
        name = at_hand.pop()
        needed.add(name)
        text = phone.context.request.get(f"{phone.house.address}/{name}").text()
        found = re.findall(r'^(?:import|export) [^;]*?from "\./([^"]+)"', text, re.MULTILINE)
        at_hand += set(found) - needed
    named = phone.page.evaluate(
        "[...document.querySelectorAll('link[rel=modulepreload], script')].map((it) => it.href || it.src)"
    )
    assert {f"{phone.house.address}/{name}" for name in needed} == set(named)


def test_nothing_empty_is_framed_while_the_page_is_still_coming(open_phone, house: House) -> None:
    """What lies below the table comes later on a slow network: until then it takes up no room."""
    phone = open_phone()
    phone.page.route("**/course.js", lambda route: None)  # never answered
    phone.page.reload(wait_until="commit")
    phone.page.wait_for_selector("#players article")
    empty = "each => each.filter(({ offsetHeight }) => offsetHeight > 0).map(({ id }) => id)"
    assert phone.page.locator("main > section:empty").evaluate_all(empty) == []


def test_sheets_come_after_the_first_view_and_open_without_the_network(phone: Phone) -> None:
    """None holds up the first view; those wanted often are there before, when the Wi-Fi is away, too."""
    loaded(phone)
    phone.context.set_offline(True)
    phone.page.click("#open-menu")
    phone.shows("#sheet h2", "Menü")
    phone.page.click("#menu-new-hand")
    phone.shows("#sheet h2", "Wer gibt")


def test_a_won_match_names_the_winner_and_the_bummerl(open_house, open_phone) -> None:
    """When a player reaches 0 the page says who won and for whom the Bummerl is."""
    script, start = [], 0.0
    for _ in range(9):
        script += timed(HAND, start + 1.0)
        start = script[-1][0]
    house = open_house(script)
    phone = open_phone(house)
    for time, _ in script:
        house.see(time)
        match = house.table.feed.wait("", 0.0).match
        if match.winner is not None:
            break
    phone.shows("#result .match", "gewinnt die Partie")
    phone.shows("#result .for", "Bummerl für")
    assert phone.page.locator("#hands li").count() == len(match.hands)
    assert phone.page.locator("#players article").nth(1 - int(match.winner)).locator(".marks i").count() == 1
    house.table.submit(NewMatch())
    phone.shows("#title", "Partie 2")


def test_what_was_pressed_before_the_phone_slept_is_not_sent_an_hour_later(open_house, open_phone) -> None:
    """The network was gone for a moment, then the phone was put away: by now another hand is played."""
    house = open_house(timed(HAND))
    phone = open_phone(house, hasty=True)
    house.see(4.0)
    phone.tells(4)
    sent: list[str] = []
    phone.page.route(
        "**/api/commands", lambda route: sent.append(route.request.url) or route.abort("connectionfailed")
    )
    phone.page.clock.pause_at(datetime.now() + timedelta(seconds=2))
    with phone.page.expect_event("requestfailed"):
        phone.touch("#undo")
    phone.page.clock.fast_forward(3600_000)
    said = phone.page.locator("#toast").filter(has_text=re.compile("Keine Verbindung|No connection"))
    for _ in range(100):  # until the page has heard of the failure, and waited as long as it does
        phone.page.clock.run_for(100)
        if said.is_visible():
            break

    assert said.is_visible()
    assert len(sent) == 1
    assert len(house.table.standing().hand.events) == 4


def test_a_table_among_others_is_told_by_its_name(open_house, open_phone) -> None:
    """On phone and board, in the heading and in the title of the page, before and during a hand."""
    house = open_house(timed(HAND), called="Tisch 7")
    phone = open_phone(house, viewport={"width": 320, "height": 568})
    phone.shows("#title", "^Tisch 7 · Partie\u00a01$")
    house.see(4.0)
    phone.shows("#title", "^Tisch 7 · Partie\u00a01\u00a0·\u00a0Spiel\u00a01$")
    expect(phone.page).to_have_title(re.compile("^Tisch 7 · Partie\u00a01\u00a0·\u00a0Spiel\u00a01$"))
    assert faults(phone.page, "header") == []
    board = open_phone(house, link=house.link(Role.BOARD))
    board.shows("#title", "^Tisch 7 · Partie\u00a01")
