"""How a hand takes its course: who takes a trick, who draws what, when a marriage counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from companion.rules.altered import altered
from companion.rules.cards import Card, Player, Suit
from companion.rules.state import HandState, Marriage, MarriageStatus, Trick

__all__ = ["marriage_status", "resolved", "taker", "undrawn", "with_trick"]


def taker(
    leader: Player, leads: Iterable[Card], answers: Iterable[Card], trump: Suit | None
) -> Player | None:
    """Return who takes a trick (clause 2.2); `None` where an unnamed card or trump decides it.

    Args:
        leader: Who led.
        leads: The card led, or all that it may be where nobody has named it.
        answers: The second card, likewise.
        trump: The trump suit, if known.
    """
    answering = tuple(answers)
    trumps = (trump,) if trump else tuple(Suit)
    taken = {
        answer.beats(led, suit) for led in leads for answer in answering for suit in trumps if answer != led
    }
    if len(taken) != 1:
        return None
    return leader.other if taken.pop() else leader


def marriage_status(state: HandState, marriage: Marriage) -> MarriageStatus:
    """Return what a marriage is worth by now (clause 5.3); a void one stays void."""
    if not marriage.pending:
        return marriage.status
    match state.rules.marriage_counts:
        case "immediately":
            counts = True
        case "first_trick":
            counts = state.tricks_of(marriage.player) > 0
        case "next_trick":
            counts = any(trick.winner is marriage.player for trick in state.tricks[marriage.after :])
    return MarriageStatus.COUNTED if counts else MarriageStatus.PENDING


def _marriages_settled(state: HandState) -> HandState:
    if not any(marriage.pending for marriage in state.marriages):
        return state
    marriages = tuple(replace(each, status=marriage_status(state, each)) for each in state.marriages)
    return altered(state, marriages=marriages)


def undrawn(state: HandState) -> HandState:
    """Put the cards drawn after the last trick back on the stock, where they are known (clause 6.4)."""
    winner = state.tricks[-1].winner
    if state.hands is None or state.stock is None or state.drawn is None or winner is None:
        return altered(state, hands=None, stock=None)
    held = [state.hands[Player.SOUTH], state.hands[Player.NORTH]]
    held[winner] -= {state.drawn[0]}
    held[winner.other] -= {state.drawn[1]}
    return altered(state, hands=(held[0], held[1]), stock=(*state.drawn, *state.stock))


def with_trick(state: HandState, trick: Trick) -> HandState:
    """Return the hand after both cards of `trick` are down: taken, counted, drawn.

    The winner draws the top card, then the loser the next (clause 2.3), where they are known.
    """
    winner, hands, stock, drawn = trick.winner, state.hands, state.stock, None
    if winner is None:
        hands = stock = None
    elif hands is not None and state.stock_open and state.at_knock is None:
        if stock is None:
            hands = None
        else:
            drawn = stock[0], stock[1]
            south, north = drawn if winner is Player.SOUTH else drawn[::-1]
            hands = hands[0] | {south}, hands[1] | {north}
            stock = stock[2:]
    state = altered(
        state,
        tricks=(*state.tricks, trick),
        leader=winner,
        led=None,
        announced=None,
        acted=False,
        hands=hands,
        stock=stock,
        drawn=drawn,
    )
    return state if winner is None else _marriages_settled(state)


def resolved(state: HandState, acting: Player, claiming: bool = False) -> HandState:
    """Return the hand in which `acting`, who does what only the winner of a trick does, has won it.

    Without a doubt about the last trick this is the hand itself; also for a claim where the loser
    of a trick may claim as well (clause 7.2).
    """
    if state.leader is not None or not state.tricks:
        return state
    if claiming and state.rules.claim_window == "any_player_between_tricks":
        return state
    last = replace(state.tricks[-1], winner=acting)
    state = altered(state, tricks=(*state.tricks[:-1], last), leader=acting)
    return _marriages_settled(state)
