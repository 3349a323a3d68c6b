"""How a hand begins on the table: the pack is cut, hands are dealt, a card is turned up under the stock."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence, Set
from dataclasses import replace

from companion.rules.cards import Card, Player
from companion.rules.ruleset import RuleSet
from companion.synth.script import CARD_MM, LAYER_STOCK, STOCK, Journey, Pose
from companion.synth.stage import Stage, moved

__all__ = [
    "cut",
    "deal_out",
    "lay_packet",
    "lay_second_pack",
    "mix",
    "mix_there",
    "shuffle",
    "square_up",
    "stock_places",
]

_PACKET_INSET_MM = (35.0, 75.0)
_CUT_MM = 3.0
"""Thickness of each half of the pack once it is cut."""
_STICKS_OUT_MM, _TUCKED_MM = (38.0, 52.0), (10.0, 16.0)
"""How far the middles of the turn-up and of the stock upon it are apart."""
_APART_MM = (78.0, 95.0)
"""The same where the turn-up lies beside the stock."""
_SECOND_PACK = 20
_MIXED_UP = (0, 7)
"""Least cards that lie face up when the pack is mixed on the table, and one more than most."""
_LIES_OPEN = 0.2
"""Probability that a pack lies face up until it is shuffled."""
_TALKS = 0.2
"""Probability that whoever has turned a card over upon the stock leaves it there for a while."""
_DEALT_FIRST = 3
"""Cards that each player gets before one is turned up; the others come after (clause 1.3)."""


def stock_places(stage: Stage) -> tuple[Pose, Pose]:
    """Where the stock will lie, and the turn-up, which sticks out from under it."""
    style = stage.style
    x = style.stock_side * style.stock_x * stage.view.half_width_mm + stage.between(-8, 8)
    y = style.stock_y + stage.between(-8, 8) + (stage.view.north_mm + stage.view.south_mm) / 2
    angle = style.stock_angle + stage.between(-0.08, 0.08)
    out = _TUCKED_MM if stage.chance(style.tucks) else _STICKS_OUT_MM
    out = _APART_MM if stage.chance(style.lies_apart) else out
    shift = style.turn_up_way * stage.between(*out)
    turn_up = Pose(
        x + math.cos(angle) * shift,
        y + math.sin(angle) * shift,
        angle + math.pi / 2 * int(stage.rng.choice([-1, 1])) + stage.between(-0.1, 0.1),
    )
    return Pose(x, y, angle, CARD_MM, face_up=False), turn_up


def cut(stage: Stage, dealer: Player, shown: Card | None = None) -> None:
    """The dealer puts the shuffled pack down, the other lifts a part of it off, the dealer takes both.

    Args:
        stage: The table.
        dealer: Who shuffles.
        shown: The card that the other lays down face up, with the part that was lifted off under it.
    """
    lower, upper = stage.hidden_name(), stage.hidden_name()
    x, y = stage.style.trick_x + stage.between(-60, 60), stage.between(-20, 20)
    angle = stage.between(-0.4, 0.4)
    there = Pose(x, y, angle, _CUT_MM, face_up=False)
    on_top = replace(there, z_mm=2 * _CUT_MM)
    beside = moved(there, stage.between(70, 95) * int(stage.rng.choice([-1, 1])), 0.0, 0.1)
    layers = stage.next_layer(), stage.next_layer()
    stage.carry(dealer, [(lower, there, layers[0]), (upper, on_top, layers[1])])
    stage.wait(0.3, 1.2)
    if shown is not None:
        stage.fetch(dealer.other, upper, face_up=False)
        stage.carry(dealer.other, [(str(shown), replace(beside, face_up=True), stage.next_layer())])
        stage.wait(0.3, 2.0)
        stage.fetch(dealer, lower, str(shown), face_up=False)
        stage.wait(0.5, 1.5)
        return
    stage.shift(dealer.other, [(upper, beside, layers[1])], joined=False, late=False)
    stage.wait(0.2, 0.8)
    stage.fetch(dealer, lower, upper, face_up=False)
    stage.wait(0.5, 1.5)


def mix(stage: Stage, player: Player, pack: Sequence[Card]) -> None:
    """Somebody lays the pack down and mixes it on the table, before it is dealt."""
    names = [str(pack[place]) for place in stage.rng.permutation(len(pack))]
    up = set(names[: int(stage.rng.integers(*_MIXED_UP))])
    stage.wait(0.5, 1.5)
    stage.carry(player, _anywhere(stage, names, up))
    _mix(stage, player, names, up)


def mix_there(stage: Stage, player: Player, held: Sequence[Card]) -> None:
    """After a hand all that lies there is mixed on the table; `held` is what has not been played."""
    names, up = _all_that_lies(stage)
    _move(stage, player, names, _anywhere(stage, names, up))
    if held:
        stage.carry(player, _anywhere(stage, [str(card) for card in held], ()))
        names += [str(card) for card in held]
    _mix(stage, player, names, up)


def square_up(stage: Stage, player: Player, held: Sequence[Card]) -> None:
    """After a hand all cards are gathered into a pack, which lies there until somebody takes it."""
    names, _ = _all_that_lies(stage)
    x, y = stage.style.trick_x + stage.between(-150, 150), stage.between(-70, 70)
    face_up = bool(stage.rng.random() < _LIES_OPEN)
    _move(stage, player, names, _heap(stage, names, (x, y), face_up=face_up))
    if held:
        rest = [str(card) for card in held]
        stage.carry(player, _heap(stage, rest, (x, y), face_up=face_up, upon=len(names)))
        names += rest
    stage.wait(1.0, 12.0)
    stage.fetch(player, *names, face_up=face_up)


def shuffle(stage: Stage, dealer: Player) -> None:
    """The dealer shuffles over the table, in the hands."""
    stage.shuffle(dealer, stage.hidden_name(), stage.hidden_name())
    stage.wait(0.3, 1.5)


def _all_that_lies(stage: Stage) -> tuple[list[str], set[str]]:
    """Name all single cards on the table, those of the stock last, and which of them lie face up."""
    names = [name for name in stage.lying if name != STOCK]
    up = {name for name in names if stage.lying[name].pose.face_up}
    if STOCK in stage.lying:
        names += [stage.hidden_name() for _ in range(stage.counts[-1][1])]
    return names, up


def _move(
    stage: Stage, player: Player, names: Sequence[str], moves: Sequence[tuple[str, Pose, float]]
) -> None:
    """Move cards of which those that do not lie there by name have lain in the stock."""
    single = [name for name in names if name not in stage.lying]
    if single:
        stage.take_apart(player, single, moves)
    else:
        stage.shift(player, moves, joined=False, late=False)


def _mix(stage: Stage, player: Player, names: Sequence[str], up: Set[str]) -> None:
    """Push cards about, turn down those that lie open (`up`), and take all up."""
    for _ in range(int(stage.rng.integers(2, 5))):
        stage.wait(0.1, 0.8)
        up = {name for name in up if stage.rng.random() < 0.5}
        stage.shift(player, _anywhere(stage, names, up), joined=False, late=False)
    stage.wait(0.1, 0.8)
    x, y = stage.style.trick_x + stage.between(-60, 60), stage.between(-20, 20)
    stage.shift(player, _heap(stage, names, (x, y), face_up=False), joined=False, late=False)
    stage.wait(0.1, 0.5)
    stage.fetch(player, *names, face_up=False)


def _heap(
    stage: Stage, names: Sequence[str], place: tuple[float, float], *, face_up: bool, upon: int = 0
) -> list[tuple[str, Pose, float]]:
    """Places upon each other for cards, `upon` others."""
    x, y = place
    return [
        (name, Pose(x, y, stage.between(-0.1, 0.1), height * CARD_MM, face_up), stage.next_layer())
        for height, name in enumerate(names, start=upon)
    ]


def _anywhere(stage: Stage, names: Sequence[str], up: Container[str]) -> list[tuple[str, Pose, float]]:
    """Places for all cards of a pack in the middle of the table, `up` of them face up."""
    return [
        (
            name,
            Pose(
                stage.style.trick_x + float(stage.rng.normal(0, 70)),
                float(stage.rng.normal(0, 40)),
                stage.between(-math.pi, math.pi),
                place * CARD_MM,
                face_up=name in up,
            ),
            stage.next_layer(),
        )
        for place, name in enumerate(names)
    ]


def lay_packet(stage: Stage, hand: Player, count: int, place: Pose) -> list[str]:
    """Lay cards face down in one place; returns what they are called."""
    names = [stage.hidden_name() for _ in range(count)]
    laid = [
        (
            name,
            moved(place, stage.between(-8, 8), stage.between(-8, 8), stage.between(-0.25, 0.25)),
            stage.next_layer(),
        )
        for name in names
    ]
    stage.carry(hand, laid)
    stage.wait(0.1, 0.4)
    return names


def lay_second_pack(stage: Stage) -> None:
    """A pack that nobody plays with lies in a corner on the stock's side, face down, all evening."""
    style = stage.style
    free = [player for player in Player if style.pile_side(player) != style.stock_side]
    player = free[int(stage.rng.integers(len(free)))]
    x = style.stock_side * stage.between(0.75, 0.9) * stage.view.half_width_mm
    place = Pose(x, stage.inside(player, stage.between(25, 50)), stage.between(-0.4, 0.4), face_up=False)
    for height in range(_SECOND_PACK):
        pose = replace(
            moved(place, stage.between(-1, 1), stage.between(-1, 1), stage.between(-0.02, 0.02)),
            z_mm=height * CARD_MM,
        )
        stage.journeys.append(Journey(stage.hidden_name(), ((0.0, pose),), stage.next_layer()))


