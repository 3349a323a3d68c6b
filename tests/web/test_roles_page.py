"""Several devices in real browsers: invited and sent away, each with its role, screens beside the phone."""

from __future__ import annotations

import re

import pytest
from browsing import PHONE, SPEECH, House, expect, invite
from patience import until
from scripted_table import HAND, PLAYED, dealt_and, newest, timed

from companion.live.alternatives import alternatives
from companion.live.command import Answer, NewMatch
from companion.live.snapshot import Role
from companion.rules.cards import Card
from companion.rules.events import CardPlayed, Claimed, Exchanged
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import RuleSet
from companion.table.entry import Asked

pytestmark = pytest.mark.browser


def test_the_owner_lets_another_phone_in_and_sends_it_away(open_phone, house: House) -> None:
    """Menu, devices, invite, role: a QR code; the phone that opens it is listed, and gone when sent away."""
    owner = open_phone(owner=True)
    link = invite(owner, Role.NORTH)
    assert owner.page.evaluate("document.getElementById('qr').naturalWidth") > 100
    north = open_phone(link=link)
    house.see(6.0)
    north.tells(6)
    owner.page.get_by_role("button", name="Fertig").click()
    owner.page.click("#open-menu")
    owner.page.click("#menu-devices")
    row = owner.page.locator("#sheet [data-device]").filter(has_text="Bert")
    expect(row).to_contain_text("schaut gerade zu")
    row.click()
    owner.page.click("#revoke-device")
    north.shows("#banner", "QR-Code")
    expect(north.page.locator("main")).to_be_hidden()
    expect(owner.page.locator("#sheet [data-device]")).to_have_count(1)


@pytest.mark.parametrize(
    ("status", "body", "said"),
    [
        (
            403,
            {"error": "only the owner's device", "reason": "not_yours"},
            "Das darf dieses Gerät jetzt nicht.",
        ),
        (
            503,
            {"error": "cannot be written down", "reason": "not_recorded"},
            "Konnte nicht aufgeschrieben werden.",
        ),
        (500, {"error": "the companion failed"}, "Das hat nicht geklappt."),
    ],
)
def test_the_devices_sheet_refuses_in_the_language_of_the_page(
    open_phone, house: House, status: int, body: dict[str, str], said: str
) -> None:
    """Not a word of the server's English; the sheet shows the devices anew, and the way on."""
    owner = open_phone(owner=True)
    owner.page.route(
        "**/api/devices",
        lambda route: (
            route.fulfill(status=status, json=body) if route.request.method == "POST" else route.fallback()
        ),
    )
    owner.page.click("#open-menu")
    owner.page.click("#menu-devices")
    owner.page.click("#invite")
    owner.page.click("#sheet [data-role=north]")
    expect(owner.page.locator("#toast")).to_have_text(said)
    expect(owner.page.locator("#invite")).to_be_visible()
    owner.complaints.clear()  # a console tells each refusal besides


def test_a_device_that_has_gone_meanwhile_is_named_as_such(open_phone, house: House) -> None:
    """Two owners send it away; the second hears so in German, and sees who is left."""
    owner, other = open_phone(owner=True), open_phone(role=Role.NORTH)
    owner.page.click("#open-menu")
    owner.page.click("#menu-devices")
    owner.page.locator("#sheet [data-device]").filter(has_text="Bert").click()
    gone = next(each for each in house.pairing.book.devices() if each.role is Role.NORTH)
    house.pairing.book.remove(gone.number)
    owner.page.click("#revoke-device")
    expect(owner.page.locator("#toast")).to_have_text("Dieses Gerät ist nicht mehr dabei.")
    expect(owner.page.locator("#sheet [data-device]")).to_have_count(1)
    other.shows("#banner", "QR-Code")
    owner.complaints.clear()  # a console tells each refusal besides


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_press_of_a_device_that_was_sent_away_is_told_why_it_did_not_count(
    open_phone, house: House, language: str
) -> None:
    """At once, and in the page's words, before the page is shut."""
    phone = open_phone(role=Role.SOUTH, choices={"language": language})
    house.see(6.0)
    phone.tells(6)
    (device,) = house.pairing.book.devices()
    house.pairing.book.remove(device.number)
    phone.page.click("#undo")
    phone.shows("#toast", "nicht mehr gekoppelt" if language == "de" else "no longer paired")
    phone.shows("#banner", "QR")


