"""What the rules change on the page: words to press, series, cards to show, the choice for a new match."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from browsing import House, Phone, faults
from playwright.sync_api import expect
from scripted_table import HAND, REVOKED, dealt_and, random_hand, tied, timed

from companion.live.command import CallRevoke, Claim
from companion.rules.cards import Player, Rank
from companion.rules.events import CardPlayed, Claimed, Closed, Event, HandShown, Knocked, RevokeCalled
from companion.rules.presets import DIFFERENCES, MODIFIERS
from companion.rules.ruleset import choices, preset
from companion.store.item import MatchStarted
from companion.store.log import EventLog

pytestmark = pytest.mark.browser

NORTH = Player.NORTH
WIDE = "nodes => nodes.filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.id)"
TRICK = ("AS", "JS")


@pytest.fixture
def playing(open_house, open_phone) -> Callable[..., tuple[House, Phone]]:
    """Opens a table with some rules and a phone at it."""

    def open_(rules: str, events: list[Event], **more) -> tuple[House, Phone]:
        house = open_house(timed(events), rules=preset(rules))
        return house, open_phone(house, **more)

    return open_


def snapshot(house: House):
    """What a phone that comes now is shown."""
    return house.table.feed.wait("", 0.0)


def test_knocking_is_pressed_where_it_is_played(playing) -> None:
    """The button is there with `knock` only; a second touch knocks, and claims are not offered any more."""
    house, phone = playing("schnapsen+knock", dealt_and("TD", *TRICK))
    house.see(3.0)
    phone.page.click("#knock:enabled")
    phone.shows("#sheet", "sonst punktet Anna")
    phone.page.click("#knock-yes")
    phone.shows("#claim", "der Stich entscheidet")
    assert snapshot(house).hand.events[-1].event == Knocked(NORTH)
    house, phone = playing("schnapsen", dealt_and("TD", *TRICK))
    house.see(3.0)
    phone.page.wait_for_selector("#close:enabled")
    assert phone.page.locator("#knock").count() == 0


def test_the_page_says_when_a_claim_is_in_time(playing) -> None:
    """While nobody may claim, the button says when: in Snapszli either player between tricks (clause 7.2)."""
    for rules, when in (
        ("snapszli", "erst zwischen Stichen"),
        ("schnapsen", "nur gleich nach eigenem Stich"),
    ):
        house, phone = playing(rules, dealt_and("TD", "AS"))
        house.see(3.0)
        phone.page.wait_for_selector("#claim:disabled")
        phone.shows("#claim", when)


def test_the_stock_is_closed_before_drawing_where_that_is_played(playing) -> None:
    """Sixty-Six offers both ways to close; the early one keeps twelve cards in the stock."""
    house, phone = playing("sixty_six", dealt_and("TD", *TRICK))
    house.see(3.0)
    phone.shows("#talon .number", "10")
    phone.page.click("#close:enabled")
    phone.page.click("#close-early")
    phone.shows("#talon .number", "12")
    assert snapshot(house).hand.events[-1].event == Closed(NORTH, before_draw=True)
    phone.shows("#story li", "vor dem Ziehen")
    house, phone = playing("schnapsen", dealt_and("TD", *TRICK))
    house.see(3.0)
    phone.page.click("#close:enabled")
    phone.page.wait_for_selector("#close-yes")
    assert phone.page.locator("#close-early").count() == 0


def test_a_proven_revoke_is_called_with_two_touches(playing) -> None:
    """The notice of a revoke carries the call and says what it costs under these rules."""
    script = dealt_and("TD", *REVOKED, close=True)
    for rules, words in (("schnapsen", "3 Punkte"), ("schnapsen_casual", "zurückgenommen")):
        house, phone = playing(rules, script)
        house.see(6.0)
        phone.shows("#breaches", "Farbe nicht bedient")
        phone.page.get_by_role("button", name="Bert reklamiert").click()
        phone.shows("#sheet", words)
        phone.page.click("#revoke-yes")
        phone.page.wait_for_selector("#breaches button", state="hidden")
        assert snapshot(house).hand.events[-1].event == RevokeCalled(NORTH)
        phone.shows("#result h2" if rules == "schnapsen" else "#breaches em", "gewinnt 3|zurückgenommen")
        if rules == "schnapsen":
            phone.shows("#result", "Farbe nicht bedient oder nicht gestochen")


def test_cards_are_laid_open_after_the_end(playing) -> None:
    """Of the cards that may be left, some are picked, no more than are left, and shown."""
    script = dealt_and("TD", "AH", "JS", "AC", "QC", "AS", "KS", close=True)
    house, phone = playing("snapszer_24", script)
    house.see(8.0)
    assert phone.page.locator("#show-hand").count() == 0
    house.table.submit(Claim(NORTH))
    phone.page.click("#show-hand")
    phone.page.locator("#sheet").get_by_role("button", name="Anna").click()
    assert phone.page.locator("#show-yes").is_disabled()
    for name in ("Herz König", "Pik Zehner", "Herz Neuner", "Karo Neuner"):
        phone.page.locator(f"#sheet button:has(svg[aria-label='{name}'])").click()
    assert phone.page.locator("#sheet [aria-pressed=true]").count() == 3
    phone.page.click("#show-yes")
    phone.shows("#breaches", "Farbe nicht bedient")
    shown = snapshot(house).hand.events[-1].event
    assert isinstance(shown, HandShown)
    assert [str(card) for card in shown.cards] == ["KH", "TS", "9H"]


def test_a_series_is_shown_and_goes_on_with_a_new_match(playing) -> None:
    """Won matches stand beside the names, also after "new match"; the second one wins the series."""
    events = dealt_and("TD", *REVOKED, close=True)
    house, phone = playing("schnapsen+best_of_3", events * 6)
    phone.shows("#series", "Serie auf 2 Siege")
    for hand in range(3):
        house.see(6.0 * (hand + 1))
        house.table.submit(CallRevoke(NORTH))
    phone.shows("#series", "0 : 1")
    phone.shows("#result .match", "Bert gewinnt die Partie")
    phone.page.click("#open-menu")
    phone.page.click("#menu-new-match")
    phone.page.click("#start-match")
    phone.shows("#title", "Partie 2")
    phone.shows("#series", "0 : 1")
    for hand in range(3, 6):
        house.see(6.0 * (hand + 1))
        house.table.submit(CallRevoke(NORTH))
    phone.shows("#result", "Bert gewinnt die Serie")


def test_marks_that_are_missing_to_the_end_of_a_series_are_seen(playing) -> None:
    """In a series to two Bummerl each player has two places for marks, free ones among them."""
    house, phone = playing("schnapsen_tournament", dealt_and("TD", *TRICK))
    house.see(1.0)
    phone.shows("#series", "Serie bis 2 Bummerl")
    assert phone.page.locator("#players .marks i.free").count() == 4
    assert phone.page.locator("#players .marks i:not(.free)").count() == 0


@pytest.mark.parametrize(
    ("rules", "said"), [("schnapsen+schneider_bummerl", "2 Bummerl"), ("schnapsen", "Bummerl")]
)
def test_a_match_lost_without_a_point_says_what_it_costs(playing, rules: str, said: str) -> None:
    """Where Schneider counts twice the result says so, as the dots beside the name do (clause 9.3)."""
    script = [*dealt_and("TD", *TRICK), Claimed(NORTH)] * 3
    house, phone = playing(rules, script)
    house.see(float(len(script)))
    phone.shows("#result .for", f"^{said} für Bert")
    assert snapshot(house).match.marks == (0, len(said.split()))


def test_marks_too_many_for_dots_are_a_figure(tmp_path: Path, open_house, open_phone) -> None:
    """Marks stay from match to match: on table and overlay none is left out (clause 9.6)."""
    folder = tmp_path / "house0"
    folder.mkdir()
    with EventLog(folder / "table.sqlite") as log:
        log.append([MatchStarted("2026-11-21T20:00:00+01:00", preset("schnapsen"), marks=(12, 6))])
    house = open_house(timed(dealt_and("TD", *TRICK)))
    house.see(1.0)

    page = open_phone(house).page

    page.wait_for_selector("#players .marks")
    assert page.locator("#players .marks").all_inner_texts() == ["12", ""]
    assert [page.locator("#players .marks").nth(seat).locator("i").count() for seat in (0, 1)] == [1, 6]
    page.goto(f"{house.address}/overlay")
    page.wait_for_selector(".game b")
    assert page.locator(".game b").all_inner_texts() == ["12", "6"]


def test_a_tie_that_carries_over_is_told(playing) -> None:
    """After a drawn hand the page says that the next one pays more."""
    house, phone = playing("schnapsen+last_trick_10+tie_carry", list(tied()))
    house.see(40.0)
    phone.shows("#series .carry", "zählt 1 mehr")
    assert snapshot(house).match.carry == 1


def test_what_a_tie_has_added_is_told_with_the_hand(playing) -> None:
    """The hand after it pays its own award and 1 more: the page says both, as the score shows both (8.5)."""
    script = [*tied(), *dealt_and("TD", *TRICK), Claimed(NORTH)]
    house, phone = playing("schnapsen+last_trick_10+tie_carry", script)
    house.see(float(len(script)))
    said = r"Anna gewinnt 3 Punkte \+ 1 vom Gleichstand"
    phone.shows("#result h2", said)
    assert snapshot(house).match.points == (3, 7)
    phone.shows("#hands", said)


def test_rules_are_chosen_with_a_line_on_each(playing) -> None:
    """Preset and modifiers are picked on the phone; what needs something else brings it along."""
    house, phone = playing("schnapsen", dealt_and("TD", *TRICK))
    house.see(3.0)
    page = phone.page
    page.click("#open-menu")
    phone.shows("#sheet", "Gespielt wird Schnapsen")
    page.click("#menu-new-match")
    page.fill("#name-0", "Eva")
    page.click("#choose-rules")
    page.wait_for_selector("#rules-done")
    lines = page.locator("#sheet .pick").evaluate_all(
        """nodes => nodes.map((node) => ['strong', 'span']
          .map((part) => node.querySelector(part).textContent))"""
    )
    assert len(lines) == 14 + 5
    assert all(name and "null" not in name and 10 < len(text) < 110 for name, text in lines)
    page.click("[data-modifier=tie_carry]")
    assert page.locator("#sheet [data-modifier][aria-pressed=true]").count() == 2
    page.click("[data-modifier=last_trick_10]")
    assert page.locator("#sheet [data-modifier][aria-pressed=true]").count() == 0
    page.click("[data-modifier=knock]")
    page.locator("#sheet summary", has_text="24").click()
    page.click("[data-preset=sixty_six]")
    page.click("#rules-done")
    phone.shows("#sheet", "gespielt wird bis 7")
    assert page.input_value("#name-0") == "Eva"
    page.click("#start-match")
    phone.shows("#players article h2", "Eva")
    assert house.table.standing().rules == preset("sixty_six+knock")
    phone.shows("#knock", "Klopfen")


def test_a_new_match_without_another_choice_keeps_the_rules(open_house, open_phone) -> None:
    """Rules with changes of one's own are not lost by starting anew."""
    own = preset("schnapsen+knock").with_overrides({"match_target": 9})
    house = open_house(rules=own)
    phone = open_phone(house)
    phone.page.click("#open-menu")
    phone.shows("#sheet", "1 eigene Abweichung")
    phone.page.click("#menu-new-match")
    phone.page.fill("#name-0", "Eva")
    phone.page.click("#start-match")
    phone.shows("#players article h2", "Eva")
    assert house.table.standing().rules == own


