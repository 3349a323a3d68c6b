"""Which stories are followed on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from companion.decoding import belief
from companion.decoding.beam import advance, ranked
from companion.decoding.decoder import Decoder
from companion.decoding.evidence import Evidence
from companion.decoding.explain import explain
from companion.decoding.likelihood import Sight
from companion.decoding.story import Story
from companion.rules.ruleset import preset
from companion.table.detection import BACK
from tests.decoding.puppets import Noise, Show, readings, stage
from tests.decoding.spectator import Spectator

RULES = preset("schnapsen")
BAD = Noise(misses=0.20, misreads=0.05, phantoms=0.02, dropped=0.10)
Beam = Sequence[tuple[float, Story]]


def with_cards_misread(show: Show, seed: int, share: float) -> Show:
    """Some cards look like another for as long as they lie."""
    rng = np.random.default_rng(seed)
    show.items = [
        replace(item, index=int(rng.integers(BACK))) if item.index != BACK and rng.random() < share else item
        for item in show.items
    ]
    return show


def above(floor: float, beam: Beam) -> set[tuple[object, ...]]:
    """What stories tell that are likelier; which of two as likely as the last is kept is nobody's concern."""
    return {story.key for log_p, story in beam if log_p > floor}


@pytest.mark.parametrize(("seed", "noise", "share"), [(3, Noise(), 0.15), (4, BAD, 0.0), (9, BAD, 0.1)])
def test_what_is_not_worked_out_would_have_been_dropped(
    seed: int, noise: Noise, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With every piece of evidence the same stories stay as if each way to go on had been worked out."""
    spared: list[int] = []

    def compared(
        beam: Beam, seen: Evidence, sights: dict[int, Sight], *, width: int, within: float
    ) -> list[tuple[float, Story]]:
        kept = advance(beam, seen, sights, width=width, within=within)
        grown = [story for _, old in beam for story in explain(old, seen, sights)]
        whole = ranked(grown, sights, width=width, within=within) if grown else list(beam)
        assert [log_p for log_p, _ in kept] == [log_p for log_p, _ in whole]
        floor = kept[:width][-1][0]
        assert above(floor, kept) == above(floor, whole)
        spared.append(sum(1 for _, old in beam for _ in explain(old, seen, sights, floor)) - len(grown))
        return kept

    monkeypatch.setattr(belief, "advance", compared)
    show = with_cards_misread(stage(RULES, seed, 2, takes_back=0.2, straightens=0.2), seed, share)
    Spectator(show, Decoder(RULES)).watch(readings(show, noise=noise, seed=seed))

    assert min(spared) < -50  # else this test compares nothing
