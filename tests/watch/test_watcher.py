"""A whole hand through the watcher: lines as they settle, kept before they are told, and a record."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pytest

from companion.rules.cards import Player
from companion.rules.event_form import event_to_json
from companion.rules.events import CardPlayed, Dealt
from companion.rules.ruleset import RuleSet
from companion.table.detection import Frame, Reading
from companion.table.entry import Entry
from companion.watch.taps import Tap
from companion.watch.watcher import Watcher
from tests.decoding.puppets import Show, readings, stage

RULES = RuleSet()
Seen = tuple[list[dict[str, Any]], list[list[Entry]], Watcher]


class ReadingsOf:
    """A reader that has read everything beforehand."""

    def __init__(self, show: Show) -> None:
        self._readings = {round(reading.time, 6): reading for reading in readings(show)}

    def frames(self) -> Iterable[Frame]:
        """A black frame for each reading."""
        black = np.zeros((1, 1, 3), np.uint8)
        for index, time in enumerate(self._readings):
            yield Frame(black, time, index)

    def read(self, frame: Frame) -> Reading:
        """The reading at that time."""
        return self._readings[frame.time]


def watch(show: Show) -> Seen:
    """All lines, the batches that were kept, and the watcher after the end."""
    reader = ReadingsOf(show)
    kept: list[list[Entry]] = []

    def keep(entries: Sequence[Entry]) -> None:
        kept.append(list(entries))

    taps = [Tap(time, event.player, event) for time, event in show.taps]
    watcher = Watcher(reader, RULES, taps=taps, keep=keep)
    lines: list[dict[str, Any]] = []
    for frame in reader.frames():
        lines.extend(watcher.see(frame))
    lines.extend(watcher.finish())
    return lines, kept, watcher


@pytest.fixture(scope="module")
def show() -> Show:
    """One random hand, played by puppets."""
    return stage(RULES, 3, dealer=Player.SOUTH)


@pytest.fixture(scope="module")
def seen(show: Show) -> Seen:
    """What the watcher made of it."""
    return watch(show)


def test_what_was_played_is_told_in_order_as_it_settles(show: Show, seen: Seen) -> None:
    """Deal and plays come as they were; one result ends the hand."""
    lines, _, _ = seen
    played = [event_to_json(event) for _, event in show.events[0] if isinstance(event, CardPlayed)]

    told = [line for line in lines if line["type"] == "play"]
    assert lines[0]["type"] == "deal"
    assert [{name: line[name] for name in ("type", "player", "card")} for line in told] == played
    assert [line["t"] for line in told] == sorted(line["t"] for line in told)
    assert [line["type"] for line in lines].count("result") == 1


def test_the_records_say_the_same_as_the_lines(seen: Seen) -> None:
    """The summary's record holds the events and the result that the lines told."""
    lines, _, watcher = seen
    (record,) = (each.to_json() for each in watcher.records)

    (result,) = (line for line in lines if line["type"] == "result")
    plays = [line["card"] for line in lines if line["type"] == "play"]
    assert [event["card"] for event in record["events"] if event["type"] == "play"] == plays
    assert {name: result[name] for name in record["result"]} == record["result"]


def test_entries_are_kept_before_they_are_told(seen: Seen) -> None:
    """What was given to the log is, in its order, what was told."""
    lines, kept, _ = seen

    entries = [entry for batch in kept for entry in batch]
    assert isinstance(entries[0].event, Dealt)  # type: ignore[union-attr]
    assert len(entries) == sum(line["type"] != "result" for line in lines)


def test_the_same_frames_and_taps_give_the_same_lines(show: Show, seen: Seen) -> None:
    """Nothing depends on the clock of the machine, or on chance."""
    assert watch(show)[0] == seen[0]
