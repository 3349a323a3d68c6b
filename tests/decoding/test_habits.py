"""What people do besides playing: hands dealt on the table, a stock pushed, a trick seen once more."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from further import further

from companion.decoding.decoder import Decoder
from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Closed, Dealt
from companion.rules.ruleset import preset
from companion.table.detection import BACK
from companion.table.entry import Asked, Settled
from tests.decoding.puppets import WIDTH, Reach, Show, readings, stage
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
HABITS: Mapping[str, Mapping[str, float]] = {
    "dealt on the table": {"packets": True},
    "a stock pushed": {"pushes": 0.5},
    "a trick looked at once more": {"looks_back": 0.3},
    "a card taken back": {"takes_back": 0.15},
    "a card straightened": {"straightens": 0.3},
    "a card pushed in slowly": {"slides": 0.3},
    "all of it": {"packets": True, "pushes": 0.3, "looks_back": 0.2},
}


def watched(show: Show, seed: int) -> tuple[Decoder, list[Asked]]:
    """A decoder that has seen a show, and what it asked."""
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(readings(show, seed=seed))
    return decoder, [one for one in entries if isinstance(one, Asked)]


@pytest.mark.parametrize(
    ("habit", "seed"),
    # one table of four with each habit
    [(habit, row % 4) for row, habit in enumerate(HABITS)],
)
def test_a_habit_changes_nothing(seed: int, habit: str) -> None:
    """Two hands are exact without a question, whatever else is done with the cards."""
    show = stage(RULES, seed, 2, **HABITS[habit])
    decoder, asked = watched(show, seed)
    told = [[Dealt(each.dealer, each.turned_up), *each.events] for each in decoder.records]

    assert told == [[event for _, event in hand] for hand in show.events]
    assert not asked


def with_the_last_trick_unseen(seed: int) -> Show:
    """Two hands; of the first, played to its end, nobody saw the last trick."""
    show = stage(RULES, seed, 2, packets=True)
    plays = [time for time, event in show.events[0] if isinstance(event, CardPlayed)]
    dealt = next(time for time, event in show.events[1] if isinstance(event, Dealt))
    start = plays[-2] - 0.6
    show.items = [item for item in show.items if item.index == BACK or not start < item.start < dealt - 12.0]
    show.taps = [(time, event) for time, event in show.taps if time > dealt]
    return show


@pytest.mark.parametrize("seed", [0, *further(1, 2, 3)])
def test_the_next_deal_is_found_though_a_trick_was_missed(seed: int) -> None:
    """The hand before is not known to be over; a stock laid beside a face on a bare table is a deal."""
    show = with_the_last_trick_unseen(seed)
    decoder, _ = watched(show, seed)
    last = decoder.records[-1]

    assert len(decoder.records) == 2
    assert [Dealt(last.dealer, last.turned_up), *last.events] == [event for _, event in show.events[1]]


@pytest.mark.parametrize("seed", [19, 30, *further(5, 40)])
def test_a_close_is_told_though_a_hand_stays_in_the_picture(seed: int) -> None:
    """Somebody holds a fan over the edge all the time: it hides nothing at the stock."""
    show = closed(seed)
    at = next(time for time, event in show.events[0] if isinstance(event, Closed))
    show.reaches.append(Reach(Player.NORTH, (WIDTH / 2, 90.0), at - 4.0, at + 14.0))
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(readings(show, seed=seed))
    told = next(one for one in entries if isinstance(one, Settled) and isinstance(one.event, Closed))
    before = entries[: entries.index(told)]

    assert abs(told.time - at) < 3.0
    assert sum(isinstance(one, Settled) and one.time > at + 8.0 for one in before) == 0


def closed(seed: int) -> Show:
    """A hand in which the stock is closed, the one with this number or the next."""
    while True:
        show = stage(RULES, seed)
        if any(isinstance(event, Closed) for _, event in show.events[0]):
            return show
        seed += 1
