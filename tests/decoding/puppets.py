"""A table played by puppets: a hand in, the readings of a (bad) detector out.

Cards are outlines that come, lie and go; arms are strips that reach in from an edge and hide what
is under them. Nothing is rendered, so thousands of frames take no time, and every fault of a
detector has a knob.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from companion.rules.cards import PACK_24, Card, Player, Rank
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, apply, deal, legal_events
from companion.rules.ruleset import RuleSet
from companion.rules.scoring import ENOUGH, claims_awaited, count
from companion.rules.shuffle import shuffled
from companion.table.detection import BACK, CLASSES, Button, Detection, Motion, Reading
from companion.table.quad import covered
from tests.frame_rate import FPS

WIDTH, HEIGHT = 1280, 720
CHANCES = {Exchanged: 0.7, MarriageDeclared: 0.7, Closed: 0.04, Knocked: 0.2}
"""How readily a puppet does what it may."""
FALSE_CLAIM, REVOKE = 0.02, 0.015
"""How readily a puppet that errs claims without 66, or plays a card that it may not."""
CARD_W, CARD_H = 96.0, 148.0
CELLS = (45, 80)


@dataclass(frozen=True)
class Noise:
    """What is wrong with the detector, as shares of cards or frames.

    `faint` cards are lost for seconds; `things`: how many lie there and look like a card now and then.
    """

    misses: float = 0.0
    misreads: float = 0.0
    phantoms: float = 0.0
    dropped: float = 0.0
    jitter_px: float = 0.8
    doubles: float = 0.0
    faint: float = 0.0
    things: int = 0


@dataclass
class Thing:
    """What is no card and is taken for one at times: beside an arm that covers a part of it, or just so.

    A score sheet does so with .3 to .55 for one ace or another, in the rendered hands.
    """

    looks: tuple[int, ...]
    corners: np.ndarray
    seen: tuple[tuple[float, float], ...]


@dataclass(eq=False)
class Item:
    """A card on the table from `start` to `end`, seconds; `index` into `CLASSES`."""

    index: int
    corners: np.ndarray
    start: float
    end: float = 1e9
    moving_from: np.ndarray | None = None
    moving_s: float = 0.0
    lost: tuple[tuple[float, float], ...] = ()
    """From when until when the detector does not see it, seconds."""


@dataclass
class Plate:
    """An announcement button on the table from `start` to `end`, seconds, that says `value`."""

    x: float
    y: float
    value: int
    start: float
    end: float = 1e9


@dataclass
class Reach:
    """An arm that reaches in to `target` and out again."""

    player: Player
    target: tuple[float, float]
    start: float
    end: float


@dataclass
class Show:
    """A whole recording: what lies when, who reaches where, what was pressed, what happened.

    `ends`: the state in which each hand ended, with all that is known of it.
    """

    items: list[Item] = field(default_factory=list)
    reaches: list[Reach] = field(default_factory=list)
    plates: list[Plate] = field(default_factory=list)
    taps: list[tuple[float, Event]] = field(default_factory=list)
    events: list[list[tuple[float, Event]]] = field(default_factory=list)
    ends: list[HandState] = field(default_factory=list)
    end: float = 0.0


def random_hand(
    rules: RuleSet, seed: int, dealer: Player, *, errs: bool = False
) -> tuple[HandState, list[Event]]:
    """Return the deal, with all cards known, and the events of a random hand.

    Every event is legal, unless the player `errs`: then 66 is claimed wrongly now and then, and
    suits are not followed.
    """
    rng, slips = random.Random(seed), random.Random(seed * 31 + 7)
    start = deal(rules, dealer, None, *shuffled(rules, rng))
    state, events = start, []
    while not state.over:
        options = legal_events(state)
        words = [one for one in options if not isinstance(one, CardPlayed)]
        chosen: Event | None = None
        for word in words:
            enough = isinstance(word, Claimed) and count(state, word.player).total.low >= ENOUGH
            chance = CHANCES.get(type(word), 0.0)
            slip = errs and isinstance(word, Claimed) and slips.random() < FALSE_CLAIM
            if rng.random() < (0.9 if enough else chance) or slip:
                chosen = word
                break
        if chosen is None:
            chosen = rng.choice([one for one in options if isinstance(one, CardPlayed)])
            if errs and slips.random() < REVOKE:
                chosen = slips.choice(_forbidden(state, options) or [chosen])
        events.append(chosen)
        state = apply(state, chosen)
    events += map(Claimed, claims_awaited(state)[:1])  # nobody would lose points for a word
    return start, events


def _forbidden(state: HandState, options: Sequence[Event]) -> list[CardPlayed]:
    """Cards that the player to follow holds and may not play."""
    player = state.to_play
    if state.led is None or player is None or state.hands is None:
        return []
    held = sorted(state.hands[player], key=PACK_24.index)
    return [event for card in held if (event := CardPlayed(player, card)) not in options]


def quad(x: float, y: float, degrees: float) -> np.ndarray:
    """Corners of a card centred at a place, clockwise, short side first."""
    a = np.deg2rad(degrees)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    w, h = CARD_W / 2, CARD_H / 2
    box = np.array([[-w, -h], [w, -h], [w, h], [-w, h]])
    return (box @ turn.T + (x, y)).astype(np.float32)


def lying(index: int, corners: np.ndarray, time: float) -> Detection:
    """A card as a good detector sees it."""
    probs = np.full(len(CLASSES), 0.001, np.float32)
    probs[index] = 1.0 - 0.001 * (len(CLASSES) - 1)
    return Detection(corners, probs, 0.9, time)


class Stage:
    """Plays hands one after the other into a `Show`."""

    def __init__(
        self,
        rules: RuleSet,
        seed: int,
        *,
        taps: bool = True,
        dealer: Player | None = None,
        buttons: bool = False,
        packets: bool = False,
        pushes: float = 0.0,
        looks_back: float = 0.0,
        takes_back: float = 0.0,
        straightens: float = 0.0,
        slides: float = 0.0,
    ) -> None:
        """Set the stage.

        Args:
            rules: House rules.
            seed: Decides all that the hands leave open.
            taps: Whether a phone hears the words.
            dealer: Of the first hand.
            buttons: Marriages are announced by a button, not by both cards.
            packets: Hands are dealt face down on the table, and picked up after.
            pushes: How readily the stock is pushed after a draw, and the turn-up with it.
            looks_back: How readily whoever took a trick turns up both its cards once more.
            takes_back: How readily another card is laid before one is played, and taken back.
            straightens: How readily a card that lies there is pushed a little, and turned.
            slides: How readily a card is laid before the player, and pushed to its place.
        """
        self.rng, self.habits = random.Random(seed * 7919 + 1), random.Random(seed * 7919 + 2)
        self.rules, self.seed, self.taps, self.buttons, self.packets = rules, seed, taps, buttons, packets
        self.pushes, self.looks_back = pushes, looks_back
        self.takes_back, self.straightens, self.slides = takes_back, straightens, slides
        self._slips = any((takes_back, straightens, slides))
        """Whether the players do any of these; those who never do draw nothing for it."""
        self._said: int | None = None
        """What the button says that is to be laid beside the next lead."""
        self.dealer = dealer if dealer is not None else Player(self.rng.randrange(2))
        self.show = Show()
        self.time = 0.4
        self.left = self.rng.random() < 0.5

    def hand(self, start: HandState, events: list[Event]) -> None:
        """Play one hand and clear the table."""
        rng, show = self.rng, self.show
        state = start
        side = -1.0 if self.left else 1.0
        sx, sy = WIDTH / 2 + side * 340, HEIGHT / 2 + rng.uniform(-60, 40)
        tx = sx - side * 75
        self.time += 0.8
        stock = self._put(BACK, quad(sx, sy, rng.uniform(-8, 8)))
        self.turn_angle = 90 + rng.uniform(-6, 6)
        turn_up: Item | None = self._put(_index(start.dealt_up), quad(tx, sy, self.turn_angle))
        if self.packets:
            self._deal(start.dealer, turn_up, stock)
        told: list[tuple[float, Event]] = [(self.time, Dealt(start.dealer, start.dealt_up))]
        piles: dict[Player, Item] = {}
        trick: list[Item] = []
        pair: dict[Card, Item] = {}
        self.time += rng.uniform(0.8, 2.0)
        for event, following in pairwise([*events, None]):
            before, left = len(state.tricks), state.stock_left
            match event:
                case Exchanged(player) if state.at_close is not None:
                    state = apply(state, event)
                    self._reach(player, (sx, sy), 1.0)
                    shown = self._put(_index(state.bottom), quad(sx, sy, 4), self.time - 0.3)
                    told.append((self.time, event))
                    self.time += 1.2
                    self._reach(player, (sx, sy), 0.8)
                    shown.end = self.time - 0.4
                    self._put(BACK, quad(sx, sy, 4), self.time - 0.4)
                case Exchanged(player):
                    self._reach(player, (tx, sy), 1.0)
                    turn_up.end = self.time - 0.45
                    state = apply(state, event)
                    turn_up = self._put(_index(state.bottom), quad(tx, sy, self.turn_angle), self.time - 0.4)
                    told.append((self.time, event))
                case Closed(player):
                    self._reach(player, (sx, sy), 1.0)
                    turn_up.end = self.time - 0.5
                    turn_up = None
                    self._put(BACK, quad(sx + rng.uniform(-9, 9), sy, 90 if rng.random() < 0.5 else 3))
                    state = apply(state, event)
                    told.append((self.time, event))
                case MarriageDeclared(player, suit) if self.buttons:
                    self._said = 40 if state.trump is suit else 20
                    state = apply(state, event)
                    told.append((self.time, event))
                    if rng.random() < 0.5 or not isinstance(following, CardPlayed):
                        self._lay_button(player)
                    if not isinstance(following, CardPlayed):
                        self.time += 6.0
                case MarriageDeclared(player, suit):
                    cards = [
                        card for card in self.rules.pack if card.suit is suit and card.rank.letter in "KQ"
                    ]
                    rng.shuffle(cards)
                    y = HEIGHT / 2 + (25 if player is Player.SOUTH else -25)
                    x = WIDTH / 2 + rng.uniform(-40, 40)
                    self._reach(player, (x, y), 0.8)
                    for at, card in enumerate(cards):
                        place = quad(x + (at - 0.5) * 112, y, rng.uniform(-8, 8))
                        pair[card] = self._put(_index(card), place, self.time - 0.3)
                    state = apply(state, event)
                    told.append((self.time, event))
                    self.time += rng.uniform(0.8, 1.8)
                case CardPlayed(player, card):
                    if card in pair:
                        kept = next(item for c, item in pair.items() if c != card)
                        cx, cy = kept.corners.mean(axis=0)
                        self._reach(player, (float(cx), float(cy)), 0.8)
                        kept.end = self.time - 0.4
                        trick.append(pair[card])
                        pair = {}
                    else:
                        if self._slips and self.habits.random() < self.takes_back:
                            self._take_back(state, player, card, trick)
                        trick.append(self._play(player, card, trick))
                        if self._slips and self.habits.random() < self.straightens:
                            trick[-1] = self._straighten(player, trick[-1])
                        self._lay_button(player)
                    state = apply(state, event)
                    told.append((self.time, event))
                    self.time += rng.uniform(0.7, 1.8)
                case Claimed() | Knocked() | RevokeCalled() | HandShown():
                    if self.taps:
                        show.taps.append((self.time + 0.2, event))
                    told.append((self.time + 0.2, event))
                    self.time += 0.6
                    state = apply(state, event)
            if len(state.tricks) > before:
                winner = state.tricks[-1].winner
                self._gather(winner, trick, piles)
                if self.habits.random() < self.looks_back:
                    self._look_back(winner, trick, piles[winner])
                trick = []
                early = isinstance(following, Closed) and following.before_draw
                if state.stock_left < left and not early:
                    self._draw(winner, (sx, sy))
                    if before + 1 == self.rules.stock_size // 2:
                        stock.end = self.time - 0.3
                        self.time += 0.5
                    self._draw(winner.other, (tx if turn_up is not None and stock.end < 1e9 else sx, sy))
                    if before + 1 == self.rules.stock_size // 2 and turn_up is not None:
                        turn_up.end = self.time - 0.3
                        turn_up = None
                    if turn_up is not None and self.habits.random() < self.pushes:
                        stock, turn_up = self._push(winner, stock, turn_up)
                        sx, sy = (float(each) for each in stock.corners.mean(axis=0))
                        tx = float(turn_up.corners.mean(axis=0)[0])
                self.time += rng.uniform(0.4, 1.2)
        self.time += 1.0
        self._reach(Player(rng.randrange(2)), (WIDTH / 2, HEIGHT / 2), 1.2)
        for item in show.items:
            item.end = min(item.end, self.time - 0.5)
        self.time += 2.6
        show.events.append(told)
        show.ends.append(state)
        show.end = self.time

    def _deal(self, dealer: Player, turn_up: Item, stock: Item) -> None:
        """Three cards to each player, the turn-up, two more to each, the stock; then both pick theirs up."""
        rng, packets = self.rng, {}
        for player in (dealer.other, dealer):
            y = HEIGHT - 110 if player is Player.SOUTH else 110
            place = quad(WIDTH / 2 + rng.uniform(-150, 150), y, rng.uniform(-15, 15))
            self._deal_to(dealer, place)
            packets[player] = self._put(BACK, place)
        for item in (turn_up, stock):
            self._deal_to(dealer, item.corners)
            item.start = self.time
            if item is turn_up:
                for packet in packets.values():
                    self._deal_to(dealer, packet.corners)
        for player in sorted(packets, reverse=rng.random() < 0.5):
            x, y = packets[player].corners.mean(axis=0)
            self._reach(player, (float(x), float(y)), 0.9)
            packets[player].end = self.time - 0.4
            self.time += rng.uniform(0.1, 0.8)

    def _deal_to(self, dealer: Player, place: np.ndarray) -> None:
        x, y = place.mean(axis=0)
        self._reach(dealer, (float(x), float(y)), self.rng.uniform(0.8, 1.3))
        self.time += self.rng.uniform(0.1, 0.5)

    def _put(self, index: int, corners: np.ndarray, time: float | None = None) -> Item:
        item = Item(index, corners, self.time if time is None else time)
        self.show.items.append(item)
        return item

    def _reach(self, player: Player, target: tuple[float, float], seconds: float) -> None:
        self.show.reaches.append(Reach(player, target, self.time, self.time + seconds))
        self.time += seconds

    def _play(self, player: Player, card: Card, trick: list[Item]) -> Item:
        rng = self.rng
        x, y = WIDTH / 2 + rng.uniform(-50, 50), HEIGHT / 2 + (40 if player is Player.SOUTH else -40)
        if trick:
            cx = trick[0].corners.mean(axis=0)[0]
            x, y = cx + rng.choice([-1, 1]) * rng.uniform(55, 95), y + rng.uniform(-15, 15)
        place = quad(x, y, rng.uniform(-25, 25))
        if self._slips and self.habits.random() < self.slides:
            return self._slide(player, _index(card), place)
        self._reach(player, (x, y), 0.9)
        item = self._put(_index(card), place, self.time - 0.35)
        item.moving_from = place + np.array([0, 230 if player is Player.SOUTH else -230])
        item.moving_s = 0.4
        return item

    def _slide(self, player: Player, index: int, place: np.ndarray) -> Item:
        """Lay a card before the player, and push it slowly to its place."""
        x, y = (float(each) for each in place.mean(axis=0))
        near = HEIGHT - 150 if player is Player.SOUTH else 150
        first = (place + np.array([0, near - y])).astype(np.float32)
        self._reach(player, (x, near), 0.9)
        self._put(index, first, self.time - 0.35).end = self.time + 0.3
        self.time += 0.3
        self._reach(player, (x, y), 1.2)
        item = self._put(index, place, self.time - 0.35)
        item.moving_from, item.moving_s = first, 0.85
        return item

    def _straighten(self, player: Player, item: Item) -> Item:
        """Push a card that lies there a little, and turn it."""
        habits = self.habits
        self.time += habits.uniform(0.1, 0.8)
        x, y = (float(each) for each in item.corners.mean(axis=0))
        self._reach(player, (x, y), 0.8)
        item.end = self.time - 0.6
        place = quad(x + habits.uniform(-22, 22), y + habits.uniform(-22, 22), habits.uniform(-35, 35))
        return self._put(item.index, place, self.time - 0.3)

    def _take_back(self, state: HandState, player: Player, card: Card, trick: list[Item]) -> None:
        """Lay another card than the one that is played, and take it back; no marriage seems to be shown."""
        hand = state.hands[player] if state.hands is not None else frozenset()
        others = sorted((one for one in hand if one not in (card, card.partner)), key=PACK_24.index)
        if not others:
            return
        item = self._play(player, self.habits.choice(others), trick)
        self.time += self.habits.uniform(0.3, 2.0)
        x, y = (float(each) for each in item.corners.mean(axis=0))
        self._reach(player, (x, y), 0.8)
        item.end = self.time - 0.4
        self.time += self.habits.uniform(0.3, 1.5)

    def _lay_button(self, player: Player) -> None:
        """Lay the button beside the lead, before or after it."""
        if self._said is None:
            return
        x, y = (
            WIDTH / 2 + self.rng.choice([-1, 1]) * 120,
            HEIGHT / 2 + (60 if player is Player.SOUTH else -60),
        )
        self._reach(player, (x, y), 0.8)
        self.show.plates.append(Plate(x, y, self._said, self.time - 0.3))
        self._said = None

    def _gather(self, winner: Player, trick: list[Item], piles: dict[Player, Item]) -> None:
        centre = np.mean([item.corners.mean(axis=0) for item in trick], axis=0)
        self._reach(winner, (float(centre[0]), float(centre[1])), 1.0)
        for item in trick:
            item.end = self.time - 0.6
        for plate in self.show.plates:
            plate.end = min(plate.end, self.time - 0.6)
        if winner not in piles:
            x = WIDTH / 2 + (1 if self.left else -1) * 430
            y = HEIGHT - 70 if winner is Player.SOUTH else 70
            piles[winner] = self._put(BACK, quad(x, y, 8))
        self.time += 0.3

    def _push(self, player: Player, stock: Item, turn_up: Item) -> tuple[Item, Item]:
        """Push both to another place, so that less than half of each lies where it lay."""
        x, y = stock.corners.mean(axis=0)
        self._reach(player, (float(x), float(y)), 1.2)
        by = np.array(
            [self.habits.uniform(-60, 60), self.habits.choice([-1, 1]) * self.habits.uniform(75, 95)]
        )
        by[1] = -abs(by[1]) if y > HEIGHT / 2 else abs(by[1])
        moved = []
        for item in (stock, turn_up):
            item.end = self.time - 0.8
            moved.append(self._put(item.index, (item.corners + by).astype(np.float32), self.time - 0.4))
        return moved[0], moved[1]

    def _look_back(self, player: Player, trick: list[Item], pile: Item) -> None:
        x, y = (float(each) for each in pile.corners.mean(axis=0))
        inward = -120.0 if player is Player.SOUTH else 120.0
        self._reach(player, (x, y + inward), 1.0)
        for place, item in enumerate(trick):
            where = quad(x + (place - 0.5) * 105, y + inward, self.habits.uniform(-8, 8))
            self._put(item.index, where, self.time - 0.3).end = self.time + 2.0
        self.time += 1.6
        self._reach(player, (x, y + inward), 1.0)

    def _draw(self, player: Player, target: tuple[float, float]) -> None:
        self._reach(player, target, 0.7)
        self.time += 0.1


def stage(rules: RuleSet, seed: int, hands: int = 1, *, errs: bool = False, **options: object) -> Show:
    """Return a recording of random hands, the deal alternating; see `random_hand`."""
    theatre = Stage(rules, seed, **options)
    dealer = theatre.dealer
    for number in range(hands):
        start, events = random_hand(rules, seed * 101 + number, dealer, errs=errs)
        theatre.hand(start, events)
        dealer = dealer.other
    return theatre.show


def readings(show: Show, *, fps: float = FPS, noise: Noise | None = None, seed: int = 0) -> Iterator[Reading]:
    """Film a show: the readings that a detector with this noise gives."""
    noise = noise or Noise()
    rng = np.random.default_rng(seed)
    _lose(show, noise.faint, np.random.default_rng([seed, 2]))
    things, glimpses = (
        _things(show, noise.things, np.random.default_rng([seed, 3])),
        np.random.default_rng([seed, 4]),
    )
    before: tuple[object, ...] = ()
    for number in range(int(show.end * fps)):
        time = number / fps
        arms = [(reach, _strip(reach, time)) for reach in show.reaches if reach.start <= time <= reach.end]
        boxes = [strip for _, strip in arms]
        now = tuple(id(item) for item in show.items if item.start <= time < item.end)
        moved = np.zeros(CELLS, dtype=bool)
        for left, top, right, bottom in boxes:
            moved[int(top / 16) : int(bottom / 16) + 1, int(left / 16) : int(right / 16) + 1] = True
        if now != before:
            for item in show.items:
                if (id(item) in now) != (id(item) in before):
                    (left, top), (right, bottom) = item.corners.min(axis=0), item.corners.max(axis=0)
                    moved[
                        max(0, int(top / 16)) : int(bottom / 16) + 1, int(left / 16) : int(right / 16) + 1
                    ] = True
        before = now
        south = sum(b[2] - b[0] for (r, b) in arms if r.player is Player.SOUTH) / WIDTH
        north = sum(b[2] - b[0] for (r, b) in arms if r.player is Player.NORTH) / WIDTH
        drop = rng.random() < noise.dropped
        detections = (*_detect(show, time, boxes, noise, rng), *_glimpse(things, time, boxes, glimpses))
        motion = Motion(moved, float(south), float(north))
        if not drop:
            yield Reading(
                time,
                (WIDTH, HEIGHT),
                detections,
                motion,
                buttons=tuple(_buttons(show, time, boxes, noise, rng)),
            )


def _lose(show: Show, share: float, rng: np.random.Generator) -> None:
    """Choose the cards that are seen badly, and when; nothing moves while they are lost."""
    for item in show.items:
        if rng.random() >= share:
            continue
        lost, time, end = [], item.start + rng.uniform(0.5, 3.0), min(item.end, show.end)
        while time < end:
            lost.append((time, time + rng.uniform(0.5, 2.0)))
            time = lost[-1][1] + rng.uniform(1.0, 5.0)
        item.lost = tuple(lost)


def _things(show: Show, count: int, rng: np.random.Generator) -> list[Thing]:
    """Choose where things lie, beside all cards, and when they are taken for one."""
    aces = [at for at, card in enumerate(PACK_24) if card.rank is Rank.ACE]
    things: list[Thing] = []
    while len(things) < count:
        place = quad(rng.uniform(80, WIDTH - 80), rng.uniform(90, HEIGHT - 90), rng.uniform(-20, 20))
        cards = [item.corners for item in show.items] + [thing.corners for thing in things]
        if any(covered(place, corners) > 0.02 for corners in cards):
            continue
        seen, time = [], rng.uniform(0.0, 10.0)
        while time < show.end:
            seen.append((time, time + rng.uniform(0.1, 1.5)))
            time = seen[-1][1] + rng.uniform(3.0, 30.0)
        things.append(Thing(tuple(rng.permutation(aces)[:3]), place, tuple(seen)))
    return things


def _glimpse(
    things: Sequence[Thing], time: float, arms: list, rng: np.random.Generator
) -> Iterator[Detection]:
    for thing in things:
        under = max((covered(thing.corners, _box(arm)) for arm in arms), default=0.0)
        if 0.05 < under < 0.6 or any(start <= time < end for start, end in thing.seen):
            sure = rng.uniform(0.3, 0.55)
            probs = np.full(len(CLASSES), 0.1 / len(CLASSES))
            probs[rng.permutation(thing.looks)] += (sure, 0.6 * (0.9 - sure), 0.4 * (0.9 - sure))
            jitter = rng.normal(0, 5.0, (4, 2))
            yield Detection((thing.corners + jitter).astype(np.float32), probs.astype(np.float32), 0.5, time)


def _strip(reach: Reach, time: float) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of the arm at a time."""
    share = min(1.0, (time - reach.start) / 0.25, (reach.end - time) / 0.25)
    x, y = reach.target
    if reach.player is Player.SOUTH:
        return (x - 45, HEIGHT - share * (HEIGHT - y), x + 45, float(HEIGHT))
    return (x - 45, 0.0, x + 45, share * y)


