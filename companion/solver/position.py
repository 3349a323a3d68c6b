"""A moment of a hand with all cards known, somebody to lead or to answer: what the solver is asked about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.cards import Card, Player, Suit
from companion.rules.event_form import read_card, read_cards, read_list, read_object, read_player
from companion.rules.ruleset import RuleSet, rules_from_json
from companion.rules.scoring import count, players_out
from companion.rules.state import HandState

__all__ = ["OpponentAtClose", "Position", "PositionError", "read_counts"]

_REQUIRED = ("trump", "to_lead", "hands", "stock", "card_points", "tricks_won")
_FIELDS = ("rules", *_REQUIRED, "led", "pending_marriage_points", "closed_by", "opponent_at_close")
_MOST_POINTS = 220  # all cards and all marriages


class PositionError(ValueError):
    """A position that cannot be; the message names what is wrong with it.

    Attributes:
        fault: The same as a key, for what may go wrong while somebody sets up a position; else empty.
        known: The numbers in the message, by name.
    """

    def __init__(self, text: str, fault: str = "", **known: int) -> None:
        super().__init__(text)
        self.fault, self.known = fault, known


@dataclass(frozen=True, slots=True)
class OpponentAtClose:
    """What awards need to know of the moment of closing (clauses 8.1 and 8.2).

    Attributes:
        card_points: Points of the closer's opponent then, counted marriages included.
        has_trick: Whether that player had a trick then.
        closer_has_trick: Whether the closer had one; only `failed_close_award: 2_3_closer` asks.
    """

    card_points: int
    has_trick: bool
    closer_has_trick: bool | None = None

    def to_json(self) -> dict[str, Any]:
        """Write as a position has it."""
        known = {} if self.closer_has_trick is None else {"closer_has_trick": self.closer_has_trick}
        return {"card_points": self.card_points, "has_trick": self.has_trick, **known}


@dataclass(frozen=True, slots=True)
class Position:
    """The player `to_lead` has said and led nothing yet since the last trick, and drawn; or has `led`.

    What lies in the tricks is not asked for: only what it counts.

    Attributes:
        rules: The house rules.
        trump: The trump suit.
        to_lead: The player on lead.
        hands: The cards of south and north.
        stock: The stock, top first, the turned-up card last; its cards do not matter once it is closed.
        card_points: Points of south and north, counted marriages included.
        tricks_won: Tricks of south and north.
        pending: Points of marriages of south and north that wait for a trick.
        closed_by: Who closed.
        at_close: What that player's opponent had then.
        led: The card that the other player is to answer, no longer in its hand; a marriage declared with
            it has been counted.
    """

    rules: RuleSet
    trump: Suit
    to_lead: Player
    hands: tuple[tuple[Card, ...], tuple[Card, ...]]
    stock: tuple[Card, ...]
    card_points: tuple[int, int]
    tricks_won: tuple[int, int]
    pending: tuple[int, int] = (0, 0)
    closed_by: Player | None = None
    at_close: OpponentAtClose | None = None
    led: Card | None = None

    def __post_init__(self) -> None:
        south, north = self.hands
        rules = self.rules
        seen: set[Card] = set()
        for card in (*south, *north, *self.stock, *((self.led,) if self.led else ())):
            if card not in rules.pack:
                raise PositionError(f"{card} is not in a pack of {rules.deck}")
            if card in seen:
                raise PositionError(f"{card} is there twice")
            seen.add(card)
        if len(self.hands[self.to_lead]) + (self.led is not None) != self.size:
            next_is = "led" if self.led is None else "answered"
            text = f"hands of {len(south)} and {len(north)} cards, with a card to be {next_is}"
            raise PositionError(text, "hands", south=len(south), north=len(north))
        if not 1 <= self.size <= rules.hand_size:
            text = f"hands of {self.size} cards; there are 1 to {rules.hand_size}"
            raise PositionError(text, "hand_size", n=self.size, most=rules.hand_size)
        if self.stock and self.closed_by is None:
            self._check_open_stock()
        if any(not 0 <= each <= _MOST_POINTS for each in self.card_points):
            raise PositionError(f"card points of {list(self.card_points)}")
        if any(not 0 <= each <= rules.deck // 2 for each in self.tricks_won):
            raise PositionError(f"tricks won: {list(self.tricks_won)}")
        if any(each not in (0, 20, 40, 60) for each in self.pending):
            raise PositionError(f"pending marriage points of {list(self.pending)}")
        if (self.closed_by is None) != (self.at_close is None):
            raise PositionError("closed_by and opponent_at_close go together")
        close, award = self.at_close, rules.failed_close_award
        if award == "2_3_closer" and close is not None and close.closer_has_trick is None:
            raise PositionError(f"failed_close_award {award} needs opponent_at_close.closer_has_trick")

    def _check_open_stock(self) -> None:
        """Check a stock that will be drawn from."""
        rules, size = self.rules, len(self.stock)
        if self.size != rules.hand_size:
            text = f"hands of {self.size} cards with the stock open, not {rules.hand_size}"
            raise PositionError(text, "open_hands", n=self.size, most=rules.hand_size)
        if size % 2 or size > rules.stock_size:
            raise PositionError(f"an open stock of {size} cards with a player on lead", "open_stock", n=size)
        if self.stock[-1].suit is not self.trump:
            text = f"the turned-up {self.stock[-1]} is no trump, trumps are {self.trump.letter}"
            raise PositionError(text, "no_trump")

    @property
    def size(self) -> int:
        """How many cards each player held when the trick began."""
        return len(self.hands[self.to_lead.other])

    @property
    def to_play(self) -> Player:
        """Who decides."""
        return self.to_lead if self.led is None else self.to_lead.other

    @property
    def is_open(self) -> bool:
        """Whether the winner of the next trick draws."""
        return bool(self.stock) and self.closed_by is None

    @classmethod
    def from_json(cls, data: object) -> Position:
        """Read a position (docs/solver.md).

        Raises:
            PositionError: It cannot be.
            RecordError: It cannot be read.
            RuleSetError: Its rules do not exist.
        """
        fields = read_object(data, "position", _FIELDS, _REQUIRED)
        hands = [read_cards(each, f"hands[{at}]") for at, each in enumerate(_pair(fields["hands"], "hands"))]
        trump = fields["trump"]
        if trump not in [suit.letter for suit in Suit]:
            raise PositionError(f"trump: {trump!r:.80} is none of H, D, C, S")
        closed_by = fields.get("closed_by")
        return cls(
            rules_from_json(fields.get("rules", {"preset": "schnapsen"})),
            Suit(trump),
            read_player(fields["to_lead"], "to_lead"),
            (hands[0], hands[1]),
            read_cards(fields["stock"], "stock"),
            read_counts(fields["card_points"], "card_points"),
            read_counts(fields["tricks_won"], "tricks_won"),
            read_counts(fields.get("pending_marriage_points", [0, 0]), "pending_marriage_points"),
            None if closed_by is None else read_player(closed_by, "closed_by"),
            _at_close(fields.get("opponent_at_close")),
            None if fields.get("led") is None else read_card(fields["led"], "led"),
        )

    @classmethod
    def from_state(cls, state: HandState) -> Position:
        """Return the position of a hand with all cards known, nothing declared but with a card led.

        Raises:
            PositionError: The hand is at no such moment, or not all of its cards are known.
        """
        lead, led, close = state.leader, state.led, state.at_close
        if state.over or lead is None or state.at_knock is not None or (state.announced and not led):
            raise PositionError("nobody is to answer, or on lead without having declared or knocked")
        if state.hands is None or state.stock is None or state.trump is None:
            raise PositionError("not all cards are known")
        south, north = (count(state, player) for player in Player)
        if led and players_out(state):
            raise PositionError("a declaration that makes 66 awaits its claim")
        at_close = None
        if close is not None:
            at_close = OpponentAtClose(close.card_points.low, close.has_trick, close.closer_has_trick)
        return cls(
            state.rules,
            state.trump,
            lead,
            (_sorted(state.hands[0]), _sorted(state.hands[1])),
            state.stock,
            (south.total.low, north.total.low),
            (state.tricks_of(Player.SOUTH), state.tricks_of(Player.NORTH)),
            (south.pending.low, north.pending.low),
            state.closed_by,
            at_close,
            led.card if led else None,
        )

    def to_json(self) -> dict[str, Any]:
        """Write as `from_json` reads."""
        led = {} if self.led is None else {"led": str(self.led)}
        return {
            "rules": self.rules.to_json(),
            "trump": self.trump.letter,
            "to_lead": int(self.to_lead),
            "hands": [[str(card) for card in hand] for hand in self.hands],
            "stock": [str(card) for card in self.stock],
            "card_points": list(self.card_points),
            "tricks_won": list(self.tricks_won),
            "pending_marriage_points": list(self.pending),
            "closed_by": None if self.closed_by is None else int(self.closed_by),
            "opponent_at_close": None if self.at_close is None else self.at_close.to_json(),
            **led,
        }


def _sorted(hand: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(sorted(hand, key=lambda card: (card.suit.letter, card.rank)))


def _pair(data: object, where: str) -> list[Any]:
    values = read_list(data, where)
    if len(values) != 2:
        raise PositionError(f"{where}: {len(values)} values, not one for each player")
    return values


def _count(data: object, where: str) -> int:
    if type(data) is not int or data < 0:
        raise PositionError(f"{where}: {data!r:.80} is no whole number from 0")
    return data


def read_counts(data: object, where: str) -> tuple[int, int]:
    """Read a whole number from 0 for each player.

    Raises:
        PositionError: It is none; the message begins with `where`.
    """
    south, north = (_count(each, f"{where}[{at}]") for at, each in enumerate(_pair(data, where)))
    return south, north


def _truth(data: object, where: str) -> bool:
    if type(data) is not bool:
        raise PositionError(f"{where}: {data!r:.80} is neither true nor false")
    return data


def _at_close(data: object) -> OpponentAtClose | None:
    if data is None:
        return None
    where = "opponent_at_close"
    known = ("card_points", "has_trick", "closer_has_trick")
    fields: Mapping[str, Any] = read_object(data, where, known, known[:2])
    closer = fields.get("closer_has_trick")
    return OpponentAtClose(
        _count(fields["card_points"], f"{where}.card_points"),
        _truth(fields["has_trick"], f"{where}.has_trick"),
        None if closer is None else _truth(closer, f"{where}.closer_has_trick"),
    )