def test_a_used_code_tells_a_stranger_so_and_leads_its_device_on(open_phone, chromium, house: House) -> None:
    """Scanned again by the same phone it leads to the table; another phone is told that the code is used."""
    link = house.link(Role.SOUTH)
    phone = open_phone(link=link)
    phone.page.goto(link)
    phone.page.wait_for_selector("#players article")
    stranger = chromium.new_context(viewport=PHONE, locale="de-AT").new_page()
    stranger.goto(link)
    expect(stranger.locator("h1")).to_have_text("Dieser Code gilt nicht")
    expect(stranger.locator("p").first).to_contain_text(
        "lass dir von dem, der dich eingeladen hat, einen neuen"
    )
    expect(stranger.locator("a")).to_have_count(0)  # there is no way to the table for whoever is not let in
    stranger.context.close()


def test_in_a_tournament_a_phone_shows_trumps_and_whose_lead_until_the_claim(
    open_phone, house: House
) -> None:
    """No card, no count, no story; after the claim both counts and the sum."""
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    south, north = open_phone(role=Role.SOUTH), open_phone(role=Role.NORTH)
    house.see(len(PLAYED) + 1.0)
    for phone in (south, north):
        phone.shows("#talon", "Turnier")
        expect(phone.page.locator("#players article.turn")).to_have_count(1)
        expect(phone.page.locator("svg.card")).to_have_count(0)
        expect(phone.page.locator("#players .total")).to_have_count(0)
        expect(phone.page.locator("#story li")).to_have_count(0)
    claimant, other = (south, north) if HAND[-1].player == 0 else (north, south)
    expect(other.page.locator("#claim")).to_be_disabled()
    claimant.page.click("#claim:enabled")
    claimant.page.click("#claim-yes")
    for phone in (south, north):
        phone.shows("#result h2", "gewinnt")
        expect(phone.page.locator("#players .total")).to_have_count(2)
    expect(other.page.locator("#undo")).to_be_disabled()


def asking_house(open_house) -> tuple[House, float, Card]:
    """A house that asks which card was played first, when that is so, and a card that nobody plays."""
    place = next(n for n, event in enumerate(PLAYED) if isinstance(event, CardPlayed))
    real = PLAYED[place]
    other = next(card for card in RuleSet().pack if CardPlayed(real.player, card) not in HAND)
    asked = Asked(0, place + 1.2, "which_card", place + 1, (real, CardPlayed(real.player, other)))
    house = open_house(sorted([*timed(PLAYED), (place + 1.2, asked)], key=lambda each: each[0]))
    return house, place + 1.5, other


def test_a_lying_card_is_named_from_the_pack_where_cards_are_hidden(open_house, open_phone) -> None:
    """The question has no options: a touch opens the pack, another names the card."""
    house, asked_at, other = asking_house(open_house)
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    phone = open_phone(house, role=Role.SOUTH)
    house.see(asked_at)
    phone.page.click("#name-card")
    expect(phone.page.locator("#sheet .pack button")).to_have_count(20)
    ranks = {"A": "Ass", "T": "Zehner", "K": "König", "Q": "Dame", "J": "Bub"}
    suits = {"H": "Herz", "D": "Karo", "C": "Treff", "S": "Pik"}
    name = f"{suits[other.suit.letter]} {ranks[other.rank.letter]}"
    phone.page.locator(f"#sheet button:has(svg[aria-label='{name}'])").click()
    phone.page.wait_for_selector("#questions", state="hidden")
    (laid,) = house.table.feed.wait("", 0.0).hand.trick
    assert laid.card == other


def test_whoever_answers_at_the_same_moment_is_told_that_the_question_is_settled(
    open_house, open_phone
) -> None:
    """Not that something happened: nothing did but the answer of the phone that was quicker."""
    house, asked_at, _ = asking_house(open_house)
    south = open_phone(house, role=Role.SOUTH)
    house.see(asked_at)
    (question,) = newest(house.table).questions

    def overtake(route) -> None:
        house.table.submit(Answer(question.seq, 1), source="phone:north")
        route.continue_()

    south.page.route("**/api/commands", overtake)
    south.page.locator("#questions .options button").first.click()
    south.shows("#toast", "Die Frage hat sich inzwischen erledigt")


