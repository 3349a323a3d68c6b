"""What a simpler decoder would write: votes of frames, legal moves only, nothing taken back.

It is what the decoder is compared with. Each frame votes for the cards that it shows outside the
turn-up's place; votes fade. As soon as a legal play has votes enough, it is taken. It is told who
dealt, hears what is said on the phone as the decoder does, and asks nothing.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from companion.rules.cards import PACK_24, Card, Player, Rank
from companion.rules.events import CardPlayed, Closed, Dealt, Event, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, ImpossibleEvent, apply, check, deal
from companion.rules.ruleset import RuleSet
from companion.table.detection import BACK, Detection, Reading

__all__ = ["Greedy"]

FADE_S = 1.0
"""Votes lose two thirds of their weight in this time."""
ENOUGH_VOTES = 2.5
"""Votes, fading, that make a play: a card seen in every frame has them after a third of a second."""
PLACE_PX = 60.0
"""A card so close to the turn-up's place lies there."""
ABSENT_S = 1.5
"""A turn-up that was not seen for this long while its stock was seen has been turned down."""


class Greedy:
    """Writes the hand down move by move.

    Args:
        rules: The house rules.
        dealer: Who dealt.
    """

    def __init__(self, rules: RuleSet, dealer: Player) -> None:
        self._rules, self._dealer = rules, dealer
        self._state: HandState | None = None
        self._votes: dict[Card, float] = defaultdict(float)
        self._there: dict[Card, float] = defaultdict(float)
        """Votes for the card at the turn-up's place."""
        self._place: np.ndarray | None = None
        self._seen_there = 0.0
        self._time = 0.0
        self.events: list[Event] = []

    def update(self, reading: Reading) -> list[Event]:
        """Take one frame and return what is written with it."""
        before, faded = len(self.events), np.exp((self._time - reading.time) / FADE_S)
        for votes in (self._votes, self._there):
            for card in votes:
                votes[card] *= faded
        self._time = reading.time
        faces = [one for one in reading.detections if one.best < BACK]
        backs = [one for one in reading.detections if one.best == BACK]
        if self._state is None:
            self._deal(faces, backs)
        else:
            self._vote(faces)
            self._move(bool(backs))
        return self.events[before:]

    def tell(self, event: Event) -> list[Event]:
        """Write down what a player said, if the rules let it."""
        return [event] if self._take(event) else []

    def _deal(self, faces: list[Detection], backs: list[Detection]) -> None:
        for face in faces:
            if any(float(np.hypot(*(_centre(face) - _centre(back)))) < 2.0 * PLACE_PX for back in backs):
                card = PACK_24[face.best]
                self._there[card] += 1.0
                if self._there[card] >= ENOUGH_VOTES and card in self._rules.pack:
                    self._place, self._seen_there = _centre(face), self._time
                    self._state = deal(self._rules, self._dealer, card)
                    self.events.append(Dealt(self._dealer, card))
                    return

    def _vote(self, faces: list[Detection]) -> None:
        for face in faces:
            card = PACK_24[face.best]
            if self._place is not None and float(np.hypot(*(_centre(face) - self._place))) < PLACE_PX:
                self._there[card] += 1.0
                self._seen_there = self._time
            else:
                self._votes[card] += 1.0

    def _move(self, stock: bool) -> None:
        """Take what has votes enough and is legal, the clearest first."""
        state = self._state
        if state is None or state.over:
            return
        player = state.to_play
        if player is None:
            return
        bottom = state.bottom
        if state.on_lead is player and bottom is not None:
            jack = Card(self._rules.lowest_trump, bottom.suit)
            if self._there[jack] >= ENOUGH_VOTES and jack != bottom:
                self._take(Exchanged(player))
            elif stock and self._time - self._seen_there >= ABSENT_S:
                self._take(Closed(player))
        for card in sorted(self._votes, key=lambda one: -self._votes[one]):
            if self._votes[card] < ENOUGH_VOTES:
                return
            if state.on_lead is player and card.rank in (Rank.KING, Rank.QUEEN):
                other = Card(Rank.QUEEN if card.rank is Rank.KING else Rank.KING, card.suit)
                if self._votes[other] >= ENOUGH_VOTES:
                    self._take(MarriageDeclared(player, card.suit))
                    return  # which of the two is led shows once the other is taken back
            if self._take(CardPlayed(player, card)):
                return

    def _take(self, event: Event) -> bool:
        if self._state is None:
            return False
        try:
            if check(self._state, event) is not None:
                return False
            self._state = apply(self._state, event)
        except ImpossibleEvent:
            return False
        self.events.append(event)
        return True


def _centre(detection: Detection) -> np.ndarray:
    return detection.corners.mean(axis=0)
