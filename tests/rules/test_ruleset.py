"""Rule sets: names, options, values, and what is refused."""

from __future__ import annotations

import itertools

import pytest

from companion.rules import notation
from companion.rules.presets import MODIFIERS
from companion.rules.record import Record
from companion.rules.ruleset import PRESETS, RuleSet, RuleSetError, choices, preset, rules_from_json

DEFAULTS = {name: getattr(RuleSet(), name) for name in choices()}


def test_the_preset_is_the_default() -> None:
    """`schnapsen` is what a rule set is without a word said."""
    assert preset("schnapsen") == RuleSet()
    assert rules_from_json({}) == RuleSet()
    assert RuleSet().to_json() == {"preset": "schnapsen"}


def test_an_unknown_preset_is_refused_with_those_that_exist() -> None:
    """The message names what was asked for and what there is."""
    with pytest.raises(RuleSetError, match=r"'sharp'; known: schnapsen, schnapsen_tournament"):
        preset("sharp")
    with pytest.raises(RuleSetError, match=r"'sharp'"):
        RuleSet(preset="sharp")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stock": 3}, "'stock' is no option"),
        ({"preset": "schnapsen", "match_target": 8}, "match_target: 8 is none of 7, 9, 11, 24"),
        ({"exchange_first_lead": 1}, "exchange_first_lead: 1 is none of True, False"),
        ({"close_min_stock": "2"}, "close_min_stock: '2' is none of 2, 4"),
        ({"deck": 24}, "do not fit together"),
        ({"unclaimed_end": "higher_total_1", "tie": "none"}, "can end in a tie"),
        ({"preset": 3}, "preset: 3 is not a name"),
        ([], "is not an object"),
    ],
)
def test_what_makes_no_sense_is_refused(options: object, message: str) -> None:
    """Unknown options, wrong values and contradictions are errors that name them."""
    with pytest.raises(RuleSetError, match=message):
        rules_from_json(options)


def test_a_number_is_taken_where_a_value_reads_like_one() -> None:
    """docs/rules.md writes `exchange_rank: 9` and `revoke_award: 3`; nothing else is taken for another."""
    assert rules_from_json({"preset": "snapszer_24", "exchange_rank": 9}) == preset("snapszer_24")
    assert rules_from_json({"revoke_award": 3}).revoke_award == "3"
    assert rules_from_json({"revoke_award": 3}).to_json() == {"preset": "schnapsen"}
    for options in ({"revoke_award": 2}, {"exchange_rank": True}, {"knock": 3}):
        with pytest.raises(RuleSetError, match="is none of"):
            rules_from_json(options)


DOCUMENTED = {
    "schnapsen": {},
    "schnapsen_tournament": {"series": "first_to_n_marks"},
    "schnapsen_casual": {"look_back": "own_tricks", "show_points": "own", "revoke_award": "take_back"},
    "schnapsen_sharp": {
        "close_min_stock": 4,
        "exchange_min_stock": 4,
        "exchange_first_lead": False,
        "marriage_first_lead": False,
    },
    "schnapsen_strict_follow": {"follow": "always_strict"},
    "schnapsen_wiki_soft": {
        "close_min_stock": 4,
        "unclaimed_end": "last_trick_scaled",
        "false_claim_award": "mirror",
        "schneider_match": "double",
        "series": "first_to_n_marks",
    },
    "schnapsen_wiki_hard": {
        "close_min_stock": 4,
        "exchange_min_stock": 4,
        "unclaimed_end": "last_trick_scaled",
        "false_claim_award": "mirror",
        "schneider_match": "double",
        "series": "first_to_n_marks",
    },
    "snapszli": {
        "unclaimed_end": "last_trick_bonus_10",
        "false_claim_award": "as_opponent_closed",
        "close_win_basis": "at_end",
        "failed_close_award": "2_3_at_end",
        "marriage_counts": "immediately",
        "claim_window": "any_player_between_tricks",
        "series": "best_of_3",
    },
    "snapszer_24": {"deck": 24, "hand_size": 6, "exchange_rank": "9"},
    "sixty_six": {
        "deck": 24,
        "hand_size": 6,
        "exchange_rank": "9",
        "exchange_first_lead": False,
        "exchange_on_close": True,
        "close_before_draw": True,
        "marriage_after_close": False,
        "marriage_after_exhausted": False,
        "unclaimed_end": "last_trick_bonus_10",
        "close_win_basis": "at_end",
        "beaten_closer_award": "flat_2",
        "false_claim_award": "flat_2",
        "dealer": "winner_deals",
        "count": "up",
    },
    "santase": {
        "deck": 24,
        "hand_size": 6,
        "exchange_rank": "9",
        "exchange_first_lead": False,
        "close_first_lead": False,
        "marriage_first_lead": False,
        "exchange_min_stock": 4,
        "close_min_stock": 4,
        "unclaimed_end": "last_trick_bonus_10",
        "close_win_basis": "at_end",
        "failed_close_award": "flat_3",
        "match_target": 11,
        "count": "up",
        "dealer": "winner_deals",
    },
    "beginner": {
        "failed_close_award": "flat_1",
        "claim_mode": "auto",
        "show_points": "both",
        "revoke_award": "take_back",
    },
}
DOCUMENTED["snapszli_24"] = DOCUMENTED["snapszli"] | DOCUMENTED["snapszer_24"]
DOCUMENTED["beginner_24"] = DOCUMENTED["beginner"] | DOCUMENTED["snapszer_24"]


