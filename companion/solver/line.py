"""The principal variation: how a hand goes on when both play as well as can be."""

from __future__ import annotations

from array import array

from companion.rules.cards import Player
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, MarriageDeclared
from companion.solver import play, rights
from companion.solver.bits import Numbering, cards_in, marriage_worth
from companion.solver.position import Position
from companion.solver.search import JUST_CLOSED, SETTLED
from companion.solver.solve import Solver, claim_value, numbering_of, outcome
from companion.solver.terms import MARRY_CLOSED

__all__ = ["best_line"]


def best_line(solver: Solver, position: Position) -> tuple[Event, ...]:
    """Return the best play by both from `position` to its end, the first best action at each step."""
    return tuple(_Line(solver, position).events())


class _Line:
    """One hand on its way to the end."""

    def __init__(self, solver: Solver, position: Position) -> None:
        self._solver = solver
        self._numbering: Numbering = numbering_of(position.trump)
        self._terms, self._state = solver.tables(position)
        self._events: list[Event] = []
        self._flags = 0
        self._planned = -1

    def events(self) -> list[Event]:
        """Play it out."""
        while not self._ended():
            state = self._state
            allowed = play.legal(self._terms, state)
            if allowed >> play.EXCHANGE_AT_CLOSE & 1 and not self._flags & SETTLED:
                self._decide_exchange()
            elif allowed >> play.CLOSE_BEFORE_DRAW & 1 and self._closes_early():
                self._do(play.CLOSE_BEFORE_DRAW)
            else:
                self._lead_and_answer()
        return self._events

    def _ended(self) -> bool:
        state = self._state
        player = play.due(self._terms, state)
        if player >= 0:
            self._events.append(Claimed(Player(player)))
        return player >= 0 or state[play.PHASE] != play.PLAYING

    def _value(self, state: array[int], flags: int = 0) -> int:
        """Return what a hand with nothing led is worth to player 0."""
        claimed = claim_value(self._terms, state)
        if claimed is not None:
            return claimed
        if state[play.PHASE] != play.PLAYING:
            return outcome(state)
        best = max(self._solver.values_at(self._terms, state, flags).values())
        early = self._after(state, play.CLOSE_BEFORE_DRAW)
        if early is not None:
            best = max(best, self._sign(state[play.LEADER]) * self._value(early, JUST_CLOSED))
        return self._sign(state[play.LEADER]) * best

    def _after(self, state: array[int], action: int) -> array[int] | None:
        """Return the hand after an action; `None` where it is not legal."""
        if not play.legal(self._terms, state) >> action & 1:
            return None
        after = state[:]
        play.act(self._terms, after, action)
        return after

    @staticmethod
    def _sign(player: int) -> int:
        return -1 if player else 1

    def _decide_exchange(self) -> None:
        """Let the closer's opponent exchange or not (clause 4.6)."""
        sign = self._sign(1 - self._state[play.LEADER])
        swapped = self._after(self._state, play.EXCHANGE_AT_CLOSE)
        flags = self._flags | SETTLED
        if swapped is not None and sign * self._value(swapped, flags) > sign * self._value(
            self._state, flags
        ):
            self._do(play.EXCHANGE_AT_CLOSE)
        self._flags = flags

    def _closes_early(self) -> bool:
        early = self._after(self._state, play.CLOSE_BEFORE_DRAW)
        if early is None:
            return False
        sign = self._sign(self._state[play.LEADER])
        here = max(self._solver.values_at(self._terms, self._state).values())
        return sign * self._value(early, JUST_CLOSED) > here

    def _lead_and_answer(self) -> None:
        """Let the leader exchange, close, or lead with the best answer to it."""
        state = self._state
        values = self._solver.values_at(self._terms, state, self._flags)
        action = max(values, key=lambda each: (values[each], each))
        if self._planned >= 0:
            action, self._planned = self._planned, -1
        lead = self._lead_after_close() if action == rights.CLOSE else action
        if lead < rights.CLOSE and self._marries(lead):
            self._do(play.MARRIAGE + (lead & 3))
            if play.due(self._terms, self._state) >= 0 or state[play.PHASE] != play.PLAYING:
                return
            self._planned = lead if action == rights.CLOSE else -1
        self._do(action)
        if action >= rights.CLOSE:
            return
        sign = self._sign(1 - state[play.LEADER])
        answers = cards_in(play.legal(self._terms, self._state))
        self._do(max(answers, key=lambda each: sign * self._answered(each)))

    def _lead_after_close(self) -> int:
        """Return the lead that goes with closing now, where a marriage must come before the close."""
        closed = self._after(self._state, rights.CLOSE)
        if closed is None or self._terms[MARRY_CLOSED]:
            return rights.CLOSE
        values = self._solver.values_at(self._terms, closed, JUST_CLOSED)
        return max(values, key=lambda each: (values[each], each))

    def _answered(self, card: int) -> int:
        after = self._state[:]
        play.act(self._terms, after, card)
        return self._value(after)

    def _marries(self, led: int) -> bool:
        state = self._state
        if not marriage_worth(state[play.HAND + state[play.LEADER]], led):
            return False
        return bool(play.legal(self._terms, state) >> play.MARRIAGE + (led & 3) & 1)

    def _do(self, action: int) -> None:
        leader = Player(self._state[play.LEADER])
        answering = self._state[play.LED] >= 0
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
        play.act(self._terms, self._state, action)
        self._flags = JUST_CLOSED if action in (rights.CLOSE, play.CLOSE_BEFORE_DRAW) else 0
