"""A played hand, event by event, with the cards that each player is known afterwards to have held.

At the table nobody sees the hands. Once a hand is over, every card that was played, declared, exchanged or
laid open says where it was before, back to the last draw at which it can have been drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.rules.breach import NotedBreach
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Event, Exchanged, HandShown, MarriageDeclared
from companion.rules.hand import ImpossibleEvent, apply
from companion.rules.record import Record, replay, start
from companion.rules.state import HandState, MarriageStatus

__all__ = ["Course", "Place"]


@dataclass(frozen=True, slots=True)
class Place:
    """A card that a player is known to have held.

    Attributes:
        player: Whose hand.
        card: Which card.
        since: First moment, as an index into `Course.states`.
        until: Last moment.
        got: The card came by an exchange, not from the pack.
    """

    player: Player
    card: Card
    since: int
    until: int
    got: bool = False


@dataclass(frozen=True, slots=True)
class Course:
    """A hand from the deal to its end.

    Attributes:
        record: What was recorded.
        events: Those that count: without what was taken back (clause 3.6).
        states: The hand before each event, and after the last.
        places: Which cards are known to have been where.
        taken_back: Revokes that were taken back.
    """

    record: Record
    events: tuple[Event, ...]
    states: tuple[HandState, ...]
    places: tuple[Place, ...]
    taken_back: tuple[NotedBreach, ...]

    @classmethod
    def of(cls, record: Record) -> Course:
        """Play a record through the rules.

        Raises:
            ImpossibleEvent: The hand cannot have happened; the message names the event.
        """
        whole = replay(record)
        taken_back = tuple(each for each in whole.breaches if each.taken_back)
        events = whole.told if taken_back else record.events
        states = [start(record)]
        for index, event in enumerate(events):
            try:
                states.append(apply(states[-1], event))
            except ImpossibleEvent as error:
                raise ImpossibleEvent(f"events[{index}]: {error}") from None
        found = _Places(record, events, states)
        return cls(record, tuple(events), tuple(states), tuple(found.places()), taken_back)

    @property
    def final(self) -> HandState:
        """The hand after everything."""
        return self.states[-1]

    @property
    def named(self) -> bool:
        """Whether every play has a name and every trick a winner."""
        final = self.final
        won = all(trick.winner is not None for trick in final.tricks)
        return won and final.trump is not None and not any(final.unnamed_by(player) for player in Player)

    def held(self, at: int, player: Player) -> frozenset[Card]:
        """Return the cards that `player` certainly held before event number `at`."""
        known = self.states[at].hands
        if known is not None:
            return known[player]
        return frozenset(
            place.card for place in self.places if place.player is player and place.since <= at <= place.until
        )

    def counted(self) -> Record:
        """Return the record of what counts."""
        return replace(self.record, events=self.events)


class _Places:
    """Finds out where cards were."""

    def __init__(self, record: Record, events: tuple[Event, ...], states: list[HandState]) -> None:
        self._record = record
        self._events = events
        self._states = states
        self._first: dict[tuple[Player, Card], int] = {}
        self._last: dict[tuple[Player, Card], int] = {}
        self._got: dict[tuple[Player, Card], int] = {}
        self._given: list[Place] = []

    def places(self) -> Iterator[Place]:
        """Yield every place that is known."""
        self._collect()
        yield from self._given
        end = len(self._events)
        for key, since in self._first.items():
            got = key in self._got
            yield Place(*key, self._got.get(key, since), self._last.get(key, end), got)

    def _collect(self) -> None:
        for player in Player:
            for card in self._record.hands[player] if self._record.hands is not None else ():
                self._first[player, card] = 0
        exhausted = next((at for at, state in enumerate(self._states) if state.exhausted), None)
        for at, event in enumerate(self._events):
            match event:
                case CardPlayed(player, played):
                    if played is not None:
                        self._seen(player, played, at)
                        self._last[player, played] = at
                case Exchanged(player):
                    self._exchanged(player, at)
                case HandShown(player, cards):
                    for card in cards:
                        self._seen(player, card, at)
        for marriage in self._states[-1].marriages:
            if marriage.status is not MarriageStatus.VOID:
                # an equal word before may have been out of turn, and void
                declared = MarriageDeclared(marriage.player, marriage.suit)
                at = next(
                    at
                    for at, event in enumerate(self._events)
                    if event == declared and self._counts(self._states[at], self._states[at + 1])
                )
                for card in marriage.pair:
                    self._seen(marriage.player, card, at)
        if exhausted is not None:
            for player in Player:
                for card in self._states[exhausted].placed(player) - self._states[exhausted].seen:
                    if (player, card) not in self._first:
                        self._first[player, card] = exhausted

    @staticmethod
    def _counts(before: HandState, after: HandState) -> bool:
        """Whether a marriage has been declared between two states that is not void."""
        grown = len(after.marriages) > len(before.marriages)
        return grown and after.marriages[-1].status is not MarriageStatus.VOID

    def _exchanged(self, player: Player, at: int) -> None:
        state = self._states[at]
        if state.dealt_up is None:
            return
        lowest = Card(state.rules.lowest_trump, state.dealt_up.suit)
        self._given.append(Place(player, lowest, self._drawn_by(at), at))
        self._got[player, state.dealt_up] = self._first[player, state.dealt_up] = at + 1

    def _seen(self, player: Player, card: Card, at: int) -> None:
        """Note that a card was in a hand, back to the draw before."""
        since = self._drawn_by(at)
        self._first[player, card] = min(since, self._first.get((player, card), since))

    def _drawn_by(self, at: int) -> int:
        """Return the first moment from which on nobody drew before event number `at`."""
        while at > 0 and self._states[at - 1].draws >= self._states[at].draws:
            at -= 1
        return at
