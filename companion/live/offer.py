"""The rules that a phone offers for a new match: presets, and the modifiers that fit each."""

from __future__ import annotations

from functools import cache
from typing import Any

from companion.rules.presets import MODIFIERS
from companion.rules.ruleset import PRESETS, RuleSetError, preset

__all__ = ["offered_rules"]


@cache
def offered_rules() -> dict[str, Any]:
    """Return the presets in their order, as JSON.

    Each has its `name`, its `deck` (20 or 24), its `target` and whether it `counts_down` to 0, and
    `modifiers`: by name what each needs to make sense, an empty text or another modifier. One that
    a preset has anyway is left out.
    """
    return {
        "presets": [
            {
                "name": name,
                "deck": rules.deck,
                "target": rules.match_target,
                "counts_down": rules.count == "down",
                "modifiers": _fitting(name),
            }
            for name, rules in PRESETS.items()
        ]
    }


def _fitting(name: str) -> dict[str, str]:
    fitting: dict[str, str] = {}
    for modifier, options in MODIFIERS.items():
        if all(getattr(PRESETS[name], option) == value for option, value in options.items()):
            continue
        needs = next((each for each in ("", *MODIFIERS) if _is_sound(name, modifier, each)), None)
        if needs is not None:
            fitting[modifier] = needs
    return fitting


def _is_sound(name: str, modifier: str, other: str) -> bool:
    """Whether a preset takes a modifier, together with another one."""
    try:
        preset("+".join((name, modifier, *([other] if other else []))))
    except RuleSetError:
        return False
    return True
