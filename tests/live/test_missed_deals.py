"""The next hand is dealt while nobody looks: it is followed all the same, and marked."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.live.command import NewMatch
from companion.rules.events import CardPlayed, Dealt
from companion.rules.ruleset import RuleSet
from tests.decoding.puppets import BACK, HEIGHT, Show, quad, stage
from tests.filmed_evening import Evening, Once, starting


def test_a_stock_that_lies_where_one_lay_may_be_the_next(tmp_path: Path) -> None:
    """Cleared away, shuffled and dealt unseen; the new cards lie upon the places of the old."""
    evening = Evening(tmp_path, show=stage(RuleSet(), 7109, hands=2))
    told = evening.watch(away=(32.8, 41.7))

    assert [each for each in told if isinstance(each, Dealt)] == [
        each for each in evening.happened if isinstance(each, Dealt)
    ]
    assert evening.asked


@pytest.mark.parametrize(
    ("seed", "away", "anew"),
    [(7302, (57.8, 67.8), "program"), (7349, (69.0, 82.9), "program"), (7321, (74.6, 84.6), "camera")],
)
def test_a_stock_that_lies_there_after_all_of_it_was_drawn_is_the_next(
    tmp_path: Path, seed: int, away: tuple[float, float], anew: str
) -> None:
    """The last tricks of the hand before, or its claim, were missed with the deal; what lies there is new."""
    evening = Evening(tmp_path, show=stage(RuleSet(), seed, hands=2), refusable=True)
    evening.watch(starting(anew, away[0]), away=away)
    last = [event for _, event in evening.show.events[1]]
    seen = [event for time, event in evening.show.events[1] if time > away[1]]
    told = [entry.event for entry in evening.hands[-1].events]

    assert told[0] == last[0]
    assert [event for event in told if event in seen] == seen
    assert evening.asked
    for hand in evening.hands:
        gaps = [(gap.since, gap.time) for gap in hand.unseen]
        assert len(set(gaps)) == len(gaps), "each is told once"


@pytest.mark.parametrize(
    ("seed", "anew", "beside"), [(17, "nothing", 130), (17, "nothing", 170), (20, "camera", 170)]
)
def test_a_pile_of_won_tricks_beside_the_trick_is_no_stock(
    tmp_path: Path, seed: int, anew: str, beside: int
) -> None:
    """Both have turned their tricks down in the middle; nobody looks for a while, and the hand goes on."""
    show = stage(RuleSet(), seed, hands=1)
    plays = [time for time, event in show.events[0] if isinstance(event, CardPlayed)]
    away = plays[11] + 1.6, plays[11] + 8.6
    _pause(show, *away)
    middle = next(item.corners.mean(0)[0] for item in show.items if abs(item.start - plays[13] - 8.0) < 1.0)
    for item in show.items:
        y = item.corners.mean(0)[1]
        if item.index == BACK and not 100 <= y <= HEIGHT - 100:
            item.corners = quad(middle + beside, HEIGHT * (0.66 if y > HEIGHT / 2 else 0.34), 8)
    evening = Evening(tmp_path, show=show, refusable=True)

    assert evening.watch(starting(anew, away[0]), away=away) == evening.happened


def _pause(show: Show, since: float, until: float) -> None:
    """Let nothing happen for a second longer than between two times, and the rest after it."""

    def later(time: float) -> float:
        return time + until - since + 1.0 if time > since else time

    for item in show.items:
        item.start, item.end = later(item.start), later(item.end)
    for reach in show.reaches:
        reach.start, reach.end = later(reach.start), later(reach.end)
    show.taps = [(later(time), event) for time, event in show.taps]
    show.events = [[(later(time), event) for time, event in hand] for hand in show.events]
    show.end = later(show.end)


@pytest.mark.parametrize("anew", ["nothing", "camera", "program"])
def test_a_hand_dealt_while_nobody_looked_says_so(tmp_path: Path, anew: str) -> None:
    """Its exchange was missed with the deal, and nothing else tells of it; whatever was started again."""
    evening = Evening(tmp_path, show=stage(RuleSet(), 7359, hands=2), refusable=True)
    evening.watch(starting(anew, 48.7), away=(48.7, 54.5))

    ((since, until),) = [(gap.since, gap.time) for gap in evening.hands[-1].unseen]
    assert 45.0 < since < 49.0, "a program that is gone knows when it wrote last"
    assert until == pytest.approx(54.5, abs=0.3)


def test_a_hand_that_is_on_as_the_camera_begins_to_look_says_so(tmp_path: Path) -> None:
    """Nobody knows how many tricks were played before; nothing else tells of them."""
    evening = Evening(tmp_path, show=stage(RuleSet(), 7404, hands=2), refusable=True)
    evening.watch(away=(-1.0, 10.8))
    first, second = evening.hands

    assert [gap.since for gap in first.unseen] == [None]
    assert first.unseen[0].time == pytest.approx(10.8, abs=0.2)
    assert second.unseen == ()


def test_rules_that_are_chosen_while_the_cards_lie_dealt_hide_nothing(tmp_path: Path) -> None:
    """The camera saw the deal, though whoever works out the hand begins anew then."""
    show = stage(RuleSet(), 7404, hands=2)
    dealt = show.events[0][0][0]
    evening = Evening(tmp_path, show=show)
    choose = Once(dealt, lambda on: on.table.submit(NewMatch(rules=RuleSet())))
    evening.watch(choose)

    assert choose.done
    assert evening.hands[0].unseen == ()


@pytest.mark.parametrize("again", ["rules", "camera"])
def test_what_begins_anew_before_the_deal_is_written_forgets_nothing(tmp_path: Path, again: str) -> None:
    """Who sits there is often agreed on as the cards lie there already."""
    evening = Evening(tmp_path, show=stage(RuleSet(), 7404, hands=2), refusable=True)
    begin = Once(
        11.0, lambda on: on.table.submit(NewMatch(rules=RuleSet())) if again == "rules" else on.start_camera()
    )
    evening.watch(begin, away=(-1.0, 10.8))

    assert begin.done
    assert [gap.since for gap in evening.hands[0].unseen] == [None]


# the same card is turned up again; closed before anybody looks; the stock has been drawn by then
@pytest.mark.parametrize(("seed", "away"), [(7301, (65.0, 76.7)), (7441, (56.3, 64.6)), (7671, (40.8, 82.1))])
def test_a_hand_of_which_no_deal_is_found_begins_with_what_is_led(
    tmp_path: Path, seed: int, away: tuple[float, float]
) -> None:
    """Two tricks tell that it is on: something is asked, and that a part of it was not seen is told."""
    evening = Evening(tmp_path, show=stage(RuleSet(), seed, hands=2))
    told = evening.watch(away=away)
    _, hand = evening.hands

    assert [each.turned_up for each in told if isinstance(each, Dealt)][1:] == [None]
    assert evening.asked
    assert any(gap.since < away[0] and gap.time > away[1] for gap in hand.unseen)
