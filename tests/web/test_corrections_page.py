"""Correcting the record on a phone: three touches for any event, the last after what it comes to is shown."""

from __future__ import annotations

import json
import re

import pytest
from browsing import House, Phone, expect, faults, row
from paired import ORIGIN, pair
from scripted_table import HAND, hand_with, newest, random_hand, timed, view_at

from companion.live.alternatives import alternatives
from companion.live.command import Correct, NewMatch, Undo
from companion.live.snapshot import Role
from companion.rules.cards import Card, Player
from companion.rules.event_form import event_to_json
from companion.rules.events import CardPlayed, Claimed, GivenUp, MarriageDeclared
from companion.rules.fair_play import FairPlay
from companion.rules.scoring import count
from companion.server import create_app

pytestmark = pytest.mark.browser

SECOND = tuple(event for event in random_hand(3, Player.NORTH) if not isinstance(event, Claimed))[:8]
SCRIPT = [*timed(HAND), *timed(SECOND, start=60.0)]
GROUND = "node => getComputedStyle(node).backgroundColor"


@pytest.fixture
def house(open_house) -> House:
    """A table in the middle of its second hand."""
    opened = open_house(SCRIPT)
    opened.see(100.0)
    return opened


@pytest.fixture
def open_phone(open_phone):
    """Opens phones that have read the record."""

    def open_(at: House | None = None, **more) -> Phone:
        opened = open_phone(at, **more)
        opened.page.wait_for_selector(".strip button")
        return opened

    return open_


def paying_otherwise(house: House) -> Correct:
    """A play of the first hand, named anew so that the hand pays another number of game points."""
    standing = house.table.standing()
    for entry in standing.hands[0].events:
        for each in alternatives(standing, entry.seq) if isinstance(entry.event, CardPlayed) else ():
            if each.fits and isinstance(each.edit, Correct) and each.event.card is not None:
                award = house.table.propose(each.edit).after.hands[0].state.award
                if award is not None and award.game_points != standing.hands[0].state.award.game_points:
                    return each.edit
    raise LookupError("whatever is played, the hand pays the same")


@pytest.mark.parametrize(("language", "width"), [("de", 390), ("en", 320)])
def test_a_play_two_tricks_ago_takes_three_touches(
    open_phone, house: House, language: str, width: int
) -> None:
    """Event, card, yes: before the yes the counts are shown as they will be, and nothing has changed."""
    phone = open_phone(choices={"language": language}, viewport={"width": width, "height": 844})
    plays = [entry for entry in house.table.standing().hand.events if isinstance(entry.event, CardPlayed)]
    old = plays[-5]
    place = house.table.standing().hand.events.index(old)
    ace = next(
        each
        for each in alternatives(house.table.standing(), old.seq)
        if each.fits and isinstance(each.edit, Correct) and each.event.card is not None
    )
    proposal = house.table.propose(ace.edit)
    phone.touch("#story li button", place)
    phone.page.wait_for_selector("[data-card]")
    card = str(ace.event.card)
    shown = phone.page.locator(f".pack [data-card={card}]")
    if not shown.is_visible():
        pytest.fail("the card is not on the sheet")
    phone.touch(f".pack [data-card={card}]")
    phone.page.wait_for_selector("#correct-yes:enabled")
    assert house.table.standing().corrections == ()
    for player in Player:
        told = row(phone, "total", int(player))
        before, after = (s.hand.state for s in (proposal.before, proposal.after))
        if before != after and told:
            assert told[1] == str(house_total(proposal.after, player))
    phone.touch("#correct-yes")
    phone.page.wait_for_selector("#changes li", state="attached")
    assert phone.touches == 3
    assert house.table.standing().hand.events[place].event == ace.event
    assert house.table.standing().match == proposal.after.match
    assert phone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def house_total(standing, player: Player) -> str:
    """A player's count, as the page prints it."""
    total = count(standing.hand.state, player).total
    return str(total.low) if total.exact else f"{total.low}\u2060–\u2060{total.high}"


