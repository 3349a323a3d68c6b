"""What the tracker makes of readings: one small scene each."""

from __future__ import annotations

import numpy as np
import pytest
from scenes import Frame, last, name_of, seen, watch

from companion.table.observation import Phase


def test_a_card_that_does_not_move_is_still() -> None:
    """Two frames of the same place make a card STILL since the first of them."""
    (card,) = last([Frame([seen("KH", 600, 360)])] * 4).cards

    assert (card.phase, card.since, name_of(card)) == (Phase.STILL, 0.0, "KH")


def test_a_card_that_moves_is_not_still() -> None:
    """A card that is pushed over the table stays one MOVING track."""
    views = list(watch([Frame([seen("KH", 600, 600 - 40 * n)]) for n in range(6)]))

    assert {card.phase for view in views for card in view.cards} == {Phase.MOVING}
    assert {card.track for view in views for card in view.cards} == {1}


@pytest.mark.parametrize("fps", [8.0, 15.0, 30.0])
def test_a_card_pushed_slowly_comes_to_rest_when_it_stops_at_any_frame_rate(fps: float) -> None:
    """In a second it goes two and a half card widths, a few pixels from frame to frame of a fast camera."""
    pushed = [Frame([seen("KH", 600, 600 - 240 * number / fps)]) for number in range(int(fps))]
    stopped = len(pushed) / fps
    views = list(watch([*pushed, *[Frame([seen("KH", 600, 360)])] * int(fps)], fps))

    assert {card.phase for view in views if view.time < stopped for card in view.cards} == {Phase.MOVING}
    (card,) = views[-1].cards
    assert card.phase is Phase.STILL
    assert abs(card.since - stopped) <= max(0.07, 1.1 / fps)


@pytest.mark.parametrize("fps", [8.0, 15.0, 30.0])
def test_a_still_card_that_is_pushed_away_slowly_moves_at_any_frame_rate(fps: float) -> None:
    """It is not taken to lie still wherever it is."""
    still = [Frame([seen("KH", 600, 600)])] * int(fps)
    pushed = [Frame([seen("KH", 600, 600 - 240 * number / fps)]) for number in range(int(fps))]
    views = list(watch([*still, *pushed], fps))

    assert Phase.STILL not in {card.phase for view in views[-int(fps / 4) :] for card in view.cards}


def test_one_frame_of_a_phantom_is_forgotten() -> None:
    """What only one frame shows never lies still and is never reported gone."""
    views = list(watch([Frame([seen("KH", 600, 360)]), *[Frame()] * 20]))

    assert all(card.phase is Phase.MOVING for view in views for card in view.cards)
    assert not views[-1].cards


@pytest.mark.parametrize(("south", "north", "low", "high"), [(0.2, 0, 0.9, 1.0), (0, 0.2, 0.0, 0.1)])
def test_the_arm_tells_who_brought_a_card(south: float, north: float, low: float, high: float) -> None:
    """A card laid while an arm reaches in from one side came from there."""
    frames = [Frame([seen("KH", 640, 360)], south, north, (640, 360))] * 3 + [
        Frame([seen("KH", 640, 360)])
    ] * 3

    assert low <= last(frames).cards[0].from_south <= high


def test_without_an_arm_nobody_is_suspected() -> None:
    """A card in the middle that just appears could come from either side."""
    assert last([Frame([seen("KH", 640, 360)])] * 5).cards[0].from_south == pytest.approx(0.5, abs=0.05)


def test_a_hand_over_a_card_hides_it() -> None:
    """A card under an arm is HIDDEN, and is the same track when the arm is gone."""
    card = seen("KH", 600, 360)
    frames = [Frame([card])] * 5 + [Frame((), south=0.2, moved=(600, 360))] * 8
    hidden = last(frames).cards[0]
    back = last([*frames, *[Frame([card])] * 5]).cards[0]

    assert hidden.phase is Phase.HIDDEN
    assert (back.phase, back.track) == (Phase.STILL, hidden.track)


