"""House rules as named options; each has its section in docs/rules.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from types import MappingProxyType
from typing import Any, Literal, get_args, get_type_hints

from companion.rules.cards import PACK_20, PACK_24, Card, Rank
from companion.rules.presets import DIFFERENCES, MODIFIERS

__all__ = ["PRESETS", "RuleSet", "RuleSetError", "choices", "preset", "rules_from_json"]


class RuleSetError(ValueError):
    """A rule set that does not exist or makes no sense; the message names the option and the value."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSet:
    """What the players agreed on; the defaults are the preset `schnapsen`.

    Every option is named and explained in docs/rules.md, with the sources that disagree about
    it. `preset` names the set that the others are read as differences from. Modifiers are sets of
    options on top; they are kept as the options that they set.

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
    knock: bool = False

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
    series_marks: Literal[1, 2, 3, 4, 5, 6, 7, 8, 9] = 2

    look_back: Literal["none", "own_tricks", "last_trick"] = "none"
    show_points: Literal["none", "own", "both"] = "none"

    def __post_init__(self) -> None:
        if self.preset not in DIFFERENCES:
            raise _unknown(self.preset)
        for name, allowed in choices().items():
            value = getattr(self, name)
            if not any(value == each and type(value) is type(each) for each in allowed):
                raise RuleSetError(
                    f"{name}: {value!r:.80} is none of {', '.join(str(each) for each in allowed)}"
                )
        if (self.deck, self.hand_size, self.exchange_rank) not in {(20, 5, "J"), (24, 6, "9")}:
            raise RuleSetError(
                f"deck, hand_size, exchange_rank: {self.deck}, {self.hand_size}, {self.exchange_rank} do not"
                " fit together; 20, 5, J and 24, 6, 9 do"
            )
        if self.tie == "none" and self.can_tie:
            raise RuleSetError(
                f"tie: 'none' cannot be, unclaimed_end {self.unclaimed_end!r} can end in a tie"
            )
        if self.tie == "carry_1" and not self.can_tie:
            raise RuleSetError(
                f"tie: 'carry_1' needs an end that can tie, unclaimed_end {self.unclaimed_end!r} cannot;"
                " higher_total_1 and last_trick_bonus_10 can"
            )
        if self.series_marks != 2 and self.series != "first_to_n_marks":
            raise RuleSetError(
                f"series_marks: {self.series_marks} means nothing with series {self.series!r};"
                " first_to_n_marks goes by it"
            )

    @property
    def can_tie(self) -> bool:
        """Whether a hand can end with equal points and nobody scoring (clause 8.5)."""
        return self.unclaimed_end in ("higher_total_1", "last_trick_bonus_10")

    @property
    def modifiers(self) -> tuple[str, ...]:
        """Modifiers by whose options these rules differ from the preset (clause 11.2)."""
        base = PRESETS[self.preset]
        return tuple(
            name
            for name, options in MODIFIERS.items()
            if all(getattr(self, option) == value for option, value in options.items())
            and any(getattr(base, option) != value for option, value in options.items())
        )

    @property
    def title(self) -> str:
        """All of these rules in a line: preset, modifiers behind plus signs, other options by name.

        >>> RuleSet(knock=True, match_target=9).title
        'schnapsen+knock match_target=9'
        """
        modified = _modified(self.modifiers)
        others = [
            f"{name}={str(value).lower() if isinstance(value, bool) else value}"
            for name, value in self.to_json().items()
            if name != "preset" and name not in modified
        ]
        return " ".join(("+".join((self.preset, *self.modifiers)), *others))

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
                raise RuleSetError(f"{name!r:.80} is no option of the rules")
        return replace(self, **overrides) if overrides else self

    def to_json(self) -> dict[str, Any]:
        """Return the preset's name and every option that differs from it."""
        base = PRESETS[self.preset]
        differing = {
            name: getattr(self, name) for name in choices() if getattr(self, name) != getattr(base, name)
        }
        return {"preset": self.preset, **differing}


@cache
def choices() -> Mapping[str, tuple[object, ...]]:
    """Every option's name with the values it may have, in the order of the fields."""
    hints = get_type_hints(RuleSet)
    options = (field.name for field in fields(RuleSet) if field.name != "preset")
    return MappingProxyType(
        {name: (True, False) if hints[name] is bool else get_args(hints[name]) for name in options}
    )


PRESETS: Mapping[str, RuleSet] = MappingProxyType(
    {name: RuleSet(preset=name, **options) for name, options in DIFFERENCES.items()}
)
"""The rule sets known by name."""


def _unknown(name: str) -> RuleSetError:
    return RuleSetError(f"no rules are called {name!r:.80}; known: {', '.join(DIFFERENCES)}")


def preset(name: str) -> RuleSet:
    """Return the rule set called `name`, a preset with modifiers behind plus signs.

    >>> preset("schnapsen+last_trick_10+tie_carry").tie
    'carry_1'

    Raises:
        RuleSetError: There is no such preset or modifier; the message lists those that exist. Or
            they contradict each other.
    """
    base, *modifiers = name.split("+")
    if base not in PRESETS:
        raise _unknown(base)
    return PRESETS[base].with_overrides(_modified(modifiers)) if modifiers else PRESETS[base]


def _modified(modifiers: Sequence[object]) -> dict[str, Any]:
    """Return the options that `modifiers` set together."""
    options: dict[str, Any] = {}
    said: list[str] = []
    for name in modifiers:
        if not isinstance(name, str) or name not in MODIFIERS:
            raise RuleSetError(f"no modifier is called {name!r:.80}; known: {', '.join(MODIFIERS)}")
        if name in said:
            raise RuleSetError(f"modifier {name!r} is named twice")
        said.append(name)
        options |= MODIFIERS[name]
    return options


def _as_named(option: str, value: object) -> object:
    """A value as the option has it: `exchange_rank` 9 is its "9", as whoever writes JSON by hand puts it."""
    return str(value) if type(value) is int and str(value) in choices().get(option, ()) else value


def rules_from_json(data: object) -> RuleSet:
    """Read `{"preset": "schnapsen", "modifiers": ["knock"], ...overrides}`.

    Raises:
        RuleSetError: No object, no such preset, modifier, option or value, or two of them
            contradict each other.
    """
    if not isinstance(data, Mapping):
        raise RuleSetError(f"rules: {data!r:.80} is not an object")
    name = data.get("preset", "schnapsen")
    if not isinstance(name, str):
        raise RuleSetError(f"preset: {name!r:.80} is not a name")
    modifiers = data.get("modifiers", [])
    if not isinstance(modifiers, list):
        raise RuleSetError(f"modifiers: {modifiers!r:.80} is not a list")
    base, *named = name.split("+")
    modified = _modified([*named, *modifiers])
    options = {
        key: _as_named(key, value) for key, value in data.items() if key not in ("preset", "modifiers")
    }
    for option, value in modified.items():
        if option in options and options[option] != value:
            raise RuleSetError(
                f"{option}: {options[option]!r:.80} contradicts the modifier that makes it {value!r}"
            )
    return preset(base).with_overrides(modified | options)
