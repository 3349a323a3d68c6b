"""In which order the detector tells what one frame shows changes nothing."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.decoding.decoder import Decoder
from companion.rules.ruleset import preset
from companion.table.detection import Reading
from companion.table.observation import TableView
from companion.tracking.tracker import Tracker
from tests.decoding.puppets import Noise, Show, readings, stage
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
POOR = Noise(misses=0.15, misreads=0.05, phantoms=0.2, doubles=0.2, jitter_px=4.0)
FRAMES = 150


def in_disorder(frames: Iterable[Reading], rng: random.Random) -> Iterator[Reading]:
    """The same frames, what each shows in any order."""
    for frame in frames:
        detections, buttons = list(frame.detections), list(frame.buttons)
        rng.shuffle(detections)
        rng.shuffle(buttons)
        yield replace(frame, detections=tuple(detections), buttons=tuple(buttons))


def told(view: TableView) -> list[tuple[object, ...]]:
    """All that a view tells of its cards and buttons."""
    cards = [
        (card.track, card.corners.tobytes(), card.log_probs.tobytes(), card.phase, card.since)
        for card in view.cards
    ]
    return [*cards, *((card.covers, card.from_south, card.clarity) for card in view.cards), view.buttons]


def filmed(seed: int) -> tuple[Show, list[Reading]]:
    """A hand, and what a poor detector makes of it that is as sure of one card as of the next."""
    show = stage(RULES, seed, looks_back=0.5, takes_back=0.3)
    return show, [
        replace(frame, detections=tuple(replace(one, score=round(one.score, 1)) for one in frame.detections))
        for frame in readings(show, noise=POOR, seed=seed)
    ]


@given(seed=st.integers(0, 10_000), order=st.randoms(use_true_random=False))
@settings(max_examples=6, deadline=None)
def test_the_order_of_detections_within_a_frame_changes_no_view(seed: int, order: random.Random) -> None:
    """Only where cards lie, and what they look like, tells in which order they are taken."""
    _, frames = filmed(seed)
    start = order.randrange(max(1, len(frames) - FRAMES))
    frames = frames[start : start + FRAMES]
    one, other = Tracker(), Tracker()

    views = [told(one.update(frame)) for frame in frames]
    assert [told(other.update(frame)) for frame in in_disorder(frames, order)] == views


def test_the_order_of_detections_within_a_frame_changes_no_entry_of_the_log() -> None:
    """The whole of a hand, with all that is asked and withdrawn."""
    show, frames = filmed(11)
    logs = [
        Spectator(show, Decoder(RULES)).watch(list(each))
        for each in (frames, in_disorder(frames, random.Random(5)))
    ]

    assert len(logs[0]) > 10
    assert logs[0] == logs[1]
