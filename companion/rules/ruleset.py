"""House rules as named options; each has its section in docs/rules.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, get_args, get_type_hints

from companion.rules.cards import PACK_20, PACK_24, Card, Rank

__all__ = ["PRESETS", "RuleSet", "RuleSetError", "choices", "preset", "rules_from_json"]


_DIFFERENCES: Mapping[str, Mapping[str, Any]] = MappingProxyType({"schnapsen": {}})
"""What each preset changes of the defaults of `RuleSet`."""


class RuleSetError(ValueError):
    """A rule set that does not exist or makes no sense; the message names the option and the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """What the players agreed on; the defaults are the preset `schnapsen`.

    Every option is named and explained in docs/rules.md, with the sources that disagree about
    it. `preset` names the set that the others are read as differences from.

    >>> RuleSet(close_min_stock=3)
    Traceback (most recent call last):
        ...
    companion.rules.ruleset.RuleSetError: close_min_stock: 3 is none of 2, 4
    """

    preset: str = "schnapsen"

    deck: Literal[20, 24] = 20
    hand_size: Literal[5, 6] = 5
    exchange_rank: Literal["J", "9"] = "J"
    deal_order: Literal["3_turn_2", "3_2_turn", "single"] = "3_turn_2"
    dealer: Literal["alternate", "winner_deals", "keep_on_draw"] = "alternate"
    count: Literal["down", "up"] = "down"

    follow: Literal["open_free", "always_strict"] = "open_free"
    revoke_award: Literal["3", "as_false_claim", "take_back"] = "3"

    exchange_first_lead: bool = True
    exchange_min_stock: Literal[2, 4] = 2
    exchange_on_close: bool = False
    acts_after_marriage: Literal["any", "close_only", "none"] = "any"

    marriage_first_lead: bool = True
    marriage_counts: Literal["first_trick", "next_trick", "immediately"] = "first_trick"
    marriage_after_close: bool = True
    marriage_after_exhausted: bool = True
    marriage_declaration: Literal["optional", "forced"] = "optional"

    close_before_draw: bool = False
    close_first_lead: bool = True
    close_min_stock: Literal[2, 4] = 2

    claim_mode: Literal["explicit", "auto"] = "explicit"
    claim_window: Literal["on_lead", "after_own_trick", "any_player_between_tricks"] = "on_lead"
    claim_on_declaration: bool = True
    claim_after_last_trick: bool = True
    false_claim_award: Literal[
        "2_3_opponent", "2_3_claimant", "as_opponent_closed", "mirror", "flat_2", "flat_3"
    ] = "2_3_opponent"
    closer_false_claim: Literal["worse", "literal"] = "worse"

    close_win_basis: Literal["at_close", "at_end"] = "at_close"
    failed_close_award: Literal["2_3_at_close", "2_3_at_end", "2_3_closer", "flat_1", "flat_2", "flat_3"] = (
        "2_3_at_close"
    )
    beaten_closer_award: Literal["same", "flat_2"] = "same"

    unclaimed_end: Literal["last_trick_1", "last_trick_scaled", "higher_total_1", "last_trick_bonus_10"] = (
        "last_trick_1"
    )
    tie: Literal["none", "drawn", "carry_1"] = "drawn"

    match_target: Literal[7, 9, 11, 24] = 7
    schneider_match: Literal["single", "double"] = "single"
    series: Literal["none", "best_of_3", "first_to_n_marks"] = "none"

    look_back: Literal["none", "own_tricks", "last_trick"] = "none"
    show_points: Literal["none", "own", "both"] = "none"

    def __post_init__(self) -> None:
        if self.preset not in _DIFFERENCES:
            raise _unknown(self.preset)
        for name, allowed in choices().items():
            value = getattr(self, name)
            if not any(value == each and type(value) is type(each) for each in allowed):
                raise RuleSetError(f"{name}: {value!r} is none of {', '.join(str(each) for each in allowed)}")
            if value in _NOT_YET.get(name, ()):
                raise RuleSetError(f"{name}: {value!r} is not supported by this version")
        if (self.deck, self.hand_size, self.exchange_rank) not in {(20, 5, "J"), (24, 6, "9")}:
            raise RuleSetError(
                f"deck, hand_size, exchange_rank: {self.deck}, {self.hand_size}, {self.exchange_rank} do not"
                " fit together; 20, 5, J and 24, 6, 9 do"
            )
        if self.tie == "none" and self.unclaimed_end in ("higher_total_1", "last_trick_bonus_10"):
            raise RuleSetError(
                f"tie: 'none' cannot be, unclaimed_end {self.unclaimed_end!r} can end in a tie"
            )

    @property
    def pack(self) -> tuple[Card, ...]:
        """Every card of the pack once, in the order of `PACK_24`."""
        return PACK_20 if self.deck == 20 else PACK_24

    @property
    def stock_size(self) -> int:
        """Cards in the stock after the deal, the turned-up one among them."""
        return int(self.deck) - 2 * int(self.hand_size)

    @property
    def lowest_trump(self) -> Rank:
        """Rank of the card that is exchanged for the turned-up one."""
        return Rank.JACK if self.exchange_rank == "J" else Rank.NINE

    def with_overrides(self, overrides: Mapping[str, Any]) -> RuleSet:
        """Return these rules with some options changed.

        Raises:
            RuleSetError: There is no such option, or it has no such value.
        """
        known = choices()
        for name in overrides:
            if name not in known:
                raise RuleSetError(f"{name!r} is no option of the rules")
        return replace(self, **overrides)

    def to_json(self) -> dict[str, Any]:
        """Return the preset's name and every option that differs from it."""
        base = PRESETS[self.preset]
        differing = {
            name: getattr(self, name) for name in choices() if getattr(self, name) != getattr(base, name)
        }
        return {"preset": self.preset, **differing}


