"""The table while a script is written: what lies where, whose hand moves it, and how late it is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from companion.rules.cards import Player
from companion.rules.record import Record
from companion.synth.fan import CARD_HIGH_MM, Fan
from companion.synth.script import (
    CARD_MM,
    LAYER_STOCK,
    LAYER_TABLE,
    STOCK,
    Grip,
    Journey,
    Pose,
    Reach,
    Script,
)
from companion.synth.style import Style, View

__all__ = ["Lying", "Stage", "moved"]


_STRIPS = (6, 20)
"""Least moves of a shuffle, and one more than most."""
_HELD_HIGH_MM = 5.0
_FACE_SHOWS = 0.3
"""Probability that a face shows as half of the pack leaves the other."""
_SLOWLY = 3.0
"""So many times as long a card is pushed by somebody who is in no hurry."""


@dataclass(slots=True)
class Lying:
    """A card that lies on the table: where, and how high among others."""

    pose: Pose
    layer: float


class Stage:
    """The table while the script is written: what lies where, and how late it is."""

    def __init__(self, style: Style, view: View, rng: np.random.Generator) -> None:
        self.style, self.view, self.rng = style, view, rng
        self.now = float(rng.uniform(0.6, 1.4))
        self.lying: dict[str, Lying] = {}
        self.journeys: list[Journey] = []
        self.reaches: list[Reach] = []
        self.counts: list[tuple[float, int]] = [(0.0, 0)]
        self.timeline: list[dict[str, Any]] = []
        self.top = LAYER_TABLE
        self._hidden = 0
        self._home = [0.0, 0.0]
        """When the hands of south and north are free again."""
        self._fans = {player: self._fan(player) for player in Player} if style.holds else {}

    def script(self, records: tuple[Record, ...]) -> Script:
        """Return the script of all that happened so far."""
        journeys = tuple(sorted(self.journeys, key=lambda journey: journey.keys[0][0]))
        return Script(
            records, journeys, tuple(self.reaches), tuple(self.counts), tuple(self.timeline), self.now + 1.2
        )

    def between(self, low: float, high: float) -> float:
        """Draw a number."""
        return float(self.rng.uniform(low, high))

    def chance(self, probability: float) -> bool:
        """Draw whether something happens; what never does takes nothing from the other draws."""
        return probability > 0.0 and bool(self.rng.random() < probability)

    def wait(self, low: float, high: float) -> None:
        """Let time pass: seconds at an unhurried pace."""
        self.now += self.between(low, high) * self.style.pace

    def mark(self, kind: str, time: float | None = None, **fields: object) -> None:
        """Note on the timeline what is complete now, or was at `time`."""
        self.timeline.append({"t": round(self.now if time is None else time, 2), "type": kind, **fields})

    def hidden_name(self) -> str:
        """Name a card that nobody sees."""
        self._hidden += 1
        return f"hidden{self._hidden}"

    def next_layer(self) -> float:
        """Name a layer above all others on the table."""
        self.top += 1
        return self.top

    def inside(self, player: Player, inset_mm: float) -> float:
        """Return y of a place so far in from a player's edge."""
        south = player is Player.SOUTH
        return self.view.edge(south) + (-inset_mm if south else inset_mm)

    def seat(self, player: Player, x_mm: float) -> tuple[float, float]:
        """Say where the elbow of a hand is that works at `x_mm`."""
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
        self.lying[name] = Lying(pose, layer)

    def hold(self, player: Player, cards: Sequence[str]) -> None:
        """Let a player hold these cards from now on, where the camera sees what is held."""
        if player in self._fans:
            self.journeys += self._fans[player].hold(cards, self.now, self.rng)

    def carry(
        self,
        player: Player,
        cards: Sequence[tuple[str, Pose, float]],
        *,
        keep: Sequence[str] = (),
        rest_s: float = 0.0,
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
        t0 = self._free(player)
        t1 = t0 + self.between(0.45, 0.85) * self.style.pace
        t2 = t1 + rest_s + self.between(0.03, 0.2)
        t3 = t2 + self.between(0.4, 0.7) * self.style.pace
        shift = (start[0] - tip[0], start[1] - tip[1])
        tilt = self.between(-0.35, 0.35)
        thrown = rest_s == 0.0 and not keep and self.rng.random() < 0.25
        slide = self.between(0.12, 0.28) if thrown else 1.0
        landed = t1 + 0.18 if thrown else t1
        end = (tip[0] + shift[0] * slide, tip[1] + shift[1] * slide) if thrown else tip
        for name, pose, layer in cards:
            held = self._fans[player].take(name) if player in self._fans else None
            first = held or moved(pose, *shift, tilt)
            keys = [(t0, first), (t1, pose)]
            if thrown:
                keys = [
                    (t0, first),
                    (t1, moved(pose, end[0] - tip[0], end[1] - tip[1], tilt * 0.3)),
                    (landed, pose),
                ]
            if name in keep:
                keys += [(t2, pose), (t3, moved(pose, *shift, 0.0))]
            self.journeys.append(Journey(name, tuple(keys), layer, leaves=name in keep))
            if name not in keep:
                self.lying[name] = Lying(pose, layer)
        self._reach(player, [(t0, *start), (t1, *end), (t2, *end), (t3, *start)], seat)
        self._goes_home(player, max(landed, t2), t3)
        return landed

    def fetch(self, player: Player, *names: str, face_up: bool, count: int | None = None) -> float:
        """Take a card, or several at once, out of the picture; returns when the hand took hold of them.

        Args:
            player: Whose hand.
            names: What it takes.
            face_up: Whether a face shows on the way.
            count: How many cards the stock has then.
        """
        taken = {name: self.lying.pop(name) for name in names}
        x = float(np.mean([lying.pose.x_mm for lying in taken.values()]))
        y = float(np.mean([lying.pose.y_mm for lying in taken.values()]))
        seat = self.seat(player, x)
        tip = _behind((x, y), seat, self.between(0, 30))
        start = self.outside(player, tip[0], seat)
        t0 = self._free(player)
        t1 = t0 + self.between(0.45, 0.8) * self.style.pace
        t2 = t1 + self.between(0.1, 0.3)
        t3 = t2 + self.between(0.45, 0.75) * self.style.pace
        if count is not None:
            self.counts.append((t2, count))
        for name, lying in taken.items():
            gone = replace(moved(lying.pose, start[0] - tip[0], start[1] - tip[1], 0.0), face_up=face_up)
            self.journeys.append(Journey(name, ((t2, lying.pose), (t3, gone)), lying.layer, leaves=True))
        self._reach(player, [(t0, *start), (t1, *tip), (t2, *tip), (t3, *start)], seat)
        self._goes_home(player, t2, t3)
        return t1

    def shift(
        self,
        player: Player,
        moves: Sequence[tuple[str, Pose, float]],
        *,
        joined: bool,
        late: bool,
        slowly: bool = False,
    ) -> float:
        """Move cards that lie on the table to other places on it; returns when they lie there."""
        here = [self.lying[name].pose for name, _, _ in moves]
        x, y = float(np.mean([p.x_mm for p in here])), float(np.mean([p.y_mm for p in here]))
        to = moves[-1][1]
        seat = self.seat(player, (x + to.x_mm) / 2)
        tip = _behind((x, y), seat, self.between(0, 25))
        end = (to.x_mm + tip[0] - x, to.y_mm + tip[1] - y)
        start, away = self.outside(player, tip[0], seat), self.outside(player, end[0], seat)
        pace = self.style.pace
        t0 = self._free(player)
        t1 = t0 + self.between(0.4, 0.7) * pace
        t2 = t1 + (self.between(0.25, 0.5) * pace if joined else self.between(0.08, 0.2))
        t3 = t2 + self.between(0.5, 0.9) * pace * (_SLOWLY if slowly else 1.0)
        t4 = t3 + self.between(0.35, 0.6) * pace
        for (name, pose, layer), was in zip(moves, here, strict=True):
            keys = [(t1, was)]
            if joined:
                near = Pose(x + self.between(-4, 4), y + self.between(-4, 4), was.angle, 2.0, was.face_up)
                keys.append((t2, near if late else replace(near, face_up=pose.face_up)))
            else:
                keys.append((t2, was))
            self.journeys.append(Journey(name, (*keys, (t3, pose)), layer))
            self.lying[name] = Lying(pose, layer)
        self._reach(
            player, [(t0, *start), (t1, *tip), (t2, *tip), (t3, *end), (t4, *away)], seat, grip="over"
        )
        self._goes_home(player, t3, t4)
        return t3

    def in_stock(self, place: int) -> Lying:
        """Say how a card lies in the stock that has so many under it there."""
        heap = self.lying[STOCK].pose
        return Lying(replace(heap, z_mm=heap.z_mm + place * CARD_MM), LAYER_STOCK + place / 100)

    def take_apart(
        self, player: Player, names: Sequence[str], moves: Sequence[tuple[str, Pose, float]]
    ) -> float:
        """Move single cards that have lain in the stock until then; returns when they lie there.

        Args:
            player: Whose hand.
            names: What they are called, the lowest first; they are the upper ones of the stock.
            moves: Where they go, and what else is moved with them, as `shift` takes it.
        """
        left = self.counts[-1][1] - len(names)
        for place, name in enumerate(names, start=left):
            self.lying[name] = self.in_stock(place)
        before = len(self.journeys)
        landed = self.shift(player, moves, joined=False, late=False)
        self.counts.append((self.journeys[before].keys[0][0], left))
        if left == 0:
            self.lying.pop(STOCK)
        return landed

    def snatch(
        self, player: Player, name: str, pose: Pose, moves: Sequence[tuple[str, Pose, float]]
    ) -> float:
        """Bring a card in, lay it down, and take it away again with others in the same motion.

        Args:
            player: Whose hand.
            name: The card.
            pose: Where it lies for a moment.
            moves: Where it and the others go, as `shift` takes it.

        Returns:
            The time at which the card came to rest.
        """
        others = [self.lying[other].pose for other, _, _ in moves if other != name]
        here = [pose, *others]
        x, y = float(np.mean([p.x_mm for p in here])), float(np.mean([p.y_mm for p in here]))
        to = moves[-1][1]
        seat = self.seat(player, (pose.x_mm + to.x_mm) / 2)
        tip = _behind((pose.x_mm, pose.y_mm), seat, self.between(20, 45))  # held at the near edge
        over, end = (x + tip[0] - pose.x_mm, y + tip[1] - pose.y_mm), (to.x_mm, to.y_mm)
        start, away = self.outside(player, tip[0], seat), self.outside(player, end[0], seat)
        pace = self.style.pace
        t0 = self._free(player)
        t1 = t0 + self.between(0.45, 0.85) * pace
        t2 = t1 + self.between(0.1, 0.3) * pace
        t3 = t2 + self.between(0.2, 0.4) * pace
        t4 = t3 + self.between(0.5, 0.9) * pace
        t5 = t4 + self.between(0.35, 0.6) * pace
        held = self._fans[player].take(name) if player in self._fans else None
        first = held or moved(pose, start[0] - tip[0], start[1] - tip[1], self.between(-0.35, 0.35))
        for each, place, layer in moves:
            was = pose if each == name else self.lying[each].pose
            near = Pose(x + self.between(-4, 4), y + self.between(-4, 4), was.angle, 2.0, place.face_up)
            brought = [(t0, first), (t1, pose)] if each == name else []
            keys = (*brought, (t2, was), (t3, near), (t4, place))
            self.journeys.append(Journey(each, keys, layer))
            self.lying[each] = Lying(place, layer)
        way = [(t0, *start), (t1, *tip), (t2, *tip), (t3, *over), (t4, *end), (t5, *away)]
        self._reach(player, way, seat, grip="over")
        self._goes_home(player, t4, t5)
        return t1

    def shuffle(self, player: Player, lower: str, upper: str) -> None:
        """Let a player shuffle over the table: half of the pack leaves the other, and comes back."""
        x, y = self.style.trick_x + self.between(-90, 90), self.inside(player, self.between(45, 110))
        seat = self.seat(player, x)
        tip = _behind((x, y), seat, self.between(15, 40))
        start = self.outside(player, tip[0], seat)
        shift = (start[0] - tip[0], start[1] - tip[1])
        pose = Pose(x, y, self.between(-0.5, 0.5), _HELD_HIGH_MM, face_up=False)
        side = int(self.rng.choice([-1, 1]))
        time = self._free(player)
        reach = [(time, *start)]
        ways = [[(time, moved(pose, *shift, 0.0))] for _ in (lower, upper)]
        time += self.between(0.4, 0.7)
        for strip in range(int(self.rng.integers(*_STRIPS))):
            dx, dy = self.between(-8, 8), self.between(-8, 8)
            apart = side * self.between(25, 60) if strip % 2 else 0.0
            reach.append((time, tip[0] + dx, tip[1] + dy))
            ways[0].append((time, moved(pose, dx, dy, 0.0)))
            face_up = bool(apart) and self.rng.random() < _FACE_SHOWS
            ways[1].append(
                (time, replace(moved(pose, dx + apart, dy, self.between(-0.2, 0.2)), face_up=face_up))
            )
            time += self.between(0.15, 0.6) * self.style.pace
        home = time + self.between(0.4, 0.7)
        reach += [(time, *tip), (home, *start)]
        for name, way in zip((lower, upper), ways, strict=True):
            way += [(time, pose), (home, moved(pose, *shift, 0.0))]
            self.journeys.append(Journey(name, tuple(way), self.next_layer(), leaves=True))
        self._reach(player, reach, seat)
        self._goes_home(player, time, home)

    def nudge(self, name: str, time: float) -> None:
        """Something that landed at `time` has pushed a card a little aside."""
        lying = self.lying[name]
        pose = moved(lying.pose, self.between(-25, 25), self.between(-25, 25), self.between(-0.5, 0.5))
        self.journeys.append(Journey(name, ((time - 0.1, lying.pose), (time + 0.1, pose)), lying.layer))
        lying.pose = pose

    def fidget(self, player: Player) -> None:
        """Let a hand come in a little way and go, for nothing."""
        x = self.style.trick_x + self.between(-140, 140)
        seat = self.seat(player, x)
        start = self.outside(player, x, seat)
        inward = -self.between(20, 70) if player is Player.SOUTH else self.between(20, 70)
        tip = (x, self.view.edge(player is Player.SOUTH) + inward)
        t0 = self._free(player)
        t1 = t0 + self.between(0.4, 0.8)
        t2 = t1 + self.between(0.1, 0.7)
        self._reach(player, [(t0, *start), (t1, *tip), (t2, *tip), (t2 + 0.5, *start)], seat, grip="empty")
        self._goes_home(player, t2, t2 + 0.7)

    def point(self) -> None:
        """Let somebody who looks on reach in from the side, point at something that lies there, and go."""
        side = 1.0 if self.rng.random() < 0.5 else -1.0
        spots = [(lying.pose.x_mm, lying.pose.y_mm) for lying in self.lying.values()] or [(0.0, 0.0)]
        x, y = spots[int(self.rng.integers(len(spots)))]
        tip = (x + self.between(-40, 40), y + self.between(-40, 40))
        seat = (side * (self.view.half_width_mm + 430.0), self.between(-80, 80))
        start = (side * (self.view.half_width_mm + 95.0), 0.7 * tip[1] + 0.3 * seat[1])
        came = self.now + self.between(0.4, 0.8)
        left = came + self.between(0.3, 3.0)
        keys = ((self.now, *start), (came, *tip), (left, *tip), (left + self.between(0.4, 0.7), *start))
        self.reaches.append(Reach(None, keys, seat, "empty", side < 0))

    def sweep(self, player: Player) -> None:
        """Clear the table: one hand goes round, takes everything along, and leaves."""
        self.now = max(self.now, *self._home)
        if self.style.swept == "at_once":
            for name, lying in self.lying.items():
                self.journeys.append(Journey(name, ((self.now, lying.pose),), lying.layer, leaves=True))
            self.lying.clear()
            return
        groups: dict[tuple[int, int], list[str]] = {}
        for name, lying in self.lying.items():
            key = (round(lying.pose.x_mm / 110), round(lying.pose.y_mm / 90))
            groups.setdefault(key, []).append(name)
        order = sorted(
            groups, key=lambda key: -abs(key[1]) if key[1] * (1 if player is Player.SOUTH else -1) < 0 else 1
        )
        seat = self.seat(player, 0.0)
        spots = [
            tuple(
                float(np.mean([getattr(self.lying[n].pose, axis) for n in groups[key]]))
                for axis in ("x_mm", "y_mm")
            )
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
                    way.append(
                        (at, replace(lying.pose, x_mm=x + dx * 0.4, y_mm=y + dy * 0.4, z_mm=index * 3.0))
                    )
                self.journeys.append(Journey(name, tuple(way), lying.layer, leaves=True))
        self.reaches.append(Reach(player, tuple(keys), seat, "over", self.style.left[player]))
        self.lying.clear()
        self.now = time

    def _fan(self, player: Player) -> Fan:
        x, edge = self.style.trick_x + self.between(-90, 90), self.view.edge(player is Player.SOUTH)
        return Fan(player, x, edge, self.style.holds * CARD_HIGH_MM)

    def _free(self, player: Player) -> float:
        """Return when a player's hand can set out."""
        return max(self.now, self._home[player])

    def _goes_home(self, player: Player, done: float, home: float) -> None:
        """Go on before the hand is gone, as hasty as the players are."""
        self._home[player] = home
        self.now = home - self.style.haste * (home - done)

    def _reach(
        self,
        player: Player,
        keys: list[tuple[float, float, float]],
        seat: tuple[float, float],
        grip: Grip | None = None,
    ) -> None:
        hand = grip or self.style.grips[player]
        self.reaches.append(Reach(player, tuple(keys), seat, hand, self.style.left[player]))


def _behind(point: tuple[float, float], seat: tuple[float, float], distance: float) -> tuple[float, float]:
    dx, dy = seat[0] - point[0], seat[1] - point[1]
    length = math.hypot(dx, dy)
    return point[0] + dx / length * distance, point[1] + dy / length * distance


def moved(pose: Pose, dx: float, dy: float, turn: float) -> Pose:
    """Return a pose shifted by millimetres and turned by radians."""
    return replace(pose, x_mm=pose.x_mm + dx, y_mm=pose.y_mm + dy, angle=pose.angle + turn)
