"""The principal variation: how a hand goes on when both play as well as can be."""

from __future__ import annotations

from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, MarriageDeclared
from companion.solver import play, rights
from companion.solver.bits import Numbering, marriage_worth
from companion.solver.engine import after
from companion.solver.position import Position
from companion.solver.search import CLOSED_EARLY, JUST_CLOSED, SETTLED
from companion.solver.solve import Solver
from companion.solver.tables import numbering_of
from companion.solver.terms import MARRY_CLOSED

__all__ = ["best_line"]


def best_line(solver: Solver, position: Position) -> tuple[Event, ...]:
    """Return the best play by both from `position` to its end, the first best action at each step."""
    return tuple(_Line(solver, position).events())


class _Line:
    """One hand on its way to the end."""

    def __init__(self, solver: Solver, position: Position) -> None:
        self._engine = solver.engine
        self._numbering: Numbering = numbering_of(position.trump)
        self._terms, self._hand = solver.tables(position)
        self._events: list[Event] = []
        self._flags = 0
        self._planned = -1

    def events(self) -> list[Event]:
        """Play it out."""
        while not self._ended():
            hand = self._hand
            allowed = play.legal(self._terms, hand)
            if hand[play.LED] >= 0:
                self._answer()
            elif allowed >> play.EXCHANGE_AT_CLOSE & 1 and not self._flags & SETTLED:
                self._decide_exchange()
            elif allowed >> play.CLOSE_BEFORE_DRAW & 1 and self._closes_early():
                self._do(play.CLOSE_BEFORE_DRAW)
            else:
                self._lead()
        return self._events

    def _ended(self) -> bool:
        hand = self._hand
        player = play.due(self._terms, hand)
        if player >= 0:
            self._events.append(Claimed(Player(player)))
        return player >= 0 or hand[play.PHASE] != play.PLAYING

    @staticmethod
    def _sign(player: int) -> int:
        return -1 if player else 1

    def _decide_exchange(self) -> None:
        """Let the closer's opponent exchange or not (clause 4.6)."""
        sign = self._sign(1 - self._hand[play.LEADER])
        flags = self._flags | SETTLED
        swapped = after(self._terms, self._hand, play.EXCHANGE_AT_CLOSE)
        kept = sign * self._engine.value(self._terms, self._hand, flags)
        if swapped is not None and sign * self._engine.value(self._terms, swapped, flags) > kept:
            self._do(play.EXCHANGE_AT_CLOSE)
        self._flags = flags

    def _closes_early(self) -> bool:
        early = after(self._terms, self._hand, play.CLOSE_BEFORE_DRAW)
        if early is None:
            return False
        sign = self._sign(self._hand[play.LEADER])
        here = max(self._engine.values(self._terms, self._hand).values())
        return sign * self._engine.value(self._terms, early, JUST_CLOSED | CLOSED_EARLY) > here

    def _lead(self) -> None:
        """Let the leader exchange, close, or lead."""
        hand = self._hand
        values = self._engine.values(self._terms, hand, self._flags)
        action = max(values, key=lambda each: (values[each], each))
        if self._planned >= 0:
            action, self._planned = self._planned, -1
        lead = self._lead_after_close() if action == rights.CLOSE else action
        if lead < rights.CLOSE and self._marries(lead):
            self._do(play.MARRIAGE + (lead & 3))
            if play.due(self._terms, self._hand) >= 0 or hand[play.PHASE] != play.PLAYING:
                return
            self._planned = lead if action == rights.CLOSE else -1
        self._do(action)

    def _answer(self) -> None:
        """Let the other player answer."""
        answers = self._engine.answers(self._terms, self._hand)
        self._do(max(answers, key=lambda card: answers[card]))

    def _lead_after_close(self) -> int:
        """Return the lead that goes with closing now, where a marriage must come before the close."""
        closed = after(self._terms, self._hand, rights.CLOSE)
        if closed is None or self._terms[MARRY_CLOSED]:
            return rights.CLOSE
        values = self._engine.values(self._terms, closed, JUST_CLOSED)
        return max(values, key=lambda each: (values[each], each))

    def _marries(self, led: int) -> bool:
        hand = self._hand
        if not marriage_worth(hand[play.HAND + hand[play.LEADER]], led):
            return False
        return bool(play.legal(self._terms, hand) >> play.MARRIAGE + (led & 3) & 1)

    def _do(self, action: int) -> None:
        leader = Player(self._hand[play.LEADER])
        answering = self._hand[play.LED] >= 0
        match action:
            case rights.CLOSE:
                self._events.append(Closed(leader))
            case play.CLOSE_BEFORE_DRAW:
                self._events.append(Closed(leader, before_draw=True))
            case rights.EXCHANGE:
                self._events.append(Exchanged(leader))
            case play.EXCHANGE_AT_CLOSE:
                self._events.append(Exchanged(leader.other))
            case _ if action >= play.MARRIAGE:
                self._events.append(MarriageDeclared(leader, self._numbering.suit(action - play.MARRIAGE)))
            case _:
                player = leader.other if answering else leader
                self._events.append(CardPlayed(player, self._numbering.card(action)))
        play.act(self._terms, self._hand, action)
        early = action == play.CLOSE_BEFORE_DRAW
        self._flags = JUST_CLOSED | CLOSED_EARLY if early else JUST_CLOSED if action == rights.CLOSE else 0
