"""Turns what lies on the table into evidence.

The watcher decides nothing about the game; it only says where on the table something happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from statistics import median

from companion.decoding.at_stock import Stock
from companion.decoding.buttons import Buttons, Face
from companion.decoding.dealing import Dealing
from companion.decoding.evidence import (
    Absent,
    Announced,
    AtStock,
    Bare,
    Dark,
    Evidence,
    Glimpsed,
    Gone,
    Laid,
    Lingered,
    Piled,
    Rested,
    Returned,
    TurnedUp,
    Unturned,
)
from companion.decoding.glimpses import Glimpses
from companion.decoding.held import Held
from companion.decoding.known import Known
from companion.decoding.likelihood import PUSHED_S, Sight
from companion.decoding.lingering import Lingering
from companion.decoding.missing import Missing
from companion.decoding.reaches import Reaches
from companion.decoding.stock_place import StockPlace
from companion.decoding.things import Things
from companion.rules.cards import PACK_24, Player
from companion.table.detection import BACK
from companion.table.entry import UNSEEN_S
from companion.table.observation import Observation, Phase, TableView
from companion.table.quad import short_side

__all__ = ["Watcher"]

PILE_EDGE = 0.38
"""Piles lie in this share of the picture's height from the bottom or top edge."""
TAKEN_UP_S = 5.0
"""Won tricks that were seen so shortly before one of their cards lies open have been turned up."""
PLAYER_EDGE = 0.3
"""In this share of it nobody plays a card: what lies open there a player looks at."""