def test_the_other_phone_is_told_who_answered_a_question(open_house, open_phone) -> None:
    """One line in passing, on every tab of the other phone, and none on the one that answered."""
    house, asked_at, _ = asking_house(open_house)
    south, north = open_phone(house, role=Role.SOUTH), open_phone(house, role=Role.NORTH)
    tab = north.tab()
    tab.goto(f"{house.address}/")
    house.see(asked_at)
    for page in (north.page, tab):
        expect(page.locator("#questions .options button").first).to_be_visible()
    south.page.locator("#questions .options button").first.click()
    for page in (north.page, tab):
        expect(page.locator("#toast")).to_contain_text("Anna hat geantwortet: ")
        expect(page.locator("#questions")).to_be_hidden()
    expect(south.page.locator("#questions")).to_be_hidden()
    expect(south.page.locator("#toast")).to_be_hidden()
    expect(north.page.locator("#toast")).to_be_hidden()


ASLEEP = """() => setTimeout(() => {
  const woken = performance.now() + 8500;
  while (performance.now() < woken);
}, 50)"""
"""Lets a page do nothing for a while, as one that a phone has put to sleep."""


def test_a_phone_that_slept_shows_what_is_and_not_what_was_said_meanwhile(open_house, open_phone) -> None:
    """Who answered its question long ago is not told in passing, nor is each card read out that was laid."""
    house, asked_at, _ = asking_house(open_house)
    south = open_phone(house, role=Role.SOUTH)
    north = open_phone(house, role=Role.NORTH, choices={"voice": "on"}, script=SPEECH)
    house.see(asked_at)
    expect(north.page.locator("#questions .options button").first).to_be_visible()
    north.page.evaluate("window.spoken = []")
    north.page.evaluate(ASLEEP)
    south.page.locator("#questions .options button").first.click()
    expect(south.page.locator("#questions")).to_be_hidden()
    for time in range(5, 9):
        house.see(time)
        south.tells(time)
    north.tells(8)
    expect(north.page.locator("#questions")).to_be_hidden()
    expect(north.page.locator("#link.good")).to_be_attached()
    expect(north.page.locator("#toast")).to_be_hidden(timeout=100)
    assert len(north.page.evaluate("window.spoken")) == 1


def test_an_exchange_is_pressed_and_confirmed(open_house, open_phone) -> None:
    """Where the camera missed it the player on lead tells it with two touches."""
    before = PLAYED[: PLAYED.index(next(event for event in PLAYED if isinstance(event, Exchanged)))]
    house = open_house(timed(before))
    phone = open_phone(house)
    house.see(len(before) + 1.0)
    phone.page.click("#exchange:enabled")
    assert house.table.feed.wait("", 0.0).hand.events[-1].event == before[-1]
    phone.page.click("#exchange-yes")
    phone.tells(len(before) + 1)
    assert isinstance(house.table.feed.wait("", 0.0).hand.events[-1].event, Exchanged)


def test_fair_play_is_chosen_with_a_new_match(open_phone, house: House) -> None:
    """The agreement is chosen beside the rules, with its delay where it is a broadcast."""
    phone = open_phone()
    phone.page.click("#open-menu")
    phone.page.click("#menu-new-match")
    phone.page.click("#choose-fair")
    phone.page.click("#sheet [data-mode=broadcast]")
    phone.page.get_by_role("button", name="30 Sekunden").click()
    phone.page.click("#fair-done")
    phone.shows("#choose-fair", "Übertragung")
    with phone.page.expect_response("**/api/commands"):  # the sheet is gone before the table has answered
        phone.page.click("#start-match")
    assert house.table.standing().started.fair == FairPlay("broadcast", 30, "seconds")


def test_a_new_match_is_offered_to_those_alone_who_may_begin_it(open_phone, house: House) -> None:
    """In a tournament a player's phone says who may; an owner's and the one in the middle offer it."""
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    south = open_phone(role=Role.SOUTH)
    south.page.click("#open-menu")
    expect(south.page.locator("#menu-new-match")).to_be_visible()  # nothing is dealt yet
    south.page.get_by_role("button", name="Fertig").click()
    house.see(3.0)
    south.page.wait_for_selector("#players article.turn")
    south.page.click("#open-menu")
    south.shows("#sheet p", "neue Partie beginnt jetzt nur der Schiedsrichter")
    expect(south.page.locator("#menu-new-match")).to_have_count(0)
    for phone in (open_phone(role=Role.NORTH, owner=True), open_phone()):
        phone.page.click("#open-menu")
        expect(phone.page.locator("#menu-new-match")).to_be_visible()
        expect(phone.page.locator("#sheet p").filter(has_text="Schiedsrichter")).to_have_count(0)


