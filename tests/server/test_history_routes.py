"""The routes of figures and exports: of open hands only, for whoever asks."""

from __future__ import annotations

import pytest
from played_log import HAND, Log, Told, asked
from scripted_table import random_hand

from companion.live.snapshot import Role
from companion.rules.events import Dealt
from companion.rules.notation import read

MANY = tuple(event for seed in range(5) for event in random_hand(seed))
EXPORTS = ("/history/hands.jsonl", "/history/hands.hand", "/history/hands.csv")


def test_hands_are_found_by_what_is_asked() -> None:
    """Name, kind and day; what there is not is refused by its name."""
    log = Log(*MANY, *HAND)
    day = log.hands()[0].began.date().isoformat()

    def found(query: str) -> list[int]:
        return [each["number"] for each in asked(log, f"/reviews?{query}").json["hands"]]

    assert found("") == [6, 5, 4, 3, 2, 1]
    assert found("kind=false_claim") == [6]
    assert found(f"find=bert&since={day}&until={day}") == [6, 5, 4, 3, 2, 1]
    assert found("find=nobody") == []
    for query in ("kind=anything", "since=yesterday"):
        answer = asked(log, f"/reviews?{query}")
        assert (answer.status_code, answer.json["error"].partition(":")[0]) == (400, query.partition("=")[0])


@pytest.mark.parametrize("path", [*EXPORTS, "/history/figures"])
def test_what_is_not_open_is_in_nothing_that_is_handed_on(path: str) -> None:
    """A hand that is played is as if it were not there; for lookers-on also the last one that ended."""
    before = asked(Log(*MANY), path)
    assert before.status_code == 200
    running = Log(*MANY, *HAND[:-1])
    assert asked(running, path).data == before.data
    ended = Log(*MANY, *HAND)
    assert asked(ended, path, Role.BOARD).data == before.data
    assert asked(ended, path).data != before.data


def test_exports_are_files_that_are_read_again() -> None:
    """With a name to be saved under; another ending is refused."""
    log = Log(*MANY)
    answer = asked(log, "/history/hands.hand")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="schnapsen.hand"'
    assert [record for part in read(answer.text) for record in part.hands] == [
        hand.record for hand in log.hands()
    ]
    assert asked(log, "/history/hands.exe").status_code == 404


class Judged(Told):
    """Reviews of which those of some hands are complete."""

    def __init__(self, complete: int) -> None:
        super().__init__()
        self.complete = complete

    def decisions(self, record) -> list[dict] | None:
        """A decision of each player in the first hands that are asked about; later ones have none."""
        self.complete -= 1
        return [{"player": 0, "loss": 0.5}, {"player": 1, "loss": 0.0}] if self.complete >= 0 else None

    def failed(self, record) -> bool:
        """Nothing is broken off."""
        return False


def test_figures_are_of_what_has_been_judged_so_far() -> None:
    """How many hands are left is told; only who asks for it has them worked out, the newest first."""
    log = Log(*MANY)
    reviews = Judged(2)
    told = asked(log, "/history/figures", reviews=reviews).json
    assert (told["hands"], told["left"], reviews.records) == (5, 3, [])
    assert {each["name"]: each["lost_a_decision"] for each in told["people"]} == {"Anna": 0.5, "Bert": 0.0}

    reviews = Judged(0)
    asked(log, "/history/figures?judge=1", reviews=reviews)
    newest = [hand.record.events for hand in reversed(log.hands())][:3]
    assert [record.events for record in reviews.records] == newest


def test_a_hand_as_a_page_runs_nothing() -> None:
    """Its own policy lets in its style and pictures, and it is refused like the hand itself."""
    log = Log(*HAND)
    page = asked(log, "/history/1.html?lang=en")
    assert "Anna wins 3 game points" in page.text
    assert "Content-Disposition" not in page.headers
    saved = asked(log, "/history/1.html?lang=de&save=1")
    assert saved.headers["Content-Disposition"] == 'attachment; filename="schnapsen-1.html"'
    assert asked(Log(*HAND[:-1]), "/history/1.html").status_code == 403
    assert asked(log, "/history/1.html", Role.SPECTATOR).status_code == 403
    log.see(Dealt(log.hands()[0].fold.state.dealer, None))
    assert asked(log, "/history/1.html", Role.SPECTATOR).status_code == 200
