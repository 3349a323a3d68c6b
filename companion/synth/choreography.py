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
from companion.rules.hand import HandState, apply, check, deal
from companion.rules.record import Record
from companion.synth.button import button_name
from companion.synth.dealing import (
    cut,
    deal_out,
    lay_packet,
    lay_second_pack,
    mix,
    mix_there,
    shuffle,
    square_up,
)
from companion.synth.reckoning import count, lay_open
from companion.synth.script import CARD_MM, Pose, Script
from companion.synth.stage import Stage, moved
from companion.synth.stock import Stock
from companion.synth.style import Style, View
from companion.synth.tricks import Tricks

__all__ = ["ScriptError", "choreograph"]

_SHUFFLED_S, _KEPT_S = (4.0, 9.0), (1.0, 5.0)
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
    if stage.chance(stage.style.second_pack):
        lay_second_pack(stage)
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
        self.shown: Card | None = None
        self.partner: Card | None = None
        self.resting: dict[Player, list[str]] = {}
        """Hands that lie face down on the table, in one packet each."""
        self.owed: list[tuple[Player, Card | None]] = []
        """Who has yet to draw, and what."""
        self.stock, self.tricks = Stock(stage, record.turned_up), Tricks(stage)
        self.reckoned = False

    def tell(self) -> None:
        stage = self.stage
        if stage.timeline:
            if stage.chance(self.style.mixes):
                mix(stage, self.record.dealer, self.record.rules.pack)
            stage.wait(*_SHUFFLED_S)
        if stage.chance(self.style.deals_twice):
            self._deal_in_vain()
        self._deal(self.stock)
        stage.mark("deal", turned_up=str(self.stock.turn_up))
        self._hold()
        stage.wait(0.5, 1.2)
        events = self.record.events
        for index, event in enumerate(events):
            self.before = self.state
            self.state = apply(self.state, event)
            self._show(event, events[index + 1 :])
        if not self.reckoned:
            self._reckon()
        if stage.chance(self.style.turns_over):
            self.stock.turn_over(Player(int(stage.rng.integers(2))), (self.state.stock or ())[:-1])
        for player in Player:
            stage.hold(player, ())
        stage.wait(0.8, 1.8)
        held = [card for player in Player if player not in self.resting for card in self._rest_of(player)]
        if stage.chance(self.style.mixes_there):
            mix_there(stage, self.record.dealer.other, held)
        elif stage.chance(self.style.squares):
            square_up(stage, self.record.dealer.other, held)
        else:
            stage.sweep(Player(int(stage.rng.integers(2))))
        stage.mark("cleared")
        stage.counts.append((stage.now, 0))
        stage.wait(0.8, 1.5)

    def _deal(self, stock: Stock) -> None:
        stage, dealer = self.stage, self.record.dealer
        if stage.chance(self.style.shuffles):
            shuffle(stage, dealer)
        if self.style.cut:
            others = [card for card in self.record.rules.pack if card != stock.turn_up]
            cut(stage, dealer, self._one_of(others) if stage.chance(self.style.shows_cut) else None)
        turn_up = stock.turn_up, stock.turn_up_pose
        hand = sorted(self.state.hands[dealer.other], key=str) if self.state.hands else []
        exposed = self._one_of(hand) if hand and stage.chance(self.style.exposes) else None
        deal_out(stage, self.record.rules, dealer, turn_up, stock.pose, exposed)

    def _deal_in_vain(self) -> None:
        """Something was wrong with the deal: all is gathered in again, and shuffled."""
        stage, pack = self.stage, self.record.rules.pack
        wrong = Stock(stage, pack[int(stage.rng.integers(len(pack)))])
        self._deal(wrong)
        stage.wait(1.0, 6.0)
        stage.sweep(self.record.dealer)
        stage.counts.append((stage.now, 0))
        stage.wait(*_SHUFFLED_S)

    def _show(self, event: Event, rest: Sequence[Event]) -> None:
        stage = self.stage
        match event:
            case Exchanged(player):
                self._think(player, 0.6)
                self.stock.exchange(player, Card(self.state.rules.lowest_trump, self.stock.turn_up.suit))
            case MarriageDeclared(player, suit):
                self._think(player)
                self._marriage(player, suit, rest)
            case Closed(player):
                self._think(player, 0.6)
                self.stock.close(player)
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
        if not self.tricks.now.cards:
            if stage.chance(self.style.spreads):
                self.stock.spread(player)
            if stage.chance(self.style.lifts_stock):
                self.stock.lift(player)
            if self.state.stock_left and stage.chance(self.style.reopens):
                self.stock.close_and_reopen(player)
            if stage.chance(self.style.peeks):
                self.stock.peek(Player(int(stage.rng.integers(2))))
        elif stage.chance(self.style.looks_later):
            self.tricks.look_again()
        if stage.chance(self.style.drops):
            self._drop(Player(int(stage.rng.integers(2))))
        if stage.chance(self.style.looks_on):
            stage.point()
        if player.other not in self.resting and stage.chance(self.style.rests):
            self._rest(player.other)
        if stage.rng.random() < self.style.fidget:
            stage.wait(0.2, 0.8)
            stage.fidget(player)
        low, high = self.style.think_s
        stage.wait(low * share, high * share)

    def _drop(self, player: Player) -> None:
        """Let a card fall from a hand near its player, who takes it up again."""
        stage, held = self.stage, self._held(player, but=None)
        if not held or player in self.resting:
            return
        card = self._one_of(held)
        x, y = self.style.trick_x + stage.between(-140, 140), stage.inside(player, stage.between(35, 80))
        stage.carry(player, [(str(card), Pose(x, y, stage.between(-3, 3), CARD_MM), stage.next_layer())])
        stage.wait(0.1, 1.0)
        stage.fetch(player, str(card), face_up=bool(stage.rng.random() < 0.5))

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
            self._lay_open_rest(winner)
        if stage.chance(self.style.loser_shows):
            self._lay_open_rest(winner.other)
        elif stage.chance(self.style.throws_in):
            self._throw_in(winner.other)
        elif stage.chance(self.style.throws_open):
            for player in (winner.other, winner):
                self._throw_open(player)
        won = [str(card) for trick in state.tricks if trick.winner is winner for card in trick.cards]
        if won and stage.chance(self.style.counts):
            count(stage, winner, won)

    def _throw_in(self, player: Player) -> None:
        """Give the hand up: what is left of it goes face down on the table."""
        stage = self.stage
        left = self._rest_of(player)
        self._take_up(player)
        stage.hold(player, ())
        if left:
            stage.wait(0.3, 1.5)
            x, y = self.style.trick_x + stage.between(-60, 60), stage.between(-40, 40)
            place = Pose(x, y, stage.between(-0.6, 0.6), CARD_MM, face_up=False)
            self.resting[player] = lay_packet(stage, player, len(left), place)

    def _throw_open(self, player: Player) -> None:
        """Throw what is left in a hand face up upon the middle, in one motion."""
        stage = self.stage
        self._take_up(player)
        left = [str(card) for card in self._rest_of(player)]
        if not left:
            return
        x, y = self.style.trick_x + stage.between(-40, 40), stage.between(-30, 30)
        heap, angle = [], stage.between(-3, 3)
        for place, name in enumerate(left):
            pose = Pose(
                x + stage.between(-25, 25),
                y + stage.between(-15, 15),
                angle + stage.between(-0.3, 0.3),
                CARD_MM * place,
            )
            heap.append((name, pose, stage.next_layer()))
        stage.carry(player, heap)
        stage.wait(0.1, 1.0)

    def _lay_open_rest(self, player: Player) -> None:
        self._lay_open(player, self._rest_of(player))

    def _rest_of(self, player: Player) -> list[Card]:
        """What a player still has in the hand, and has not laid down."""
        left = sorted(self.state.hands[player] if self.state.hands else (), key=str)
        return [card for card in left if str(card) not in self.stage.lying]

    def _marriage(self, player: Player, suit: Suit, rest: Sequence[Event]) -> None:
        stage = self.stage
        pair = [Card(Rank.KING, suit), Card(Rank.QUEEN, suit)]
        lead = next((e.card for e in rest if isinstance(e, CardPlayed)), None) or pair[0]
        if lead not in pair:
            lead = pair[0]
        partner = pair[1 - pair.index(lead)]
        centre = self.tricks.spot(player)
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
            self.tricks.now.button = button_name(40 if suit is self.stock.turn_up.suit else 20)
            cards[1] = (self.tricks.now.button, other, stage.next_layer())
            landed = stage.carry(player, cards)
            self.partner, self._resume, stage.now = None, stage.now, landed
            return
        if stage.chance(self.style.shows_after):
            stage.carry(player, cards[:1])
            stage.wait(0.2, 1.5)
            cards = cards[1:]
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

    def _play(self, player: Player, card: Card | None, rest: Sequence[Event]) -> None:
        stage, style, before = self.stage, self.style, self.before
        if card is None:
            raise ScriptError("a play of the record is not named")
        answers = before.led is not None
        winner = self.state.tricks[-1].winner if answers else None
        if answers and winner is None:
            raise ScriptError("a trick's winner is not known")
        snatched = winner is player and stage.chance(style.snatches)
        if snatched:
            self._think(player)
            stage.mark("play", self.tricks.snatch(player, str(card)), player=int(player), card=str(card))
        else:
            self._lay(player, card)
        if winner is None:
            return
        following = rest[0] if rest else None
        if isinstance(following, Claimed) and not snatched and stage.chance(style.leaves_last):
            return
        draws = before.stock_left > self.state.stock_left
        draws &= not (isinstance(following, Closed) and following.before_draw)
        waits = draws and not snatched and stage.chance(style.draws_first)
        if not (snatched or waits):
            if isinstance(following, CardPlayed) and stage.chance(style.puts_by):
                self.tricks.put_by(winner)
            elif isinstance(following, CardPlayed) and stage.chance(style.lets_lie):
                self.tricks.let_lie(winner)
            else:
                self.tricks.gather(winner)
                self.tricks.take_by()
        if draws and (waits or not isinstance(following, Claimed) or stage.rng.random() >= 0.5):
            self._draw_both(winner, following)
        if waits:
            self.tricks.gather(winner)

    def _lay(self, player: Player, card: Card) -> None:
        """Play a card, with whatever its player does before and after."""
        stage = self.stage
        if self.shown == card:
            stage.now = max(stage.now, self._resume)
            back, self.partner, self.shown = self.partner, None, None
            self.tricks.now.announced = str(card)
            if back is not None and stage.chance(self.style.both_back):
                stage.wait(0.6, 1.6)
                stage.fetch(player, str(card), str(back), face_up=bool(stage.rng.random() < 0.5))
                self._think(player, 0.3)
                landed = self._lay_down(player, card)
            else:
                if back is not None and stage.chance(self.style.stays_shown):
                    self.tricks.now.shown = player, str(back)
                elif back is not None:
                    stage.wait(0.6, 1.6)
                    stage.fetch(player, str(back), face_up=bool(stage.rng.random() < 0.5))
                landed = stage.now
        else:
            if self.before.tricks and not self.tricks.now.cards and stage.chance(self.style.out_of_turn):
                self._lay_and_take_back(player.other)
            self._think(player)
            if not self.tricks.now.cards and stage.chance(self.style.plays_anew):
                self._play_in_vain(player, card)
            if stage.chance(self.style.takes_back):
                self._lay_and_take_back(player, but=card)
            if self.tricks.now.cards and stage.chance(self.style.replays):
                self._answer_wrongly(player, card)
            stuck = not self.tricks.now.cards and stage.chance(self.style.sticks)
            landed = self._lay_with_another(player, card) if stuck else self._lay_down(player, card)
        if self.tricks.now.cards and stage.chance(self.style.nudges):
            stage.nudge(self.tricks.now.cards[0], landed)
        stage.mark("play", landed, player=int(player), card=str(card))
        if stage.chance(self.style.straightens):
            self._straighten(player, card)
        self.tricks.now.cards.append(str(card))
        self.tricks.gather_left()
        for each, drawn in self.owed:
            self.stock.draw(each, drawn)
        self.owed = []

    def _lay_down(self, player: Player, card: Card) -> float:
        """Play a card; returns when it lies there."""
        stage, pose = self.stage, self.tricks.spot(player)
        if stage.chance(self.style.lands_down):
            first = replace(pose, face_up=False)
        elif stage.chance(self.style.slides):
            first = replace(pose, y_mm=stage.inside(player, stage.between(50, 75)), z_mm=0.0)
        else:
            rest_s = stage.between(*_KEPT_S) if stage.chance(self.style.keeps_hand) else 0.0
            return stage.carry(player, [(str(card), pose, stage.next_layer())], rest_s=rest_s)
        layer, slides = stage.next_layer(), first.face_up
        stage.carry(player, [(str(card), first, layer)])
        if not slides:
            stage.wait(0.1, 0.6)
        return stage.shift(player, [(str(card), pose, layer)], joined=False, late=False, slowly=slides)

    def _lay_and_take_back(self, player: Player, but: Card | None = None) -> None:
        """Lay a card that is not to be played, and take it back; no marriage seems to be shown."""
        stage, hands = self.stage, self.before.hands
        others = [each for each in (hands[player] if hands else ()) if each != but]
        others = sorted((each for each in others if but is None or but.partner != each), key=str)
        if not others:
            return
        other = others[int(stage.rng.integers(len(others)))]
        stage.carry(player, [(str(other), self.tricks.spot(player), stage.next_layer())])
        stage.wait(0.3, 2.0)
        self._take_back(player, other)

    def _take_back(self, player: Player, card: Card) -> None:
        """Take a card that lies there into the hand again, and think of another."""
        self.stage.fetch(player, str(card), face_up=bool(self.stage.rng.random() < 0.5))
        self.stage.wait(0.3, 1.5)

    def _play_in_vain(self, player: Player, card: Card) -> None:
        """Lay both cards of a trick that is none, and take them back; no marriage seems to be shown."""
        stage = self.stage
        mine, theirs = self._held(player, but=card), self._held(player.other, but=None)
        if not mine or not theirs:
            return
        pair = [(player, self._one_of(mine)), (player.other, self._one_of(theirs))]
        for who, what in pair:
            stage.carry(who, [(str(what), self.tricks.spot(who), stage.next_layer())])
            self.tricks.now.cards.append(str(what))
            self._think(player.other, 0.5)
        self.tricks.now.cards.clear()
        stage.wait(0.3, 2.0)
        if stage.rng.random() < 0.5:
            pair.reverse()
        for who, what in pair:
            stage.fetch(who, str(what), face_up=bool(stage.rng.random() < 0.5))
            stage.wait(0.1, 0.6)
        stage.wait(0.3, 1.0)

    def _lay_with_another(self, player: Player, card: Card) -> float:
        """Lead a card to which another sticks, which is taken back; returns when they lie there."""
        stage, pose = self.stage, self.tricks.spot(player)
        cards = [(str(card), pose, stage.next_layer())]
        others = self._held(player, but=card)
        if not others:
            return stage.carry(player, cards)
        other = self._one_of(others)
        aside = stage.between(20, 50) * (1 if stage.rng.random() < 0.5 else -1)
        beside = moved(pose, aside, stage.between(-15, 15), stage.between(-0.5, 0.5))
        landed = stage.carry(player, [*cards, (str(other), beside, stage.next_layer())])
        stage.wait(0.2, 1.5)
        stage.fetch(player, str(other), face_up=bool(stage.rng.random() < 0.5))
        return landed

    def _held(self, player: Player, but: Card | None) -> list[Card]:
        """The cards in a hand that are neither `but` nor its partner, nor lie on the table."""
        hands = self.before.hands
        held = (each for each in (hands[player] if hands else ()) if str(each) not in self.stage.lying)
        return sorted(
            (each for each in held if each != but and (but is None or but.partner != each)), key=str
        )

    def _one_of(self, cards: Sequence[Card]) -> Card:
        return cards[int(self.stage.rng.integers(len(cards)))]

    def _answer_wrongly(self, player: Player, card: Card) -> None:
        """Answer with what is not allowed, which is noted once the trick has been taken."""
        stage, before = self.stage, self.before
        held = sorted(before.hands[player] if before.hands else (), key=str)
        wrong = [
            each for each in held if each != card and check(before, CardPlayed(player, each)) is not None
        ]
        if not wrong:
            return
        answer = wrong[int(stage.rng.integers(len(wrong)))]
        winner = apply(before, CardPlayed(player, answer)).tricks[-1].winner
        self._lay_down(player, answer)
        if winner is not None:
            self.tricks.now.cards.append(str(answer))
            self.tricks.gather_in_vain(winner)
            self.tricks.now.cards.pop()
        self._take_back(player, answer)

    def _straighten(self, player: Player, card: Card) -> None:
        """Push a card that lies there a little, and turn it."""
        stage = self.stage
        stage.wait(0.1, 0.8)
        lying = stage.lying[str(card)]
        pose = moved(lying.pose, stage.between(-14, 14), stage.between(-14, 14), stage.between(-0.6, 0.6))
        stage.shift(player, [(str(card), pose, lying.layer)], joined=False, late=False)

    def _draw_both(self, winner: Player, following: Event | None) -> None:
        """Let both draw after a trick, the winner first."""
        stage, style, left = self.stage, self.style, self.state.stock_left
        serves = stage.chance(style.serves)
        first, second = ((player, self._drawn(player)) for player in (winner, winner.other))
        leads = isinstance(following, CardPlayed) and left > 0
        holds_lead = isinstance(following, CardPlayed) and following.card != first[1]
        if leads and holds_lead and stage.chance(style.leads_early):
            self.owed = [first, second]
            return
        self.stock.draw(*first)
        if leads and stage.chance(style.draws_late):
            self.owed = [second]
            return
        if stage.chance(style.hands_over):
            self.stock.hand_over(winner, second[1])
        else:
            self.stock.draw(winner if serves else winner.other, second[1])
        if left and stage.chance(style.shoves):
            self.stock.shove(winner.other)

    def _drawn(self, player: Player) -> Card | None:
        """The card that a player draws after the trick that is complete now."""
        if self.before.hands is None or self.state.hands is None:
            return None
        return next(iter(self.state.hands[player] - self.before.hands[player]), None)


def _fields(event: Event) -> dict[str, Any]:
    """The event as a timeline entry, but for its time."""
    data = event_to_json(event)
    return {"kind": data.pop("type"), **data}
