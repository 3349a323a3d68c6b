"""A marriage announced by a button, from drawn pictures through the shipped networks to the record."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from companion.config import asset
from companion.decoding.decoder import Decoder
from companion.rules.events import Dealt, MarriageDeclared
from companion.synth.button import with_buttons
from companion.synth.choreography import choreograph
from companion.synth.drawn import drawn_pack
from companion.synth.film import play
from companion.synth.players import random_record
from companion.synth.setting import random_setting, view_of
from companion.synth.style import Style
from companion.table.entry import Entry, Settled
from companion.tracking.tracker import Tracker
from companion.vision.reader import Reader

SEED = 19
FPS = 6.0


@pytest.mark.slow
def test_a_marriage_announced_by_a_button_is_written_down() -> None:
    """One card of the pair is led, beside it a button is laid: the marriage, the lead, the answer."""
    rng = np.random.default_rng([SEED, 7])
    style = replace(Style.random(rng), marriage="button", dealt="at_once")
    pack = with_buttons(drawn_pack(1000 + SEED, height_px=300), rng)
    setting = random_setting(pack, style, seed=SEED, size=(1280, 720))
    record = random_record(SEED)
    assert isinstance(record.events[0], MarriageDeclared)
    script = choreograph([record], seed=SEED, style=style, view=view_of(setting.scene.camera))
    second_trick = [entry["t"] for entry in script.timeline if entry["type"] == "play"][2]

    reader, tracker, decoder = Reader.of(asset("models")), Tracker(), Decoder(record.rules)
    entries: list[Entry] = []
    for frame, _ in play(script, setting, seed=SEED, fps=FPS, seconds=(0.0, second_trick)):
        entries += decoder.update(tracker.update(reader.read(frame)))

    told = [entry.event for entry in entries if isinstance(entry, Settled)]
    assert told == [Dealt(record.dealer, record.turned_up), *record.events[:3]]