def _detect(
    show: Show, time: float, arms: list, noise: Noise, rng: np.random.Generator
) -> Iterator[Detection]:
    lying = [item for item in show.items if item.start - item.moving_s <= time < item.end]
    for at, item in enumerate(lying):
        corners = item.corners
        if time < item.start:
            if item.moving_from is None:
                continue
            share = (item.start - time) / item.moving_s
            corners = corners * (1 - share) + item.moving_from * share
        else:
            if any(covered(corners, _box(arm)) > 0.25 for arm in arms):
                continue
            above = sum(_covered(item, other) for other in lying[at + 1 :] if time >= other.start)
            if above > 0.65:
                continue
        if any(start <= time < end for start, end in item.lost) or rng.random() < noise.misses:
            continue
        index = item.index
        if rng.random() < noise.misreads:
            index = int(rng.integers(0, BACK))
        jitter = rng.normal(0, noise.jitter_px, (4, 2))
        yield _detection(index, corners + jitter, time, rng)
        if rng.random() < noise.doubles:
            yield _detection(int(rng.integers(0, BACK)), corners + 3 * jitter, time, rng, score=0.5)
    if rng.random() < noise.phantoms:
        place = quad(rng.uniform(100, WIDTH - 100), rng.uniform(100, HEIGHT - 100), rng.uniform(0, 180))
        yield _detection(int(rng.integers(0, BACK)), place, time, rng, score=0.6)


