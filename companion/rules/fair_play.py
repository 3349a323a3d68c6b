"""Fair play: what the players agreed that phones may tell them while a hand is played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

__all__ = ["MODES", "TRAINING", "UNITS", "FairPlay", "FairPlayError", "Mode", "Unit", "fair_play_from_json"]

Mode = Literal["training", "own_count", "last_trick", "tournament", "broadcast"]
"""`training`: everything. `own_count`: each player's own points. `last_trick`: the trick before, no points.
`tournament`: trumps and whose lead, nothing else. `broadcast`: players as in a tournament, lookers-on
everything, but later. After the end of a hand everything is shown in each of them."""
Unit = Literal["tricks", "seconds"]
MODES: tuple[Mode, ...] = get_args(Mode)
UNITS: tuple[Unit, ...] = get_args(Unit)
_LONGEST: dict[Unit, int] = {"tricks": 12, "seconds": 600}


class FairPlayError(ValueError):
    """An agreement that makes no sense; the message names the field and the value."""


@dataclass(frozen=True, slots=True)
class FairPlay:
    """The agreement for a match.

    Attributes:
        mode: What is shown to whom.
        delay: By how much lookers-on are behind in a broadcast; 0 in every other mode.
        unit: What `delay` counts: tricks of a hand, 1 to 12, or seconds, 1 to 600.

    >>> FairPlay("broadcast", 2).delay
    2
    """

    mode: Mode = "training"
    delay: int = 0
    unit: Unit = "tricks"

    def __post_init__(self) -> None:
        if self.mode not in MODES:
            raise FairPlayError(f"mode: {self.mode!r:.80} is none of {', '.join(MODES)}")
        if self.unit not in UNITS:
            raise FairPlayError(f"unit: {self.unit!r:.80} is none of {', '.join(UNITS)}")
        if type(self.delay) is not int:
            raise FairPlayError(f"delay: {self.delay!r:.80} is not a whole number")
        if self.mode != "broadcast" and self.delay:
            raise FairPlayError(f"delay: {self.delay} means nothing in the mode {self.mode!r}")
        if self.mode == "broadcast" and not 1 <= self.delay <= _LONGEST[self.unit]:
            raise FairPlayError(f"delay: {self.delay} {self.unit}, expected 1 to {_LONGEST[self.unit]}")

    def to_json(self) -> dict[str, Any]:
        """Return this as a JSON object."""
        return {"mode": self.mode, "delay": self.delay, "unit": self.unit}


TRAINING = FairPlay()
"""Nothing is kept from anybody."""


def fair_play_from_json(value: object) -> FairPlay:
    """Read what `FairPlay.to_json` gives; only `mode` has to be there.

    Raises:
        FairPlayError: It is none.
    """
    if not isinstance(value, Mapping) or "mode" not in value:
        raise FairPlayError(f"expected an object with a mode, got {value!r:.80}")
    if unknown := sorted(set(map(str, value)) - {"mode", "delay", "unit"}):
        raise FairPlayError(f"unknown field {unknown[0]!r:.80}")
    mode, delay, unit = value["mode"], value.get("delay", 0), value.get("unit", "tricks")
    if not isinstance(mode, str) or not isinstance(unit, str):
        raise FairPlayError(f"mode and unit: expected texts, got {mode!r:.80} and {unit!r:.80}")
    return FairPlay(mode, delay, unit)  # type: ignore[arg-type]
