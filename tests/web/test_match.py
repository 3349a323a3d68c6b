"""A whole match on four devices: an open claim, a false one, a correction, an undo, a new hand, the end."""

from __future__ import annotations

import pytest
from browsing import House, Phone, expect, faults
from scripted_table import HAND, PLAYED, dealt_and, newest, random_hand, timed

from companion.live.alternatives import alternatives
from companion.live.command import Correct
from companion.live.snapshot import Role
from companion.rules.cards import Card, Player
from companion.rules.claim import Outcome
from companion.rules.events import CardPlayed, Claimed
from companion.table.entry import Asked

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOUTH, NORTH = Player
OPEN = dealt_and("JH", "AS", "TS", "AC", "TC", "AD", "TD", "KC", "JD")
"""North takes four tricks with 69 points; with another card than the ten of spades it has fewer than 66."""
DOUBT = Asked(0, 8.5, "which_card", 3, (CardPlayed(SOUTH, Card.parse("JS")), OPEN[2]))
SECOND = random_hand(11, NORTH)
AGAIN = tuple(event for event in random_hand(2, SOUTH) if not isinstance(event, Claimed))[:10]
HANDS = 9
"""Hands after those, of which each is claimed; the match is won before."""
WORDS = {
    "de": {
        "wins": "gewinnt",
        "open": "Offen",
        "false": "Falsch",
        "won": "gewinnt die Partie",
        "undone": "Zurückg",
    },
    "en": {"wins": "wins", "open": "Open", "false": "Wrong", "won": "wins the match", "undone": "Taken back"},
}


def script() -> list:
    """All that the camera sees, each hand a hundred seconds after the last."""
    told = [*timed(OPEN), (8.5, DOUBT), *timed(SECOND, 101.0), *timed(AGAIN, 201.0)]
    for hand in range(HANDS):
        told += timed(PLAYED, 301.0 + 100 * hand)
    return sorted(told, key=lambda each: each[0])


class Round:
    """Four devices around one table.

    Attributes:
        south, north, spectator, board: The devices.
    """

    def __init__(self, house: House, open_phone, **more) -> None:
        self.house = house
        self.south, self.north, self.spectator = (
            open_phone(house, role=role, **more) for role in (Role.SOUTH, Role.NORTH, Role.SPECTATOR)
        )
        self.board = open_phone(
            house, role=Role.BOARD, **{**more, "viewport": {"width": 1280, "height": 720}}
        )

    @property
    def devices(self) -> tuple[Phone, ...]:
        """All of them."""
        return self.south, self.north, self.spectator, self.board

    def of(self, player: Player) -> Phone:
        """A player's phone."""
        return (self.south, self.north)[player]

    def all_show(self, selector: str, text: str) -> None:
        """Wait until every device shows `text`."""
        for device in self.devices:
            device.shows(selector, text)

    def agree(self) -> None:
        """Wait until every device shows the points of both players as the table has them."""
        points = [str(number) for number in newest(self.house.table).match.points]
        for device in self.devices:
            expect(device.page.locator("#players .game strong")).to_have_text(points)

    def claim(self, player: Player) -> None:
        """Claim on a player's own phone; the other one's has no such button to press."""
        expect(self.of(player.other).page.locator("#claim")).to_be_disabled()
        self.of(player).page.click("#claim:enabled")
        self.of(player).page.click("#claim-yes")

    def sound(self) -> None:
        """Nothing is too small, too pale or too wide on a phone, and it is played on a small one."""
        for device in (self.south, self.spectator):
            for width in (768, 390, 375, 320):
                device.resized(width, 844)
                assert faults(device.page, str(width)) == []


@pytest.mark.parametrize(("theme", "language"), [("dark", "de"), ("light", "en")])
def test_a_match_from_the_first_claim_to_the_bummerl(
    open_house, open_phone, theme: str, language: str
) -> None:
    """Each claim is made on the claimant's phone; after each step all devices show what the table has."""
    house, words = open_house(script()), WORDS[language]
    table = Round(house, open_phone, choices={"language": language, "theme": theme})
    open_claim(table, words)
    false_claim(table, words)
    correction_undo_and_new_hand(table, words)
    for hand in range(HANDS):
        house.see(301.0 + 100 * hand + len(PLAYED))
        table.claim(HAND[-1].player)
        table.all_show("#result h2", words["wins"])
        assert newest(house.table).hand.verdict.verdict.outcome is Outcome.PROVEN
        table.agree()
        if newest(house.table).match.winner is not None:
            break
    table.all_show("#result .match", words["won"])
    table.sound()
    match = newest(house.table).match
    for device in table.devices:
        lost = device.page.locator("#players article").nth(int(match.winner.other))
        assert lost.locator(".marks i").count() == match.marks[match.winner.other] == 1


def open_claim(table: Round, words: dict[str, str]) -> None:
    """A claim over a card in doubt pays nothing until the question is answered, on the other phone."""
    table.house.see(50.0)
    table.claim(NORTH)
    table.all_show("#result .verdict strong", words["open"])
    assert newest(table.house.table).hand.award is None
    table.sound()
    table.south.page.locator("#questions .options button").nth(1).click()
    table.all_show("#result h2", words["wins"])
    assert newest(table.house.table).hand.award.winner is NORTH
    table.agree()


def false_claim(table: Round, words: dict[str, str]) -> None:
    """A claim with too few points pays the other player."""
    for place in range(len(SECOND)):
        table.house.see(101.0 + place)
        sides = newest(table.house.table).hand.sides
        early = next(
            (who for who in Player if "claim" in sides[who].may and sides[who].total.high < 66), None
        )
        if early is not None:
            break
    table.claim(early)
    table.all_show("#result .verdict strong", words["false"])
    assert newest(table.house.table).hand.award.winner is early.other
    table.agree()
    table.sound()


def correction_undo_and_new_hand(table: Round, words: dict[str, str]) -> None:
    """A card two tricks ago is named anew, the last event taken back, and the hand given up for a new one."""
    house, page = table.house, table.south.page
    house.see(250.0)
    events = house.table.standing().hand.events
    old = [entry for entry in events if isinstance(entry.event, CardPlayed)][-5]
    place = [entry.seq for entry in events].index(old.seq)
    mended = next(
        each.event
        for each in alternatives(house.table.standing(), old.seq)
        if each.fits and isinstance(each.edit, Correct) and each.event.card is not None
    )
    for device in table.devices[:3]:
        device.tells(len(events))
    page.locator("#story li button").nth(place).click()
    page.click(f".pack [data-card={mended.card}]")
    page.click("#correct-yes:enabled")
    for device in table.devices[:3]:
        device.page.locator("#story li").nth(place).locator("em").wait_for()
    assert house.table.standing().hand.events[place].event == mended
    table.north.page.click("#undo")
    table.north.shows("#toast", words["undone"])
    for device in table.devices[:3]:
        device.tells(len(events) - 1)
    page.click("#open-menu")
    page.click("#menu-new-hand")
    page.locator("#sheet button").first.click()
    for device in table.devices:
        expect(device.page.locator("#talon .waiting")).to_be_visible()
    table.agree()
