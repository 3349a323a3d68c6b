"""The routes of the practice page: puzzles of open hands, and moments set up by hand."""

from __future__ import annotations

import threading

import pytest
from patience import until
from played_log import HAND, SOUTH, Log, app_of, asked

from companion.live.snapshot import Role
from companion.rules.cards import Card
from companion.rules.events import Dealt, GivenUp
from companion.rules.fair_play import FairPlay
from companion.rules.hand import ImpossibleEvent
from companion.server.practice import MOST_WAIT
from companion.solver.comparison import Comparer, Sample

LEAD = {
    "trump": "D",
    "hand": ["AD", "KH", "QH", "JS", "TC"],
    "card_points": [0, 33],
    "tricks_won": [1, 2],
}
OTHER = ["QS", "KS", "AH", "JC", "KD"]
STOCK = ["AC", "QD", "TS", "JD"]


def test_a_moment_of_a_hand_is_asked_with_its_answer() -> None:
    """What the player saw, what was done, and what each action promises, best first."""
    found = asked(Log(*HAND), "/practice/1/6").json

    told = [found[name] for name in ("player", "trick", "done", "trump", "stock", "card_points")]
    assert told == [1, 3, "play:AS", "D", "closed", [0, 40]]
    assert set(found["actions"]) == {f"play:{card}" for card in found["hand"]}
    points = [each["game_points"] for each in found["actions"].values()]
    assert points == sorted(points, reverse=True)


def test_a_loss_is_sure_only_where_the_layouts_show_it() -> None:
    """The best action loses nothing, and nothing else is sure of that; losses come in their order."""
    actions = asked(Log(*HAND), "/practice/1/0").json["actions"]

    losses = [each["loss"] for each in actions.values()]
    assert losses == sorted(losses)
    assert losses[0] == 0
    assert not next(iter(actions.values()))["sure"]
    assert all(each["loss"] > 0 for each in actions.values() if each["sure"])


def test_only_moments_with_a_choice_are_asked() -> None:
    """A word is none, and neither is what does not exist."""
    log = Log(*HAND)
    assert asked(log, "/practice/1/8").status_code == 404
    assert asked(log, "/practice/1/99").status_code == 404
    assert asked(log, "/practice/2/0").status_code == 404


def test_puzzles_come_from_hands_that_may_be_looked_through() -> None:
    """Not from one that is played; lookers-on wait for the next deal."""
    running = Log(*HAND[:-1])
    assert asked(running, "/practice").status_code == 404
    assert asked(running, "/practice/1/6").status_code == 403
    ended = Log(*HAND)
    assert asked(ended, "/practice").json["number"] == 1
    assert asked(ended, "/practice", Role.SPECTATOR).status_code == 404


def test_with_all_cards_placed_a_moment_is_solved_exactly() -> None:
    """The values and the line of the solver."""
    gone = ["AS", "TD", "TH", "JH", "KC", "QC"]
    found = asked(Log(), "/practice/solve", body={**LEAD, "other": OTHER, "stock": STOCK, "gone": gone}).json

    points = [each["game_points"] for each in found["actions"].values()]
    assert points == sorted(points, reverse=True)
    losses = [(each["loss"], each["sure"]) for each in found["actions"].values()]
    assert losses == [(points[0] - each, each < points[0]) for each in points]
    assert len(set(points)) > 1
    assert set(found["actions"]) == {"close", *(f"play:{card}" for card in LEAD["hand"])}
    assert found["line"][-1]["type"] in ("claim", "play")


def test_with_unknown_cards_layouts_are_solved() -> None:
    """Each action with its chance to win; the cards that are named nowhere may be anywhere."""
    gone = ["AS", "TD", "TH", "JH", "KC", "QC"]
    setting = {**LEAD, "stock": ["JD"], "gone": gone}
    found = asked(Log(), "/practice/solve", body=setting).json

    assert found["layouts"] > 20
    assert all(0 <= each["wins"] <= 1 for each in found["actions"].values())


@pytest.mark.parametrize(
    ("change", "said", "fault"),
    [
        ({"other": ["AD"]}, "AD is there twice", ""),
        ({"gone": []}, "0 cards were played, but 3 tricks", "gone"),
        ({"stock": []}, "turned-up", "turned_up"),
        (
            {"stock": [], "gone": [], "tricks_won": [0, 0], "card_points": [0, 0]},
            "turned-up card is missing",
            "turned_up",
        ),
        ({"hand": ["AD", "KH"]}, "hands of", "open_hands"),
        ({"hand": []}, "hands of 0 cards", "hand_size"),
        ({"other": OTHER[:4], "stock": ["KD", *STOCK]}, "hands of 5 and 4 cards", "hands"),
        ({"stock": ["AC", "JD"]}, "only the turned-up one", "stock_known"),
        ({"stock": ["AC"]}, "is no trump", "no_trump"),
        ({"card_points": [66, 0]}, "nothing to decide but the claim", "claim"),
        ({"trump": "X"}, "none of H, D, C, S", ""),
        ({"more": 1}, "more", ""),
        ({"closed_by": 0}, "go together", ""),
    ],
)
def test_what_does_not_add_up_is_refused_with_the_reason(change: dict, said: str, fault: str) -> None:
    """The message names what is wrong; what may happen on the page has a key for words of the page."""
    gone = ["AS", "TD", "TH", "JH", "KC", "QC"]
    answer = asked(Log(), "/practice/solve", body={**LEAD, "stock": ["JD"], "gone": gone, **change})

    assert (answer.status_code, answer.json["reason"]) == (409, "impossible")
    assert said in answer.json["error"]
    assert answer.json.get("fault", "") == fault


def test_nothing_is_solved_while_cards_are_kept_from_the_players() -> None:
    """The companion does not help in a tournament; after the hand, and at a training table, it does."""
    setting = {**LEAD, "other": OTHER, "stock": STOCK, "gone": ["AS", "TD", "TH", "JH", "KC", "QC"]}
    log = Log(*HAND[:-1], fair=FairPlay("tournament"))
    for role in Role:
        assert asked(log, "/practice/solve", role, setting).json["reason"] == "not_yours"
    log.see(HAND[-1])
    assert asked(log, "/practice/solve", body=setting).status_code == 200
    log.see(Dealt(SOUTH, Card.parse("QH")))
    assert asked(log, "/practice/solve", body=setting).status_code == 409
    log.see(GivenUp())
    assert asked(log, "/practice/solve", body=setting).status_code == 409
    training = Log(*HAND[:-1])
    assert asked(training, "/practice/solve", body=setting).status_code == 200


def test_more_moments_than_a_few_do_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each that waits holds one of the threads that answer phones: the next is told to come again."""
    go_on = threading.Event()

    def slow(self: Comparer, *_: object) -> Sample:
        go_on.wait(60.0)
        raise ImpossibleEvent("whoever waited has gone")

    monkeypatch.setattr(Comparer, "sample", slow)
    app, statuses = app_of(Log()), []

    def ask(points: int) -> None:
        gone = ["AS", "TD", "TH", "JH", "KC", "QC"]
        setting = {**LEAD, "stock": ["JD"], "gone": gone, "card_points": [0, points]}
        statuses.append(app.test_client().post("/api/practice/solve", json=setting).status_code)

    asking = [threading.Thread(target=ask, args=(20 + each,)) for each in range(MOST_WAIT + 1)]
    for each in asking:
        each.start()
    until(lambda: statuses)
    assert statuses == [503]
    go_on.set()
    for each in asking:
        each.join()
    assert len(statuses) == MOST_WAIT + 1