def test_a_card_taken_away_is_gone_once() -> None:
    """When the place is in clear view without its card, the track is GONE in exactly one view."""
    card = seen("KH", 600, 360)
    frames = [*[Frame([card])] * 5, *[Frame((), south=0.2, moved=(600, 360))] * 5, *[Frame()] * 15]
    gone = [one for view in watch(frames) for one in view.cards if one.phase is Phase.GONE]

    assert len(gone) == 1


@pytest.mark.parametrize(("below", "phase"), [(38, Phase.GONE), (32, Phase.HIDDEN)])
def test_a_card_taken_away_that_a_moved_camera_shows_in_part_is_gone(below: int, phase: Phase) -> None:
    """The camera was turned, and cuts a pile off: that it is taken is seen if most of its place is."""
    moved = (640, 560)
    lay = [Frame([seen("AC", 640, 560)], below=below)] * 8
    taken = [*[Frame([], moved=moved, below=below)] * 5, *[Frame([], below=below)] * 20]

    views = list(watch([*lay, *taken]))
    phases = [card.phase for view in views for card in view.cards]

    assert phases[-1] is phase


def test_a_card_missed_for_a_moment_stays() -> None:
    """One frame in which the detector misses a card changes nothing."""
    card = seen("KH", 600, 360)
    views = list(watch([*[Frame([card])] * 5, Frame(), *[Frame([card])] * 5]))

    assert all(one.phase is not Phase.GONE for view in views for one in view.cards)
    assert {one.track for view in views for one in view.cards} == {1}


@pytest.mark.parametrize(("moved", "tracks"), [(None, 1), ((600, 360), 2)])
def test_a_card_out_of_sight_is_gone_only_if_something_moved(
    moved: tuple[float, float] | None, tracks: int
) -> None:
    """A detector loses a card for seconds; nobody takes one without moving it."""
    card = seen("KH", 600, 360)
    frames = [*[Frame([card])] * 6, Frame(moved=moved), *[Frame()] * 25, *[Frame([card])] * 5]
    views = list(watch(frames))

    assert len({one.track for view in views for one in view.cards}) == tracks
    assert (views[25].cards[0].phase if views[25].cards else None) == (Phase.HIDDEN if tracks == 1 else None)
    assert views[-1].cards[0].phase is Phase.STILL


@pytest.mark.parametrize(
    ("name", "x", "unseen", "same"),
    [
        ("KH", 602, 20, True),
        ("KH", 612, 20, True),
        ("KH", 640, 20, False),
        ("QH", 602, 20, False),
        ("KH", 602, 50, False),
    ],
)
def test_a_card_found_again_where_it_lay_is_the_same(name: str, x: float, unseen: int, same: bool) -> None:
    """Under hands the detector lost it; at another place, as another card or much later it is a new one."""
    hands = [Frame(moved=(600, 360))] * 8
    frames = [*[Frame([seen("KH", 600, 360)])] * 6, *hands, *[Frame()] * (unseen - 8)]
    views = list(watch([*frames, *[Frame([seen(name, x, 360)])] * 5]))

    assert any(one.phase is Phase.GONE for view in views for one in view.cards)
    assert [(one.track == 1, one.phase) for one in views[-1].cards] == [(same, Phase.STILL)]


def test_a_card_that_is_lifted_keeps_the_name_by_which_it_lay() -> None:
    """In the hand that gathers it, it is blurred and read as another."""
    hand = {"south": 0.2, "moved": (630, 340)}
    lifted = [Frame([seen("QC", 600 + 10 * at, 360 - 10 * at, sure=0.5)], **hand) for at in range(1, 6)]
    views = list(watch([*[Frame([seen("QD", 600, 360)])] * 12, *lifted, *[Frame(**hand)] * 12]))

    assert {name_of(one) for view in views for one in view.cards if one.track == 1} == {"QD"}
    assert any(one.phase is Phase.MOVING for one in views[15].cards)


def test_a_card_laid_beside_one_that_is_lifted_is_a_new_track() -> None:
    """Where a lifted card was last seen another comes to lie: that is read for itself."""
    hand = {"south": 0.2, "moved": (630, 340)}
    lifted = [Frame([seen("QD", 600 + 10 * at, 360 - 10 * at)], **hand) for at in range(1, 6)]
    new = seen("AS", 650, 310)
    views = list(watch([*[Frame([seen("QD", 600, 360)])] * 12, *lifted, *[Frame([new])] * 8]))

    assert any(one.phase is Phase.MOVING for one in views[15].cards)
    assert [name_of(one) for one in views[-1].cards] == ["AS"]
    assert views[-1].cards[0].track > 1
    assert {name_of(one) for view in views for one in view.cards if one.track == 1} == {"QD"}


