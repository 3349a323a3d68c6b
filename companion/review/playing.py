"""A hand played on from a moment by two players who each see their own cards only.

Layouts solved with open cards flatter whoever puts a choice off: that player then sees what is hidden.
A close puts nothing off. So before a close is called a mistake, both ways are played out like this.
"""

from __future__ import annotations

import random
from dataclasses import replace

from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, apply, check, legal_events
from companion.rules.scoring import players_out
from companion.solver.bits import cards_in
from companion.solver.play import HAND
from companion.solver.sampling import Advisor, Layouts
from companion.solver.tables import numbering_of
from companion.solver.terms import STOCK_SIZE
from companion.solver.view import View

__all__ = ["PlayedOn"]

_LAYOUTS = 6
"""Layouts solved for a play of those who play on: enough for a sensible one."""


class PlayedOn:
    """Plays hands on; each thread needs its own."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._advisor = Advisor(rng.randrange(1 << 30), _LAYOUTS)

    def gap(self, state: HandState, view: View, better: str, worse: str, layouts: int) -> float:
        """Return by how many game points `better` comes out better than `worse`, over the same layouts.

        Args:
            state: The hand as the table saw it, nothing said since the last trick.
            view: What the player who decides could know.
            better: An action, as in `close`.
            worse: Another.
            layouts: How many.
        """
        drawn = Layouts(view, self._rng)
        won = total = 0.0
        for _ in range(layouts):
            terms, hand, weight = drawn.draw()
            numbering = numbering_of(view.trump)
            held = [frozenset(map(numbering.card, cards_in(hand[HAND + player]))) for player in Player]
            lying = [numbering.card(each.bit_length() - 1) for each in terms[: terms[STOCK_SIZE]]]
            full = replace(state, hands=(held[0], held[1]), stock=tuple(lying), drawn=None)
            one, other = (self._outcome(full, view.player, action) for action in (better, worse))
            won += weight * (one - other)
            total += weight
        return won / total

    def _outcome(self, state: HandState, player: Player, action: str) -> int:
        """Return what a hand pays `player` that begins with `action`."""
        planned: Card | None = None
        first: str | None = action
        while not state.ended:
            due = players_out(state)
            if due:
                state = apply(state, Claimed(due[0]))
                continue
            turn = state.to_play
            if state.over or turn is None or state.hands is None:
                break
            if state.announced is not None and state.led is None:
                state = apply(state, CardPlayed(turn, planned))
                continue
            name, first = first or self._advised(state, turn), None
            event, planned = _event(state, turn, name)
            state = apply(state, event)
        award = state.award
        if award is None or award.winner is None:
            return 0
        return award.game_points if award.winner is player else -award.game_points

    def _advised(self, state: HandState, turn: Player) -> str:
        hand = state.hands[turn] if state.hands is not None else frozenset()
        if state.led is not None or len(hand) == 1:
            plays = [event for event in legal_events(state) if isinstance(event, CardPlayed)]
            if len(plays) == 1 and state.led is not None:
                return f"play:{plays[0].card}"
        return self._advisor.advise(View.of(state, turn, hand)).best


def _event(state: HandState, turn: Player, name: str) -> tuple[Event, Card | None]:
    """Return the event of an action, and the card that is to follow a marriage."""
    if name == "close":
        return Closed(turn), None
    if name == "exchange":
        return Exchanged(turn), None
    card = Card.parse(name.removeprefix("play:"))
    word = MarriageDeclared(turn, card.suit)
    pair = card.partner is not None and state.led is None
    if pair and state.hands is not None and check(state, word) is None:
        return word, card
    return CardPlayed(turn, card), card