def test_a_play_of_an_earlier_hand_changes_the_match_after_it_was_shown(phone: Phone, house: House) -> None:
    """Its card is on the page in the strip of its hand; the preview says what the match will be."""
    edit = paying_otherwise(house)
    before = house.table.standing()
    after = house.table.propose(edit).after
    phone.touch(f".strip [data-seq='{edit.seq}']")
    phone.touch(f".pack [data-card={edit.event.card}]")
    phone.page.wait_for_selector("#correct-yes:enabled")
    changed = [p for p in Player if before.match.shown_points[p] != after.match.shown_points[p]]
    assert changed
    for player in changed:
        assert row(phone, "points", int(player)) == [
            str(before.match.shown_points[player]),
            str(after.match.shown_points[player]),
        ]
    assert "→" in phone.page.evaluate(
        "getComputedStyle(document.querySelector('.rows .then'), '::before').content"
    )
    assert house.table.standing().match == before.match
    phone.touch("#correct-yes")
    phone.page.locator("#toast").filter(has_text="Berichtigt").wait_for()
    assert phone.touches == 3
    assert house.table.standing().match == after.match
    shown = phone.page.locator("#players .game strong")
    for player in Player:
        points = str(after.match.shown_points[player])
        shown.nth(int(player)).filter(has_text=re.compile(f"^{points}$")).wait_for()


def test_who_changed_what_is_listed(phone: Phone, house: House) -> None:
    """The list of corrections says what stood before and what stands now, and who said so."""
    edit = paying_otherwise(house)
    house.table.submit(edit, source="phone:north")
    phone.page.locator("#changes summary").filter(has_text="1 Berichtigung").click()
    said = phone.page.locator("#changes li").inner_text()
    assert "Bert" in said.split("\n")[0]
    assert phone.page.locator("#changes s").inner_text() != phone.page.locator("#changes strong").inner_text()
    phone.page.wait_for_selector(".strip .mended")


def test_what_was_missed_is_put_in_before_an_event(phone: Phone, house: House) -> None:
    """From an event to what is missing before it: only what fits is offered, and it lands there."""
    marriage = next(
        e for e in house.table.standing().hands[0].events if isinstance(e.event, MarriageDeclared)
    )
    house.table.submit(Correct(marriage.seq, None))
    lead = next(
        entry
        for entry in house.table.standing().hands[0].events
        if isinstance(entry.event, CardPlayed) and entry.event.card.suit is marriage.event.suit
    )
    phone.page.locator(f".strip [data-seq='{lead.seq}']").click()
    phone.page.click("#missed-before")
    wanted = event_to_json(marriage.event)
    phone.page.locator(".options button").first.wait_for()
    options = phone.page.locator(".options button")
    place = next(
        at
        for at in range(options.count())
        if json.loads(options.nth(at).get_attribute("data-event")) == wanted
    )
    options.nth(place).click()
    phone.page.click("#correct-yes:enabled")
    phone.page.locator("#toast").filter(has_text="Berichtigt").wait_for()
    assert [entry.event for entry in house.table.standing().hands[0].events] == list(HAND)


@pytest.mark.parametrize(("language", "width"), [("de", 320), ("en", 390)])
def test_a_trick_that_was_missed_is_put_in_and_taken_out_again(
    open_phone, house: House, language: str, width: int
) -> None:
    """One touch for the whole trick, a question for each of its cards; and one to say that there was none."""
    phone = open_phone(choices={"language": language}, viewport={"width": width, "height": 844})
    hand = house.table.standing().hand
    lead = [entry for entry in hand.events if isinstance(entry.event, CardPlayed)][2]
    before = hand.events[hand.events.index(lead) - 1]
    house.keep_picture(before.time, {before.event.card: -0.1})
    phone.touch("#story li button", hand.events.index(lead))
    phone.touch("#missed-before")
    phone.touch("[data-edit=insert_trick]")
    phone.page.wait_for_selector("#correct-yes:enabled")
    assert phone.page.locator(".change").count() == 2
    assert phone.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    phone.touch("#correct-yes")
    phone.page.locator(".question-card").wait_for()
    now = [entry.event for entry in house.table.standing().hand.events]
    assert len(now) == len(hand.events) + 2
    assert len(house.table.standing().questions) == 2
    phone.touch("#story li button", now.index(CardPlayed(lead.event.player, None)))
    phone.page.wait_for_selector("#correct-trick-gone")
    assert phone.page.locator(".still").count() == 0  # that of the play before it shows another card
    phone.touch("#correct-trick-gone")
    phone.page.wait_for_selector("#correct-yes:enabled")
    phone.touch("#correct-yes")
    phone.page.locator("#toast").filter(has_text=re.compile("Gestrichen|Removed")).wait_for()
    assert [e.event for e in house.table.standing().hand.events] == [e.event for e in hand.events]
    assert not house.table.standing().questions