def test_a_player_reads_why_the_next_hand_has_to_wait(open_phone, open_house) -> None:
    """The winner of a hidden hand may still claim: the other's button says so, in the menu as well."""
    plays = dealt_and("JH", "AS", "TS", "AC", "TC", "AD", "TD", "KC", "JD", "TH", "KD", close=True)
    house = open_house(timed(plays))
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    loser = open_phone(at=house, role=Role.SOUTH)
    house.see(len(plays) - 2.5)
    loser.page.wait_for_selector("#players article.turn")
    loser.page.click("#open-menu")
    loser.shows("#sheet p", "bricht jetzt nur der Schiedsrichter")
    expect(loser.page.locator("#menu-new-hand")).to_have_count(0)
    loser.page.get_by_role("button", name="Fertig").click()
    house.see(len(plays) + 0.5)
    expect(loser.page.locator("#new-hand")).to_be_disabled()
    loser.shows("#new-hand", "kann noch ausmelden")
    expect(loser.page.locator("#result .checked")).to_have_count(0)  # with the counts it stays hidden
    loser.page.click("#open-menu")
    loser.shows("#sheet p", "kann noch ausmelden")
    expect(loser.page.locator("#menu-new-hand")).to_have_count(0)
    loser.page.get_by_role("button", name="Fertig").click()
    winner = open_phone(at=house, role=Role.NORTH)
    with winner.page.expect_response("**/api/commands"):
        winner.page.click("#claim")
        winner.page.locator("#sheet .strong").click()
    expect(loser.page.locator("#new-hand")).to_be_enabled()


def test_board_and_overlay_follow_with_the_delay_of_a_broadcast(open_phone, house: House) -> None:
    """Both show what a looker-on may see, two tricks late, on an owner's device, too."""
    house.table.submit(NewMatch(fair=FairPlay("broadcast", 2)))
    board = open_phone(link=house.link(Role.BOARD))
    owner = open_phone(owner=True)
    owner.page.goto(f"{house.address}/overlay?lang=en&accent=ff8800&scale=1.5&text=zz")
    assert board.page.url == f"{house.address}/board"
    done = 0
    for time, event in house.script:
        house.see(time)
        done += isinstance(event, CardPlayed)
        if done == 4:
            break
    late = house.table.feed.wait("", 0.0, late=True)
    assert late.hand is not None
    assert len(late.hand.events) < len(house.table.feed.wait("", 0.0).hand.events)
    south, north = (str(side.total) for side in late.hand.sides)
    expect(board.page.locator("#players .total strong")).to_have_text([south, north])
    expect(owner.page.locator(".total")).to_have_text([south, north])
    expect(board.page.locator("#aside")).to_contain_text("2 Stiche später")
    expect(owner.page.locator(".aside")).to_contain_text("2 tricks late")
    root = "getComputedStyle(document.documentElement).getPropertyValue"
    assert owner.page.evaluate(f"{root}('--gold')").strip() == "#ff8800"
    assert owner.page.evaluate(f"{root}('--text')").strip() == "#f4f1e8"
    assert owner.page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgba(0, 0, 0, 0)"
    assert board.page.locator("button").count() == owner.page.locator("button").count() == 0


def test_all_tabs_of_a_browser_share_one_stream(open_phone, house: House) -> None:
    """Only one tab asks for events; when it goes another takes over, and each shows what happens."""
    phone = open_phone()
    with phone.page.expect_request("**/api/events*"):
        phone.page.reload()  # the first tab leads before there is a second
    streams: list[str] = []

    def count(page, name: str) -> None:
        page.on("request", lambda asked: streams.append(name) if "/api/events" in asked.url else None)

    tabs = [phone.page]
    for name in ("second", "third"):
        tabs.append(phone.context.new_page())
        count(tabs[-1], name)
        tabs[-1].goto(f"{house.address}/")
        tabs[-1].wait_for_selector("#players article")
    house.see(4.0)
    for tab in tabs:
        expect(tab.locator("#story li")).to_have_count(4)
    assert streams == []
    tabs.pop(0).close(run_before_unload=False)
    house.see(6.0)
    for tab in tabs:
        expect(tab.locator("#story li")).to_have_count(6)
    assert len(set(streams)) == 1