def test_a_frame_that_was_skipped_repeats_the_one_before() -> None:
    """Without a fresh look a card goes on lying, however long that takes."""
    card = seen("KH", 600, 360)
    view = last([*[Frame([card])] * 3, *[Frame((), fresh=False)] * 40])

    assert view.cards[0].phase is Phase.STILL
    assert view.cards[0].last_seen == pytest.approx(view.time)


def test_two_boxes_on_one_card_are_one_card() -> None:
    """Of double boxes the surer one counts."""
    view = last([Frame([seen("KH", 600, 360), seen("QH", 603, 362, score=0.5)])] * 5)

    assert [name_of(card) for card in view.cards] == ["KH"]


def test_a_misread_frame_does_not_rename_a_card() -> None:
    """One frame against many is a misreading."""
    right, wrong = Frame([seen("KH", 600, 360)]), Frame([seen("9S", 600, 360, sure=0.99)])
    (card,) = last([right, right, right, wrong, right, right]).cards

    assert name_of(card) == "KH"
    assert float(np.exp(card.log_probs).sum()) == pytest.approx(1.0, abs=1e-4)


def test_frames_of_one_card_never_make_it_certain() -> None:
    """However long a card lies, another one stays possible: a misreading may last."""
    (card,) = last([Frame([seen("KH", 600, 360, sure=0.999)])] * 200).cards

    assert float(np.sort(card.log_probs)[-2]) > -9.0


def test_a_card_exchanged_under_a_hand_is_a_new_track() -> None:
    """After an arm was over the place and another face lies there, the old card is GONE."""
    old, new = seen("TD", 300, 300), seen("JD", 300, 300)
    arm = Frame((), south=0.2, moved=(300, 300))
    views = list(watch([*[Frame([old])] * 6, *[arm] * 6, *[Frame([new])] * 6]))
    gone = [name_of(one) for view in views for one in view.cards if one.phase is Phase.GONE]

    assert gone == ["TD"]
    assert [name_of(one) for one in views[-1].cards] == ["JD"]
    assert views[-1].cards[0].track > views[0].cards[0].track
    (old,) = (one for view in views for one in view.cards if one.phase is Phase.GONE)
    first, began = views[-1].cards[0], pytest.approx(1.2)
    assert (first.first_seen, first.since, old.since, old.last_seen) == (
        began,
        began,
        began,
        pytest.approx(0.5),
    )
    exchanged = [one for view in views for one in view.cards if one.track == first.track]
    assert all(one.from_south > 0.9 for one in exchanged)


def test_the_lead_after_a_trick_gathered_unseen_is_a_new_track() -> None:
    """The answer that lay on the last lead is gone too, so it does not explain what is read there now."""
    led, answer = seen("JD", 600, 320), seen("KS", 690, 397)
    trick = [*[Frame([led])] * 12, *[Frame([led, answer])] * 6]
    unseen = [Frame((), south=0.2, moved=(600, 320))] * 20
    views = list(watch([*trick, *unseen, *[Frame([seen("TS", 612, 320)])] * 6]))
    lying = [name_of(one) for one in views[-1].cards if one.phase is Phase.STILL]

    assert "JD" in {name_of(one) for view in views for one in view.cards if one.phase is Phase.GONE}
    assert lying == ["TS"]


@pytest.mark.parametrize(("sure", "name"), [(0.97, "KD"), (0.85, "QC")])
def test_a_card_laid_where_one_lay_that_another_covers_is_a_new_one(sure: float, name: str) -> None:
    """The card on top explains doubtful readings of what it covers in part, not clear ones of a third."""
    old, top, new = seen("QC", 600, 320), seen("AC", 570, 244), seen("KD", 600, 320, sure=sure)
    arm = [Frame((), south=0.2, moved=(600, 320))] * 3
    covered = [*[Frame([old])] * 12, *arm, *[Frame([top])] * 10]
    view = last([*covered, *[Frame([top], south=0.2, moved=(600, 320))] * 3, *[Frame([top, new])] * 8])

    assert {name_of(one) for one in view.cards if one.phase is Phase.STILL} == {"AC", name}