def test_nines_are_drawn_and_corrected_with_twenty_four_cards(playing) -> None:
    """A nine on the table has its face and name, and a correction offers all twenty-four cards."""
    hands = (random_hand(seed, Player.SOUTH, preset("snapszer_24")) for seed in range(50))
    leads = (
        (events, n) for events in hands for n, event in enumerate(events) if isinstance(event, CardPlayed)
    )
    events, place = next(
        (events, n)
        for events, n in leads
        if events[n].card.rank is Rank.NINE and not any(isinstance(e, CardPlayed) for e in events[1:n])
    )
    house, phone = playing("snapszer_24", list(events))
    house.see(1.0)
    phone.shows("#talon .number", "12")
    house.see(place + 1.0)
    face = phone.page.locator("#players .slot svg.card")
    face.wait_for()
    assert face.get_attribute("aria-label").endswith("Neuner")
    phone.page.locator("#story li button").last.click()
    phone.page.wait_for_selector("#sheet .pack")
    assert phone.page.locator("#sheet .pack svg.card").count() == 24


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_what_the_rules_add_can_be_read_and_touched(playing, theme: str) -> None:
    """Four words in a row, notices, series and the sheets of rules: 44 px, contrast 4.5, no overflow."""
    script = dealt_and("TD", *REVOKED, "AS", "QS", close=True)
    rules = "schnapsen_tournament+knock"
    house, phone = playing(rules, script, color_scheme=theme)
    page = phone.page

    def sound() -> None:
        page.wait_for_timeout(60)
        for width in (390, 320):
            phone.resized(width, 844)
            assert faults(page, str(width)) == []
            assert page.locator("footer button").evaluate_all(WIDE) == [], width

    house.see(6.0)
    phone.shows("#breaches button", "reklamiert")
    sound()
    page.click("#breaches button")
    sound()
    page.keyboard.press("Escape")
    house.see(8.0)
    page.click("#knock:enabled")
    sound()
    page.keyboard.press("Escape")
    house.table.submit(Claim(NORTH))
    page.click("#show-hand")
    page.locator("#sheet button").first.click()
    sound()
    page.keyboard.press("Escape")
    page.click("#open-menu")
    page.click("#menu-new-match")
    sound()
    page.click("#choose-rules")
    page.wait_for_selector("#rules-done")
    for group in page.locator("#sheet details:not([open]) summary").all():
        group.click()
    sound()


