"""A won trick that is pushed aside face up, across the turn-up, and taken with the next one."""

from __future__ import annotations

import numpy as np
import pytest

from companion.rules.cards import Player
from companion.rules.events import Closed
from companion.rules.ruleset import preset
from tests.decoding.acted import Acted
from tests.decoding.puppets import Item

RULES = preset("schnapsen")
SOUTH, NORTH = Player


class Pushing(Acted):
    """A table at which one trick is pushed across the turn-up, and lies there beside the next."""

    def push_aside(self, winner: Player, off: float) -> None:
        """Both cards come to lie at the turn-up, its centre `off` pixels beside the middle of both."""
        items = [item for _, _, item in self._trick]
        middle = np.mean([item.corners.mean(axis=0) for item in items], axis=0)
        self._reach(winner, (float(middle[0]), float(middle[1])), 0.9)
        by = np.array([self.turn_up_at[0] + off - middle[0], 0.0], np.float32)
        self.pushed: list[Item] = []
        for item in items:
            item.end = self.time - 0.6
            moved = self._put(item.index, item.corners + by, self.time - 0.3)
            moved.moving_from, moved.moving_s = item.corners, 0.3
            self.pushed.append(moved)
        self._trick, self._tricks = [], self._tricks + 1
        for player in (winner, winner.other):
            self._draw(player, self.at)
        self.wait(0.8)

    def gather_both(self, *, draws: bool = True) -> None:
        """The next trick is taken, and the one that was pushed aside with it."""
        start = self.time
        self._open = self._open and draws
        self.gather()
        for item in self.pushed:
            item.end = start + 0.4


def pushed(seed: int, off: float) -> Pushing:
    """North has won the first trick, and pushed it aside."""
    table = Pushing(RULES, seed)
    table.deal(SOUTH, "KH")
    table.play(NORTH, "TC")
    table.play(SOUTH, "QC")
    table.push_aside(NORTH, off)
    return table


@pytest.mark.parametrize(("seed", "off"), [(0, -40.0), (1, 0.0), (0, 40.0)])
def test_a_trick_pushed_across_the_turn_up_is_neither_exchange_nor_play(seed: int, off: float) -> None:
    """Its cards have lain in the trick: they are read as themselves, not as what is usual at that place."""
    table = pushed(seed, off)
    table.play(NORTH, "AC")
    table.play(SOUTH, "JC")
    table.gather_both()
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH)
    assert table.watched() == (table.truth, [])


def test_a_close_under_a_trick_that_lies_on_the_turn_up_is_asked_about() -> None:
    """Nobody saw the turn-up from then on: it may have gone before the next lead, or after that trick."""
    table = pushed(1, 0.0)
    table.close(NORTH)
    table.play(NORTH, "AC")
    table.play(SOUTH, "JC")
    table.gather_both(draws=False)
    table.trick(NORTH, "AH", "TH")
    table.trick(NORTH, "AS", "JS")
    table.claim(NORTH)
    _, asked = table.watched()
    assert any(Closed(NORTH) in each.options for each in asked)
