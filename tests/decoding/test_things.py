"""Things that a detector takes for a card at times: a score sheet beside an arm looks like an ace."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from further import further
from trial import at_a_live_table, played

from companion.decoding.decoder import Decoder
from companion.decoding.evidence import TurnedUp
from companion.decoding.likelihood import Sight
from companion.decoding.watcher import Watcher
from companion.rules.cards import PACK_24, Card
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.detection import BACK, CLASSES, Detection, Motion, Reading
from companion.table.entry import Asked
from companion.table.observation import Phase
from companion.table.quad import covered
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import CELLS, HEIGHT, WIDTH, Show, quad, readings, stage
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
ACE = PACK_24.index(Card.parse("AS"))
KING = PACK_24.index(Card.parse("KH"))


@pytest.mark.parametrize("seed", [1000, 1001, *further(1002, 1004, 1008)])
def test_things_that_look_like_a_card_change_nothing(seed: int) -> None:
    """Whether a thing is taken for an ace before the deal, between two tricks or in the middle of one."""
    outcome, _ = played(seed, "things")

    assert (outcome.kind, outcome.questions) == ("exact", 0)


def sight(each: float, *, lay_s: float, came: bool = True) -> Sight:
    """What is known of a track that four frames take for the ace of spades with this probability."""
    log_p = np.full(len(CLASSES), np.log(1e-3))
    log_p[ACE] = np.log(0.9)
    return Sight(tuple(log_p), 0.0, lay_s, Phase.STILL, 0.5, came, float(np.log(each)))


def test_what_each_frame_reads_unclearly_may_be_a_thing() -> None:
    """Frames that agree on a doubtful ace are no more proof of a card than one of them; clear ones are."""
    doubtful, clear = sight(0.5, lay_s=3.0), sight(0.95, lay_s=3.0)

    assert doubtful.noise >= doubtful.log_p[ACE] > clear.noise + 8.0


def test_the_longer_a_clear_card_lies_the_less_it_is_nothing() -> None:
    """A glimpse may be nothing even where it is clear."""
    assert sight(0.95, lay_s=0.0).noise > sight(0.95, lay_s=1.0).noise > sight(0.95, lay_s=2.0).noise


def seen(index: int, corners: np.ndarray, time: float, sure: float) -> Detection:
    """A detection that names a card with this probability."""
    probs = np.full(len(CLASSES), (1.0 - sure) / (len(CLASSES) - 1), np.float32)
    probs[index] = sure
    return Detection(corners.astype(np.float32), probs, 0.8, time)


def test_a_thing_found_late_where_nothing_moved_is_not_dealt() -> None:
    """A score sheet looks like an ace a second after the first frame, for long enough to be a turn-up."""
    tracker, watcher, dealt = Tracker(), Watcher(), []
    for number in range(60):
        time, cards = number / 10, []
        moved = np.zeros(CELLS, bool)
        if 1.0 <= time < 3.5:
            cards.append(seen(ACE, quad(120, 300, 5), time, 0.8))
        if time >= 4.0:
            cards += [seen(KING, quad(900, 360, 90), time, 0.95), seen(BACK, quad(975, 360, 0), time, 0.95)]
            moved[:, 50:66] = time < 4.3
        view = tracker.update(Reading(time, (WIDTH, HEIGHT), tuple(cards), Motion(moved, 0.0, 0.0)))
        new = [one for one in watcher.update(view) if isinstance(one, TurnedUp)]
        if new:
            watcher.dealt(anew=True)
        dealt.extend(new)

    assert [watcher.sights[one.track].best for one in dealt] == [KING]


def test_a_phone_that_was_typed_on_does_not_keep_the_next_hand_from_being_dealt() -> None:
    """It came to look like a card before the table was bare, and lies there still."""
    tracker, watcher, dealt = Tracker(), Watcher(), []
    for number in range(60):
        time, cards = number / 10, []
        moved = np.zeros(CELLS, bool)
        moved[:, :20] = time < 1.0
        if time >= 0.8:
            cards.append(seen(ACE, quad(150, 500, 5), time, 0.55))
        if number == 20:
            watcher.await_deal(time)
        if time >= 4.0:
            cards += [seen(KING, quad(900, 360, 90), time, 0.95), seen(BACK, quad(975, 360, 0), time, 0.95)]
            moved[:, 50:66] = time < 4.3
        view = tracker.update(Reading(time, (WIDTH, HEIGHT), tuple(cards), Motion(moved, 0.0, 0.0)))
        found = [one for one in watcher.update(view) if isinstance(one, TurnedUp) and number > 20]
        if found:
            watcher.dealt(anew=True)
        dealt += found

    assert [watcher.sights[one.track].best for one in dealt] == [KING]


def test_a_hand_far_from_the_edge_is_no_stock_while_the_other_is_dealt() -> None:
    """A camera that sees a wide table: the turn-up lies there before its stock, beside one hand, then two."""
    tracker, watcher, found = Tracker(), Watcher(), []
    for number in range(100):
        time, cards = number / 10, []
        moved = np.zeros(CELLS, bool)
        for index, begins, (x, y, turn) in (
            (BACK, 1.0, (640, 460, 5)),
            (KING, 3.0, (250, 360, 90)),
            (BACK, 4.5, (690, 220, -5)),
            (BACK, 8.0, (325, 360, 0)),
        ):
            if time >= begins:
                cards.append(seen(index, quad(x, y, turn), time, 0.95))
                moved |= begins <= time < begins + 0.2
        view = tracker.update(Reading(time, (WIDTH, HEIGHT), tuple(cards), Motion(moved, 0.0, 0.0)))
        found += [type(one) for one in watcher.update(view)]
        if found:
            break

    assert found == [TurnedUp]


def test_a_score_sheet_half_under_a_hand_that_is_dealt_is_no_turn_up() -> None:
    """What is left of it looks a little like an ace, beside that back; then trumps are turned up."""
    tracker, watcher, found = Tracker(), Watcher(), []
    for number in range(100):
        time, cards = number / 10, []
        moved = np.zeros(CELLS, bool)
        for index, begins, (x, y, turn), sure in (
            (BACK, 1.0, (640, 170, 5), 0.95),
            (ACE, 1.2, (730, 140, 5), 0.6),
            (KING, 4.0, (250, 360, 90), 0.95),
            (BACK, 8.0, (325, 360, 0), 0.95),
        ):
            if time >= begins:
                cards.append(seen(index, quad(x, y, turn), time, sure))
                moved |= begins <= time < begins + 0.2
        view = tracker.update(Reading(time, (WIDTH, HEIGHT), tuple(cards), Motion(moved, 0.0, 0.0)))
        found += [one for one in watcher.update(view) if isinstance(one, TurnedUp)]
        if found:
            break

    assert [watcher.sights[one.track].best for one in found] == [KING]


def with_the_page_on_a_phone(show: Show) -> Iterator[Reading]:
    """Readings of a show beside which a phone lies: a second after it was laid, each lead is seen there."""
    plays = [(at, event.card) for at, event in show.events[0] if isinstance(event, CardPlayed)]
    taken = [item for item in show.items if item.index < BACK]
    for reading in readings(show, seed=1):
        for at, card in plays[::2]:
            item = next(one for one in taken if PACK_24[one.index] == card and one.end > at)
            if at + 1.0 <= reading.time < item.end + 1.0:
                there = seen(PACK_24.index(card), quad(80, 620, 3), reading.time, 0.95)
                motion = reading.motion
                if reading.time < at + 1.3:
                    moved = motion.moved.copy()
                    moved[33:, :10] = True
                    motion = replace(motion, moved=moved)
                reading = replace(reading, detections=(*reading.detections, there), motion=motion)
        yield reading


@pytest.mark.parametrize("seed", [1, 2, *further(3, 4)])
def test_the_page_on_a_phone_that_shows_the_lead_is_no_play(seed: int) -> None:
    """A card lies there once: what is seen of it at another place while it lies there is its picture."""
    show = stage(RULES, seed)
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(with_the_page_on_a_phone(show))
    (record,) = decoder.records

    assert [Dealt(record.dealer, record.turned_up), *record.events] == [event for _, event in show.events[0]]
    assert not [one for one in entries if isinstance(one, Asked)]


def with_a_phone(show: Show, seed: int, taken: float = np.inf) -> Iterator[Reading]:
    """Readings of a show beside which a phone lies: one half of it is told as a card, the other as a back.

    Somebody types on it at `taken`, and then it looks like another card.
    """
    cards = [item.corners for item in show.items]
    places = np.random.default_rng(seed).uniform((80, 90), (WIDTH - 180, HEIGHT - 90), (500, 2))
    pairs = [(quad(x, y, 0), quad(x + 98, y, 0)) for x, y in places]
    face, back = next(
        pair for pair in pairs if not any(covered(half, card) > 0.02 for half in pair for card in cards)
    )
    for reading in readings(show, seed=seed):
        card = ACE if reading.time < taken else KING
        halves = seen(card, face, reading.time, 0.6), seen(BACK, back, reading.time, 0.9)
        motion = reading.motion
        if taken <= reading.time < taken + 1.2:
            moved = motion.moved.copy()
            for half in (face, back):
                left, top = (half.min(axis=0) / 16).astype(int)
                right, bottom = (half.max(axis=0) / 16).astype(int) + 1
                moved[max(0, top) : bottom, max(0, left) : right] = True
            motion, halves = replace(motion, moved=moved), ()
        yield replace(reading, detections=(*reading.detections, *halves), motion=motion)


@pytest.mark.parametrize("seed", [1, 2, *further(3, 4)])
def test_a_phone_that_looks_like_turn_up_and_stock_is_not_dealt(seed: int) -> None:
    """It lay there before anything was dealt, and is not read as clearly as a card."""
    show = stage(RULES, seed)
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(with_a_phone(show, seed))
    (record,) = decoder.records

    assert [Dealt(record.dealer, record.turned_up), *record.events] == [event for _, event in show.events[0]]
    assert not [one for one in entries if isinstance(one, Asked)]


@pytest.mark.parametrize("seed", [1, 2, *further(3, 4)])
def test_a_phone_that_somebody_types_on_after_the_hand_is_no_next_deal(seed: int) -> None:
    """Under the hand it was lost, and looks like a card that has just come beside a stock."""
    show = stage(RULES, seed)
    show.end += 6.0
    decoder = Decoder(RULES)
    Spectator(show, decoder).watch(with_a_phone(show, seed, taken=show.end - 5.0))

    assert len(decoder.records) == 1


def with_a_box(show: Show, shown: float) -> Iterator[Reading]:
    """Readings of a show beside which a box lies that looks like a back; cards are shown from `shown` on."""
    cards = [item.corners for item in show.items]
    places = [quad(x, y, 0) for y in (300, 360, 420) for x in range(80, WIDTH - 80, 20)]
    box = next(place for place in places if not any(covered(place, card) > 0.02 for card in cards))
    far = WIDTH - 200 if box[:, 0].mean() < WIDTH / 2 else 200
    for reading in readings(show, seed=1):
        there = [seen(BACK, box, reading.time, 0.9)]
        if reading.time >= shown:
            there += [seen(at, quad(far + 110 * at, 360, 0), reading.time, 0.95) for at in (0, 1)]
        yield replace(reading, detections=(*reading.detections, *there))


@pytest.mark.parametrize("seed", [1, 2, *further(3, 4)])
def test_a_box_like_a_back_is_no_stock_of_a_next_hand(seed: int) -> None:
    """It has lain there all day; the cards that are looked at after the hand are nothing."""
    show = stage(RULES, seed)
    show.end += 8.0
    decoder = Decoder(RULES)
    Spectator(show, decoder).watch(with_a_box(show, show.end - 7.0))

    assert len(decoder.records) == 1


def with_a_close_before_the_claim(swept_s: float) -> tuple[Show, int]:
    """A hand in which the stock is closed and 66 claimed at once, and the table swept so much later."""
    for seed in range(2000):
        show = stage(RULES, seed, errs=True)
        events = [event for _, event in show.events[0]]
        if isinstance(events[-1], Claimed) and isinstance(events[-2], Closed):
            (claimed, _), (closed, _) = show.events[0][-1], show.events[0][-2]
            assert claimed - closed < 1.0
            for item in show.items:
                item.end = min(item.end, claimed + swept_s)
            return show, seed
    raise AssertionError("nobody closes and claims")


@pytest.mark.parametrize(("swept_s", "asked"), [(0.7, True), (1.2, False)])
def test_a_close_right_before_a_claim_is_not_passed_over(swept_s: float, asked: bool) -> None:
    """The claim comes before the turn-up is known to be turned down; the award depends on it."""
    show, seed = with_a_close_before_the_claim(swept_s)
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(readings(show, seed=seed))
    close = show.events[0][-2][1]
    (record,) = decoder.records
    offered = {option for one in entries if isinstance(one, Asked) for option in one.options}

    assert (close in offered, close in record.events) == (asked, True)
    assert [event for event in record.events if isinstance(event, CardPlayed)] == [
        event for _, event in show.events[0] if isinstance(event, CardPlayed)
    ]
    assert Dealt(record.dealer, record.turned_up) == show.events[0][0][1]


def test_a_close_right_before_a_claim_is_put_in_before_it() -> None:
    """Whoever answers that the stock was closed changes what the hand pays, after its end."""
    show, seed = with_a_close_before_the_claim(0.7)
    standing, phone = at_a_live_table(show, readings(show, seed=seed))

    assert [entry.event for hand in standing.hands for entry in hand.events] == [
        event for _, event in show.events[0]
    ]
    assert phone.answered == 1
    assert not phone.refused


def with_a_marriage_before_the_claim() -> tuple[Show, int]:
    """A hand in which king and queen come to lie just when 66 is claimed with them."""
    for seed in range(2000):
        show = stage(RULES, seed, errs=True)
        events = [event for _, event in show.events[0]]
        if isinstance(events[-1], Claimed) and isinstance(events[-2], MarriageDeclared):
            shown, _ = show.events[0][-2]
            show.events[0][-1] = (shown - 0.15, events[-1])
            show.taps[-1] = (shown - 0.15, events[-1])
            return show, seed
    raise AssertionError("nobody shows a marriage and claims")


def test_a_marriage_right_before_a_claim_is_not_passed_over() -> None:
    """Both cards come to lie before the claim and are told after it: without them it would be wrong."""
    show, seed = with_a_marriage_before_the_claim()
    standing, phone = at_a_live_table(show, readings(show, seed=seed))

    assert [entry.event for hand in standing.hands for entry in hand.events] == [
        event for _, event in show.events[0]
    ]
    assert phone.answered <= 1
    assert not phone.refused
