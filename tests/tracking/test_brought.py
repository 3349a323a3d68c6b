"""How cards come to the table, are pushed about on it, and who brought them."""

from __future__ import annotations

import numpy as np
import pytest
from scenes import Frame, box, last, name_of, seen, watch

from companion.table.detection import Detection
from companion.table.observation import Phase


def card(x: float = 600, y: float = 360, **how: float) -> Detection:
    """The king of hearts."""
    return seen("KH", x, y, **how)


def phases(frames: list[Frame], fps: float = 10.0) -> list[list[Phase]]:
    """The phases of all cards, view by view."""
    return [[one.phase for one in view.cards] for view in watch(frames, fps)]


def test_the_outline_of_a_still_card_trembles() -> None:
    """By a tenth of its width for a moment, or for one frame by a third: it lies still at its place."""
    trembling = [Frame([card(600 + 3 * (-1) ** step)]) for step in range(8)]
    bad = [*trembling, Frame([card(630)]), *trembling]
    twice = [*trembling, *[Frame([card(612)])] * 2, *trembling]

    for frames in (bad, twice):
        assert {phase for view in phases(frames)[3:] for phase in view} == {Phase.STILL}
    view = last([*[Frame([card()])] * 8, Frame([card(610)])])
    assert abs(float(view.cards[0].centre[0]) - 600) < 2.2


def test_a_table_that_is_shifted_slowly_moves_no_card() -> None:
    """Half a card in four seconds."""
    frames = [Frame([card(600 + step)]) for step in range(50)]

    assert {phase for view in phases(frames)[3:] for phase in view} == {Phase.STILL}


def test_a_card_that_pauses_in_the_hand_does_not_lie_still() -> None:
    """For less than an eighth of a second, before a fast camera."""
    places = [600 - 40 * step for step in range(6)]
    places = [*places, *[places[-1]] * 3, *[places[-1] - 40 * step for step in range(1, 6)]]

    assert {phase for view in phases([Frame([card(600, y)]) for y in places], 30.0) for phase in view} == {
        Phase.MOVING
    }


def test_a_card_pushed_to_and_fro_lies_still_since_it_is_let_go() -> None:
    """It is moving while it is pushed, though it comes back to where it was."""
    pushed = [card(600), card(630), card(630), card(600), card(600), card(600), card(600)]
    views = list(watch([*[Frame([card()])] * 10, *[Frame([one]) for one in pushed]]))

    assert Phase.MOVING in {one.phase for view in views[10:] for one in view.cards}
    assert views[-1].cards[0].phase is Phase.STILL
    assert views[-1].cards[0].since > 1.0


def test_what_is_read_of_a_card_on_its_way_counts_for_nothing() -> None:
    """It is blurred in the hand, and read right as soon as it lies."""
    way = [Frame([seen("9S", 600, 560 - 50 * step, sure=0.55)]) for step in range(4)]
    views = list(watch([*way, *[Frame([card(600, 360)])] * 3]))
    still = [one for view in views for one in view.cards if one.phase is Phase.STILL]

    assert {(one.track, name_of(one)) for one in still} == {(1, "KH")}
    assert still[-1].clarity == pytest.approx(np.log(0.9), abs=0.05)
    assert {one.from_south for view in views[:4] for one in view.cards} == {0.5}


@pytest.mark.parametrize(("away", "gap", "same"), [(100, 3, True), (200, 1, False), (60, 8, False)])
def test_a_moving_card_is_followed_for_a_moment(away: float, gap: int, same: bool) -> None:
    """Unseen for a third of a second it is still that card near there, not farther off and not later."""
    pushed = [Frame([card(600, 600)]), Frame([card(600, 560)])]
    view = last([*pushed, *[Frame()] * gap, Frame([card(600, 560 - away)])])

    assert (view.cards[-1].track == 1) is same


@pytest.mark.parametrize(("x", "same"), [(630, True), (660, False)])
def test_a_still_card_is_looked_for_where_it_lies(x: float, same: bool) -> None:
    """The same face two thirds of a card away is another card; the first one is missing."""
    assert ({one.track for one in last([*[Frame([card()])] * 6, Frame([card(x)])]).cards} == {1}) is same


