"""The routes of the review: hands that have ended and no others, story at once, analysis as it comes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from conftest import Clock
from flask import Flask, g
from scripted_table import timed, view_at

from companion.history.archive import Archive
from companion.history.hands import PlayedHand, hands_of
from companion.live.command import NewMatch
from companion.live.feed import Feed
from companion.live.fold import fold
from companion.live.health import Health, Sight
from companion.live.snapshot import Role
from companion.live.view import snapshot_of
from companion.review.report import report
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, GivenUp, MarriageDeclared
from companion.rules.fair_play import TRAINING, FairPlay
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.server.device_book import Device
from companion.server.played import played_routes
from companion.server.reviewer import Reviewer
from companion.store.item import Answered, Corrected, Item, MatchStarted, SittingOpened
from companion.table.entry import Asked, Retracted, Settled


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


def asked(log: Log, path: str = "", role: Role = Role.TABLE, reviews: object = None, pictures: object = None):
    """What a phone with `role` is answered."""
    app = Flask(__name__)

    @app.before_request
    def paired() -> None:
        g.device = Device("0" * 16, role, False, "", "", "")

    for routes in played_routes(log.feed, log, reviews or Told(), pictures):
        app.register_blueprint(routes)
    return app.test_client().get(f"/api/reviews{path}")


def test_a_hand_that_has_ended_is_told_at_once() -> None:
    """The story, what the rules show, and an analysis that has hardly begun."""
    reviews = Told()

    found = asked(Log(*HAND), "/1/1", reviews=reviews).json

    assert [step["counts"][1]["total"] for step in found["story"]["steps"]][-1] == 53
    assert [each["kind"] for each in found["story"]["found"]] == ["claim_early"]
    assert found["names"] == ["Anna", "Bert"]
    assert found["review"] is None
    assert [record.events for record in reviews.records] == [HAND[1:]]


def test_a_hand_that_goes_on_is_kept_to_the_table() -> None:
    """Neither listed nor told, and not looked at either."""
    reviews = Told()
    log = Log(*HAND[:-1])

    answer = asked(log, "/1/1", reviews=reviews)

    assert answer.status_code == 403
    assert asked(log).json["hands"] == []
    assert not reviews.records


def test_what_was_given_up_could_be_taken_up_again() -> None:
    """Until the next hand is dealt it is kept back; giving up is no way to a look at the cards."""
    given_up = (*HAND[:-1], GivenUp())

    assert asked(Log(*given_up), "/1/1").status_code == 403
    dealt = Log(*given_up, Dealt(SOUTH, Card.parse("QH")))
    assert asked(dealt, "/1/1").status_code == 200
    assert asked(dealt, "/1/2").status_code == 403


def test_a_hand_played_out_may_still_be_claimed_where_counts_are_secret() -> None:
    """At a training table it is open at once; else with the next deal."""
    secret = FairPlay("tournament")
    played_out = (*HAND[:-1], play(NORTH, "TD"), play(SOUTH, "KD"), play(NORTH, "TC"), play(SOUTH, "AC"))

    assert asked(Log(*played_out), "/1/1").status_code == 200
    assert asked(Log(*played_out, fair=secret), "/1/1").status_code == 403
    dealt = Log(*played_out, Dealt(NORTH, Card.parse("QH")), fair=secret)
    assert asked(dealt, "/1/1").status_code == 200


def test_lookers_on_wait_for_the_next_deal() -> None:
    """They may see the match later than it is played."""
    assert asked(Log(*HAND), "/1/1", Role.SPECTATOR).status_code == 403
    dealt = Log(*HAND, Dealt(NORTH, Card.parse("QH")))
    assert asked(dealt, "/1/1", Role.SPECTATOR).status_code == 200
    assert [each["hand"] for each in asked(dealt, "", Role.BOARD).json["hands"]] == [1]


def test_a_hand_that_never_was_is_not_found() -> None:
    """404, for any number."""
    assert asked(Log(*HAND), "/1/2").status_code == 404
    assert asked(Log(*HAND), "/7/1").status_code == 404


BROADCAST = {
    "tricks": FairPlay("broadcast", 2, "tricks"),
    "seconds": FairPlay("broadcast", 30, "seconds"),
}


@pytest.mark.parametrize("unit", BROADCAST)
def test_lookers_on_of_a_broadcast_wait_until_they_see_the_next_deal(unit: str) -> None:
    """The review tells nothing before the delayed table does: no hand, no result, no picture."""
    log = Log(fair=BROADCAST[unit])
    told = []
    for event in (*HAND, *HAND):
        log.see(event)
        shown = log.feed.wait("", 0.0, late=True)
        told.append(len(asked(log, "", Role.SPECTATOR).json["hands"]))
        next_is_shown = shown.hand is not None and shown.hand.events[0].seq > len(HAND)
        assert told[-1] == next_is_shown
        for path in ("/1", "/1/1", "/1/pictures/6000"):
            answer = asked(log, path, Role.SPECTATOR, pictures=Stills())
            assert (answer.status_code == 200) is next_is_shown
        assert asked(log, "/1/1").status_code == (200 if len(told) >= len(HAND) else 403)
    if unit == "seconds":
        assert told == [0] * len(told)
        log.clock.now += 30
        assert len(asked(log, "", Role.SPECTATOR).json["hands"]) == 1
    else:
        assert told[-1] == 1


def test_after_a_restart_lookers_on_of_a_broadcast_see_no_hand_at_first() -> None:
    """Nobody knows what they have been shown."""
    log = Log(*HAND, fair=BROADCAST["tricks"])
    log.feed = Feed(log.clock)
    for event in HAND[:4]:
        log.see(event)

    assert asked(log, "", Role.SPECTATOR).json["hands"] == []
    assert [each["number"] for each in asked(log).json["hands"]] == [1]


def test_each_event_has_its_picture_while_the_hand_is_open() -> None:
    """Named by its time; another time, another hand, or one that goes on gives none."""
    log = Log(*HAND)
    found = asked(log, "/1", pictures=Stills()).json

    assert found["deal"]["picture"] == 1000
    assert [note["picture"] for note in found["notes"]] == [1000 * second for second in range(2, 11)]
    assert asked(log, "/1/pictures/3000", pictures=Stills()).data == b"JPEG of 3"
    assert asked(log, "/1/pictures/3500", pictures=Stills()).status_code == 404
    assert asked(log, "/1/pictures/3000").status_code == 404
    running = Log(*HAND[:-1])
    assert asked(running, "/1/pictures/3000", pictures=Stills()).status_code == 403


def test_what_was_corrected_is_shown_as_corrected() -> None:
    """With what stood there, and who changed it; what was taken out is told as well."""
    log = Log(*HAND[:6], play(NORTH, "AH"), *HAND[6:])
    wrong, after = log.items[6], log.items[7:]
    assert wrong.event == HAND[5]
    log.items += [Retracted(90 + n, 12.0, each.seq, "phone:south") for n, each in enumerate(after)]
    again = [Settled(100 + n, each.time, each.event, 1.0, each.source) for n, each in enumerate(after[1:])]
    log.items += again
    removed = Corrected("at", 12.0, "phone:south", 90, 110, after[0].seq, None, after[0].event, None)
    log.items.insert(-len(after) - len(again), removed)
    log.publish()

    found = asked(log, "/1").json

    assert found["removed"] == [
        {"by": "phone:south", "at": "at", "was": {"type": "play", "player": 1, "card": "AH"}}
    ]
    assert [note.get("corrected") for note in found["notes"]] == [None] * len(found["notes"])


def test_a_question_is_told_with_how_it_was_settled() -> None:
    """Answered by a phone, and the card corrected by it; or seen later by the camera itself."""
    log = Log(*HAND[:3])
    doubted, instead = play(SOUTH, "QD"), HAND[3]
    log.items += [
        Settled(4, 4.0, doubted, 0.5),
        Asked(5, 4.0, "which_card", 4, (doubted, instead)),
        Answered(5.0, 5, 1, "phone:north"),
        Corrected("at", 5.0, "phone:north", 6, 7, 4, 7, doubted, instead, answers=5),
        Retracted(6, 5.0, 4, "phone:north"),
        Settled(7, 4.0, instead, 1.0, "phone:north"),
        Asked(8, 5.5, "what_happened", None, (HAND[4],)),
        *(Settled(9 + n, 6.0 + n, event, 0.97) for n, event in enumerate(HAND[4:])),
    ]
    log.publish()

    notes = asked(log, "/1").json["notes"]

    played = {"type": "play", "player": 0}
    assert notes[2] == {
        "source": "phone:north",
        "corrected": {"by": "phone:north", "at": "at", "was": {**played, "card": "QD"}},
        "questions": [
            {
                "text": "which_card",
                "settled": "answered",
                "by": "phone:north",
                "options": [{**played, "card": "QD"}, {**played, "card": "QS"}],
                "answer": {**played, "card": "QS"},
            }
        ],
    }
    assert [each["settled"] for each in notes[3]["questions"]] == ["seen"]


def test_doubtful_readings_are_marked() -> None:
    """A card read with little confidence, and nothing else."""
    found = asked(Log(*HAND, sure=0.6), "/1/1").json

    assert found["notes"][0] == {"source": "camera", "confidence": 0.6}
    assert asked(Log(*HAND), "/1/1").json["notes"][0] == {"source": "camera"}


def test_hands_of_the_next_match_have_numbers_of_their_own() -> None:
    """With three points for each, the third hand wins the match; the fourth is the first of the second."""
    hands = [event for _ in range(4) for event in (*HAND,)]

    listed = asked(Log(*hands)).json["hands"]

    assert [(each["match"], each["hand"]) for each in listed] == [(2, 1), (1, 3), (1, 2), (1, 1)]


def test_the_reviewer_works_in_the_background_and_remembers() -> None:
    """Asking takes no time; the parts come one after the other, are those of a review, and stay."""
    record = Record(RuleSet(), SOUTH, Card.parse("JD"), HAND[1:])
    with Reviewer() as reviewer:
        assert reviewer.analysis(record)["review"] is None
        for _ in range(1200):
            found = reviewer.analysis(record)
            if found["review"] or found["failed"]:
                break
            time.sleep(0.1)
        assert reviewer.analysis(record) == found

    *decisions, review = [part.data for part in report(record)][1:]
    assert found["review"] == review
    assert found["decisions"] == decisions
    assert found["total"] >= len(decisions) > 0


def test_a_reviewer_that_is_closed_ends_its_work() -> None:
    """Nothing is left running, and what was broken off says so."""
    record = Record(RuleSet(), SOUTH, Card.parse("JD"), HAND[1:])
    reviewer = Reviewer()
    reviewer.analysis(record)
    reviewer.close()

    assert reviewer.analysis(record)["review"] is None


def test_the_hands_of_a_live_table_are_read_from_its_log(open_table, tmp_path: Path) -> None:
    """While the table writes on, those of an earlier match too; each keeps its number."""
    table = open_table(timed(HAND))
    with Archive(tmp_path / "table.sqlite") as archive:
        assert archive.hands() == ()
        table.see(view_at(20.0))
        (first,) = archive.hands()
        assert (first.number, first.newest, first.record.events) == (1, True, HAND[1:])
        table.submit(NewMatch(names=("Cilli", "Dora")))
        (ended,) = archive.hands()
        assert (ended.number, ended.newest, ended.names) == (1, False, ("", ""))
