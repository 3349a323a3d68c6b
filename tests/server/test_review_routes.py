"""The routes of the review: hands that have ended and no others, story at once, analysis as it comes."""

from __future__ import annotations

import time
from pathlib import Path

from flask import Flask, g
from scripted_table import timed, view_at

from companion.live.command import NewHand
from companion.live.fold import Standing, fold
from companion.live.snapshot import Role
from companion.review.report import report
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, GivenUp, MarriageDeclared
from companion.rules.fair_play import TRAINING, FairPlay
from companion.rules.record import Record
from companion.rules.ruleset import RuleSet
from companion.server.device_book import Device
from companion.server.review import review_routes
from companion.server.reviewer import Reviewer
from companion.store.item import MatchStarted
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


def standing(*events: Event, sure: float = 0.97, fair: FairPlay = TRAINING) -> Standing:
    """Where the match stands after events that a camera has seen."""
    items = [Settled(seq, float(seq), event, sure, "camera") for seq, event in enumerate(events, 1)]
    return fold([MatchStarted("", RuleSet(), ("Anna", "Bert"), fair=fair), *items])


def asked(stands: Standing, path: str = "", role: Role = Role.TABLE, reviews: object = None):
    """What a phone with `role` is answered."""
    app = Flask(__name__)

    @app.before_request
    def paired() -> None:
        g.device = Device("0" * 16, role, False, "", "", "")

    class Table:
        def standing(self) -> Standing:
            return stands

    app.register_blueprint(review_routes(Table(), reviews or Told()))
    return app.test_client().get(f"/api/reviews{path}")


def test_a_hand_that_has_ended_is_told_at_once() -> None:
    """The story, what the rules show, and an analysis that has hardly begun."""
    reviews = Told()

    found = asked(standing(*HAND), "/1/1", reviews=reviews).json

    assert [step["counts"][1]["total"] for step in found["story"]["steps"]][-1] == 53
    assert [each["kind"] for each in found["story"]["found"]] == ["claim_early"]
    assert found["names"] == ["Anna", "Bert"]
    assert found["review"] is None
    assert [record.events for record in reviews.records] == [HAND[1:]]


def test_a_hand_that_goes_on_is_kept_to_the_table() -> None:
    """Neither listed nor told, and not looked at either."""
    reviews = Told()
    stands = standing(*HAND[:-1])

    answer = asked(stands, "/1/1", reviews=reviews)

    assert answer.status_code == 403
    assert asked(stands).json["hands"] == []
    assert not reviews.records


def test_what_was_given_up_could_be_taken_up_again() -> None:
    """Until the next hand is dealt it is kept back; giving up is no way to a look at the cards."""
    given_up = (*HAND[:-1], GivenUp())

    assert asked(standing(*given_up), "/1/1").status_code == 403
    dealt = standing(*given_up, Dealt(SOUTH, Card.parse("QH")))
    assert asked(dealt, "/1/1").status_code == 200
    assert asked(dealt, "/1/2").status_code == 403


def test_a_hand_played_out_may_still_be_claimed_where_counts_are_secret() -> None:
    """At a training table it is open at once; else with the next deal."""
    secret = FairPlay("tournament")
    played_out = (*HAND[:-1], play(NORTH, "TD"), play(SOUTH, "KD"), play(NORTH, "TC"), play(SOUTH, "AC"))

    assert asked(standing(*played_out), "/1/1").status_code == 200
    assert asked(standing(*played_out, fair=secret), "/1/1").status_code == 403
    dealt = standing(*played_out, Dealt(NORTH, Card.parse("QH")), fair=secret)
    assert asked(dealt, "/1/1").status_code == 200


def test_lookers_on_wait_for_the_next_deal() -> None:
    """They may see the match later than it is played."""
    assert asked(standing(*HAND), "/1/1", Role.SPECTATOR).status_code == 403
    dealt = standing(*HAND, Dealt(NORTH, Card.parse("QH")))
    assert asked(dealt, "/1/1", Role.SPECTATOR).status_code == 200
    assert [each["hand"] for each in asked(dealt, "", Role.BOARD).json["hands"]] == [1]


def test_a_hand_that_never_was_is_not_found() -> None:
    """404, for any number."""
    assert asked(standing(*HAND), "/1/2").status_code == 404
    assert asked(standing(*HAND), "/7/1").status_code == 404


def test_doubtful_readings_are_marked() -> None:
    """A card read with little confidence, and nothing else."""
    found = asked(standing(*HAND, sure=0.6), "/1/1").json

    assert found["notes"][0] == {"confidence": 0.6}
    assert asked(standing(*HAND), "/1/1").json["notes"][0] == {}


def test_hands_of_the_next_match_have_numbers_of_their_own() -> None:
    """With three points for each, the third hand wins the match; the fourth is the first of the second."""
    hands = [event for _ in range(4) for event in (*HAND,)]

    listed = asked(standing(*hands)).json["hands"]

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


def test_the_live_table_is_one_that_can_be_reviewed(open_table, tmp_path: Path) -> None:
    """What the routes ask of a table, `LiveTable` answers."""
    table = open_table(timed(HAND))
    table.see(view_at(20.0))

    assert asked(table.standing(), "/1/1").status_code == 200
    table.submit(NewHand(NORTH))
    assert asked(table.standing()).json["hands"][0]["hand"] == 1