def scaled(name: str, x: float, times: float) -> Detection:
    """A card that many times as large."""
    one = seen(name, x, 360)
    return Detection((box(0, 0) * times + (x, 360)).astype(np.float32), one.probs, one.score, 0.0)


def test_one_absurd_outline_does_not_change_how_large_cards_are() -> None:
    """A tray three times as wide as a card is seen for a moment; what lies close by is still another card."""
    tray = scaled("unknown", 1100, 3.0)
    frames = [*[Frame([card()])] * 10, Frame([tray]), Frame([card(650), tray])]

    view = last(frames)
    assert 1 not in {one.track for one in view.cards if one.last_seen == view.time}


def test_a_camera_brought_nearer_sees_larger_cards() -> None:
    """After a few seconds distances are those of the cards that it sees now."""
    frames = [*[Frame([card()])] * 5, *[Frame([scaled("KH", 600, 2.0)])] * 30]
    views = list(watch([*frames, Frame([scaled("KH", 661, 2.0)])]))

    assert [one.track for one in views[-1].cards] == [one.track for one in views[-2].cards]


@pytest.mark.parametrize(("before", "came"), [(15, True), (40, False)])
def test_a_card_is_brought_where_something_moved_lately(before: int, came: bool) -> None:
    """A hand was there one and a half seconds ago; what moved four seconds ago brought something else."""
    frames = [*[Frame()] * 20, Frame(moved=(600, 360)), *[Frame()] * (before - 1), *[Frame([card()])] * 3]

    assert last(frames).cards[0].came is came


def test_a_card_that_was_brought_came_however_long_it_takes_to_lie_still() -> None:
    """It came when it was first seen, or as it came to rest: a track may begin with a glimpse of a thing."""
    brought = [*[Frame()] * 20, Frame([card(600, 600)], moved=(600, 600))]
    held = [Frame([card(600, 600 - 15 * step)]) for step in range(1, 30)]
    assert last([*brought, *held, *[Frame([card(600, 165)])] * 3]).cards[0].came
    glimpse = [*[Frame()] * 20, Frame([card(600, 360)])]
    laid = [Frame([card(600, 300)], moved=(600, 300)), *[Frame([card(600, 300)])] * 3]
    assert [(one.track, one.came) for one in last([*glimpse, *laid]).cards] == [(1, True)]


SOUTH = {"south": 0.2, "moved": (640.0, 360.0)}
LAID = [*[Frame([card(640)], **SOUTH)] * 3, *[Frame([card(640)])] * 2]


def test_who_brought_a_card_is_known_for_as_long_as_it_lies() -> None:
    """Arms are forgotten after seconds, and whoever covers it or pushes it later did not bring it."""
    north = {"north": 0.2, "moved": (640.0, 360.0)}
    lying = [*LAID, *[Frame([card(640)])] * 60]
    covered = [*LAID, *[Frame([], **north)] * 6]
    way = [Frame([card(640, 360 + 14 * step)], **north) for step in range(7)]
    pushed = [*LAID, *[Frame([card(640)])] * 15, *way]
    rests = [Frame([card(640, 444)], **north)] * 3

    for frames in (lying, covered, [*pushed, *rests]):
        (one,) = last(frames).cards
        assert one.from_south > 0.9
        assert one.track == 1


def test_a_card_pushed_in_slowly_is_brought() -> None:
    """It is seen for most of a second before it lies still."""
    way = [Frame([card(640, 560 - 25 * step)], south=0.2, moved=(640, 560 - 25 * step)) for step in range(8)]
    (one,) = last([*way, *[Frame([card(640, 385)], south=0.2, moved=(640, 385))] * 3]).cards

    assert (one.track, one.phase) == (1, Phase.STILL)
    assert one.from_south > 0.9


