"""Hands acted out card by card: what lies where and whose arm reaches in, as a test says it."""

from __future__ import annotations

import numpy as np

from companion.decoding.decoder import Decoder
from companion.rules.cards import PACK_24, Card, Player
from companion.rules.events import CardPlayed, Claimed, Closed, Dealt, Event, Exchanged, MarriageDeclared
from companion.rules.ruleset import RuleSet
from companion.table.detection import BACK
from companion.table.entry import Asked, Entry
from tests.decoding.puppets import HEIGHT, WIDTH, Item, Stage, _index, quad, readings
from tests.decoding.spectator import Spectator
from tests.frame_rate import FPS

__all__ = ["Acted"]

SOUTH, NORTH = Player


class Acted(Stage):
    """A table at which each step is said.

    Attributes:
        truth: What happens, hand by hand, in the order in which the rules have it.
    """

    def __init__(self, rules: RuleSet, seed: int = 5) -> None:
        super().__init__(rules, seed)
        self.truth: list[list[Event]] = []
        self._trick: list[tuple[Player, Card, Item]] = []
        self._piles: dict[Player, Item] = {}

    def wait(self, seconds: float) -> None:
        """Nothing happens."""
        self.time += seconds

    def deal(self, dealer: Player, turn_up: str, *, stock_seen: bool = True, at_edge: bool = False) -> None:
        """A stock and the turn-up beside it, or beyond it, `at_edge` of the picture."""
        side = -1.0 if self.left else 1.0
        self.at = (WIDTH / 2 + side * (440 if at_edge else 340), HEIGHT / 2 - 10)
        self.turn_up_at = (self.at[0] + side * (75 if at_edge else -75), self.at[1])
        self.wait(0.8)
        self.stock = self._put(BACK, quad(*self.at, 3))
        if not stock_seen:
            self.stock.lost = ((0.0, 1e9),)
        self.turn_up = self._put(_index(Card.parse(turn_up)), quad(*self.turn_up_at, 88))
        self.wait(1.5)
        self.trump, self._tricks, self._open = Card.parse(turn_up).suit, 0, True
        self._piles, self._trick = {}, []
        self.truth.append([Dealt(dealer, Card.parse(turn_up))])

    def play(self, player: Player, name: str) -> Item:
        """A card is led, or answers."""
        item = self.throw(player, name)
        self.wait(1.2)
        return item

    def trick(self, leader: Player, lead: str, answer: str) -> None:
        """A whole trick, gathered."""
        self.play(leader, lead)
        self.play(leader.other, answer)
        self.gather()

    def snatch(self, player: Player, name: str) -> None:
        """A card answers, and its player takes the trick in the same motion."""
        self.throw(player, name)
        self.time -= 0.45
        self.gather()

    def carry(self, player: Player, name: str) -> None:
        """A card is carried to the trick, and taken back before it lies there."""
        item = self._play(player, Card.parse(name), [each for _, _, each in self._trick])
        item.end = self.time - 0.02
        self.wait(1.0)

    def throw(self, player: Player, name: str) -> Item:
        """A card is led, or answers, and its player's arm goes home."""
        card = Card.parse(name)
        item = self._play(player, card, [each for _, _, each in self._trick])
        self._trick.append((player, card, item))
        self.truth[-1].append(CardPlayed(player, card))
        return item

    def cover(self, player: Player, name: str) -> None:
        """A card answers, laid on the lead so that nothing of that is seen."""
        self._lay_there(player, name, self._trick[0][2])

    def lay_instead(self, player: Player, name: str) -> None:
        """The latest card is taken back by its player, who lays another just there."""
        _, _, item = self._trick.pop()
        self.truth[-1].pop()
        self.take_up(player, item)
        self.wait(0.8)
        self._lay_there(player, name, item)

    def _lay_there(self, player: Player, name: str, there: Item) -> None:
        card = Card.parse(name)
        x, y = (float(each) for each in there.corners.mean(axis=0))
        self._reach(player, (x, y), 0.9)
        item = self._put(_index(card), quad(x + 4, y - 3, 5), self.time - 0.35)
        item.moving_from = item.corners + np.array([0, 230 if player is SOUTH else -230], np.float32)
        item.moving_s = 0.4
        self._trick.append((player, card, item))
        self.truth[-1].append(CardPlayed(player, card))
        self.wait(1.2)

    def show_pair(self, player: Player, led: str, kept: str) -> Item:
        """King and queen laid side by side; the kept one is returned, and lies there still."""
        y, cards = HEIGHT / 2 + (25 if player is SOUTH else -25), (Card.parse(led), Card.parse(kept))
        self._reach(player, (WIDTH / 2, y), 0.8)
        one, other = (
            self._put(_index(card), quad(WIDTH / 2 + (at - 0.5) * 112, y, 3), self.time - 0.3)
            for at, card in enumerate(cards)
        )
        self._trick.append((player, cards[0], one))
        self.truth[-1] += [MarriageDeclared(player, cards[0].suit), CardPlayed(player, cards[0])]
        self.wait(1.5)
        return other

    def lift_turn_up(self, player: Player, seconds: float) -> None:
        """The turn-up is lifted, and put back so much later."""
        self._reach(player, self.turn_up_at, 0.9)
        self.turn_up.end = self.time - 0.5
        self.wait(max(0.0, seconds - 1.0))
        self._reach(player, self.turn_up_at, 0.9)
        self.turn_up = self._put(self.turn_up.index, quad(*self.turn_up_at, 86), self.time - 0.5)
        self.wait(0.7)

    def take_up(self, player: Player, item: Item) -> None:
        """A card goes back into its owner's hand."""
        x, y = (float(each) for each in item.corners.mean(axis=0))
        self._reach(player, (x, y), 0.8)
        item.end = self.time - 0.4

    def gather(self, then: tuple[Player, Item] | None = None) -> None:
        """Whoever won takes the trick, then a card of a marriage is taken up, then both draw."""
        (leader, lead, one), (_, answer, other) = self._trick
        winner = leader.other if answer.beats(lead, self.trump) else leader
        self._gather(winner, [one, other], self._piles)
        self._trick, self._tricks = [], self._tricks + 1
        if then is not None:
            self.wait(0.4)
            self.take_up(*then)
            self.wait(0.4)
        if self._open:
            self._draw(winner, self.at)
            self._draw(winner.other, self.at)
        self.wait(0.8)

    def close(self, player: Player, *, before_lead: bool = False) -> None:
        """The turn-up is laid face down on the stock, with the lead on the table already or not."""
        self._reach(player, self.at, 1.0)
        self.turn_up.end = self.time - 0.5
        self._put(BACK, quad(self.at[0] + 4, self.at[1], 90))
        self._open = False
        self.truth[-1].insert(len(self.truth[-1]) - before_lead, Closed(player))
        self.wait(1.0)

    def push_over_turn_up(self, player: Player) -> None:
        """The stock is pushed over the turn-up, which stays as it is; both draw from there."""
        self._reach(player, self.at, 1.0)
        self.stock.end = self.time - 0.5
        self.stock = self._put(BACK, quad(*self.turn_up_at, 88), self.time - 0.5)
        self.at = self.turn_up_at
        self.wait(1.0)

    def close_by_covering(self, player: Player) -> None:
        """It is pushed there to close it."""
        self.push_over_turn_up(player)
        self._open = False
        self.truth[-1].append(Closed(player))

    def exchange(self, player: Player, *, before_lead: bool = False, between: float = 0.0) -> None:
        """The lowest trump for the turn-up, with the lead on the table already or not.

        The turn-up may be taken first, so many seconds `between`.
        """
        self._reach(player, self.turn_up_at, 1.0)
        self.turn_up.end = self.time - 0.45
        if between:
            self.wait(between)
            self._reach(player, self.turn_up_at, 1.0)
        lowest = Card(self.rules.lowest_trump, self.trump)
        self.turn_up = self._put(_index(lowest), quad(*self.turn_up_at, 88), self.time - 0.4)
        self.truth[-1].insert(len(self.truth[-1]) - before_lead, Exchanged(player))
        self.wait(1.0)

    def exchange_aside(self, player: Player, x: float, y: float) -> None:
        """The turn-up is laid down there, and taken up once the lowest trump lies in its place."""
        self._reach(player, self.turn_up_at, 1.0)
        drawn_out, since = self.turn_up, self.time - 0.6
        aside = self.lay(drawn_out.index, x, y, player)
        self.wait(0.6)
        self.exchange(player)
        drawn_out.end = since
        self.take_up(player, aside)
        self.wait(0.6)

    def exchange_and_lead(self, player: Player) -> None:
        """The turn-up is led from where it lay, and then the lowest trump laid there."""
        self._reach(player, self.turn_up_at, 1.0)
        drawn_out, since = self.turn_up, self.time - 0.6
        lead = self.lay(drawn_out.index, WIDTH / 2, HEIGHT / 2 + (15 if player is SOUTH else -15), player)
        self.wait(0.6)
        self.exchange(player)
        drawn_out.end = since
        card = PACK_24[drawn_out.index]
        self._trick.append((player, card, lead))
        self.truth[-1].append(CardPlayed(player, card))
        self.wait(1.2)

    def lay(self, index: int, x: float, y: float, player: Player) -> Item:
        """Something else is laid down."""
        self._reach(player, (x, y), 0.9)
        return self._put(index, quad(x, y, 20), self.time - 0.4)

    def look_through(self, player: Player, *names: str, seconds: float = 2.0) -> None:
        """Won cards are turned up side by side, and put back so much later."""
        y = HEIGHT / 2 + (200 if player is SOUTH else -200)
        places = [(WIDTH / 2 + (at - (len(names) - 1) / 2) * 70, y) for at in range(len(names))]
        self._reach(player, (WIDTH / 2, y), 0.9)
        since = self.time - 0.4
        cards = [
            self._put(_index(Card.parse(name)), quad(*place, 4), since)
            for name, place in zip(names, places, strict=True)
        ]
        self.wait(seconds)
        self._reach(player, (WIDTH / 2, y), 0.9)
        for card in cards:
            card.end = self.time - 0.4
        self.wait(1.0)

    def sweep(self, *stays: Item) -> None:
        """All that lies there is taken up but for what `stays`."""
        self._reach(SOUTH, (WIDTH / 2, HEIGHT / 2), 1.2)
        for item in self.show.items:
            if not any(item is each for each in stays):
                item.end = min(item.end, self.time - 0.5)

    def claim(self, player: Player, *stays: Item, shuffles_s: float = 5.6) -> None:
        """66, pressed; the table is swept but for what `stays`, and the pack is shuffled."""
        self.show.taps.append((self.time + 0.2, Claimed(player)))
        self.truth[-1].append(Claimed(player))
        self.wait(1.6)
        self.sweep(*stays)
        self.wait(shuffles_s)
        self.show.end = self.time

    def watched(self, fps: float = FPS) -> tuple[list[list[Event]], list[Asked]]:
        """The hands as a decoder has them that reads so many frames a second, and what it asked."""
        decoder = Decoder(self.rules)
        written: list[Entry] = Spectator(self.show, decoder).watch(readings(self.show, fps=fps, seed=1))
        told = [[Dealt(each.dealer, each.turned_up), *each.events] for each in decoder.records]
        return told, [entry for entry in written if isinstance(entry, Asked)]
