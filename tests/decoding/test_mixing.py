"""Between two hands the pack is mixed on the table: what lies about there is neither dealt nor played."""

from __future__ import annotations

import numpy as np
import pytest
from further import further

from companion.decoding.mixing import GATHERED_S, Mixing
from companion.rules.cards import Card
from companion.table.detection import BACK, CLASSES
from companion.table.observation import Observation, Phase
from tests.decoding.puppets import quad
from tests.e2e.scripted_trial import acted

SIZE = (1280, 720)
UNIT = 80.0
"""Short side of a card, pixels."""
SINCE, NOW = 10.0, 12.0


def lying(track: int, looks: str, x: float, y: float) -> Observation:
    """A card that has lain there for two seconds; `back` lies face down."""
    log_probs = np.full(len(CLASSES), -9.0, np.float32)
    log_probs[BACK if looks == "back" else Card.parse(looks).index] = -0.01
    return Observation(track, quad(x, y, 0.0), log_probs, Phase.STILL, SINCE, SINCE, NOW)


def looked(faces: list[Observation], backs: list[Observation]) -> Mixing:
    """What is made of one view."""
    mixing = Mixing()
    mixing.look(backs, faces, time=NOW, size=SIZE, unit=UNIT)
    return mixing


def row(looks: list[str], y: float, apart: float = 90.0) -> list[Observation]:
    """Cards side by side."""
    return [lying(round(y) + place, one, 300.0 + apart * place, y) for place, one in enumerate(looks)]


def test_a_pack_that_lies_about_is_mixed() -> None:
    """Whether most of it lies face up or face down."""
    assert looked([], row(["back"] * 6, 360.0)).now
    assert looked(row(["AS", "KH", "TD", "JC"], 300.0), row(["back"] * 2, 420.0)).now


@pytest.mark.parametrize(
    ("faces", "backs"),
    [
        # won cards are counted beside a pile
        (row(["AS", "KH", "TD", "JC", "QS", "AD", "KC"], 300.0, 40.0), row(["back"], 420.0)),
        # dealt far in, beside a second pack: turn-up, stock, two hands
        (row(["AS"], 300.0), row(["back"] * 4, 420.0)),
        # a heap, pushed together
        ([], row(["back"] * 12, 360.0, 8.0)),
        # hands before the players, their cards apart
        ([], [*row(["back"] * 5, 80.0), *row(["back"] * 5, 640.0)]),
    ],
    ids=["counted", "dealt", "heap", "hands"],
)
def test_what_else_lies_there_is_not(faces: list[Observation], backs: list[Observation]) -> None:
    """A deal, what is counted, and what has been pushed together."""
    assert not looked(faces, backs).now


def test_what_lay_about_is_known_for_a_while() -> None:
    """Of a pack that is pushed together the last card may lie there a moment longer than the rest."""
    faces, backs = row(["AS", "KH", "TD", "JC"], 300.0), row(["back"] * 4, 420.0)
    mixing = looked(faces, backs)
    assert mixing.began == SINCE
    mixing.look([], faces[:1], time=NOW + 1.0, size=SIZE, unit=UNIT)
    assert not mixing.now
    assert mixing.is_part(faces[0], NOW + GATHERED_S / 2)
    assert not mixing.is_part(faces[0], NOW + GATHERED_S + 0.1)
    assert not mixing.is_part(lying(999, "QS", 500.0, 300.0), NOW + 0.1)


@pytest.mark.parametrize(
    ("seed", "habit"),
    [
        *further((8007, "mixes")),
        # pushed about at once with what lies there, the stock and the won tricks
        (8033, "mixes_there"),
    ],
)
def test_an_evening_at_which_the_pack_is_mixed_on_the_table(seed: int, habit: str) -> None:
    """Three hands, and none between them, though faces lie beside backs there; nobody presses anything."""
    evening = acted(seed, 3, pressed=False, fps=8.0, snatches=0.0, **{habit: 1.0})

    assert (evening.differences, evening.questions) == ((), ())