@pytest.mark.parametrize(("way", "known"), [(0, False), (1, False), (3, True)])
def test_a_card_that_lies_there_when_somebody_looks_again_is_nobodys(way: int, known: bool) -> None:
    """The arm that is seen over it may be another; a card that is seen to be laid is that arm's."""
    before = [Frame([])] * 10
    first = Frame([card(640, 360 + 40 * way)], unwatched=3.0, **SOUTH)
    laid = [Frame([card(640, 360 + 40 * step)], **SOUTH) for step in reversed(range(way))]
    (one,) = last([*before, first, *laid, *[Frame([card(640)], **SOUTH)] * 3]).cards

    assert one.from_south > 0.9 if known else one.from_south == 0.5


def test_a_card_seen_on_its_way_before_nobody_looked_is_known() -> None:
    """Its arm was seen, and the picture stood still for most of a second as it was laid."""
    way = [Frame([card(640, 440 - 40 * step)], south=0.2, moved=(640, 440)) for step in range(2)]
    (one,) = last(
        [*[Frame([])] * 10, *way, Frame([card(640)], unwatched=0.6), *[Frame([card(640)])] * 3]
    ).cards

    assert one.track == 1
    assert one.from_south > 0.75


@pytest.mark.parametrize(("x", "covers"), [(693.0, ()), (686.0, (1,))])
def test_a_card_lies_on_another_if_it_covers_more_than_its_rim(x: float, covers: tuple[int, ...]) -> None:
    """Outlines of cards side by side overlap a little."""
    frames = [*[Frame([card()])] * 4, *[Frame([card(), seen("AH", x, 360)])] * 4]

    assert [one.covers for one in last(frames).cards] == [(), covers]


@pytest.mark.parametrize(
    ("south", "beside", "moved", "quiet"),
    [(0.0, 0.0, None, True), (0.0, 0.0, (900, 100), False), (0.2, 0.0, None, False), (0.0, 0.2, None, False)],
)
def test_a_table_is_quiet_when_nothing_moves_and_nobody_reaches_in(
    south: float, beside: float, moved: tuple[float, float] | None, quiet: bool
) -> None:
    """An arm that rests over the table is not gone, whosever it is."""
    view = last([*[Frame()] * 3, Frame(south=south, beside=beside, moved=moved)])

    assert (view.quiet, view.south_arm, view.beside_arm) == (quiet, south > 0, beside > 0)
    assert view.clear == (south == beside == 0)


def test_a_reading_under_a_hand_counts_a_third() -> None:
    """Fingers lie on the card, or it is on its way."""
    (one,) = last([Frame([card(sure=0.9)]), Frame([card(sure=0.4)], moved=(600, 360))]).cards
    slow = list(watch([Frame([card(sure=0.9)]), Frame([card(sure=0.4)], moved=(600, 360))], 5.0))[-1]

    assert slow.cards[0].clarity == pytest.approx((-0.134 + 0.35 * -0.944) / 1.35, abs=0.01)
    assert one.clarity > slow.cards[0].clarity


def test_a_reading_of_a_card_that_another_covers_counts_less() -> None:
    """By how much of it is covered, from its second frame on; the card on top is read as well as ever."""
    under, top = card(sure=0.9), seen("AH", 667, 360)
    doubtful = [card(sure=0.4, score=0.6), seen("AH", 667, 360, sure=0.4)]
    frames = [Frame([under]), *[Frame([top, card(sure=0.9, score=0.6)])] * 2, Frame(doubtful)]
    one, other = list(watch(frames, 5.0))[-1].cards

    assert one.clarity == pytest.approx((2.55 * -0.134 + 0.55 * -0.944) / 3.1, abs=0.008)
    assert other.clarity == pytest.approx((2 * -0.134 - 0.944) / 3, abs=0.008)


def test_what_shows_of_a_card_that_is_nearly_covered_counts_a_tenth() -> None:
    """It counts, though: of some cards nothing else is ever seen."""
    top = seen("AH", 629, 360)
    frames = [Frame([card(sure=0.9)]), *[Frame([top])] * 3, Frame([top, card(sure=0.4, score=0.6)])]
    one = last(frames).cards[0]

    assert (one.track, one.clarity) == (1, pytest.approx((-0.134 + 0.1 * -0.944) / 1.1, abs=0.008))
