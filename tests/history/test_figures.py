"""Figures of many hands, by player."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

from played_log import HAND, NORTH, SOUTH, Log, play
from scripted_table import REVOKED, dealt_and, random_hand, tied

from companion.history.export import as_csv
from companion.history.figures import Person, people_of
from companion.history.hands import hands_of
from companion.history.search import Wanted
from companion.live.fold import fold
from companion.rules.cards import Suit
from companion.rules.events import CardPlayed, Claimed, Exchanged, MarriageDeclared, RevokeCalled
from companion.rules.record import result_of
from companion.rules.ruleset import preset


def test_points_claims_and_closings_are_those_of_the_hands() -> None:
    """Over forty random hands the sums are what the rules say of each."""
    events = [event for seed in range(40) for event in random_hand(seed)]
    log = Log(*events, *HAND)
    people = {person.seat: person for person in people_of(log.hands())}
    results = [result_of(hand.fold.state) for hand in log.hands()]

    assert {person.name for person in people.values()} == {"Anna", "Bert"}
    for player in (SOUTH, NORTH):
        person = people[player]
        mine = [result.game_points for result in results if result.winner is player]
        assert (person.hands, person.won, person.game_points) == (41, len(mine), sum(mine))
        assert person.course[-1] == (41, sum(mine))
        claimed = sum(event == Claimed(player) for event in [*events, *HAND])
        assert person.claims + person.wrong_claims == claimed
    assert (people[NORTH].closings, people[NORTH].closings_won, people[NORTH].wrong_claims) == (1, 0, 1)


def test_a_closing_is_won_by_who_closed() -> None:
    """It counts for nobody else, and one that failed is a closing all the same."""
    cards = ("AH", "KH", "TH", "QH", "AS", "KS", "TS", "QS", "AC", "KC")
    won = [*dealt_and("JD", *cards, close=True), Claimed(NORTH)]
    failed = [*dealt_and("JD", *cards[:2], close=True), Claimed(NORTH)]
    south, north = sorted(people_of(Log(*won, *failed).hands()), key=lambda person: person.seat)

    assert (north.closings, north.closings_won) == (2, 1)
    assert (south.closings, south.closings_won, south.won) == (0, 0, 1)


def test_what_a_tie_carried_over_is_among_the_points() -> None:
    """After a drawn hand the next pays 1 more (clause 8.5): figures add up to the match."""
    log = Log(*tied(), *HAND)
    log.items[0] = replace(log.items[0], rules=preset("schnapsen+last_trick_10+tie_carry"))
    drawn, won = log.hands()
    (winner,) = (person for person in people_of([drawn, won]) if person.won)

    assert (drawn.carried, won.carried) == (0, 1)
    assert winner.game_points == result_of(won.fold.state).game_points + 1
    assert winner.game_points == fold(log.items).match.won_points[winner.seat]


def test_a_play_takes_the_time_since_what_came_before() -> None:
    """A second each in this log; what a phone told took no time."""
    south, north = people_of(Log(*HAND).hands())
    assert (south.seconds_a_play, north.seconds_a_play) == (1.0, 1.0)
    assert len(south.seconds) + len(north.seconds) == sum(isinstance(each, CardPlayed) for each in HAND)


def test_a_marriage_without_the_right_to_it_is_none() -> None:
    """Neither off lead nor from a hand that never held it (5.1, 5.8): in figures, search and table."""
    off_lead = [*dealt_and("TH", "AS", "JS"), MarriageDeclared(SOUTH, Suit.CLUBS), Claimed(NORTH)]
    never_held = [*dealt_and("TH"), MarriageDeclared(NORTH, Suit.CLUBS), play(NORTH, "KC"), play(SOUTH, "QC")]
    hands = Log(*off_lead, *never_held, Claimed(NORTH)).hands()

    assert [person.marriages for person in people_of(hands)] == [0, 0]
    assert [person.marriages for person in people_of(Log(*HAND).hands())] == [0, 1]
    assert Wanted(kind="marriage").among(hands) == []
    assert [row["marriages"] for row in csv.DictReader(io.StringIO(as_csv(hands)))] == ["0", "0"]


def test_revokes_are_told_of_who_revoked() -> None:
    """South has one, north none."""
    people = people_of(Log(*dealt_and("TH", *REVOKED, close=True)).hands())
    assert {person.seat: person.revokes for person in people} == {SOUTH: 1, NORTH: 0}


def test_what_decisions_lost_is_averaged_over_judged_hands() -> None:
    """Each decision counts alike; hands that nobody judged do not count."""
    log = Log(*HAND, *HAND, play(NORTH, "AS"))
    judged = [{"player": 1, "loss": 0.6}, {"player": 1, "loss": 0.0}, {"player": 0, "loss": 0.0}]
    people = people_of(log.hands(), lambda hand: judged if hand.number == 1 else None)

    lost = {person.seat: (person.decisions, person.lost_a_decision) for person in people}
    assert lost == {NORTH: (2, 0.3), SOUTH: (1, 0.0)}
    assert [person.losses for person in people if person.seat is NORTH] == [[(1, 0.3)]]


def test_a_revoke_that_was_taken_back_is_none() -> None:
    """South plays the king after all, and the hand goes on (clause 3.6)."""
    log = Log(*dealt_and("TH", *REVOKED, close=True), RevokeCalled(NORTH), play(SOUTH, "KH"))
    log.items[0] = replace(log.items[0], rules=preset("schnapsen_casual"))
    (hand,) = log.hands()

    assert hand.fold.state.breaches[0].taken_back
    assert [person.revokes for person in people_of([hand])] == [0, 0]


def test_an_exchange_counts_for_who_exchanged() -> None:
    """North, and not south; that it came in a hand without an end does not matter."""
    people = people_of(Log(*dealt_and("TH"), Exchanged(NORTH), play(NORTH, "AS")).hands())

    assert {person.seat: person.exchanges for person in people} == {SOUTH: 0, NORTH: 1}


def test_who_changes_seats_stays_one_player() -> None:
    """Anna and Bert with a hand in each seat: two players, told by where they sat last."""
    first = Log(*HAND).hands()
    second = [replace(hand, names=("Bert", "Anna"), number=2) for hand in first]
    people = {person.name: person for person in people_of([*first, *second])}

    assert {name: (person.hands, person.seat) for name, person in people.items()} == {
        "Anna": (2, NORTH),
        "Bert": (2, SOUTH),
    }


def test_only_what_a_camera_saw_of_a_play_is_its_time() -> None:
    """Neither what a phone told nor a play after more than two minutes, in which nobody thought that long."""
    log = Log(*HAND)
    plays = [at for at, item in enumerate(log.items) if isinstance(getattr(item, "event", None), CardPlayed)]
    told, *_, last = plays
    log.items[told] = replace(log.items[told], source="phone:north")
    for late, counted in ((120.0, len(plays) - 1), (120.5, len(plays) - 2)):
        items = [
            replace(item, time=log.items[last - 1].time + late + at - last) if at >= last else item
            for at, item in enumerate(log.items)
        ]
        hands = hands_of(items, [], 1)
        assert sum(len(person.seconds) for person in people_of(hands)) == counted


def test_without_a_play_or_a_judged_decision_there_is_no_mean() -> None:
    """The figures say nothing then, and are rounded as a page shows them."""
    nobody, somebody = Person("Anna", SOUTH), Person("Bert", NORTH)
    somebody.seconds, somebody.decisions, somebody.lost = [1.0, 2.26, 9.0], 3, 1.0

    told = [
        (each["seconds_a_play"], each["lost_a_decision"]) for each in map(Person.to_json, (nobody, somebody))
    ]
    assert told == [(None, None), (2.3, 0.333)]
