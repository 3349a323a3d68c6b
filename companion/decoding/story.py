"""One story of a hand: what happened, in order, and which track showed it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Self

from companion.decoding.draws import Draws
from companion.decoding.likelihood import LOG_BREACH, LOG_PILE_OF_LOSER, LOG_UNREAD, Sight, side
from companion.rules.altered import altered
from companion.rules.cards import Card, Player
from companion.rules.events import (
    CardPlayed,
    Claimed,
    Closed,
    Dealt,
    Event,
    Exchanged,
    Knocked,
    MarriageDeclared,
)
from companion.rules.hand import HandState, ImpossibleEvent, apply, deal
from companion.rules.ruleset import RuleSet
from companion.table.entry import CAMERA

__all__ = ["SAME_MOMENT_S", "UNREAD", "Act", "Story", "Table"]

UNREAD = -1
"""Class index of a track that shows a card, but not which."""
MOST_REMEMBERED = 2048
"""Steps of the rules that are remembered; a piece of evidence asks for a few hundred."""

SAME_MOMENT_S = 0.35
"""Times closer together than this say nothing about what came first."""


@dataclass(frozen=True, slots=True)
class Act:
    """Something that happened.

    Attributes:
        event: What.
        time: When it was complete on the table, seconds.
        track: The track that shows it, or `None`.
        from_south: Probability that the hand that did it came from the south.
        prior: How usual this is, in nats.
        source: As in `Settled`.
        log_p: What it costs or gains a story that tells it, nats: `prior`, and from which side it came.
        told_as: What it tells and by which track, as few small numbers; equal where both are equal.
    """

    event: Event
    time: float
    track: int | None = None
    from_south: float = 0.5
    prior: float = 0.0
    source: str = CAMERA
    log_p: float = field(init=False, compare=False)
    told_as: tuple[object, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        """Work out once what every weighing of stories asks for."""
        log_p = self.prior
        told_as: tuple[object, ...] = (self.event, self.track)
        match self.event:
            case CardPlayed(player, card):
                log_p += side(self.from_south, player) if not self.told else 0.0
                index = UNREAD if card is None else card.index
                told_as = (int(player), index, self.track)
            case Exchanged(player) | MarriageDeclared(player):
                log_p += side(self.from_south, player) if not self.told else 0.0
            case _:
                pass
        object.__setattr__(self, "log_p", log_p)
        object.__setattr__(self, "told_as", told_as)

    @property
    def told(self) -> bool:
        """Whether a player said so, rather than the camera."""
        return self.source != CAMERA

    @property
    def unseen(self) -> bool:
        """Whether a card was played that no track shows."""
        return isinstance(self.event, CardPlayed) and self.track is None


@dataclass(frozen=True, slots=True)
class Table:
    """Which track is what, as far as the story goes.

    Attributes:
        turn_up: The face-up card under the stock.
        led: The lead of the current trick, or of the last one while `answer` is set.
        answer: The other card of the last complete trick.
        pair: King and queen of a marriage that both lie there, neither led yet.
        kept: The card of a marriage that was not led.
        thing: What came to lie where the turn-up lies, and is no card of the hand.
        mistaken: A card that somebody laid out of turn, and that is to be taken back.
        turned_over: The first card of a stock that somebody turned over.
        aside: The turn-up where it lies drawn out from under the stock, to be exchanged.
    """

    turn_up: int | None = None
    led: int | None = None
    answer: int | None = None
    pair: tuple[int, int] | None = None
    kept: int | None = None
    thing: int | None = None
    mistaken: int | None = None
    turned_over: int | None = None
    aside: int | None = None


@dataclass(frozen=True, eq=False)
class Story:
    """A hypothesis about a hand, never changed once made.

    Attributes:
        dealt: The deal as an act.
        acts: All that happened since, in order.
        states: The hand after the deal and after each act; one more than `acts`.
        readings: Track to index into `CLASSES` of the card it is taken for, or `UNREAD`.
        noise: Tracks that are no cards of the hand.
        passed: Faces that mean nothing any more, shown after the hand.
        shown: Faces that were laid open at the end of the hand; whoever does that plays no more.
        table: Which track is what.
        extra: Nats of what is no act: places, times, absences.
        absent: The part of `extra` that the missing turn-up has cost since it was seen last.
        displaced: The part that a thing has cost which lies where the turn-up lay.
        alone: The card of the last trick that has gone while the other lies there; `extra` has paid for that.
        piles: On whose sides a pile grew, by how many tricks had been taken then.
        draws: Whose hands came to the stock between the tricks.
        fixed: Log-probability of all but what the tracks look like, nats.
    """

    dealt: Act
    acts: tuple[Act, ...]
    states: tuple[HandState, ...]
    readings: Mapping[int, int] = field(default_factory=dict)
    noise: frozenset[int] = frozenset()
    passed: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()
    table: Table = field(default_factory=Table)
    extra: float = 0.0
    absent: float = 0.0
    displaced: float = 0.0
    alone: int | None = None
    piles: Mapping[int, frozenset[Player]] = field(default_factory=dict)
    draws: Draws = field(default_factory=Draws)
    fixed: float = field(init=False)

    def __post_init__(self) -> None:
        """Work out once what every weighing asks for."""
        fixed = self.extra + self.piled + self.drawn + LOG_BREACH * len(self.state.breaches)
        fixed += self.dealt.prior
        for act in self.acts:
            fixed += act.log_p
        object.__setattr__(self, "fixed", fixed)

    @classmethod
    def begin(cls, rules: RuleSet, dealt: Act) -> Self:
        """Start a story with the deal.

        Raises:
            ImpossibleEvent: The turned-up card is not of the pack.
            TypeError: The act is no deal.
        """
        if not isinstance(dealt.event, Dealt):
            raise TypeError(f"a story starts with Dealt, not {dealt.event}")
        card = dealt.event.turned_up
        state = _dealt(rules, dealt.event.dealer, card)
        readings: dict[int, int] = {}
        if dealt.track is not None:
            readings[dealt.track] = UNREAD if card is None else card.index
        return cls(dealt, (), (state,), readings, table=Table(turn_up=dealt.track))

    @property
    def state(self) -> HandState:
        """The hand as it stands in this story."""
        return self.states[-1]

    @property
    def piled(self) -> float:
        """What the piles say of who took the tricks, nats.

        Of one trick they say one thing, however many cards of a pile come into sight; if both seem to grow,
        nothing.
        """
        tricks = self.state.tricks
        return LOG_PILE_OF_LOSER * sum(
            sides == {winner.other}
            for taken, sides in self.piles.items()
            if taken <= len(tricks) and (winner := tricks[taken - 1].winner) is not None
        )

    def piling(self, player: Player) -> Story:
        """Return the story in which the pile of `player` grew after the latest trick."""
        taken = len(self.state.tricks)
        sides = self.piles.get(taken, frozenset()) | {player}
        return altered(self, piles={**self.piles, taken: sides})

    @property
    def drawn(self) -> float:
        """What hands at the stock say of whether it was closed, nats."""
        return self.draws.log_p(self.state)

    @property
    def chain(self) -> tuple[Act, ...]:
        """The deal and all acts."""
        return (self.dealt, *self.acts)

    @property
    def knows(self) -> frozenset[int]:
        """Tracks that this story has explained."""
        return self.noise | self.passed | self.shown | self.readings.keys()

    def log_p(self, sights: Mapping[int, Sight]) -> float:
        """Log-probability, up to a constant that all stories of the same tracks share."""
        total = self.fixed
        for track, index in self.readings.items():
            if index < 0:
                total += LOG_UNREAD
            elif (sight := sights.get(track)) is not None:
                total += sight.log_p[index]
        for track in self.noise:
            if (sight := sights.get(track)) is not None:
                total += sight.noise
        return total

    def ceiling(self, sights: Mapping[int, Sight]) -> float:
        """What the story can weigh at most with the same readings, whoever did what and took the tricks."""
        sides = sum(act.log_p - act.prior for act in self.acts)
        return self.log_p(sights) - self.piled - self.drawn - LOG_BREACH * len(self.state.breaches) - sides

    def then(
        self, act: Act, *, index: int | None = None, table: Table | None = None, extra: float = 0.0
    ) -> Story | None:
        """Return the story with one more act, or `None` where it cannot have happened.

        Args:
            act: What happened.
            index: Class of the act's track, where it shows a card.
            table: The table afterwards; unchanged without.
            extra: Nats to add.
        """
        state = _after(_Same(self.state), act.event)
        if state is None:
            return None
        readings = self.readings
        if act.track is not None and index is not None:
            readings = {**readings, act.track: index}
        return altered(
            self,
            acts=(*self.acts, act),
            states=(*self.states, state),
            readings=readings,
            table=table if table is not None else self.table,
            extra=self.extra + extra,
        )

    def refolded(
        self, acts: Sequence[Act], dealt: Act | None = None, readings: Mapping[int, int] | None = None
    ) -> Story | None:
        """Return the story with other acts, players worked out anew, or `None` if impossible.

        Whose turn it was follows from the tricks, so a card and an act of the camera go to the player
        whose turn it is now; what players said stays theirs.

        Args:
            acts: All since the deal.
            dealt: Another deal.
            readings: Other readings; without, only the turn-up of another deal is read otherwise.
        """
        dealt = dealt or self.dealt
        if not isinstance(dealt.event, Dealt):
            return None
        same = 0
        if dealt is self.dealt:
            while same < min(len(acts), len(self.acts)) and acts[same] is self.acts[same]:
                same += 1
            states = list(self.states[: same + 1])
        else:
            try:
                states = [_dealt(self.state.rules, dealt.event.dealer, dealt.event.turned_up)]
            except ImpossibleEvent:
                return None
        told = list(acts[:same])
        for act in acts[same:]:
            turned = _by_turn(act, states[-1])
            state = _after(_Same(states[-1]), turned.event)
            if state is None:
                return None
            states.append(state)
            told.append(turned)
        if readings is None:
            readings = self.readings if dealt is self.dealt else self._readings_with(dealt, told)
        return altered(self, dealt=dealt, acts=tuple(told), states=tuple(states), readings=readings)

    def _readings_with(self, dealt: Act, acts: Sequence[Act]) -> Mapping[int, int]:
        """Return the readings with another turn-up; what was taken for it under a later track is it, too."""
        cards = [one.event.turned_up for one in (self.dealt, dealt) if isinstance(one.event, Dealt)]
        old, new = (UNREAD if card is None else card.index for card in cards)
        if old in (UNREAD, new):
            return self.readings
        shown = {act.track for act in acts}
        return {
            track: new if index == old and track not in shown else index
            for track, index in self.readings.items()
        }

    def reassigned(self, track: int, card: Card | None) -> Story | None:
        """Return the story in which `track` was another card, or `None` where that cannot be."""
        index = UNREAD if card is None else card.index
        if self.readings.get(track, index) == index:
            return None
        readings = {**self.readings, track: index}
        if self.dealt.track == track and isinstance(self.dealt.event, Dealt):
            if card is None:
                return None
            dealt = replace(self.dealt, event=Dealt(self.dealt.event.dealer, card))
            return self.refolded(self.acts, dealt, readings)
        if track == self.table.kept or (self.table.pair is not None and track in self.table.pair):
            return None
        acts = [
            replace(act, event=CardPlayed(act.event.player, card))
            if act.track == track and isinstance(act.event, CardPlayed) and not act.told
            else act
            for act in self.acts
        ]
        if all(new is old for new, old in zip(acts, self.acts, strict=True)):
            return None
        return self.refolded(acts, readings=readings)

    def ignoring(self, track: int, extra: float = 0.0) -> Story:
        """Return the story in which `track` is no card of the hand."""
        return altered(self, noise=self.noise | {track}, extra=self.extra + extra)

    def costing(self, extra: float) -> Story:
        """Return the story with nats added that no act explains."""
        return altered(self, extra=self.extra + extra)

    def accounted(self, extra: float = 0.0) -> Story:
        """Return the story with what its missing turn-up has cost given back: it is known where that was."""
        refund = self.absent + self.displaced
        return altered(self, extra=self.extra - refund + extra, absent=0.0, displaced=0.0)

    @property
    def last_card(self) -> int | None:
        """Track of the latest card of the trick, of the last trick where nobody has led since."""
        return self.table.answer if self.state.led is None else self.table.led

    @property
    def last_play(self) -> int | None:
        """Position in `acts` of the last card played."""
        for at in range(len(self.acts) - 1, -1, -1):
            if isinstance(self.acts[at].event, CardPlayed):
                return at
        return None

    def lead_of_trick(self, at: int) -> int | None:
        """Position of the lead of the trick that the act before `at` completed, with nothing in between."""
        lead = at - 2
        cards = lead >= 0 and all(isinstance(act.event, CardPlayed) for act in self.acts[lead:at])
        return lead if cards and self.states[at].led is None else None

    def before_claims(self, time: float) -> int:
        """How many acts came before the claims and knocks that were told after `time`.

        As a claim counts a marriage with which the hand counted itself.
        """
        at = len(self.acts)
        while at and _claims(self.acts[at - 1], self.states[at]):
            if self.acts[at - 1].time < time - SAME_MOMENT_S:
                break
            at -= 1
        return at

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for stories that tell the same events with the same tracks."""
        table = self.table
        places = (
            table.turn_up,
            table.led,
            table.answer,
            table.pair,
            table.kept,
            table.mistaken,
            table.turned_over,
        )
        return (self.dealt.told_as, *[act.told_as for act in self.acts], places)


