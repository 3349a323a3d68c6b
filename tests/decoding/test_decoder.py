"""Whole hands through tracker and decoder, played by puppets with a detector good or bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from further import further
from puppets import WIDTH, Item, Noise, Show, Stage, quad, random_hand, readings, stage
from scripted_table import dealt_and, view_at

from companion.decoding.decoder import Decoder
from companion.rules.cards import PACK_20, PACK_24, Card, Player
from companion.rules.events import CardPlayed, Claimed, Dealt, Event, Exchanged, GivenUp
from companion.rules.hand import apply, deal
from companion.rules.ruleset import preset
from companion.table.detection import BACK, UNKNOWN, Detection, Reading
from companion.table.entry import Asked, Entry, Retracted, Settled
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import short_side
from companion.tracking.tracker import Tracker
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
NOISY = Noise(misses=0.10, misreads=0.03, phantoms=0.01)
UNSEEN_EXCHANGES = (37, 245, 356)
BAD = Noise(misses=0.20, misreads=0.05, phantoms=0.02, dropped=0.10, doubles=0.02)


def decode(
    frames: Sequence[Reading], show: Show, decoder: Decoder | None = None
) -> tuple[Decoder, list[Entry]]:
    """Run readings and taps through a new tracker and a decoder to the end."""
    decoder = decoder or Decoder(RULES)
    return decoder, Spectator(show, decoder).watch(frames)


def told(show: Show) -> list[list[Event]]:
    """The hands as they were played."""
    return [[event for _, event in hand] for hand in show.events]


def recorded(decoder: Decoder) -> list[list[Event]]:
    """The hands as they were written down."""
    return [[Dealt(one.dealer, one.turned_up), *one.events] for one in decoder.records]


@pytest.mark.parametrize("seed", [0, 1, *further(2, 3, 4, 5)])
def test_a_hand_seen_well_is_recorded_exactly(seed: int) -> None:
    """Every play with its player, every word, in order, from a detector without faults."""
    show = stage(RULES, seed)
    decoder, _ = decode(list(readings(show, seed=seed)), show)

    assert recorded(decoder) == told(show)


@pytest.mark.parametrize(
    ("noise", "seed"), [(NOISY, 6), (BAD, 9), *further((NOISY, 7), (NOISY, 8), (BAD, 10), (BAD, 11))]
)
def test_a_hand_seen_badly_is_recorded_exactly(noise: Noise, seed: int) -> None:
    """Cards missed, misread and invented in single frames do not change the record."""
    show = stage(RULES, seed)
    decoder, _ = decode(list(readings(show, noise=noise, seed=seed)), show)

    assert recorded(decoder) == told(show)


@pytest.mark.parametrize("seed", [1015, 1048, *further(1028, 1052)])
def test_what_the_table_shows_is_not_asked(seed: int) -> None:
    """Which of a pair was led, when the stock was closed, that a jack was exchanged: the table tells."""
    show = stage(RULES, seed)
    noise = replace(BAD, doubles=0.0)
    decoder, entries = decode(list(readings(show, noise=noise, seed=seed)), show)

    assert recorded(decoder) == told(show)
    assert not [entry for entry in entries if isinstance(entry, Asked)]


@pytest.mark.parametrize("seed", [13, *further(12)])
def test_every_second_frame_tells_the_same_hand(seed: int) -> None:
    """With half of the frames dropped, the same events."""
    show = stage(RULES, seed)
    frames = list(readings(show, noise=NOISY, seed=seed))
    whole, half = decode(frames, show)[0], decode(frames[::2], show)[0]

    assert recorded(half) == recorded(whole) == told(show)


def test_the_same_readings_give_the_same_log() -> None:
    """Decoding is deterministic, to the last digit."""
    show = stage(RULES, 14)
    frames = list(readings(show, noise=BAD, seed=14))

    assert decode(frames, show)[1] == decode(frames, show)[1]


def test_hands_follow_each_other() -> None:
    """A new deal after the table was cleared begins a new hand by the other dealer."""
    show = stage(RULES, 15, 3)
    decoder, _ = decode(list(readings(show, noise=NOISY, seed=15)), show)

    assert recorded(decoder) == told(show)
    assert [one.dealer for one in decoder.records] == [
        Player(n % 2 if show.events[0][0][1].dealer is Player.SOUTH else 1 - n % 2) for n in range(3)
    ]


@pytest.mark.parametrize("seed", [16, *further(17, 18)])
def test_the_log_folds_at_every_prefix(seed: int) -> None:
    """Entries are numbered without gaps, withdraw only what stands, and always make a possible hand."""
    show = stage(RULES, seed)
    decoder, entries = decode(list(readings(show, noise=BAD, seed=seed)), show)
    standing: list[Settled] = []
    for number, entry in enumerate(entries, start=1):
        assert entry.seq == number
        if isinstance(entry, Settled):
            standing.append(entry)
        elif isinstance(entry, Retracted):
            assert standing.pop().seq == entry.withdraws
        state = None
        for one in standing:
            first = isinstance(one.event, Dealt)
            state = deal(RULES, one.event.dealer, one.event.turned_up) if first else apply(state, one.event)

    assert [one.event for one in standing] == recorded(decoder)[0]
    assert all(0.0 <= one.confidence <= 1.0 for one in standing)


def test_a_play_settles_while_it_lies() -> None:
    """In a clean hand no play waits longer than the hold for a lead, and nothing is withdrawn."""
    show = stage(RULES, 0)
    tracker, decoder = Tracker(), Decoder(RULES)
    waits = []
    for reading in readings(show, seed=0):
        for entry in decoder.update(tracker.update(reading)):
            assert not isinstance(entry, Retracted)
            if isinstance(entry, Settled) and isinstance(entry.event, CardPlayed):
                waits.append(reading.time - entry.time)

    assert len(waits) >= 4
    assert sorted(waits)[len(waits) // 2] <= 0.7


def test_a_claim_nobody_tapped_is_heard_from_the_swept_table() -> None:
    """Swept in mid-hand with 66 provable: the player on lead claimed, with less confidence than a tap."""
    show = stage(RULES, 200, taps=False)
    assert isinstance(told(show)[0][-1], Claimed)
    decoder, entries = decode(list(readings(show, seed=200)), show)
    claim = next(one for one in entries if isinstance(one, Settled) and isinstance(one.event, Claimed))

    assert recorded(decoder) == told(show)
    assert claim.confidence < 1.0
    assert claim.source == "camera"


def test_a_hand_broken_off_is_asked_about() -> None:
    """When the source ends in mid-hand without 66, the hand is given up and the table asked."""
    show = stage(RULES, 0)
    cut = [reading for reading in readings(show, seed=0) if reading.time < 26.0]
    decoder, entries = decode(cut, Show(end=26.0))
    asked = [one for one in entries if isinstance(one, Asked)]

    assert [one.text for one in asked][-1:] == ["how_ended"]
    assert GivenUp() in asked[-1].options
    assert isinstance(decoder.records[0].events[-1], GivenUp)


@pytest.mark.parametrize("seed", [1, *further(2)])
@pytest.mark.parametrize("laid", [0, 1])
@pytest.mark.parametrize("known", [True, False])
def test_cards_that_were_dealt_wrong_are_dealt_again(seed: int, laid: int, known: bool) -> None:
    """Taken up before anybody has a trick: that was no hand, nothing is asked, and the same player deals."""
    theatre = Stage(RULES, seed)
    dealer = theatre.dealer
    start, events = random_hand(RULES, seed + 77, dealer)
    theatre.hand(start, events[:laid])
    theatre.hand(*random_hand(RULES, seed, dealer))
    _, right = told(theatre.show)
    decoder = Decoder(RULES, dealer=dealer if known else None)
    decoder, entries = decode(list(readings(theatre.show, seed=seed)), theatre.show, decoder)

    assert recorded(decoder) == [right]
    assert not [one for one in entries if isinstance(one, Asked)]


@pytest.mark.parametrize("known", [True, False])
def test_a_hand_of_which_nobody_saw_a_card_is_asked_about(known: bool) -> None:
    """It lay there for longer than cards that were dealt wrong do, and then the next was dealt."""
    theatre = Stage(RULES, 1)
    dealer = theatre.dealer
    start, events = random_hand(RULES, 1, dealer)
    theatre.hand(start, events)
    theatre.hand(*random_hand(RULES, 2, dealer.other))
    (dealt, _), *_, (claimed, _) = theatre.show.events[0]
    blind = (dealt + 1.2, claimed + 1.0)
    assert blind[1] - blind[0] > 20.0
    seen = [one for one in readings(theatre.show, seed=1) if not blind[0] < one.time < blind[1]]
    theatre.show.taps.pop(0)
    decoder = Decoder(RULES, dealer=dealer if known else None)
    _, entries = decode(seen, theatre.show, decoder)

    assert "how_ended" in [one.text for one in entries if isinstance(one, Asked)]


@pytest.mark.parametrize("seed", [1, *further(4)])
def test_where_another_deals_than_should_the_cards_show_it(seed: int) -> None:
    """Before a new match players may cut for the deal: who leads first tells, and it is asked about."""
    show = stage(RULES, seed)
    (right,) = told(show)
    decoder, entries = decode(
        list(readings(show, seed=seed)), show, Decoder(RULES, dealer=right[0].dealer.other)
    )

    assert recorded(decoder) == [right]
    assert {one.text for one in entries if isinstance(one, Asked)} == {"who_dealt"}


def test_a_known_dealer_is_taken_over() -> None:
    """With the dealer given, the deal settles before anybody has led."""
    show = stage(RULES, 1)
    dealer = show.events[0][0][1].dealer
    first_lead = show.events[0][1][0]
    decoder, tracker = Decoder(RULES, dealer=dealer), Tracker()
    early = [one for one in readings(show, seed=1) if one.time < first_lead - 1.0]
    entries = [entry for reading in early for entry in decoder.update(tracker.update(reading))]

    assert [entry.event for entry in entries] == [show.events[0][0][1]]


@pytest.mark.parametrize("cut", [0.55, *further(0.3, 0.8)])
def test_a_restart_in_mid_hand_loses_nothing(cut: float) -> None:
    """A new decoder that takes up the log goes on where the old one stood."""
    show = stage(RULES, 2)
    frames = list(readings(show, seed=2))
    at = int(cut * len(frames))
    tracker, before = Tracker(), Decoder(RULES)
    log = [entry for reading in frames[:at] for entry in before.update(tracker.update(reading))]
    after = Decoder(RULES)
    after.resume(log)
    assert after.state == before.state
    late = Show(taps=[tap for tap in show.taps if tap[0] > frames[at].time], end=show.end)
    decoder, entries = decode(frames[at:], late, after)

    assert recorded(decoder) == told(show)
    assert entries[0].seq == log[-1].seq + 1


def test_undo_withdraws_the_last_event_and_the_camera_does_not_insist() -> None:
    """What a player took back stays away although the card still lies there."""
    show = stage(RULES, 1)
    tracker, decoder = Tracker(), Decoder(RULES)
    frames = iter(readings(show, seed=1))
    entries: list[Entry] = []
    while not any(isinstance(one, Settled) and isinstance(one.event, CardPlayed) for one in entries):
        entries.extend(decoder.update(tracker.update(next(frames))))
    (undone,) = decoder.retract_last(entries[-1].time, "phone:south")
    after = [entry for _ in range(5) for entry in decoder.update(tracker.update(next(frames)))]

    assert isinstance(undone, Retracted)
    assert undone.withdraws == entries[-1].seq
    assert decoder.state is not None
    assert not decoder.state.seen
    assert not after


def test_a_word_that_was_said_twice_is_taken_back_once() -> None:
    """Who pressed again before the word was written, and then takes it back, has taken back both."""
    show = stage(RULES, 1)
    pressed, claim = next(tap for tap in show.taps if isinstance(tap[1], Claimed))
    tracker, decoder = Tracker(), Decoder(RULES)
    again, undone = [pressed, pressed], False
    claims: list[bool] = []
    for reading in readings(replace(show, end=pressed + 3.0), seed=1):
        entries = list(decoder.update(tracker.update(reading)))
        while again and again[0] <= reading.time:
            entries.extend(decoder.tell(claim, again.pop(0), "phone:south"))
        heard = any(isinstance(entry, Settled) and entry.event == claim for entry in entries)
        claims.extend([True] * heard)
        if heard and not undone:
            undone = bool(decoder.retract_last(reading.time, "phone:south"))

    assert undone
    assert claims == [True]


def test_a_correction_names_the_card() -> None:
    """A player who names the card of the last play is believed more than the camera."""
    show = stage(RULES, 1)
    tracker, decoder = Tracker(), Decoder(RULES)
    frames = iter(readings(show, seed=1))
    while decoder.state is None or decoder.state.led is None:
        decoder.update(tracker.update(next(frames)))
    led = decoder.state.led
    other = next(one for one in PACK_20 if one not in (led.card, decoder.state.dealt_up))
    entries = decoder.tell(CardPlayed(led.player, other), 5.0, "phone:north")

    assert isinstance(entries[0], Retracted)
    assert entries[-1].event == CardPlayed(led.player, other)
    assert entries[-1].source == "phone:north"
    assert decoder.state.led == CardPlayed(led.player, other)


@pytest.mark.parametrize("seed", [10, *further(4, 12)])
def test_a_card_that_shows_up_twice_is_asked_about(seed: int) -> None:
    """Of two plays read as one card one was misread: it stays open with a question, the rest is right."""
    show = stage(RULES, seed)
    plays = [event for _, event in show.events[0] if isinstance(event, CardPlayed)]
    early, late = plays[1].card, plays[4].card
    item = next(one for one in show.items if one.index == PACK_24.index(early))
    item.index = PACK_24.index(late)
    decoder, entries = decode(list(readings(show, seed=seed)), show)
    written = [event for event in recorded(decoder)[0] if isinstance(event, CardPlayed)]
    pairs = list(zip(plays, written, strict=True))

    assert None in (written[1].card, written[4].card)
    assert [play.player for play in plays] == [one.player for one in written]
    assert all(one.card in (play.card, None) for at, (play, one) in enumerate(pairs) if at != 1)
    assert any(isinstance(one, Asked) and one.text == "which_card" for one in entries)


def test_things_on_the_table_are_no_plays() -> None:
    """A face-down card thrown down somewhere and what is no card of the pack change nothing."""
    show = stage(RULES, 3)
    lead = next(time for time, event in show.events[0] if isinstance(event, CardPlayed))
    coaster = next(one for one in show.items if one.index != BACK)
    show.items.append(type(coaster)(25, coaster.corners + np.array([430, 200]), lead + 0.5))
    show.items.append(type(coaster)(BACK, coaster.corners + np.array([330, -250]), lead + 2.0))
    decoder, _ = decode(list(readings(show, seed=3)), show)

    assert recorded(decoder) == told(show)


@pytest.mark.parametrize("about", [3, 5])
def test_a_card_without_a_name_is_asked_about_after_a_start_unless_it_was(about: int) -> None:
    """It looked like what another play is asked about: nobody has asked about it, and nobody else will."""
    deal, *plays = dealt_and("QD", "AH", "KH", "AC", "KC")
    unnamed = CardPlayed(plays[3].player, None)
    events = [deal, *plays[:3], unnamed]
    log = [Settled(seq, float(seq), event, 0.95) for seq, event in enumerate(events, 1)]
    decoder = Decoder(RULES, first_seq=7)

    decoder.resume([*log, Asked(6, 6.0, "which_card", about, (plays[1], plays[3]))])
    asked = [entry.about for entry in decoder.update(view_at(10.0)) if isinstance(entry, Asked)]

    assert asked == ([5] if about == 3 else [])


def test_words_before_the_deal_are_not_heard() -> None:
    """Nothing can be claimed or played before a hand is on the table."""
    decoder = Decoder(RULES)

    assert decoder.tell(Claimed(Player.SOUTH), 1.0, "phone:south") == ()
    assert decoder.tell(CardPlayed(Player.SOUTH, Card.parse("KH")), 1.0, "phone:south") == ()
    assert decoder.retract_last(1.0, "phone:south") == ()
    assert decoder.finish(2.0) == ()
    assert decoder.state is None


def _with_a_score_sheet(show: Show, seed: int) -> list[Reading]:
    """Film a show beside what a detector makes of a score sheet: now an ace, now nothing it knows.

    It lies there for three seconds before anything else happens; the show is put off for it.
    """
    rng = np.random.default_rng(seed)
    frames = list(readings(show, seed=seed))
    bare = [replace(frames[0], time=number / 10, detections=()) for number in range(30)]
    show.taps[:] = [(time + 3.0, event) for time, event in show.taps]
    show.end += 3.0
    out = []
    for frame in (*bare, *(replace(one, time=one.time + 3.0) for one in frames)):
        probs = np.full(26, 0.01, np.float32)
        probs[UNKNOWN] = rng.uniform(0.2, 0.5)
        for card in ("AC", "AS", "AD"):
            probs[PACK_24.index(Card.parse(card))] = rng.uniform(0.1, 0.5)
        corners = quad(1215 + rng.normal(0, 9), 200 + rng.normal(0, 9), rng.normal(0, 6))
        sheet = Detection(corners, probs / probs.sum(), 0.45, frame.time)
        shifted = tuple(replace(one, time=frame.time) for one in frame.detections)
        out.append(replace(frame, detections=(*shifted, sheet) if rng.random() < 0.8 else shifted))
    return out


@pytest.mark.parametrize("seed", [5, *further(2, 8)])
def test_a_score_sheet_that_looks_like_an_ace_is_no_card(seed: int) -> None:
    """It lay there before the deal and nobody brought it: neither the turn-up nor a play."""
    show = stage(RULES, seed, hands=2)
    frames = _with_a_score_sheet(show, seed)
    decoder, _ = decode(frames, show)

    assert recorded(decoder) == told(show)


@pytest.mark.parametrize("seed", [2, *further(5, 8)])
def test_a_score_sheet_beside_the_stock_is_not_the_turn_up(seed: int) -> None:
    """It lay there first and may be an ace; the card under the stock surely is one."""
    show = stage(RULES, seed)
    frames = _with_a_score_sheet(show, seed)
    stock = next(each for frame in frames for each in frame.detections if each.best == BACK)
    beside = quad(*(stock.corners.mean(axis=0) - (0, 1.5 * short_side(stock.corners))), 12.0)
    likely = np.full(26, 0.02, np.float32)
    likely[UNKNOWN], likely[PACK_24.index(Card.parse("AC"))] = 0.2, 0.5

    def moved(seen: Detection) -> Detection:
        if float(seen.corners[:, 0].mean()) < 1150 or float(seen.corners[:, 1].mean()) > 250:
            return seen
        return replace(seen, corners=beside, probs=likely / likely.sum())

    frames = [replace(one, detections=tuple(moved(each) for each in one.detections)) for one in frames]
    decoder, _ = decode(frames, show)

    assert recorded(decoder)[0][0] == told(show)[0][0]


@pytest.mark.parametrize("seed", [5, *further(3)])
def test_a_card_that_nobody_recognises_is_still_a_play(seed: int) -> None:
    """A card taken for none of the pack as long as it lies stays open; the trick is not lost."""
    show = stage(RULES, seed)
    plays = [event for _, event in show.events[0] if isinstance(event, CardPlayed)]
    item = next(one for one in show.items if one.index == PACK_24.index(plays[3].card))
    item.index = UNKNOWN
    decoder, entries = decode(list(readings(show, seed=seed)), show)
    written = [event for event in recorded(decoder)[0] if isinstance(event, CardPlayed)]

    assert [play.player for play in plays] == [one.player for one in written]
    assert all(one.card in (play.card, None) for play, one in zip(plays, written, strict=True))
    assert any(isinstance(one, Asked) and one.text == "which_card" for one in entries)


@pytest.mark.parametrize("seed", [1, *further(7)])
def test_doubt_about_the_turn_up_does_not_stop_the_hand(seed: int) -> None:
    """When the turn-up comes to look like another card, plays go on being written as they happen."""
    show = stage(RULES, seed)
    deal_time, dealt = show.events[0][0]
    plays = [event for _, event in show.events[0] if isinstance(event, CardPlayed)]
    played = {event.card for event in plays}
    other = next(one for one in PACK_24 if one not in played and one != dealt.turned_up)
    frames = []
    for frame in readings(show, seed=seed):
        seen = []
        for card in frame.detections:
            if frame.time > deal_time + 3.0 and card.best == PACK_24.index(dealt.turned_up):
                probs = np.full(26, 0.002, np.float32)
                probs[PACK_24.index(other)], probs[card.best] = 0.6, 0.35
                seen.append(replace(card, probs=probs / probs.sum()))
            else:
                seen.append(card)
        frames.append(replace(frame, detections=tuple(seen)))
    tracker, decoder = Tracker(), Decoder(RULES)
    out = [entry for frame in frames for entry in decoder.update(tracker.update(frame))]
    written = [one for one in out if isinstance(one, Settled) and isinstance(one.event, CardPlayed)]

    assert len(written) >= len(plays) - 2
    assert sum(isinstance(one, Asked) and one.text == "which_turn_up" for one in out) <= 1


def a_slow_exchange(seed: int, seconds: float) -> Show:
    """A hand in which the jack lies beside the stock, and the hand on it, before the turn-up is taken."""
    show = stage(RULES, seed)
    told = show.events[0]
    began = next(time - 0.5 for time, event in told if isinstance(event, Exchanged))
    jack = Card(RULES.lowest_trump, told[0][1].turned_up.suit)

    def later(time: float) -> float:
        return time + seconds if time > began else time

    for each in (*show.items, *show.reaches):
        each.start, each.end = later(each.start), later(each.end)
    x, y = next(reach.target for reach in show.reaches if reach.start <= began <= reach.end)
    place = quad(x + (90 if x < WIDTH / 2 else -90), y, 94.0)
    show.items.append(Item(PACK_24.index(jack), place, began, began + seconds))
    show.taps = [(later(time), event) for time, event in show.taps]
    show.events[0] = [(later(time), event) for time, event in told]
    show.end += seconds
    return show


@pytest.mark.parametrize("seed", UNSEEN_EXCHANGES)
def test_an_exchange_that_is_under_way_is_no_lead(seed: int) -> None:
    """The jack has lain for five seconds, but the arm is still at the turn-up: nothing is written."""
    show = a_slow_exchange(seed, 5.0)
    decoder, entries = decode(list(readings(show, seed=seed)), show)

    assert [one for one in entries if isinstance(one, Retracted)] == []
    assert recorded(decoder) == told(show)


def an_exchange_not_seen(seed: int) -> tuple[Show, Dealt, Exchanged]:
    """A hand with an exchange whose jack is taken for the card that it replaced, as long as it lies there."""
    show = stage(RULES, seed)
    dealt = show.events[0][0][1]
    exchange = next(event for _, event in show.events[0] if isinstance(event, Exchanged))
    assert isinstance(dealt, Dealt)
    assert dealt.turned_up is not None
    jack = PACK_24.index(Card(RULES.lowest_trump, dealt.turned_up.suit))
    next(one for one in show.items if one.index == jack).index = PACK_24.index(dealt.turned_up)
    return show, dealt, exchange


@pytest.mark.parametrize("seed", UNSEEN_EXCHANGES)
def test_a_turned_up_card_that_is_played_asks_for_an_exchange(seed: int) -> None:
    """The turned-up card is led while another lies under the stock: an exchange is offered, or written."""
    show, _, exchange = an_exchange_not_seen(seed)
    decoder, entries = decode(list(readings(show, seed=seed)), show)
    offered = [one for one in entries if isinstance(one, Asked) and exchange in one.options]

    assert offered or exchange in recorded(decoder)[0]


@pytest.mark.parametrize("seed", UNSEEN_EXCHANGES)
def test_an_exchange_that_a_player_tells_late_is_put_where_it_belongs(seed: int) -> None:
    """Told when asked, the exchange stands before the play that showed it."""
    show, dealt, exchange = an_exchange_not_seen(seed)
    shown = CardPlayed(exchange.player, dealt.turned_up)
    time = next(time for time, event in show.events[0] if event == shown)
    show.taps = sorted([*show.taps, (time + 5.0, exchange)], key=lambda tap: tap[0])
    decoder, _ = decode(list(readings(show, seed=seed)), show)
    events = recorded(decoder)[0]

    assert exchange in events
    assert events.index(exchange) < events.index(shown)


def test_a_card_of_the_hand_before_that_is_hidden_when_the_next_is_dealt() -> None:
    """It is told in the view of the deal, which has forgotten it by then: it is no card of the new hand."""

    def seen(track: int, index: int, x: float, since: float, last: float, phase: Phase) -> Observation:
        log_probs = np.full(26, -9.0, np.float32)
        log_probs[index] = -0.01
        return Observation(track, quad(x, 300.0, 0.0), log_probs, phase, since, since, last)

    old = PACK_24.index(Card.parse("KH"))
    turned_up = PACK_24.index(Card.parse("TS"))
    decoder = Decoder(RULES, dealer=Player.NORTH)
    for time in (1.0, 1.5, 2.0, 5.0, 5.5, 6.0, 6.5, 7.0):
        cards = [seen(1, old, 900.0, 0.5, min(time, 2.0), Phase.STILL if time < 2.5 else Phase.HIDDEN)]
        if time >= 5.0:
            cards += [
                seen(2, BACK, 200.0, 4.9, time, Phase.STILL),
                seen(3, turned_up, 240.0, 4.9, time, Phase.STILL),
            ]
        decoder.update(TableView(time, (1280, 720), tuple(cards), False, False, True))

    assert decoder.state is not None
    assert decoder.state.dealt_up == Card.parse("TS")
    assert decoder.state.led is None
    assert not decoder.state.tricks
