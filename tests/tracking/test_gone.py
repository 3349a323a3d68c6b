"""Cards that are not seen: hidden, under another, lost by the detector, or gone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scenes import Frame, last, name_of, seen, watch

from companion.table.observation import Phase
from companion.tracking.tracker import Tracker, TrackerOptions

KING = seen("KH", 600, 360)
LIES = [Frame([KING])] * 8
HAND = Frame(moved=(600, 360))


def gone_after(frames: list[Frame], track: int = 1) -> float | None:
    """When a track is told as gone, seconds after the last frame in which a hand was there; `None`: never."""
    moved = max(number for number, frame in enumerate(frames) if frame.moved is not None)
    for view in watch(frames):
        if any(one.track == track and one.phase is Phase.GONE for one in view.cards):
            return view.time - moved / 10
    return None


@pytest.mark.parametrize(
    ("south", "north", "least", "most"), [(0, 0, 0.7, 0.9), (0.2, 0, 2.2, 2.5), (0, 0.2, 2.2, 2.5)]
)
def test_a_place_must_be_in_clear_view_for_a_while(
    south: float, north: float, least: float, most: float
) -> None:
    """Half a second; two, while an arm reaches in elsewhere, whose shadow may hide a card."""
    after = gone_after([*LIES, *[HAND] * 3, *[Frame(south=south, north=north)] * 70])

    assert after is not None
    assert least < after < most


def test_a_card_is_gone_since_its_place_was_clear() -> None:
    """Not since the hand was there: that may have covered it yet."""
    gone = [
        one for view in watch([*LIES, HAND, *[Frame()] * 20]) for one in view.cards if one.phase is Phase.GONE
    ]

    assert gone[0].since >= 0.8 + 0.25


def test_a_hand_that_comes_again_hides_the_place_anew() -> None:
    """Patience begins anew with each."""
    frames = [*LIES, HAND, *[Frame()] * 6, HAND, *[Frame()] * 20]

    assert gone_after(frames) == pytest.approx(0.8, abs=0.11)


def test_a_card_found_between_two_hands_has_not_been_missing() -> None:
    """Nor do frames in which it was missed before count."""
    found = [*LIES, HAND, *[Frame()] * 5, *[Frame([KING])] * 3]

    assert gone_after([*found, HAND, *[Frame()] * 20]) == pytest.approx(0.8, abs=0.11)
    assert {one.phase for view in list(watch([*found, HAND, *[Frame()] * 4]))[-5:] for one in view.cards} == {
        Phase.HIDDEN
    }


@pytest.mark.parametrize("missed", [0, 1])
@pytest.mark.parametrize(("looks", "least", "most"), [(1, 1.5, 1.8), (2, 0.6, 0.9)])
def test_one_look_at_a_place_is_few(missed: int, looks: int, least: float, most: float) -> None:
    """A camera that stands still repeats the one in which it was missed: that is waited for longer."""
    lay = [*LIES, *[Frame()] * missed, *LIES]
    after = gone_after([*lay, *[HAND] * looks, *[Frame(fresh=False)] * 60])

    assert after is not None
    assert least < after < most


def test_a_card_that_only_the_detector_lost_is_hidden_and_in_the_end_gone() -> None:
    """Nothing moved there: for half a second nothing is said, for five it is hidden."""
    views = list(watch([*LIES, *[Frame()] * 60]))
    phases = [[one.phase for one in view.cards] for view in views]

    assert phases[8:12] == [[Phase.STILL]] * 4
    assert phases[14:55] == [[Phase.HIDDEN]] * 41
    assert phases[-1] == []
    hidden = {one.since for view in views for one in view.cards if one.phase is Phase.HIDDEN}
    assert len(hidden) == 1


def test_a_hidden_card_was_last_seen_when_it_was() -> None:
    """A skipped frame repeats the one before, in which it was not seen."""
    (one,) = last([*LIES, *[HAND] * 2, *[Frame(fresh=False, moved=(600, 360))] * 5]).cards

    assert (one.phase, one.last_seen) == (Phase.HIDDEN, pytest.approx(0.7))


def test_a_card_lost_without_a_move_still_lies_under_the_next() -> None:
    """Its place was seen without it, but nobody has been there to take it."""
    missed = [*LIES, *[Frame()] * 4]
    laid = [HAND, *[Frame([seen("AH", 640, 400)])] * 6]

    assert [one.phase for one in last([*missed, *laid]).cards] == [Phase.HIDDEN, Phase.STILL]


def test_skipped_frames_do_not_show_a_place_without_its_card() -> None:
    """They are no pictures of their own."""
    taking = [Frame((), south=0.2, moved=(600, 360))] * 4
    skipped = [Frame((), south=0.2, fresh=False)] * 3
    again = [Frame((), south=0.2, moved=(600, 360)), *[Frame([seen("AH", 640, 400)])] * 4]

    assert [one.phase for one in last([*LIES, *taking, *skipped, *again]).cards] == [
        Phase.HIDDEN,
        Phase.STILL,
    ]


def test_a_card_seen_again_lies_under_what_is_laid_on_it_then() -> None:
    """That its place had been seen without it a moment before is forgotten."""
    missed = [*LIES, HAND, *[Frame((), south=0.2)] * 4, *[Frame([KING])] * 2]
    laid = [HAND, *[Frame([seen("AH", 640, 400)])] * 6]

    assert [one.phase for one in last([*missed, *laid]).cards] == [Phase.HIDDEN, Phase.STILL]


@pytest.mark.parametrize(("x", "phases"), [(680, [Phase.STILL]), (660, [Phase.HIDDEN, Phase.STILL])])
def test_a_card_hides_another_of_which_it_covers_a_good_part(x: float, phases: list[Phase]) -> None:
    """A quarter; with less of it the detector would have found it."""
    other = seen("AH", x, 360)
    both = [*LIES, *[Frame([KING, other])] * 4]

    assert [one.phase for one in last([*both, HAND, *[Frame([other])] * 15]).cards] == phases


def test_a_card_taken_from_another_is_gone() -> None:
    """What it lay on does not hide it; and of two that are taken none hides the other."""
    both = [*LIES, *[Frame([KING, seen("AH", 640, 360)])] * 6]
    one_left = last([*both, *[Frame([KING], moved=(640, 360))] * 2, *[Frame([KING])] * 12])
    gone = [
        (view.time, one.track)
        for view in watch([*both, *[HAND] * 3, *[Frame()] * 20])
        for one in view.cards
        if one.phase is Phase.GONE
    ]

    assert [name_of(one) for one in one_left.cards] == ["KH"]
    assert sorted(track for _, track in gone) == [1, 2]
    assert gone[0][0] == gone[1][0]


def test_a_card_found_again_goes_on_where_it_is_found() -> None:
    """It lies still at once, and what was missed before does not count when it is missed again."""
    found = [Frame([seen("KH", 615, 360)], moved=(600, 360)), *[Frame([seen("KH", 615, 360)])] * 2]
    views = list(watch([*LIES, HAND, *[Frame()] * 12, *found, *[Frame(moved=(900, 600))] * 2]))
    back = [one for view in views[21:] for one in view.cards]
    again = next(one for one in back if one.phase is Phase.STILL)

    assert {one.phase for one in back if one.track == 1} <= {Phase.STILL, Phase.HIDDEN}
    assert (again.track, float(again.centre[0])) == (1, pytest.approx(615, abs=0.5))
    assert again.disturbed == pytest.approx(2.1)
    assert [one.phase for view in views[23:26] for one in view.cards] == [Phase.STILL] * 3


def test_a_card_that_was_hardly_seen_is_not_found_again() -> None:
    """Two frames of a slow camera are no look to know it by."""
    glimpse = [Frame([KING])] * 2
    back = [Frame([KING], moved=(600, 360))] * 4
    views = list(watch([*glimpse, HAND, *[Frame()] * 12, *back], 8.0))

    assert {one.phase for view in views for one in view.cards if one.track == 1} >= {Phase.STILL, Phase.GONE}
    assert [one.track > 1 for one in views[-1].cards] == [True]


def test_how_long_a_place_must_be_clear_can_be_chosen() -> None:
    """A tracker that is told to waits longer."""
    options = TrackerOptions(gone_s=1.5)
    views = list(watch([*LIES, *[HAND] * 3, *[Frame()] * 12], tracker=Tracker(options)))

    assert [one.phase for one in views[-1].cards] == [Phase.HIDDEN]


def test_a_card_missed_beside_an_arm_is_hidden_at_once() -> None:
    """Its shadow may lie there, though nothing moves."""
    views = list(watch([*LIES, *[Frame(south=0.2)] * 3]))

    assert [one.phase for view in views[8:] for one in view.cards] == [Phase.HIDDEN] * 3


def test_what_is_too_small_for_a_card_is_gone_once_the_size_of_cards_is_known() -> None:
    """A letter that the camera writes where the stock comes to lie would lie under that for ever.

    A card as large as others is waited for as before.
    """
    letter = seen("unknown", 600, 540)
    letter = replace(
        letter, corners=np.asarray(0.3 * letter.corners + 0.7 * np.array([600, 540]), np.float32)
    )
    stock = seen("back", 600, 540)
    lies = [*[Frame([letter, KING])] * 8, *[Frame([stock, KING])] * 30]
    before, after = list(watch(lies))[-1], list(watch([*lies, Frame([stock], least=50.0)]))[-1]

    assert {(name_of(one), one.phase) for one in before.cards} == {
        ("unknown", Phase.HIDDEN),
        ("back", Phase.STILL),
        ("KH", Phase.STILL),
    }
    assert {name_of(one) for one in after.cards if one.phase is Phase.GONE} == {"unknown"}
    assert {name_of(one) for one in after.cards if one.phase is not Phase.GONE} == {"back", "KH"}
