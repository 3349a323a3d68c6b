"""The stock on the table and the card turned up under it: how people draw from it, exchange and close."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from companion.rules.cards import Card, Player
from companion.synth.dealing import stock_places
from companion.synth.script import CARD_MM, LAYER_STOCK, STOCK, Journey, Pose
from companion.synth.stage import Lying, Stage, moved

__all__ = ["Stock"]

_ON_STOCK = LAYER_STOCK + 0.5
_SHOVED_MM = (15.0, 60.0)
_OPENED_APART_MM = (20.0, 30.0)
_SPREAD_APART_MM = (9.0, 16.0)
_LIFTED_MM = (20.0, 60.0)
_ASIDE_MM = (30.0, 75.0)
_BEFORE_PLAYER_MM = (30.0, 75.0)
"""How far in from a player's edge a card comes to lie that somebody else has drawn."""


class Stock:
    """What lies beside the tricks, and what players do with it.

    Attributes:
        pose: Where the stock lies.
        turn_up: The card that is turned up.
        turn_up_pose: Where it lies until the stock is closed.
    """

    def __init__(self, stage: Stage, turn_up: Card) -> None:
        self.stage, self.turn_up = stage, turn_up
        self.pose, self.turn_up_pose = stock_places(stage)
        self._closed_pose: Pose | None = None

    @property
    def closed(self) -> bool:
        """Whether somebody has closed it."""
        return self._closed_pose is not None

    def exchange(self, player: Player, lowest: Card) -> None:
        """Put the lowest trump in the place of the turn-up, in one of the ways that people do."""
        if self._closed_pose is None:
            self._exchange(player, lowest)
        else:
            self._exchange_closed(player, lowest, self._closed_pose)
        self.turn_up = lowest

    def close(self, player: Player) -> None:
        """Turn the turn-up face down, upon the stock or where it lies."""
        stage = self.stage
        height = stage.counts[-1][1] * CARD_MM + self.pose.z_mm
        onto = Pose(
            self.pose.x_mm + stage.between(-6, 6),
            self.pose.y_mm + stage.between(-6, 6),
            self.pose.angle + (math.pi / 2 if stage.rng.random() < 0.6 else 0.0) + stage.between(-0.2, 0.2),
            height,
            face_up=False,
        )
        layer = _ON_STOCK
        if stage.chance(stage.style.turns_there):
            onto, layer = replace(self.turn_up_pose, face_up=False), 0.0
        elif stage.chance(stage.style.closes_beneath):
            onto, layer = replace(self.pose, z_mm=0.0), 0.0
        self._closed_pose = onto
        stage.now = max(
            stage.now, stage.shift(player, [(str(self.turn_up), onto, layer)], joined=False, late=True)
        )
        if stage.chance(stage.style.puts_aside):
            stage.wait(0.2, 1.5)
            self._put_aside(player, onto, layer)

    def _put_aside(self, player: Player, closed: Pose, layer: float) -> None:
        """Push the closed stock away from the middle, with the card that was turned down."""
        stage = self.stage
        dx, dy = stage.style.stock_side * stage.between(*_ASIDE_MM), stage.between(-40, 40)
        self.pose, self._closed_pose = moved(self.pose, dx, dy, 0.0), moved(closed, dx, dy, 0.0)
        self.turn_up_pose = moved(self.turn_up_pose, dx, dy, 0.0)
        heap = [(str(self.turn_up), self._closed_pose, layer), (STOCK, self.pose, LAYER_STOCK)]
        stage.shift(player, heap, joined=False, late=False)

    def shove(self, player: Player) -> None:
        """Push the stock a little, and what lies under it."""
        stage = self.stage
        way, far = stage.between(0, 2 * math.pi), stage.between(*_SHOVED_MM)
        dx, dy = far * math.cos(way), 0.5 * far * math.sin(way)
        self.pose, self.turn_up_pose = (moved(pose, dx, dy, 0.0) for pose in (self.pose, self.turn_up_pose))
        under = [(str(self.turn_up), self.turn_up_pose, 0.0)]
        stage.shift(player, [*under, (STOCK, self.pose, LAYER_STOCK)], joined=False, late=False)

    def lift(self, player: Player) -> None:
        """Lift the stock off the turn-up, and put it back."""
        stage = self.stage
        if self.closed or STOCK not in stage.lying:
            return
        stage.wait(0.2, 0.8)
        away = -stage.style.turn_up_way * stage.between(*_LIFTED_MM)
        aside = moved(self.pose, math.cos(self.pose.angle) * away, math.sin(self.pose.angle) * away, 0.0)
        stage.shift(player, [(STOCK, aside, LAYER_STOCK)], joined=False, late=False)
        stage.wait(0.2, 2.0)
        stage.shift(player, [(STOCK, self.pose, LAYER_STOCK)], joined=False, late=False)

    def close_and_reopen(self, player: Player) -> None:
        """Close, think better of it, and lay the turn-up back under the stock."""
        stage = self.stage
        if self.closed or STOCK not in stage.lying:
            return
        layer = stage.lying[str(self.turn_up)].layer
        self.close(player)
        stage.wait(0.3, 5.0)
        self._closed_pose = None
        self.turn_up_pose = moved(
            self.turn_up_pose, stage.between(-6, 6), stage.between(-6, 6), stage.between(-0.1, 0.1)
        )
        under = [(str(self.turn_up), self.turn_up_pose, layer)]
        stage.shift(player, under, joined=False, late=True)

    def peek(self, player: Player) -> None:
        """Turn up the card that closed the stock, there or a little aside, and turn it down again."""
        stage = self.stage
        if not self.closed:
            return
        lying = stage.lying[str(self.turn_up)]
        up = replace(lying.pose, face_up=True)
        stage.wait(0.2, 0.8)
        if stage.rng.random() < 0.5:
            up = moved(up, stage.between(-60, 60), stage.between(-40, 40), 0.2)
        stage.shift(player, [(str(self.turn_up), up, stage.next_layer())], joined=False, late=False)
        stage.wait(0.4, 2.5)
        stage.shift(player, [(str(self.turn_up), lying.pose, lying.layer)], joined=False, late=False)

    def spread(self, player: Player) -> None:
        """Push the cards apart, so that they can be counted, and together again."""
        stage = self.stage
        left = stage.counts[-1][1]
        if self.closed or STOCK not in stage.lying or left < 2:
            return
        stage.wait(0.2, 0.8)
        apart = -stage.style.stock_side * stage.between(*_SPREAD_APART_MM)
        heap = [
            (stage.hidden_name(), lying.pose, lying.layer) for lying in map(stage.in_stock, range(1, left))
        ]
        row = [
            (name, moved(pose, apart * place, stage.between(-4, 4), 0.0), layer)
            for place, (name, pose, layer) in enumerate(heap, start=1)
        ]
        stage.take_apart(player, [name for name, _, _ in heap], row)
        stage.wait(0.6, 2.0)
        closed_up = stage.shift(player, heap, joined=False, late=False)
        for name, pose, layer in heap:
            stage.journeys.append(Journey(name, ((closed_up, pose),), layer, leaves=True))
            stage.lying.pop(name)
        stage.counts.append((closed_up, left))

    def draw(self, player: Player, card: Card | None) -> None:
        """Take the top card into the hand, or what is left when the stock has gone.

        Args:
            player: Who draws.
            card: What is drawn, where it is known; its face may show on the way.
        """
        stage = self.stage
        stage.wait(0.15, 0.7)
        left = stage.counts[-1][1]
        if left == 0:
            stage.fetch(player, str(self.turn_up), face_up=bool(stage.rng.random() < 0.6))
            return
        flashes = card is not None and stage.chance(stage.style.flashes)
        name = str(card) if flashes else stage.hidden_name()
        pose = replace(self.pose, z_mm=self.pose.z_mm + (left - 1) * CARD_MM)
        stage.lying[name] = Lying(pose, _ON_STOCK)
        stage.fetch(player, name, face_up=flashes, count=left - 1)
        if left == 1:
            stage.lying.pop(STOCK, None)

    def hand_over(self, giver: Player, card: Card | None) -> None:
        """Draw for the other, who takes the card up where it has been pushed to.

        Args:
            giver: Who draws.
            card: What is drawn, where it is known.
        """
        stage = self.stage
        if stage.counts[-1][1] == 0:
            self.draw(giver.other, card)
            return
        stage.wait(0.15, 0.7)
        x = stage.style.trick_x + stage.between(-90, 90)
        y = stage.inside(giver.other, stage.between(*_BEFORE_PLAYER_MM))
        name, there = stage.hidden_name(), Pose(x, y, stage.between(-0.4, 0.4), face_up=False)
        stage.take_apart(giver, [name], [(name, there, stage.next_layer())])
        stage.wait(0.1, 1.0)
        stage.fetch(giver.other, name, face_up=False)

    def turn_over(self, player: Player, left: Sequence[Card]) -> None:
        """Lay open what would have come, once the hand is over.

        Args:
            player: Whose hand turns it over.
            left: The cards of the stock but for the turn-up, the top one first.
        """
        stage = self.stage
        if STOCK not in stage.lying or not left:
            return
        stage.wait(0.4, 1.5)
        names = [str(card) for card in left]
        if self.closed:
            names.insert(0, str(self.turn_up))
        apart = -stage.style.stock_side * stage.between(*_OPENED_APART_MM)
        row = [
            (name, replace(moved(self.pose, apart * place, 0.0, 0.0), face_up=True), stage.next_layer())
            for place, name in enumerate(names)
        ]
        stage.take_apart(player, [str(card) for card in reversed(left)], row)
        stage.wait(0.8, 3.0)

    def _exchange(self, player: Player, lowest: Card) -> None:
        stage, old, new = self.stage, str(self.turn_up), str(lowest)
        face_up = bool(stage.rng.random() < 0.5)
        if stage.chance(stage.style.lays_beside):
            beside = moved(self.turn_up_pose, stage.between(-20, 20), stage.between(-20, 20), 0.3)
            stage.carry(player, [(new, beside, stage.next_layer())])
            stage.wait(0.2, 0.8)
            stage.fetch(player, old, face_up=face_up)
            stage.wait(0.1, 0.5)
            stage.shift(player, [(new, self.turn_up_pose, 0.0)], joined=False, late=False)
        elif stage.rng.random() < 0.3:
            stage.fetch(player, old, face_up=face_up)
            stage.wait(0.1, 0.5)
            stage.carry(player, [(new, self.turn_up_pose, 0.0)])
        else:
            self._exchange_under_hand(player, old, new, face_up)

    def _exchange_under_hand(self, player: Player, old: str, new: str, face_up: bool) -> None:
        """The lowest trump goes under the stock and the old card out of it, both beneath one hand."""
        stage = self.stage
        began = stage.now
        lying = stage.lying.pop(old)
        landed = stage.carry(player, [(new, self.turn_up_pose, 0.0)], rest_s=stage.between(0.25, 0.6))
        reach = stage.reaches[-1]
        leaving, gone = reach.keys[2][0], reach.keys[3]
        away = Pose(
            gone[1],
            gone[2] + (70 if player is Player.SOUTH else -70) * 0.2,
            lying.pose.angle,
            2.0,
            face_up,
        )
        stage.journeys.append(
            Journey(
                old,
                ((max(began, landed), lying.pose), (leaving, lying.pose), (gone[0], away)),
                0.5,
                leaves=True,
            )
        )

    def _exchange_closed(self, player: Player, lowest: Card, onto: Pose) -> None:
        """At the close: the card is taken off the stock, the lowest trump shown there, then closed again."""
        stage = self.stage
        stage.fetch(player, str(self.turn_up), face_up=False)
        stage.carry(player, [(str(lowest), replace(onto, face_up=True), _ON_STOCK)])
        stage.wait(0.8, 1.6)
        stage.now = max(
            stage.now, stage.shift(player, [(str(lowest), onto, _ON_STOCK)], joined=False, late=True)
        )
