"""Hands in a log, and what a device is answered that asks about them: what tests of the routes share."""

from __future__ import annotations

from conftest import Clock
from flask import Flask, g

from companion.history.hands import PlayedHand, hands_of
from companion.live.command import InvalidCommandError, RefusedCommandError
from companion.live.feed import Feed
from companion.live.fold import fold
from companion.live.health import Health, Sight
from companion.live.snapshot import Role
from companion.live.view import snapshot_of
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, MarriageDeclared
from companion.rules.fair_play import TRAINING, FairPlay
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.server.device_book import Device
from companion.server.played import played_routes
from companion.store.item import Item, MatchStarted, SittingOpened
from companion.table.entry import Settled


def play(player: Player, card: str) -> CardPlayed:
    """A card laid."""
    return CardPlayed(player, Card.parse(card))


SOUTH, NORTH = Player
HAND: tuple[Event, ...] = (
    Dealt(SOUTH, Card.parse("JD")),
    Closed(NORTH),
    play(NORTH, "AD"),
    play(SOUTH, "QS"),
    MarriageDeclared(NORTH, Card.parse("KC").suit),
    play(NORTH, "KC"),
    play(SOUTH, "JC"),
    play(NORTH, "AS"),
    play(SOUTH, "JS"),
    Claimed(NORTH),
)
"""North closes, and claims with 20 + 14 + 6 + 13 points, too few."""


class Told:
    """Reviews that remember what they were asked about, and have no analysis yet."""

    def __init__(self) -> None:
        self.records: list[Record] = []

    def analysis(self, record: Record) -> dict:
        """Nothing so far."""
        self.records.append(record)
        return {"decisions": [], "total": 0, "review": None, "failed": False}

    def decisions(self, record: Record) -> None:
        """Nobody has judged anything."""

    def failed(self, record) -> bool:
        """Nothing is broken off."""
        return False


class Log:
    """What a camera has seen, the hands that it makes, and the feed of its table.

    Between the events the feed's clock goes on a second.
    """

    def __init__(self, *events: Event, sure: float = 0.97, fair: FairPlay = TRAINING) -> None:
        self.clock = Clock()
        self.feed = Feed(self.clock)
        self.items: list[Item] = [MatchStarted("", RuleSet(), ("Anna", "Bert"), fair=fair)]
        self.sure = sure
        self.publish()
        for event in events:
            self.see(event)

    def see(self, event: Event) -> None:
        """Settle an event, and publish it."""
        self.clock.now += 1
        self.items.append(Settled(len(self.items), float(len(self.items)), event, self.sure, "camera"))
        self.publish()

    def publish(self) -> None:
        """Show everybody what there is."""
        revision = str(len(self.items))
        self.feed.publish(snapshot_of(fold(self.items), Health(Sight.WATCHING), revision))

    def hands(self) -> tuple[PlayedHand, ...]:
        """The hands of the log."""
        return tuple(hands_of(self.items, [SittingOpened("2026-11-22T20:00:00+01:00", "script", "1")], 1))


class Stills:
    """A picture of every second."""

    def has(self, time: float) -> bool:
        """Always."""
        return True

    def picture(self, time: float) -> bytes:
        """Which names its second."""
        return f"JPEG of {time:.0f}".encode()


def app_of(log: Log, role: Role = Role.TABLE, **more) -> Flask:
    """The routes of played hands for phones with `role`; `more`: `reviews`, `pictures`."""
    app = Flask(__name__)

    @app.before_request
    def paired() -> None:
        g.device = Device("0" * 16, role, False, "", "", "")

    for routes in played_routes(log.feed, log, more.get("reviews", Told()), more.get("pictures")):
        app.register_blueprint(routes)

    @app.errorhandler(InvalidCommandError)
    def invalid(error: InvalidCommandError):
        return {"error": str(error)}, 400

    @app.errorhandler(RefusedCommandError)
    def refused(error: RefusedCommandError):
        return {"error": str(error), "reason": error.reason}, 409

    return app


def asked(log: Log, path: str, role: Role = Role.TABLE, body: object = None, **more):
    """What a phone with `role` is answered under `/api`."""
    client = app_of(log, role, **more).test_client()
    return client.get(f"/api{path}") if body is None else client.post(f"/api{path}", json=body)
