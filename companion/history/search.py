"""Finding hands again: by who played, by what happened, by the day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from companion.history.hands import PlayedHand
from companion.rules.record import result_of

__all__ = ["KINDS", "Wanted", "kinds_of"]

KINDS = (
    "claim",
    "false_claim",
    "last_trick",
    "higher_total",
    "drawn",
    "closed",
    "failed_close",
    "marriage",
    "exchange",
    "revoke",
    "corrected",
    "asked",
    "given_up",
    "agreed",
    "unfinished",
)
"""What hands may be asked for: how they ended, and what happened in them."""


def kinds_of(hand: PlayedHand) -> frozenset[str]:
    """Return which of `KINDS` a hand is."""
    state = hand.fold.state
    happened = {
        "closed": state.at_close is not None,
        "marriage": any(not each.void for each in state.marriages),
        "exchange": state.exchanged_by is not None,
        "revoke": any(each.breach.is_revoke for each in state.breaches),
        "corrected": bool(hand.corrections),
        "asked": bool(hand.questions),
        "unfinished": state.award is None,
    }
    kinds = {kind for kind, so in happened.items() if so}
    return frozenset(kinds | ({result_of(state).reason} & set(KINDS)))


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which hands are looked for.

    Attributes:
        text: Part of a player's name, in any case.
        kind: One of `KINDS`; empty for all.
        since: The first day, where hands were dealt.
        until: The last day.
    """

    text: str = ""
    kind: str = ""
    since: date | None = None
    until: date | None = None

    def among(self, hands: Iterable[PlayedHand]) -> list[PlayedHand]:
        """Return the hands that fit, in their order."""
        return [each for each in hands if self._fits(each)]

    def _fits(self, hand: PlayedHand) -> bool:
        if self.text and not any(self.text.casefold() in name.casefold() for name in hand.names):
            return False
        if self.kind and self.kind not in kinds_of(hand):
            return False
        if self.since is None and self.until is None:
            return True
        day = None if hand.began is None else hand.began.date()
        return day is not None and (self.since or day) <= day <= (self.until or day)