def deal_out(
    stage: Stage,
    rules: RuleSet,
    dealer: Player,
    turn_up: tuple[Card, Pose],
    stock: Pose,
    exposed: Card | None = None,
) -> None:
    """Deal, as the players of this table do: in packets that are taken up, or out of sight.

    Args:
        stage: The table.
        rules: How many cards there are.
        dealer: Whose hand lays all.
        turn_up: The card that is turned up, and where it goes.
        stock: Where the rest of the pack goes.
        exposed: The last card that the dealer's opponent gets, where that comes to lie face up.
    """
    upon_stock = stage.chance(stage.style.turned_on_stock)
    turned_last = upon_stock or stage.chance(stage.style.turned_last)
    places = _places_of_packets(stage, dealer) if stage.style.packets else {}
    dealt = {player: lay_packet(stage, dealer, _DEALT_FIRST, place) for player, place in places.items()}
    if not turned_last:
        _turn_up(stage, dealer, turn_up)
    for player, place in places.items():
        dealt[player] += lay_packet(stage, dealer, int(rules.hand_size) - _DEALT_FIRST, place)
    if exposed is not None and places:
        player = dealer.other
        place = moved(places[player], stage.between(-25, 25), stage.between(-10, 10), 0.2)
        stage.carry(dealer, [(str(exposed), replace(place, face_up=True), stage.next_layer())])
        stage.wait(0.2, 2.0)
        dealt[player].append(str(exposed))
    _lay_stock(stage, rules, dealer, stock)
    if upon_stock:
        _turn_up_upon_stock(stage, dealer, turn_up)
    elif turned_last:
        _turn_up(stage, dealer, turn_up)
    if not places:
        return
    for player in sorted(places, reverse=bool(stage.rng.random() < 0.5)):
        stage.fetch(player, *dealt[player], face_up=False)
        stage.wait(0.1, 0.8)


