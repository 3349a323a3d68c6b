"""Screens beside the phone: what board and overlay say of a hand, of its end, and when they are behind."""

from __future__ import annotations

import pytest
from browsing import House, Phone, expect
from scripted_table import HAND, PLAYED, dealt_and, timed

from companion.live.command import NewMatch, parse_command
from companion.live.health import Sight
from companion.live.snapshot import Role
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, MarriageDeclared
from companion.rules.fair_play import FairPlay
from companion.rules.ruleset import preset
from companion.table.entry import Asked

pytestmark = pytest.mark.browser

LONG = ("Wolfgangmaximilianoettli", "Großmutterkreszentiahube")
SIZES = ((1280, 720), (1920, 1080), (1080, 1920))


def screens(open_phone, house: House) -> tuple[Phone, Phone]:
    """A board and an overlay at `house`."""
    board = open_phone(house, role=Role.BOARD, viewport={"width": 1280, "height": 720})
    overlay = open_phone(house, link=house.link(Role.BOARD, to="overlay"), ready="#south h2")
    return board, overlay


@pytest.fixture
def won(open_house) -> House:
    """A table at which two with long names have just ended a match, in a series."""
    house = open_house([each for n in range(9) for each in timed(HAND, start=1.0 + n * len(HAND))])
    house.table.submit(NewMatch(names=LONG, rules=preset("schnapsen+best_of_3")))
    for n in range(9 * len(HAND)):
        house.see(n + 1.0)
        if house.table.standing().match.winner is not None:
            break
    house.table.report(Sight.ENDED)  # so that no picture is missed meanwhile
    return house


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("blind", [False, True])
def test_all_of_how_a_match_ended_stands_on_the_wall(
    open_phone, won: House, size: tuple, blind: bool
) -> None:
    """Nobody scrolls there: who has won, what it pays and why, how the series stands, both counts."""
    board = open_phone(won, role=Role.BOARD, viewport={"width": size[0], "height": size[1]})
    board.shows("#result .match", "gewinnt die Partie")
    if blind:
        won.table.report(Sight.LOST)
        board.shows("#banner", "sieht den Tisch nicht")
    assert board.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for seen in ("#result .verdict", "#series .standing", "#players .total >> nth=1"):
        expect(board.page.locator(seen)).to_be_in_viewport(ratio=1)


def test_the_overlay_tells_that_the_match_is_won(open_phone, won: House) -> None:
    """Not only what its last hand pays."""
    _, overlay = screens(open_phone, won)
    winner = LONG[won.table.standing().match.winner]
    expect(overlay.page.locator(".award")).to_have_text(f"{winner} gewinnt die Partie!")


def test_a_screen_that_was_sent_away_shows_nothing_more(open_phone, house: House) -> None:
    """Neither cards nor counts: the board says that it is to be paired again, the overlay is gone."""
    board, overlay = screens(open_phone, house)
    house.see(6.0)
    for each in house.pairing.book.devices():
        house.pairing.book.remove(each.number)
    board.shows("#banner", "nicht mehr gekoppelt")
    expect(board.page.locator("main")).to_be_hidden()
    expect(overlay.page.locator("#strip")).to_be_hidden()


def test_screens_say_that_they_are_behind_and_come_back_by_themselves(open_phone, house: House) -> None:
    """While the server is started anew, and while its camera is blind."""
    board, overlay = screens(open_phone, house)
    house.see(6.0)
    house.table.report(Sight.LOST)
    board.shows("#banner", "sieht den Tisch nicht")
    expect(overlay.page.locator(".trouble")).to_have_text("Kamera blind")
    house.close()
    board.shows("#banner", "Keine Verbindung")
    expect(overlay.page.locator(".trouble")).to_have_text("getrennt")
    house.open()
    house.see(7.0)
    house.table.report(Sight.ENDED)  # so that no picture is missed meanwhile
    expect(overlay.page.locator(".trouble")).to_be_empty()
    expect(board.page.locator("#banner")).to_be_hidden()
    for each in (board, overlay):
        each.complaints.clear()  # a console tells that the line was cut


def test_where_little_is_shown_no_empty_fields_stand_on_the_wall(open_phone, house: House) -> None:
    """In a tournament the players' fields are no higher than what is in them."""
    house.table.submit(NewMatch(fair=FairPlay("tournament")))
    house.see(3.0)
    board, _ = screens(open_phone, house)
    board.page.wait_for_selector("#players .turn")
    assert board.page.locator("#players article").first.bounding_box()["height"] < 300


def test_screens_tell_who_has_closed(open_phone, open_house) -> None:
    """In words, also on the strip."""
    house = open_house(timed(dealt_and("JH", "AS", "TS", close=True)))
    house.see(9.0)
    board, overlay = screens(open_phone, house)
    expect(board.page.locator(".close-note strong")).to_have_text("Bert hat zugedreht.")
    expect(overlay.page.locator("#middle")).to_contain_text("Bert hat zugedreht.")


def test_screens_tell_a_marriage_and_that_a_question_is_open(open_phone, open_house) -> None:
    """Nobody hears the word in a hall, and whoever looks on is asked nothing."""
    place = next(n for n, event in enumerate(PLAYED) if isinstance(event, CardPlayed))
    assert isinstance(PLAYED[place - 1], MarriageDeclared)
    options = tuple(CardPlayed(Player.NORTH, Card.parse(name)) for name in ("KH", "KS"))
    house = open_house(
        [*timed(PLAYED[: place + 1]), (place + 2.0, Asked(0, place + 2.0, "which_card", place + 1, options))]
    )
    found = screens(open_phone, house)
    house.see(place + 1.0)
    for each in found:
        expect(each.page.locator("#aside, .aside")).to_have_text("Bert sagt Herz an")
    house.see(place + 2.0)
    for each in found:
        expect(each.page.locator("#aside, .aside")).to_have_text("Bert sagt Herz an · Frage offen")


def test_a_recount_has_the_whole_wall(open_phone, open_house) -> None:
    """Its cards are laid out across the board, and nothing of them is below its edge."""
    house = open_house(timed(HAND))
    house.see(len(HAND) + 1.0)
    board, _ = screens(open_phone, house)
    house.table.submit(parse_command({"type": "recount", "player": 0}))
    board.shows("#result .recount", "Anna zählt nach")
    assert board.page.locator("#result").bounding_box()["width"] > 1200
    expect(board.page.locator("#result .sum")).to_be_in_viewport(ratio=1)