def test_a_hand_before_that_has_no_end_any_more_can_still_be_put_right(phone: Phone, house: House) -> None:
    """Its claim never happened: it stays in its place, undecided, and the claim can be put in again."""
    claim = house.table.standing().hands[0].events[-1]
    phone.page.locator(f".strip [data-seq='{claim.seq}']").click()
    phone.page.click("#correct-gone")
    phone.page.click("#correct-yes:enabled")
    phone.shows("#hands li", "Noch nicht entschieden")
    expect(phone.page.locator("#hands li")).to_have_count(1)
    expect(phone.page.locator(".strip button")).to_have_count(len(HAND) - 1)

    phone.page.locator(".strip button").last.click()
    phone.page.click("#missed-after")
    wanted = json.dumps(event_to_json(claim.event), separators=(",", ":"))
    phone.page.locator(f".options [data-event='{wanted}']").click()
    phone.page.click("#correct-yes:enabled")
    phone.shows("#hands li", "gewinnt")
    assert [entry.event for entry in house.table.standing().hands[0].events] == list(HAND)


def test_the_second_of_two_phones_is_told(phone: Phone, house: House) -> None:
    """With a change ready to be confirmed, the phone hears that another has just corrected that event.

    The button that would confirm it can be pressed no more, and looks so.
    """
    edit = paying_otherwise(house)
    phone.page.locator(f".strip [data-seq='{edit.seq}']").click()
    phone.page.locator(f".pack [data-card={edit.event.card}]").click()
    phone.page.wait_for_selector("#correct-yes:enabled")
    ready = phone.page.locator("#correct-yes").evaluate(GROUND)
    other = next(
        each for each in alternatives(house.table.standing(), edit.seq) if each.fits and each.edit != edit
    )
    house.table.submit(other.edit, source="phone:south")
    phone.page.locator("#sheet [role=alert]").filter(has_text="anderes Gerät").wait_for()
    assert phone.page.locator("#correct-yes").is_disabled()
    assert phone.page.locator("#correct-yes").evaluate(GROUND) != ready
    assert all(each.told.now != edit.event for each in house.table.standing().corrections)


def test_a_preview_follows_the_game_that_goes_on(phone: Phone, house: House) -> None:
    """While a change waits for its yes the game moves: what it comes to is worked out anew."""
    edit = paying_otherwise(house)
    phone.page.locator(f".strip [data-seq='{edit.seq}']").click()
    phone.page.locator(f".pack [data-card={edit.event.card}]").click()
    phone.page.wait_for_selector("#correct-yes:enabled")
    with phone.page.expect_response(re.compile("/api/corrections/preview")) as asked:
        house.table.submit(Undo(newest(house.table).last.seq))
    assert asked.value.ok
    phone.page.wait_for_selector("#correct-yes:enabled")
    phone.page.click("#correct-yes")
    phone.page.locator("#toast").filter(has_text="Berichtigt").wait_for()


def test_the_picture_of_an_event_is_shown(phone: Phone, house: House) -> None:
    """Where a still was kept, the sheet shows it, and what the card looked like comes first."""
    plays = [e for e in house.table.standing().hands[0].events if isinstance(e.event, CardPlayed)]
    entry = plays[3]
    by_faces = [
        each.event.card
        for each in alternatives(house.table.standing(), entry.seq)
        if each.fits and isinstance(each.edit, Correct) and not each.turned and not each.breaches
    ]
    second = [card for card in by_faces if card is not None][-1]
    assert second != by_faces[0]
    house.keep_picture(entry.time, {entry.event.card: -0.3, second: -1.4})
    phone.page.locator(f".strip [data-seq='{entry.seq}']").click()
    width = phone.page.locator(".still").evaluate("image => image.decode().then(() => image.naturalWidth)")
    assert width == 60
    likely = phone.page.locator(".options button").first.get_attribute("data-event")
    assert Card.parse(json.loads(likely)["card"]) == second


