"""Which stories are followed on."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from companion.decoding import belief
from companion.decoding.beam import advance, ranked
from companion.decoding.decoder import Decoder
from companion.decoding.evidence import Evidence
from companion.decoding.explain import explain
from companion.decoding.likelihood import Sight
from companion.decoding.story import Story
from companion.rules.ruleset import preset
from tests.decoding.spectator import Spectator
from tests.decoding.trial import filmed, shown

Beam = Sequence[tuple[float, Story]]


def above(floor: float, beam: Beam) -> set[tuple[object, ...]]:
    """What stories tell that are likelier; which of two as likely as the last is kept is nobody's concern."""
    return {story.key for log_p, story in beam if log_p > floor}


@pytest.mark.parametrize(("profile", "seed"), [("lasting", 1008), ("slips", 1004), ("both", 1005)])
def test_what_is_not_worked_out_would_have_been_dropped(
    profile: str, seed: int, monkeypatch: pytest.MonkeyPatch
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
    show = shown(seed, profile)
    _, frames = filmed(show, profile, seed)
    Spectator(show, Decoder(preset("schnapsen"))).watch(frames)

    assert min(spared) < -50  # else this test compares nothing
