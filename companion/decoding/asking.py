"""What a question says: its text, and the answers that it offers."""

from __future__ import annotations

from collections.abc import Sequence

from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, Exchanged, MarriageDeclared
from companion.table.entry import MOST_OPTIONS

__all__ = ["may_replace", "offered", "wording"]


def offered(act: Event, told: Sequence[Event], others: Sequence[Event]) -> tuple[Event, ...]:
    """The answers to what an act was: what the stories tell, then what else it may have been."""
    options = [*told, *dict.fromkeys(one for one in others if one not in told)]
    return _choice(_each_card_once(options, act) or [act])


def wording(act: Event, options: Sequence[Event]) -> str:
    """The text of a question about an act, by its answers."""
    if isinstance(act, Dealt):
        dealers = {option.dealer for option in options if isinstance(option, Dealt)}
        return "who_dealt" if len(dealers) > 1 else "which_turn_up"
    return "which_card" if all(isinstance(one, CardPlayed) for one in options) else "what_happened"


def may_replace(event: Event, written: Event) -> bool:
    """Whether an answer may say that it was `event`.

    Something of the same kind, no card that was led, or something that came before a claim.
    """
    if isinstance(written, CardPlayed | Claimed) and isinstance(event, Closed | Exchanged | MarriageDeclared):
        return True
    return type(event) is type(written)


def _each_card_once(options: Sequence[Event], act: Event) -> list[Event]:
    """The options without a card that another of them says the player of `act` laid.

    Of two cards that came into sight at one moment, "north laid the ten" and "south laid the ace" may both be
    true. What is asked is which card lay there; whose it is follows.
    """
    cards = {one.card for one in options if isinstance(one, CardPlayed) and _one_player(one, act)}
    return [
        one
        for one in options
        if not isinstance(one, CardPlayed) or _one_player(one, act) or one.card not in cards
    ]


def _one_player(one: Event, other: Event) -> bool:
    return getattr(one, "player", None) is getattr(other, "player", None)


def _choice(options: Sequence[Event], most: int = MOST_OPTIONS) -> tuple[Event, ...]:
    """The likeliest answers, an event of another kind among them if there is one."""
    chosen = list(options[:most])
    others = [one for one in options[most:] if all(type(one) is not type(other) for other in chosen)]
    return tuple(chosen[: most - 1] + others[:1] if others else chosen)