def test_every_rule_has_its_words_in_both_languages(playing) -> None:
    """Presets, modifiers, series and what a revoke costs are named in German and English."""
    keys = [f"presets|{name}|{part}" for name in DIFFERENCES for part in (0, 1)]
    keys += [f"modifiers|{name}|{part}" for name in MODIFIERS for part in (0, 1)]
    keys += [f"series_{kind}" for kind in choices()["series"] if kind != "none"]
    keys += [f"revoke_award|{award}" for award in choices()["revoke_award"]]
    _, phone = playing("schnapsen", dealt_and("TD", *TRICK))
    missing = phone.page.evaluate(
        """async (keys) => {
          const { say, speak } = await import('/words.js');
          await import('/match.js');
          const found = [];
          for (const language of ['de', 'en']) {
            speak(language);
            for (const key of keys) if (!say(key, { n: 2 })) found.push(`${language} ${key}`);
          }
          return found;
        }""",
        keys,
    )
    assert missing == []


def test_marks_begin_anew_where_two_others_sit_down(open_house, open_phone) -> None:
    """The box ticks itself when both names are new, not where one stays or they change seats."""
    house = open_house(timed(HAND))
    phone = open_phone(house)
    house.see(30.0)
    phone.touch("#open-menu")
    phone.touch("#menu-new-match")
    box, names = phone.page.locator("#clear-marks"), [phone.page.locator(f"#name-{seat}") for seat in (0, 1)]
    before = [each.input_value() for each in names]
    for south, north, ticked in (
        ("Eva", before[1], False),
        (before[1], before[0], False),
        ("Eva", "", False),
        ("Eva", "Max", True),
    ):
        names[0].fill(south)
        names[1].fill(north)
        expect(box).to_be_checked(checked=ticked)
    box.uncheck()
    names[0].fill("Ida")
    expect(box).not_to_be_checked()