def test_there_are_the_presets_that_are_documented() -> None:
    """Fourteen sets of rules, and no other."""
    assert set(PRESETS) == set(DOCUMENTED)


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_preset_is_its_differences(name: str) -> None:
    """Every option of a preset is the default, but for those that its sources change."""
    rules = preset(name)

    changed = {each: getattr(rules, each) for each in choices() if getattr(rules, each) != DEFAULTS[each]}
    assert changed == DOCUMENTED[name]
    assert rules.to_json() == {"preset": name}
    assert rules.stock_size == (12 if rules.deck == 24 else 10)


@pytest.mark.parametrize("modifier", MODIFIERS)
def test_a_modifier_sets_its_options_and_is_recognised(modifier: str) -> None:
    """By name behind a plus sign or in a list; written it is the options that it sets."""
    base = "schnapsen" if modifier == "last_trick_10" else "sixty_six"
    rules = rules_from_json({"preset": base, "modifiers": [modifier]})

    assert rules == preset(f"{base}+{modifier}")
    assert rules.modifiers == (modifier,)
    assert rules_from_json(rules.to_json()) == rules
    assert rules.to_json() == {"preset": base, **MODIFIERS[modifier]}


@pytest.mark.parametrize("name", DOCUMENTED)
def test_modifiers_go_with_every_preset(name: str) -> None:
    """Any of the 64 choices: only a carried tie where no hand can tie is refused, and it says why."""
    for chosen in itertools.chain.from_iterable(
        itertools.combinations(MODIFIERS, number) for number in range(len(MODIFIERS) + 1)
    ):
        spelled = "+".join((name, *chosen))
        if "tie_carry" in chosen and not preset(name).can_tie and "last_trick_10" not in chosen:
            with pytest.raises(RuleSetError, match="'carry_1' needs an end that can tie"):
                preset(spelled)
        else:
            assert rules_from_json({"preset": name, "modifiers": list(chosen)}) == preset(spelled)


def test_all_modifiers_go_together() -> None:
    """Six modifiers at once on the preset, whatever their order."""
    rules = preset("schnapsen+knock+tie_carry+last_trick_10+schneider_bummerl+best_of_3+countdown")

    assert (rules.knock, rules.tie, rules.unclaimed_end) == (True, "carry_1", "last_trick_bonus_10")
    assert (rules.schneider_match, rules.series, rules.count) == ("double", "best_of_3", "down")
    assert set(rules.modifiers) == set(MODIFIERS) - {"countdown"}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"modifiers": ["tie_carry"]}, "'carry_1' needs an end that can tie, unclaimed_end 'last_trick_1'"),
        ({"preset": "schnapsen_wiki_soft+tie_carry"}, "'last_trick_scaled' cannot"),
        ({"modifiers": ["sharp"]}, "no modifier is called 'sharp'; known: countdown"),
        ({"preset": "schnapsen+knock", "modifiers": ["knock"]}, "modifier 'knock' is named twice"),
        ({"modifiers": ["knock"], "knock": False}, "knock: False contradicts the modifier"),
        ({"modifiers": "knock"}, "modifiers: 'knock' is not a list"),
        ({"series_marks": 3}, "series_marks: 3 means nothing with series 'none'"),
        ({"preset": "snapszli", "deck": 24}, "do not fit together"),
    ],
)
def test_contradictions_are_named(rules: object, message: str) -> None:
    """Options and modifiers that contradict each other are refused, and the message says which."""
    with pytest.raises(RuleSetError, match=message):
        rules_from_json(rules)


@pytest.mark.parametrize("option", choices())
def test_every_option_travels_through_json(option: str) -> None:
    """Each value that can be played comes back from the written form; the default is left out."""
    for value in choices()[option]:
        try:
            rules = RuleSet().with_overrides({option: value})
        except RuleSetError:
            continue
        assert rules_from_json(rules.to_json()) == rules
        assert (option in rules.to_json()) == (value != getattr(RuleSet(), option))


@pytest.mark.parametrize("option", list(choices()))
def test_a_title_leaves_nothing_out(option: str) -> None:
    """Whatever differs from the preset is said so that it can be read again, modifiers by name (11.2)."""
    for name, value in itertools.product(PRESETS, choices()[option]):
        try:
            rules = PRESETS[name].with_overrides({option: value})
        except RuleSetError:
            continue
        (read,) = notation.read_each((".hand 1", f"rules {rules.title}", "hand north QH"))
        assert isinstance(read.what, Record)
        assert read.what.rules == rules


def test_a_title_names_modifiers() -> None:
    """They stand behind plus signs, and what they set is not told twice."""
    assert preset("schnapsen").title == "schnapsen"
    assert preset("snapszli+tie_carry+knock").title == "snapszli+tie_carry+knock"
    assert preset("schnapsen+knock").with_overrides({"count": "up"}).title == "schnapsen+knock count=up"