@pytest.mark.parametrize("mode", ["training", "tournament"])
def test_events_are_read_out_by_choice_and_only_what_is_shown(open_phone, house: House, mode: str) -> None:
    """Each play, trumps and the stock are said once; in a tournament only trumps and whose lead."""
    house.table.submit(NewMatch(fair=FairPlay(mode)))
    phone = open_phone(script=SPEECH, choices={"voice": "on", "vibrate": "on"})
    for time, _ in house.script[:8]:
        house.see(time)
        phone.page.wait_for_timeout(120)
    plays = [event for event in PLAYED[:8] if isinstance(event, CardPlayed)]
    named = 0 if mode == "tournament" else len(plays) + 1

    def said() -> str:
        return " ".join(phone.page.evaluate("window.spoken"))

    def ranks() -> int:
        return len(re.findall(r"(Ass|Zehner|König|Dame|Bub)", said()))

    until(lambda: ranks() >= named and "spielt aus" in said())
    phone.page.wait_for_timeout(120)
    assert ranks() == named
    assert "Atout" in said()
    assert ("Talon" in said()) is (mode == "training")
    assert phone.page.evaluate("window.shaken") == 30


def test_nothing_is_read_out_twice_when_a_hand_before_is_corrected(open_house, open_phone) -> None:
    """What has happened since gets new numbers by that, and nothing new has happened."""
    house = open_house([*timed(HAND), *timed(dealt_and("JD", "AS", "TS", "KH"), start=60.0)])
    phone = open_phone(at=house, script=SPEECH, choices={"voice": "on"})
    house.see(50.0)
    house.see(90.0)
    phone.shows("#talon", "Karo")
    # what reads out is loaded after the first view
    last = re.compile("Karo Bub aufgeschlagen.*Bert: Herz König")
    until(lambda: last.search(" ".join(phone.page.evaluate("window.spoken"))))
    phone.page.evaluate("window.spoken.length = 0")
    standing = house.table.standing()
    play = next(entry for entry in standing.hands[0].events if isinstance(entry.event, CardPlayed))
    house.table.submit(next(each for each in alternatives(standing, play.seq) if each.fits).edit)
    phone.page.wait_for_timeout(400)
    assert phone.page.evaluate("window.spoken") == []


def test_voice_and_large_type_are_switched_in_the_menu(open_phone) -> None:
    """Each is a choice of this device that stays; large type is larger."""
    phone = open_phone(script=SPEECH)
    size = "parseFloat(getComputedStyle(document.querySelector('#open-menu')).fontSize)"
    normal = phone.page.evaluate(size)
    phone.page.click("#open-menu")
    phone.page.click("#menu-senses")
    phone.page.click("[data-choice=voice-on]")
    phone.page.click("[data-choice=size-large]")
    assert "Ansagen ein" in phone.page.evaluate("window.spoken")
    phone.page.get_by_role("button", name="Fertig").click()
    assert phone.page.evaluate(size) > normal * 1.1
    kept = phone.page.evaluate("JSON.parse(localStorage.getItem('choices'))")
    assert (kept["voice"], kept["size"]) == ("on", "large")


def test_a_whole_match_is_followed_on_four_devices(open_house, open_phone) -> None:
    """South, north, a looker-on and a board: after every hand each shows the same score, then who won."""
    script, start = [], 0.0
    for _ in range(7):
        script += timed(HAND, start + 1.0)
        start = script[-1][0]
    house = open_house(script)
    roles = (Role.SOUTH, Role.NORTH, Role.SPECTATOR, Role.BOARD)
    phones = [open_phone(house, role=role) for role in roles]
    ends = [time for time, event in script if isinstance(event, Claimed)]
    for number, end in enumerate(ends, start=1):
        house.see(end)
        match = house.table.feed.wait("", 0.0).match
        for phone in phones:
            expect(phone.page.locator("#title")).to_have_text(re.compile(f"Spiel {number}$"))
            expect(phone.page.locator("#players .game strong")).to_have_text([str(n) for n in match.points])
        if match.winner is not None:
            break
    for phone in phones:
        phone.shows("#result .match", "gewinnt die Partie")
