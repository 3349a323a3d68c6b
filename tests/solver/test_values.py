"""What the solver says of positions, held against the judge of the rules asked at every step."""

from __future__ import annotations

import json
import random
from dataclasses import replace

import pytest

from companion.rules.cards import Card, Player, Suit
from companion.rules.events import CardPlayed
from companion.rules.hand import apply, legal_events
from companion.rules.ruleset import PRESETS, RuleSet
from companion.solver.position import Position, PositionError
from companion.solver.solve import Solver
from tests.rules.random_hands import OPTIONS
from tests.solver.compare_values import slow_solution
from tests.solver.slow import random_state


@pytest.fixture(scope="module")
def solver() -> Solver:
    """A solver."""
    return Solver()


@pytest.mark.parametrize(
    ("kind", "number"),
    [("exhausted", 30), ("closed 5", 20), ("closed 4", 30), ("left 2", 4)],
)
def test_every_action_has_the_value_that_the_judge_gives_it(solver: Solver, kind: str, number: int) -> None:
    """The family's main rules; more positions: `python -m tests.solver.compare_values`."""
    for index in range(number):
        state = random_state(RuleSet(), random.Random(f"values/{kind}/{index}"), kind)

        assert solver.solve(Position.from_state(state)) == slow_solution(state)


@pytest.mark.parametrize("kind", ["exhausted", "closed 5", "closed 3", "left 2"])
def test_every_answer_has_the_value_that_the_judge_gives_it(solver: Solver, kind: str) -> None:
    """With a card on the table it is the other player who decides, and only legal answers are listed."""
    for index in range(4):
        rng = random.Random(f"answers/{kind}/{index}")
        state = random_state(RuleSet(), rng, kind)
        leads = [event for event in legal_events(state) if isinstance(event, CardPlayed)]
        state = apply(state, rng.choice(leads))

        assert solver.solve(Position.from_state(state)) == slow_solution(state)


def test_a_position_is_written_as_it_is_read() -> None:
    """On lead and with a card led, open, closed and exhausted, by any rules."""
    for index, kind in enumerate(["exhausted", "closed 4", "left 4", "left 10"] * 4):
        rng = random.Random(index)
        state = random_state(PRESETS[rng.choice(list(PRESETS))], rng, kind)
        leads = [event for event in legal_events(state) if isinstance(event, CardPlayed)]
        for moment in (state, apply(state, leads[0])):
            position = Position.from_state(moment)

            assert Position.from_json(json.loads(json.dumps(position.to_json()))) == position


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_is_solved_by_its_own_rules(solver: Solver, name: str) -> None:
    """Packs of 20 and 24, exchange at the close, closing before drawing, ten for the last trick."""
    rules = PRESETS[name]
    kinds = ["exhausted", "closed 3", "closed 4"] if rules.deck == 20 else ["closed 3", "closed 4"]
    for kind in kinds:
        state = random_state(rules, random.Random(f"{name}/{kind}"), kind)

        assert solver.solve(Position.from_state(state)) == slow_solution(state)


def test_any_option_is_solved_by(solver: Solver) -> None:
    """Each value of each option that changes how a hand goes, at the end of a hand."""
    for option, values in OPTIONS.items():
        for value in set(values) - {getattr(RuleSet(), option)}:
            rules = RuleSet().with_overrides({option: value})
            state = random_state(rules, random.Random(f"{option}/{value}"), "closed 3")

            assert solver.solve(Position.from_state(state)) == slow_solution(state), (option, value)


def cards(text: str) -> tuple[Card, ...]:
    """Cards from their codes."""
    return tuple(Card.parse(each) for each in text.split())


def test_three_sure_tricks_with_the_royal_marriage_win_three(solver: Solver) -> None:
    """Forehand closes on the first lead with ace, king and queen of trumps and cannot fail."""
    position = Position(
        RuleSet(),
        Suit.HEARTS,
        Player.SOUTH,
        (cards("AH KH QH AS AD"), cards("JD QD JS QS KS")),
        cards("AC TC KC QC JC TD TS KD TH JH"),
        (0, 0),
        (0, 0),
    )

    solution = solver.solve(position)

    assert solution.value == 3
    assert solution.actions["close"] == 3


def test_sixty_six_is_claimed_before_anything_else(solver: Solver) -> None:
    """Whoever has 66 on lead claims; the award looks at the other player's points."""
    position = Position(
        RuleSet(), Suit.HEARTS, Player.NORTH, (cards("AH"), cards("JD")), (), (33, 66), (4, 5)
    )

    assert solver.solve(position).actions == {"claim": -1}


def test_a_marriage_is_declared_with_its_lead_and_may_end_the_hand(solver: Solver) -> None:
    """46 and a plain pair are 66, whatever the other player holds."""
    position = Position(
        RuleSet(), Suit.HEARTS, Player.SOUTH, (cards("KD QD"), cards("AD AH")), (), (46, 30), (4, 4)
    )

    solution = solver.solve(position)

    assert solution.actions == {"play:KD": 2, "play:QD": 2}


