"""What one player can know at a moment of a hand: own cards, everything seen, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from companion.rules.cards import Card, Player, Suit
from companion.rules.duty import revoke
from companion.rules.events import Event, Exchanged, MarriageDeclared
from companion.rules.hand import legal_words
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import count
from companion.rules.state import HandState
from companion.solver.position import OpponentAtClose

__all__ = ["View", "ViewError"]


class ViewError(ValueError):
    """A moment at which nothing can be said for a player; the message says why."""


@dataclass(frozen=True, slots=True)
class View:
    """A moment at which `player` is to lead or to answer, as that player can know it.

    Attributes:
        rules: The house rules.
        trump: The trump suit.
        player: Who decides.
        hand: That player's cards.
        led: The card to be answered; `None`: the player is on lead and has said nothing yet.
        sure: Cards that the other player certainly holds.
        unseen: Cards that may be in the other hand or face down in the stock.
        barred: Those of `unseen` that the other player cannot hold without having revoked.
        unlikely: Those of `unseen` that the other player would probably have shown if they were held.
        other_size: How many cards the other player holds.
        turned_up: The known card at the bottom of the stock; `None` once it is drawn.
        stock_left: Cards in the stock, the turned-up one among them.
        card_points: Points of south and north, counted marriages included.
        tricks_won: Tricks of south and north.
        pending: Points of marriages that wait for a trick.
        closed_by: Who closed.
        at_close: What the closer's opponent had then.
    """

    rules: RuleSet
    trump: Suit
    player: Player
    hand: tuple[Card, ...]
    led: Card | None
    sure: frozenset[Card]
    unseen: frozenset[Card]
    barred: frozenset[Card]
    unlikely: frozenset[Card]
    other_size: int
    turned_up: Card | None
    stock_left: int
    card_points: tuple[int, int]
    tricks_won: tuple[int, int]
    pending: tuple[int, int] = (0, 0)
    closed_by: Player | None = None
    at_close: OpponentAtClose | None = None

    def __post_init__(self) -> None:
        hidden = self.stock_left - (self.turned_up is not None)
        if len(self.sure) + len(self.unseen) != self.other_size + hidden:
            raise ViewError(
                f"{len(self.sure) + len(self.unseen)} cards are hidden, but the other player holds"
                f" {self.other_size} and {hidden} lie face down"
            )
        if len(self.sure) > self.other_size:
            raise ViewError(f"the other player holds {self.other_size} cards, not {len(self.sure)}")

    @classmethod
    def of(cls, state: HandState, player: Player, hand: Iterable[Card]) -> View:
        """Return what `player`, holding `hand`, can know of a hand; what only a record knows is left out.

        Raises:
            ViewError: It is not this player's turn, or plays were not named.
        """
        state = replace(state, hands=None, stock=None, drawn=None)
        held = frozenset(hand)
        if state.to_play is not player or (state.announced is not None and state.led is None):
            raise ViewError(f"{player.name.lower()} has nothing to decide here")
        trump = state.trump
        if trump is None or state.unnamed_by(Player.SOUTH) or state.unnamed_by(Player.NORTH):
            raise ViewError("not all plays are known")
        other = player.other
        turned_up = None if state.exhausted and state.at_close is None else state.bottom
        sure = state.shown(other) - held
        unseen = frozenset(state.rules.pack) - state.seen - held - sure - {turned_up}
        counts = [count(state, each) for each in Player]
        close = state.at_close
        at_close = None
        if close is not None:
            at_close = OpponentAtClose(close.card_points.low, close.has_trick, close.closer_has_trick)
        return cls(
            state.rules,
            trump,
            player,
            tuple(sorted(held, key=str)),
            state.led.card if state.led else None,
            sure,
            unseen,
            _barred(state, other, unseen),
            _unlikely(state, other, unseen),
            state.hand_sizes[other],
            turned_up,
            state.stock_left,
            (counts[0].total.low, counts[1].total.low),
            (state.tricks_of(Player.SOUTH), state.tricks_of(Player.NORTH)),
            (counts[0].pending.low, counts[1].pending.low),
            state.closed_by,
            at_close,
        )


def _barred(state: HandState, other: Player, unseen: frozenset[Card]) -> frozenset[Card]:
    """Return the cards that would prove an answer given since the last draw to have been a revoke."""
    if state.stock_open:
        return frozenset()
    strict = (
        trick
        for trick in state.tricks[state.draws :]
        if trick.leader is not other and trick.led is not None and trick.followed is not None
    )
    return frozenset(
        card
        for trick in strict
        for card in unseen
        if trick.led and trick.followed and revoke(trick.led, trick.followed, (card,), state.trump)
    )


def _unlikely(state: HandState, other: Player, unseen: frozenset[Card]) -> frozenset[Card]:
    """Return the cards that the other player, leading now, could have exchanged or declared."""
    if state.led is None or state.led.player is not other or state.led.card is None or state.trump is None:
        return frozenset()
    led = state.led.card
    words: dict[Card, Event] = {Card(state.rules.lowest_trump, state.trump): Exchanged(other)}
    if state.announced is None and led.partner is not None:
        words[led.partner] = MarriageDeclared(other, led.suit)
    before = legal_words(replace(state, led=None, announced=None, seen=state.seen - {led}))
    return frozenset(card for card, word in words.items() if card in unseen and word in before)
