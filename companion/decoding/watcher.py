"""Turns what lies on the table into evidence.

The watcher decides nothing about the game; it only says where on the table something happened.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from companion.decoding.buttons import Buttons, Face
from companion.decoding.evidence import (
    Absent,
    Announced,
    Bare,
    Dark,
    Evidence,
    Glimpsed,
    Gone,
    Laid,
    Piled,
    Returned,
    TurnedUp,
    Unturned,
)
from companion.decoding.glimpses import Glimpses
from companion.decoding.held import Held
from companion.decoding.likelihood import CLEAR as CLEAR_FRAMES
from companion.decoding.likelihood import Sight
from companion.decoding.reaches import Reaches
from companion.decoding.stock_place import StockPlace
from companion.table.detection import BACK, UNKNOWN
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import covered, short_side

__all__ = ["Watcher"]

CONFIRM_S = 0.3
"""What is read clearly is told after it has lain still for so long: a hand that hesitates rests for less."""
LEFT_LIES_S = 45.0
"""What a hand has left on the table is cleared away within this time."""
LEFT_S = 1.0
"""By then what lay there when a camera began to look has been read."""
UNCLEAR_S = 1.0
"""A card that is not read clearly yet is looked at for this long before it is told."""
CLEAR = -0.35
"""Log-probability of its best answer from which on a card is read clearly."""
BRIEF_S = 0.15
"""A card that lay at least this long before something hid it was a card."""
ALONE_S = 1.0
"""A first face-up card without a stock in sight is taken for the turn-up after this time."""
START_S = 0.5
"""What is there in the first views may have lain there all day."""
AWAITED_S = 0.8
"""While a deal is awaited, a face waits this long for a stock beside it before it counts as a play."""
UNTURNED_S = 3.0
"""A first face away from a stock that lay there before it counts as a play after this time: till
then the stock may be something else, and the real one on its way to the turn-up."""
ABSENT_STEP_S, ABSENT_NEAR_ARM_S = 0.5, 0.8
"""So long after each other is told that the turn-up is not seen: with no hand in the picture, with one that
moves nothing at the stock."""
BACK_WITHIN_S = 8.0
"""A card that is seen again after longer than this may be another one, taken for it."""
BARE_S = 0.6
"""A table is bare once nothing has been seen on it for this long."""
NO_STOCK_S = 1.5
"""It has neither faces nor stock any more after this time: a stock that is drawn from is lost for less."""
DARK_S = 1.0
"""Without sight of the table for this long, a card may have been played and gathered."""
LAY_BEFORE_S = 0.5
"""What was there this long before the turn-up lay still was hardly played in the hand."""
PILE_EDGE = 0.38
"""Piles lie in this share of the picture's height from the bottom or top edge."""
HIDDEN_BELOW = 0.8
"""A card of which this share lies under another is not seen any more."""
HAND_EDGE = 0.3
"""Hands that have been dealt, and not picked up, lie in this share of the height from an edge."""
MOST_THINGS = 12
"""So many things are kept in mind, those that were found last."""
ON_THING = 0.5
"""Share of a card that lies where a thing lies from which on it may be that thing."""


