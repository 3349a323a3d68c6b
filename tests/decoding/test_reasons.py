"""What the decoder says of its reasons: it adds up, and saying it changes nothing."""

from __future__ import annotations

import pytest
from puppets import Noise, readings, stage

from companion.decoding.decoder import Decoder
from companion.decoding.reasons import Explained, Why, parts
from companion.rules.ruleset import preset
from companion.table.entry import Asked, Settled
from companion.tracking.tracker import Tracker

RULES = preset("schnapsen")
SHORT = 1054
"""A hand with a marriage, of seven events."""
NOISY = Noise(misses=0.20, misreads=0.05, phantoms=0.02, dropped=0.10)


def test_reasons_add_up_and_change_nothing() -> None:
    """The parts of each story are its weight; the entries are those of a decoder that is not asked why."""
    show = stage(RULES, SHORT)
    said: list[Why] = []
    silent, telling = Decoder(RULES), Explained(RULES, say=said.append)
    trackers, written = (Tracker(), Tracker()), []
    for frame in readings(show, noise=NOISY, seed=SHORT):
        one = silent.update(trackers[0].update(frame))
        other = telling.update(trackers[1].update(frame))
        assert one == other
        written.extend(other)
        for log_p, story in telling.weighed:
            told = sum(nats for _, nats in parts(story, telling.sights).values())
            assert told == pytest.approx(log_p)

    assert [why.entry for why in said] == [each for each in written if isinstance(each, Settled | Asked)]
    assert written


def test_the_reasons_of_a_play_name_the_cards_that_it_was_taken_for() -> None:
    """The likeliest rival of a play tells another card, and how the card looks speaks against that."""
    show = stage(RULES, SHORT)
    said: list[Why] = []
    decoder, tracker = Explained(RULES, say=said.append), Tracker()
    for frame in readings(show, noise=NOISY, seed=SHORT):
        decoder.update(tracker.update(frame))

    told = [why for why in said if why.ahead is not None]
    assert told
    assert all(why.tells != why.rival_tells and why.ahead > 0.0 for why in told)
    assert any("looks like" in reason.what and reason.nats > 0.0 for why in told for reason in why.reasons)
    lines = [line for why in told for line in why.lines()]
    assert any(line.endswith("nats") and "north play KS" in line for line in lines)