@functools.lru_cache(1 << 12)
def _covered(below: Item, above: Item) -> float:
    return covered(below.corners, above.corners)


def _buttons(show: Show, time: float, arms: list, noise: Noise, rng: np.random.Generator) -> Iterator[Button]:
    for plate in show.plates:
        under = any(
            left <= plate.x <= right and top <= plate.y <= bottom for left, top, right, bottom in arms
        )
        if not plate.start <= time < plate.end or under or rng.random() < noise.misses:
            continue
        wrong = rng.random() < noise.misreads
        sure = float(rng.uniform(0.7, 0.97))
        rest = 0.6 * (1 - sure)
        says = (sure, rest) if (plate.value == 20) != wrong else (rest, sure)
        yield Button(plate.x, plate.y, 60.0, *says)


def _box(arm: tuple[float, float, float, float]) -> np.ndarray:
    left, top, right, bottom = arm
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _detection(
    index: int, corners: np.ndarray, time: float, rng: np.random.Generator, score: float = 0.9
) -> Detection:
    sure = float(rng.uniform(0.7, 0.97))
    probs = np.full(len(CLASSES), 0.0)
    probs += rng.dirichlet(np.full(len(CLASSES), 0.3)) * (1 - sure)
    probs[index] += sure
    if rng.random() < 0.5:
        corners = corners[[2, 3, 0, 1]]
    return Detection(
        corners.astype(np.float32),
        (probs / probs.sum()).astype(np.float32),
        score + 0.05 * rng.random(),
        time,
    )


def _index(card: Card | None) -> int:
    if card is None:
        raise ValueError("a puppet knows its cards")
    return PACK_24.index(card)