@pytest.mark.parametrize("role", [Role.SOUTH, Role.TABLE, Role.SPECTATOR, Role.BOARD])
def test_a_tournament_shows_no_card_of_a_running_hand_to_players(open_table, pairing, role: Role) -> None:
    """Neither the record nor alternatives nor previews tell a player anything of the hand that is played."""
    table = open_table([*timed(HAND), *timed(SECOND, start=60.0)])
    table.submit(NewMatch(fair=FairPlay("tournament")))
    table.see(view_at(100.0))
    first, second = table.standing().hands
    client = pair(create_app(table, pairing).test_client(), pairing, role)
    index = client.get("/api/corrections")
    if not role.presses:
        assert index.status_code == 403
        return
    shown = {told["seq"] for hand in index.json["hands"] for told in hand["events"]}
    assert shown == {entry.seq for entry in first.events}  # its end has shown all of it
    for entry in second.events:
        for what in ("", "/missed", "/picture"):
            assert client.get(f"/api/corrections/{entry.seq}{what}").status_code == 403
        preview = client.post(
            "/api/corrections/preview",
            json={"type": "correct", "seq": entry.seq, "event": None},
            headers=ORIGIN,
        )
        if entry.seq in {laid.seq for laid in newest(table).hand.trick}:
            assert (preview.status_code, preview.json["rows"]) == (200, None)  # it lies there for all to see
        else:
            assert (preview.status_code, preview.json["reason"]) == (409, "not_yours")


@pytest.mark.parametrize(("language", "width", "theme"), [("de", 320, "light"), ("en", 390, "dark")])
def test_everything_can_be_read_and_touched(
    open_phone, house: House, language: str, width: int, theme: str
) -> None:
    """Strips, sheet, what is missing, preview and list: 44 px, contrast 4.5, nothing wider than the phone."""
    size = {"width": width, "height": 844}
    page = open_phone(choices={"language": language}, viewport=size, color_scheme=theme).page

    def sound() -> None:
        page.wait_for_timeout(60)
        assert faults(page) == []

    edit = paying_otherwise(house)
    house.table.submit(edit)
    page.locator("#changes summary").click()
    sound()
    page.locator("#story li button").nth(3).click()
    page.wait_for_selector("[data-card]")
    sound()
    page.locator("#missed-after").click()
    page.locator(".options button").first.wait_for()
    sound()
    page.locator(".options button").first.click()
    page.wait_for_selector("#correct-yes:enabled")
    sound()


def test_a_hand_of_the_match_before_can_be_corrected_after_it_was_won(open_house, open_phone) -> None:
    """The next match has begun: the hands before are still there, and with one its win is taken back."""
    hands = [hand_with(Claimed, dealer=dealer) for dealer in (Player.SOUTH, Player.NORTH) * 4]
    start, script = 1.0, []
    for hand in hands:
        script += timed(hand, start=start)
        start += 40.0
    house = open_house(script)
    house.see(start)
    phone = open_phone(house)
    before = house.table.standing()
    assert before.first_hand > 0
    last = before.hands[before.first_hand - 1].events[-1]
    phone.page.locator("#earlier summary").click()
    phone.page.locator(f"#earlier [data-seq='{last.seq}']").click()
    gone = json.dumps({"type": "given_up"}, separators=(",", ":"))
    phone.page.locator(f".likely [data-event='{gone}']").click()
    phone.page.wait_for_selector("#correct-yes:enabled")
    after = house.table.propose(Correct(last.seq, GivenUp())).after
    assert after.first_hand == before.first_hand + 1  # the match went on for another hand
    changed = [p for p in Player if before.match.shown_points[p] != after.match.shown_points[p]]
    for player in changed:
        assert row(phone, "points", int(player)) == [
            str(standing.match.shown_points[player]) for standing in (before, after)
        ]
    assert changed
    phone.page.click("#correct-yes")
    phone.page.locator("#toast").filter(has_text="Berichtigt").wait_for()
    assert house.table.standing().match == after.match


def test_a_mistyped_name_is_corrected_in_the_middle_of_a_hand(open_phone, house: House) -> None:
    """By that player on the own phone; every phone shows it, and who changed it stands among the changes."""
    south, north = open_phone(role=Role.SOUTH), open_phone(role=Role.NORTH)
    played = north.page.locator("#story li").count()
    south.page.click("#open-menu")
    south.page.click("#menu-names")
    expect(south.page.locator("#sheet input")).to_have_count(1)
    south.page.fill("#rename-0", "Annika")
    south.page.click("#names-keep")
    for phone in (south, north):
        phone.shows("#players article h2", "Annika")
        phone.shows("#story li", "Annika")
        phone.page.locator("#changes summary").click()
        phone.shows("#changes li", "Anna → Annika")
    north.tells(played)
    table = open_phone()
    table.page.click("#open-menu")
    table.page.click("#menu-names")
    table.page.fill("#rename-0", "")
    table.page.fill("#rename-1", "Bertram")
    table.page.click("#names-keep")
    expect(table.page.locator("#sheet")).to_be_hidden()
    for phone in (south, north, table):
        expect(phone.page.locator("#players article h2")).to_have_text(["Süd", "Bertram"])