def test_the_turn_up_taken_off_the_stock_uncovers_that() -> None:
    """What lies beside it from then on, half under it, makes no back of a face: a new card is seen there."""
    upon, out, stock = seen("TD", 600, 360), seen("TD", 645, 372), seen("back", 600, 360, sure=0.85)
    arm = [Frame((), south=0.2, moved=(630, 360))] * 6
    leaves = [Frame([out], south=0.2, moved=(560, 360))] * 5
    views = list(watch([*[Frame([upon])] * 12, *arm, *leaves, *[Frame([out, stock])] * 20]))

    assert {name_of(one) for one in views[-1].cards if one.phase is Phase.STILL} == {"TD", "back"}
    assert "TD" in {name_of(one) for view in views for one in view.cards if one.phase is Phase.GONE}


def test_a_back_that_passes_by_is_not_the_face_that_a_hand_hides() -> None:
    """A closed stock is pushed past where the turn-up lay: the turn-up is not seen again for that."""
    face = Frame([seen("TD", 300, 300)])
    arm = Frame((), south=0.2, moved=(300, 300))
    passes = [Frame([seen("back", 310, 300 + 9 * at)], south=0.2, moved=(310, 310)) for at in range(12)]
    views = list(watch([*[face] * 12, *[arm] * 6, *passes]))
    after = [one for view in views[12:] for one in view.cards if name_of(one) == "TD"]

    assert after
    assert all(one.phase is not Phase.STILL for one in after)


def test_a_card_in_full_view_is_not_explained_by_what_lay_on_it_before() -> None:
    """The old turn-up, drawn out over the card that takes its place, is gone: a new card lies there."""
    old, new, on_its_way = (seen(name, 300, y) for name, y in (("TD", 300), ("JD", 300), ("JD", 368)))
    arm = Frame((), south=0.2, moved=(300, 330))
    comes = [Frame([old, on_its_way], south=0.2, moved=(300, 368)), *[arm] * 4]
    leaves = Frame([new, seen("TD", 300, 368)], south=0.2, moved=(300, 330))
    views = list(watch([*[Frame([old])] * 12, *comes, leaves, *[Frame([new], south=0.2)] * 12]))
    still = [one for one in views[-1].cards if one.phase is Phase.STILL]

    assert [name_of(one) for one in still] == ["JD"]
    assert still[0].track > views[0].cards[0].track


@pytest.mark.parametrize("covered", [0, 4])
def test_a_card_brought_while_nobody_looked_is_nobodys(covered: int) -> None:
    """The arm that reaches in when it is first seen has brought another card."""
    led, other = seen("AD", 600, 320), seen("AH", 606, 320)
    lying = [Frame([led])] * 12
    answered = [Frame([other], south=0.2, moved=(900, 600)) for _ in range(8)]
    first = Frame([other] if not covered else [], south=0.2, unwatched=5.0)
    hidden = [Frame([], south=0.2, moved=(606, 320))] * covered
    views = list(watch([*lying, first, *hidden, *answered]))

    assert [(name_of(one), one.from_south) for one in views[-1].cards] == [("AH", 0.5)]
    assert {one.from_south for view in views for one in view.cards if one.track > 1} == {0.5}


def test_a_card_that_nobody_touches_is_not_exchanged() -> None:
    """Readings that change their mind without any motion there are still the same card."""
    views = list(watch([*[Frame([seen("TD", 300, 300)])] * 20, *[Frame([seen("AD", 300, 300)])] * 20]))

    assert {one.track for view in views for one in view.cards} == {1}


def test_a_card_misread_as_it_comes_to_lie_is_one_card() -> None:
    """The hand that laid it is gone when it is read right, so nothing has taken its place."""
    laid = [Frame([seen("TD", 300, 300)], south=0.2, moved=(300, 300))] * 3
    misread = [Frame([seen("AC", 300, 300)])] * 3
    views = list(watch([*laid, *misread, *[Frame([seen("TD", 300, 300)])] * 12]))

    assert {one.track for view in views for one in view.cards} == {1}
    assert name_of(views[-1].cards[0]) == "TD"


