"""Whole deals that fit a played hand: what nobody saw is drawn at random.

A record from the table names the cards that were played, declared, exchanged or laid open. When each of
them was drawn, and what else lay in hands and stock, is known only in parts; what a player held at a decision
is therefore drawn here, so that it fits everything that came to light later.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

from companion.review.course import Course
from companion.rules.breach import NotedBreach
from companion.rules.cards import Card, Player
from companion.rules.events import CardPlayed, Exchanged, MarriageDeclared
from companion.rules.hand import ImpossibleEvent, apply, check
from companion.rules.record import Record, start
from companion.rules.state import HandState

__all__ = ["DealError", "Deals"]

_TRIES = 60
_MOST_TRIES = 1000
"""While none fits: under strict play from the first trick on few hands fit every answer."""
UNLIKELY = 0.1
"""A deal is kept with this chance for each exchange or marriage in it that nobody then heard of."""


class DealError(ValueError):
    """No deal fits what was recorded, or not enough was recorded to look for one."""


class Deals:
    """Draws deals that fit a played hand."""

    def __init__(self, course: Course, rng: random.Random) -> None:
        """Work out what is known.

        Raises:
            DealError: Plays were not named, or nobody saw the turned-up card.
        """
        if not course.named:
            raise DealError("not all cards that were played are known")
        self._course = course
        self._rng = rng
        final = course.final
        self._up = final.dealt_up
        self._rounds = final.draws
        self._size = int(final.rules.hand_size)
        self._fixed = [self._last_drawn(player) for player in Player]
        self._deadlines = [self._deadlines_of(player) for player in Player]
        held = {card for each in self._deadlines for card in each}
        self._free = [card for card in final.rules.pack if card not in held and card != self._up]

    @property
    def certain(self) -> bool:
        """Whether the record itself gives both hands and the stock."""
        return self._course.record.hands is not None and self._course.record.stock is not None

    def draw(self) -> tuple[HandState, ...]:
        """Return the hand before each event and after the last, with all its cards.

        Raises:
            DealError: None that was tried fits.
        """
        if self.certain:
            return self._course.states
        best: tuple[int, tuple[HandState, ...]] | None = None
        for tried in range(_MOST_TRIES):
            if best is not None and tried >= _TRIES:
                break
            states = self._played(self._deal())
            if states is None:
                continue
            quiet = _kept_quiet(states, self._course)
            if self._rng.random() < UNLIKELY**quiet:
                return states
            if best is None or quiet < best[0]:
                best = quiet, states
        if best is None:
            raise DealError("no deal was found that fits what was recorded")
        return best[1]

    def _last_drawn(self, player: Player) -> Card | None:
        """Return the card from the bottom of the stock where `player` drew it."""
        final = self._course.final
        if not final.exhausted or final.at_close is not None or final.bottom is None:
            return None
        taken = final.tricks[final.rules.stock_size // 2 - 1]
        return final.bottom if taken.winner is player.other else None

    def _deadlines_of(self, player: Player) -> dict[Card, int]:
        """Return the cards that `player` was dealt or drew, and by which draw at the latest."""
        found: dict[Card, int] = {}
        for place in self._course.places:
            # a draw that a close before drawing took back was none
            draws = min(self._course.states[place.since].draws, self._rounds)
            late = place.card == self._fixed[player] and draws == self._rounds
            if place.player is player and not place.got and not late:
                found[place.card] = min(draws, found.get(place.card, draws))
        return found

    def _deal(self) -> Record:
        """Return a deal in which every card is where it was by the time it was seen."""
        slots: list[list[Card | None]] = []
        for player in Player:
            places: list[Card | None] = [None] * (self._size + self._rounds)
            if (fixed := self._fixed[player]) is not None:
                places[-1] = fixed
            for card, draws in sorted(self._deadlines[player].items(), key=lambda each: each[1]):
                empty = [at for at in range(self._size + draws) if places[at] is None]
                if not empty:
                    raise DealError(f"{player.name.lower()} cannot have held all of the cards that were seen")
                places[self._rng.choice(empty)] = card
            slots.append(places)
        free = self._free[:]
        self._rng.shuffle(free)
        south, north = ([card or free.pop() for card in places] for places in slots)
        drawn = (south[self._size :], north[self._size :])
        stock: list[Card] = []
        for number, trick in enumerate(self._course.final.tricks[: self._rounds]):
            winner = trick.winner or Player.SOUTH
            stock += [drawn[winner][number], drawn[winner.other][number]]
        rules = self._course.record.rules
        if self._rounds == rules.stock_size // 2:
            stock.pop()
        stock += free
        if self._up is None or len(stock) != rules.stock_size - 1:
            raise DealError("the cards that were seen are not those of one pack")
        hands = tuple(south[: self._size]), tuple(north[: self._size])
        return replace(self._course.record, hands=hands, stock=(*stock, self._up), events=self._course.events)

    def _played(self, record: Record) -> tuple[HandState, ...] | None:
        """Return the hand with these cards; `None` where they would have broken, or kept, other rules."""
        states = [start(record)]
        try:
            for event in self._course.events:
                states.append(apply(states[-1], event))
        except ImpossibleEvent:
            return None
        noted = sorted(_accused(self._course.final.breaches))
        return tuple(states) if sorted(_accused(states[-1].breaches)) == noted else None


def _accused(breaches: tuple[NotedBreach, ...]) -> Iterator[tuple[str, int, int]]:
    for noted in breaches:
        if not noted.taken_back:
            name = "revoke" if noted.breach.is_revoke else noted.breach.name
            yield name, int(noted.player), noted.trick


def _kept_quiet(states: tuple[HandState, ...], course: Course) -> int:
    """Count the leads before which a player with these cards kept a pair or the lowest trump quiet."""
    quiet = 0
    for state, event in zip(states, course.events, strict=False):
        if not isinstance(event, CardPlayed) or event.card is None or state.led or state.hands is None:
            continue
        player, card, trump = event.player, event.card, state.trump
        if trump and Card(state.rules.lowest_trump, trump) in state.hands[player]:
            quiet += check(state, Exchanged(player)) is None if state.stock_open else 0
        pair = card.partner in state.hands[player]
        if state.announced is None and pair:
            quiet += check(state, MarriageDeclared(player, card.suit)) is None
    return quiet