class Watcher:
    """Turns views into evidence, each piece once."""

    def __init__(self) -> None:
        self.sights: dict[int, Sight] = {}
        self._reaches = Reaches()
        self._held = Held()
        self._glimpses = Glimpses()
        self._still_since: dict[int, float] = {}
        self._upon: dict[int, tuple[int, ...]] = {}
        self._told: set[int] = set()
        self._buttons = Buttons()
        self._began = np.inf
        self._place = StockPlace()
        self._epoch = -1.0
        """Only cards first seen later than this belong to a new deal."""
        self._awaits_deal = True
        self._alone_deals = True
        self._dealt_at = -np.inf
        """Time at which the turn-up of this hand or its stock came to rest, as far as it was seen."""
        self._found_at = -np.inf
        """The same of the deal found last."""
        self._deal_at = -np.inf
        """Time of the deal told last."""
        self._absent_since: float | None = None
        self._absent_next: float | None = None
        self._away: dict[int, float] = {}
        """When a track was first said to be out of sight, until it is back."""
        self._turn_up_seen = 0.0
        self._turn_up_touched = np.inf
        """Last time at which something moved at the turn-up's place, while its track lived."""
        self._bare_since: float | None = None
        self._no_stock_since: float | None = None
        self._bare_told = False
        self._no_stock_told = False
        self._turned = False
        self._looked = np.inf
        self._dark: Dark | None = None
        self._left_over: int | None = None
        """Turn-up of a hand that is over and may still lie there; `None`: that is known."""
        self._left_since, self._left_until = 0.0, inf
        """When it was over, and when that is known."""
        self._things: deque[NDArray[np.float32]] = deque(maxlen=MOST_THINGS)
        """Where things lie that are no cards, though they look like one at times."""

    def turn_round(self) -> None:
        """From now on what comes from the south comes from the north, and the other way round."""
        self._turned = not self._turned

    def dark(self, now: float) -> Dark | None:
        """Return the last time for which nobody saw the table, up to `now` if it has not ended."""
        return (self._looked, now) if now - self._looked >= DARK_S else self._dark

    def await_deal(self, since: float, *, over: bool = True) -> None:
        """Look for a new deal among cards first seen after `since`.

        Unless the hand is known to be over, a face without a stock beside it is a play.
        """
        self._awaits_deal, self._epoch, self._alone_deals = True, since, over

    def resume(self, time: float) -> None:
        """Go on after a time in which nobody looked; the table was seen last at `time`."""
        self._looked = time

    def tell_again(self, since: float) -> frozenset[int]:
        """Tell what has been laid after `since` and lies there as if it had come now; return its tracks."""
        tracks = frozenset(
            track
            for track in self._told
            if self._still_since[track] > since and self.sights[track].lies and not self.sights[track].is_back
        )
        self._told -= tracks
        return tracks

    def leave(self, turn_up: int, since: float) -> None:
        """Take what lies there in the next views for what a hand that is over has left, if its turn-up does.

        Args:
            turn_up: Class of the card under its stock.
            since: When it was over, seconds.
        """
        self._left_over, self._left_since, self._left_until = turn_up, since, inf

    def dealt(self, *, anew: bool = False) -> None:
        """The deal has been understood, `anew` that of a new hand; look for plays."""
        self._awaits_deal = False
        if anew:
            self._dealt_at = self._found_at

    def dealt_before(self) -> None:
        """The hand goes on from a log, and no turn-up is left by which it would be known again."""
        self._awaits_deal = False
        self._place.lose()

    def forget(self, before: float) -> None:
        """Drop the sights of tracks last explained before a hand that is done."""
        for track in [t for t, sight in self.sights.items() if sight.still_since + sight.lay_s < before]:
            self.sights.pop(track, None)
            self._still_since.pop(track, None)
            self._upon.pop(track, None)
            self._told.discard(track)
            self._away.pop(track, None)

    @property
    def turn_up_in_view(self) -> bool:
        """Whether the turn-up was seen at its place in the last view."""
        return self._absent_since is None and self._place.turn_up is not None

    def update(self, view: TableView) -> list[Evidence]:
        """Return what is new, in the order of time."""
        view = _turned_round(view) if self._turned else view
        view = self._held.without(view, self._told, dealing=self._awaits_deal and self._alone_deals)
        self._began = min(self._began, view.time)
        if not view.blind:
            self._dark = self.dark(view.time)
            self._looked = view.time
        self._reaches.update(view)
        lying: list[Observation] = []
        out: list[Evidence] = []
        for card in view.cards:
            if card.phase is Phase.MOVING and card.track not in self._still_since:
                continue
            if card.track not in self._still_since:
                self._still_since[card.track] = card.since
                self._upon[card.track] = _laid_upon(card, view.cards)
            sight = Sight.of(card, self._still_since[card.track], self._upon[card.track])
            if card.first_seen < self._dealt_at - LAY_BEFORE_S:
                sight = replace(sight, came=False)  # it lay there before the deal: hardly a card of this hand
            self.sights[card.track] = sight
            if card.phase is not Phase.GONE:
                lying.append(card)
        self._mind_things(lying)
        if lying:
            self._place.unit = float(np.median([short_side(card.corners) for card in lying]))
        deal = self._deal(view, lying) if self._awaits_deal and self._knows_left(view, lying) else []
        out.extend(deal)
        if deal:
            self._deal_at = deal[0].time  # what else lies there is told once it is known when that was
        else:
            # whatever is played comes after the deal, also where the turn-up was recognised later
            out.extend(replace(one, time=max(one.time, self._deal_at)) for one in self._laid(view, lying))
        out.extend(self._glimpsed(view))
        out.extend(self._announced(view, lying))
        out.extend(self._gone(view))
        out.extend(self._absences(view))
        out.extend(self._returned(view))
        return sorted(out, key=lambda one: (one.time, _ORDER[type(one)], getattr(one, "track", 0)))

    def _deal(self, view: TableView, lying: list[Observation]) -> list[Evidence]:
        """Find a face-up card beside a face-down one, both new."""
        old = [card for card in lying if card.first_seen <= self._epoch and self._is_old_card(card)]
        if any(not self.sights[card.track].is_back for card in old):
            return []
        faces = [card for card in lying if self._ready(card, view.time) and self._is_face(card)]
        # a score sheet beside the stock may look like a card; it lay there all day, and looks so less surely
        faces.sort(key=lambda card: (self._lay_there(card), -max(self.sights[card.track].log_p[:BACK])))
        backs = [card for card in lying if card.phase is Phase.STILL and self.sights[card.track].is_back]
        for face in faces:
            told = face.track in self._told
            if (told and face.first_seen <= self._epoch) or self._is_furniture(face):
                continue
            beside = [
                back
                for back in backs
                if self._place.within_reach(back, face)
                and not (self._lay_there(face) and view.time - self._still_since[back.track] < AWAITED_S)
            ]
            if self._is_doubtful(face):
                # a score sheet looks a little like a card where a hand that was dealt covers a part of it
                beside = [back for back in beside if not _at_edge(back, view.size[1], HAND_EDGE)]
            if old or (told and not self._alone_deals):
                # taken for a card of the hand before, of whose end something was missed; no pile comes there,
                # and of a trick that is gathered one card lies face down beside the other for a moment only.
                # So, too, while backs of that hand lie there: they may be its piles, or another pack
                beside = [
                    back
                    for back in beside
                    if back.first_seen > self._epoch
                    and not _at_edge(back, view.size[1], HAND_EDGE)
                    and view.time - self._still_since[back.track] >= ALONE_S
                ]
            lay_s = view.time - self._still_since[face.track]
            # a stock has been laid since the hand before, and a box that looks like one has not
            before = [back for back in backs if self._epoch < back.first_seen < face.first_seen - ALONE_S]
            stocks = self._stocks(before, backs, view.size)
            alone = (
                self._alone_deals
                and not old
                # what is shown after a hand lies alone, too, but not just where the turn-up lay
                and (not told or self._place.is_usual(face, view.size))
                and len(faces) == 1
                and lay_s >= ALONE_S
                and not stocks
                and not self._lay_there(face)
                and not self._is_doubtful(face)
            )
            if beside or alone:
                self._place.dealt(face)
                self._tell_anew(lying)
                self._told.add(face.track)
                self._found_at = min(self._still_since[card.track] for card in (face, *beside))
                self._away = {}
                self._bare_told = self._no_stock_told = False
                return [TurnedUp(face.track, self._still_since[face.track], deal=True)]
            if stocks and self._alone_deals and not old and lay_s >= UNTURNED_S:
                self._place.dealt_without(stocks[0])
                self._tell_anew(lying)
                self._found_at = self._still_since[stocks[0].track]
                self._bare_told = self._no_stock_told = False
                return [Unturned(self._still_since[stocks[0].track])]
        return []

    def _knows_left(self, view: TableView, lying: list[Observation]) -> bool:
        """Whether it is known by now if the hand before still lies there; its turn-up tells.

        Soon after it was over that card is its own, though it may have been found anew; later only if it
        has lain there since.
        """
        if self._left_over is None:
            return True
        if view.blind:
            return False
        self._left_until = min(self._left_until, view.time + LEFT_S)
        if view.time < self._left_until:
            return False
        soon = view.time - self._left_since < LEFT_LIES_S
        left = [card for card in lying if self.sights[card.track].best == self._left_over]
        if any(soon or card.first_seen <= self._left_since for card in left):
            self._epoch = view.time
        self._left_over = None
        return True

    def _stocks(
        self, before: list[Observation], backs: list[Observation], size: tuple[int, int]
    ) -> list[Observation]:
        """Those of `before` that may be the stock: whole, not before a player, none of `backs` lies apart.

        Hands lie face down before the players while the cards are dealt.
        """
        apart = any(not self._place.within_reach(one, other) for one in before for other in backs)
        middle = [back for back in before if not _at_edge(back, size[1], HAND_EDGE) and _whole(back, size)]
        return [] if apart else middle

    def _tell_anew(self, lying: list[Observation]) -> None:
        """What was laid since a hand was over, and told as something of that hand, belongs to the next."""
        if self._alone_deals:
            self._told -= {card.track for card in lying if card.first_seen > self._epoch}

    def _is_old_card(self, card: Observation) -> bool:
        """Whether a card has been laid there; what is not read clearly may be a phone that was typed on."""
        sight = self.sights[card.track]
        return sight.came and (sight.is_back or not self._is_doubtful(card))

    def _lay_there(self, card: Observation) -> bool:
        return card.first_seen <= self._began + START_S or not card.came

    def _is_furniture(self, card: Observation) -> bool:
        """Whether a face is a thing that lay there all day: the page on a phone, a score sheet.

        Whoever reaches over it, or taps it, has it look like something else that has just come.
        """
        return self._is_doubtful(card) and (self._lay_there(card) or self._lies_on_thing(card))

    def _is_doubtful(self, card: Observation) -> bool:
        sight = self.sights[card.track]
        return min(sight.clarity, max(sight.log_p[:BACK])) < CLEAR_FRAMES

    def _mind_things(self, lying: list[Observation]) -> None:
        """Remember where things lie that were there before anything was played, and are no clear card."""
        for card in lying:
            thing = self._lay_there(card) and not self.sights[card.track].is_back and self._is_doubtful(card)
            if thing and not self._lies_on_thing(card):
                self._things.append(card.corners)

    def _lies_on_thing(self, card: Observation) -> bool:
        return any(covered(card.corners, thing) >= ON_THING for thing in self._things)

    def _is_face(self, card: Observation) -> bool:
        return self.sights[card.track].best < BACK  # a sheet that may be a card is no turn-up yet

    def _ready(self, card: Observation, time: float) -> bool:
        since = self._still_since[card.track]
        if card.phase is Phase.STILL:
            clear = max(self.sights[card.track].log_p) >= CLEAR
            return time - since >= (CONFIRM_S if clear else UNCLEAR_S)
        return self.sights[card.track].lay_s >= BRIEF_S

    def _laid(self, view: TableView, lying: list[Observation]) -> list[Evidence]:
        out: list[Evidence] = []
        for card in view.cards:
            if card.track in self._told or card.track not in self._still_since:
                continue
            if not self._place.known and self._alone_deals:
                continue  # nothing has been dealt yet
            since = self._still_since[card.track]
            if not self._ready(card, view.time):
                continue
            if self.sights[card.track].is_back:
                height = view.size[1]
                edge = _at_edge(card, height, PILE_EDGE)
                if edge and card.phase is Phase.STILL and not self._place.near_stock(card):
                    self._told.add(card.track)
                    if not self.sights[card.track].came:
                        continue  # it lay there before, and is seen again: nothing was put there
                    south = float(card.centre[1]) > height / 2.0
                    out.append(Piled(card.track, since, south != self._turned))
                continue
            if self._may_be_dealt(card, lying) and view.time - since < AWAITED_S:
                continue  # its stock may be recognised a moment later
            pushed = self._is_pushed(card, lying)
            if pushed is None and view.time - since < AWAITED_S:
                continue  # the stock that was pushed with it may be recognised a moment later
            self._told.add(card.track)
            place = self._place
            if place.turn_up is None and _unknown(self.sights[card.track]) and place.near_stock(card):
                continue  # a thing beside the stock is not its turn-up
            if pushed or place.holds(card):
                place.lies_at(card, pushed=bool(pushed))
                out.append(TurnedUp(card.track, since, deal=False, reaches=self._reaches.told()))
            else:
                self._glimpses.laid(card)
                out.append(Laid(card.track, since, self._reaches.told(), self._dark))
        return out

    def _glimpsed(self, view: TableView) -> Iterator[Glimpsed]:
        """What was carried to the trick and has vanished."""
        for track, sight in self._glimpses.update(view, self._still_since, self._place.unit):
            south = 1.0 - sight.from_south if self._turned else sight.from_south
            self.sights[track] = replace(sight, from_south=south)
            yield Glimpsed(track, sight.last_seen, self._reaches.told())

    def _may_be_dealt(self, card: Observation, lying: list[Observation]) -> bool:
        """Whether a card may be the turn-up of a deal that is awaited; of two faces in mid-hand none is."""
        faces = [one for one in lying if one.first_seen > self._epoch and self._is_face(one)]
        new = self._awaits_deal and card.first_seen > self._epoch
        return new and (self._alone_deals or len(faces) < 2)

    def _is_pushed(self, card: Observation, lying: list[Observation]) -> bool | None:
        """Whether a card is the turn-up, pushed to another place with the stock; `None`: not yet known.

        The stock lies beside it as it lay beside the turn-up, which lies there no more. What looks like
        that card is waited for.
        """
        place = self._place
        if place.turn_up is None or not place.tracks or place.holds(card):
            return False
        last = self.sights.get(max(place.tracks))
        if last is None or last.lies or not place.seen_together or not self._is_face(card):
            return False
        if place.pushed_with(card, [back for back in lying if self.sights[back.track].is_back]):
            return True
        return None if last.best == self.sights[card.track].best else False

    def _gone(self, view: TableView) -> list[Evidence]:
        gone = [card for card in view.cards if card.phase is Phase.GONE and card.track in self._told]
        self._away.update((card.track, view.time) for card in gone)
        return [Gone(card.track, card.since, self._reaches.told()) for card in gone]

    def _returned(self, view: TableView) -> list[Evidence]:
        """What was told to be gone, or the turn-up to be out of sight, and lies there as before."""
        out: list[Evidence] = []
        for card in view.cards:
            if card.phase is Phase.STILL and (since := self._away.pop(card.track, None)) is not None:
                turn_up = self._place.is_turn_up(card)
                if not turn_up or view.time - since <= BACK_WITHIN_S:
                    out.append(Returned(view.time, card.track, turn_up))
        return out

    def _announced(self, view: TableView, lying: list[Observation]) -> list[Evidence]:
        faces = [
            Face(card.track, float(card.centre[0]), float(card.centre[1]), self._still_since[card.track])
            for card in lying
            if card.track in self._told and self._is_face(card) and card.track not in self._place.tracks
        ]
        return list(self._buttons.update(view, faces, self._place.unit))

    def _absences(self, view: TableView) -> list[Evidence]:
        """What is missing: the turn-up, the stock, everything."""
        if not self._place.known:
            return []
        seen = [card for card in view.cards if card.phase is not Phase.GONE and not _unknown_now(card)]
        self._place.follow(seen, view.time)
        stock = [card for card in seen if card.best == BACK and self._place.near_stock(card)]
        return [*self._absent(view, seen, stock), *self._bare(view, seen, stock)]

    def _absent(self, view: TableView, seen: list[Observation], stock: list[Observation]) -> Iterator[Absent]:
        """The turn-up that is not seen for another step, though its stock lies there in clear view."""
        time, place = view.time, self._place
        there = [
            card
            for card in seen
            if card.phase is not Phase.HIDDEN
            and (card.best != BACK or card.track in place.tracks)
            and place.holds(card)
        ]
        touched = [
            card.disturbed for card in view.cards if card.track in place.tracks and card.disturbed is not None
        ]
        self._turn_up_touched = max(touched, default=self._turn_up_touched)
        # a face that one frame tells may be a card turned down, read wrong
        if any(card.phase is Phase.STILL or card.track in place.tracks for card in there):
            self._turn_up_seen = time
        lost = any(
            card.track in place.tracks and card.phase is Phase.HIDDEN and card.unmoved for card in seen
        )
        place.look(there, stock, time)
        if there or lost or not stock or place.turn_up is None:
            self._absent_since = self._absent_next = None
            return
        lies = any(card.phase is Phase.STILL for card in stock)
        # a hand that stays somewhere else hides nothing here
        clear = _clear(view)
        step = ABSENT_STEP_S if clear else ABSENT_NEAR_ARM_S
        still = clear or all(_untouched_for(step, card, time) for card in stock)
        if not still or not lies or place.pushed_out(stock, view.size, time):
            if self._absent_next is not None:
                self._absent_next = max(self._absent_next, time + ABSENT_STEP_S / 2)
        elif self._absent_since is None or self._absent_next is None:
            self._absent_since, self._absent_next = time, time + step
        elif time >= self._absent_next:
            self._absent_next = time + step
            # whoever took it did so while something moved there
            since = min(self._absent_since, max(self._turn_up_touched, self._turn_up_seen))
            for track in place.tracks:
                self._away.setdefault(track, time)
            yield Absent(time, since, self._turn_up_seen, self._reaches.told())

    def _bare(self, view: TableView, seen: list[Observation], stock: list[Observation]) -> Iterator[Bare]:
        """A table without faces and stock for a while, and one without anything; each once."""
        time = view.time
        if stock or any(card.best != BACK for card in seen):
            self._bare_since = self._no_stock_since = None
            self._bare_told = self._no_stock_told = False
            return
        self._no_stock_since = time if self._no_stock_since is None else self._no_stock_since
        if _clear(view) and time - self._no_stock_since >= NO_STOCK_S and not self._no_stock_told:
            self._no_stock_told = True
            yield Bare(time, piles=True)
        if seen:
            self._bare_since = None
            return
        self._bare_since = time if self._bare_since is None else self._bare_since
        if _clear(view) and time - self._bare_since >= BARE_S and not self._bare_told:
            self._bare_told = True
            yield Bare(time, piles=False)