class Watcher:
    """Turns views into evidence, each piece once."""

    def __init__(self) -> None:
        self._known = Known()
        self._things = Things(self._known)
        self._place = StockPlace()
        self._dealing = Dealing(self._known, self._place, self._things)
        self._reaches = Reaches()
        self._missing = Missing(self._place, self._reaches)
        self._stock = Stock(self._place)
        self._lingering = Lingering(self._reaches)
        self._held = Held()
        self._glimpses = Glimpses()
        self._buttons = Buttons()
        self._turned = False
        self._piles: dict[int, bool] = {}
        """Tracks of won tricks that lie face down, and whether on the south side of the picture."""
        self._looked = inf
        self._dark: Dark | None = None
        self.regained: Dark | None = None
        """The time for which nobody saw the table, where the last view ended it."""

    @property
    def sights(self) -> Mapping[int, Sight]:
        """What is known of each track; the same mapping for ever, later views change it."""
        return self._known.sights

    @property
    def turn_up_in_view(self) -> bool:
        """Whether the turn-up was seen at its place in the last view."""
        return self._missing.turn_up_in_view

    def turn_round(self) -> None:
        """From now on what comes from the south comes from the north, and the other way round."""
        self._turned = not self._turned

    def dark(self, now: float) -> Dark | None:
        """Return the last time for which nobody saw the table, up to `now` if it has not ended."""
        return (self._looked, now) if now - self._looked >= UNSEEN_S else self._dark

    def await_deal(self, since: float, *, over: bool = True, lay_by: float | None = None) -> None:
        """Look for a new deal among cards first seen after `since`.

        Unless the hand is known to be over, a face without a stock beside it is a play. `lay_by`: turn-up and
        stock lay there by then.
        """
        self._dealing.await_deal(since, over=over, lay_by=lay_by)

    def resume(self, time: float) -> None:
        """Go on after a time in which nobody looked; the table was seen last at `time`."""
        self._looked = time

    def tell_again(self, since: float, but: int | None = None) -> frozenset[int]:
        """Tell what has been laid after `since` and lies there, `but` one card, as if it had come now.

        Returns its tracks.
        """
        return self._known.tell_again(since, but)

    def leave(self, turn_up: int, since: float) -> None:
        """Take what lies there in the next views for what a hand that is over has left, if its turn-up does.

        Args:
            turn_up: Class of the card under its stock.
            since: When it was over, seconds.
        """
        self._dealing.leave(turn_up, since)

    def dealt(self, *, anew: bool = False) -> None:
        """The deal has been understood, `anew` that of a new hand; look for plays."""
        self._dealing.understood(anew=anew)

    def doubt_deal(self, doubtful: bool) -> None:
        """Say whether what was found last may have been no deal, so that the real one is looked for."""
        self._dealing.doubtful = doubtful

    def dealt_before(self) -> None:
        """The hand goes on from a log, and no turn-up is left by which it would be known again."""
        self._dealing.understood(anew=False)
        self._place.lose()

    def forget(self, before: float) -> None:
        """Drop the sights of tracks last explained before a hand that is done."""
        self._known.forget(before)
        self._piles = {track: south for track, south in self._piles.items() if track in self.sights}

    def update(self, view: TableView) -> list[Evidence]:
        """Return what is new, in the order of time."""
        view = _turned_round(view) if self._turned else view
        view = self._known.anew(view)
        dealing = self._dealing.awaited and self._dealing.alone
        view = self._held.without(view, self._known.told, dealing=dealing)
        self.regained = None
        if not view.blind:
            if view.time - self._looked >= UNSEEN_S:
                self._dark = self.regained = (self._looked, view.time)
            self._looked = view.time
        self._reaches.update(view)
        lying = self._known.see(view, self._dealing.at)
        self._things.update(lying, view.time)
        if lying:
            self._place.unit = median(short_side(card.corners) for card in lying)
        out: list[Evidence] = []
        mixing, mixed = self._dealing.mixing, self._dealing.mixing.now
        deal = self._dealing.find(view, lying) or self._dealing.find_missed(view, lying, self._dark)
        if deal is not None:
            self._missing.begin()
            out.append(deal)  # what else lies there is told once it is known when that was
        else:
            # whatever is played comes after the deal, also where the turn-up was recognised later
            told_at = self._dealing.told_at
            laid = [replace(one, time=max(one.time, told_at)) for one in self._laid(view, lying)]
            out.extend(laid)
            faces = (card for card in laid if isinstance(card, Laid))
            out.extend(rested for card in faces for rested in self._stock.rests(view, card.time))
        out.extend(self._glimpsed(view))
        out.extend(self._lingering.update(view))
        out.extend(self._stock.update(view))
        out.extend(self._announced(view, lying))
        gone = self._gone(view)
        self._missing.note(gone, view.time)
        out.extend(gone)
        missing = list(self._missing.update(view))
        if dealing and (not lying or any(isinstance(one, Bare) for one in missing)):
            self._known.sweep()
        out.extend(replace(one, dark=self._dark) if isinstance(one, Absent) else one for one in missing)
        out.extend(self._missing.returned(view))
        if mixing.now:
            out = [one for one in out if isinstance(one, Gone | Bare)]  # nothing else tells of a hand
            if not (mixed or self._dealing.awaited):
                out.append(Bare(mixing.began, piles=False))
        return sorted(out, key=_place)

    def _laid(self, view: TableView, lying: Sequence[Observation]) -> Iterator[Laid | TurnedUp | Piled]:
        """What has come to lie face up, and the piles of won tricks."""
        if self._dealing.mixing.now or (not self._place.known and self._dealing.alone):
            return  # nothing of a hand lies there, nothing has been dealt yet
        for card in view.cards:
            track = card.track
            if track in self._known.told or track not in self._known.since:
                continue
            if not self._known.ready(card, view.time) or track in self._dealing.mixing.tracks:
                continue
            if self._known.is_back(card):
                yield from self._piled(card, view.size[1])
                continue
            if self._dealing.may_await_stock(card, lying, view.time):
                continue
            pushed = self._is_pushed(card, lying)
            if pushed is None and not self._dealing.waited(card, view.time):
                continue  # the stock that was pushed with it may be recognised a moment later
            self._known.told.add(track)
            place = self._place
            if self._dealing.is_exposed(card, lying):
                continue
            if place.turn_up is None and self._known.is_unknown(card) and place.near_stock(card):
                continue  # a thing beside the stock is not its turn-up
            since, reaches = self._known.since[track], self._reaches.told()
            backs = [one for one in lying if self._known.is_back(one)]
            on_stock = place.lies_on_stock(card, backs)
            if on_stock:
                self._missing.lies_elsewhere(track, view.time)
            if not pushed:
                self._lingering.laid(card, since)  # a trick may lie across the turn-up
            if pushed or place.holds(card):
                if not pushed and self._is_pushed_across(card):
                    place.others.add(track)
                else:
                    place.lies_at(card, pushed=bool(pushed))
                yield TurnedUp(track, since, deal=False, reaches=reaches, dark=self._dark, on_stock=on_stock)
            else:
                self._glimpses.laid(card)
                brought = self._glimpses.brought(track)
                over_stock = place.lies_over_stock(card, backs, view.time)
                near, at_edge = place.near_stock(card), card.is_at_edge(view.size[1], PLAYER_EDGE)
                yield Laid(
                    track,
                    since,
                    reaches,
                    self._dark,
                    on_stock,
                    brought,
                    over_stock,
                    near,
                    at_edge,
                    self._unpiled(since),
                )

    def _piled(self, back: Observation, height: int) -> Iterator[Piled]:
        """A card that lies face down near an edge, away from the stock."""
        edge = back.is_at_edge(height, PILE_EDGE)
        if not edge or back.phase is not Phase.STILL or self._place.near_stock(back):
            return
        self._known.told.add(back.track)
        if self._known.sights[back.track].came:  # else it lay there before: nothing was put there
            south = float(back.centre[1]) > height / 2.0
            self._piles[back.track] = south
            yield Piled(back.track, self._known.since[back.track], south != self._turned)

    def _unpiled(self, since: float) -> frozenset[Player]:
        """Whose won tricks lay there a moment before `since`, and are not seen now."""
        sides: dict[bool, list[Sight]] = {}
        for track, south in self._piles.items():
            if track in self.sights:
                sides.setdefault(south != self._turned, []).append(self.sights[track])
        return frozenset(
            Player.SOUTH if south else Player.NORTH
            for south, piles in sides.items()
            if not any(pile.lies or pile.last_seen >= since for pile in piles)
            and any(pile.last_seen >= since - TAKEN_UP_S for pile in piles)
        )

    def _glimpsed(self, view: TableView) -> Iterator[Glimpsed]:
        """What was carried to the trick and has vanished."""
        for track, sight in self._glimpses.update(view, self._known.since, self._place.unit):
            south = 1.0 - sight.from_south if self._turned else sight.from_south
            # an arm that is there since then, and stays, may rest on it
            rests = any(arm.start <= sight.last_seen and arm.end >= view.time for arm in self._reaches.told())
            phase = Phase.HIDDEN if rests else sight.phase
            self._known.sights[track] = replace(sight, from_south=south, phase=phase)
            yield Glimpsed(track, sight.last_seen, self._reaches.told())

    def _is_pushed(self, card: Observation, lying: Sequence[Observation]) -> bool | None:
        """Whether a card is the turn-up, pushed to another place with the stock; `None`: not yet known.

        The stock lies beside it as it lay beside the turn-up, which lies there no more; or near it, where the
        two were not seen together yet. What looks like that card is waited for.
        """
        place = self._place
        if place.turn_up is None or not place.tracks or place.holds(card):
            return False
        last = self.sights.get(max(place.tracks))
        if last is None or last.lies or not self._known.is_face(card):
            return False
        backs = [back for back in lying if self._known.is_back(back)]
        same = last.best == self.sights[card.track].best
        if not place.seen_together:
            return same and any(place.near_stock(back) and place.within_reach(back, card) for back in backs)
        return place.pushed_with(card, backs) or (None if same else False)

    def _is_pushed_across(self, card: Observation) -> bool:
        """Whether a card at the turn-up's place lay elsewhere a moment ago, and cannot be exchanged for it.

        Who pushes a won trick aside may leave it there. Only a card of the turn-up's suit is exchanged.
        """
        sights, since = self.sights, self._known.since[card.track]
        best = sights[card.track].best
        turn_ups = [sights[track].best for track in self._place.tracks if track in sights]
        suits = {PACK_24[one].suit for one in turn_ups if one < BACK}
        if best >= BACK or not suits or PACK_24[best].suit in suits:
            return False
        lay = [sights[track] for track in self._known.told - self._place.tracks if track in sights]
        return any(one.best == best and 0.0 <= since - one.last_seen <= PUSHED_S for one in lay)

    def _gone(self, view: TableView) -> list[Gone]:
        """Cards that have been told and are not there any more."""
        gone = [card for card in view.cards if card.phase is Phase.GONE and card.track in self._known.told]
        return [Gone(card.track, card.since, self._reaches.told(), self._dark) for card in gone]

    def _announced(self, view: TableView, lying: Sequence[Observation]) -> list[Announced]:
        """Announcement buttons, and the faces they lie by."""
        faces = [
            Face(card.track, float(card.centre[0]), float(card.centre[1]), self._known.since[card.track])
            for card in lying
            if card.track in self._known.told
            and self._known.is_face(card)
            and card.track not in self._place.tracks
        ]
        return list(self._buttons.update(view, faces, self._place.unit))


_ORDER = {
    Unturned: -2,
    AtStock: -1,
    Rested: -1,
    TurnedUp: 0,
    Laid: 1,
    Lingered: 2,
    Announced: 2,
    Gone: 3,
    Glimpsed: 4,
    Piled: 4,
    Absent: 5,
    Returned: 5,
    Bare: 6,
}
"""What comes first of what happened at one moment."""


def _place(one: Evidence) -> tuple[float, bool, int, int]:
    """What orders evidence: of the cards of a stock turned over, what lies where it lay comes first."""
    first = isinstance(one, Laid) and one.over_stock
    return one.time, not first, _ORDER[type(one)], getattr(one, "track", 0)


def _turned_round(view: TableView) -> TableView:
    """A view with its sides changed over; places stay."""
    cards = tuple(replace(card, from_south=1.0 - card.from_south) for card in view.cards)
    return replace(view, cards=cards, south_arm=view.north_arm, north_arm=view.south_arm)
