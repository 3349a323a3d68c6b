"""Marriages announced by a button beside the lead, the other card of the pair unseen."""

from __future__ import annotations

from dataclasses import replace

import pytest

from companion.decoding.decoder import Decoder
from companion.rules.cards import Card, Player, Rank, Suit
from companion.rules.events import CardPlayed, Event, MarriageDeclared
from companion.rules.ruleset import preset
from companion.table.entry import Asked, Entry
from tests.decoding.puppets import Noise, Plate, Reach, Show, readings, stage
from tests.decoding.spectator import Spectator
from tests.frame_rate import FPS

RULES = preset("schnapsen")
ASIDE, LED = 131, CardPlayed(Player.NORTH, Card(Rank.KING, Suit.DIAMONDS))
"""A hand in which a king is led, whose queen may be in the same hand."""
BAD = Noise(misses=0.2, misreads=0.05, phantoms=0.02, dropped=0.1)


def decode(
    show: Show, seed: int, noise: Noise = BAD, fps: float = FPS
) -> tuple[tuple[Event, ...], list[Entry]]:
    """The one hand of a show as it is recorded, and all entries."""
    decoder = Decoder(RULES)
    entries = Spectator(show, decoder).watch(readings(show, fps=fps, noise=noise, seed=seed))
    (record,) = decoder.records
    return record.events, entries


def told(show: Show) -> tuple[Event, ...]:
    """What happened after the deal."""
    return tuple(event for _, event in show.events[0][1:])


def with_button(show: Show, time: float, place: tuple[float, float], says: int = 20) -> Show:
    """A show in which north also lays a button somewhere."""
    reach = Reach(Player.NORTH, place, time - 0.5, time + 0.3)
    return replace(show, plates=[Plate(*place, says, time)], reaches=[*show.reaches, reach])


# a button before its lead, and one after it; trumps and not; at the first lead and late
@pytest.mark.parametrize("seed", [101, 103, 104, 106, 112])
def test_a_button_beside_the_lead_is_the_marriage(seed: int) -> None:
    """Nobody is asked, though only one card of the pair was seen."""
    show = stage(RULES, seed, buttons=True)
    assert show.plates
    events, entries = decode(show, seed)
    assert events == told(show)
    assert not [entry for entry in entries if isinstance(entry, Asked)]


def test_without_the_button_the_lead_is_no_marriage() -> None:
    """The button it was that told."""
    show = stage(RULES, 104, buttons=True)
    show.plates.clear()
    events, _ = decode(show, 104)
    assert events == tuple(event for event in told(show) if not isinstance(event, MarriageDeclared))


def test_a_button_put_aside_announces_nothing() -> None:
    """Beside a king that is led it would; where its owner keeps it, it does not."""
    show = stage(RULES, ASIDE)
    laid = next(time for time, event in show.events[0] if event == LED) + 0.6
    beside, aside = with_button(show, laid, (760.0, 380.0)), with_button(show, laid, (240.0, 640.0))
    assert sum(isinstance(event, MarriageDeclared) for event in decode(beside, ASIDE)[0]) == 1
    events, entries = decode(aside, ASIDE, fps=10.0)
    assert events == told(show)
    assert not [entry for entry in entries if isinstance(entry, Asked)]


def test_a_button_left_lying_announces_one_marriage() -> None:
    """A king led beside it later is a king."""
    show = stage(RULES, 104, buttons=True)
    show.plates = [replace(plate, end=show.end) for plate in show.plates]
    events, _ = decode(show, 104)
    assert events == told(show)


def test_a_button_with_both_cards_announces_one_marriage() -> None:
    """Many lay it although they show the pair."""
    show = stage(RULES, 101)
    (at,) = [time for time, event in show.events[0] if isinstance(event, MarriageDeclared)]
    show = with_button(show, at + 0.2, (760.0, 430.0), 40)
    events, entries = decode(show, 101, fps=10.0)
    assert events == told(show)
    assert not [entry for entry in entries if isinstance(entry, Asked)]


@pytest.mark.parametrize("seed", [110])
def test_a_button_without_a_lead_asks_for_the_suit_if_it_must(seed: int) -> None:
    """Who announces and claims at once leads nothing; 40 is trumps, 20 is any other suit."""
    show = stage(RULES, seed, buttons=True)
    events, entries = decode(show, seed)
    assert events == told(show) or any(isinstance(entry, Asked) for entry in entries)
    assert any(isinstance(event, MarriageDeclared) for event in events)
