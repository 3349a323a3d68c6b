"""Hands of twenty-four cards and of Sixty-Six, from a puppets' table to the record."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import pytest
from puppets import Noise, Show, Stage, random_hand, readings, stage

from companion.decoding.decoder import Decoder
from companion.decoding.reaches import Reach, close_prices
from companion.live.fold import fold
from companion.rules.cards import Card, Player, Rank
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    GivenUp,
    HandShown,
    Knocked,
    RevokeCalled,
)
from companion.rules.hand import deal
from companion.rules.ruleset import RuleSet, preset
from companion.store.item import MatchStarted
from companion.table.detection import Reading
from companion.table.entry import Entry, Settled
from companion.tracking.tracker import Tracker
from tests.decoding.spectator import Spectator

NOISY = Noise(misses=0.10, misreads=0.03, phantoms=0.01)
SOUTH, NORTH = Player.SOUTH, Player.NORTH


def recorded(show: Show, rules: RuleSet, seed: int, noise: Noise | None = None) -> list[list[Event]]:
    """The hands of a show as the decoder writes them down."""
    decoder = Decoder(rules)
    Spectator(show, decoder).watch(readings(show, seed=seed, noise=noise))
    return [[Dealt(one.dealer, one.turned_up), *one.events] for one in decoder.records]


def show_with(rules: RuleSet, wanted: Callable[[Sequence[Event]], bool], start: int = 0) -> tuple[Show, int]:
    """The first show, and its seed, whose hand is as wanted."""
    for seed in range(start, start + 400):
        show = stage(rules, seed)
        if wanted([event for _, event in show.events[0]]):
            return show, seed
    raise LookupError("no such hand")


def told(show: Show) -> list[list[Event]]:
    """The hands as they were played."""
    return [[event for _, event in hand] for hand in show.events]


@pytest.mark.parametrize(
    ("name", "seed"), [("snapszer_24", 3), ("santase", 2), ("snapszli_24", 9), ("beginner_24", 3)]
)
def test_a_hand_with_nines_is_recorded_exactly(name: str, seed: int) -> None:
    """Twenty-four cards, six in hand, twelve in the stock, from a detector with faults."""
    rules = preset(name)
    show = stage(rules, seed)
    cards = [event.card for event in told(show)[0] if isinstance(event, CardPlayed)]

    assert any(card.rank is Rank.NINE for card in cards)
    assert len(cards) > 10
    assert recorded(show, rules, seed, NOISY) == told(show)


def test_the_nine_is_exchanged_for_the_turn_up() -> None:
    """With nines the lowest trump goes under the stock, not the jack."""
    rules = preset("snapszer_24")
    show, seed = show_with(rules, lambda events: any(isinstance(event, Exchanged) for event in events))

    assert recorded(show, rules, seed) == told(show)


@pytest.mark.parametrize("start", [0, 100])
def test_a_close_before_the_draw_is_told_from_one_after_it(start: int) -> None:
    """Nobody reached for the stock between the trick and the close: it was closed before drawing."""
    rules = preset("sixty_six")
    early = Closed(SOUTH, before_draw=True), Closed(NORTH, before_draw=True)
    show, seed = show_with(rules, lambda events: any(event in early for event in events), start)

    assert recorded(show, rules, seed) == told(show)


def test_a_close_after_the_draw_stays_one_in_sixty_six() -> None:
    """Both reached for the stock after the trick: they drew, then it was closed."""
    rules = preset("sixty_six")
    late = Closed(SOUTH), Closed(NORTH)
    show, seed = show_with(
        rules, lambda events: any(event in late for event in events[3:]) and len(events) > 12
    )

    assert recorded(show, rules, seed) == told(show)


def test_the_exchange_at_the_close_is_the_other_players() -> None:
    """Whoever did not close shows the nine upon the stock; it is no play."""
    rules = preset("sixty_six")

    def after_a_close(events: Sequence[Event]) -> bool:
        pairs = pairwise(events)
        return any(isinstance(one, Closed) and isinstance(other, Exchanged) for one, other in pairs)

    show, seed = show_with(rules, after_a_close)

    assert recorded(show, rules, seed) == told(show)


def test_a_knock_is_taken_from_the_phone() -> None:
    """The hand ends with the trick that was knocked for."""
    rules = preset("schnapsen+knock")
    show, seed = show_with(rules, lambda events: any(isinstance(event, Knocked) for event in events))

    assert recorded(show, rules, seed) == told(show)


def cards(names: str) -> tuple[Card, ...]:
    """The cards named."""
    return tuple(map(Card.parse, names.split()))


@pytest.mark.parametrize("shown", [False, True])
def test_a_revoke_is_called_from_the_phone(shown: bool) -> None:
    """South gives a spade and has hearts: proven by a later play, or by what is laid open after the end."""
    hands = cards("KH QH JS TS KS"), cards("AH AC AS KC QC")
    stock = cards("TH JH AD TD KD QD TC QS JC JD")
    start = deal(RuleSet(), SOUTH, stock[-1], hands, stock)
    plays = [CardPlayed(NORTH, card) for card in hands[1][:2]], [CardPlayed(SOUTH, card) for card in hands[0]]
    events: list[Event] = [Closed(NORTH), plays[0][0], plays[1][2], plays[0][1]]
    if shown:
        events += [plays[1][3], Claimed(NORTH), HandShown(SOUTH, hands[0][:2])]
    else:
        events += [plays[1][0]]
    events.append(RevokeCalled(NORTH))
    theatre = Stage(RuleSet(), 3, dealer=SOUTH)
    theatre.hand(start, events)

    assert recorded(theatre.show, RuleSet(), 3) == [[Dealt(SOUTH, stock[-1]), *events]]


def without_hands(reading: Reading) -> Reading:
    """A reading in which nobody is seen to reach in."""
    return replace(reading, motion=replace(reading.motion, south=0.0, north=0.0))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hand_given_up_is_dealt_again_by_the_same_dealer(seed: int) -> None:
    """Decoder and match expect the same dealer once more; nothing else tells who leads."""
    rules = RuleSet()
    theatre = Stage(rules, seed)
    dealer = theatre.dealer
    theatre.hand(*random_hand(rules, seed, dealer))
    cleared = theatre.time
    theatre.hand(*random_hand(rules, seed + 50, dealer))
    first, second = theatre.show.events
    given_up = first[2][0] + 1.0
    lead = next(time for time, event in second if isinstance(event, CardPlayed))
    tracker, decoder = Tracker(), Decoder(rules, dealer=dealer)
    entries: list[Entry] = []
    for reading in readings(theatre.show, seed=seed):
        if reading.time < given_up:
            entries.extend(decoder.update(tracker.update(reading)))
        elif not any(entry.event == GivenUp() for entry in entries if isinstance(entry, Settled)):
            entries.extend(decoder.tell(GivenUp(), reading.time, "phone:referee"))
            expected = fold([MatchStarted("", rules), *entries]).match.next_dealer
        elif reading.time < cleared:
            decoder.update(tracker.update(replace(without_hands(reading), detections=())))
        elif reading.time < lead + 3.0:
            decoder.update(tracker.update(without_hands(reading)))
    decoder.finish(lead + 3.0)

    assert expected is dealer
    assert [one.dealer for one in decoder.records] == [dealer, dealer]


def reaches(*hands: tuple[Player, float, float]) -> tuple[Reach, ...]:
    """Hands that reached in."""
    return tuple(Reach(*each) for each in hands)


@pytest.mark.parametrize(
    ("hands", "wanted"),
    [
        (((SOUTH, 1.0, 2.0), (SOUTH, 3.0, 4.0)), "early"),
        (((SOUTH, 1.0, 2.0), (SOUTH, 3.0, 4.0), (NORTH, 4.5, 5.0), (SOUTH, 7.0, 8.0)), "late"),
        (((NORTH, 1.0, 2.0), (SOUTH, 7.0, 8.0)), "late, perhaps"),
        (((NORTH, -5.0, 9.0), (SOUTH, 1.0, 2.0)), "nothing"),
        (((SOUTH, 1.0, 2.0), (SOUTH, 3.0, 4.0), (SOUTH, 5.0, 6.0)), "nothing"),
        (((NORTH, -1.0, 0.8), (SOUTH, 1.0, 2.0)), "early"),
    ],
)
def test_hands_tell_when_the_stock_was_closed(
    hands: tuple[tuple[Player, float, float], ...], wanted: str
) -> None:
    """South took the trick at 0 and closed at 9: it is north's hand that tells, unless it rests there.

    South may also draw for both: who reaches in three times before closing has had time to.
    """
    late, early = close_prices(reaches(*hands), SOUTH, 0.0, 9.0)
    found = (
        "nothing"
        if late == early
        else "early"
        if late < early
        else "late"
        if early < -4.0
        else "late, perhaps"
    )
    assert found == wanted