_NOT_YET: Mapping[str, tuple[object, ...]] = MappingProxyType(
    {
        "exchange_on_close": (True,),
        "marriage_declaration": ("forced",),
        "close_before_draw": (True,),
        "claim_mode": ("auto",),
        "claim_window": ("after_own_trick", "any_player_between_tricks"),
        "series": ("best_of_3", "first_to_n_marks"),
    }
)
"""Values that sources know and this version does not play; see docs/rules.md, section 11."""


@cache
def choices() -> Mapping[str, tuple[object, ...]]:
    """Every option's name with the values it may have, in the order of the fields."""
    hints = get_type_hints(RuleSet)
    options = (field.name for field in fields(RuleSet) if field.name != "preset")
    return MappingProxyType(
        {name: (True, False) if hints[name] is bool else get_args(hints[name]) for name in options}
    )


PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {name: RuleSet(preset=name, **options) for name, options in _DIFFERENCES.items()}
)
"""The rule sets known by name."""


def _unknown(name: str) -> RuleSetError:
    return RuleSetError(f"no rules are called {name!r}; known: {', '.join(_DIFFERENCES)}")


def preset(name: str) -> RuleSet:
    """Return the rule set called `name`.

    Raises:
        RuleSetError: There is none; the message lists those that exist.
    """
    try:
        return PRESETS[name]
    except KeyError:
        raise _unknown(name) from None


def rules_from_json(data: object) -> RuleSet:
    """Read `{"preset": "schnapsen", ...overrides}`.

    Raises:
        RuleSetError: No object, no such preset, option or value.
    """
    if not isinstance(data, Mapping):
        raise RuleSetError(f"rules: {data!r} is not an object")
    name = data.get("preset", "schnapsen")
    if not isinstance(name, str):
        raise RuleSetError(f"preset: {name!r} is not a name")
    return preset(name).with_overrides({key: value for key, value in data.items() if key != "preset"})
