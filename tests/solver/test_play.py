"""The fast core plays the game of the rules; more hands: `python -m tests.solver.compare_play`."""

from __future__ import annotations

import random

from companion.rules.ruleset import PRESETS
from companion.solver import play
from companion.solver.random_play import play_hands
from companion.solver.rights import CLOSE
from companion.solver.terms import terms_of
from tests.rules.random_hands import random_rules
from tests.solver.compare_play import disagreement, without_knocking


def test_every_legal_action_and_result_is_that_of_the_judge() -> None:
    """Hands of all presets and of other houses: the same choices at every step, the same award."""
    for index in range(400):
        rng = random.Random(f"play/{index}")

        said, _, events = disagreement(without_knocking(random_rules(rng)), rng)

        assert said == "", events


def test_hands_of_every_preset_are_played_to_an_end() -> None:
    """Each hand is won by somebody or drawn, and a drawn one only where the rules can tie."""
    for rules in PRESETS.values():
        tally = play_hands(rules, 500)

        assert tally.actions > 500 * rules.hand_size
        assert tally.choices > tally.actions
        assert tally.drawn == 0 or rules.can_tie
        assert 500 - tally.drawn <= sum(tally.game_points) <= 3 * 500


def test_the_same_seed_plays_the_same_hands() -> None:
    """Chance comes from the seed alone."""
    rules = PRESETS["schnapsen"]

    assert play_hands(rules, 200, seed=3) == play_hands(rules, 200, seed=3)
    assert play_hands(rules, 200, seed=3) != play_hands(rules, 200, seed=4)


def test_no_card_is_lost_or_doubled_on_the_way() -> None:
    """Hands, stock, tricks and table always add up to the pack."""
    rules = PRESETS["snapszer_24"]
    rng = random.Random(11)
    for _ in range(30):
        pack = list(range(24))
        rng.shuffle(pack)
        while pack[-1] & 3 != 3:
            rng.shuffle(pack)
        terms = terms_of(rules, pack[12:])
        south, north = (sum(1 << card for card in hand) for hand in (pack[:6], pack[6:12]))
        state = play.new_hand(south, north, 6, 0, 1 << pack[-1])
        seen = 0
        while actions := play.legal(terms, state) & (1 << play.CLAIM) - 1:
            action = rng.choice([each for each in range(play.CLAIM) if actions >> each & 1])
            if action < CLOSE:
                assert not seen >> action & 1
                seen |= 1 << action
            play.act(terms, state, action)
            left = terms[state[play.DRAWN] : 12] if state[play.CLOSER] < 0 else []
            lying = [*left[:-1], state[play.UP]] if left else []
            hands = state[play.HAND], state[play.HAND + 1]
            assert hands[0] & hands[1] == 0
            places = [seen, *hands, *lying]
            if state[play.CLOSER] < 0:
                assert sum(places) == (1 << 24) - 1
