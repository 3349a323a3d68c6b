"""The decisions of a played hand: who had the choice, and what was chosen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from companion.review.course import Course
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Closed, Event, Exchanged, MarriageDeclared
from companion.rules.scoring import ENOUGH, totals

__all__ = ["Moment", "moments"]


@dataclass(frozen=True, slots=True)
class Moment:
    """A player's turn.

    Attributes:
        at: Number of the event with which the player began, from 0.
        player: Who decided.
        trick: Number of the trick, from 1.
        action: What was done, as the solver calls it: `play:KH`, `close`, `exchange`.
        card: The card that was played.
        silent: It was led without a marriage.
        leads: The player was on lead; else there was a card to be answered.
    """

    at: int
    player: Player
    trick: int
    action: str
    card: Card | None
    silent: bool
    leads: bool


def moments(course: Course) -> Iterator[Moment]:
    """Yield every decision that the solver can judge, in order.

    Left out: claims, which are arithmetic; what comes after 66 that were not claimed; hands in which
    somebody knocks; a close before drawing; what was against the rules.
    """
    for at, (state, event) in enumerate(zip(course.states, course.events, strict=False)):
        if state.over or state.at_knock is not None or (state.announced is not None and state.led is None):
            continue
        if any(points.high >= ENOUGH for points in totals(state)):
            return
        done = _done(course.events, at)
        if done is None:
            continue
        action, card, silent, last = done
        if len(course.states[last + 1].breaches) > len(state.breaches):
            continue
        player, leads = state.to_play, state.led is None
        if player is not None and getattr(event, "player", player.other) is player:
            trick = len(state.tricks) + 1
            pairs = card is not None and card.partner is not None
            yield Moment(at, player, trick, action, card, silent and leads and pairs, leads)


def _done(events: tuple[Event, ...], at: int) -> tuple[str, Card | None, bool, int] | None:
    """Return what a player did with event number `at`, the lead that a marriage goes with included.

    Returns:
        The action, the card, whether nothing was declared with it, and the number of its last event.
    """
    declared = isinstance(events[at], MarriageDeclared)
    for last, event in enumerate(events[at:], at):
        match event:
            case MarriageDeclared() if declared:
                continue
            case CardPlayed(_, card) if card is not None:
                return f"play:{card}", card, not declared, last
            case Closed(_, before_draw):
                return None if before_draw else ("close", None, False, last)
            case Exchanged():
                return "exchange", None, False, last
            case _:
                return None
    return None
