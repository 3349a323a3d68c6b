"""The trick that lies on the table, and the piles of those that were won."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from companion.rules.cards import Player
from companion.synth.reckoning import count
from companion.synth.script import CARD_MM, Pose
from companion.synth.stage import Stage, moved

__all__ = ["Trick", "Tricks"]

_LED_MM, _BEFORE_EACH_MM = (5.0, 25.0), (60.0, 95.0)
_BESIDE_TRICK_MM = (80.0, 110.0)
"""How far from a trick that still lies there the next is led."""
_MARK_MM = (-35.0, -15.0)
"""How far towards the middle of the table a card of a marriage sticks out of the pile."""
_PILE_MOVED_MM = (60.0, 160.0)
_PUT_BY_MM = (120.0, 170.0)
"""How far from the middle a trick lies that was pushed aside."""

_Moves = list[tuple[str, Pose, float]]


@dataclass(slots=True)
class Trick:
    """A trick that lies on the table.

    Attributes:
        cards: Names of its cards, the lead first.
        button: Name of the announcement button that lies beside them.
        announced: The card of a marriage that was led to it.
        shown: Who has shown that marriage, and its other card, where it lies there as long.
    """

    cards: list[str] = field(default_factory=list)
    button: str | None = None
    announced: str | None = None
    shown: tuple[Player, str] | None = None


class Tricks:
    """Where cards are played, and where they go when a trick is taken.

    Attributes:
        now: The trick that is being played.
    """

    def __init__(self, stage: Stage) -> None:
        self.stage, self.now = stage, Trick()
        self._won: tuple[list[str], list[str]] = ([], [])
        self._pile_moved_mm = [0.0, 0.0]
        self._left: tuple[Player, Trick] | None = None
        self._by: list[tuple[Player, Trick]] = []
        self._last: tuple[Player, Sequence[tuple[str, Pose, float]]] | None = None

    def spot(self, player: Player) -> Pose:
        """Say where a player's next card goes."""
        stage, style = self.stage, self.stage.style
        toward = 1 if player is Player.SOUTH else -1
        turned = 0.0 if player is Player.SOUTH else math.pi
        middle = (stage.view.north_mm + stage.view.south_mm) / 2
        angle = (
            turned + float(stage.rng.normal(0, style.slope)) + (math.pi if stage.rng.random() < 0.3 else 0.0)
        )
        if not self.now.cards:
            x = self._beside_left() + float(stage.rng.normal(0, 12))
            far = _BEFORE_EACH_MM if style.before_each else _LED_MM
            return Pose(x, middle + style.trick_y + toward * stage.between(*far), angle)
        if style.before_each:
            x = style.trick_x + float(stage.rng.normal(0, 25))
            return Pose(x, middle + toward * stage.between(*_BEFORE_EACH_MM), angle, CARD_MM)
        led = stage.lying[self.now.cards[0]].pose
        apart = stage.between(*style.overlap_mm)
        way = toward * math.pi / 2 + float(stage.rng.normal(0, 0.75))
        x, y = led.x_mm + apart * math.cos(way), led.y_mm + apart * math.sin(way)
        room = 48.0
        y = min(max(y, stage.view.north_mm + room), stage.view.south_mm - room)
        return Pose(x, y, angle, CARD_MM)

    def gather(self, winner: Player) -> None:
        """Take the trick away, in whatever way these players do."""
        self._gather(winner, self._ended())

    def _gather(self, winner: Player, trick: Trick) -> None:
        stage, style = self.stage, self.stage.style
        stage.wait(0.6, 1.6)
        if trick.shown is not None:
            stage.fetch(*trick.shown, face_up=bool(stage.rng.random() < 0.5))
        moves = self._to_pile(winner, trick)
        hand = winner.other if stage.rng.random() < style.helpful else winner
        if stage.chance(style.turns_first):
            self._turn_down(hand, trick)
        if stage.chance(style.one_by_one):
            for move in moves:
                stage.shift(hand, [move], joined=False, late=style.flip_late)
        else:
            stage.shift(hand, moves, joined=True, late=style.flip_late)
        if style.pile_inset_mm > 0 and stage.chance(style.looks_back):
            self._look_back(winner, moves)
        self._last = winner, moves
        if style.pile_inset_mm > 0 and stage.chance(style.counts_early):
            self._count(winner)
        self._take_button(hand, trick)
        if style.pile_inset_mm > 0 and stage.chance(style.moves_pile):
            self._move_pile(winner)

    def look_again(self) -> None:
        """The trick that was taken last is looked at once more, where it still lies on top of a pile."""
        if self._last is None or self.stage.style.pile_inset_mm <= 0:
            return
        winner, moves = self._last
        if all(name in self.stage.lying for name, _, _ in moves):
            lying = [(name, self.stage.lying[name]) for name, _, _ in moves]
            self._look_back(winner, [(name, one.pose, one.layer) for name, one in lying])

    def _count(self, player: Player) -> None:
        """All won cards are turned up side by side, counted, and put back."""
        lying = [(name, self.stage.lying[name]) for name in self._won[player]]
        pile = [(name, one.pose, one.layer) for name, one in lying]
        count(self.stage, player, [name for name, _, _ in pile])
        self.stage.shift(player, pile, joined=True, late=False)

    def put_by(self, winner: Player) -> None:
        """Push the trick aside, face up as it lies, until the next one is taken."""
        stage, trick = self.stage, self._ended()
        stage.wait(0.4, 1.0)
        x = -stage.style.stock_side * stage.between(*_PUT_BY_MM)
        moves = [
            (
                name,
                Pose(
                    x + stage.between(-15, 15),
                    stage.between(-15, 15),
                    stage.lying[name].pose.angle,
                    place * CARD_MM,
                ),
                stage.next_layer(),
            )
            for place, name in enumerate(trick.cards)
        ]
        if trick.shown is not None:
            stage.fetch(*trick.shown, face_up=True)
            trick.shown = None
        stage.shift(winner, moves, joined=True, late=True)
        self._by.append((winner, trick))

    def take_by(self) -> None:
        """Take the tricks that were pushed aside."""
        by, self._by = self._by, []
        for winner, trick in by:
            self._gather(winner, trick)

    def _move_pile(self, player: Player) -> None:
        """Put all won cards in another place, or back."""
        stage, before = self.stage, self._pile_moved_mm[player]
        stage.wait(0.3, 1.5)
        now = 0.0 if before else -stage.style.pile_side(player) * stage.between(*_PILE_MOVED_MM)
        self._pile_moved_mm[player] = now
        lying = [(name, stage.lying[name]) for name in self._won[player]]
        pile = [(name, moved(one.pose, now - before, 0.0, 0.0), one.layer) for name, one in lying]
        stage.shift(player, pile, joined=False, late=False)

    def _beside_left(self) -> float:
        """Where the next is led, mm from the middle: nobody leads upon a trick that still lies there."""
        if self._left is None:
            return self.stage.style.trick_x
        lying = [self.stage.lying[name].pose.x_mm for name in self._left[1].cards]
        away = -self.stage.style.stock_side * self.stage.between(*_BESIDE_TRICK_MM)
        aside = min(lying) + away if away < 0 else max(lying) + away
        return aside if abs(aside - self.stage.style.trick_x) < 1.5 * abs(away) else self.stage.style.trick_x

    def let_lie(self, winner: Player) -> None:
        """Leave the trick where it is until its winner has led to the next."""
        self._left = winner, self._ended()

    def gather_left(self) -> None:
        """Take the trick that was left, where there is one."""
        if self._left is not None:
            left, self._left = self._left, None
            self._gather(*left)

    def snatch(self, player: Player, card: str) -> float:
        """Answer, and take the trick in the same motion; returns when the card lay there."""
        spot = self.spot(player)
        trick = self._ended()
        trick.cards.append(card)
        landed = self.stage.snatch(player, card, spot, self._to_pile(player, trick))
        self._take_button(player, trick)
        if trick.shown is not None:
            self.stage.fetch(*trick.shown, face_up=bool(self.stage.rng.random() < 0.5))
        return landed

    def gather_in_vain(self, winner: Player) -> None:
        """Take the trick, and put it back as it lay, since somebody says that it was not answered rightly."""
        stage = self.stage
        back = [(name, stage.lying[name].pose, stage.lying[name].layer) for name in self.now.cards]
        stage.wait(0.6, 1.6)
        stage.shift(winner, self._to_pile(winner, self.now), joined=True, late=stage.style.flip_late)
        del self._won[winner][-len(back) :]
        stage.wait(0.5, 3.0)
        stage.shift(winner, back, joined=False, late=False)
        stage.wait(0.3, 1.0)

    def _ended(self) -> Trick:
        """Return the trick that was played until now; another begins."""
        ended, self.now = self.now, Trick()
        return ended

    def _turn_down(self, hand: Player, trick: Trick) -> None:
        """Turn the trick face down where it lies, and leave it there a while."""
        stage = self.stage
        led = stage.lying[trick.cards[0]].pose
        down = [
            (
                name,
                replace(
                    moved(led, stage.between(-12, 12), stage.between(-12, 12), stage.between(-0.3, 0.3)),
                    z_mm=place * CARD_MM,
                    face_up=False,
                ),
                stage.next_layer(),
            )
            for place, name in enumerate(trick.cards)
        ]
        stage.shift(hand, down, joined=True, late=False)
        stage.wait(0.5, 3.0)

    def _to_pile(self, winner: Player, trick: Trick) -> _Moves:
        """Say where the cards of the trick go."""
        stage, style = self.stage, self.stage.style
        edge = stage.inside(winner, style.pile_inset_mm)
        x = style.pile_side(winner) * style.pile_x * stage.view.half_width_mm + self._pile_moved_mm[winner]
        moves = []
        face_up = stage.chance(style.faces_up)
        for name in trick.cards:
            pose = Pose(
                x + float(stage.rng.normal(0, 7)),
                edge + float(stage.rng.normal(0, 6)),
                float(stage.rng.normal(0, 0.22)),
                len(self._won[winner]) * CARD_MM,
                face_up=face_up,
            )
            self._won[winner].append(name)
            if name == trick.announced and stage.chance(style.marks):
                pose = moved(pose, style.pile_side(winner) * stage.between(*_MARK_MM), 0.0, math.pi / 2)
                pose = replace(pose, face_up=True)
            moves.append((name, pose, stage.next_layer()))
        return moves

    def _take_button(self, hand: Player, trick: Trick) -> None:
        """The button that lay beside a trick goes with it."""
        if trick.button is not None:
            self.stage.fetch(hand, trick.button, face_up=True)

    def _look_back(self, player: Player, pile: Sequence[tuple[str, Pose, float]]) -> None:
        """The trick that was taken last is turned up beside the pile, and down again."""
        stage = self.stage
        stage.wait(0.3, 1.0)
        inward = -45.0 if player is Player.SOUTH else 45.0
        shown = [
            (
                name,
                replace(moved(pose, 45.0 * place * stage.style.stock_side, inward, 0.0), face_up=True),
                stage.next_layer(),
            )
            for place, (name, pose, _) in enumerate(pile, start=1)
        ]
        stage.shift(player, shown, joined=False, late=False)
        stage.wait(0.6, 2.0)
        stage.shift(player, pile, joined=True, late=False)
