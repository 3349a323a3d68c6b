"""Readings go through JSON without the loss of a bit."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.bundle.reading_form import FormError, reading_from_json, reading_to_json
from companion.table.detection import Button, Detection, Motion, Reading


@st.composite
def any_reading(draw: st.DrawFn) -> Reading:
    """Whatever vision may say."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    time = draw(st.floats(0, 1e6))
    detections = tuple(
        Detection(
            (rng.normal(0, 1, (4, 2)) * 10.0 ** rng.integers(-40, 5)).astype(np.float32),
            (rng.random(26) ** rng.integers(1, 90)).astype(np.float32),
            draw(st.floats(0, 1)),
            draw(st.sampled_from([time, time / 3])),
        )
        for _ in range(draw(st.integers(0, 3)))
    )
    shape = draw(st.sampled_from([(45, 80), (1, 1), (60, 80), (3, 7)]))
    moved = rng.random(shape) < draw(st.sampled_from([0.0, 0.2, 1.0]))
    seen = rng.random(shape) < 0.5 if draw(st.booleans()) else None
    motion = Motion(moved, draw(st.floats(0, 1)), draw(st.floats(0, 1)), seen, draw(st.floats(0, 1)))
    place = rng.normal(0, 1000, (3, 3)) if draw(st.booleans()) else None
    buttons = tuple(Button(*(float(each) for each in rng.random(5))) for _ in range(draw(st.integers(0, 2))))
    flags = draw(st.booleans()), draw(st.booleans())
    least = draw(st.sampled_from([0.0, time / 7]))
    return Reading(time, (1280, 720), detections, motion, *flags, place, buttons, least)


def same(one: Reading, two: Reading) -> bool:
    """Whether two readings are the same to the last bit."""
    plain = (
        (one.time, one.size, one.fresh, one.blind) == (two.time, two.size, two.fresh, two.blind)
        and (one.motion.south, one.motion.north, one.motion.beside)
        == (two.motion.south, two.motion.north, two.motion.beside)
        and one.motion.moved.tobytes() == two.motion.moved.tobytes()
        and one.motion.moved.shape == two.motion.moved.shape
        and (one.motion.seen is None) == (two.motion.seen is None)
        and np.array_equal(one.motion.seen, two.motion.seen)
        and (one.to_table is None) == (two.to_table is None)
        and (one.to_table is None or np.array_equal(one.to_table, two.to_table))
        and len(one.detections) == len(two.detections)
        and (one.buttons, one.least) == (two.buttons, two.least)
    )
    return plain and all(
        np.array_equal(a.corners, b.corners)
        and np.array_equal(a.probs, b.probs)
        and (a.corners.dtype, a.probs.dtype) == (b.corners.dtype, b.probs.dtype)
        and (a.score, a.time) == (b.score, b.time)
        for a, b in zip(one.detections, two.detections, strict=True)
    )


@given(any_reading())
def test_a_reading_comes_back_as_it_was(reading: Reading) -> None:
    """Corners, probabilities, cells, times: the same bits."""
    again = reading_from_json(json.loads(json.dumps(reading_to_json(reading))))
    assert same(again, reading)


@given(any_reading(), any_reading())
def test_cards_that_still_hold_are_not_written_again(one: Reading, two: Reading) -> None:
    """A frame that was not looked at repeats those before, and only those."""
    held = Reading(two.time, two.size, one.detections, two.motion, fresh=False)
    line = reading_to_json(held, one)
    assert "cards" not in line
    assert same(reading_from_json(json.loads(json.dumps(line)), one), held)
    assert "cards" in reading_to_json(two, one) or two.detections is one.detections


@pytest.mark.parametrize(
    "damage",
    [
        {"t": "soon"},
        {"cells": [-1, 5]},
        {"cells": [1 << 30, 1 << 30]},
        {"moved": "zz"},
        {"arms": [1]},
        {"cards": [{"corners": [[0, 0]], "probs": [1], "score": 1, "t": 0}]},
        {"to_table": [[1, 2], [3, 4]]},
        {"size": None},
    ],
)
def test_what_is_no_reading_is_refused(damage: dict) -> None:
    """By an error of its own, whatever is wrong."""
    reading = Reading(1.0, (1280, 720), (), Motion(np.ones((3, 7), bool), 0.0, 0.0))
    with pytest.raises(FormError):
        reading_from_json({**reading_to_json(reading), **damage})