def test_a_score_at_which_nobody_has_scored_is_not_lost(open_house, open_phone) -> None:
    """In the first hand of a match; that it goes on is said all the same."""
    house = open_house(timed(HAND))
    phone = open_phone(house)
    house.see(6.0)
    phone.touch("#open-menu")
    phone.touch("#menu-new-match")
    phone.shows("#sheet p", "laufende Spiel geht darin weiter")
    expect(phone.page.locator("#sheet .warning")).to_have_count(0)


def test_what_is_agreed_anew_in_a_match_loses_its_score_only_with_a_warning(open_house, open_phone) -> None:
    """The score is named, and kept where that is ticked; that a hand is broken off is said, too."""
    house = open_house([*timed(HAND), *timed(random_hand(3)[:6], start=60.0)])
    phone = open_phone(house)
    house.see(90.0)
    before = house.table.standing().match
    phone.touch("#open-menu")
    phone.touch("#menu-new-match")
    phone.shows("#sheet .warning", "Stand .* geht verloren")
    phone.shows("#sheet p", "laufende Spiel geht darin weiter")
    phone.touch("#keep-points")
    expect(phone.page.locator("#sheet .warning")).to_have_count(0)
    phone.touch("#choose-fair")
    phone.touch("#sheet [data-mode=tournament]")
    phone.touch("#fair-done")
    phone.shows("#sheet .warning", "laufende Spiel wird dabei womöglich abgebrochen")
    assert faults(phone.page, "#sheet") == []
    with phone.page.expect_response("**/api/commands"):  # the sheet closes before
        phone.touch("#start-match")
    expect(phone.page.locator("#sheet")).to_be_hidden()

    standing = house.table.standing()
    assert standing.started.fair.mode == "tournament"
    assert (standing.match.won_points, standing.match.number) == (before.won_points, before.number)
    assert sum(before.won_points) > 0
