"""From a record to a script: who reaches where, what is laid down, what is taken away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from companion.rules.cards import Card, Player, Rank, Suit
from companion.rules.event_form import event_to_json
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Event,
    Exchanged,
    HandShown,
    Knocked,
    MarriageDeclared,
    RevokeCalled,
)
from companion.rules.hand import HandState, apply, deal
from companion.rules.record import Record
from companion.synth.button import button_name
from companion.synth.dealing import cut, deal_out, lay_packet, stock_places
from companion.synth.reckoning import count, lay_open
from companion.synth.script import CARD_MM, LAYER_STOCK, STOCK, Journey, Pose, Script
from companion.synth.stage import Lying, Stage, moved
from companion.synth.style import Style, View

__all__ = ["ScriptError", "choreograph"]

_ON_STOCK = LAYER_STOCK + 0.5
_SHUFFLED_S = (4.0, 9.0)
_SHOVED_MM = (15.0, 60.0)
_BESIDE_MM, _FANNED_MM = (58.0, 70.0), (18.0, 42.0)
"""How far the middles of king and queen are apart where they are shown beside, and half upon, each other."""


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
    stage = Stage(style or drawn, view or View(), rng)
    for record in records:
        _Telling(stage, record).tell()
    return stage.script(tuple(records))


class _Telling:
    """One record, acted out on a stage."""

    def __init__(self, stage: Stage, record: Record) -> None:
        if record.turned_up is None:
            raise ScriptError("the record does not say what was turned up")
        self.stage, self.record, self.style = stage, record, stage.style
        self.state: HandState = deal(
            record.rules, record.dealer, record.turned_up, record.hands, record.stock
        )
        self.before = self.state
        """The hand before what is shown now."""
        self.turn_up = record.turned_up
        self.shown: Card | None = None
        self.partner: Card | None = None
        self.button: str | None = None
        self.won = [0, 0]
        self.resting: dict[Player, list[str]] = {}
        self.trick: list[str] = []
        self.owed: Player | None = None
        """Who has yet to draw."""
        self.stock_pose, self.turn_up_pose = stock_places(stage)
        self.closed_pose: Pose | None = None
        self.reckoned = False

    def tell(self) -> None:
        stage = self.stage
        if stage.timeline:
            stage.wait(*_SHUFFLED_S)
        if self.style.cut:
            cut(stage, self.record.dealer)
        deal_out(
            stage,
            self.record.rules,
            self.record.dealer,
            (self.turn_up, self.turn_up_pose),
            self.stock_pose,
        )
        stage.mark("deal", turned_up=str(self.turn_up))
        self._hold()
        stage.wait(0.5, 1.2)
        events = self.record.events
        for index, event in enumerate(events):
            self.before = self.state
            self.state = apply(self.state, event)
            self._show(event, events[index + 1 :])
        if not self.reckoned:
            self._reckon()
        for player in Player:
            stage.hold(player, ())
        stage.wait(0.8, 1.8)
        stage.sweep(Player(int(stage.rng.integers(2))))
        stage.mark("cleared")
        stage.counts.append((stage.now, 0))
        stage.wait(0.8, 1.5)

    def _show(self, event: Event, rest: Sequence[Event]) -> None:
        stage = self.stage
        match event:
            case Exchanged(player):
                self._think(player, 0.6)
                if self.closed_pose is None:
                    self._exchange(player)
                else:
                    self._exchange_closed(player, self.closed_pose)
            case MarriageDeclared(player, suit):
                self._think(player)
                self._marriage(player, suit, rest)
            case Closed(player):
                self._think(player, 0.6)
                self._close(player)
            case CardPlayed(player, card):
                self._play(player, card, rest)
                return
            case Claimed() | Knocked() | RevokeCalled():
                stage.wait(0.4, 1.4)
                if isinstance(event, Claimed) and stage.chance(self.style.late):
                    self._reckon()
                    stage.wait(0.5, 4.0)
            case HandShown(player, cards):
                self._lay_open(player, cards)
            case _:
                return
        stage.mark(**_fields(event))

    def _hold(self) -> None:
        """Let both players hold what they have, but for what they have laid down."""
        for player in Player:
            hands = self.before.hands if player not in self.resting else None
            held = hands[player] if hands else ()
            names = sorted(str(card) for card in held)
            self.stage.hold(player, [name for name in names if name not in self.stage.lying])

    def _think(self, player: Player, share: float = 1.0) -> None:
        stage = self.stage
        self._take_up(player)
        self._hold()
        if player.other not in self.resting and stage.chance(self.style.rests):
            self._rest(player.other)
        if stage.rng.random() < self.style.fidget:
            stage.wait(0.2, 0.8)
            stage.fidget(player)
        low, high = self.style.think_s
        stage.wait(low * share, high * share)

    def _rest(self, player: Player) -> None:
        """Lay the cards of a hand down in one packet, face down."""
        stage = self.stage
        held = len(self.state.hands[player]) if self.state.hands else int(self.state.rules.hand_size)
        x = self.style.trick_x + stage.between(-90, 90)
        y = stage.inside(player, stage.between(20, 60))
        place = Pose(x, y, stage.between(-0.4, 0.4), CARD_MM, face_up=False)
        stage.hold(player, ())
        if held:
            self.resting[player] = lay_packet(stage, player, held, place)

    def _take_up(self, player: Player) -> None:
        """Take a hand that was laid down into the hand again."""
        if player in self.resting:
            self.stage.fetch(player, *self.resting.pop(player), face_up=False)

    def _exchange(self, player: Player) -> None:
        stage, old = self.stage, str(self.turn_up)
        lowest = Card(self.state.rules.lowest_trump, self.turn_up.suit)
        face_up = bool(stage.rng.random() < 0.5)
        if stage.chance(self.style.lays_beside):
            beside = moved(self.turn_up_pose, stage.between(-20, 20), stage.between(-20, 20), 0.3)
            stage.carry(player, [(str(lowest), beside, stage.next_layer())])
            stage.wait(0.2, 0.8)
            stage.fetch(player, old, face_up=face_up)
            stage.wait(0.1, 0.5)
            stage.shift(player, [(str(lowest), self.turn_up_pose, 0.0)], joined=False, late=False)
        elif stage.rng.random() < 0.3:
            stage.fetch(player, old, face_up=face_up)
            stage.wait(0.1, 0.5)
            stage.carry(player, [(str(lowest), self.turn_up_pose, 0.0)])
        else:
            # the lowest trump goes under the stock and the old card out of it, both beneath one hand
            began = stage.now
            lying = stage.lying.pop(old)
            landed = stage.carry(
                player, [(str(lowest), self.turn_up_pose, 0.0)], rest_s=stage.between(0.25, 0.6)
            )
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
        self.turn_up = lowest

    def _exchange_closed(self, player: Player, onto: Pose) -> None:
        """At the close: the card is taken off the stock, the lowest trump shown there, then closed again."""
        stage = self.stage
        stage.fetch(player, str(self.turn_up), face_up=False)
        self.turn_up = Card(self.state.rules.lowest_trump, self.turn_up.suit)
        stage.carry(player, [(str(self.turn_up), replace(onto, face_up=True), _ON_STOCK)])
        stage.wait(0.8, 1.6)
        stage.now = max(
            stage.now, stage.shift(player, [(str(self.turn_up), onto, _ON_STOCK)], joined=False, late=True)
        )

    def _lay_open(self, player: Player, cards: Sequence[Card]) -> None:
        self._take_up(player)
        lay_open(self.stage, player, [str(card) for card in cards])

    def _reckon(self) -> None:
        """What people do before the cards are gathered: show what was left, count what was won."""
        self.reckoned = True
        stage, state = self.stage, self.state
        winner = state.claimed_by
        if winner is None and state.tricks:
            winner = state.tricks[-1].winner
        if winner is None:
            return
        if state.claimed_by is not None and stage.chance(self.style.shows):
            left = sorted(state.hands[winner] if state.hands else (), key=str)
            self._lay_open(winner, [card for card in left if str(card) not in stage.lying])
        won = [str(card) for trick in state.tricks if trick.winner is winner for card in trick.cards]
        if won and stage.chance(self.style.counts):
            count(stage, winner, won)

    def _close(self, player: Player) -> None:
        stage = self.stage
        height = stage.counts[-1][1] * CARD_MM + self.stock_pose.z_mm
        onto = Pose(
            self.stock_pose.x_mm + stage.between(-6, 6),
            self.stock_pose.y_mm + stage.between(-6, 6),
            self.stock_pose.angle
            + (math.pi / 2 if stage.rng.random() < 0.6 else 0.0)
            + stage.between(-0.2, 0.2),
            height,
            face_up=False,
        )
        layer = _ON_STOCK
        if stage.chance(self.style.turns_there):
            onto, layer = replace(self.turn_up_pose, face_up=False), 0.0
        self.closed_pose = onto
        stage.now = max(
            stage.now, stage.shift(player, [(str(self.turn_up), onto, layer)], joined=False, late=True)
        )

    def _marriage(self, player: Player, suit: Suit, rest: Sequence[Event]) -> None:
        stage = self.stage
        pair = [Card(Rank.KING, suit), Card(Rank.QUEEN, suit)]
        lead = next((e.card for e in rest if isinstance(e, CardPlayed)), None) or pair[0]
        if lead not in pair:
            lead = pair[0]
        partner = pair[1 - pair.index(lead)]
        centre = self._spot(player)
        fanned = stage.chance(self.style.fans)
        side = stage.between(*_FANNED_MM if fanned else _BESIDE_MM) * int(stage.rng.choice([-1, 1]))
        other = moved(
            centre, side * math.cos(centre.angle), side * math.sin(centre.angle), stage.between(-0.12, 0.12)
        )
        layers = [stage.next_layer(), stage.next_layer()]
        if fanned and stage.rng.random() < 0.5:
            layers.reverse()
        cards = [(str(lead), centre, layers[0]), (str(partner), other, layers[1])]
        acts = bool(rest) and isinstance(rest[0], CardPlayed)
        self.shown = lead
        if self.style.marriage == "button" and acts:
            self.button = button_name(40 if suit is self.turn_up.suit else 20)
            cards[1] = (self.button, other, stage.next_layer())
            landed = stage.carry(player, cards)
            self.partner, self._resume, stage.now = None, stage.now, landed
        elif self.style.marriage == "one_held" and acts:
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

    def _play(self, player: Player, card: Card | None, rest: Sequence[Event]) -> None:
        stage, before = self.stage, self.before
        if card is None:
            raise ScriptError("a play of the record is not named")
        answers = before.led is not None
        winner = self.state.tricks[-1].winner if answers else None
        if answers and winner is None:
            raise ScriptError("a trick's winner is not known")
        snatched = winner is player and stage.chance(self.style.snatches)
        if snatched:
            self._snatch(player, card)
        else:
            self._lay(player, card)
        if winner is None:
            return
        following = rest[0] if rest else None
        draws = before.stock_left > self.state.stock_left
        draws &= not (isinstance(following, Closed) and following.before_draw)
        waits = draws and not snatched and stage.chance(self.style.draws_first)
        if not (snatched or waits):
            self._gather(winner)
        if draws and (waits or not isinstance(following, Claimed) or stage.rng.random() >= 0.5):
            self._draw_both(winner, following)
        if waits:
            self._gather(winner)

    def _lay(self, player: Player, card: Card) -> None:
        """Play a card, with whatever its player does before and after."""
        stage = self.stage
        if self.shown == card:
            stage.now = max(stage.now, self._resume)
            back, self.partner, self.shown = self.partner, None, None
            if back is not None and stage.chance(self.style.both_back):
                stage.wait(0.6, 1.6)
                stage.fetch(player, str(card), str(back), face_up=bool(stage.rng.random() < 0.5))
                self._think(player, 0.3)
                landed = self._lay_down(player, card)
            else:
                if back is not None:
                    stage.wait(0.6, 1.6)
                    stage.fetch(player, str(back), face_up=bool(stage.rng.random() < 0.5))
                landed = stage.now
        else:
            self._think(player)
            if stage.chance(self.style.takes_back):
                self._take_back(player, card)
            landed = self._lay_down(player, card)
        stage.mark("play", landed, player=int(player), card=str(card))
        if stage.chance(self.style.straightens):
            self._straighten(player, card)
        self.trick.append(str(card))
        if self.owed is not None:
            self._draw(self.owed, last=False)
            self.owed = None

    def _snatch(self, player: Player, card: Card) -> None:
        """Answer, and take the trick in the same motion."""
        self._think(player)
        spot = self._spot(player)
        self.trick.append(str(card))
        landed = self.stage.snatch(player, str(card), spot, self._to_pile(player))
        self.stage.mark("play", landed, player=int(player), card=str(card))
        self._has_gathered(player)

    def _lay_down(self, player: Player, card: Card) -> float:
        """Play a card; returns when it lies there."""
        stage, pose = self.stage, self._spot(player)
        if not stage.chance(self.style.slides):
            return stage.carry(player, [(str(card), pose, stage.next_layer())])
        layer, y = stage.next_layer(), stage.inside(player, stage.between(50, 75))
        stage.carry(player, [(str(card), replace(pose, y_mm=y, z_mm=0.0), layer)])
        return stage.shift(player, [(str(card), pose, layer)], joined=False, late=False, slowly=True)

    def _take_back(self, player: Player, card: Card) -> None:
        """Lay another card than the one that is played, and take it back; no marriage seems to be shown."""
        stage, hands = self.stage, self.before.hands
        others = [each for each in (hands[player] if hands else ()) if each != card]
        others = sorted((each for each in others if card.partner != each), key=str)
        if not others:
            return
        other = str(others[int(stage.rng.integers(len(others)))])
        stage.carry(player, [(other, self._spot(player), stage.next_layer())])
        stage.wait(0.3, 2.0)
        stage.fetch(player, other, face_up=bool(stage.rng.random() < 0.5))
        stage.wait(0.3, 1.5)

    def _straighten(self, player: Player, card: Card) -> None:
        """Push a card that lies there a little, and turn it."""
        stage = self.stage
        stage.wait(0.1, 0.8)
        lying = stage.lying[str(card)]
        pose = moved(lying.pose, stage.between(-14, 14), stage.between(-14, 14), stage.between(-0.6, 0.6))
        stage.shift(player, [(str(card), pose, lying.layer)], joined=False, late=False)

    def _spot(self, player: Player) -> Pose:
        """Where a player's next card goes."""
        stage, style = self.stage, self.style
        toward = 1 if player is Player.SOUTH else -1
        turned = 0.0 if player is Player.SOUTH else math.pi
        middle = (stage.view.north_mm + stage.view.south_mm) / 2
        angle = (
            turned + float(stage.rng.normal(0, style.slope)) + (math.pi if stage.rng.random() < 0.3 else 0.0)
        )
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
        moves = self._to_pile(winner)
        hand = winner.other if stage.rng.random() < style.helpful else winner
        if stage.chance(style.one_by_one):
            for move in moves:
                stage.shift(hand, [move], joined=False, late=style.flip_late)
        else:
            stage.shift(hand, moves, joined=True, late=style.flip_late)
        if style.pile_inset_mm > 0 and stage.chance(style.looks_back):
            self._look_back(winner, moves)
        self._has_gathered(hand)

    def _to_pile(self, winner: Player) -> list[tuple[str, Pose, float]]:
        """Where the cards of the trick go."""
        stage, style = self.stage, self.style
        edge = stage.inside(winner, style.pile_inset_mm)
        x = style.pile_side(winner) * style.pile_x * stage.view.half_width_mm
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
        return moves

    def _has_gathered(self, hand: Player) -> None:
        """The trick is gone, and the button that lay beside it with it."""
        self.trick = []
        if self.button is not None:
            self.stage.fetch(hand, self.button, face_up=True)
            self.button = None

    def _look_back(self, player: Player, pile: Sequence[tuple[str, Pose, float]]) -> None:
        """The trick that was taken last is turned up beside the pile, and down again."""
        stage = self.stage
        stage.wait(0.3, 1.0)
        inward = -45.0 if player is Player.SOUTH else 45.0
        shown = [
            (
                name,
                replace(moved(pose, 45.0 * place * self.style.stock_side, inward, 0.0), face_up=True),
                stage.next_layer(),
            )
            for place, (name, pose, _) in enumerate(pile, start=1)
        ]
        stage.shift(player, shown, joined=False, late=False)
        stage.wait(0.6, 2.0)
        stage.shift(player, pile, joined=True, late=False)

    def _shove(self, player: Player) -> None:
        """Push the stock a little, and what lies under it."""
        stage = self.stage
        way, far = stage.between(0, 2 * math.pi), stage.between(*_SHOVED_MM)
        dx, dy = far * math.cos(way), 0.5 * far * math.sin(way)
        self.stock_pose, self.turn_up_pose = (
            moved(pose, dx, dy, 0.0) for pose in (self.stock_pose, self.turn_up_pose)
        )
        under = [(str(self.turn_up), self.turn_up_pose, 0.0)]
        stage.shift(player, [*under, (STOCK, self.stock_pose, LAYER_STOCK)], joined=False, late=False)

    def _draw_both(self, winner: Player, following: Event | None) -> None:
        """Let both draw after a trick, the winner first."""
        stage, style = self.stage, self.style
        serves = stage.chance(style.serves)
        self._draw(winner, last=False)
        leads = isinstance(following, CardPlayed) and self.state.stock_left > 0
        if leads and stage.chance(style.draws_late):
            self.owed = winner.other
            return
        self._draw(winner if serves else winner.other, last=self.state.stock_left == 0)
        if self.state.stock_left and stage.chance(style.shoves):
            self._shove(winner.other)

    def _draw(self, player: Player, last: bool) -> None:
        stage = self.stage
        stage.wait(0.15, 0.7)
        if last:
            stage.fetch(player, str(self.turn_up), face_up=bool(stage.rng.random() < 0.6))
            return
        left = stage.counts[-1][1]
        name = stage.hidden_name()
        height = self.stock_pose.z_mm + (left - 1) * CARD_MM
        pose = replace(self.stock_pose, z_mm=height)
        stage.lying[name] = Lying(pose, _ON_STOCK)
        stage.fetch(player, name, face_up=False, count=left - 1)
        if left == 1:
            stage.lying.pop(STOCK, None)


def _fields(event: Event) -> dict[str, Any]:
    """The event as a timeline entry, but for its time."""
    data = event_to_json(event)
    return {"kind": data.pop("type"), **data}