@pytest.mark.parametrize(("window", "value"), [("any_player_between_tricks", 2), ("on_lead", -1)])
def test_between_tricks_a_declaration_may_be_claimed_on_before_its_lead(
    solver: Solver, window: str, value: int
) -> None:
    """Where declaring gives no claim of its own, one between tricks keeps its time (clause 7.3)."""
    rules = RuleSet().with_overrides({"claim_on_declaration": False, "claim_window": window})
    hands = cards("KD QD"), cards("AD AH")
    position = Position(rules, Suit.HEARTS, Player.SOUTH, hands, (), (46, 30), (4, 4))

    assert solver.solve(position).actions == {"play:KD": value, "play:QD": value}


FORBIDDEN = [
    # north takes a trick with the close before the draw: the twenty in diamonds would come after it
    (
        {
            "rules": {"preset": "sixty_six"}, "trump": "C", "to_lead": 1,
            "hands": [["QD", "KD", "9H", "QH", "JS", "QS"], ["9D", "TH", "AH", "9S", "TS", "AS"]],
            "stock": ["AD", "TC"], "card_points": [36, 26], "tricks_won": [2, 3],
        },
        {"play:9S": -1},
    ),
    (
        {
            "rules": {"preset": "sixty_six"}, "trump": "S", "to_lead": 0,
            "hands": [["JD", "AD", "9H", "QH", "9S", "TS"], ["QC", "TC", "QD", "KD", "JH", "AS"]],
            "stock": ["AC", "JS"], "card_points": [8, 40], "tricks_won": [1, 4],
        },
        {"value": 1},
    ),
    # closed on the first lead: north reaches 59 without the forty that come too late
    (
        {
            "rules": {"preset": "schnapsen", "marriage_after_close": False}, "trump": "S", "to_lead": 1,
            "hands": [["JC", "JD", "TD", "AD", "JH"], ["KH", "TH", "QS", "KS", "AS"]],
            "stock": ["AC", "QH", "KC", "KD", "QC", "AH", "TS", "TC", "QD", "JS"],
            "card_points": [0, 0], "tricks_won": [0, 0], "closed_by": 1,
            "opponent_at_close": {"card_points": 0, "has_trick": False},
        },
        {"play:QS": 3, "play:KS": 3},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("position", "values"), FORBIDDEN)
def test_a_marriage_that_may_not_be_declared_any_more_counts_for_nothing(
    solver: Solver, position: dict, values: dict[str, int]
) -> None:
    """After a close, also before drawing or on the first lead (clauses 5.5 and 6.4)."""
    solution = solver.solve(Position.from_json(position))
    found = {"value": solution.value, **solution.actions}
    assert {key: found[key] for key in values} == values


@pytest.mark.parametrize("preset", ["sixty_six", "schnapsen"])
def test_closing_where_nothing_may_be_declared_afterwards_has_the_value_that_the_judge_gives_it(
    solver: Solver, preset: str
) -> None:
    """A closed stock on the first lead and later, and the last draw, before which may be closed."""
    rules = replace(PRESETS[preset], marriage_after_close=False)
    for kind, number in (("closed 5", 12), ("closed 3", 12), ("left 2", 3)):
        for index in range(number):
            state = random_state(rules, random.Random(f"late marriages/{kind}/{index}"), kind)
            assert solver.solve(Position.from_state(state)) == slow_solution(state)


def test_a_close_may_cost_more_by_a_claim_than_by_failing(solver: Solver) -> None:
    """Where a failed close pays 1 and a beaten one 2, the other player claims in time (clause 8.3)."""
    rules = RuleSet().with_overrides({"failed_close_award": "flat_1", "beaten_closer_award": "flat_2"})
    held = cards("KC JD TH AH QS"), cards("JC QD KD KS TS")
    position = Position(rules, Suit.SPADES, Player.SOUTH, held, cards("AC AS"), (10, 35), (2, 2))

    assert solver.solve(position).actions["close"] == -2


def test_an_open_stock_is_even_while_somebody_is_on_lead() -> None:
    """Both have drawn: three cards cannot lie there."""
    held = cards("KC JD TH AH QS"), cards("JC QD KD KS TS")

    with pytest.raises(PositionError, match="an open stock of 3 cards"):
        Position(RuleSet(), Suit.SPADES, Player.SOUTH, held, cards("AD AC AS"), (0, 0), (0, 0))


def test_pending_points_count_with_the_first_trick(solver: Solver) -> None:
    """Points that wait for a trick make 66 as soon as their owner takes one, and then that is claimed."""
    held = (cards("AH TD"), cards("JD JS"))
    without = Position(RuleSet(), Suit.HEARTS, Player.NORTH, held, (), (0, 20), (0, 8))
    waiting = Position(RuleSet(), Suit.HEARTS, Player.NORTH, held, (), (0, 20), (0, 8), (60, 0))

    assert solver.solve(without).value == 1
    assert solver.solve(waiting).value == 2


def test_a_solver_forgets_other_deals(solver: Solver) -> None:
    """The same hands over another stock are another position, also for a solver that knew the first."""
    rng = random.Random(7)
    state = random_state(RuleSet(), rng, "left 6")
    position = Position.from_state(state)
    stock = (*position.stock[:-1][::-1], position.stock[-1])
    turned = Position(
        position.rules,
        position.trump,
        position.to_lead,
        position.hands,
        stock,
        position.card_points,
        position.tricks_won,
    )

    again = [solver.solve(each) for each in (position, turned, position)]

    assert again == [Solver().solve(each) for each in (position, turned, position)]