def _claims(act: Act, then: HandState) -> bool:
    """Whether somebody has claimed with `act`, or the rules for whom declared; `then`: where it led."""
    if isinstance(act.event, MarriageDeclared):
        return then.over and not act.told
    return act.told and isinstance(act.event, Claimed | Knocked)


@lru_cache(maxsize=MOST_REMEMBERED)
def _dealt(rules: RuleSet, dealer: Player, turned_up: Card | None) -> HandState:
    """Return the hand as dealt: one and the same for all stories of it, which then share what follows."""
    return deal(rules, dealer, turned_up)


class _Same:
    """A state as a key: equal to itself only, so that nothing of it need be compared."""

    __slots__ = ("state",)

    def __init__(self, state: HandState) -> None:
        self.state = state

    def __hash__(self) -> int:
        return id(self.state)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.state is self.state


@lru_cache(maxsize=MOST_REMEMBERED)
def _after(before: _Same, event: Event) -> HandState | None:
    """Return the hand after `event`, or `None` where it cannot have happened.

    Stories that began alike share their states, and ask for the same ones again and again.
    """
    try:
        return apply(before.state, event)
    except ImpossibleEvent:
        return None


def _by_turn(act: Act, state: HandState) -> Act:
    """Return an act of the camera as that of the player whose turn it is.

    Where a card without a name leaves open who took the trick, it is that of the player from whose side the
    hand came.
    """
    match act.event:
        case CardPlayed(player, card):
            now = _turn_of(act, player, state.to_play)
            return act if now is player else replace(act, event=CardPlayed(now, card))
        case _ if act.told:
            return act
        case Exchanged(player):
            at_close = state.at_close is not None and state.rules.exchange_on_close
            on_turn = state.at_close.closer.other if state.at_close and at_close else state.on_lead
            now = _turn_of(act, player, on_turn)
            return act if now is player else replace(act, event=Exchanged(now))
        case Closed(player, before_draw):
            now = _turn_of(act, player, state.on_lead)
            return act if now is player else replace(act, event=Closed(now, before_draw))
        case MarriageDeclared(player, suit):
            now = _turn_of(act, player, state.on_lead)
            return act if now is player else replace(act, event=MarriageDeclared(now, suit))
        case _:
            return act


def _turn_of(act: Act, player: Player, on_turn: Player | None) -> Player:
    if on_turn is not None:
        return on_turn
    if act.told or act.from_south == 0.5:
        return player
    return Player.SOUTH if act.from_south > 0.5 else Player.NORTH
