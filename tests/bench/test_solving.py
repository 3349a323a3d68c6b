"""What the solver's figures are measured on."""

from __future__ import annotations

import importlib.util
import random
import sys
from types import ModuleType, SimpleNamespace

import pytest

from companion.bench.solving import KINDS, PEER, play_figures, random_position


@pytest.mark.parametrize("kind", KINDS)
def test_a_position_is_of_its_kind(kind: str) -> None:
    """Five cards each, as many in the stock as said, closed where said, and nobody has 66 yet."""
    for seed in range(5):
        position = random_position(kind, random.Random(seed))

        assert [len(hand) for hand in position.hands] == [5, 5]
        assert (position.closed_by is not None) == (kind == "closed_5")
        assert max(position.card_points) < 66
        if KINDS[kind] is not None:
            assert len(position.stock) == KINDS[kind]


def test_without_the_peer_its_figures_are_left_out_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ours is measured all the same."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)

    figures = list(play_figures(hands=2000, peer_hands=1))

    assert [figure.name for figure in figures] == ["play.hands"]
    assert figures[0].value > 0
    assert f"pip install --no-deps {PEER}" in capsys.readouterr().err


def test_the_peer_plays_as_many_hands_as_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its engine is given two bots that choose among its own legal moves, and the ratio is told."""
    chosen = []

    class Engine:
        def play_game(self, south, north, rng) -> None:
            perspective = SimpleNamespace(valid_moves=lambda: ["only"])
            chosen.append((south.get_move(perspective, None), north.get_move(perspective, None)))

    class Bot:
        def __init__(self, name) -> None:
            self.name = name

    game = ModuleType(f"{PEER}.game")
    game.Bot, game.SchnapsenGamePlayEngine = Bot, Engine
    monkeypatch.setitem(sys.modules, f"{PEER}.game", game)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: object())

    ours, theirs, times = play_figures(hands=2000, peer_hands=7)

    assert chosen == [("only", "only")] * 7
    assert times.value == pytest.approx(ours.value / theirs.value)
