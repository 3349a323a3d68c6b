"""Advice from what a player can know: layouts that fit, nothing that only records tell, exact in the end."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from random_moments import moments

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Event
from companion.rules.hand import apply, deal, legal_events
from companion.rules.ruleset import PRESETS, RuleSet
from companion.rules.scoring import players_out
from companion.solver import play
from companion.solver.bits import cards_in
from companion.solver.comparison import Comparer
from companion.solver.engine import Engine
from companion.solver.position import Position
from companion.solver.sampling import Advisor, Layouts
from companion.solver.solve import Solver
from companion.solver.tables import name_of, numbering_of
from companion.solver.view import View, ViewError
from tests.rules.telling import NORTH, new_hand, tell


@pytest.mark.parametrize("name", ["schnapsen", "schnapsen_strict_follow", "snapszer_24", "sixty_six"])
def test_every_layout_fits_and_the_real_one_is_possible(name: str) -> None:
    """Each card lies in one place, and nothing that was proven is contradicted, the real hands included."""
    rules = PRESETS[name]
    for seed in range(8):
        rng = random.Random(seed)
        for seen, full in moments(rules, rng):
            player = full.to_play
            view = View.of(seen, player, full.hands[player])
            other = full.hands[player.other]
            numbering = numbering_of(view.trump)

            assert view.sure <= other
            assert other <= view.sure | (view.unseen - view.barred)
            assert view.other_size == len(other)
            for _ in range(3):
                terms, hand, weight = Layouts(view, rng).draw()
                held = {numbering.card(card) for card in cards_in(hand[play.HAND + player.other])}
                assert view.sure <= held
                assert len(held) == view.other_size
                assert held.isdisjoint(full.hands[player])
                assert not held & view.barred
                assert 0 < weight <= 1
                if view.closed_by is None and view.stock_left:
                    stock = {numbering.card(each.bit_length() - 1) for each in terms[: view.stock_left]}
                    assert stock | held == view.sure | view.unseen | {view.turned_up}


def test_only_what_the_player_could_know_is_used() -> None:
    """Seen from a record with both hands, the view is the one from the table."""
    for seen, full in moments(RuleSet(), random.Random(5)):
        player = full.to_play

        assert View.of(full, player, full.hands[player]) == View.of(seen, player, full.hands[player])


def test_once_everything_is_known_the_advice_is_the_solution() -> None:
    """With the stock exhausted there is one layout, and each lead promises its exact value."""
    solver, advisor = Solver(), Advisor()
    checked = 0
    for seed in range(12):
        for seen, full in moments(RuleSet(), random.Random(seed)):
            if full.at_close is not None or not full.exhausted or full.led is not None:
                continue
            player = full.to_play
            advice = advisor.advise(View.of(seen, player, full.hands[player]))
            solution = solver.solve(Position.from_state(full))
            sign = 1 if player is Player.SOUTH else -1

            assert advice.layouts == 1
            assert {name: sign * round(each.game_points) for name, each in advice.actions.items()} == dict(
                solution.actions
            )
            checked += 1

    assert checked > 20


def test_an_answer_is_judged_by_what_follows() -> None:
    """Near the end each legal answer, and no other card, wins or loses for certain."""
    advisor = Advisor()
    for seed in range(6):
        for seen, full in moments(RuleSet(), random.Random(seed)):
            if full.at_close is not None or not full.exhausted or full.led is None or len(full.tricks) != 8:
                continue
            player = full.to_play
            advice = advisor.advise(View.of(seen, player, full.hands[player]))
            legal = {str(each.card) for each in legal_events(full) if isinstance(each, CardPlayed)}

            assert set(advice.actions) == {f"play:{card}" for card in legal}
            assert all(chance.wins in (0.0, 1.0) for chance in advice.actions.values())
            assert all((chance.game_points > 0) == (chance.wins == 1) for chance in advice.actions.values())


def test_a_suit_that_was_not_followed_is_not_held() -> None:
    """After the close every card of that suit lies in the stock, as far as nobody revoked."""
    hands = (
        tuple(map(Card.parse, ("AH", "TH", "KH", "AS", "TS"))),
        tuple(map(Card.parse, ("JD", "QD", "KD", "JC", "QC"))),
    )
    stock = tuple(map(Card.parse, ("QH", "KS", "QS", "JS", "AD", "TD", "AC", "TC", "KC", "JH")))
    state = deal(RuleSet(), Player.NORTH, stock[-1], hands, stock)
    for event in (Closed(Player.SOUTH), *played("AS", "JD")):
        state = apply(state, event)

    view = View.of(state, Player.SOUTH, state.hands[0])

    assert {str(card) for card in view.barred} == {"KS", "QS", "JS", "QH"}


def played(led: str, answer: str) -> tuple[Event, Event]:
    """A trick led by south."""
    return CardPlayed(Player.SOUTH, Card.parse(led)), CardPlayed(Player.NORTH, Card.parse(answer))


@pytest.mark.parametrize(
    ("told", "options", "unlikely"),
    [
        ("KH", {}, "QH JD"),
        ("KH", {"marriage_first_lead": False}, "JD"),
        ("KH", {"exchange_first_lead": False}, "QH"),
        ("AC-TC AS", {}, "JD"),
        ("AC-TC close KH", {}, "QH"),
        ("AC-TC close KH", {"marriage_after_close": False}, ""),
    ],
)
def test_nobody_is_thought_to_hide_what_may_not_be_shown(
    told: str, options: dict[str, object], unlikely: str
) -> None:
    """Whoever leads a king in silence hardly holds the queen, unless no marriage was open."""
    state = tell(new_hand("AD", **options), told)
    hand = [Card.parse(each) for each in ("QS", "JS", "JH", "TS", "QC")]

    assert View.of(state, NORTH, hand).unlikely == set(map(Card.parse, unlikely.split()))


def test_the_same_seed_gives_the_same_advice() -> None:
    """Chance comes from the seed alone."""
    seen, full = moments(RuleSet(), random.Random(2))[0]
    view = View.of(seen, full.to_play, full.hands[full.to_play])

    assert Advisor(4, layouts=8).advise(view) == Advisor(4, layouts=8).advise(view)


def test_a_player_whose_turn_it_is_not_gets_no_advice() -> None:
    """The view is refused, and so is one whose cards do not add up."""
    seen, full = moments(RuleSet(), random.Random(2))[0]
    player = full.to_play

    with pytest.raises(ViewError, match="has nothing to decide here"):
        View.of(seen, player.other, full.hands[player.other])
    view = View.of(seen, player, full.hands[player])
    with pytest.raises(ViewError, match="cards are hidden"):
        replace(view, other_size=4)


def test_each_layout_is_solved_by_itself() -> None:
    """What was found in one says nothing of the next; advice is the mean over all, with their weights."""
    checked = 0
    for seed in range(12):
        for seen, full in moments(RuleSet(), random.Random(seed)):
            player = full.to_play
            if not seen.stock_open or seen.stock_left > 4 or players_out(full):
                continue
            view = View.of(seen, player, full.hands[player])
            drawn, layouts = Layouts(view, random.Random(seed)), []
            for _ in range(5):
                terms, hand, weight = drawn.draw()
                engine = Engine()
                engine.begin(terms)
                values = engine.answers(terms, hand) if view.led else engine.values(terms, hand)
                named = {name_of(action, view.trump): value for action, value in values.items()}
                layouts.append((weight, named))
            total = sum(weight for weight, _ in layouts)
            means = {
                name: sum(weight * values[name] for weight, values in layouts) / total
                for name in layouts[0][1]
            }

            advice = Advisor(seed, 5).advise(view)
            sample = Comparer().sample(view, 5, random.Random(seed))

            assert advice.layouts == len(sample.weights) == 5
            assert {name: each.game_points for name, each in advice.actions.items()} == pytest.approx(means)
            assert {name: list(each) for name, each in sample.points.items()} == {
                name: [values[name] for _, values in layouts] for name in means
            }
            checked += 1

    assert checked > 20
