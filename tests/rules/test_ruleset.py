"""Rule sets: names, options, values, and what is refused."""

from __future__ import annotations

import pytest

from companion.rules.ruleset import RuleSet, RuleSetError, choices, preset, rules_from_json


def test_the_preset_is_the_default() -> None:
    """`schnapsen` is what a rule set is without a word said."""
    assert preset("schnapsen") == RuleSet()
    assert rules_from_json({}) == RuleSet()
    assert RuleSet().to_json() == {"preset": "schnapsen"}


def test_an_unknown_preset_is_refused_with_those_that_exist() -> None:
    """The message names what was asked for and what there is."""
    with pytest.raises(RuleSetError, match=r"'sharp'; known: schnapsen"):
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


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("exchange_on_close", True),
        ("marriage_declaration", "forced"),
        ("close_before_draw", True),
        ("claim_mode", "auto"),
        ("claim_window", "after_own_trick"),
        ("series", "best_of_3"),
    ],
)
def test_a_value_not_played_yet_is_refused(option: str, value: object) -> None:
    """A known value that this version does not play is never passed over in silence."""
    with pytest.raises(RuleSetError, match=f"{option}: .* not supported by this version"):
        RuleSet().with_overrides({option: value})


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
