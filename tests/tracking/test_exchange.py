"""A card that is read otherwise in its place: exchanged, spoilt by what lies on it, or misread."""

from __future__ import annotations

import pytest
from scenes import Frame, last, name_of, seen, watch

from companion.table.observation import Phase

UP = seen("TD", 300, 300)
ARM = Frame((), south=0.2, moved=(300, 300))
OVER_IT = {"south": 0.2, "moved": (300.0, 300.0)}


def lying(frames: list[Frame], fps: float = 10.0) -> list[tuple[int, str]]:
    """Tracks and names of the cards that lie still in the end."""
    cards = list(watch(frames, fps))[-1].cards
    return [(one.track, name_of(one)) for one in cards if one.phase is Phase.STILL]


@pytest.mark.parametrize(("sure", "exchanged"), [(0.7, False), (0.85, True)])
def test_what_shows_beside_a_stock_laid_on_the_turn_up_may_be_spoilt(sure: float, exchanged: bool) -> None:
    """There it is exchanged, so that a fairly sure reading of the jack is one."""
    stock, jack = seen("back", 360, 300), seen("JD", 300, 300, sure=sure)
    laid = [*[Frame([UP])] * 12, *[Frame([UP, stock], **OVER_IT)] * 4]
    frames = [*laid, ARM, *[Frame([jack, stock], **OVER_IT)] * 6]

    assert ((1, "TD") not in lying(frames)) is exchanged


def test_the_index_of_the_card_on_top_is_read_for_the_one_below() -> None:
    """However surely: it is the card on top that is read, twice."""
    lead, top = seen("QC", 600, 320), seen("AC", 570, 244)
    arm = [Frame((), south=0.2, moved=(600, 320))] * 3
    both = [top, seen("AC", 600, 320, sure=0.97)]
    frames = [*[Frame([lead])] * 12, *arm, *[Frame([top])] * 10, *arm, *[Frame(both)] * 6]

    assert (1, "QC") in lying(frames)


@pytest.mark.parametrize(("beside", "exchanged"), [(10, False), (30, True)])
def test_a_card_that_has_long_lain_on_another_does_not_spoil_it(beside: int, exchanged: bool) -> None:
    """For three seconds both were read: what is read now is another card; after one it may yet be spoilt."""
    old, top, new = seen("QC", 600, 320), seen("AC", 570, 244), seen("KD", 600, 320, sure=0.85)
    arm = Frame([top], south=0.2, moved=(600, 320))
    frames = [*[Frame([old])] * 12, *[Frame([old, top])] * beside, *[arm] * 3, *[Frame([top, new])] * 5]

    assert ((1, "QC") not in lying(frames)) is exchanged


def test_nothing_explains_what_is_read_after_nobody_looked() -> None:
    """The card that lay on the lead lies there still, but the lead may be another."""
    led, top, new = seen("JD", 600, 320), seen("KS", 680, 390), seen("TS", 600, 320, sure=0.85)
    trick = [*[Frame([led])] * 12, *[Frame([led, top])] * 6]
    frames = [*trick, Frame([new, top], unwatched=5.0), *[Frame([new, top])] * 6]

    assert "TS" in {name for _, name in lying(frames)}
    assert 1 not in {track for track, _ in lying(frames)}


def test_two_frames_of_a_slow_camera_are_no_exchange() -> None:
    """They span a quarter of a second, and may both be blurred."""
    frames = [*[Frame([UP])] * 8, ARM, *[Frame([seen("JD", 300, 300)])] * 2]

    assert lying(frames, 4.0) == [(1, "TD")]
    assert lying([*frames, Frame([seen("JD", 300, 300)])], 4.0) == [(2, "JD")]


def test_a_card_that_nobody_touches_soon_has_the_name_that_it_is_read_by() -> None:
    """It was misread at first."""
    frames = [*[Frame([UP])] * 12, *[Frame([seen("AD", 300, 300)])] * 7]

    assert lying(frames) == [(1, "AD")]


def test_a_thing_that_is_exchanged_for_a_card_has_come() -> None:
    """What always lay there is moved aside, and a card laid in its place."""
    found = [*[Frame()] * 20, *[Frame([UP])] * 10]
    view = last([*found, *[ARM] * 3, *[Frame([seen("JD", 300, 300)])] * 5])

    assert not last(found).cards[0].came
    assert [(name_of(one), one.came) for one in view.cards] == [("JD", True)]


def test_a_card_exchanged_without_an_arm_is_nobodys() -> None:
    """How the one before came there does not tell who exchanged it."""
    south = {"south": 0.2, "moved": (640.0, 360.0)}
    way = [Frame([seen("TD", 640, 660 - 60 * step)], **south) for step in range(6)]
    lies = [Frame([seen("TD", 640, 360)])] * 45
    moved = Frame((), moved=(640, 360))
    view = last([*way, *lies, *[moved] * 3, *[Frame([seen("JD", 640, 360)])] * 4])

    assert [(name_of(one), one.from_south) for one in view.cards] == [("JD", pytest.approx(0.5, abs=0.1))]


def test_a_card_that_is_not_seen_is_not_exchanged() -> None:
    """What was read of it while another covered it in part is no other card because a hand covers both."""
    old, top, spoilt = seen("QC", 600, 320), seen("AC", 570, 244), seen("KD", 600, 320, sure=0.85)
    hand = Frame((), south=0.2, moved=(600, 320))
    covered = [*[Frame([old])] * 12, *[hand] * 3, *[Frame([top])] * 3, *[Frame([top, spoilt])] * 5]
    cards = last([*covered, *[hand] * 10]).cards

    assert [(one.phase, name_of(one)) for one in cards] == [(Phase.HIDDEN, "QC"), (Phase.HIDDEN, "AC")]


@pytest.mark.parametrize(
    ("fading", "after", "exchanged"), [(8, 6, True), (8, 3, False), (14, 10, False), (3, 4, True)]
)
def test_what_was_taken_away_fades_from_a_dim_picture(fading: int, after: int, exchanged: bool) -> None:
    """Tenths of a second for which it is still read; then more frames must agree on the other card.

    What looks like itself for longer is a card that is misread afterwards. Between the two the picture
    is a mixture, in which neither is clear.
    """
    jack = seen("JD", 300, 300)
    mixture = Frame([seen("JD", 300, 300, sure=0.04)])
    frames = [*[Frame([UP])] * 12, *[ARM] * 3, *[Frame([UP])] * fading, Frame([jack]), mixture]

    tracks = {track for track, _ in lying([*frames, *[Frame([jack])] * after])}

    assert (1 not in tracks) is exchanged
