"""From a record to a script: who reaches where, what is laid down, what is taken away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.rules.cards import Card, Player, Rank, Suit
from companion.rules.event_form import event_to_json
from companion.rules.events import CardPlayed, Claimed, Closed, Event, Exchanged, MarriageDeclared
from companion.rules.hand import HandState, apply, deal
from companion.rules.record import Record
from companion.synth.script import CARD_MM, LAYER_STOCK, STOCK, Journey, Pose, Reach, Script
from companion.synth.style import Style, View

__all__ = ["ScriptError", "choreograph"]

_ON_STOCK = LAYER_STOCK + 0.5
_ON_TABLE = 10.0


class ScriptError(ValueError):
    """A record that cannot be shown; the message says why."""


def choreograph(
    records: Sequence[Record], *, seed: int, style: Style | None = None, view: View | None = None
) -> Script:
    """Write the script of one or more hands, one after another at the same table.

    Args:
        records: Each with its turned-up card and the names of all plays.
        seed: Decides all that the record and the style leave open.
        style: How the players handle cards; drawn from `seed` without.
        view: What the camera sees of the table.

    Raises:
        ScriptError: A card of a record is not named.
    """
    rng = np.random.default_rng([seed, 0x5C21])
    drawn = Style.random(rng)
    stage = _Stage(style or drawn, view or View(), rng)
    for record in records:
        _Telling(stage, record).tell()
    return stage.script(tuple(records))


@dataclass(slots=True)
class _Lying:
    pose: Pose
    layer: float


class _Stage:
    """The table while the script is written: what lies where, and how late it is."""

    def __init__(self, style: Style, view: View, rng: np.random.Generator) -> None:
        self.style, self.view, self.rng = style, view, rng
        self.now = float(rng.uniform(0.6, 1.4))
        self.lying: dict[str, _Lying] = {}
        self.journeys: list[Journey] = []
        self.reaches: list[Reach] = []
        self.counts: list[tuple[float, int]] = [(0.0, 0)]
        self.timeline: list[dict[str, Any]] = []
        self.top = _ON_TABLE
        self._hidden = 0

    def script(self, records: tuple[Record, ...]) -> Script:
        journeys = tuple(sorted(self.journeys, key=lambda journey: journey.keys[0][0]))
        return Script(
            records, journeys, tuple(self.reaches), tuple(self.counts), tuple(self.timeline), self.now + 1.2
        )

    def between(self, low: float, high: float) -> float:
        return float(self.rng.uniform(low, high))

    def wait(self, low: float, high: float) -> None:
        self.now += self.between(low, high) * self.style.pace

    def mark(self, kind: str, time: float | None = None, **fields: Any) -> None:
        self.timeline.append({"t": round(self.now if time is None else time, 2), "type": kind, **fields})

    def hidden_name(self) -> str:
        """Name a card that nobody sees."""
        self._hidden += 1
        return f"hidden{self._hidden}"

    def next_layer(self) -> float:
        self.top += 1
        return self.top

    def seat(self, player: Player, x_mm: float) -> tuple[float, float]:
        far = 430.0 if player is Player.SOUTH else -430.0
        return 0.55 * x_mm + self.between(-40, 40), self.view.edge(player is Player.SOUTH) + far

    def outside(self, player: Player, x_mm: float, seat: tuple[float, float]) -> tuple[float, float]:
        """Fingertips of a hand that is not in the picture yet."""
        edge = self.view.edge(player is Player.SOUTH)
        far = 95.0 if player is Player.SOUTH else -95.0
        return 0.7 * x_mm + 0.3 * seat[0] + self.between(-25, 25), edge + far

    def lay(self, name: str, pose: Pose, layer: float) -> None:
        """Put a card there at once."""
        self.journeys.append(Journey(name, ((self.now, pose),), layer))
        self.lying[name] = _Lying(pose, layer)

    def carry(
        self, player: Player, cards: Sequence[tuple[str, Pose, float]], *, keep: Sequence[str] = (), rest_s: float = 0.0
    ) -> float:
        """Bring cards in from the player's side and lay them down.

        Args:
            player: Whose hand.
            cards: Name, place and layer of each.
            keep: Names that stay in the hand and go back with it.
            rest_s: How long the hand stays.

        Returns:
            The time at which the cards came to rest; `now` is when the hand is gone.
        """
        x = float(np.mean([pose.x_mm for _, pose, _ in cards]))
        y = float(np.mean([pose.y_mm for _, pose, _ in cards]))
        seat = self.seat(player, x)
        ahead = self.between(2, 34)
        tip = _behind((x, y), seat, ahead)
        start = self.outside(player, tip[0], seat)
        t0, t1 = self.now, self.now + self.between(0.45, 0.85) * self.style.pace
        t2 = t1 + rest_s + self.between(0.03, 0.2)
        t3 = t2 + self.between(0.4, 0.7) * self.style.pace
        shift = (start[0] - tip[0], start[1] - tip[1])
        tilt = self.between(-0.35, 0.35)
        thrown = rest_s == 0.0 and not keep and self.rng.random() < 0.25
        slide = self.between(0.12, 0.28) if thrown else 1.0
        landed = t1 + 0.18 if thrown else t1
        end = (tip[0] + shift[0] * slide, tip[1] + shift[1] * slide) if thrown else tip
        for name, pose, layer in cards:
            first = _moved(pose, *shift, tilt)
            keys = [(t0, first), (t1, pose)]
            if thrown:
                keys = [(t0, first), (t1, _moved(pose, end[0] - tip[0], end[1] - tip[1], tilt * 0.3)), (landed, pose)]
            if name in keep:
                keys += [(t2, pose), (t3, _moved(pose, *shift, 0.0))]
            self.journeys.append(Journey(name, tuple(keys), layer, leaves=name in keep))
            if name not in keep:
                self.lying[name] = _Lying(pose, layer)
        self._reach(player, [(t0, *start), (t1, *end), (t2, *end), (t3, *start)], seat)
        self.now = t3
        return landed

    def fetch(self, player: Player, name: str, *, face_up: bool, count: int | None = None) -> float:
        """Take a card out of the picture; returns when the hand took hold of it."""
        lying = self.lying.pop(name)
        x, y = lying.pose.x_mm, lying.pose.y_mm
        seat = self.seat(player, x)
        tip = _behind((x, y), seat, self.between(0, 30))
        start = self.outside(player, tip[0], seat)
        t0, t1 = self.now, self.now + self.between(0.45, 0.8) * self.style.pace
        t2 = t1 + self.between(0.1, 0.3)
        t3 = t2 + self.between(0.45, 0.75) * self.style.pace
        if count is not None:
            self.counts.append((t2, count))
        gone = _moved(lying.pose, start[0] - tip[0], start[1] - tip[1], 0.0)
        self.journeys.append(
            Journey(name, ((t2, lying.pose), (t3, replace(gone, face_up=face_up))), lying.layer, leaves=True)
        )
        self._reach(player, [(t0, *start), (t1, *tip), (t2, *tip), (t3, *start)], seat)
        self.now = t3
        return t1

    def shift(self, player: Player, moves: Sequence[tuple[str, Pose, float]], *, joined: bool, late: bool) -> float:
        """Move cards that lie on the table to other places on it; returns when they lie there."""
        here = [self.lying[name].pose for name, _, _ in moves]
        x, y = float(np.mean([p.x_mm for p in here])), float(np.mean([p.y_mm for p in here]))
        to = moves[-1][1]
        seat = self.seat(player, (x + to.x_mm) / 2)
        tip = _behind((x, y), seat, self.between(0, 25))
        end = (to.x_mm + tip[0] - x, to.y_mm + tip[1] - y)
        start, away = self.outside(player, tip[0], seat), self.outside(player, end[0], seat)
        pace = self.style.pace
        t0, t1 = self.now, self.now + self.between(0.4, 0.7) * pace
        t2 = t1 + (self.between(0.25, 0.5) * pace if joined else self.between(0.08, 0.2))
        t3 = t2 + self.between(0.5, 0.9) * pace
        t4 = t3 + self.between(0.35, 0.6) * pace
        for (name, pose, layer), was in zip(moves, here, strict=True):
            keys = [(t1, was)]
            if joined:
                near = Pose(x + self.between(-4, 4), y + self.between(-4, 4), was.angle, 2.0, was.face_up)
                keys.append((t2, near if late else replace(near, face_up=pose.face_up)))
            else:
                keys.append((t2, was))
            self.journeys.append(Journey(name, (*keys, (t3, pose)), layer))
            self.lying[name] = _Lying(pose, layer)
        self._reach(player, [(t0, *start), (t1, *tip), (t2, *tip), (t3, *end), (t4, *away)], seat, grip="over")
        self.now = t4
        return t3

    def fidget(self, player: Player) -> None:
        """Let a hand come in a little way and go, for nothing."""
        x = self.style.trick_x + self.between(-140, 140)
        seat = self.seat(player, x)
        start = self.outside(player, x, seat)
        inward = -self.between(20, 70) if player is Player.SOUTH else self.between(20, 70)
        tip = (x, self.view.edge(player is Player.SOUTH) + inward)
        t1 = self.now + self.between(0.4, 0.8)
        t2 = t1 + self.between(0.1, 0.7)
        self._reach(player, [(self.now, *start), (t1, *tip), (t2, *tip), (t2 + 0.5, *start)], seat, grip="empty")
        self.now = t2 + 0.7

    def sweep(self, player: Player) -> None:
        """Clear the table: one hand goes round, takes everything along, and leaves."""
        if self.style.swept == "at_once":
            for name, lying in self.lying.items():
                self.journeys.append(Journey(name, ((self.now, lying.pose),), lying.layer, leaves=True))
            self.lying.clear()
            return
        groups: dict[tuple[int, int], list[str]] = {}
        for name, lying in self.lying.items():
            key = (round(lying.pose.x_mm / 110), round(lying.pose.y_mm / 90))
            groups.setdefault(key, []).append(name)
        order = sorted(groups, key=lambda key: -abs(key[1]) if key[1] * (1 if player is Player.SOUTH else -1) < 0 else 1)
        seat = self.seat(player, 0.0)
        spots = [
            tuple(float(np.mean([getattr(self.lying[n].pose, axis) for n in groups[key]])) for axis in ("x_mm", "y_mm"))
            for key in order
        ]
        start = self.outside(player, spots[0][0], seat)
        time = self.now
        keys: list[tuple[float, float, float]] = [(time, *start)]
        for x, y in spots:
            time += self.between(0.5, 0.9) * self.style.pace
            keys.append((time, x, y))
            time += 0.12
            keys.append((time, x, y))
        away = self.outside(player, spots[-1][0], seat)
        time += self.between(0.6, 0.9)
        far = -120.0 if player is Player.NORTH else 120.0
        keys.append((time, away[0], away[1] + far))
        for index, key in enumerate(order):
            after = keys[2 * index + 2 :]
            for name in groups[key]:
                lying = self.lying[name]
                dx, dy = lying.pose.x_mm - after[0][1], lying.pose.y_mm - after[0][2]
                way: list[tuple[float, Pose]] = [(after[0][0], lying.pose)]
                for at, x, y in after[1:]:
                    way.append((at, replace(lying.pose, x_mm=x + dx * 0.4, y_mm=y + dy * 0.4, z_mm=index * 3.0)))
                self.journeys.append(Journey(name, tuple(way), lying.layer, leaves=True))
        self.reaches.append(Reach(player, tuple(keys), seat, "over", self.style.left[player]))
        self.lying.clear()
        self.now = time

    def _reach(
        self, player: Player, keys: list[tuple[float, float, float]], seat: tuple[float, float], grip: str | None = None
    ) -> None:
        hand = grip or self.style.grips[player]
        self.reaches.append(Reach(player, tuple(keys), seat, hand, self.style.left[player]))


def _behind(point: tuple[float, float], seat: tuple[float, float], distance: float) -> tuple[float, float]:
    dx, dy = seat[0] - point[0], seat[1] - point[1]
    length = math.hypot(dx, dy)
    return point[0] + dx / length * distance, point[1] + dy / length * distance


def _moved(pose: Pose, dx: float, dy: float, turn: float) -> Pose:
    return replace(pose, x_mm=pose.x_mm + dx, y_mm=pose.y_mm + dy, angle=pose.angle + turn)


class _Telling:
    """One record, acted out on a stage."""

    def __init__(self, stage: _Stage, record: Record) -> None:
        if record.turned_up is None:
            raise ScriptError("the record does not say what was turned up")
        self.stage, self.record, self.style = stage, record, stage.style
        self.state: HandState = deal(record.rules, record.dealer, record.turned_up, record.hands, record.stock)
        self.turn_up = record.turned_up
        self.shown: Card | None = None
        self.partner: Card | None = None
        self.won = [0, 0]
        self.trick: list[str] = []
        self.stock_pose, self.turn_up_pose = self._stock_places()

    def tell(self) -> None:
        stage = self.stage
        self._deal()
        events = self.record.events
        for index, event in enumerate(events):
            before = self.state
            self.state = apply(self.state, event)
            self._show(before, event, events[index + 1 :])
        stage.wait(0.8, 1.8)
        stage.sweep(Player(int(stage.rng.integers(2))))
        stage.mark("cleared")
        stage.counts.append((stage.now, 0))
        stage.wait(0.8, 1.5)

    def _show(self, before: HandState, event: Event, rest: Sequence[Event]) -> None:
        stage = self.stage
        match event:
            case Exchanged(player):
                self._think(player, 0.6)
                self._exchange(player)
            case MarriageDeclared(player, suit):
                self._think(player)
                self._marriage(player, suit, rest)
            case Closed(player):
                self._think(player, 0.6)
                self._close(player)
            case CardPlayed(player, card):
                self._play(before, player, card, rest)
                return
            case Claimed(player):
                stage.wait(0.4, 1.4)
            case _:
                return
        stage.mark(**_fields(event))

    def _think(self, player: Player, share: float = 1.0) -> None:
        stage = self.stage
        if stage.rng.random() < self.style.fidget:
            stage.wait(0.2, 0.8)
            stage.fidget(player)
        low, high = self.style.think_s
        stage.wait(low * share, high * share)

    def _stock_places(self) -> tuple[Pose, Pose]:
        style, stage = self.style, self.stage
        x = style.stock_side * style.stock_x * stage.view.half_width_mm + stage.between(-8, 8)
        y = style.stock_y + stage.between(-8, 8) + (stage.view.north_mm + stage.view.south_mm) / 2
        angle = style.stock_angle + stage.between(-0.08, 0.08)
        shift = style.turn_up_way * stage.between(38, 52)
        turn_up = Pose(
            x + math.cos(angle) * shift,
            y + math.sin(angle) * shift,
            angle + math.pi / 2 * int(stage.rng.choice([-1, 1])) + stage.between(-0.1, 0.1),
        )
        return Pose(x, y, angle, CARD_MM, face_up=False), turn_up

    def _deal(self) -> None:
        stage, dealer = self.stage, self.record.dealer
        size = int(self.record.rules.stock_size)
        if self.style.dealt == "at_once":
            stage.counts.append((stage.now, size - 1))
            stage.lay(str(self.turn_up), self.turn_up_pose, 0.0)
            stage.lay(STOCK, self.stock_pose, LAYER_STOCK)
        else:
            stage.carry(dealer, [(str(self.turn_up), self.turn_up_pose, 0.0)])
            stage.wait(0.3, 1.0)
            stage.counts.append((stage.now, size - 1))
            stage.carry(dealer, [(STOCK, self.stock_pose, LAYER_STOCK)], rest_s=0.1)
        stage.mark("deal", turned_up=str(self.turn_up))
        stage.wait(0.5, 1.2)

    def _exchange(self, player: Player) -> None:
        stage, old = self.stage, str(self.turn_up)
        jack = str(Card(self.state.rules.lowest_trump, self.turn_up.suit))
        face_up = bool(stage.rng.random() < 0.5)
        if stage.rng.random() < 0.3:
            stage.fetch(player, old, face_up=face_up)
            stage.wait(0.1, 0.5)
            stage.carry(player, [(jack, self.turn_up_pose, 0.0)])
        else:
            # the jack goes under the stock and the old card out of it, both beneath one hand
            began = stage.now
            lying = stage.lying.pop(old)
            landed = stage.carry(player, [(jack, self.turn_up_pose, 0.0)], rest_s=stage.between(0.25, 0.6))
            reach = stage.reaches[-1]
            leaving, gone = reach.keys[2][0], reach.keys[3]
            away = Pose(gone[1], gone[2] + (70 if player is Player.SOUTH else -70) * 0.2, lying.pose.angle, 2.0, face_up)
            stage.journeys.append(
                Journey(old, ((max(began, landed), lying.pose), (leaving, lying.pose), (gone[0], away)), 0.5, leaves=True)
            )
        self.turn_up = Card(self.state.rules.lowest_trump, self.turn_up.suit)

    def _close(self, player: Player) -> None:
        stage = self.stage
        height = stage.counts[-1][1] * CARD_MM + self.stock_pose.z_mm
        onto = Pose(
            self.stock_pose.x_mm + stage.between(-6, 6),
            self.stock_pose.y_mm + stage.between(-6, 6),
            self.stock_pose.angle + (math.pi / 2 if stage.rng.random() < 0.6 else 0.0) + stage.between(-0.2, 0.2),
            height,
            face_up=False,
        )
        stage.now = max(stage.now, stage.shift(player, [(str(self.turn_up), onto, _ON_STOCK)], joined=False, late=True))

    def _marriage(self, player: Player, suit: Suit, rest: Sequence[Event]) -> None:
        stage = self.stage
        pair = [Card(Rank.KING, suit), Card(Rank.QUEEN, suit)]
        lead = next((e.card for e in rest if isinstance(e, CardPlayed)), None) or pair[0]
        if lead not in pair:
            lead = pair[0]
        partner = pair[1 - pair.index(lead)]
        centre = self._spot(player)
        side = stage.between(58, 70) * int(stage.rng.choice([-1, 1]))
        other = _moved(centre, side * math.cos(centre.angle), side * math.sin(centre.angle), stage.between(-0.12, 0.12))
        cards = [(str(lead), centre, stage.next_layer()), (str(partner), other, stage.next_layer())]
        acts = bool(rest) and isinstance(rest[0], CardPlayed)
        self.shown = lead
        if self.style.marriage == "one_held" and acts:
            landed = stage.carry(player, cards, keep=[str(partner)], rest_s=stage.between(1.1, 2.0))
            ended = stage.now
            stage.now = landed
            self.partner = None
            self._resume = ended
        else:
            landed = stage.carry(player, cards)
            self.partner = partner
            self._resume = stage.now
            stage.now = landed if acts else stage.now

    def _play(self, before: HandState, player: Player, card: Card | None, rest: Sequence[Event]) -> None:
        stage = self.stage
        if card is None:
            raise ScriptError("a play of the record is not named")
        if self.shown == card:
            stage.now = max(stage.now, self._resume)
            if self.partner is not None:
                stage.wait(0.6, 1.6)
                stage.fetch(player, str(self.partner), face_up=bool(stage.rng.random() < 0.5))
                self.partner = None
            self.shown = None
            landed = stage.now
        else:
            self._think(player)
            pose = self._spot(player)
            landed = stage.carry(player, [(str(card), pose, stage.next_layer())])
        stage.mark("play", landed, player=int(player), card=str(card))
        self.trick.append(str(card))
        if before.led is None:
            return
        winner = self.state.tricks[-1].winner
        if winner is None:
            raise ScriptError("a trick's winner is not known")
        self._gather(winner)
        drawn = before.stock_left - self.state.stock_left
        over = bool(rest) and isinstance(rest[0], Claimed)
        if drawn and not (over and stage.rng.random() < 0.5):
            self._draw(winner, last=False)
            self._draw(winner.other, last=self.state.stock_left == 0)

    def _spot(self, player: Player) -> Pose:
        """Where a player's next card goes."""
        stage, style = self.stage, self.style
        toward = 1 if player is Player.SOUTH else -1
        turned = 0.0 if player is Player.SOUTH else math.pi
        middle = (stage.view.north_mm + stage.view.south_mm) / 2
        angle = turned + float(stage.rng.normal(0, style.slope)) + (math.pi if stage.rng.random() < 0.3 else 0.0)
        if not self.trick:
            x = style.trick_x + float(stage.rng.normal(0, 12))
            return Pose(x, middle + style.trick_y + toward * stage.between(5, 25), angle)
        led = stage.lying[self.trick[0]].pose
        apart = stage.between(*style.overlap_mm)
        way = toward * math.pi / 2 + float(stage.rng.normal(0, 0.75))
        x, y = led.x_mm + apart * math.cos(way), led.y_mm + apart * math.sin(way)
        room = 48.0
        y = min(max(y, stage.view.north_mm + room), stage.view.south_mm - room)
        return Pose(x, y, angle, CARD_MM)

    def _gather(self, winner: Player) -> None:
        stage, style = self.stage, self.style
        stage.wait(0.6, 1.6)
        south = winner is Player.SOUTH
        edge = stage.view.edge(south) + (-style.pile_inset_mm if south else style.pile_inset_mm)
        x = -style.stock_side * style.pile_x * stage.view.half_width_mm
        moves = []
        for name in self.trick:
            pose = Pose(
                x + float(stage.rng.normal(0, 7)),
                edge + float(stage.rng.normal(0, 6)),
                float(stage.rng.normal(0, 0.22)),
                self.won[winner] * CARD_MM,
                face_up=False,
            )
            self.won[winner] += 1
            moves.append((name, pose, stage.next_layer()))
        hand = winner.other if stage.rng.random() < style.helpful else winner
        stage.shift(hand, moves, joined=True, late=style.flip_late)
        self.trick = []

    def _draw(self, player: Player, last: bool) -> None:
        stage = self.stage
        stage.wait(0.15, 0.7)
        if last:
            stage.fetch(player, str(self.turn_up), face_up=bool(stage.rng.random() < 0.6))
            return
        count = stage.counts[-1][1]
        name = stage.hidden_name()
        height = self.stock_pose.z_mm + (count - 1) * CARD_MM
        pose = replace(self.stock_pose, z_mm=height)
        stage.lying[name] = _Lying(pose, _ON_STOCK)
        stage.fetch(player, name, face_up=False, count=count - 1)
        if count == 1:
            stage.lying.pop(STOCK, None)


def _fields(event: Event) -> dict[str, Any]:
    """The event as a timeline entry, but for its time."""
    data = event_to_json(event)
    return {"kind": data.pop("type"), **data}