_ORDER = {
    Unturned: -1,
    TurnedUp: 0,
    Laid: 1,
    Announced: 2,
    Gone: 3,
    Glimpsed: 4,
    Piled: 4,
    Absent: 5,
    Returned: 5,
    Bare: 6,
}


def _turned_round(view: TableView) -> TableView:
    """A view with its sides changed over; places stay."""
    cards = tuple(replace(card, from_south=1.0 - card.from_south) for card in view.cards)
    return replace(view, cards=cards, south_arm=view.north_arm, north_arm=view.south_arm)


def _whole(card: Observation, size: tuple[int, int]) -> bool:
    """Whether all of a card is in the picture; nobody puts the stock half out of sight."""
    return bool((card.corners >= 0).all() and (card.corners <= np.array(size)).all())


def _laid_upon(card: Observation, others: Sequence[Observation]) -> tuple[int, ...]:
    """Which cards lie wholly, or nearly so, under one that has just come to rest."""
    return tuple(
        below.track
        for below in others
        if below.first_seen < card.first_seen and covered(below.corners, card.corners) >= HIDDEN_BELOW
    )


def _at_edge(card: Observation, height: int, share: float) -> bool:
    """Whether a card lies in this share of the picture's height from the bottom or top edge."""
    return not share * height <= float(card.centre[1]) <= (1.0 - share) * height


def _clear(view: TableView) -> bool:
    """Whether no arm reaches in."""
    return not view.south_arm and not view.north_arm


def _untouched_for(seconds: float, card: Observation, time: float) -> bool:
    """Whether nothing has moved at a card for so long."""
    return card.disturbed is not None and time - card.disturbed >= seconds


def _unknown_now(card: Observation) -> bool:
    return card.best == UNKNOWN


def _unknown(sight: Sight) -> bool:
    """Whether a track is surely no card of the pack."""
    return sight.best == UNKNOWN and max(sight.log_p[:UNKNOWN]) < -2.5
