"""A hand as it stands: what everybody at the table could know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum

from companion.rules.breach import NotedBreach
from companion.rules.cards import Card, Player, Rank, Suit
from companion.rules.events import CardPlayed, Event
from companion.rules.points import Award, PointRange
from companion.rules.ruleset import RuleSet

__all__ = ["AtClose", "HandState", "Marriage", "MarriageStatus", "Trick"]


@dataclass(frozen=True, slots=True)
class Trick:
    """A complete trick; a card is `None` while nobody has named it, the winner while nobody can know."""

    leader: Player
    led: Card | None
    followed: Card | None
    winner: Player | None

    @property
    def cards(self) -> tuple[Card, ...]:
        """The named cards, first the one led."""
        return tuple(card for card in (self.led, self.followed) if card is not None)

    def played_by(self, player: Player) -> Card | None:
        """Return the card that `player` put into this trick."""
        return self.led if player is self.leader else self.followed


class MarriageStatus(Enum):
    """What a declared marriage is worth now."""

    PENDING = "pending"
    COUNTED = "counted"
    VOID = "void"
    """Declared against the rules, or proven not to have been held."""


@dataclass(frozen=True, slots=True)
class Marriage:
    """A declared king and queen.

    Attributes:
        player: Who declared.
        suit: Of which suit.
        points: 20, of trumps 40; 20 to 40 while the trump is not known.
        after: Complete tricks at the declaration.
        status: Pending, counted or void.
    """

    player: Player
    suit: Suit
    points: PointRange
    after: int
    status: MarriageStatus

    @property
    def pending(self) -> bool:
        """Declared, without the trick that it waits for."""
        return self.status is MarriageStatus.PENDING

    @property
    def counted(self) -> bool:
        """Its points count."""
        return self.status is MarriageStatus.COUNTED

    @property
    def void(self) -> bool:
        """Worth nothing: declared without the right to it, or never held."""
        return self.status is MarriageStatus.VOID

    @property
    def pair(self) -> tuple[Card, Card]:
        """The king and the queen."""
        return Card(Rank.KING, self.suit), Card(Rank.QUEEN, self.suit)


@dataclass(frozen=True, slots=True)
class AtClose:
    """What clauses 8.1, 8.2 and 8.7 need to remember of the moment of closing or knocking.

    Attributes:
        closer: Who closed or knocked.
        card_points: The opponent's points then, counted marriages included.
        has_trick: Whether the opponent had a trick then.
        closer_has_trick: Whether the closer had one.
        tricks: Complete tricks then.
        draws: How many times cards had been drawn; one less than `tricks` for a close before drawing.
        marriages: Suits of the opponent's marriages that are counted in `card_points`.
    """

    closer: Player
    card_points: PointRange
    has_trick: bool
    closer_has_trick: bool
    tricks: int
    draws: int
    marriages: frozenset[Suit] = frozenset()

    def without(self, marriage: Marriage) -> AtClose:
        """The same once it has turned out that a marriage was never held."""
        if marriage.player is self.closer or marriage.suit not in self.marriages:
            return self
        low, high = self.card_points.low - marriage.points.high, self.card_points.high - marriage.points.low
        points = PointRange(max(0, low), high)
        return replace(self, card_points=points, marriages=self.marriages - {marriage.suit})


@dataclass(frozen=True)
class HandState:
    """A hand after some events; made by `deal` and `apply`, never changed.

    Each card of the pack is in exactly one place: in a trick, on the table, in a hand, or in the
    stock. Hands and stock are known only where a record gives them; else a place may be known
    (a turned-up card, an exchanged one), and the rest is somewhere among hands and stock.

    Attributes:
        rules: The house rules.
        dealer: Who dealt.
        dealt_up: The card turned up by the dealer; `None` while nobody has seen it.
        leader: Who leads, or has led, the current trick; `None` while the winner of the trick
            before is not known.
        led: The card on the table that awaits an answer.
        tricks: Complete tricks, in order.
        announced: Suit of the marriage that goes with the current lead.
        exchanged_by: Who exchanged the lowest trump.
        at_close: The moment of closing, once somebody closed.
        at_knock: The moment of knocking, once somebody knocked.
        acted: The player on lead has exchanged or closed since the last trick.
        marriages: Declared marriages, in order.
        seen: Cards that have been played.
        breaches: Broken rules, in the order in which they became known.
        award: What the hand pays; `None` while it goes on, and after its end where what was seen
            does not decide it.
        claimed_by: Who claimed.
        given_up: The hand ended without a result.
        conceded: Whoever closed has thrown the cards in.
        agreed: The players have said what the hand paid.
        called_by: Who insisted on what the rules give for a revoke, where that ended the hand.
        hands: Both hands now, where a record gives them.
        stock: The stock now, top first, the turned-up card last, where a record gives it.
        drawn: Cards that the winner and the loser of the last trick drew, where a record gives them.
        start: The hand as dealt, for taking back; no part of comparisons.
        told: The events since `start` that count; no part of comparisons.
    """

    rules: RuleSet
    dealer: Player
    dealt_up: Card | None
    leader: Player | None
    led: CardPlayed | None = None
    tricks: tuple[Trick, ...] = ()
    announced: Suit | None = None
    exchanged_by: Player | None = None
    at_close: AtClose | None = None
    at_knock: AtClose | None = None
    acted: bool = False
    marriages: tuple[Marriage, ...] = ()
    seen: frozenset[Card] = frozenset()
    breaches: tuple[NotedBreach, ...] = ()
    award: Award | None = None
    claimed_by: Player | None = None
    given_up: bool = False
    conceded: bool = False
    agreed: bool = False
    called_by: Player | None = None
    hands: tuple[frozenset[Card], frozenset[Card]] | None = field(default=None)
    stock: tuple[Card, ...] | None = field(default=None)
    drawn: tuple[Card, Card] | None = field(default=None)
    start: HandState | None = field(default=None, compare=False, repr=False)
    told: tuple[Event, ...] = field(default=(), compare=False, repr=False)

    @property
    def forehand(self) -> Player:
        """Who leads to the first trick."""
        return self.dealer.other

    @property
    def trump(self) -> Suit | None:
        """The trump suit; `None` while nobody has seen the turned-up card."""
        return self.dealt_up.suit if self.dealt_up else None

    @property
    def closed_by(self) -> Player | None:
        """Who closed the stock."""
        return self.at_close.closer if self.at_close else None

    @property
    def draws(self) -> int:
        """How many times both players have drawn a card."""
        if self.at_close is not None:
            return self.at_close.draws
        tricks = len(self.tricks)
        if self.at_knock is not None:
            tricks = min(tricks, self.at_knock.tricks)
        return min(tricks, self.rules.stock_size // 2)

    @property
    def stock_left(self) -> int:
        """Cards in the stock, the turned-up one among them; fixed once closed."""
        return self.rules.stock_size - 2 * self.draws

    @property
    def exhausted(self) -> bool:
        """Whether the last card of the stock has been drawn."""
        return self.stock_left == 0

    @property
    def stock_open(self) -> bool:
        """Whether the winner of the next trick will draw."""
        return self.at_close is None and not self.exhausted

    @property
    def strict(self) -> bool:
        """Whether the duties of section 3 hold now."""
        return not self.stock_open or self.rules.follow == "always_strict"

    @property
    def bottom(self) -> Card | None:
        """The lowest card of the stock as dealt or exchanged, wherever it is by now."""
        if self.dealt_up is not None and self.exchanged_by is not None:
            return Card(self.rules.lowest_trump, self.dealt_up.suit)
        return self.dealt_up

    @property
    def turned_up(self) -> Card | None:
        """The card that lies face up under the stock; `None` once drawn or closed."""
        return self.bottom if self.stock_open else None

    @property
    def last_trick(self) -> int:
        """Number of the trick after which no player has a card left, or which was knocked for."""
        if self.at_knock is not None:
            return self.at_knock.tricks + 1
        draws = self.at_close.draws if self.at_close else self.rules.stock_size // 2
        return draws + int(self.rules.hand_size)

    @property
    def played_out(self) -> bool:
        """Whether every card that could be played has been."""
        tricks, size = len(self.tricks), self.rules.hand_size
        return tricks >= size and tricks == size + self.draws

    @property
    def knock_settled(self) -> bool:
        """Whether the trick that was knocked for has been played."""
        return self.at_knock is not None and len(self.tricks) > self.at_knock.tricks

    @property
    def over(self) -> bool:
        """Whether the play has ended. After the last trick there may still be a claim (clause 7.4)."""
        return self.ended or self.played_out

    @property
    def ended(self) -> bool:
        """Whether no event of play can follow, a claim neither."""
        if self.given_up or self.conceded or self.agreed or self.knock_settled:
            return True
        return self.claimed_by is not None or self.called_by is not None

    @property
    def to_play(self) -> Player | None:
        """Who must play the next card; `None` after the end or while nobody can know."""
        if self.over or self.leader is None:
            return None
        return self.leader.other if self.led else self.leader

    @property
    def on_lead(self) -> Player | None:
        """Who must lead; `None` with a card on the table."""
        return None if self.led else self.to_play

    @property
    def declared(self) -> Suit | None:
        """Suit of the marriage of which a card must be led now."""
        return None if self.led else self.announced

    @property
    def claimants(self) -> tuple[Player, ...]:
        """Who may claim at this moment (clauses 7.2 to 7.4), whoever won the last trick first."""
        if self.ended or self.at_knock is not None:
            return ()
        anybody = self.rules.claim_window == "any_player_between_tricks"
        if self.played_out and not self.rules.claim_after_last_trick:
            return ()
        if self.led is None and anybody and self.tricks:
            return tuple(Player) if self.leader is None else (self.leader, self.leader.other)
        if self.leader is None:
            return ()
        if self.announced is not None:
            return (self.leader,) if self.rules.claim_on_declaration else ()
        if self.led is not None or not self.tricks_of(self.leader):
            return ()
        if self.acted and self.rules.claim_window == "after_own_trick":
            return ()
        return (self.leader,)

    @property
    def claimant(self) -> Player | None:
        """Who may claim at this moment as winner of the last trick or declarer; `None`: nobody known."""
        return self.leader if self.leader in self.claimants else None

    @property
    def hand_sizes(self) -> tuple[int, int]:
        """How many cards south and north hold."""
        held = int(self.rules.hand_size) + self.draws - len(self.tricks)
        played = self.led.player if self.led else None
        return held - (played is Player.SOUTH), held - (played is Player.NORTH)

    def tricks_of(self, player: Player) -> int:
        """How many tricks `player` is known to have won."""
        return sum(trick.winner is player for trick in self.tricks)

    def unnamed_by(self, player: Player) -> int:
        """Count the plays of `player` that nobody has named."""
        count = sum(trick.played_by(player) is None for trick in self.tricks)
        return count + (self.led is not None and self.led.player is player and self.led.card is None)

    def placed(self, player: Player) -> frozenset[Card]:
        """Cards that can be nowhere but in the hand of `player`: exchanged, or drawn last.

        Of a player of whom a play has no name nothing is certain any more.
        """
        if self.hands is not None:
            return self.hands[player]
        found = set()
        if self.exchanged_by is player and self.dealt_up is not None:
            found.add(self.dealt_up)
        if self.at_close is None and self.exhausted and self.bottom is not None:
            last_drawn = self.tricks[self.rules.stock_size // 2 - 1]
            if last_drawn.winner is player.other:
                found.add(self.bottom)
        return frozenset() if not found or self.unnamed_by(player) else frozenset(found) - self.seen

    def shown(self, player: Player) -> frozenset[Card]:
        """Return what `placed` says, and the cards that `player` said to hold by a marriage."""
        said = {
            card
            for marriage in self.marriages
            if marriage.player is player and marriage.status is not MarriageStatus.VOID
            for card in marriage.pair
            if not self.unnamed_by(player)
        }
        return self.placed(player) | (frozenset(said) - self.seen)

    def candidates(self, player: Player) -> tuple[Card, ...]:
        """Cards that `player` may hold as far as anybody can know, in the order of the pack."""
        mine = self.placed(player)
        if self.hands is not None or len(mine) == self.hand_sizes[player]:
            return tuple(card for card in self.rules.pack if card in mine)
        other = self.placed(player.other)
        under = None if self.at_close is None and self.exhausted else self.bottom
        return tuple(
            card for card in self.rules.pack if card not in self.seen and card not in other and card != under
        )