def test_a_card_thrown_on_another_covers_it() -> None:
    """The later card names the earlier one as covered, and hides it rather than removes it."""
    led, answer = seen("KH", 600, 360), seen("AH", 650, 380)
    both = [Frame([led])] * 4 + [Frame([led, answer])] * 4
    view = last(both)
    under = last([*both, *[Frame([answer])] * 12])

    assert [card.covers for card in view.cards] == [(), (1,)]
    assert [card.phase for card in under.cards] == [Phase.HIDDEN, Phase.STILL]


@pytest.mark.parametrize(("bare", "phases"), [(1, [Phase.HIDDEN] * 3), (2, [Phase.HIDDEN] * 3), (3, [])])
def test_a_card_that_had_been_taken_does_not_lie_under_the_next(bare: int, phases: list[Phase]) -> None:
    """An arm was there all the time, but its place was seen without it before another card came."""
    led, other = seen("KH", 600, 360), seen("AH", 640, 400)
    taking = [Frame((), south=0.2, moved=(600, 360))] * 4
    lying = [*[Frame([led])] * 8, *taking, *[Frame((), south=0.2)] * bare]
    views = list(watch([*lying, Frame((), south=0.2, moved=(600, 360)), *[Frame([other])] * 6]))

    assert [one.phase for view in views[-3:] for one in view.cards if one.track == 1] == phases


def test_the_same_readings_give_the_same_views() -> None:
    """Tracking is deterministic."""
    frames = [Frame([seen("KH", 600 + n % 3, 360), seen("back", 200, 200 + n % 2)]) for n in range(30)]
    one, two = list(watch(frames)), list(watch(frames))

    assert [[(c.track, c.phase, c.since) for c in v.cards] for v in one] == [
        [(c.track, c.phase, c.since) for c in v.cards] for v in two
    ]


def test_a_card_comes_where_something_moved_and_a_thing_does_not() -> None:
    """What appears in a place where nothing has moved was always there, only not recognised."""
    still = [Frame()] * 30
    brought = [*still, Frame((), moved=(600, 360)), *[Frame([seen("KH", 600, 360)])] * 5]
    found = [*still, *[Frame([seen("KH", 600, 360)])] * 5]

    assert [card.came for card in last(brought).cards] == [True]
    assert [card.came for card in last(found).cards] == [False]


@pytest.mark.parametrize(("begins", "came"), [(0, True), (3, True), (10, False)])
def test_what_is_found_late_where_nothing_moved_has_always_lain_there(begins: int, came: bool) -> None:
    """What the first frames show may have been laid right before them; a thing found later was not."""
    frames = [Frame()] * begins + [Frame([seen("KH", 600, 360)])] * 5

    assert last(frames).cards[0].came is came


def test_a_repeated_reading_brings_no_moving_card_to_rest() -> None:
    """A frame that could not be read tells the cards of the one before: what moves may be anywhere by now."""
    card = Frame([seen("KH", 600, 360)], moved=(600, 360))
    again = Frame([seen("KH", 600, 360)], moved=(600, 360), fresh=False)
    still = Frame([seen("KH", 600, 360)], fresh=False)

    assert last([card, *[again] * 4]).cards[0].phase is Phase.MOVING
    assert last([card, *[still] * 4]).cards[0].phase is Phase.STILL


def test_clarity_is_that_of_each_frame() -> None:
    """Doubtful frames that agree name a card more surely than each alone; its clarity stays theirs."""
    (doubtful,) = last([Frame([seen("KH", 600, 360, sure=0.5)])] * 15).cards
    (clear,) = last([Frame([seen("KH", 600, 360, sure=0.95)])] * 15).cards

    assert float(doubtful.log_probs.max()) > np.log(0.9)
    assert doubtful.clarity == pytest.approx(np.log(0.5), abs=0.05)
    assert clear.clarity == pytest.approx(np.log(0.95), abs=0.05)
