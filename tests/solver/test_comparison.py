"""Actions compared over the same layouts."""

from __future__ import annotations

import random

import pytest
from test_sampling import moments

from companion.rules.cards import Rank
from companion.rules.events import MarriageDeclared
from companion.rules.hand import check
from companion.rules.ruleset import RuleSet
from companion.solver.comparison import Comparer, Sample
from companion.solver.view import View


def views(seed: int) -> list[View]:
    """What each player could know at the turns of a random hand."""
    return [
        View.of(seen, full.to_play, full.hands[full.to_play])
        for seen, full in moments(RuleSet(), random.Random(seed))
    ]


def test_some_actions_alone_are_worth_what_they_are_among_all() -> None:
    """Asked about two actions only, the same layouts give the same game points."""
    comparer = Comparer()
    for view in views(3):
        every = comparer.sample(view, 6, random.Random(1))
        if len(every.points) < 2:
            continue
        two = tuple(every.points)[:2]
        some = comparer.sample(view, 6, random.Random(1), two)

        assert some.weights == every.weights
        assert dict(some.points) == {name: every.points[name] for name in two}


def test_the_gap_is_that_of_the_chances_and_its_error_that_of_the_differences() -> None:
    """Paired: where both differ by the same in every layout there is no doubt, however both vary."""
    sample = Sample((1.0, 1.0, 2.0), {"a": (3, -1, 1), "b": (2, -2, 0), "c": (-1, 1, 1)}, False)

    steady, shaky = sample.gap("a", "b"), sample.gap("a", "c")

    assert (steady.mean, steady.error) == (1.0, 0.0)
    assert shaky.mean == sample.chance("a").game_points - sample.chance("c").game_points == 0.5
    # the differences are 4, -2 and twice 0: from their mean they lie 3.5, -2.5 and twice -0.5
    assert shaky.error == pytest.approx((3.5**2 + 2.5**2 + 1.0**2) ** 0.5 / 4)
    assert sample.chance("a").wins == 0.75


def test_one_layout_of_many_shows_nothing() -> None:
    """Its difference may be any; where no other is possible it is exact."""
    points = {"a": (3,), "b": (1,)}

    assert Sample((1.0,), points, False).gap("a", "b").error == float("inf")
    assert Sample((1.0,), points, True).gap("a", "b").error == 0


def test_a_pair_led_in_silence_is_never_worth_more() -> None:
    """With open cards a marriage costs nothing, and it is worth something somewhere."""
    comparer, better = Comparer(), 0
    for seed in range(30):
        for seen, full in moments(RuleSet(), random.Random(seed))[:6]:
            player, hand = full.to_play, full.hands[full.to_play]
            words = [
                card
                for card in hand
                if card.rank is Rank.KING
                and full.led is None
                and check(full, MarriageDeclared(player, card.suit)) is None
            ]
            for card in words:
                view = View.of(seen, player, hand)
                sample = comparer.sample(view, 5, random.Random(2), (f"play:{card}",), card)
                pairs = zip(sample.points[f"play:{card}"], sample.points[f"silent:{card}"], strict=True)
                for declared, silent in pairs:
                    assert silent <= declared
                    better += silent < declared

    assert better > 10
