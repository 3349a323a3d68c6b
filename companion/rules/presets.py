"""Presets as differences from `schnapsen`, and modifiers on top (docs/rules.md, section 11)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

__all__ = ["DIFFERENCES", "MODIFIERS"]

_NINES = {"deck": 24, "hand_size": 6, "exchange_rank": "9"}

_WIKI_SOFT = {
    "close_min_stock": 4,
    "unclaimed_end": "last_trick_scaled",
    "false_claim_award": "mirror",
    "schneider_match": "double",
    "series": "first_to_n_marks",
}

_SNAPSZLI = {
    "unclaimed_end": "last_trick_bonus_10",
    "tie": "drawn",
    "false_claim_award": "as_opponent_closed",
    "close_win_basis": "at_end",
    "failed_close_award": "2_3_at_end",
    "marriage_counts": "immediately",
    "claim_window": "any_player_between_tricks",
    "series": "best_of_3",
}

_BEGINNER = {
    "failed_close_award": "flat_1",
    "claim_mode": "auto",
    "show_points": "both",
    "revoke_award": "take_back",
}

DIFFERENCES: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "schnapsen": {},
        "schnapsen_tournament": {
            "look_back": "none",
            "show_points": "none",
            "revoke_award": "3",
            "schneider_match": "single",
            "series": "first_to_n_marks",
            "series_marks": 2,
        },
        "schnapsen_casual": {"look_back": "own_tricks", "show_points": "own", "revoke_award": "take_back"},
        "schnapsen_sharp": {
            "close_min_stock": 4,
            "exchange_min_stock": 4,
            "exchange_first_lead": False,
            "marriage_first_lead": False,
        },
        "schnapsen_strict_follow": {"follow": "always_strict"},
        "schnapsen_wiki_soft": _WIKI_SOFT,
        "schnapsen_wiki_hard": {**_WIKI_SOFT, "exchange_min_stock": 4},
        "snapszli": _SNAPSZLI,
        "snapszli_24": {**_SNAPSZLI, **_NINES},
        "snapszer_24": _NINES,
        "sixty_six": {
            **_NINES,
            "exchange_first_lead": False,
            "exchange_on_close": True,
            "close_before_draw": True,
            "marriage_after_close": False,
            "marriage_after_exhausted": False,
            "unclaimed_end": "last_trick_bonus_10",
            "tie": "drawn",
            "close_win_basis": "at_end",
            "beaten_closer_award": "flat_2",
            "false_claim_award": "flat_2",
            "dealer": "winner_deals",
            "count": "up",
        },
        "santase": {
            **_NINES,
            "exchange_first_lead": False,
            "close_first_lead": False,
            "marriage_first_lead": False,
            "exchange_min_stock": 4,
            "close_min_stock": 4,
            "unclaimed_end": "last_trick_bonus_10",
            "tie": "drawn",
            "close_win_basis": "at_end",
            "failed_close_award": "flat_3",
            "match_target": 11,
            "count": "up",
            "dealer": "winner_deals",
        },
        "beginner": _BEGINNER,
        "beginner_24": {**_BEGINNER, **_NINES},
    }
)
"""What each preset changes of the defaults of `companion.rules.ruleset.RuleSet`."""

MODIFIERS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        "countdown": {"count": "down"},
        "last_trick_10": {"unclaimed_end": "last_trick_bonus_10"},
        "tie_carry": {"tie": "carry_1"},
        "schneider_bummerl": {"schneider_match": "double"},
        "best_of_3": {"series": "best_of_3"},
        "knock": {"knock": True},
    }
)
"""What each modifier sets on top of a preset."""