def _places_of_packets(stage: Stage, dealer: Player) -> Mapping[Player, Pose]:
    """Where the hands are dealt, that of the dealer's opponent first."""
    places = {}
    for player in (dealer.other, dealer):
        y = stage.inside(player, stage.between(*_PACKET_INSET_MM))
        x = stage.style.trick_x + stage.between(-60, 60)
        places[player] = Pose(x, y, stage.between(-0.3, 0.3), CARD_MM, face_up=False)
    return places


def _turn_up(stage: Stage, dealer: Player, turn_up: tuple[Card, Pose]) -> None:
    card, pose = turn_up
    if stage.style.dealt == "at_once":
        stage.lay(str(card), pose, 0.0)
    else:
        stage.carry(dealer, [(str(card), pose, 0.0)])
        stage.wait(0.3, 1.0)


def _turn_up_upon_stock(stage: Stage, dealer: Player, turn_up: tuple[Card, Pose]) -> None:
    """Turn over the upmost card of the stock where it lies, and put it under the others."""
    card, pose = turn_up
    top = stage.in_stock(stage.counts[-1][1])
    stage.lying[str(card)] = top
    upon = replace(moved(top.pose, stage.between(-6, 6), stage.between(-6, 6), 0.0), face_up=True)
    stage.shift(dealer, [(str(card), upon, stage.next_layer())], joined=False, late=True)
    stage.wait(0.2, 1.5)
    if stage.rng.random() < _TALKS:
        stage.wait(4.0, 12.0)
    stage.shift(dealer, [(str(card), pose, 0.0)], joined=False, late=False)
    stage.wait(0.3, 1.0)


def _lay_stock(stage: Stage, rules: RuleSet, dealer: Player, pose: Pose) -> None:
    stage.counts.append((stage.now, int(rules.stock_size) - 1))
    if stage.style.dealt == "at_once":
        stage.lay(STOCK, pose, LAYER_STOCK)
    else:
        stage.carry(dealer, [(STOCK, pose, LAYER_STOCK)], rest_s=0.1)
