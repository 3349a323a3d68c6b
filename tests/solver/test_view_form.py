"""A moment as a player sees it, written for a page and read back as one that was set up by hand."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from random_moments import moments

from companion.rules.cards import Player
from companion.rules.ruleset import PRESETS
from companion.rules.scoring import ENOUGH
from companion.solver.comparison import Comparer
from companion.solver.position import Position, PositionError
from companion.solver.solve import Solver
from companion.solver.view import View
from companion.solver.view_form import read_setting, view_to_json


def setting_of(view: View) -> dict[str, Any]:
    """The moment as a page sends it that begins with a puzzle: whoever decides is player 0."""
    told = view_to_json(view)
    mine = [int(view.player), int(view.player.other)]
    pairs = ("card_points", "tricks_won", "pending_marriage_points")
    same = ("rules", "trump", "hand", "other", "gone", "led", "opponent_at_close")
    closed_by = None if view.closed_by is None else int(view.closed_by is not view.player)
    return {
        **{name: told[name] for name in same},
        **{name: [told[name][player] for player in mine] for name in pairs},
        "stock": told["lying"],
        "closed_by": closed_by,
    }


def seen_from_south(view: View) -> View:
    """The same moment with south to decide."""
    if view.player is Player.SOUTH:
        return view
    turned = {name: getattr(view, name)[::-1] for name in ("card_points", "tricks_won", "pending")}
    closed_by = None if view.closed_by is None else view.closed_by.other
    return replace(view, player=Player.SOUTH, closed_by=closed_by, **turned)


@pytest.mark.parametrize("name", ["schnapsen", "schnapsen_strict_follow", "snapszer_24", "sixty_six"])
def test_what_is_set_up_again_is_the_same_moment(name: str) -> None:
    """Whatever a player knows survives, but what the other probably would have shown."""
    compared = 0
    for seed in range(12):
        rng = random.Random(seed)
        for seen, full in moments(PRESETS[name], rng):
            player = full.to_play
            view = View.of(seen, player, full.hands[player])
            if max(view.card_points) >= ENOUGH or full.at_knock is not None:
                continue
            again = read_setting(setting_of(view))
            expected = replace(seen_from_south(view), unlikely=frozenset())
            if isinstance(again, Position):
                assert set(again.hands[0]) == set(view.hand)
                assert set(again.hands[1]) == view.sure
            else:
                assert replace(again, hand=expected.hand) == expected
                assert set(again.hand) == set(expected.hand)
            compared += 1
    assert compared > 60


def test_with_all_cards_known_it_is_the_position() -> None:
    """Whoever knows the other hand and the whole stock gets the position itself."""
    rng = random.Random(3)
    _, full = moments(PRESETS["schnapsen"], rng)[4]
    position = Position.from_state(full)
    player = full.to_play
    view = View.of(full, player, full.hands[player])
    known = {
        **setting_of(view),
        "other": [str(card) for card in full.hands[player.other]],
        "stock": [str(card) for card in full.stock],
    }
    again = read_setting(known)
    assert isinstance(again, Position)
    assert (set(again.hands[0]), set(again.hands[1])) == (full.hands[player], full.hands[player.other])
    assert (again.stock, again.trump, again.led) == (position.stock, position.trump, position.led)


SETTING = {
    "trump": "D",
    "hand": ["AD", "KH", "QH", "JS", "TC"],
    "other": ["QS", "KS", "AH", "JC", "KD"],
    "stock": ["AC", "QD", "TS", "JD"],
    "gone": ["AS", "TD", "TH", "JH", "KC", "QC"],
}


@pytest.mark.parametrize(
    ("rules", "points", "won", "led", "decides"),
    [
        ("schnapsen", (66, 20), (2, 1), None, False),
        # whoever answers a lead may not claim, whoever waits for one neither (clause 7.2)
        ("schnapsen", (66, 20), (2, 1), "AH", True),
        ("schnapsen", (20, 66), (1, 2), None, True),
        ("schnapsen", (20, 66), (1, 2), "AH", True),
        # marriages alone are no trick
        ("snapszli", (66, 20), (0, 3), None, False),
        ("schnapsen", (66, 20), (0, 3), None, True),
        # either player between tricks, and nobody while a card lies there
        ("snapszli", (20, 66), (1, 2), None, False),
        ("snapszli", (66, 20), (2, 1), "AH", True),
    ],
)
def test_66_points_leave_something_to_decide_where_nobody_may_claim(
    rules: str, points: tuple[int, int], won: tuple[int, int], led: str | None, decides: bool
) -> None:
    """Each action is worth something then, with all cards known and with hidden ones."""
    other = [card for card in SETTING["other"] if card != led]
    fields = {
        **SETTING,
        "rules": {"preset": rules},
        "card_points": list(points),
        "tricks_won": list(won),
        "led": led,
    }
    open_, hidden = {**fields, "other": other}, {**fields, "other": [], "stock": ["JD"]}
    if not decides:
        for setting in (open_, hidden):
            with pytest.raises(PositionError, match="nothing to decide but the claim"):
                read_setting(setting)
        return
    position, view = read_setting(open_), read_setting(hidden)
    assert isinstance(position, Position)
    assert isinstance(view, View)
    assert len(Solver().solve(position).actions) > 1
    assert len(Comparer().sample(view, 20, random.Random(1)).points) > 1
